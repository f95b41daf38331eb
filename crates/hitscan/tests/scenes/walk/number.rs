//! Numbers that are often equal: half of them are on a coarse grid.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DVec3};

/// Returns a number in -1..1, half of the time a multiple of a quarter, so that edges, corners and ties occur.
fn coarse(random: &mut Random) -> f64 {
    let fine = random.unit();
    if random.below(2) == 0 { (fine * 4.0).round() / 4.0 } else { fine }
}

/// Returns a point of the cube -1..1 with coordinates of [`coarse`].
pub(crate) fn coarse_vector(random: &mut Random) -> DVec3 {
    DVec3::new(coarse(random), coarse(random), coarse(random))
}

/// Returns a placement within `reach`. A third of the placements are neither rotated nor stretched, and a few are
/// almost flat.
pub(crate) fn place(random: &mut Random, reach: f64) -> DAffine3 {
    let translation = coarse_vector(random) * reach;
    if random.below(3) == 0 {
        return DAffine3::from_translation(translation);
    }
    let mirror = DVec3::new([1.0, -1.0][random.below(2)], 1.0, 1.0);
    let flat = if random.below(50) == 0 { 1e-9 } else { 1.0 };
    let scale = (coarse_vector(random) * 0.5 + 1.0) * mirror * DVec3::new(1.0, flat, 1.0);
    let linear = DMat3::from_quat(random.rotation()) * DMat3::from_diagonal(scale);
    let linear = if random.below(2) == 0 { linear * DMat3::from_quat(random.rotation()) } else { linear };
    DAffine3::from_mat3_translation(linear, translation)
}
