//! The traits of the types that answer queries. Nothing else can implement them, because they cannot be named outside.

use super::{RayView, SweepView, View};
use crate::scene::Scene;
use core::hash::Hash;

/// A scene or a view of one.
pub trait Asked: Copy {
    /// The type of the scene's keys.
    type Key: Clone + Eq + Hash;
}

/// A type that answers every query.
pub trait Source<'a>: Asked<Key: 'a> {
    #[doc(hidden)]
    fn view(self) -> View<'a, Self::Key>;
}

/// A type that answers ray queries.
pub trait RaySource<'a>: Asked<Key: 'a> {
    #[doc(hidden)]
    fn ray_view(self) -> RayView<'a, Self::Key>;
}

/// A type that answers queries with moving volumes.
pub trait SweepSource<'a>: Asked<Key: 'a> {
    #[doc(hidden)]
    fn sweep_view(self) -> SweepView<'a, Self::Key>;
}

impl<K: Clone + Eq + Hash> Asked for &Scene<K> {
    type Key = K;
}

impl<K: Clone + Eq + Hash> Asked for View<'_, K> {
    type Key = K;
}

impl<K: Clone + Eq + Hash> Asked for RayView<'_, K> {
    type Key = K;
}

impl<K: Clone + Eq + Hash> Asked for SweepView<'_, K> {
    type Key = K;
}

impl<'a, K: Clone + Eq + Hash> Source<'a> for &'a Scene<K> {
    #[inline(always)]
    fn view(self) -> View<'a, K> {
        View::from(self)
    }
}

impl<'a, K: Clone + Eq + Hash> Source<'a> for View<'a, K> {
    #[inline(always)]
    fn view(self) -> Self {
        self
    }
}

impl<'a, K: Clone + Eq + Hash> RaySource<'a> for &'a Scene<K> {
    #[inline(always)]
    fn ray_view(self) -> RayView<'a, K> {
        View::from(self).for_rays()
    }
}

impl<'a, K: Clone + Eq + Hash> RaySource<'a> for View<'a, K> {
    #[inline(always)]
    fn ray_view(self) -> RayView<'a, K> {
        self.for_rays()
    }
}

impl<'a, K: Clone + Eq + Hash> RaySource<'a> for RayView<'a, K> {
    #[inline(always)]
    fn ray_view(self) -> Self {
        self
    }
}

impl<'a, K: Clone + Eq + Hash> SweepSource<'a> for &'a Scene<K> {
    #[inline(always)]
    fn sweep_view(self) -> SweepView<'a, K> {
        View::from(self).for_sweeps()
    }
}

impl<'a, K: Clone + Eq + Hash> SweepSource<'a> for View<'a, K> {
    #[inline(always)]
    fn sweep_view(self) -> SweepView<'a, K> {
        self.for_sweeps()
    }
}

impl<'a, K: Clone + Eq + Hash> SweepSource<'a> for SweepView<'a, K> {
    #[inline(always)]
    fn sweep_view(self) -> Self {
        self
    }
}
