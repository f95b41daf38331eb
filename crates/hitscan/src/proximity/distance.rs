//! The distance between two convex shapes: in closed form if each is a point, segment or triangle, else by their support functions.

use super::convex_core::{ConvexCore, ConvexPart};
use super::point_query::round_foot;
use super::triangle_distance::triangle_to_triangle;
use crate::convex::{
    ClosestPair, Feature, RESOLUTION, Separation, SupportPoint, point_triangle, segment_segment, segment_triangle,
    separation,
};
use crate::math::float::{UNIT_ROUNDOFF, larger, smaller, sqrt, unit};
use glam::{DAffine3, DVec3};

/// The closest points of two shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    /// The distance between the cores minus both radii. If this is negative and the cores are apart, its magnitude is the depth of the overlap.
    pub(crate) clearance: f64,
    /// The points on each shape.
    pub(crate) points: [DVec3; 2],
    /// The points on each core.
    pub(crate) cores: [DVec3; 2],
    /// The unit vector from the first to the second; zero if there is no such direction.
    pub(crate) normal: DVec3,
    pub(crate) features: [Feature; 2],
    /// The error of the distance.
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

    /// Returns closest points on faces.
    fn faces(points: [DVec3; 2]) -> Self {
        Self { points, features: [Feature::Face; 2] }
    }
}

impl Distance {
    /// Returns the distance of two convex shapes.
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
                    // The halves of the arc are inside its hull, so the hull is at least as near.
                    gap.clearance = smaller(gap.clearance, separation.least - (a.radius + b.radius));
                }
                if separation.normal.is_none() {
                    // The cores have a point in common.
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
            // The point is in the middle of the overlap.
            [p + normal * smaller(larger(0.5 * (apart + a - b), 0.0), apart); 2]
        };
        Self { clearance, points, cores: cores.points, normal, features: cores.features, error }
    }

    /// Returns whether the two shapes are in contact, as far as f64 can tell.
    pub(crate) fn is_contact(&self) -> bool {
        self.clearance <= self.error
    }

    /// Returns the key by which gaps are compared: the clearance, but at most 0 for a contact, so that contacts come before all gaps. The clearance of a
    /// contact may be above 0 by rounding, and more so for a larger shape. A NaN clearance is farther than everything.
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

/// Returns the separation of two cores by their support functions: the vector from the nearest point of the first to the nearest point of the second.
pub(super) fn separate(a: &ConvexCore<'_>, b: &ConvexCore<'_>, resolution: f64) -> Separation {
    let farthest = |direction: DVec3| {
        let core = a.farthest(-direction);
        SupportPoint { at: b.farthest(direction) - core, core }
    };
    separation(farthest, a.some_point() - b.some_point(), resolution)
}

/// Returns the closest points of cores with few corners, in closed form.
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

/// Returns the closest points of a point and a round solid, in closed form. If the point is inside, both are the point itself.
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

/// Returns the closest points of a segment and a triangle. The feature of an end of the segment is the vertex with the end's number.
fn segment_to_triangle(ends: [DVec3; 2], corners: [DVec3; 3]) -> CoreDistance {
    let middle = SegmentMiddle::between(ends);
    middle.cores(segment_triangle(middle.half, corners.map(|corner| corner - middle.at)))
}

/// A segment relative to its middle.
#[derive(Clone, Copy)]
pub(super) struct SegmentMiddle {
    ends: [DVec3; 2],
    pub(super) at: DVec3,
    pub(super) half: DVec3,
}

impl SegmentMiddle {
    pub(super) fn between([a, b]: [DVec3; 2]) -> Self {
        Self { ends: [a, b], at: (a + b) * 0.5, half: (b - a) * 0.5 }
    }

    /// Converts closest points that are relative to the middle to the coordinates in which the ends are given.
    pub(super) fn cores(&self, pair: ClosestPair) -> CoreDistance {
        let (own, at) = match pair.core {
            core if core == -self.half => (Feature::Vertex(0), self.ends[0]),
            core if core == self.half => (Feature::Vertex(1), self.ends[1]),
            core => (Feature::Edge(0), core + self.at),
        };
        CoreDistance { points: [at, pair.point + self.at], features: [own, pair.feature] }
    }
}
