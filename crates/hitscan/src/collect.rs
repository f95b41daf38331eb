//! Closest, any and all: what a query keeps of the hits that it meets, which come in no particular order.

use core::cmp::Ordering;
use core::ops::ControlFlow;

/// Where a hit stands among all others. Reported t first; ties go to the earlier entity, then the lower part, then the
/// lower triangle (or crossing of a shape), whatever the traversal order was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Key {
    pub(crate) t: f32,
    /// The entity's insertion order.
    pub(crate) order: u64,
    pub(crate) part: u32,
    /// Triangle, or crossing of a shape.
    pub(crate) primitive: u32,
}

impl Key {
    // Not called: a key that has an address is stored, and read back in other pieces.
    #[inline(always)]
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        match self.t.total_cmp(&other.t) {
            Ordering::Equal => Self::cmp_surfaces(self.surface(), other.surface()),
            ordering => ordering,
        }
    }

    /// Of keys with the same t. Not inlined, as that is rare.
    #[cold]
    #[inline(never)]
    fn cmp_surfaces(one: (u64, u32, u32), other: (u64, u32, u32)) -> Ordering {
        one.cmp(&other)
    }

    /// Everything but t.
    #[inline(always)]
    pub(crate) fn surface(&self) -> (u64, u32, u32) {
        (self.order, self.part, self.primitive)
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// For the first hit in order.
    Closest,
    /// For the first few in order.
    Several,
    /// Whether there is one.
    Any,
    /// For all.
    Every,
}

/// What to do with hits of payload T.
pub(crate) trait Collect<T> {
    const QUESTION: Question;

    /// Whether this hit would be kept; asked before a caller's filter is.
    fn wants(&self, key: &Key) -> bool;
    /// Keeps it; breaks if no other can matter.
    fn take(&mut self, key: Key, payload: T) -> ControlFlow<()>;
    /// Hits beyond this t do not matter.
    fn limit(&self) -> f32;
    /// There is a hit that counts, and [`Question::Any`] need not know more.
    fn note(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The first of all in order.
pub(crate) struct Closest<T>(pub(crate) Option<(Key, T)>);

impl<T> Collect<T> for Closest<T> {
    const QUESTION: Question = Question::Closest;

    #[inline(always)]
    fn wants(&self, key: &Key) -> bool {
        match &self.0 {
            Some((best, _)) => key.cmp(best).is_lt(),
            None => true,
        }
    }

    #[inline(always)]
    fn take(&mut self, key: Key, payload: T) -> ControlFlow<()> {
        self.0 = Some((key, payload));
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        self.0.as_ref().map_or(f32::INFINITY, |(best, _)| best.t)
    }
}

/// Whether there is any.
pub(crate) struct Any(pub(crate) bool);

impl<T> Collect<T> for Any {
    const QUESTION: Question = Question::Any;

    fn wants(&self, _: &Key) -> bool {
        true
    }

    fn take(&mut self, _: Key, _: T) -> ControlFlow<()> {
        Collect::<T>::note(self)
    }

    fn note(&mut self) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}

/// Hands every one on.
pub(crate) struct Every<F>(pub(crate) F);

impl<T, F: FnMut(Key, T)> Collect<T> for Every<F> {
    const QUESTION: Question = Question::Every;

    fn wants(&self, _: &Key) -> bool {
        true
    }

    fn take(&mut self, key: Key, payload: T) -> ControlFlow<()> {
        self.0(key, payload);
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        f32::INFINITY
    }
}
