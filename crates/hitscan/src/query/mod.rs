//! Questions about the world, one file each.

mod pick;

pub use pick::{Camera, Projected, Viewport};
