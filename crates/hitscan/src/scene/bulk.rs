//! Bulk changes: either all items are changed or none, and the tree is rebuilt if that takes less time.

use super::keys::Keys;
use super::slot_map::Numbered;
use super::transform_update::{self, CheckedMove, EntityBefore, MovedPart, SceneParts, TouchableExtent};
use super::{
    Entity, Geometry, MOVED_OF_RECORD, PLACE_OF_PART, PartNumbers, PreparedEntity, Record, Revision, Scene,
    VISITED_OF_PART,
};
use crate::bvh::DynamicBvh;
use crate::error::{BulkError, TransformError};
use crate::geom::transform::Transform;
use alloc::vec::Vec;
use core::hash::Hash;

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Does the same as [`insert`](Self::insert) for many entities.
    ///
    /// # Errors
    /// Returns an error for the first item that cannot be used; the scene is unchanged then.
    pub fn insert_all<G: Into<Geometry>, T: Into<Transform>>(
        &mut self,
        entities: impl IntoIterator<Item = (K, G, T)>,
    ) -> Result<(), BulkError> {
        let prepare = |(index, (key, geometry, transform)): (usize, (K, G, T))| {
            let prepared = PreparedEntity::new(geometry.into(), transform.into());
            prepared.map(|prepared| (key, prepared)).map_err(|error| BulkError { index, error })
        };
        let prepared: Vec<(K, PreparedEntity)> =
            entities.into_iter().enumerate().map(prepare).collect::<Result<_, _>>()?;
        let mut parts = Vec::new();
        for (key, prepared) in prepared {
            parts.extend(self.place(key, prepared).1);
        }
        // For each part, a build takes a few times as long as an insertion, and gives a better tree.
        if parts.len() < self.tree.len() / FEW {
            parts.into_iter().for_each(|part| self.link_part(part));
        } else {
            self.rebuild();
        }
        Ok(())
    }

    /// Does the same as [`set_transform`](Self::set_transform) for many entities; absent keys are ignored. Returns the
    /// number of entities that were moved.
    ///
    /// If about an eighth of all parts or more move, the tree is refitted or rebuilt once. Move all entities of a frame by
    /// one call rather than in a loop, and move the eye by [`relative_to`](Self::relative_to) rather than the scene.
    ///
    /// # Errors
    /// Returns an error for the first transform of a present key that cannot be used; the scene is unchanged then.
    pub fn set_transforms<T: Into<Transform>>(
        &mut self,
        transforms: impl IntoIterator<Item = (K, T)>,
    ) -> Result<usize, BulkError> {
        let mut asks = RequestedMoves::new(transforms, &self.places);
        let count = asks.asked.len();
        // Moving entities together visits all places that were ever in use.
        let is_many = count > 0 && count >= self.parts.places() / FEW;
        let moved = if is_many { self.move_together(&mut asks) } else { Ok(()) };
        moved.and_then(|()| self.move_each(&mut asks)).inspect_err(|_| self.move_back(&asks))?;
        Ok(asks.undoing().count())
    }

    /// Makes the moves one by one.
    fn move_each(&mut self, asks: &mut RequestedMoves) -> Result<(), BulkError> {
        let mut moves = Vec::new();
        while !asks.piece().is_empty() {
            prepare(asks.piece(), &self.entities, &self.parts, |number| self.tree.prefetch(number), &mut moves);
            moves.iter().flatten().flat_map(CheckedMove::parts).for_each(|part| self.tree.prefetch_parent(part.number));
            for (moved, revision) in moves.iter().zip(Revision::several(moves.len())) {
                let moved = moved.as_ref().map_err(|error| asks.refused(*error))?;
                let before = self.apply_move(moved, revision);
                moved.parts().iter().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
                asks.made(before);
            }
        }
        Ok(())
    }

    /// Makes the moves up to, but not including, the first move that takes a part into the tree or out of it. Then
    /// refits the tree once.
    fn move_together(&mut self, asks: &mut RequestedMoves) -> Result<(), BulkError> {
        let moved = self.move_loosely(asks);
        if asks.made > 0 {
            self.tree.fit();
        }
        if self.tree.is_adrift() {
            self.rebuild();
        }
        moved
    }

    /// Does the same as [`move_together`](Self::move_together), but does not refit the tree.
    fn move_loosely(&mut self, asks: &mut RequestedMoves) -> Result<(), BulkError> {
        let Self { entities, parts, tree, slack, .. } = self;
        let (mut entities, mut parts, mut tree) = (entities.open(), parts.open(), tree.moving());
        let mut moves = Vec::new();
        while !asks.piece().is_empty() {
            prepare(asks.piece(), &entities, &parts, |number| tree.prefetch(number), &mut moves);
            for (moved, revision) in moves.iter().zip(Revision::several(moves.len())) {
                let moved = moved.as_ref().map_err(|error| asks.refused(*error))?;
                let stays =
                    |part: &MovedPart| matches!(part.room, TouchableExtent::Box(_)) == tree.contains(part.number);
                if !moved.parts().iter().all(stays) {
                    return Ok(());
                }
                asks.made(entities.get_mut(moved.place).and_then(|record| moved.make(record, &mut parts, revision)));
                for MovedPart { number, placement, room } in moved.parts() {
                    if let TouchableExtent::Box(extent) = room {
                        *slack = slack.max(placement.slack);
                        tree.set(*number, extent);
                    }
                }
            }
        }
        Ok(())
    }

    /// Undoes moves, the last one first.
    fn move_back(&mut self, asks: &RequestedMoves) {
        for (asked, revision) in asks.undoing().rev() {
            let Some(Record { geometry, parts, .. }) = self.entities.get(asked.place) else { continue };
            let asked = asked.request(geometry, parts);
            // These transforms were usable before.
            if let Ok(moved) = CheckedMove::new(&asked, |number| self.parts.get(number)) {
                self.apply_move(&moved, revision);
                moved.parts().iter().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
            }
        }
    }

    /// Does the same as [`remove`](Self::remove) for many entities; absent keys are ignored. Returns the entities that were removed.
    pub fn remove_all(&mut self, keys: impl IntoIterator<Item = K>) -> Vec<(K, Entity)> {
        let mut removed = |key| self.remove(&key).map(|entity| (key, entity));
        keys.into_iter().filter_map(&mut removed).collect()
    }

    /// Rebuilds the tree over all parts.
    pub(super) fn rebuild(&mut self) {
        self.unbounded.clear();
        self.slack = 0.0;
        let mut items = Vec::new();
        for (number, part) in self.parts.iter() {
            match part.room() {
                TouchableExtent::Nothing => {}
                TouchableExtent::Everywhere => self.unbounded.push(number),
                TouchableExtent::Box(extent) => {
                    self.slack = self.slack.max(part.slack);
                    items.push((number, extent));
                }
            }
        }
        self.tree = DynamicBvh::build(&items);
    }
}

/// If at least one in this many parts changes, the scene is traversed as a whole. Otherwise, parts are changed one by
/// one.
const FEW: usize = 8;
/// The number of moves that are prepared before they are made, chosen to fit into the core's own cache. One thread
/// prepares them, because most of the time is spent making the moves. Waking a thread for each piece takes longer
/// than preparing it.
const PIECE: usize = 256;
/// The number of entities that are prefetched ahead of their turn.
const AHEAD: usize = 8;

fn prepare<'a, K: 'a>(
    all: &'a [ListedMove],
    records: &'a impl Numbered<Record<K>>,
    parts: &impl SceneParts,
    prefetch: impl Fn(u32),
    moves: &mut Vec<Result<CheckedMove, TransformError>>,
) {
    // In a large scene, no part of a record is in the cache. The record's cache lines would be loaded one after the
    // other. To prefetch all records first, and then the places of parts, was no faster when 1 % of the entities moved,
    // and a twentieth slower when all moved.
    let ahead = |asked: &ListedMove| records.prefetch_change::<0, MOVED_OF_RECORD>(asked.place);
    all.iter().take(AHEAD).for_each(ahead);
    let work = |(index, asked): (usize, &'a ListedMove)| {
        all.get(index + AHEAD).into_iter().for_each(ahead);
        let Record { geometry, parts: numbers, .. } = records.get(asked.place)?;
        for &number in numbers.iter() {
            parts.prefetch_change::<0, VISITED_OF_PART>(number);
            parts.prefetch_change::<{ PLACE_OF_PART.0 }, { PLACE_OF_PART.1 }>(number);
            prefetch(number);
        }
        Some(asked.request(geometry, numbers))
    };
    let work: Vec<transform_update::RequestedMove<'_>> = all.iter().enumerate().filter_map(work).collect();
    moves.clear();
    moves.resize_with(work.len(), || Err(TransformError::NotFinite));
    parts.moves(&work, moves);
}

/// The moves of a bulk change. All are requested before any is made, because the caller's iterator may panic.
struct RequestedMoves {
    /// The moves of entities that exist.
    asked: Vec<ListedMove>,
    /// The number of moves that are made. These moves are the first in `asked`, and also have the data to undo them. With
    /// a separate vector for that data, of megabytes for 10,000 moves, a bulk change took a twentieth more time.
    made: usize,
}

impl RequestedMoves {
    fn new<K: Clone + Eq + Hash, T: Into<Transform>>(
        transforms: impl IntoIterator<Item = (K, T)>,
        places: &Keys<K>,
    ) -> Self {
        let transforms = transforms.into_iter();
        let mut asked = Vec::with_capacity(transforms.size_hint().0.min(places.len()));
        // This is not a loop. A loop would store each item and load it with other widths, so store forwarding would fail.
        transforms.enumerate().for_each(|(index, (key, transform))| {
            if let Some(place) = places.get(&key) {
                asked.push(ListedMove { index, place, transform: transform.into(), before: None });
            }
        });
        Self { asked, made: 0 }
    }

    /// Returns the next moves to make, or none if all are made.
    fn piece(&self) -> &[ListedMove] {
        let left = &self.asked[self.made..];
        &left[..left.len().min(PIECE)]
    }

    fn made(&mut self, before: Option<EntityBefore>) {
        if let (Some(asked), Some(before)) = (self.asked.get_mut(self.made), before) {
            asked.transform = before.transform.into();
            asked.before = Some(before.revision);
        }
        self.made += 1;
    }

    /// Returns the moves that are made, each with the former revision. The transform of each is the former transform of the
    /// entity, which undoes the move.
    fn undoing(&self) -> impl DoubleEndedIterator<Item = (&ListedMove, Revision)> {
        self.asked[..self.made].iter().filter_map(|asked| Some((asked, asked.before?)))
    }

    /// Returns the error of a bulk change, given the error of the next move.
    fn refused(&self, error: TransformError) -> BulkError {
        BulkError { index: self.piece().first().map_or(0, |asked| asked.index), error: error.into() }
    }
}

/// A move that was requested.
struct ListedMove {
    /// The index of the move among all requested moves.
    index: usize,
    place: u32,
    /// The transform to which the entity is moved. After the move, it is the entity's former transform.
    transform: Transform,
    /// The entity's revision before the move, once it is moved.
    before: Option<Revision>,
}

impl ListedMove {
    fn request<'a>(&'a self, geometry: &'a Geometry, numbers: &'a PartNumbers) -> transform_update::RequestedMove<'a> {
        transform_update::RequestedMove { place: self.place, transform: &self.transform, geometry, numbers }
    }
}
