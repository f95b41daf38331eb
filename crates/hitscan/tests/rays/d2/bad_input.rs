//! Invalid shapes hit nothing, contain nothing, and return a descriptive error.

use crate::ask;
use hitscan::d2::{Capsule2, Circle, ConvexPolygon, Line, Ray2, RayError2, Rect, Segment, ShapeError2, Triangle2};
use hitscan::glam::Vec2;
use proptest::prelude::*;

/// Generates arbitrary bit patterns.
fn any_vector() -> impl Strategy<Value = Vec2> {
    let special = prop::sample::select(vec![0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN]);
    let number = prop_oneof![any::<u32>().prop_map(f32::from_bits), special, (-2i32..3).prop_map(|i| i as f32)];
    [number.clone(), number].prop_map(Vec2::from_array)
}

fn any_ray() -> impl Strategy<Value = Ray2> {
    [any_vector(), any_vector(), any_vector()]
        .prop_map(|[o, d, range]| Ray2::with_direction(o, d).with_range(range.x, range.y))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn anything_may_be_asked(ray in any_ray(), [a, b, c] in [any_vector(), any_vector(), any_vector()]) {
        let usable = ray.validate().is_ok();
        let segment = Segment::new(a, b);
        prop_assert!(segment.cast(&ray).is_none_or(|hit| usable && is_sound(hit, &ray) && segment.validate().is_ok()));
        for line in [Line::new(a, b), Line::through(a, b)].into_iter().flatten() {
            prop_assert!(line.cast(&ray).is_none_or(|hit| usable && is_sound(hit, &ray)));
            prop_assert!(!line.contains(c) || c.is_finite());
        }
        macro_rules! check {
            ($($area:expr),*) => {$(
                for hit in ask!($area, ray).into_iter().flatten() {
                    prop_assert!(usable && is_sound(hit, &ray) && $area.validate().is_ok(), "{:?} {:?}", hit, ray);
                }
                prop_assert!(!$area.contains(c) || $area.validate().is_ok());
            )*};
        }
        check!(Circle::new(a, b.x), Rect::new(a, b), Triangle2::new(a, b, c), Capsule2::new(a, b, c.x));
        if let Ok(polygon) = ConvexPolygon::new([a, b, c]) {
            check!(polygon);
        }
    }
}

fn is_sound(hit: hitscan::d2::ShapeHit2, ray: &Ray2) -> bool {
    hit.t.is_finite()
        && ray.t_min <= hit.t
        && hit.t <= ray.t_max
        && (hit.normal.length() - 1.0).abs() <= 1e-6
        && hit.u.is_none_or(|u| (0.0..=1.0).contains(&u))
}

#[test]
fn rays_say_what_is_wrong() {
    let good = Ray2::new(Vec2::ZERO, Vec2::X);
    assert_eq!(good.validate(), Ok(()));
    assert_eq!(Ray2::new(Vec2::INFINITY, Vec2::X).validate(), Err(RayError2::Origin(Vec2::INFINITY)));
    assert!(matches!(Ray2::new(Vec2::NAN, Vec2::X).validate(), Err(RayError2::Origin(_))));
    assert_eq!(Ray2::new(Vec2::ZERO, Vec2::ZERO).validate(), Err(RayError2::Direction(Vec2::ZERO)));
    assert!(matches!(Ray2::new(Vec2::ZERO, Vec2::NAN).validate(), Err(RayError2::Direction(_))));
    assert!(matches!(Ray2::between(Vec2::X, Vec2::X).validate(), Err(RayError2::Direction(_))));
    assert_eq!(good.with_range(2.0, 1.0).validate(), Err(RayError2::Range { t_min: 2.0, t_max: 1.0 }));
    assert!(matches!(good.with_range(0.0, f32::NAN).validate(), Err(RayError2::Range { .. })));
    for length in [1e-40, 1e-20, 1.0, 1e30, 3e38] {
        assert_eq!(Ray2::new(Vec2::ZERO, Vec2::new(0.0, -length)).direction, Vec2::NEG_Y, "{length}");
    }
}

#[test]
fn shapes_say_what_is_wrong() {
    let nan = Vec2::new(0.0, f32::NAN);
    assert!(matches!(Line::new(nan, Vec2::X), Err(ShapeError2::Point { what: "point", .. })));
    assert_eq!(Line::new(Vec2::X, Vec2::ZERO), Err(ShapeError2::Direction { what: "normal", value: Vec2::ZERO }));
    assert_eq!(Line::through(Vec2::X, Vec2::X), Err(ShapeError2::NoLength));
    assert_eq!(Segment::new(Vec2::X, Vec2::X).validate(), Err(ShapeError2::NoLength));
    assert!(matches!(Segment::new(Vec2::X, nan).validate(), Err(ShapeError2::Point { what: "end b", .. })));
    assert_eq!(Circle::new(Vec2::ZERO, -1.0).validate(), Err(ShapeError2::Size { what: "radius", value: -1.0 }));
    assert!(matches!(Capsule2::new(nan, Vec2::X, 1.0).validate(), Err(ShapeError2::Point { what: "end a", .. })));
    assert!(matches!(Capsule2::new(Vec2::Y, Vec2::X, f32::NAN).validate(), Err(ShapeError2::Size { .. })));
    assert!(matches!(Rect::new(Vec2::X, Vec2::ZERO).validate(), Err(ShapeError2::EmptyRect { .. })));
    assert!(matches!(
        Triangle2::new(Vec2::X, Vec2::Y, nan).validate(),
        Err(ShapeError2::Point { what: "corner c", .. })
    ));
    assert_eq!(Triangle2::new([0.0, 0.0], [1.0, 1.0], [3.0, 3.0]).validate(), Err(ShapeError2::NoArea));
}

#[test]
fn polygons_name_the_first_offender() {
    let new = |corners: &[[f32; 2]]| ConvexPolygon::new(corners.iter().copied()).map(|_| ());
    assert_eq!(new(&[]), Err(ShapeError2::TooFewCorners { count: 0 }));
    assert_eq!(new(&[[0.0, 0.0], [1.0, 0.0]]), Err(ShapeError2::TooFewCorners { count: 2 }));
    let infinite = [[0.0, 0.0], [1.0, 0.0], [f32::INFINITY, 1.0], [f32::NAN, 1.0]];
    assert_eq!(new(&infinite), Err(ShapeError2::Corner { index: 2, position: Vec2::new(f32::INFINITY, 1.0) }));
    assert_eq!(new(&[[0.0, 0.0], [1.0, 0.0], [1.0, -0.0], [0.0, 1.0]]), Err(ShapeError2::Repeated { index: 2 }));
    assert_eq!(new(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), Err(ShapeError2::Repeated { index: 0 }));
    assert_eq!(new(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [2.0, 2.0]]), Err(ShapeError2::NoArea));
    // These outlines have a dent at the first corner, and a spike.
    assert_eq!(new(&[[1.0, 1.0], [0.0, 2.0], [0.0, 0.0], [2.0, 1.0]]), Err(ShapeError2::NotConvex { index: 0 }));
    assert_eq!(
        new(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 2.0]]),
        Err(ShapeError2::NotConvex { index: 2 })
    );
    // A pentagram turns left at every corner but goes around twice.
    let pentagram = [[0.0, 3.0], [-2.0, -3.0], [3.0, 1.0], [-3.0, 1.0], [2.0, -3.0]];
    assert_eq!(new(&pentagram), Err(ShapeError2::NotConvex { index: 4 }));
    assert_eq!(
        ShapeError2::NoArea.to_string(),
        "the corners are on one line, so they enclose no area: move one off the line"
    );
}
