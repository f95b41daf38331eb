//! Exact vectors: every finite f32 is an integer multiple of 2^-149, so polynomials of f32s are integers.

use hitscan::glam::Vec3;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

pub(crate) type Vector = [BigInt; 3];

/// Returns x * 2^149.
pub(crate) fn fixed(x: f32) -> BigInt {
    let bits = x.to_bits();
    let (mantissa, biased) = (bits & 0x7f_ffff, bits >> 23 & 0xff);
    let magnitude =
        if biased == 0 { BigInt::from(mantissa) } else { BigInt::from(mantissa | 0x80_0000) << (biased - 1) };
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

pub(crate) fn vector(v: Vec3) -> Vector {
    v.to_array().map(fixed)
}

pub(crate) fn sub(x: &Vector, y: &Vector) -> Vector {
    [0, 1, 2].map(|i| &x[i] - &y[i])
}

pub(crate) fn dot(x: &Vector, y: &Vector) -> BigInt {
    (0..3).map(|i| &x[i] * &y[i]).sum()
}

pub(crate) fn cross(x: &Vector, y: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &x[j] * &y[k] - &x[k] * &y[j])
}

/// Returns `n / d`, for a denominator of any sign but zero.
pub(crate) fn quotient(n: BigInt, d: BigInt) -> BigRational {
    // The quotient is not reduced, as the greatest common divisor would dominate the cost of the test.
    if d.sign() == Sign::Minus { BigRational::new_raw(-n, -d) } else { BigRational::new_raw(n, d) }
}

pub(crate) fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// Returns the sign as an ordering relative to 0.
pub(crate) fn sign(x: &BigInt) -> Ordering {
    x.cmp(&BigInt::zero())
}

/// Returns the nearest f32, ties to even; `None` if it overflows. The result is never -0.
pub(crate) fn nearest_f32(x: &BigRational) -> Option<f32> {
    let limit = (BigInt::from(1) << 128u32) - (BigInt::from(1) << 103u32);
    if x.numer().abs() >= limit * x.denom() {
        return None;
    }
    let guess = approximate(x) as f32;
    let guess = if guess.is_finite() { guess } else { f32::MAX.copysign(guess) };
    let candidates = [guess.next_down(), guess, guess.next_up()].into_iter().filter(|c| c.is_finite());
    let nearest = candidates.min_by(|a, b| {
        let distance =
            |c: f32| (x.numer() * BigInt::from(1) * (BigInt::from(1) << 149u32) - fixed(c) * x.denom()).abs();
        distance(*a).cmp(&distance(*b)).then((a.to_bits() & 1).cmp(&(b.to_bits() & 1)))
    });
    nearest.map(|x| x + 0.0)
}

/// Returns the value as f64, with a relative error of a few units.
pub(crate) fn approximate(x: &BigRational) -> f64 {
    ratio(x.numer(), x.denom())
}

/// Returns the top 64 bits of a number and the exponent of the lowest of them.
fn leading(x: &BigInt) -> (f64, i32) {
    let shift = (x.bits() as i64 - 64).max(0);
    ((x >> shift).to_f64().expect("64 bits"), shift as i32)
}

/// Returns `n / d` as f64. It is 0 or infinite only if it is out of range.
pub(crate) fn ratio(n: &BigInt, d: &BigInt) -> f64 {
    let ((n, p), (d, q)) = (leading(n), leading(d));
    let half = (p - q) / 2;
    n / d * 2f64.powi(half) * 2f64.powi(p - q - half)
}

/// Returns the number of steps from one f32 to the other through all f32s. `None` is an overflow, and follows the
/// largest f32 on either side.
pub(crate) fn ulps_apart(a: Option<f32>, b: Option<f32>, overflow: f32) -> u64 {
    let ordinal = |x: Option<f32>| {
        let x = x.unwrap_or(f32::INFINITY.copysign(overflow));
        let magnitude = i64::from(x.to_bits() & 0x7fff_ffff);
        if x.is_sign_negative() { -magnitude } else { magnitude }
    };
    ordinal(a).abs_diff(ordinal(b))
}
