//! Pictures: pixels, lines and letters on them, and PNG files of them.

mod canvas;
mod draw;
mod outline;
mod text;

pub(crate) use canvas::{Canvas, Color, Picture};
pub(crate) use outline::{Coverage, Outline};
