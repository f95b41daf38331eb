//! The gizmo: which handle is picked, what a drag does, what is drawn.

mod control;
mod drags;
mod handles;
mod picks;
mod picture;
mod program;
mod transforms;
