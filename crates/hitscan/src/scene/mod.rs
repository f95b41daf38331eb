//! The world: entities under the user's keys, and a tree over them that is always up to date.

mod bulk;
mod deform;
mod entity;
mod geometry;
mod keys;
mod part_tree;
mod save;
mod slot_map;
mod transform_update;

pub use entity::{Entity, EntityRef};
pub use geometry::{Compound, Geometry};
pub(crate) use part_tree::PartTree;

use geometry::Deformable;
pub(crate) use geometry::PartGeometry;

use crate::bvh::{DynamicBvh, TreeStats};
use crate::error::{SceneError, TransformError};
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::affine::ColumnAffine;
use crate::geom::transform::{Placement, Transform, world_normal};
use crate::simd::prefetch;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hash;
use core::mem::offset_of;
use core::ops::Deref;
use core::sync::atomic::{AtomicUsize, Ordering};
use glam::{DAffine3, DVec3};
use keys::Keys;
use slot_map::{Numbered, SlotMap};
use transform_update::{CheckedMove, EntityBefore, RequestedMove, TouchableExtent};

/// A set of entities, each a shape, mesh, height field, hull or compound under a key of your own type, placed by an
/// affine transform. A key is `Clone + Eq + Hash`: an entity of your ECS, an integer, an enum, an `Arc<str>`. Hits are
/// `Copy` if keys are. Otherwise a query clones a key for each answer that names it, and
/// [`overlap_pairs`](Self::overlap_pairs) also clones a key for each part of the scene. The clone of a `String`
/// allocates, but the clone of an `Arc<str>` does not.
///
/// Queries take `&self` and see every earlier change: there is nothing to update or commit. The transforms define
/// the world units. Among hits with equal t, the entity inserted first wins, then the lower part, then the lower
/// triangle.
///
/// ```
/// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
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
///
/// # Snapshots
///
/// A clone shares all memory with the scene. When the clone or the scene is changed, only the pages that change are copied. So threads can query one version
/// while the next is made. Cloning takes some microseconds for each thousand entities, counted when the scene had the most entities.
///
/// ```
/// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
///
/// let mut scene = Scene::new();
/// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
/// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
/// let frame = scene.clone();
/// std::thread::scope(|threads| {
///     let asked = threads.spawn(|| frame.cast(&ray).map(|hit| hit.t));
///     scene.set_transform(&"ball", DVec3::new(0.0, 0.0, -9.0))?;
///     assert_eq!(asked.join().unwrap(), Some(4.0));
///     Ok::<(), hitscan::error::TransformError>(())
/// })?;
/// assert_eq!(scene.cast(&ray).map(|hit| hit.t), Some(8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("world", "physics_space", "collision_world", "broad_phase", "QueryPipeline"))]
#[derive(Clone, Debug)]
pub struct Scene<K> {
    entities: SlotMap<Record<K>>,
    places: Keys<K>,
    parts: SlotMap<Part>,
    /// The tree over the parts with finite boxes.
    tree: DynamicBvh,
    /// The parts without finite bounds (planes), and the parts whose placement is too inexact. Every query tests them.
    unbounded: Vec<u32>,
    next_order: u64,
    /// The largest slack (relative inaccuracy) of any placement that was in the tree since the tree was built.
    slack: f64,
}

/// Parts whose placement has a larger slack than this are not in the tree. In the tree, they would widen the boxes of
/// all other parts. A scale of a hundred millionth on one axis and of 1 on another has this slack.
const TREE_SLACK: f64 = 1e-6;

/// An entity. Its transform is stored in its only part, or in the [`Assembly`] of a compound. The fields that a move needs come first, in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Record<K> {
    parts: PartNumbers,
    /// The revision changes whenever the entity is placed or deformed.
    revision: Revision,
    order: u64,
    layers: u32,
    key: K,
    geometry: Geometry,
}

/// The number of bytes of a record that a move needs.
const MOVED_OF_RECORD: usize = 64;

/// Identifies a state of an entity. An entity of any scene gets a new revision when it is inserted, moved or deformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision(usize);

impl Revision {
    fn new() -> Self {
        Self(Self::take(1))
    }

    /// Makes this many different revisions. They are made at once, because every increment is an atomic operation on
    /// memory that all threads share.
    fn several(count: usize) -> impl Iterator<Item = Self> {
        let first = Self::take(count);
        (0..count).map(move |index| Self(first.wrapping_add(index)))
    }

    fn take(count: usize) -> usize {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        NEXT.fetch_add(count, Ordering::Relaxed)
    }
}

/// The numbers of an entity's parts.
#[derive(Clone, Debug)]
enum PartNumbers {
    /// The only part of an entity that is not a compound: it has the entity's placement.
    One([u32; 1]),
    Several(Box<Assembly>),
}

/// The parts of a compound. Each part is placed by its own transform and then by the entity's.
#[derive(Clone, Debug)]
struct Assembly {
    to_world: DAffine3,
    numbers: Vec<u32>,
}

impl PartNumbers {
    fn new(entity: &Entity, numbers: Vec<u32>) -> Self {
        match (&entity.geometry, &numbers[..]) {
            (Geometry::Compound(_), _) | (_, [] | [_, _, ..]) => {
                Self::Several(Box::new(Assembly { to_world: entity.transform, numbers }))
            }
            (_, &[only]) => Self::One([only]),
        }
    }
}

impl Deref for PartNumbers {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Self::One(only) => only,
            Self::Several(assembly) => &assembly.numbers,
        }
    }
}

/// A part of an entity, placed in the world: an item of the tree. The fields that every visit of a ray needs come first, in two cache lines. In a large scene,
/// most of the time of a visit is spent waiting for these. Fields that only a move changes come last.
#[derive(Clone, Debug)]
#[repr(C, align(128))]
pub(crate) struct Part {
    pub(crate) to_local: ColumnAffine,
    /// Insertion order of the entity.
    pub(crate) order: u64,
    /// Layers of the entity.
    pub(crate) layers: u32,
    entity: u32,
    pub(crate) geometry: PartGeometry,
    pub(crate) index: u32,
    pub(crate) to_world: DAffine3,
    pub(crate) slack: f64,
}

/// The position of a part in its scene. It is the number of its entity, and its index in the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartPlace {
    entity: u32,
    index: u32,
}

impl PartPlace {
    /// Returns a number with the same order as the positions.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.entity) << 32 | u64::from(self.index)
    }

    pub(crate) fn of_number(number: u64) -> Self {
        Self { entity: (number >> 32) as u32, index: number as u32 }
    }
}

// The last field that a visit reads is the geometry: its tag, and then the address of a mesh.
const _: () = assert!(offset_of!(Part, geometry) + 16 == VISITED_OF_PART);

/// The number of bytes of a part that every visit of a ray needs.
const VISITED_OF_PART: usize = 128;

/// The offset and number of the bytes that a move changes, without the bytes that a visit also reads.
const PLACE_OF_PART: (usize, usize) = (offset_of!(Part, to_world), size_of::<(DAffine3, f64)>());
const _: () = assert!(offset_of!(Part, slack) + size_of::<f64>() == PLACE_OF_PART.0 + PLACE_OF_PART.1);

/// The data of a part's entity that queries need.
pub(crate) struct Owner<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) revision: Revision,
}

impl<K> Default for Scene<K> {
    fn default() -> Self {
        Self {
            entities: SlotMap::new(),
            places: Keys::default(),
            parts: SlotMap::new(),
            tree: DynamicBvh::default(),
            unbounded: Vec::new(),
            next_order: 0,
            slack: 0.0,
        }
    }
}

impl TreeStats {
    /// Returns figures of the tree over the entities of a scene; each mesh has its own tree.
    pub fn of<K>(scene: &Scene<K>) -> Self {
        scene.tree.stats()
    }
}

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Makes an empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of entities.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether there is no entity.
    pub fn is_empty(&self) -> bool {
        self.places.len() == 0
    }

    /// Inserts an entity. If the key is present, its entity is replaced and returned. The new entity keeps the layers of the old one, and its position in the
    /// order of insertion. An entity that is removed and inserted again comes last in that order. So it loses ties that it won before.
    ///
    /// # Errors
    /// Returns an error if a shape cannot be used, or if a transform cannot be used. The transforms are the entity's
    /// own transform and the transform of each part to the world. The scene is unchanged then.
    pub fn insert(
        &mut self,
        key: K,
        geometry: impl Into<Geometry>,
        transform: impl Into<Transform>,
    ) -> Result<Option<Entity>, SceneError> {
        let prepared = PreparedEntity::new(geometry.into(), transform.into())?;
        let (old, parts) = self.place(key, prepared);
        parts.into_iter().for_each(|part| self.link_part(part));
        Ok(old)
    }

    /// Removes an entity and returns it; `None` for an absent key.
    pub fn remove(&mut self, key: &K) -> Option<Entity> {
        let place = self.places.remove(key)?;
        let (_, entity) = self.take(place)?;
        if self.is_empty() {
            // This also frees buffers whose size depends on the largest former number of entities.
            *self = Self { next_order: self.next_order, ..Self::default() };
        }
        Some(entity)
    }

    /// Moves an entity. Returns its former transform, or `None` for an absent key, which changes nothing.
    ///
    /// # Errors
    /// Returns an error if a transform cannot be used: the entity's own transform, or the transform of a part to the world.
    /// The scene is unchanged then.
    pub fn set_transform(
        &mut self,
        key: &K,
        transform: impl Into<Transform>,
    ) -> Result<Option<DAffine3>, TransformError> {
        let Some(place) = self.places.get(key) else { return Ok(None) };
        let Some(record) = self.entities.get(place) else { return Ok(None) };
        let asked =
            RequestedMove { place, transform: &transform.into(), geometry: &record.geometry, numbers: &record.parts };
        let moved = CheckedMove::new(&asked, |number| self.parts.get(number))?;
        let before = self.apply_move(&moved, Revision::new());
        moved.parts().iter().for_each(|part| self.link(part.number, &part.room, part.placement.slack));
        Ok(before.map(|before| before.transform))
    }

    /// Puts an entity on other layers (a bit each), and returns its former layers; `None` for an absent key.
    pub fn set_layers(&mut self, key: &K, layers: u32) -> Option<u32> {
        let record = self.entities.get_mut(self.places.get(key)?)?;
        for &part in &*record.parts {
            if let Some(part) = self.parts.get_mut(part) {
                part.layers = layers;
            }
        }
        Some(core::mem::replace(&mut record.layers, layers))
    }

    /// Returns the geometry, transform and layers of an entity; `None` for an absent key.
    ///
    /// The answer is read-only. [`set_transform`](Self::set_transform), [`set_layers`](Self::set_layers),
    /// [`refit`](Self::refit), [`set_heights`](Self::set_heights) and [`set_normals`](Self::set_normals) change an
    /// entity by its key, and [`insert`](Self::insert) replaces its geometry.
    pub fn get(&self, key: &K) -> Option<EntityRef<'_>> {
        self.entity(self.record(key)?)
    }

    /// Iterates over all entities, each once. Scenes with the same history give the same order.
    pub fn iter(&self) -> impl Iterator<Item = (K, EntityRef<'_>)> {
        self.entities.iter().filter_map(|(_, record)| Some((record.key.clone(), self.entity(record)?)))
    }

    /// Iterates over all keys, in the order of [`iter`](Self::iter).
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.entities.iter().map(|(_, record)| record.key.clone())
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns a box around all entities with finite bounds, in world space; [`Aabb::EMPTY`] if there is none.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// Returns a box around one entity, in world space; infinite for a plane, `None` for an absent key.
    ///
    /// This is the box that queries use; it is as tight as is cheap to compute. For a ball and a capsule it is the smallest box, up to rounding. For a mesh and
    /// a hull it surrounds bounds along 26 directions. This makes the box of a rotated, ball-like mesh at most 13 % too wide. For other geometry it surrounds
    /// the corners of the local bounding box.
    pub fn bounds_of(&self, key: &K) -> Option<Aabb> {
        let parts = self.record(key)?.parts.iter().filter_map(|&part| self.parts.get(part));
        Some(parts.fold(Aabb::EMPTY, |bounds, part| bounds.union(&part.world_bounds())))
    }

    pub(crate) fn tree(&self) -> &DynamicBvh {
        &self.tree
    }

    /// Returns a bound on the relative inaccuracy of the placements in the tree.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// Returns the tree and the parts, for rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn part_tree(&self) -> PartTree<'_> {
        PartTree { tree: &self.tree, parts: &self.parts, slack: self.slack }
    }

    /// Returns the parts that are not in the tree.
    pub(crate) fn unbounded(&self) -> &[u32] {
        &self.unbounded
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn part(&self, part: u32) -> Option<&Part> {
        self.parts.get(part)
    }

    /// Returns all parts with their numbers, and an upper limit of the numbers.
    pub(crate) fn parts(&self) -> (usize, impl Iterator<Item = (u32, &Part)>) {
        (self.parts.places(), self.parts.iter())
    }

    /// Returns the entity of a part.
    pub(crate) fn owner(&self, part: &Part) -> Option<Owner<'_, K>> {
        let Record { key, revision, .. } = self.entities.get(part.entity)?;
        Some(Owner { key, revision: *revision })
    }

    /// Returns the part at a position.
    pub(crate) fn part_at(&self, place: PartPlace) -> Option<&Part> {
        self.parts.get(*self.entities.get(place.entity)?.parts.get(place.index as usize)?)
    }

    /// Returns the key of an entity by its number.
    pub(crate) fn key(&self, entity: u32) -> Option<&K> {
        self.entities.get(entity).map(|record| &record.key)
    }

    /// Returns the numbers of the parts of an entity, in their order.
    pub(crate) fn part_numbers(&self, entity: u32) -> &[u32] {
        self.entities.get(entity).map_or(&[], |record| &record.parts)
    }

    /// Iterates over the parts of the entity that a part belongs to.
    pub(crate) fn siblings(&self, part: &Part) -> impl Iterator<Item = &Part> {
        self.part_numbers(part.entity).iter().filter_map(|&number| self.parts.get(number))
    }

    /// Prefetches the data that the report of a hit on a part needs. In a large scene it is not in the cache.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn prefetch_report(&self, part: &Part) {
        prefetch::<{ size_of::<DAffine3>() }>(core::ptr::from_ref(&part.to_world).cast());
        prefetch::<1>(self.entities.address(part.entity));
    }

    /// Returns a part of the entity under a key, by its index.
    pub(crate) fn part_of(&self, key: &K, index: u32) -> Option<&Part> {
        self.parts.get(*self.record(key)?.parts.get(index as usize)?)
    }

    /// Returns the numbers of the parts of the entity under a key, in their order.
    pub(crate) fn parts_of(&self, key: &K) -> &[u32] {
        self.record(key).map_or(&[], |record| &record.parts)
    }

    fn record(&self, key: &K) -> Option<&Record<K>> {
        self.entities.get(self.places.get(key)?)
    }

    fn entity<'a>(&'a self, record: &'a Record<K>) -> Option<EntityRef<'a>> {
        let transform = match &record.parts {
            PartNumbers::One([only]) => &self.parts.get(*only)?.to_world,
            PartNumbers::Several(assembly) => &assembly.to_world,
        };
        Some(EntityRef { geometry: &record.geometry, transform, layers: record.layers })
    }

    /// Removes an entity with its parts, and returns it with its order.
    fn take(&mut self, place: u32) -> Option<(u64, Entity)> {
        let entity = self.entity(self.entities.get(place)?)?.to_owned();
        let record = self.entities.remove(place)?;
        self.unlink_all(&record.parts);
        Some((record.order, entity))
    }

    /// Stores an entity and its parts, but does not link the parts. Returns the entity that was replaced, and the numbers of the parts.
    fn place(&mut self, key: K, prepared: PreparedEntity) -> (Option<Entity>, Vec<u32>) {
        let old = self.places.get(&key).and_then(|place| self.take(place));
        let order = old.as_ref().map_or(self.next_order, |(order, _)| *order);
        self.next_order = self.next_order.max(order + 1);
        let mut entity = prepared.entity;
        entity.layers = old.as_ref().map_or(entity.layers, |(_, old)| old.layers);
        let layers = entity.layers;
        // This is a placeholder. The parts get their numbers later, because they need the number of the entity first.
        let parts = PartNumbers::One([0]);
        let geometry = entity.geometry.clone();
        let (revision, own) = (Revision::new(), key.clone());
        let place = self.entities.insert(Record { key: own, order, revision, layers, geometry, parts });
        self.places.insert(key, place);
        let numbered = (0..).zip(prepared.parts);
        let parts: Vec<u32> = numbered
            .map(|(index, (geometry, Placement { to_world, to_local, slack }))| {
                let to_local = to_local.into();
                self.parts.insert(Part { to_local, order, layers, entity: place, geometry, index, to_world, slack })
            })
            .collect();
        if let Some(record) = self.entities.get_mut(place) {
            record.parts = PartNumbers::new(&entity, parts.clone());
        }
        (old.map(|(_, old)| old), parts)
    }

    /// Moves an entity and its parts, but does not link the parts. Returns the state of the entity before the move.
    fn apply_move(&mut self, moved: &CheckedMove, revision: Revision) -> Option<EntityBefore> {
        moved.make(self.entities.get_mut(moved.place)?, &mut self.parts, revision)
    }

    /// Links a part: puts it into the tree, or into the list of unbounded parts.
    fn link_part(&mut self, number: u32) {
        if let Some(part) = self.parts.get(number) {
            let (room, slack) = (part.room(), part.slack);
            self.link(number, &room, slack);
        }
    }

    fn link(&mut self, part: u32, room: &TouchableExtent, slack: f64) {
        if let TouchableExtent::Box(extent) = room {
            if !self.tree.contains(part) {
                self.unlink(part);
            }
            self.slack = self.slack.max(slack);
            return self.tree.set(part, extent);
        }
        self.unlink(part);
        if matches!(room, TouchableExtent::Everywhere) {
            self.unbounded.push(part);
        }
    }

    fn unlink(&mut self, part: u32) {
        if !self.tree.remove(part) {
            self.unbounded.retain(|&other| other != part);
        }
    }

    fn unlink_all(&mut self, parts: &[u32]) {
        for &part in parts {
            self.unlink(part);
            self.parts.remove(part);
        }
    }
}

/// A checked entity, before it is added to the scene.
struct PreparedEntity {
    entity: Entity,
    parts: Vec<(PartGeometry, Placement)>,
}

impl PreparedEntity {
    fn new(geometry: Geometry, transform: Transform) -> Result<Self, SceneError> {
        let world = Placement::new(transform)?;
        let parts = geometry.parts();
        for (part, _) in &parts {
            part.validate()?;
        }
        let parts = parts.into_iter().map(|(part, _)| part).zip(geometry.placements(&world)?).collect();
        let entity = Entity { geometry, transform: world.to_world, layers: Entity::DEFAULT_LAYERS };
        Ok(Self { entity, parts })
    }
}

impl Part {
    /// Returns the order and the number of the part's entity.
    pub(crate) fn place_in_order(&self) -> (u64, u32) {
        (self.order, self.entity)
    }

    pub(crate) fn place_in_scene(&self) -> PartPlace {
        PartPlace { entity: self.entity, index: self.index }
    }

    pub(crate) fn placement(&self) -> Placement {
        Placement { to_world: self.to_world, to_local: self.to_local.affine(), slack: self.slack }
    }

    /// Returns a normal in the world, of any length, from a local one.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn world_normal(&self, local: DVec3) -> DVec3 {
        world_normal(&self.to_local.affine(), local)
    }

    /// Places the part and returns its former transform.
    fn place(&mut self, placement: &Placement) -> DAffine3 {
        let before = self.to_world;
        let Placement { to_world, to_local, slack } = *placement;
        (self.to_world, self.to_local, self.slack) = (to_world, to_local.into(), slack);
        before
    }

    fn world_bounds(&self) -> Aabb {
        self.extent().rounded()
    }

    /// Returns a box around the part in the world.
    pub(crate) fn extent(&self) -> Extent {
        self.geometry.image(&self.geometry.bounds(), &self.to_world, self.slack)
    }

    fn room(&self) -> TouchableExtent {
        TouchableExtent::new(&self.geometry, &self.placement())
    }
}
