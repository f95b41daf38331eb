//! The surface that is seen through a pixel.

use crate::args::{CastArgs, Size};
use crate::camera::Lens;
use crate::model::Loaded;
use hitscan::glam::{DVec2, DVec3, Vec3};
use hitscan::query::RayView;
use hitscan::select::Selector;
use hitscan::{Camera, Filter, Hit, Ray, RayQueries, Side};
use hitscan_io::EntityId;

/// The linear color of a surface without material.
const PLAIN: Vec3 = Vec3::splat(0.7);
/// The fraction of the light that a white surface reflects. The value of white paint keeps the differences between
/// lit sides visible.
const WHITE: f32 = 0.85;

/// A model, and the camera that looks at it. Rays and the points of hits are relative to the eye.
pub(crate) struct View<'a> {
    pub(super) loaded: &'a Loaded,
    cast: &'a CastArgs,
    filter: Filter<'static, EntityId>,
    eye: DVec3,
    /// The camera, relative to the eye, as the rays are.
    pub(crate) camera: Camera,
    pub(super) lens: Lens,
    pub(crate) size: Size,
}

/// A hit, with the data that a picture needs.
pub(super) struct Surface {
    pub(super) hit: Hit<EntityId>,
    /// The normal that points towards the viewer. It is interpolated if the model has normals.
    pub(super) normal: Vec3,
    /// The linear color.
    pub(super) color: Vec3,
}

impl<'a> View<'a> {
    pub(crate) fn new(loaded: &'a Loaded, cast: &'a CastArgs, camera: Camera, lens: Lens, size: Size) -> Self {
        let eye = camera.position();
        Self { loaded, cast, filter: cast.choice.filter(), eye, camera: camera.relative_to(eye), lens, size }
    }

    /// Returns a view of the scene with the options of the picture, relative to the eye.
    fn scene(&self) -> RayView<'_, EntityId> {
        self.cast.view(&self.loaded.scene, &self.filter, self.eye)
    }

    /// Returns the ray through a place in the picture, in pixels.
    pub(crate) fn ray(&self, [x, y]: [f64; 2]) -> Ray {
        self.camera.ray([x as f32, y as f32], [self.size.width, self.size.height])
    }

    /// Returns a place in the world relative to the eye.
    pub(crate) fn relative(&self, place: DVec3) -> DVec3 {
        place - self.eye
    }

    /// Returns the pixel of a place that is relative to the eye; `None` behind the eye.
    pub(crate) fn pixel(&self, place: DVec3) -> Option<DVec2> {
        self.camera.project(place, [self.size.width, self.size.height]).map(|seen| seen.pixel.as_dvec2())
    }

    /// Returns whether a surface hides a place, which is relative to the eye.
    pub(crate) fn hides(&self, place: DVec3) -> bool {
        let Some(pixel) = self.pixel(place) else { return true };
        let ray = self.ray(pixel.to_array());
        let t = (place.as_vec3() - ray.origin).dot(ray.direction) / ray.direction.length_squared();
        self.scene().is_blocked(&ray.with_range(ray.t_min, t))
    }

    pub(crate) fn pick(&self, cursor: [f64; 2]) -> Option<Hit<EntityId>> {
        self.scene().cast(&self.ray(cursor))
    }

    /// Returns the selected entities.
    pub(crate) fn select(&self, selector: &Selector) -> Vec<EntityId> {
        let mut ids = Vec::new();
        selector.entities(self.scene(), &mut ids);
        ids
    }

    pub(super) fn surface(&self, ray: &Ray) -> Option<Surface> {
        let Loaded { model, scene, .. } = self.loaded;
        let hit = self.scene().cast(ray)?;
        let facing = |normal: Vec3| if hit.side == Side::Back { -normal } else { normal };
        let smooth = scene.surface(&hit).interpolated_normal().map(facing);
        // At the rim of a coarse model, an interpolated normal may point away from the viewer.
        let normal = smooth.filter(|normal| normal.dot(ray.direction) < 0.0).unwrap_or_else(|| hit.facing_normal());
        let color = model
            .base_color(&hit)
            .map_or(PLAIN, |[red, green, blue, _]| Vec3::new(red, green, blue).clamp(Vec3::ZERO, Vec3::ONE) * WHITE);
        Some(Surface { hit, normal, color })
    }

    /// Returns whether something blocks the direction from a surface.
    pub(super) fn is_blocked(&self, from: &Hit<EntityId>, direction: Vec3) -> bool {
        self.scene().after(from).is_blocked(&Ray::with_direction(from.point, direction))
    }

    /// Returns the distance from a surface along a direction to the next surface, if it is at most `reach`.
    pub(super) fn distance(&self, from: &Hit<EntityId>, direction: Vec3, reach: f32) -> Option<f32> {
        let ray = Ray::with_direction(from.point, direction).with_range(0.0, reach);
        self.scene().after(from).cast(&ray).map(|hit| hit.t)
    }
}
