//! A cursor that snaps.

use super::candidate::{CrossedEdge, SnapCandidate, SnapFeature};
use super::gather::{InReach, NearEdge, Wanted};
use super::kind::{Snap, SnapKind, SnapTarget};
use super::reach::{Reach, Spot};
use super::visibility::Sight;
use super::{crossings, flat_face};
use crate::camera::{Camera, Viewport};
use crate::geom::culling::CutOuts;
use crate::query::{Hit, RayQueries, View};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec2, DVec3, Vec2};

/// Chooses whether points behind a surface count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Hidden {
    /// They are skipped.
    #[default]
    Skip,
    /// They count as if every surface were transparent.
    Keep,
}

/// A cursor in a camera's picture that finds the points within some pixels of it: vertices, edges and what else a [`SnapKind`] names.
///
/// The distance of a point is that of its pixel from the cursor, and the distance of an edge is that of the pixel nearest to the cursor that shows the edge.
/// An edge is cut off at the camera's near and far depths. Everything is computed in f64. A radius of 0 only finds points exactly under the cursor.
///
/// # Order
///
/// Of several points within the radius, the one with the least of these wins, the first being the most important:
///
/// 1. whether it is farther behind the nearest of them than the [depth tolerance](Self::depth_tolerance), if there is one;
/// 2. the priority of its [kind](SnapKind);
/// 3. its distance from the cursor, in pixels;
/// 4. its depth;
/// 5. the order of the scene: its entity's place in the order of insertion, its part, its triangle, and its vertices.
///
/// This is a strict total order: no two points are equal in all of them.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::snap::{Cursor, SnapKind};
///
/// let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
/// let mut scene = Scene::new();
/// scene.insert("sheet", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?, DVec3::ZERO)?;
/// let transform = Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let camera = Camera::orthographic(transform, 6.0)?;
///
/// // A unit is 100 pixels wide. The cursor is beside the corner at 500, 200.
/// let cursor = Cursor::new(&camera, [800.0, 600.0], [497.0, 204.0], 8.0);
/// let snap = cursor.nearest(&scene, &SnapKind::ALL).unwrap();
/// assert_eq!((snap.kind, snap.point, snap.distance), (SnapKind::Vertex, DVec3::new(1.0, 1.0, 0.0), 5.0));
/// assert_eq!(snap.target.and_then(|target| target.vertex), Some(2));
///
/// // The diagonal lies inside of a flat face, and is no edge.
/// let cursor = Cursor::new(&camera, [800.0, 600.0], [450.0, 252.0], 8.0);
/// assert!(cursor.nearest(&scene, &[SnapKind::Vertex, SnapKind::Edge]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("object_snap", "osnap", "inference", "pick_tolerance", "pick_radius"))]
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    camera: Camera,
    viewport: Viewport,
    pixel: Vec2,
    /// `None` for input that finds nothing.
    reach: Option<Reach>,
    hidden: Hidden,
    cut_outs: CutOuts,
    depth_tolerance: Option<f64>,
    start: Option<DVec3>,
}

impl Cursor {
    /// Makes a cursor at a window pixel, given the viewport with the camera's picture, and the radius in pixels.
    ///
    /// Cursor, viewport and radius are all in physical or all in logical pixels. If any of them is NaN or infinite, or the radius is negative or the viewport
    /// empty, the cursor finds nothing.
    pub fn new(camera: &Camera, viewport: impl Into<Viewport>, cursor: impl Into<Vec2>, radius: f32) -> Self {
        let (viewport, pixel) = (viewport.into(), cursor.into());
        let map = camera.pixel_map(pixel, &viewport);
        let reach = map.and_then(|map| Reach::new(map, radius.into()));
        let (hidden, cut_outs) = (Hidden::Skip, CutOuts::Open);
        Self { camera: *camera, viewport, pixel, reach, hidden, cut_outs, depth_tolerance: None, start: None }
    }

    /// Chooses whether points behind a surface count; they are skipped by default.
    ///
    /// A point is hidden if a ray towards it, from the eye or the camera's near depth, meets a surface in front of it. Surfaces that pass through the point do
    /// not hide it, up to 2^-22 of the distance, which is what a ray resolves. An edge is hidden if the point of it that is nearest to the cursor is hidden.
    /// Of two edges that cross on the screen, the farther one must be seen a pixel before or after the crossing.
    /// Points on an axis are never hidden. With [`Hidden::Keep`], every surface under the cursor is a face to snap to.
    #[must_use]
    pub fn hidden(self, hidden: Hidden) -> Self {
        Self { hidden, ..self }
    }

    /// Chooses whether the holes of cut-out meshes hide what is behind them, and are faces; they are open by default.
    #[must_use]
    pub fn cut_outs(self, cut_outs: CutOuts) -> Self {
        Self { cut_outs, ..self }
    }

    /// Lets points come last that are more than this many world units of depth behind the nearest of all points within the radius. A tolerance that is negative
    /// or NaN counts as 0.
    #[must_use]
    pub fn depth_tolerance(self, tolerance: f64) -> Self {
        Self { depth_tolerance: Some(tolerance.max(0.0)), ..self }
    }

    /// Gives the start point of a line that is being drawn, relative to the view's origin if there is one. [`SnapKind::Perpendicular`] and [`SnapKind::Axis`]
    /// need it, and find nothing without it.
    #[must_use]
    pub fn from_start(self, start: impl Into<DVec3>) -> Self {
        Self { start: Some(start.into()), ..self }
    }

    /// Returns the point of one of these kinds that comes first in the [order](Self#order) of all within the radius; `None` if there is none.
    ///
    /// The filter of a view chooses entities; its cull and its choice of hits concern only faces, and the surfaces that hide points. If the view has an origin,
    /// the camera is relative to it, and so are the answers.
    pub fn nearest<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        kinds: &[SnapKind],
    ) -> Option<Snap<K>> {
        let search = SnapSearch::new(self, view.into())?;
        let found = search.candidates(kinds);
        search.snap(&search.first(found)?)
    }

    /// Writes all points of these kinds within the radius into a buffer, which is cleared first, in their [order](Self#order). The rules are those of
    /// [`nearest`](Self::nearest).
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::snap::{Cursor, Hidden, SnapKind};
    ///
    /// let mut scene = Scene::new();
    /// for (id, z) in [("front", 0.0), ("back", -5.0)] {
    ///     let sheet = Mesh::from_soup(&[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])?;
    ///     scene.insert(id, sheet, DVec3::new(0.0, 0.0, z))?;
    /// }
    /// let camera = Camera::orthographic(Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, 6.0)?;
    /// let cursor = Cursor::new(&camera, [600.0, 600.0], [302.0, 200.0], 4.0);
    /// let mut snaps = Vec::new();
    /// cursor.all(&scene, &[SnapKind::Vertex], &mut snaps);
    /// assert_eq!(snaps.iter().map(|snap| snap.point.z).collect::<Vec<_>>(), [0.0]);
    /// cursor.hidden(Hidden::Keep).all(&scene, &[SnapKind::Vertex], &mut snaps);
    /// assert_eq!(snaps.iter().map(|snap| snap.point.z).collect::<Vec<_>>(), [0.0, -5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        kinds: &[SnapKind],
        snaps: &mut Vec<Snap<K>>,
    ) {
        snaps.clear();
        if let Some(search) = SnapSearch::new(self, view.into()) {
            let mut found = search.candidates(kinds);
            found.retain(|candidate| search.counts(candidate));
            let front = found.iter().map(|candidate| candidate.spot.depth).min_by(f64::total_cmp);
            search.sort(&mut found, front);
            snaps.extend(found.iter().filter_map(|candidate| search.snap(candidate)));
        }
    }
}

#[cfg(test)]
impl Cursor {
    pub(super) fn reach(&self) -> Option<Reach> {
        self.reach
    }
}

/// One question of a cursor to a view. Everything in it is in the world.
struct SnapSearch<'c, 'a, K> {
    cursor: &'c Cursor,
    view: View<'a, K>,
    reach: Reach,
    start: Option<DVec3>,
}

impl<'c, 'a, K: Clone + Eq + Hash + 'a> SnapSearch<'c, 'a, K> {
    fn new(cursor: &'c Cursor, view: View<'a, K>) -> Option<Self> {
        let reach = cursor.reach.filter(|_| view.origin.is_finite())?.relative_to(view.origin);
        Some(Self { cursor, view, reach, start: cursor.start.map(|start| start + view.origin) })
    }

    /// Returns the candidates of these kinds, in no particular order.
    fn candidates(&self, kinds: &[SnapKind]) -> Vec<SnapCandidate<'a>> {
        let asks = |kind: SnapKind| kinds.contains(&kind);
        let of_edges = [SnapKind::Edge, SnapKind::Midpoint, SnapKind::Crossing, SnapKind::Perpendicular];
        let wanted = Wanted { vertices: asks(SnapKind::Vertex), edges: of_edges.into_iter().any(asks) };
        let near = InReach::of(&self.view, &self.reach, wanted);
        let mut found: Vec<_> = near.vertices.iter().map(SnapCandidate::of_vertex).collect();
        if asks(SnapKind::Edge) {
            found.extend(near.edges.iter().map(|edge| SnapCandidate::on_edge(SnapKind::Edge, edge, edge.spot)));
        }
        if asks(SnapKind::Midpoint) {
            found.extend(near.edges.iter().filter_map(|edge| self.midpoint(edge)));
        }
        if asks(SnapKind::Perpendicular) {
            found.extend(near.edges.iter().filter_map(|edge| self.perpendicular(edge)));
        }
        if asks(SnapKind::Crossing) {
            crossings::add(&near.edges, &self.reach, &mut found);
        }
        if asks(SnapKind::Axis) {
            found.extend((0..3).filter_map(|axis| self.on_axis(axis)));
        }
        if asks(SnapKind::Face) || asks(SnapKind::Center) {
            self.add_faces(kinds, &mut found);
        }
        found
    }

    fn midpoint(&self, edge: &NearEdge<'a>) -> Option<SnapCandidate<'a>> {
        let [a, b] = edge.ends;
        Some(SnapCandidate::on_edge(SnapKind::Midpoint, edge, self.reach.point((a + b) * 0.5)?))
    }

    fn perpendicular(&self, edge: &NearEdge<'a>) -> Option<SnapCandidate<'a>> {
        let [a, b] = edge.ends;
        let way = b - a;
        let place = (self.start? - a).dot(way) / way.length_squared();
        let foot = (0.0 < place && place < 1.0).then(|| a + way * place)?;
        Some(SnapCandidate::on_edge(SnapKind::Perpendicular, edge, self.reach.point(foot)?))
    }

    fn on_axis(&self, axis: usize) -> Option<SnapCandidate<'a>> {
        let start = self.start?;
        let spot = self.reach.line([start, start + DVec3::AXES[axis]])?;
        Some(SnapCandidate { kind: SnapKind::Axis, spot, feature: SnapFeature::Axis(axis), crossed: None })
    }

    /// Adds the faces under the cursor, and their centres.
    fn add_faces(&self, kinds: &[SnapKind], found: &mut Vec<SnapCandidate<'a>>) {
        for (number, hit) in (0..).zip(self.hits()) {
            let Some(part) = self.view.scene.part_of(&hit.id, hit.part) else { continue };
            let feature = SnapFeature::Face { part, triangle: hit.triangle, hit: number };
            if kinds.contains(&SnapKind::Face) {
                let point = hit.point_f64();
                let depth = self.reach.map.project(point).depth;
                let spot = Spot { point, offset: DVec2::ZERO, square: 0.0, depth };
                found.push(SnapCandidate { kind: SnapKind::Face, spot, feature, crossed: None });
            }
            if !kinds.contains(&SnapKind::Center) {
                continue;
            }
            let local = part.to_local.affine().transform_point3(hit.point_f64());
            let center = flat_face::center(&part.geometry, hit.triangle, local);
            let spot = center.and_then(|local| self.reach.point(part.to_world.transform_point3(local)));
            found.extend(spot.map(|spot| SnapCandidate { kind: SnapKind::Center, spot, feature, crossed: None }));
        }
    }

    /// Returns the hits of the ray under the cursor that count.
    fn hits(&self) -> Vec<Hit<K>> {
        let eye = self.cursor.camera.position();
        let ray = self.cursor.camera.relative_to(eye).ray(self.cursor.pixel, self.cursor.viewport);
        let rays = self.view.relative_to(self.view.origin + eye).cut_outs(self.cursor.cut_outs);
        let mut hits = Vec::new();
        match self.cursor.hidden {
            Hidden::Skip => hits.extend(rays.cast(&ray)),
            Hidden::Keep => rays.cast_all(&ray, &mut hits),
        }
        hits
    }

    /// Returns whether a candidate is not hidden, or may be.
    fn counts(&self, candidate: &SnapCandidate<'a>) -> bool {
        let may_be_hidden = self.cursor.hidden == Hidden::Keep;
        may_be_hidden || matches!(candidate.kind, SnapKind::Axis | SnapKind::Face) || {
            let sight = Sight { view: &self.view, reach: &self.reach, cut_outs: self.cursor.cut_outs };
            let is_seen = |crossed: CrossedEdge<'_>| !crossed.beside.into_iter().all(|point| sight.is_hidden(point));
            !sight.is_hidden(candidate.spot.point) && candidate.crossed.is_none_or(is_seen)
        }
    }

    /// Returns the first candidate that counts. Few of them are asked for whether they are hidden.
    fn first(&self, mut found: Vec<SnapCandidate<'a>>) -> Option<SnapCandidate<'a>> {
        let mut front = None;
        if self.cursor.depth_tolerance.is_some() {
            found.sort_unstable_by(|a, b| a.spot.depth.total_cmp(&b.spot.depth));
            front = Some(found.iter().find(|candidate| self.counts(candidate))?.spot.depth);
        }
        self.sort(&mut found, front);
        found.into_iter().find(|candidate| self.counts(candidate))
    }

    /// Sorts candidates, given the least depth of all that count.
    fn sort(&self, found: &mut [SnapCandidate<'a>], front: Option<f64>) {
        let farthest = front.zip(self.cursor.depth_tolerance).map(|(front, tolerance)| front + tolerance);
        let is_behind =
            |candidate: &SnapCandidate<'_>| farthest.is_some_and(|farthest| candidate.spot.depth > farthest);
        found.sort_unstable_by(|a, b| is_behind(a).cmp(&is_behind(b)).then_with(|| a.compare(b)));
    }

    fn snap(&self, candidate: &SnapCandidate<'a>) -> Option<Snap<K>> {
        let SnapCandidate { kind, spot, feature, crossed } = candidate;
        let axis = if let SnapFeature::Axis(axis) = feature { Some(DVec3::AXES[*axis]) } else { None };
        Some(Snap {
            kind: *kind,
            point: spot.point - self.view.origin,
            pixel: self.reach.map.window_pixel(spot.offset),
            distance: spot.distance() as f32,
            depth: spot.depth,
            target: if axis.is_some() { None } else { Some(self.target(feature)?) },
            crossed: crossed.and_then(|edge| self.target(&edge.feature)),
            axis,
        })
    }

    fn target(&self, feature: &SnapFeature<'a>) -> Option<SnapTarget<K>> {
        let part = feature.part()?;
        let (triangle, edge, vertex) = match *feature {
            SnapFeature::Vertex { vertex, triangle, .. } => (triangle, None, Some(vertex)),
            SnapFeature::Edge { vertices, triangle, .. } => (triangle, Some(vertices), None),
            SnapFeature::Face { triangle, .. } => (triangle, None, None),
            SnapFeature::Axis(_) => (None, None, None),
        };
        Some(SnapTarget { id: self.view.scene.owner(part)?.key.clone(), part: part.index, triangle, edge, vertex })
    }
}
