//! A camera that is moved by hand.

use crate::args::Size;
use crate::camera::{Lens, View};
use crate::extent::Extent;
use anyhow::Result;
use hitscan::Camera;
use hitscan::error::CameraError;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec2, DVec3};

/// The least angle between the view and straight up or down, in radians. Beyond straight up or down, left and right would
/// be swapped.
const NEAREST_TO_POLE: f64 = 0.01;
/// The fraction of the distance to the cursor's point that is left after one line of the wheel.
const WHEEL: f64 = 0.85;
/// The least and the greatest distance or height that zooming reaches, relative to the size of the model.
const ZOOM: [f64; 2] = [1e-6, 1e3];
/// A drag over the whole height of the window turns the camera by half a turn.
const TURN: f64 = std::f64::consts::PI;
/// The fraction of the picture that a framed box fills.
const FILLED: f64 = 0.8;

/// A camera, and the pivot that it orbits.
#[derive(Clone, Debug)]
pub(super) struct Orbit {
    transform: DAffine3,
    lens: Lens,
    /// The camera with this transform and lens.
    camera: Camera,
    /// The last point around which the camera turned, or to which it zoomed. Gestures at the sky use its depth.
    pivot: DVec3,
    /// The radius of the model.
    radius: f64,
}

impl Orbit {
    /// Begins with a view of a model that has this extent.
    pub(super) fn new(view: &View<'_>, extent: Option<Extent>) -> Result<Self> {
        // This call fails if a camera of the file is invalid, and its error names the camera.
        view.camera()?;
        let axes = straightened(view.transform.matrix3);
        let transform = DAffine3::from_mat3_translation(axes, view.transform.translation);
        let camera = made(transform, view.lens)?;
        let (center, radius) =
            extent.map_or((DVec3::ZERO, 0.0), |extent| (extent.center(), extent.half_size().length()));
        let radius = if radius > 0.0 { radius } else { 1.0 };
        let depth = (center - camera.position()).dot(camera.forward());
        let depth = if depth > 0.0 { depth } else { radius };
        let pivot = camera.position() + camera.forward() * depth;
        Ok(Self { transform, lens: view.lens, camera, pivot, radius })
    }

    pub(super) fn camera(&self) -> Camera {
        self.camera
    }

    pub(super) fn lens(&self) -> Lens {
        self.lens
    }

    pub(super) fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// Sets the point around which the camera turns.
    pub(super) fn set_pivot(&mut self, pivot: DVec3) {
        self.pivot = pivot;
    }

    /// Orbits the pivot by a drag, in units of the window's height. The pivot keeps its pixel.
    pub(super) fn turn(&mut self, drag: DVec2) {
        let forward = self.camera.forward();
        let elevation = forward.y.clamp(-1.0, 1.0).asin();
        let pole = std::f64::consts::FRAC_PI_2 - NEAREST_TO_POLE;
        // A camera of the file may look straight down. It must not jump then.
        let wanted = (elevation - drag.y * TURN).clamp(elevation.min(-pole), elevation.max(pole));
        let right = forward.cross(DVec3::Y).try_normalize().unwrap_or(self.transform.matrix3.x_axis);
        let rotation = DQuat::from_rotation_y(-drag.x * TURN) * DQuat::from_axis_angle(right, wanted - elevation);
        let matrix3 = DMat3::from_quat(rotation) * self.transform.matrix3;
        let eye = self.pivot + rotation * (self.transform.translation - self.pivot);
        self.set(DAffine3::from_mat3_translation(straightened(matrix3), eye), self.lens);
    }

    /// Moves the camera in the plane of the picture, so that points at the pivot's depth follow a drag, in units of the
    /// window's height.
    pub(super) fn pan(&mut self, drag: DVec2) {
        let axes = self.transform.matrix3;
        let height = self.height_at(self.pivot);
        let motion = (axes.x_axis * -drag.x + axes.y_axis * drag.y) * height;
        let moved = DAffine3 { translation: self.transform.translation + motion, ..self.transform };
        self.pivot += motion;
        self.set(moved, self.lens);
    }

    /// Moves closer to a point by a number of lines of the wheel. The point keeps its pixel.
    pub(super) fn zoom(&mut self, to: DVec3, lines: f64) {
        let eye = self.transform.translation;
        let (from, lens) = match self.lens {
            Lens::Perspective { .. } => (eye.distance(to), None),
            Lens::Orthographic { height } => (height, Some(height)),
        };
        let [nearest, farthest] = ZOOM.map(|distance| distance * self.radius);
        let wanted = (from * WHEEL.powf(lines)).clamp(nearest.min(from), farthest.max(from));
        let rest = if from > 0.0 { wanted / from } else { 1.0 };
        let forward = self.camera.forward();
        // An orthographic camera does not move along its axis. Otherwise things could get behind it.
        let way = if lens.is_some() { (to - eye).reject_from_normalized(forward) } else { to - eye };
        let lens = lens.map_or(self.lens, |height| Lens::Orthographic { height: height * rest });
        self.pivot = to;
        self.set(DAffine3 { translation: eye + way * (1.0 - rest), ..self.transform }, lens);
    }

    /// Looks at the middle of a box in the present view direction, from a distance at which a window of this size shows
    /// all of the box.
    pub(super) fn frame(&mut self, extent: &Extent, size: Size) {
        let radius = extent.half_size().length().max(ZOOM[0] * self.radius);
        let narrower = size.aspect().min(1.0);
        let (distance, lens) = match self.lens {
            Lens::Perspective { fov_y } => (radius / ((fov_y * 0.5).tan() * narrower).atan().sin() / FILLED, self.lens),
            Lens::Orthographic { .. } => {
                (2.0 * radius, Lens::Orthographic { height: 2.0 * radius / narrower / FILLED })
            }
        };
        self.pivot = extent.center();
        let eye = self.pivot - self.camera.forward() * distance;
        self.set(DAffine3 { translation: eye, ..self.transform }, lens);
    }

    /// Returns the height of the picture at the depth of a point.
    pub(super) fn height_at(&self, point: DVec3) -> f64 {
        match self.lens {
            Lens::Perspective { fov_y } => {
                let depth = (point - self.camera.position()).dot(self.camera.forward());
                2.0 * (fov_y * 0.5).tan() * depth.max(0.0)
            }
            Lens::Orthographic { height } => height,
        }
    }

    /// Sets the transform and the lens, if they make a valid camera.
    fn set(&mut self, transform: DAffine3, lens: Lens) {
        if let Ok(camera) = made(transform, lens) {
            (self.transform, self.lens, self.camera) = (transform, lens, camera);
        }
    }
}

fn made(transform: DAffine3, lens: Lens) -> Result<Camera, CameraError> {
    match lens {
        Lens::Perspective { fov_y } => Camera::perspective(transform, fov_y),
        Lens::Orthographic { height } => Camera::orthographic(transform, height),
    }
}

/// Returns axes that are perpendicular and of unit length, which removes accumulated rounding errors.
fn straightened(axes: DMat3) -> DMat3 {
    let back = axes.z_axis.normalize();
    let up = axes.y_axis.reject_from_normalized(back).normalize();
    DMat3::from_cols(up.cross(back), up, back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Origin;
    use hitscan::glam::Vec2;

    const SIZE: Size = Size { width: 640, height: 480 };
    const LENSES: [Lens; 2] = [Lens::Perspective { fov_y: 0.8 }, Lens::Orthographic { height: 6.0 }];

    fn orbit(lens: Lens) -> Orbit {
        let transform = Camera::look_at([3.0, 4.0, 9.0], [0.5, 0.0, 0.0], DVec3::Y).unwrap();
        let extent = Extent { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) };
        let view = View { origin: Origin::ByHand, transform, lens, clip: None };
        Orbit::new(&view, Some(extent)).unwrap()
    }

    fn pixel(orbit: &Orbit, point: DVec3) -> Vec2 {
        orbit.camera().project(point, [SIZE.width, SIZE.height]).expect("it is in front").pixel
    }

    #[test]
    fn what_is_held_keeps_its_pixel() {
        for lens in LENSES {
            let mut orbit = orbit(lens);
            let held = DVec3::new(1.0, 0.5, -0.7);
            orbit.set_pivot(held);
            let before = pixel(&orbit, held);
            for step in 0..100 {
                orbit.turn(DVec2::new(0.013, if step % 30 < 20 { 0.02 } else { -0.04 }));
                assert!(pixel(&orbit, held).distance(before) < 1e-2, "{lens:?} {step}");
            }
            for lines in [1.0, 3.0, -5.0, 0.25] {
                orbit.zoom(held, lines);
                assert!(pixel(&orbit, held).distance(before) < 1e-2, "{lens:?} {lines}");
            }
            let drag = DVec2::new(0.1, -0.05);
            orbit.pan(drag);
            let moved = before + (drag * f64::from(SIZE.height)).as_vec2();
            assert!(pixel(&orbit, held).distance(moved) < 1e-2, "{lens:?}");
        }
    }

    #[test]
    fn it_stops_before_the_poles() {
        for lens in LENSES {
            for down in [1.0, -1.0] {
                let mut orbit = orbit(lens);
                (0..50).for_each(|_| orbit.turn(DVec2::new(0.0, 0.1 * down)));
                let elevation = orbit.camera().forward().y.asin();
                let pole = std::f64::consts::FRAC_PI_2 - NEAREST_TO_POLE;
                assert!((elevation + pole * down).abs() < 1e-6, "{lens:?}: {elevation}");
            }
        }
    }

    #[test]
    fn zooming_ends() {
        for lens in LENSES {
            for lines in [10.0, -10.0, 1e300, -1e300] {
                let mut orbit = orbit(lens);
                let height = |orbit: &Orbit| orbit.height_at(DVec3::ZERO) / orbit.radius;
                (0..200).for_each(|_| orbit.zoom(DVec3::ZERO, lines));
                assert!((1e-7..1e4).contains(&height(&orbit)), "{lens:?} {lines}: {}", height(&orbit));
                assert!(orbit.camera().position().is_finite());
            }
        }
    }

    #[test]
    fn what_is_framed_is_in_the_picture() {
        for lens in LENSES {
            let mut orbit = orbit(lens);
            let extent = Extent { min: DVec3::new(10.0, 0.0, -3.0), max: DVec3::new(12.0, 5.0, 3.0) };
            orbit.frame(&extent, SIZE);
            let inside = |pixel: Vec2| pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(Vec2::new(640.0, 480.0)).all();
            for corner in [extent.min, extent.max, DVec3::new(12.0, 0.0, 3.0), DVec3::new(10.0, 5.0, -3.0)] {
                assert!(inside(pixel(&orbit, corner)), "{lens:?} {corner}");
            }
            assert!(pixel(&orbit, extent.center()).distance(Vec2::new(320.0, 240.0)) < 1e-2);
        }
    }
}
