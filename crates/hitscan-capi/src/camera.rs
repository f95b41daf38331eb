//! Cameras: rays through pixels, and pixels of points.

use crate::pointer::{free, hand_out, handle_place, numbers, place, shared, unique};
use crate::ray::HsRay;
use crate::status::{Failure, HsStatus, guard};
use hitscan::error::CameraError;
use hitscan::glam::{DAffine3, DMat4, DVec3, Vec2};
use hitscan::{Camera, Viewport};

#[rustfmt::skip]
pub mod functions;

/// A camera: a handle, which `hs_camera_free` frees.
pub struct HsCamera(pub(crate) Camera);

/// The part of the window that shows the picture: its top-left corner and its size in pixels.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsViewport {
    /// The left border.
    pub x: f32,
    /// The upper border; y points down.
    pub y: f32,
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
}

impl HsViewport {
    pub(crate) fn viewport(&self) -> Viewport {
        Viewport { origin: Vec2::new(self.x, self.y), size: Vec2::new(self.width, self.height) }
    }
}

/// Writes the camera-to-world transform of a camera at `eye` that looks at `target` with `up` upwards. The transform is
/// sixteen doubles, column after column; `eye`, `target` and `up` are three doubles each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_look_at(
    eye: *const f64,
    target: *const f64,
    up: *const f64,
    transform: *mut f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let [eye, target, up] =
            unsafe { [numbers::<f64, 3>(eye, "eye")?, numbers(target, "target")?, numbers(up, "up")?] };
        // SAFETY: The caller keeps the rules of this crate.
        let place = unsafe { place(transform.cast::<[f64; 16]>(), "transform") }?;
        place.write(DMat4::from(Camera::look_at(eye, target, up).map_err(Failure::input)?).to_cols_array());
        Ok(HsStatus::Ok)
    })
}

/// Reads a camera-to-world transform.
///
/// # Safety
/// The rules of [`shared`] hold.
unsafe fn transform(matrix: *const f64) -> Result<DAffine3, Failure> {
    // SAFETY: The caller guarantees it.
    let matrix = DMat4::from_cols_array(&unsafe { numbers(matrix, "transform") }?);
    if matrix.is_finite() && matrix.row(3) != DMat4::IDENTITY.row(3) {
        return Err(Failure::input(hitscan::error::TransformError::NotAffine));
    }
    Ok(DAffine3::from_mat4(matrix))
}

/// Makes a perspective camera from its camera-to-world transform, sixteen doubles, column after column, and its vertical
/// field of view in radians. The camera looks along the -z of the transform.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_perspective(
    camera_to_world: *const f64,
    fov_y: f64,
    camera: *mut *mut HsCamera,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (camera, transform) = unsafe { (handle_place(camera, "camera")?, transform(camera_to_world)?) };
        hand_out(camera, HsCamera(Camera::perspective(transform, fov_y).map_err(Failure::input)?))
    })
}

/// Makes an orthographic camera from its camera-to-world transform and the height of its picture in world units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_orthographic(
    camera_to_world: *const f64,
    height: f64,
    camera: *mut *mut HsCamera,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (camera, transform) = unsafe { (handle_place(camera, "camera")?, transform(camera_to_world)?) };
        hand_out(camera, HsCamera(Camera::orthographic(transform, height).map_err(Failure::input)?))
    })
}

/// Makes a camera from the matrices that draw its picture, world to view and view to clip space. Each matrix has
/// sixteen doubles, column after column. In clip space, y points up unless `hs_camera_set_clip_y_down` is called
/// (Vulkan).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_from_matrices(
    view: *const f64,
    projection: *const f64,
    camera: *mut *mut HsCamera,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let camera = unsafe { handle_place(camera, "camera") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let (view, projection) = unsafe { (numbers(view, "view")?, numbers(projection, "projection")?) };
        let [view, projection] = [view, projection].map(|matrix: [f64; 16]| DMat4::from_cols_array(&matrix));
        hand_out(camera, HsCamera(Camera::from_matrices(view, projection).map_err(Failure::input)?))
    })
}

/// Frees a camera; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_free(camera: *mut HsCamera) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(camera) }
}

/// Changes a camera.
///
/// # Safety
/// The rules of [`unique`] hold.
unsafe fn change(camera: *mut HsCamera, change: impl FnOnce(Camera) -> Result<Camera, CameraError>) -> HsStatus {
    guard(|| {
        // SAFETY: The caller guarantees it.
        let camera = unsafe { unique(camera, "camera") }?;
        camera.0 = change(camera.0).map_err(Failure::input)?;
        Ok(HsStatus::Ok)
    })
}

/// Fixes the aspect ratio of a camera, width over height. Without this call, a camera has the aspect ratio of the
/// viewport.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_set_aspect(camera: *mut HsCamera, aspect: f64) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { change(camera, |camera| camera.with_aspect(aspect)) }
}

/// Limits the depth of a camera's picture: the camera's rays begin at the depth `near` and end at the depth `far`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_set_clip(camera: *mut HsCamera, near: f64, far: f64) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { change(camera, |camera| camera.with_clip(near, far)) }
}

/// Turns the picture of a camera upside down: for matrices whose clip space has y downwards (Vulkan). A second call
/// undoes the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_set_clip_y_down(camera: *mut HsCamera) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { change(camera, |camera| Ok(camera.with_clip_y_down())) }
}

/// Lets an orthographic camera look along the +z of its view space: for matrices whose view space is left-handed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_set_view_left_handed(camera: *mut HsCamera) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { change(camera, |camera| Ok(camera.with_view_left_handed())) }
}

/// Makes a camera relative to an origin of three doubles. Its rays, and the points given to it, are relative to this
/// origin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_set_origin(camera: *mut HsCamera, origin: *const f64) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (camera, origin) = unsafe { (unique(camera, "camera")?, numbers(origin, "origin")?) };
        let origin = DVec3::from_array(origin);
        if !origin.is_finite() {
            return Err(Failure::argument(format!("the origin {origin} must be finite")));
        }
        camera.0 = camera.0.relative_to(origin);
        Ok(HsStatus::Ok)
    })
}

/// Writes the pixel, two floats, that shows a point of three doubles, and the depth of the point. The status is
/// `HS_STATUS_NONE` for a point that is behind the camera or not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_camera_project(
    camera: *const HsCamera,
    point: *const f64,
    viewport: *const HsViewport,
    pixel: *mut f32,
    depth: *mut f32,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (camera, point, viewport) =
            unsafe { (shared(camera, "camera")?, numbers(point, "point")?, shared(viewport, "viewport")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (pixel, depth) = unsafe { (place(pixel.cast::<[f32; 2]>(), "pixel")?, place(depth, "depth")?) };
        let shown = camera.0.project(DVec3::from_array(point), viewport.viewport());
        let Some(shown) = shown else { return Ok(HsStatus::None) };
        pixel.write(shown.pixel.to_array());
        depth.write(shown.depth);
        Ok(HsStatus::Ok)
    })
}
