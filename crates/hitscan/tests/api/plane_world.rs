//! The two-dimensional world: every shape of `hitscan::d2`.

use crate::world::World;
use hitscan::d2::{Capsule2, Circle, ConvexPolygon, Line, Ray2, Rect, Segment, Triangle2};
use hitscan::glam::Vec2;

macro_rules! check {
    ($world:ident, $name:literal, $shape:expr, $ray:expr) => {{
        let (shape, ray) = ($shape, $ray);
        let answers =
            $world.log.ask($name, &(&shape, ray), || (shape.cast(&ray), shape.cast_t(&ray), shape.is_blocked(&ray)));
        let is_right = answers.0.as_ref().map(|hit| hit.t) == answers.1 && answers.0.is_some() == answers.2;
        $world.log.check(is_right, "as cast", || format!("{answers:?} of {shape:?} {ray:?}"));
        let is_unit = answers.0.as_ref().is_none_or(|hit| (hit.normal.length() - 1.0).abs() < 1e-5);
        $world.log.check(is_unit, "unit normal", || format!("{answers:?} of {shape:?} {ray:?}"));
        let is_valid = $world.log.call($name, &"validate", || (shape.validate().is_ok(), shape.bounds())).0;
        $world.log.check(is_valid || answers.0.is_none(), "unusable", || format!("{answers:?} of {shape:?}"));
    }};
}

pub(crate) fn shapes(world: &mut World<'_>) {
    let [a, b, c, d] = [(); 4].map(|()| world.numbers.vec2());
    let ray = ray(world);
    let radius = world.numbers.size();
    check!(world, "d2::Capsule2", Capsule2::new(a, b, radius), ray);
    check!(world, "d2::Circle", Circle::new(a, radius), ray);
    check!(world, "d2::Rect", Rect::new(a.min(b), a.max(b)), ray);
    check!(world, "d2::Segment", Segment::new(a, b), ray);
    check!(world, "d2::Triangle2", Triangle2::new(a, b, c), ray);
    if let Ok(line) = Line::through(a, b) {
        check!(world, "d2::Line", line, ray);
        if c.is_finite() && d.is_finite() {
            world.log.ask("d2::Line", &(line, c, d), || {
                (line.signed_distance(c), line.approach_speed(d), line.time_to_reach(c, d), line.normal())
            });
        }
    }
    let corners: Vec<Vec2> = (0..world.numbers.below(7)).map(|_| world.numbers.vec2()).collect();
    if let Ok(polygon) = ConvexPolygon::new([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]) {
        check!(world, "d2::ConvexPolygon", polygon, ray);
    }
    if let Ok(polygon) = world.log.call("ConvexPolygon::new", &corners, || ConvexPolygon::new(corners.clone())) {
        check!(world, "d2::ConvexPolygon", polygon, ray);
    }
    contains(world, [a, b, c, d], radius);
}

fn contains(world: &mut World<'_>, [a, b, c, point]: [Vec2; 4], radius: f32) {
    world.log.call("d2 contains", &(a, b, c, point, radius), || {
        let round = (Capsule2::new(a, b, radius).contains(point), Circle::new(a, radius).contains(point));
        let rect = Rect::from_points([a, b]).union(&Rect::from_center_size(c, a));
        let straight = (Segment::new(a, b).contains(point), Triangle2::new(a, b, c).contains(point));
        (round, rect.contains(point), rect.center(), rect.size(), straight)
    });
}

fn ray(world: &mut World<'_>) -> Ray2 {
    let (a, b) = (world.numbers.vec2(), world.numbers.vec2());
    let ray = match world.numbers.below(3) {
        0 => Ray2::new(a, b),
        1 => Ray2::with_direction(a, b),
        _ => Ray2::between(a, b),
    };
    if world.numbers.one_in(3) { ray.with_range(world.numbers.f32(), world.numbers.f32()) } else { ray }
}
