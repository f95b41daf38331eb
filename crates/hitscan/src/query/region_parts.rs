//! Parts of entities in a region of space, and the part that a ray hits first.

use super::cast::RaySearch;
use super::hit_collector::ClosestHit;
use super::proximity_parts::is_within_reach;
use super::query_ray::QueryRay;
use super::{Candidate, RayView, View};
use crate::bvh::{BoxPlace, BoxRegion};
use crate::geom::culling::Cull;
use crate::geom::hit::Side;
use crate::geom::ray::Ray;
use crate::scene::{Part, PartPlace};
use core::hash::Hash;
use core::ops::ControlFlow;

/// Handles each part that is not outside of a region, given where its box is.
pub(crate) type PartVisitor<'a, 's> = dyn FnMut(&'s Part, BoxPlace) -> ControlFlow<()> + 'a;

/// A part that a ray hits first, and the triangle, if it is made of triangles.
pub(crate) type FirstPart = (PartPlace, Option<u32>);

impl<'s, K: Clone + Eq + Hash> View<'s, K> {
    /// Shows every part that counts, that more than rays can meet, and whose box is not outside of a region in the coordinates of the scene's tree.
    pub(crate) fn parts_within(&self, region: &impl BoxRegion, visit: &mut PartVisitor<'_, 's>) -> ControlFlow<()> {
        let scene = self.scene;
        let mut show = |number: u32, place: BoxPlace| match scene.part(number) {
            Some(part) if self.can_select(part) => visit(part, place),
            _ => ControlFlow::Continue(()),
        };
        for &number in scene.unbounded() {
            show(number, BoxPlace::Crossing)?;
        }
        scene.tree().within(region, &mut show)
    }

    /// Returns whether a part counts, and more than rays can meet it.
    pub(crate) fn can_select(&self, part: &Part) -> bool {
        self.meets(part) && is_within_reach(part)
    }

    /// Returns whether every side of every part that counts does.
    pub(crate) fn takes_all_sides(&self) -> bool {
        self.cull == Cull::None && !self.chooses_hits()
    }

    /// Returns whether a side of a part or of one of its triangles counts, in questions without rays.
    pub(crate) fn takes_side(&self, part: &Part, triangle: Option<u32>, side: Side) -> bool {
        if !self.cull.keeps(side) {
            return false;
        }
        if !self.chooses_hits() {
            return true;
        }
        let Some(owner) = self.scene.owner(part) else { return false };
        self.takes_hit(&Candidate {
            id: owner.key.clone(),
            part: part.index,
            t: 0.0,
            side,
            triangle,
            feature: None,
            uv: None,
            geometry: &part.geometry,
        })
    }
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns the part of the hit that [`cast`](super::RayQueries::cast) reports.
    pub(crate) fn first_part(&self, ray: &Ray) -> Option<FirstPart> {
        let outset = QueryRay::new(self, ray)?;
        let mut closest = ClosestHit(None);
        RaySearch::new(self, &outset).run_closest(&mut closest);
        let (_, (part, hit)) = closest.0.as_ref()?;
        Some((part.place_in_scene(), hit.triangle()))
    }
}
