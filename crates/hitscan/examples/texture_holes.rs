//! A wire fence is two triangles with a texture; rays pass where the texture is transparent.
//!
//! `cargo run --example texture_holes -p hitscan`

use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::mesh::AlphaMask;
use hitscan::{CutOuts, Mesh, Plane, Ray, RayQueries, Scene};
use std::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thing {
    Fence,
    Wall,
}

/// One tile of the fence's texture, repeated: `#` is wire, `.` is a hole.
const TILE: [&[u8]; 4] = [b"########", b"#.....#.", b"#.....#.", b"#.....#."];

/// The number of repetitions of the tile across the fence and upwards.
const REPEATS: Vec2 = Vec2::new(6.0, 4.0);

/// Returns an alpha channel that is opaque where there is wire. The channel of a picture works as well.
fn alpha() -> Vec<u8> {
    TILE.iter().copied().flatten().map(|&texel| if texel == b'#' { 255 } else { 0 }).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    // The fence is six wide and two high, in the plane z = 0, and the texture's v goes down.
    let corners = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    let texcoords = [[0.0, REPEATS.y], [REPEATS.x, REPEATS.y], [REPEATS.x, 0.0], [0.0, 0.0]];
    let mask = AlphaMask::new(TILE[0].len() as u32, TILE.len() as u32, alpha())?; // repeats, and cuts below 0.5
    let fence = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?.with_texcoords(&texcoords)?.with_cut_out(mask)?;

    let mut scene = Scene::new();
    scene.insert(Thing::Fence, fence, DVec3::ZERO)?;
    scene.insert(Thing::Wall, Plane::new([0.0, 0.0, -3.0], [0.0, 0.0, 1.0])?, DVec3::ZERO)?;

    println!("Rays along -z, 48 across and 16 down: # hits the fence, . the wall behind it.");
    let (columns, rows) = (48, 16);
    let mut passed = 0;
    for row in 0..rows {
        let line: String = (0..columns)
            .map(|column| {
                let (x, y) = ((column as f32 + 0.5) / 8.0, 2.0 - (row as f32 + 0.5) / 8.0);
                let hit = scene.cast(&Ray::new([x, y, 5.0], Vec3::NEG_Z));
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

    // The same ray is cast with the holes filled and open.
    let ray = Ray::new([0.4, 1.8, 5.0], Vec3::NEG_Z);
    for (name, cut_outs) in [("filled", CutOuts::Solid), ("open", CutOuts::Open)] {
        if let Some(hit) = scene.cut_outs(cut_outs).cast(&ray) {
            let texcoord =
                scene.surface(&hit).texcoord().map_or("no texture".into(), |at| format!("texture coordinates {at:.2}"));
            println!("{name}: the {:?} at {:.2}, {texcoord}", hit.id, hit.point);
        }
    }
    Ok(())
}
