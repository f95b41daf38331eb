//! Rectangles, triangles and convex polygons.

use crate::ask;
use crate::d2::numbers::{Regime, ray, regime, vector};
use crate::d2::oracle::{
    HalfPlane, P, area2, check_straight, clip, hull, is_clear, left_of, nearest, p, q, winding_contains,
};
use hitscan::d2::{ConvexPolygon, Ray2, Rect, ShapeError2, Triangle2};
use hitscan::glam::Vec2;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

fn half_planes(corners: &[Vec2]) -> Vec<HalfPlane> {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&a, &b)| left_of(&p(a), &p(b))).collect()
}

fn sides(rect: &Rect) -> Vec<HalfPlane> {
    let half_plane = |normal: Vec2, offset: f32| HalfPlane { normal: p(normal), offset: q(offset) };
    vec![
        half_plane(Vec2::NEG_X, -rect.min.x),
        half_plane(Vec2::X, rect.max.x),
        half_plane(Vec2::NEG_Y, -rect.min.y),
        half_plane(Vec2::Y, rect.max.y),
    ]
}

/// Generates a counter-clockwise outline with vertices on straight sides, starting at any vertex.
fn outline(regime: Regime) -> impl Strategy<Value = Vec<Vec2>> {
    (prop::collection::vec(vector(regime), 3..9), any::<prop::sample::Index>())
        .prop_map(|(points, start)| {
            let mut outline = hull(&points);
            if !outline.is_empty() {
                let start = start.index(outline.len());
                outline.rotate_left(start);
            }
            outline
        })
        .prop_filter("an area", |outline| !outline.is_empty())
}

/// Generates rays of the regime, and rays through two of the corners, which run along a side or a diagonal.
fn ray_at(corners: Vec<Vec2>, regime: Regime) -> impl Strategy<Value = (Vec<Vec2>, Ray2)> {
    let aimed = |ray: Ray2, origin: Vec2, target: Vec2| {
        let aimed = Ray2 { origin, direction: target - origin, ..ray };
        if aimed.validate().is_ok() { aimed } else { ray }
    };
    let corner = prop::sample::select(corners.clone());
    let through = (ray(regime), corner.clone(), corner.clone()).prop_map(move |(ray, a, b)| aimed(ray, a, b));
    let towards = (ray(regime), corner).prop_map(move |(ray, a)| aimed(ray, ray.origin, a));
    (Just(corners), prop_oneof![2 => ray(regime), 1 => through, 1 => towards])
}

fn polygon_case() -> impl Strategy<Value = (Vec<Vec2>, Ray2)> {
    regime().prop_flat_map(|regime| outline(regime).prop_flat_map(move |corners| ray_at(corners, regime)))
}

fn point_case() -> impl Strategy<Value = (Vec<Vec2>, Vec2)> {
    regime().prop_flat_map(|regime| {
        outline(regime).prop_flat_map(move |corners| {
            let corner = prop::sample::select(corners.clone());
            let between = (corner.clone(), corner).prop_map(|(a, b)| a * 0.5 + b * 0.5);
            (Just(corners), prop_oneof![vector(regime), between])
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn polygon_is_exact((corners, ray) in polygon_case(), clockwise in any::<bool>()) {
        let given = corners.iter().copied();
        let polygon = if clockwise { ConvexPolygon::new(given.rev()) } else { ConvexPolygon::new(given) }.unwrap();
        check_straight(&ray, &half_planes(&corners), ask!(polygon, ray));
        prop_assert_eq!(polygon.bounds(), Rect::from_points(corners));
    }

    #[test]
    fn triangle_is_exact((corners, ray) in regime().prop_flat_map(|regime| {
        let corners = [vector(regime), vector(regime), vector(regime)].prop_map(Vec::from);
        corners.prop_flat_map(move |corners| ray_at(corners, regime))
    })) {
        let [a, b, c] = corners[..] else { unreachable!() };
        let triangle = Triangle2::new(a, b, c);
        let area = area2(&p(a), &p(b), &p(c));
        if area.is_zero() {
            prop_assert_eq!(triangle.validate(), Err(ShapeError2::NoArea));
            prop_assert_eq!(ask!(triangle, ray), [None; 3]);
        } else {
            let counter_clockwise = if area.is_positive() { [a, b, c] } else { [a, c, b] };
            check_straight(&ray, &half_planes(&counter_clockwise), ask!(triangle, ray));
        }
    }

    #[test]
    fn rect_is_exact((x, y, ray) in regime().prop_flat_map(|r| (vector(r), vector(r), ray(r))), aim in any::<bool>()) {
        let rect = Rect::from_points([x, y]);
        let ray = if aim { Ray2 { direction: x - ray.origin, ..ray } } else { ray };
        prop_assume!(ray.validate().is_ok());
        let clipped = clip(&ray, &sides(&rect));
        prop_assume!(clipped.as_ref().is_none_or(|c| is_clear(&c.enter) && is_clear(&c.exit)));
        check_straight(&ray, &sides(&rect), ask!(rect, ray));
        let whole = Ray2 { t_min: f32::NEG_INFINITY, t_max: f32::INFINITY, ..ray };
        let interval = clipped.map(|c| (nearest(&c.enter), nearest(&c.exit)));
        prop_assert_eq!(rect.interval(&whole), interval);
    }

    #[test]
    fn points_in_polygons_are_found_exactly((corners, point) in point_case()) {
        let outline: Vec<P> = corners.iter().copied().map(p).collect();
        let expected = winding_contains(&outline, &p(point));
        prop_assert_eq!(ConvexPolygon::new(corners.clone()).unwrap().contains(point), expected);
        let triangle = Triangle2::new(corners[0], corners[2], corners[1]);
        let outline = [0, 1, 2].map(|i| outline[i].clone());
        let usable = !area2(&outline[0], &outline[1], &outline[2]).is_zero();
        prop_assert_eq!(triangle.contains(point), usable && winding_contains(&outline, &p(point)));
    }

    /// An outline is valid if it goes once around the hull of its points, in either direction, with each point once.
    #[test]
    fn only_convex_outlines_are_taken(corners in prop::collection::vec(vector(Regime::Small), 3..7)) {
        let convex = is_outline(&corners);
        let polygon = ConvexPolygon::new(corners.clone());
        prop_assert_eq!(polygon.is_ok(), convex, "{:?}", polygon);
        let clockwise = ConvexPolygon::new(corners.iter().rev().copied());
        prop_assert_eq!(clockwise.is_ok(), convex);
    }

    #[test]
    fn outlines_are_taken_from_any_corner_and_side(corners in outline(Regime::Small), dent in vector(Regime::Small)) {
        let forwards = ConvexPolygon::new(corners.clone()).unwrap();
        prop_assert_eq!(forwards.corners(), &corners[..]);
        let mut backwards = corners.clone();
        backwards[1..].reverse();
        prop_assert_eq!(ConvexPolygon::new(backwards).unwrap(), forwards);
        let twice = [&corners[..], &corners[..]].concat();
        prop_assert_eq!(ConvexPolygon::new(twice), Err(ShapeError2::NotConvex { index: lap(&corners) }));
        let mut dented = corners;
        dented.push(dent);
        prop_assert_eq!(ConvexPolygon::new(dented.clone()).is_ok(), is_outline(&dented));
    }

    /// The two parts of a polygon cut along a diagonal together have the hits and the points of the whole.
    #[test]
    fn parts_make_up_the_whole((corners, ray) in polygon_case(), cut in any::<prop::sample::Index>()) {
        if corners.len() < 4 {
            return Ok(());
        }
        let cut = 2 + cut.index(corners.len() - 3);
        let whole = ConvexPolygon::new(corners.clone()).unwrap();
        let first = ConvexPolygon::new(corners[..=cut].to_vec());
        let second = ConvexPolygon::new([&corners[cut..], &corners[..1]].concat());
        let (Ok(first), Ok(second)) = (first, second) else { return Ok(()) };
        let ray = Ray2 { t_min: f32::NEG_INFINITY, ..ray };
        // An end beyond the range of f32 cannot be reported.
        if clip(&ray, &half_planes(&corners)).is_some_and(|c| !nearest(&c.enter).is_finite()) {
            return Ok(());
        }
        let nearest = [first.cast_t(&ray), second.cast_t(&ray)].into_iter().flatten().reduce(f32::min);
        prop_assert_eq!(whole.cast_t(&ray), nearest);
        prop_assert_eq!(whole.contains(ray.origin), first.contains(ray.origin) || second.contains(ray.origin));
    }
}

/// Returns whether the points are the outline of their own hull, from any vertex and in either direction.
fn is_outline(corners: &[Vec2]) -> bool {
    let hull = hull(corners);
    let same = |hull: &[Vec2]| {
        hull.len() == corners.len() && (0..hull.len()).any(|i| [&hull[i..], &hull[..i]].concat() == corners)
    };
    let backwards: Vec<Vec2> = hull.iter().rev().copied().collect();
    !hull.is_empty() && (same(&hull) || same(&backwards))
}

/// If a counter-clockwise outline is repeated, returns the index of the corner from which the repeated outline begins
/// to lead upwards for the second time.
fn lap(corners: &[Vec2]) -> usize {
    let n = corners.len();
    let upward = |i: usize| {
        let e = corners[(i + 1) % n] - corners[i % n];
        e.y > 0.0 || (e.y == 0.0 && e.x > 0.0)
    };
    n + (0..n).find(|&i| upward(i) && !upward(i + n - 1)).unwrap()
}
