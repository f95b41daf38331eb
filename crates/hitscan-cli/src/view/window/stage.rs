//! The model, and the camera through which the window shows it.

use super::orbit::Orbit;
use crate::args::{CastArgs, Size};
use crate::extent::Extent;
use crate::model::Loaded;
use crate::render::View;
use hitscan::Hit;
use hitscan::drag::Picture;
use hitscan::glam::{DVec2, DVec3, Vec2};
use hitscan::select::{Region, Selector};
use hitscan_io::EntityId;
use std::collections::BTreeSet;

/// The entities that a region selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Selects only the entities that are visible in the region.
    Visible,
    /// Hidden entities, too.
    Through,
}

pub(super) struct Stage<'a> {
    pub(super) loaded: Loaded,
    pub(super) orbit: Orbit,
    pub(super) size: Size,
    /// The number of physical pixels for each pixel of the design.
    pub(super) scale: f64,
    cast: &'a CastArgs,
    first: Orbit,
}

impl<'a> Stage<'a> {
    pub(super) fn new(loaded: Loaded, orbit: Orbit, cast: &'a CastArgs, size: Size) -> Self {
        Self { loaded, first: orbit.clone(), orbit, size, scale: 1.0, cast }
    }

    pub(super) fn view(&self) -> View<'_> {
        View::new(&self.loaded, self.cast, self.orbit.camera(), self.orbit.lens(), self.size)
    }

    /// Returns the picture of the world for the handles.
    pub(super) fn picture(&self) -> Picture {
        Picture::new(self.orbit.camera(), [self.size.width, self.size.height])
    }

    /// Returns the pixel of a point in the world; `None` behind the eye.
    pub(super) fn pixel(&self, point: DVec3) -> Option<DVec2> {
        let view = self.view();
        view.pixel(view.relative(point))
    }

    pub(super) fn pick(&self, cursor: Vec2) -> Option<Hit<EntityId>> {
        self.view().pick(cursor.as_dvec2().to_array())
    }

    /// Returns the entities that a region touches.
    pub(super) fn within(&self, region: &Region, reach: Reach) -> BTreeSet<EntityId> {
        let view = self.view();
        let all = Selector::new(&view.camera, [self.size.width, self.size.height], region);
        let selector = match reach {
            Reach::Through => all,
            Reach::Visible => all.clone().visible(1.0).unwrap_or(all),
        };
        view.select(&selector).into_iter().collect()
    }

    /// Returns the point under the cursor, in the world. Over the sky, it has the depth of the pivot.
    pub(super) fn point(&self, cursor: Vec2) -> DVec3 {
        if let Some(hit) = self.pick(cursor) {
            return hit.point_f64();
        }
        let (camera, view) = (self.orbit.camera(), self.view());
        let ray = view.ray(cursor.as_dvec2().to_array());
        let (start, along) = (camera.position() + ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let depth = (self.orbit.pivot() - camera.position()).dot(camera.forward());
        let t = depth / along.dot(camera.forward());
        if t > 0.0 && t.is_finite() { start + along * t } else { self.orbit.pivot() }
    }

    /// Looks at these entities, or at everything if there are none.
    pub(super) fn frame(&mut self, entities: &BTreeSet<EntityId>) {
        let scene = &self.loaded.scene;
        let boxes = entities.iter().filter_map(|id| scene.bounds_of(id)).map(Extent::of_bounds);
        let chosen = boxes.reduce(Extent::union).unwrap_or_else(|| Extent::of_bounds(scene.bounds()));
        if chosen.is_box() {
            self.orbit.frame(&chosen, self.size);
        }
    }

    /// Returns to the first view.
    pub(super) fn reset(&mut self) {
        self.orbit = self.first.clone();
    }
}
