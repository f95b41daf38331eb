//! Numbers: roundoff and its bounds, rotations, vectors in lanes, exact signs, random numbers, perpendicular directions, and clipping.

pub(crate) mod clip;
pub(crate) mod dvec3_lanes;
pub(crate) mod exact_predicates;
pub(crate) mod filtered_predicates;
pub(crate) mod float;
pub(crate) mod perpendicular;
pub(crate) mod rotation;
pub(crate) mod scalar;
pub(crate) mod splitmix64;
