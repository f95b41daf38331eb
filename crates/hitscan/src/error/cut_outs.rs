//! Errors of the holes of a mesh.

use alloc::format;
use alloc::string::String;

errors! {
    /// Why holes cannot be cut into a mesh.
    #[derive(Eq)]
    pub enum CutOutError {
        /// A mask's number of texels does not match its size, or is 0.
        #[error("a mask of {width} x {height} texels {}", texel_fault(*width, *height, *count))]
        Texels {
            /// The width given.
            width: u32,
            /// The height given.
            height: u32,
            /// The number of texels given.
            count: usize,
        },
        /// A mask was given for a mesh without texture coordinates.
        #[error("a mask needs texture coordinates: give them to the mesh first, or to the cut-out")]
        NoTexcoords,
        /// The mesh does not have this range of triangles.
        #[error("the triangles {start}..{end} cannot be cut: give a range within 0..{count}, the triangles of the mesh")]
        Triangles {
            /// The first triangle, as given.
            start: u32,
            /// The triangle after the last, as given.
            end: u32,
            /// The number of triangles that the mesh has.
            count: usize,
        },
        /// A triangle already has a cut-out.
        #[error("triangle {triangle} already has a cut-out: give each triangle at most one")]
        Twice {
            /// Index of the first such triangle.
            triangle: u32,
        },
        /// The number of values at corners does not match the number of triangles that are cut.
        #[error("{what} were given for the corners of {given} triangles, but {triangles} are cut: give three for each of these")]
        Corners {
            /// The kind of values at the corners, such as "alphas".
            what: &'static str,
            /// The number of triangles for which values were given.
            given: usize,
            /// The number of triangles that are cut.
            triangles: usize,
        },
    }
}

/// Returns the fault of a mask of this size with this number of texels.
fn texel_fault(width: u32, height: u32, count: usize) -> String {
    match u64::from(width) * u64::from(height) {
        0 => "is empty: it needs at least one texel".into(),
        needed => format!("needs {needed} alphas, but {count} were given"),
    }
}
