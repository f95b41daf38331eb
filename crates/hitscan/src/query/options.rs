//! Which hits count: what a caller can choose for any question to a scene.

use super::filter::{ByRef, Entities, Hits};
use super::{Filter, Hit};
use crate::filter::{Cull, CutOuts, Inside};
use crate::hit::Side;
use crate::scene::{Part, PartGeometry, Scene};
use crate::sweep::Contacts;
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;
use glam::{DVec3, Vec2};

/// Which entities and surfaces a question to a [`Scene`](crate::Scene) meets. The default meets everything, as the
/// plain questions do.
///
/// ```
/// use hitscan::{Cull, Query, Ray, Scene, Sphere, glam::DVec3};
///
/// let mut scene = Scene::new();
/// scene.insert("player", Sphere::new(1.0), DVec3::new(0.0, 0.0, -3.0))?;
/// scene.insert("glass", Sphere::new(1.0), DVec3::new(0.0, 0.0, -6.0))?;
/// scene.insert("enemy", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
/// let shot = Query::new().exclude("player").filter(|candidate| candidate.id != "glass");
/// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
/// assert_eq!(scene.cast_with(&ray, &shot).unwrap().id, "enemy");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Query<K, F = fn(&Candidate<'_, K>) -> bool> {
    pub(super) layers: u32,
    pub(super) cull: Cull,
    pub(super) inside: Inside,
    pub(super) cut_outs: CutOuts,
    pub(super) contacts: Contacts,
    pub(super) excluded: Excluded<K>,
    pub(super) after: Option<Hit<K>>,
    pub(super) origin: DVec3,
    pub(super) filters: Filters,
    pub(super) filter: F,
}

/// Whether there is a filter to be asked for each hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filters {
    None,
    Some,
}

/// A hit before it counts, as a filter sees it.
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
    /// As in [`Hit::feature`].
    pub feature: Option<u32>,
    /// As in [`Hit::uv`].
    pub uv: Option<Vec2>,
    pub(super) geometry: &'a PartGeometry,
}

impl<K> Candidate<'_, K> {
    /// The texture coordinates here, for a mesh that has them.
    pub fn texcoord(&self) -> Option<Vec2> {
        self.geometry.mesh()?.texcoord_at(self.triangle?, self.uv?)
    }
}

impl<K> Default for Query<K> {
    fn default() -> Self {
        Self {
            layers: u32::MAX,
            cull: Cull::None,
            inside: Inside::Exit,
            cut_outs: CutOuts::Open,
            contacts: Contacts::All,
            excluded: Excluded::default(),
            after: None,
            origin: DVec3::ZERO,
            filters: Filters::None,
            filter: |_| true,
        }
    }
}

impl<K> Query<K> {
    /// Everything counts.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<K, F> Query<K, F> {
    /// Only entities that are on one of these layers (a bit each).
    #[doc(alias("mask", "layer_mask", "collision_mask", "collision_groups"))]
    #[must_use]
    pub fn layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Passes through one side of every surface.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    #[must_use]
    pub fn cull(self, cull: Cull) -> Self {
        Self { cull, ..self }
    }

    /// What a ray that starts inside a solid answers.
    #[must_use]
    pub fn inside(self, inside: Inside) -> Self {
        Self { inside, ..self }
    }

    /// Whether the holes of meshes let rays through: they do unless this says otherwise.
    #[must_use]
    pub fn cut_outs(self, cut_outs: CutOuts) -> Self {
        Self { cut_outs, ..self }
    }

    /// Which contacts of a moving volume count: with [`Contacts::Ahead`] not those that its motion leaves or slides along.
    ///
    /// ```
    /// use hitscan::{Contacts, Plane, Query, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
    /// let (ball, on_the_floor) = (Sphere::new(0.5), DVec3::new(0.0, 0.5, 0.0));
    /// assert!(scene.sweep(ball, on_the_floor, Vec3::X).is_some());
    /// let ahead = Query::new().contacts(Contacts::Ahead);
    /// assert!(scene.sweep_with(ball, on_the_floor, Vec3::X, &ahead).is_none());
    /// assert!(scene.sweep_with(ball, on_the_floor, Vec3::new(1.0, -0.1, 0.0), &ahead).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contacts(self, contacts: Contacts) -> Self {
        Self { contacts, ..self }
    }

    /// Only hits after this one, without an epsilon to be chosen.
    ///
    /// Only hits behind that one in the order of t, entity, part, triangle count for the ray that made it.
    ///
    /// A ray that starts at the hit's point, such as [`Hit::bounce`] and [`Hit::onward`], is taken to start at the point
    /// as it was before it was rounded to f32. It leaves every surface that passes through that point, of any entity, and
    /// goes on to what is ahead. Whether a surface there is left or ahead depends on the way alone: it is ahead if the straight line
    /// from just before the point to just after it crosses the surface. So a ricochet on the seam of two tiles meets neither of them
    /// again, and one in a corner meets the wall that it runs into, at t = 0. A ray into a solid meets its far side. On a ray
    /// that goes on through the surface that was hit, each of several surfaces in one place counts once, in the stated
    /// order.
    ///
    /// A surface passes through the point if it is as near as rounding can have moved either of them: see
    /// docs/robustness.md. A [`CustomShape`](crate::CustomShape) does not say where its surface is; only one that was hit is left.
    ///
    /// It is for the motion that goes on; pushing against the surface again with it goes through, as a shot does. A hit
    /// of an entity that has been moved or replaced since, or of another scene, leaves no surface out.
    #[must_use]
    pub fn after<'a>(self, hit: impl Into<Option<&'a Hit<K>>>) -> Self
    where
        K: Copy + 'a,
    {
        Self { after: hit.into().copied(), ..self }
    }

    /// For a large world: the ray's origin, and the points of the hits, are relative to this one.
    ///
    /// Entities are placed in f64, so that with an origin near the camera, clicks stay exact where an f32 point could
    /// no longer tell a millimetre. An origin that is not finite hits nothing.
    #[must_use]
    pub fn relative_to(self, origin: impl Into<DVec3>) -> Self {
        Self { origin: origin.into(), ..self }
    }

    /// Not this entity; may be called several times.
    #[must_use]
    pub fn exclude(mut self, key: K) -> Self {
        self.excluded.add(key);
        self
    }

    /// Only hits for which this holds, such as those on the opaque part of a texture. Several filters must all hold.
    ///
    /// It is called only for hits that would count otherwise, in no particular order, perhaps for some behind the final
    /// one.
    #[doc(alias("predicate"))]
    #[must_use]
    pub fn filter<G>(self, filter: G) -> Query<K, impl Filter<K>>
    where
        F: Filter<K>,
        G: Fn(&Candidate<'_, K>) -> bool,
    {
        Query { filters: Filters::Some, ..self.with_filter(|earlier| Hits(earlier, filter)) }
    }

    /// Only entities for which this holds. Several filters must all hold.
    ///
    /// It is called at most once for each part of an entity whose box the ray touches, before anything of the part is looked at, in no
    /// particular order, and only for entities that are on one of the layers and not excluded. So it is far cheaper than
    /// [`filter`](Self::filter), which is asked for each hit.
    ///
    /// ```
    /// use hitscan::{Query, Ray, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..8 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0 * f64::from(id)))?;
    /// }
    /// let alive = [false, false, false, true, true, false, true, true];
    /// let query = Query::new().filter_entities(|id: i32| alive[id as usize]);
    /// let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.cast_with(&ray, &query).map(|hit| hit.id), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn filter_entities<G>(self, filter: G) -> Query<K, impl Filter<K>>
    where
        K: Copy,
        F: Filter<K>,
        G: Fn(K) -> bool,
    {
        self.with_filter(|earlier| Entities(earlier, filter))
    }

    fn with_filter<G>(self, filter: impl FnOnce(F) -> G) -> Query<K, G> {
        let Self { layers, cull, inside, cut_outs, contacts, excluded, after, origin, filters, filter: earlier } = self;
        Query { layers, cull, inside, cut_outs, contacts, excluded, after, origin, filters, filter: filter(earlier) }
    }
}

impl<K: Copy + Eq + Hash, F: Filter<K>> Query<K, F> {
    /// Whether it is about this part.
    #[inline(always)]
    pub(super) fn meets(&self, scene: &Scene<K>, part: &Part) -> bool {
        part.layers & self.layers != 0 && (!self.chooses() || self.is_chosen(scene, part))
    }

    /// Whether more than layers decides which entities it is about.
    #[inline(always)]
    pub(super) fn chooses(&self) -> bool {
        F::CHOOSES_ENTITIES || !self.excluded.is_empty()
    }

    /// Whether it is, as far as that is not decided by layers.
    #[inline(never)]
    pub(super) fn is_chosen(&self, scene: &Scene<K>, part: &Part) -> bool {
        let takes = |key: K| !self.excluded.contains(&key) && self.filter.takes_entity(key);
        scene.owner(part).is_none_or(|owner| takes(owner.key))
    }
}

impl<K: Copy, F> Query<K, F> {
    /// The same query, borrowing the filter.
    pub(super) fn by_ref(&self) -> Query<K, ByRef<'_, F>> {
        let &Self { layers, cull, inside, cut_outs, contacts, ref excluded, after, origin, filters, ref filter } = self;
        Query {
            layers,
            cull,
            inside,
            cut_outs,
            contacts,
            excluded: excluded.clone(),
            after,
            origin,
            filters,
            filter: ByRef(filter),
        }
    }
}

impl<K: fmt::Debug, F> fmt::Debug for Query<K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("layers", &self.layers)
            .field("cull", &self.cull)
            .field("inside", &self.inside)
            .field("cut_outs", &self.cut_outs)
            .field("contacts", &self.contacts)
            .field("excluded", &self.excluded)
            .field("after", &self.after)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Excluded keys: the usual few without allocation.
#[derive(Clone, Debug)]
pub(super) struct Excluded<K> {
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

    pub(super) fn is_empty(&self) -> bool {
        self.few[0].is_none()
    }

    pub(super) fn contains(&self, key: &K) -> bool
    where
        K: Eq,
    {
        self.few.iter().flatten().any(|other| other == key) || self.more.contains(key)
    }
}
