//! Triangulation of polygons by ear clipping (Meisters, "Polygons have ears", 1975), with exact predicates.
//!
//! A polygon of n corners gives n - 2 triangles, and each of its corners is a corner of a triangle. That includes
//! corners on a straight edge, which the `earcut` crates drop. Without such a corner, there would be a crack between
//! the edge and a neighbour that has the corner.

use hitscan::glam::{DVec3, Vec3};
use robust::{Coord, orient2d};
use std::collections::HashMap;

/// The number of comparisons of a corner with an ear that the polygons of one model may need together. A polygon takes
/// up to the cube of its number of corners if it crosses itself, and seldom more than the square. Without a limit a
/// file could state polygons that take years.
const MAX_STEPS: u64 = 1 << 28;

/// A predicate that f64 arithmetic does not decide is counted as this many steps. In exact arithmetic, with coordinates
/// of all magnitudes, it takes as long as this many comparisons, or longer.
const STEPS_OF_EXACT: u64 = 32;

/// A polygon took more steps than there were left.
#[derive(Debug)]
pub(crate) struct TooIntricate;

/// Cuts the polygons of one model.
pub(crate) struct Cutter {
    flat: Vec<Coord<f64>>,
    triangles: Vec<[usize; 3]>,
    steps_left: u64,
}

impl Cutter {
    pub(crate) fn new() -> Self {
        Self { flat: Vec::new(), triangles: Vec::new(), steps_left: MAX_STEPS }
    }

    /// Returns the triangles of a polygon, as indices of its corners, with the same orientation.
    ///
    /// They cover a polygon that is simple, or touches itself (holes reached by a bridge), as seen along its normal. A
    /// polygon of n corners that crosses itself also gets n - 2 triangles, which use all of its corners. A convex
    /// polygon, or one without area, becomes a fan. Corners must be finite.
    pub(crate) fn cut(&mut self, corners: &[Vec3]) -> Result<&[[usize; 3]], TooIntricate> {
        self.triangles.clear();
        self.flat.clear();
        self.flat.extend(flattened(corners));
        if self.flat.len() < 4 || is_convex(&self.flat) {
            self.triangles.extend((2..corners.len()).map(|last| [0, last - 1, last]));
        } else {
            Ring::new(&self.flat).clip_all(&mut self.triangles, &mut self.steps_left)?;
        }
        Ok(&self.triangles)
    }
}

/// Returns the corners without the coordinate whose axis is nearest to the direction of the normal. The corners are
/// seen against the normal, so that they are counter-clockwise. The other two coordinates are not rounded. The result
/// is empty for a polygon without area.
fn flattened(corners: &[Vec3]) -> impl Iterator<Item = Coord<f64>> {
    let normal = newell_normal(corners);
    let dropped = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
    let (mut x, mut y) = ((dropped + 1) % 3, (dropped + 2) % 3);
    if normal[dropped] < 0.0 {
        (x, y) = (y, x);
    }
    let with_area = if normal[dropped] == 0.0 { &[] } else { corners };
    with_area.iter().map(move |corner| Coord { x: f64::from(corner[x]), y: f64::from(corner[y]) })
}

/// Returns twice the polygon's area along its normal (Newell's method), around the first corner.
fn newell_normal(corners: &[Vec3]) -> DVec3 {
    let Some(first) = corners.first() else { return DVec3::ZERO };
    let arm = |corner: &Vec3| corner.as_dvec3() - first.as_dvec3();
    corners.windows(2).map(|pair| arm(&pair[0]).cross(arm(&pair[1]))).sum()
}

fn is_convex(flat: &[Coord<f64>]) -> bool {
    let count = flat.len();
    (0..count).all(|i| orient2d(flat[i], flat[(i + 1) % count], flat[(i + 2) % count]) > 0.0)
}

/// The corners of a polygon that are not cut off yet.
struct Ring<'a> {
    flat: &'a [Coord<f64>],
    previous: Vec<usize>,
    next: Vec<usize>,
    /// A number above 0 at each corner where the polygon turns left.
    turn: Vec<f64>,
    /// True for corners that have the same position as another corner.
    is_shared: Vec<bool>,
    is_left: Vec<bool>,
    left: usize,
    /// Corners that may lie in an ear. If any corner lies in an ear, then so does a corner that does not turn left, or
    /// that is shared. All such corners are listed, and a corner that has changed since may still be listed.
    obstacles: Vec<usize>,
    listed_at: usize,
}

impl<'a> Ring<'a> {
    fn new(flat: &'a [Coord<f64>]) -> Self {
        let count = flat.len();
        let mut ring = Self {
            flat,
            previous: (0..count).map(|i| (i + count - 1) % count).collect(),
            next: (0..count).map(|i| (i + 1) % count).collect(),
            turn: Vec::new(),
            is_shared: shared(flat),
            is_left: vec![true; count],
            left: count,
            obstacles: Vec::new(),
            listed_at: count,
        };
        ring.turn = (0..count).map(|corner| ring.turn_at(corner)).collect();
        ring.obstacles = (0..count).filter(|&corner| ring.is_obstacle(corner)).collect();
        ring
    }

    /// Clips ears, and skips one corner after each ear, which makes fewer slivers.
    fn clip_all(mut self, triangles: &mut Vec<[usize; 3]>, steps_left: &mut u64) -> Result<(), TooIntricate> {
        let (mut corner, mut passed) = (0, 0);
        while self.left > 3 {
            let is_ear = self.is_ear(corner, steps_left)?;
            if !is_ear && passed < self.left {
                (corner, passed) = (self.next[corner], passed + 1);
                continue;
            }
            if !is_ear {
                corner = self.least_harmful(corner);
            }
            triangles.push([self.previous[corner], corner, self.next[corner]]);
            let after = self.next[corner];
            self.clip(corner);
            (corner, passed) = (self.next[after], 0);
        }
        triangles.push([self.previous[corner], corner, self.next[corner]]);
        Ok(())
    }

    /// Returns whether a corner's triangle lies within the polygon, and can be cut off.
    fn is_ear(&self, tip: usize, steps_left: &mut u64) -> Result<bool, TooIntricate> {
        let mut steps = Steps(1);
        let is_ear = self.turn[tip] > 0.0 && !self.is_blocked(tip, &mut steps);
        *steps_left = steps_left.checked_sub(steps.0).ok_or(TooIntricate)?;
        Ok(is_ear)
    }

    /// Returns whether any corner lies in the triangle of a corner that turns left.
    fn is_blocked(&self, tip: usize, steps: &mut Steps) -> bool {
        let ear = [self.previous[tip], tip, self.next[tip]];
        let points = ear.map(|corner| self.flat[corner]);
        let [low, high] = bounds(points);
        let is_near = |p: Coord<f64>| p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
        let mut blocks = |&other: &usize| {
            steps.0 += 1;
            is_near(self.flat[other])
                && !ear.contains(&other)
                && self.is_obstacle(other)
                && self.is_in_the_way(other, points, steps)
        };
        self.obstacles.iter().any(&mut blocks)
    }

    fn is_in_the_way(&self, other: usize, ear: [Coord<f64>; 3], steps: &mut Steps) -> bool {
        let point = self.flat[other];
        match ear.iter().position(|&corner| corner == point) {
            // The polygon touches itself here: this is harmless, unless it continues between the ear's two edges.
            Some(corner) => {
                let [at, right, left] = [0, 1, 2].map(|i| ear[(corner + i) % 3]);
                let mut is_between =
                    |p: Coord<f64>| steps.orient2d(at, right, p) > 0.0 && steps.orient2d(at, left, p) < 0.0;
                [self.previous[other], self.next[other]].into_iter().any(|neighbour| is_between(self.flat[neighbour]))
            }
            None => (0..3).all(|i| steps.orient2d(ear[i], ear[(i + 1) % 3], point) >= 0.0),
        }
    }

    /// Returns the corner to cut off a polygon without ears, which crosses itself or has no area: a corner on a
    /// straight line, otherwise a corner that turns left, otherwise `corner`.
    fn least_harmful(&self, corner: usize) -> usize {
        let all = || std::iter::successors(Some(corner), |&at| Some(self.next[at])).take(self.left);
        let straight = all().find(|&at| self.turn[at] == 0.0);
        straight.or_else(|| all().find(|&at| self.turn[at] > 0.0)).unwrap_or(corner)
    }

    fn clip(&mut self, corner: usize) {
        let ends = [self.previous[corner], self.next[corner]];
        self.next[ends[0]] = ends[1];
        self.previous[ends[1]] = ends[0];
        self.is_left[corner] = false;
        self.left -= 1;
        for end in ends {
            let was_obstacle = self.is_obstacle(end);
            self.turn[end] = self.turn_at(end);
            if !was_obstacle && self.is_obstacle(end) {
                self.obstacles.push(end);
            }
        }
        if self.left <= self.listed_at / 2 {
            self.listed_at = self.left;
            let mut obstacles = std::mem::take(&mut self.obstacles);
            obstacles.retain(|&other| self.is_obstacle(other));
            obstacles.sort_unstable();
            obstacles.dedup();
            self.obstacles = obstacles;
        }
    }

    fn is_obstacle(&self, corner: usize) -> bool {
        self.is_left[corner] && (self.turn[corner] <= 0.0 || self.is_shared[corner])
    }

    fn turn_at(&self, corner: usize) -> f64 {
        orient2d(self.flat[self.previous[corner]], self.flat[corner], self.flat[self.next[corner]])
    }
}

/// The steps of work that was done.
struct Steps(u64);

impl Steps {
    /// Returns the result of [`orient2d`], or another number of the same sign, and counts the steps that this takes.
    fn orient2d(&mut self, a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> f64 {
        let (left, right) = ((a.x - c.x) * (b.y - c.y), (a.y - c.y) * (b.x - c.x));
        // `left` and `right` are rounded three times each, and `left - right` once more. The bound allows for a fifth
        // rounding.
        // No product of f32 coordinates underflows.
        let error = 2.5 * f64::EPSILON * (left.abs() + right.abs());
        if (left - right).abs() > error {
            self.0 += 1;
            return left - right;
        }
        self.0 += STEPS_OF_EXACT;
        orient2d(a, b, c)
    }
}

fn shared(flat: &[Coord<f64>]) -> Vec<bool> {
    // Adding 0 makes both zeros equal.
    let key = |point: &Coord<f64>| [point.x, point.y].map(|value| (value + 0.0).to_bits());
    let mut counts: HashMap<[u64; 2], usize> = HashMap::with_capacity(flat.len());
    flat.iter().for_each(|point| *counts.entry(key(point)).or_default() += 1);
    flat.iter().map(|point| counts[&key(point)] > 1).collect()
}

fn bounds([a, b, c]: [Coord<f64>; 3]) -> [Coord<f64>; 2] {
    let low = Coord { x: a.x.min(b.x).min(c.x), y: a.y.min(b.y).min(c.y) };
    let high = Coord { x: a.x.max(b.x).max(c.x), y: a.y.max(b.y).max(c.y) };
    [low, high]
}

#[cfg(test)]
mod tests;
