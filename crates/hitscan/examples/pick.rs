//! Finds the entity under the cursor, with a camera, a few entities, and a click.
//!
//! The picture consists of one ray through the middle of each character.
//!
//! `cargo run --example pick -p hitscan`

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2};
use hitscan::{Aabb, Camera, Mesh, Plane, RayQueries, Scene, Sphere, Viewport};
use std::error::Error;

/// The keys are the program's own type. A picture needs a letter for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Ground,
    Ball,
    Crate,
    Tent,
}

fn main() -> Result<(), Box<dyn Error>> {
    let scene = scene()?;
    let transform = Camera::look_at([0.0, 3.0, 9.0], [0.0, 1.0, 0.0], DVec3::Y)?;
    let camera = Camera::perspective(transform, 40f64.to_radians())?;
    let window = Viewport::new(640.0, 360.0);
    let cursor = Vec2::new(467.0, 160.0);

    let hit = scene.cast(&camera.ray(cursor, window));
    draw(&scene, &camera, window, cursor, hit.map(|hit| hit.id));

    let Some(hit) = hit else {
        println!("A click at {cursor} hits nothing.");
        return Ok(());
    };
    println!("A click at {cursor} picks the {:?}, {:.3} away, at {:.2}.", hit.id, hit.t, hit.point);
    if let (Some(triangle), Some(uv)) = (hit.triangle, hit.uv) {
        println!("It is triangle {triangle} of its mesh, at barycentrics {uv:.3}; the normal is {:.3}.", hit.normal);
    }
    if let Some(label) = camera.project(hit.point.as_dvec3() + DVec3::Y, window) {
        println!("A label one unit above the place belongs at pixel {:.1}.", label.pixel);
    }
    Ok(())
}

fn scene() -> Result<Scene<Thing>, Box<dyn Error>> {
    // The four sides are counter-clockwise from outside.
    let corners = [[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 0.0, -1.0], [0.0, 2.0, 0.0]];
    let tent = Mesh::new(&corners, &[0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4])?;
    let turned = DAffine3::from_rotation_translation(DQuat::from_rotation_y(0.5), DVec3::new(2.4, 0.0, 0.5));

    let mut scene = Scene::new();
    scene.insert(Thing::Ground, Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
    scene.insert(Thing::Ball, Sphere::new(1.2), DVec3::new(-2.2, 1.2, 0.0))?;
    scene.insert(Thing::Crate, Aabb::from_center_size([0.0, 0.6, 0.0], [1.2, 1.2, 1.2]), DVec3::new(0.2, 0.0, -1.0))?;
    scene.insert(Thing::Tent, tent, turned)?;
    Ok(scene)
}

/// Draws with characters that are twice as high as wide. The picked entity is in capitals, and the cursor is `+`.
fn draw(scene: &Scene<Thing>, camera: &Camera, window: Viewport, cursor: Vec2, picked: Option<Thing>) {
    let size = Vec2::new(8.0, 16.0);
    let (columns, rows) = ((window.size.x / size.x) as u32, (window.size.y / size.y) as u32);
    for row in 0..rows {
        let line: String = (0..columns)
            .map(|column| {
                let corner = Vec2::new(column as f32, row as f32) * size;
                if corner.cmple(cursor).all() && cursor.cmplt(corner + size).all() {
                    return '+';
                }
                let thing = scene.cast(&camera.ray(corner + size * 0.5, window)).map(|hit| hit.id);
                let letter = match thing {
                    None => ' ',
                    Some(Thing::Ground) => '.',
                    Some(Thing::Ball) => 'o',
                    Some(Thing::Crate) => 'c',
                    Some(Thing::Tent) => 't',
                };
                if thing == picked { letter.to_ascii_uppercase() } else { letter }
            })
            .collect();
        println!("{}", line.trim_end());
    }
}
