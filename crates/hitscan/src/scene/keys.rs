//! The map from keys to entities.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hash};
use hashbrown::{DefaultHashBuilder, HashTable};

/// A hash table in parts. When the parts hold many keys on average, one part is divided (W. Litwin, "Linear hashing: a new tool for file and table
/// addressing", 1980). So an insertion never moves all other keys, and a clone shares the parts that have not changed since.
#[derive(Clone, Debug)]
pub(super) struct Keys<K> {
    parts: Vec<Arc<HashTable<(K, u32)>>>,
    len: usize,
    hasher: DefaultHashBuilder,
}

/// The average number of keys in a part at which a part is divided.
const FULL: usize = 512;

impl<K> Default for Keys<K> {
    fn default() -> Self {
        Self { parts: Vec::new(), len: 0, hasher: DefaultHashBuilder::default() }
    }
}

impl<K> Keys<K> {
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl<K: Clone + Eq + Hash> Keys<K> {
    /// Returns the index of the entity under a key.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn get(&self, key: &K) -> Option<u32> {
        let hash = self.hasher.hash_one(key);
        let part = self.parts.get(part_of(hash, self.parts.len()))?;
        part.find(hash, |(own, _)| own == key).map(|&(_, place)| place)
    }

    /// Inserts a key with the index of its entity. Returns the former index of the key, if there was one.
    pub(super) fn insert(&mut self, key: K, place: u32) -> Option<u32> {
        if self.len >= FULL * self.parts.len() {
            self.divide();
        }
        let Self { parts, hasher, len } = self;
        let hash = hasher.hash_one(&key);
        let number = part_of(hash, parts.len());
        let part = Arc::make_mut(parts.get_mut(number)?);
        if let Some((_, own)) = part.find_mut(hash, |(own, _)| *own == key) {
            return Some(core::mem::replace(own, place));
        }
        part.insert_unique(hash, (key, place), |(key, _)| hasher.hash_one(key));
        *len += 1;
        None
    }

    pub(super) fn remove(&mut self, key: &K) -> Option<u32> {
        // Absent keys return here, before a shared part is copied.
        self.get(key)?;
        let hash = self.hasher.hash_one(key);
        let number = part_of(hash, self.parts.len());
        let part = Arc::make_mut(self.parts.get_mut(number)?);
        let ((_, place), _) = part.find_entry(hash, |(own, _)| own == key).ok()?.remove();
        self.len -= 1;
        Some(place)
    }

    /// Adds a part, with the keys that now belong to it.
    fn divide(&mut self) {
        let Self { parts, hasher, .. } = self;
        let hash_of = |(key, _): &(K, u32)| hasher.hash_one(key);
        let (number, count) = (parts.len(), parts.len() + 1);
        let mut added = HashTable::new();
        // Until now, the keys of the new part were in this part.
        if let Some(old) = parts.get_mut(number - highest_bit(number)).map(Arc::make_mut) {
            for entry in old.extract_if(|entry| part_of(hash_of(entry), count) == number) {
                added.insert_unique(hash_of(&entry), entry, hash_of);
            }
        }
        parts.push(Arc::new(added));
    }
}

/// Returns the index of the part for a hash, given the number of parts. The tables of the parts use the other bits of a hash.
fn part_of(hash: u64, count: usize) -> usize {
    let hash = (hash >> 32) as usize % (1 << 24);
    let number = hash % count.next_power_of_two();
    // A part with a larger number does not exist yet. So its keys are still in the part that will be divided for it.
    if number < count { number } else { number - highest_bit(number) }
}

/// Returns the value of the highest bit of a number; 0 for 0.
fn highest_bit(number: usize) -> usize {
    number.checked_ilog2().map_or(0, |bit| 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_while_parts_are_divided_and_clones_keep_theirs() {
        let mut keys = Keys::default();
        assert_eq!((keys.get(&7), keys.remove(&7)), (None, None));
        let count = 20 * FULL as u32 + 3;
        for key in 0..count {
            assert_eq!(keys.insert(key, key + 1), None);
            assert_eq!(
                (keys.get(&key), keys.get(&(key / 2)), keys.get(&(key + 1))),
                (Some(key + 1), Some(key / 2 + 1), None)
            );
        }
        let before = keys.clone();
        for key in 0..count {
            let removed = key % 3 == 0;
            assert_eq!(if removed { keys.remove(&key) } else { keys.insert(key, key) }, Some(key + 1));
            assert_eq!(keys.get(&key), (!removed).then_some(key));
        }
        assert_eq!((keys.len(), before.len()), ((count - count.div_ceil(3)) as usize, count as usize));
        assert!((0..count).all(|key| before.get(&key) == Some(key + 1)));
        let longest = before.parts.iter().map(|part| part.len()).max();
        assert!(longest.is_some_and(|longest| longest < 3 * FULL), "{longest:?} in one part");
    }
}
