//! Errors of geometry that is made of points: meshes, hulls, height fields, point clouds and polylines.

use core::fmt;
use glam::{Vec2, Vec3};

/// Why a mesh could not be built. It names the first offender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A vertex has a NaN or infinite component.
    Vertex {
        /// Index of the vertex, from 0.
        index: usize,
        /// The position given.
        position: Vec3,
    },
    /// An index is not below the number of vertices.
    Index {
        /// Position of the index in the list of indices, from 0.
        at: usize,
        /// The index given.
        index: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// The number of indices, or of corners of a triangle soup, is not a multiple of three.
    Count {
        /// The count given.
        count: usize,
    },
    /// There are more triangles than a mesh can hold.
    TooManyTriangles {
        /// The number of triangles given.
        triangles: usize,
        /// The largest number allowed.
        limit: usize,
    },
    /// The stride is smaller than a position.
    Stride {
        /// The stride given.
        stride: usize,
    },
    /// A strided buffer ends before its last vertex.
    Buffer {
        /// The number of bytes needed for the first vertex that does not fit.
        needed: usize,
        /// The number of bytes given.
        given: usize,
    },
    /// The number of vertex attributes, or of new positions, differs from the number of vertices.
    Attributes {
        /// The attribute, such as "normals" or "positions".
        what: &'static str,
        /// The count given.
        count: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// A vertex attribute has a NaN or infinite component.
    Attribute {
        /// The attribute, such as "normals".
        what: &'static str,
        /// Index of its vertex, from 0.
        index: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex { index, position } => {
                write!(f, "vertex {index} is at {position}: its position must be finite")
            }
            Self::Index { at, index, vertices } => {
                write!(
                    f,
                    "indices[{at}] is {index}, but there are {vertices} vertices: each index must be below {vertices}"
                )
            }
            Self::Count { count } => {
                write!(
                    f,
                    "there are {count} indices or corners, which is not a multiple of 3: give three for each triangle"
                )
            }
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles are too many: a mesh holds at most {limit}, so split it into several")
            }
            Self::Stride { stride } => {
                write!(f, "the stride is {stride} bytes, but must be at least 12, the size of a position")
            }
            Self::Buffer { needed, given } => {
                write!(
                    f,
                    "the vertex buffer is too short: its vertices need {needed} bytes or more, and it has {given}"
                )
            }
            Self::Attributes { what, count, vertices } => {
                write!(f, "there are {count} {what} for {vertices} vertices: give one for each vertex")
            }
            Self::Attribute { what, index } => write!(f, "the {what} of vertex {index} must be finite"),
        }
    }
}

impl core::error::Error for MeshError {}

/// Why points have no convex hull with a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HullError {
    /// A point has a NaN or infinite component.
    Point {
        /// Index of the point, from 0.
        index: usize,
        /// The position given.
        position: Vec3,
    },
    /// There are no points.
    Empty,
    /// All points are at one place.
    OnePoint,
    /// All points are on one line.
    OneLine,
    /// All points are in one plane.
    OnePlane,
}

/// The points that a hull needs.
const VOLUME: &str = "give at least four that are not in one plane";

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, advice) = match self {
            Self::Point { index, position } => {
                return write!(f, "point {index} is at {position}: its position must be finite");
            }
            Self::Empty => return write!(f, "there are no points: {VOLUME}"),
            Self::OnePoint => ("at one place", VOLUME),
            Self::OneLine => ("on one line", VOLUME),
            Self::OnePlane => ("in one plane", "use a quad or a mesh for what is flat"),
        };
        write!(f, "all points are {place}, so their hull has no volume: {advice}")
    }
}

impl core::error::Error for HullError {}

/// Why a height field cannot be made or changed. It names the first offender; rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// There are fewer than two rows or columns of heights, and so no cell.
    TooSmall {
        /// The number of rows given.
        rows: usize,
        /// The number of columns given.
        columns: usize,
    },
    /// There are more rows, columns or cells than a field can hold.
    TooLarge {
        /// The number of rows given.
        rows: usize,
        /// The number of columns given.
        columns: usize,
    },
    /// There is not one height for each row and column.
    Count {
        /// The number of heights given.
        count: usize,
        /// The number needed.
        needed: usize,
    },
    /// The size of a cell, or of all cells together, is not positive and finite.
    Cell {
        /// The size given, along x and z.
        size: Vec2,
    },
    /// A height is NaN or infinite.
    Height {
        /// Row of the height.
        row: usize,
        /// Column of the height.
        column: usize,
        /// The height given.
        height: f32,
    },
    /// A row or column does not exist.
    Outside {
        /// The row that was named.
        row: usize,
        /// The column that was named.
        column: usize,
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
}

impl fmt::Display for HeightFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall { rows, columns } => {
                write!(f, "a height field needs at least 2 rows and 2 columns, not {rows} and {columns}")
            }
            Self::TooLarge { rows, columns } => {
                write!(f, "{rows} rows and {columns} columns are too many for one height field; split it into several")
            }
            Self::Count { count, needed } => {
                write!(f, "there are {count} heights for {needed} places: give one for each column of each row")
            }
            Self::Cell { size } => {
                write!(
                    f,
                    "the cell size {size} must be positive and finite, and so must be the size of the whole field"
                )
            }
            Self::Height { row, column, height } => {
                write!(
                    f,
                    "the height {height} in row {row}, column {column} must be finite: make holes with `with_holes`"
                )
            }
            Self::Outside { row, column, rows, columns } => {
                write!(
                    f,
                    "row {row}, column {column} does not exist: there are {rows} rows and {columns} columns, counted from 0"
                )
            }
        }
    }
}

impl core::error::Error for HeightFieldError {}

/// Why a point cloud or a polyline cannot be made. It names the first offender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WireError {
    /// A point has a NaN or infinite component.
    Point {
        /// Index of the point among all, from 0.
        index: usize,
        /// The position given.
        position: Vec3,
    },
    /// A strip has fewer than two points, and so no segment.
    Strip {
        /// Index of the strip, from 0.
        strip: usize,
        /// The number of its points.
        points: usize,
    },
    /// There are more points or segments than can be held.
    TooMany {
        /// The number given.
        count: usize,
        /// The largest number allowed.
        limit: usize,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point { index, position } => {
                write!(f, "point {index} is at {position}: every component must be finite")
            }
            Self::Strip { strip, points } => {
                write!(f, "strip {strip} has {points} points: a strip needs at least two")
            }
            Self::TooMany { count, limit } => {
                write!(f, "{count} points or segments are more than {limit}: split them into several")
            }
        }
    }
}

impl core::error::Error for WireError {}
