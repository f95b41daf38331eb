//! The nearest point of an elliptic cone, which is the image of a round one under an affine map.

use super::foot_point::SurfaceFoot;
use super::principal_axes::Orthogonal;
use crate::math::float::{UNIT_ROUNDOFF, largest, length, sqrt, unit};
use crate::math::perpendicular::{beside, plane_normal};
use glam::{DVec2, DVec3};

/// The maximum number of sweeps of rotations, and of halvings of the angle between two rays.
const MOST_SWEEPS: usize = 32;
const HALVINGS: usize = 80;
/// The maximum number of times that a ray is refined.
const REFINEMENTS: usize = 8;

/// The rays from an apex through an ellipse: `p` cos + `q` sin + `axis`.
pub(super) struct EllipticCone {
    apex: DVec3,
    span: [DVec3; 2],
    axis: DVec3,
}

/// The ray of the cone that is nearest to the origin.
pub(super) struct ConeFoot {
    /// The height of the origin above the tangent plane of the cone along the ray.
    pub(super) height: f64,
    /// The outward normal of that plane.
    pub(super) normal: DVec3,
    /// The position of the foot along the ray, as a fraction of the distance from the apex to the ellipse. A negative one is behind the apex.
    pub(super) along: f64,
    ray: DVec3,
}

impl EllipticCone {
    /// Returns `None` for a cone without an interior.
    pub(super) fn new(apex: DVec3, span: [DVec3; 2], axis: DVec3) -> Option<Self> {
        let axes = Orthogonal::rotated(span);
        (axes.lengths()[1] > 0.0 && axis != DVec3::ZERO).then_some(Self { apex, span: axes.columns, axis })
    }

    pub(super) fn foot(&self) -> ConeFoot {
        let place = -self.apex;
        let nearest = self.nearest_ray(place);
        let foot = self.foot_at(nearest);
        if foot.height <= 0.0 || foot.along <= 0.0 {
            return foot;
        }
        // The true distance of an outside point is between its distances to the tangent plane and to the ray.
        let refined = self.foot_at(self.refined(place, nearest));
        let gap = |foot: &ConeFoot| self.outside_foot(foot).distance() - foot.height;
        if refined.height > 0.0 && gap(&refined) < gap(&foot) { refined } else { foot }
    }

    fn foot_at(&self, at: [f64; 2]) -> ConeFoot {
        let (ray, around, place) = (self.ray(at), self.around(at), -self.apex);
        let normal = plane_normal(around, ray).unwrap_or(DVec3::Y);
        let normal = if normal.dot(self.inwards(at)) > 0.0 { -normal } else { normal };
        ConeFoot { height: normal.dot(place), normal, along: ray.dot(place) / ray.length_squared(), ray }
    }

    /// Returns the point of the solid cone that is nearest to the origin, which is outside: it is on the ray. No point of the cone is in front of the tangent
    /// plane. If the plane is as far away as the point, its normal is the more accurate one. Otherwise, as at the edge of a blade, the direction from the point
    /// to the origin is more accurate.
    pub(super) fn outside_foot(&self, foot: &ConeFoot) -> SurfaceFoot {
        let along = foot.along.max(0.0);
        let nearest = SurfaceFoot::outside(self.apex + foot.ray * along, foot.normal);
        let rounding = 16.0 * UNIT_ROUNDOFF * (largest(self.apex) + largest(foot.ray) * along);
        if nearest.distance() - foot.height <= rounding {
            SurfaceFoot { normal: foot.normal, ..nearest }
        } else {
            nearest
        }
    }

    /// Returns the cosine and sine of the ray that is nearest to a place. Consider the frame in which the cone is symmetric, with semi-axes a and b at
    /// height 1. There, this ray is in the same quadrant as the place, both for a place inside and for one outside. The ray and the cone's normal at the
    /// ray span a plane that contains the place.
    fn nearest_ray(&self, place: DVec3) -> [f64; 2] {
        let symmetric = Symmetric::diagonalized([self.span[0], self.span[1], self.axis]);
        let [x, y, z] = symmetric.columns.map(|column| unit(column).map_or(0.0, |axis| axis.dot(place)));
        let [a, b, c] = symmetric.columns.map(length);
        let (a, b) = (a / c, b / c);
        let quarter = quarter_root([x.abs() * (b + 1.0 / b), y.abs() * (a + 1.0 / a), z * (b / a - a / b)]);
        symmetric.given(DVec2::new(quarter.x.copysign(x), quarter.y.copysign(y)))
    }

    /// Turns the ray towards the place by the place's sideways distance, as long as the ray comes nearer. This is needed because, for a slanted cone, the frame
    /// in which it is symmetric is less accurate than the rays themselves.
    fn refined(&self, place: DVec3, mut at: [f64; 2]) -> [f64; 2] {
        let square = |at: [f64; 2]| self.ray(at).cross(place).length_squared() / self.ray(at).length_squared();
        for _ in 0..REFINEMENTS {
            let (ray, around) = (self.ray(at), self.around(at));
            let along = place.dot(ray) / ray.length_squared();
            let Some(aside) = unit(ray).and_then(|axis| beside(axis, around)) else { break };
            let turn = place.dot(aside) / (along * aside.dot(around));
            let next = DVec2::from_array(at) + DVec2::new(-at[1], at[0]) * turn;
            let next = (next / sqrt(next.length_squared())).to_array();
            if !(along > 0.0 && square(next) < square(at)) {
                break;
            }
            at = next;
        }
        at
    }

    /// Returns a vector from a ray to the inside of the cone: along the axis, and from the ellipse to its centre. The normal is perpendicular to the ray, so
    /// its dot products with these two vectors have the same sign. But for a needle, the product with the axis is no more than rounding; for a flat cone, the
    /// product with the other vector is.
    fn inwards(&self, at: [f64; 2]) -> DVec3 {
        let [axis, outwards] = [self.axis, self.spoke(at)].map(|part| unit(part).unwrap_or(DVec3::ZERO));
        axis - outwards
    }

    fn ray(&self, at: [f64; 2]) -> DVec3 {
        self.spoke(at) + self.axis
    }

    fn spoke(&self, [cosine, sine]: [f64; 2]) -> DVec3 {
        self.span[0] * cosine + self.span[1] * sine
    }

    fn around(&self, [cosine, sine]: [f64; 2]) -> DVec3 {
        self.span[1] * cosine - self.span[0] * sine
    }
}

/// Finds the root of p / cos - q / sin + r, which is increasing, in the first quadrant. If there is no root, it returns an end of the quadrant.
fn quarter_root([p, q, r]: [f64; 3]) -> DVec2 {
    if q == 0.0 && p + r >= 0.0 {
        return DVec2::X;
    }
    if p == 0.0 && r <= q {
        return DVec2::Y;
    }
    let (mut low, mut high) = (DVec2::X, DVec2::Y);
    for _ in 0..HALVINGS {
        let sum = low + high;
        let middle = sum / sqrt(sum.length_squared());
        if middle == low || middle == high {
            break;
        }
        let value = p * middle.y - q * middle.x + r * (middle.x * middle.y);
        *(if value < 0.0 { &mut low } else { &mut high }) = middle;
    }
    high
}

/// Orthogonal columns that span the same cone. The first two are rotated into each other and hyperbolically into the
/// third, which keeps the set of all x p + y q + z axis with x^2 + y^2 <= z^2 (H. Zha, "A Note on the Existence of the
/// Hyperbolic Singular Value Decomposition", 1996).
struct Symmetric {
    columns: [DVec3; 3],
    parts: [[f64; 3]; 3],
}

impl Symmetric {
    fn diagonalized(columns: [DVec3; 3]) -> Self {
        let mut found = Self { columns, parts: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };
        for _ in 0..MOST_SWEEPS {
            let is_changed = [found.turn(0, 1), found.slide(0), found.slide(1)];
            if is_changed == [false; 3] {
                break;
            }
        }
        found
    }

    /// Converts the cosine and sine of a ray in the frame of the columns to its cosine and sine with respect to the given vectors.
    fn given(&self, at: DVec2) -> [f64; 2] {
        let given = |i: usize| self.parts[0][i] * at.x + self.parts[1][i] * at.y + self.parts[2][i];
        let around = DVec2::new(given(0), given(1));
        let size = sqrt(around.length_squared());
        if size > 0.0 { [around.x / size, around.y / size] } else { [1.0, 0.0] }
    }

    fn are_orthogonal(a: DVec3, b: DVec3) -> bool {
        let product = a.dot(b);
        product * product <= f64::EPSILON * f64::EPSILON * 4.0 * a.length_squared() * b.length_squared()
    }

    fn turn(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (self.columns[first], self.columns[second]);
        if Self::are_orthogonal(a, b) {
            return false;
        }
        let slope = (b.length_squared() - a.length_squared()) / (2.0 * a.dot(b));
        let tangent = 1.0f64.copysign(slope) / (slope.abs() + sqrt(1.0 + slope * slope));
        let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
        let sine = cosine * tangent;
        self.mix(first, second, [[cosine, -sine], [sine, cosine]]);
        true
    }

    fn slide(&mut self, first: usize) -> bool {
        let (a, b) = (self.columns[first], self.columns[2]);
        if Self::are_orthogonal(a, b) {
            return false;
        }
        let squares = a.length_squared() + b.length_squared();
        let difference = sqrt((a - b).length_squared()) * sqrt((a + b).length_squared());
        let tangent = -2.0 * a.dot(b) / (squares + difference);
        let cosine = 1.0 / sqrt((1.0 - tangent) * (1.0 + tangent));
        if !cosine.is_finite() {
            return false;
        }
        let sine = cosine * tangent;
        self.mix(first, 2, [[cosine, sine], [sine, cosine]]);
        true
    }

    fn mix(&mut self, first: usize, second: usize, [[aa, ab], [ba, bb]]: [[f64; 2]; 2]) {
        let (a, b) = (self.columns[first], self.columns[second]);
        (self.columns[first], self.columns[second]) = (a * aa + b * ab, a * ba + b * bb);
        let (p, q) = (self.parts[first], self.parts[second]);
        self.parts[first] = core::array::from_fn(|i| p[i] * aa + q[i] * ab);
        self.parts[second] = core::array::from_fn(|i| p[i] * ba + q[i] * bb);
    }
}
