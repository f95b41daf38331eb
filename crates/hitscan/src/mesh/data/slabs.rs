//! The slabs of a mesh's tree, which are made when pairs of meshes ask for them.

use crate::bvh::{MissingSlabs, SlabTree};
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(feature = "std")]
use std::sync::OnceLock;

/// The slabs of a mesh's tree, if they have been made. No query waits for slabs. While one query makes them, others do without, and so does a process that is
/// forked meanwhile. The answers are the same.
#[derive(Debug, Default)]
pub(in crate::mesh) struct MadeSlabs {
    /// The number of divisions of nodes without slabs, or [`CLAIMED`].
    #[cfg(feature = "std")]
    divisions: AtomicU32,
    #[cfg(feature = "std")]
    made: OnceLock<SlabTree>,
}

/// The number of divisions while the slabs are made, and afterwards.
#[cfg(feature = "std")]
const CLAIMED: u32 = u32::MAX;

/// A copy has no slabs yet, because it is made to be changed.
impl Clone for MadeSlabs {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl MadeSlabs {
    /// Returns the slabs of a tree with this many nodes. If they are missing, the call that brings the number of
    /// divisions without slabs to this number makes them. By then, the divisions have taken about as long as making
    /// the slabs. While another thread makes the slabs, this returns `None`.
    #[cfg(feature = "std")]
    pub(in crate::mesh) fn get(
        &self,
        missing: MissingSlabs,
        nodes: usize,
        make: impl FnOnce() -> SlabTree,
    ) -> Option<&SlabTree> {
        let made = self.made.get();
        let (None, MissingSlabs::MakeIfWorth(more)) = (made, missing) else { return made };
        let count = |divisions: u32| {
            let sum = divisions.saturating_add(more);
            let is_worth = sum as usize >= nodes;
            (divisions != CLAIMED).then_some(if is_worth { CLAIMED } else { sum })
        };
        // The thread that claims the slabs makes them.
        match self.divisions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count) {
            Ok(before) if count(before) == Some(CLAIMED) => Some(self.made.get_or_init(make)),
            _ => None,
        }
    }

    /// Without the standard library there is no place for them.
    #[cfg(not(feature = "std"))]
    pub(in crate::mesh) fn get(&self, _: MissingSlabs, _: usize, _: impl FnOnce() -> SlabTree) -> Option<&SlabTree> {
        None
    }
}
