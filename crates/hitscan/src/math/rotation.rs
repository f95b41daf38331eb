//! Unit quaternions along quaternions of any length.

use super::float::{ORDINARY_SQUARES, sqrt};
use glam::DQuat;

/// Returns the unit quaternion along a quaternion of any length but 0; `None` if it has no direction.
#[inline(never)]
pub(crate) fn unit_rotation(rotation: DQuat) -> Option<DQuat> {
    let largest = |rotation: DQuat| rotation.to_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    // 1 over a subnormal number may be infinite. Multiplied by 2^64, which is exact, the number is normal.
    let is_tiny = largest(rotation) < f64::MIN_POSITIVE;
    let rotation = if is_tiny { rotation * (1u128 << 64) as f64 } else { rotation };
    let size = largest(rotation);
    if !(size > 0.0 && rotation.is_finite()) {
        return None;
    }
    let scaled = rotation * (1.0 / size);
    let length = sqrt(scaled.length_squared());
    Some(scaled * (1.0 / length)).filter(|rotation| rotation.is_finite())
}

/// Returns [`unit_rotation`], with the bits of [`DQuat::normalize`] where that neither overflows nor underflows.
pub(crate) fn normalized(rotation: DQuat) -> Option<DQuat> {
    if ORDINARY_SQUARES.contains(&rotation.length_squared()) {
        Some(rotation.normalize())
    } else {
        unit_rotation(rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_length_0_has_no_direction() {
        for size in [5e-324, 3e-310, 1e-200, 1.0, 1e200, 1e308] {
            let half_turn = DQuat::from_xyzw(size, 0.0, 0.0, 0.0);
            let unit = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
            for found in [unit_rotation(half_turn), normalized(half_turn)] {
                let found = found.expect("a direction");
                assert!((found - unit).length() < 1e-15, "{size}: {found}");
            }
        }
        for nothing in
            [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::NAN, DQuat::from_xyzw(f64::INFINITY, 0.0, 0.0, 0.0)]
        {
            assert_eq!((unit_rotation(nothing), normalized(nothing)), (None, None));
        }
    }
}
