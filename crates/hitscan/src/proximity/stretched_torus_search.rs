//! The nearest point of a stretched torus's surface, searched by the angles u around the axis and v around the tube.
//!
//! Half of the squared distance, F(u, v), is least at a pole or where both of its derivatives are 0. A patch of angles
//! is rejected in three cases: no point of it can be nearer than the best one so far; one derivative of F has the same
//! sign in all of it; or F curves downwards along one of the angles in all of it, so that it has no minimum there. If F
//! is convex in all of a patch, Newton's method starts in its middle, and the patch is not divided. Other patches are
//! halved. The bounds come from Taylor's theorem for the derivatives of the surface.

use super::stretched_torus::{TorusPoint, TorusSurface, nearer};
use crate::collections::ordered::ordered_by_cmp;
use crate::collections::sort::SharedSort;
use crate::math::float::{larger, length, smaller, sqrt};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::f64::consts::PI;
use glam::{DVec2, DVec3};

/// The numbers of initial patches around the axis and around the tube, and the maximum number of patches that are divided.
const FIRST: [u32; 2] = [8, 4];
const MOST_DIVISIONS: usize = 1024;
/// The maximum number of remaining patches from which local searches then start, and the number of further starts around the tube.
const LAST_LOOKS: usize = 128;
const LOOKS_BESIDE: u32 = 16;
/// Above this square of the sine between two tangents, their normal is computed.
const LEAST_SQUARED_SINE: f64 = 1e-12;
/// The relative improvement below which a patch is rejected.
const LEAST_IMPROVEMENT: f64 = 1.0 / (1u64 << 44) as f64;
/// The maximum number of Newton steps, and of times that one step is shortened.
const MOST_NEWTON_STEPS: usize = 40;
const MOST_SHORTENINGS: usize = 12;

/// Returns the nearest place of the surface that is found with the allowed number of divisions. It is the true nearest place if all patches were rejected.
/// `around` is the origin's direction from the axis in the torus's own space.
pub(super) fn search(tube: &TorusSurface, around: DVec2) -> TorusPoint {
    let start = tube.at(tube.towards_origin());
    let mut search = TorusSearch { tube, best: tube.poles(start.around).fold(start, nearer), open: BinaryHeap::new() };
    search.offer(start);
    search.offer(tube.at(around));
    let half = DVec2::new(PI / f64::from(FIRST[0]), PI / f64::from(FIRST[1]));
    for row in 0..FIRST[0] {
        for column in 0..FIRST[1] {
            let middle = DVec2::new(f64::from(2 * row), f64::from(2 * column)) * half;
            search.add(Patch { middle, half });
        }
    }
    for _ in 0..MOST_DIVISIONS {
        let Some(nearest) = search.open.pop().filter(|open| open.least <= search.limit()) else { break };
        for patch in nearest.patch.halves(nearest.is_longer_around) {
            search.add(patch);
        }
    }
    search.last_looks(around);
    search.best
}

struct TorusSearch<'a> {
    tube: &'a TorusSurface,
    best: TorusPoint,
    open: BinaryHeap<OpenPatch>,
}

impl TorusSearch<'_> {
    fn limit(&self) -> f64 {
        sqrt(self.best.square()) - LEAST_IMPROVEMENT * self.tube.size
    }

    /// Searches locally from a place, and keeps the result if that is on the surface and nearer.
    fn offer(&mut self, start: TorusPoint) {
        let found = improved(self.tube, start);
        if self.tube.radius(&found) >= 0.0 {
            self.best = nearer(self.best, found);
        }
    }

    /// Searches locally from the nearest remaining patches, and from all around the tube at the angle of the origin in
    /// the torus's own space: a torus that is far longer than wide has its nearest place near there.
    fn last_looks(&mut self, around: DVec2) {
        let mut places: Vec<TorusPoint> =
            self.open.iter().filter(|open| open.least < self.limit()).map(|open| open.patch.place(self.tube)).collect();
        places.sort_shared_stable_by(|a, b| a.square().total_cmp(&b.square()));
        for &place in places.iter().step_by(places.len() / LAST_LOOKS + 1) {
            self.offer(place);
        }
        if !places.is_empty() {
            let angles = (0..LOOKS_BESIDE).map(|number| f64::from(number) * (2.0 * PI / f64::from(LOOKS_BESIDE)));
            angles.for_each(|angle| self.offer(self.tube.place(around, turned(angle))));
        }
    }

    fn add(&mut self, patch: Patch) {
        match patch.verdict(self.tube, self.limit()) {
            PatchVerdict::LeftOut => {}
            PatchVerdict::Convex(place) => self.offer(place),
            PatchVerdict::Open(place, open) => {
                if place.square() < self.best.square() {
                    self.offer(place);
                }
                self.open.push(open);
            }
        }
    }
}

/// A patch that has to be divided.
#[derive(Clone, Copy)]
struct OpenPatch {
    /// A lower bound of the distance to any point of it.
    least: f64,
    patch: Patch,
    is_longer_around: bool,
}

impl Ord for OpenPatch {
    /// The greatest patch is the nearest one.
    fn cmp(&self, other: &Self) -> Ordering {
        other.least.total_cmp(&self.least)
    }
}

ordered_by_cmp!(OpenPatch);

/// A rectangle of angles: all (u, v) that differ from `middle` by at most `half`.
#[derive(Clone, Copy)]
struct Patch {
    middle: DVec2,
    half: DVec2,
}

enum PatchVerdict {
    LeftOut,
    /// F is convex, and the place is in the middle.
    Convex(TorusPoint),
    /// The place in the middle, and the patch that is still open.
    Open(TorusPoint, OpenPatch),
}

/// The number of minima that F may have in a patch.
enum Minima {
    None,
    /// F is convex.
    One,
    Unknown,
}

/// Bounds of the derivatives of the surface in a patch. Each is multiplied by the patch's half size in u for each derivative by u, and likewise for v.
struct DerivativeBounds {
    by: [f64; 2],
    /// The second derivatives by u twice, by both, and by v twice.
    second: [f64; 3],
    /// The third derivatives by u three times, and so on.
    third: [f64; 4],
    /// The largest distance of a point.
    farthest: f64,
}

impl Patch {
    /// Halves the patch across the angle along which it is longer in space.
    fn halves(self, is_longer_around: bool) -> [Self; 2] {
        let step = self.half * if is_longer_around { DVec2::new(0.5, 0.0) } else { DVec2::new(0.0, 0.5) };
        [-step, step].map(|middle| Self { middle: self.middle + middle, half: self.half - step })
    }

    fn place(&self, tube: &TorusSurface) -> TorusPoint {
        tube.place(turned(self.middle.x), turned(self.middle.y))
    }

    fn verdict(&self, tube: &TorusSurface, limit: f64) -> PatchVerdict {
        let place = self.place(tube);
        // Beyond the axis is the inside of the torus's opposite side.
        if tube.radius(&place) < -tube.minor * self.half.y {
            return PatchVerdict::LeftOut;
        }
        let slopes = SurfaceDerivatives::at(tube, &place);
        let bounds = self.bounds(tube, &place, &slopes);
        let distance = sqrt(place.square());
        let [uu, uv, vv] = bounds.second;
        let bend = 0.5 * (uu + vv) + uv;
        let least = larger(distance - bounds.by[0] - bounds.by[1], self.flat_distance(&place, &slopes) - bend);
        if least > limit {
            return PatchVerdict::LeftOut;
        }
        match self.minima(&slopes, &bounds) {
            Minima::One => PatchVerdict::Convex(place),
            Minima::None => PatchVerdict::LeftOut,
            Minima::Unknown => PatchVerdict::Open(
                place,
                OpenPatch { least, patch: *self, is_longer_around: bounds.by[0] >= bounds.by[1] },
            ),
        }
    }

    /// Returns a lower bound of the distance to the parallelogram that is tangent to the surface in the middle.
    fn flat_distance(&self, place: &TorusPoint, slopes: &SurfaceDerivatives) -> f64 {
        let (u, v) = (slopes.by_around * self.half.x, slopes.by_beside * self.half.y);
        let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
        let (pu, pv) = (-place.point.dot(u), -place.point.dot(v));
        // `beyond` is the distance in the plane that is left after moving along an axis as far as the patch extends.
        let normal = u.cross(v);
        // The difference is off by 16 u of the product. If the tangents are more nearly parallel, their normal is known to no better than 4e-10. Then the
        // height counts as 0, which is a lower bound too, and only costs divisions.
        let height = if uu * vv - uv * uv > LEAST_SQUARED_SINE * uu * vv {
            place.point.dot(normal).abs() / length(normal)
        } else {
            0.0
        };
        let beyond = |along: f64, square: f64| {
            let size = sqrt(square);
            if size > 0.0 { larger(along.abs() / size - size - uv.abs() / size, 0.0) } else { 0.0 }
        };
        let beyond = larger(beyond(pu, uu), beyond(pv, vv));
        sqrt(height * height + beyond * beyond)
    }

    fn bounds(&self, tube: &TorusSurface, place: &TorusPoint, slopes: &SurfaceDerivatives) -> DerivativeBounds {
        let [g, t, h] = [slopes.outwards, slopes.along, tube.up].map(length);
        let DVec2 { x: du, y: dv } = self.half;
        let (outwards, along) = (g + t * du, t + g * du);
        let (cosine, sine) = (place.beside.x.abs(), place.beside.y.abs());
        let (cosine, sine) = (smaller(cosine + dv, 1.0), smaller(sine + dv, 1.0));
        let r = tube.minor;
        let radius = smaller(tube.radius(place).abs() + r * sine * dv, tube.major + r);
        let by = [along * radius * du, (r * sine * outwards + h * cosine) * dv];
        let second =
            [outwards * radius * du * du, r * sine * along * du * dv, (r * cosine * outwards + h * sine) * dv * dv];
        let third = [
            along * radius * du * du * du,
            r * sine * outwards * du * du * dv,
            r * cosine * along * du * dv * dv,
            (r * sine * outwards + h * cosine) * dv * dv * dv,
        ];
        DerivativeBounds { by, second, third, farthest: sqrt(place.square()) + by[0] + by[1] }
    }

    /// Determines the number of minima from the derivatives in the middle and their variation in the patch.
    fn minima(&self, slopes: &SurfaceDerivatives, bounds: &DerivativeBounds) -> Minima {
        let DVec2 { x: du, y: dv } = self.half;
        let DerivativeBounds { by: [u, v], second: [uu, uv, vv], third: [uuu, uuv, uvv, vvv], farthest } = *bounds;
        let first = slopes.first * self.half;
        let second = [slopes.second().x * du * du, slopes.mixed * du * dv, slopes.second().y * dv * dv];
        // This is the variation of the second derivatives.
        let change = [
            3.0 * u * uu + farthest * uuu + 2.0 * u * uv + v * uu + farthest * uuv,
            2.0 * u * uv + v * uu + farthest * uuv + 2.0 * v * uv + u * vv + farthest * uvv,
            2.0 * v * uv + u * vv + farthest * uvv + 3.0 * v * vv + farthest * vvv,
        ];
        let most = |i: usize| second[i].abs() + change[i];
        if first.x.abs() > most(0) + most(1) || first.y.abs() > most(1) + most(2) {
            return Minima::None;
        }
        if second[0] + change[0] < 0.0 || second[2] + change[2] < 0.0 {
            return Minima::None;
        }
        let (low, high, mixed) = (second[0] - change[0], second[2] - change[2], most(1));
        if low > 0.0 && high > 0.0 && low * high > mixed * mixed { Minima::One } else { Minima::Unknown }
    }
}

fn turned(angle: f64) -> DVec2 {
    DVec2::new(libm::cos(angle), libm::sin(angle))
}

/// Improves a place by Newton's method for both angles, as long as it comes nearer.
fn improved(tube: &TorusSurface, mut place: TorusPoint) -> TorusPoint {
    for _ in 0..MOST_NEWTON_STEPS {
        let Some(next) = step(tube, &place) else { break };
        place = next;
    }
    place
}

/// Returns the next place, which is nearer, or equally near with a smaller gradient.
fn step(tube: &TorusSurface, place: &TorusPoint) -> Option<TorusPoint> {
    let slopes = SurfaceDerivatives::at(tube, place);
    let mut step = slopes.step();
    let (square, rounding) = (place.square(), 8.0 * f64::EPSILON * tube.size * sqrt(place.square()));
    for _ in 0..MOST_SHORTENINGS {
        let by = |at: DVec2, angle: f64| {
            let turned = at.rotate(turned(angle));
            turned / sqrt(turned.length_squared())
        };
        let next = tube.place(by(place.around, step.x), by(place.beside, step.y));
        let is_flatter = || SurfaceDerivatives::at(tube, &next).steepness() < slopes.steepness() * 0.25;
        let is_better = next.square() < square - rounding || next.square() <= square + rounding && is_flatter();
        let is_on_surface = tube.radius(&next) >= 0.0 || tube.radius(place) < 0.0;
        if is_on_surface && is_better {
            return Some(next);
        }
        step *= 0.25;
    }
    None
}

/// The derivatives of the surface and of F at a place.
struct SurfaceDerivatives {
    outwards: DVec3,
    along: DVec3,
    by_around: DVec3,
    by_beside: DVec3,
    first: DVec2,
    /// The second derivatives of F are the sums of these two: the squared lengths of the first derivatives of the point, and the contribution of the surface's
    /// curvature.
    squares: DVec2,
    bends: DVec2,
    mixed: f64,
}

impl SurfaceDerivatives {
    fn at(tube: &TorusSurface, place: &TorusPoint) -> Self {
        let [outwards, along] = tube.frame(place.around);
        let DVec2 { x: cosine, y: sine } = place.beside;
        let (radius, point) = (tube.radius(place), place.point);
        let by_around = along * radius;
        let by_beside = tube.up * cosine - outwards * (tube.minor * sine);
        let twice_beside = -(tube.up * sine + outwards * (tube.minor * cosine));
        Self {
            outwards,
            along,
            by_around,
            by_beside,
            first: DVec2::new(point.dot(by_around), point.dot(by_beside)),
            squares: DVec2::new(by_around.length_squared(), by_beside.length_squared()),
            bends: DVec2::new(-point.dot(outwards) * radius, point.dot(twice_beside)),
            mixed: by_around.dot(by_beside) - point.dot(along) * (tube.minor * sine),
        }
    }

    fn second(&self) -> DVec2 {
        self.squares + self.bends
    }

    /// Returns the square of the component of the offset along the surface.
    fn steepness(&self) -> f64 {
        let part = |slope: f64, square: f64| if square > 0.0 { slope * slope / square } else { 0.0 };
        part(self.first.x, self.squares.x) + part(self.first.y, self.squares.y)
    }

    /// Returns Newton's step, or if that leads to no minimum, the step for a flat surface.
    fn step(&self) -> DVec2 {
        const LONGEST_STEP: f64 = 0.5;
        let second = self.second();
        let flat = self.by_around.dot(self.by_beside);
        let newton = self.solved(second, self.mixed).or_else(|| self.solved(self.squares, flat));
        let step = newton.unwrap_or(-self.first / self.squares);
        DVec2::new(bounded(step.x, LONGEST_STEP), bounded(step.y, LONGEST_STEP))
    }

    /// Returns the step to the minimum of a quadratic function with these second derivatives, if it has one.
    fn solved(&self, second: DVec2, mixed: f64) -> Option<DVec2> {
        let determinant = second.x * second.y - mixed * mixed;
        let step =
            DVec2::new(mixed * self.first.y - second.y * self.first.x, mixed * self.first.x - second.x * self.first.y)
                / determinant;
        (second.x > 0.0 && determinant > 0.0 && step.is_finite()).then_some(step)
    }
}

/// Clamps a number to the range from `-most` to `most`; NaN becomes 0.
fn bounded(x: f64, most: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(-most, most) }
}
