//! The parts of an entity, without its key.

use crate::scene::{Part, PartTree, Scene};
use core::hash::Hash;

#[derive(Clone, Copy)]
pub(in crate::query) struct EntityParts<'a> {
    pub(super) numbers: &'a [u32],
    pub(super) parts: PartTree<'a>,
}

impl<'a> EntityParts<'a> {
    /// Returns the parts of the entity under a key; none for an absent key.
    pub(super) fn under<K: Clone + Eq + Hash>(scene: &'a Scene<K>, key: &K) -> Self {
        Self { numbers: scene.parts_of(key), parts: scene.part_tree() }
    }

    pub(in crate::query) fn iter(self) -> impl Iterator<Item = &'a Part> {
        self.numbers.iter().filter_map(move |&part| self.parts.part(part))
    }
}
