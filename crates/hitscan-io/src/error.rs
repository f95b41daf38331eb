//! Errors about a file, and warnings about a file that loads.

use crate::format::Format;
use hitscan::error::{CutOutError, MeshError, SceneError, TransformError};
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Why a model could not be loaded: the file, and the problem with it.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct LoadError {
    /// The path as given to [`Model::load`](crate::Model::load).
    pub path: PathBuf,
    /// The problem with the file.
    #[source]
    pub problem: Problem,
}

/// A problem with a file. Each message names the invalid item and, if there is a remedy, the remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[source] std::io::Error),
    /// The file is in no format that can be read.
    #[error(
        "is in no known format: its name ends in none of .gltf, .glb, .obj, .stl and .ply, and it begins like no glTF, GLB, \
         STL, PLY or baked model (an OBJ is known by its name alone)"
    )]
    UnknownFormat,
    /// The file is a Git LFS pointer; its content was not fetched.
    #[error("is a Git LFS pointer instead of the file: run `git lfs pull`")]
    LfsPointer,
    /// The file is neither glTF nor GLB.
    #[error("is no glTF: it begins with neither \"glTF\" (GLB) nor a JSON object")]
    Format,
    /// The frame of a GLB file is broken.
    #[error("is no readable GLB: {0}")]
    Glb(String),
    /// The content does not match the file's extension, or it is truncated.
    #[error("is no readable {format}: {fault}")]
    Unreadable {
        /// The format in which it was read.
        format: Format,
        /// The fault in it.
        fault: String,
    },
    /// The file has vertices, points or lines, and nothing that a ray can hit.
    #[error(
        "has no faces, and a ray hits neither vertices (it has {vertices}) nor points or lines: make a surface of them first, \
         for example with MeshLab"
    )]
    NoFaces {
        /// The number of vertices.
        vertices: usize,
    },
    /// The JSON is not valid, or is not a glTF 2.0 document.
    #[error("has JSON that is not that of a glTF 2.0: {0}")]
    Json(#[source] serde_json::Error),
    /// The file has another version of glTF.
    #[error("is glTF of version {0:?}, and only 2.x can be read (`gltf-pipeline -i IN -o OUT` converts 1.0)")]
    Version(String),
    /// A required extension changes the geometry and cannot be read.
    #[error("requires the extension {name}: {advice}")]
    Extension {
        /// The name as written in `extensionsRequired`.
        name: String,
        /// The remedy, such as a tool that converts the file.
        advice: &'static str,
    },
    /// The bytes of a buffer are not in the file, and the file does not say where they are.
    #[error("{0} has no URI and is not the binary chunk of a GLB: its bytes are not in the file")]
    NoData(Item),
    /// An item of the file contradicts the file or the format.
    #[error("{item} {fault}")]
    Invalid {
        /// The item.
        item: Item,
        /// The fault of the item.
        fault: String,
    },
    /// The library refuses a mesh.
    #[error("in {item}, {cause}")]
    Mesh {
        /// The mesh.
        item: Item,
        /// Why it was refused.
        #[source]
        cause: MeshError,
    },
    /// The holes of the materials cannot be cut into an entity.
    #[error("in {item}, {cause}")]
    CutOut {
        /// The entity.
        item: Item,
        /// Why they cannot be cut.
        #[source]
        cause: CutOutError,
    },
    /// The scene refuses an entity.
    #[error("in {item}, {cause}")]
    Scene {
        /// The entity.
        item: Item,
        /// Why it was refused.
        #[source]
        cause: SceneError,
    },
}

/// Why a model cannot be posed, or a scene not be set to the pose of its model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PoseError {
    /// No animation has this index.
    #[error("there is no animation {index}: the model has {count} animations, counted from 0")]
    NoAnimation {
        /// The index given.
        index: usize,
        /// The number of animations.
        count: usize,
    },
    /// The file contains a faulty animation.
    #[error("{animation} cannot be played: {fault}")]
    Animation {
        /// The animation.
        animation: Item,
        /// The channel, and the fault in it.
        fault: String,
    },
    /// The time is NaN.
    #[error("the time of a pose must be a number of seconds, not NaN")]
    Time,
    /// A vertex is moved beyond the range of f32.
    #[error("vertex {vertex} of {node} is moved beyond the range of f32 in this pose")]
    NotFinite {
        /// The node that shows the mesh.
        node: Item,
        /// Index of its vertex.
        vertex: usize,
    },
    /// A pose was given to a model that did not make it.
    #[error("the pose belongs to another model: make it with `pose` of this model or of a clone")]
    AnotherModel,
    /// The mesh in the scene is not the mesh of the model.
    #[error("the scene's entity for {node} cannot be deformed: {cause}")]
    Mesh {
        /// The node that shows the mesh.
        node: Item,
        /// Why it does not fit.
        #[source]
        cause: MeshError,
    },
    /// The scene cannot place an entity.
    #[error("the scene's entity for {node} cannot be placed: {cause}")]
    Scene {
        /// The node of the entity.
        node: Item,
        /// Why it cannot be placed.
        #[source]
        cause: SceneError,
    },
}

/// A numbered, perhaps named item of a file: `node 3 "Fox"`, `line 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind of item, such as "node".
    pub kind: &'static str,
    /// Index among its kind; lines are counted from 1.
    pub index: usize,
    /// The name, if the item has one. Only the beginning of a very long name is kept.
    pub name: Option<String>,
}

impl Item {
    pub(crate) fn new(kind: &'static str, index: usize) -> Self {
        Self { kind, index, name: None }
    }

    pub(crate) fn named(kind: &'static str, index: usize, name: Option<&str>) -> Self {
        Self { kind, index, name: name.filter(|name| !name.is_empty()).map(shortened) }
    }

    /// Returns the problem that this item has a fault.
    pub(crate) fn invalid(self, fault: impl Into<String>) -> Problem {
        Problem::Invalid { item: self, fault: fault.into() }
    }
}

/// Returns the beginning of a text, short enough for a message. Many messages may mention one item, whose name may be as long as the file.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.index)?;
        self.name.as_ref().map_or(Ok(()), |name| write!(f, " {name:?}"))
    }
}

/// A part of a loaded model that differs from its file, or from the expectation of a user.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Warning {
    /// No node shows a triangle: every ray misses.
    #[error("the model has no triangles to hit")]
    Nothing,
    /// A mesh has only points or lines; the nodes that show it are skipped.
    #[error("{0} is left out: it has no triangles, only points or lines, or it has no positions")]
    NoTriangles(Item),
    /// The file does not say where the bytes of a mesh's buffer are; the nodes that show it are skipped.
    #[error("{mesh} is left out: the bytes of its {buffer} are not in the file")]
    NoData {
        /// The mesh.
        mesh: Item,
        /// The buffer.
        buffer: Item,
    },
    /// A mesh has a fault and was skipped, as [`Faults::LeaveOut`](crate::Faults::LeaveOut) requests, with the nodes that show it.
    #[error("{mesh} is left out: {fault}")]
    Faulty {
        /// The mesh.
        mesh: Item,
        /// The fault in it.
        fault: String,
    },
    /// Vertices have an attribute that is not finite. No hit needs it.
    #[error(
        "{mesh} has {what} that are not finite in primitive {primitive}: {count}, the first at vertex {vertex}; they count as 0"
    )]
    NotFinite {
        /// The mesh.
        mesh: Item,
        /// Index of the primitive in the mesh.
        primitive: usize,
        /// The attribute: "normals" or "texture coordinates".
        what: &'static str,
        /// The number of these vertices.
        count: usize,
        /// Index of the first one in the primitive's accessors.
        vertex: usize,
    },
    /// Vertices follow joints by weights that do not add up to 1.
    #[error(
        "{mesh} has skin weights that do not add up to 1: at {count} vertices, the first of them {vertex}; they are divided by their sum"
    )]
    Weights {
        /// The mesh.
        mesh: Item,
        /// The number of these vertices.
        count: usize,
        /// Index of the first one among the vertices of the mesh.
        vertex: usize,
    },
    /// The rotation of a node is no unit quaternion.
    #[error("{node} has a rotation of length {length:.6}, not 1: it is normalised")]
    Rotation {
        /// The node.
        node: Item,
        /// The length of the quaternion.
        length: f64,
    },
    /// The rotations of instances are no unit quaternions.
    #[error(
        "{count} instances of {node} have a rotation whose length is not 1: the first is number {instance}, of length {length:.6}; they are normalised"
    )]
    InstanceRotations {
        /// The node.
        node: Item,
        /// The number of these instances.
        count: usize,
        /// The number of the first one.
        instance: usize,
        /// The length of its quaternion.
        length: f64,
    },
    /// A primitive ends in corners that do not make a whole triangle.
    #[error(
        "primitive {primitive} of {mesh} ends in {corners} corners that are left out: they are too few for a triangle"
    )]
    Remainder {
        /// The mesh.
        mesh: Item,
        /// Index of the primitive in the mesh.
        primitive: usize,
        /// The number of corners that are left.
        corners: usize,
    },
    /// A scene lists a child as a root, which the format forbids.
    #[error("{node} is a root of scene {scene} and a child of node {parent}: it is shown once, as that child")]
    ChildAsRoot {
        /// The node.
        node: Item,
        /// The index of the scene.
        scene: usize,
        /// The index of its parent.
        parent: usize,
    },
    /// A scene lists a node more than once.
    #[error("{node} is listed by scene {scene} more than once: it is shown once")]
    ListedTwice {
        /// The node.
        node: Item,
        /// The index of the scene.
        scene: usize,
    },
    /// The records of an element of a PLY are ignored.
    #[error("{element} is passed over with its {count} records: the vertices are those of the first one of its name")]
    Element {
        /// The element.
        element: Item,
        /// The number of its records.
        count: u64,
    },
    /// The transform of a node cannot place its mesh.
    #[error("{node} is left out: {cause}")]
    Unplaceable {
        /// The node.
        node: Item,
        /// Why it cannot.
        cause: TransformError,
    },
    /// A node has a skin, but its mesh has no joints; the node places it.
    #[error("{0} has a skin, but not every primitive of its mesh has JOINTS_0 and WEIGHTS_0: the node places the mesh")]
    NoJoints(Item),
    /// A node has EXT_mesh_gpu_instancing and a skin, whose joints alone place its mesh.
    #[error("{0} has a skin and EXT_mesh_gpu_instancing: one instance is shown, placed by the joints")]
    SkinnedInstances(Item),
    /// The transforms of some instances of a node cannot place its mesh.
    #[error("{count} instances of {node} are left out, the first {name:?}: {cause}")]
    UnplaceableInstances {
        /// The node.
        node: Item,
        /// The number of its instances that cannot be placed.
        count: usize,
        /// The name that the first one would have.
        name: String,
        /// Why the first one cannot be placed.
        cause: TransformError,
    },
    /// An animation cannot be played; the rest of the model is loaded as if the animation did not exist.
    #[error("{animation} cannot be played: {fault}")]
    Animation {
        /// The animation.
        animation: Item,
        /// The channel, and the fault in it.
        fault: String,
    },
    /// Some channels of an animation move nothing that is known here; the others are played.
    #[error("{count} channels of {animation} are passed over, the first of them channel {first}, which {reason}")]
    Channels {
        /// The animation.
        animation: Item,
        /// The number of these channels.
        count: usize,
        /// Index of the first one.
        first: usize,
        /// Why the first one is ignored.
        reason: String,
    },
    /// A camera cannot be used.
    #[error("{camera} is left out: {fault}")]
    Camera {
        /// The camera.
        camera: Item,
        /// The fault of the camera.
        fault: String,
    },
    /// The picture of a cut-out material cannot be read; the material is solid.
    #[error("{material} is solid, as the picture of its holes cannot be used: {fault}")]
    Texture {
        /// The material.
        material: Item,
        /// The picture, and the fault in it.
        fault: String,
    },
    /// The picture of a material cannot be read; the material is drawn without it.
    #[error("{material} is drawn without its texture: {fault}")]
    Untextured {
        /// The material.
        material: Item,
        /// The picture, and the fault in it.
        fault: String,
    },
    /// Some faces cannot be used.
    #[error("faces with fewer than three corners are left out: {count}, the first of them {first}")]
    Faces {
        /// The number of these faces.
        count: usize,
        /// The place of the first one.
        first: Item,
    },
    /// The texture coordinate or normal of some corners does not exist, or is not finite.
    #[error("corners without a {what}, as it does not exist or is not finite: {count}, the first of them in {first}")]
    Attributes {
        /// The attribute: "texture coordinate" or "normal".
        what: &'static str,
        /// The number of these corners.
        count: usize,
        /// The place of the first one.
        first: Item,
    },
    /// A material library (.mtl) cannot be read.
    #[error("the colours of the materials are not known: {0}")]
    Library(String),
    /// Faces use materials that no library defines.
    #[error("materials that are defined nowhere: {count}, the first of them {first:?}")]
    Undefined {
        /// The number of these materials.
        count: usize,
        /// The name of the first one.
        first: String,
    },
    /// A model was baked without its colours, which are requested now.
    #[error(
        "it was baked without colours: materials are drawn in their factor alone (`hitscan bake --colors` keeps them)"
    )]
    NoColors,
    /// A warning about a model when it was baked.
    #[error("{0}")]
    Baked(String),
    /// There are more bytes than the file states.
    #[error("bytes after its content are ignored: {bytes}")]
    Trailing {
        /// The number of these bytes.
        bytes: usize,
    },
}
