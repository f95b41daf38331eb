//! Cases that a reader can verify: closed edges, tangents, parallel rays, flat and empty shapes, and invalid input.

use crate::shapes::testable::{Rng, Testable, crossings, f32s};
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use hitscan::error::{ShapeError, TransformError};
use hitscan::{
    Aabb, Capsule, Cone, Cylinder, Disc, Inside, OrientedBox, Quad, Ray, RoundedBox, Shape, Side, Sphere, Torus, glam,
};

/// Returns the ts and sides of every crossing of a ray's line.
fn ts(shape: &dyn Testable, origin: [f32; 3], direction: [f32; 3]) -> Vec<(f32, Side)> {
    crossings(shape, &Ray::with_direction(origin, direction)).iter().map(|hit| (hit.t, hit.side)).collect()
}

fn span(enter: f32, exit: f32) -> Vec<(f32, Side)> {
    vec![(enter, Side::Front), (exit, Side::Back)]
}

fn touch(t: f32) -> Vec<(f32, Side)> {
    vec![(t, Side::Front)]
}

fn normal(shape: &dyn Testable, origin: [f32; 3], direction: [f32; 3]) -> Vec3 {
    shape.cast(&Ray::with_direction(origin, direction)).unwrap().normal
}

/// ```text
///   +--1--+  y = 1
///   |  |  |
///  -1--+--1- x      a ray along the side or in a cap hits; a ray through a rim alone only touches
///   |  |  |
///   +-----+  y = -1
/// ```
#[test]
fn a_cylinder_is_closed() {
    let can = Cylinder::new(1.0, 2.0);
    assert_eq!(ts(&can, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(2.0, 4.0));
    assert_eq!(ts(&can, [1.0, 3.0, 0.0], [0.0, -1.0, 0.0]), span(2.0, 4.0), "along the side");
    assert_eq!(ts(&can, [-3.0, 1.0, 0.0], [1.0, 0.0, 0.0]), span(2.0, 4.0), "in a cap");
    assert_eq!(ts(&can, [1.0, 0.0, -3.0], [0.0, 0.0, 1.0]), touch(3.0), "touching the side");
    assert_eq!(ts(&can, [0.0, 2.0, 0.0], [1.0, -1.0, 0.0]), touch(1.0), "through a rim");
    assert_eq!(ts(&can, [0.0, 5.0, 0.0], [0.0, -2.0, 0.0]), span(2.0, 3.0), "along the axis");
    assert_eq!(ts(&can, [1.0f32.next_up(), 5.0, 0.0], [0.0, -1.0, 0.0]), []);
    assert_eq!(ts(&can, [-3.0, 1.0f32.next_up(), 0.0], [1.0, 0.0, 0.0]), []);
    assert_eq!(normal(&can, [0.0, 2.0, 0.0], [1.0, -1.0, 0.0]), Vec3::Y, "on the rim that of the cap");
    assert_eq!(normal(&can, [3.0, 0.5, 0.0], [-1.0, 0.0, 0.0]), Vec3::X);
    assert_eq!(normal(&can, [0.5, 0.0, 0.0], [0.0, -1.0, 0.0]), Vec3::NEG_Y, "out of the bottom");
}

/// ```text
///      /\     apex (0, 1)
///     /  \
///    /____\   base y = -1, radius 1
/// ```
#[test]
fn a_cone_is_closed() {
    let cone = Cone::new(1.0, 2.0);
    assert_eq!(ts(&cone, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), span(4.0, 6.0), "down the axis");
    assert_eq!(ts(&cone, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(2.5, 3.5));
    assert_eq!(ts(&cone, [-3.0, -1.0, 0.0], [1.0, 0.0, 0.0]), span(2.0, 4.0), "in the base");
    assert_eq!(ts(&cone, [-3.0, 1.0, 0.0], [1.0, 0.0, 0.0]), touch(3.0), "through the apex");
    assert_eq!(ts(&cone, [-3.0, 4.0, 0.0], [1.0, -1.0, 0.0]), touch(3.0), "slanting through the apex");
    assert_eq!(ts(&cone, [-1.0, 3.0, 0.0], [1.0, -2.0, 0.0]), span(1.0, 2.0), "down the side");
    assert_eq!(ts(&cone, [-2.0, -2.0, 0.0], [1.0, 1.0, 0.0]), span(1.0, 7.0 / 3.0), "in through the rim");
    assert_eq!(ts(&cone, [0.5, 4.0, 0.0], [0.0, -1.0, 0.0]), span(4.0, 5.0), "steeper than the side");
    assert_eq!(ts(&cone, [-3.0, 1.5, 0.0], [1.0, 0.0, 0.0]), [], "the other half of the double cone");
    assert_eq!(ts(&cone, [0.0, 3.0, 0.0], [0.1, -0.1, 0.0]).len(), 0, "and on its way past the apex");
    assert_eq!(normal(&cone, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), Vec3::Y, "at the apex");
    let slope = Vec3::new(2.0, 1.0, 0.0).normalize();
    assert!((normal(&cone, [3.0, 0.0, 0.0], [-1.0, 0.0, 0.0]) - slope).length() < 1e-6);
}

/// ```text
///        |    |
///  ------=====|----    a side and a base that are one plane in f64: rounding decides the order in which a ray
///        |    |        crosses them, and so whether it is inside between them
/// ```
#[test]
fn a_cone_of_any_flatness_is_as_wide_as_its_base() {
    for height in [1e-3f32, 1e-10, 1e-14, 1e-16, 1e-20, 1e-30, 1e-38] {
        let tilted = Cone::between([0.0; 3], [0.25 * height, height, 0.5 * height], 1.0);
        for cone in [Cone::new(1.0, height), tilted] {
            for (x, is_hit) in [(0.0, true), (0.5, true), (0.75, true), (1.5, false), (5.0, false), (100.0, false)] {
                for direction in [[0.0, -1.0, 0.01], [0.0, 1.0, 0.01]] {
                    // The ray points at (x, 0, 0.1), from one unit away.
                    let origin = [x, -direction[1], 0.1 - direction[2]];
                    let hits = ts(&cone, origin, direction);
                    assert_eq!(!hits.is_empty(), is_hit, "{cone:?} from {origin:?}: {hits:?}");
                }
            }
        }
    }
}

/// The lines go exactly through the apex, or as near to a line of the side as f32 allows.
#[test]
fn cones_are_hit_through_the_apex() {
    for seed in 1..=20_000 {
        let mut rng = Rng(seed);
        let radius = rng.magnitude(-2.0, 1.0) as f32;
        let around = rng.unit().with_y(0.0).normalize() * f64::from(radius);
        let direction = f32s(around * (1.0 - rng.magnitude(-9.0, -6.0)) - DVec3::Y);
        if direction.as_dvec3().with_y(0.0).length_squared() > f64::from(radius).powi(2) * (1.0 - 1e-15) {
            continue;
        }
        let cone = Cone::between(Vec3::NEG_Y, Vec3::ZERO, radius);
        for far in [1.0, 3.0, 1024.0] {
            // The direction has few enough digits for its multiples to be exact.
            let direction = direction.map(|x| f32::from_bits(x.to_bits() & !3));
            let ray = Ray::with_direction(-direction * far, direction);
            let hit = cone.cast(&ray);
            let at_apex = hit.is_some_and(|hit| (hit.t - far).abs() <= 1e-6 * far && hit.side == Side::Front);
            assert!(at_apex, "seed {seed}: {cone:?} {ray:?} {hit:?}");
        }
    }
}

#[test]
fn a_capsule_is_closed() {
    let capsule = Capsule::new(1.0, 4.0);
    assert_eq!(capsule.ends(), [Vec3::NEG_Y, Vec3::Y]);
    assert_eq!(ts(&capsule, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), span(3.0, 7.0));
    assert_eq!(ts(&capsule, [-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]), span(2.0, 4.0));
    assert_eq!(ts(&capsule, [1.0, 5.0, 0.0], [0.0, -1.0, 0.0]), span(4.0, 6.0), "along the side");
    assert_eq!(ts(&capsule, [1.0, 0.5, -3.0], [0.0, 0.0, 1.0]), touch(3.0), "touching the side");
    assert_eq!(ts(&capsule, [1.0, 1.0, -3.0], [0.0, 0.0, 1.0]), touch(3.0), "touching where side and ball meet");
    assert_eq!(ts(&capsule, [-3.0, 2.0, 0.0], [1.0, 0.0, 0.0]), touch(3.0), "touching the top");
    assert_eq!(ts(&capsule, [-3.0, 2.0f32.next_up(), 0.0], [1.0, 0.0, 0.0]), []);
    assert_eq!(normal(&capsule, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), Vec3::Y);
}

/// ```text
///    .--5--.    the core reaches to 4, the margin to 5
///   5|4   4|5
///    '--5--'
/// ```
#[test]
fn a_rounded_box_is_closed() {
    let block = RoundedBox::new(Aabb::new([-4.0; 3], [4.0; 3]), 1.0);
    assert_eq!(ts(&block, [-9.0, 0.5, -2.0], [1.0, 0.0, 0.0]), span(4.0, 14.0), "through flat faces");
    assert_eq!(ts(&block, [-9.0, 4.0, 4.0], [1.0, 0.0, 0.0]), span(4.0, 14.0), "where the faces end");
    assert_eq!(ts(&block, [-9.0, 5.0, 0.0], [1.0, 0.0, 0.0]), span(5.0, 13.0), "along a flat face");
    assert_eq!(ts(&block, [-9.0, 5.0, 5.0], [1.0, 0.0, 0.0]), [], "beside a round edge");
    assert_eq!(ts(&block, [-9.0, 4.75, 4.75], [1.0, 0.0, 0.0]), [], "beside a round edge, but in the box around it");
    assert_eq!(ts(&block, [4.0, 9.0, 4.0], [0.0, -1.0, 0.0]), span(4.0, 14.0), "over a corner");
    assert_eq!(normal(&block, [4.0, 9.0, 4.0], [0.0, -1.0, 0.0]), Vec3::Y);
    let diagonal = normal(&block, [9.0, 9.0, 9.0], [-1.0, -1.0, -1.0]);
    assert!(diagonal.distance(Vec3::ONE.normalize()) < 1e-6, "{diagonal}");
    let edge = normal(&block, [9.0, 9.0, 1.0], [-1.0, -1.0, 0.0]);
    assert!(edge.distance(Vec3::new(1.0, 1.0, 0.0).normalize()) < 1e-6, "{edge}");
}

/// A rounded box without a margin is a box, and a rounded box whose core has no extent is a ball.
#[test]
fn rounded_boxes_are_boxes_and_balls() {
    let mut rng = Rng(91);
    for _ in 0..2_000 {
        let (low, size) = (f32s(rng.vector()), f32s(rng.vector().abs()));
        let core = Aabb::new(low, low + size);
        let (sharp, ball) = (RoundedBox::new(core, 0.0), RoundedBox::new(Aabb::new(low, low), size.x));
        let ray = Ray::new(f32s(rng.vector() * 3.0), f32s(rng.direction()));
        assert_eq!(sharp.cast(&ray), core.cast(&ray), "{sharp:?} {ray:?}");
        let (own, of_ball) = (ball.cast(&ray), Sphere::at(low, size.x).cast(&ray));
        assert_eq!(own.map(|hit| (hit.t, hit.side)), of_ball.map(|hit| (hit.t, hit.side)), "{ball:?} {ray:?}");
    }
}

#[test]
fn short_capsules_are_balls() {
    let ray = Ray::with_direction([-3.0, 0.3, 0.2], [1.0, 0.1, 0.0]);
    for ball in [Capsule::new(1.0, 2.0), Capsule::new(1.0, 0.5), Capsule::between(Vec3::ZERO, Vec3::ZERO, 1.0)] {
        assert_eq!(ball.cast(&ray), Sphere::new(1.0).cast(&ray));
        assert_eq!((ball.height(), ball.validate()), (2.0, Ok(())));
    }
}

/// ```text
///   (2.5)---(1.5)   .   (-1.5)---(-2.5)     a line along x crosses the ring four times
/// ```
#[test]
fn a_torus_is_crossed_four_times() {
    let ring = Torus::new(2.0, 0.5);
    let [first, second] = [span(1.5, 2.5), span(5.5, 6.5)];
    assert_eq!(ts(&ring, [-4.0, 0.0, 0.0], [1.0, 0.0, 0.0]), [first, second].concat());
    assert_eq!(
        ts(&ring, [-4.0, 0.5, 0.0], [1.0, 0.0, 0.0]),
        [touch(2.0), touch(6.0)].concat(),
        "touching the top twice"
    );
    assert_eq!(ts(&ring, [2.5, 5.0, 0.0], [0.0, -1.0, 0.0]), touch(5.0), "touching from outside");
    assert_eq!(ts(&ring, [1.5, 5.0, 0.0], [0.0, -1.0, 0.0]), touch(5.0), "touching in the hole");
    assert_eq!(ts(&ring, [2.0, 5.0, 0.0], [0.0, -1.0, 0.0]), span(4.5, 5.5));
    assert_eq!(ts(&ring, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), [], "through the hole");
    assert_eq!(ts(&ring, [2.5, 0.0, -4.0], [0.0, 0.0, 1.0]), touch(4.0), "touching the equator");
    // The line inside the torus is tangent to the surface of the hole, so there is no crossing.
    let along_hole = ts(&ring, [1.5, 0.0, -4.0], [0.0, 0.0, 1.0]);
    assert_eq!(along_hole, span(2.0, 6.0));
    assert_eq!(normal(&ring, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Vec3::NEG_X, "the hole's surface faces the axis");
    let from_second = Ray::new([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    assert_eq!(
        ring.when_inside(Inside::Ignore).cast(&from_second).map(|hit| (hit.t, hit.side)),
        Some((3.5, Side::Front))
    );
}

#[test]
fn a_torus_without_a_hole_is_solid() {
    let spindle = Torus::new(1.0, 2.0);
    // The dimples at the poles are at y = sqrt(2^2 - 1^2), and there is nothing hollow between them.
    let down = ts(&spindle, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]);
    let dimple = 3f32.sqrt();
    assert_eq!(down, span(5.0 - dimple, 5.0 + dimple));
    assert_eq!(ts(&spindle, [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(2.0, 8.0));
    assert_eq!(ts(&Torus::new(1.0, 1.0), [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(1.0, 5.0), "a hole of no width");
    assert_eq!(ts(&Torus::new(0.0, 2.0), [-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(3.0, 7.0), "a ball");
}

#[test]
fn flat_and_thin_solids_are_hit() {
    for flat in [&Cylinder::new(1.0, 0.0) as &dyn Testable, &Cone::new(1.0, 0.0)] {
        assert_eq!(ts(flat, [0.5, 3.0, 0.0], [0.0, -1.0, 0.0]), touch(3.0), "{flat:?}");
        assert_eq!(ts(flat, [1.0, 3.0, 0.0], [0.0, -1.0, 0.0]), touch(3.0), "{flat:?}");
        assert_eq!(ts(flat, [1.1, 3.0, 0.0], [0.0, -1.0, 0.0]), [], "{flat:?}");
        assert_eq!(ts(flat, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(2.0, 4.0), "edge on, {flat:?}");
        assert_eq!(normal(flat, [0.5, 3.0, 0.0], [0.0, -1.0, 0.0]), Vec3::Y, "against the ray, {flat:?}");
        assert_eq!(normal(flat, [0.5, -3.0, 0.0], [0.0, 1.0, 0.0]), Vec3::NEG_Y, "against the ray, {flat:?}");
        assert_eq!(normal(flat, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Vec3::NEG_X, "{flat:?}");
    }
    for thin in [&Cylinder::new(0.0, 2.0) as &dyn Testable, &Cone::new(0.0, 2.0), &Capsule::new(0.0, 2.0)] {
        assert_eq!(ts(thin, [-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]), touch(3.0), "{thin:?}");
        assert_eq!(ts(thin, [0.0, 3.0, 0.0], [0.0, -1.0, 0.0]), span(2.0, 4.0), "{thin:?}");
        assert_eq!(ts(thin, [-3.0, 0.5, 1e-20], [1.0, 0.0, 0.0]), [], "{thin:?}");
        assert!(normal(thin, [-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]).is_normalized(), "{thin:?}");
    }
    for point in [
        &Cylinder::new(0.0, 0.0) as &dyn Testable,
        &Cone::new(0.0, 0.0),
        &Capsule::new(0.0, 0.0),
        &Torus::new(0.0, 0.0),
    ] {
        assert_eq!(ts(point, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), touch(3.0), "{point:?}");
        assert_eq!(ts(point, [-3.0, 1e-20, 0.0], [1.0, 0.0, 0.0]), [], "{point:?}");
        assert!(normal(point, [-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).is_normalized(), "{point:?}");
    }
}

/// A ray that starts on the surface has t = 0 exactly, not a rounding error to either side.
#[test]
fn origins_on_the_surface() {
    let oblique = [[-1.0, 0.3, 0.7], [-0.1, -0.9, 0.3], [-7.0, 0.1, -0.2]];
    let shapes: [(&dyn Testable, [f32; 3]); 6] = [
        (&Cylinder::new(1.0, 2.0), [1.0, 0.25, 0.0]),
        (&Cone::new(1.0, 2.0), [0.5, 0.0, 0.0]),
        (&Capsule::new(1.0, 4.0), [1.0, 0.25, 0.0]),
        (&Torus::new(2.0, 0.5), [2.5, 0.0, 0.0]),
        (&Aabb::new([-1.0; 3], [1.0; 3]), [1.0, 0.25, 0.0]),
        (&RoundedBox::new(Aabb::new([-0.5; 3], [0.5; 3]), 0.5), [1.0, 0.25, 0.0]),
    ];
    for (shape, origin) in shapes {
        for into in oblique {
            let ray = Ray::new(origin, into);
            let hit = shape.cast(&ray).unwrap();
            assert_eq!((hit.t, hit.side), (0.0, Side::Front), "{shape:?} {into:?}");
            let away = shape.cast(&Ray::new(origin, -Vec3::from(into))).unwrap();
            assert_eq!((away.t, away.side), (0.0, Side::Back), "{shape:?} {into:?}");
        }
    }
}

#[test]
fn oriented_boxes_turn_and_mirror() {
    let eighth = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    let diamond = OrientedBox::from_rotation([0.0; 3], [1.0; 3], eighth).unwrap();
    let hit = diamond.cast(&Ray::new([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0])).unwrap();
    assert!((hit.t - (3.0 - (2f32.sqrt() - 0.5))).abs() < 1e-6, "{hit:?}");
    assert!((hit.normal - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6, "{hit:?}");

    // The box is scaled by two along x and mirrored. The faces still face outwards, and normals are transformed by the
    // inverse transpose.
    let mirrored = DAffine3::from_scale(DVec3::new(-2.0, 1.0, 1.0));
    let wide = OrientedBox::new(Aabb::new([0.0; 3], [1.0; 3]), mirrored).unwrap();
    assert_eq!(ts(&wide, [-5.0, 0.5, 0.5], [1.0, 0.0, 0.0]), span(3.0, 5.0));
    assert_eq!(normal(&wide, [-5.0, 0.5, 0.5], [1.0, 0.0, 0.0]), Vec3::NEG_X);
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z);
    let leaning = OrientedBox::new(Aabb::new([0.0; 3], [1.0; 3]), DAffine3::from_mat3(shear)).unwrap();
    let side = normal(&leaning, [-5.0, 0.5, 0.5], [1.0, 0.0, 0.0]);
    assert!((side - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6, "{side}");
    // First the ray is along an edge. Then the box is flat.
    assert_eq!(ts(&wide, [-3.0, 1.0, 1.0], [1.0, 0.0, 0.0]), span(1.0, 3.0));
    let flat = OrientedBox::from_rotation([0.0, 2.0, 0.0], [1.0, 0.0, 1.0], Quat::IDENTITY).unwrap();
    assert_eq!(ts(&flat, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), touch(3.0));
}

#[test]
fn flats_report_side_and_coordinates() {
    let quad = Quad::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]);
    let from = |x, y, z: f32| quad.cast(&Ray::new([x, y, z], [0.0, 0.0, -z]));
    let hit = from(2.5, 0.5, 2.0).unwrap();
    assert_eq!((hit.t, hit.side, hit.normal, hit.uv.unwrap().to_array()), (2.0, Side::Front, Vec3::Z, [0.5, 0.5]));
    assert_eq!(from(2.5, 0.5, -2.0).unwrap().side, Side::Back);
    for corner in [[1.0, 0.0], [3.0, 0.0], [2.0, 1.0], [4.0, 1.0]] {
        assert!(from(corner[0], corner[1], 1.0).is_some(), "{corner:?}");
    }
    assert_eq!(from(1.0f32.next_down(), 0.0, 1.0), None);
    assert!(!quad.is_blocked(&Ray::new([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0])), "in its plane");
    let point = Disc::new([0.0; 3], [0.0, 0.0, 3.0], 0.0);
    assert_eq!(ts(&point, [0.0, 0.0, 2.0], [0.0, 0.0, -1.0]), touch(2.0));
    assert_eq!(ts(&point, [1e-20, 0.0, 2.0], [0.0, 0.0, -1.0]), []);
}

#[test]
fn unusable_shapes_say_why_and_hit_nothing() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let mut shapes: Vec<Shape> = Vec::new();
    let mut refused = |shape: &dyn Testable, expected: fn(&ShapeError) -> bool| {
        assert!(shape.validate().is_err_and(|error| expected(&error)), "{shape:?}: {:?}", shape.validate());
        for direction in [[-1.0, 0.0, 0.0], [-1.0, -1.0, 0.0], [-0.3, 0.7, 0.2]] {
            let ray = Ray::with_direction([2.0, 0.0, 0.0], direction).with_range(f32::NEG_INFINITY, inf);
            assert_eq!((shape.cast(&ray), shape.is_blocked(&ray)), (None, false), "{shape:?}");
        }
        shapes.push(shape.shape());
    };
    for bad in [-1.0, nan, inf] {
        let size = |error: &ShapeError| matches!(error, ShapeError::Size { .. });
        let any_size: [&dyn Testable; 11] = [
            &Capsule::new(bad, 2.0),
            &Capsule::new(1.0, bad),
            &Capsule::between(Vec3::ZERO, Vec3::Y, bad),
            &Cylinder::new(bad, 2.0),
            &Cylinder::new(1.0, bad),
            &Cone::new(bad, 2.0),
            &Cone::new(1.0, bad),
            &Torus::new(bad, 1.0),
            &Torus::new(2.0, bad),
            &RoundedBox::new(Aabb::new([0.0; 3], [1.0; 3]), bad),
            &Disc::new(Vec3::ZERO, Vec3::Y, bad),
        ];
        any_size.into_iter().for_each(|shape| refused(shape, size));
    }
    let point = |error: &ShapeError| matches!(error, ShapeError::Point { .. });
    refused(&Disc::new([nan, 0.0, 0.0], Vec3::Y, 1.0), point);
    refused(&Quad::new([0.0, inf, 0.0], Vec3::X, Vec3::Y), point);
    let direction = |error: &ShapeError| matches!(error, ShapeError::Direction { .. });
    refused(&Disc::new(Vec3::ZERO, Vec3::ZERO, 1.0), direction);
    refused(&Quad::new(Vec3::ZERO, Vec3::ZERO, Vec3::Y), direction);
    refused(&Quad::new(Vec3::ZERO, Vec3::X, [0.0, nan, 0.0]), direction);
    refused(&Quad::new(Vec3::ZERO, Vec3::ONE, -Vec3::ONE), |error| *error == ShapeError::NoArea);
    let not_finite = |_: &ShapeError| true;
    refused(&Capsule::between([nan, 0.0, 0.0], Vec3::Y, 1.0), not_finite);
    refused(&Cylinder::between(Vec3::Y, [0.0, inf, 0.0], 1.0), not_finite);
    refused(&Cone::between(Vec3::Y, [0.0, inf, nan], 1.0), not_finite);
    let empty = OrientedBox::new(Aabb::EMPTY, DAffine3::IDENTITY).unwrap();
    refused(&empty, |error| matches!(error, ShapeError::EmptyBox { .. }));
    refused(&RoundedBox::new(Aabb::EMPTY, 1.0), |error| matches!(error, ShapeError::EmptyBox { .. }));
    assert!(shapes.iter().all(|shape| shape.validate().is_err()));

    let unit = Aabb::new([0.0; 3], [1.0; 3]);
    assert!(matches!(OrientedBox::new(unit, DAffine3::ZERO), Err(TransformError::Singular { .. })));
    let broken = OrientedBox::from_rotation([nan, 0.0, 0.0], [1.0; 3], Quat::IDENTITY);
    assert_eq!(broken, Err(TransformError::NotFinite));
    let no_rotation = OrientedBox::from_rotation([0.0; 3], [1.0; 3], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert_eq!(no_rotation, Err(TransformError::NotFinite));
}

#[test]
fn shapes_know_their_own_questions() {
    let shape: Shape = Torus::new(2.0, 0.5).into();
    assert_eq!(shape.bounds(), Aabb::new([-2.5, -0.5, -2.5], [2.5, 0.5, 2.5]));
    assert_eq!(Cylinder::new(1.0, 2.0).bounds(), Aabb::new([-1.0; 3], [1.0; 3]));
    assert_eq!(Cone::new(1.0, 2.0).bounds(), Aabb::new([-1.0; 3], [1.0; 3]));
    assert_eq!(Capsule::new(1.0, 4.0).bounds(), Aabb::new([-1.0, -2.0, -1.0], [1.0, 2.0, 1.0]));
    let rounded = RoundedBox::new(Aabb::new([-1.0; 3], [1.0; 3]), 0.5);
    assert_eq!(rounded.bounds(), Aabb::new([-1.5; 3], [1.5; 3]));
    assert_eq!(Disc::new([0.0; 3], [0.0, 0.0, 2.0], 1.0).bounds(), Aabb::new([-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]));
    // The radius is too small to change an f64, but the box must still be rounded outwards.
    let far = Sphere::at(Vec3::X, 1e-30).bounds();
    assert!(far.min.x < 1.0 && far.max.x > 1.0);
}
