//! The truth about one triangle. Integers decide whether a line hits it, and a rational number that is rounded once
//! says where. Tests include this file together with `integer.rs`.
#![allow(dead_code, reason = "each test uses its part")]

use super::integer::{Integer, cross, dot, grid, integers, nearest_f32, sub};
use hitscan::Side;
use hitscan::glam::DVec3;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// An upper bound of the relative error of the f64 computations here, which is a few units of 1.1e-16.
const DOUBT: f64 = 1e-12;
/// The magnitudes for which products in f64 neither overflow nor lose accuracy by underflow.
const TRUSTED: std::ops::Range<f64> = 1e-200..1e200;

/// The intersection of a line with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// The parameter of the intersection; `None` if it overflows f32.
    pub(crate) t: Option<f32>,
    pub(crate) side: Side,
    /// Is true if the intersection is on an edge or a corner.
    pub(crate) at_edge: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) origin: DVec3,
    pub(crate) direction: DVec3,
}

impl Line {
    /// Returns the intersection, computed in f64 where that is certain, and by integers otherwise.
    pub(crate) fn meet(&self, corners: &[DVec3; 3]) -> Option<Meeting> {
        self.meet_in_f64(corners).unwrap_or_else(|| self.meet_exactly(corners))
    }

    /// Returns the verdict of f64; `None` if it is uncertain.
    pub(crate) fn meet_in_f64(&self, corners: &[DVec3; 3]) -> Option<Option<Meeting>> {
        let [a, b, c] = corners.map(|corner| corner - self.origin);
        let d = self.direction;
        let signs = [(a, b), (b, c), (c, a)].map(|(p, q)| Value::volume(d, p, q).sign());
        if [Ordering::Less, Ordering::Greater].iter().all(|sign| signs.contains(&Some(*sign))) {
            return Some(None);
        }
        if signs.contains(&None) {
            return None;
        }
        let (e, f) = (corners[1] - corners[0], corners[2] - corners[0]);
        let (n, d) = (Value::volume(a, e, f), Value::volume(d, e, f));
        let side = if d.sign()? == Ordering::Less { Side::Front } else { Side::Back };
        if !TRUSTED.contains(&n.magnitude) {
            return None;
        }
        let quotient = n.value / d.value;
        let error = 2.0 * DOUBT * (n.magnitude + quotient.abs() * d.magnitude) / d.value.abs();
        let (low, high) = ((quotient - error) as f32, (quotient + error) as f32);
        let t = low.is_finite().then_some(low + 0.0);
        (low == high).then_some(Some(Meeting { t, side, at_edge: false }))
    }

    /// Returns the intersection, computed by integers alone.
    pub(crate) fn meet_exactly(&self, corners: &[DVec3; 3]) -> Option<Meeting> {
        let (unit, bits) = grid(corners.iter().chain([&self.origin]));
        let (pace, more) = grid([&self.direction].into_iter());
        // A determinant has six products of a number and two or three differences.
        if bits.max(more) <= 38 {
            self.meet_in::<i128>(corners, unit, pace, |x| BigInt::from(*x))
        } else {
            self.meet_in::<BigInt>(corners, unit, pace, BigInt::clone)
        }
    }

    fn meet_in<I: Integer>(
        &self,
        corners: &[DVec3; 3],
        unit: i32,
        pace: i32,
        big: impl Fn(&I) -> BigInt,
    ) -> Option<Meeting> {
        let origin = integers::<I>(self.origin, unit);
        let [a, b, c] = corners.map(|corner| sub(&integers(corner, unit), &origin));
        let d = integers::<I>(self.direction, pace);
        let volumes = [(&a, &b), (&b, &c), (&c, &a)].map(|(p, q)| dot(&d, &cross(p, q)));
        let [ab, bc, ca] = volumes.clone();
        // This is the dot product of the direction with the front normal.
        let speed = ab + bc + ca;
        let zero = I::zero();
        let outside = |volume: &I| volume.cmp(&zero) == speed.cmp(&zero).reverse();
        if speed == zero || volumes.iter().any(outside) {
            return None;
        }
        let distance = dot(&a, &cross(&sub(&b, &a), &sub(&c, &a)));
        let side = if speed < zero { Side::Front } else { Side::Back };
        let t = nearest_f32(&big(&distance), &big(&speed), unit - pace);
        Some(Meeting { t, side, at_edge: volumes.contains(&zero) })
    }

    /// Returns u and v of the intersection, computed by integers, for a triangle that the line hits.
    pub(crate) fn barycentrics(&self, corners: &[DVec3; 3]) -> [f64; 2] {
        let (unit, _) = grid(corners.iter().chain([&self.origin]));
        let (pace, _) = grid([&self.direction].into_iter());
        let origin = integers::<BigInt>(self.origin, unit);
        let [a, b, c] = corners.map(|corner| sub(&integers(corner, unit), &origin));
        let d = integers::<BigInt>(self.direction, pace);
        let [ab, bc, ca] = [(&a, &b), (&b, &c), (&c, &a)].map(|(p, q)| dot(&d, &cross(p, q)));
        let speed = &ab + &bc + &ca;
        [ca, ab].map(|volume| {
            let scaled: BigInt = (volume << 80u32) / &speed;
            scaled.to_f64().expect("finite") / 2f64.powi(80)
        })
    }
}

/// A determinant in f64, and the sum of the magnitudes of its products.
struct Value {
    value: f64,
    magnitude: f64,
}

impl Value {
    fn volume(x: DVec3, y: DVec3, z: DVec3) -> Self {
        let (x_, y_, z_) = (x.abs(), y.abs(), z.abs());
        let magnitude = x_.x * (y_.y * z_.z + y_.z * z_.y)
            + x_.y * (y_.z * z_.x + y_.x * z_.z)
            + x_.z * (y_.x * z_.y + y_.y * z_.x);
        Self { value: x.dot(y.cross(z)), magnitude }
    }

    fn sign(&self) -> Option<Ordering> {
        let certain = TRUSTED.contains(&self.magnitude) && self.value.abs() > DOUBT * self.magnitude;
        certain.then(|| self.value.total_cmp(&0.0))
    }
}
