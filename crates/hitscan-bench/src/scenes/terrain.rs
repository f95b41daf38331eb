//! Hills: value noise of several octaves over a regular grid.

use super::scene::Scene;
use super::soup::Soup;
use crate::random::Random;
use hitscan::glam::DVec3;

/// A square grid of heights with a spacing of 1.
pub(crate) struct Grid {
    /// The number of vertices along a side.
    pub(crate) side: usize,
    /// The heights in rows along x, one after the other along z.
    pub(crate) heights: Vec<f32>,
}

/// The parameters of the noise. The wavelength of every octave is half of the previous wavelength. Its height is the
/// previous height times half of the roughness.
struct Relief {
    octaves: u32,
    roughness: f64,
}

const SMOOTH: Relief = Relief { octaves: 4, roughness: 0.7 };
const ROUGH: Relief = Relief { octaves: 7, roughness: 1.0 };

/// Returns a terrain with `side` quads along a side; each is two triangles.
pub(super) fn terrain(side: usize) -> Scene {
    Grid::rough(side + 1).scene()
}

impl Grid {
    pub(crate) fn smooth(side: usize) -> Self {
        Self::new(side, &SMOOTH)
    }

    pub(crate) fn rough(side: usize) -> Self {
        Self::new(side, &ROUGH)
    }

    pub(crate) fn flat(side: usize) -> Self {
        Self { side, heights: vec![0.0; side * side] }
    }

    fn new(side: usize, relief: &Relief) -> Self {
        let mut random = Random::new(31);
        let lattice: Vec<f64> = (0..256 * 256).map(|_| random.unit()).collect();
        let height = |index: usize| relief.height(&lattice, (index % side) as f64, (index / side) as f64) as f32;
        Self { side, heights: (0..side * side).map(height).collect() }
    }

    /// Returns the same terrain as triangles.
    pub(crate) fn scene(&self) -> Scene {
        let mut soup = Soup::default();
        for (index, &height) in self.heights.iter().enumerate() {
            soup.vertex(DVec3::new((index % self.side) as f64, height.into(), (index / self.side) as f64));
        }
        for (z, x) in (1..self.side).flat_map(|z| (1..self.side).map(move |x| (z, x))) {
            let [a, b] = [(z - 1) * self.side + x - 1, z * self.side + x - 1].map(|index| index as u32);
            soup.triangle([a, b, b + 1]);
            soup.triangle([a, b + 1, a + 1]);
        }
        Scene::mesh(soup, [0.05, 1.1, 0.05], [0.6, 0.4, 0.5], [0.3, 2.5, 0.7])
    }
}

impl Relief {
    fn height(&self, lattice: &[f64], x: f64, z: f64) -> f64 {
        let octave = |octave: u32| {
            let size = f64::from(128u32 >> octave);
            size * 0.6 * libm::pow(self.roughness, octave.into()) * noise(lattice, x / size, z / size)
        };
        (0..self.octaves).map(octave).sum()
    }
}

/// Interpolates smoothly between the lattice's values around a point.
fn noise(lattice: &[f64], x: f64, z: f64) -> f64 {
    let (cell_x, cell_z) = (x.floor() as usize, z.floor() as usize);
    let value = |dx: usize, dz: usize| lattice[(cell_z + dz) % 256 * 256 + (cell_x + dx) % 256];
    let smooth = |f: f64| f * f * (3.0 - 2.0 * f);
    let (fx, fz) = (smooth(x.fract()), smooth(z.fract()));
    let row = |dz: usize| value(0, dz) + (value(1, dz) - value(0, dz)) * fx;
    row(0) + (row(1) - row(0)) * fz
}
