//! Overlapping pairs compared with a naive list that tests all pairs by other arithmetic.

mod bits;
mod boxes;
mod crowd;
mod kinds;
mod list;
mod tracker;
mod walk;
