//! Vectors that clones share, sorting that is compiled once, and traits for orders.

pub(crate) mod cow_vec;
pub(crate) mod ordered;
pub(crate) mod sort;
