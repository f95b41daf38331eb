//! Numbers: roundoff and its bounds, vectors in lanes, exact signs, random numbers, and clipping.

pub(crate) mod clip;
pub(crate) mod dvec3_lanes;
pub(crate) mod exact_predicates;
pub(crate) mod filtered_predicates;
pub(crate) mod float;
pub(crate) mod scalar;
pub(crate) mod splitmix64;
