//! Overlapping and near pairs compared with naive lists of all of them.

mod bits;
mod boxes;
mod crowd;
mod impacts;
mod kinds;
mod list;
mod mixed;
mod near;
mod near_cases;
mod rounding;
mod tracker;
mod walk;
