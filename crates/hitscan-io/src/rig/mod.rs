//! The moving parts of a model: its nodes, the animations that move them, and the meshes that follow joints or morph.
//! This module knows no file format, and no pose.

mod clip;
mod curve;
mod deformer;
mod influences;
mod node;

pub(crate) use clip::{Clip, Follower, Track};
pub(crate) use curve::{Curve, Interpolation};
pub(crate) use deformer::{Deformer, DeformerWeights, Part, Surface, Target};
pub(crate) use influences::Influences;
pub(crate) use node::{Local, Node, Tree, Trs};

use crate::error::Item;
use hitscan::Mesh;
use hitscan::glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All data of a model that poses need; empty for a model without moving parts.
#[derive(Debug, Default)]
pub(crate) struct Rig {
    pub(crate) tree: Tree,
    /// The meshes that deform.
    pub(crate) bodies: Vec<Body>,
    /// One binding for each entity of the model, in their order.
    pub(crate) bindings: Vec<Binding>,
    /// One clip for each animation of the model, in their order.
    pub(crate) clips: Vec<Result<Clip, Broken>>,
}

/// An animation that cannot be played.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(crate) animation: Item,
    /// The channel, and the fault in it.
    pub(crate) fault: String,
}

/// The deformed mesh of a node.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) node: usize,
    pub(crate) deformer: Arc<Deformer>,
    pub(crate) skin: Option<Arc<Skin>>,
    /// The weights of the morph targets, before any animation.
    pub(crate) weights: Vec<f64>,
    /// The point of the world that the vertices are relative to, if joints move them.
    pub(crate) origin: DVec3,
    /// True if an animation deforms it.
    pub(crate) moves: bool,
}

/// Joints, and the place of the mesh when it was bound to them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Skin {
    /// The node of each joint.
    pub(crate) joints: Vec<usize>,
    /// The transforms from the mesh's space to each joint's.
    pub(crate) inverse_binds: Vec<DAffine3>,
}

impl Skin {
    /// Returns the matrix of each joint from the mesh's space to the world relative to an origin, given the transforms of
    /// the nodes.
    pub(crate) fn matrices(&self, to_world: &[DAffine3], origin: DVec3) -> impl Iterator<Item = DAffine3> {
        self.joints.iter().zip(&self.inverse_binds).map(move |(&joint, bind)| {
            let matrix = to_world[joint] * *bind;
            DAffine3 { translation: matrix.translation - origin, ..matrix }
        })
    }
}

/// The source of an entity's form and place.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) node: usize,
    pub(crate) place: Place,
    /// The body of the node, if its mesh deforms.
    pub(crate) body: Option<usize>,
    /// The mesh before any animation.
    pub(crate) mesh: Mesh,
}

/// The source of an entity's place.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Node,
    /// The entity is an instance, in its node's space.
    Instance(DAffine3),
    /// The joints place it, whatever the transform of its node is.
    Joints,
    /// The joints place it, with vertices that are relative to this point of the world.
    JointsNear(DVec3),
    /// The vertices are already in world space, relative to this point. This is for a mesh that nothing moves and whose transform flattens it, so that the
    /// transform has no inverse.
    Flat(DVec3),
}

const MIRROR: DVec3 = DVec3::new(-1.0, 1.0, 1.0);

/// Returns the transform with which a mesh on joints is shown. The determinant of its node's transform decides which
/// side of a triangle is the front (glTF 2.0, 3.7.4), although the transform does not move the mesh. So for a node that
/// mirrors, the geometry and the transform of the mesh are both mirrored.
pub(crate) fn mirror(to_world: &DAffine3) -> DAffine3 {
    if to_world.matrix3.determinant() < 0.0 { DAffine3::from_scale(MIRROR) } else { DAffine3::IDENTITY }
}

impl Place {
    /// Returns the place of a mesh on joints whose vertices are relative to an origin in the world.
    pub(crate) fn joints(origin: DVec3) -> Self {
        if origin == DVec3::ZERO { Self::Joints } else { Self::JointsNear(origin) }
    }

    /// Returns the point of the world that the vertices of a mesh on joints are relative to.
    pub(crate) fn origin(self) -> DVec3 {
        match self {
            Self::JointsNear(origin) => origin,
            Self::Node | Self::Instance(_) | Self::Joints | Self::Flat(_) => DVec3::ZERO,
        }
    }

    /// Returns the transform from the space of the geometry to the world.
    pub(crate) fn transform(self, to_world: &DAffine3) -> DAffine3 {
        match self {
            Self::Node => *to_world,
            Self::Instance(instance) => *to_world * instance,
            Self::Joints => mirror(to_world),
            Self::Flat(place) => DAffine3::from_translation(place),
            Self::JointsNear(origin) => DAffine3::from_translation(origin) * mirror(to_world),
        }
    }
}

impl Rig {
    /// Returns whether an animation moves or deforms an entity.
    pub(crate) fn moves(&self, binding: &Binding) -> bool {
        self.tree.nodes[binding.node].moves || binding.body.is_some_and(|body| self.bodies[body].moves)
    }
}
