//! Errors about inputs. Each names the offender and says what would be right.

use core::fmt;
use glam::{DVec3, Vec2, Vec3};

/// Why a ray hits nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RayError {
    /// The origin has a NaN or infinite component.
    Origin(Vec3),
    /// The direction is zero or has a NaN or infinite component.
    Direction(Vec3),
    /// The range is empty: `t_min <= t_max` does not hold.
    Range {
        /// The lower end as given.
        t_min: f32,
        /// The upper end as given.
        t_max: f32,
    },
}

impl fmt::Display for RayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Origin(v) => write!(f, "the ray's origin {v} must be finite"),
            Self::Direction(v) => write!(f, "the ray's direction {v} must be finite and not zero"),
            Self::Range { t_min, t_max } => {
                write!(f, "the ray's range must have t_min <= t_max, not {t_min} to {t_max}")
            }
        }
    }
}

impl core::error::Error for RayError {}

/// A batch does not have as many places for answers as rays, or its columns have different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// The slice: "places for answers", or the name of the column.
    pub what: &'static str,
    /// The number of questions, such as rays.
    pub questions: usize,
    /// The number of places that the slice has.
    pub answers: usize,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, questions, answers } = self;
        write!(f, "{questions} questions need {questions} {what}, but there are {answers}")
    }
}

impl core::error::Error for BatchError {}

/// Why a shape cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A radius, height or size is negative or not finite.
    Size {
        /// The measure, such as "radius".
        what: &'static str,
        /// The value given.
        value: f32,
    },
    /// A point has a NaN or infinite component.
    Point {
        /// The point, such as "center".
        what: &'static str,
        /// The value given.
        value: Vec3,
    },
    /// A normal or axis is zero or has a NaN or infinite component.
    Direction {
        /// The vector, such as "normal".
        what: &'static str,
        /// The value given.
        value: Vec3,
    },
    /// A box has a minimum above its maximum in some component.
    EmptyBox {
        /// The minimum given.
        min: Vec3,
        /// The maximum given.
        max: Vec3,
    },
    /// The height of a solid does not equal the distance of its ends.
    Height {
        /// The height given.
        height: f32,
    },
    /// The corners are on one line, so the triangle or quad has no area.
    NoArea,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, value } => write!(f, "the {what} {value} must be finite and not negative"),
            Self::Point { what, value } => write!(f, "the {what} {value} must be finite"),
            Self::Direction { what, value } => write!(f, "the {what} {value} must be finite and not zero"),
            Self::EmptyBox { min, max } => {
                write!(f, "the box's minimum {min} must not be above its maximum {max} in any component")
            }
            Self::Height { height } => {
                write!(
                    f,
                    "the height {height} must be the distance between the two ends, plus twice the radius for a capsule"
                )
            }
            Self::NoArea => write!(f, "the corners are on one line, so they enclose no area: move one off the line"),
        }
    }
}

impl core::error::Error for ShapeError {}

/// Why a transform cannot place anything.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TransformError {
    /// Some element is NaN or infinite.
    NotFinite,
    /// The linear part cannot be inverted: a scale of zero, or axes in one plane.
    Singular {
        /// Determinant of the linear part.
        determinant: f64,
    },
    /// The last row of a 4x4 matrix is not (0, 0, 0, 1).
    NotAffine,
    /// The linear part is not a rotation or reflection, although a rigid transform is required.
    NotRigid,
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "the transform has a NaN or infinite element: all must be finite"),
            Self::Singular { determinant } => {
                write!(
                    f,
                    "the transform cannot be inverted (its determinant is {determinant}): no scale may be zero, and its axes \
                    must not be in one plane"
                )
            }
            Self::NotAffine => {
                write!(
                    f,
                    "the matrix's last row must be (0, 0, 0, 1): transpose a matrix that has its translation there; a \
                    projection cannot place anything"
                )
            }
            Self::NotRigid => {
                write!(f, "the transform scales or shears, but must be rigid: give a rotation and a translation only")
            }
        }
    }
}

impl core::error::Error for TransformError {}

/// Why an entity cannot be put into a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// One of its shapes cannot be used.
    Shape(ShapeError),
    /// Its transform cannot be used.
    Transform(TransformError),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Transform(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SceneError {}

impl From<ShapeError> for SceneError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<TransformError> for SceneError {
    fn from(error: TransformError) -> Self {
        Self::Transform(error)
    }
}

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
    /// The size of a cell, or that of all of them together, is not positive and finite.
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

/// Why a scene cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// Two entities have keys with the same bytes.
    SameKey {
        /// Indices of the two, in the order in which entities were inserted, from 0.
        entities: [usize; 2],
    },
    /// A custom shape cannot be saved.
    Custom {
        /// Index of its entity, in the order in which entities were inserted, from 0.
        entity: usize,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameKey { entities: [first, second] } => {
                write!(
                    f,
                    "the keys of entities {first} and {second}, in the order of insertion from 0, were written as the same bytes: write \
                    different bytes for different keys"
                )
            }
            Self::Custom { entity } => {
                write!(
                    f,
                    "entity {entity}, in the order of insertion from 0, has a shape of your own, which cannot be saved: remove it \
                    before, and insert it again after reading"
                )
            }
        }
    }
}

impl core::error::Error for SaveError {}

/// Why bytes cannot be read as a saved mesh or scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes do not begin as saved bytes do.
    Foreign,
    /// The bytes have a version of the format that this library does not read.
    Version {
        /// The version of the bytes.
        version: u32,
        /// The version that this library reads.
        supported: u32,
    },
    /// The bytes hold something else.
    Kind {
        /// The kind of content in the bytes, such as "scene".
        found: &'static str,
        /// The kind that was requested.
        asked: &'static str,
    },
    /// Bytes are missing, or there are too many.
    Length {
        /// The number of bytes that were saved.
        length: u64,
        /// The number of bytes that were given.
        given: u64,
    },
    /// The checksum does not match the bytes.
    Damaged,
    /// An item reaches beyond the end of the bytes.
    Short,
    /// There are bytes after the content.
    Rest {
        /// The number of these bytes.
        bytes: usize,
    },
    /// An item contradicts the rest of the content, although the checksum is right: this library did not write it.
    Invalid {
        /// The kind of item, such as "triangle".
        item: &'static str,
        /// Index of the item, from 0.
        index: usize,
        /// The fault of the item.
        fault: &'static str,
    },
    /// A mesh is not valid.
    Mesh {
        /// Index of the mesh, from 0.
        index: usize,
        /// The fault of the mesh.
        error: MeshError,
    },
    /// An entity cannot be in a scene.
    Entity {
        /// Index of the entity, from 0.
        index: usize,
        /// The fault of the entity.
        error: SceneError,
    },
    /// The caller could not make a key of the bytes.
    Key {
        /// Index of the entity, from 0.
        entity: usize,
    },
    /// The caller made the key of an earlier entity again.
    SameKey {
        /// Index of the entity, from 0.
        entity: usize,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "the bytes are not those of a mesh or scene that hitscan saved"),
            Self::Version { version, supported } => {
                write!(
                    f,
                    "the bytes are of format version {version}, but only {supported} can be read: save the original again"
                )
            }
            Self::Kind { found, asked } => {
                write!(f, "the bytes are those of a {found}, not of a {asked}: read them as a {found}")
            }
            Self::Length { length, given } => {
                write!(f, "the bytes are not complete, or too many: {length} were saved, but {given} were given")
            }
            Self::Damaged => {
                write!(f, "the bytes are damaged: their checksum is not that of the bytes that were saved")
            }
            Self::Short => write!(f, "the bytes are not valid: something in them reaches beyond their end"),
            Self::Rest { bytes } => {
                write!(f, "the bytes are not valid: {bytes} of them are left over after the content")
            }
            Self::Invalid { item, index, fault } => {
                write!(f, "the bytes contradict themselves: {item} {index} {fault}")
            }
            Self::Mesh { index, error } => write!(f, "in mesh {index}, {error}"),
            Self::Entity { index, error } => write!(f, "in entity {index}, {error}"),
            Self::Key { entity } => {
                write!(
                    f,
                    "the key of entity {entity} is not known: the function that reads keys returned None for its bytes"
                )
            }
            Self::SameKey { entity } => {
                write!(
                    f,
                    "entity {entity} has the same key as an earlier entity: the function that reads keys must return a \
                    different key for different bytes"
                )
            }
        }
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Mesh { error, .. } => Some(error),
            Self::Entity { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// Why a camera cannot be made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CameraError {
    /// A transform, matrix, point or direction has a NaN or infinite element.
    NotFinite {
        /// The input, such as "view matrix".
        what: &'static str,
    },
    /// A transform or matrix cannot be inverted: it has a scale of zero, or axes in one plane.
    Singular {
        /// The input, such as "view matrix".
        what: &'static str,
    },
    /// The last row of a view matrix is not (0, 0, 0, w).
    NotAffine,
    /// The vertical field of view is not between 0 and pi, or is so close to 0 that f64 cannot express the projection.
    FieldOfView {
        /// The field of view given, in radians.
        fov_y: f64,
    },
    /// The height of an orthographic picture is not positive and finite, or f64 cannot invert it.
    Height {
        /// The height given, in world units.
        height: f64,
    },
    /// The aspect ratio (width over height) is not positive and finite.
    Aspect {
        /// The aspect given.
        aspect: f64,
    },
    /// The aspect ratio was set for a camera whose projection matrix already has one.
    AspectInMatrix,
    /// `near < far` does not hold, `near` is infinite, or `near > 0` does not hold for a perspective camera.
    Depth {
        /// The near given.
        near: f64,
        /// The far given.
        far: f64,
    },
    /// The target is the camera's own position.
    NoDirection,
    /// The up direction is zero or parallel to the view.
    Up {
        /// The up given.
        up: DVec3,
    },
}

impl fmt::Display for CameraError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what } => write!(f, "the camera's {what} must be finite"),
            Self::Singular { what } => {
                write!(f, "the camera's {what} cannot be inverted: its axes must not be zero or in one plane")
            }
            Self::NotAffine => {
                write!(
                    f,
                    "the view matrix's last row must be (0, 0, 0, w): give the projection separately, or give the \
                    identity as view and the product as projection"
                )
            }
            Self::FieldOfView { fov_y } => {
                write!(f, "the vertical field of view {fov_y} must be between 0 and pi: it is in radians")
            }
            Self::Height { height } => write!(f, "the picture's height {height} must be finite and positive"),
            Self::Aspect { aspect } => write!(f, "the aspect ratio {aspect} must be finite and positive"),
            Self::AspectInMatrix => {
                write!(f, "the projection matrix already has an aspect ratio: change it in the matrix")
            }
            Self::Depth { near, far } => {
                write!(f, "near {near} and far {far} must have near < far, and near > 0 for a perspective camera")
            }
            Self::NoDirection => write!(f, "the target must not be at the eye: there is no direction to look in"),
            Self::Up { up } => write!(f, "the up direction {up} must not be zero or along the view"),
        }
    }
}

impl core::error::Error for CameraError {}

/// The reason why a region of the window cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RegionError {
    /// A corner or a centre has a NaN or infinite coordinate.
    NotFinite {
        /// Index of the corner; 0 for a centre.
        corner: usize,
        /// The corner as given.
        at: Vec2,
    },
    /// The radius is negative, NaN or infinite.
    Radius {
        /// The radius as given.
        radius: f32,
    },
    /// A lasso has fewer than three corners, or more than 2^31.
    Corners {
        /// The number of corners given.
        count: usize,
    },
    /// There are too many samples in a visible selection.
    Samples {
        /// The number of samples in the rectangle around the region.
        count: f64,
    },
    /// The distance between the samples of a visible selection is not positive and finite.
    Spacing {
        /// The distance as given, in pixels.
        spacing: f32,
    },
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { corner, at } => write!(f, "corner {corner} of the region, {at}, must be finite"),
            Self::Radius { radius } => write!(f, "the region's radius must be finite and at least 0, not {radius}"),
            Self::Corners { count } => write!(f, "a lasso must have at least 3 corners and at most 2^31, not {count}"),
            Self::Samples { count } => {
                write!(f, "a visible selection may have 2^30 samples, not {count}: give a larger distance between them")
            }
            Self::Spacing { spacing } => {
                write!(f, "the distance between samples must be positive and finite, not {spacing}")
            }
        }
    }
}

impl core::error::Error for RegionError {}
