//! Hills: value noise of several octaves over a regular grid.

use super::{Scene, Soup};
use crate::random::Random;
use hitscan::glam::DVec3;

const OCTAVES: u32 = 7;

/// With so many quads along a side; each is two triangles.
pub(super) fn terrain(side: u32) -> Scene {
    let mut random = Random::new(31);
    let lattice: Vec<f64> = (0..256 * 256).map(|_| random.unit()).collect();
    let mut soup = Soup::default();
    for (z, x) in (0..=side).flat_map(|z| (0..=side).map(move |x| (z, x))) {
        let (x, z) = (f64::from(x), f64::from(z));
        soup.vertex(DVec3::new(x, height(&lattice, x, z), z));
    }
    for (z, x) in (0..side).flat_map(|z| (0..side).map(move |x| (z, x))) {
        let [a, b] = [z * (side + 1) + x, (z + 1) * (side + 1) + x];
        soup.triangle([a, b, b + 1]);
        soup.triangle([a, b + 1, a + 1]);
    }
    Scene::mesh(soup, [0.05, 1.1, 0.05], [0.6, 0.4, 0.5], [0.3, 2.5, 0.7])
}

fn height(lattice: &[f64], x: f64, z: f64) -> f64 {
    let octave = |octave: u32| {
        let size = f64::from(128u32 >> octave);
        size * 0.6 * noise(lattice, x / size, z / size)
    };
    (0..OCTAVES).map(octave).sum()
}

/// Between the lattice's values around a point, smoothly.
fn noise(lattice: &[f64], x: f64, z: f64) -> f64 {
    let (cell_x, cell_z) = (x.floor() as usize, z.floor() as usize);
    let value = |dx: usize, dz: usize| lattice[(cell_z + dz) % 256 * 256 + (cell_x + dx) % 256];
    let smooth = |f: f64| f * f * (3.0 - 2.0 * f);
    let (fx, fz) = (smooth(x.fract()), smooth(z.fract()));
    let row = |dz: usize| value(0, dz) + (value(1, dz) - value(0, dz)) * fx;
    row(0) + (row(1) - row(0)) * fz
}
