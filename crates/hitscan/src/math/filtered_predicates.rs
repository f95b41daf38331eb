//! Signs and quotients that are exact at the price of f64 ones: the f64 filters in front of [`exact_predicates`](crate::math::exact_predicates).

use super::exact_predicates::{self, Term};
use super::float::{UNDERFLOW_GUARD, UNIT_ROUNDOFF};
use core::cmp::Ordering;

/// A value computed in f64, with a bound on its distance from the true one.
#[derive(Clone, Copy)]
pub(crate) struct Bounded {
    pub(crate) value: f64,
    pub(crate) error: f64,
    /// The bound holds: nothing underflowed.
    certain: bool,
}

impl Bounded {
    /// A sum of up to six products of up to three differences each (a determinant `x . (y cross z)`), or of up to four
    /// products of four, whose magnitudes sum to `magnitude`.
    ///
    /// Each term passes through a subtraction in each of its factors, the products and the sums: eight roundings, or
    /// eleven, and the magnitude through as many, so gamma(11) (1 + gamma(11)) would do; 16 u is above it.
    pub(crate) fn new(value: f64, magnitude: f64) -> Self {
        Self { value, error: 16.0 * UNIT_ROUNDOFF * magnitude, certain: magnitude > UNDERFLOW_GUARD }
    }

    /// `self - x`: the errors add, and the subtraction rounds.
    pub(crate) fn minus(self, x: Self) -> Self {
        let value = self.value - x.value;
        let rounding = 4.0 * UNIT_ROUNDOFF * (self.value.abs() + x.value.abs());
        Self { value, error: self.error + x.error + rounding, certain: self.certain && x.certain }
    }

    /// The true sign: from the value where the bound proves it, else from the exact terms.
    pub(crate) fn sign<const N: usize>(self, terms: impl FnOnce() -> [Term; N]) -> Ordering {
        self.sign_or(|| exact_predicates::sign(&terms()))
    }

    /// The true sign: from the value where the bound proves it, else as decided `exactly`.
    pub(crate) fn sign_or(self, exactly: impl FnOnce() -> Ordering) -> Ordering {
        if self.certain && self.value.abs() > self.error { self.value.total_cmp(&0.0) } else { exactly() }
    }

    /// The true sign, and the value, moved to 0 where it contradicts the sign.
    pub(crate) fn settle(self, exactly: impl FnOnce() -> Ordering) -> (Ordering, f64) {
        let sign = self.sign_or(exactly);
        let value = match sign {
            Ordering::Less => self.value.min(0.0),
            Ordering::Equal => 0.0,
            Ordering::Greater => self.value.max(0.0),
        };
        (sign, value)
    }
}

/// Returns `n / d`, a number from 0 to 1, within 2^-45: in f64 where the error bounds allow, else from the exact terms.
pub(crate) fn fraction<const N: usize, const D: usize>(
    n: Bounded,
    d: Bounded,
    numerator: impl FnOnce() -> [Term; N],
    denominator: impl FnOnce() -> [Term; D],
) -> f64 {
    const MOST_ERROR: f64 = 1.0 / (1u64 << 45) as f64;
    let is_precise = n.certain && d.certain && 2.0 * (n.error + d.error) < MOST_ERROR * d.value.abs();
    let quotient =
        if is_precise { Some(n.value / d.value) } else { exact_predicates::ratio(&numerator(), &denominator()) };
    quotient.unwrap_or(0.0).clamp(0.0, 1.0)
}

/// A factor above 1 + gamma(8), by which the rounding of an error bound itself is covered; any factor near 1 that is not below it would do.
const ABOVE_ERROR_ROUNDINGS: f64 = 1.01;

/// Returns `n / d` rounded once to f32: in f64 where the error interval rounds to one number, else exactly.
pub(crate) fn round_quotient<const N: usize, const D: usize>(
    n: Bounded,
    d: Bounded,
    numerator: impl FnOnce() -> [Term; N],
    denominator: impl FnOnce() -> [Term; D],
) -> Option<f32> {
    let quotient = n.value / d.value;
    // The bound is |n/d - N/D| <= (err n + |n/d| err d) / (|d| - err d). The quotient itself is rounded, and its sum with the error, by u of it each: 2 u is
    // EPSILON. The seven operations of the error are off by less than gamma(8) of it, also the difference, which cancels only where it is exact.
    let error = ABOVE_ERROR_ROUNDINGS
        * ((n.error + quotient.abs() * d.error) / (d.value.abs() - d.error) + quotient.abs() * f64::EPSILON);
    let (low, high) = ((quotient - error) as f32, (quotient + error) as f32);
    let proven = n.certain && d.certain && d.value.abs() > d.error && low == high;
    // Adding +0 turns -0 into +0.
    if proven { low.is_finite().then_some(low + 0.0) } else { exact_predicates::quotient(&numerator(), &denominator()) }
}
