//! A wire fence is two triangles with a texture; rays pass where the texture is transparent.
//!
//! `cargo run --example texture_holes -p hitscan`

use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::{Candidate, Mesh, Plane, Query, Ray, Scene};
use std::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Fence,
    Wall,
}

/// One tile of the fence's texture, repeated: `#` is wire, `.` is a hole.
const TILE: [&[u8]; 4] = [b"########", b"#.....#.", b"#.....#.", b"#.....#."];

/// How often the tile is repeated over the fence, across and upwards.
const REPEATS: Vec2 = Vec2::new(6.0, 4.0);

/// The texel at texture coordinates, nearest filter, repeated: what an alpha test would look up.
fn is_wire(texcoord: Vec2) -> bool {
    let place = texcoord - texcoord.floor();
    let row = &TILE[((place.y * TILE.len() as f32) as usize).min(TILE.len() - 1)];
    row[((place.x * row.len() as f32) as usize).min(row.len() - 1)] == b'#'
}

fn main() -> Result<(), Box<dyn Error>> {
    // Six wide and two high, in the plane z = 0; the texture's v goes down.
    let corners = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    let texcoords = [[0.0, REPEATS.y], [REPEATS.x, REPEATS.y], [REPEATS.x, 0.0], [0.0, 0.0]];
    let fence = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?.with_texcoords(&texcoords)?;

    let mut scene = Scene::new();
    scene.insert(Thing::Fence, fence, DVec3::ZERO)?;
    scene.insert(Thing::Wall, Plane::new([0.0, 0.0, -3.0], [0.0, 0.0, 1.0])?, DVec3::ZERO)?;

    // The filter sees a hit before it counts. What has no texture is solid.
    let opaque = |candidate: &Candidate<'_, Thing>| candidate.texcoord().is_none_or(is_wire);
    let query = Query::new().filter(opaque);

    println!("Rays along -z, 48 across and 16 down: # meets the fence, . the wall behind it.");
    let (columns, rows) = (48, 16);
    let mut passed = 0;
    for row in 0..rows {
        let line: String = (0..columns)
            .map(|column| {
                let (x, y) = ((column as f32 + 0.5) / 8.0, 2.0 - (row as f32 + 0.5) / 8.0);
                let hit = scene.cast_with(&Ray::new([x, y, 5.0], Vec3::NEG_Z), &query);
                match hit.map(|hit| hit.id) {
                    Some(Thing::Fence) => '#',
                    Some(Thing::Wall) => {
                        passed += 1;
                        '.'
                    }
                    None => ' ',
                }
            })
            .collect();
        println!("  {line}");
    }
    println!("{passed} of {} pass.", columns * rows);

    // The same ray with and without the filter, and where on the texture it is.
    let ray = Ray::new([0.4, 1.8, 5.0], Vec3::NEG_Z);
    for (name, hit) in [("plain", scene.cast(&ray)), ("with the filter", scene.cast_with(&ray, &query))] {
        if let Some(hit) = hit {
            let texcoord =
                scene.texcoord(&hit).map_or("no texture".into(), |at| format!("texture coordinates {at:.2}"));
            println!("{name}: the {:?} at {:.2}, {texcoord}", hit.id, hit.point);
        }
    }
    Ok(())
}
