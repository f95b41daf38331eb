//! Closest points of slivers, by integers, whose products are exact.

use crate::common::Random;
use hitscan::Mesh;
use hitscan::glam::{DVec3, Vec3};

type Whole = [i128; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the square root of a quotient of integers in f64.
fn root_of(numerator: i128, denominator: i128) -> f64 {
    (numerator as f64 / denominator as f64).sqrt()
}

fn to_edge(p: Whole, a: Whole, b: Whole) -> f64 {
    let (along, from) = (minus(b, a), minus(p, a));
    let s = dot(along, from);
    if s <= 0 {
        root_of(dot(from, from), 1)
    } else if s >= dot(along, along) {
        root_of(dot(minus(p, b), minus(p, b)), 1)
    } else {
        root_of(dot(cross(along, from), cross(along, from)), dot(along, along))
    }
}

fn to_triangle(p: Whole, [a, b, c]: [Whole; 3]) -> f64 {
    let n = cross(minus(b, a), minus(c, a));
    let is_within = |from: Whole, to: Whole| dot(n, cross(minus(to, from), minus(p, from))) >= 0;
    if is_within(a, b) && is_within(b, c) && is_within(c, a) {
        return dot(n, minus(p, a)).unsigned_abs() as f64 / root_of(dot(n, n), 1);
    }
    to_edge(p, a, b).min(to_edge(p, b, c)).min(to_edge(p, c, a))
}

#[test]
fn the_closest_point_of_a_sliver_is_within_the_stated_bound() {
    let mut random = Random(4039);
    let mut faces = 0;
    for number in 0..20_000 {
        let whole = |random: &mut Random, most: f64| (random.cube() * most).to_array().map(|x| x as i128);
        let along = whole(&mut random, 1e3);
        let by = |k: i128, off: Whole| [0, 1, 2].map(|axis| along[axis] * k + off[axis]);
        let (far, between) = (1 + random.below(500) as i128, random.below(500) as i128);
        let mut corners = [[0; 3], by(far, [0; 3]), by(between, whole(&mut random, 4.0))];
        corners.rotate_left(random.below(3));
        let n = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
        if n == [0; 3] {
            continue;
        }
        let p = by(random.below(500) as i128, whole(&mut random, [2.0, 3.0, 1e3, 1e6][number % 4]));
        let vector = |v: Whole| DVec3::from_array(v.map(|x| x as f64));
        let scale = 1.0 / 1024.0;
        let mesh = Mesh::from_soup(&corners.map(|corner| (vector(corner) * scale).as_vec3())).unwrap();
        let found = mesh.closest_point(vector(p) * scale).unwrap();
        let expected = to_triangle(p, corners) * scale;
        let size =
            corners.iter().map(|corner| (vector(minus(*corner, p)) * scale).abs().max_element()).fold(0.0, f64::max);
        let error = 32.0 * f64::EPSILON / 2.0 * size + f64::from(f32::EPSILON) * expected;
        let off = (f64::from(found.distance) - expected).abs();
        assert!(off <= error, "{number}: {found:?}, but {expected:e}, by {off:e} above {error:e}: {corners:?} {p:?}");
        assert!(
            found.point.distance((vector(p) * scale).as_vec3()) < found.distance + 1e-6 * size as f32 + 1e-30,
            "{number}"
        );
        faces += usize::from(found.feature == hitscan::query::Feature::Face);
        assert!(Vec3::is_finite(found.point));
    }
    assert!(faces > 100, "{faces}");
}
