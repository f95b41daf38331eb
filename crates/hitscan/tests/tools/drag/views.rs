//! Random cameras, whose projection the test also computes by itself.

use hitscan::drag::Picture;
use hitscan::glam::{DAffine3, DMat4, DQuat, DVec2, DVec3, Vec2};
use hitscan::{Camera, Viewport};
use hitscan_random::Random;

/// A camera with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) picture: Picture,
    pub(crate) eye: DVec3,
    pub(crate) turn: DQuat,
    /// Half of the picture's height at a depth of 1, or everywhere for an orthographic camera.
    half_height: f64,
    pub(crate) is_perspective: bool,
    /// The position of the view axis in the picture, for an off-axis camera.
    shift: DVec2,
}

impl Seen {
    /// Makes a camera anywhere near a place, with a field of view from 1 to 170 degrees, in a part of a window.
    pub(crate) fn random(random: &mut Random, near: DVec3) -> Self {
        let turn = random.rotation();
        let eye = near + random.cube() * 10.0;
        let fov = random.pick(&[1.0, 20.0, 45.0, 60.0, 90.0, 120.0, 150.0, 170.0f64]).to_radians();
        let size = Vec2::new(300.0 + 2000.0 * random.fraction() as f32, 200.0 + 1500.0 * random.fraction() as f32);
        let viewport = Viewport { origin: Vec2::new(random.below(900) as f32, random.below(500) as f32), size };
        let transform = DAffine3::from_rotation_translation(turn, eye);
        let is_perspective = random.below(4) > 0;
        let half_height = if is_perspective { (fov * 0.5).tan() } else { 0.1 + 9.0 * random.fraction() };
        let aspect = f64::from(size.x) / f64::from(size.y);
        let mut shift = DVec2::ZERO;
        let camera = match (is_perspective, random.below(2)) {
            (true, 0) => Camera::perspective(transform, fov),
            (true, _) => {
                // Reversed and infinite depth, off-axis.
                let (x, y) = (1.0 / (half_height * aspect), 1.0 / half_height);
                shift = DVec2::new(random.unit(), random.unit()) * 0.7;
                let third = [-shift.x, -shift.y, 0.0, -1.0];
                let columns = [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], third, [0.0, 0.0, 0.1, 0.0]];
                Camera::from_matrices(DMat4::from(transform.inverse()), DMat4::from_cols_array_2d(&columns))
            }
            (false, _) => Camera::orthographic(transform, 2.0 * half_height),
        };
        let camera = camera.expect("a valid camera");
        Self { picture: Picture::new(camera, viewport), eye, turn, half_height, is_perspective, shift }
    }

    /// Returns a cursor in the picture, or far outside of it.
    pub(crate) fn cursor(&self, random: &mut Random) -> Vec2 {
        let Viewport { origin, size } = self.picture.viewport;
        let reach = random.pick(&[1.0, 1.0, 1.0, 1.5, 30.0]);
        let place = DVec2::new(0.5 + 0.5 * reach * random.unit(), 0.5 + 0.5 * reach * random.unit());
        origin + size * place.as_vec2()
    }

    /// Returns start and direction of a cursor's ray, by the textbook.
    pub(crate) fn ray(&self, cursor: Vec2) -> (DVec3, DVec3) {
        let Viewport { origin, size } = self.picture.viewport;
        let (at, size) = (cursor.as_dvec2() - origin.as_dvec2(), size.as_dvec2());
        let up = self.half_height * (1.0 - 2.0 * at.y / size.y - self.shift.y);
        let right = self.half_height * size.x / size.y * (2.0 * at.x / size.x - 1.0 - self.shift.x);
        if self.is_perspective {
            (self.eye, self.turn * DVec3::new(right, up, -1.0))
        } else {
            (self.eye + self.turn * DVec3::new(right, up, 0.0), self.turn * DVec3::NEG_Z)
        }
    }

    /// Returns the unit direction in which a point is seen.
    pub(crate) fn view_of(&self, point: DVec3) -> DVec3 {
        if self.is_perspective { (point - self.eye).normalize() } else { self.turn * DVec3::NEG_Z }
    }

    /// Returns a point in front of the camera, or sometimes behind it.
    pub(crate) fn point(&self, random: &mut Random) -> DVec3 {
        let (start, direction) = self.ray(self.cursor(random));
        let depth = random.pick(&[1.0, 1.0, 1.0, -1.0]) * (0.01 + 20.0 * random.fraction());
        start + direction * depth
    }

    /// Returns the pixel of a point, or `None` if the point is not in front of the camera.
    pub(crate) fn pixel(&self, point: DVec3) -> Option<Vec2> {
        self.picture.camera.project(point, self.picture.viewport).map(|shown| shown.pixel)
    }
}

/// Returns how many drags are tried.
pub(crate) fn count() -> usize {
    hitscan_random::effort::size(5_000, 20_000, 1_000_000)
}
