//! Views with a separate filter for occluders.

use crate::geom::culling::CutOuts;
use crate::geom::ray::Ray;
use crate::query::view::into_view;
use crate::query::{Filter, Hit, RayView, View};
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// A [`View`] or a [`RayView`] with a second [`Filter`], which chooses the occluders: the entities that hide others. It
/// is made by the method `hidden_by` of a scene, a [`View`] or a [`RayView`].
///
/// It is for the questions in which entities hide each other: visible [selections](crate::select::Selector::visible),
/// [cursors](crate::snap::Cursor) that snap, and [explosions](crate::gameplay::blast). The view's filter selects the
/// targets that may be in the answer. Only the entities that the second filter selects are occluders, whether or not
/// they are targets. Without `hidden_by`, the targets of a view are its occluders. So `hidden_by(&Filter::new())` makes
/// every entity an occluder.
///
/// A target that is not an occluder is transparent. The back of such a target is visible through its front. Among hits
/// with the same t, the hits up to the first occluder are visible, in the order of [all
/// hits](crate::RayQueries::cast_all). The second filter contributes its layers, sides, exclusions and choices; the
/// origin and the options of rays come from the view.
///
/// [`sees`](crate::RayQueries::sees), [`line_of_sight`](crate::RayQueries::line_of_sight) and
/// [`visibility`](crate::RayQueries::visibility) are about points, so everything that their filter selects is an
/// occluder.
///
/// ```
/// use hitscan::gameplay::blast;
/// use hitscan::prelude::*;
/// use hitscan::select::{Region, Selector};
///
/// let mut scene = Scene::new();
/// for (id, z) in [("wall", -4.0), ("hidden unit", -6.0)] {
///     scene.insert(id, Aabb::new([-1.0; 3], [1.0; 3]), DVec3::new(0.0, 0.0, z))?;
/// }
/// scene.insert("seen unit", Sphere::new(0.5), DVec3::new(2.0, 0.0, -6.0))?;
/// let units = Filter::new().entities(|id: &str| id.ends_with("unit"));
/// let everything = Filter::new();
///
/// let camera = Camera::orthographic(DAffine3::IDENTITY, 6.0)?;
/// let marquee = Region::rect([0.0, 0.0], [600.0, 600.0])?;
/// let selector = Selector::new(&camera, [600.0, 600.0], &marquee).visible(4.0)?;
/// let mut ids = Vec::new();
/// selector.entities(scene.with(&units), &mut ids);
/// assert_eq!(ids, ["hidden unit", "seen unit"]); // the wall is not there
/// selector.entities(scene.with(&units).hidden_by(&everything), &mut ids);
/// assert_eq!(ids, ["seen unit"]);
///
/// let reached = blast(scene.with(&units).hidden_by(&everything), [0.0, 0.0, 0.0], 9.0);
/// assert_eq!(reached.iter().map(|hit| (hit.id, hit.is_covered)).collect::<Vec<_>>(), [("hidden unit", true), ("seen unit", false)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SightView<'a, K, V = View<'a, K>> {
    /// The view that selects the targets.
    pub(crate) wanted: V,
    /// The filter that selects the occluders; `None` if the targets are the occluders.
    hides: Option<&'a Filter<'a, K>>,
}

// Derived implementations would require `K: Clone` and `K: Copy`, which references do not need.
impl<K, V: Copy> Clone for SightView<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K, V: Copy> Copy for SightView<'_, K, V> {}

impl<K> Scene<K> {
    /// Returns a view in which every entity is a target, and the filter selects the occluders. For example, glass that the
    /// filter excludes is visible and transparent.
    pub fn hidden_by<'a>(&'a self, filter: &'a Filter<'a, K>) -> SightView<'a, K> {
        View::from(self).hidden_by(filter)
    }
}

impl<'a, K> View<'a, K> {
    /// Returns this view with a filter for the occluders, which need not be targets of the view. See [`SightView`].
    #[must_use]
    #[doc(alias("occluder", "occlusion", "seen_through", "x_ray"))]
    pub fn hidden_by(self, filter: &'a Filter<'a, K>) -> SightView<'a, K> {
        SightView { wanted: self, hides: Some(filter) }
    }
}

impl<'a, K> RayView<'a, K> {
    /// Returns this view with a filter for the occluders; its options apply to targets and occluders alike. See
    /// [`SightView`].
    #[must_use]
    pub fn hidden_by(self, filter: &'a Filter<'a, K>) -> SightView<'a, K, Self> {
        SightView { wanted: self, hides: Some(filter) }
    }
}

into_view! {
    scene: &'a Scene<K> => SightView<'a, K> { View::from(scene).into() }
    wanted: View<'a, K> => SightView<'a, K> { SightView { wanted, hides: None } }
    scene: &'a Scene<K> => SightView<'a, K, RayView<'a, K>> { View::from(scene).into() }
    wanted: View<'a, K> => SightView<'a, K, RayView<'a, K>> { wanted.for_rays().into() }
    wanted: RayView<'a, K> => SightView<'a, K, RayView<'a, K>> { SightView { wanted, hides: None } }
    sight: SightView<'a, K> => SightView<'a, K, RayView<'a, K>> { SightView { wanted: sight.wanted.for_rays(), hides: sight.hides } }
}

impl<'a, K> SightView<'a, K> {
    /// Returns the view that selects the occluders.
    pub(crate) fn hiding(&self) -> View<'a, K> {
        self.hides.map_or(self.wanted, |filter| self.wanted.with(filter))
    }

    /// Returns the same view for rays, for which cut-out holes are open or solid.
    pub(crate) fn cut_outs(self, cut_outs: CutOuts) -> SightView<'a, K, RayView<'a, K>> {
        SightView { wanted: RayView { cut_outs, ..self.wanted.for_rays() }, hides: self.hides }
    }
}

impl<'a, K: Clone + Eq + Hash> SightView<'a, K, RayView<'a, K>> {
    /// Returns the view that selects the occluders.
    pub(crate) fn hiding(&self) -> RayView<'a, K> {
        let view = self.hides.map_or(self.wanted.view, |filter| self.wanted.view.with(filter));
        RayView { view, ..self.wanted }
    }

    /// Returns whether the occluders may differ from the targets.
    pub(crate) fn chooses_what_hides(&self) -> bool {
        self.hides.is_some()
    }

    /// Returns the same view with its origin moved by an offset.
    pub(crate) fn moved_by(self, offset: DVec3) -> Self {
        Self { wanted: self.wanted.moved_by(offset), ..self }
    }

    /// Writes the visible hits of a ray on targets, in order, into a buffer, which is cleared first. They are the first
    /// hit or, with a filter for occluders, all hits up to the first occluder.
    pub(crate) fn seen_hits(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if !self.chooses_what_hides() {
            return hits.extend(self.wanted.cast_closest(ray));
        }
        let Some(end) = self.hiding().cast_closest(ray) else { return self.wanted.cast_every(ray, hits) };
        self.wanted.cast_every(&ray.with_range(ray.t_min, end.t), hits);
        hits.retain(|hit| hit.key.cmp(&end.key).is_le());
    }
}
