//! Many changes at once: all or none, and the tree is built anew where that is cheaper.

use super::keys::Keys;
use super::moves::{self, Move, MovedPart, Parts, Room};
use super::slab::Numbered;
use super::{
    Before, Entity, Geometry, MOVED_OF_RECORD, PLACE_OF_PART, PartNumbers, Prepared, Record, Revision, Scene,
    VISITED_OF_PART,
};
use crate::bvh::DynamicBvh;
use crate::error::{SceneError, TransformError};
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
        let mut asks = Asks::new(transforms, &self.places);
        let count = asks.asked.len();
        // All of what there ever was is gone through then.
        let is_many = count > 0 && count >= self.parts.places() / FEW;
        let moved = if is_many { self.move_together(&mut asks) } else { Ok(()) };
        moved.and_then(|()| self.move_each(&mut asks)).inspect_err(|_| self.move_back(&asks))?;
        Ok(asks.undoing().count())
    }

    /// Moves one after the other.
    fn move_each(&mut self, asks: &mut Asks) -> Result<(), BulkError> {
        let mut moves = Vec::new();
        while !asks.piece().is_empty() {
            prepare(asks.piece(), &self.entities, &self.parts, |number| self.tree.announce(number), &mut moves);
            moves.iter().flatten().flat_map(Move::parts).for_each(|part| self.tree.announce_parent(part.number));
            for (moved, revision) in moves.iter().zip(Revision::several(moves.len())) {
                let moved = moved.as_ref().map_err(|error| asks.refused(*error))?;
                let before = self.apply_move(moved, revision);
                moved.parts().iter().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
                asks.made(before);
            }
        }
        Ok(())
    }

    /// Moves as many as stay in the tree, or stay out of it, and fits the tree once.
    fn move_together(&mut self, asks: &mut Asks) -> Result<(), BulkError> {
        let moved = self.move_loosely(asks);
        if asks.made > 0 {
            self.tree.fit();
        }
        if self.tree.is_adrift() {
            self.rebuild();
        }
        moved
    }

    /// The same, but the tree is yet to be fitted.
    fn move_loosely(&mut self, asks: &mut Asks) -> Result<(), BulkError> {
        let Self { entities, parts, tree, slack, .. } = self;
        let (mut entities, mut parts, mut tree) = (entities.open(), parts.open(), tree.moving());
        let mut moves = Vec::new();
        while !asks.piece().is_empty() {
            prepare(asks.piece(), &entities, &parts, |number| tree.announce(number), &mut moves);
            for (moved, revision) in moves.iter().zip(Revision::several(moves.len())) {
                let moved = moved.as_ref().map_err(|error| asks.refused(*error))?;
                let stays = |part: &MovedPart| matches!(part.room, Room::Box(_)) == tree.contains(part.number);
                if !moved.parts().iter().all(stays) {
                    return Ok(());
                }
                asks.made(entities.get_mut(moved.place).and_then(|record| moved.make(record, &mut parts, revision)));
                for MovedPart { number, placement, room } in moved.parts() {
                    if let Room::Box(extent) = room {
                        *slack = slack.max(placement.slack);
                        tree.set(*number, extent);
                    }
                }
            }
        }
        Ok(())
    }

    /// Undoes moves, the last one first.
    fn move_back(&mut self, asks: &Asks) {
        for (asked, revision) in asks.undoing().rev() {
            let Some(Record { geometry, parts, .. }) = self.entities.get(asked.place) else { continue };
            let asked = asked.of(geometry, parts);
            // Which could be used then.
            if let Ok(moved) = Move::new(&asked, |number| self.parts.get(number)) {
                self.apply_move(&moved, revision);
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

/// One part in so many is changed by itself; more are changed by going through all of the scene.
const FEW: usize = 8;
/// Moves that are prepared before they are made: as many as stay in the processor's own cache. By two threads, each so many, it took 1.4 times as long:
/// most of the time goes with what is made of them, and waking a thread for each piece takes longer than what it prepares.
const PIECE: usize = 256;
/// As many entities are asked for before their turn.
const AHEAD: usize = 8;

fn prepare<'a, K: 'a>(
    all: &'a [Asked],
    records: &'a impl Numbered<Record<K>>,
    parts: &impl Parts,
    announce: impl Fn(u32),
    moves: &mut Vec<Result<Move, TransformError>>,
) {
    // All of it is far in a large scene, and one would be waited for after the other. Asking for all records first, and for what says where
    // parts are, made 1 % no faster and moving all a twentieth slower.
    let ahead = |asked: &Asked| records.announce_change::<0, MOVED_OF_RECORD>(asked.place);
    all.iter().take(AHEAD).for_each(ahead);
    let work = |(index, asked): (usize, &'a Asked)| {
        all.get(index + AHEAD).into_iter().for_each(ahead);
        let Record { geometry, parts: numbers, .. } = records.get(asked.place)?;
        for &number in numbers.iter() {
            parts.announce_change::<0, VISITED_OF_PART>(number);
            parts.announce_change::<{ PLACE_OF_PART.0 }, { PLACE_OF_PART.1 }>(number);
            announce(number);
        }
        Some(asked.of(geometry, numbers))
    };
    let work: Vec<moves::Asked<'_>> = all.iter().enumerate().filter_map(work).collect();
    moves.clear();
    moves.resize_with(work.len(), || Err(TransformError::NotFinite));
    parts.moves(&work, moves);
}

/// Moves on their way into a scene. All are asked for before any is made, as what the caller gives them by may panic.
struct Asks {
    /// Of entities that are there.
    asked: Vec<Asked>,
    /// How many of them are made. They hold what undoes them: rows of both, megabytes for 10,000, took a twentieth more time.
    made: usize,
}

impl Asks {
    fn new<K: Copy + Eq + Hash, T: Into<Transform>>(
        transforms: impl IntoIterator<Item = (K, T)>,
        places: &Keys<K>,
    ) -> Self {
        let transforms = transforms.into_iter();
        let mut asked = Vec::with_capacity(transforms.size_hint().0.min(places.len()));
        // Not a loop, which would have each item stored and read back in other pieces.
        transforms.enumerate().for_each(|(index, (key, transform))| {
            if let Some(place) = places.get(&key) {
                asked.push(Asked { index, place, transform: transform.into(), before: None });
            }
        });
        Self { asked, made: 0 }
    }

    /// The next that are to be made; none if all are.
    fn piece(&self) -> &[Asked] {
        let left = &self.asked[self.made..];
        &left[..left.len().min(PIECE)]
    }

    fn made(&mut self, before: Option<Before>) {
        if let (Some(asked), Some(before)) = (self.asked.get_mut(self.made), before) {
            asked.transform = before.transform.into();
            asked.before = Some(before.revision);
        }
        self.made += 1;
    }

    /// What takes those back that are made: their transforms are the former ones.
    fn undoing(&self) -> impl DoubleEndedIterator<Item = (&Asked, Revision)> {
        self.asked[..self.made].iter().filter_map(|asked| Some((asked, asked.before?)))
    }

    /// Of the next one.
    fn refused(&self, error: TransformError) -> BulkError {
        BulkError { index: self.piece().first().map_or(0, |asked| asked.index), error: error.into() }
    }
}

/// A move that was asked for.
struct Asked {
    /// Which of all that were given.
    index: usize,
    place: u32,
    /// That it is moved to; once it is, where it was.
    transform: Transform,
    /// Its state before, once it is moved.
    before: Option<Revision>,
}

impl Asked {
    fn of<'a>(&'a self, geometry: &'a Geometry, numbers: &'a PartNumbers) -> moves::Asked<'a> {
        moves::Asked { place: self.place, transform: &self.transform, geometry, numbers }
    }
}
