//! Sweeps that start in contact, without motion, with invalid input, or with extreme sizes.

use core::ops::ControlFlow;
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::query::Feature;
use hitscan::{
    Aabb, Capsule, ContactFilter, Cull, Filter, HeightField, Mesh, Ray, RayQueries, Scene, Sphere, SweepQueries,
    SweepStart, Torus, Volume,
};

fn floor() -> Mesh {
    let corners = [[-8.0, 0.0, -8.0], [-8.0, 0.0, 8.0], [8.0, 0.0, 8.0], [8.0, 0.0, -8.0]];
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap()
}

fn on_floor() -> Scene<&'static str> {
    let mut scene = Scene::new();
    scene.insert("floor", floor(), DVec3::ZERO).unwrap();
    scene
}

#[test]
fn starts_are_told_apart() {
    let scene = on_floor();
    let from = |y: f64| scene.sweep(Sphere::new(0.5), [0.25, y, 1.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!((from(0.75).start, from(0.75).t), (SweepStart::Apart, 0.25));
    assert_eq!((from(0.5).start, from(0.5).t), (SweepStart::Touching, 0.0));
    assert_eq!((from(0.25).start, from(0.25).t), (SweepStart::Penetrating, 0.0));
    assert_eq!((from(0.0).start, from(0.0).normal), (SweepStart::Penetrating, Vec3::Y));
    assert_eq!(from(-0.25).normal, Vec3::NEG_Y);
    // A sweep without motion reports a surface that the volume touches.
    assert!(scene.sweep(Sphere::new(0.5), [0.0, 0.75, 0.0], DVec3::ZERO).is_none());
    assert_eq!(scene.sweep(Sphere::new(0.5), [0.0, 0.5, 0.0], DVec3::ZERO).map(|hit| hit.t), Some(0.0));
}

#[test]
fn what_is_left_does_not_hold() {
    let scene = on_floor();
    for volume in [Volume::from(Sphere::new(0.5)), Capsule::new(0.5, 2.0).into()] {
        let rest = if let Volume::Capsule(_) = volume { 1.0 } else { 0.5 };
        let ahead = scene.contact_filter(ContactFilter::Ahead);
        let sweep = |y: f64, motion: [f64; 3]| ahead.sweep(&volume, [-3.0, y, 0.5], motion);
        assert_eq!(sweep(rest, [6.0, 0.0, -1.0]), None, "slides over both triangles and their edge");
        assert_eq!(sweep(rest, [6.0, 0.25, 0.0]), None);
        assert_eq!(sweep(rest - 0.25, [0.0, 0.25, 0.0]), None, "comes out of it");
        let pressed = sweep(rest, [6.0, -0.01, 0.0]).unwrap();
        assert_eq!((pressed.t, pressed.start, pressed.normal), (0.0, SweepStart::Touching, Vec3::Y));
        let landing = sweep(rest + 0.25, [1.0, -0.5, 0.0]).unwrap();
        assert_eq!((landing.t, landing.start), (0.5, SweepStart::Apart));
        // The plain sweep reports the surface that the volume touches all the way.
        assert_eq!(scene.sweep(&volume, [-3.0, rest, 0.5], [6.0, 0.0, 0.0]).map(|hit| hit.t), Some(0.0));
    }
    // A wall ahead is hit although the volume touches the floor.
    let mut scene = on_floor();
    scene.insert("wall", Aabb::new([2.0, -1.0, -9.0], [3.0, 5.0, 9.0]), DVec3::ZERO).unwrap();
    let hit =
        scene.contact_filter(ContactFilter::Ahead).sweep(Sphere::new(0.5), [-0.5, 0.5, 0.5], [4.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.id, hit.t, hit.normal), ("wall", 0.5, Vec3::NEG_X));
}

#[test]
fn features_are_those_of_the_triangle() {
    let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]).unwrap();
    let feature = |from: [f64; 3], motion: [f64; 3]| {
        let ball = mesh.sweep(Sphere::new(0.5), from, motion).map(|hit| hit.feature);
        let capsule = mesh.sweep(Capsule::between([0.0, 0.0, -0.25], [0.0, 0.0, 0.25], 0.5), from, motion);
        assert_eq!(ball, capsule.map(|hit| hit.feature), "{from:?}");
        ball
    };
    assert_eq!(feature([1.0, 1.0, 3.0], [0.0, 0.0, -3.0]), Some(Feature::Face));
    assert_eq!(feature([1.0, -3.0, 0.0], [0.0, 3.0, 0.0]), Some(Feature::Edge(0)));
    assert_eq!(feature([5.0, 5.0, 0.0], [-5.0, -5.0, 0.0]), Some(Feature::Edge(1)));
    assert_eq!(feature([-3.0, 1.0, 0.0], [3.0, 0.0, 0.0]), Some(Feature::Edge(2)));
    assert_eq!(feature([-3.0, -3.0, 0.0], [3.0, 3.0, 0.0]), Some(Feature::Vertex(0)));
    assert_eq!(feature([8.0, -1e-3, 0.0], [-8.0, 0.0, 0.0]), Some(Feature::Vertex(1)));
    assert_eq!(feature([-1e-3, 8.0, 0.0], [0.0, -8.0, 0.0]), Some(Feature::Vertex(2)));
}

#[test]
fn a_point_goes_where_a_segment_does() {
    let scene = on_floor();
    let hit = scene.sweep(Volume::Point, [0.5, 2.0, 0.25], [0.0, -4.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.normal, hit.feature), (0.5, Vec3::Y, Feature::Face));
    let over_the_diagonal = scene.sweep(Volume::Point, [1.0, 1.0, 1.0], [0.0, -4.0, 0.0]).unwrap();
    assert_eq!((over_the_diagonal.t, over_the_diagonal.triangle), (0.25, Some(0)));
    assert_eq!(scene.sweep(Sphere::new(0.0), [0.5, 2.0, 0.25], [0.0, -4.0, 0.0]).map(|hit| hit.t), Some(0.5));
    assert!(scene.sweep(Volume::Point, [0.5, 2.0, 0.25], [0.0, -1.0, 0.0]).is_none());
}

#[test]
fn solids_are_met_at_once_from_within() {
    let mut scene = Scene::new();
    scene.insert("room", Aabb::new([-5.0; 3], [5.0; 3]), DVec3::ZERO).unwrap();
    let hit = scene.sweep(Sphere::new(0.5), [1.0, 2.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.start, hit.normal), (0.0, SweepStart::Penetrating, Vec3::NEG_X));
    scene.insert("room", Sphere::new(5.0), DVec3::ZERO).unwrap();
    let hit = scene.sweep(Sphere::new(0.5), [1.0, 2.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.t, hit.start), (0.0, SweepStart::Penetrating));
}

#[test]
fn triangles_without_area_are_never_met() {
    let mesh = Mesh::from_soup(&[
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0],
        [2.0, 2.0, 2.0],
        [1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [3.0, 0.0, 0.0],
    ])
    .unwrap();
    assert!(mesh.sweep(Sphere::new(9.0), [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]).is_none());
}

#[test]
fn mirrored_instances_keep_their_front() {
    let mut scene = Scene::new();
    for (id, scale) in [("plain", 1.0), ("mirrored", -1.0)] {
        let place =
            DAffine3::from_scale_rotation_translation(DVec3::new(scale, 1.0, 1.0), DQuat::IDENTITY, DVec3::ZERO);
        scene.clear();
        scene.insert(id, floor(), place).unwrap();
        let sweep = |y: f64, cull: Cull| {
            scene.with(&Filter::new().cull(cull)).sweep(Sphere::new(0.5), [0.5, y, 0.25], [0.0, -y, 0.0])
        };
        assert!(sweep(2.0, Cull::Back).is_some() && sweep(2.0, Cull::Front).is_none(), "{id}");
        assert!(sweep(-2.0, Cull::Back).is_none() && sweep(-2.0, Cull::Front).is_some(), "{id}");
    }
}

#[test]
fn filters_choose() {
    let mut scene = Scene::new();
    for (id, z) in [(1, -3.0), (2, -6.0), (3, -9.0)] {
        scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, z)).unwrap();
    }
    scene.set_layers(&2, 2);
    let sweep = |filter: &Filter<'_, i32>| {
        scene.with(filter).sweep(Sphere::new(0.5), [0.0; 3], [0.0, 0.0, -12.0]).map(|hit| hit.id)
    };
    assert_eq!(sweep(&Filter::new()), Some(1));
    assert_eq!(sweep(&Filter::new().exclude(1)), Some(2));
    assert_eq!(sweep(&Filter::new().layers(2)), Some(2));
    let filter = Filter::new().hits(|candidate| candidate.id == 3 && candidate.t > 0.5);
    assert_eq!(sweep(&filter), Some(3));
}

#[test]
fn nothing_panics() {
    let mut scene = on_floor();
    scene.insert("ball", Sphere::new(1.0), DAffine3::from_scale(DVec3::new(1e-3, 1e3, 1.0))).unwrap();
    scene.insert("point", Sphere::new(0.0), DVec3::X).unwrap();
    scene.insert("box", Aabb::new([0.0; 3], [0.0; 3]), DVec3::X).unwrap();
    let numbers = [0.0, -0.0, 1e-300, 1e-40, 1e-8, 0.5, 3.0, 1e8, 1e38, 1e69, 1e200, f64::INFINITY, f64::NAN];
    let (mut hits, mut met) = (Vec::new(), 0);
    for x in numbers {
        for y in numbers {
            for radius in [0.0, 1e-45, 1e-8, 0.5, 1e8, 3e38, -1.0, f32::NAN, f32::INFINITY] {
                for volume in [
                    Volume::Point,
                    Sphere::new(radius).into(),
                    Capsule::between([0.0; 3], [1.0, 0.0, y as f32], radius).into(),
                ] {
                    let hit = scene.sweep(&volume, [x, y, 0.0], [-x, -y, x]);
                    met += usize::from(hit.is_some());
                    assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.t)), "{hit:?}");
                }
            }
        }
    }
    assert!(met > 100, "{met}");
    scene.sweep_all(Sphere::new(f32::NAN), [0.0; 3], [1.0, 0.0, 0.0], &mut hits);
    assert!(hits.is_empty());
    assert!(scene.sweep(Sphere::new(1.0), ([0.0; 3], DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), [1.0, 0.0, 0.0]).is_none());
}

#[test]
fn rings_take_anything() {
    let mut scene = Scene::new();
    scene.insert("ring", Torus::new(2.0, 0.5), DAffine3::from_scale(DVec3::new(1.0, 3.0, -2.0))).unwrap();
    scene.insert("ball", Torus::new(0.0, 0.5), DVec3::X).unwrap();
    scene.insert("circle", Torus::new(1.0, 0.0), DVec3::Y).unwrap();
    for x in [0.0, 1e-8, 3.0, 1e8, 1e69] {
        for radius in [0.0, 1e-8, 0.5, 1e8] {
            let hit = scene.sweep(Sphere::new(radius), [x, 3.0, 0.0], [-x, -3.0, x]);
            assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.t)), "{hit:?}");
        }
    }
}

/// The convex hull of a ball and a point; its support function may be made to fail.
struct Drop {
    says: bool,
}

impl CustomShape for Drop {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0, 3.0, 1.0])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        let tip = DVec3::new(0.0, 3.0, 0.0);
        self.says.then(|| if tip.dot(direction) > 1.0 { tip } else { direction })
    }
}

#[test]
fn a_shape_of_ones_own_says_how_far_it_reaches() {
    let mut scene = Scene::new();
    scene.insert(0, Custom::new(Drop { says: true }), DVec3::ZERO).unwrap();
    let tip = scene.sweep(Sphere::new(0.5), [0.0, 6.0, 0.0], [0.0, -5.0, 0.0]).unwrap();
    assert!((tip.t - 0.5).abs() < 1e-6 && tip.point.distance(Vec3::new(0.0, 3.0, 0.0)) < 1e-6, "{tip:?}");
    let ball = scene.sweep(Sphere::new(0.5), [0.0, -4.5, 0.0], [0.0, 4.0, 0.0]).unwrap();
    assert!((ball.t - 0.75).abs() < 1e-6, "{ball:?}");
    scene.insert(0, Custom::new(Drop { says: false }), DVec3::ZERO).unwrap();
    assert!(scene.sweep(Sphere::new(0.5), [0.0, 6.0, 0.0], [0.0, -5.0, 0.0]).is_none());
    assert!(scene.cast(&Ray::new([0.0; 3], [0.0, 1.0, 0.0])).is_none());
}

/// The rounding margin of boxes overflows f32 here, so every box may be visited, but empty children of nodes must not
/// be visited.
#[test]
fn in_the_most_uneven_transforms_sweeps_and_rays_end() {
    let sizes = [1e-150, 1e-30, 1.0, 1e30, 1e150];
    let field = HeightField::new(2, 2, [1.0, 1.0], &[0.0, 0.5, -0.5, 0.25]).unwrap();
    for [x, y, z] in sizes.iter().flat_map(|&x| sizes.iter().flat_map(move |&y| sizes.map(|z| [x, y, z]))) {
        let mut scene = Scene::new();
        let translation = DVec3::new(1e30, 1.0, -1.0);
        for (key, translation) in [(0, DVec3::ZERO), (1, translation)] {
            let to_world = DAffine3 { translation, ..DAffine3::from_scale(DVec3::new(x, y, z)) };
            if scene.insert(key, field.clone(), to_world).is_err() {
                continue;
            }
            for motion in [[0.0, -9.0, 0.0], [1e30, -1e60, 1.0]] {
                scene.sweep(Sphere::new(1.0), [0.25, 3.0, 0.25], motion);
                scene.sweep(Sphere::new(1.0), [1e60, 3.0, 1e-30], motion);
            }
            scene.cast(&Ray::new([0.25, 3.0, 0.25], [0.0, -1.0, 0.0]));
            scene.cast(&Ray::new([1e30, 3.0, 0.25], [0.1, -1.0, 0.0]));
        }
    }
}
