//! Many changes at once: all or none, and the tree is built anew where that is cheaper.

use super::{Before, Entity, Geometry, Move, Prepared, Record, Revision, Room, Scene};
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
        let asked = self.asked_moves(transforms);
        let mut revisions = Revision::several(asked.len());
        let mut linking = if asked.len() < self.tree.len() / FEW { Linking::OneByOne } else { Linking::Together };
        let (mut moves, mut before) = (Vec::new(), Vec::with_capacity(asked.len()));
        for piece in asked.chunks(PIECE) {
            self.prepare_moves(piece, &mut moves);
            for (asked, moved) in piece.iter().zip(&moves) {
                let moved = match moved {
                    Ok(moved) => moved,
                    Err(error) => {
                        self.move_back(&before, linking);
                        return Err(BulkError { index: asked.index, error: (*error).into() });
                    }
                };
                before.extend(self.apply_move(moved, revisions.next().unwrap_or_else(Revision::new)));
                self.link_move(moved, &mut linking);
            }
        }
        if linking == Linking::Together {
            self.tree.fit();
        }
        Ok(asked.len())
    }

    /// What is asked of entities that are there.
    fn asked_moves<T: Into<Transform>>(&self, transforms: impl IntoIterator<Item = (K, T)>) -> Vec<Asked> {
        let transforms = transforms.into_iter();
        let mut asked = Vec::with_capacity(transforms.size_hint().0.min(self.places.len()));
        for (index, (key, transform)) in transforms.enumerate() {
            if let Some(&place) = self.places.get(&key) {
                asked.push(Asked { index, place, transform: transform.into() });
            }
        }
        asked
    }

    /// On several threads.
    fn prepare_moves(&self, asked: &[Asked], moves: &mut Vec<Result<Move, TransformError>>) {
        let work: Vec<Work<'_>> = asked.iter().filter_map(|asked| self.work(asked)).collect();
        moves.clear();
        moves.resize_with(work.len(), || Err(TransformError::NotFinite));
        let parts = &self.parts;
        parallel::fill(moves, GRAIN, &|start, piece| {
            for (slot, Work { asked, geometry, numbers }) in piece.iter_mut().zip(&work[start..]) {
                *slot = Move::new(asked.place, geometry, numbers, parts, asked.transform);
            }
        });
    }

    fn work<'a>(&'a self, asked: &'a Asked) -> Option<Work<'a>> {
        let Record { entity, parts, .. } = self.entities.get(asked.place)?;
        Some(Work { asked, geometry: &entity.geometry, numbers: parts })
    }

    /// Puts moved parts where they belong: one by one, or for now only their boxes.
    fn link_move(&mut self, moved: &Move, linking: &mut Linking) {
        for part in moved.parts() {
            match &part.room {
                Room::Box(extent) if *linking == Linking::Together && self.tree.contains(part.number) => {
                    self.slack = self.slack.max(part.placement.slack);
                    self.tree.move_loosely(part.number, extent);
                }
                // It is in no tree, and will be in none.
                room @ (Room::Nothing | Room::Everywhere) if !self.tree.contains(part.number) => {
                    self.link(part.number, room, part.placement.slack);
                }
                room => {
                    // Which needs boxes that are fitted.
                    if core::mem::replace(linking, Linking::OneByOne) == Linking::Together {
                        self.tree.fit();
                    }
                    self.link(part.number, room, part.placement.slack);
                }
            }
        }
    }

    /// Undoes moves, the last one first.
    fn move_back(&mut self, before: &[Before], linking: Linking) {
        if linking == Linking::Together && !before.is_empty() {
            self.tree.fit();
        }
        for before in before.iter().rev() {
            let asked = Asked { index: 0, place: before.place, transform: before.transform.into() };
            let work = self
                .work(&asked)
                .map(|work| Move::new(before.place, work.geometry, work.numbers, &self.parts, asked.transform));
            // Which could be used then.
            if let Some(Ok(moved)) = work {
                self.apply_move(&moved, before.revision);
                moved.parts().iter().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
            }
        }
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
/// Moves that are prepared and then made: as many as stay in the processor's own cache.
const PIECE: usize = 1024;
/// Moves that are worth handing to another thread.
const GRAIN: usize = 256;

/// How the tree is brought up to date.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linking {
    OneByOne,
    /// Its boxes are fitted once, at the end.
    Together,
}

/// A move that was asked for.
struct Asked {
    /// Which of all that were given.
    index: usize,
    place: u32,
    transform: Transform,
}

/// The same with what it takes to prepare it.
struct Work<'a> {
    asked: &'a Asked,
    // Not the entity, whose key threads may not share.
    geometry: &'a Geometry,
    numbers: &'a [u32],
}
