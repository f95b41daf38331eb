//! The fraction of several points that is visible.

use crate::query::RayView;
use core::hash::Hash;
use glam::Vec3;

/// The number of points that are visible, out of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Visibility {
    /// The number of points with no obstacle between the eye and the point.
    pub seen: usize,
    /// The number of all points.
    pub total: usize,
}

impl Visibility {
    /// Returns the visible fraction, from 0 to 1; 0 if there are no points.
    pub fn fraction(&self) -> f32 {
        if self.total == 0 { 0.0 } else { (self.seen as f64 / self.total as f64) as f32 }
    }
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Counts the points that are visible.
    pub(in crate::query) fn seen<P: Copy + Into<Vec3>>(&self, eye: Vec3, points: &[P]) -> Visibility {
        let seen = points.iter().filter(|&&point| self.is_clear(eye, point.into())).count();
        Visibility { seen, total: points.len() }
    }
}
