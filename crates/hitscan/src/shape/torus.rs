//! Ray against torus.

use super::normalized_ray::ScaledRay;
use super::{
    Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Span, Spans, Vicinity, around_segment, check_size,
    onto_ball, resolve, smooth_facets, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::math::float::{bracketed_root, gamma, unit};
use crate::save::value;
use glam::{DVec3, Vec3};

/// A solid ring: the points at most `minor` from the circle of radius `major` around the y axis, in the plane y = 0.
///
/// It is closed, and a line crosses it in up to four points. A ray that only touches the surface from outside hits it
/// once; touching the hole's surface from inside the ring is no crossing. `major` 0 gives a ball. A `minor` above
/// `major` gives a ring without a hole, with a dimple at each pole and no cavity inside.
///
/// The crossings are roots of the distance from the circle minus `minor`, computed in f64 and without a tolerance. A
/// quartic polynomial is not used, because its coefficients lose the digits of a thin ring. The result is as if the
/// ray had been moved by about 1e-15 of a length. The length is the distance from the ray's origin to the ring, or
/// the ring's size, whichever is more.
///
/// ```
/// use hitscan::{Inside, Ray, Torus};
///
/// let ring = Torus::new(2.0, 0.5);
/// let through_both_sides = Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
/// assert_eq!(ring.cast(&through_both_sides).unwrap().t, 2.5);
/// assert!(!ring.is_blocked(&Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0])));
/// let from_within = Ray::new([-2.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
/// assert_eq!(ring.when_inside(Inside::Ignore).cast(&from_within).unwrap().t, 3.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Torus {
    /// Radius of the circle in the middle of the ring.
    pub major: f32,
    /// Radius of the tube around that circle.
    pub minor: f32,
}

solid_queries!(Torus);
value!(Torus { major, minor });

impl Torus {
    /// Makes a torus around the y axis, with its centre at the origin.
    pub const fn new(major: f32, minor: f32) -> Self {
        Self { major, minor }
    }

    /// Returns the intervals of t in which a point of a line is within `distance` of the ring. There are one or two, in their order.
    pub(crate) fn near(&self, line: &LocalRay, distance: f64) -> impl Iterator<Item = (f64, f64)> {
        let ring = RingLine::new(line, self.major.into(), f64::from(self.minor) + distance);
        ring.into_iter().flat_map(|ring| ring.dips().into_iter().flatten().map(move |ends| ring.ts(ends)))
    }

    fn spans(&self, ray: &LocalRay) -> Spans {
        let mut spans = Spans::new();
        if self.validate().is_ok()
            && let Some(line) = RingLine::new(ray, self.major.into(), self.minor.into())
        {
            for ends in line.dips().into_iter().flatten() {
                spans.push(Span::of_feature(line.ts(ends), 0));
            }
        }
        spans
    }
}

/// A line near the ring, by steps x from its point closest to the ring's centre.
///
/// The surface is where f(x) = (rho - major)^2 + y^2 - minor^2 is 0, with rho(x) = sqrt(a (x - turn)^2 + nearest^2) the
/// distance from the axis. Half its second derivative, d.d - major a nearest^2 / rho^3, is negative around `turn` up to
/// where rho^3 = major a nearest^2 / d.d, or nowhere. So the slope rises, falls and rises over three known intervals. Each interval contains at most one
/// extremum of f. Between two extrema, f has at most one root, so every root is bracketed.
struct RingLine {
    ray: ScaledRay,
    major: f64,
    minor: f64,
    /// The ray's own origin, near the ring.
    own_origin: DVec3,
    /// The squared length of the direction's component perpendicular to the axis.
    a: f64,
    /// The step at which the line is nearest to the axis. The distance there is `nearest`.
    turn: f64,
    nearest: f64,
    /// The whole ring is between -limit and limit.
    limit: f64,
}

impl RingLine {
    /// Returns `None` for a line that misses the ball around the ring.
    fn new(ray: &LocalRay, major: f64, minor: f64) -> Option<Self> {
        let outer = major + minor;
        let ray = ScaledRay::new(ray, DVec3::ZERO, outer);
        let [major, minor, outer] = [major, minor, outer].map(|size| size / ray.unit);
        let own_origin = ray.origin;
        let ray = ray.at_closest();
        let (foot, d) = (ray.origin, ray.direction);
        if !(foot.length_squared() <= outer * outer * (1.0 + gamma(16))) {
            return None;
        }
        let a = d.x * d.x + d.z * d.z;
        let (turn, nearest) = if a > 0.0 {
            (-(foot.x * d.x + foot.z * d.z) / a, (foot.x * d.z - foot.z * d.x).abs() / libm::sqrt(a))
        } else {
            (0.0, libm::sqrt(foot.x * foot.x + foot.z * foot.z))
        };
        // The direction's length is at least 1.
        Some(Self { ray, own_origin, major, minor, a, turn, nearest, limit: 2.0 * outer })
    }

    fn ts(&self, (enter, exit): (f64, f64)) -> (f64, f64) {
        (self.ray.t(enter), self.ray.t(exit))
    }

    fn rho(&self, x: f64) -> f64 {
        let along = x - self.turn;
        libm::sqrt(self.a * along * along + self.nearest * self.nearest)
    }

    fn y(&self, x: f64) -> f64 {
        self.ray.origin.y + x * self.ray.direction.y
    }

    /// Returns f(x). At the ray's origin, f is computed from the given coordinates. So it is 0 for an origin on the surface.
    fn value(&self, x: f64) -> f64 {
        let (rho, y) = if x == self.ray.own_origin() {
            let o = self.own_origin;
            (libm::sqrt(o.x * o.x + o.z * o.z), o.y)
        } else {
            (self.rho(x), self.y(x))
        };
        let from_circle = libm::sqrt((rho - self.major) * (rho - self.major) + y * y);
        (from_circle - self.minor) * (from_circle + self.minor)
    }

    /// Returns f'(x) / 2 and f''(x) / 2. On the axis, where rho has no derivative, the terms with the derivative of rho are left out.
    fn slope(&self, x: f64) -> (f64, f64) {
        let rho = self.rho(x);
        let per_rho = if rho > 0.0 { 1.0 / rho } else { 0.0 };
        let dy = self.ray.direction.y;
        let slope = (1.0 - self.major * per_rho) * self.a * (x - self.turn) + self.y(x) * dy;
        let bend = self.major * self.a * per_rho * (self.nearest * per_rho) * (self.nearest * per_rho);
        (slope, self.a + dy * dy - bend)
    }

    /// Returns the interval where f is concave, if there is one. For a line through the axis it is a point, where f has
    /// a kink.
    fn concave(&self) -> Option<(f64, f64)> {
        if self.a == 0.0 || self.major == 0.0 {
            return None;
        }
        let share = self.a / self.ray.direction.length_squared();
        let rho = libm::cbrt(self.major * share * self.nearest * self.nearest);
        let reach = (rho - self.nearest) * (rho + self.nearest);
        let reach = (reach >= 0.0).then(|| libm::sqrt(reach / self.a))?;
        let clamp = |x: f64| x.clamp(-self.limit, self.limit);
        Some((clamp(self.turn - reach), clamp(self.turn + reach)))
    }

    /// Returns the intervals where f is not positive.
    fn dips(&self) -> [Option<(f64, f64)>; 2] {
        let (low, high) = (-self.limit, self.limit);
        let minimum = |low: f64, high: f64| bracketed_root(low, high, f64::NAN, |x| self.slope(x));
        let Some((left, right)) = self.concave() else {
            return [self.dip(low, minimum(low, high), high), None];
        };
        // The function f' / 2 jumps down by twice this value at a kink.
        let kink = if self.nearest == 0.0 { self.major * libm::sqrt(self.a) } else { 0.0 };
        if self.slope(left).0 + kink <= 0.0 {
            return [self.dip(low, minimum(right, high), high), None];
        }
        if self.slope(right).0 - kink >= 0.0 {
            return [self.dip(low, minimum(low, left), high), None];
        }
        let summit = bracketed_root(right, left, f64::NAN, |x| self.slope(x));
        let first = self.dip(low, minimum(low, left), summit);
        let second = self.dip(summit, minimum(right, high), high);
        if self.value(summit) > 0.0 {
            return [first, second];
        }
        let (enter, _) = first.unwrap_or((summit, summit));
        let (_, exit) = second.unwrap_or((summit, summit));
        [Some((enter, exit)), None]
    }

    /// Returns the interval around a minimum between two places where f is positive. If f is 0 at the minimum, the line touches.
    fn dip(&self, left: f64, bottom: f64, right: f64) -> Option<(f64, f64)> {
        let depth = self.value(bottom);
        if !(depth <= 0.0) {
            return None;
        }
        if depth == 0.0 {
            return Some((bottom, bottom));
        }
        // The search for the root evaluates f at the ray's origin first, so that the sign of t agrees with whether the origin is inside.
        let root = |outside: f64| {
            bracketed_root(bottom, outside, self.ray.own_origin(), |x| (self.value(x), 2.0 * self.slope(x).0))
        };
        Some((root(left), root(right)))
    }
}

impl Torus {
    /// Returns whether a point is certainly outside of the ring, beyond any rounding. This costs less than a ray.
    fn is_surely_outside(&self, p: DVec3) -> bool {
        let [major, minor] = [self.major, self.minor].map(f64::from);
        let off = libm::sqrt(p.x * p.x + p.z * p.z) - major;
        let doubt = (major + minor) / (1u64 << 40) as f64;
        libm::sqrt(off * off + p.y * p.y) > minor + doubt
    }
}

impl RayTest for Torus {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(self.spans(ray), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let p = ray.at(hit.exact_t);
        let rho = libm::sqrt(p.x * p.x + p.z * p.z);
        let from_circle = if rho > 0.0 { (rho - f64::from(self.major)) / rho } else { 0.0 };
        DVec3::new(p.x * from_circle, p.y, p.z * from_circle)
    }

    /// The point is on the ball around the nearest point of the ring's circle; on the axis every point of the circle is equally near.
    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let p = ray.at(hit.exact_t);
        let outward = unit(DVec3::new(p.x, 0.0, p.z)).unwrap_or(DVec3::X);
        onto_ball(p, outward * f64::from(self.major), self.minor.into())
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let outward = unit(DVec3::new(at.point.x, 0.0, at.point.z)).unwrap_or(DVec3::X);
        let middle = outward * f64::from(self.major);
        smooth_facets(at, onto_ball(at.point, middle, self.minor.into()), at.point - middle)
    }

    fn bounds(&self) -> Aabb {
        let ring = Vec3::new(self.major, 0.0, self.major);
        around_segment(-ring, ring, DVec3::splat(self.minor.into()))
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_size("major radius", self.major)?;
        check_size("minor radius", self.minor)
    }
}

impl ShapeFacts for Torus {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Torus
    }

    fn quick_inside(&self, point: DVec3) -> Option<bool> {
        self.is_surely_outside(point).then_some(false)
    }
}
