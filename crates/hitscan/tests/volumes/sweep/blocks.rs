//! Sweeps of boxes and hulls: starts in contact, sliding, and extreme sizes.

use crate::common::{Random, grid_cube};
use crate::sweep::bodies::{Body, Kind, body};
use hitscan::glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use hitscan::query::Feature;
use hitscan::{
    Aabb, Capsule, ContactFilter, ConvexHull, Cylinder, Disc, HeightField, Mesh, OrientedBox, Plane, Scene, Sphere,
    SweepQueries, SweepStart, Volume,
};

/// Returns a grid of squares from -8 to 8.
fn floor() -> Mesh {
    let cube = grid_cube(8);
    let positions: Vec<Vec3> = cube.positions.iter().map(|p| Vec3::new(p.x, (p.y - 1.0) * 0.5, p.z) * 8.0).collect();
    Mesh::new(&positions, cube.triangles.as_flattened()).unwrap()
}

fn cube() -> [Volume; 3] {
    let corners: Vec<Vec3> =
        (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5).collect();
    [
        Aabb::new([-0.5; 3], [0.5; 3]).into(),
        OrientedBox::from_rotation([0.0; 3], [0.5; 3], Quat::IDENTITY).unwrap().into(),
        ConvexHull::new(&corners).unwrap().into(),
    ]
}

/// Returns everything on which a cube can stand at y = 0, around the origin.
fn grounds() -> Vec<(&'static str, Scene<&'static str>)> {
    let placed = |name, geometry: hitscan::Geometry, place: DVec3| {
        let mut scene = Scene::new();
        scene.insert(name, geometry, place).unwrap();
        (name, scene)
    };
    let down = DVec3::new(0.0, -1.0, 0.0);
    let slab = [-8.0, 8.0].map(|x| [[x, -1.0, -8.0], [x, -1.0, 8.0], [x, 0.0, -8.0], [x, 0.0, 8.0]]).concat();
    vec![
        placed("mesh", floor().into(), DVec3::ZERO),
        placed("heights", HeightField::new(9, 9, [2.0, 2.0], &[0.0; 81]).unwrap().into(), DVec3::new(-8.0, 0.0, -8.0)),
        placed("box", Aabb::new([-8.0, -1.0, -8.0], [8.0, 0.0, 8.0]).into(), DVec3::ZERO),
        placed("hull", ConvexHull::new(&slab).unwrap().into(), DVec3::ZERO),
        placed("plane", Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap().into(), DVec3::ZERO),
        placed("disc", Disc::new([0.0; 3], [0.0, 1.0, 0.0], 8.0).into(), DVec3::ZERO),
        placed("cylinder", Cylinder::new(8.0, 2.0).into(), down),
    ]
}

#[test]
fn starts_are_told_apart() {
    for (name, scene) in grounds() {
        for cube in cube() {
            let from = |y: f64| scene.sweep(&cube, [0.25, y, 1.0], [0.0, -1.0, 0.0]).unwrap();
            let said = |y: f64| (from(y).start, from(y).t, from(y).normal);
            assert_eq!(said(0.75), (SweepStart::Apart, 0.25, Vec3::Y), "{name} {cube:?}");
            assert_eq!(said(0.5), (SweepStart::Touching, 0.0, Vec3::Y), "{name} {cube:?}");
            assert_eq!(from(0.25).start, SweepStart::Penetrating, "{name} {cube:?}");
            assert!(from(0.25).normal.distance(Vec3::Y) < 1e-6, "{name} {:?}", from(0.25));
            // A sweep without motion reports a surface that the volume touches.
            assert!(scene.sweep(&cube, [0.0, 0.75, 0.0], DVec3::ZERO).is_none(), "{name}");
            assert!(scene.sweep(&cube, [0.0, 0.5, 0.0], DVec3::ZERO).is_some(), "{name}");
        }
    }
}

#[test]
fn what_is_left_does_not_hold() {
    for (name, scene) in grounds() {
        let ahead = scene.contact_filter(ContactFilter::Ahead);
        for cube in cube() {
            // The cube is rotated, so that no coordinate is round.
            for angle in [0.0, 0.3, 1.0] {
                let turn = DQuat::from_rotation_y(angle);
                let sweep = |y: f64, motion: [f64; 3]| ahead.sweep(&cube, ([-3.0, y, 0.5], turn), motion);
                let what = format!("{name}, {cube:?} turned by {angle}");
                assert_eq!(sweep(0.5, [6.0, 0.0, -1.0]), None, "{what} slides");
                assert_eq!(sweep(0.5, [6.0, 0.25, 0.0]), None, "{what} leaves");
                assert_eq!(sweep(0.25, [0.0, 0.25, 0.0]), None, "{what} comes out");
                assert_eq!(sweep(0.625, [6.0, 0.0, 1.0]), None, "{what} passes");
                let pressed = sweep(0.5, [6.0, -0.01, 0.0]).unwrap();
                assert_eq!((pressed.t, pressed.start), (0.0, SweepStart::Touching), "{what}");
                assert!(pressed.normal.distance(Vec3::Y) < 1e-6, "{what}: {pressed:?}");
                let landing = sweep(0.75, [1.0, -0.5, 0.0]).unwrap();
                assert!((landing.t - 0.5).abs() < 1e-6 && landing.start == SweepStart::Apart, "{what}: {landing:?}");
                // The cube passes without a hit, whichever question is asked.
                assert_eq!(scene.sweep(&cube, ([-3.0, 0.501, 0.5], turn), [6.0, 0.0, 0.0]), None, "{what} passes");
            }
        }
    }
}

#[test]
fn a_long_slide_over_inner_edges() {
    let mut scene = Scene::new();
    scene.insert("floor", floor(), DVec3::ZERO).unwrap();
    scene.insert("wall", Aabb::new([5.0, 0.0, -9.0], [6.0, 5.0, 9.0]), DVec3::ZERO).unwrap();
    // The floor is tilted as a whole, and flat only up to rounding.
    for tilt in [DQuat::IDENTITY, DQuat::from_rotation_z(0.4), DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1)] {
        for id in ["floor", "wall"] {
            scene.set_transform(&id, DAffine3::from_quat(tilt)).unwrap();
        }
        let ahead = scene.contact_filter(ContactFilter::Ahead);
        let mut random = Random(5);
        for number in 0..60 {
            let cube = &cube()[number % 3];
            let from = random.cube() * DVec3::new(3.0, 0.0, 3.0) + DVec3::Y * 0.5;
            let pose = (tilt * from, tilt * DQuat::from_rotation_y(if number % 2 == 0 { 0.0 } else { random.unit() }));
            let motion = DVec3::new(12.0, 0.0, 2.0 * random.unit());
            let hit = ahead.sweep(cube, pose, tilt * motion).unwrap();
            assert_eq!((hit.id, hit.start), ("wall", SweepStart::Apart), "{number} from {from} by {motion}: {hit:?}");
            assert!(hit.normal.as_dvec3().distance(tilt * DVec3::NEG_X) < 1e-6, "{number}: {hit:?}");
            let short = ahead.sweep(cube, pose, tilt * motion * (f64::from(hit.t) * 0.999));
            assert_eq!(short, None, "{number} from {from} by {motion}");
        }
    }
}

#[test]
fn features_and_points_are_those_of_the_triangle() {
    let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]).unwrap();
    let tilted = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    for cube in cube() {
        let meet = |from: [f64; 3], rotation: DQuat, motion: [f64; 3]| {
            let hit = mesh.sweep(&cube, (from, rotation), motion).unwrap();
            (hit.feature, hit.point, hit.normal)
        };
        let straight = DQuat::IDENTITY;
        let (feature, point, normal) = meet([1.0, 1.0, 3.0], straight, [0.0, 0.0, -3.0]);
        assert_eq!((feature, normal), (Feature::Face, Vec3::Z));
        assert!(point.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "the middle of what is touched, not {point}");
        let (feature, point, _) = meet([1.0, 1.0, 3.0], tilted, [0.0, 0.0, -3.0]);
        assert!(feature == Feature::Face && point.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{feature:?} {point}");
        let (feature, point, normal) = meet([1.0, -3.0, 0.0], straight, [0.0, 3.0, 0.0]);
        assert_eq!((feature, normal), (Feature::Edge(0), Vec3::NEG_Y));
        assert!(point.distance(Vec3::new(1.0, 0.0, 0.0)) < 1e-6, "{point}");
        let (feature, point, normal) = meet([-3.0, -0.25, 0.0], straight, [3.0, 0.0, 0.0]);
        assert_eq!((feature, normal), (Feature::Edge(2), Vec3::NEG_X));
        assert!(point.x.abs() < 1e-6 && (0.0..=0.25).contains(&point.y), "{point}");
        let (feature, point, _) = meet([-3.0, 1.0, 0.0], DQuat::from_rotation_z(0.7), [3.0, 0.0, 0.0]);
        assert!(feature == Feature::Edge(2) && point.x.abs() < 1e-6, "{feature:?} {point}");
        let (feature, point, _) = meet([8.0, -0.25, 0.0], straight, [-8.0, 0.0, 0.0]);
        assert_eq!((feature, point), (Feature::Vertex(1), Vec3::new(4.0, 0.0, 0.0)));
    }
}

#[test]
fn solids_are_met_at_once_from_within_and_from_around() {
    let mut scene = Scene::new();
    for cube in cube() {
        scene.insert(0, Aabb::new([-5.0; 3], [5.0; 3]), DVec3::ZERO).unwrap();
        let hit = scene.sweep(&cube, [1.0, 2.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
        assert_eq!((hit.t, hit.start, hit.normal), (0.0, SweepStart::Penetrating, Vec3::NEG_X));
        // A small enough shape is inside the volume and touches none of its faces.
        for small in [Aabb::new([-0.1; 3], [0.1; 3]).into(), Sphere::new(0.1).into(), Capsule::new(0.1, 0.3).into()] {
            let small: hitscan::Geometry = small;
            scene.insert(0, small, DVec3::new(0.2, 0.1, 0.0)).unwrap();
            let hit = scene.sweep(&cube, [0.0; 3], [1.0, 0.0, 0.0]).unwrap();
            assert_eq!((hit.t, hit.start), (0.0, SweepStart::Penetrating));
        }
        let mesh = Mesh::from_soup(&[[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.1]]).unwrap();
        scene.insert(0, mesh, DVec3::ZERO).unwrap();
        assert_eq!(scene.sweep(&cube, [0.2, 0.0, 0.0], DVec3::ZERO).map(|hit| hit.t), Some(0.0));
    }
}

#[test]
fn what_has_no_thickness_meets_what_is_there() {
    let mut scene = Scene::new();
    scene.insert("floor", floor(), DVec3::ZERO).unwrap();
    let falling = |half: [f32; 3]| {
        let volume = Aabb::new(half.map(|x| -x), half);
        scene.sweep(volume, [0.5, 2.0, 0.25], [0.0, -4.0, 0.0]).map(|hit| (hit.t, hit.normal, hit.point.y))
    };
    for flat in [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0; 3]] {
        assert_eq!(falling(flat), Some((0.5, Vec3::Y, 0.0)), "{flat:?}");
    }
    assert_eq!(falling([1.0, 1.0, 0.0]), Some((0.25, Vec3::Y, 0.0)));
    // The plate lies on the floor and slides.
    let plate = Aabb::new([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]);
    let hit = scene.sweep(plate, [0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.start), (0.0, SweepStart::Touching));
    let ahead = scene.contact_filter(ContactFilter::Ahead);
    assert_eq!(ahead.sweep(plate, [0.0; 3], [1.0, 0.0, 0.5]), None);
    // The motion is in the plane of a triangle, and starts beside the triangle.
    let lone = Mesh::from_soup(&[[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0]]).unwrap();
    let hit = lone.sweep(plate, [-3.0, 0.0, 0.25], [4.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal, hit.feature), (0.5, Vec3::NEG_X, Feature::Edge(0)));
    assert!(lone.sweep(plate, [-3.0, 0.0, 3.25], [4.0, 0.0, 0.0]).is_none());
    // The plate moves edge-on into the floor at many places, across the lines between the floor's triangles.
    let turn = DQuat::from_rotation_x(core::f64::consts::FRAC_PI_2);
    for x in -8..8 {
        let hit = scene.sweep(plate, ([f64::from(x), 3.0, 0.5], turn), [0.0, -4.0, 0.0]);
        assert_eq!(hit.map(|hit| hit.t), Some(0.5), "{x}");
    }
}

#[test]
fn triangles_without_area_are_never_met() {
    let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]).unwrap();
    for cube in cube() {
        assert!(mesh.sweep(cube, [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]).is_none());
    }
}

#[test]
fn any_size_is_the_same() {
    for power in [-20, -8, 0, 8, 29] {
        let scale = 10f32.powi(power);
        let wall = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]].map(|p: [f32; 3]| Vec3::from(p) * scale);
        let mesh = Mesh::from_soup(&wall).unwrap();
        let mut random = Random(9);
        for kind in [Kind::Box, Kind::Plate, Kind::Sheared, Kind::Hull] {
            let Body { volume, solid, middle, .. } = body(&mut random, kind, 0.1 * f64::from(scale));
            let from = DVec3::Z * f64::from(scale) - middle;
            let hit = mesh.sweep(&volume, from, DVec3::Z * -2.0 * f64::from(scale)).unwrap();
            let gap = (from.z - solid.reach(DVec3::NEG_Z)) / f64::from(scale);
            assert!((f64::from(hit.t) - gap / 2.0).abs() < 1e-6, "{kind:?} at 1e{power}: {hit:?}, but {gap}");
            assert!(hit.feature == Feature::Face && hit.normal == Vec3::Z, "{kind:?} at 1e{power}: {hit:?}");
        }
    }
}

#[test]
fn nothing_panics() {
    let mut scene = Scene::new();
    scene.insert("floor", floor(), DVec3::ZERO).unwrap();
    scene.insert("ball", Sphere::new(1.0), DAffine3::from_scale(DVec3::new(1e-3, 1e3, 1.0))).unwrap();
    scene.insert("point", Aabb::new([0.0; 3], [0.0; 3]), DVec3::X).unwrap();
    scene.insert("disc", Disc::new([0.0; 3], [0.0, 1.0, 0.0], 2.0), DVec3::X).unwrap();
    let numbers = [0.0, -0.0, 1e-300, 1e-40, 1e-8, 0.5, 3.0, 1e8, 1e38, 1e69, 1e200, f64::INFINITY, f64::NAN];
    let mut met = 0;
    for x in numbers {
        for y in numbers {
            for size in [0.0, 1e-45, 1e-8, 0.5, 1e8, 3e38, -1.0, f32::NAN, f32::INFINITY] {
                let flat = [x as f32, size, size];
                let mut volumes =
                    vec![Volume::from(Aabb::new([-size; 3], [size; 3])), Aabb::new([0.0; 3], flat).into()];
                let turn = Quat::from_xyzw(x as f32, 0.5, 0.0, 1.0);
                volumes.extend(OrientedBox::from_rotation([0.0; 3], flat, turn).map(Volume::from));
                volumes.extend(
                    ConvexHull::new(&[[0.0; 3], [size, 0.0, 0.0], [0.0, y as f32, 0.0], flat]).map(Volume::from),
                );
                for volume in volumes {
                    let hit = scene.sweep(&volume, [x, y, 0.0], [-x, -y, x]);
                    met += usize::from(hit.is_some());
                    assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.t)), "{volume:?}: {hit:?}");
                }
            }
        }
    }
    assert!(met > 100, "{met}");
    assert!(Volume::from(Aabb::EMPTY).validate().is_err());
    assert!(scene.sweep(Aabb::EMPTY, [0.0; 3], [1.0, 0.0, 0.0]).is_none());
}
