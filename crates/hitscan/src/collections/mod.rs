//! Vectors that clones share, sorting that is compiled once, and a macro for the order of heap entries.

pub(crate) mod cow_vec;
pub(crate) mod ordered;
pub(crate) mod sort;
