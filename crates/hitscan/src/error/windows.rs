//! Errors of cameras and regions of the window.

use glam::{DVec3, Vec2};

errors! {
    /// Why a camera cannot be made.
    pub enum CameraError {
        /// A transform, matrix, point or direction has a NaN or infinite element.
        #[error("the camera's {what} must be finite")]
        NotFinite {
            /// The input, such as "view matrix".
            what: &'static str,
        },
        /// A transform or matrix cannot be inverted. It has a scale of zero, or axes in one plane.
        #[error("the camera's {what} cannot be inverted: its axes must not be zero or in one plane")]
        Singular {
            /// The input, such as "view matrix".
            what: &'static str,
        },
        /// The last row of a view matrix is not (0, 0, 0, w).
        #[error("the view matrix's last row must be (0, 0, 0, w): give the projection separately, \
            or give the identity as view and the product as projection")]
        NotAffine,
        /// The vertical field of view is not between 0 and pi, or is so close to 0 that f64 cannot express the projection.
        #[error("the vertical field of view {fov_y} must be between 0 and pi: it is in radians")]
        FieldOfView {
            /// The field of view given, in radians.
            fov_y: f64,
        },
        /// The height of an orthographic picture is not positive and finite, or f64 cannot invert it.
        #[error("the picture's height {height} must be finite and positive")]
        Height {
            /// The height given, in world units.
            height: f64,
        },
        /// The aspect ratio (width over height) is not positive and finite.
        #[error("the aspect ratio {aspect} must be finite and positive")]
        Aspect {
            /// The aspect ratio given.
            aspect: f64,
        },
        /// The aspect ratio was set for a camera whose projection matrix already has one.
        #[error("the projection matrix already has an aspect ratio: change it in the matrix")]
        AspectInMatrix,
        /// `near < far` does not hold, `near` is infinite, or `near > 0` does not hold for a perspective camera.
        #[error("near {near} and far {far} must have near < far, and near > 0 for a perspective camera")]
        Depth {
            /// The given distance of the near plane.
            near: f64,
            /// The given distance of the far plane.
            far: f64,
        },
        /// The target is the camera's own position.
        #[error("the target must not be at the eye: there is no direction to look in")]
        NoDirection,
        /// The up direction is zero or parallel to the view.
        #[error("the up direction {up} must not be zero or along the view")]
        Up {
            /// The up direction given.
            up: DVec3,
        },
    }
}

errors! {
    /// The reason why a region of the window cannot be used.
    pub enum RegionError {
        /// A corner or a centre has a NaN or infinite coordinate.
        #[error("corner {corner} of the region, {at}, must be finite")]
        NotFinite {
            /// Index of the corner; 0 for a centre.
            corner: usize,
            /// The corner as given.
            at: Vec2,
        },
        /// The radius is negative, NaN or infinite.
        #[error("the region's radius must be finite and at least 0, not {radius}")]
        Radius {
            /// The radius as given.
            radius: f32,
        },
        /// A lasso has fewer than three corners, or more than 2^31.
        #[error("a lasso must have at least 3 corners and at most 2^31, not {count}")]
        Corners {
            /// The number of corners given.
            count: usize,
        },
        /// A visible selection would need too many samples.
        #[error("a visible selection may have 2^30 samples, not {count}: give a larger distance between them")]
        Samples {
            /// The number of samples in the rectangle around the region.
            count: f64,
        },
        /// The distance between the samples of a visible selection is not positive and finite.
        #[error("the distance between samples must be positive and finite, not {spacing}")]
        Spacing {
            /// The distance as given, in pixels.
            spacing: f32,
        },
    }
}
