//! Ray-triangle intersection: Möller-Trumbore with certified signs, shared with the mesh.

use super::facet::determinant;
use super::{Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Vicinity, check_point, shape_queries};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::{Cull, Culled, Inside};
use crate::geom::hit::{RawHit, ShapeHit, Side};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::dvec3_lanes::DVec3Lanes;
use crate::math::exact_predicates::{self, Term};
use crate::math::filtered_predicates::{Bounded, fraction, round_quotient};
use crate::math::float::{UNDERFLOW_GUARD, UNIT_ROUNDOFF, larger};
use crate::save::value;
use core::cmp::Ordering;
use glam::{DVec2, DVec3, Vec3};

/// A closed triangle: its edges and corners belong to it. Counter-clockwise corners face front.
///
/// Hit or miss is decided exactly on the f32 input (no epsilon), so a ray through a shared edge hits at least one of
/// two neighbours. The reported t is the exact quotient rounded once. A ray in the triangle's plane does not hit, and
/// no ray hits a triangle without area.
///
/// ```
/// use hitscan::{Cull, Ray, Triangle};
///
/// let triangle = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]);
/// let hit = triangle.cast(&ray).unwrap();
/// assert_eq!((hit.t, hit.uv.unwrap().to_array()), (1.0, [0.25, 0.5]));
/// assert!(triangle.culled(Cull::Front).cast(&ray).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Triangle {
    /// The corner with barycentrics (0, 0).
    pub a: Vec3,
    /// The corner with barycentrics (1, 0).
    pub b: Vec3,
    /// The corner with barycentrics (0, 1).
    pub c: Vec3,
}

shape_queries!(Triangle);
value!(Triangle { a, b, c });

impl Triangle {
    /// Makes a triangle from its corners.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Self {
        Self { a: a.into(), b: b.into(), c: c.into() }
    }

    /// Returns the triangle as seen by rays that pass through one of its sides.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }

    fn is_finite(&self) -> bool {
        self.a.is_finite() && self.b.is_finite() && self.c.is_finite()
    }

    fn corners(&self) -> [DVec3; 3] {
        [self.a, self.b, self.c].map(|v| v.as_dvec3())
    }
}

impl Culled<'_, Triangle> {
    /// Answers as [`Triangle::cast`] does, but only with hits on the sides that the view keeps.
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        self.surface.cast(ray).filter(|hit| self.cull.keeps(hit.side))
    }
}

impl RayTest for Triangle {
    fn hits(&self, ray: &LocalRay, _: Inside, start: RayStart) -> RawHits {
        if start != RayStart::Anywhere || !self.is_finite() {
            return RawHits::new();
        }
        RawHits::from_option(intersect(ray, self.corners()))
    }

    fn outward_normal(&self, _: &LocalRay, _: &RawHit) -> DVec3 {
        normal(self.corners())
    }

    fn surface_point(&self, ray: &LocalRay, _: &RawHit) -> DVec3 {
        precise_point(ray, self.corners())
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let facet = facet(at, 0, self.corners());
        facet.map(|facet| with_barycentrics(facet, at, self.corners())).into_iter().collect()
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_points([self.a, self.b, self.c])
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_point("corner a", self.a)?;
        check_point("corner b", self.b)?;
        check_point("corner c", self.c)?;
        if exact_normal(self.corners()) == DVec3::ZERO { Err(ShapeError::NoArea) } else { Ok(()) }
    }
}

impl ShapeFacts for Triangle {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Triangle([self.a, self.b, self.c])
    }

    /// The middle of the box around a triangle may be beside it.
    fn middle(&self) -> DVec3 {
        (self.a.as_dvec3() + self.b.as_dvec3() + self.c.as_dvec3()) / 3.0
    }

    fn front(&self) -> Option<(DVec3, DVec3)> {
        Some((self.a.as_dvec3(), normal([self.a, self.b, self.c].map(|corner| corner.as_dvec3()))))
    }
}

/// Returns the front normal, of any length, of finite f32 corners. It is off by less than 2^-32 of its length, and zero
/// only for a triangle without area.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn normal<V: DVec3Lanes>([a, b, c]: [V; 3]) -> V {
    const MOST_RELATIVE_ERROR: f64 = 1.0 / (1u64 << 32) as f64;
    let (x, y) = (b - a, c - a);
    let (cross, reach) = (x.cross(y), larger(x.largest(), y.largest()));
    // Each component is a difference of two products of at most reach^2. It is rounded by the two differences in each product, by the product and by the final
    // difference.
    let error = 16.0 * UNIT_ROUNDOFF * reach * reach;
    if error < MOST_RELATIVE_ERROR * cross.largest() {
        cross
    } else {
        cross.alike(exact_normal([a.into(), b.into(), c.into()]))
    }
}

/// Returns the [`normal`], each component rounded once: a cross b + b cross c + c cross a, summed exactly.
#[cold]
pub(crate) fn exact_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let component = |j: usize, k: usize| {
        let edge = |p: DVec3, q: DVec3| [[p[j], q[k], 1.0, 1.0], [-p[k], q[j], 1.0, 1.0]];
        let [[p, q], [r, s], [t, u]] = [edge(a, b), edge(b, c), edge(c, a)];
        exact_predicates::sum_of_products(&[p, q, r, s, t, u])
    };
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

/// Returns the side of a triangle's plane that a point is on, decided exactly: `Greater` in front, `Less` behind.
pub(crate) fn side_of_plane(corners: [Vec3; 3], point: DVec3) -> Ordering {
    let [a, b, c] = corners.map(|v| v.as_dvec3());
    determinant(point - a, b - a, c - a).sign_or(|| exact_predicates::sign_of_side(point, [a, b, c]))
}

/// Returns the facet of a triangle at a point, without its barycentrics; `None` if the point is not on it.
pub(crate) fn facet(at: &Vicinity, number: u32, corners: [DVec3; 3]) -> Option<Facet> {
    let [a, b, c] = corners;
    Facet::of_polygon(at, number, (normal(corners), [b - a, c - a]), corners)
}

/// Returns the same facet with the barycentrics of the point. They are computed separately because few facets need them, and
/// they may require exact arithmetic.
pub(crate) fn with_barycentrics(facet: Facet, at: &Vicinity, corners: [DVec3; 3]) -> Facet {
    Facet { uv: Some(barycentrics([at.point, facet.normal], corners)), ..facet }
}

/// Intersects the ray with the closed triangle with finite f32 corners (held in f64).
pub(crate) fn intersect(ray: &LocalRay, corners: [DVec3; 3]) -> Option<RawHit> {
    let Verdict { t, side } = verdict(ray, corners)?;
    let uv = Some(barycentrics(ray.line(), corners));
    Some(RawHit { t, exact_t: t.into(), side, feature: 0, crossing: 0, uv })
}

/// A hit of a ray on a triangle. It has only the data that decide whether the hit is accepted.
#[derive(Clone, Copy)]
pub(crate) struct Verdict {
    pub(crate) t: f32,
    pub(crate) side: Side,
}

/// Decides whether the ray hits the closed triangle with finite f32 corners (held in f64, perhaps all times a power of two).
///
/// Each deciding sign is certified by an error bound or else decided exactly, on the input numbers. So the answer does not depend on the formula.
pub(crate) fn verdict(ray: &LocalRay, [a, b, c]: [DVec3; 3]) -> Option<Verdict> {
    let (o, d) = (ray.origin, ray.direction);
    let (values, sizes) = determinants([o, d], [a, b, c]);
    let det = Bounded::new(values.det, sizes.det);
    let (u, v) = (Bounded::new(values.u, sizes.edge), Bounded::new(values.v, sizes.edge));
    let det_sign = det.sign_or(|| edge_sign(a, d, b, c));
    if det_sign == Ordering::Equal {
        return None;
    }
    let outside = |sign: Ordering| sign == det_sign.reverse();
    if outside(u.sign_or(|| edge_sign(o, d, c, a)))
        || outside(v.sign_or(|| edge_sign(o, d, a, b)))
        || outside(det.minus(u).minus(v).sign_or(|| edge_sign(o, d, b, c)))
    {
        return None;
    }
    let t = round_quotient(
        Bounded::new(values.t, sizes.t),
        det,
        || [Term(1.0, c, o, b), Term(-1.0, c, o, a), Term(-1.0, c, a, b), Term(-1.0, a, o, b)],
        || det_terms(d, a, b, c),
    );
    let side = if det_sign == Ordering::Greater { Side::Front } else { Side::Back };
    t.filter(|&t| ray.contains(t)).map(|t| Verdict { t, side })
}

/// Returns whether a line through a triangle crosses it after a move of the line. The move is an infinitely small offset that is the same for all triangles.
///
/// A ray through an edge or a corner hits all triangles around it. Triangles are treated as crossed if a line just beside the ray would go through them. So
/// fronts and backs alternate in a closed surface. The offset is along x, and infinitely smaller along y and then z, so that no edge that is not parallel to
/// the line stays on it (H. Edelsbrunner, E. P. Mücke, "Simulation of Simplicity", 1990).
pub(crate) fn is_crossed(ray: &LocalRay, [a, b, c]: [DVec3; 3]) -> bool {
    let (o, d) = (ray.origin, ray.direction);
    let (values, sizes) = determinants([o, d], [a, b, c]);
    let det = Bounded::new(values.det, sizes.det);
    let (u, v) = (Bounded::new(values.u, sizes.edge), Bounded::new(values.v, sizes.edge));
    let inside = det.sign_or(|| edge_sign(a, d, b, c));
    let side_of = |edge: Bounded, p: DVec3, q: DVec3| match edge.sign_or(|| edge_sign(o, d, p, q)) {
        Ordering::Equal => side_of_moved(d, p, q),
        side => side,
    };
    inside != Ordering::Equal
        && side_of(u, c, a) == inside
        && side_of(v, a, b) == inside
        && side_of(det.minus(u).minus(v), b, c) == inside
}

/// Returns the sign of the edge function of an edge from p to q, after the line, which goes through the edge, is moved. A motion by a small offset adds the
/// dot product of the offset and (q - p) x d.
fn side_of_moved(d: DVec3, p: DVec3, q: DVec3) -> Ordering {
    let component = |j: usize, k: usize| {
        exact_predicates::sign_of_products(&[
            [q[j], d[k], 1.0, 1.0],
            [-p[j], d[k], 1.0, 1.0],
            [-q[k], d[j], 1.0, 1.0],
            [p[k], d[j], 1.0, 1.0],
        ])
    };
    component(1, 2).then_with(|| component(2, 0)).then_with(|| component(0, 1))
}

/// Returns u and v where the ray hits the triangle, moved into it if rounding put them outside. Before they are rounded to f32, they are within 2^-30 of the
/// true values.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn barycentrics<V: DVec3Lanes>([origin, direction]: [V; 2], corners: [V; 3]) -> DVec2 {
    const MOST_ERROR: f64 = 1.0 / (1u64 << 30) as f64;
    let (values, sizes) = determinants([origin, direction], corners);
    // If the ray grazes the triangle, cancellation may leave no correct digit in the f64 values.
    let is_ordinary = values.det.abs() > UNDERFLOW_GUARD;
    if is_ordinary && RELATIVE_ERROR * (2.0 * sizes.edge + sizes.det) < MOST_ERROR * values.det.abs() {
        let inverse = 1.0 / values.det;
        return clamped(values.u * inverse, values.v * inverse);
    }
    let [a, b, c] = corners;
    exact_barycentrics(origin.into(), direction.into(), [a.into(), b.into(), c.into()])
}

/// Returns the point where a ray hits a triangle that it is known to hit. Its barycentrics have errors of at most 2^-45.
pub(crate) fn precise_point(ray: &LocalRay, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (o, d) = (ray.origin, ray.direction);
    let (values, sizes) = determinants([o, d], [a, b, c]);
    let det = Bounded::new(values.det, sizes.det);
    let (u, v) = (Bounded::new(values.u, sizes.edge), Bounded::new(values.v, sizes.edge));
    let u = fraction(u, det, || edge_terms(o, d, c, a), || det_terms(d, a, b, c));
    let v = fraction(v, det, || edge_terms(o, d, a, b), || det_terms(d, a, b, c));
    let DVec2 { x: u, y: v } = clamped(u, v);
    a + (b - a) * u + (c - a) * v
}

#[cold]
fn exact_barycentrics(o: DVec3, d: DVec3, [a, b, c]: [DVec3; 3]) -> DVec2 {
    let exact = |edge: [Term; 3]| exact_predicates::quotient(&edge, &det_terms(d, a, b, c)).map_or(0.0, f64::from);
    clamped(exact(edge_terms(o, d, c, a)), exact(edge_terms(o, d, a, b)))
}

/// The determinants from which u, v and t follow. With e1 = b - a, e2 = c - a, s = o - a and [x y z] = x . (y cross z): det = [e1 d e2] (positive for the
/// front), u det = [s d e2], v det = [d s e1], t det = [e2 s e1].
///
/// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
struct Determinants {
    det: f64,
    u: f64,
    v: f64,
    t: f64,
}

/// Bounds on the sums of the magnitudes of the determinants' products; `edge` is for u and for v.
struct Sizes {
    det: f64,
    edge: f64,
    t: f64,
}

/// The error of a determinant, relative to the sum of the magnitudes of its products: see [`Bounded`].
pub(crate) const RELATIVE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn determinants<V: DVec3Lanes>([o, d]: [V; 2], [a, b, c]: [V; 3]) -> (Determinants, Sizes) {
    let (e1, e2, s) = (b - a, c - a, o - a);
    let (p, q) = (d.cross(e2), s.cross(e1));
    let values = Determinants { det: e1.dot(p), u: s.dot(p), v: d.dot(q), t: e2.dot(q) };
    // Each component of a cross product has two products, which are multiplied by the third factor's components one after the other.
    let (reach, pace) = (larger(e1.largest(), e2.largest()), d.largest());
    let edge = 2.0 * (reach * s.sum_of_sizes());
    (values, Sizes { det: 6.0 * (pace * reach * reach), edge: pace * edge, t: reach * edge })
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn clamped(u: f64, v: f64) -> DVec2 {
    let clamp = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let (u, v) = (clamp(u), clamp(v));
    let sum = u + v;
    if sum > 1.0 { shrunk(u, v, sum) } else { DVec2::new(u, v) }
}

/// This is a separate function. Otherwise compilers always divide, and everything that comes after waits for the division.
#[cold]
#[inline(never)]
fn shrunk(u: f64, v: f64, sum: f64) -> DVec2 {
    DVec2::new(u / sum, v / sum)
}

/// Returns det = -[d b c] + [d b a] + [d a c].
fn det_terms(d: DVec3, a: DVec3, b: DVec3, c: DVec3) -> [Term; 3] {
    [Term(-1.0, d, b, c), Term(1.0, d, b, a), Term(1.0, d, a, c)]
}

/// Returns the exact sign of the edge function of [`edge_terms`]. For o = a, p = b and q = c, it is the sign of det.
fn edge_sign(o: DVec3, d: DVec3, p: DVec3, q: DVec3) -> Ordering {
    exact_predicates::sign_of_volume(d, [o, q, p])
}

/// Returns the edge function of the directed edge from p to q: -[d p-o q-o], expanded to input numbers. It is the same
/// for both neighbours of a shared edge, except for its sign. The edge c a gives u det, the edge a b gives v det, and
/// the edge b c gives (1-u-v) det.
fn edge_terms(o: DVec3, d: DVec3, p: DVec3, q: DVec3) -> [Term; 3] {
    [Term(-1.0, d, p, q), Term(1.0, d, o, q), Term(-1.0, d, o, p)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exact_predicates::quick_sign;
    use crate::math::random::Random;
    use glam::DMat3;
    use num_rational::BigRational;
    use num_traits::{Signed, ToPrimitive};

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).unwrap()
    }

    /// Returns the determinant of three vectors, given as differences of points.
    fn exact_determinant(vectors: [[DVec3; 2]; 3]) -> BigRational {
        let [x, y, z] = vectors.map(|[to, from]| [0, 1, 2].map(|axis| exact(to[axis]) - exact(from[axis])));
        let part = |i: usize, j: usize, k: usize| &x[i] * (&y[j] * &z[k] - &y[k] * &z[j]);
        part(0, 1, 2) + part(1, 2, 0) + part(2, 0, 1)
    }

    /// Returns a point with f32 coordinates, some of them far larger than the others.
    fn uneven(random: &mut Random) -> DVec3 {
        let sizes = DVec3::from_array([0; 3].map(|_| random.pick(&[1.0, 1e-3, 1e3, 1e-6])));
        (random.cube() * sizes).as_vec3().as_dvec3()
    }

    /// Returns a triangle with f32 coordinates: any, or one that is as thin as rounding allows.
    fn sliver(random: &mut Random) -> [DVec3; 3] {
        let [a, b] = [0; 2].map(|_| uneven(random));
        let c = if random.below(2) == 0 { uneven(random) } else { a + (b - a) * random.fraction() };
        [a, b, c.as_vec3().as_dvec3()]
    }

    #[test]
    fn determinants_are_within_their_bounds() {
        let mut random = Random(1);
        for _ in 0..10_000 {
            let [a, b, c] = sliver(&mut random);
            let p = uneven(&mut random);
            let found = determinant(p - a, b - a, c - a);
            let off = exact(found.value) - exact_determinant([[p, a], [b, a], [c, a]]);
            assert!(off.abs() <= exact(found.error), "{a} {b} {c} {p}: {found:?}");
        }
    }

    #[test]
    fn a_normal_is_precise_however_thin_the_triangle() {
        let mut random = Random(2);
        for _ in 0..10_000 {
            let corners = sliver(&mut random);
            let (found, right) = (normal(corners), exact_normal(corners));
            assert!((found - right).length() <= right.length() * 2f64.powi(-32), "{corners:?}: {found} {right}");
        }
    }

    /// Returns u and v of the ray's point as if nothing were rounded.
    fn exact_uv(ray: &LocalRay, [a, b, c]: [DVec3; 3]) -> [BigRational; 2] {
        let (o, d) = ([ray.origin, a], [ray.direction, DVec3::ZERO]);
        let det = exact_determinant([[b, a], d, [c, a]]);
        [exact_determinant([o, d, [c, a]]) / &det, exact_determinant([d, o, [b, a]]) / det]
    }

    #[test]
    fn points_of_triangles_are_precise() {
        let mut random = Random(3);
        let mut hits = 0;
        for _ in 0..10_000 {
            let [a, b, c] = [0; 3].map(|_| uneven(&mut random));
            let (u, v) = (random.fraction(), random.fraction());
            let target = a + (b - a) * u.min(1.0 - v) + (c - a) * v;
            let origin = random.cube() * 10.0;
            let ray = LocalRay { origin, direction: target - origin, t_min: 0.0, t_max: f32::INFINITY };
            if verdict(&ray, [a, b, c]).is_none() {
                continue;
            }
            hits += 1;
            let [u, v] = exact_uv(&ray, [a, b, c]).map(|x| x.to_f64().unwrap());
            let rough = barycentrics(ray.line(), [a, b, c]);
            // Barycentrics that are computed exactly are rounded to f32.
            let most = f64::from(f32::EPSILON) / 4.0 + 2f64.powi(-30);
            assert!((rough - DVec2::new(u, v)).abs().max_element() <= most, "{ray:?}: {rough}");
            let point = a + (b - a) * u + (c - a) * v;
            let off = (precise_point(&ray, [a, b, c]) - point).abs().max_element();
            let (edges, place) = ((b - a).abs().max((c - a).abs()), a.abs());
            let most = 2f64.powi(-43) * edges.max_element() + 4.0 * f64::EPSILON * place.max_element();
            assert!(off <= most, "{ray:?}: {off:e}");
        }
        assert!(hits > 5_000, "{hits}");
    }

    #[test]
    fn barycentrics_stay_in_the_triangle() {
        for (u, v, clamped_to) in [
            (0.75, 0.75, DVec2::splat(0.5)),
            (0.25, 0.5, DVec2::new(0.25, 0.5)),
            (-1e-20, 0.5, DVec2::new(0.0, 0.5)),
            (2.0, -1.0, DVec2::new(1.0, 0.0)),
            (f64::NAN, 0.5, DVec2::new(0.0, 0.5)),
        ] {
            assert_eq!(clamped(u, v), clamped_to, "{u} {v}");
        }
    }

    /// A line in general position crosses the triangles that it hits. A line through the corner of a fan crosses one of its triangles.
    #[test]
    fn lines_cross_what_they_hit_and_one_triangle_of_a_fan() {
        let mut random = Random(4);
        let line = |origin: DVec3, direction: DVec3| LocalRay { origin, direction, t_min: -1e30, t_max: 1e30 };
        for _ in 0..10_000 {
            let corners = [0; 3].map(|_| random.cube().as_vec3().as_dvec3());
            let ray = line(random.cube(), random.cube());
            assert_eq!(is_crossed(&ray, corners), verdict(&ray, corners).is_some(), "{ray:?} {corners:?}");
        }
        for count in 3..9 {
            let rim = |number: u32| {
                let angle = f64::from(number % count) * core::f64::consts::TAU / f64::from(count);
                DVec3::new(angle.cos(), angle.sin(), 0.25).as_vec3().as_dvec3()
            };
            for direction in [DVec3::NEG_Z, DVec3::new(0.25, 0.5, -1.0), DVec3::new(-0.5, 0.125, 1.0)] {
                let ray = line(-3.0 * direction, direction);
                let fan = (0..count).map(|number| [DVec3::ZERO, rim(number), rim(number + 1)]);
                assert_eq!(fan.filter(|&corners| is_crossed(&ray, corners)).count(), 1, "{count} {direction}");
            }
        }
    }

    /// A line in the plane of a flat fan, up to rounding, passes through the projections of all triangles of the fan. None of them needs an exact sum.
    #[test]
    fn lines_along_flat_fans_need_no_exact_sums() {
        let rim = |number: u32| {
            let angle = f64::from(number) * 2e-3;
            DVec3::new(angle.cos() as f32 as f64, angle.sin() as f32 as f64, 0.625)
        };
        let (o, d) = (DVec3::new(0.129370223570167, 0.5953785725019078, 0.625), DVec3::new(0.0389, 0.04892, 2.47e-18));
        for tilt in [DMat3::IDENTITY, DMat3::from_rotation_x(0.3), DMat3::from_rotation_y(1.2)] {
            let to_f32 = |v: DVec3| (tilt * v).as_vec3().as_dvec3();
            let (mut signs, mut undecided) = (0, 0);
            for number in 1..3_000 {
                let [a, b, c] = [rim(0), rim(number + 1), rim(number)].map(to_f32);
                let (o, d) = (tilt * o, tilt * d);
                let terms = [edge_terms(o, d, c, a), edge_terms(o, d, a, b), edge_terms(o, d, b, c)];
                for terms in terms.into_iter().chain([det_terms(d, a, b, c)]) {
                    signs += 1;
                    undecided += usize::from(quick_sign(&terms).is_none());
                }
            }
            assert!(undecided * 1_000 < signs, "{undecided} of {signs}");
        }
    }

    #[test]
    fn barycentrics_where_determinants_underflow() {
        for (edge, pace) in [(1e-30, 1.0), (1e-30, 1e-250), (1e-45, 1e-220), (1e-60, 1e-300)] {
            let corners = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)].map(|(x, y)| DVec3::new(x, y, 0.0) * edge);
            let line = [DVec3::new(0.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -pace)];
            assert_eq!(barycentrics(line, corners), DVec2::splat(0.25), "{edge} {pace}");
        }
    }
}
