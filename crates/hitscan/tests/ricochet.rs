//! Rays that go on from where they hit: the point itself, and what they meet there.

use hitscan::glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Plane, Quad, Query, Ray, Scene, Sphere, Torus, Triangle,
};

/// The points of an upright solid around y are where this is 0.
type Surface = Box<dyn Fn(DVec3) -> f64>;

fn round(p: DVec3) -> f64 {
    (p.x * p.x + p.z * p.z).sqrt()
}

/// Each shape with how far a point is from its surface.
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
        ("box", Aabb::new([-3.0, -1.0, -3.0], [3.0, 0.5, 3.0]).into(), Box::new(floor)),
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

/// A small generator (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// R1: wherever the ray comes from, the point is on the surface within a few roundings of the shape's own size.
#[test]
fn the_point_is_on_every_shape() {
    let mut random = Random(1);
    for (name, geometry, off) in shapes() {
        let mut scene = Scene::new();
        scene.insert((), geometry, DVec3::ZERO).unwrap();
        let (mut hits, mut worst) = (0, 0.0_f64);
        for i in 0..4_000 {
            let distance = [3.0, 100.0, 1e4, 1e6][i % 4];
            let from = (random.vector().normalize() * distance).as_vec3();
            let ray = Ray::with_direction(from, (random.vector().as_vec3() - from) * [1.0, 3.0, 0.01][i % 3]);
            let Some(hit) = scene.cast(&ray) else { continue };
            hits += 1;
            worst = worst.max(off(hit.point_f64()));
        }
        assert!(hits > 300, "{name}: {hits}");
        // 32 roundings of the largest coordinate, and of the oracle's.
        assert!(worst <= 32.0 * f64::EPSILON * 4.0, "{name}: {worst:e} of {hits}");
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
    let wall = scene.cast_with(&next, &Query::new().after(&hit)).expect("the wall");
    assert_eq!((wall.id, wall.t), (1, 1e-5));
}

/// What a scene of these answers to a bounce: how many are met on the way, and the last direction.
fn bounces(scene: &Scene<u32>, ray: Ray) -> (Vec<u32>, Vec3) {
    let (mut met, mut ray, mut hit) = (Vec::new(), ray, scene.cast(&ray));
    while let Some(last) = hit {
        met.push(last.id);
        assert!(met.len() < 20, "stuck: {met:?}");
        ray = last.bounce();
        hit = scene.cast_with(&ray, &Query::new().after(&last));
    }
    (met, ray.direction)
}

fn scene_of(things: impl IntoIterator<Item = Geometry>, at: impl Into<hitscan::Transform>) -> Scene<u32> {
    let mut scene = Scene::new();
    let at = at.into();
    (0..).zip(things).for_each(|(id, thing)| scene.insert(id, thing, at).unwrap());
    scene
}

fn tile(x: f32) -> Quad {
    Quad::new([x, 0.0, -5.0], [0.0, 0.0, 10.0], [5.0, 0.0, 0.0])
}

/// R2: a floor of two tiles is left once, on the seam too.
#[test]
fn a_seam_is_left_once() {
    let ray = Ray::new([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]);
    let up = Ray::new([0.0; 3], [1.0, 1.0, 0.0]).direction;
    let quads = || [tile(-5.0).into(), tile(0.0).into()];
    let boxed = |low: f32, high: f32| Geometry::from(Aabb::new([low, -1.0, -5.0], [high, 0.0, 5.0]));
    assert_eq!(bounces(&scene_of(quads(), DVec3::ZERO), ray), (vec![0], up));
    assert_eq!(bounces(&scene_of([boxed(-5.0, 0.0), boxed(0.0, 5.0)], DVec3::ZERO), ray), (vec![0], up));
    assert_eq!(bounces(&scene_of([boxed(-5.0, 3.0), boxed(-3.0, 5.0)], DVec3::ZERO), ray), (vec![0], up));
    // A plane and a quad that faces down in the same place.
    let down = Quad::new([-5.0, 0.0, -5.0], [10.0, 0.0, 0.0], [0.0, 0.0, 10.0]);
    let plane = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    assert_eq!(bounces(&scene_of([down.into(), plane.into()], DVec3::ZERO), ray), (vec![0], up));
    // Anywhere and turned in any way.
    let mut random = Random(2);
    for i in 0..300 {
        let turn = DQuat::from_xyzw(random.signed(), random.signed(), random.signed(), random.signed()).normalize();
        let placed = DAffine3::from_rotation_translation(turn, random.vector() * 100.0);
        let things: [Geometry; 2] = if i % 2 == 0 { quads() } else { [boxed(-5.0, 3.0), boxed(-3.0, 5.0)] };
        let from = placed.transform_point3(DVec3::new(-2.0, 2.0, random.signed()));
        let to = placed.transform_point3(DVec3::new(0.0, 0.0, random.signed()));
        let ray = Ray::new(from.as_vec3(), (to - from).as_vec3());
        let (met, _) = bounces(&scene_of(things, placed), ray);
        assert_eq!(met.len(), 1, "{i}: {met:?}");
    }
}

/// What is ahead at the point counts, at t = 0: a floor and a wall, and three walls in a corner.
#[test]
fn a_corner_is_left_by_all_its_walls() {
    let wall = Quad::new([0.0, 0.0, -5.0], [0.0, 0.0, 10.0], [0.0, 10.0, 0.0]);
    let back = Quad::new([-5.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 5.0, 0.0]);
    let scene = scene_of([tile(-5.0).into(), wall.into()], DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!((met, direction), (vec![0, 1], Vec3::new(-1.0, 1.0, 0.0)));
    let scene = scene_of([tile(-5.0).into(), wall.into(), back.into()], DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 2.0], [1.0, -1.0, -1.0]));
    assert_eq!((met, direction), (vec![0, 1, 2], Vec3::new(-1.0, 1.0, 1.0)));
    let solids = [([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), ([0.0, -1.0, -9.0], [1.0, 9.0, 9.0])];
    let scene = scene_of(solids.map(|(min, max)| Aabb::new(min, max).into()), DVec3::ZERO);
    let (met, direction) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!((met, direction), (vec![0, 1], Vec3::new(-1.0, 1.0, 0.0)));
    // The edge of a box that stands alone is not ahead of the ray that leaves its top.
    let scene = scene_of([Aabb::new([-2.0, -2.0, -2.0], [0.0, 0.0, 2.0]).into()], DVec3::ZERO);
    let (met, _) = bounces(&scene, Ray::with_direction([-2.0, 2.0, 0.0], [1.0, -1.0, 0.0]));
    assert_eq!(met, [0]);
}

/// Onward, each of several surfaces in one place counts once, in the order in which they were inserted.
#[test]
fn onward_meets_each_surface_once() {
    let boxed = |low: f32, high: f32| Geometry::from(Aabb::new([low, -1.0, -5.0], [high, 1.0, 5.0]));
    for (things, expected) in [
        ([boxed(0.0, 1.0), boxed(1.0, 2.0), tile(-5.0).into()], vec![(0, 2.0), (0, 3.0), (1, 3.0), (1, 4.0)]),
        ([boxed(1.0, 2.0), boxed(0.0, 1.0), tile(-5.0).into()], vec![(1, 2.0), (0, 3.0), (1, 3.0), (0, 4.0)]),
        ([boxed(1.0, 2.0), boxed(1.0, 2.0), boxed(1.0, 3.0)], vec![(0, 3.0), (1, 3.0), (2, 3.0), (0, 4.0), (1, 4.0), (2, 5.0)]),
    ] {
        let scene = scene_of(things, DVec3::ZERO);
        let ray = Ray::new([-2.0, 0.5, 0.25], [1.0, 0.0, 0.0]);
        let (mut found, mut hit, mut way) = (Vec::new(), scene.cast(&ray), 0.0);
        while let Some(last) = hit {
            way += last.t;
            found.push((last.id, way));
            assert!(found.len() < 20);
            hit = scene.cast_with(&last.onward(), &Query::new().after(&last));
        }
        assert_eq!(found, expected);
        let mut all = Vec::new();
        scene.cast_all(&ray, &mut all);
        assert_eq!(all.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), expected);
    }
}
