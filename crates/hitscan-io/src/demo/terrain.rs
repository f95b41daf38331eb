//! The ground: level in the village, hills around it.

use super::modeller::{Modeller, Part};
use super::stuff::Stuff;
use hitscan::glam::DVec3;

const HALF_WIDTH: f64 = 45.0;
const CELLS: usize = 60;

/// Returns the height of the ground.
pub(super) fn height(x: f64, z: f64) -> f64 {
    let waves = libm::sin(0.21 * x + 0.7) * libm::sin(0.17 * z + 0.3) + 0.4 * libm::sin(0.09 * x - 0.31 * z);
    let beyond = (libm::sqrt(x * x + z * z) - 16.0).max(0.0);
    0.25 * waves * (1.0 + 0.12 * beyond) + 0.0032 * beyond * beyond
}

/// Returns a point on the ground.
pub(super) fn on_ground(x: f64, z: f64) -> DVec3 {
    DVec3::new(x, height(x, z), z)
}

/// Makes the ground as a mesh of two triangles for each cell. Texture coordinates run from 0 to 1 over the whole
/// ground.
pub(super) fn ground() -> Part {
    let mut modeller = Modeller::default();
    let place = |cell: usize| (cell as f64 / CELLS as f64 * 2.0 - 1.0) * HALF_WIDTH;
    let corner = |i: usize, j: usize| on_ground(place(i), place(j));
    let share = |cell: usize| cell as f64 / CELLS as f64;
    for i in 0..CELLS {
        for j in 0..CELLS {
            let cell = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)];
            let texcoords = cell.map(|(i, j)| [share(i), share(j)]);
            modeller.textured_quad(Stuff::Grass, cell.map(|(i, j)| corner(i, j)), texcoords);
        }
    }
    modeller.finish()
}
