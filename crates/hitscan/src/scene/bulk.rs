//! Many changes at once: all or none, and the tree is built anew where that is cheaper.

use super::{Entity, Geometry, Part, Prepared, Room, Scene};
use crate::bvh::DynamicBvh;
use crate::error::SceneError;
use crate::transform::Transform;
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;

/// Which item of a bulk change was wrong, and why. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BulkError {
    /// Which item, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub error: SceneError,
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item {}: {}", self.index, self.error)
    }
}

impl core::error::Error for BulkError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// [`insert`](Self::insert) for many.
    ///
    /// # Errors
    /// The first item that cannot be used; the scene is unchanged then.
    pub fn insert_all<G: Into<Geometry>, T: Into<Transform>>(
        &mut self,
        entities: impl IntoIterator<Item = (K, G, T)>,
    ) -> Result<(), BulkError> {
        let prepare = |(index, (key, geometry, transform)): (usize, (K, G, T))| {
            let prepared = Prepared::new(geometry.into(), transform.into());
            prepared.map(|prepared| (key, prepared)).map_err(|error| BulkError { index, error })
        };
        let prepared: Vec<(K, Prepared)> = entities.into_iter().enumerate().map(prepare).collect::<Result<_, _>>()?;
        let mut parts = Vec::new();
        for (key, prepared) in prepared {
            parts.extend(self.place(key, prepared).1);
        }
        self.link_all(parts);
        Ok(())
    }

    /// [`set_transform`](Self::set_transform) for many; absent keys are passed over. Returns how many were moved.
    ///
    /// # Errors
    /// The first transform of a present key that cannot be used; the scene is unchanged then.
    pub fn set_transforms<T: Into<Transform>>(
        &mut self,
        transforms: impl IntoIterator<Item = (K, T)>,
    ) -> Result<usize, BulkError> {
        let mut moves = Vec::new();
        for (index, (key, transform)) in transforms.into_iter().enumerate() {
            if let Some(&place) = self.places.get(&key) {
                let moved = self.prepare_move(place, transform.into());
                moves.push(moved.map_err(|error| BulkError { index, error: error.into() })?);
            }
        }
        let count = moves.len();
        let mut parts = Vec::new();
        for moved in moves {
            parts.extend(self.apply_move(moved).1);
        }
        self.link_all(parts);
        Ok(count)
    }

    /// [`remove`](Self::remove) for many; absent keys are passed over. Returns the entities removed.
    pub fn remove_all(&mut self, keys: impl IntoIterator<Item = K>) -> Vec<(K, Entity)> {
        keys.into_iter().filter_map(|key| Some((key, self.remove(&key)?))).collect()
    }

    /// Links many parts: one by one, or all at once where that is cheaper.
    fn link_all(&mut self, mut parts: Vec<u32>) {
        if parts.len() < self.tree.len() / FEW {
            return parts.into_iter().for_each(|part| self.link(part));
        }
        // A key given twice has put its parts into places that its first ones left.
        parts.sort_unstable();
        parts.dedup();
        let are_in_tree = parts.iter().all(|&part| self.tree.contains(part));
        let rooms = parts.iter().map(|&part| self.parts.get(part).map_or(Room::Nothing, Part::room));
        let rooms: Vec<(u32, Room)> = parts.iter().copied().zip(rooms).collect();
        let boxes = rooms.iter().filter_map(|(part, room)| match room { Room::Box(extent) => Some((*part, *extent)), _ => None });
        let boxes: Vec<_> = boxes.collect();
        if are_in_tree && boxes.len() == rooms.len() {
            let slacks = boxes.iter().filter_map(|(part, _)| Some(self.parts.get(*part)?.placement.slack()));
            self.slack = slacks.fold(self.slack, f64::max);
            self.tree.move_all(&boxes);
            return;
        }
        self.rebuild();
    }

    /// Builds the tree anew over all parts.
    fn rebuild(&mut self) {
        self.loose.clear();
        self.slack = 0.0;
        let mut items = Vec::new();
        for (number, part) in self.parts.iter() {
            match part.room() {
                Room::Nothing => {}
                Room::Everywhere => self.loose.push(number),
                Room::Box(extent) => {
                    self.slack = self.slack.max(part.placement.slack());
                    items.push((number, extent));
                }
            }
        }
        self.tree = DynamicBvh::build(&items);
    }
}

/// All of the tree is fitted to changed parts if they are more than one in so many.
const FEW: usize = 8;
