//! Poses: the transforms and vertices of a model at a time of an animation.

use crate::error::PoseError;
use crate::model::{EntityId, Model};
use crate::rig::{self, Binding, Body, DeformerWeights, Local, Rig, Surface};
use hitscan::error::{BulkError, MeshError, SceneError};
use hitscan::glam::{DAffine3, Vec3};
use hitscan::{Compound, Geometry, Mesh, Scene, Transform};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The state of everything in a model: at rest, or at a time of an animation.
///
/// It is made once by [`Model::pose`], which allocates all the memory that it needs. A game computes the pose of each
/// frame and applies it to its scene: nodes that move get new transforms, and meshes that follow joints or morph get
/// new vertices. Nodes and meshes that no animation of the model moves are not changed.
///
/// ```
/// use hitscan_io::Model;
///
/// # let model = Model::demo();
/// let mut scene = model.scene()?; // of a `Model::load(..)`
/// let mut pose = model.pose();
/// if let Some(run) = model.animation("Run") {
///     let duration = model.animations[run].duration;
///     for frame in 0..3 {
///         pose.animate(run, f64::from(frame) / 60.0 % duration)?;
///         pose.apply(&mut scene)?; // the next cast hits it where it is drawn
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pose {
    rig: Arc<Rig>,
    locals: Vec<Local>,
    to_world: Vec<DAffine3>,
    /// The vertices of each body of the rig.
    bodies: Vec<Deformed>,
    /// The transform of each entity; `None` if it is singular.
    places: Vec<Option<DAffine3>>,
    /// The geometries that replace entities that could not be hit, with the holes of their materials.
    forms: HashMap<usize, Geometry>,
}

/// A body in a pose; empty for a body that no animation deforms.
#[derive(Clone, Debug, Default)]
struct Deformed {
    weights: Vec<f64>,
    joints: Vec<DAffine3>,
    surface: Surface,
}

/// An entity of a model in a [`Pose`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PosedEntity<'a> {
    /// The entity's index in [`Model::entities`].
    pub id: EntityId,
    /// The transform from the space of its geometry to the world's, like
    /// [`Entity::transform`](crate::Entity::transform); `None` if the transform is singular, as when the entity is
    /// scaled to nothing. No ray can hit the entity then.
    pub transform: Option<DAffine3>,
    /// The positions of its mesh's vertices, for [`Scene::refit`]; `None` for a mesh that does not deform.
    pub positions: Option<&'a [Vec3]>,
    /// The normals of the vertices, for [`Scene::set_normals`]; `None` for a mesh that does not deform, or has none.
    pub normals: Option<&'a [Vec3]>,
}

impl Model {
    /// Returns the index of the animation of this name, the first one if several have it; `None` if there is none.
    pub fn animation(&self, name: &str) -> Option<usize> {
        self.animations.iter().position(|animation| animation.name.as_deref() == Some(name))
    }

    /// Returns the pose at rest: the model before any animation.
    pub fn pose(&self) -> Pose {
        let pose = Pose::new(self.rig.clone());
        let forms = self.cut_all(pose.moving().map(|(number, binding)| (number, &binding.mesh)));
        Pose { forms, ..pose }
    }

    /// Moves the model's own entities and cameras into a pose. A [`scene`](Self::scene) that is then made of the model
    /// has the pose; scenes that were made before do not change.
    ///
    /// An entity that cannot be hit in this pose has an empty compound as its geometry. To pose a model each frame,
    /// apply the pose to its scene instead: see [`Pose::apply`].
    ///
    /// # Errors
    /// Returns an error for a pose of another model. The model is then unchanged.
    pub fn set_pose(&mut self, pose: &Pose) -> Result<(), PoseError> {
        if !Arc::ptr_eq(&self.rig, &pose.rig) {
            return Err(PoseError::AnotherModel);
        }
        let mut forms: Vec<Option<Mesh>> = vec![None; pose.bodies.len()];
        for (number, binding) in pose.moving() {
            let mesh = match binding.body.and_then(|body| Some((forms.get_mut(body)?, pose.surface(body)?))) {
                Some((Some(form), _)) => form.clone(),
                Some((form, surface)) => {
                    let mut mesh = binding.mesh.clone();
                    mesh.refit(&surface.positions).map_err(|cause| pose.refused(binding, cause))?;
                    if !surface.normals.is_empty() {
                        mesh.set_normals(&surface.normals).map_err(|cause| pose.refused(binding, cause))?;
                    }
                    form.insert(mesh).clone()
                }
                None => binding.mesh.clone(),
            };
            let Some(entity) = self.entities.get_mut(number) else { continue };
            let transform = pose.places[number];
            entity.geometry = if transform.is_some() { mesh.into() } else { nothing() };
            entity.transform = transform.unwrap_or(DAffine3::IDENTITY);
        }
        for camera in &mut self.cameras {
            camera.transform = camera.node.and_then(|node| pose.node(node)).unwrap_or(camera.transform);
        }
        Ok(())
    }
}

impl Pose {
    fn new(rig: Arc<Rig>) -> Self {
        let (locals, to_world) = (rig.tree.locals(), rig.tree.at_rest());
        let bodies = vec![Deformed::default(); rig.bodies.len()];
        let places = rig.bindings.iter().map(|binding| placed(binding, &to_world)).collect();
        let mut pose = Self { rig, locals, to_world, bodies, places, forms: HashMap::new() };
        pose.rest();
        pose
    }

    /// Restores the state before any animation.
    pub fn rest(&mut self) {
        let rig = self.rig.clone();
        self.take_rest(&rig);
        self.settle(&rig);
    }

    /// Sets the pose to a time, in seconds, of an animation of the model, by its index in [`Model::animations`].
    ///
    /// The previous pose has no effect: nodes and meshes that this animation does not move are at rest. As glTF
    /// specifies, times before a channel's first key use that key, and times after its last key use the last one; a
    /// negative time is before all keys. For an animation that repeats, pass the remainder of the time by its
    /// [`duration`](crate::Animation::duration).
    ///
    /// # Errors
    /// Returns an error for an invalid index, an animation that cannot be played, a time that is NaN, or vertices that are
    /// moved beyond the range of f32. The pose is then at rest.
    pub fn animate(&mut self, animation: usize, time: f64) -> Result<(), PoseError> {
        let rig = self.rig.clone();
        self.take_rest(&rig);
        let played = self.play(&rig, animation, time);
        self.settle(&rig);
        let checked = played.and_then(|()| self.check(&rig));
        if checked.is_err() {
            self.rest();
        }
        checked
    }

    /// Applies the pose to a [`Model::scene`] of its model, so that the next query sees the model in the pose.
    ///
    /// Entities that deform are refitted, with their vertex normals, and from then on have a mesh of their own. Other
    /// entities that move get a new transform. Everything that no animation of the model moves stays as it is. An
    /// entity that cannot be hit in this pose, as when it is scaled to nothing, is an empty compound until it can be
    /// hit again. Entities keep their order and layers. Keys that are not in the scene are ignored.
    ///
    /// # Errors
    /// Returns an error if an entity that should deform has a mesh with another number of vertices in the scene. Some of
    /// the other entities are then already in the pose.
    pub fn apply(&self, scene: &mut Scene<EntityId>) -> Result<(), PoseError> {
        self.put(scene, DAffine3::IDENTITY, |id| id, self.moving())
    }

    /// Does the same as [`apply`](Self::apply) for a scene with your own keys, in which the model is placed by a
    /// transform from the model's space to the world's. Many figures may show the model, each in its own pose. One
    /// `Pose` may be set and applied for one figure after the other.
    ///
    /// ```
    /// use hitscan::{Scene, glam::{DAffine3, DVec3}};
    /// use hitscan_io::{EntityId, Model};
    ///
    /// # let model = Model::demo();
    /// let mut scene: Scene<(&str, EntityId)> = Scene::new(); // a figure's name, and an entity of the model
    /// let place = |x| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0));
    /// for (figure, x) in [("guard", 0.0), ("player", 40.0)] {
    ///     model.insert_into(&mut scene, place(x), |id| (figure, id))?;
    /// }
    /// let mut pose = model.pose();
    /// for (figure, x, time) in [("guard", 0.0, 0.2), ("player", 41.5, 0.7)] {
    ///     if let Some(run) = model.animation("Run") {
    ///         pose.animate(run, time)?;
    ///     }
    ///     pose.apply_as(&mut scene, place(x), |id| (figure, id))?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// All entities of the model are placed by this transform, including entities that no animation moves.
    ///
    /// # Errors
    /// Returns the errors of [`apply`](Self::apply), and an error for an invalid transform.
    pub fn apply_as<K: Clone + Eq + Hash>(
        &self,
        scene: &mut Scene<K>,
        place: DAffine3,
        key: impl Fn(EntityId) -> K,
    ) -> Result<(), PoseError> {
        self.put(scene, place, key, self.rig.bindings.iter().enumerate())
    }

    /// Returns the entities that an animation of the model moves or deforms, in their order, in this pose.
    pub fn entities(&self) -> impl Iterator<Item = PosedEntity<'_>> {
        self.moving().map(|(number, binding)| {
            let surface = binding.body.and_then(|body| self.surface(body));
            PosedEntity {
                id: EntityId(number as u32),
                transform: self.places[number],
                positions: surface.map(|surface| &surface.positions[..]),
                normals: surface.map(|surface| &surface.normals[..]).filter(|normals| !normals.is_empty()),
            }
        })
    }

    /// Returns the transform from a node's space to the world's, by the node's index in the file, for example of a
    /// hand that holds an object; `None` beyond the last node.
    pub fn node(&self, node: u32) -> Option<DAffine3> {
        self.to_world.get(node as usize).copied()
    }

    fn moving(&self) -> impl Iterator<Item = (usize, &Binding)> {
        self.rig.bindings.iter().enumerate().filter(|(_, binding)| self.rig.moves(binding))
    }

    /// Returns the vertices of a body that animations deform.
    fn surface(&self, body: usize) -> Option<&Surface> {
        let is_deformed = self.rig.bodies.get(body)?.moves;
        self.bodies.get(body).filter(|_| is_deformed).map(|body| &body.surface)
    }

    fn take_rest(&mut self, rig: &Rig) {
        for (local, node) in self.locals.iter_mut().zip(&rig.tree.nodes) {
            *local = node.local;
        }
        for (deformed, body) in self.bodies.iter_mut().zip(&rig.bodies) {
            deformed.weights.clone_from(&body.weights);
        }
    }

    fn play(&mut self, rig: &Rig, animation: usize, time: f64) -> Result<(), PoseError> {
        let count = rig.clips.len();
        let clip = rig.clips.get(animation).ok_or(PoseError::NoAnimation { index: animation, count })?;
        let clip = clip.as_ref().map_err(|broken| PoseError::Animation {
            animation: broken.animation.clone(),
            fault: broken.fault.clone(),
        })?;
        if time.is_nan() {
            return Err(PoseError::Time);
        }
        let bodies = &mut self.bodies;
        for track in &clip.tracks {
            track.play(time, &mut self.locals, |body| bodies.get_mut(body).map(|body| &mut body.weights[..]));
        }
        Ok(())
    }

    /// Places everything by the nodes' transforms and the weights.
    fn settle(&mut self, rig: &Rig) {
        rig.tree.place_moving(&self.locals, &mut self.to_world);
        for (deformed, body) in self.bodies.iter_mut().zip(&rig.bodies).filter(|(_, body)| body.moves) {
            deformed.settle(body, &self.to_world);
        }
        for (place, binding) in self.places.iter_mut().zip(&rig.bindings).filter(|(_, binding)| rig.moves(binding)) {
            *place = placed(binding, &self.to_world);
        }
    }

    fn check(&self, rig: &Rig) -> Result<(), PoseError> {
        for (deformed, body) in self.bodies.iter().zip(&rig.bodies) {
            if let Some(vertex) = deformed.surface.positions.iter().position(|position| !position.is_finite()) {
                return Err(PoseError::NotFinite { node: rig.tree.item(body.node), vertex });
            }
        }
        Ok(())
    }

    /// Puts entities of a scene into their forms and places.
    fn put<'a, K: Clone + Eq + Hash>(
        &'a self,
        scene: &mut Scene<K>,
        place: DAffine3,
        key: impl Fn(EntityId) -> K,
        bindings: impl Iterator<Item = (usize, &'a Binding)>,
    ) -> Result<(), PoseError> {
        let (mut moves, mut moved) = (Vec::new(), Vec::new());
        for (number, binding) in bindings {
            let key = key(EntityId(number as u32));
            let Some(entity) = scene.get(&key) else { continue };
            let Some(transform) = self.places[number].map(|transform| place * transform) else {
                self.replace(scene, &key, binding, nothing(), DAffine3::IDENTITY)?;
                continue;
            };
            if is_nothing(entity.geometry()) {
                let form = self.forms.get(&number).cloned().unwrap_or_else(|| binding.mesh.clone().into());
                self.replace(scene, &key, binding, form, transform)?;
            } else if entity.transform() != transform {
                moves.push((key.clone(), transform));
                moved.push(binding);
            }
            self.deform(scene, &key, binding)?;
        }
        match scene.set_transforms(moves) {
            Ok(_) => Ok(()),
            Err(BulkError { index, error }) => Err(self.misplaced(moved[index], error)),
        }
    }

    /// Gives an entity of a scene its vertices, if it deforms.
    fn deform<K: Clone + Eq + Hash>(&self, scene: &mut Scene<K>, key: &K, binding: &Binding) -> Result<(), PoseError> {
        let Some(surface) = binding.body.and_then(|body| self.surface(body)) else { return Ok(()) };
        scene.refit(key, 0, &surface.positions).map_err(|cause| self.refused(binding, cause))?;
        if !surface.normals.is_empty() {
            scene.set_normals(key, 0, &surface.normals).map_err(|cause| self.refused(binding, cause))?;
        }
        Ok(())
    }

    /// Gives an entity of a scene another form; its layers stay.
    fn replace<K: Clone + Eq + Hash>(
        &self,
        scene: &mut Scene<K>,
        key: &K,
        binding: &Binding,
        geometry: Geometry,
        transform: DAffine3,
    ) -> Result<(), PoseError> {
        let Some(layers) = scene.get(key).map(hitscan::EntityRef::layers) else { return Ok(()) };
        scene.insert(key.clone(), geometry, transform).map_err(|cause| self.misplaced(binding, cause))?;
        scene.set_layers(key, layers);
        Ok(())
    }

    fn refused(&self, binding: &Binding, cause: MeshError) -> PoseError {
        PoseError::Mesh { node: self.rig.tree.item(binding.node), cause }
    }

    fn misplaced(&self, binding: &Binding, cause: SceneError) -> PoseError {
        PoseError::Scene { node: self.rig.tree.item(binding.node), cause }
    }
}

impl Deformed {
    fn settle(&mut self, body: &Body, to_world: &[DAffine3]) {
        self.joints.clear();
        if let Some(skin) = &body.skin {
            let seen = rig::mirror(&to_world[body.node]);
            self.joints.extend(skin.matrices(to_world, body.origin).map(|matrix| seen * matrix));
        }
        let joints = body.skin.as_ref().map(|_| &self.joints[..]);
        body.deformer.deform(&DeformerWeights { targets: &self.weights, joints }, &mut self.surface);
    }
}

/// Returns the transform of an entity; `None` if it is singular.
fn placed(binding: &Binding, to_world: &[DAffine3]) -> Option<DAffine3> {
    let transform = binding.place.transform(&to_world[binding.node]);
    Transform::from(transform).validate().is_ok().then_some(transform)
}

/// Returns the geometry of an entity that cannot be hit.
pub(crate) fn nothing() -> Geometry {
    Compound::new([]).map_or_else(|error| unreachable!("no part is wrong: {error}"), Geometry::Compound)
}

fn is_nothing(geometry: &Geometry) -> bool {
    matches!(geometry, Geometry::Compound(compound) if compound.is_empty())
}
