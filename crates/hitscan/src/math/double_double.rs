//! Signs of sums of products in numbers of about 106 bits, which are unevaluated sums of two f64s: between the f64 filters and the exact sums.
//!
//! T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971. A line that runs in the plane of a flat fan, but for rounding, is
//! undecided in f64 for each of the fan's triangles, and almost never here.

use core::cmp::Ordering;

/// Inputs up to this size have products of three that neither overflow nor lose more than [`LEAST_MAGNITUDE`] allows.
const LARGEST: f64 = 1e75;

/// A sum whose products have less than this together is not decided: their low parts may underflow.
const LEAST_MAGNITUDE: f64 = 1e-150;

/// A sum of more products is not decided.
const MOST_PRODUCTS: u32 = 48;

/// The error of a sum relative to the sum of the magnitudes of its products. A product of three has an error below 4 u^2 of it. Low parts are at most n u of the
/// sum of magnitudes for n products, and each of 2 n additions rounds them by u: together, that is below 2 n^2 u^2 + 4 u^2 < 2^-93 for 48 products.
const RELATIVE_ERROR: f64 = 1.0 / (1u128 << 90) as f64;

/// A sum of products of three numbers, with what bounds its error.
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
fn two_sum(a: f64, b: f64) -> (f64, f64) {
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
