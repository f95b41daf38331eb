//! How far two convex things are from each other: in closed form where both are points, segments and triangles, else by their farthest points.

use super::convex_core::{ConvexCore, ConvexPart};
use super::point_query::round_foot;
use super::triangle_distance::triangle_to_triangle;
use crate::convex::{
    ClosestPair, Feature, RESOLUTION, Separation, SupportPoint, point_triangle, segment_segment, segment_triangle,
    separation,
};
use crate::math::float::{UNIT_ROUNDOFF, larger, smaller, sqrt, unit};
use glam::{DAffine3, DVec3};

/// The closest points of two things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    /// Of the cores, less both radii: how deep they are in each other if it is negative, as long as the cores are apart.
    pub(crate) clearance: f64,
    /// On each.
    pub(crate) points: [DVec3; 2],
    /// On each without its radius.
    pub(crate) cores: [DVec3; 2],
    /// From the first to the second, of unit length; zero if there is no such direction.
    pub(crate) normal: DVec3,
    pub(crate) features: [Feature; 2],
    /// What the distance may be off by.
    pub(crate) error: f64,
}

/// The closest points of two cores.
#[derive(Clone, Copy)]
pub(super) struct CoreDistance {
    pub(super) points: [DVec3; 2],
    pub(super) features: [Feature; 2],
}

impl CoreDistance {
    pub(super) fn swapped(self) -> Self {
        let ([a, b], [of_a, of_b]) = (self.points, self.features);
        Self { points: [b, a], features: [of_b, of_a] }
    }

    pub(super) fn square(&self) -> f64 {
        (self.points[1] - self.points[0]).length_squared()
    }

    pub(super) fn nearer(self, other: Self) -> Self {
        if other.square() < self.square() { other } else { self }
    }

    /// Of faces.
    fn faces(points: [DVec3; 2]) -> Self {
        Self { points, features: [Feature::Face; 2] }
    }
}

impl Distance {
    /// Of two convex things.
    pub(crate) fn between(a: &ConvexPart<'_>, b: &ConvexPart<'_>) -> Self {
        let scale = a.reach() + b.reach();
        match straight(&a.core, &b.core) {
            Some(cores) => Self::of_cores(cores, [a.radius, b.radius], 32.0 * UNIT_ROUNDOFF * scale),
            None => {
                let resolution = RESOLUTION * scale;
                if let Some(cores) = point_to_round(&a.core, &b.core) {
                    return Self::of_cores(cores, [a.radius, b.radius], resolution);
                }
                let tolerance = larger(a.core.tolerance(), b.core.tolerance());
                let separation = separate(&a.core, &b.core, larger(resolution * 0.25, tolerance));
                let SupportPoint { at, core } = separation.nearest;
                let mut gap = Self::of_cores(CoreDistance::faces([core, core + at]), [a.radius, b.radius], resolution);
                if tolerance > resolution {
                    // What shorter arcs are near, this one is at least as near.
                    gap.clearance = smaller(gap.clearance, separation.least - (a.radius + b.radius));
                }
                if separation.normal.is_none() {
                    // Their cores have a point in common.
                    gap.clearance = -(a.radius + b.radius);
                    (gap.points, gap.normal) = ([core; 2], DVec3::ZERO);
                }
                gap
            }
        }
    }

    fn of_cores(cores: CoreDistance, [a, b]: [f64; 2], error: f64) -> Self {
        let [p, q] = cores.points;
        let apart = sqrt((q - p).length_squared());
        let normal = unit(q - p).unwrap_or(DVec3::ZERO);
        let clearance = apart - a - b;
        let points = if clearance > 0.0 {
            [p + normal * a, q - normal * b]
        } else {
            // Half-way through what they have in common.
            [p + normal * smaller(larger(0.5 * (apart + a - b), 0.0), apart); 2]
        };
        Self { clearance, points, cores: cores.points, normal, features: cores.features, error }
    }

    /// Whether they are in contact, as far as f64 can tell.
    pub(crate) fn is_contact(&self) -> bool {
        self.clearance <= self.error
    }

    /// Gaps are compared by this: the clearance, but what is in contact comes before all that is apart, as the one may be farther apart than the other if it
    /// is larger, so that more of it is rounding. What f64 has no number for is farther than everything.
    pub(crate) fn nearness(&self) -> f64 {
        smaller(self.clearance, if self.is_contact() { 0.0 } else { f64::INFINITY })
    }

    pub(crate) fn swapped(self) -> Self {
        let turned = |[a, b]: [DVec3; 2]| [b, a];
        let [of_a, of_b] = self.features;
        let (points, cores) = (turned(self.points), turned(self.cores));
        Self { points, cores, features: [of_b, of_a], normal: -self.normal, ..self }
    }
}

/// From a point of the first to one of the second, by the farthest points of both.
pub(super) fn separate(a: &ConvexCore<'_>, b: &ConvexCore<'_>, resolution: f64) -> Separation {
    let farthest = |direction: DVec3| {
        let core = a.farthest(-direction);
        SupportPoint { at: b.farthest(direction) - core, core }
    };
    separation(farthest, a.some_point() - b.some_point(), resolution)
}

/// In closed form, of what has few corners.
fn straight(a: &ConvexCore<'_>, b: &ConvexCore<'_>) -> Option<CoreDistance> {
    use ConvexCore::{Point, Segment, Triangle};
    Some(match (a, b) {
        (Point(p), Point(q)) => CoreDistance::faces([*p, *q]),
        (Point(p), Segment([a, b])) => CoreDistance::faces([*p, on_segment(*p, *a, *b)]),
        (Segment(_), Point(_)) => straight(b, a)?.swapped(),
        (Point(p), Triangle(corners)) => to_triangle(*p, *corners),
        (Triangle(_), Point(_)) => straight(b, a)?.swapped(),
        (Segment([a, b]), Segment([p, q])) => {
            let (middle, half) = ((*a + *b) * 0.5, (*b - *a) * 0.5);
            let pair = segment_segment(half, *p - middle, *q - middle, 0);
            CoreDistance::faces([pair.core + middle, pair.point + middle])
        }
        (Segment(ends), Triangle(corners)) => segment_to_triangle(*ends, *corners),
        (Triangle(_), Segment(_)) => straight(b, a)?.swapped(),
        (Triangle(a), Triangle(b)) => triangle_to_triangle(*a, *b),
        _ => return None,
    })
}

/// The closest points of a point and a round solid, in closed form: the same one twice where the point is inside.
fn point_to_round(a: &ConvexCore<'_>, b: &ConvexCore<'_>) -> Option<CoreDistance> {
    match (a, b) {
        (ConvexCore::Point(point), ConvexCore::Round { shape, to_world }) => {
            let seen = DAffine3 { translation: to_world.translation - *point, ..*to_world };
            let foot = round_foot(shape, &seen)?;
            let nearest = if foot.is_inside { *point } else { *point + foot.point };
            Some(CoreDistance::faces([*point, nearest]))
        }
        (ConvexCore::Round { .. }, ConvexCore::Point(_)) => point_to_round(b, a).map(CoreDistance::swapped),
        _ => None,
    }
}

/// Returns the point of a segment that is nearest to another point.
pub(crate) fn on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    let square = along.length_squared();
    let s = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    a + along * s
}

pub(super) fn to_triangle(p: DVec3, corners: [DVec3; 3]) -> CoreDistance {
    let pair = point_triangle(p, corners);
    CoreDistance { points: [p, pair.point], features: [Feature::Face, pair.feature] }
}

/// Of a segment, an end is a corner of the same number.
fn segment_to_triangle(ends: [DVec3; 2], corners: [DVec3; 3]) -> CoreDistance {
    let middle = SegmentMiddle::of(ends);
    middle.cores(segment_triangle(middle.half, corners.map(|corner| corner - middle.at)))
}

/// A segment, as its middle sees it.
#[derive(Clone, Copy)]
pub(super) struct SegmentMiddle {
    ends: [DVec3; 2],
    pub(super) at: DVec3,
    pub(super) half: DVec3,
}

impl SegmentMiddle {
    pub(super) fn of([a, b]: [DVec3; 2]) -> Self {
        Self { ends: [a, b], at: (a + b) * 0.5, half: (b - a) * 0.5 }
    }

    /// Moves the closest points from the middle, which they are relative to, to their place.
    pub(super) fn cores(&self, pair: ClosestPair) -> CoreDistance {
        let (own, at) = match pair.core {
            core if core == -self.half => (Feature::Vertex(0), self.ends[0]),
            core if core == self.half => (Feature::Vertex(1), self.ends[1]),
            core => (Feature::Edge(0), core + self.at),
        };
        CoreDistance { points: [at, pair.point + self.at], features: [own, pair.feature] }
    }
}
