//! The moving parts of a model.

use super::numbers::Numbers;
use crate::error::Item;
use crate::model::Animation;
use crate::model::{EntityId, Model};
use crate::rig::{Binding, Target, Track, Tree};
use crate::rig::{
    Body, Broken, Clip, Curve, Deformer, Follower, Influences, Interpolation, Node, Part, Place, Rig, Skin,
};
use crate::vectors::Vectors;
use hitscan::glam::DVec3;
use hitscan::{Geometry, Mesh, Scene};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The rig. All shared data is here once, and is named by its number.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StoredRig {
    animations: Vec<Animation>,
    /// One clip for each animation, or the reason why the animation cannot be played.
    clips: Vec<Result<Vec<StoredTrack>, String>>,
    nodes: Vec<Node>,
    bodies: Vec<StoredBody>,
    bindings: Vec<StoredBinding>,
    /// The number of entities that the scene has after the model's own. They hold meshes in their form before any animation, for entities of the model that
    /// have another form now.
    spares: usize,
    deformers: Vec<Vec<StoredPart>>,
    skins: Vec<Skin>,
    numbers: Vec<Vec<f32>>,
    indices: Vec<Vec<u32>>,
}

#[derive(Serialize, Deserialize)]
struct StoredTrack {
    follower: Follower,
    times: u32,
    values: u32,
    width: usize,
    interpolation: Interpolation,
}

#[derive(Serialize, Deserialize)]
struct StoredBody {
    node: usize,
    deformer: u32,
    skin: Option<u32>,
    weights: Vec<f64>,
    moves: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredBinding {
    node: usize,
    place: Place,
    body: Option<usize>,
    /// The number of the scene's entity that has the mesh of this binding.
    mesh: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredPart {
    positions: u32,
    normals: Option<u32>,
    used: Option<u32>,
    /// The numbers of the positions and of the normals of each morph target.
    targets: Vec<[Option<u32>; 2]>,
    influences: Option<Influences>,
}

/// The largest average number of bodies that share their vertices. Without a limit, a small file could demand very much memory in a pose.
const MOST_ALIKE: usize = 256;

impl StoredRig {
    /// Returns the rig, and the meshes that follow the model's entities in its scene; or why the rig cannot be saved.
    pub(super) fn of(model: &Model) -> Result<(Self, Vec<Mesh>), &'static str> {
        let Rig { tree, bodies, bindings, clips } = &*model.rig;
        are_in_proportion(bodies)?;
        let (mut numbers, mut indices) = (Numbers::new(), Numbers::new());
        let (mut deformers, mut skins, mut spares) = (Numbers::new(), Numbers::new(), Vec::new());
        let mut stored = Self { animations: model.animations.clone(), nodes: tree.nodes.clone(), ..Self::default() };
        for Body { node, deformer, skin, weights, moves, .. } in bodies {
            let skin = skin.as_ref().map(|skin| skins.of(skin));
            let (deformer, weights) = (deformers.of(deformer), weights.clone());
            stored.bodies.push(StoredBody { node: *node, deformer, skin, weights, moves: *moves });
        }
        for (entity, &Binding { node, place, body, ref mesh }) in bindings.iter().enumerate() {
            let mesh = place_of(mesh, entity, model, &mut spares);
            stored.bindings.push(StoredBinding { node, place, body, mesh });
        }
        for clip in clips {
            stored.clips.push(match clip {
                Ok(Clip { tracks }) => Ok(tracks.iter().map(|track| StoredTrack::of(track, &mut numbers)).collect()),
                Err(broken) => Err(broken.fault.clone()),
            });
        }
        for deformer in &deformers.things {
            let parts = deformer.parts.iter().map(|part| StoredPart::of(part, &mut numbers, &mut indices));
            stored.deformers.push(parts.collect());
        }
        stored.spares = spares.len();
        stored.skins = skins.things.into_iter().cloned().collect();
        stored.numbers = numbers.things.into_iter().map(<[f32]>::to_vec).collect();
        stored.indices = indices.things.into_iter().map(<[u32]>::to_vec).collect();
        Ok((stored, spares))
    }

    /// Makes the rig of a model with this many entities, with its animations; or returns the fault.
    pub(super) fn rig(self, entities: usize, scene: &Scene<EntityId>) -> Result<(Rig, Vec<Animation>), &'static str> {
        if entities.checked_add(self.spares) != Some(scene.len()) {
            return Err("its scene has not as many entities as it has names");
        }
        let tree = Tree::of_nodes(self.nodes).ok_or("its nodes are no tree")?;
        let streams = Streams {
            numbers: self.numbers.into_iter().map(Into::into).collect(),
            indices: self.indices.into_iter().map(Into::into).collect(),
        };
        let has_node = |&node: &usize| node < tree.nodes.len();
        let is_sound = |skin: &Skin| skin.joints.len() == skin.inverse_binds.len() && skin.joints.iter().all(has_node);
        if !self.skins.iter().all(is_sound) {
            return Err("it has a skin whose joints are not there");
        }
        let skins: Vec<Arc<Skin>> = self.skins.into_iter().map(Arc::new).collect();
        let deformer = |parts: Vec<StoredPart>| {
            let parts = parts.into_iter().map(|part| part.part(&streams)).collect::<Option<_>>()?;
            Some(Arc::new(Deformer { parts }))
        };
        let deformers: Option<Vec<Arc<Deformer>>> = self.deformers.into_iter().map(deformer).collect();
        let deformers = deformers.ok_or("it has vertices that are not there")?;
        let body = |body: StoredBody| body.body(&deformers, &skins).filter(|body| has_node(&body.node));
        let bodies: Option<Vec<Body>> = self.bodies.into_iter().map(body).collect();
        let mut bodies = bodies.ok_or("it has a mesh that follows what is not there")?;
        are_in_proportion(&bodies)?;
        let binding = |StoredBinding { node, place, body, mesh }| {
            let mesh = match scene.get(&EntityId(mesh))?.geometry() {
                Geometry::Mesh(mesh) => mesh.clone(),
                _ => return None,
            };
            let is_own =
                |body: usize| bodies.get(body).is_some_and(|body| body.deformer.len() == mesh.positions().len());
            (has_node(&node) && body.is_none_or(is_own)).then_some(Binding { node, place, body, mesh })
        };
        let bindings: Option<Vec<Binding>> = self.bindings.into_iter().map(binding).collect();
        let bindings = bindings.filter(|bindings| bindings.is_empty() || bindings.len() == entities);
        let bindings = bindings.ok_or("an entity stands on what is not there")?;
        for Binding { place, body, .. } in &bindings {
            if let Some(body) = body.and_then(|body| bodies.get_mut(body)) {
                body.origin = place.origin();
            }
        }
        if self.clips.len() != self.animations.len() {
            return Err("it has not as many animations as it has names of some");
        }
        let clip = |(index, (clip, animation)): (usize, (_, &Animation))| match clip {
            Ok(tracks) => {
                let tracks = Vec::into_iter(tracks).map(|track: StoredTrack| track.track(&streams, &tree, &bodies));
                Ok(Ok(Clip { tracks: tracks.collect::<Option<_>>().ok_or("an animation moves what is not there")? }))
            }
            Err(fault) => {
                let animation = Item::named("animation", index, animation.name.as_deref());
                Ok(Err(Broken { animation, fault }))
            }
        };
        let clips = self.clips.into_iter().zip(&self.animations).enumerate().map(clip);
        let clips = clips.collect::<Result<_, &'static str>>()?;
        Ok((Rig { tree, bodies, bindings, clips }, self.animations))
    }
}

/// Returns the number of the scene's entity that has a mesh. Unless the model's own entity has it, the mesh is in
/// `spares`, or is added there.
fn place_of(mesh: &Mesh, entity: usize, model: &Model, spares: &mut Vec<Mesh>) -> u32 {
    let own = model.entities.get(entity).map(|entity| &entity.geometry);
    if matches!(own, Some(Geometry::Mesh(own)) if own.is_clone_of(mesh)) {
        return entity as u32;
    }
    // Instances, of which there may be many, come one after the other.
    let known = spares.last().filter(|last| last.is_clone_of(mesh)).map(|_| spares.len() - 1);
    let spare = known.unwrap_or_else(|| {
        spares.push(mesh.clone());
        spares.len() - 1
    });
    (model.entities.len() + spare) as u32
}

fn are_in_proportion(bodies: &[Body]) -> Result<(), &'static str> {
    let mut alike = Numbers::new();
    bodies.iter().for_each(|body| _ = alike.of(&body.deformer));
    let kept: usize = alike.things.iter().map(|deformer| deformer.len()).sum();
    let posed = bodies.iter().try_fold(0usize, |sum, body| sum.checked_add(body.deformer.len()));
    let is_in_proportion = posed.is_some_and(|posed| posed <= kept.saturating_mul(MOST_ALIKE));
    if is_in_proportion { Ok(()) } else { Err("too many meshes that move share their vertices") }
}

/// The lists of numbers that stored parts and tracks refer to by their index.
struct Streams {
    numbers: Vec<Arc<[f32]>>,
    indices: Vec<Arc<[u32]>>,
}

impl Streams {
    fn numbers(&self, number: u32) -> Option<Arc<[f32]>> {
        self.numbers.get(number as usize).cloned()
    }

    /// Returns `Some(None)` without a number, and `None` for a number without a list.
    fn vectors(&self, number: Option<u32>) -> Option<Option<Vectors<3>>> {
        match number {
            Some(number) => Some(Some(Vectors::new(self.numbers(number)?))),
            None => Some(None),
        }
    }
}

impl StoredPart {
    fn of<'a>(part: &'a Part, numbers: &mut Numbers<'a, [f32]>, indices: &mut Numbers<'a, [u32]>) -> Self {
        let mut number = |vectors: &'a Vectors<3>| numbers.of(vectors.numbers());
        Self {
            positions: number(&part.positions),
            normals: part.normals.as_ref().map(&mut number),
            used: part.used.as_ref().map(|used| indices.of(used)),
            targets: part
                .targets
                .iter()
                .map(|target| [&target.positions, &target.normals].map(|stream| stream.as_ref().map(&mut number)))
                .collect(),
            influences: part.influences.clone(),
        }
    }

    fn part(self, streams: &Streams) -> Option<Part> {
        let target = |[positions, normals]: [Option<u32>; 2]| {
            Some(Target { positions: streams.vectors(positions)?, normals: streams.vectors(normals)? })
        };
        let used = match self.used {
            Some(number) => Some(streams.indices.get(number as usize)?.clone()),
            None => None,
        };
        let part = Part {
            positions: Vectors::new(streams.numbers(self.positions)?),
            normals: streams.vectors(self.normals)?,
            used,
            targets: self.targets.into_iter().map(target).collect::<Option<_>>()?,
            influences: self.influences,
        };
        part.is_whole().then_some(part)
    }
}

impl StoredBody {
    fn body(self, deformers: &[Arc<Deformer>], skins: &[Arc<Skin>]) -> Option<Body> {
        let Self { node, deformer, skin, weights, moves } = self;
        let skin = match skin {
            Some(skin) => Some(skins.get(skin as usize)?.clone()),
            None => None,
        };
        let deformer = deformers.get(deformer as usize)?.clone();
        let joints = skin.as_ref().map_or(0, |skin| skin.joints.len());
        let has_joints = |part: &Part| part.influences.as_ref().is_none_or(|own| own.beyond(joints).is_none());
        deformer.parts.iter().all(has_joints).then_some(Body {
            node,
            deformer,
            skin,
            weights,
            origin: DVec3::ZERO,
            moves,
        })
    }
}

impl StoredTrack {
    fn of<'a>(track: &'a Track, numbers: &mut Numbers<'a, [f32]>) -> Self {
        let Curve { ref times, ref values, width, interpolation } = track.curve;
        let (times, values) = (numbers.of(times), numbers.of(values));
        Self { follower: track.follower, times, values, width, interpolation }
    }

    fn track(self, streams: &Streams, tree: &Tree, bodies: &[Body]) -> Option<Track> {
        let Self { follower, times, values, width, interpolation } = self;
        let curve = Curve { times: streams.numbers(times)?, values: streams.numbers(values)?, width, interpolation };
        let has_node = |node: usize| node < tree.nodes.len();
        let is_sound = match follower {
            Follower::Translation(node) | Follower::Scale(node) => has_node(node) && curve.is_sound(3),
            Follower::Rotation(node) => has_node(node) && curve.is_sound(4),
            Follower::Weights(body) => bodies.get(body).is_some_and(|body| curve.is_sound(body.weights.len())),
        };
        is_sound.then_some(Track { follower, curve })
    }
}
