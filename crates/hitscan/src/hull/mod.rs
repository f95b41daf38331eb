//! The convex hull of points, as a solid.

mod build;
mod edges;
mod faces;

pub(crate) use edges::HullEdge;

use crate::aabb::Aabb;
use crate::dop::Dop;
use crate::error::{HullError, ShapeError};
use crate::filter::{Cull, FromInside, Inside};
use crate::float::reported_t;
use crate::hit::{RawHit, ShapeHit, Side};
use crate::mesh::{FoundTriangle, Mesh, Surface};
use crate::ray::{LocalRay, Ray};
use crate::shape::{
    Crossing, Facet, Facets, RawHits, RayTest, Span, Spans, Start, Vicinity, closest, precise_triangle_point, resolve,
    side_of_plane, triangle_normal,
};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;
use glam::{DVec3, Vec3};

/// The convex hull of points, a closed solid in their space: everything between them. Cloning shares it.
///
/// It is the hull of the f32 points exactly, the same on every platform and in every order of the points: decided without rounding, as are the
/// hits. Points inside, or in the middle of a face or an edge, are dropped. From outside a ray hits the entry, from inside the exit; a ray that
/// touches an edge or a corner, or runs along a face, hits. Large hulls are quick too, as their faces are in a tree.
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
/// # Ok::<(), hitscan::HullError>(())
/// ```
#[doc(alias("convex_polyhedron", "quickhull"))]
#[derive(Clone, Debug)]
pub struct ConvexHull {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Its faces, cut into triangles.
    mesh: Mesh,
    /// Which triangles each face is, by the first one of each, and how many all are.
    faces: Vec<u32>,
    edges: Vec<HullEdge>,
}

impl Shared {
    /// The triangles that a face is cut into.
    fn triangles_of(&self, face: usize) -> Range<u32> {
        self.faces.windows(2).nth(face).map_or(0..0, |ends| ends[0]..ends[1])
    }

    /// The numbers of a face's corners, counter-clockwise as seen from outside.
    fn polygon(&self, face: usize) -> impl Iterator<Item = u32> {
        let triangles = self.triangles_of(face);
        let corner = move |triangle: u32, corner: usize| self.mesh.indices(triangle).map(|corners| corners[corner]);
        // A fan: all triangles have the first corner in common.
        let start = triangles.clone().take(1).flat_map(move |first| [corner(first, 0), corner(first, 1)]);
        start.chain(triangles.map(move |triangle| corner(triangle, 2))).flatten()
    }
}

/// Whether they have the same corners, and so are the same.
impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || self.vertices() == other.vertices()
    }
}

impl ConvexHull {
    /// Of any points, some of which may be equal.
    ///
    /// # Errors
    /// A point that is not finite, or points that are all in one plane; the error says which, or how flat they are.
    pub fn new<P: Copy + Into<Vec3>>(points: &[P]) -> Result<Self, HullError> {
        // Adding +0 turns -0 into +0.
        let points: Vec<Vec3> = points.iter().map(|&point| point.into() + Vec3::ZERO).collect();
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(HullError::Point { index, position: points[index] });
        }
        let triangles = build::triangles(&points)?;
        let faces::Faces { vertices, triangles, first } = faces::of(&points, &triangles);
        // Vertices and triangles are few beside what a mesh takes, and as they must be.
        let mesh = Mesh::new(&vertices, triangles.as_flattened()).map_err(|_| HullError::OnePlane)?;
        let mut shared = Shared { mesh, faces: first, edges: Vec::new() };
        shared.edges = edges::of((0..shared.faces.len() - 1).map(|face| shared.polygon(face)));
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Its corners, in the order of x, then y, then z.
    pub fn vertices(&self) -> &[Vec3] {
        self.shared.mesh.positions()
    }

    /// How many faces, each a convex polygon.
    pub fn face_count(&self) -> usize {
        self.shared.faces.len() - 1
    }

    /// The corners of a face, counter-clockwise as seen from outside; nothing beyond the last one.
    pub fn face(&self, face: usize) -> impl Iterator<Item = Vec3> {
        self.polygon(face).filter_map(|corner| self.vertices().get(corner as usize).copied())
    }

    /// The numbers of a face's corners among the [vertices](Self::vertices), in the order of [`face`](Self::face).
    pub(crate) fn polygon(&self, face: usize) -> impl Iterator<Item = u32> {
        self.shared.polygon(face)
    }

    /// The triangles of the [mesh](Self::mesh) that a face is cut into.
    pub(crate) fn triangles_of(&self, face: usize) -> Range<u32> {
        self.shared.triangles_of(face)
    }

    /// The face that a triangle of the [mesh](Self::mesh) is a part of.
    pub(crate) fn face_of(&self, triangle: usize) -> usize {
        self.shared.faces.partition_point(|&first| first as usize <= triangle).saturating_sub(1)
    }

    pub(crate) fn edges(&self) -> &[HullEdge] {
        &self.shared.edges
    }

    /// The faces as a mesh of triangles that face outwards: to draw, or for a surface without an inside.
    pub fn mesh(&self) -> &Mesh {
        &self.shared.mesh
    }

    /// The smallest axis-aligned box around it.
    pub fn bounds(&self) -> Aabb {
        self.shared.mesh.bounds()
    }

    /// Closer bounds.
    pub(crate) fn dop(&self) -> Option<&Dop> {
        self.shared.mesh.dop()
    }

    /// Returns whether a local point is in it or on its surface, decided exactly, by a look at each face.
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        let is_behind = |&first: &u32| {
            let corners = self.shared.mesh.triangle(first);
            corners.is_none_or(|corners| side_of_plane(corners, point) != Ordering::Greater)
        };
        self.bounds().contains(point) && self.shared.faces[..self.face_count()].iter().all(is_behind)
    }

    /// The closest hit of the ray, with normal and side; `None` on a miss or for an unusable ray. Ray and hull are in the same space; an
    /// origin inside answers the exit.
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        closest(self, ray, Inside::Exit)
    }

    /// The hull with a choice of what a ray that starts inside answers.
    pub fn when_inside(&self, inside: Inside) -> FromInside<'_, Self> {
        FromInside { solid: self, inside }
    }

    /// The `t` of the closest hit alone, as [`cast`](Self::cast) would report it.
    pub fn cast_t(&self, ray: &Ray) -> Option<f32> {
        self.hits(&LocalRay::new(ray)?, Inside::Exit, Start::Anywhere).first().map(|hit| hit.t)
    }

    /// Returns whether the ray hits at all: [`cast`](Self::cast) without the answer.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        LocalRay::new(ray).is_some_and(|ray| RayTest::is_blocked(self, &ray))
    }

    /// Where the ray's line goes in, or out.
    ///
    /// A line that meets the hull at all goes in by a triangle's front and out by a back, exactly: where it enters at a point, just before
    /// that it is outside of some face there, whose front it meets then, as one of the face's triangles has the point.
    fn end(&self, ray: &LocalRay, side: Side) -> Option<FoundTriangle> {
        let line = LocalRay { t_min: f32::NEG_INFINITY, t_max: f32::INFINITY, ..*ray };
        let cull = if side == Side::Front { Cull::Back } else { Cull::Front };
        self.shared.mesh.closest(&line, 0.0, cull)
    }

    fn crossing(&self, ray: &LocalRay, found: FoundTriangle) -> Crossing {
        Crossing { t: self.precise_t(ray, found), feature: found.triangle as usize }
    }

    /// t as it is reported, but before it was rounded where f64 knows that.
    fn precise_t(&self, ray: &LocalRay, found: FoundTriangle) -> f64 {
        let corners = self.shared.mesh.found_corners(found);
        let normal = triangle_normal(corners);
        let t = (corners[0] - ray.origin).dot(normal) / ray.direction.dot(normal);
        let reported = found.verdict.t;
        if reported_t(t) == Some(reported) { t } else { reported.into() }
    }
}

impl FromInside<'_, ConvexHull> {
    /// As [`ConvexHull::cast`].
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        closest(self.solid, ray, self.inside)
    }
}

impl RayTest for ConvexHull {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: Start) -> RawHits {
        // Most rays that miss are done with that; where nothing in range is met, an inside that fills the range may still be.
        if inside == Inside::Exit && !RayTest::is_blocked(self, ray) {
            return RawHits::new();
        }
        let (enter, exit) = (self.end(ray, Side::Front), self.end(ray, Side::Back));
        if enter.is_none() && exit.is_none() {
            return RawHits::new();
        }
        let is_touched = enter.zip(exit).is_some_and(|(enter, exit)| enter.verdict.t == exit.verdict.t);
        // Beyond f32 nothing is reported, and there it goes on.
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
