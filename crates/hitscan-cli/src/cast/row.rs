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
    /// The hit is boxed, because the other answers are only a few bytes.
    Hit(Box<Hit<EntityId>>),
    Blocked(bool),
}

impl Answer {
    pub(super) fn hit(hit: Hit<EntityId>) -> Self {
        Self::Hit(Box::new(hit))
    }
}
