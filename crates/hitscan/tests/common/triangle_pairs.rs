//! The triangles of a soup that intersect each other, by all pairs and in rationals. One triangle of each pair is clipped at the planes of the other.

use hitscan::glam::Vec3;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

type Point = [BigRational; 3];

fn point(corner: Vec3) -> Point {
    corner.to_array().map(|x| BigRational::from_float(x).unwrap())
}

fn minus(a: &Point, b: &Point) -> Point {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

fn dot(a: &Point, b: &Point) -> BigRational {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Point, b: &Point) -> Point {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn is_zero(v: &Point) -> bool {
    v.iter().all(Zero::is_zero)
}

/// Returns the part of a convex polygon where a linear function, given at its corners, is not negative.
fn clipped(polygon: &[Point], height: impl Fn(&Point) -> BigRational) -> Vec<Point> {
    let mut kept = Vec::new();
    for (place, from) in polygon.iter().enumerate() {
        let to = &polygon[(place + 1) % polygon.len()];
        let (start, end) = (height(from), height(to));
        if !start.is_negative() {
            kept.push(from.clone());
        }
        if start.is_positive() && end.is_negative() || start.is_negative() && end.is_positive() {
            let way = &start / (&start - &end);
            let step = minus(to, from);
            kept.push([0, 1, 2].map(|axis: usize| &from[axis] + &way * &step[axis]));
        }
    }
    kept
}

/// Returns the corners of the intersection of two triangles, some of them perhaps several times.
fn intersection(ours: &[Point; 3], theirs: &[Point; 3]) -> Vec<Point> {
    let normal = cross(&minus(&theirs[1], &theirs[0]), &minus(&theirs[2], &theirs[0]));
    let height = |point: &Point| dot(&normal, &minus(point, &theirs[0]));
    let above = clipped(ours, height);
    let mut polygon = clipped(&above, |point| -height(point));
    for edge in 0..3 {
        let inward = cross(&normal, &minus(&theirs[(edge + 1) % 3], &theirs[edge]));
        polygon = clipped(&polygon, |point| dot(&inward, &minus(point, &theirs[edge])));
    }
    polygon
}

/// Returns whether two triangles have a common point beyond the corners and edges that they share.
fn is_pair(ours: &[Point; 3], theirs: &[Point; 3]) -> bool {
    let has_area = |[a, b, c]: &[Point; 3]| !is_zero(&cross(&minus(b, a), &minus(c, a)));
    if !has_area(ours) || !has_area(theirs) {
        return false;
    }
    let shared: Vec<&Point> = ours.iter().filter(|corner| theirs.contains(corner)).collect();
    let is_shared = |point: &Point| match shared[..] {
        [] => false,
        [corner] => point == corner,
        [from, to] => is_zero(&cross(&minus(to, from), &minus(point, from))),
        _ => true,
    };
    intersection(ours, theirs).iter().any(|point| !is_shared(point))
}

/// Returns whether the boxes of two triangles have a common point.
fn boxes_touch(one: &[Vec3; 3], other: &[Vec3; 3]) -> bool {
    let bounds = |[a, b, c]: &[Vec3; 3]| [a.min(*b).min(*c), a.max(*b).max(*c)];
    let ([low, high], [least, most]) = (bounds(one), bounds(other));
    low.cmple(most).all() && least.cmple(high).all()
}

/// Returns the pairs of triangles that have a common point beyond the corners and edges that they share, in order.
pub(crate) fn all_pairs(soup: &[[Vec3; 3]]) -> Vec<[u32; 2]> {
    let exact: Vec<[Point; 3]> = soup.iter().map(|corners| corners.map(point)).collect();
    let mut pairs = Vec::new();
    for one in 0..soup.len() {
        for other in one + 1..soup.len() {
            if boxes_touch(&soup[one], &soup[other]) && is_pair(&exact[one], &exact[other]) {
                pairs.push([one as u32, other as u32]);
            }
        }
    }
    pairs
}
