//! Views of a scene: a scene with the options of a query.

use super::filter::{Candidate, CandidateHit, Filter};
use crate::geom::culling::{Cull, CutOuts, Inside};
use crate::geom::hit::Side;
use crate::query::Hit;
use crate::scene::{Part, Scene};
use crate::sweep::ContactFilter;
use core::hash::Hash;
use glam::{DAffine3, DVec3};

/// A scene seen through a [`Filter`], relative to an origin. It answers the queries of the three traits ([`RayQueries`](crate::RayQueries),
/// [`SweepQueries`](crate::SweepQueries), [`ProximityQueries`](crate::ProximityQueries)) about the entities and surfaces that the filter selects.
///
/// It is made by [`Scene::with`], [`Scene::relative_to`] and [`From`] a scene, and is as small as a few references. A function of yours that takes a
/// `View<'_, K>` can be given a scene or any part of it.
///
/// ```
/// use hitscan::{Filter, Ray, RayQueries, Scene, Sphere, View, glam::DVec3};
///
/// fn is_covered(world: View<'_, u32>, eye: [f32; 3], target: [f32; 3]) -> bool {
///     world.is_blocked(&Ray::between(eye, target))
/// }
///
/// let mut scene = Scene::new();
/// scene.insert(1, Sphere::new(1.0), DVec3::ZERO)?;
/// assert!(is_covered(View::from(&scene), [0.0, 0.0, 5.0], [0.0, 0.0, -5.0]));
/// assert!(!is_covered(scene.with(&Filter::new().exclude(1)), [0.0, 0.0, 5.0], [0.0, 0.0, -5.0]));
/// # Ok::<(), hitscan::error::SceneError>(())
/// ```
#[derive(Debug)]
pub struct View<'a, K> {
    pub(crate) scene: &'a Scene<K>,
    pub(super) layers: u32,
    pub(crate) cull: Cull,
    /// The filter, if it decides by more than layers and sides.
    pub(super) filter: Option<&'a Filter<'a, K>>,
    pub(crate) origin: DVec3,
}

/// A [`View`] with options for rays. It answers the queries of [`RayQueries`](crate::RayQueries). The methods [`when_inside`](crate::RayQueries::when_inside),
/// [`cut_outs`](crate::RayQueries::cut_outs) and [`after`](crate::RayQueries::after) of that trait make it.
///
/// Filter and origin are given before the options: `scene.with(&filter).relative_to(eye).when_inside(Inside::Solid)`. [`From`] converts a view without
/// options.
#[derive(Debug)]
pub struct RayView<'a, K> {
    pub(crate) view: View<'a, K>,
    pub(super) inside: Inside,
    pub(super) cut_outs: CutOuts,
    pub(super) after: Option<&'a Hit<K>>,
}

/// A [`View`] with options for moving volumes. It answers the queries of [`SweepQueries`](crate::SweepQueries). The
/// method [`contact_filter`](crate::SweepQueries::contact_filter) of that trait makes it. [`From`] converts a view
/// without options.
#[derive(Debug)]
pub struct SweepView<'a, K> {
    pub(super) view: View<'a, K>,
    pub(super) contacts: ContactFilter,
    /// The gap, in world units, that the volume keeps to everything.
    pub(super) margin: f64,
}

/// Implements `Clone` and `Copy`. Derived implementations would require `K: Clone` and `K: Copy`, which references do not need.
macro_rules! copied {
    ($($view:ident)*) => {$(
        impl<K> Clone for $view<'_, K> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<K> Copy for $view<'_, K> {}
    )*};
}
copied!(View RayView SweepView);

/// Implements [`From`] for views, given the two types and the expression of each conversion.
macro_rules! into_view {
    ($($(#[$doc:meta])* $given:ident: $from:ty => $view:ty { $into:expr })*) => {$(
        $(#[$doc])*
        impl<'a, K> From<$from> for $view {
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn from($given: $from) -> Self {
                $into
            }
        }
    )*};
}
pub(in crate::query) use into_view;

into_view! {
    /// Makes a view in which everything is accepted.
    scene: &'a Scene<K> => View<'a, K> { View { scene, layers: u32::MAX, cull: Cull::None, filter: None, origin: DVec3::ZERO } }
    scene: &'a Scene<K> => RayView<'a, K> { View::from(scene).for_rays() }
    view: View<'a, K> => RayView<'a, K> { view.for_rays() }
    view: View<'a, K> => SweepView<'a, K> { view.for_sweeps() }
}

impl<K> Scene<K> {
    /// Returns a view of the entities and surfaces that the filter selects.
    ///
    /// ```
    /// use hitscan::{Filter, ProximityQueries, Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("player", Sphere::new(1.0), DVec3::ZERO)?;
    /// scene.insert("enemy", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let others = Filter::new().exclude("player");
    /// let hit = scene.with(&others).cast(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]));
    /// assert_eq!(hit.map(|hit| (hit.id, hit.t)), Some(("enemy", 8.0)));
    /// let nearest = scene.with(&others).closest_point([0.0, 0.0, 0.0]);
    /// assert_eq!(nearest.map(|nearest| (nearest.id, nearest.distance)), Some(("enemy", 8.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with<'a>(&'a self, filter: &'a Filter<'a, K>) -> View<'a, K> {
        View::from(self).with(filter)
    }

    /// Returns a view of the scene relative to an origin, for a large world: rays, volumes and points are relative to it, and so are the answers.
    ///
    /// Entities are placed in f64. With an origin near the camera, picks stay exact where an f32 point could no longer
    /// resolve a millimetre. A view with an origin that is not finite hits nothing.
    pub fn relative_to(&self, origin: impl Into<DVec3>) -> View<'_, K> {
        View::from(self).relative_to(origin)
    }
}

impl<'a, K> View<'a, K> {
    /// Returns a view of the same scene with another filter instead.
    #[must_use]
    pub fn with(self, filter: &'a Filter<'a, K>) -> Self {
        let Filter { layers, cull, .. } = *filter;
        Self { layers, cull, filter: filter.is_choosy().then_some(filter), ..self }
    }

    /// Returns a view of the same scene relative to another origin; see [`Scene::relative_to`].
    #[must_use]
    pub fn relative_to(self, origin: impl Into<DVec3>) -> Self {
        Self { origin: origin.into(), ..self }
    }

    pub(super) fn for_rays(self) -> RayView<'a, K> {
        RayView { view: self, inside: Inside::Exit, cut_outs: CutOuts::Open, after: None }
    }

    pub(super) fn for_sweeps(self) -> SweepView<'a, K> {
        SweepView { view: self, contacts: ContactFilter::All, margin: 0.0 }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn chooses_hits(&self) -> bool {
        self.filter.is_some_and(Filter::chooses_hits)
    }

    /// Returns whether the filter chooses entities by more than layers.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn chooses_entities(&self) -> bool {
        self.filter.is_some_and(Filter::chooses_entities)
    }
}

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Returns whether every hit on a selectable part is accepted. Then nothing is culled, and the filter does not choose hits.
    pub(crate) fn takes_all_sides(&self) -> bool {
        self.cull == Cull::None && !self.chooses_hits()
    }

    /// Returns whether culling and the caller's filter accept a side of a part, or of a triangle of the part, in a query without t.
    pub(crate) fn takes_side(&self, part: &Part, triangle: Option<u32>, side: Side) -> bool {
        self.takes_side_at(part, triangle, side, 0.0)
    }

    /// Returns whether culling and the caller's filter accept a side, given the fraction of a motion or a distance as `t`.
    pub(super) fn takes_side_at(&self, part: &Part, triangle: Option<u32>, side: Side, t: f32) -> bool {
        let hit = CandidateHit { t, side, triangle, feature: None, uv: None };
        self.cull.keeps(side) && (!self.chooses_hits() || self.takes_hit(part, hit))
    }

    /// Returns whether the caller's filter accepts a hit; true without a filter.
    pub(super) fn takes_hit(&self, part: &Part, hit: CandidateHit) -> bool {
        let Some(filter) = self.filter else { return true };
        let Some(owner) = self.scene.owner(part) else { return false };
        let CandidateHit { t, side, triangle, feature, uv } = hit;
        let (id, part, geometry) = (owner.key.clone(), part.index, &part.geometry);
        filter.takes_hit(&Candidate { id, part, t, side, triangle, feature, uv, geometry })
    }
}

impl<K> SweepView<'_, K> {
    /// Returns a view in which volumes are enlarged by a margin on all sides. So they stop at that distance from everything.
    pub(crate) fn margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }
}

impl<'a, K: Clone + Eq + Hash> View<'a, K> {
    /// Returns the transform of an entity of the scene.
    pub(crate) fn entity_transform(&self, key: &K) -> Option<DAffine3> {
        self.scene.get(key).map(|entity| entity.transform())
    }

    /// Returns a box around an entity in the world, which is infinite for a plane.
    pub(crate) fn entity_bounds(&self, key: &K) -> Option<[DVec3; 2]> {
        self.scene.bounds_of(key).map(|bounds| [bounds.min.as_dvec3(), bounds.max.as_dvec3()])
    }

    /// Returns the position of an entity in the order of insertion.
    pub(crate) fn entity_order(&self, key: &K) -> Option<u64> {
        self.scene.part_of(key, 0).map(|part| part.order)
    }

    /// Returns a copy of the view's filter that also excludes all entities except one.
    pub(crate) fn filter_only(&self, key: K) -> Filter<'a, K> {
        self.filter_without(core::iter::empty()).only(key)
    }

    /// Returns a copy of the view's filter that also excludes the entities under these keys.
    pub(crate) fn filter_without(&self, keys: impl Iterator<Item = K>) -> Filter<'a, K> {
        let own = self.filter.cloned().unwrap_or_default().layers(self.layers).cull(self.cull);
        keys.fold(own, Filter::exclude)
    }
}

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Returns whether a part is accepted.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn meets(&self, part: &Part) -> bool {
        part.layers & self.layers != 0 && (!self.chooses_entities() || self.is_chosen(part))
    }

    /// Returns whether a part is accepted, apart from its layers.
    #[inline(never)]
    pub(super) fn is_chosen(&self, part: &Part) -> bool {
        let takes = |key: &K| self.filter.is_none_or(|filter| filter.takes_entity(key));
        self.scene.owner(part).is_none_or(|owner| takes(owner.key))
    }
}
