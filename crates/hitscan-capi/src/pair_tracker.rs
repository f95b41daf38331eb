//! Pairs of entities that overlap, from one update to the next.

pub use crate::answers::HsPairEvent;
use crate::pointer::{Buffer, free, hand_out, handle_place, shared, unique};
use crate::scene::HsScene;
use crate::scene_proximity::pair_filter;
use crate::status::{HsStatus, guard};
use hitscan::pairs::{PairChange, PairEvent, PairTracker};

#[rustfmt::skip]
pub mod functions;

/// The pairs of entities that overlapped at the last update: a handle, which `hs_pair_tracker_free` frees. It is for
/// triggers, sensors and contacts. A tracker belongs to one thread at a time.
pub struct HsPairTracker(PairTracker<u64>);

/// The change of a pair since the previous update.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsPairChange {
    /// The pair overlaps, and did not before.
    Enter = 0,
    /// The pair overlaps, as it did before.
    Stay = 1,
    /// The pair no longer overlaps, or one of the two is gone.
    Leave = 2,
}

impl From<&PairEvent<u64>> for HsPairEvent {
    fn from(event: &PairEvent<u64>) -> Self {
        let change = match event.change {
            PairChange::Enter => HsPairChange::Enter,
            PairChange::Stay => HsPairChange::Stay,
            PairChange::Leave => HsPairChange::Leave,
        };
        Self { first: event.first, second: event.second, change: change as i32 }
    }
}

/// Frees a tracker; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_pair_tracker_free(tracker: *mut HsPairTracker) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(tracker) }
}
