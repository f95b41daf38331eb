//! Meshes in the form of shapes.

use hitscan::Mesh;
use hitscan::glam::{DVec3, Vec3};
use std::f64::consts::TAU;

const SIDES: u32 = 96;

/// Returns a mesh that goes around the y axis through a profile of radius and height.
pub(crate) fn turned(profile: &[(f64, f64)]) -> Mesh {
    let mut positions = Vec::new();
    for &(radius, height) in profile {
        for side in 0..SIDES {
            let (sin, cos) = (f64::from(side) / f64::from(SIDES) * TAU).sin_cos();
            positions.push(DVec3::new(radius * cos, height, radius * sin).as_vec3());
        }
    }
    let mut indices = Vec::new();
    for ring in 0..profile.len() as u32 - 1 {
        for side in 0..SIDES {
            let [a, b] = [side, (side + 1) % SIDES].map(|side| ring * SIDES + side);
            indices.extend([a, b, a + SIDES, b, b + SIDES, a + SIDES]);
        }
    }
    Mesh::new(&positions, &indices).expect("finite")
}

/// Returns an arc of a profile, between two angles to the x axis.
pub(crate) fn arc(center: (f64, f64), radius: f64, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..=64).map(move |step| {
        let (sin, cos) = (from + (to - from) * f64::from(step) / 64.0).sin_cos();
        (center.0 + radius * cos, center.1 + radius * sin)
    })
}

/// Returns a mesh that is scaled about a point by a factor.
pub(crate) fn grown(mesh: &Mesh, center: Vec3, factor: f32) -> Mesh {
    let positions: Vec<Vec3> = mesh.positions().iter().map(|&at| center + (at - center) * factor).collect();
    let indices: Vec<u32> =
        (0..mesh.triangle_count() as u32).flat_map(|triangle| mesh.indices(triangle).expect("it exists")).collect();
    Mesh::new(&positions, &indices).expect("finite")
}
