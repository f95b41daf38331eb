//! Signs and quotients that are exact and nearly as fast as in f64: the f64 filters in front of
//! [`exact_predicates`](crate::math::exact_predicates).

use super::exact_predicates::{self, Term};
use super::float::{UNDERFLOW_GUARD, UNIT_ROUNDOFF};
use core::cmp::Ordering;

/// A value computed in f64, with a bound on its distance from the true one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    pub(crate) value: f64,
    pub(crate) error: f64,
    /// True if the bound holds, because nothing underflowed.
    certain: bool,
}

impl Bounded {
    /// A sum of up to six products of up to three differences each (a determinant `x . (y cross z)`), or of up to four
    /// products of four, whose magnitudes sum to `magnitude`.
    ///
    /// Before a term is in the sum, it is rounded by the subtraction in each factor, by the products and by the sums.
    /// These are eight roundings with three factors, and eleven with four. The magnitude has as many roundings, so
    /// gamma(11) (1 + gamma(11)) is enough. The constant 16 u is above it.
    pub(crate) fn new(value: f64, magnitude: f64) -> Self {
        Self { value, error: 16.0 * UNIT_ROUNDOFF * magnitude, certain: magnitude > UNDERFLOW_GUARD }
    }

    /// `self - x`: the errors add, and the subtraction rounds.
    pub(crate) fn minus(self, x: Self) -> Self {
        let value = self.value - x.value;
        let rounding = 4.0 * UNIT_ROUNDOFF * (self.value.abs() + x.value.abs());
        Self { value, error: self.error + x.error + rounding, certain: self.certain && x.certain }
    }

    /// The true sign: from the value if the bound proves it, otherwise from the exact terms.
    pub(crate) fn sign<const N: usize>(self, terms: impl FnOnce() -> [Term; N]) -> Ordering {
        self.sign_or(|| exact_predicates::sign(&terms()))
    }

    /// The true sign: from the value if the bound proves it, otherwise as decided `exactly`.
    pub(crate) fn sign_or(self, exactly: impl FnOnce() -> Ordering) -> Ordering {
        if self.certain && self.value.abs() > self.error { self.value.total_cmp(&0.0) } else { exactly() }
    }

    /// The true sign, and the value, replaced by 0 if it contradicts the sign.
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

/// Returns `n / d`, a number from 0 to 1, within 2^-45. It is computed in f64 if the error bounds allow it, otherwise from the exact terms.
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

/// A factor above 1 + gamma(8), which covers the rounding of an error bound itself. Any factor near 1 that is not below 1 + gamma(8) would
/// do.
const ABOVE_ERROR_ROUNDINGS: f64 = 1.01;

/// Returns `n / d` rounded once to f32: in f64 if the error interval rounds to one number, otherwise exactly.
pub(crate) fn round_quotient<const N: usize, const D: usize>(
    n: Bounded,
    d: Bounded,
    numerator: impl FnOnce() -> [Term; N],
    denominator: impl FnOnce() -> [Term; D],
) -> Option<f32> {
    let quotient = n.value / d.value;
    // The bound is |n/d - N/D| <= (err n + |n/d| err d) / (|d| - err d). The quotient itself and its sum with the error are rounded, each by up to u of the
    // quotient: 2 u is EPSILON. The seven operations of the error have a relative error below gamma(8), including the difference, which cancels only if it
    // is exact.
    let error = ABOVE_ERROR_ROUNDINGS
        * ((n.error + quotient.abs() * d.error) / (d.value.abs() - d.error) + quotient.abs() * f64::EPSILON);
    let (low, high) = ((quotient - error) as f32, (quotient + error) as f32);
    let proven = n.certain && d.certain && d.value.abs() > d.error && low == high;
    // Adding +0 turns -0 into +0.
    if proven { low.is_finite().then_some(low + 0.0) } else { exact_predicates::quotient(&numerator(), &denominator()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;
    use glam::DVec3;
    use num_rational::BigRational;
    use num_traits::{Signed, ToPrimitive};

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).unwrap()
    }

    /// Returns a sum of one term with this value.
    fn term(x: f64) -> [Term; 1] {
        [Term(x, DVec3::X, DVec3::Y, DVec3::Z)]
    }

    fn known(value: f64, error: f64) -> Bounded {
        Bounded { value, error, certain: true }
    }

    /// Returns a number of either sign with an exponent from `-exponents` to `exponents`.
    fn number(random: &mut Random, exponents: i32) -> f64 {
        let exponent = random.below(2 * exponents as usize + 1) as i32 - exponents;
        random.pick(&[-1.0, 1.0]) * (1.0 + random.fraction()) * 2f64.powi(exponent)
    }

    /// Returns an approximation of a number, wrong by at most this part of it, with its error bound.
    fn off_by(random: &mut Random, truth: f64, part: f64) -> Bounded {
        // The value is rounded twice.
        known(truth * (1.0 + random.unit() * part), truth.abs() * (part + 2.0 * f64::EPSILON))
    }

    #[test]
    fn a_difference_is_within_its_bound() {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let [a, b] = [0; 2].map(|_| number(&mut random, 3));
            let difference = match random.below(2) {
                0 => known(a, 0.0).minus(known(b, 0.0)),
                _ => off_by(&mut random, a, f64::EPSILON).minus(off_by(&mut random, b, f64::EPSILON)),
            };
            let off = (exact(difference.value) - (exact(a) - exact(b))).abs();
            assert!(off <= exact(difference.error), "{a:e} {b:e}: {difference:?}");
            assert!(difference.error <= 8.0 * f64::EPSILON * (a.abs() + b.abs()), "{a:e} {b:e}: {difference:?}");
        }
    }

    #[test]
    fn what_may_have_underflowed_is_decided_exactly() {
        let (sure, unsure) = (Bounded::new(1.0, 2.0), Bounded::new(1e-150, 2e-150));
        for value in [unsure, unsure.minus(sure), sure.minus(unsure)] {
            assert_eq!(value.sign(|| term(-3.0)), Ordering::Less, "{value:?}");
            assert_eq!(value.settle(|| Ordering::Equal), (Ordering::Equal, 0.0));
            assert_eq!(fraction(value, sure, || term(1.0), || term(4.0)), 0.25);
            assert_eq!(fraction(sure, value, || term(1.0), || term(4.0)), 0.25);
            assert_eq!(round_quotient(value, sure, || term(1.0), || term(4.0)), Some(0.25));
            assert_eq!(round_quotient(sure, value, || term(1.0), || term(4.0)), Some(0.25));
        }
    }

    #[test]
    fn clear_answers_take_no_exact_sum() {
        let never = || -> [Term; 1] { panic!("an exact sum") };
        for (value, sign) in [(1.0, Ordering::Greater), (-1.0, Ordering::Less)] {
            let clear = Bounded::new(value, 1e10);
            assert_eq!((clear.sign(never), clear.settle(|| panic!("a sum")).1), (sign, value));
            assert_eq!(clear.minus(Bounded::new(0.25 * value, 1e10)).sign(never), sign);
        }
        let (third, three) = (Bounded::new(1.0, 1.0), Bounded::new(3.0, 3.0));
        assert_eq!(fraction(third, three, never, never), 1.0 / 3.0);
        assert_eq!(round_quotient(third, three, never, never), Some(1.0 / 3.0));
        // A value that is no larger than its bound may have any sign.
        for value in [known(1.0, 1.0), known(-1.0, 1.0), known(0.0, 0.0)] {
            assert_eq!(value.sign(|| term(0.0)), Ordering::Equal, "{value:?}");
        }
    }

    #[test]
    fn a_fraction_is_within_a_bound() {
        let mut random = Random(2);
        for _ in 0..20_000 {
            let (d, f) = (number(&mut random, 60), random.fraction());
            let (n, part) = (f * d, 2f64.powi(-30 - random.below(22) as i32));
            let of_n = off_by(&mut random, n, part);
            let of_d = off_by(&mut random, d, part);
            let off = exact(fraction(of_n, of_d, || term(n), || term(d))) - exact(n) / exact(d);
            assert!(off.abs() <= exact(2f64.powi(-45)), "{n:e} / {d:e} by {of_n:?} and {of_d:?}: {off}");
        }
    }

    /// The error bounds of about one in a hundred of these quotients reach beyond the middle between two numbers of f32.
    #[test]
    fn a_quotient_is_rounded_once() {
        let mut random = Random(3);
        for round in 0..60_000 {
            let [n, d] = [0; 2].map(|_| number(&mut random, 20));
            let part = 2f64.powi(-30 - random.below(8) as i32);
            let [part_of_n, part_of_d] = random.pick(&[[part, part], [0.0, part], [part, 0.0]]);
            let (of_n, of_d) = (off_by(&mut random, n, part_of_n), off_by(&mut random, d, part_of_d));
            let rounded = round_quotient(of_n, of_d, || term(n), || term(d));
            assert_eq!(rounded, (exact(n) / exact(d)).to_f32(), "{round}: {n:e} / {d:e} by {of_n:?} and {of_d:?}");
        }
    }

    #[test]
    fn quotients_are_finite_and_zero_has_no_sign() {
        let quotient = |n: f64, d: f64| round_quotient(known(n, 0.0), known(d, 0.0), || term(n), || term(d));
        assert_eq!(quotient(-1e-60, 1.0).map(f32::to_bits), Some(0));
        assert_eq!(quotient(1e40, 1.0), None);
        assert_eq!(quotient(1.0, 0.0), None);
        // The bound of the denominator reaches 0.
        assert_eq!(round_quotient(known(1.0, 0.0), known(2.0, 2.0), || term(1.0), || term(4.0)), Some(0.25));
    }
}
