//! Pairs of entities that overlap, from one update to the next.

use crate::pointer::{Buffer, free, hand_out, handle_place, shared, unique};
use crate::scene::HsScene;
use crate::scene_proximity::pair_filter;
use crate::status::{HsStatus, guard};
use hitscan::pairs::{PairChange, PairEvent, PairTracker};

/// The pairs of entities that overlapped at the last update: a handle, which `hs_pair_tracker_free` frees. It is for
/// triggers, sensors and contacts. A tracker belongs to one thread at a time.
pub struct HsPairTracker(PairTracker<u64>);

/// The change of a pair since the update before.
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

/// A pair, and how it has changed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPairEvent {
    /// The entity of the two that was inserted first.
    pub first: u64,
    /// The other one.
    pub second: u64,
    /// The change, an `HsPairChange`.
    pub change: i32,
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

/// Makes a tracker, which has no pairs at first. It tracks the pairs that `hs_scene_overlap_pairs` finds for the same layers
/// and the same `boxes_only`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_pair_tracker_new(
    layers: u32,
    other_layers: u32,
    boxes_only: i32,
    tracker: *mut *mut HsPairTracker,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let tracker = unsafe { handle_place(tracker, "tracker") }?;
        hand_out(tracker, HsPairTracker(PairTracker::with(pair_filter(layers, other_layers, boxes_only)?)))
    })
}

/// Frees a tracker; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_pair_tracker_free(tracker: *mut HsPairTracker) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(tracker) }
}

/// Looks at a scene, usually once a frame, and replaces the events of a tracker. The scene may have changed in any way, and
/// may be a clone or a snapshot. Pairs are known by their keys: an entity that is replaced, or removed and inserted again
/// under its key, is the same one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_pair_tracker_update(tracker: *mut HsPairTracker, scene: *const HsScene) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (tracker, scene) = unsafe { (unique(tracker, "tracker")?, shared(scene, "scene")?) };
        tracker.0.update(&scene.0);
        Ok(HsStatus::Ok)
    })
}

/// Writes the events of the last update: one for each pair that overlaps or did before. Pairs that leave come first. They
/// and the others are in the order of insertion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_pair_tracker_events(
    tracker: *const HsPairTracker,
    events: *mut HsPairEvent,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (tracker, buffer) = unsafe { (shared(tracker, "tracker")?, Buffer::new(events, capacity, count)?) };
        Ok(buffer.fill(tracker.0.events().iter().map(HsPairEvent::from)))
    })
}
