//! Rows that clones share, and sorting that is compiled once.

pub(crate) mod cow_vec;
pub(crate) mod sort;
