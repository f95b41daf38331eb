//! Numbered places that are used again.

use crate::paged::{Opened, Paged};
use alloc::vec::Vec;

/// As many places are copied when one of them is changed that a clone has too.
const PAGE: usize = 16;

/// Items under small numbers that stay the same until they are removed. A clone shares what neither changes.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    places: Paged<Option<T>, PAGE>,
    free: Vec<u32>,
}

/// What has items under their numbers.
pub(super) trait Numbered<T> {
    fn get(&self, place: u32) -> Option<&T>;

    fn get_mut(&mut self, place: u32) -> Option<&mut T>;

    /// Has so many bytes of an item brought, from one on, that is about to be changed.
    fn announce_change<const START: usize, const BYTES: usize>(&self, place: u32);
}

impl<T: Clone> Numbered<T> for Slab<T> {
    #[inline(always)]
    fn get(&self, place: u32) -> Option<&T> {
        self.places.get(place as usize)?.as_ref()
    }

    #[inline(always)]
    fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    #[inline(always)]
    fn announce_change<const START: usize, const BYTES: usize>(&self, place: u32) {
        self.places.announce_change::<START, BYTES>(place as usize);
    }
}

impl<T> Slab<T> {
    pub(super) fn new() -> Self {
        Self { places: Paged::default(), free: Vec::new() }
    }

    /// How many there have been at once.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    /// Where an item is in memory.
    #[inline(always)]
    pub(super) fn address(&self, place: u32) -> *const u8 {
        self.places.address(place as usize)
    }

    /// In the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(self.places.iter()).filter_map(|(place, item)| Some((place, item.as_ref()?)))
    }
}

impl<T: Clone> Slab<T> {
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

    /// For many changes.
    pub(super) fn open(&mut self) -> OpenSlab<'_, T> {
        OpenSlab { places: self.places.open() }
    }
}

/// Items that are changed in place.
pub(super) struct OpenSlab<'a, T> {
    places: Opened<'a, Option<T>, PAGE>,
}

impl<T> Numbered<T> for OpenSlab<'_, T> {
    #[inline(always)]
    fn get(&self, place: u32) -> Option<&T> {
        self.places.get(place as usize)?.as_ref()
    }

    #[inline(always)]
    fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    #[inline(always)]
    fn announce_change<const START: usize, const BYTES: usize>(&self, place: u32) {
        self.places.announce_change::<START, BYTES>(place as usize);
    }
}
