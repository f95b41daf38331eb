//! Errors of the holes of a mesh.

use core::fmt;

/// Why holes cannot be cut into a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutOutError {
    /// A mask's number of texels does not match its size, or is 0.
    Texels {
        /// The width given.
        width: u32,
        /// The height given.
        height: u32,
        /// The number of texels given.
        count: usize,
    },
    /// A mask was given for a mesh without texture coordinates.
    NoTexcoords,
    /// The mesh does not have this range of triangles.
    Triangles {
        /// The first triangle, as given.
        start: u32,
        /// The triangle after the last, as given.
        end: u32,
        /// The number of triangles that the mesh has.
        count: usize,
    },
    /// A triangle already has a cut-out.
    Twice {
        /// Index of the first such triangle.
        triangle: u32,
    },
    /// The number of corners does not match the number of triangles.
    Corners {
        /// The values at the corners, such as "alphas".
        what: &'static str,
        /// The number of triangles for which they were given.
        given: usize,
        /// The number of triangles that are cut.
        triangles: usize,
    },
}

impl fmt::Display for CutOutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Texels { width: width @ 0, height, .. } | Self::Texels { width, height: height @ 0, .. } => {
                write!(f, "a mask of {width} x {height} texels is empty: it needs at least one texel")
            }
            Self::Texels { width, height, count } => {
                let needed = u64::from(*width) * u64::from(*height);
                write!(f, "a mask of {width} x {height} texels needs {needed} alphas, but {count} were given")
            }
            Self::NoTexcoords => {
                write!(f, "a mask needs texture coordinates: give them to the mesh first, or to the cut-out")
            }
            Self::Triangles { start, end, count } => {
                write!(
                    f,
                    "the triangles {start}..{end} cannot be cut: give a range within 0..{count}, the triangles of the mesh"
                )
            }
            Self::Twice { triangle } => {
                write!(f, "triangle {triangle} already has a cut-out: give each triangle at most one")
            }
            Self::Corners { what, given, triangles } => {
                write!(
                    f,
                    "{what} were given for the corners of {given} triangles, but {triangles} are cut: give three for each of these"
                )
            }
        }
    }
}

impl core::error::Error for CutOutError {}
