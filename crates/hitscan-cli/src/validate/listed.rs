//! Faults that are all counted, and of which the first are listed.

use serde::Serialize;

/// The number of things, and the first of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Listed<T> {
    pub(super) count: u64,
    pub(super) first: Vec<T>,
    #[serde(skip)]
    most: usize,
}

impl<T> Listed<T> {
    /// Makes an empty list, which keeps at most this many things.
    pub(super) fn new(most: usize) -> Self {
        Self { count: 0, first: Vec::new(), most }
    }

    pub(super) fn push(&mut self, item: T) {
        self.count += 1;
        if self.first.len() < self.most {
            self.first.push(item);
        }
    }

    pub(super) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.push(item));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn map<U>(self, convert: impl FnMut(T) -> U) -> Listed<U> {
        Listed { count: self.count, first: self.first.into_iter().map(convert).collect(), most: self.most }
    }
}
