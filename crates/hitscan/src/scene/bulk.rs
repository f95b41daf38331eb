//! Many changes at once: all or none, and the tree is built anew where that is cheaper.

use super::{Entity, Geometry, Move, MovedPart, Prepared, Record, Room, Scene};
use crate::bvh::DynamicBvh;
use crate::error::{SceneError, TransformError};
use crate::parallel;
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
        // A build takes a few times as long for each part, and gives the better tree.
        if parts.len() < self.tree.len() / FEW {
            parts.into_iter().for_each(|part| self.link_part(part));
        } else {
            self.rebuild();
        }
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
        let moves = self.prepare_moves(transforms)?;
        for moved in moves.iter().flatten() {
            self.apply_move(moved);
        }
        self.link_moves(&moves);
        Ok(moves.len())
    }

    /// All of them, on all threads; or the first error.
    fn prepare_moves<T: Into<Transform>>(
        &self,
        transforms: impl IntoIterator<Item = (K, T)>,
    ) -> Result<Vec<Result<Move, TransformError>>, BulkError> {
        let mut asked = Vec::with_capacity(self.places.len());
        for (index, (key, transform)) in transforms.into_iter().enumerate() {
            let place = self.places.get(&key).copied();
            if let Some((place, record)) = place.and_then(|place| Some((place, self.entities.get(place)?))) {
                let Record { entity, parts, .. } = record;
                let geometry = &entity.geometry;
                asked.push(Asked { index, place, geometry, parts, transform: transform.into() });
            }
        }
        let mut moves = Vec::new();
        moves.resize_with(asked.len(), || Err(TransformError::NotFinite));
        let parts = &self.parts;
        parallel::fill(&mut moves, GRAIN, &|start, piece| {
            for (slot, Asked { place, geometry, parts: numbers, transform, .. }) in
                piece.iter_mut().zip(&asked[start..])
            {
                *slot = Move::new(*place, geometry, numbers, parts, *transform);
            }
        });
        for (asked, moved) in asked.iter().zip(&moves) {
            if let Err(error) = moved {
                return Err(BulkError { index: asked.index, error: (*error).into() });
            }
        }
        Ok(moves)
    }

    /// Links moved parts: one by one if they are few, or all at once if they are in the tree and stay there.
    fn link_moves(&mut self, moves: &[Result<Move, TransformError>]) {
        let stays = |part: &MovedPart| matches!(part.room, Room::Box(_)) && self.tree.contains(part.number);
        let parts = || moves.iter().flatten().flat_map(Move::parts);
        if moves.len() < self.tree.len() / FEW || !parts().all(stays) {
            return parts().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
        }
        self.slack = parts().fold(self.slack, |slack, part| slack.max(part.placement.slack));
        self.tree.move_all(parts().filter_map(|part| match &part.room {
            Room::Box(extent) => Some((part.number, extent)),
            Room::Nothing | Room::Everywhere => None,
        }));
    }

    /// [`remove`](Self::remove) for many; absent keys are passed over. Returns the entities removed.
    pub fn remove_all(&mut self, keys: impl IntoIterator<Item = K>) -> Vec<(K, Entity)> {
        keys.into_iter().filter_map(|key| Some((key, self.remove(&key)?))).collect()
    }

    /// Builds the tree anew over all parts.
    pub(super) fn rebuild(&mut self) {
        self.loose.clear();
        self.slack = 0.0;
        let mut items = Vec::new();
        for (number, part) in self.parts.iter() {
            match part.room() {
                Room::Nothing => {}
                Room::Everywhere => self.loose.push(number),
                Room::Box(extent) => {
                    self.slack = self.slack.max(part.slack);
                    items.push((number, extent));
                }
            }
        }
        self.tree = DynamicBvh::build(&items);
    }
}

/// One part in so many is changed by itself; more are changed by going through all of the tree.
const FEW: usize = 8;
/// Moves that are worth handing to another thread.
const GRAIN: usize = 256;

/// A move to be made.
struct Asked<'a> {
    /// Which of all that were given.
    index: usize,
    place: u32,
    // Not the entity, whose key threads may not share.
    geometry: &'a Geometry,
    parts: &'a [u32],
    transform: Transform,
}
