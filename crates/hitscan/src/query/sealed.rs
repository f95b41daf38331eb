//! The traits of the types that answer queries. No other type can implement these traits, because they cannot be named outside of this crate.

use super::{RayView, SweepView, View};
use crate::scene::Scene;
use core::convert::identity;
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

/// Implements [`Asked`] for types with the keys `K`.
macro_rules! asked {
    ($($asked:ty)*) => {$(
        impl<K: Clone + Eq + Hash> Asked for $asked {
            type Key = K;
        }
    )*};
}
asked!(&Scene<K> View<'_, K> RayView<'_, K> SweepView<'_, K>);

/// Implements a trait for types, given the conversion of each type to a view.
macro_rules! sources {
    ($($source:ident::$method:ident -> $view:ty { $($asked:ty => $into_view:expr,)* })*) => {$($(
        impl<'a, K: Clone + Eq + Hash> $source<'a> for $asked {
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn $method(self) -> $view {
                $into_view(self)
            }
        }
    )*)*};
}
sources! {
    Source::view -> View<'a, K> {
        &'a Scene<K> => View::from,
        View<'a, K> => identity,
    }
    RaySource::ray_view -> RayView<'a, K> {
        &'a Scene<K> => RayView::from,
        View<'a, K> => View::for_rays,
        RayView<'a, K> => identity,
    }
    SweepSource::sweep_view -> SweepView<'a, K> {
        &'a Scene<K> => |scene| View::from(scene).for_sweeps(),
        View<'a, K> => View::for_sweeps,
        SweepView<'a, K> => identity,
    }
}
