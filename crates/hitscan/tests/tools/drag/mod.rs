//! Drags. They stay under the cursor where that is possible, and never leap.

mod faults;
mod paths;
mod surface;
mod turns;
pub(crate) mod views;

use hitscan::glam::{DMat3, DVec3};
use hitscan_random::Random;

/// Returns a direction for a path, which is often nearly or exactly along `view`, or across it.
pub(crate) fn direction(random: &mut Random, view: DVec3) -> DVec3 {
    let off = random.pick(&[0.0, 1e-12, 1e-3, 0.05, 0.3]);
    let (x, y) = view.any_orthonormal_pair();
    match random.below(4) {
        0 => DMat3::from_cols(x, y, view) * (DVec3::new(0.6, 0.8, 0.0) + random.cube() * off),
        1 => view + random.cube() * off,
        2 => DVec3::AXES[random.below(3)],
        _ => random.direction() * random.pick(&[1e-9, 1.0, 1e9]),
    }
}
