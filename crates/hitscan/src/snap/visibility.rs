//! The test whether a point is hidden behind a surface.

use super::reach::Reach;
use crate::camera::PixelMap;
use crate::geom::culling::CutOuts;
use crate::geom::ray::Ray;
use crate::math::float::{length, round_up, round_vec3, unit};
use crate::query::{Hit, RayQueries, RayView, View};
use crate::scene::Part;
use core::hash::Hash;
use glam::DVec3;

/// A surface hides a point only if it is in front of the point by more than this, relative to the length of the line of sight. The direction of a ray has
/// components of f32, each of which is off by at most 2^-24, so that a ray may pass the point at 2^-23 of its length.
const SIGHT_RESOLUTION: f64 = 1.0 / (1 << 22) as f64;

/// What the coordinates of a surface and of a point on it may be off by, relative to the largest coordinate of each: an ulp of f32. Half of it is the rounding to
/// f32, and the other half leaves room for a caller who computed them from rounded numbers.
const COORDINATE_ROUNDING: f64 = f32::EPSILON as f64;

/// The surfaces that may hide a point.
pub(super) struct Sight<'v, 'a, K> {
    pub(super) view: &'v View<'a, K>,
    pub(super) reach: &'v Reach,
    pub(super) cut_outs: CutOuts,
}

impl<'a, K: Clone + Eq + Hash> Sight<'_, 'a, K> {
    /// Returns whether a surface lies between the eye, or the camera's near depth, and a point of a part. Points that are not at a depth of the camera are hidden.
    pub(super) fn is_hidden(&self, point: DVec3, part: Option<&Part>) -> bool {
        let PixelMap { near, far, .. } = self.reach.map;
        let depth = self.reach.map.project(point).depth;
        if !(near..=far).contains(&depth) {
            return true;
        }
        let start = self.reach.map.sight_start(point, depth);
        let way = point - start;
        let distance = length(way);
        // The last bit of the way is left out, in which nothing can hide the point.
        let t_max = round_up(distance * (1.0 - SIGHT_RESOLUTION));
        let Some(direction) = unit(way) else { return false };
        let ray = Ray::with_direction([0.0; 3], round_vec3(direction)).with_range(0.0, t_max);
        let rays = self.view.relative_to(start).cut_outs(self.cut_outs);
        let rounding = part.map_or(DVec3::ZERO, coordinate_rounding);
        let hides = |hit: &Hit<K>| {
            let surface = self.view.scene.part_of(&hit.id, hit.part).map_or(DVec3::ZERO, coordinate_rounding);
            is_in_front(hit, point, SIGHT_RESOLUTION * distance, rounding + surface)
        };
        rays.cast(&ray).is_some_and(|first| hides(&first) || rest_hides(&rays, &ray, hides))
    }
}

/// Returns whether any hit of the ray hides the point.
fn rest_hides<K: Clone + Eq + Hash>(rays: &RayView<'_, K>, ray: &Ray, hides: impl Fn(&Hit<K>) -> bool) -> bool {
    let mut hits = alloc::vec::Vec::new();
    rays.cast_all(ray, &mut hits);
    hits.iter().any(hides)
}

/// Returns whether a point is behind the plane of a hit that is before it, by more than a distance and the rounding of both. A surface that passes through the
/// point does not hide it, even if the ray, which is not quite the line of sight, meets it well before the point.
fn is_in_front<K>(hit: &Hit<K>, point: DVec3, resolution: f64, rounding: DVec3) -> bool {
    let normal = hit.facing_normal().as_dvec3();
    let behind = (hit.point_f64() - point).dot(normal);
    behind > resolution + rounding.dot(normal.abs())
}

/// Returns what each coordinate of a part's points may be off by, in the world. Parts without bounds are computed from few numbers, and count as exact.
fn coordinate_rounding(part: &Part) -> DVec3 {
    let bounds = part.geometry.bounds();
    let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
    let columns = part.to_world.matrix3;
    let size = columns.x_axis.abs() * largest.x + columns.y_axis.abs() * largest.y + columns.z_axis.abs() * largest.z;
    if size.is_finite() { size * COORDINATE_ROUNDING } else { DVec3::ZERO }
}
