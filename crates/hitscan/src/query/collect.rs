//! Collectors for the closest hit, any hit and all hits, of rays and of moving volumes. A query passes hits to its collector in no particular order.

use crate::scene::Part;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// The position of a hit in the order of all hits. The smallest reported t comes first. Among equal t, the lower rank comes first (hits of rays have no rank).
/// Then come the earlier entity, the lower part, and the lower triangle or crossing of a shape. The order does not depend on the traversal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HitKey<R = ()> {
    pub(crate) t: f32,
    pub(crate) rank: R,
    /// The entity's insertion order.
    pub(crate) order: u64,
    pub(crate) part: u32,
    /// The triangle, or the crossing of a shape.
    pub(crate) primitive: u32,
}

impl<R: Ord> HitKey<R> {
    /// Makes the key of a hit on a part.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn on(part: &Part, (t, rank): (f32, R), primitive: u32) -> Self {
        Self { t, rank, order: part.order, part: part.index, primitive }
    }

    // The comparison is inlined. Otherwise a key would be stored in memory, and loaded with other widths than it was
    // stored with, so store forwarding would fail.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        match self.t.total_cmp(&other.t) {
            Ordering::Equal => match self.rank.cmp(&other.rank) {
                Ordering::Equal => cmp_surfaces(self.surface(), other.surface()),
                ordering => ordering,
            },
            ordering => ordering,
        }
    }

    /// Returns everything but t and the rank.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn surface(&self) -> (u64, u32, u32) {
        (self.order, self.part, self.primitive)
    }
}

/// Compares keys with the same t and rank. It is not inlined, because such keys are rare.
#[cold]
#[inline(never)]
fn cmp_surfaces(one: (u64, u32, u32), other: (u64, u32, u32)) -> Ordering {
    one.cmp(&other)
}

/// The kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The question asks for the first hit in order.
    Closest,
    /// The question asks for the first few hits in order.
    Several,
    /// The question asks whether there is a hit.
    Any,
    /// The question asks for all hits.
    Every,
}

/// Collects hits with a payload T.
pub(crate) trait HitCollector<T, R = ()> {
    /// Returns whether this hit would be kept; this is called before a caller's filter.
    fn wants(&self, key: &HitKey<R>) -> bool;
    /// Keeps the hit; breaks if no other can matter.
    fn take(&mut self, key: HitKey<R>, payload: T) -> ControlFlow<()>;
    /// Returns the t beyond which hits do not matter.
    fn limit(&self) -> f32;
}

/// Collects hits of a ray, for a kind of question that is known at compile time.
pub(crate) trait RayCollector<T>: HitCollector<T> {
    const QUESTION: Question;

    /// Records that there is a hit, without its data. Only [`Question::Any`] needs this.
    fn note(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps the hit that is first in the order of keys.
pub(crate) struct ClosestHit<T, R = ()>(pub(crate) Option<(HitKey<R>, T)>);

impl<T> RayCollector<T> for ClosestHit<T> {
    const QUESTION: Question = Question::Closest;
}

impl<T, R: Ord> HitCollector<T, R> for ClosestHit<T, R> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn wants(&self, key: &HitKey<R>) -> bool {
        match &self.0 {
            Some((best, _)) => key.cmp(best).is_lt(),
            None => true,
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take(&mut self, key: HitKey<R>, payload: T) -> ControlFlow<()> {
        self.0 = Some((key, payload));
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        self.0.as_ref().map_or(f32::INFINITY, |(best, _)| best.t)
    }
}

/// Records whether there is any hit.
pub(crate) struct AnyHit(pub(crate) bool);

impl<T> HitCollector<T> for AnyHit {
    fn wants(&self, _: &HitKey) -> bool {
        true
    }

    fn take(&mut self, _: HitKey, _: T) -> ControlFlow<()> {
        RayCollector::<T>::note(self)
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}

impl<T> RayCollector<T> for AnyHit {
    const QUESTION: Question = Question::Any;

    fn note(&mut self) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }
}

/// Passes every hit on.
pub(crate) struct EveryHit<F>(pub(crate) F);

impl<T, F: FnMut(HitKey, T)> RayCollector<T> for EveryHit<F> {
    const QUESTION: Question = Question::Every;
}

impl<T, R, F: FnMut(HitKey<R>, T)> HitCollector<T, R> for EveryHit<F> {
    fn wants(&self, _: &HitKey<R>) -> bool {
        true
    }

    fn take(&mut self, key: HitKey<R>, payload: T) -> ControlFlow<()> {
        self.0(key, payload);
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}
