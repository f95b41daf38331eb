//! Discs and quads against rational arithmetic.

use crate::shapes::testable::{Rng, f32s};
use glam::Vec3;
use hitscan::{Disc, Quad, Ray, Side, glam};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::array::from_fn;

type Exact = BigRational;
type Exact3 = [Exact; 3];

fn exact(v: Vec3) -> Exact3 {
    v.to_array().map(|x| Exact::from_float(x).unwrap())
}

fn dot(a: &Exact3, b: &Exact3) -> Exact {
    (0..3).map(|i| &a[i] * &b[i]).sum()
}

fn minus(a: &Exact3, b: &Exact3) -> Exact3 {
    from_fn(|i| &a[i] - &b[i])
}

fn along(o: &Exact3, d: &Exact3, t: &Exact) -> Exact3 {
    from_fn(|i| &o[i] + &d[i] * t)
}

fn cross(a: &Exact3, b: &Exact3) -> Exact3 {
    from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

/// Returns t and the point at which the ray's line crosses the plane. Returns `None` if the line is parallel.
fn plane_point(ray: &Ray, on_plane: &Exact3, normal: &Exact3) -> Option<(Exact, Exact3)> {
    let (o, d) = (exact(ray.origin), exact(ray.direction));
    let speed = dot(&d, normal);
    if speed.is_zero() {
        return None;
    }
    let t = dot(&minus(on_plane, &o), normal) / speed;
    let p = along(&o, &d, &t);
    Some((t, p))
}

/// Returns small whole numbers, which make edges, corners and parallel rays common, or arbitrary numbers.
fn vector(rng: &mut Rng, whole: bool) -> Vec3 {
    if whole { f32s((rng.vector() * 3.0).round()) } else { f32s(rng.vector()) }
}

#[test]
fn quads_are_exact() {
    let (mut hits, mut edges) = (0, 0);
    for seed in 1..=8_000 {
        let mut rng = Rng(seed);
        let whole = rng.below(2) == 0;
        let [corner, u, v, origin, direction] = [(); 5].map(|()| vector(&mut rng, whole));
        let quad = Quad::new(corner, u, v);
        let ray = Ray::with_direction(origin, direction).with_range(f32::NEG_INFINITY, f32::INFINITY);
        if quad.validate().is_err() || ray.validate().is_err() {
            assert_eq!(quad.cast(&ray), None);
            continue;
        }
        let (c, p, q) = (exact(corner), exact(u), exact(v));
        let n = cross(&p, &q);
        let expected = plane_point(&ray, &c, &n).and_then(|(t, point)| {
            // The coordinates in the basis p, q follow from Cramer's rule with the normal as the third vector.
            let from_corner = minus(&point, &c);
            let area = dot(&n, &n);
            let x = dot(&cross(&from_corner, &q), &n) / &area;
            let y = dot(&cross(&p, &from_corner), &n) / &area;
            let inside = |x: &Exact| !x.is_negative() && *x <= Exact::one();
            (inside(&x) && inside(&y)).then_some((t, x, y))
        });
        let hit = quad.cast(&ray);
        assert_eq!(hit.is_some(), expected.is_some(), "seed {seed}: {quad:?} {ray:?} {hit:?}");
        let (Some(hit), Some((t, x, y))) = (hit, expected) else { continue };
        hits += 1;
        edges += usize::from([&x, &y].iter().any(|x| x.is_zero() || x.is_one()));
        // The result is the nearest f32: no neighbour is nearer.
        let off = |x: f32| (Exact::from_float(x).unwrap() - &t).abs();
        assert!(off(hit.t) <= off(hit.t.next_up()) && off(hit.t) <= off(hit.t.next_down()), "seed {seed}: {hit:?} {t}");
        let uv = hit.uv.unwrap();
        for (reported, x) in [(uv.x, x), (uv.y, y)] {
            assert!((f64::from(reported) - x.to_f64().unwrap()).abs() < 1e-6, "seed {seed}: {hit:?}");
        }
        let front = dot(&exact(direction), &n).is_negative();
        assert_eq!(hit.side, if front { Side::Front } else { Side::Back }, "seed {seed}");
        let normal = u.as_dvec3().cross(v.as_dvec3()).normalize();
        assert!((hit.normal.as_dvec3() - normal).length() < 1e-6, "seed {seed}: {hit:?} {normal}");
    }
    assert!(hits > 400 && edges > 80, "{hits} hits, {edges} on edges");
}

#[test]
fn discs_are_within_the_stated_bound() {
    let (mut hits, mut misses, mut rims) = (0, 0, 0);
    for seed in 1..=8_000 {
        let mut rng = Rng(seed);
        let whole = rng.below(2) == 0;
        let [center, normal, origin, direction] = [(); 4].map(|()| vector(&mut rng, whole));
        let far = if whole { 1.0 } else { rng.magnitude(0.0, 5.0) as f32 };
        let ray = Ray::with_direction(origin - direction * far, direction).with_range(f32::NEG_INFINITY, f32::INFINITY);
        let n = exact(normal);
        let point = if ray.validate().is_ok() { plane_point(&ray, &exact(center), &n) } else { None };
        let Some((t, point)) = point else {
            assert_eq!(Disc::new(center, normal, 5.0).cast(&ray), None, "seed {seed}");
            continue;
        };
        let offset = minus(&point, &exact(center));
        let distance_squared = dot(&offset, &offset);
        let distance = distance_squared.to_f64().unwrap().sqrt();
        // Some of the radii are as near to the distance of the point as f32 allows.
        let nearest = distance as f32;
        for radius in [nearest.next_down().max(0.0), nearest, nearest.next_up(), 0.5 * nearest, 2.0 * nearest] {
            let disc = Disc::new(center, normal, radius);
            let hit = disc.cast(&ray);
            let r = Exact::from_float(radius).unwrap();
            let inside = distance_squared <= &r * &r;
            let context = || format!("seed {seed}: {disc:?} {ray:?} {hit:?}");
            rims += usize::from(distance_squared == &r * &r);
            if hit.is_some() != inside {
                // The line would have to move by `off` to change the verdict; if it is slanted, its crossing with the
                // plane would move farther.
                let sine = direction.normalize().dot(normal.normalize()).abs();
                let off = (f64::from(radius) - distance).abs() * f64::from(sine);
                let bound = 1e-15 * (ray.origin.as_dvec3().distance(center.as_dvec3()) + f64::from(radius));
                assert!(!whole && off <= bound, "{}: {off} of {bound}", context());
            }
            let Some(hit) = hit else {
                misses += 1;
                continue;
            };
            hits += 1;
            let t = t.to_f64().unwrap();
            let slack = 1e-7 * t.abs() + 1e-15 * f64::from(far + 10.0) / f64::from(direction.length());
            let sine = f64::from(direction.normalize().dot(normal.normalize()).abs());
            assert!((f64::from(hit.t) - t).abs() <= slack + 1e-14 * f64::from(far + 10.0) / sine, "{} {t}", context());
            let front = dot(&exact(direction), &n).is_negative();
            assert_eq!((hit.side, hit.uv), (if front { Side::Front } else { Side::Back }, None), "{}", context());
            assert!((hit.normal.as_dvec3() - normal.as_dvec3().normalize()).length() < 1e-6);
        }
    }
    assert!(hits > 1000 && misses > 1000 && rims > 100, "{hits} hits, {misses} misses, {rims} on the rim");
}

#[test]
fn bounds_hold_every_point() {
    for seed in 1..=5_000 {
        let mut rng = Rng(seed);
        let scale = rng.magnitude(-20.0, 20.0);
        let [corner, u, v] = [(); 3].map(|()| f32s(rng.vector() * scale));
        let quad = Quad::new(corner, u, v);
        let (low, high) = (exact(quad.bounds().min), exact(quad.bounds().max));
        let (c, p, q) = (exact(corner), exact(u), exact(v));
        let corners: Vec<Exact3> = (0..4)
            .map(|i| {
                from_fn(|k| {
                    &c[k]
                        + if i & 1 == 1 { p[k].clone() } else { Exact::zero() }
                        + if i & 2 == 2 { q[k].clone() } else { Exact::zero() }
                })
            })
            .collect();
        for k in 0..3 {
            let least = corners.iter().map(|x| &x[k]).min().unwrap();
            let most = corners.iter().map(|x| &x[k]).max().unwrap();
            assert!(&low[k] <= least && most <= &high[k], "seed {seed}: {quad:?} {:?}", quad.bounds());
            let step = Exact::from_float(2.0 * scale * f64::from(f32::EPSILON) * 4.0).unwrap();
            assert!(least - &low[k] <= step && &high[k] - most <= step, "seed {seed}: not tight");
        }

        let normal = rng.direction();
        let disc = Disc::new(corner, f32s(normal), (scale * 0.7) as f32);
        let bounds = disc.bounds();
        let normal = disc.normal.as_dvec3().normalize();
        for axis in 0..3 {
            let e = glam::DVec3::AXES[axis];
            let reach = (e - normal * e.dot(normal)).length() * f64::from(disc.radius);
            let gaps = [
                f64::from(bounds.max[axis]) - f64::from(corner[axis]),
                f64::from(corner[axis]) - f64::from(bounds.min[axis]),
            ];
            for gap in gaps {
                assert!(
                    gap >= reach - 1e-15 * scale && gap <= reach + 1e-6 * scale,
                    "seed {seed}: {disc:?} {bounds:?} {reach}"
                );
            }
        }
    }
}
