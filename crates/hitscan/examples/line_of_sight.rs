//! Can the guard see the player? The example finds the obstacle, looks through a window, and maps where the player would be hidden.
//!
//! `cargo run --example line_of_sight -p hitscan`

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Compound, Filter, Ray, RayQueries, Scene, Sphere};
use std::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Guard,
    Player,
    Wall,
    Window,
}

/// Layers are bits. An entity is on one or more layers, and a filter accepts one or more layers.
const SOLID: u32 = 1;
const GLASS: u32 = 1 << 1;

const EYE_HEIGHT: f32 = 1.7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new();
    scene.insert(Thing::Guard, person()?, DVec3::new(-6.0, 0.0, 0.0))?;
    scene.insert(Thing::Player, person()?, DVec3::new(6.0, 0.0, 0.0))?;
    // This is a wall from z = -8 to 8 with a window in it between z = 1 and 3.
    scene.insert(Thing::Wall, wall()?, DVec3::ZERO)?;
    scene.insert(Thing::Window, Aabb::new([-0.05, 0.0, 1.0], [0.05, 3.0, 3.0]), DVec3::ZERO)?;
    scene.set_layers(&Thing::Window, GLASS);

    // The eyes are inside the heads, so neither head may be an obstacle.
    let guard_eye = Vec3::new(-6.0, EYE_HEIGHT, 0.0);
    let solid = Filter::new().layers(SOLID);
    let others = Filter::new().exclude(Thing::Guard).exclude(Thing::Player);
    println!("z of player   seen?   shot possible?   first obstacle");
    for z in [0.0, 4.0, 7.0, 20.0] {
        let player = Vec3::new(6.0, 0.0, z);
        scene.set_transform(&Thing::Player, player)?;
        let head = player + Vec3::Y * EYE_HEIGHT;
        let (viewer, target) = ((Thing::Guard, guard_eye), (Thing::Player, head));

        let seen = scene.with(&solid).line_of_sight(viewer, target);
        // Bullets do not pass the glass: every layer blocks.
        let shot = scene.line_of_sight(viewer, target);
        let obstacle = scene.with(&others).cast(&Ray::between(guard_eye, head));
        let obstacle = obstacle.map_or("none".into(), |hit| format!("{:?}, {:.0} % of the way", hit.id, hit.t * 100.0));
        println!("{z:11}   {:5}   {:14}   {obstacle}", answer(seen), answer(shot));
    }
    plan(&scene, guard_eye);
    Ok(())
}

fn answer(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn person() -> Result<Compound, Box<dyn Error>> {
    let body = Aabb::new([-0.3, 0.0, -0.2], [0.3, 1.5, 0.2]);
    let head = Sphere::new(0.2);
    Ok(Compound::new([(body.into(), DVec3::ZERO.into()), (head.into(), DVec3::new(0.0, 1.7, 0.0).into())])?)
}

fn wall() -> Result<Compound, Box<dyn Error>> {
    let pieces = [Aabb::new([-0.1, 0.0, -8.0], [0.1, 3.0, 1.0]), Aabb::new([-0.1, 0.0, 3.0], [0.1, 3.0, 8.0])];
    Ok(Compound::new(pieces.map(|piece| (piece.into(), DVec3::ZERO.into())))?)
}

/// Prints a map of the guard's view: `.` visible, `~` visible through glass, blank hidden.
fn plan(scene: &Scene<Thing>, eye: Vec3) {
    println!("\nThe guard G, the wall |, the window : and what he sees (z downwards, x to the right):");
    let others = Filter::new().exclude(Thing::Guard).exclude(Thing::Player);
    let solid_others = others.clone().layers(SOLID);
    for z in -6..=12 {
        let row: String = (-8..=14)
            .map(|x| {
                if x == 0 && (-8..=8).contains(&z) {
                    return if z == 2 { ':' } else { '|' };
                }
                let place = Vec3::new(x as f32, EYE_HEIGHT, z as f32);
                let ray = Ray::between(eye, place);
                match () {
                    _ if place == eye => 'G',
                    _ if !scene.with(&others).is_blocked(&ray) => '.',
                    _ if !scene.with(&solid_others).is_blocked(&ray) => '~',
                    _ => ' ',
                }
            })
            .collect();
        println!("  {}", row.trim_end());
    }
}
