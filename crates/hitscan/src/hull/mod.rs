//! The convex hull of points, as a solid.

mod edges;
mod faces;
mod quickhull;
mod support;

pub(crate) use edges::HullEdge;

use crate::error::{HullError, ShapeError};
use crate::geom::aabb::Aabb;
use crate::geom::culling::{Cull, FromInside, Inside};
use crate::geom::hit::{RawHit, ShapeHit, Side};
use crate::geom::kdop::Kdop;
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::reported_t;
use crate::mesh::Mesh;
use crate::shape::{
    Crossing, Facet, Facets, RawHits, RayStart, RayTest, Span, Spans, Vicinity, closest, precise_triangle_point,
    resolve, side_of_plane, triangle_normal,
};
use crate::tri::{FoundTriangle, TriangleSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;
use glam::{DVec3, Vec3};
use support::CornerGraph;

/// The convex hull of points: a closed solid, in the space of the points. Cloning shares it.
///
/// It is exactly the hull of the f32 points, the same on every platform and in every order of the points: both the hull and the hits are decided without
/// rounding. Points inside, or in the middle of a face or an edge, are dropped. A ray from outside hits the entry, and a ray from inside hits the exit. A ray
/// that touches an edge or a corner, or runs along a face, hits. Large hulls are fast too, because their faces are in a tree.
///
/// ```
/// use hitscan::{ConvexHull, Ray, Side};
///
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [0.5, 0.5, 0.5]];
/// let hull = ConvexHull::new(&corners)?;
/// assert_eq!((hull.vertices().len(), hull.face_count()), (4, 4)); // the last point is inside
/// let hit = hull.cast(&Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (7.0, Side::Front));
/// assert!(hull.contains([1.0, 1.0, 2.0]) && !hull.contains([1.0, 1.0, 2.1]));
/// # Ok::<(), hitscan::error::HullError>(())
/// ```
#[doc(alias("convex_polyhedron", "quickhull"))]
#[derive(Clone, Debug)]
pub struct ConvexHull {
    shared: Arc<HullData>,
}

#[derive(Debug)]
struct HullData {
    /// The faces, cut into triangles.
    mesh: Mesh,
    /// The first triangle of each face, and at the end the number of all triangles.
    faces: Vec<u32>,
    edges: Vec<HullEdge>,
    graph: Option<CornerGraph>,
}

impl HullData {
    /// Returns the triangles that a face is cut into.
    fn triangles_of(&self, face: usize) -> Range<u32> {
        self.faces.windows(2).nth(face).map_or(0..0, |ends| ends[0]..ends[1])
    }

    /// Returns the numbers of a face's corners, counter-clockwise as seen from outside.
    fn polygon(&self, face: usize) -> impl Iterator<Item = u32> {
        let triangles = self.triangles_of(face);
        let corner = move |triangle: u32, corner: usize| self.mesh.indices(triangle).map(|corners| corners[corner]);
        // A face is a fan: all its triangles share the first corner.
        let start = triangles.clone().take(1).flat_map(move |first| [corner(first, 0), corner(first, 1)]);
        start.chain(triangles.map(move |triangle| corner(triangle, 2))).flatten()
    }
}

/// Two hulls are equal if they have the same corners.
impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || self.vertices() == other.vertices()
    }
}

impl ConvexHull {
    /// Makes the hull of any points, some of which may be equal.
    ///
    /// # Errors
    /// Returns an error if a point is not finite, or if all points are in one plane. The error says which point, or how flat they are.
    pub fn new<P: Copy + Into<Vec3>>(points: &[P]) -> Result<Self, HullError> {
        // Adding +0 turns -0 into +0.
        let points: Vec<Vec3> = points.iter().map(|&point| point.into() + Vec3::ZERO).collect();
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(HullError::Point { index, position: points[index] });
        }
        let triangles = quickhull::triangles(&points)?;
        let faces::HullFaces { vertices, triangles, first } = faces::faces_of_hull(&points, &triangles);
        // There are fewer vertices and triangles than a mesh can hold, and they are valid.
        let mesh = Mesh::new(&vertices, triangles.as_flattened()).map_err(|_| HullError::OnePlane)?;
        let mut shared = HullData { mesh, faces: first, edges: Vec::new(), graph: None };
        shared.edges = edges::edges_of_polygons((0..shared.faces.len() - 1).map(|face| shared.polygon(face)));
        shared.graph = CornerGraph::new(shared.mesh.positions(), &shared.edges);
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Returns the corners, in the order of x, then y, then z.
    pub fn vertices(&self) -> &[Vec3] {
        self.shared.mesh.positions()
    }

    /// Returns the number of faces, each a convex polygon.
    pub fn face_count(&self) -> usize {
        self.shared.faces.len() - 1
    }

    /// Returns the corners of a face, counter-clockwise as seen from outside; none beyond the last face.
    pub fn face(&self, face: usize) -> impl Iterator<Item = Vec3> {
        self.polygon(face).filter_map(|corner| self.vertices().get(corner as usize).copied())
    }

    /// Returns the numbers of a face's corners among the [vertices](Self::vertices), in the order of [`face`](Self::face).
    pub(crate) fn polygon(&self, face: usize) -> impl Iterator<Item = u32> {
        self.shared.polygon(face)
    }

    /// Returns the triangles of the [mesh](Self::mesh) that a face is cut into.
    pub(crate) fn triangles_of(&self, face: usize) -> Range<u32> {
        self.shared.triangles_of(face)
    }

    /// Returns the face that a triangle of the [mesh](Self::mesh) is a part of.
    pub(crate) fn face_of(&self, triangle: usize) -> usize {
        self.shared.faces.partition_point(|&first| first as usize <= triangle).saturating_sub(1)
    }

    /// Returns the corner that is farthest along a direction, which need not be of unit length; the first of several.
    #[inline]
    pub(crate) fn farthest(&self, direction: DVec3) -> Vec3 {
        let corners = self.vertices();
        let found = self.shared.graph.as_ref().and_then(|graph| graph.farthest(corners, direction));
        let number = found.unwrap_or_else(|| support::farthest_of_all(corners, direction));
        corners.get(number as usize).copied().unwrap_or_default()
    }

    pub(crate) fn edges(&self) -> &[HullEdge] {
        &self.shared.edges
    }

    /// Returns the faces as a mesh of triangles that face outwards. Use it to draw the hull, or as a surface without an inside.
    pub fn mesh(&self) -> &Mesh {
        &self.shared.mesh
    }

    /// Returns the smallest axis-aligned box around it.
    pub fn bounds(&self) -> Aabb {
        self.shared.mesh.bounds()
    }

    /// Returns bounds that are tighter than the box, if there are any.
    pub(crate) fn dop(&self) -> Option<&Kdop> {
        self.shared.mesh.dop()
    }

    /// Returns whether a local point is inside the hull or on its surface. This is decided exactly, by a test of each face.
    ///
    /// ```
    /// use hitscan::ConvexHull;
    ///
    /// let hull = ConvexHull::new(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
    /// assert!(hull.contains([1.0, 1.0, 1.0]));
    /// assert!(hull.contains([2.0, 2.0, 0.0]), "it is on an edge");
    /// assert!(!hull.contains([2.0, 2.0, 0.001]));
    /// # Ok::<(), hitscan::error::HullError>(())
    /// ```
    #[doc = include_str!("../query/edges/contains_solid.md")]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let is_behind = |&first: &u32| {
            let corners = self.shared.mesh.triangle(first);
            corners.is_none_or(|corners| side_of_plane(corners, point.as_dvec3()) != Ordering::Greater)
        };
        self.bounds().contains(point) && self.shared.faces[..self.face_count()].iter().all(is_behind)
    }

    /// Returns the closest hit of the ray, with normal and side; `None` on a miss or for an unusable ray. Ray and hull are in the same space. A ray that starts
    /// inside hits the exit.
    ///
    /// ```
    /// use hitscan::{ConvexHull, Ray, glam::Vec3};
    ///
    /// let hull = ConvexHull::new(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
    /// let hit = hull.cast(&Ray::new([1.0, -2.0, 1.0], [0.0, 1.0, 0.0])).unwrap();
    /// assert_eq!((hit.t, hit.normal), (2.0, Vec3::NEG_Y));
    /// # Ok::<(), hitscan::error::HullError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        closest(self, ray, Inside::Exit)
    }

    /// Returns the hull with a choice for rays that start inside.
    pub fn when_inside(&self, inside: Inside) -> FromInside<'_, Self> {
        FromInside { solid: self, inside }
    }

    /// Returns only the `t` of the closest hit, as [`cast`](Self::cast) would report it.
    pub fn cast_t(&self, ray: &Ray) -> Option<f32> {
        self.hits(&LocalRay::new(ray)?, Inside::Exit, RayStart::Anywhere).first().map(|hit| hit.t)
    }

    /// Returns whether the ray hits, as [`cast`](Self::cast) would, without computing the hit.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        LocalRay::new(ray).is_some_and(|ray| RayTest::is_blocked(self, &ray))
    }

    /// Returns where the ray's line enters the hull if `side` is [`Side::Front`], and where it leaves the hull if `side` is [`Side::Back`].
    ///
    /// A line that intersects the hull enters through the front of a triangle and leaves through a back, exactly. Just before the point where it enters, the
    /// line is in front of some face that contains this point. It hits the front of that face, because one of the face's triangles contains the point.
    fn end(&self, ray: &LocalRay, side: Side) -> Option<FoundTriangle> {
        let line = LocalRay { t_min: f32::NEG_INFINITY, t_max: f32::INFINITY, ..*ray };
        let cull = if side == Side::Front { Cull::Back } else { Cull::Front };
        self.shared.mesh.closest(&line, 0.0, cull)
    }

    fn crossing(&self, ray: &LocalRay, found: FoundTriangle) -> Crossing {
        Crossing { t: self.precise_t(ray, found), feature: found.triangle as usize }
    }

    /// Returns t in f64 if it rounds to the reported t, or else the reported t, because f64 is then not accurate enough.
    fn precise_t(&self, ray: &LocalRay, found: FoundTriangle) -> f64 {
        let corners = self.shared.mesh.found_corners(found);
        let normal = triangle_normal(corners);
        let t = (corners[0] - ray.origin).dot(normal) / ray.direction.dot(normal);
        let reported = found.verdict.t;
        if reported_t(t) == Some(reported) { t } else { reported.into() }
    }
}

impl FromInside<'_, ConvexHull> {
    /// Answers as [`ConvexHull::cast`] does, but rays that start inside are treated as the view chooses.
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        closest(self.solid, ray, self.inside)
    }
}

impl RayTest for ConvexHull {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        // This test is enough for most rays that miss. With other choices for rays that start inside, a ray that hits nothing in its range may be wholly
        // inside.
        if inside == Inside::Exit && !RayTest::is_blocked(self, ray) {
            return RawHits::new();
        }
        let (enter, exit) = (self.end(ray, Side::Front), self.end(ray, Side::Back));
        if enter.is_none() && exit.is_none() {
            return RawHits::new();
        }
        let is_touched = enter.zip(exit).is_some_and(|(enter, exit)| enter.verdict.t == exit.verdict.t);
        // A crossing beyond f32 is not reported, and the interval continues to infinity.
        let enter = enter.map_or(Span::LINE.enter, |found| self.crossing(ray, found));
        let exit = exit.map_or(Span::LINE.exit, |found| self.crossing(ray, found));
        let span = Span { enter, exit: if is_touched { Crossing { t: enter.t, ..exit } } else { exit } };
        resolve(Spans::from_option(Some(span)), ray, inside, start)
    }

    fn outward_normal(&self, _: &LocalRay, hit: &RawHit) -> DVec3 {
        let corners = self.shared.mesh.triangle(hit.feature as u32);
        corners.map_or(DVec3::ZERO, |corners| triangle_normal(corners.map(|corner| corner.as_dvec3())))
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let corners = self.shared.mesh.triangle(hit.feature as u32);
        corners
            .map_or(ray.at(hit.exact_t), |corners| precise_triangle_point(ray, corners.map(|corner| corner.as_dvec3())))
    }

    fn is_blocked(&self, ray: &LocalRay) -> bool {
        self.shared.mesh.has_any(ray, 0.0, Cull::None)
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let faces = self.shared.faces[..self.face_count()].iter();
        let mut facets = Facets::new();
        for &first in faces {
            let Some(corners) = self.shared.mesh.triangle(first) else { continue };
            let corners = corners.map(|corner| corner.as_dvec3());
            let [a, b, c] = corners;
            let normal = triangle_normal(corners);
            if at.is_on_plane(a, normal) {
                facets.push(Facet::of_face(first as usize, normal, [b - a, c - a]));
            } else if (at.point - a).dot(normal) > 0.0 {
                return Facets::new();
            }
        }
        facets
    }

    fn bounds(&self) -> Aabb {
        self.shared.mesh.bounds()
    }

    fn validate(&self) -> Result<(), ShapeError> {
        Ok(())
    }
}
