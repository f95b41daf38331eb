//! Tools of editors: regions, snaps, drags, gizmos, pointers and cameras.

#[path = "../common/mod.rs"]
mod common;

mod camera;
mod drag;
mod gizmo;
mod pointer;
mod select;
mod snap;
mod tiny;
