//! Floating-point numbers as integers, and a quotient of integers that is rounded once.

use hitscan::glam::DVec3;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Returns an odd integer m and an exponent e, so that m * 2^e is the number; `None` for 0.
pub(crate) fn parts(x: f64) -> Option<(i64, i32)> {
    let bits = x.to_bits();
    let (fraction, biased) = ((bits & ((1 << 52) - 1)) as i64, (bits >> 52 & 0x7ff) as i32);
    let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = mantissa.trailing_zeros();
    let odd = (mantissa >> (zeros % 64)) * if x < 0.0 { -1 } else { 1 };
    (mantissa != 0).then_some((odd, exponent + zeros as i32))
}

/// Returns the exponent of the largest power of two that divides all numbers. Also returns an upper bound of the
/// number of bits of the quotients.
pub(crate) fn grid<'a>(vectors: impl Iterator<Item = &'a DVec3>) -> (i32, i32) {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for (mantissa, exponent) in vectors.flat_map(|v| v.to_array()).filter_map(parts) {
        low = low.min(exponent);
        high = high.max(exponent + 64 - mantissa.unsigned_abs().leading_zeros() as i32);
    }
    if low == i32::MAX { (0, 0) } else { (low, high - low) }
}

/// An integer type for exact determinants.
pub(crate) trait Integer: Clone + Signed + Ord {
    fn shifted(mantissa: i64, bits: u32) -> Self;
}

impl Integer for i128 {
    fn shifted(mantissa: i64, bits: u32) -> Self {
        Self::from(mantissa) << bits
    }
}

impl Integer for BigInt {
    fn shifted(mantissa: i64, bits: u32) -> Self {
        Self::from(mantissa) << bits
    }
}

/// Returns each component divided by 2^exponent, which must divide it.
pub(crate) fn integers<I: Integer>(v: DVec3, exponent: i32) -> [I; 3] {
    let integer =
        |x: f64| parts(x).map_or_else(I::zero, |(mantissa, own)| I::shifted(mantissa, (own - exponent) as u32));
    v.to_array().map(integer)
}

pub(crate) fn sub<I: Integer>([a, b, c]: &[I; 3], [x, y, z]: &[I; 3]) -> [I; 3] {
    [a.clone() - x.clone(), b.clone() - y.clone(), c.clone() - z.clone()]
}

pub(crate) fn dot<I: Integer>([a, b, c]: &[I; 3], [x, y, z]: &[I; 3]) -> I {
    a.clone() * x.clone() + b.clone() * y.clone() + c.clone() * z.clone()
}

pub(crate) fn cross<I: Integer>(a: &[I; 3], b: &[I; 3]) -> [I; 3] {
    let component = |j: usize, k: usize| a[j].clone() * b[k].clone() - a[k].clone() * b[j].clone();
    [component(1, 2), component(2, 0), component(0, 1)]
}

/// Returns n / d times 2^shift, rounded to the nearest f32, ties to even; `None` if it overflows. The result is never
/// -0.
pub(crate) fn nearest_f32(n: &BigInt, d: &BigInt, shift: i32) -> Option<f32> {
    let negative = n.is_negative() != d.is_negative();
    let (n, d) = (n.abs(), d.abs());
    if n.is_zero() {
        return Some(0.0);
    }
    // This is the highest bit of the quotient, or the one above it.
    let top = n.bits() as i32 - d.bits() as i32 + shift;
    // This is the exponent of the last bit of the result.
    let mut last = (top - 24).max(-149);
    loop {
        let up = shift - last;
        let (n, d) = if up >= 0 { (&n << up, d.clone()) } else { (n.clone(), &d << -up) };
        let (whole, twice_rest) = (&n / &d, (&n % &d) << 1);
        let odd = whole.bit(0);
        let rounded = whole + u32::from(twice_rest > d || (twice_rest == d && odd));
        if rounded.bits() > 24 && rounded != BigInt::from(1 << 24) {
            last += 1;
            continue;
        }
        let magnitude = rounded.to_f64().expect("25 bits") * 2f64.powi(last.min(1000));
        let value = if negative { -magnitude } else { magnitude } as f32 + 0.0;
        return value.is_finite().then_some(value);
    }
}
