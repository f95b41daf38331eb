//! Changes of a scene as data, so that a part of a history can be repeated and printed.

use crate::common::Random;
use crate::walk::form::Form;
use crate::walk::list::List;
use crate::walk::number::place;
use crate::walk::world::MOST_KEPT;
use hitscan::glam::{DAffine3, DVec3};

/// The number of keys, of which about two thirds are in the scene.
pub(crate) const KEYS: u32 = 96;
/// The maximum distance of entities from the centre.
const REACH: f64 = 8.0;

#[derive(Clone, Debug)]
pub(crate) enum Change {
    Insert(u32, Form, DAffine3),
    InsertAll(Vec<(u32, Form, DAffine3)>),
    Move(u32, DAffine3),
    MoveAll(Vec<(u32, DAffine3)>),
    Remove(u32),
    RemoveAll(Vec<u32>),
    Layers(u32, u32),
    Refit {
        key: u32,
        part: u32,
        seed: u64,
    },
    Heights {
        key: u32,
        part: u32,
        seed: u64,
    },
    /// All changes that are refused, with this key.
    Refused(u32),
    Clear,
    /// Saves the scene, and continues with the scene that is read.
    Save,
    /// Keeps a clone for later queries.
    Keep,
    /// Keeps the current scene, and continues with an earlier kept one.
    GoOnWith(usize),
    Drop(usize),
}

impl Change {
    pub(crate) fn random(random: &mut Random, list: &List) -> Self {
        let key = random.below(KEYS as usize) as u32;
        match random.below(1000) {
            0..230 => Self::Insert(key, Form::random(random), anywhere(random)),
            230..250 => Self::InsertAll(entities(random)),
            250..490 => Self::Move(key, anywhere(random)),
            490..550 => Self::MoveAll(moves(random, list)),
            550..660 => Self::Remove(key),
            660..668 => Self::RemoveAll((0..random.below(40)).map(|_| random.below(KEYS as usize) as u32).collect()),
            668..740 => Self::Layers(key, random.below(4) as u32),
            740..860 => Self::Refit { key, part: part(random), seed: random.bits() },
            860..930 => Self::Heights { key, part: part(random), seed: random.bits() },
            930..960 => Self::Refused(key),
            960..975 => Self::Save,
            975..985 => Self::Keep,
            985..992 => Self::GoOnWith(random.below(MOST_KEPT)),
            992..999 => Self::Drop(random.below(MOST_KEPT)),
            _ => {
                if random.below(3) == 0 {
                    Self::Clear
                } else {
                    Self::Save
                }
            }
        }
    }
}

/// Returns a transform, one in a thousand of which is refused.
fn anywhere(random: &mut Random) -> DAffine3 {
    match random.below(1000) {
        0 => DAffine3::from_scale(DVec3::new(1.0, 0.0, 2.0)),
        _ => place(random, REACH),
    }
}

/// Returns a part, mostly of an entity with one part, and perhaps one that does not exist.
fn part(random: &mut Random) -> u32 {
    [0, 0, 0, 1, 2][random.below(5)]
}

fn entities(random: &mut Random) -> Vec<(u32, Form, DAffine3)> {
    let count = [2, 6, 40][random.below(3)];
    (0..count).map(|_| (random.below(KEYS as usize) as u32, Form::random(random), anywhere(random))).collect()
}

/// Returns moves of a few entities, or small moves of all entities.
fn moves(random: &mut Random, list: &List) -> Vec<(u32, DAffine3)> {
    if random.below(2) == 0 {
        let count = 1 + random.below(8);
        return (0..count).map(|_| (random.below(KEYS as usize) as u32, anywhere(random))).collect();
    }
    let shift = DAffine3::from_translation(random.cube() * 0.5);
    let moved = |transform: DAffine3| {
        let moved = shift * transform;
        // Entities do not move away for ever.
        if moved.translation.abs().max_element() < 1.5 * REACH { moved } else { transform }
    };
    let mut moves: Vec<(u32, DAffine3)> = list.0.iter().map(|entry| (entry.key, moved(entry.transform))).collect();
    if random.below(10) == 0 {
        // The last move is refused, and all moved entities return.
        moves.push((random.below(KEYS as usize) as u32, DAffine3::ZERO));
    }
    moves
}
