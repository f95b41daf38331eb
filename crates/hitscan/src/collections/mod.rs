//! Rows that clones share, sorting that is compiled once, and the traits of an order.

pub(crate) mod cow_vec;
pub(crate) mod ordered;
pub(crate) mod sort;
