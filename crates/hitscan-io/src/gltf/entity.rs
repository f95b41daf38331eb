//! Entities: the meshes that nodes show, in their poses and places.

use super::accessor::elements_of;
use super::document::{Document, Whole};
use super::instances;
use super::mesh::{Loaded, Meshes, with_data};
use super::node::{Placed, Placement};
use super::pose::{self, Pose};
use super::skin::Skin;
use crate::error::{Problem, Warning};
use crate::model::Entity;
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Mesh, Transform, TransformError};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// One for each node that shows triangles and can be placed, or for each of its instances.
pub(super) fn load(
    meshes: &Meshes<'_>,
    placement: &Placement<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Entity>, Problem> {
    let mut shown = Shown { meshes, to_world: &placement.to_world, known: HashMap::new(), posed: HashMap::new() };
    let mut entities = Vec::new();
    for place in &placement.shown {
        let Some(index) = place.node.mesh else { continue };
        let Some(loaded) = shown.read(index, warnings)? else { continue };
        let stand = Stand::of(place, &loaded, warnings);
        // A node that cannot show its mesh needs no pose either.
        let places = places(place, &stand, meshes, warnings)?;
        if places.is_empty() {
            continue;
        }
        let Some(mesh) = shown.pose(index, &loaded, place, &stand, warnings)? else { continue };
        entities.extend(places.into_iter().map(|(name, transform)| Entity {
            name,
            node: Some(place.index as u32),
            geometry: mesh.clone().into(),
            transform,
            primitives: loaded.primitives.clone(),
        }));
    }
    Ok(entities)
}

/// What puts a node's mesh where it is.
enum Stand {
    Node,
    /// The joints of a skin; the node says whether they are seen in a mirror.
    Joints {
        skin: Whole,
        is_mirrored: bool,
    },
}

impl Stand {
    fn of(place: &Placed<'_>, loaded: &Loaded, warnings: &mut Vec<Warning>) -> Self {
        let Some(skin) = place.node.skin else { return Self::Node };
        if !loaded.follows_joints {
            warnings.push(Warning::NoJoints(place.item()));
            return Self::Node;
        }
        // The determinant of the node's transform decides on which side a triangle's front is (glTF 2.0, 3.7.4), though
        // the transform does not move a skinned mesh.
        Self::Joints { skin, is_mirrored: place.to_world.matrix3.determinant() < 0.0 }
    }
}

const MIRROR: DVec3 = DVec3::new(-1.0, 1.0, 1.0);

/// The names of what a node shows and where it is, without those that no ray could be carried to.
fn places(
    place: &Placed<'_>,
    stand: &Stand,
    meshes: &Meshes<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<(String, DAffine3)>, Problem> {
    let name = name(place, meshes.document);
    meshes.accessors.spend(&place.item(), elements_of(&name))?;
    let instancing = place.node.extensions.instancing.as_ref();
    if let Stand::Joints { is_mirrored, .. } = stand {
        if instancing.is_some() {
            warnings.push(Warning::SkinnedInstances(place.item()));
        }
        let transform = if *is_mirrored { DAffine3::from_scale(MIRROR) } else { DAffine3::IDENTITY };
        return Ok(vec![(name, transform)]);
    }
    let instances = match instancing {
        Some(instancing) => instances::transforms(instancing, &place.item(), meshes.accessors)?,
        None => None,
    };
    let Some(instances) = instances else {
        return Ok(match validate(place.to_world) {
            Ok(to_world) => vec![(name, to_world)],
            Err(cause) => {
                warnings.push(Warning::Unplaceable { node: place.item(), cause });
                Vec::new()
            }
        });
    };
    meshes.accessors.spend(&place.item(), instances.len().saturating_mul(elements_of(&name)))?;
    let (mut placed, mut left_out) = (Vec::new(), Vec::new());
    for (number, instance) in instances.into_iter().enumerate() {
        let name = format!("{name}#{number}");
        match validate(place.to_world * instance) {
            Ok(to_world) => placed.push((name, to_world)),
            Err(cause) => left_out.push((name, cause)),
        }
    }
    let count = left_out.len();
    if let Some((name, cause)) = left_out.into_iter().next() {
        warnings.push(Warning::UnplaceableInstances { node: place.item(), count, name, cause });
    }
    Ok(placed)
}

fn validate(to_world: DAffine3) -> Result<DAffine3, TransformError> {
    Transform::from(to_world).validate().map(|_| to_world)
}

/// Meshes and poses that were read already.
struct Shown<'a, 'm> {
    meshes: &'a Meshes<'m>,
    to_world: &'a [DAffine3],
    known: HashMap<usize, Option<Rc<Loaded>>>,
    posed: HashMap<PoseKey, Option<Mesh>>,
}

/// Mesh, skin and whether it is mirrored, and the morph targets with the bits of their weights.
type PoseKey = (usize, Option<(usize, bool)>, Vec<(usize, u64)>);

impl Shown<'_, '_> {
    fn read(&mut self, index: Whole, warnings: &mut Vec<Warning>) -> Result<Option<Rc<Loaded>>, Problem> {
        Ok(match self.known.entry(index.0) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(self.meshes.load(index, warnings)?.map(Rc::new)).clone(),
        })
    }

    fn pose(
        &mut self,
        index: Whole,
        loaded: &Loaded,
        place: &Placed<'_>,
        stand: &Stand,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Mesh>, Problem> {
        let morphs = place.node.weights.as_ref().map_or_else(|| loaded.morphs.clone(), |weights| pose::morphs(weights));
        self.meshes.accessors.spend(loaded.item(), morphs.len())?;
        let bits = morphs.iter().map(|&(target, weight)| (target, weight.to_bits())).collect();
        let skin = match stand {
            Stand::Node => None,
            Stand::Joints { skin, is_mirrored } => Some((skin.0, *is_mirrored)),
        };
        let new = match self.posed.entry((index.0, skin, bits)) {
            Entry::Occupied(known) => return Ok(known.get().clone()),
            Entry::Vacant(new) => new,
        };
        let pose = || {
            let joints = skin.map(|skin| joints(self.meshes, self.to_world, skin)).transpose()?;
            self.meshes.pose(loaded, &Pose { morphs, joints })
        };
        Ok(new.insert(with_data(pose(), loaded.item(), warnings)?).clone())
    }
}

/// The matrices of a skin's joints, which may be seen in a mirror.
fn joints(
    meshes: &Meshes<'_>,
    to_world: &[DAffine3],
    (skin, is_mirrored): (usize, bool),
) -> Result<Vec<DAffine3>, Problem> {
    let skin = Skin::read(meshes.document, meshes.accessors, Whole(skin))?;
    let seen = if is_mirrored { DAffine3::from_scale(MIRROR) } else { DAffine3::IDENTITY };
    Ok(skin.matrices(to_world).map(|matrix| seen * matrix).collect())
}

fn name(place: &Placed<'_>, document: &Document) -> String {
    let mesh = place.node.mesh.and_then(|mesh| document.meshes.get(mesh.0)).and_then(|mesh| mesh.name.as_ref());
    let given = [place.node.name.as_ref(), mesh].into_iter().flatten().find(|name| !name.is_empty());
    given.cloned().unwrap_or_else(|| format!("node{}", place.index))
}
