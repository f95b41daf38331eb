//! The path of the feet, drawn over a picture of the model.

use super::walker::Walker;
use crate::picture::{Canvas, Color};
use crate::render::View;
use hitscan::Pose;
use hitscan::debug::{self, Role};
use hitscan::glam::{DVec2, DVec3};

const SHADOW: Color = [20, 20, 28];
const START: Color = [255, 255, 255];

/// The width of the line as a fraction of the picture's height, and its least width in pixels.
const LINE: f64 = 0.006;
const FINEST: f64 = 2.0;
/// Points are merged if their distance in the picture is less than this fraction of the line's width.
const NEAR: f64 = 0.3;
/// A point of the path is treated as hidden if a point above it is hidden. That point is higher by this fraction of the
/// character's height. The feet themselves would be hidden by every roughness of the ground.
const LIFT: f64 = 0.05;

/// A path as it appears in the picture. It has no more points than the picture can show.
pub(super) struct Trail<'a> {
    view: &'a View<'a>,
    lift: DVec3,
    points: Vec<Point>,
    /// True if the path was behind the eye since the last point.
    is_broken: bool,
}

/// A point of the path, in the picture.
#[derive(Clone, Copy)]
struct Point {
    pixel: DVec2,
    is_hidden: bool,
    /// True if the line from the previous point is left out.
    begins: bool,
}

impl<'a> Trail<'a> {
    pub(super) fn new(view: &'a View<'a>, walker: &Walker<'_>) -> Self {
        let lift = (walker.pose().position - walker.feet()) * (2.0 * LIFT);
        let mut trail = Self { view, lift, points: Vec::new(), is_broken: true };
        trail.add(walker);
        trail
    }

    /// Adds the place where the feet are.
    pub(super) fn add(&mut self, walker: &Walker<'_>) {
        self.extend(walker, NEAR * self.width());
    }

    /// Adds the place where the feet are, unless it is nearer to the last point than `near` pixels.
    fn extend(&mut self, walker: &Walker<'_>, near: f64) {
        let place = self.view.relative(walker.feet());
        let Some(pixel) = self.view.pixel(place) else {
            self.is_broken = true;
            return;
        };
        let last = self.points.last().filter(|_| !self.is_broken);
        if last.is_none_or(|last| last.pixel.distance(pixel) > near) {
            let is_hidden = self.view.hides(place + self.lift);
            self.points.push(Point { pixel, is_hidden, begins: self.is_broken });
            self.is_broken = false;
        }
    }

    fn width(&self) -> f64 {
        (f64::from(self.view.size.height) * LINE).max(FINEST)
    }

    /// Draws the path, and the capsule at its end.
    pub(super) fn draw(mut self, canvas: &mut Canvas, walker: &Walker<'_>) {
        self.extend(walker, 0.0);
        let width = self.width();
        self.draw_lines(canvas, true, 0.5 * width, Role::Hidden.color());
        for (width, color) in [(1.8 * width, SHADOW), (width, Role::Way.color())] {
            self.draw_lines(canvas, false, width, color);
        }
        self.draw_capsule(canvas, walker);
        if let Some(start) = self.points.first() {
            canvas.disc(start.pixel, 1.4 * width, SHADOW);
            canvas.disc(start.pixel, width, START);
        }
    }

    /// Draws either the hidden lines or the visible lines.
    fn draw_lines(&self, canvas: &mut Canvas, are_hidden: bool, width: f64, color: Color) {
        for pair in self.points.windows(2) {
            if !pair[1].begins && pair[1].is_hidden == are_hidden {
                canvas.line(pair[0].pixel, pair[1].pixel, width, color);
            }
        }
    }

    fn draw_capsule(&self, canvas: &mut Canvas, walker: &Walker<'_>) {
        let pose = walker.pose();
        let near_the_eye = Pose { position: self.view.relative(pose.position), ..pose };
        for line in debug::volume(&walker.character.volume, near_the_eye) {
            let [from, to] = [line.from, line.to].map(|end| self.view.pixel(end.as_dvec3()));
            if let (Some(from), Some(to)) = (from, to) {
                canvas.line(from, to, 0.35 * self.width(), line.role.color());
            }
        }
    }
}
