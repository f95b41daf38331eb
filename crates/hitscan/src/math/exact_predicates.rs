//! Signs and quotients of polynomials in the inputs, decided exactly: the slow path behind the f64 filters.
//!
//! A polynomial is expanded into products of input numbers, and the products are added without rounding into one
//! long fixed-point number (U. Kulisch's exact accumulator, "Computer Arithmetic and Validity", 2013), which is
//! wide enough for any four finite f64 factors: nothing can overflow, underflow or be rounded.

use super::double_double::{ProductSum, two_sum};
use super::float::{UNDERFLOW_GUARD, UNIT_ROUNDOFF, gamma};
use super::integer_determinant;
use core::cmp::Ordering;
use glam::DVec3;

/// Exponent of the accumulator's lowest bit: the exponent of the product of four smallest subnormals.
const LOWEST_EXPONENT: i32 = 4 * -1074;
/// Bits up to the product of four largest numbers, plus 64 for carries of a sum of up to 2^63 products.
const LIMBS: usize = ((4 * 1024 - LOWEST_EXPONENT) as usize + 64).div_ceil(64) + 4;

/// An exact sum of products of up to four f64 factors, in two's complement. Only the limbs from the lowest to the highest that a product has reached are
/// updated. All limbs below are 0, and all limbs above repeat the sign. If these were updated as well, each product that changes the sum's sign would change
/// all of them.
struct ExactSum {
    limbs: [u64; LIMBS],
    low: usize,
    high: usize,
    /// The value of all limbs from `high` on: 0, or all ones in a negative sum.
    fill: u64,
}

impl ExactSum {
    fn new() -> Self {
        Self { limbs: [0; LIMBS], low: LIMBS, high: 0, fill: 0 }
    }

    /// Adds the product of four finite factors.
    fn add(&mut self, factors: [f64; 4]) {
        let mut product = [1u64, 0, 0, 0];
        let mut exponent = 0;
        let mut negative = false;
        for factor in factors {
            let (mantissa, e) = decompose(factor);
            if mantissa == 0 {
                return;
            }
            product = multiply(product, mantissa);
            exponent += e;
            negative ^= factor.is_sign_negative();
        }
        let bit = (exponent - LOWEST_EXPONENT) as usize;
        self.add_at(bit / 64, shift_left(product, (bit % 64) as u32), negative);
    }

    fn add_at(&mut self, limb: usize, value: [u64; 5], negative: bool) {
        let end = limb + value.len();
        self.low = self.low.min(limb);
        if self.high < end {
            let fill = self.fill;
            self.limbs[self.high..end].fill(fill);
            self.high = end;
        }
        let mut carry = false;
        let (places, above) = self.limbs[limb..self.high].split_at_mut(value.len());
        for (slot, addend) in places.iter_mut().zip(value) {
            (*slot, carry) = add(*slot, addend, carry, negative);
        }
        for slot in above {
            if !carry {
                return;
            }
            (*slot, carry) = add(*slot, 0, carry, negative);
        }
        if carry {
            let (next, carry) = add(self.fill, 0, true, negative);
            if carry {
                // A carry turns all ones into 0 in all limbs above, and a borrow turns 0 into all ones.
                self.fill = next;
            } else {
                self.limbs[self.high] = next;
                self.high += 1;
            }
        }
    }

    /// Returns the sum as `x * 2^exponent`. Here x is the sum's first 65 to 128 bits, rounded to f64.
    fn leading_bits(&self) -> (f64, i32) {
        let negative = self.sign() == Ordering::Less;
        // The lowest limbs of x that are 0 are also 0 in -x. The first limb that is not 0 is negated, and all limbs above it have their bits inverted.
        let first = self.kept().position(|limb| limb != 0).map_or(self.high, |place| self.low + place);
        let at = |place: usize| match place {
            _ if place < self.low => 0,
            _ if place < self.high => self.limbs[place],
            _ => self.fill,
        };
        let magnitude = |place: usize| match place.cmp(&first) {
            _ if !negative => at(place),
            Ordering::Less => 0,
            Ordering::Equal => at(place).wrapping_neg(),
            Ordering::Greater => !at(place),
        };
        let top = (self.low..=self.high).rev().find(|&place| magnitude(place) != 0).unwrap_or(0);
        let low = top.saturating_sub(1);
        let bits = u128::from(magnitude(low + 1)) << 64 | u128::from(magnitude(low));
        let x = bits as f64;
        (if negative { -x } else { x }, LOWEST_EXPONENT + 64 * low as i32)
    }

    /// Compares the sum to zero.
    fn sign(&self) -> Ordering {
        if self.fill != 0 {
            Ordering::Less
        } else if self.kept().all(|limb| limb == 0) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }

    fn kept(&self) -> impl Iterator<Item = u64> {
        self.limbs.iter().take(self.high).skip(self.low).copied()
    }

    /// The sum rounded to f64, with a relative error below 1.001 u; infinite or 0 beyond f64's range.
    fn to_f64(&self) -> f64 {
        let (x, exponent) = self.leading_bits();
        libm::ldexp(x, exponent)
    }
}

/// Returns a limb plus or minus another one and a carry, and the new carry.
fn add(limb: u64, addend: u64, carry: bool, negative: bool) -> (u64, bool) {
    let (first, a) = if negative { limb.overflowing_sub(addend) } else { limb.overflowing_add(addend) };
    let (second, b) = if negative { first.overflowing_sub(carry.into()) } else { first.overflowing_add(carry.into()) };
    (second, a | b)
}

/// |x| = mantissa * 2^exponent, exactly.
fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match ((bits >> 52) & 0x7ff) as i32 {
        0 => (fraction, -1074),
        biased => (fraction | 1 << 52, biased - 1075),
    }
}

/// Multiplies 256 bits by 53 bits; four 53-bit factors need 212 bits, so nothing is lost.
fn multiply(x: [u64; 4], y: u64) -> [u64; 4] {
    let mut carry = 0u128;
    x.map(|limb| {
        let wide = u128::from(limb) * u128::from(y) + carry;
        carry = wide >> 64;
        wide as u64
    })
}

fn shift_left(x: [u64; 4], by: u32) -> [u64; 5] {
    let mut low_bits = 0;
    let mut shifted = [0; 5];
    for (slot, limb) in shifted.iter_mut().zip(x.into_iter().chain([0])) {
        let wide = u128::from(limb) << by;
        *slot = wide as u64 | low_bits;
        low_bits = (wide >> 64) as u64;
    }
    shifted
}

/// `factor` times the determinant of three vectors, `factor * x . (y cross z)`: the term that every predicate here
/// is a sum of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term(pub(crate) f64, pub(crate) DVec3, pub(crate) DVec3, pub(crate) DVec3);

impl Term {
    pub(crate) fn negated(self) -> Self {
        Self(-self.0, self.1, self.2, self.3)
    }
}

fn add_terms(sum: &mut ExactSum, terms: &[Term], scale: f64) {
    for &Term(factor, x, y, z) in terms {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            // |scale| * factor must be exact: factor is 1 or -1.
            let s = scale * factor;
            sum.add([s, x[i], y[j], z[k]]);
            sum.add([-s, x[i], y[k], z[j]]);
        }
    }
}

/// The exact sign of a sum of determinants whose factors are 1 or -1.
pub(crate) fn sign(terms: &[Term]) -> Ordering {
    quick_sign(terms).unwrap_or_else(|| sign_by_sum(terms))
}

/// The exact sign of `direction . ((p - o) cross (q - o))`.
pub(crate) fn sign_of_volume(direction: DVec3, [o, p, q]: [DVec3; 3]) -> Ordering {
    let terms = || [Term(1.0, direction, p, q), Term(-1.0, direction, o, q), Term(1.0, direction, o, p)];
    integer_determinant::sign(direction, [o, p, q]).unwrap_or_else(|| sign(&terms()))
}

/// The exact sign of `(point - a) . ((b - a) cross (c - a))`: the side of the triangle's plane on which the point is.
pub(crate) fn sign_of_side(point: DVec3, [a, b, c]: [DVec3; 3]) -> Ordering {
    let is_exact = (0..3).all(|i| two_sum(point[i], -a[i]).1 == 0.0);
    let quick = is_exact.then(|| integer_determinant::sign(point - a, [a, b, c])).flatten();
    // The product is [b-a c-a p-a] = [b c p] - [a c p] + [a b p] - [a b c], where [x y z] is x . (y cross z).
    let terms = || [Term(1.0, b, c, point), Term(-1.0, a, c, point), Term(1.0, a, b, point), Term(-1.0, a, b, c)];
    quick.unwrap_or_else(|| sign(&terms()))
}

/// Returns the exact sign of a sum of determinants, if some 106 bits are enough to tell.
pub(crate) fn quick_sign(terms: &[Term]) -> Option<Ordering> {
    let mut sum = ProductSum::default();
    for &Term(factor, x, y, z) in terms {
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            sum.add([factor * x[i], y[j], z[k]]);
            sum.add([-factor * x[i], y[k], z[j]]);
        }
    }
    sum.sign()
}

fn sign_by_sum(terms: &[Term]) -> Ordering {
    let mut sum = ExactSum::new();
    add_terms(&mut sum, terms, 1.0);
    sum.sign()
}

/// The exact sign of a sum of products of four factors each.
pub(crate) fn sign_of_products(products: &[[f64; 4]]) -> Ordering {
    let mut sum = ExactSum::new();
    products.iter().for_each(|&product| sum.add(product));
    sum.sign()
}

/// The exact sign of a sum of products of four differences each, `x - y` given as `(x, y)`.
pub(crate) fn sign_of_differences(products: &[[(f64, f64); 4]]) -> Ordering {
    let mut sum = ExactSum::new();
    for product in products {
        // The bits of `choice` say which differences contribute their second number when the product is expanded.
        for choice in 0..16 {
            let mut bits = 0..;
            sum.add(
                product.map(|(x, y)| if bits.next().is_some_and(|bit: u32| choice >> bit & 1 == 1) { -y } else { x }),
            );
        }
    }
    sum.sign()
}

/// A sum of products of four factors each, rounded once; 0 only if it is 0 or below f64's range.
pub(crate) fn sum_of_products(products: &[[f64; 4]]) -> f64 {
    let mut sum = ExactSum::new();
    products.iter().for_each(|&product| sum.add(product));
    sum.to_f64()
}

/// The determinant `x . (y cross z)`, rounded once.
pub(crate) fn determinant(x: DVec3, y: DVec3, z: DVec3) -> f64 {
    let mut sum = ExactSum::new();
    add_terms(&mut sum, &[Term(1.0, x, y, z)], 1.0);
    sum.to_f64()
}

/// `y cross z`, each component rounded once.
pub(crate) fn cross(y: DVec3, z: DVec3) -> DVec3 {
    let component = |j: usize, k: usize| sum_of_products(&[[y[j], z[k], 1.0, 1.0], [-y[k], z[j], 1.0, 1.0]]);
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

/// `(p - q) . n` with a relative error below 2^-40, so that it is 0 only if it is exactly 0. It is computed in f64
/// if the error bound allows it, otherwise exactly. The result is not finite if the input is not.
pub(crate) fn dot_between(q: DVec3, p: DVec3, n: DVec3) -> f64 {
    const MOST_RELATIVE_ERROR: f64 = 1.0 / (1u64 << 40) as f64;
    let value = (p - q).dot(n);
    // One subtraction, one product and two sums are rounded.
    let magnitude = (p - q).abs().dot(n.abs());
    let accurate = magnitude > UNDERFLOW_GUARD && gamma(4) * 1.01 * magnitude < MOST_RELATIVE_ERROR * value.abs();
    if accurate || !(p.is_finite() && q.is_finite() && n.is_finite()) {
        return value;
    }
    let mut sum = ExactSum::new();
    for i in 0..3 {
        sum.add([p[i], n[i], 1.0, 1.0]);
        sum.add([-q[i], n[i], 1.0, 1.0]);
    }
    sum.to_f64()
}

/// `numerator / denominator` rounded to the nearest f32, ties to even; `None` if the denominator is zero or the
/// quotient rounds to infinity.
pub(crate) fn quotient(numerator: &[Term], denominator: &[Term]) -> Option<f32> {
    let mut sums = [ExactSum::new(), ExactSum::new()];
    add_terms(&mut sums[0], numerator, 1.0);
    add_terms(&mut sums[1], denominator, 1.0);
    let [(n, n_exponent), (d, d_exponent)] = sums.each_ref().map(ExactSum::leading_bits);
    if d == 0.0 {
        return None;
    }
    let estimate = libm::ldexp(n / d, n_exponent - d_exponent);
    // A number beyond f64's range is beyond f32's too, and one below it rounds to zero.
    if estimate.is_infinite() {
        return None;
    }
    let error = estimate.abs() * LEADING_BITS_ERROR;
    let (below, above) = ((estimate - error) as f32, (estimate + error) as f32);
    let nearest = if below == above {
        below
    } else {
        let denominator_sign = sums[1].sign();
        let middle = midpoint(below, above);
        add_terms(&mut sums[0], denominator, -middle);
        let order = if denominator_sign == Ordering::Less { sums[0].sign().reverse() } else { sums[0].sign() };
        match order {
            Ordering::Less => below,
            Ordering::Greater => above,
            Ordering::Equal if below.to_bits() & 1 == 0 => below,
            Ordering::Equal => above,
        }
    };
    // Adding +0 turns -0 into +0.
    nearest.is_finite().then_some(nearest + 0.0)
}

/// `numerator / denominator` with a relative error below 5 u; `None` if the denominator is zero or the quotient is beyond
/// f64's range.
pub(crate) fn ratio(numerator: &[Term], denominator: &[Term]) -> Option<f64> {
    let mut sums = [ExactSum::new(), ExactSum::new()];
    add_terms(&mut sums[0], numerator, 1.0);
    add_terms(&mut sums[1], denominator, 1.0);
    let [(n, n_exponent), (d, d_exponent)] = sums.each_ref().map(ExactSum::leading_bits);
    let ratio = libm::ldexp(n / d, n_exponent - d_exponent);
    ratio.is_finite().then_some(ratio)
}

/// Bounds the relative error of a quotient of two [`ExactSum::leading_bits`]. Each is cut off and rounded to f64, the
/// quotient is rounded, and so are the ends of the interval. Together that is less than 5 u.
const LEADING_BITS_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// The value of the f32 after the largest finite one.
const TWO_TO_128: f64 = f64::from_bits((1023 + 128) << 52);

/// The number where rounding to nearest switches between two neighbouring f32s; infinity is treated as 2^128.
fn midpoint(below: f32, above: f32) -> f64 {
    let finite = |x: f32| if x.is_finite() { f64::from(x) } else { TWO_TO_128.copysign(f64::from(x)) };
    (finite(below) + finite(above)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;
    use alloc::vec::Vec;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{Signed, ToPrimitive, Zero};
    use proptest::prelude::*;

    fn rational(x: f64) -> BigRational {
        BigRational::from_float(x).unwrap()
    }

    fn evaluate(terms: &[Term]) -> BigRational {
        let mut sum = BigRational::zero();
        for &Term(f, x, y, z) in terms {
            let [x, y, z] = [x, y, z].map(|v| v.to_array().map(rational));
            for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                sum += rational(f) * &x[i] * (&y[j] * &z[k] - &y[k] * &z[j]);
            }
        }
        sum
    }

    fn ordering(x: &BigRational) -> Ordering {
        x.cmp(&BigRational::zero())
    }

    /// Any finite f64, subnormals and both zeros included, with small integers often enough for exact ties.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
            (-4i32..=4).prop_map(f64::from),
            any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(f64::from),
        ]
    }

    fn difference() -> impl Strategy<Value = (f64, f64)> {
        prop_oneof![(number(), number()), number().prop_map(|x| (x, x))]
    }

    /// Numbers such that the product of any four of them stays within f64's range: small integers and f32s of 60 binary orders.
    fn small() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-4i32..=4).prop_map(f64::from),
            (any::<i32>(), -60..0i32).prop_map(|(m, e)| f64::from(m >> 8) * 2f64.powi(e)),
        ]
    }

    fn small_vector() -> impl Strategy<Value = DVec3> {
        [small(), small(), small()].prop_map(DVec3::from_array)
    }

    fn vector() -> impl Strategy<Value = DVec3> {
        [number(), number(), number()].prop_map(DVec3::from_array)
    }

    fn terms() -> impl Strategy<Value = Vec<Term>> {
        prop::collection::vec(
            (prop::bool::ANY, vector(), vector(), vector())
                .prop_map(|(minus, x, y, z)| Term(if minus { -1.0 } else { 1.0 }, x, y, z)),
            1..5,
        )
    }

    /// Three vectors that are in one plane up to a small component.
    fn nearly_flat() -> impl Strategy<Value = [DVec3; 3]> {
        ([small_vector(), small_vector(), small_vector()], small(), -110..0i32).prop_map(|([x, y, off], s, e)| {
            let off = off * 2f64.powi(e);
            [x, y + off * 0.5, x * s + y + off]
        })
    }

    /// Determinants that cancel each other, and one that is smaller by up to 2^-120. Neither the sum of the high parts,
    /// nor the sum of the low parts, nor the sum of all parts shows the sign.
    #[test]
    fn quick_signs_are_exact_where_sums_cancel() {
        let mut random = Random(0x5153);
        let (mut decided, mut open) = (0, 0);
        for case in 0..200_000 {
            let mut vector = |scale: f64| {
                // Numbers of a few bits make sums that are exact, and numbers of all bits make sums that are not.
                let unit = random.pick(&[8.0, 4096.0, f64::from(1u32 << 24), (1u64 << 53) as f64]);
                let spread = DVec3::from_array([(); 3].map(|()| 0.5f64.powi(random.below(30) as i32)));
                (random.cube() * unit).round() / unit * spread * scale
            };
            let mut terms = Vec::new();
            for _ in 0..1 + case % 3 {
                let [x, y, z] = [vector(1.0), vector(1.0), vector(1.0)];
                // A third of these determinants are flat by themselves, as far as f64 can tell.
                let z = if case % 9 < 3 { x * 0.5 + y } else { z };
                let factor = if case % 2 == 0 { 1.0 } else { -1.0 };
                terms.extend([Term(factor, x, y, z), Term(-factor, y, z, x)]);
            }
            let [x, y, z] = [vector(1.0), vector(0.5f64.powi(case as i32 % 121)), vector(1.0)];
            terms.insert(case % terms.len(), Term(1.0, x, y, z));
            match quick_sign(&terms) {
                Some(quick) => {
                    decided += 1;
                    assert_eq!(quick, sign_by_sum(&terms), "{case}: {terms:?}");
                }
                None => open += 1,
            }
        }
        std::println!("{decided} signs are decided, {open} are not");
        assert!(open > 0 && decided > open, "{decided}, {open}");
    }

    /// Rounds a rational to f32 by comparing it with every candidate around its f64 value.
    fn nearest_f32(x: &BigRational) -> Option<f32> {
        let limit =
            BigRational::from_integer(BigInt::from(1) << 128) - BigRational::from_integer(BigInt::from(1) << 103);
        if x.abs() >= limit {
            return None;
        }
        let guess = x.to_f64().unwrap() as f32;
        let guess = if guess.is_finite() { guess } else { f32::MAX.copysign(guess) };
        let candidates = [guess.next_down(), guess, guess.next_up()].into_iter().filter(|c| c.is_finite());
        candidates.min_by(|a, b| {
            let distance = |c: f32| (rational(f64::from(c)) - x).abs();
            distance(*a).cmp(&distance(*b)).then((a.to_bits() & 1).cmp(&(b.to_bits() & 1)))
        })
    }

    proptest! {
        #[test]
        fn quick_signs_are_exact(
            parts in prop::collection::vec((prop::bool::ANY, nearly_flat()), 1..=4),
            same in prop::bool::ANY,
        ) {
            let term = |(minus, [x, y, z]): (bool, [DVec3; 3])| Term(if minus { -1.0 } else { 1.0 }, x, y, z);
            let mut terms: Vec<Term> = parts.into_iter().map(term).collect();
            if same && terms.len() < 4 {
                let Term(f, x, y, z) = terms[0];
                terms.push(Term(f, x, z, y));
            }
            if let Some(quick) = quick_sign(&terms) {
                prop_assert_eq!(quick, sign_by_sum(&terms));
            }
        }

        #[test]
        fn signs_agree_with_rationals(terms in terms()) {
            prop_assert_eq!(sign(&terms), ordering(&evaluate(&terms)));
        }

        /// The fourth point is near the plane of the other three, in it, or anywhere.
        #[test]
        fn volumes_and_sides_agree_with_rationals(
            points in prop_oneof![
                nearly_flat().prop_map(|[x, y, z]| [DVec3::ZERO, x, y, z]),
                (nearly_flat(), small_vector()).prop_map(|([x, y, z], off)| [off, x + off, y + off, z + off]),
                [vector(), vector(), vector(), vector()],
            ],
        ) {
            let [o, p, q, r] = points;
            let volume = evaluate(&[Term(1.0, r, p, q), Term(-1.0, r, o, q), Term(1.0, r, o, p)]);
            prop_assert_eq!(sign_of_volume(r, [o, p, q]), ordering(&volume));
            let side = volume - evaluate(&[Term(1.0, o, p, q)]);
            prop_assert_eq!(sign_of_side(r, [o, p, q]), ordering(&side));
        }

        #[test]
        fn sums_agree_with_rationals(products in prop::collection::vec([small(), small(), small(), small()], 1..8)) {
            let exact: BigRational = products.iter().map(|p| p.iter().map(|&x| rational(x)).product::<BigRational>()).sum();
            let computed = rational(sum_of_products(&products));
            let error = (computed - &exact).abs();
            prop_assert!(error <= exact.abs() * rational(1.001 * f64::EPSILON / 2.0));
        }

        #[test]
        fn dots_agree_with_rationals(q in small_vector(), p in small_vector(), n in small_vector()) {
            let exact: BigRational = (0..3).map(|i| (rational(p[i]) - rational(q[i])) * rational(n[i])).sum();
            let error = (rational(dot_between(q, p, n)) - &exact).abs();
            prop_assert!(error <= exact.abs() * rational(2f64.powi(-40)));
        }

        #[test]
        fn quotients_agree_with_rationals(n in terms(), d in terms()) {
            let (numerator, denominator) = (evaluate(&n), evaluate(&d));
            let expected = if denominator.is_zero() { None } else { nearest_f32(&(numerator / denominator)) };
            prop_assert_eq!(quotient(&n, &d), expected.map(|x| x + 0.0));
        }
    }

    proptest! {
        #[test]
        fn signs_of_differences_agree_with_rationals(
            products in prop::collection::vec([difference(), difference(), difference(), difference()], 1..4),
        ) {
            let expected: BigRational = products
                .iter()
                .map(|p| p.iter().map(|&(x, y)| rational(x) - rational(y)).product::<BigRational>())
                .sum();
            prop_assert_eq!(sign_of_differences(&products), ordering(&expected));
        }
    }

    #[test]
    fn quotients_round_ties_to_even() {
        let over = |n: f64, d: f64| {
            let det = |f: f64| [Term(1.0, DVec3::X * f, DVec3::Y, DVec3::Z)];
            quotient(&det(n), &det(d))
        };
        assert_eq!(over(16_777_217.0, 1.0), Some(16_777_216.0));
        assert_eq!(over(16_777_219.0, 1.0), Some(16_777_220.0));
        assert_eq!(over(1.0, 3.0), Some(1.0 / 3.0));
        assert_eq!(over(1.0, 0.0), None);
        assert_eq!(over(0.0, -3.0).map(f32::to_bits), Some(0));
        assert_eq!(over(f64::from(f32::MAX), 1.0), Some(f32::MAX));
        assert_eq!(over(TWO_TO_128, 1.0), None);
        assert_eq!(over(1.0, 1e60), Some(0.0));
    }
}
