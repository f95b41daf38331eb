//! Direct queries of shapes, hulls and fields give the answers of a scene that contains only this shape.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use hitscan::query::Containment;
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, ProximityQueries,
    Quad, RoundedBox, Scene, Shape, Sphere, SweepQueries, Torus, Triangle, Volume,
};

fn shapes(random: &mut Random) -> Vec<Shape> {
    let mut size = || random.unit().abs() as f32 + 0.25;
    let half = Vec3::new(size(), size(), size());
    let (r, h) = (size(), size());
    vec![
        Aabb::new(-half, half).into(),
        Capsule::new(r, 2.0 * r + h).into(),
        Cone::between(Vec3::ZERO, Vec3::Y * h, r).into(),
        Cylinder::between(Vec3::NEG_Y * h, Vec3::X, r).into(),
        Disc::new(Vec3::ZERO, Vec3::ONE, r).into(),
        OrientedBox::from_rotation(Vec3::ONE, half, random.rotation().as_quat()).unwrap().into(),
        Plane::new(half, Vec3::new(1.0, 2.0, 3.0)).unwrap().into(),
        Quad::new(half, Vec3::X * r, Vec3::Y * h).into(),
        Sphere::new(r).into(),
        Torus::new(1.0 + r, r * 0.5).into(),
        Triangle::new(half, Vec3::X, Vec3::Y).into(),
        RoundedBox::new(Aabb::new(-half, half), r * 0.5).into(),
    ]
}

fn alone(geometry: impl Into<Geometry>) -> Scene<()> {
    let mut scene = Scene::new();
    scene.insert((), geometry, DVec3::ZERO).unwrap();
    scene
}

#[test]
fn closest_points_are_those_of_a_scene() {
    let mut random = Random(40);
    for _ in 0..200 {
        for shape in shapes(&mut random) {
            let scene = alone(shape);
            for _ in 0..4 {
                let point = random.direction() * random.unit().abs() * 3.0;
                let (own, theirs) = (shape.closest_point(point).unwrap(), scene.closest_point(point).unwrap());
                assert_eq!(
                    (own.point, own.distance, own.normal),
                    (theirs.point, theirs.distance, theirs.normal),
                    "{shape:?}"
                );
                assert_eq!((own.containment, own.feature), (theirs.containment, theirs.feature), "{shape:?} {point}");
                if shape.is_solid() {
                    let contains = match shape {
                        Shape::Capsule(it) => it.contains(point),
                        Shape::Cone(it) => it.contains(point),
                        Shape::Cylinder(it) => it.contains(point),
                        Shape::OrientedBox(it) => it.contains(point),
                        Shape::RoundedBox(it) => it.contains(point),
                        Shape::Sphere(it) => it.contains(point),
                        Shape::Torus(it) => it.contains(point),
                        _ => continue,
                    };
                    assert_eq!(contains, scene.overlaps(Volume::Point, point), "{shape:?} {point}");
                }
            }
        }
    }
}

#[test]
fn hulls_and_grounds_answer_as_in_a_scene() {
    let mut random = Random(41);
    let corners: Vec<Vec3> = (0..20).map(|_| random.direction().as_vec3()).collect();
    let hull = ConvexHull::new(&corners).unwrap();
    let heights: Vec<f32> = (0..64).map(|_| random.unit() as f32).collect();
    let field = HeightField::new(8, 8, [1.0, 1.0], &heights).unwrap();
    let (with_hull, with_field) = (alone(hull.clone()), alone(field.clone()));
    for _ in 0..500 {
        let point = random.direction() * random.unit().abs() * 2.0;
        let (own, theirs) = (hull.closest_point(point).unwrap(), with_hull.closest_point(point).unwrap());
        assert_eq!((own.point, own.distance, own.containment), (theirs.point, theirs.distance, theirs.containment));
        let above = point + DVec3::new(3.0, 2.0, 3.0);
        let (own, theirs) = (field.closest_point(above).unwrap(), with_field.closest_point(above).unwrap());
        assert_eq!((own.point, own.distance, Some(own.triangle)), (theirs.point, theirs.distance, theirs.triangle));
        let motion = random.direction() * 6.0;
        let ball = Sphere::new(0.25);
        let (own, theirs) = (field.sweep(ball, above, motion), with_field.sweep(ball, above, motion));
        assert_eq!(own.map(|met| (met.t, Some(met.triangle))), theirs.map(|met| (met.t, met.triangle)));
    }
}

#[test]
fn a_mesh_contains_what_is_inside_of_it() {
    let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    let closed = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]).unwrap();
    assert!(closed.contains([1.0, 1.0, 1.0]));
    assert!(!closed.contains([2.0, 2.0, 2.0]) && !closed.contains([1.0, 1.0, 0.0]));
    let open = Mesh::new(&corners, &[0, 2, 1]).unwrap();
    assert!(!open.contains([1.0, 1.0, 1.0]));
}

#[test]
fn what_is_not_usable_has_no_nearest_point() {
    assert!(Sphere::new(-1.0).closest_point([0.0; 3]).is_none() && !Sphere::new(-1.0).contains([0.0; 3]));
    assert!(Sphere::new(1.0).closest_point([f64::NAN, 0.0, 0.0]).is_none());
    assert!(Sphere::new(1.0).closest_point([1e71, 0.0, 0.0]).is_none());
    let wide = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::splat(1e150)));
    let far = OrientedBox::new(Aabb::new([-1.0; 3], [1.0; 3]), wide).unwrap();
    assert!(far.closest_point([0.0; 3]).is_none() && !far.contains([0.0; 3]));
    let ball = Sphere::new(1.0);
    assert_eq!(ball.closest_point([0.0, 3.0, 0.0]).map(|it| it.containment), Some(Containment::Outside));
    assert_eq!(ball.closest_point([0.0, 0.5, 0.0]).and_then(|it| it.signed_distance()), Some(-0.5));
}
