//! A bullet that ricochets off steel and goes through wood.
//!
//! Neither needs an epsilon, because a ray `after` a hit leaves all surfaces at that point. So the floor may be made of
//! tiles and the wall of blocks, with all their corners at whole numbers.
//!
//! `cargo run --example bullet -p hitscan`

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Cull, Filter, Hit, Quad, Ray, RayQueries, Scene, Sphere};
use std::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    /// A tile is named by its column and row.
    Tile(i32, i32),
    /// A block is named by its place in the wall.
    Block(i32, i32),
    SteelPlate,
    Boiler,
    Plank,
    Door,
    Target,
}

impl Thing {
    /// Returns the energy lost for each unit of thickness; `None` makes the bullet ricochet.
    fn resistance(self) -> Option<f32> {
        match self {
            Self::Plank => Some(400.0),
            Self::Door => Some(900.0),
            Self::Target => Some(f32::INFINITY),
            Self::Tile(..) | Self::Block(..) | Self::SteelPlate | Self::Boiler => None,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new();
    add_level(&mut scene)?;
    scene.insert(Thing::SteelPlate, Aabb::new([9.0, 0.0, -4.0], [9.5, 5.0, 4.0]), DVec3::ZERO)?;
    scene.insert(Thing::Boiler, Sphere::new(1.0), DVec3::new(6.5, 5.5, 0.0))?;
    scene.insert(Thing::Plank, Aabb::new([4.0, 0.0, -1.0], [4.1, 3.0, 1.0]), DVec3::ZERO)?;
    scene.insert(Thing::Door, Aabb::new([5.0, 0.0, -1.0], [5.2, 3.0, 1.0]), DVec3::ZERO)?;
    scene.insert(Thing::Target, Sphere::new(0.5), DVec3::new(-4.0, 0.5, 0.0))?;

    println!("Through the wood and off the plate:");
    shoot(&scene, Ray::new([0.0, 1.0, 0.0], [1.0, 0.125, 0.0]));
    println!("\nOff the floor, the plate and the boiler:");
    shoot(&scene, Ray::new([6.0, 2.0, 0.0], [1.0, -1.5, 0.0]));
    println!("\nOnto the corner where four tiles meet, and up:");
    shoot(&scene, Ray::new([-14.0, 4.0, 6.0], [1.0, -2.0, -1.0]));
    println!("\nInto the corner of floor and wall, and back:");
    shoot(&scene, Ray::new([-12.0, 4.0, 6.0], [-1.0, -1.0, 0.0]));
    println!("\nGlancing off the floor, with a bounce from a place that f32 cannot hold exactly:");
    shoot(&scene, Ray::new([-9.1, 0.37, 0.3], [1.0, -0.11, -0.06]));
    Ok(())
}

/// A floor of tiles, and a wall of blocks at its end.
fn add_level(scene: &mut Scene<Thing>) -> Result<(), Box<dyn Error>> {
    let tile = Quad::new([0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]);
    let block = Aabb::new([-4.0, 0.0, 0.0], [0.0, 4.0, 4.0]);
    for (column, row) in (-4..4).flat_map(|column| (-3..3).map(move |row| (column, row))) {
        scene.insert(Thing::Tile(column, row), tile, DVec3::new(4.0 * f64::from(column), 0.0, 4.0 * f64::from(row)))?;
    }
    for (height, row) in (0..2).flat_map(|height| (-3..3).map(move |row| (height, row))) {
        let place = DVec3::new(-16.0, 4.0 * f64::from(height), 4.0 * f64::from(row));
        scene.insert(Thing::Block(height, row), block, place)?;
    }
    Ok(())
}

/// Follows one bullet until it stops or leaves the scene.
fn shoot(scene: &Scene<Thing>, mut ray: Ray) {
    let mut energy = 1000.0;
    let mut last: Option<Hit<Thing>> = None;
    loop {
        let Some(hit) = scene.after(last.as_ref()).cast(&ray) else {
            println!("  it flies on from {:.2} with energy {energy:.0}", last.map_or(ray.origin, |hit| hit.point));
            return;
        };
        match hit.id.resistance() {
            None => {
                energy *= 0.5;
                println!("  bounces off the {:?} at {:.2}, energy {energy:.0}", hit.id, hit.point);
                ray = hit.bounce();
                last = Some(hit);
            }
            Some(resistance) => {
                let Some((exit, thickness)) = leave(scene, &ray, &hit) else { return };
                energy -= resistance * thickness;
                if energy <= 0.0 {
                    println!("  stops in the {:?}, which it enters at {:.2}", hit.id, hit.point);
                    return;
                }
                println!("  goes through {thickness:.3} of {:?} at {:.2}, energy {energy:.0}", hit.id, hit.point);
                last = Some(exit);
            }
        }
        if energy < 50.0 {
            println!("  drops at {:.2}", last.map_or(ray.origin, |hit| hit.point));
            return;
        }
    }
}

/// Returns the hit at which the ray leaves the solid. The ray enters it at `entry`. Also returns the length of the ray's path inside. Other things along the
/// ray are ignored, and so are front sides.
fn leave(scene: &Scene<Thing>, ray: &Ray, entry: &Hit<Thing>) -> Option<(Hit<Thing>, f32)> {
    let same = Filter::new().cull(Cull::Front).entities(|id| id == entry.id);
    let exit = scene.with(&same).after(entry).cast(ray)?;
    // t is in units of the direction's length.
    Some((exit, (exit.t - entry.t) * Vec3::length(ray.direction)))
}
