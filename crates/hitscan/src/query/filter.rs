//! Which entities and surfaces count.

use crate::filter::Cull;
use crate::hit::Side;
use crate::scene::PartGeometry;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use glam::Vec2;

/// Chooses which entities and surfaces count for a question to a [`Scene`](crate::Scene). The default lets everything count.
///
/// A filter is a value: it can be stored in a weapon or a tool, cloned, and passed on. [`Scene::with`](crate::Scene::with) asks with it. It borrows what its
/// closures borrow: `Filter<'static, K>` borrows nothing. Its closures may be called from several threads, so they cannot borrow a `Cell` or an `Rc`; let them
/// borrow the part of your data that they need.
///
/// A view borrows the filter, so that in `let view = scene.with(&filter)` the filter needs a name of its own.
///
/// ```
/// use hitscan::{Filter, Hit, Ray, RayQueries, Scene, Sphere, glam::DVec3};
///
/// struct Weapon {
///     hits: Filter<'static, &'static str>,
/// }
///
/// fn shoot(scene: &Scene<&'static str>, weapon: &Weapon, ray: &Ray) -> Option<Hit<&'static str>> {
///     scene.with(&weapon.hits).cast(ray)
/// }
///
/// let mut scene = Scene::new();
/// scene.insert("player", Sphere::new(1.0), DVec3::new(0.0, 0.0, -3.0))?;
/// scene.insert("glass", Sphere::new(1.0), DVec3::new(0.0, 0.0, -6.0))?;
/// scene.insert("enemy", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
/// let rifle = Weapon { hits: Filter::new().exclude("player").entities(|id| id != "glass") };
/// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
/// assert_eq!(shoot(&scene, &rifle, &ray).unwrap().id, "enemy");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Filter<'a, K> {
    pub(super) layers: u32,
    pub(super) cull: Cull,
    excluded: Excluded<K>,
    entities: Option<EntityChoice<'a, K>>,
    hits: Option<HitChoice<'a, K>>,
}

type EntityChoice<'a, K> = Arc<dyn Fn(K) -> bool + Send + Sync + 'a>;
type HitChoice<'a, K> = Arc<dyn Fn(&Candidate<'_, K>) -> bool + Send + Sync + 'a>;

/// A hit before it counts, as [`Filter::hits`] sees it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Candidate<'a, K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// In multiples of the ray's direction, or of the volume's motion.
    pub t: f32,
    /// The side that the ray met, or the volume.
    pub side: Side,
    /// Which triangle of a mesh or a height field.
    pub triangle: Option<u32>,
    /// As in [`Hit::feature`](crate::Hit::feature).
    pub feature: Option<u32>,
    /// As in [`Hit::uv`](crate::Hit::uv).
    pub uv: Option<Vec2>,
    pub(super) geometry: &'a PartGeometry,
}

impl<K> Candidate<'_, K> {
    /// The texture coordinates here, for a mesh that has them.
    pub fn texcoord(&self) -> Option<Vec2> {
        self.geometry.mesh()?.texcoord_at(self.triangle?, self.uv?)
    }
}

impl<K> Default for Filter<'_, K> {
    fn default() -> Self {
        Self { layers: u32::MAX, cull: Cull::None, excluded: Excluded::default(), entities: None, hits: None }
    }
}

impl<'a, K> Filter<'a, K> {
    /// Lets everything count.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only entities that are on one of these layers (a bit each) count.
    #[doc(alias("mask", "layer_mask", "collision_mask", "collision_groups"))]
    #[must_use]
    pub fn layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Rays and volumes pass through one side of every surface: with [`Cull::Front`] only the ways out of solids are left. For what does not move it is the side
    /// that the volume's middle, or the point, is on.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        Self { cull, ..self }
    }

    /// This entity does not count. It may be called several times.
    #[doc(alias("ignore"))]
    #[must_use]
    pub fn exclude(mut self, key: K) -> Self {
        self.excluded.add(key);
        self
    }

    /// Only entities for which this holds count. Several such choices must all hold.
    ///
    /// It is called at most once for each part of an entity whose box the ray touches, before anything of the part is looked at, in no
    /// particular order, and only for entities that are on one of the layers and not excluded. So it is far cheaper than
    /// [`hits`](Self::hits), which is called for each hit.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..8 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0 * f64::from(id)))?;
    /// }
    /// let alive = [false, false, false, true, true, false, true, true];
    /// let filter = Filter::new().entities(|id: i32| alive[id as usize]);
    /// let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.with(&filter).cast(&ray).map(|hit| hit.id), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("predicate"))]
    #[must_use]
    pub fn entities(self, choice: impl Fn(K) -> bool + Send + Sync + 'a) -> Self
    where
        K: Copy + 'a,
    {
        let entities: EntityChoice<'a, K> = match self.entities {
            None => Arc::new(choice),
            Some(earlier) => Arc::new(move |key| earlier(key) && choice(key)),
        };
        Self { entities: Some(entities), ..self }
    }

    /// Only hits for which this holds count, such as those on the opaque part of a texture. Several such choices must all hold.
    ///
    /// It is called only for hits that would count otherwise, in no particular order, perhaps for some behind the final
    /// one.
    #[doc(alias("predicate"))]
    #[must_use]
    pub fn hits(self, choice: impl Fn(&Candidate<'_, K>) -> bool + Send + Sync + 'a) -> Self
    where
        K: 'a,
    {
        let hits: HitChoice<'a, K> = match self.hits {
            None => Arc::new(choice),
            Some(earlier) => Arc::new(move |candidate| earlier(candidate) && choice(candidate)),
        };
        Self { hits: Some(hits), ..self }
    }

    /// Whether more than layers and sides decides what counts.
    pub(super) fn is_choosy(&self) -> bool {
        self.chooses_entities() || self.hits.is_some()
    }

    /// Whether more than layers decides which entities count.
    pub(super) fn chooses_entities(&self) -> bool {
        self.entities.is_some() || !self.excluded.is_empty()
    }

    pub(super) fn chooses_hits(&self) -> bool {
        self.hits.is_some()
    }

    pub(super) fn excludes(&self, key: &K) -> bool
    where
        K: Eq,
    {
        self.excluded.contains(key)
    }

    /// Whether an entity counts, as far as layers do not decide that.
    pub(super) fn takes_entity(&self, key: K) -> bool
    where
        K: Eq,
    {
        !self.excluded.contains(&key) && self.entities.as_ref().is_none_or(|choice| choice(key))
    }

    pub(super) fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool {
        self.hits.as_ref().is_none_or(|choice| choice(candidate))
    }
}

impl<K: fmt::Debug> fmt::Debug for Filter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("layers", &self.layers)
            .field("cull", &self.cull)
            .field("excluded", &self.excluded)
            .field("chooses_entities", &self.entities.is_some())
            .field("chooses_hits", &self.hits.is_some())
            .finish()
    }
}

/// Excluded keys: the usual few without allocation.
#[derive(Clone, Debug)]
struct Excluded<K> {
    few: [Option<K>; 4],
    more: Vec<K>,
}

impl<K> Default for Excluded<K> {
    fn default() -> Self {
        Self { few: [const { None }; 4], more: Vec::new() }
    }
}

impl<K> Excluded<K> {
    fn add(&mut self, key: K) {
        match self.few.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(key),
            None => self.more.push(key),
        }
    }

    fn is_empty(&self) -> bool {
        self.few[0].is_none()
    }

    fn contains(&self, key: &K) -> bool
    where
        K: Eq,
    {
        self.few.iter().flatten().any(|other| other == key) || self.more.contains(key)
    }
}
