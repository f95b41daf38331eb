//! Errors of geometry that is made of points: meshes, hulls, height fields, point clouds and polylines.

use glam::{Vec2, Vec3};

errors! {
    /// Why a mesh could not be built. It names the first invalid item.
    pub enum MeshError {
        /// A vertex has a NaN or infinite component.
        #[error("vertex {index} is at {position}: its position must be finite")]
        Vertex {
            /// Index of the vertex, from 0.
            index: usize,
            /// The position given.
            position: Vec3,
        },
        /// An index is not below the number of vertices.
        #[error("indices[{at}] is {index}, but there are {vertices} vertices: each index must be below {vertices}")]
        Index {
            /// Position of the index in the list of indices, from 0.
            at: usize,
            /// The index given.
            index: u32,
            /// The number of vertices.
            vertices: usize,
        },
        /// The number of indices, or of corners of a triangle soup, is not a multiple of three.
        #[error("there are {count} indices or corners, which is not a multiple of 3: give three for each triangle")]
        Count {
            /// The count given.
            count: usize,
        },
        /// There are more triangles than a mesh can hold.
        #[error("{triangles} triangles are too many: a mesh holds at most {limit}, so split it into several")]
        TooManyTriangles {
            /// The number of triangles given.
            triangles: usize,
            /// The largest number allowed.
            limit: usize,
        },
        /// The stride is smaller than a position.
        #[error("the stride is {stride} bytes, but must be at least 12, the size of a position")]
        Stride {
            /// The stride given.
            stride: usize,
        },
        /// A strided buffer ends before its last vertex.
        #[error("the vertex buffer is too short: its vertices need {needed} bytes or more, and it has {given}")]
        Buffer {
            /// The number of bytes needed for the first vertex that does not fit.
            needed: usize,
            /// The number of bytes given.
            given: usize,
        },
        /// The number of vertex attributes, or of new positions, differs from the number of vertices.
        #[error("there are {count} {what} for {vertices} vertices: give one for each vertex")]
        Attributes {
            /// The attribute, such as "normals" or "positions".
            what: &'static str,
            /// The count given.
            count: usize,
            /// The number of vertices.
            vertices: usize,
        },
        /// A vertex attribute has a NaN or infinite component.
        #[error("the {what} of vertex {index} must be finite")]
        Attribute {
            /// The attribute, such as "normals".
            what: &'static str,
            /// Index of its vertex, from 0.
            index: usize,
        },
    }
}

errors! {
    /// Why points have no convex hull with a volume.
    pub enum HullError {
        /// A point has a NaN or infinite component.
        #[error("point {index} is at {position}: its position must be finite")]
        Point {
            /// Index of the point, from 0.
            index: usize,
            /// The position given.
            position: Vec3,
        },
        /// There are no points.
        #[error("there are no points: {VOLUME}")]
        Empty,
        /// All points are at one place.
        #[error("all points are at one place, so their hull has no volume: {VOLUME}")]
        OnePoint,
        /// All points are on one line.
        #[error("all points are on one line, so their hull has no volume: {VOLUME}")]
        OneLine,
        /// All points are in one plane.
        #[error("all points are in one plane, so their hull has no volume: use a quad or a mesh for what is flat")]
        OnePlane,
    }
}

/// The points that a hull needs.
const VOLUME: &str = "give at least four that are not in one plane";

errors! {
    /// Why a height field cannot be made or changed. It names the first invalid item. Rows and columns count from 0.
    pub enum HeightFieldError {
        /// There are fewer than two rows or columns of heights, and so no cell.
        #[error("a height field needs at least 2 rows and 2 columns, not {rows} and {columns}")]
        TooSmall {
            /// The number of rows given.
            rows: usize,
            /// The number of columns given.
            columns: usize,
        },
        /// There are more rows, columns or cells than a field can hold.
        #[error("{rows} rows and {columns} columns are too many for one height field; split it into several")]
        TooLarge {
            /// The number of rows given.
            rows: usize,
            /// The number of columns given.
            columns: usize,
        },
        /// The number of heights is not the number of rows times the number of columns.
        #[error("there are {count} heights for {needed} places: give one for each column of each row")]
        Count {
            /// The number of heights given.
            count: usize,
            /// The number needed.
            needed: usize,
        },
        /// The size of a cell, or of all cells together, is not positive and finite.
        #[error("the cell size {size} must be positive and finite, and so must be the size of the whole field")]
        Cell {
            /// The size given, along x and z.
            size: Vec2,
        },
        /// A height is NaN or infinite.
        #[error("the height {height} in row {row}, column {column} must be finite: make holes with `with_holes`")]
        Height {
            /// Row of the height.
            row: usize,
            /// Column of the height.
            column: usize,
            /// The height given.
            height: f32,
        },
        /// A row or column does not exist.
        #[error("row {row}, column {column} does not exist: there are {rows} rows and {columns} columns, counted from 0")]
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
}

errors! {
    /// Why a point cloud or a polyline cannot be made. It names the first invalid item.
    pub enum WireError {
        /// A point has a NaN or infinite component.
        #[error("point {index} is at {position}: every component must be finite")]
        Point {
            /// Index of the point among all, from 0.
            index: usize,
            /// The position given.
            position: Vec3,
        },
        /// A strip has fewer than two points, and so no segment.
        #[error("strip {strip} has {points} points: a strip needs at least two")]
        Strip {
            /// Index of the strip, from 0.
            strip: usize,
            /// The number of its points.
            points: usize,
        },
        /// There are more points or segments than can be held.
        #[error("{count} points or segments are more than {limit}: split them into several")]
        TooMany {
            /// The number given.
            count: usize,
            /// The largest number allowed.
            limit: usize,
        },
    }
}
