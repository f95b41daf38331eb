//! A solid of the file.

use hitscan::glam::DVec3;

/// A solid, with three corners for each triangle.
pub(super) struct Solid {
    pub(super) name: String,
    pub(super) corners: Vec<DVec3>,
}
