//! The nearest point of a ring (torus), also where its transform has stretched it so that it is round nowhere.
//!
//! Around the ring's axis, the tube's circles are ellipses in space, and the nearest point of one is in closed form. The angle around the axis is searched: a sector of it is left out
//! when a bound proves that nothing in it is nearer than the best point so far, and every point that is better is moved by Newton's method to where it is best.

use super::ellipse::Ellipse;
use super::principal::Orthogonal;
use super::revolved::Revolved;
use super::ring::Ring;
use super::surface_foot::SurfaceFoot;
use crate::float::{larger, largest, length, sqrt, unit};
use crate::transform::Placement;
use alloc::vec::Vec;
use glam::{DMat3, DVec2, DVec3};

/// The first sectors, and how many are looked at in all.
const SECTORS: u32 = 16;
const MOST_SECTORS: usize = 1536;
/// Newton's steps at most, and how often one is halved.
const MOST_STEPS: usize = 40;
const MOST_HALVINGS: usize = 12;
/// A sector is left out when it is nearer by no more than this part of the size.
const RESOLUTION: f64 = 1.0 / (1u64 << 42) as f64;

impl Ring<'_> {
    /// The nearest point of the surface to the origin.
    pub(super) fn foot(&self) -> SurfaceFoot {
        if let Some(revolved) = Revolved::of_ring(self) {
            return revolved.foot();
        }
        let Ok(placed) = Placement::new(self.to_world) else {
            return SurfaceFoot::outside(self.to_world.translation, DVec3::Y);
        };
        Tube::new(self).foot(placed.to_local.translation, &placed.to_local.matrix3)
    }
}

/// The surface of all (major + minor cos v) (x cos u + z sin u) + up sin v, around a center.
struct Tube {
    center: DVec3,
    /// Along the longest and the shortest diameter of the ring's circle: x and z by major = 1.
    plane: [DVec3; 2],
    /// How these are made of the transform's columns.
    parts: [[f64; 2]; 2],
    up: DVec3,
    major: f64,
    minor: f64,
    size: f64,
}

/// A point of the surface, by the cosine and sine of both angles.
#[derive(Clone, Copy)]
struct Place {
    around: DVec2,
    beside: DVec2,
    point: DVec3,
}

impl Place {
    fn square(&self) -> f64 {
        self.point.length_squared()
    }
}

/// The angles within `half` of one.
#[derive(Clone, Copy)]
struct Sector {
    middle: f64,
    half: f64,
}

impl Sector {
    fn halves(self) -> [Self; 2] {
        let half = self.half * 0.5;
        [self.middle - half, self.middle + half].map(|middle| Self { middle, half })
    }
}

fn turned(angle: f64) -> DVec2 {
    DVec2::new(libm::cos(angle), libm::sin(angle))
}

impl Tube {
    fn new(ring: &Ring<'_>) -> Self {
        let linear = ring.to_world.matrix3;
        let (major, minor) = (f64::from(ring.torus.major), f64::from(ring.torus.minor));
        let axes = Orthogonal::of([linear.x_axis, linear.z_axis]);
        let (center, up) = (ring.to_world.translation, linear.y_axis * minor);
        let size = largest(center) + (major + minor) * length(axes.columns[0]) + length(up);
        Self { center, plane: axes.columns, parts: axes.parts, up, major, minor, size }
    }

    /// Given the origin in the ring's own space and the transform to that.
    fn foot(&self, local: DVec3, to_local: &DMat3) -> SurfaceFoot {
        let beside = sqrt(local.x * local.x + local.z * local.z) - self.major;
        let is_inside = sqrt(beside * beside + local.y * local.y) < self.minor;
        let place = if self.is_round() { self.at(self.towards_origin()) } else { self.search() };
        let along = if is_inside { place.point } else { -place.point };
        let normal = self.normal(&place, to_local).or_else(|| unit(along)).unwrap_or(DVec3::Y);
        SurfaceFoot { point: place.point, normal, is_inside }
    }

    fn radius(&self, place: &Place) -> f64 {
        self.major + self.minor * place.beside.x
    }

    /// The outward normal; `None` at a pole, which is on the axis.
    fn normal(&self, place: &Place, to_local: &DMat3) -> Option<DVec3> {
        if !(self.radius(place) > f64::EPSILON * self.minor) {
            return None;
        }
        let [p, q] = self.parts;
        let local = DVec2::new(p[0], p[1]) * place.around.x + DVec2::new(q[0], q[1]) * place.around.y;
        let outwards = local * place.beside.x;
        unit(to_local.transpose() * DVec3::new(outwards.x, place.beside.y, outwards.y))
    }

    /// Whether it is round around its axis, though its tube is not.
    fn is_round(&self) -> bool {
        let [x, z] = self.plane.map(|axis| axis.length_squared());
        let slant = |axis: DVec3| axis.dot(self.up).abs() <= RESOLUTION * length(axis) * length(self.up);
        x - z <= RESOLUTION * x && self.plane.iter().all(|&axis| slant(axis))
    }

    fn towards_origin(&self) -> DVec2 {
        let towards = DVec2::from_array(self.plane.map(|axis| -axis.dot(self.center)));
        let size = sqrt(towards.length_squared());
        if size > 0.0 { towards / size } else { DVec2::X }
    }

    /// At an angle around the axis, from the axis outwards and along the ring.
    fn frame(&self, around: DVec2) -> [DVec3; 2] {
        let [x, z] = self.plane;
        [x * around.x + z * around.y, z * around.x - x * around.y]
    }

    fn place(&self, around: DVec2, beside: DVec2) -> Place {
        let [outwards, _] = self.frame(around);
        let point = self.center + outwards * (self.major + self.minor * beside.x) + self.up * beside.y;
        Place { around, beside, point }
    }

    /// The nearest point at an angle around the axis. Points beyond the axis are not of the surface: instead, the poles are where it ends.
    fn at(&self, around: DVec2) -> Place {
        let [outwards, _] = self.frame(around);
        let ellipse = Ellipse::spanned(outwards * self.minor, self.up);
        let place = -(self.center + outwards * self.major);
        let on_surface = |point: [f64; 2]| {
            let beside = DVec2::from_array(ellipse.parts_at(point));
            Some(self.place(around, beside)).filter(|place| self.radius(place) >= 0.0)
        };
        let nearest = ellipse.foot(place).and_then(|foot| on_surface(foot.on_sphere));
        if let Some(nearest) = nearest {
            return nearest;
        }
        let second = ellipse.second(place).and_then(|foot| on_surface(foot.on_sphere));
        second.into_iter().chain(self.poles(around)).reduce(nearer).unwrap_or_else(|| self.place(around, DVec2::X))
    }

    /// Where the surface meets the axis, if it does.
    fn poles(&self, around: DVec2) -> impl Iterator<Item = Place> {
        let cosine = -self.major / self.minor;
        let sine = sqrt(larger((1.0 - cosine) * (1.0 + cosine), 0.0));
        let places = [sine, -sine].map(|sine| Place {
            around,
            beside: DVec2::new(cosine, sine),
            point: self.center + self.up * sine,
        });
        places.into_iter().filter(move |_| self.major <= self.minor)
    }

    fn search(&self) -> Place {
        let half = core::f64::consts::PI / f64::from(SECTORS);
        let mut sectors: Vec<Sector> =
            (0..SECTORS).map(|number| Sector { middle: f64::from(2 * number) * half, half }).collect();
        let starts = sectors.iter().map(|sector| self.improved(self.at(turned(sector.middle))));
        let towards = self.at(self.towards_origin());
        let mut best = starts.fold(self.improved(towards), nearer);
        let mut left = MOST_SECTORS;
        while !sectors.is_empty() && left > 0 {
            let mut next = Vec::new();
            for sector in sectors.into_iter().take(left) {
                left -= 1;
                if self.least(sector) < sqrt(best.square()) - RESOLUTION * self.size {
                    best = self.better(best, sector);
                    next.extend(sector.halves());
                }
            }
            sectors = next;
        }
        best
    }

    fn better(&self, best: Place, sector: Sector) -> Place {
        let found = self.at(turned(sector.middle));
        if found.square() < best.square() { nearer(best, self.improved(found)) } else { best }
    }

    /// At most the distance to any point of a sector.
    ///
    /// At an angle t from the middle, a point is beside the one of the same v at the middle by (major + minor cos v) (g' sin t - g (1 - cos t)), with g outwards and g' along the
    /// ring. Seen along g', only the second part is left, which is of second order; along g' itself, both are.
    fn least(&self, Sector { middle, half }: Sector) -> f64 {
        let [outwards, along] = self.frame(turned(middle));
        let Some(axis) = unit(along) else { return 0.0 };
        let (sine, half_sine) = (libm::sin(half), libm::sin(half * 0.5));
        let (reach, rise) = (self.major + self.minor, 2.0 * half_sine * half_sine);
        let (slope, place) = (outwards.dot(axis), -self.center);
        let flat = outwards - axis * slope;
        let outline = Ellipse::outline([flat * self.minor, self.up], axis);
        let beside = place - axis * place.dot(axis) - flat * self.major;
        let apart = match outline.foot(beside) {
            Some(foot) => sqrt(foot.distance_squared()),
            None => length(outline.to_filled(beside)),
        };
        let apart = larger(apart - reach * rise * length(flat), 0.0);
        let up = self.up.dot(axis);
        let thick = sqrt(self.minor * self.minor * slope * slope + up * up);
        let width = thick + reach * (sine * length(along) + rise * slope.abs());
        let ahead = larger((place.dot(axis) - self.major * slope).abs() - width, 0.0);
        sqrt(apart * apart + ahead * ahead)
    }

    /// Moved by Newton's method for both angles, as long as it comes nearer.
    fn improved(&self, mut place: Place) -> Place {
        for _ in 0..MOST_STEPS {
            let slopes = self.slopes(&place);
            let Some(next) = self.step(&place, &slopes) else { break };
            place = next;
        }
        place
    }

    fn slopes(&self, place: &Place) -> Slopes {
        let [outwards, along] = self.frame(place.around);
        let DVec2 { x: cosine, y: sine } = place.beside;
        let (radius, point) = (self.radius(place), place.point);
        let by_around = along * radius;
        let by_beside = self.up * cosine - outwards * (self.minor * sine);
        let twice_beside = -(self.up * sine + outwards * (self.minor * cosine));
        Slopes {
            first: DVec2::new(point.dot(by_around), point.dot(by_beside)),
            squares: DVec2::new(by_around.length_squared(), by_beside.length_squared()),
            bends: DVec2::new(-point.dot(outwards) * radius, point.dot(twice_beside)),
            mixed: by_around.dot(by_beside) - point.dot(along) * (self.minor * sine),
        }
    }

    /// A step to where it is nearer, or as near and flatter.
    fn step(&self, place: &Place, slopes: &Slopes) -> Option<Place> {
        let mut step = slopes.step();
        let (square, rounding) = (place.square(), 8.0 * f64::EPSILON * self.size * sqrt(place.square()));
        for _ in 0..MOST_HALVINGS {
            let by = |at: DVec2, angle: f64| {
                let turned = at.rotate(turned(angle));
                turned / sqrt(turned.length_squared())
            };
            let next = self.place(by(place.around, step.x), by(place.beside, step.y));
            let is_flatter = || self.slopes(&next).steepness() < slopes.steepness() * 0.25;
            let is_better = next.square() < square - rounding || next.square() <= square + rounding && is_flatter();
            if self.radius(&next) >= 0.0 && is_better {
                return Some(next);
            }
            step *= 0.25;
        }
        None
    }
}

/// The derivatives of half the square of the distance by both angles.
struct Slopes {
    first: DVec2,
    /// The squares of the derivatives of the point, and what the surface's bend adds to them.
    squares: DVec2,
    bends: DVec2,
    mixed: f64,
}

impl Slopes {
    /// The square of the part of the way that leads along the surface.
    fn steepness(&self) -> f64 {
        let part = |slope: f64, square: f64| if square > 0.0 { slope * slope / square } else { 0.0 };
        part(self.first.x, self.squares.x) + part(self.first.y, self.squares.y)
    }

    /// Newton's step, or one as if the surface were flat where that leads to no minimum.
    fn step(&self) -> DVec2 {
        const MOST: f64 = 0.5;
        let second = self.squares + self.bends;
        let determinant = second.x * second.y - self.mixed * self.mixed;
        let newton = DVec2::new(
            self.mixed * self.first.y - second.y * self.first.x,
            self.mixed * self.first.x - second.x * self.first.y,
        ) / determinant;
        let flat = -self.first / self.squares;
        let is_minimum = second.x > 0.0 && determinant > 0.0 && newton.is_finite();
        let step = if is_minimum { newton } else { flat };
        DVec2::new(bounded(step.x, MOST), bounded(step.y, MOST))
    }
}

/// Within a bound of 0; 0 for what is no number.
fn bounded(x: f64, most: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x.clamp(-most, most) }
}

/// The nearer one of two; the first one if they are as near.
fn nearer(a: Place, b: Place) -> Place {
    if b.square() < a.square() { b } else { a }
}
