//! The traits of an order, for entries of heaps.

/// Implements `PartialOrd`, `PartialEq` and `Eq` by the type's own `Ord::cmp`. Two entries are equal if neither comes before the other.
macro_rules! ordered_by_cmp {
    ($entry:ident $(<$kind:ident>)?) => {
        impl $(<$kind>)? PartialOrd for $entry $(<$kind>)? {
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl $(<$kind>)? PartialEq for $entry $(<$kind>)? {
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }

        impl $(<$kind>)? Eq for $entry $(<$kind>)? {}
    };
}
pub(crate) use ordered_by_cmp;
