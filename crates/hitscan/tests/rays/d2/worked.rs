//! Cases that are worked by hand, with drawings.

use hitscan::d2::{Capsule2, Circle, ConvexPolygon, Ray2, Rect, Segment, Triangle2};
use hitscan::glam::Vec2;
use hitscan::{Inside, Side};

fn key(hit: Option<hitscan::d2::ShapeHit2>) -> Option<(f32, Side, Vec2)> {
    hit.map(|hit| (hit.t, hit.side, hit.normal))
}

/// The box of the project's worked example, in two dimensions.
#[test]
fn worked_box() {
    let rect = Rect::new([0.5, 0.5], [2.0, 2.0]);
    let blocked = |o: [f32; 2], d: [f32; 2]| rect.is_blocked(&Ray2::with_direction(o, d));
    assert!(blocked([-2.0, -2.0], [2.0, 2.0]));
    assert!(!blocked([0.0, 0.0], [0.0, 1.0]));
    assert!(!blocked([0.0, 0.0], [-1.0, 0.0]));
    assert!(blocked([1.0, 1.0], [1.0, 1.0]));
    assert!(!blocked([0.4, 1.0], [-1.0, 0.0]));
}

/// ```text
///    3 +-----+
///      |     |     The ray along the lower side enters at one
///   -->+=====+-->  corner and leaves at the other, in both forms.
///      1     4
/// ```
#[test]
fn along_a_side() {
    let rect = Rect::new([1.0, 0.0], [4.0, 3.0]);
    let polygon = ConvexPolygon::new([[1.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 3.0]]).unwrap();
    for (origin, expected) in [
        ([0.0, 0.0], Some((1.0, Side::Front, Vec2::NEG_X))),
        ([1.0, 0.0], Some((0.0, Side::Front, Vec2::NEG_X))),
        ([2.0, 0.0], Some((2.0, Side::Back, Vec2::X))),
        ([4.0, 0.0], Some((0.0, Side::Back, Vec2::X))),
        ([5.0, 0.0], None),
    ] {
        let ray = Ray2::new(origin, [1.0, 0.0]);
        assert_eq!(key(rect.cast(&ray)), expected);
        assert_eq!(key(polygon.cast(&ray)), expected);
    }
    let touching_end = Ray2::between([0.0, 0.0], [1.0, 0.0]);
    assert_eq!(rect.cast_t(&touching_end), Some(1.0));
    assert_eq!(polygon.cast_t(&touching_end), Some(1.0));
}

/// ```text
///        /\
///    ---/--\---   below the tip: enters and leaves; at the tip: one touch
///      /____\
/// ```
#[test]
fn at_a_tip() {
    let triangle = Triangle2::new([-1.0, 0.0], [0.0, 2.0], [1.0, 0.0]);
    let at_tip = Ray2::new([-5.0, 2.0], [1.0, 0.0]);
    let hit = triangle.cast(&at_tip).unwrap();
    assert_eq!((hit.t, hit.side), (5.0, Side::Front));
    assert!(hit.normal.x < 0.0);
    // A tangential touch has no exit and no inside.
    for inside in [Inside::Exit, Inside::Solid, Inside::Ignore] {
        assert_eq!(triangle.when_inside(inside).cast(&at_tip.with_range(5.5, 9.0)), None);
    }
    let above = Ray2::new([-5.0, 2.0f32.next_up()], [1.0, 0.0]);
    assert_eq!(triangle.cast(&above), None);
}

/// A flat rectangle is hit from the side and along itself.
#[test]
fn flat_rect() {
    let rect = Rect::new([0.0, 1.0], [2.0, 1.0]);
    assert_eq!(key(rect.cast(&Ray2::new([1.0, 0.0], [0.0, 1.0]))), Some((1.0, Side::Front, Vec2::NEG_Y)));
    assert_eq!(key(rect.cast(&Ray2::new([3.0, 1.0], [-1.0, -0.0]))), Some((1.0, Side::Front, Vec2::X)));
    assert!(rect.contains([1.0, 1.0]) && !rect.contains([1.0, 1.5]));
}

/// ```text
///     .---------.
///    (  a-----b  )    length 4, radius 1
///     '---------'
/// ```
#[test]
fn capsule_all_around() {
    let capsule = Capsule2::new([0.0, 0.0], [4.0, 0.0], 1.0);
    let cast = |o: [f32; 2], d: [f32; 2]| key(capsule.cast(&Ray2::new(o, d)));
    assert_eq!(cast([-3.0, 0.0], [1.0, 0.0]), Some((2.0, Side::Front, Vec2::NEG_X)));
    assert_eq!(cast([7.0, 0.0], [-1.0, 0.0]), Some((2.0, Side::Front, Vec2::X)));
    assert_eq!(cast([2.0, 5.0], [0.0, -1.0]), Some((4.0, Side::Front, Vec2::Y)));
    assert_eq!(cast([2.0, -5.0], [0.0, 1.0]), Some((4.0, Side::Front, Vec2::NEG_Y)));
    assert_eq!(cast([2.0, 0.0], [1.0, 0.0]), Some((3.0, Side::Back, Vec2::X)));
    // A ray along the straight side touches the capsule from one round end to the other.
    assert_eq!(cast([-3.0, 1.0], [1.0, 0.0]), Some((3.0, Side::Front, Vec2::Y)));
    assert_eq!(cast([2.0, 1.0], [1.0, 0.0]), Some((2.0, Side::Back, Vec2::Y)));
    assert_eq!(cast([-3.0, 1.0f32.next_up()], [1.0, 0.0]), None);
    assert!(capsule.contains([4.0, -1.0]) && capsule.contains([5.0, 0.0]) && !capsule.contains([5.0, 0.5]));
    assert_eq!(capsule.bounds(), Rect::new([-1.0, -1.0], [5.0, 1.0]));
}

/// A capsule of radius 0 is a segment that is also hit along itself, and a circle of radius 0 is a point.
#[test]
fn no_radius() {
    let capsule = Capsule2::new([0.0, 0.0], [4.0, 4.0], 0.0);
    assert_eq!(capsule.cast_t(&Ray2::with_direction([0.0, 4.0], [1.0, -1.0])), Some(2.0));
    assert_eq!(capsule.cast_t(&Ray2::with_direction([-1.0, -1.0], [1.0, 1.0])), Some(1.0));
    assert_eq!(capsule.cast_t(&Ray2::with_direction([5.0, 4.0], [-1.0, 0.0])), Some(1.0));
    assert_eq!(capsule.cast_t(&Ray2::with_direction([6.0, 4.5], [-1.0, 0.0])), None);
    let point = Circle::new([3.0, 4.0], 0.0);
    assert_eq!(key(point.cast(&Ray2::with_direction([0.0, 4.0], [1.0, 0.0]))), Some((3.0, Side::Front, Vec2::NEG_X)));
    assert_eq!(point.cast_t(&Ray2::with_direction([0.0, 0.0], [3.0, 4.0])), Some(1.0));
    assert!(!point.is_blocked(&Ray2::with_direction([0.0, 0.0], [3.0, 4.1])));
}

#[test]
fn facing_normals() {
    let wall = Segment::new([2.0, -1.0], [2.0, 3.0]);
    let hit = wall.cast(&Ray2::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    assert_eq!((hit.normal, hit.side, hit.facing_normal()), (Vec2::X, Side::Back, Vec2::NEG_X));
    let hit = wall.cast(&Ray2::new([5.0, 0.0], [-1.0, 0.0])).unwrap();
    assert_eq!((hit.normal, hit.side, hit.facing_normal()), (Vec2::X, Side::Front, Vec2::X));
}

#[test]
fn rectangles() {
    let rect = Rect::from_center_size([1.0, 2.0], [2.0, 4.0]);
    assert_eq!(rect, Rect::new([0.0, 0.0], [2.0, 4.0]));
    assert_eq!((rect.center(), rect.size()), (Vec2::new(1.0, 2.0), Vec2::new(2.0, 4.0)));
    assert_eq!(Rect::EMPTY.union(&rect), rect);
    assert!(Rect::EMPTY.is_empty() && !rect.is_empty());
    assert!(rect.contains([2.0, 4.0]) && !rect.contains([2.0, 4.5]) && !Rect::EMPTY.contains([0.0, 0.0]));
}
