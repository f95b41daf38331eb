//! Faults that were reported from use, with the right values.

use crate::sweep::oracle::to_segment;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::query::Feature;
use hitscan::{
    Aabb, Capsule, ConvexHull, Cylinder, Disc, HeightField, Mesh, OrientedBox, ProximityQueries, Quad, Ray, Scene,
    Shape, Sphere, SweepQueries, SweepStart, Triangle, Volume,
};
use std::f64::consts::FRAC_1_SQRT_2;

fn unit_box() -> Aabb {
    Aabb::new([0.0; 3], [1.0; 3])
}

fn corners_of_the_unit_box() -> Vec<[f32; 3]> {
    (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| bit as f32)).collect()
}

/// A flat box slides along the side of a box. Rounding rotates the normal of that side, and so moves its plane by far
/// more than the motion. The flat box stops where it reaches the side, not where it passes the rotated plane.
#[test]
fn a_flat_box_that_slides_along_a_side_from_afar_touches_it_there() {
    let columns = DMat3::from_cols(
        DVec3::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2, -3.0),
        DVec3::new(-0.35355339059327384, -1.0606601717798212, 0.0),
        DVec3::new(0.0, 0.0, 2.0),
    );
    let at = DAffine3::from_mat3_translation(columns, DVec3::new(-0.25, 0.0, 0.75));
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-0.3, -1.0, -0.5], [0.3, 1.0, 0.5]), at).unwrap();
    let from = DVec3::new(-2499.7714466094067, 2501.06066017178, -9999.125);
    let motion = DVec3::new(5000.0, -5000.0, 20000.0);
    let half = Vec3::new(0.125, 0.0, 0.125);
    let hit = scene.sweep(Aabb::new(-half, half), from, motion).unwrap();
    let off = (hit.point_f64() - from - motion * f64::from(hit.t)).abs() - half.as_dvec3();
    assert!(off.max_element() < 2e-3, "{off} {hit:?}");
    // The volume's upper edge reaches the upper edge of the side. For each unit along (1, -1, 0) / sqrt(2), the edge of
    // the side falls by 3, and the volume rises by sqrt(8).
    assert!((f64::from(hit.t) - 0.49996967).abs() < 1e-7, "{hit:?}");
}

/// A box that moves under another box and touches it hits the other box's lower face and nothing else.
#[test]
fn a_box_that_brushes_a_corner_is_told_the_face_that_it_comes_to() {
    let mut scene = Scene::new();
    let turned = OrientedBox::new(unit_box(), DAffine3::IDENTITY).unwrap();
    for shape in [Shape::from(unit_box()), turned.into()] {
        scene.insert(0, shape, DVec3::ZERO).unwrap();
        let slab = Aabb::new([0.0, -1.0, -1.0], [1.0, 0.0, 0.0]);
        let hit = scene.sweep(slab, [2.0, -2.0, 0.5], [-4.0, 4.0, 0.0]).unwrap();
        assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_Y));
    }
    scene.insert(0, ConvexHull::new(&corners_of_the_unit_box()).unwrap(), DVec3::ZERO).unwrap();
    let slab = Aabb::new([0.0, -1.0, -1.0], [1.0, 0.0, 0.0]);
    let hit = scene.sweep(slab, [2.0, -2.0, 0.5], [-4.0, 4.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_Y));
}

/// The plane across the normal has the whole box behind it. It does not matter which edge a point reaches and where it
/// comes from.
#[test]
fn a_point_that_brushes_an_edge_has_the_box_behind_its_normal() {
    let hull = ConvexHull::new(&corners_of_the_unit_box()).unwrap();
    let mut scene = Scene::new();
    scene.insert("box", unit_box(), DVec3::ZERO).unwrap();
    scene.insert("hull", hull, DVec3::new(100.0, 0.0, 0.0)).unwrap();
    for (at, volume) in [0.0, 100.0].into_iter().flat_map(|at| {
        let segment = Capsule::between([0.0, 0.0, -0.25], [0.0, 0.0, 0.25], 0.0);
        [Volume::Point, Sphere::new(0.0).into(), segment.into()].map(|volume| (at, volume))
    }) {
        for motion in [[-4.0, 4.0, 0.0], [-4.0, 4.0, 1.0], [-3.0, 1.0, 0.0], [-1.0, 5.0, 2.0], [-4.0, 0.0, 0.0]] {
            let motion = DVec3::from(motion);
            let edge = DVec3::new(1.0 + at, 0.0, 0.5);
            let hit = scene.sweep(&volume, edge - motion * 0.5, motion).unwrap();
            let normal = hit.normal.as_dvec3();
            assert_eq!(hit.t, 0.5, "{volume:?} {motion}");
            for corner in corners_of_the_unit_box() {
                let corner = Vec3::from(corner).as_dvec3() + DVec3::X * at;
                assert!(normal.dot(corner - edge) <= 1e-6, "{volume:?} {motion}: {normal} at {corner}");
            }
            assert!(normal.dot(motion) < 0.0, "{volume:?} {motion}: {normal}");
        }
    }
}

/// Returns a grid from -16 to 16 along x and z, in cells of 1.
fn level_grid(size: u32) -> Mesh {
    let half = size as f32 / 2.0;
    let place = |i: u32| i as f32 - half;
    let vertices = (0..=size).flat_map(|j| (0..=size).map(move |i| [place(i), 0.0, place(j)]));
    let positions: Vec<[f32; 3]> = vertices.collect();
    let cells = (0..size).flat_map(|j| (0..size).map(move |i| j * (size + 1) + i));
    let triangles: Vec<u32> = cells.flat_map(|a| [a, a + size + 1, a + size + 2, a, a + size + 2, a + 1]).collect();
    Mesh::new(&positions, &triangles).unwrap()
}

/// Several triangles have the same t in f32, and the first contact is with the face.
#[test]
fn on_a_flat_floor_a_long_motion_ends_at_a_face() {
    let field = HeightField::new(513, 513, [1.0, 1.0], &vec![0.0; 513 * 513]).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, field, DVec3::ZERO).unwrap();
    let cube = Aabb::new([-0.3; 3], [0.3; 3]);
    let from = DVec3::new(-3830.73111829337, 5825.679355842523, 494.60106376526363);
    let motion = DVec3::new(5509.170451005202, -8321.970508329432, -627.5729441796474);
    let hit = scene.sweep(cube, from, motion).unwrap();
    assert_eq!((hit.normal, hit.feature), (Vec3::Y, Feature::Face), "{hit:?}");
}

#[test]
fn on_a_flat_mesh_balls_and_boxes_are_told_its_normal() {
    let mut random = crate::common::Random(39);
    let mesh = level_grid(64);
    for volume in [
        Volume::from(Sphere::new(0.3)),
        Sphere::new(0.01).into(),
        Capsule::new(0.3, 1.2).into(),
        Aabb::new([-0.3; 3], [0.3; 3]).into(),
    ] {
        for length in [10.0, 1e3, 1e4] {
            for _ in 0..200 {
                let target = random.cube() * DVec3::new(20.0, 0.0, 20.0);
                let motion = (random.cube() - DVec3::Y * 1.5).normalize() * length;
                let from = target - motion * (0.5 + 0.4 * random.unit());
                let hit = mesh.sweep(&volume, from, motion).unwrap();
                assert_eq!(
                    (hit.normal, hit.feature),
                    (Vec3::Y, Feature::Face),
                    "{volume:?} {from:?} {motion:?} {hit:?}"
                );
            }
        }
    }
}

/// A triangle that rays can hit is also found by every other query.
#[test]
fn a_needle_that_a_ray_hits_is_met() {
    let needle = Mesh::from_soup(&[[0.0, 0.0, 0.0], [0.0, 1e-13, 0.0], [1e4, 1e4, 0.0]]).unwrap();
    let above = DVec3::new(5e3, 5e3, 1.0);
    assert_eq!(needle.cast(&Ray::new([5e3, 5e3, 1.0], [0.0, 0.0, -1.0])).map(|hit| hit.t), Some(1.0));
    assert_eq!(needle.closest_point(above).map(|nearest| nearest.distance), Some(1.0));
    let down = DVec3::new(0.0, 0.0, -2.0);
    for volume in [
        Volume::Point,
        Sphere::new(0.0).into(),
        Capsule::between([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 0.0).into(),
        Aabb::new([-0.5, -0.5, 0.0], [0.5, 0.5, 0.5]).into(),
    ] {
        let hit = needle.sweep(&volume, above, down).unwrap();
        assert!((hit.t - 0.5).abs() < 1e-6, "{volume:?}: {hit:?}");
        assert!((hit.normal - Vec3::Z).length() < 1e-6, "{volume:?}: {hit:?}");
    }
    let ball = needle.sweep(Sphere::new(0.25), above, down).unwrap();
    assert!((ball.t - 0.375).abs() < 1e-6 && (ball.normal - Vec3::Z).length() < 1e-6, "{ball:?}");
    let mut scene = Scene::new();
    scene.insert(0, needle, DVec3::ZERO).unwrap();
    assert!(scene.overlaps(Sphere::new(2.0), above));
    assert!(!scene.overlaps(Sphere::new(0.5), above));
    assert_eq!(scene.sweep(Sphere::new(0.25), above, down).map(|hit| hit.t), Some(ball.t));
}

/// A triangle without area is hit neither by rays nor by anything else.
#[test]
fn a_line_is_not_met() {
    let line = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [4.0, 4.0, 0.0]]).unwrap();
    assert_eq!(line.sweep(Sphere::new(0.5), [1.0, 1.0, 2.0], [0.0, 0.0, -4.0]), None);
    assert_eq!(line.closest_point([1.0, 1.0, 2.0]), None);
}

#[test]
fn a_quad_is_one_thing() {
    let mut scene = Scene::new();
    let quad = Quad { corner: Vec3::ZERO, edge_u: Vec3::X, edge_v: Vec3::Y };
    scene.insert(0, quad, DVec3::ZERO).unwrap();
    // The box reaches the middle of an edge from the side, in the quad's plane.
    let cube = Aabb::new([-0.25; 3], [0.25; 3]);
    let hit = scene.sweep(cube, [2.25, 0.5, 0.0], [-2.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal), (0.5, Vec3::X));
    let point = scene.sweep(Volume::Point, [2.0, 0.5, 0.0], [-2.0, 0.0, 0.0]).unwrap();
    assert_eq!((point.t, point.normal), (0.5, Vec3::X));
}

/// A segment touches the end of an edge when both are on one line. Their Minkowski difference is then a parallelogram
/// without area, in which no contact is found.
#[test]
fn a_segment_on_the_line_of_an_edge_touches_its_end() {
    let mut scene = Scene::new();
    scene.insert(0, Triangle::new(Vec3::ZERO, Vec3::X, Vec3::new(0.0, 1.0, 1.0)), DVec3::new(1.0, 0.5, 0.5)).unwrap();
    let segment = Capsule::between(Vec3::splat(0.5), Vec3::splat(-0.5), 0.0);
    let turn = DQuat::from_xyzw(0.0, FRAC_1_SQRT_2, 0.0, -0.7071067811865475);
    let hit = scene.sweep(segment, (DVec3::new(4.75, 3.0, 3.0), turn), [-7.5, -10.0, -10.0]).unwrap();
    assert_eq!(hit.t, 0.3);
    assert!(hit.point_f64().distance(DVec3::new(2.0, 0.5, 0.5)) < 1e-6, "{hit:?}");
}

/// A segment that passes through the line of an edge, parallel to it but beyond its end, hits nothing.
#[test]
fn a_segment_on_the_line_of_an_edge_passes_by_its_end() {
    let mut scene = Scene::new();
    scene.insert(0, Triangle::new(Vec3::ZERO, Vec3::X, Vec3::new(0.0, 1.0, 1.0)), DVec3::new(1.0, 0.5, 0.5)).unwrap();
    let turn = DQuat::from_xyzw(0.0, FRAC_1_SQRT_2, 0.0, -0.7071067811865475);
    for radius in [0.0, 0.125] {
        let segment = Capsule::between(Vec3::splat(0.5), Vec3::splat(-0.5), radius);
        for motion in [[-7.5, -10.0, -10.0], [0.0, -10.0, 10.0], [10.0, 10.0, 0.0], [3.0, -5.0, 4.0]].map(DVec3::from) {
            let passed = DVec3::new(3.5, -1.0, -1.0);
            assert_eq!(scene.sweep(segment, (passed - motion * 0.5, turn), motion), None, "{radius} {motion}");
        }
    }
}

/// Four points of a Minkowski difference that are coplanar up to rounding enclose a point by rounding only.
#[test]
fn a_segment_that_touches_something_round_has_its_point_on_both() {
    let cylinder = |half: f32, radius| Shape::from(Cylinder::between(Vec3::Y * -half, Vec3::Y * half, radius));
    let far = DVec3::new(-0.2223496218716945, -1.7101024371335396, -0.008725249763667647);
    let cases = [
        (
            cylinder(0.25, 0.25),
            DVec3::new(-0.75, -1.0, 2.0),
            Vec3::new(0.25, 0.5, 0.5),
            [DVec3::new(-0.7116116523516816, -0.8, 1.5633883476483184), DVec3::new(1.0, 1.0, 3.0)],
        ),
        (
            cylinder(0.15, 0.25),
            DVec3::new(0.0, -2.0, -0.5),
            Vec3::new(0.5, 0.125, 0.5),
            [far, DVec3::new(0.9631328291622594, -0.21986341715528063, -0.1550330003151098)],
        ),
    ];
    for (shape, at, half, [from, motion]) in cases {
        let mut scene = Scene::new();
        let radius = 0.25;
        scene.insert(0, shape, at).unwrap();
        let hit = scene.sweep(Capsule::between(half, -half, 0.0), from, motion).unwrap();
        let (point, center, half) = (hit.point_f64(), from + motion * f64::from(hit.t), half.as_dvec3());
        let off = to_segment(point, center - half, center + half);
        assert!(off < 1e-6, "{off} {hit:?}");
        let local = point - at;
        let (out, top) = (local.x.hypot(local.z) - radius, shape.bounds().max.y);
        assert!(out < 1e-5 && local.y.abs() < f64::from(top) + 1e-6, "{out} {local} {hit:?}");
        assert!(out.abs() < 1e-5 || (local.y.abs() - f64::from(top)).abs() < 1e-6, "{local} {hit:?}");
    }
}

/// The box is flat along the normal. So shrinking it around its centre moves no part of it away from the disc along the
/// normal.
#[test]
fn a_flat_box_that_starts_along_the_rim_of_a_disc_touches_it_there() {
    let sides = [(1, [0.5, 0.15, 0.0], [-3.25, 1.15], [1.0, 0.0]), (2, [0.5, 1.0, 0.0], [1.375, 0.975], [-0.75, 0.25])];
    let centers = [DVec3::new(-3.0, 1.0, 1.0), DVec3::new(1.5, 0.1, 0.1)];
    let lows = [0.0, -0.9000000000000001];
    for (((number, half, [x, y], [along, up]), center), z) in sides.into_iter().zip(centers).zip(lows) {
        let mut scene = Scene::new();
        scene.insert(0, Disc::new(Vec3::ZERO, Vec3::Y, 1.0), center).unwrap();
        let half = Vec3::from(half);
        let hit = scene.sweep(Aabb::new(-half, half), [x, y, z], DVec3::new(along, up, 0.0)).unwrap();
        assert_eq!((hit.start, hit.normal), (SweepStart::Touching, Vec3::NEG_Z), "{number}");
        assert!(hit.point_f64().distance(center - DVec3::Z) < 1e-5, "{number}: {hit:?}");
    }
}

/// An edge is almost parallel to a face. One of its corners is farther along, by hardly more than rounding, and is
/// outside of the face.
#[test]
fn a_hull_from_afar_touches_an_edge_whose_corner_is_beside_its_face() {
    let points = [
        [-0.375, -0.25, 0.25],
        [-0.25, -0.25, 0.5],
        [-0.05, -0.75, 0.0],
        [0.125, -0.05, -1.5],
        [0.25, 0.0, 0.0],
        [0.375, 0.0, 0.5],
        [0.5, -0.75, -0.375],
        [1.5, 0.0, 0.25],
    ];
    let hull = ConvexHull::new(&points).unwrap();
    let turn = DQuat::from_xyzw(-0.7071067811865475, 4.329780281177467e-17, FRAC_1_SQRT_2, -4.329780281177466e-17);
    let corner = DVec3::new(0.5, -1.0, -0.25);
    let mut scene = Scene::new();
    scene.insert(0, Triangle::new(Vec3::ZERO, Vec3::X * 0.25, Vec3::new(0.0, 0.0625, 0.25)), corner).unwrap();
    let from = DVec3::new(-1874.25, 7498.800501420395, 3749.5770056815822);
    let motion = DVec3::new(2500.0, -10000.0, -5000.0);
    let hit = scene.sweep(&hull, (from, turn), motion).unwrap();
    let at = DAffine3::from_rotation_translation(turn, from + motion * f64::from(hit.t));
    assert_eq!(hit.feature, Feature::Edge(0), "{hit:?}");
    // The reported t is rounded, which moves the contact by this much.
    scene.insert(0, hull, at).unwrap();
    assert!(scene.overlaps(Sphere::new(1e-3), hit.point_f64()), "{hit:?}");
}
