//! The surface under a cursor.

use super::{DragPath, MAX_GAIN, Picture};
use crate::math::float::{length, sqrt};
use crate::query::{Hit, RayQueries};
use glam::{DVec3, Vec2, Vec3};

/// The point under a cursor where an object can be put down. Points are relative to the origin of the view.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SurfacePoint<K> {
    /// The point on the surface, or on the path `otherwise` of [`surface_point`] if there is no surface near enough.
    pub point: DVec3,
    /// The hit on the surface; `None` if the point is on the path.
    pub hit: Option<Hit<K>>,
}

impl<K> SurfacePoint<K> {
    /// Returns the unit normal of the surface, turned against the cursor's ray; `None` if there is no surface.
    pub fn normal(&self) -> Option<Vec3> {
        self.hit.as_ref().map(Hit::facing_normal)
    }
}

/// Returns the point on the first surface under a cursor. The view decides which entities are hit. Exclude the
/// dragged object by [`Filter::exclude`](crate::Filter::exclude), or it will climb onto itself.
///
/// In two cases the answer is the point of `otherwise`, which is bounded as the [module](super) says. Either the cursor
/// hits nothing, or it hits only a distant surface. Such a surface is more than 16 times as far from a perspective eye
/// as the path's own point. The surface itself is always under the cursor; between two surfaces, the point jumps by the
/// distance between them.
///
/// The object's own position is seldom exactly under the cursor that grabs it, and would jump there at the first move.
/// To avoid that, compute the pixel where [`Camera::project`](crate::Camera::project) shows the position
/// at the start. Keep the offset from the cursor to this pixel, and add it to each cursor.
///
/// Camera, view and `otherwise` must be relative to the same origin ([`Camera::relative_to`](crate::Camera::relative_to)). Returns
/// `None` under the conditions of [`DragPath::point_at`].
///
/// ```
/// use hitscan::drag::{DragPath, Picture, surface_point};
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("table", Aabb::new([-2.0, 0.0, -2.0], [2.0, 1.0, 2.0]), DVec3::ZERO)?;
/// scene.insert("cup", Sphere::new(0.2), DVec3::new(0.0, 1.2, 0.0))?;
/// let camera = Camera::perspective(Camera::look_at([0.0, 9.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0])?, 1.0)?;
/// let picture = Picture::new(camera, [600.0, 600.0]);
/// let floor = DragPath::Plane { point: DVec3::new(0.0, 1.0, 0.0), normal: DVec3::Y };
///
/// let others = Filter::new().exclude("cup");
/// let below = surface_point(scene.with(&others), &picture, [300.0, 300.0], &floor).unwrap();
/// assert_eq!((below.point, below.normal()), (DVec3::Y, Some(Vec3::Y)));
/// let beside = surface_point(scene.with(&others), &picture, [10.0, 300.0], &floor).unwrap();
/// assert!(beside.hit.is_none() && beside.point.x < -2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn surface_point<'a, S: RayQueries<'a>>(
    view: S,
    picture: &Picture,
    cursor: impl Into<Vec2>,
    otherwise: &DragPath,
) -> Option<SurfacePoint<S::Key>> {
    let cursor = cursor.into();
    let on_path = otherwise.point_at(picture, cursor)?;
    let space = picture.space()?;
    let farthest = length(otherwise.point() - space.eye) * sqrt(MAX_GAIN);
    // The point before it was rounded to f32: far from the view's origin, rounded points would move in visible steps.
    let point_of = |hit: &Hit<S::Key>| hit.point_f64() - hit.relative_to;
    let is_too_far = |hit: &Hit<S::Key>| space.is_perspective() && length(point_of(hit) - space.eye) > farthest;
    let hit = view.ray_view().cast(&picture.camera.ray(cursor, picture.viewport)).filter(|hit| !is_too_far(hit));
    let point = hit.as_ref().map_or(on_path, point_of);
    Some(SurfacePoint { point, hit })
}
