//! Rays that continue from a hit. The tests are of the hit point, the other surfaces at that point, and whether closed
//! rooms contain the rays.

mod points;
mod rooms;
mod rules;
mod sweep;
