//! Shared data, stored once.

use std::collections::HashMap;
use std::sync::Arc;

/// Numbers for values in the order of their first use; values at the same address get the same number.
pub(super) struct Numbers<'a, T: ?Sized> {
    pub(super) things: Vec<&'a T>,
    known: HashMap<*const u8, u32>,
}

impl<'a, T: ?Sized> Numbers<'a, T> {
    pub(super) fn new() -> Self {
        Self { things: Vec::new(), known: HashMap::new() }
    }

    pub(super) fn of(&mut self, thing: &'a Arc<T>) -> u32 {
        *self.known.entry(Arc::as_ptr(thing).cast()).or_insert_with(|| {
            self.things.push(thing);
            self.things.len() as u32 - 1
        })
    }
}
