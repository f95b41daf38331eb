//! Lines and figures made of lines, with smooth edges. The coverage of a pixel is 0.5 plus the depth of its middle
//! inside the edge of the line, in pixels. It is clamped to the range from 0 to 1.

use super::canvas::{Canvas, Color};
use hitscan::glam::DVec2;

impl Canvas {
    /// Draws a line with round ends, in pixels.
    pub(crate) fn line(&mut self, from: DVec2, to: DVec2, width: f64, color: Color) {
        self.stroke([from, to], width, color, 1.0);
    }

    /// Draws a line with round ends and this coverage.
    pub(crate) fn stroke(&mut self, [from, to]: [DVec2; 2], width: f64, color: Color, coverage: f64) {
        let along = to - from;
        let length_squared = along.length_squared();
        let distance = |at: DVec2| {
            let way =
                if length_squared > 0.0 { ((at - from).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
            at.distance(from + along * way) - width * 0.5
        };
        self.fill([from, to], width * 0.5, color, coverage, distance);
    }

    /// Draws a dashed line. `dash` is the length of a dash with the gap after it, which is equally long.
    pub(crate) fn dashes(&mut self, from: DVec2, to: DVec2, width: f64, dash: f64, color: Color) {
        let length = from.distance(to);
        // On a line that is far longer than a picture is wide, the dashes are longer. So there are at most a
        // thousand dashes.
        let dash = dash.max(length / 1000.0);
        let along = (to - from).normalize_or_zero();
        let mut start = 0.0;
        while start < length {
            self.line(from + along * start, from + along * (start + dash * 0.5).min(length), width, color);
            start += dash;
        }
    }

    /// Draws lines through these points.
    pub(crate) fn path(&mut self, points: &[DVec2], width: f64, color: Color) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], width, color);
        }
    }

    pub(crate) fn disc(&mut self, center: DVec2, radius: f64, color: Color) {
        self.fill([center, center], radius, color, 1.0, |at| at.distance(center) - radius);
    }

    /// Draws a line with a head at its end.
    pub(crate) fn arrow(&mut self, from: DVec2, to: DVec2, width: f64, color: Color) {
        self.wide_arrow(from, to, width, 0.0, color);
    }

    /// Draws an arrow that is wider by a border on all sides.
    pub(crate) fn wide_arrow(&mut self, from: DVec2, to: DVec2, width: f64, border: f64, color: Color) {
        let along = (to - from).normalize_or_zero();
        let across = along.perp();
        let head = (width * 4.5).min(from.distance(to));
        let neck = to - along * head;
        self.line(from, neck, width + 2.0 * border, color);
        let corners = [to, neck + across * head * 0.42, neck - across * head * 0.42];
        self.triangle(corners, border, color, 1.0);
    }

    /// Draws a triangle that is larger by a border on all sides, with this coverage.
    pub(crate) fn triangle(&mut self, corners: [DVec2; 3], border: f64, color: Color, coverage: f64) {
        let [a, b, c] = corners;
        let sense = (b - a).perp_dot(c - a).signum();
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| (from, -(to - from).perp().normalize_or_zero() * sense));
        let outside = |at: DVec2| {
            edges.iter().map(|(from, normal)| (at - *from).dot(*normal)).fold(f64::NEG_INFINITY, f64::max) - border
        };
        let [low, high] = [a.min(b).min(c), a.max(b).max(c)];
        // Around a sharp corner, the border reaches farther than its width.
        self.fill([low, high], 4.0 * border, color, coverage, outside);
    }

    /// Draws a rectangle with this coverage.
    pub(crate) fn plate(&mut self, low: DVec2, high: DVec2, color: Color, coverage: f64) {
        let (center, half) = ((low + high) * 0.5, (high - low) * 0.5);
        self.fill([low, high], 0.0, color, coverage, |at| ((at - center).abs() - half).max_element());
    }

    /// Fills a figure, given the distance of a point from its edge in pixels, negative inside. It tests the pixels in the box
    /// of two points, enlarged by `margin` and one pixel.
    fn fill(&mut self, ends: [DVec2; 2], margin: f64, color: Color, coverage: f64, distance: impl Fn(DVec2) -> f64) {
        let [low, high] = [ends[0].min(ends[1]) - (margin + 1.0), ends[0].max(ends[1]) + (margin + 1.0)];
        let size = DVec2::new(self.size().width.into(), self.size().height.into());
        let [low, high] = [low, high].map(|corner| corner.clamp(DVec2::ZERO, size));
        for y in low.y.floor() as i64..high.y.ceil() as i64 {
            for x in low.x.floor() as i64..high.x.ceil() as i64 {
                let inside = (0.5 - distance(DVec2::new(x as f64 + 0.5, y as f64 + 0.5))).clamp(0.0, 1.0);
                if inside > 0.0 {
                    self.tint(x, y, color, coverage * inside);
                }
            }
        }
    }
}
