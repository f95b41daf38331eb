//! The camera: from a cursor to a ray, and from a point to its pixel.

mod axes;
mod lens;
mod pixel_map;
mod pixel_space;
#[cfg(feature = "serde")]
mod saved;
mod viewport;

pub(crate) use pixel_map::{HomogeneousPixel, LinearForm, PixelMap};
pub(crate) use pixel_space::PixelSpace;
pub use viewport::Viewport;

use crate::error::CameraError;
use crate::geom::ray::Ray;
use crate::math::float::{round_vec3, unit};
use axes::{orthonormal, without_scale};
use glam::{DAffine3, DMat3, DMat4, DVec2, DVec3, Vec2, Vec3, Vec4Swizzles};
use lens::Lens;

/// A camera: it finds the ray under a cursor, and the pixel of a point.
///
/// World space is right-handed. The camera looks along -z of its own space, and y is up. Cursors and pixels are window
/// pixels: the origin is top-left, and y points down. Depth is distance along the view axis (not along the ray), in
/// world units.
///
/// Everything is computed in f64 and rounded once, to the f32 ray or pixel. Far from the world's origin that rounding
/// is visible (at 1e6 units it is 0.03 units); [`relative_to`](Self::relative_to) avoids it.
///
/// ```
/// use core::f64::consts::FRAC_PI_3;
/// use hitscan::{Camera, Sphere, glam::Vec2};
///
/// let transform = Camera::look_at([0.0, 2.0, 10.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0])?;
/// let camera = Camera::perspective(transform, FRAC_PI_3)?;
/// let (window, cursor) = ([1920.0, 1080.0], Vec2::new(960.0, 540.0));
///
/// let ray = camera.ray(cursor, window);
/// let hit = Sphere::at([0.0, 2.0, 0.0], 1.0).cast(&ray).unwrap();
/// assert_eq!(hit.t, 9.0);
/// assert_eq!(camera.project(ray.at(hit.t), window).unwrap().pixel, cursor);
/// # Ok::<(), hitscan::error::CameraError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "saved::SavedCamera", try_from = "saved::SavedCamera"))]
pub struct Camera {
    /// The centre of projection. For parallel rays, the point where the ray through the picture's middle has depth 0.
    eye: DVec3,
    lens: Lens,
    aspect: Aspect,
    near: f64,
    far: f64,
}

/// The source of the picture's aspect ratio (width over height).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Aspect {
    /// The viewport decides each time; the lens has aspect 1.
    Viewport,
    /// The caller decides; the lens has aspect 1.
    Fixed(f64),
    /// The lens is used as it is.
    Matrix,
}

/// The position of a point in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Projected {
    /// Position in window pixels, origin top-left, y down. It is outside the viewport if the point is outside the picture.
    pub pixel: Vec2,
    /// Distance from the eye's plane along the view axis, in world units; negative behind an orthographic camera.
    pub depth: f32,
}

impl Camera {
    /// Makes a perspective camera from its camera-to-world transform and the vertical field of view in radians.
    ///
    /// Its aspect ratio is the aspect ratio of the viewport, unless [`with_aspect`](Self::with_aspect) fixes it. Depth
    /// is unlimited, unless [`with_clip`](Self::with_clip) limits it. How the renderer stores depth (finite, infinite,
    /// reversed) does not matter.
    ///
    /// Scale in the transform is ignored, as glTF requires of a camera's node. The view axis is the transform's -z, up
    /// is its y made perpendicular to the view axis, and the picture is never mirrored.
    ///
    /// ```
    /// use core::f64::consts::FRAC_PI_2;
    /// use hitscan::{Camera, glam::{DAffine3, DVec3, Vec3}};
    ///
    /// let camera = Camera::perspective(DAffine3::from_translation(DVec3::Y), FRAC_PI_2)?;
    /// let ray = camera.ray([400.0, 300.0], [800.0, 600.0]);
    /// assert_eq!((ray.origin, ray.direction), (Vec3::Y, Vec3::NEG_Z));
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the field of view is not between 0 and pi (both excluded), or if the transform is not
    /// finite. Another error is a transform whose y and z axes are zero or parallel.
    pub fn perspective(transform: DAffine3, fov_y: f64) -> Result<Self, CameraError> {
        let error = CameraError::FieldOfView { fov_y };
        if !(fov_y > 0.0 && fov_y < core::f64::consts::PI) {
            return Err(error);
        }
        let lens = Lens::perspective(without_scale(&transform)?, libm::tan(fov_y * 0.5)).ok_or(error)?;
        Ok(Self::new(transform.translation, lens, Aspect::Viewport))
    }

    /// Makes an orthographic camera from its camera-to-world transform and the height of its picture in world units (twice glTF's `ymag`).
    ///
    /// Rays start in the eye's plane, which goes through the transform's translation and is perpendicular to the view
    /// axis. Aspect ratio, depth and scale are treated as in [`perspective`](Self::perspective).
    ///
    /// ```
    /// use hitscan::{Camera, glam::{DAffine3, Vec3}};
    ///
    /// let camera = Camera::orthographic(DAffine3::IDENTITY, 6.0)?;
    /// let ray = camera.ray([0.0, 0.0], [800.0, 600.0]);
    /// assert_eq!((ray.origin, ray.direction), (Vec3::new(-4.0, 3.0, 0.0), Vec3::NEG_Z));
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the height is not positive and finite, or if the transform is not finite. Another error is a transform whose y and z axes are zero
    /// or parallel.
    pub fn orthographic(transform: DAffine3, height: f64) -> Result<Self, CameraError> {
        let error = CameraError::Height { height };
        if !(height > 0.0 && height.is_finite()) {
            return Err(error);
        }
        let lens = Lens::orthographic(without_scale(&transform)?, height * 0.5).ok_or(error)?;
        Ok(Self::new(transform.translation, lens, Aspect::Viewport))
    }

    /// Makes a camera from the matrices that draw its picture: world to view, and view to clip space.
    ///
    /// The projection may be perspective or orthographic, off centre, jittered, or with an oblique near plane. It may
    /// have any depth range: 0 to 1, -1 to 1, reversed, or infinite. The near plane and the depth range are in the
    /// matrix's depth row, which a ray does not need. Y points up in clip space, as in OpenGL, Direct3D, Metal and
    /// WebGPU; for Vulkan see [`with_clip_y_down`](Self::with_clip_y_down). The picture is stretched over the viewport
    /// that is given.
    ///
    /// The visible side of a perspective is where clip w is positive, and rays start at the centre of projection. An
    /// orthographic matrix does not distinguish front from back. The camera looks along -z of view space, as
    /// right-handed views do. With a left-handed view, such as Direct3D's functions make, the camera would pick the
    /// objects behind it. In that case call [`with_view_left_handed`](Self::with_view_left_handed). Rays start in
    /// the plane z = 0 of view space.
    ///
    /// The view may be scaled. With perspective it may also be left-handed, or be the identity if the projection is the
    /// product of both matrices. Matrices in f32 convert with `as_dmat4()`.
    ///
    /// ```
    /// use hitscan::{Camera, glam::{DVec3, dcamera::rh, Vec3}};
    ///
    /// let view = rh::view::look_at_mat4(DVec3::Z, DVec3::ZERO, DVec3::Y);
    /// let projection = rh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1);
    /// let ray = Camera::from_matrices(view, projection)?.ray([400.0, 300.0], [800.0, 600.0]);
    /// assert_eq!((ray.origin, ray.direction), (Vec3::Z, Vec3::NEG_Z));
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a matrix has a NaN or infinite element, or if the last row of the view is not (0, 0, 0, w).
    /// Another error is a matrix that cannot be inverted. The projection's depth row is ignored in this test.
    pub fn from_matrices(view: impl Into<DMat4>, projection: impl Into<DMat4>) -> Result<Self, CameraError> {
        let (view, projection) = (view.into(), projection.into());
        for (what, matrix) in [("view matrix", &view), ("projection matrix", &projection)] {
            if !matrix.is_finite() {
                return Err(CameraError::NotFinite { what });
            }
        }
        // The last element of a numerical inverse is rarely exactly 1.
        let last_row = view.row(3);
        if last_row.xyz() != DVec3::ZERO || last_row.w == 0.0 {
            return Err(CameraError::NotAffine);
        }
        let (eye, lens) = Lens::from_matrices(view, projection)?;
        Ok(Self::new(eye, lens, Aspect::Matrix))
    }

    /// Returns the camera-to-world transform of a camera at `eye` that looks at `target`, with `up` upwards in its picture.
    ///
    /// `up` need not be of unit length, nor perpendicular to the view.
    ///
    /// # Errors
    /// Returns an error if an input is NaN or infinite, if the target is at the eye, or if `up` is zero or along the view.
    pub fn look_at(
        eye: impl Into<DVec3>,
        target: impl Into<DVec3>,
        up: impl Into<DVec3>,
    ) -> Result<DAffine3, CameraError> {
        let (eye, target, up) = (eye.into(), target.into(), up.into());
        for (what, point) in [("eye", eye), ("target", target), ("up direction", up)] {
            if !point.is_finite() {
                return Err(CameraError::NotFinite { what });
            }
        }
        // Both points are halved, because the difference of two finite points may be beyond f64.
        let back = unit(eye * 0.5 - target * 0.5).ok_or(CameraError::NoDirection)?;
        let [right, up, forward] = orthonormal(up, back).ok_or(CameraError::Up { up })?;
        Ok(DAffine3::from_mat3_translation(DMat3::from_cols(right, up, -forward), eye))
    }

    fn new(eye: DVec3, lens: Lens, aspect: Aspect) -> Self {
        Self { eye, lens, aspect, near: 0.0, far: f64::INFINITY }
    }

    /// Returns the same camera with a fixed aspect ratio, width over height (glTF: `aspectRatio`, or `xmag / ymag`).
    /// The picture is stretched over the viewport that is given, instead of taking the viewport's aspect ratio.
    ///
    /// # Errors
    /// Returns an error if the aspect ratio is not positive and finite, or if the camera was made from matrices, which contain it.
    pub fn with_aspect(self, aspect: f64) -> Result<Self, CameraError> {
        if self.aspect == Aspect::Matrix {
            return Err(CameraError::AspectInMatrix);
        }
        if !(aspect > 0.0 && aspect.is_finite()) {
            return Err(CameraError::Aspect { aspect });
        }
        Ok(Self { aspect: Aspect::Fixed(aspect), ..self })
    }

    /// Returns the same camera with rays that begin and end at these depths, like a picture that is clipped there. `far` may be infinite.
    ///
    /// Rays of other cameras begin at the eye (for an orthographic camera, in the eye's plane) and never end. `t` is still measured from there. The range is
    /// near to far, multiplied by the ray's length for each unit of depth, and each end is rounded to f32. This applies to [`ray`](Self::ray);
    /// [`project`](Self::project) also answers beyond these depths.
    ///
    /// # Errors
    /// Returns an error unless `near < far`, `near` is finite, and, with perspective, `near > 0`.
    pub fn with_clip(self, near: f64, far: f64) -> Result<Self, CameraError> {
        let in_front = near > 0.0 || !self.lens.is_perspective();
        if !(near < far && near.is_finite() && in_front) {
            return Err(CameraError::Depth { near, far });
        }
        Ok(Self { near, far, ..self })
    }

    /// Returns the same camera for a picture that is drawn upside down. Use it for matrices whose clip space has y downwards (Vulkan).
    #[must_use]
    pub fn with_clip_y_down(self) -> Self {
        Self { lens: self.lens.flipped_y(), ..self }
    }

    /// Returns the same camera for matrices whose view space is left-handed. The camera then looks along +z of view
    /// space.
    ///
    /// An orthographic matrix does not contain this information: without this call, its rays go backwards. A
    /// perspective matrix contains it, and this call does not change it.
    ///
    /// ```
    /// use hitscan::{Camera, glam::{DVec3, Vec3, dcamera::lh}};
    ///
    /// let view = lh::view::look_at_mat4(DVec3::new(0.0, 0.0, -5.0), DVec3::ZERO, DVec3::Y);
    /// let projection = lh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    /// let camera = Camera::from_matrices(view, projection)?.with_view_left_handed();
    /// let ray = camera.ray([400.0, 300.0], [800.0, 600.0]);
    /// assert_eq!((ray.origin, ray.direction), (Vec3::new(0.0, 0.0, -5.0), Vec3::Z));
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    #[must_use]
    pub fn with_view_left_handed(self) -> Self {
        Self { lens: self.lens.with_view_left_handed(), ..self }
    }

    /// Returns the same camera in a world whose origin is at `origin`. Its rays, and the points given to it, are relative to `origin`.
    ///
    /// Relative to its own [`position`](Self::position), a camera loses no precision to f32, however far it is from the world's origin.
    ///
    /// ```
    /// use hitscan::{Camera, glam::{DAffine3, DVec3, Vec3}};
    ///
    /// let camera = Camera::perspective(DAffine3::from_translation(DVec3::new(6.4e6, 0.1, 0.0)), 1.0)?;
    /// let local = camera.relative_to(camera.position());
    /// assert_eq!(local.ray([400.0, 300.0], [800.0, 600.0]).origin, Vec3::ZERO);
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    #[must_use]
    pub fn relative_to(self, origin: impl Into<DVec3>) -> Self {
        Self { eye: self.eye - origin.into(), ..self }
    }

    /// Returns the eye in world space, where perspective rays start. For an orthographic camera, it is the start of the
    /// ray through the middle of the picture.
    pub fn position(&self) -> DVec3 {
        self.eye
    }

    /// Returns the view axis along which depth is measured: unit length, world space.
    pub fn forward(&self) -> DVec3 {
        self.lens.forward()
    }

    /// Returns the ray under a cursor, in world space. Its direction has unit length, so `t` is the distance from the
    /// eye (from the eye's plane for an orthographic camera). Its range is 0 to infinity, or the range of
    /// [`with_clip`](Self::with_clip).
    ///
    /// A cursor outside the viewport gives the ray that a larger picture would have there. A ray hits nothing if the
    /// cursor is NaN or infinite. The same holds for a viewport whose size is not positive and finite (a minimised
    /// window).
    ///
    /// The ray differs from the exact ray by the rounding to f32: at most half an ulp in each component of origin and direction.
    #[doc(alias("screen_to_ray", "viewport_to_world", "screen_point_to_ray", "unproject", "mouse"))]
    pub fn ray(&self, cursor: impl Into<Vec2>, viewport: impl Into<Viewport>) -> Ray {
        let viewport = viewport.into();
        let ray =
            viewport.to_picture(cursor.into()).and_then(|picture| self.ray_through(picture, self.width(&viewport)));
        ray.unwrap_or_else(|| Ray::with_direction(round_vec3(self.eye), Vec3::NAN))
    }

    fn ray_through(&self, picture: DVec2, width: f64) -> Option<Ray> {
        let (start, step) = self.lens.ray(DVec2::new(picture.x * width, picture.y));
        let direction = unit(step)?;
        let length = step.dot(direction);
        Some(
            Ray::with_direction(round_vec3(self.eye + start), round_vec3(direction))
                .with_range((self.near * length) as f32, (self.far * length) as f32),
        )
    }

    /// Returns the pixel that shows a point in world space, and the point's depth. The point may be outside the picture.
    ///
    /// Returns `None` for a point that is not in front of a perspective eye, and for a point whose pixel or depth is
    /// beyond f32. Also returns `None` for a NaN or infinite point, and for a viewport whose size is not positive and
    /// finite.
    ///
    /// ```
    /// use hitscan::{Camera, glam::{DAffine3, Vec2}};
    ///
    /// let camera = Camera::perspective(DAffine3::IDENTITY, core::f64::consts::FRAC_PI_2)?;
    /// let above = camera.project([0.0, 5.0, -10.0], [800.0, 600.0]).unwrap();
    /// assert_eq!((above.pixel, above.depth), (Vec2::new(400.0, 150.0), 10.0));
    /// assert_eq!(camera.project([0.0, 5.0, 10.0], [800.0, 600.0]), None);
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    #[doc(alias("world_to_screen", "world_to_viewport"))]
    pub fn project(&self, point: impl Into<DVec3>, viewport: impl Into<Viewport>) -> Option<Projected> {
        let viewport = viewport.into();
        let (picture, depth) = self.lens.project(point.into() - self.eye)?;
        let pixel = viewport.to_pixel(DVec2::new(picture.x / self.width(&viewport), picture.y))?;
        let depth = depth as f32;
        depth.is_finite().then_some(Projected { pixel, depth })
    }

    /// Returns the width of the picture relative to the width that the lens gives it.
    fn width(&self, viewport: &Viewport) -> f64 {
        match self.aspect {
            Aspect::Viewport => viewport.aspect(),
            Aspect::Fixed(aspect) => aspect,
            Aspect::Matrix => 1.0,
        }
    }
}
