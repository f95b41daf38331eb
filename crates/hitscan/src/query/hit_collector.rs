//! Collectors for the closest hit, any hit and all hits. A query passes hits to its collector in no particular order.

use core::cmp::Ordering;
use core::ops::ControlFlow;

/// The rank of a hit among all others. Reported t comes first; ties go to the earlier entity, then the lower part, then
/// the lower triangle (or crossing of a shape), whatever the traversal order was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HitKey {
    pub(crate) t: f32,
    /// The entity's insertion order.
    pub(crate) order: u64,
    pub(crate) part: u32,
    /// The triangle, or the crossing of a shape.
    pub(crate) primitive: u32,
}

impl HitKey {
    // The comparison is inlined. A key that has an address would be stored, and loaded with other widths than it was
    // stored with, which defeats store forwarding.
    #[inline(always)]
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        match self.t.total_cmp(&other.t) {
            Ordering::Equal => Self::cmp_surfaces(self.surface(), other.surface()),
            ordering => ordering,
        }
    }

    /// Compares keys with the same t. It is not inlined, because that is rare.
    #[cold]
    #[inline(never)]
    fn cmp_surfaces(one: (u64, u32, u32), other: (u64, u32, u32)) -> Ordering {
        one.cmp(&other)
    }

    /// Returns everything but t.
    #[inline(always)]
    pub(crate) fn surface(&self) -> (u64, u32, u32) {
        (self.order, self.part, self.primitive)
    }
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
pub(crate) trait HitCollector<T> {
    const QUESTION: Question;

    /// Returns whether this hit would be kept; this is called before a caller's filter.
    fn wants(&self, key: &HitKey) -> bool;
    /// Keeps the hit; breaks if no other can matter.
    fn take(&mut self, key: HitKey, payload: T) -> ControlFlow<()>;
    /// Returns the t beyond which hits do not matter.
    fn limit(&self) -> f32;
    /// Notes that there is a hit that counts; [`Question::Any`] needs to know no more.
    fn note(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps the first of all hits in order.
pub(crate) struct ClosestHit<T>(pub(crate) Option<(HitKey, T)>);

impl<T> HitCollector<T> for ClosestHit<T> {
    const QUESTION: Question = Question::Closest;

    #[inline(always)]
    fn wants(&self, key: &HitKey) -> bool {
        match &self.0 {
            Some((best, _)) => key.cmp(best).is_lt(),
            None => true,
        }
    }

    #[inline(always)]
    fn take(&mut self, key: HitKey, payload: T) -> ControlFlow<()> {
        self.0 = Some((key, payload));
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        self.0.as_ref().map_or(f32::INFINITY, |(best, _)| best.t)
    }
}

/// Remembers whether there is any hit.
pub(crate) struct AnyHit(pub(crate) bool);

impl<T> HitCollector<T> for AnyHit {
    const QUESTION: Question = Question::Any;

    fn wants(&self, _: &HitKey) -> bool {
        true
    }

    fn take(&mut self, _: HitKey, _: T) -> ControlFlow<()> {
        HitCollector::<T>::note(self)
    }

    fn note(&mut self) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}

/// Passes every hit on.
pub(crate) struct EveryHit<F>(pub(crate) F);

impl<T, F: FnMut(HitKey, T)> HitCollector<T> for EveryHit<F> {
    const QUESTION: Question = Question::Every;

    fn wants(&self, _: &HitKey) -> bool {
        true
    }

    fn take(&mut self, key: HitKey, payload: T) -> ControlFlow<()> {
        self.0(key, payload);
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}
