//! The determinants that decide where a ray meets a triangle, for one triangle in f64 or for several at once.

use crate::float::UNIT_ROUNDOFF;
use core::ops::{Add, Mul, Sub};

/// A number, or a vector of numbers: what is computed with it is the same, bit for bit, as long as no NaN is among them.
pub(crate) trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn magnitude(self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn times(self, factor: f64) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        crate::float::larger(self, other)
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }
}

/// With e1 = b - a, e2 = c - a, s = o - a and [x y z] = x . (y cross z): det = [e1 d e2] (positive for the front),
/// u det = [s d e2], v det = [d s e1], t det = [e2 s e1].
///
/// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
#[derive(Clone, Copy)]
pub(crate) struct Determinants<T> {
    pub(crate) det: T,
    pub(crate) u: T,
    pub(crate) v: T,
    pub(crate) t: T,
    pub(crate) e1: [T; 3],
    pub(crate) e2: [T; 3],
    pub(crate) s: [T; 3],
}

impl<T: Number> Determinants<T> {
    #[inline(always)]
    pub(crate) fn new(origin: [T; 3], direction: [T; 3], [a, b, c]: [[T; 3]; 3]) -> Self {
        let (e1, e2, s) = (difference(b, a), difference(c, a), difference(origin, a));
        let (p, q) = (cross(direction, e2), cross(s, e1));
        Self { det: dot(e1, p), u: dot(s, p), v: dot(direction, q), t: dot(e2, q), e1, e2, s }
    }

    /// The largest coordinate of the edges.
    #[inline(always)]
    pub(crate) fn reach(&self) -> T {
        largest(self.e1).larger(largest(self.e2))
    }

    /// At least the sums of the magnitudes of the products in each determinant: each component of a cross product has two of them, which
    /// the third factor's components take up one after the other. `pace` is the direction's largest component.
    #[inline(always)]
    pub(crate) fn sizes(&self, reach: T, pace: T) -> Sizes<T> {
        let [x, y, z] = self.s.map_axes(T::magnitude);
        let edge = (reach * (x + y + z)).times(2.0);
        Sizes { det: (pace * reach * reach).times(6.0), edge: pace * edge, t: reach * edge }
    }
}

/// Bounds on the products' magnitudes.
#[derive(Clone, Copy)]
pub(crate) struct Sizes<T> {
    pub(crate) det: T,
    /// Of u and of v.
    pub(crate) edge: T,
    pub(crate) t: T,
}

/// The error of a determinant whose products have magnitudes of this sum: see [`Bounded`](crate::certified::Bounded).
pub(crate) const RELATIVE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

// Not `array::map`, which is not certain to be inlined, nor glam's, which is for one triangle.

trait MapAxes<T> {
    fn map_axes(self, f: impl Fn(T) -> T) -> Self;
}

impl<T> MapAxes<T> for [T; 3] {
    #[inline(always)]
    fn map_axes(self, f: impl Fn(T) -> T) -> Self {
        let [x, y, z] = self;
        [f(x), f(y), f(z)]
    }
}

#[inline(always)]
fn largest<T: Number>(v: [T; 3]) -> T {
    let [x, y, z] = v.map_axes(T::magnitude);
    x.larger(y).larger(z)
}

#[inline(always)]
fn difference<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot<T: Number>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}
