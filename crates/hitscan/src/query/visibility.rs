//! How much of something is seen.

use super::RayView;
use core::hash::Hash;
use glam::Vec3;

/// How many of several points are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Visibility {
    /// Those with nothing between.
    pub seen: usize,
    /// All of them.
    pub total: usize,
}

impl Visibility {
    /// The part that is seen, from 0 to 1; 0 of no points.
    pub fn fraction(&self) -> f32 {
        if self.total == 0 { 0.0 } else { (self.seen as f64 / self.total as f64) as f32 }
    }
}

impl<K: Copy + Eq + Hash> RayView<'_, K> {
    /// How many points are seen.
    pub(super) fn seen<P: Copy + Into<Vec3>>(&self, eye: Vec3, points: &[P]) -> Visibility {
        let seen = points.iter().filter(|&&point| self.is_clear(eye, point.into())).count();
        Visibility { seen, total: points.len() }
    }
}
