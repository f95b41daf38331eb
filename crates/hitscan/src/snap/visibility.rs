//! The test whether a point is hidden behind a surface.

use super::reach::Reach;
use crate::geom::culling::CutOuts;
use crate::query::{Hit, RayQueries, View};
use crate::scene::{Part, PartGeometry};
use core::hash::Hash;
use glam::DVec3;

/// The surfaces that may hide a point.
pub(super) struct Sight<'v, 'a, K> {
    /// The view that selects the occluders.
    pub(super) view: &'v View<'a, K>,
    pub(super) reach: &'v Reach,
    pub(super) cut_outs: CutOuts,
}

/// The reason why a point is hidden.
enum Concealment<K> {
    /// The point is outside of the camera's depths.
    Depth,
    /// This surface lies between the eye, or the camera's near depth, and the point.
    Surface { id: K, part: u32, triangle: Option<u32> },
}

impl<'a, K: Clone + Eq + Hash> Sight<'_, 'a, K> {
    /// Returns whether a point of a part is hidden.
    pub(super) fn is_hidden(&self, point: DVec3, part: Option<&Part>) -> bool {
        self.concealment(point, part).is_some()
    }

    /// Returns whether one triangle hides both ends of a segment of a part, as seen from the eye. It then hides the
    /// whole segment, because it is convex. A triangle with holes is not convex, and a filter of hits may let a ray
    /// through anywhere.
    pub(super) fn is_behind_one_triangle(&self, ends: [DVec3; 2], part: &Part) -> bool {
        if self.view.chooses_hits() {
            return false;
        }
        let hiding = |point: DVec3| match self.concealment(point, Some(part))? {
            Concealment::Surface { id, part, triangle } => Some((id, part, triangle?)),
            Concealment::Depth => None,
        };
        let [from, to] = ends;
        hiding(from).is_some_and(|(id, part, triangle)| {
            let is_whole = self.view.scene.part_of(&id, part).is_some_and(|part| !has_holes(part));
            is_whole && hiding(to) == Some((id, part, triangle))
        })
    }

    fn concealment(&self, point: DVec3, part: Option<&Part>) -> Option<Concealment<K>> {
        let depth = self.reach.map.project(point).depth;
        if !self.reach.map.has_depth(depth) {
            return Some(Concealment::Depth);
        }
        let rays = self.view.cut_outs(self.cut_outs);
        let start = self.reach.map.sight_start(point, depth);
        // The near depth of a camera with parallel lines of sight may be anywhere. So the ray begins at the bounds of the scene.
        let start = if self.reach.map.is_parallel() { rays.entry_of_sight(start, point) } else { start };
        let Hit { id, part, triangle, .. } = rays.hiding(start, point, part)?;
        Some(Concealment::Surface { id, part, triangle })
    }
}

fn has_holes(part: &Part) -> bool {
    matches!(&part.geometry, PartGeometry::Mesh(mesh) if mesh.has_cut_outs())
}
