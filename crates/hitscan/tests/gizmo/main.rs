//! The gizmo: which handle is picked, what a drag does, what is drawn.
//!
//! `HITSCAN_DRAGS` sets how many random drags of each kind are tried.

mod control;
mod drags;
mod handles;
mod picks;
mod picture;
mod program;
mod transforms;
#[path = "../drag/views.rs"]
mod views;
