//! Random rays against random solids: every crossing, normal, side and inside mode is checked against the signed
//! distance.

use crate::shapes::oracle::{Line, Solid, random_solid};
use crate::shapes::testable::{Rng, crossings, f32s};
use glam::DVec3;
use hitscan::query::ShapeHit;
use hitscan::{Inside, Ray, Side, glam};

const U: f64 = f64::EPSILON / 2.0;

/// Returns the documented bound of errors: the effect of moving the ray by about 1e-15 of the lengths in the computation. (A part of that is for the oracle.)
fn bound(solid: &Solid, ray: &Ray) -> f64 {
    16.0 * U * (ray.origin.as_dvec3().length() + solid.center.length() + 2.0 * solid.size)
}

fn ulp(t: f32) -> f64 {
    f64::from(t.abs().next_up()) - f64::from(t.abs())
}

/// Returns a ray towards a point in or near the solid, from a distance in multiples of its size, with a direction of
/// this length.
fn random_ray(rng: &mut Rng, solid: &Solid, far: f64, length: f64) -> Ray {
    let target = solid.center + rng.vector() * solid.size;
    let direction = rng.direction();
    Ray::with_direction(f32s(target - direction * far * solid.size), f32s(direction * length))
}

/// Returns pairs (enter, exit), which are equal if the line only touches, or if both crossings round to one f32.
fn spans(hits: &[ShapeHit]) -> Vec<(f32, f32)> {
    let mut spans: Vec<(f32, f32)> = Vec::new();
    let mut open = false;
    for hit in hits {
        match hit.side {
            Side::Front => spans.push((hit.t, hit.t)),
            Side::Back => {
                assert!(open, "an exit without an entry: {hits:?}");
                spans.last_mut().unwrap().1 = hit.t;
            }
            Side::Inside => panic!("the whole line starts inside nothing"),
        }
        open = hit.side == Side::Front;
    }
    spans
}

fn check_crossings(solid: &Solid, ray: &Ray, line: &Line, hits: &[ShapeHit]) {
    let bound = bound(solid, ray);
    let d = ray.direction.as_dvec3();
    for hit in hits {
        let p = line.at(f64::from(hit.t) - line.t);
        let off = (solid.distance)(p);
        let resolution = ulp(hit.t) * d.length();
        assert!(off.abs() <= resolution + bound, "{hit:?} is {off} from the surface");

        let n = hit.normal.as_dvec3();
        assert!((n.length() - 1.0).abs() < 1e-6, "{hit:?}");
        // The distance grows at the maximum rate along the normal. The rounding of t to f32 moves the point off the
        // surface and rotates the normal of a small round part. So this is checked only if that has no effect.
        let step = 0.01 * solid.size;
        let grown = (solid.distance)(p + n * step) - off;
        if resolution < 1e-6 * solid.size {
            assert!(grown >= step * (1.0 - 1e-5) - 2.0 * resolution, "{hit:?}: {grown} of {step}");
        }
        let slant = n.dot(d) / d.length();
        match hit.side {
            Side::Front => assert!(slant <= 1e-3, "{hit:?} {slant}"),
            _ => assert!(slant >= -1e-3, "{hit:?} {slant}"),
        }
    }
}

fn check_between(solid: &Solid, ray: &Ray, line: &Line, hits: &[ShapeHit]) {
    let bound = bound(solid, ray);
    let spans = spans(hits);
    let check = |steps: f64, distance: f64| {
        let t = line.t + steps;
        // The sum of t and steps is rounded, and the reported t to f32.
        let near = |&hit: &f32| (t - f64::from(hit)).abs() <= ulp(hit) + 2.0 * U * t.abs();
        if distance.abs() <= bound || spans.iter().any(|(a, b)| near(a) || near(b)) {
            return;
        }
        let inside = spans.iter().any(|&(a, b)| f64::from(a) < t && t < f64::from(b));
        assert_eq!(inside, distance < 0.0, "{distance} from the surface at {t}, bound {bound}, spans {spans:?}");
    };
    let end = line.steps_for(3.0 * solid.size);
    for i in 0..=200 {
        let steps = end * (i as f64 / 100.0 - 1.0);
        check(steps, (solid.distance)(line.at(steps)));
    }
    for (steps, distance) in line.minima(&*solid.distance, 3.0 * solid.size, 200) {
        check(steps, distance);
        // No span may be missing. Its two crossings may round to one f32, but then there is at least one.
        let t = line.t + steps;
        let found = spans.iter().any(|&(a, b)| f64::from(a) - ulp(a) <= t && t <= f64::from(b) + ulp(b));
        assert!(found || distance >= -bound, "missed by {distance} at {t}, bound {bound}, spans {spans:?}");
    }
}

fn check_inside_modes(solid: &Solid, ray: &Ray, hits: &[ShapeHit]) {
    let spans = spans(hits);
    for (i, &(enter, exit)) in spans.iter().enumerate() {
        let from = |t_min: f32| ray.with_range(t_min, f32::INFINITY);
        let cast = |t_min: f32, inside| solid.shape.cast_from_inside(&from(t_min), inside).map(|hit| (hit.t, hit.side));
        let next = spans.get(i + 1).map(|&(t, _)| (t, Side::Front));
        for inside in [Inside::Exit, Inside::Solid, Inside::Ignore] {
            assert_eq!(cast(enter, inside), Some((enter, Side::Front)), "{inside:?}");
        }
        let middle = 0.5 * enter + 0.5 * exit;
        for t_min in [enter.next_up(), middle, exit] {
            if !(enter < t_min && t_min <= exit) {
                continue;
            }
            assert_eq!(cast(t_min, Inside::Exit), Some((exit, Side::Back)));
            assert_eq!(cast(t_min, Inside::Solid), Some((t_min, Side::Inside)));
            assert_eq!(cast(t_min, Inside::Ignore), next);
            let solid_hit = solid.shape.cast_from_inside(&from(t_min), Inside::Solid).unwrap();
            let against = -ray.direction.as_dvec3().normalize();
            assert!((solid_hit.normal.as_dvec3() - against).length() < 1e-6);
        }
    }
}

/// Checks the first hit in ranges whose ends are at the crossings, one f32 away from them, and elsewhere, in each mode.
fn check_ranges(solid: &Solid, ray: &Ray, hits: &[ShapeHit]) {
    let spans = spans(hits);
    let mut ends: Vec<f32> = hits.iter().flat_map(|hit| [hit.t.next_down(), hit.t, hit.t.next_up()]).collect();
    ends.extend([0.0, f32::NEG_INFINITY, f32::INFINITY]);
    for (&t_min, &t_max) in ends.iter().flat_map(|t_min| ends.iter().map(move |t_max| (t_min, t_max))) {
        let ranged = ray.with_range(t_min, t_max);
        for inside in [Inside::Exit, Inside::Solid, Inside::Ignore] {
            let found = solid.shape.cast_from_inside(&ranged, inside).map(|hit| (hit.t, hit.side));
            let expected = first_in_range(&spans, [t_min, t_max], inside);
            assert_eq!(found, expected, "from {t_min} to {t_max}, {inside:?}, spans {spans:?}");
        }
    }
}

/// Returns the first hit of a solid with these spans, as docs/conventions.md says.
fn first_in_range(spans: &[(f32, f32)], [t_min, t_max]: [f32; 2], inside: Inside) -> Option<(f32, Side)> {
    let is_in_range = |t: f32| t_min <= t && t <= t_max;
    if !(t_min <= t_max) {
        return None;
    }
    spans.iter().find_map(|&(enter, exit)| {
        let starts_inside = enter < t_min && t_min <= exit;
        if starts_inside && inside == Inside::Solid && t_min.is_finite() {
            return Some((t_min, Side::Inside));
        }
        if is_in_range(enter) {
            return Some((enter, Side::Front));
        }
        let leaves = enter < exit && is_in_range(exit) && !(starts_inside && inside == Inside::Ignore);
        leaves.then_some((exit, Side::Back))
    })
}

/// The description of a case, for error messages.
struct Context(String);

impl Drop for Context {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

fn sweep(first_seed: u64, count: u64, case: impl Fn(&mut Rng) -> (Solid, Ray)) {
    let mut hit = 0;
    for seed in first_seed..first_seed + count {
        let (solid, ray) = case(&mut Rng(seed));
        let _context = Context(format!("seed {seed}: {:?} {ray:?}", solid.shape));
        let hits = crossings(&*solid.shape, &ray);
        let line = Line::new(&ray, solid.center);
        check_crossings(&solid, &ray, &line, &hits);
        check_between(&solid, &ray, &line, &hits);
        check_inside_modes(&solid, &ray, &hits);
        check_ranges(&solid, &ray, &hits);
        hit += u64::from(!hits.is_empty());
    }
    assert!(hit > count / 10 && hit < count - count / 10, "hits and misses must both be common: {hit} of {count}");
}

#[test]
fn from_near() {
    sweep(1, 15_000, |rng| {
        let solid = random_solid(rng, 1.0);
        let far = 3.0 * rng.signed();
        let ray = random_ray(rng, &solid, far, 1.0);
        (solid, ray)
    });
}

#[test]
fn from_far() {
    sweep(100_001, 10_000, |rng| {
        let solid = random_solid(rng, 1.0);
        let far = rng.magnitude(1.0, 5.0);
        let ray = random_ray(rng, &solid, far, 1.0);
        (solid, ray)
    });
}

#[test]
fn at_any_scale() {
    sweep(200_001, 10_000, |rng| {
        let scale = rng.magnitude(-20.0, 20.0);
        let solid = random_solid(rng, scale);
        // The length is such that t, about scale / length, is in f32's normal range.
        let length =
            scale * rng.magnitude(f64::max(-30.0 - scale.log10(), -30.0), f64::min(30.0 - scale.log10(), 30.0));
        let far = 3.0 * rng.signed();
        let ray = random_ray(rng, &solid, far, length);
        (solid, ray)
    });
}

#[test]
fn bounds_are_around_and_tight() {
    for seed in 300_001..310_000 {
        let mut rng = Rng(seed);
        let scale = rng.magnitude(-20.0, 20.0);
        let solid = random_solid(&mut rng, scale);
        let bounds = solid.shape.bounds();
        let rounding = 4096.0 * U * (solid.center.length() + solid.size);
        for axis in 0..3 {
            for (face, outwards) in [(bounds.max[axis], DVec3::AXES[axis]), (bounds.min[axis], -DVec3::AXES[axis])] {
                let farthest = (solid.farthest)(outwards);
                assert!((solid.distance)(farthest).abs() <= rounding, "seed {seed}: {:?} {farthest}", solid.shape);
                let gap = (DVec3::splat(face.into()) - farthest).dot(outwards);
                // The slack covers the rounding of the transform of an oriented box. For the other solids, it covers
                // only the rounding to f32.
                let slack =
                    4.0 * f64::from(f32::EPSILON) * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element());
                assert!(gap >= -rounding, "seed {seed}: {:?} beyond {bounds:?}, {outwards} by {gap}", solid.shape);
                assert!(gap <= slack, "seed {seed}: {:?} not up to {bounds:?}, {outwards} by {gap}", solid.shape);
            }
        }
    }
}
