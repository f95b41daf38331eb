//! The world: entities under the user's keys, and a tree over them that is always up to date.

mod bulk;
mod entity;
mod geometry;
mod slab;

pub use bulk::BulkError;
pub use entity::Entity;
pub use geometry::{Compound, Geometry};

pub(crate) use geometry::PartGeometry;

use crate::aabb::{Aabb, Extent};
use crate::bvh::{DynamicBvh, TreeStats};
use crate::error::{SceneError, TransformError};
use crate::transform::{Placement, Transform};
use alloc::vec::Vec;
use core::hash::Hash;
use core::sync::atomic::{AtomicUsize, Ordering};
use glam::DAffine3;
use hashbrown::HashMap;
use slab::Slab;

/// Entities, each a shape, mesh or compound under a key of your own type, placed by an affine transform.
///
/// Queries take `&self` and see every change made before: there is nothing to update or commit. World units are
/// whatever the transforms say. Of hits with equal t the entity inserted first wins, then the lower part, then the
/// lower triangle.
///
/// ```
/// use hitscan::{Ray, Scene, Sphere, glam::DVec3};
///
/// let mut scene = Scene::new();
/// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
/// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
/// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
/// assert_eq!(scene.cast(&ray).unwrap().id, "near");
/// scene.set_transform(&"near", DVec3::new(3.0, 0.0, 0.0))?;
/// assert_eq!(scene.cast(&ray).unwrap().id, "far");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene<K> {
    entities: Slab<Record<K>>,
    places: HashMap<K, u32>,
    parts: Slab<Part>,
    /// Over the parts with finite boxes.
    tree: DynamicBvh,
    /// Parts without finite bounds (planes), or with too inexact a placement, tested by every query.
    loose: Vec<u32>,
    next_order: u64,
    /// The largest slack of a placement that has been in the tree since it was built.
    slack: f64,
}

/// Parts whose placement has a larger slack than this (a scale of a hundred millionth beside one of 1) are in no tree,
/// and do not widen the boxes of all others.
const TREE_SLACK: f64 = 1e-6;

/// An entity and where its parts are.
#[derive(Clone, Debug)]
struct Record<K> {
    key: K,
    order: u64,
    /// Changes whenever the entity is put anywhere.
    revision: Revision,
    entity: Entity,
    parts: Vec<u32>,
}

/// A state of an entity, different for every entity of every scene and for every place that it was put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision(usize);

impl Revision {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A part of an entity, placed in the world: what the tree's items are.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    entity: u32,
    pub(crate) index: u32,
    pub(crate) geometry: PartGeometry,
    pub(crate) placement: Placement,
}

/// A part with the facts about its entity that queries need.
pub(crate) struct PartView<'a, K> {
    pub(crate) key: K,
    pub(crate) order: u64,
    pub(crate) revision: Revision,
    pub(crate) layers: u32,
    pub(crate) part: &'a Part,
}

impl<K> Default for Scene<K> {
    fn default() -> Self {
        Self {
            entities: Slab::new(),
            places: HashMap::new(),
            parts: Slab::new(),
            tree: DynamicBvh::default(),
            loose: Vec::new(),
            next_order: 0,
            slack: 0.0,
        }
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many entities.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no entity.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Puts an entity into the world. A present key's entity is replaced and returned; the new one keeps its place in
    /// the order, but not its layers.
    ///
    /// # Errors
    /// A shape or transform that cannot be used; the scene is unchanged then.
    pub fn insert(
        &mut self,
        key: K,
        geometry: impl Into<Geometry>,
        transform: impl Into<Transform>,
    ) -> Result<Option<Entity>, SceneError> {
        let prepared = Prepared::new(geometry.into(), transform.into())?;
        let (old, parts) = self.place(key, prepared);
        parts.into_iter().for_each(|part| self.link(part));
        Ok(old)
    }

    /// Takes an entity out of the world and returns it; `None` for an absent key.
    pub fn remove(&mut self, key: &K) -> Option<Entity> {
        let place = self.places.remove(key)?;
        let record = self.entities.remove(place)?;
        self.unlink_all(&record.parts);
        Some(record.entity)
    }

    /// Moves an entity. Returns its former transform, or `None` for an absent key.
    ///
    /// # Errors
    /// A transform that cannot be used; the scene is unchanged then.
    pub fn set_transform(
        &mut self,
        key: &K,
        transform: impl Into<Transform>,
    ) -> Result<Option<DAffine3>, TransformError> {
        let Some(&place) = self.places.get(key) else { return Ok(None) };
        let moved = self.prepare_move(place, transform.into())?;
        let (old, parts) = self.apply_move(moved);
        parts.into_iter().for_each(|part| self.link(part));
        Ok(old)
    }

    /// Puts an entity on other layers (a bit each), and returns the former ones; `None` for an absent key.
    pub fn set_layers(&mut self, key: &K, layers: u32) -> Option<u32> {
        let record = self.entities.get_mut(*self.places.get(key)?)?;
        Some(core::mem::replace(&mut record.entity.layers, layers))
    }

    /// An entity as it was given; `None` for an absent key.
    pub fn get(&self, key: &K) -> Option<&Entity> {
        Some(&self.record(key)?.entity)
    }

    /// Whether there is an entity under this key.
    pub fn contains(&self, key: &K) -> bool {
        self.places.contains_key(key)
    }

    /// All entities, each once; scenes with the same history give the same order.
    pub fn iter(&self) -> impl Iterator<Item = (K, &Entity)> {
        self.entities.iter().map(|(_, record)| (record.key, &record.entity))
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// A box around everything with finite bounds, in world space; [`Aabb::EMPTY`] if there is nothing.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// A box around one entity, in world space, infinite for a plane; `None` for an absent key.
    pub fn bounds_of(&self, key: &K) -> Option<Aabb> {
        let parts = self.record(key)?.parts.iter().filter_map(|&part| self.parts.get(part));
        Some(parts.fold(Aabb::EMPTY, |bounds, part| bounds.union(&part.world_bounds())))
    }

    /// Figures of the tree over the entities; a mesh has its own.
    pub fn tree_stats(&self) -> TreeStats {
        self.tree.stats()
    }

    pub(crate) fn tree(&self) -> &DynamicBvh {
        &self.tree
    }

    /// How inexact the placements in the tree are at most.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// The parts that are not in the tree.
    pub(crate) fn loose(&self) -> &[u32] {
        &self.loose
    }

    pub(crate) fn part(&self, part: u32) -> Option<PartView<'_, K>> {
        let part = self.parts.get(part)?;
        let record = self.entities.get(part.entity)?;
        let Record { key, order, revision, ref entity, .. } = *record;
        Some(PartView { key, order, revision, layers: entity.layers, part })
    }

    /// A part of the entity under a key, by its index.
    pub(crate) fn part_of(&self, key: &K, index: u32) -> Option<&Part> {
        self.parts.get(*self.record(key)?.parts.get(index as usize)?)
    }

    fn record(&self, key: &K) -> Option<&Record<K>> {
        self.entities.get(*self.places.get(key)?)
    }

    /// Stores an entity and its parts, which are yet to be linked.
    fn place(&mut self, key: K, prepared: Prepared) -> (Option<Entity>, Vec<u32>) {
        let old = self.places.get(&key).copied().and_then(|place| self.entities.remove(place));
        if let Some(old) = &old {
            self.unlink_all(&old.parts);
        }
        let order = old.as_ref().map_or(self.next_order, |old| old.order);
        self.next_order = self.next_order.max(order + 1);
        let mut entity = prepared.entity;
        entity.layers = old.as_ref().map_or(entity.layers, |old| old.entity.layers);
        let record = Record { key, order, revision: Revision::new(), entity, parts: Vec::new() };
        let place = self.entities.insert(record);
        self.places.insert(key, place);
        let numbered = (0..).zip(prepared.parts);
        let parts: Vec<u32> = numbered
            .map(|(index, (geometry, placement))| self.parts.insert(Part { entity: place, index, geometry, placement }))
            .collect();
        if let Some(record) = self.entities.get_mut(place) {
            record.parts.clone_from(&parts);
        }
        (old.map(|old| old.entity), parts)
    }

    /// The new placements of an entity's parts.
    fn prepare_move(&self, place: u32, transform: Transform) -> Result<Move, TransformError> {
        let world = Placement::new(transform)?;
        let geometry = self.entities.get(place).map(|record| &record.entity.geometry);
        let placements = geometry.map_or(Ok(Vec::new()), |geometry| geometry.placements(&world))?;
        Ok(Move { place, transform: world.to_world, placements })
    }

    /// Moves an entity's parts, which are yet to be linked.
    fn apply_move(&mut self, moved: Move) -> (Option<DAffine3>, Vec<u32>) {
        let Some(record) = self.entities.get_mut(moved.place) else { return (None, Vec::new()) };
        let old = core::mem::replace(&mut record.entity.transform, moved.transform);
        record.revision = Revision::new();
        let parts = record.parts.clone();
        for (&part, placement) in parts.iter().zip(moved.placements) {
            if let Some(part) = self.parts.get_mut(part) {
                part.placement = placement;
            }
        }
        (Some(old), parts)
    }

    /// Puts a part where its box says: into the tree or among the unbounded ones.
    fn link(&mut self, part: u32) {
        let Some(placed) = self.parts.get(part) else { return };
        let (room, slack) = (placed.room(), placed.placement.slack());
        if let Room::Box(extent) = room
            && self.tree.contains(part)
        {
            self.slack = self.slack.max(slack);
            return self.tree.set(part, &extent);
        }
        self.unlink(part);
        match room {
            Room::Nothing => {}
            Room::Everywhere => self.loose.push(part),
            Room::Box(extent) => {
                self.slack = self.slack.max(slack);
                self.tree.set(part, &extent);
            }
        }
    }

    fn unlink(&mut self, part: u32) {
        if !self.tree.remove(part) {
            self.loose.retain(|&other| other != part);
        }
    }

    fn unlink_all(&mut self, parts: &[u32]) {
        for &part in parts {
            self.unlink(part);
            self.parts.remove(part);
        }
    }
}

/// A checked entity, before it goes into the scene.
struct Prepared {
    entity: Entity,
    parts: Vec<(PartGeometry, Placement)>,
}

impl Prepared {
    fn new(geometry: Geometry, transform: Transform) -> Result<Self, SceneError> {
        let world = Placement::new(transform)?;
        let mut parts = geometry.parts();
        for (part, placement) in &mut parts {
            if let PartGeometry::Shape(shape) = part {
                shape.validate()?;
            }
            *placement = world.compose(placement)?;
        }
        let entity = Entity { geometry, transform: world.to_world, layers: Entity::DEFAULT_LAYERS };
        Ok(Self { entity, parts })
    }
}

/// A checked move.
struct Move {
    place: u32,
    transform: DAffine3,
    placements: Vec<Placement>,
}

/// How much of the world a part may touch.
enum Room {
    Nothing,
    Box(Extent),
    Everywhere,
}

impl Part {
    fn world_bounds(&self) -> Aabb {
        self.geometry.bounds().transformed(&self.placement.to_world, self.placement.slack())
    }

    fn room(&self) -> Room {
        let (bounds, slack) = (self.geometry.bounds(), self.placement.slack());
        let extent = bounds.image(&self.placement.to_world, slack);
        if bounds.is_empty() {
            Room::Nothing
        } else if DynamicBvh::takes(&extent) && slack <= TREE_SLACK {
            Room::Box(extent)
        } else {
            Room::Everywhere
        }
    }
}
