//! Solids as signed distances, and lines that are re-based exactly. So the oracle loses no accuracy with distance.

use crate::shapes::testable::{Rng, Testable, f32s};
use glam::{DAffine3, DMat3, DVec2, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Cone, Cylinder, OrientedBox, Ray, RoundedBox, Sphere, Torus, glam};
use num_rational::BigRational;
use num_traits::ToPrimitive;

/// The signed distance of a solid. The points of the solid have a distance of at most 0.
pub(crate) type Distance = Box<dyn Fn(DVec3) -> f64>;

/// The support function of a solid, which returns its farthest point in a direction.
pub(crate) type Farthest = Box<dyn Fn(DVec3) -> DVec3>;

pub(crate) struct Solid {
    pub(crate) shape: Box<dyn Testable>,
    pub(crate) distance: Distance,
    pub(crate) farthest: Farthest,
    pub(crate) center: DVec3,
    /// The radius of a ball around `center` that contains the solid.
    pub(crate) size: f64,
}

pub(crate) fn capsule(ends: [Vec3; 2], radius: f32) -> Distance {
    let [a, b] = ends.map(|v| v.as_dvec3());
    let axis = b - a;
    Box::new(move |p| {
        let along = if axis == DVec3::ZERO { 0.0 } else { ((p - a).dot(axis) / axis.length_squared()).clamp(0.0, 1.0) };
        (p - a - axis * along).length() - f64::from(radius)
    })
}

/// Returns the distance from the axis, and the coordinate along it from a.
fn profile(p: DVec3, a: DVec3, b: DVec3) -> DVec2 {
    let axis = (b - a).normalize();
    let along = (p - a).dot(axis);
    DVec2::new((p - a - axis * along).length(), along)
}

pub(crate) fn cylinder(ends: [Vec3; 2], radius: f32) -> Distance {
    let [a, b] = ends.map(|v| v.as_dvec3());
    let half = 0.5 * a.distance(b);
    Box::new(move |p| {
        let q = profile(p, a, b);
        box_distance(DVec2::new(q.x - f64::from(radius), (q.y - half).abs() - half))
    })
}

/// Returns the distance of a point from a box, given its signed distance beyond each pair of faces.
fn box_distance(beyond: DVec2) -> f64 {
    beyond.max_element().min(0.0) + beyond.max(DVec2::ZERO).length()
}

pub(crate) fn cone(base: Vec3, apex: Vec3, radius: f32) -> Distance {
    let (a, b, r) = (base.as_dvec3(), apex.as_dvec3(), f64::from(radius));
    let height = a.distance(b);
    Box::new(move |p| {
        let q = profile(p, a, b);
        let to_segment = |from: DVec2, to: DVec2| {
            let along = ((q - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            q.distance(from + (to - from) * along)
        };
        let (rim, top) = (DVec2::new(r, 0.0), DVec2::new(0.0, height));
        let beside = (q.x * height + (q.y - height) * r) / height.hypot(r);
        if q.y >= 0.0 && beside <= 0.0 {
            beside.max(-q.y)
        } else {
            to_segment(DVec2::ZERO, rim).min(to_segment(rim, top))
        }
    })
}

pub(crate) fn torus(major: f32, minor: f32) -> Distance {
    Box::new(move |p| (p.x.hypot(p.z) - f64::from(major)).hypot(p.y) - f64::from(minor))
}

fn cuboid(center: DVec3, half: DVec3, axes: DMat3) -> Distance {
    Box::new(move |p| {
        let beyond = (axes.transpose() * (p - center)).abs() - half;
        beyond.max_element().min(0.0) + beyond.max(DVec3::ZERO).length()
    })
}

pub(crate) fn rounded_box(core: Aabb, margin: f32) -> Distance {
    let (low, high) = (core.min.as_dvec3(), core.max.as_dvec3());
    let to_core = cuboid((low + high) * 0.5, (high - low) * 0.5, DMat3::IDENTITY);
    Box::new(move |p| to_core(p) - f64::from(margin))
}

/// Returns a solid of this size near the origin, which may be thin or flat.
pub(crate) fn random_solid(rng: &mut Rng, scale: f64) -> Solid {
    let center = f32s(rng.vector() * scale);
    let [r, length, width] = [(); 3].map(|()| {
        let smallest = if rng.below(4) == 0 { -4.0 } else { -0.5 };
        (scale * rng.magnitude(smallest, 0.0)) as f32
    });
    let upright = rng.below(2) == 0;
    let axis = if upright { DVec3::Y } else { rng.direction() };
    let ends = [center, f32s(center.as_dvec3() + axis * f64::from(length))];
    let up = [Vec3::new(0.0, -0.5 * length, 0.0), Vec3::new(0.0, 0.5 * length, 0.0)];
    let [a, b] = if upright { up } else { ends };
    let middle = (a.as_dvec3() + b.as_dvec3()) * 0.5;
    let size = a.as_dvec3().distance(b.as_dvec3()) * 0.5 + f64::from(r);
    let solid = |shape, distance, farthest: Farthest, center, size| Solid { shape, distance, farthest, center, size };
    let discs = |ra: f32, rb: f32| -> Farthest {
        let [a, b] = [a, b].map(|v| v.as_dvec3());
        Box::new(move |e| {
            let [p, q] = [(a, ra), (b, rb)].map(|(c, r)| c + across(e, b - a) * f64::from(r));
            if p.dot(e) > q.dot(e) { p } else { q }
        })
    };
    let balls = |a: Vec3, b: Vec3| -> Farthest {
        let [a, b] = [a, b].map(|v| v.as_dvec3());
        Box::new(move |e| if a.dot(e) > b.dot(e) { a + e * f64::from(r) } else { b + e * f64::from(r) })
    };
    let corners = |center: DVec3, half: DVec3, axes: DMat3| -> Farthest {
        Box::new(move |e| {
            let own = axes.transpose() * e;
            center + axes * (half * DVec3::from(own.to_array().map(|x| 1f64.copysign(x))))
        })
    };
    match rng.below(8) {
        0 => solid(Box::new(Capsule::between(a, b, r)) as _, capsule([a, b], r), balls(a, b), middle, size),
        1 if upright => solid(Box::new(Cylinder::new(r, length)), cylinder(up, r), discs(r, r), middle, size),
        1 => solid(Box::new(Cylinder::between(a, b, r)), cylinder([a, b], r), discs(r, r), middle, size),
        2 if upright => solid(Box::new(Cone::new(r, length)), cone(up[0], up[1], r), discs(r, 0.0), middle, size),
        2 => solid(Box::new(Cone::between(a, b, r)), cone(a, b, r), discs(r, 0.0), middle, size),
        3 => {
            let (major, minor) = (f64::from(length), f64::from(r));
            let farthest = Box::new(move |e| across(e, DVec3::Y) * major + e * minor);
            solid(Box::new(Torus::new(length, r)), torus(length, r), farthest, DVec3::ZERO, major + minor)
        }
        4 => solid(Box::new(Sphere::at(a, r)), capsule([a, a], r), balls(a, a), a.as_dvec3(), r.into()),
        5 => {
            let half = Vec3::new(r, length, width);
            let aabb = Aabb::new(center - half, center + half);
            let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
            let (middle, half, axes) = ((low + high) * 0.5, (high - low) * 0.5, DMat3::IDENTITY);
            solid(Box::new(aabb), cuboid(middle, half, axes), corners(middle, half, axes), middle, half.length())
        }
        6 => {
            let half = Vec3::new(length, width, length.min(width));
            let core = Aabb::new(center - half, center + half);
            let (low, high) = (core.min.as_dvec3(), core.max.as_dvec3());
            let (middle, half, margin) = ((low + high) * 0.5, (high - low) * 0.5, f64::from(r));
            let corner = corners(middle, half, DMat3::IDENTITY);
            let farthest = Box::new(move |e| corner(e) + e * margin);
            solid(Box::new(RoundedBox::new(core, r)), rounded_box(core, r), farthest, middle, half.length() + margin)
        }
        _ => {
            let (half, middle) = (Vec3::new(r, length, width), center.as_dvec3());
            let (x, other) = (rng.unit(), rng.unit());
            let y = x.cross(other).normalize();
            // The box may be mirrored and scaled. Its own half extents are divided by the scales, so that it has the
            // size `half` in the world.
            let axes = DMat3::from_cols(x, y, x.cross(y));
            let scales = DVec3::new(2.0, -0.5, 4.0);
            let own = half / scales.abs().as_vec3();
            let transform = DAffine3::from_mat3_translation(axes * DMat3::from_diagonal(scales), middle);
            let oriented = OrientedBox::new(Aabb::new(-own, own), transform).unwrap();
            let half = half.as_dvec3();
            solid(Box::new(oriented), cuboid(middle, half, axes), corners(middle, half, axes), middle, half.length())
        }
    }
}

/// Returns the unit vector at right angles to an axis that is farthest in a direction, or any such vector if the
/// direction is along the axis.
fn across(direction: DVec3, axis: DVec3) -> DVec3 {
    let axis = axis.normalize();
    let across = direction - axis * direction.dot(axis);
    if across.length() > 1e-9 { across.normalize() } else { axis.any_orthonormal_vector() }
}

/// The ray's line, parametrised by offsets from the f64 t that is nearest to a point.
pub(crate) struct Line {
    pub(crate) t: f64,
    origin: DVec3,
    direction: DVec3,
}

impl Line {
    pub(crate) fn new(ray: &Ray, near: DVec3) -> Self {
        let (o, d) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let t = (near - o).dot(d) / d.length_squared();
        let exact = |x: f64| BigRational::from_float(x).unwrap();
        let at = |i: usize| (exact(o[i]) + exact(d[i]) * exact(t)).to_f64().unwrap();
        Self { t, origin: DVec3::new(at(0), at(1), at(2)), direction: d }
    }

    pub(crate) fn at(&self, steps: f64) -> DVec3 {
        self.origin + self.direction * steps
    }

    pub(crate) fn steps_for(&self, length: f64) -> f64 {
        length / self.direction.length()
    }

    /// Returns the local minima of a distance along the line, up to this far in both directions. They are found by
    /// sampling, then by golden-section search.
    pub(crate) fn minima(&self, distance: &dyn Fn(DVec3) -> f64, reach: f64, samples: usize) -> Vec<(f64, f64)> {
        let end = self.steps_for(reach);
        let step = |i: usize| end * (2.0 * i as f64 / samples as f64 - 1.0);
        let f = |x: f64| distance(self.at(x));
        let values: Vec<f64> = (0..=samples).map(|i| f(step(i))).collect();
        let low = |i: &usize| values[*i] <= values[i - 1] && values[*i] <= values[i + 1];
        (1..samples).filter(low).map(|i| golden_section(f, step(i - 1), step(i + 1))).collect()
    }
}

/// Returns the argument and the value of the minimum of a unimodal function between two arguments.
fn golden_section(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> (f64, f64) {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let (mut c, mut d) = (b - ratio * (b - a), a + ratio * (b - a));
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..80 {
        if fc < fd {
            (b, d, fd) = (d, c, fc);
            c = b - ratio * (b - a);
            fc = f(c);
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + ratio * (b - a);
            fd = f(d);
        }
    }
    if fc < fd { (c, fc) } else { (d, fd) }
}
