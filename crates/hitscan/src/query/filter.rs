//! The choice of the accepted entities and surfaces.

use crate::geom::culling::Cull;
use crate::geom::hit::Side;
use crate::scene::PartGeometry;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use glam::Vec2;

/// Chooses which entities and surfaces of a [`Scene`](crate::Scene) count in a query. The default accepts everything.
///
/// A filter removes entities and surfaces from the query. Rays do not hit them, and they hide nothing. To find the
/// first enemy that is not behind a wall, accept walls too, and check whether the hit is an enemy. Do not use a
/// filter that accepts only enemies. Selections, cursors and blasts take a second filter, which chooses the
/// occluders: [`View::hidden_by`](crate::View::hidden_by).
///
/// ```
/// use hitscan::{Filter, Ray, RayQueries, Scene, Sphere, glam::DVec3};
///
/// let mut scene = Scene::new();
/// scene.insert("wall", Sphere::new(1.0), DVec3::new(0.0, 0.0, -3.0))?;
/// scene.insert("enemy", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
/// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
/// let is_enemy = |id: &'static str| id == "enemy";
/// let through_walls = Filter::new().entities(is_enemy);
/// assert_eq!(scene.with(&through_walls).cast(&ray).map(|hit| hit.id), Some("enemy"));
/// assert_eq!(scene.cast(&ray).filter(|hit| is_enemy(hit.id)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A filter is a value. Store it in a weapon or a tool, clone it, pass it on, and use it with
/// [`Scene::with`](crate::Scene::with). It borrows what its closures borrow; `Filter<'static, K>` borrows nothing. The
/// closures may be called from several threads, so they cannot borrow a `Cell` or an `Rc`.
///
/// A view borrows its filter, so `let view = scene.with(&filter)` needs the filter in a variable of its own.
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
    /// The only accepted entity, if one is set.
    only: Option<K>,
    entities: Option<EntityChoice<'a, K>>,
    hits: Option<HitChoice<'a, K>>,
}

type EntityChoice<'a, K> = Arc<dyn Fn(K) -> bool + Send + Sync + 'a>;
type HitChoice<'a, K> = Arc<dyn Fn(&Candidate<'_, K>) -> bool + Send + Sync + 'a>;

/// A possible hit, as [`Filter::hits`] sees it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Candidate<'a, K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The t of a ray's hit, in multiples of the ray's direction. For a moving volume it is the fraction of the
    /// motion, for a closest point the distance, and for an overlap 0.
    pub t: f32,
    /// The side that was hit.
    pub side: Side,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The feature, as in [`Hit::feature`](crate::Hit::feature).
    pub feature: Option<u32>,
    /// The place on the surface, as in [`Hit::uv`](crate::Hit::uv).
    pub uv: Option<Vec2>,
    pub(super) geometry: &'a PartGeometry,
}

/// The values of a [`Candidate`] that do not follow from its part.
#[derive(Clone, Copy)]
pub(super) struct CandidateHit {
    pub(super) t: f32,
    pub(super) side: Side,
    pub(super) triangle: Option<u32>,
    pub(super) feature: Option<u32>,
    pub(super) uv: Option<Vec2>,
}

impl<K> Candidate<'_, K> {
    /// Returns the texture coordinates at the hit; `None` unless it is on a mesh with texture coordinates.
    pub fn texcoord(&self) -> Option<Vec2> {
        self.geometry.mesh()?.texcoord_at(self.triangle?, self.uv?)
    }
}

impl<K> Default for Filter<'_, K> {
    fn default() -> Self {
        Self {
            layers: u32::MAX,
            cull: Cull::None,
            excluded: Excluded::default(),
            only: None,
            entities: None,
            hits: None,
        }
    }
}

impl<'a, K> Filter<'a, K> {
    /// Creates a filter that accepts everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Accepts only entities that are on at least one of these layers. Each bit is a layer.
    #[doc(alias("mask", "layer_mask", "collision_mask", "collision_groups"))]
    #[must_use]
    pub fn layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Ignores one side of every surface: with [`Cull::Back`] a ray passes through the backs of triangles and the exits of solids.
    ///
    /// A volume touches a solid on its front, and a flat surface on the side of the volume's centre. A point that is
    /// inside a solid is on the back of its surface.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        Self { cull, ..self }
    }

    /// Excludes an entity. Several calls exclude several entities. A key that is not in the scene excludes nothing.
    #[doc(alias("ignore"))]
    #[must_use]
    pub fn exclude(mut self, key: K) -> Self {
        self.excluded.add(key);
        self
    }

    /// Accepts only one entity.
    pub(super) fn only(self, key: K) -> Self {
        Self { only: Some(key), ..self }
    }

    /// Lets an entity count only if `choice` returns true for it. With several choices, all of them must return true.
    ///
    /// `choice` is called for entities that are on one of the layers and not excluded, in no particular order. It is called at most once for each part whose
    /// box the query touches. So it costs far less than the closure of [`hits`](Self::hits), which is called for each possible hit. Each call gets a clone of
    /// the key, which is a copy where keys are `Copy`.
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
        K: Clone + 'a,
    {
        let entities: EntityChoice<'a, K> = match self.entities {
            None => Arc::new(choice),
            Some(earlier) => Arc::new(move |key: K| earlier(key.clone()) && choice(key)),
        };
        Self { entities: Some(entities), ..self }
    }

    /// Accepts a hit only if `choice` returns true for it, such as a hit on the opaque part of a texture. With several
    /// choices, all of them must return true.
    ///
    /// `choice` is called for hits that would count otherwise, in no particular order. Some of these hits may be behind the
    /// hit that the query returns. Each call gets a clone of the key.
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

    /// Returns whether the filter decides by more than layers and sides.
    pub(super) fn is_choosy(&self) -> bool {
        self.chooses_entities() || self.hits.is_some()
    }

    /// Returns whether the filter chooses entities by more than layers.
    pub(super) fn chooses_entities(&self) -> bool {
        self.entities.is_some() || !self.excluded.is_empty() || self.only.is_some()
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

    /// Returns whether an entity is accepted, apart from its layers.
    pub(super) fn takes_entity(&self, key: &K) -> bool
    where
        K: Clone + Eq,
    {
        !self.excluded.contains(key)
            && self.only.as_ref().is_none_or(|only| only == key)
            && self.entities.as_ref().is_none_or(|choice| choice(key.clone()))
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

/// Excluded keys. A few keys need no allocation.
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
