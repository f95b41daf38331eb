//! Rays that continue from where they hit: the hit point, the surfaces that they meet there, and whether closed rooms
//! contain them.

mod points;
mod rooms;
mod rules;
mod sweep;
