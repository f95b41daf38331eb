//! What can be wrong with an input. Each error names the offender and says what would be right.

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
    /// `t_min <= t_max` does not hold.
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

/// A batch has not as many places for answers as rays, or its columns are of different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// Which slice: "places for answers", or the column.
    pub what: &'static str,
    /// How many questions, such as rays.
    pub questions: usize,
    /// How many places that slice has.
    pub answers: usize,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, questions, answers } = self;
        write!(f, "a batch of {questions} questions needs as many {what}, not {answers}")
    }
}

impl core::error::Error for BatchError {}

/// Why a shape cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A radius, height or size is negative or not finite.
    Size {
        /// What it measures, such as "radius".
        what: &'static str,
        /// As given.
        value: f32,
    },
    /// A point has a NaN or infinite component.
    Point {
        /// Which point, such as "center".
        what: &'static str,
        /// As given.
        value: Vec3,
    },
    /// A normal or axis is zero or has a NaN or infinite component.
    Direction {
        /// Which vector, such as "normal".
        what: &'static str,
        /// As given.
        value: Vec3,
    },
    /// A box whose minimum is above its maximum in some component.
    EmptyBox {
        /// As given.
        min: Vec3,
        /// As given.
        max: Vec3,
    },
    /// The height of a solid is not the distance of its ends.
    Height {
        /// As given.
        height: f32,
    },
    /// Corners on one line, where a triangle or quad with an area is needed.
    NoArea,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, value } => write!(f, "the {what} must be finite and not negative, not {value}"),
            Self::Point { what, value } => write!(f, "the {what} {value} must be finite"),
            Self::Direction { what, value } => write!(f, "the {what} {value} must be finite and not zero"),
            Self::EmptyBox { min, max } => write!(f, "the box's minimum {min} must not be above its maximum {max}"),
            Self::Height { height } => write!(f, "the height {height} must be the distance of the two ends"),
            Self::NoArea => write!(f, "the corners lie on one line: they enclose no area"),
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
    /// A 4x4 matrix whose last row is not (0, 0, 0, 1).
    NotAffine,
    /// A rigid transform was asked for, and the linear part is not a rotation (or reflection).
    NotRigid,
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "the transform has a NaN or infinite element"),
            Self::Singular { determinant } => {
                write!(f, "the transform cannot be inverted (determinant {determinant}): no scale may be zero")
            }
            Self::NotAffine => write!(f, "the matrix's last row must be (0, 0, 0, 1): projections cannot place things"),
            Self::NotRigid => write!(f, "the transform scales or shears: only a rotation and translation is rigid"),
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

/// Why a mesh could not be built. Names the first offender.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A vertex with a NaN or infinite component.
    Vertex {
        /// Which vertex, from 0.
        index: usize,
        /// As given.
        position: Vec3,
    },
    /// An index that names no vertex.
    Index {
        /// Where it stands among the indices, from 0.
        at: usize,
        /// As given.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Indices, or the corners of a triangle soup, whose count is no multiple of three.
    Count {
        /// As given.
        count: usize,
    },
    /// More triangles than a mesh can hold.
    TooManyTriangles {
        /// As given.
        triangles: usize,
        /// The most there may be.
        limit: usize,
    },
    /// A stride smaller than a position.
    Stride {
        /// As given.
        stride: usize,
    },
    /// A strided buffer that ends before its last vertex.
    Buffer {
        /// Bytes needed for the first vertex that does not fit.
        needed: usize,
        /// Bytes given.
        given: usize,
    },
    /// Vertex attributes, or new positions, whose count differs from the vertices'.
    Attributes {
        /// Which, such as "normals" or "positions".
        what: &'static str,
        /// As given.
        count: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex attribute with a NaN or infinite component.
    Attribute {
        /// Which attribute, such as "normals".
        what: &'static str,
        /// Of which vertex, from 0.
        index: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex { index, position } => write!(f, "vertex {index} {position} must be finite"),
            Self::Index { at, index, vertices } => {
                write!(f, "index {index} at place {at} names no vertex: there are {vertices}")
            }
            Self::Count { count } => write!(f, "{count} corners are no whole number of triangles: give three each"),
            Self::TooManyTriangles { triangles, limit } => {
                write!(f, "{triangles} triangles are too many: a mesh holds {limit}; split it into several")
            }
            Self::Stride { stride } => write!(f, "a stride of {stride} bytes is less than a position's 12"),
            Self::Buffer { needed, given } => {
                write!(f, "the vertex buffer is too short: {needed} bytes needed, {given} given")
            }
            Self::Attributes { what, count, vertices } => {
                write!(f, "{count} {what} for {vertices} vertices: give one for each vertex")
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
    /// A point with a NaN or infinite component.
    Point {
        /// Which point, from 0.
        index: usize,
        /// As given.
        position: Vec3,
    },
    /// No points.
    Empty,
    /// All points are at one place.
    OnePoint,
    /// All points are on one line.
    OneLine,
    /// All points are in one plane.
    OnePlane,
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flat = match self {
            Self::Point { index, position } => return write!(f, "point {index} {position} must be finite"),
            Self::Empty => return write!(f, "a convex hull needs at least four points"),
            Self::OnePoint => "at one place",
            Self::OneLine => "on one line",
            Self::OnePlane => "in one plane: use a quad or a mesh",
        };
        write!(f, "the points have no volume between them: all are {flat}")
    }
}

impl core::error::Error for HullError {}

/// Why a height field cannot be made or changed. Names the first offender; rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// Fewer than two rows or columns of heights, between which there would be no cell.
    TooSmall {
        /// As given.
        rows: usize,
        /// As given.
        columns: usize,
    },
    /// More rows, columns or cells than a field can hold.
    TooLarge {
        /// As given.
        rows: usize,
        /// As given.
        columns: usize,
    },
    /// Not one height for each row and column.
    Count {
        /// How many heights were given.
        count: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The size of a cell is not positive and finite, or that of all of them together is not finite.
    Cell {
        /// As given, along x and z.
        size: Vec2,
    },
    /// A height that is NaN or infinite.
    Height {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// As given.
        height: f32,
    },
    /// A row or column that is not there.
    Outside {
        /// The row that was named.
        row: usize,
        /// The column that was named.
        column: usize,
        /// How many rows there are.
        rows: usize,
        /// How many columns there are.
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
                write!(f, "{count} heights for {needed} places: give one for each row and column")
            }
            Self::Cell { size } => {
                write!(f, "the cell size {size} must be positive and finite, and so must be all cells side by side")
            }
            Self::Height { row, column, height } => {
                write!(
                    f,
                    "the height {height} of row {row}, column {column} must be finite; cut holes with `with_holes`"
                )
            }
            Self::Outside { row, column, rows, columns } => {
                write!(f, "row {row}, column {column} is not there: there are {rows} rows and {columns} columns")
            }
        }
    }
}

impl core::error::Error for HeightFieldError {}

/// Why holes cannot be cut into a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutOutError {
    /// A mask whose texels are not as many as its size says, or none.
    Texels {
        /// As given.
        width: u32,
        /// As given.
        height: u32,
        /// How many texels were given.
        count: usize,
    },
    /// A mask for a mesh without texture coordinates.
    NoTexcoords,
    /// A range of triangles that the mesh does not have.
    Triangles {
        /// The first triangle, as given.
        start: u32,
        /// The one after the last, as given.
        end: u32,
        /// How many the mesh has.
        count: usize,
    },
    /// A triangle that has a cut-out already.
    Twice {
        /// The first such.
        triangle: u32,
    },
    /// Corners whose number is not that of the triangles.
    Corners {
        /// What is at the corners, such as "alphas".
        what: &'static str,
        /// Of how many triangles they were given.
        given: usize,
        /// How many triangles are cut.
        triangles: usize,
    },
}

impl fmt::Display for CutOutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Texels { width, height, count } => {
                write!(f, "a mask of {width} x {height} texels needs as many alphas, and at least one, not {count}")
            }
            Self::NoTexcoords => {
                write!(f, "a mask needs texture coordinates: give them to the mesh before, or to the cut-out")
            }
            Self::Triangles { start, end, count } => {
                write!(f, "the triangles {start}..{end} cannot be cut: the mesh has {count}")
            }
            Self::Twice { triangle } => write!(f, "triangle {triangle} has a cut-out already: it can have one"),
            Self::Corners { what, given, triangles } => {
                write!(f, "{what} at the corners of {given} triangles were given, for {triangles} that are cut")
            }
        }
    }
}

impl core::error::Error for CutOutError {}

/// Why a scene cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// The keys of two entities are the same bytes.
    SameKey {
        /// The two, in the order in which they were inserted, from 0.
        entities: [usize; 2],
    },
    /// A shape of the user's own.
    Custom {
        /// Which entity has it, in the order in which they were inserted, from 0.
        entity: usize,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameKey { entities: [first, second] } => {
                write!(
                    f,
                    "the keys of entities {first} and {second} are the same bytes: give each key bytes of its own"
                )
            }
            Self::Custom { entity } => {
                write!(
                    f,
                    "entity {entity} has a shape of your own, which cannot be saved: take it out, and insert it again after reading"
                )
            }
        }
    }
}

impl core::error::Error for SaveError {}

/// Why bytes are no mesh or scene that was saved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// They do not begin as everything does that was saved.
    Foreign,
    /// They are of a version of the format that this library does not read.
    Version {
        /// Of the bytes.
        version: u32,
        /// The one that is read.
        supported: u32,
    },
    /// Something else was saved.
    Kind {
        /// What the bytes are, such as "scene".
        found: &'static str,
        /// What was asked for.
        asked: &'static str,
    },
    /// Not as many bytes as there were.
    Length {
        /// How many were saved.
        length: u64,
        /// How many were given.
        given: u64,
    },
    /// The checksum is not that of the bytes.
    Damaged,
    /// Something in them reaches beyond their end.
    Short,
    /// Bytes after the content.
    Rest {
        /// How many.
        bytes: usize,
    },
    /// Something in them contradicts the rest of it, although the checksum is right: it was not this library that saved it.
    Invalid {
        /// What, such as "triangle".
        item: &'static str,
        /// Which one, from 0.
        index: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A mesh that cannot be.
    Mesh {
        /// Which of the meshes, from 0.
        index: usize,
        /// What is wrong with it.
        error: MeshError,
    },
    /// An entity that cannot be in a scene.
    Entity {
        /// Which entity, from 0.
        index: usize,
        /// What is wrong with it.
        error: SceneError,
    },
    /// Bytes of which the caller could make no key.
    Key {
        /// Of which entity, from 0.
        entity: usize,
    },
    /// Bytes of which the caller made the key of an entity before.
    SameKey {
        /// Of which entity, from 0.
        entity: usize,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "the bytes are no mesh or scene that hitscan saved"),
            Self::Version { version, supported } => {
                write!(f, "the bytes are of version {version}, and {supported} can be read: save them anew")
            }
            Self::Kind { found, asked } => {
                write!(f, "the bytes are a {found}, not a {asked}: read them as what they are")
            }
            Self::Length { length, given } => {
                write!(f, "the bytes are not whole: {length} were saved, and {given} are there")
            }
            Self::Damaged => {
                write!(f, "the bytes are damaged: their checksum is another one than when they were saved")
            }
            Self::Short => write!(f, "the bytes are no content: something in them reaches beyond their end"),
            Self::Rest { bytes } => write!(f, "the bytes are no content: {bytes} are left over at their end"),
            Self::Invalid { item, index, fault } => {
                write!(f, "the bytes contradict themselves: {item} {index} {fault}")
            }
            Self::Mesh { index, error } => write!(f, "mesh {index}: {error}"),
            Self::Entity { index, error } => write!(f, "entity {index}: {error}"),
            Self::Key { entity } => write!(f, "the key of entity {entity} was not recognised"),
            Self::SameKey { entity } => write!(f, "the key of entity {entity} is that of another one before it"),
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

/// Why a camera cannot take a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CameraError {
    /// A transform, matrix, point or direction has a NaN or infinite element.
    NotFinite {
        /// Which, such as "view matrix".
        what: &'static str,
    },
    /// A transform or matrix that cannot be inverted: a scale of zero, or axes in one plane.
    Singular {
        /// Which, such as "view matrix".
        what: &'static str,
    },
    /// A view matrix whose last row is not (0, 0, 0, w).
    NotAffine,
    /// The vertical field of view is not between 0 and pi, or so close to 0 that f64 cannot express its picture.
    FieldOfView {
        /// As given, in radians.
        fov_y: f64,
    },
    /// The height of an orthographic picture is not positive and finite, or beyond what f64 can invert.
    Height {
        /// As given, in world units.
        height: f64,
    },
    /// The width over height is not positive and finite.
    Aspect {
        /// As given.
        aspect: f64,
    },
    /// An aspect for a camera that has one in its projection matrix.
    AspectInMatrix,
    /// `near < far` does not hold, `near` is infinite, or `near > 0` does not hold for a perspective camera.
    Depth {
        /// As given.
        near: f64,
        /// As given.
        far: f64,
    },
    /// A camera that should look at the very point where it is.
    NoDirection,
    /// An up direction that is zero or along the view.
    Up {
        /// As given.
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
                write!(f, "the vertical field of view must be between 0 and pi radians, not {fov_y}")
            }
            Self::Height { height } => write!(f, "the picture's height must be finite and positive, not {height}"),
            Self::Aspect { aspect } => write!(f, "the aspect must be finite and positive, not {aspect}"),
            Self::AspectInMatrix => write!(f, "the projection matrix already has an aspect: change it there"),
            Self::Depth { near, far } => {
                write!(f, "the depths must have near < far, and near > 0 for perspective, not {near} to {far}")
            }
            Self::NoDirection => write!(f, "the target must not be at the eye"),
            Self::Up { up } => write!(f, "the up direction {up} must not be zero or along the view"),
        }
    }
}

impl core::error::Error for CameraError {}
