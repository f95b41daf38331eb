//! Answers of cursors by brute force. No code is shared with the library except the input: the projection follows from the documented lens, and distances
//! from the projected pixels.

mod hiding;
mod picture;
mod world;
mod worlds;

pub(crate) use hiding::Sight;
pub(crate) use picture::{Feature, Picture};
pub(crate) use worlds::{large, mixed};

use hitscan::glam::{DVec2, DVec3};
use hitscan::{Camera, Viewport};

/// A camera that looks from one place to another, written independently of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub(crate) eye: DVec3,
    target: DVec3,
    up: DVec3,
    /// The angle of view in y; `None` for parallel rays.
    fov: Option<f64>,
    /// The height of the picture with parallel rays.
    height: f64,
    pub(crate) size: [f32; 2],
    /// True if every projection is computed without rounding for coordinates that are multiples of a small power of two.
    pub(crate) is_exact: bool,
}

impl Lens {
    pub(crate) fn perspective(eye: DVec3, target: DVec3, fov: f64, size: [f32; 2]) -> Self {
        Self { eye, target, up: up_for(eye - target), fov: Some(fov), height: 0.0, size, is_exact: false }
    }

    pub(crate) fn parallel(eye: DVec3, target: DVec3, height: f64, size: [f32; 2]) -> Self {
        Self { eye, target, up: up_for(eye - target), fov: None, height, size, is_exact: false }
    }

    /// A lens along an axis, with a whole power of two of pixels for each unit.
    pub(crate) fn exact(axis: DVec3) -> Self {
        let lens = Self::parallel(axis * 32.0, DVec3::ZERO, 16.0, [1024.0, 512.0]);
        Self { is_exact: true, ..lens }
    }

    pub(crate) fn camera(&self) -> Camera {
        let transform = Camera::look_at(self.eye, self.target, self.up).unwrap();
        match self.fov {
            Some(fov) => Camera::perspective(transform, fov).unwrap(),
            None => Camera::orthographic(transform, self.height).unwrap(),
        }
    }

    pub(crate) fn viewport(&self) -> Viewport {
        Viewport::new(self.size[0], self.size[1])
    }

    pub(crate) fn is_parallel(&self) -> bool {
        self.fov.is_none()
    }

    /// Returns how far right, up and forward of the eye a point is.
    pub(crate) fn view(&self, point: DVec3) -> DVec3 {
        let forward = (self.target - self.eye).normalize();
        let right = forward.cross(self.up).normalize();
        let offset = point - self.eye;
        DVec3::new(offset.dot(right), offset.dot(right.cross(forward)), offset.dot(forward))
    }

    /// Returns the window pixel of a point in the coordinates of the view.
    pub(crate) fn pixel_of_view(&self, view: DVec3) -> DVec2 {
        let [width, height] = self.size.map(f64::from);
        // This is the number of pixels of a unit, at the depth of the point.
        let scale = match self.fov {
            Some(fov) => height / (2.0 * (fov / 2.0).tan() * view.z),
            None => height / self.height,
        };
        DVec2::new(width / 2.0 + view.x * scale, height / 2.0 - view.y * scale)
    }

    /// Returns the window pixel of a point and its depth, if the picture shows it.
    pub(crate) fn shown(&self, point: DVec3) -> Option<(DVec2, f64)> {
        let view = self.view(point);
        let is_in_front = if self.is_parallel() { view.z >= 0.0 } else { view.z > 0.0 };
        let pixel = self.pixel_of_view(view);
        (is_in_front && self.has(pixel)).then_some((pixel, view.z))
    }

    /// Returns whether the window has a pixel.
    pub(crate) fn has(&self, pixel: DVec2) -> bool {
        let [width, height] = self.size.map(f64::from);
        (0.0..=width).contains(&pixel.x) && (0.0..=height).contains(&pixel.y)
    }

    /// Returns the part of a segment that is in front of the eye and in the window. The part is given as places from 0 to 1, with the pixels of its ends.
    pub(crate) fn clip(&self, ends: [DVec3; 2]) -> Option<([f64; 2], [DVec2; 2])> {
        let [a, b] = ends.map(|end| self.view(end));
        let [width, height] = self.size.map(f64::from);
        let near = if self.is_parallel() { 0.0 } else { 1e-9 };
        let (mut low, mut high) = (0.0f64, 1.0f64);
        // In the coordinates of the view, a side of the window is a plane through the eye, or with parallel rays a
        // plane along the view axis.
        let half = match self.fov {
            Some(fov) => (fov / 2.0).tan(),
            None => self.height / 2.0,
        };
        let half = DVec2::new(half * width / height, half);
        let limit = |view: DVec3, half: f64| if self.is_parallel() { half } else { half * view.z };
        let inside = |view: DVec3| {
            let (x, y) = (limit(view, half.x), limit(view, half.y));
            [view.z - near, x - view.x, x + view.x, y - view.y, y + view.y]
        };
        for (from, to) in inside(a).into_iter().zip(inside(b)) {
            let place = from / (from - to);
            match (from < 0.0, to < 0.0) {
                (true, true) => return None,
                (true, false) => low = low.max(place),
                (false, true) => high = high.min(place),
                (false, false) => {}
            }
        }
        let pixel = |place: f64| self.pixel_of_view(if place == 1.0 { b } else { a + (b - a) * place });
        (low <= high).then(|| ([low, high], [pixel(low), pixel(high)]))
    }
}

fn up_for(back: DVec3) -> DVec3 {
    if back.normalize().y.abs() > 0.9 { DVec3::X } else { DVec3::Y }
}
