//! Views with a choice of what hides.

use super::{Filter, Hit, RayView, View};
use crate::geom::culling::CutOuts;
use crate::geom::ray::Ray;
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// A [`View`] or a [`RayView`] of what is wanted, with a [`Filter`] of its own for what hides. The method `hidden_by` of a scene and of both views makes it.
///
/// It is for the questions in which some things hide others: visible [selections](crate::select::Selector::visible), [cursors](crate::snap::Cursor) that
/// snap, and [explosions](crate::gameplay::blast). They answer about what the view's filter selects. Only what the second filter selects hides that, whether
/// the first one selects it or not; a view itself, without `hidden_by`, hides by what it selects. So `hidden_by(&Filter::new())` lets everything hide.
///
/// A wanted entity that does not hide is seen through, and its own back is seen too. Of hits at one t, those up to the first one that hides are
/// seen, in the order of [all hits](crate::RayQueries::cast_all). The layers, the sides, the exclusions and the choices of the second filter count; the origin
/// and the options of rays are the view's.
///
/// [`sees`](crate::RayQueries::sees), [`line_of_sight`](crate::RayQueries::line_of_sight) and [`visibility`](crate::RayQueries::visibility) ask about points,
/// so what hides is all that their filter chooses.
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
    /// The view of what is wanted.
    pub(crate) wanted: V,
    /// The filter of all that hides, if that is not what is wanted.
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
    /// Returns a view in which everything is wanted, and only what the filter selects hides anything: glass that it leaves out is seen, and seen through.
    pub fn hidden_by<'a>(&'a self, filter: &'a Filter<'a, K>) -> SightView<'a, K> {
        View::from(self).hidden_by(filter)
    }
}

impl<'a, K> View<'a, K> {
    /// Returns this view with a choice of what hides: only what the filter selects, whether this view selects it or not. See [`SightView`].
    #[must_use]
    #[doc(alias("occluder", "occlusion", "seen_through", "x_ray"))]
    pub fn hidden_by(self, filter: &'a Filter<'a, K>) -> SightView<'a, K> {
        SightView { wanted: self, hides: Some(filter) }
    }
}

impl<'a, K> RayView<'a, K> {
    /// Returns this view with a choice of what hides; its options count for what is wanted and for what hides. See [`SightView`].
    #[must_use]
    pub fn hidden_by(self, filter: &'a Filter<'a, K>) -> SightView<'a, K, Self> {
        SightView { wanted: self, hides: Some(filter) }
    }
}

impl<'a, K> From<&'a Scene<K>> for SightView<'a, K> {
    fn from(scene: &'a Scene<K>) -> Self {
        View::from(scene).into()
    }
}

impl<'a, K> From<View<'a, K>> for SightView<'a, K> {
    fn from(wanted: View<'a, K>) -> Self {
        Self { wanted, hides: None }
    }
}

impl<'a, K> From<&'a Scene<K>> for SightView<'a, K, RayView<'a, K>> {
    fn from(scene: &'a Scene<K>) -> Self {
        View::from(scene).into()
    }
}

impl<'a, K> From<View<'a, K>> for SightView<'a, K, RayView<'a, K>> {
    fn from(wanted: View<'a, K>) -> Self {
        wanted.for_rays().into()
    }
}

impl<'a, K> From<RayView<'a, K>> for SightView<'a, K, RayView<'a, K>> {
    fn from(wanted: RayView<'a, K>) -> Self {
        Self { wanted, hides: None }
    }
}

impl<'a, K> From<SightView<'a, K>> for SightView<'a, K, RayView<'a, K>> {
    fn from(sight: SightView<'a, K>) -> Self {
        Self { wanted: sight.wanted.for_rays(), hides: sight.hides }
    }
}

impl<'a, K> SightView<'a, K> {
    /// Returns the view of what hides.
    pub(crate) fn hiding(&self) -> View<'a, K> {
        self.hides.map_or(self.wanted, |filter| self.wanted.with(filter))
    }

    /// Returns the sight of rays for which holes are open or solid.
    pub(crate) fn cut_outs(self, cut_outs: CutOuts) -> SightView<'a, K, RayView<'a, K>> {
        SightView { wanted: RayView { cut_outs, ..self.wanted.for_rays() }, hides: self.hides }
    }
}

impl<'a, K: Clone + Eq + Hash> SightView<'a, K, RayView<'a, K>> {
    /// Returns the view of what hides.
    pub(crate) fn hiding(&self) -> RayView<'a, K> {
        let view = self.hides.map_or(self.wanted.view, |filter| self.wanted.view.with(filter));
        RayView { view, ..self.wanted }
    }

    /// Returns whether what hides may differ from what is wanted.
    pub(crate) fn chooses_what_hides(&self) -> bool {
        self.hides.is_some()
    }

    /// Returns the sight whose origin is at an offset from the present one.
    pub(crate) fn moved_by(self, offset: DVec3) -> Self {
        Self { wanted: self.wanted.moved_by(offset), ..self }
    }

    /// Writes what is wanted of a ray's hits and what nothing hides, in order, into a buffer, which is cleared first: the first hit, or with a choice of what
    /// hides all hits up to the first one that hides.
    pub(crate) fn seen_hits(&self, ray: &Ray, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        if !self.chooses_what_hides() {
            return hits.extend(self.wanted.closest(ray));
        }
        let Some(end) = self.hiding().closest(ray) else { return self.wanted.every(ray, hits) };
        self.wanted.every(&ray.with_range(ray.t_min, end.t), hits);
        hits.retain(|hit| hit.key.cmp(&end.key).is_le());
    }
}
