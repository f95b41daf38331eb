//! Surfaces that hide points.

use super::hit::Hit;
use super::ray_queries::RayQueries;
use crate::geom::ray::Ray;
use crate::math::float::{length, round_up, round_vec3, unit};
use crate::query::view::RayView;
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// A surface hides a point only if it is in front of the point by more than this, relative to the length of the line of sight. Each component of a ray's
/// direction is rounded to f32, and is off by at most 2^-24. So a ray may pass the point at a distance of 2^-23 of the ray's length.
const SIGHT_RESOLUTION: f64 = 1.0 / (1 << 22) as f64;

/// A local coordinate of a part may be off by this fraction of the part's largest local coordinate along the same axis. The fraction is an ulp of f32. Half of
/// that is the rounding to f32. The other half is for callers who computed the coordinates from rounded numbers.
const COORDINATE_ROUNDING: f64 = f32::EPSILON as f64;

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns a hit on a surface that lies between a place and a point of a part, if there is such a surface. `start` and `point` are in the world, whatever
    /// the origin of the view is.
    pub(crate) fn hiding(&self, start: DVec3, point: DVec3, part: Option<&Part>) -> Option<Hit<K>> {
        let way = point - start;
        let distance = length(way);
        // Nothing can hide the point in the last part of the line of sight, so that part is left out.
        let t_max = round_up(distance * (1.0 - SIGHT_RESOLUTION));
        let ray = Ray::with_direction([0.0; 3], round_vec3(unit(way)?)).with_range(0.0, t_max);
        let mut rays = *self;
        rays.view.origin = start;
        let rounding = part.map_or(DVec3::ZERO, coordinate_rounding);
        let hides = |hit: &Hit<K>| {
            let surface = self.view.scene.part_of(&hit.id, hit.part).map_or(DVec3::ZERO, coordinate_rounding);
            is_in_front(hit, point, SIGHT_RESOLUTION * distance, rounding + surface)
        };
        let first = rays.cast(&ray)?;
        if hides(&first) { Some(first) } else { rest_hiding(&rays, &ray, hides) }
    }

    /// Returns the place where a line of sight to a point enters the bounds of the scene; `start` if the scene has no bounds. It is for parallel lines of
    /// sight, whose start is arbitrary: a ray from a farther start has a lower resolution.
    pub(crate) fn entry_of_sight(&self, start: DVec3, point: DVec3) -> DVec3 {
        let (scene, bounds) = (self.view.scene, self.view.scene.bounds());
        if bounds.is_empty() || !scene.unbounded().is_empty() {
            return start;
        }
        let way = point - start;
        let entry = |axis: usize| {
            let near_side = if way[axis] > 0.0 { bounds.min[axis] } else { bounds.max[axis] };
            // A line along a side of the bounds does not enter through that side.
            let place = (f64::from(near_side) - start[axis]) / way[axis];
            if way[axis] == 0.0 { 0.0 } else { place }
        };
        let place = (0..3).map(entry).fold(0.0, f64::max);
        start + way * place.min(1.0)
    }
}

/// Returns the first hit of the ray that hides the point.
fn rest_hiding<K: Clone + Eq + Hash>(
    rays: &RayView<'_, K>,
    ray: &Ray,
    hides: impl Fn(&Hit<K>) -> bool,
) -> Option<Hit<K>> {
    let mut hits = Vec::new();
    rays.cast_all(ray, &mut hits);
    hits.into_iter().find(hides)
}

/// Returns whether a point is behind the plane of a hit on the ray. The distance must be more than `resolution` plus
/// the rounding of the point and of the surface. A surface that passes through the point does not hide it. This holds
/// even if the ray, which is not exactly the line of sight, hits the surface well before the point.
fn is_in_front<K>(hit: &Hit<K>, point: DVec3, resolution: f64, rounding: DVec3) -> bool {
    let normal = hit.facing_normal().as_dvec3();
    let behind = (hit.point_f64() - point).dot(normal);
    behind > resolution + rounding.dot(normal.abs())
}

/// Returns a bound on the error of each coordinate of a part's points, in the world. Parts without bounds are computed
/// from few numbers, and are treated as exact.
fn coordinate_rounding(part: &Part) -> DVec3 {
    let bounds = part.geometry.bounds();
    let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
    let columns = part.to_world.matrix3;
    let size = columns.x_axis.abs() * largest.x + columns.y_axis.abs() * largest.y + columns.z_axis.abs() * largest.z;
    if size.is_finite() { size * COORDINATE_ROUNDING } else { DVec3::ZERO }
}
