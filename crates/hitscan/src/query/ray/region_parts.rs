//! Parts of entities in a region of space, and the part that a ray hits first.

use super::cast::RaySearch;
use super::query_ray::QueryRay;
use crate::bvh::{BoxPlace, BoxRegion, RegionVisitor};
use crate::geom::ray::Ray;
use crate::query::collect::ClosestHit;
use crate::query::{Hit, RayView, View};
use crate::scene::{Part, PartPlace};
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::DVec3;

/// Calls a function with the parts that are not outside of a region.
struct RegionParts<'v, 's, K, F> {
    view: &'v View<'s, K>,
    show: F,
}

impl<'s, K: Clone + Eq + Hash, F: FnMut(&'s Part, BoxPlace)> RegionVisitor for RegionParts<'_, 's, K, F> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, number: u32) {
        self.view.scene.part_tree().prefetch(number);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, number: u32, place: BoxPlace) -> ControlFlow<()> {
        if let Some(part) = self.view.scene.part(number).filter(|part| self.view.meets(part)) {
            (self.show)(part, place);
        }
        ControlFlow::Continue(())
    }
}

/// A part that a ray hits, and the triangle, if the part is made of triangles.
pub(crate) type FirstPart = (PartPlace, Option<u32>);

impl<'s, K: Clone + Eq + Hash> View<'s, K> {
    /// Calls `show` with every part that the filter accepts, and whose box is not outside of a region. The region is in the coordinates of the scene's tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn parts_within(&self, region: &impl BoxRegion, show: impl FnMut(&'s Part, BoxPlace)) {
        let mut parts = RegionParts { view: self, show };
        for &number in self.scene.unbounded() {
            let _ = parts.visit(number, BoxPlace::Crossing);
        }
        let _ = self.scene.tree().within(region, &mut parts);
    }

    /// Returns whether a part is accepted.
    pub(crate) fn can_select(&self, part: &Part) -> bool {
        self.meets(part)
    }
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns this view with its origin moved by an offset.
    pub(crate) fn moved_by(mut self, offset: DVec3) -> Self {
        self.view.origin += offset;
        self
    }

    /// Returns the part and the triangle of a hit.
    pub(crate) fn part_of_hit(&self, hit: &Hit<K>) -> Option<FirstPart> {
        Some((self.view.scene.part_of(&hit.id, hit.part)?.place_in_scene(), hit.triangle))
    }

    /// Returns the part and the triangle of the hit that [`cast`](crate::query::RayQueries::cast) reports.
    pub(crate) fn first_part(&self, ray: &Ray) -> Option<FirstPart> {
        let outset = QueryRay::new(self, ray)?;
        let mut closest = ClosestHit(None);
        RaySearch::new(self, &outset).search_scene(&mut closest);
        let (_, (part, hit)) = closest.0.as_ref()?;
        Some((part.place_in_scene(), hit.triangle()))
    }
}
