//! Numbers: roundoff and its bounds, rotations, vectors in lanes, exact signs, random numbers, perpendicular directions, support points, and clipping.

// The module `random` uses `glam` by this path in both crates that compile it.
#[cfg(test)]
#[allow(clippy::single_component_path_imports, reason = "another module imports it from here")]
use glam;

pub(crate) mod clip;
mod double_double;
pub(crate) mod dvec3_lanes;
pub(crate) mod exact_predicates;
pub(crate) mod filtered_predicates;
pub(crate) mod float;
mod integer_determinant;
pub(crate) mod perpendicular;
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "hitscan-random compiles this file as well, and makes the items public")]
pub(crate) mod random;
pub(crate) mod rotation;
pub(crate) mod scalar;
#[allow(unreachable_pub, reason = "hitscan-random compiles this file as well, and makes the items public")]
pub(crate) mod splitmix64;
pub(crate) mod support;
