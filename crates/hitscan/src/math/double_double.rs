//! Signs of sums of products in numbers of about 106 bits, which are unevaluated sums of two f64s. They are tried after the f64 filters and before the exact
//! sums.
//!
//! If a line is in the plane of a flat fan, up to rounding, f64 decides the sign for none of the fan's triangles. These sums almost always decide it.
//!
//! This is the compensated dot product `Dot2` (T. Ogita, S. M. Rump, S. Oishi, "Accurate Sum and Dot Product", 2005) for
//! products of three. Its parts are exact: `two_sum` (D. E. Knuth; J. R. Shewchuk, "Adaptive Precision Floating-Point
//! Arithmetic and Fast Robust Geometric Predicates", 1997, theorem 7) and `product` (T. J. Dekker, "A Floating-Point
//! Technique for Extending the Available Precision", 1971; Shewchuk, theorem 18).

use core::cmp::Ordering;

/// Inputs up to this size have products of three below 1e225, which leaves room for [`halves`]: nothing overflows.
const LARGEST: f64 = 1e75;

/// A sum whose products have a smaller total magnitude is not decided. A part that underflows is off by at most 4
/// times 2^-1074, and is then multiplied by at most 1e75. For all products together, that is below 2^-300 of this
/// limit.
const LEAST_MAGNITUDE: f64 = 1e-150;

/// A sum of more products is not decided.
const MOST_PRODUCTS: u32 = 48;

/// The error of a sum relative to the sum M of the magnitudes of its n products.
///
/// A product is x y z = q + e + d z. Here x y = p + d and p z = q + e exactly, with |d| <= u |p| and |e| <= u |q|. The
/// sum of all q is `high` plus the errors t of its additions, each |t| <= u |partial sum| <= u M (1 + n u). So the sum
/// is exactly `high` plus all of t, e and d z. Together, these errors have magnitudes of at most (n + 2) u M (1 + 2 n
/// u). They are added up with at most n + 3 roundings each. One is of d z, two are within a product, and n are of
/// `low`. So their sum is off by gamma(n + 3) (n + 2) u M (1 + 2 n u). For 48 products, this is below 2551 u^2 M <
/// 2^-94 M. The computed M is too small by a factor of 1 - gamma(n + 2) at most, and the rounding of `high + low` does
/// not change its sign.
const RELATIVE_ERROR: f64 = 1.0 / (1u128 << 90) as f64;

/// A sum of products of three numbers, with a bound on its error.
#[derive(Default)]
pub(super) struct ProductSum {
    high: f64,
    low: f64,
    /// The sum of the magnitudes of the products.
    magnitude: f64,
    largest: f64,
    count: u32,
}

impl ProductSum {
    pub(super) fn add(&mut self, [x, y, z]: [f64; 3]) {
        self.largest = self.largest.max(x.abs()).max(y.abs()).max(z.abs());
        self.count += 1;
        let (high, low) = product(x, y);
        let (high, rest) = product(high, z);
        let (sum, error) = two_sum(self.high, high);
        self.high = sum;
        self.low += error + (rest + low * z);
        self.magnitude += high.abs();
    }

    /// Returns the sign of the sum; `None` if it is not certain.
    pub(super) fn sign(&self) -> Option<Ordering> {
        let value = self.high + self.low;
        // The comparisons are false for NaN.
        let is_bounded = self.largest <= LARGEST && self.magnitude >= LEAST_MAGNITUDE && self.count <= MOST_PRODUCTS;
        (is_bounded && value.abs() > RELATIVE_ERROR * self.magnitude).then(|| value.total_cmp(&0.0))
    }
}

/// Returns a sum, and its rounding error.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Returns a product, and its rounding error.
fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let [(a_high, a_low), (b_high, b_low)] = [halves(a), halves(b)];
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

/// Divides a number into two of at most 26 bits each.
fn halves(x: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1u32 << 27) + 1) as f64;
    let scaled = x * SPLITTER;
    let high = scaled - (scaled - x);
    (high, x - high)
}
