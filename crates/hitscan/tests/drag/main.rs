//! Drags: they stay under the cursor where that is possible, and never leap.
//!
//! `HITSCAN_DRAGS` sets how many random drags of each kind are tried.

mod faults;
mod paths;
mod surface;
mod turns;
mod views;
