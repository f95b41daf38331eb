//! The class `PairTracker`: pairs of entities that overlap, from one update to the next.

use crate::answers::{Rows, counted, counted_answers};
use crate::arguments::{Layers, ThreadCount};
use crate::scene::{Scene, pair_test};
use crate::threads::Threads;
use hitscan::pairs::{PairChange, PairEvent, PairFilter};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

counted_answers! {
    /// The changes of pairs since an update: an array for each value. Pairs that leave come first.
    PairEvents of Rows<PairEvent<i64>> as single("pair", "event") by first {
        /// The key of the entity that was inserted first of the two.
        first: i64 = |events| events.column(|event| event.first),
        /// The key of the other entity.
        second: i64 = |events| events.column(|event| event.second),
        /// The change: 1 the pair enters, 0 it stays, -1 it leaves.
        change: i8 = |events| events.column(|event| match event.change {
            PairChange::Enter => 1_i8,
            PairChange::Stay => 0,
            PairChange::Leave => -1,
        }),
    }
}

/// Reports the entities of a scene that begin to overlap, still overlap, or no longer overlap: for triggers, sensors and contacts.
///
/// A pair counts if one entity is on some of `layers`, and the other is on some of `other_layers`. With `test="boxes"` only the
/// boxes around entities are compared, for callers with a test of their own. A copy has the same pairs.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct PairTracker {
    tracker: Mutex<hitscan::pairs::PairTracker<i64>>,
}

impl PairTracker {
    fn locked(&self) -> MutexGuard<'_, hitscan::pairs::PairTracker<i64>> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn events(tracker: &hitscan::pairs::PairTracker<i64>) -> PairEvents {
    let events = tracker.events();
    PairEvents::new(Rows::new(events.to_vec(), &[events.len()]))
}

#[pymethods]
impl PairTracker {
    #[new]
    #[pyo3(signature = (*, layers = None, other_layers = None, test = "shapes"))]
    fn new(layers: Option<Layers>, other_layers: Option<Layers>, test: &str) -> PyResult<Self> {
        let [one, other] = [layers, other_layers].map(|layers| layers.map_or(u32::MAX, |layers| layers.0));
        let filter = PairFilter::new().layers(one, other).test(pair_test(test)?);
        Ok(Self { tracker: Mutex::new(hitscan::pairs::PairTracker::with(filter)) })
    }

    /// Finds the pairs of a scene, usually once a frame, and returns an event for every pair that overlaps now or did at the last update.
    ///
    /// The scene may have changed in any way, and may be a copy. Pairs are identified by their keys.
    #[pyo3(signature = (scene, *, threads = None))]
    fn update(&self, py: Python<'_>, scene: &Scene, threads: Option<ThreadCount>) -> PyResult<PairEvents> {
        let (world, threads) = (scene.world(), Threads::new(threads)?);
        let mut next = self.locked().clone();
        let next = threads.run_apart(py, world.work(), move || {
            next.update(&world.scene);
            next
        })?;
        let events = self::events(&next);
        *self.locked() = next;
        Ok(events)
    }

    /// The events of the last update.
    #[getter]
    fn events(&self) -> PairEvents {
        events(&self.locked())
    }

    /// The pairs at the last update, of shape (n, 2), in the order of `Scene.overlap_pairs`.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray2<i64>>> {
        crate::arrays::table(py, self.locked().pairs().map(|(first, second)| [first, second]).collect())
    }

    fn __copy__(&self) -> Self {
        Self { tracker: Mutex::new(self.locked().clone()) }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.PairTracker: {}>", counted(self.locked().pairs().len(), "pair"))
    }
}
