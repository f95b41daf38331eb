//! Signs of determinants in integers: between the f64 filters and sums in 106 bits, and exact wherever the numbers fit.
//!
//! The corners of triangles are f32 numbers, so their coordinates along an axis are small integers times a power of two. The differences of these integers,
//! the products and the sums fit into 192 bits. A determinant that is exactly 0 takes no longer than any other. A ray in the plane of a flat fan has such a
//! determinant for each triangle.

use core::cmp::Ordering;
use core::ops::RangeInclusive;
use glam::DVec3;

/// Integers are below 2^61, so their differences are below 2^62. Products of two differences are below 2^124, and the difference of two products is below
/// 2^125.
const BITS: i32 = 61;

/// Numbers whose largest magnitude is not between these powers of two are not accepted. So a scale is from 2^-840 to 2^360, and it and its inverse are
/// normal numbers.
const EXPONENTS: RangeInclusive<i32> = -300..=900;

/// Returns the sign of `direction . ((p - o) cross (q - o))`; `None` if the numbers do not fit.
///
/// Each axis has a scale of its own, a power of two, by which the coordinates of the three points become integers. Every product of the determinant has one
/// factor of each axis, two differences and a component of the direction. If that component is multiplied by the scale of its axis as well, all products
/// are multiplied by the product of the three scales.
pub(super) fn sign(direction: DVec3, [o, p, q]: [DVec3; 3]) -> Option<Ordering> {
    let [x, y, z] = [axis(o.x, p.x, q.x)?, axis(o.y, p.y, q.y)?, axis(o.z, p.z, q.z)?];
    let minor = |y: &Axis, z: &Axis| wide_product(y.to_p, z.to_q) - wide_product(z.to_p, y.to_q);
    let normal = [minor(&y, &z), minor(&z, &x), minor(&x, &y)];
    // A component of the direction does not matter if it is multiplied by 0.
    let scaled = |component: f64, axis: &Axis, minor: i128| if minor == 0 { 0.0 } else { component * axis.scale };
    let paces =
        [scaled(direction.x, &x, normal[0]), scaled(direction.y, &y, normal[1]), scaled(direction.z, &z, normal[2])];
    Some(sign_of_dot(integers(paces)?.0, normal))
}

/// The differences of the coordinates of three points along an axis, times a power of two.
struct Axis {
    to_p: i64,
    to_q: i64,
    scale: f64,
}

fn axis(o: f64, p: f64, q: f64) -> Option<Axis> {
    let ([o, p, q], scale) = integers([o, p, q])?;
    // A smaller scale could turn a component of the direction into 0.
    (scale >= 1.0).then_some(Axis { to_p: p - o, to_q: q - o, scale })
}

/// Returns numbers as integers below 2^61, times a power of two that is returned too.
fn integers(numbers: [f64; 3]) -> Option<([i64; 3], f64)> {
    // A NaN is ignored here, and differs from its integer below.
    let largest = numbers.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return (numbers == [0.0; 3]).then_some(([0; 3], 1.0));
    }
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    if !EXPONENTS.contains(&exponent) {
        return None;
    }
    let (scale, inverse) = (power_of_two(BITS - 1 - exponent), power_of_two(exponent + 1 - BITS));
    let integers = numbers.map(|x| (x * scale) as i64);
    // The product on the left is 0 or at least 2^-360, so it is exact, whatever was rounded before.
    let are_exact = integers.iter().zip(numbers).all(|(&integer, x)| integer as f64 * inverse == x);
    are_exact.then_some((integers, scale))
}

/// Returns 2^exponent, a normal number.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

fn wide_product(x: i64, y: i64) -> i128 {
    i128::from(x) * i128::from(y)
}

/// Returns the sign of the dot product of a vector of numbers below 2^61 and a vector of numbers below 2^125.
///
/// Each number y of the second vector is 2^64 h + l. The products of x and h are below 2^122, and the products of x and l below 2^125. So their sums of three
/// are below 2^127.
fn sign_of_dot(x: [i64; 3], y: [i128; 3]) -> Ordering {
    let (mut high, mut low) = (0, 0);
    for (x, y) in x.into_iter().zip(y) {
        high += wide_product(x, (y >> 64) as i64);
        low += i128::from(x) * i128::from(y as u64);
    }
    // The sum is 2^64 (high + low >> 64) plus the last 64 bits of `low`, which matter if the rest is 0.
    (high + (low >> 64)).cmp(&0).then((low as u64).cmp(&0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;
    use alloc::vec::Vec;
    use num_bigint::BigInt;
    use num_traits::float::FloatCore;

    /// Returns numbers times one power of two, as integers without a limit.
    fn big_integers(numbers: &[f64]) -> Vec<BigInt> {
        let parts: Vec<(u64, i16, i8)> = numbers.iter().map(|x| x.integer_decode()).collect();
        let lowest = parts.iter().filter(|part| part.0 != 0).map(|part| part.1).min().unwrap_or(0);
        let integer = |&(mantissa, exponent, sign): &(u64, i16, i8)| match mantissa {
            0 => BigInt::ZERO,
            _ => (BigInt::from(mantissa) << (exponent - lowest)) * sign,
        };
        parts.iter().map(integer).collect()
    }

    fn true_sign(direction: DVec3, points: [DVec3; 3]) -> Ordering {
        let d = big_integers(&direction.to_array());
        let points = big_integers(points.map(|point| point.to_array()).as_flattened());
        let [p, q] = [3, 6].map(|at| [0, 1, 2].map(|axis| &points[at + axis] - &points[axis]));
        let minor = |i: usize, j: usize| &p[i] * &q[j] - &p[j] * &q[i];
        (&d[0] * minor(1, 2) + &d[1] * minor(2, 0) + &d[2] * minor(0, 1)).cmp(&BigInt::ZERO)
    }

    /// Makes triangles and directions of which many are in one plane, exactly or but for the last digits.
    struct Cases(Random);

    impl Cases {
        /// Returns a vector of numbers of a few bits, of 24, or of all 53, whose sizes differ.
        fn vector(&mut self) -> DVec3 {
            let unit = self.0.pick(&[4.0, 256.0, f64::from(1u32 << 24), (1u64 << 53) as f64]);
            let spread = self.0.pick(&[1, 1, 8, 30, 120]);
            let sizes = [(); 3].map(|()| 0.5f64.powi(self.0.below(spread) as i32));
            (self.0.cube() * unit).round() / unit * DVec3::from_array(sizes)
        }

        /// Returns a size. A few sizes are at the ends of the accepted range, or of f64.
        fn size(&mut self) -> f64 {
            let exponent =
                self.0.pick(&[0, 0, 0, 0, 10, -20, 59, 60, 61, -240, -299, -300, 301, -900, 900, -1000, 1000]);
            2f64.powi(exponent)
        }

        /// Returns a number moved by some units in its last place.
        fn moved(&mut self, x: f64) -> f64 {
            let by = self.0.pick(&[0u64, 0, 1, 2, 1 << 20, 1 << 29]);
            if self.0.below(2) == 0 || x.to_bits() << 1 < by << 1 { x } else { f64::from_bits(x.to_bits() - by) }
        }

        fn next(&mut self) -> (DVec3, [DVec3; 3]) {
            let [mut o, mut p, mut q] = [self.vector(), self.vector(), self.vector()];
            let mut direction = self.vector();
            match self.0.below(7) {
                // All are in a plane perpendicular to an axis.
                0 => {
                    let axis = self.0.below(3);
                    [p[axis], q[axis]] = [o[axis]; 2];
                    direction[axis] = self.0.pick(&[0.0, -0.0, 1e-18, -1e-300]);
                }
                // All are in a plane between two axes.
                1 => {
                    let factor = self.0.pick(&[1.0, -1.0, 0.5, 3.0]);
                    for v in [&mut o, &mut p, &mut q, &mut direction] {
                        v.z = v.x * factor;
                    }
                }
                // The direction is along edges.
                2 => direction = p - o,
                3 => direction = (p - o) * 0.5 + (q - o) * 4.0,
                // The triangle has no area.
                4 => q = o + (p - o) * self.0.pick(&[0.0, 1.0, 2.0, -0.125]),
                5 => direction = DVec3::ZERO,
                _ => {}
            }
            if self.0.below(3) == 0 {
                direction = DVec3::from_array(direction.to_array().map(|x| self.moved(x)));
                q = DVec3::from_array(q.to_array().map(|x| self.moved(x)));
            }
            let (place, pace) = (self.size(), self.size());
            (direction * pace, [o, p, q].map(|v| v * place))
        }
    }

    #[test]
    fn signs_agree_with_integers_without_a_limit() {
        let mut cases = Cases(Random(0x1d67));
        let [mut decided, mut zeros] = [0, 0];
        for case in 0..1_000_000 {
            let (direction, points) = cases.next();
            let Some(sign) = sign(direction, points) else { continue };
            assert_eq!(sign, true_sign(direction, points), "{case}: {direction:?} {points:?}");
            decided += 1;
            zeros += usize::from(sign == Ordering::Equal);
        }
        std::println!("{decided} signs are decided, {zeros} of them are 0");
        assert!(decided > 200_000 && zeros > 100_000, "{decided}, {zeros}");
    }

    /// The large parts of these sums cancel. The rest is in the last 64 bits, above them, or 0.
    #[test]
    fn signs_of_wide_sums_are_exact() {
        let mut random = Random(0x1d69);
        for case in 0..100_000 {
            let mut number = |bits: usize| random.bits() as i64 >> (63 - random.below(bits));
            let [x, y, z] = [number(30), number(30), number(3)];
            let (factor, rest) = (i128::from(number(30)) << 30, i128::from(number(20)));
            let dot =
                [([x, -y, z], [i128::from(y) * factor, i128::from(x) * factor, rest]), ([x, y, z], [factor, rest, 1])];
            for (x, y) in dot {
                let sum: BigInt = x.iter().zip(y).map(|(&x, y)| BigInt::from(x) * y).sum();
                assert_eq!(sign_of_dot(x, y), sum.cmp(&BigInt::ZERO), "{case}: {x:?} {y:?}");
            }
        }
    }

    /// Triangles whose f32 corners span several binary orders fit, together with directions that have all digits of
    /// f64.
    #[test]
    fn what_rays_ask_fits() {
        let mut random = Random(0x1d68);
        for case in 0..20_000 {
            let mut corner = || (random.cube() * 100.0).as_vec3().as_dvec3();
            let points = [corner(), corner(), corner()];
            let direction = DVec3::new(0.75, 0.5, 0.25) + random.cube() * 0.125;
            assert!(sign(direction, points).is_some(), "{case}: {direction:?} {points:?}");
        }
    }

    #[test]
    fn what_is_not_finite_or_too_far_does_not_fit() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(sign(DVec3::ONE, points), Some(Ordering::Greater));
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::from_bits(1)] {
            assert_eq!(sign(DVec3::new(x, 1.0, 1.0), points), None, "{x}");
            assert_eq!(sign(DVec3::ONE, [DVec3::splat(x), DVec3::Y, DVec3::Z]), None, "{x}");
        }
        // The component along x becomes 0 in f64 where it is multiplied by a scale below 1.
        let far = points.map(|point| point * 2f64.powi(400));
        assert_ne!(sign(DVec3::new(2f64.powi(-1000), 0.0, 0.0), far), Some(Ordering::Equal));
    }
}
