//! An oracle for the contents of a region, triangle by triangle, in f64. It shares no code with the library.

use hitscan::glam::{DMat3, DVec2, DVec3, DVec4, Vec4Swizzles};

/// A camera as linear functions of a point and 1: pixel x and y times w, w, and depth.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) rows: [DVec4; 4],
    pub(crate) near: f64,
    pub(crate) far: f64,
    /// The first and the last pixel of the viewport.
    pub(crate) viewport: [DVec2; 2],
}

/// A region of the window.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Rect([DVec2; 2]),
    Circle(DVec2, f64),
    Lasso(Vec<DVec2>),
}

/// The part of an entity that must be in a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    Touching,
    Inside,
    Center,
}

impl Picture {
    /// Returns pixel x and y times w, w, and depth.
    pub(crate) fn project(&self, point: DVec3) -> DVec4 {
        DVec4::from_array(self.rows.map(|row| row.dot(point.extend(1.0))))
    }

    /// Returns the homogeneous coordinates of the eye, with w = 1. If all rays are parallel, returns their vector for
    /// one unit of depth, with w = 0.
    pub(crate) fn towards(&self) -> DVec4 {
        let [x, y, w, depth] = self.rows;
        let is_perspective = w == depth;
        let constants = if is_perspective { -DVec3::new(x.w, y.w, w.w) } else { DVec3::Z };
        let rows = DMat3::from_cols(x.truncate(), y.truncate(), depth.truncate()).transpose();
        (rows.inverse() * constants).extend(if is_perspective { 1.0 } else { 0.0 })
    }

    /// Returns whether a point, segment or triangle of the world is selected.
    pub(crate) fn selects(&self, corners: &[DVec3], shape: &Shape, how: How) -> bool {
        match how {
            How::Touching => self.touches(corners, shape),
            How::Inside => self.holds(corners, shape),
            How::Center => self.holds(&[corners.iter().sum::<DVec3>() / corners.len() as f64], shape),
        }
    }

    fn touches(&self, corners: &[DVec3], shape: &Shape) -> bool {
        let mut polygon: Vec<DVec4> = corners.iter().map(|&corner| self.project(corner)).collect();
        polygon = cut(polygon, |p| p.w - self.near);
        if self.far.is_finite() {
            polygon = cut(polygon, |p| self.far - p.w);
        }
        let mut frames = vec![self.viewport];
        if let Shape::Rect(rect) = shape {
            frames.push(*rect);
        }
        for [low, high] in frames {
            polygon = cut(polygon, |p| p.x - low.x * p.z);
            polygon = cut(polygon, |p| high.x * p.z - p.x);
            polygon = cut(polygon, |p| p.y - low.y * p.z);
            polygon = cut(polygon, |p| high.y * p.z - p.y);
        }
        let pixels: Vec<DVec2> = polygon.iter().map(|p| p.xy() / p.z).collect();
        match shape {
            _ if pixels.is_empty() => false,
            Shape::Rect(_) => true,
            Shape::Circle(center, radius) => distance(*center, &pixels) <= *radius,
            Shape::Lasso(lasso) => crosses(lasso, &pixels) || shape.contains(pixels[0]),
        }
    }

    fn holds(&self, corners: &[DVec3], shape: &Shape) -> bool {
        let points: Vec<DVec4> = corners.iter().map(|&corner| self.project(corner)).collect();
        if points.iter().any(|p| !(p.z > 0.0 && p.w >= self.near && p.w <= self.far)) {
            return false;
        }
        let pixels: Vec<DVec2> = points.iter().map(|p| p.xy() / p.z).collect();
        let in_view = |p: &DVec2| self.viewport[0].cmple(*p).all() && p.cmple(self.viewport[1]).all();
        pixels.iter().all(|p| in_view(p) && shape.contains(*p))
            && match shape {
                Shape::Lasso(lasso) => !crosses(lasso, &pixels),
                Shape::Rect(_) | Shape::Circle(..) => true,
            }
    }
}

impl Shape {
    pub(crate) fn contains(&self, p: DVec2) -> bool {
        match self {
            Self::Rect([low, high]) => low.cmple(p).all() && p.cmple(*high).all(),
            Self::Circle(center, radius) => center.distance(p) <= *radius,
            Self::Lasso(corners) => {
                let mut odd = false;
                for (a, b) in sides(corners) {
                    if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                        odd = !odd;
                    }
                }
                odd
            }
        }
    }
}

/// Returns the part of a polygon of homogeneous points where a height is not negative.
fn cut(polygon: Vec<DVec4>, height: impl Fn(DVec4) -> f64) -> Vec<DVec4> {
    let mut kept = Vec::new();
    for (i, &to) in polygon.iter().enumerate() {
        let from = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (before, after) = (height(from), height(to));
        if before * after < 0.0 {
            kept.push(from.lerp(to, before / (before - after)));
        }
        if after >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

fn sides(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn is_in_polygon(p: DVec2, polygon: &[DVec2]) -> bool {
    let turns = || sides(polygon).map(|(a, b)| turn(a, b, p));
    polygon.len() > 2 && (turns().all(|t| t > 0.0) || turns().all(|t| t < 0.0))
}

fn distance(p: DVec2, polygon: &[DVec2]) -> f64 {
    if is_in_polygon(p, polygon) {
        return 0.0;
    }
    let to_side = |(a, b): (DVec2, DVec2)| {
        let s = if a == b { 0.0 } else { ((p - a).dot(b - a) / (b - a).dot(b - a)).clamp(0.0, 1.0) };
        p.distance(a + (b - a) * s)
    };
    sides(polygon).map(to_side).fold(f64::INFINITY, f64::min)
}

/// Returns whether the line of a lasso goes through a convex polygon.
fn crosses(lasso: &[DVec2], polygon: &[DVec2]) -> bool {
    let is_across = |(a, b): (DVec2, DVec2), (p, q): (DVec2, DVec2)| {
        turn(a, b, p) * turn(a, b, q) <= 0.0 && turn(p, q, a) * turn(p, q, b) <= 0.0 && boxes_meet([a, b], [p, q])
    };
    sides(lasso).any(|line| is_in_polygon(line.0, polygon) || sides(polygon).any(|side| is_across(line, side)))
}

fn boxes_meet([a, b]: [DVec2; 2], [p, q]: [DVec2; 2]) -> bool {
    a.min(b).cmple(p.max(q)).all() && p.min(q).cmple(a.max(b)).all()
}
