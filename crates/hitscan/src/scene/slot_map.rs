//! Items in numbered places. The place of a removed item is used again.

use crate::collections::cow_vec::{CowVec, Opened};
use alloc::vec::Vec;

/// The number of places in a page. A page that a clone shares is copied when one of its places changes.
const PAGE: usize = 16;

/// Items under small numbers. An item keeps its number until it is removed. A clone shares the pages that have not changed since.
#[derive(Clone, Debug)]
pub(super) struct SlotMap<T> {
    places: CowVec<Option<T>, PAGE>,
    free: Vec<u32>,
}

/// A collection of items under their numbers.
pub(super) trait Numbered<T> {
    fn get(&self, place: u32) -> Option<&T>;

    fn get_mut(&mut self, place: u32) -> Option<&mut T>;

    /// Prefetches `BYTES` bytes, from the offset `START` on, of an item that is about to be changed.
    fn prefetch_change<const START: usize, const BYTES: usize>(&self, place: u32);
}

impl<T: Clone> Numbered<T> for SlotMap<T> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get(&self, place: u32) -> Option<&T> {
        self.places.get(place as usize)?.as_ref()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch_change<const START: usize, const BYTES: usize>(&self, place: u32) {
        self.places.prefetch_change::<START, BYTES>(place as usize);
    }
}

impl<T> SlotMap<T> {
    pub(super) fn new() -> Self {
        Self { places: CowVec::default(), free: Vec::new() }
    }

    /// Returns the largest number of items that the map ever had at once.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// Returns the address of an item in memory.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn address(&self, place: u32) -> *const u8 {
        self.places.address(place as usize)
    }

    /// Iterates in the order of the numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(self.places.iter()).filter_map(|(place, item)| Some((place, item.as_ref()?)))
    }
}

impl<T: Clone> SlotMap<T> {
    pub(super) fn insert(&mut self, item: T) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = Some(item);
                place
            }
            None => {
                self.places.push(Some(item));
                self.places.len() as u32 - 1
            }
        }
    }

    pub(super) fn remove(&mut self, place: u32) -> Option<T> {
        let item = self.places.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(item)
    }

    /// Opens the map for many changes.
    pub(super) fn open(&mut self) -> OpenSlab<'_, T> {
        OpenSlab { places: self.places.open() }
    }
}

/// Items that are changed in place.
pub(super) struct OpenSlab<'a, T> {
    places: Opened<'a, Option<T>, PAGE>,
}

impl<T> Numbered<T> for OpenSlab<'_, T> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get(&self, place: u32) -> Option<&T> {
        self.places.get(place as usize)?.as_ref()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch_change<const START: usize, const BYTES: usize>(&self, place: u32) {
        self.places.prefetch_change::<START, BYTES>(place as usize);
    }
}
