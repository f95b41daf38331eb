//! Snaps whose answers are known by hand, or found by brute force.

mod brute;
mod kinds;
mod lines;
mod options;
mod oracle;
mod ratio;
mod splits;
mod wire;

use hitscan::glam::{DVec3, Vec3};
use hitscan::snap::{Cursor, Snap, SnapKind};
use hitscan::{Camera, Mesh};

/// Returns a camera whose picture of 800 by 600 pixels shows 8 by 6 units of the plane z = 0, seen from z = 10.
pub(crate) fn front() -> Camera {
    let transform = Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    Camera::orthographic(transform, 6.0).unwrap()
}

/// Returns a cursor over a place of the plane z = 0, moved by some pixels.
pub(crate) fn over(x: f32, y: f32, pixels: [f32; 2], radius: f32) -> Cursor {
    Cursor::new(&front(), [800.0, 600.0], [400.0 + 100.0 * x + pixels[0], 300.0 - 100.0 * y + pixels[1]], radius)
}

/// Returns the cube from -1 to 1, each face of which is two triangles that share vertices with other faces.
pub(crate) fn cube() -> Mesh {
    let at = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    let corners: Vec<Vec3> = (0..8u32).map(|n| Vec3::new(at(n & 1), at(n >> 1 & 1), at(n >> 2))).collect();
    let faces: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.map(|[a, b, c, d]| [a, b, c, a, c, d]);
    Mesh::new(&corners, triangles.as_flattened()).unwrap()
}

pub(crate) fn told<K: Copy>(snap: Option<&Snap<K>>) -> Option<(SnapKind, DVec3)> {
    snap.map(|snap| (snap.kind, snap.point))
}
