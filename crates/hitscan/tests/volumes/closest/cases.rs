//! Points with known answers: symmetric places and simple numbers, which were once answered wrong.

use crate::closest::meshes::cube;
use crate::closest::random;
use core::ops::ControlFlow;
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::query::Containment;
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Geometry, Mesh, OrientedBox, ProximityQueries, Scene, Sphere, Torus,
};

fn signed(geometry: impl Into<Geometry>, to_world: DAffine3, place: [f64; 3]) -> f64 {
    let mut scene = Scene::new();
    scene.insert((), geometry, to_world).unwrap();
    let found = scene.closest_point(place).unwrap();
    let distance = found.distance_f64();
    assert_ne!(found.containment, Containment::Open, "{found:?}");
    assert!((found.point_f64().distance(DVec3::from_array(place)) - distance).abs() < 1e-14, "{found:?}");
    if found.containment == Containment::Inside { -distance } else { distance }
}

fn scaled(x: f64, y: f64, z: f64) -> DAffine3 {
    DAffine3::from_scale(DVec3::new(x, y, z))
}

/// Returns the distance of a place inside the spheroid (2, 1, 1) from its surface. It is found by bisection of the equation of the nearest point.
fn depth_in_spheroid([x, y, z]: [f64; 3]) -> f64 {
    let beside = y.hypot(z);
    let excess = |t: f64| (2.0 * x / (t + 4.0)).powi(2) + (beside / (t + 1.0)).powi(2) - 1.0;
    let (mut low, mut high) = (-1.0 + 1e-15, 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        *(if excess(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    (x - 4.0 * x / (low + 4.0)).hypot(beside - beside / (low + 1.0))
}

#[test]
fn stretched_balls_contain_their_inside() {
    let ball = scaled(2.0, 1.0, 1.0);
    for (place, right) in [
        ([0.0, -0.375, -0.125], 1.0 - 0.375f64.hypot(0.125)),
        ([-0.823811655198174, -0.08911492061381998, 0.0920916043315021], 0.757_501_63),
        ([0.0; 3], 1.0),
    ] {
        let found = signed(Sphere::new(1.0), ball, place);
        assert!((found + right).abs() < 1e-8, "{place:?}: {found}");
        assert!(place == [0.0; 3] || (found + depth_in_spheroid(place)).abs() < 1e-13, "{place:?}: {found}");
    }
}

#[test]
fn symmetric_places_are_as_deep_as_they_are() {
    let turn = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_4);
    let cube = Aabb::new([-1.0; 3], [1.0; 3]);
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(f32::from(i as u8 & 1), f32::from(i as u8 >> 1 & 1), f32::from(i as u8 >> 2)) * 2.0 - 1.0)
        .collect();
    let hull = ConvexHull::new(&corners).unwrap();
    let turned = OrientedBox::from_rotation(Vec3::ZERO, Vec3::ONE, turn.as_quat()).unwrap();
    let slack = 1e-7;
    let cases: [(&str, Geometry, DAffine3, [f64; 3], f64); 9] = [
        ("oriented box", turned.into(), scaled(2.0, 1.0, 1.0), [0.2, 0.1, 0.0], -1.0),
        ("cylinder", Cylinder::new(1.0, 2.0).into(), scaled(1.0, 3.0, 1.0), [-0.2, 0.6, 0.0], -0.8),
        ("cylinder", Cylinder::new(1.0, 2.0).into(), scaled(2.0, 1.0, 1.0), [0.0; 3], -1.0),
        ("cone", Cone::new(1.0, 2.0).into(), scaled(1.0, 1.0, 3.0), [0.0, -0.75, 0.0], -0.25),
        ("box", cube.into(), scaled(2.0, 1.0, 3.0) * DAffine3::from_quat(turn), [0.0; 3], -4.0 / 10f64.sqrt()),
        ("hull", hull.into(), scaled(2.0, 1.0, 1.0), [0.0; 3], -1.0),
        ("capsule", Capsule::new(1.0, 4.0).into(), scaled(2.0, 1.0, 2.0), [0.0; 3], -2.0),
        ("capsule", Capsule::new(1.0, 4.0).into(), scaled(1.0, 1.0, 2.0), [0.0, 0.25, 0.0], -1.0),
        ("ring", Torus::new(1.0, 0.25).into(), scaled(1.0, 1.0, 10.0), [1.0, 0.0, 0.0], -0.25),
    ];
    let wrong: Vec<String> = cases
        .into_iter()
        .map(|(name, geometry, to_world, place, right)| (name, place, signed(geometry, to_world, place), right))
        .filter(|(_, _, found, right)| (found - right).abs() > slack)
        .map(|wrong| format!("{wrong:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_closed_mesh_is_never_open() {
    let mut scene = Scene::new();
    scene.insert((), cube(false), scaled(0.1, 0.1, 0.1)).unwrap();
    let found = scene.closest_point([-0.1, -0.1, 0.025]).unwrap();
    assert_eq!(found.containment, Containment::Outside, "{found:?}");
    assert!(found.signed_distance().is_some_and(|distance| distance < 1e-15));
    for i in 0..2000 {
        let step = |shift: u32| f64::from((i * 7919) >> shift & 15) / 8.0 * 0.1 - 0.1;
        let place = DVec3::new(step(0), step(3), if i % 3 == 0 { -0.1 } else { step(5) });
        let found = scene.closest_point(place).unwrap();
        assert_ne!(found.containment, Containment::Open, "{place}: {found:?}");
    }
}

/// A line through a point in the plane of a flat mesh crosses the mesh nowhere else.
#[test]
fn a_flat_mesh_without_a_back_is_open_everywhere() {
    let square = |u: Vec3, v: Vec3| [Vec3::ZERO, u, u + v, v];
    let squares = [
        square(Vec3::X, Vec3::Y),
        square(Vec3::Y, Vec3::Z * 3.0),
        // The diagonal of its bounds is in its plane.
        square(Vec3::new(1.0, 1.0, 0.0), Vec3::Z),
        square(Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.5, 0.5, 1.0)),
    ];
    for corners in squares {
        let [sheet, leaf] = [&[0, 1, 2, 0, 2, 3][..], &[0, 1, 2, 0, 2, 3, 2, 1, 0, 3, 2, 0]]
            .map(|indices| Mesh::new(&corners, indices).unwrap());
        let [a, b, _, d] = corners.map(|corner| corner.as_dvec3());
        for (along, beside) in [(0.25, 0.5), (0.5, 0.5), (0.0, 0.0), (0.0, 0.75), (2.0, 0.5), (-1.5, -0.25), (0.5, 4.0)]
        {
            let point = a + (b - a) * along + (d - a) * beside;
            for point in [point, point + (b - a).cross(d - a)] {
                let containment = |mesh: &Mesh| mesh.closest_point(point).unwrap().containment;
                assert_eq!(containment(&sheet), Containment::Open, "{point} {corners:?}");
                assert_eq!(containment(&leaf), Containment::Outside, "{point} {corners:?}");
                assert_eq!(sheet.signed_distance(point), None, "{point} {corners:?}");
                assert!(leaf.signed_distance(point).is_some(), "{point} {corners:?}");
            }
        }
    }
}

/// The direction of an offset that is no more than rounding error has no meaning. Then the normal is the direction from
/// the centre or the axis.
#[test]
fn round_solids_have_their_normal_within_rounding_of_their_surface() {
    let mut random = random();
    for _ in 0..2000 {
        let center = random.cube() * 100.0;
        let (direction, radius) = (random.direction(), 0.5 + 0.25 * random.unit() as f32);
        let mut scene = Scene::new();
        let solids: [(Geometry, DVec3); 2] = [
            (Sphere::new(radius).into(), direction),
            (Capsule::new(radius, 2.0).into(), direction * DVec3::new(1.0, 0.0, 1.0)),
        ];
        for (geometry, away) in solids {
            let away = away.normalize();
            scene.insert(0, geometry, DAffine3::from_translation(center)).unwrap();
            let found = scene.closest_point(center + away * f64::from(radius)).unwrap();
            assert!(found.distance_f64() < 1e-12, "{found:?}");
            assert!(found.normal.as_dvec3().distance(away) < 1e-6, "{found:?} {away}");
        }
    }
}

#[test]
fn a_mesh_that_faces_inwards_contains_nothing() {
    let mut scene = Scene::new();
    scene.insert((), cube(true), DAffine3::IDENTITY).unwrap();
    for place in [[0.0; 3], [0.5, 0.25, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]] {
        let found = scene.closest_point(place).unwrap();
        assert_eq!(found.containment, Containment::Outside, "{place:?}: {found:?}");
    }
}

/// Two solids in the same place penetrate each other deeply, however symmetric they are.
#[test]
fn concentric_solids_overlap() {
    let solids: [(&str, Geometry, f64); 6] = [
        ("ball", Sphere::new(1.0).into(), 1.0),
        ("cylinder", Cylinder::new(1.0, 2.0).into(), 1.0),
        ("capsule", Capsule::new(1.0, 4.0).into(), 1.0),
        ("box", Aabb::new([-1.0; 3], [1.0; 3]).into(), 1.0),
        ("hull", ConvexHull::new(&crate::closest::subject::cube_corners()).unwrap().into(), 1.0),
        ("cone", Cone::new(1.0, 2.0).into(), 0.4),
    ];
    let transforms = [scaled(1.0, 1.0, 1.0), scaled(2.0, 1.0, 1.0), scaled(3.0, 2.0, 1.0), scaled(1.0, -3.0, 3.0)];
    for (name, geometry, depth) in &solids {
        for (other, other_geometry, other_depth) in &solids {
            for (a, b) in transforms.iter().flat_map(|a| transforms.iter().map(move |b| (a, b))) {
                let mut scene = Scene::new();
                scene.insert(0, geometry.clone(), *a).unwrap();
                scene.insert(1, other_geometry.clone(), *b).unwrap();
                let said = || format!("{name} {a:?}, {other} {b:?}");
                assert!(scene.pair(&0, &1).overlaps(), "{}", said());
                assert_eq!(scene.pair(&0, &1).distance().unwrap().distance, 0.0, "{}", said());
                let found = scene.pair(&0, &1).penetration().unwrap();
                assert!(f64::from(found.depth) >= depth + other_depth - 1e-4, "{found:?} {}", said());
            }
        }
    }
}

/// A ball or a cube that is given by its support function alone.
#[derive(Clone, Copy)]
enum Own {
    Ball,
    Cube,
}

impl CustomShape for Own {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        match self {
            Self::Ball => Some(direction),
            Self::Cube => Some(DVec3::ONE.copysign(direction)),
        }
    }
}

#[test]
fn shapes_of_ones_own_contain_their_inside() {
    let turn = DAffine3::from_quat(DQuat::from_rotation_z(core::f64::consts::FRAC_PI_4));
    let transforms =
        [scaled(1.0, 1.0, 1.0), scaled(2.0, 1.0, 1.0), scaled(1.0, 3.0, 1.0) * turn, scaled(2.0, -1.0, 3.0)];
    for to_world in transforms {
        for i in 0..9 * 9 * 5 {
            let place =
                DVec3::new((i % 9) as f64, (i / 9 % 9) as f64, (i / 81) as f64) * 0.25 - DVec3::new(1.0, 1.0, 0.5);
            for (own, twin) in
                [(Own::Ball, Geometry::from(Sphere::new(1.0))), (Own::Cube, Aabb::new([-1.0; 3], [1.0; 3]).into())]
            {
                let right = signed(twin, to_world, place.to_array());
                let found = signed(Custom::new(own), to_world, place.to_array());
                assert!((found - right).abs() < 1e-4, "{place} {to_world:?}: {found}, {right}");
            }
        }
    }
}

/// The component of a needle's normal along its axis is no more than rounding error. Because of it, a place beside the
/// needle was once inside.
#[test]
fn a_cone_as_thin_as_a_line_has_no_inside() {
    let (base, apex) = (DVec3::new(0.0, -0.75, 0.0), DVec3::new(0.0, 0.75, 0.0));
    let to_world = DAffine3::from_cols_array(&[-0.2, 1.5, 0.25, 0.5, -0.75, 0.9, -0.2, -0.5, -0.5, 0.0, 0.0, 0.0]);
    let ends = [base, apex].map(|end| to_world.transform_point3(end));
    for radius in [1e-45, 1e-30, 1e-20] {
        let cone = Cone::between(base.as_vec3(), apex.as_vec3(), radius);
        for number in 0..60 {
            let angle = f64::from(number) * 0.7;
            let place = DVec3::new(angle.sin() * 3.0, angle.cos() * 3.0, 0.1 * angle);
            let along = ends[1] - ends[0];
            let s = ((place - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let distance = place.distance(ends[0] + along * s);
            let found = signed(cone, to_world, place.to_array());
            assert!((found - distance).abs() < 1e-14, "{radius} {place}: {found}, not {distance}");
        }
    }
}
