//! Rays that almost touch a solid. A verdict may be wrong within some distance from the surface. The test measures this
//! distance. Its origins are so far away that the distance is larger than an ulp of an f32 radius.

use crate::shapes::oracle::{self, Distance, Line};
use crate::shapes::testable::{Rng, Testable, f32s};
use glam::{DVec3, Vec3};
use hitscan::{Aabb, Capsule, Cone, Cylinder, Ray, RoundedBox, Sphere, Torus, glam};

const U: f64 = f64::EPSILON / 2.0;

type Family = fn([Vec3; 2], f32) -> (Box<dyn Testable>, Distance);

/// Solids of size about 1, given the ends of their axis and a radius that makes them grow.
const FAMILIES: [Family; 6] = [
    |[a, b], r| (Box::new(Capsule::between(a, b, r)), oracle::capsule([a, b], r)),
    |[a, b], r| (Box::new(Cylinder::between(a, b, r)), oracle::cylinder([a, b], r)),
    |[a, b], r| (Box::new(Cone::between(a, b, r)), oracle::cone(a, b, r)),
    |[a, _], r| (Box::new(Sphere::at(a, r)), oracle::capsule([a, a], r)),
    |_, r| (Box::new(Torus::new(1.0, r)), oracle::torus(1.0, r)),
    |[a, b], r| {
        let core = Aabb::new(a.min(b), a.max(b));
        (Box::new(RoundedBox::new(core, r)), oracle::rounded_box(core, r))
    },
];

/// Returns the radius at which the line just touches, or `None` if no radius up to 1 is enough.
fn touching_radius(family: Family, ends: [Vec3; 2], line: &Line) -> Option<f32> {
    let least = |r: f32| {
        let distance = family(ends, r).1;
        line.minima(&*distance, 4.0, 60).into_iter().map(|m| m.1).fold(f64::INFINITY, f64::min)
    };
    let (mut outside, mut inside) = (1e-3f32, 1f32);
    if least(outside) < 0.0 || least(inside) > 0.0 {
        return None;
    }
    while outside.next_up() < inside {
        let middle = 0.5 * (outside + inside);
        *(if least(middle) > 0.0 { &mut outside } else { &mut inside }) = middle;
    }
    Some(outside)
}

#[test]
fn verdicts_are_wrong_within_the_stated_bound_only() {
    for far in [1e4, 1e6, 1e7, 2f64.powi(30)] {
        let (mut cases, mut wrong, mut worst) = (0, 0, 0.0f64);
        for seed in 1..=600 {
            let mut rng = Rng(seed);
            let family = FAMILIES[rng.below(6) as usize];
            let ends = [rng.vector(), rng.vector()].map(f32s);
            let direction = f32s(rng.unit());
            // The ray starts farther away than f32 can aim, and goes exactly through the origin.
            let target = if far <= 1e7 { rng.vector() } else { DVec3::ZERO };
            let origin = f32s(target - direction.as_dvec3() * far);
            let ray = Ray::with_direction(origin, direction);
            let line = Line::new(&ray, DVec3::ZERO);
            let Some(radius) = touching_radius(family, ends, &line) else { continue };
            for r in [radius.next_down(), radius, radius.next_up(), radius.next_up().next_up()] {
                let (shape, distance) = family(ends, r);
                let minima = line.minima(&*distance, 4.0, 60);
                let least = minima.into_iter().map(|m| m.1).fold(f64::INFINITY, f64::min);
                cases += 1;
                if shape.is_blocked(&ray) != (least <= 0.0) {
                    let error = least.abs() / (U * (origin.as_dvec3().length() + 2.0));
                    assert!(error <= 9.0, "seed {seed}: {shape:?} {ray:?} wrong by {error} u of the distance");
                    worst = worst.max(error);
                    wrong += 1;
                }
            }
        }
        println!("from {far}: {wrong} of {cases} verdicts differ, by {worst:.2} u of the distance at most");
        assert!(cases > 1000);
        // The error at 2^30 exceeds the spacing of f32 radii, so the cases are near enough to touching.
        assert!(far <= 1e7 || wrong > 0);
    }
}
