//! What can go wrong with a file, and what is worth telling about one that loads.

use crate::format::Format;
use hitscan::{CutOutError, MeshError, SceneError, TransformError};
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Why a model could not be loaded: which file, and what is wrong with it.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct LoadError {
    /// The file as given to [`Model::load`](crate::Model::load).
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: Problem,
}

/// What is wrong with a file. Each message names the offender and, where there is a way out, says which.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[source] std::io::Error),
    /// In no format that can be read.
    #[error(
        "is in no known format: its name ends in none of .gltf, .glb, .obj, .stl and .ply, and it begins like no glTF, GLB, \
         STL, PLY or baked model (an OBJ is known by its name alone)"
    )]
    UnknownFormat,
    /// Neither glTF nor GLB.
    #[error("is no glTF: it begins with neither \"glTF\" (GLB) nor a JSON object")]
    Format,
    /// The frame of a GLB file is broken.
    #[error("is no readable GLB: {0}")]
    Glb(String),
    /// Not what its extension says, or cut short.
    #[error("is no readable {format}: {fault}")]
    Unreadable {
        /// What it was read as.
        format: Format,
        /// What is wrong with it.
        fault: String,
    },
    /// Vertices, points or lines, and nothing that a ray can hit.
    #[error(
        "has no faces, and a ray hits neither vertices (it has {vertices}) nor points or lines: make a surface of them first, \
         for example with MeshLab"
    )]
    NoFaces {
        /// The number of vertices.
        vertices: usize,
    },
    /// The JSON is no JSON, or not that of a glTF 2.0.
    #[error("its JSON is no glTF 2.0: {0}")]
    Json(#[source] serde_json::Error),
    /// Another version of glTF.
    #[error("is glTF of version {0:?}, and only 2.x can be read (`gltf-pipeline -i IN -o OUT` converts 1.0)")]
    Version(String),
    /// A required extension that changes the geometry and cannot be read.
    #[error("requires the extension {name}: {advice}")]
    Extension {
        /// As written in `extensionsRequired`.
        name: String,
        /// The way out.
        advice: &'static str,
    },
    /// A buffer whose bytes are not in the file, nor said to be elsewhere.
    #[error("{0} has no URI, and is not the binary chunk of a GLB")]
    NoData(Item),
    /// Something in the file contradicts the file or the format.
    #[error("{item} {fault}")]
    Invalid {
        /// What is wrong.
        item: Item,
        /// What is wrong with it.
        fault: String,
    },
    /// A mesh that the library refuses.
    #[error("{item}: {cause}")]
    Mesh {
        /// Which mesh.
        item: Item,
        /// Why it was refused.
        #[source]
        cause: MeshError,
    },
    /// An entity into which the holes of its materials cannot be cut.
    #[error("{item}: {cause}")]
    CutOut {
        /// Which entity.
        item: Item,
        /// Why not.
        #[source]
        cause: CutOutError,
    },
    /// An entity that the scene refuses.
    #[error("{item}: {cause}")]
    Scene {
        /// Which entity.
        item: Item,
        /// Why it was refused.
        #[source]
        cause: SceneError,
    },
}

/// Why a model cannot be put into a pose, or a scene not into that of its model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PoseError {
    /// No animation has this index.
    #[error("there is no animation {index}: the model has {count}, counted from 0")]
    NoAnimation {
        /// As it was asked for.
        index: usize,
        /// The number of them.
        count: usize,
    },
    /// The file is wrong about an animation.
    #[error("{animation} cannot be played: {fault}")]
    Animation {
        /// Which animation.
        animation: Item,
        /// Which channel, and what is wrong with it.
        fault: String,
    },
    /// A time that is no number.
    #[error("the time of a pose must be a number of seconds, not NaN")]
    Time,
    /// A vertex that is moved to where f32 has no numbers.
    #[error("vertex {vertex} of {node} is moved further in this pose than an f32 can tell")]
    NotFinite {
        /// The node that shows the mesh.
        node: Item,
        /// Which vertex of it.
        vertex: usize,
    },
    /// A pose was given to a model that it was not made by.
    #[error("the pose is of another model: make it by the `pose` of this one, or of a clone")]
    AnotherModel,
    /// The mesh in the scene is another than the model's.
    #[error("the scene's entity for {node} cannot be deformed: {cause}")]
    Mesh {
        /// The node that shows the mesh.
        node: Item,
        /// Why.
        #[source]
        cause: MeshError,
    },
    /// An entity that the scene cannot place.
    #[error("the scene's entity for {node} cannot be placed: {cause}")]
    Scene {
        /// The node that it is of.
        node: Item,
        /// Why.
        #[source]
        cause: SceneError,
    },
}

/// A numbered, perhaps named thing in a file: `node 3 "Fox"`, `line 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is, such as "node".
    pub kind: &'static str,
    /// Its index among its kind; lines are counted from 1.
    pub index: usize,
    /// Its name, where it has one; the beginning of a very long one.
    pub name: Option<String>,
}

impl Item {
    pub(crate) fn new(kind: &'static str, index: usize) -> Self {
        Self { kind, index, name: None }
    }

    pub(crate) fn named(kind: &'static str, index: usize, name: Option<&str>) -> Self {
        Self { kind, index, name: name.filter(|name| !name.is_empty()).map(shortened) }
    }

    /// This item has something wrong with it.
    pub(crate) fn invalid(self, fault: impl Into<String>) -> Problem {
        Problem::Invalid { item: self, fault: fault.into() }
    }
}

/// As much of a text as a person reads in a message. Many messages may tell of one thing, whose name may be as long as
/// the file.
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

/// Something in a loaded model that is not what its file says, or not what a person may expect.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Warning {
    /// No node shows a triangle: every ray misses.
    #[error("the model has no triangles to hit")]
    Nothing,
    /// A mesh of points or lines alone; the nodes that show it are left out.
    #[error("{0} has no triangles (only points or lines, or no positions): left out")]
    NoTriangles(Item),
    /// A mesh in a buffer whose bytes are to come from elsewhere; the nodes that show it are left out.
    #[error("{mesh} is left out: its {buffer} has no data in the file")]
    NoData {
        /// Which mesh.
        mesh: Item,
        /// Which buffer.
        buffer: Item,
    },
    /// Corners at the end of a primitive that make no whole triangle.
    #[error("primitive {primitive} of {mesh} ends in {corners} corners that make no triangle: left out")]
    Remainder {
        /// Which mesh.
        mesh: Item,
        /// Which of its primitives.
        primitive: usize,
        /// How many corners are left.
        corners: usize,
    },
    /// A child that a scene lists as a root, which the format forbids.
    #[error(
        "{node} is listed as a root of scene {scene}, and is a child of node {parent}: shown once, where that puts it"
    )]
    ChildAsRoot {
        /// Which node.
        node: Item,
        /// The index of the scene.
        scene: usize,
        /// The index of its parent.
        parent: usize,
    },
    /// A node that a scene lists more than once.
    #[error("{node} is listed again by scene {scene}: shown once")]
    ListedTwice {
        /// Which node.
        node: Item,
        /// The index of the scene.
        scene: usize,
    },
    /// An element of a PLY whose records are passed over.
    #[error("{element} is passed over with its {count} records: the vertices are those of the first one of its name")]
    Element {
        /// Which element.
        element: Item,
        /// How many records it has.
        count: u64,
    },
    /// A node whose transform cannot place what it shows.
    #[error("{node} is left out: {cause}")]
    Unplaceable {
        /// Which node.
        node: Item,
        /// Why.
        cause: TransformError,
    },
    /// A node with a skin whose mesh says nothing of joints; the node places it.
    #[error("{0} has a skin, but its mesh has no JOINTS_0 and WEIGHTS_0 throughout: the node places it")]
    NoJoints(Item),
    /// A node with EXT_mesh_gpu_instancing and a skin, whose joints alone place its mesh.
    #[error("{0} has a skin and EXT_mesh_gpu_instancing: one instance is shown, placed by the joints")]
    SkinnedInstances(Item),
    /// Instances of a node whose transform cannot place what they show.
    #[error("{count} instances of {node} are left out, the first {name:?}: {cause}")]
    UnplaceableInstances {
        /// Which node.
        node: Item,
        /// The number of of its instances.
        count: usize,
        /// What the first one's name would be.
        name: String,
        /// Why the first one is.
        cause: TransformError,
    },
    /// An animation that cannot be played; the rest of the model is as if it were not there.
    #[error("{animation} cannot be played: {fault}")]
    Animation {
        /// Which animation.
        animation: Item,
        /// Which channel, and what is wrong with it.
        fault: String,
    },
    /// Channels of an animation that move nothing that is known here; the others are played.
    #[error("{count} channels of {animation} are passed over, the first of them channel {first}, which {reason}")]
    Channels {
        /// Which animation.
        animation: Item,
        /// How many.
        count: usize,
        /// Which one is the first.
        first: usize,
        /// Why the first one is.
        reason: String,
    },
    /// A camera that cannot be looked through.
    #[error("{camera} is left out: {fault}")]
    Camera {
        /// Which camera.
        camera: Item,
        /// What is wrong with it.
        fault: String,
    },
    /// The picture of a cut-out material that cannot be read; the material is solid.
    #[error("{material} lets no ray through: {fault}")]
    Texture {
        /// Which material.
        material: Item,
        /// Which picture, and what is wrong with it.
        fault: String,
    },
    /// The picture of a material that cannot be read; it is drawn without.
    #[error("{material} is drawn without its texture: {fault}")]
    Untextured {
        /// Which material.
        material: Item,
        /// Which picture, and what is wrong with it.
        fault: String,
    },
    /// Faces that are none.
    #[error("faces with fewer than three corners are left out: {count}, the first of them {first}")]
    Faces {
        /// How many.
        count: usize,
        /// Where the first of them is.
        first: Item,
    },
    /// Corners whose texture coordinate or normal does not exist, or is not finite.
    #[error("corners whose {what} does not exist have none: {count}, the first of them in {first}")]
    Attributes {
        /// "texture coordinate" or "normal".
        what: &'static str,
        /// How many.
        count: usize,
        /// Where the first of them is.
        first: Item,
    },
    /// A material library (.mtl) that cannot be read.
    #[error("the colours of the materials are not known: {0}")]
    Library(String),
    /// Materials that faces are of, and no library defines.
    #[error("materials that are defined nowhere: {count}, the first of them {first:?}")]
    Undefined {
        /// How many.
        count: usize,
        /// The name of the first.
        first: String,
    },
    /// A model that was baked without its colours, which are asked for now.
    #[error(
        "it was baked without colours: materials are drawn in their factor alone (`hitscan bake --colors` keeps them)"
    )]
    NoColors,
    /// What was worth telling about a model when it was baked.
    #[error("{0}")]
    Baked(String),
    /// More bytes than the file says it has.
    #[error("bytes at its end that belong to nothing are left out: {bytes}")]
    Trailing {
        /// How many.
        bytes: usize,
    },
}
