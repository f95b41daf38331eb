//! The answers in exact rational arithmetic, by algorithms that differ from the library's.

use hitscan::d2::{Ray2, ShapeHit2};
use hitscan::glam::{DVec2, Vec2};
use hitscan::{Inside, Side};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

pub(crate) type Q = BigRational;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct P {
    pub(crate) x: Q,
    pub(crate) y: Q,
}

pub(crate) fn q(x: f32) -> Q {
    Q::from_float(x).unwrap()
}

pub(crate) fn p(v: Vec2) -> P {
    P { x: q(v.x), y: q(v.y) }
}

impl P {
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self { x: &self.x - &other.x, y: &self.y - &other.y }
    }

    pub(crate) fn cross(&self, other: &Self) -> Q {
        &self.x * &other.y - &self.y * &other.x
    }

    pub(crate) fn dot(&self, other: &Self) -> Q {
        &self.x * &other.x + &self.y * &other.y
    }

    /// Returns the vector to the right, which points outwards from a counter-clockwise edge.
    pub(crate) fn right(&self) -> Self {
        Self { x: self.y.clone(), y: -self.x.clone() }
    }

    /// Returns the direction of this vector as f64.
    fn unit(&self) -> DVec2 {
        let scale = self.x.abs().max(self.y.abs());
        DVec2::new((&self.x / &scale).to_f64().unwrap(), (&self.y / &scale).to_f64().unwrap()).normalize()
    }
}

pub(crate) fn area2(a: &P, b: &P, c: &P) -> Q {
    b.minus(a).cross(&c.minus(a))
}

/// Returns the nearest f32, ties to even; infinite if it overflows.
pub(crate) fn nearest(x: &Q) -> f32 {
    let limit = Q::from_integer((BigInt::from(1) << 128) - (BigInt::from(1) << 103));
    if x.abs() >= limit {
        return if x.is_negative() { f32::NEG_INFINITY } else { f32::INFINITY };
    }
    let guess = (x.to_f64().unwrap() as f32).clamp(f32::MIN, f32::MAX);
    let candidates = [guess.next_down(), guess, guess.next_up()].into_iter().filter(|c| c.is_finite());
    let distance = |c: f32| (q(c) - x).abs();
    let order = |a: &f32, b: &f32| distance(*a).cmp(&distance(*b)).then((a.to_bits() & 1).cmp(&(b.to_bits() & 1)));
    candidates.min_by(order).unwrap() + 0.0
}

/// Returns whether two roundings in f64, before the rounding to f32, cannot change the result of [`nearest`].
pub(crate) fn is_clear(x: &Q) -> bool {
    let slack = x * Q::from_float(2.0 * f64::EPSILON).unwrap();
    nearest(&(x - &slack)) == nearest(&(x + slack))
}

/// Returns whether a reported unit normal is the rounded direction of this vector.
pub(crate) fn is_unit_of(reported: Vec2, vector: &P) -> bool {
    (reported.as_dvec2() - vector.unit()).abs().max_element() <= f64::from(f32::EPSILON)
}

pub(crate) fn in_range(ray: &Ray2, t: f32) -> bool {
    t.is_finite() && ray.t_min <= t && t <= ray.t_max
}

/// The points with `normal . x <= offset`.
pub(crate) struct HalfPlane {
    pub(crate) normal: P,
    pub(crate) offset: Q,
}

/// Returns the half-plane to the left of the edge from a to b.
pub(crate) fn left_of(a: &P, b: &P) -> HalfPlane {
    let normal = b.minus(a).right();
    let offset = normal.dot(a);
    HalfPlane { normal, offset }
}

/// The interval of a line inside an intersection of half-planes, and the half-planes that end it.
pub(crate) struct Clipped {
    pub(crate) enter: Q,
    pub(crate) exit: Q,
    pub(crate) entered: Vec<usize>,
    pub(crate) left: Vec<usize>,
}

/// Clips a line: M. Cyrus, J. Beck, "Generalized Two- and Three-Dimensional Clipping", 1978.
pub(crate) fn clip(ray: &Ray2, area: &[HalfPlane]) -> Option<Clipped> {
    let (o, d) = (p(ray.origin), p(ray.direction));
    let (mut entries, mut exits) = (Vec::new(), Vec::new());
    for (i, HalfPlane { normal, offset }) in area.iter().enumerate() {
        let (room, speed) = (offset - normal.dot(&o), normal.dot(&d));
        if speed.is_zero() {
            if room.is_negative() {
                return None;
            }
        } else if speed.is_negative() {
            entries.push((room / speed, i));
        } else {
            exits.push((room / speed, i));
        }
    }
    let enter = entries.iter().map(|(t, _)| t).max().unwrap().clone();
    let exit = exits.iter().map(|(t, _)| t).min().unwrap().clone();
    let at = |ends: &[(Q, usize)], end: &Q| ends.iter().filter(|(t, _)| t == end).map(|(_, i)| *i).collect();
    (enter <= exit).then(|| Clipped { entered: at(&entries, &enter), left: at(&exits, &exit), enter, exit })
}

/// Returns the first hit of a ray whose line is inside a solid from `enter` to `exit`, by the table of conventions.
pub(crate) fn first_hit(ray: &Ray2, enter: f32, exit: f32, touching: bool, inside: Inside) -> Option<(f32, Side)> {
    let starts_inside = enter < ray.t_min && ray.t_min <= exit;
    if in_range(ray, enter) {
        return Some((enter, Side::Front));
    }
    let leaves = (in_range(ray, exit) && !touching).then_some((exit, Side::Back));
    match inside {
        _ if !starts_inside => leaves,
        Inside::Exit => leaves,
        Inside::Solid => Some((ray.t_min + 0.0, Side::Inside)),
        Inside::Ignore => None,
    }
}

/// Returns a hit's t and side.
pub(crate) fn key(hit: &Option<ShapeHit2>) -> Option<(f32, Side)> {
    hit.map(|hit| (hit.t, hit.side))
}

pub(crate) const MODES: [Inside; 3] = [Inside::Exit, Inside::Solid, Inside::Ignore];

/// Calls every query on an area, checks that the answers agree, and returns the hit in each of [`MODES`].
#[macro_export]
macro_rules! ask {
    ($area:expr, $ray:expr) => {{
        let (area, ray) = (&$area, &$ray);
        let cast = area.cast(ray);
        assert_eq!(cast, area.when_inside(hitscan::Inside::Exit).cast(ray));
        assert_eq!(cast.map(|hit| hit.t.to_bits()), area.cast_t(ray).map(f32::to_bits));
        assert_eq!(cast.is_some(), area.is_blocked(ray));
        $crate::d2::oracle::MODES.map(|inside| area.when_inside(inside).cast(ray))
    }};
}

/// Checks an area with straight sides in all three modes. The t and the side must be exact, and the normal must
/// be the normal of a side that contains the hit.
pub(crate) fn check_straight(ray: &Ray2, area: &[HalfPlane], hits: [Option<ShapeHit2>; 3]) {
    let clipped = clip(ray, area);
    for (inside, hit) in MODES.into_iter().zip(hits) {
        let expected = clipped
            .as_ref()
            .and_then(|c| first_hit(ray, nearest(&c.enter), nearest(&c.exit), c.enter == c.exit, inside));
        assert_eq!(key(&hit), expected, "{inside:?} {ray:?}");
        let (Some(hit), Some(clipped)) = (hit, &clipped) else { continue };
        let is_side = |sides: &[usize]| sides.iter().any(|&i| is_unit_of(hit.normal, &area[i].normal));
        assert_eq!(hit.u, None);
        assert!(match hit.side {
            Side::Front => is_side(&clipped.entered),
            Side::Back => is_side(&clipped.left),
            Side::Inside => is_unit_of(hit.normal, &p(-ray.direction)),
        });
        assert!(!points_along(hit, ray), "{hit:?} {ray:?}");
    }
}

/// Returns whether the facing normal points along the ray by more than the rounding of its components.
fn points_along(hit: ShapeHit2, ray: &Ray2) -> bool {
    let (n, d) = (hit.facing_normal().as_dvec2(), ray.direction.as_dvec2());
    n.dot(d) > f64::from(f32::EPSILON) * (d.x.abs() + d.y.abs())
}

/// Returns whether a point is on an edge of a polygon, or has a nonzero winding number.
pub(crate) fn winding_contains(corners: &[P], point: &P) -> bool {
    let mut winding = 0;
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let side = area2(a, b, point);
        let between = |low: &Q, high: &Q, x: &Q| low.min(high) <= x && x <= low.max(high);
        if side.is_zero() && between(&a.x, &b.x, &point.x) && between(&a.y, &b.y, &point.y) {
            return true;
        }
        match (a.y <= point.y, b.y <= point.y) {
            (true, false) if side.is_positive() => winding += 1,
            (false, true) if side.is_negative() => winding -= 1,
            _ => {}
        }
    }
    winding != 0
}

/// Returns the counter-clockwise outline of a point set, including the points on its straight sides, by A. M. Andrew's
/// monotone chain (1979). It is empty if the points have no area.
pub(crate) fn hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = points.to_vec();
    points.sort_by(|a, b| (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap());
    points.dedup();
    let chain = |points: &mut dyn Iterator<Item = &Vec2>| {
        let mut chain: Vec<Vec2> = Vec::new();
        for &point in points {
            while let [.., a, b] = chain[..] {
                if !area2(&p(a), &p(b), &p(point)).is_negative() {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = chain(&mut points.iter());
    outline.extend(chain(&mut points.iter().rev()));
    let flat = outline.len() < 3
        || (2..outline.len()).all(|i| area2(&p(outline[0]), &p(outline[1]), &p(outline[i])).is_zero());
    if flat { Vec::new() } else { outline }
}
