//! The hit point, which is on the surface wherever the ray came from.

use crate::common::Random;
use hitscan::glam::{DVec3, Quat, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Plane, Quad, Ray, RayQueries, RoundedBox,
    Scene, Sphere, Torus, Triangle,
};

/// The implicit function of a solid that is upright along y.
type Surface = Box<dyn Fn(DVec3) -> f64>;

fn round(p: DVec3) -> f64 {
    (p.x * p.x + p.z * p.z).sqrt()
}

/// Returns each shape with the distance function of its surface.
fn shapes() -> Vec<(&'static str, Geometry, Surface)> {
    let corner = Vec3::new(-2.0, 0.5, -2.0);
    let floor = |p: DVec3| (p.y - 0.5).abs();
    let slanted = DVec3::new(1.0, 2.0, -0.5);
    let turn = Quat::from_xyzw(0.1, 0.4, -0.3, 0.8);
    let turned = OrientedBox::from_rotation([0.0, 0.0, 0.0], [2.0, 0.5, 1.0], turn).unwrap();
    let to_local = turned.to_local();
    let hull = [[0.0, 2.0, 0.0], [2.0, -1.0, 2.0], [-2.0, -1.0, 2.0], [2.0, -1.0, -2.0], [-2.0, -1.0, -2.0]];
    vec![
        ("quad", Quad::new(corner, [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]).into(), Box::new(floor)),
        ("triangle", Triangle::new(corner, corner + Vec3::Z * 9.0, corner + Vec3::X * 9.0).into(), Box::new(floor)),
        ("plane", Plane::new(corner, Vec3::Y).unwrap().into(), Box::new(floor)),
        (
            "slanted plane",
            Plane::new([0.0, 0.25, 0.0], slanted.as_vec3()).unwrap().into(),
            Box::new(move |p| ((p.x + 2.0 * p.y - 0.5 * p.z - 0.5) / slanted.length()).abs()),
        ),
        ("disc", Disc::new([0.0, 0.5, 0.0], [0.0, 3.0, 0.0], 3.0).into(), Box::new(floor)),
        (
            "box",
            Aabb::new([-3.0, -0.5, -2.0], [3.0, 0.5, 2.0]).into(),
            Box::new(|p| (p.abs() - DVec3::new(3.0, 0.5, 2.0)).max_element().abs()),
        ),
        (
            "oriented box",
            turned.into(),
            Box::new(move |p| {
                let (p, half) = (to_local.transform_point3(p).abs(), DVec3::new(2.0, 0.5, 1.0));
                (p - half).max_element().abs()
            }),
        ),
        ("sphere", Sphere::new(1.5).into(), Box::new(|p| (p.length() - 1.5).abs())),
        (
            "capsule",
            Capsule::new(0.5, 3.0).into(),
            Box::new(|p| (DVec3::new(p.x, (p.y.abs() - 1.0).max(0.0), p.z).length() - 0.5).abs()),
        ),
        (
            "rounded box",
            RoundedBox::new(Aabb::new([-0.75, -1.0, -0.5], [0.75, 1.0, 0.5]), 0.25).into(),
            Box::new(|p| ((p.abs() - DVec3::new(0.75, 1.0, 0.5)).max(DVec3::ZERO).length() - 0.25).abs()),
        ),
        ("cylinder", Cylinder::new(1.0, 2.0).into(), Box::new(|p| (round(p) - 1.0).max(p.y.abs() - 1.0).abs())),
        (
            "cone",
            Cone::new(1.0, 2.0).into(),
            Box::new(|p| ((2.0 * round(p) + p.y - 1.0) / 5f64.sqrt()).max(-1.0 - p.y).abs()),
        ),
        ("torus", Torus::new(1.0, 0.25).into(), Box::new(|p| ((round(p) - 1.0).hypot(p.y) - 0.25).abs())),
        (
            "hull",
            ConvexHull::new(&hull).unwrap().into(),
            Box::new(|p| ((p.x.abs().max(p.z.abs()) * 3.0 + 2.0 * p.y - 4.0) / 13f64.sqrt()).max(-1.0 - p.y).abs()),
        ),
    ]
}

/// The hit point is on the surface within a few roundings of the shape's own size, wherever the ray comes from.
#[test]
fn the_point_is_on_every_shape() {
    let mut random = Random(1);
    for (name, geometry, off) in shapes() {
        let mut scene = Scene::new();
        scene.insert((), geometry, DVec3::ZERO).unwrap();
        let (mut hits, mut worst) = (0, 0.0_f64);
        for i in 0..4_000 {
            let distance = [3.0, 100.0, 1e4, 1e6][i % 4];
            let from = (random.cube().normalize() * distance).as_vec3();
            let ray = Ray::with_direction(from, (random.cube().as_vec3() - from) * [1.0, 3.0, 0.01][i % 3]);
            let Some(hit) = scene.cast(&ray) else { continue };
            hits += 1;
            let size = hit.point_f64().abs().max_element().max(4.0);
            worst = worst.max(off(hit.point_f64()) / size);
        }
        assert!(hits > 300, "{name}: {hits}");
        // The bound of 32 roundings of the largest coordinate includes the roundings of the oracle.
        assert!(worst <= 32.0 * f64::EPSILON, "{name}: {worst:e} of {hits}");
    }
}

#[test]
fn the_point_of_a_quad_is_not_rounded_with_t() {
    let mut scene = Scene::new();
    scene.insert((), Quad::new([-2.0, 0.5, -2.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]), DVec3::ZERO).unwrap();
    let hit = scene.cast(&Ray::with_direction([0.1, 100.0, 0.2], [0.0, -3.0, 0.0])).unwrap();
    assert_eq!((hit.point.y, hit.point_f64().y), (0.5, 0.5));

    let mut scene = Scene::new();
    scene.insert(0, Quad::new([-10.0, 0.0, -10.0], [0.0, 0.0, 20.0], [10.0, 0.0, 0.0]), DVec3::ZERO).unwrap();
    scene.insert(1, Quad::new([0.0, 0.0, -10.0], [0.0, 0.0, 20.0], [0.0, 10.0, 0.0]), DVec3::ZERO).unwrap();
    let hit = scene.cast(&Ray::with_direction([-1e-5, 99.5, 0.0], [0.0, -3.0, 0.0])).unwrap();
    let next = Ray::with_direction(hit.point, [1.0, 0.01, 0.0]);
    let wall = scene.after(&hit).cast(&next).expect("the wall");
    assert_eq!((wall.id, wall.t), (1, 1e-5));
}
