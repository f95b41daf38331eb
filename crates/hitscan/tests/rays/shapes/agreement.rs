//! `cast`, `cast_t` and `is_blocked` agree for every shape and arbitrary rays.

use crate::shapes::oracle::random_solid;
use crate::shapes::testable::{Rng, Testable, f32s};
use hitscan::{Disc, Inside, Plane, Quad, Ray, Side, Triangle};

fn random_shape(rng: &mut Rng, scale: f64) -> Box<dyn Testable> {
    let [a, b, c] = [(); 3].map(|()| f32s(rng.vector() * scale));
    match rng.below(8) {
        0 => Box::new(Plane::new(a, f32s(rng.direction())).unwrap()),
        1 => Box::new(Disc::new(a, f32s(rng.direction()), (0.5 * scale) as f32)),
        2 => Box::new(Quad::new(a, b, c)),
        3 => Box::new(Triangle::new(a, b, c)),
        _ => random_solid(rng, scale).shape,
    }
}

fn check(seed: u64, shape: &dyn Testable, ray: &Ray) -> bool {
    let hit = shape.cast(ray);
    let context = || format!("seed {seed}: {shape:?} {ray:?} {hit:?}");
    assert_eq!(hit.map(|hit| hit.t), shape.cast_t(ray), "{}", context());
    assert_eq!(hit.is_some(), shape.is_blocked(ray), "{}", context());
    assert_eq!(hit, shape.cast_from_inside(ray, Inside::Exit), "{}", context());
    if let Some(hit) = hit {
        assert!(hit.t.is_finite() && ray.t_min <= hit.t && hit.t <= ray.t_max, "{}", context());
        assert!((hit.normal.length() - 1.0).abs() < 1e-6 && hit.side != Side::Inside, "{}", context());
        assert!(hit.uv.is_none_or(|uv| uv.is_finite()), "{}", context());
    }
    hit.is_some()
}

#[test]
fn on_random_rays() {
    let mut hits = 0;
    let count = 60_000;
    for seed in 1..=count {
        let mut rng = Rng(seed);
        let scale = rng.magnitude(-10.0, 10.0);
        let shape = random_shape(&mut rng, scale);
        let (origin, target) = (rng.vector() * scale * 3.0, rng.vector() * scale);
        let ray = Ray::with_direction(f32s(origin), f32s(target - origin));
        let ray = match rng.below(3) {
            0 => ray,
            1 => ray.with_range(rng.signed() as f32, 3.0),
            _ => ray.with_range(f32::NEG_INFINITY, (3.0 * rng.signed()) as f32),
        };
        hits += u64::from(check(seed, &*shape, &ray));
    }
    assert!(hits > count / 10 && hits < count * 9 / 10, "{hits}");
}

/// The scales of ray and shape are unrelated, so that t may overflow f32 or underflow to 0.
#[test]
fn at_unrelated_scales() {
    for seed in 1..=60_000 {
        let mut rng = Rng(seed);
        let scale = rng.magnitude(-37.0, 37.0);
        let shape = random_shape(&mut rng, scale);
        let direction = rng.direction();
        let (far, length) = (rng.magnitude(-37.0, 37.0), rng.magnitude(-37.0, 37.0));
        check(seed, &*shape, &Ray::with_direction(f32s(-direction * far), f32s(direction * length)));
    }
}

#[test]
fn unusable_rays_hit_nothing() {
    for seed in 1..=2_000 {
        let mut rng = Rng(seed);
        let shape = random_shape(&mut rng, 1.0);
        let good = Ray::new(f32s(rng.vector()), f32s(rng.direction()));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let i = rng.below(3) as usize;
            let mut rays = [good; 2];
            rays[0].origin[i] = bad;
            rays[1].direction[i] = bad;
            assert!(rays.iter().all(|ray| !check(seed, &*shape, ray)), "seed {seed} {shape:?}");
        }
        for ray in [good.with_range(f32::NAN, 1.0), good.with_range(2.0, 1.0), Ray::between(good.origin, good.origin)] {
            assert!(!check(seed, &*shape, &ray), "seed {seed} {shape:?}");
        }
    }
}
