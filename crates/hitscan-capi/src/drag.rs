//! The surface under a cursor, to put something on it.

pub use crate::answers::HsSurfacePoint;
use crate::camera::{HsCamera, HsViewport};
use crate::filter::{Asked, HsFilter};
use crate::pointer::{place, shared};
use crate::ray::HsHit;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::drag::{DragPath, Picture, surface_point};
use hitscan::glam::DVec3;

/// The kind of a path that something is dragged on.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsDragPathKind {
    /// A plane, whose normal is the direction.
    Plane = 0,
    /// A straight line along the direction.
    Axis = 1,
    /// The plane that faces the camera and goes through the point. The direction does not matter.
    Screen = 2,
}

/// A path that something is dragged on, relative to the camera's origin.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsDragPath {
    /// A point of the path: the place of the thing when the drag begins.
    pub point: [f64; 3],
    /// The normal of a plane or the direction of a line, of any length but 0.
    pub direction: [f64; 3],
    /// The kind, an `HsDragPathKind`.
    pub kind: i32,
}

impl HsDragPath {
    fn path(&self) -> Result<DragPath, Failure> {
        let [point, direction] = [self.point, self.direction].map(DVec3::from_array);
        Ok(match self.kind {
            0 => DragPath::Plane { point, normal: direction },
            1 => DragPath::Axis { point, direction },
            2 => DragPath::Screen { point },
            kind => {
                let text =
                    format!("the kind of the path is {kind}, which is no HsDragPathKind: it must be from 0 to 2");
                return Err(Failure::argument(text));
            }
        })
    }
}

/// Finds the place on the first surface under a cursor at window pixel (x, y). Let the filter exclude the thing that is dragged. Otherwise, the thing climbs
/// onto itself. If no surface is there, the answer is a point of the path `otherwise`. It is the point that is shown at the cursor, or near the cursor if the
/// camera sees the path edge-on. This point is also the answer if the surface is more than 16 times as far from a perspective eye as the point. The camera and
/// the filter have the same origin. The status is `HS_STATUS_NONE` for a cursor or a path that is not finite, a direction of length 0, and a viewport without a
/// size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_surface_point(
    scene: *const HsScene,
    camera: *const HsCamera,
    viewport: *const HsViewport,
    x: f32,
    y: f32,
    otherwise: *const HsDragPath,
    filter: *const HsFilter,
    surface: *mut HsSurfacePoint,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, camera, viewport) =
            unsafe { (shared(scene, "scene")?, shared(camera, "camera")?, shared(viewport, "viewport")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (path, asked, place) =
            unsafe { (shared(otherwise, "otherwise")?.path()?, Asked::new(filter)?, place(surface, "surface")?) };
        let picture = Picture::new(camera.0, viewport.viewport());
        let found = surface_point(asked.rays(scene), &picture, [x, y], &path);
        let Some(found) = found else { return Ok(HsStatus::None) };
        let hit = found.hit.as_ref().map_or(HsHit::MISS, HsHit::from);
        place.write(HsSurfacePoint { point: found.point.to_array(), hit });
        Ok(HsStatus::Ok)
    })
}
