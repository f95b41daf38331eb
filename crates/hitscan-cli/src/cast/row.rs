//! The question about each ray, and the rows that answer it.

use hitscan::Hit;
use hitscan_io::EntityId;

/// The question about each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Closest,
    Any,
    All,
}

/// A row of the table.
pub(super) struct Row {
    pub(super) ray: u64,
    pub(super) answer: Answer,
}

pub(super) enum Answer {
    Miss,
    /// The hit is in a box, because the other answers are a few bytes.
    Hit(Box<Hit<EntityId>>),
    Blocked(bool),
}

impl Answer {
    pub(super) fn hit(hit: Hit<EntityId>) -> Self {
        Self::Hit(Box::new(hit))
    }
}
