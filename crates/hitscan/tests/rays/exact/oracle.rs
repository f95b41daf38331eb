//! The exact answers for many triangles: which of them a line crosses.

use crate::line::{Line, Meeting};
use hitscan::glam::DVec3;

/// The margin of the boxes relative to the size of the coordinates, which covers the rounding of the box test.
const PADDING: f64 = 1e-13;
/// Triangles in a separate tree, split in halves by count along the longest side of the box of their centroids.
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

    /// Returns all triangles that the line hits, in no particular order.
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
    use crate::integer::{nearest_f32, parts};
    use hitscan::Side;
    use num_bigint::BigInt;

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

    #[test]
    fn quotients_round_once() {
        let over = |n: i64, d: i64, shift: i32| nearest_f32(&BigInt::from(n), &BigInt::from(d), shift);
        assert_eq!(over(1, 3, 0), Some(1.0 / 3.0));
        assert_eq!(over(-2, 3, 0), Some(-2.0 / 3.0));
        assert_eq!((over(16_777_217, 1, 0), over(16_777_219, 1, 0)), (Some(16_777_216.0), Some(16_777_220.0)));
        assert_eq!(over(33_554_431, 1, 0), Some(33_554_432.0));
        assert_eq!((over(1, 1, -149), over(1, 1, -150), over(3, 1, -150)), (Some(1e-45), Some(0.0), Some(3e-45)));
        assert_eq!((over(0xff_ffff, 1, 104), over(1, 1, 128)), (Some(f32::MAX), None));
        assert_eq!((over(0x1ff_ffff, 1, 103), over(0x1ff_fffe, 1, 103)), (None, Some(f32::MAX)));
        assert_eq!(over(-1, 1, -200).map(f32::to_bits), Some(0));
        for x in [0.1f32, 1e-40, 3e38, 7.0] {
            let (mantissa, exponent) = parts(f64::from(x)).unwrap();
            assert_eq!(over(mantissa, 1, exponent), Some(x));
        }
    }
}
