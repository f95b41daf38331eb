//! The gizmo: the handle that is picked, the effect of a drag, the drawing.

mod control;
mod drags;
mod handles;
mod picks;
mod picture;
mod program;
mod transforms;
