//! The gizmo: which handle is picked, what a drag does, what is drawn.
//!
//! `HITSCAN_DRAGS` sets how many random drags of each kind are tried.

mod cases;
mod drags;
mod picks;
#[path = "../drag/views.rs"]
mod views;
