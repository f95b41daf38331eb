//! The test whether a point is hidden behind a surface.

use super::reach::Reach;
use crate::geom::culling::CutOuts;
use crate::query::{RayQueries, View};
use crate::scene::Part;
use core::hash::Hash;
use glam::DVec3;

/// The surfaces that may hide a point.
pub(super) struct Sight<'v, 'a, K> {
    pub(super) view: &'v View<'a, K>,
    pub(super) reach: &'v Reach,
    pub(super) cut_outs: CutOuts,
}

impl<'a, K: Clone + Eq + Hash> Sight<'_, 'a, K> {
    /// Returns whether a surface lies between the eye, or the camera's near depth, and a point of a part. Points that are not at a depth of the camera are
    /// hidden.
    pub(super) fn is_hidden(&self, point: DVec3, part: Option<&Part>) -> bool {
        let depth = self.reach.map.project(point).depth;
        if !self.reach.map.has_depth(depth) {
            return true;
        }
        let rays = self.view.cut_outs(self.cut_outs);
        let start = self.reach.map.sight_start(point, depth);
        // The near depth of a camera with parallel lines of sight may be anywhere.
        let start = if self.reach.map.is_parallel() { rays.entry_of_sight(start, point) } else { start };
        rays.hides(start, point, part)
    }
}
