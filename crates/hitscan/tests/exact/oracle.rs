//! The truth: which triangles a line meets, by integers, and where, by a rational number rounded once.

use crate::integer::{Integer, cross, dot, grid, integers, nearest_f32, sub};
use hitscan::Side;
use hitscan::glam::DVec3;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// Beyond any doubt more than the relative error of what is computed here in f64: a few units of 1.1e-16.
const DOUBT: f64 = 1e-12;
/// How much boxes are widened, of the coordinates' size: also beyond doubt.
const PADDING: f64 = 1e-13;
/// Magnitudes between which products in f64 neither underflow nor overflow where it would matter.
const TRUSTED: std::ops::Range<f64> = 1e-200..1e200;

/// That a line meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// `None` beyond f32.
    pub(crate) t: Option<f32>,
    pub(crate) side: Side,
    /// On an edge or a corner.
    pub(crate) at_edge: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) origin: DVec3,
    pub(crate) direction: DVec3,
}

impl Line {
    /// In f64 where that leaves no doubt, else by integers.
    pub(crate) fn meet(&self, corners: &[DVec3; 3]) -> Option<Meeting> {
        self.meet_in_f64(corners).unwrap_or_else(|| self.meet_exactly(corners))
    }

    /// `None` if there is doubt.
    fn meet_in_f64(&self, corners: &[DVec3; 3]) -> Option<Option<Meeting>> {
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

    /// By integers alone.
    pub(crate) fn meet_exactly(&self, corners: &[DVec3; 3]) -> Option<Meeting> {
        let (unit, bits) = grid(corners.iter().chain([&self.origin]));
        let (pace, more) = grid([&self.direction].into_iter());
        // Products of a number and two or three differences, six of them added.
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
        // The direction times the front normal.
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

    /// u and v of a triangle that the line meets, times and over the same number, as f64s.
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

/// A determinant in f64, and the sum of its products' magnitudes.
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

/// Triangles in a tree of its own: halves by number along the longest side of their middles' box.
pub(crate) struct Oracle {
    corners: Vec<[DVec3; 3]>,
    order: Vec<u32>,
    root: Option<Box<Node>>,
}

struct Node {
    low: DVec3,
    high: DVec3,
    contents: Contents,
}

enum Contents {
    Two([Box<Node>; 2]),
    Some { from: usize, to: usize },
}

impl Oracle {
    pub(crate) fn new(corners: Vec<[DVec3; 3]>) -> Self {
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        let root = (!corners.is_empty()).then(|| Box::new(divide(&corners, &mut order, 0)));
        Self { corners, order, root }
    }

    pub(crate) fn corners(&self) -> &[[DVec3; 3]] {
        &self.corners
    }

    /// All triangles that the line meets, in no order.
    pub(crate) fn meetings(&self, line: &Line, found: &mut Vec<(u32, Meeting)>) {
        found.clear();
        if let Some(root) = &self.root {
            self.search(root, line, found);
        }
    }

    fn search(&self, node: &Node, line: &Line, found: &mut Vec<(u32, Meeting)>) {
        if !node.may_touch(line) {
            return;
        }
        match &node.contents {
            Contents::Two(children) => children.iter().for_each(|child| self.search(child, line, found)),
            Contents::Some { from, to } => {
                let meet = |&triangle: &u32| Some((triangle, line.meet(&self.corners[triangle as usize])?));
                found.extend(self.order[*from..*to].iter().filter_map(meet));
            }
        }
    }
}

fn divide(corners: &[[DVec3; 3]], order: &mut [u32], from: usize) -> Node {
    let bounds = |points: &mut dyn Iterator<Item = DVec3>| {
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    };
    let middle = |triangle: u32| corners[triangle as usize].iter().map(|corner| corner / 3.0).sum::<DVec3>();
    let (low, high) = bounds(&mut order.iter().flat_map(|&triangle| corners[triangle as usize]));
    let contents = if order.len() <= 3 {
        Contents::Some { from, to: from + order.len() }
    } else {
        let (least, most) = bounds(&mut order.iter().map(|&triangle| middle(triangle)));
        let axis = (most - least).max_position();
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&x, &y| middle(x)[axis].total_cmp(&middle(y)[axis]));
        let (first, second) = order.split_at_mut(half);
        Contents::Two([Box::new(divide(corners, first, from)), Box::new(divide(corners, second, from + half))])
    };
    Node { low, high, contents }
}

impl Node {
    fn may_touch(&self, line: &Line) -> bool {
        let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let (o, d) = (line.origin[axis], line.direction[axis]);
            let padding = PADDING * (o.abs() + self.low[axis].abs().max(self.high[axis].abs()));
            let (low, high) = (self.low[axis] - padding - o, self.high[axis] + padding - o);
            if d == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (x, y) = (low / d, high / d);
            first = first.max(x.min(y));
            last = last.min(x.max(y));
        }
        first <= last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_f64_agree() {
        let mut random = crate::common::Random(3);
        let mut point = |size: f64| random.cube() * size;
        for _ in 0..20_000 {
            let line = Line { origin: point(3.0), direction: point(1.0) };
            let corners = [point(1.0), point(1.0), point(1.0)];
            if let Some(meeting) = line.meet_in_f64(&corners) {
                assert_eq!(meeting, line.meet_exactly(&corners), "{line:?} {corners:?}");
            }
        }
    }

    #[test]
    fn a_square_is_met_at_its_diagonal_twice() {
        let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let [a, b, c, d] = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        let oracle = Oracle::new(vec![[a, b, c], [a, c, d]]);
        let mut found = Vec::new();
        let down = |x: f64, y: f64| Line { origin: DVec3::new(x, y, 2.0), direction: DVec3::NEG_Z };
        oracle.meetings(&down(0.5, 0.5), &mut found);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|(_, m)| *m == Meeting { t: Some(2.0), side: Side::Front, at_edge: true }));
        oracle.meetings(&down(0.5, 0.25), &mut found);
        assert_eq!(found, [(0, Meeting { t: Some(2.0), side: Side::Front, at_edge: false })]);
        assert_eq!(down(0.5, 0.25).barycentrics(&[a, b, c]), [0.25, 0.25]);
        oracle.meetings(&Line { origin: a, direction: DVec3::X }, &mut found);
        assert_eq!(found, []);
    }
}
