//! Scenes: the answer of each question, including its edge cases.

use crate::common;
use crate::common::Random;
use hitscan::error::{BulkError, SceneError, TransformError};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Mat4, Vec2, Vec3};
use hitscan::{
    Aabb, Compound, Cull, Filter, Hit, Inside, Mesh, Plane, Ray, RayQueries, Scene, Side, Sphere, Transform,
};

const DOWN: Vec3 = Vec3::NEG_Y;

fn unit_box() -> Aabb {
    Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])
}

fn along_x(positions: impl IntoIterator<Item = f64>) -> Scene<usize> {
    let mut scene = Scene::new();
    for (i, x) in positions.into_iter().enumerate() {
        scene.insert(i, Sphere::new(1.0), DVec3::new(x, 0.0, 0.0)).unwrap();
    }
    scene
}

fn x_axis() -> Ray {
    Ray::new(Vec3::ZERO, Vec3::X)
}

#[test]
fn keys_replace_and_keep_their_order() {
    let mut scene = Scene::new();
    assert!(scene.insert("a", unit_box(), Vec3::ZERO).unwrap().is_none());
    assert!(scene.insert("b", unit_box(), Vec3::ZERO).unwrap().is_none());
    let ray = Ray::new([0.0, 5.0, 0.0], DOWN);
    assert_eq!(scene.cast(&ray).unwrap().id, "a");
    let old = scene.insert("a", unit_box(), Vec3::ZERO).unwrap().expect("the first one");
    assert_eq!(old.transform(), DAffine3::IDENTITY);
    assert_eq!(scene.cast(&ray).unwrap().id, "a", "a replaced entity keeps its place in the order");
    scene.remove(&"a").unwrap();
    scene.insert("a", unit_box(), Vec3::ZERO).unwrap();
    assert_eq!(scene.cast(&ray).unwrap().id, "b", "a removed one comes back last");
    assert!(scene.remove(&"c").is_none() && scene.get(&"c").is_none() && scene.bounds_of(&"c").is_none());
    assert_eq!(scene.set_transform(&"c", Vec3::ONE), Ok(None));
    assert_eq!(scene.set_layers(&"c", 2), None);
}

#[test]
fn errors_name_the_fault_and_change_nothing() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), Vec3::ZERO).unwrap();
    let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
    assert!(matches!(
        scene.insert(1, Sphere::new(2.0), flat),
        Err(SceneError::Transform(TransformError::Singular { .. }))
    ));
    assert!(matches!(scene.insert(2, Sphere::new(-2.0), Vec3::ZERO), Err(SceneError::Shape(_))));
    assert!(matches!(scene.insert(2, Sphere::new(f32::NAN), Vec3::ZERO), Err(SceneError::Shape(_))));
    assert!(scene.set_transform(&1, DVec3::NAN).is_err());
    let bad = scene.insert_all([(5, unit_box(), DVec3::ONE), (6, unit_box(), DVec3::INFINITY)]);
    assert_eq!(bad, Err(BulkError { index: 1, error: SceneError::Transform(TransformError::NotFinite) }));
    assert!(scene.set_transforms([(1, DVec3::ONE), (1, DVec3::NAN)]).is_err());
    assert_eq!(scene.len(), 1);
    assert_eq!(scene.cast(&Ray::new([0.0, 5.0, 0.0], DOWN)).unwrap().t, 4.0);
    let message = scene.insert(2, Sphere::new(-2.0), Vec3::ZERO).unwrap_err().to_string();
    assert_eq!(message, "the radius -2 must be finite and not negative");
}

#[test]
fn a_mirrored_entity_keeps_its_outside() {
    let triangle = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2]).unwrap();
    let mut scene = Scene::new();
    let mirrored = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
    scene.insert((), triangle, mirrored).unwrap();
    let hit = scene.cast(&Ray::new([-0.25, 0.25, 5.0], Vec3::NEG_Z)).unwrap();
    assert_eq!((hit.side, hit.normal, hit.uv), (Side::Front, Vec3::Z, Some(Vec2::new(0.25, 0.25))));
    let inside_out = DAffine3::from_scale(DVec3::splat(-3.0));
    scene.insert((), triangle_of(&scene), inside_out).unwrap();
    let hit = scene.cast(&Ray::new([-0.5, -0.5, 5.0], Vec3::NEG_Z)).unwrap();
    assert_eq!((hit.side, hit.normal), (Side::Back, Vec3::NEG_Z));
    assert_eq!(hit.facing_normal(), Vec3::Z);
}

fn triangle_of(scene: &Scene<()>) -> hitscan::Geometry {
    scene.get(&()).unwrap().geometry().clone()
}

#[test]
fn normals_stand_on_unevenly_scaled_surfaces() {
    let mut scene = Scene::new();
    let linear = DMat3::from_quat(DQuat::from_rotation_z(0.4)) * DMat3::from_diagonal(DVec3::new(3.0, 0.5, 1.0));
    scene.insert((), Sphere::new(1.0), DAffine3::from_mat3(linear)).unwrap();
    let hit = scene.cast(&Ray::new([1.3, 4.0, 0.2], DOWN)).unwrap();
    // This is the gradient of |M^-1 p|^2.
    let inverse = linear.inverse();
    let gradient = (inverse.transpose() * (inverse * hit.point.as_dvec3())).normalize();
    assert!((hit.normal.as_dvec3() - gradient).length() < 1e-6);
}

#[test]
fn layers_exclusions_and_filters() {
    let mut scene = along_x([5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0]);
    let seen = |scene: &Scene<usize>, filter: &Filter<'_, usize>| {
        let mut hits = Vec::new();
        scene.with(filter).cast_all(&x_axis(), &mut hits);
        hits.iter().filter(|hit| hit.side == Side::Front).map(|hit| hit.id).collect::<Vec<_>>()
    };
    assert_eq!(seen(&scene, &Filter::new()), [0, 1, 2, 3, 4, 5, 6]);
    let many = [0, 1, 2, 3, 5, 6].into_iter().fold(Filter::new(), Filter::exclude);
    assert_eq!(seen(&scene, &many), [4]);
    assert_eq!(scene.set_layers(&2, 0b110), Some(hitscan::Entity::DEFAULT_LAYERS));
    scene.set_layers(&3, 0);
    assert_eq!(seen(&scene, &Filter::new().layers(0b100)), [2]);
    assert_eq!(seen(&scene, &Filter::new().layers(0b1)), [0, 1, 4, 5, 6]);
    assert_eq!(seen(&scene, &Filter::new()), [0, 1, 2, 4, 5, 6], "an entity on no layer is never met");
    let far = Filter::new().hits(|candidate| candidate.t > 11.0);
    assert_eq!(scene.with(&far).cast(&x_axis()).map(|hit| (hit.id, hit.side)), Some((2, Side::Front)));
    assert_eq!(scene.with(&Filter::new().cull(Cull::Front)).cast(&x_axis()).map(|hit| hit.t), Some(6.0));
}

#[test]
fn the_three_ways_to_start_inside() {
    let scene = along_x([0.0, 5.0]);
    let hit = |inside| scene.when_inside(inside).cast(&x_axis()).map(|hit| (hit.id, hit.t, hit.side, hit.normal));
    assert_eq!(hit(Inside::Exit), Some((0, 1.0, Side::Back, Vec3::X)));
    assert_eq!(hit(Inside::Solid), Some((0, 0.0, Side::Inside, Vec3::NEG_X)));
    assert_eq!(hit(Inside::Ignore), Some((1, 4.0, Side::Front, Vec3::NEG_X)));
    let solid = scene.when_inside(Inside::Solid);
    let first = solid.cast(&x_axis()).unwrap();
    // After the first hit, the same ray leaves the solid. So does another ray from the same place.
    let out = solid.after(&first).cast(&x_axis()).unwrap();
    assert_eq!((out.id, out.t, out.side), (0, 1.0, Side::Back));
    let up = solid.after(&first).cast(&Ray::new(Vec3::ZERO, Vec3::Y)).unwrap();
    assert_eq!((up.id, up.t, up.side), (0, 1.0, Side::Back));
}

#[test]
fn the_range_is_closed_at_both_ends() {
    let scene = along_x([5.0]);
    let cast = |t_min, t_max| scene.cast(&x_axis().with_range(t_min, t_max)).map(|hit| hit.t);
    assert_eq!(cast(0.0, 4.0), Some(4.0));
    assert_eq!(cast(0.0, 4.0f32.next_down()), None);
    assert_eq!(cast(4.0, 9.0), Some(4.0));
    assert_eq!(cast(6.0, 6.0), Some(6.0));
    assert_eq!(cast(6.0f32.next_up(), f32::INFINITY), None);
    assert_eq!(cast(f32::NAN, 9.0), None);
    assert_eq!(cast(9.0, 1.0), None);
}

#[test]
fn planes_are_everywhere() {
    let mut scene = Scene::new();
    let floor = Plane::new(Vec3::ZERO, Vec3::Y).unwrap();
    scene.insert("floor", floor, DAffine3::from_rotation_x(0.1)).unwrap();
    scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 50.0, 0.0)).unwrap();
    let hit = scene.cast(&Ray::new([1e6, 1.0, 0.0], DOWN)).unwrap();
    assert_eq!((hit.id, hit.t), ("floor", 1.0));
    assert!(scene.bounds_of(&"floor").unwrap().max.x.is_infinite());
    assert!(scene.bounds().max.x < 2.0, "the scene's bounds are of what has bounds");
    scene.set_transform(&"floor", DVec3::new(0.0, 60.0, 0.0)).unwrap();
    assert_eq!(scene.cast(&Ray::new([0.0, 100.0, 0.0], DOWN)).unwrap().id, "floor");
    scene.remove(&"floor").unwrap();
    assert_eq!(scene.cast(&Ray::new([0.0, 100.0, 0.0], DOWN)).unwrap().id, "ball");
}

#[test]
fn compounds_say_which_part() {
    let inner =
        Compound::new([(unit_box().into(), Transform::IDENTITY), (Sphere::new(1.0).into(), Vec3::Y.into())]).unwrap();
    let outer =
        Compound::new([(Sphere::new(0.5).into(), Vec3::X.into()), (inner.into(), Vec3::new(10.0, 0.0, 0.0).into())]);
    let outer = outer.unwrap();
    assert_eq!(outer.len(), 3);
    let mut scene = Scene::new();
    scene.insert((), outer, DVec3::new(0.0, 0.0, -4.0)).unwrap();
    let part = |x: f32| scene.cast(&Ray::new([x, 20.0, -4.0], DOWN)).map(|hit| (hit.part, hit.t));
    assert_eq!((part(1.0), part(10.0), part(9.0)), (Some((0, 19.5)), Some((2, 18.0)), Some((1, 19.0))));
    assert_eq!(part(5.0), None);
    assert!(Compound::new([(unit_box().into(), DVec3::NAN.into())]).is_err());
}

#[test]
fn buffers_are_not_reallocated() {
    let scene = along_x((1..20).map(|i| 5.0 * f64::from(i)));
    let mut hits: Vec<Hit<usize>> = Vec::with_capacity(64);
    let place = hits.as_ptr();
    for _ in 0..3 {
        scene.cast_all(&x_axis(), &mut hits);
        assert_eq!((hits.len(), hits.as_ptr()), (38, place));
    }
    scene.cast_all(&Ray::new(Vec3::ZERO, Vec3::NAN), &mut hits);
    assert!(hits.is_empty());
}

#[test]
fn a_texture_hole_lets_the_ray_through() {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let texcoords = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let fence = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap().with_texcoords(&texcoords).unwrap();
    let fence = fence.with_normals(&[[0.0, 0.0, 2.0]; 4]).unwrap();
    let mut scene = Scene::new();
    scene.insert("fence", fence, DAffine3::from_rotation_y(0.3)).unwrap();
    scene.insert("wall", Plane::new([0.0, 0.0, -5.0], Vec3::Z).unwrap(), Vec3::ZERO).unwrap();
    // The left half of the texture is a hole.
    let opaque = Filter::new().hits(|candidate| candidate.texcoord().is_none_or(|uv| uv.x >= 0.5));
    let shoot = |x: f32| scene.with(&opaque).cast(&Ray::new([x, 0.5, 9.0], Vec3::NEG_Z)).unwrap();
    assert_eq!((shoot(-0.4).id, shoot(0.4).id), ("wall", "fence"));
    let hit = shoot(0.4);
    let texcoord = scene.surface(&hit).texcoord().unwrap();
    let expected = Vec2::new(0.5 + 0.2 / 0.3f32.cos(), 0.25);
    assert!((texcoord - expected).length() < 1e-6, "{texcoord}");
    let normal = scene.surface(&hit).interpolated_normal().unwrap();
    assert!((normal - Vec3::new(0.3f32.sin(), 0.0, 0.3f32.cos())).length() < 1e-6);
    assert_eq!(scene.surface(&shoot(-0.4)).texcoord(), None);
}

#[test]
fn a_moving_point_stops_and_slides() {
    let mut scene = Scene::new();
    scene.insert("wall", Plane::new([3.0, 0.0, 0.0], Vec3::NEG_X).unwrap(), Vec3::ZERO).unwrap();
    scene.insert("end", Plane::new([0.0, 0.0, 9.0], Vec3::NEG_Z).unwrap(), Vec3::ZERO).unwrap();
    let first = scene.move_point([1.0, 1.0, 0.0], [4.0, 0.0, 4.0], 0.0);
    let hit = first.hit.expect("the wall");
    assert_eq!((hit.id, hit.t, first.position), ("wall", 0.5, Vec3::new(3.0, 1.0, 2.0)));
    assert_eq!((first.remaining, first.slide), (Vec3::new(2.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 2.0)));
    let slid = scene.after(&hit).move_point(first.position, first.slide, 0.0);
    assert_eq!((slid.hit, slid.position), (None, Vec3::new(3.0, 1.0, 4.0)));
    let still = scene.move_point([1.0, 1.0, 0.0], Vec3::ZERO, 0.0);
    assert_eq!((still.hit, still.position), (None, Vec3::new(1.0, 1.0, 0.0)));
    let exactly = scene.move_point([1.0, 1.0, 0.0], [2.0, 0.0, 0.0], 0.0);
    assert_eq!(exactly.hit.map(|hit| hit.t), Some(1.0), "a motion that ends on a surface touches it");
}

#[test]
fn ground_is_what_is_within_reach_below() {
    let mut scene = Scene::new();
    let slope = DAffine3::from_rotation_z(60f64.to_radians());
    scene.insert("slope", Plane::new(Vec3::ZERO, Vec3::Y).unwrap(), slope).unwrap();
    let ground = scene.ground_below([0.0, 2.0, 0.0], Vec3::Y * 7.0, 2.5).unwrap();
    assert_eq!((ground.hit.id, ground.hit.t), ("slope", 2.0));
    assert!((ground.slope_cos - 0.5).abs() < 1e-6);
    assert!(scene.ground_below([0.0, 2.0, 0.0], Vec3::Y, 1.5).is_none());
    assert!(scene.ground_below([0.0, 2.0, 0.0], Vec3::ZERO, 9.0).is_none());
}

#[test]
fn sight_ignores_the_two_who_look() {
    let mut scene = along_x([0.0, 10.0]);
    let (eye, head) = (Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0));
    assert!(scene.line_of_sight((0, eye), (1, head)));
    scene.insert(2, unit_box(), DVec3::new(5.0, 0.0, 0.0)).unwrap();
    assert!(!scene.line_of_sight((0, eye), (1, head)));
    assert!(scene.with(&Filter::new().hits(|c| c.id != 2)).line_of_sight((0, eye), (1, head)));
    assert!(scene.line_of_sight((0, eye), (2, Vec3::new(5.0, 0.0, 0.0))));
    assert!(scene.line_of_sight((0, eye), (1, eye)));
}

#[test]
fn transforms_come_in_every_form() {
    let mut scene = Scene::new();
    let matrix = Mat4::from_translation(Vec3::new(0.0, -3.0, 0.0));
    scene.insert(0, Sphere::new(1.0), matrix).unwrap();
    assert_eq!(scene.cast(&Ray::new(Vec3::ZERO, DOWN)).unwrap().t, 2.0);
    let previous = scene.set_transform(&0, matrix.as_dmat4() * 1.0).unwrap();
    assert_eq!(previous, Some(DAffine3::from_translation(DVec3::new(0.0, -3.0, 0.0))));
    let projective =
        Mat4::from_cols_array(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(scene.set_transform(&0, projective), Err(TransformError::NotAffine));
}

#[test]
fn filters_add_up() {
    let scene = along_x([5.0, 10.0, 15.0]);
    let filter = Filter::new().hits(|c| c.id != 0).hits(|c| c.id != 1);
    assert_eq!(scene.with(&filter).cast(&x_axis()).map(|hit| hit.id), Some(2));
}

#[test]
fn a_far_world_is_seen_from_nearby() {
    let mut scene = Scene::new();
    let far = DVec3::new(6.4e6 + 0.001, -3e7 - 0.002, 1e7 + 0.003);
    let pebble = common::icosphere(2).map(|p| p * 1e-3).mesh();
    scene.insert("pebble", pebble, far).unwrap();
    scene.insert("ball", Sphere::new(1e-3), far + DVec3::new(0.0, 0.0, -0.01)).unwrap();
    let eye = far + DVec3::new(0.0, 0.0, 0.5);
    let nearby = scene.relative_to(eye);
    let ray = Ray::new(Vec3::new(2e-5, 1e-5, 0.0), Vec3::NEG_Z);
    let hit = nearby.cast(&ray).unwrap();
    assert_eq!(hit.id, "pebble");
    assert!((hit.point - ray.at(hit.t)).length() < 1e-7 && (hit.t - 0.499).abs() < 1e-4, "{hit:?}");
    // The ray continues through the back to the ball behind it.
    let back = nearby.after(&hit).cast(&hit.onward()).unwrap();
    assert_eq!((back.id, back.side), ("pebble", Side::Back));
    let ball = nearby.after(&back).cast(&back.onward()).unwrap();
    assert_eq!((ball.id, ball.side), ("ball", Side::Front));
    let away = nearby.after(&ball).cast(&ball.bounce()).unwrap();
    assert_eq!((away.id, away.side), ("pebble", Side::Front));
    assert_eq!(scene.relative_to(DVec3::NAN).cast(&ray), None);
    // The same ray in plain f32 numbers starts 0.03 away from where it should.
    assert_eq!(scene.cast(&Ray::new(eye.as_vec3(), Vec3::NEG_Z)), None);
}

#[test]
fn a_slide_in_the_plane_of_a_wall_meets_the_floor() {
    let corners = [[-5., 0., 5.], [5., 0., 5.], [5., 0., -5.], [-5., 0., -5.], [5., 4., -5.], [-5., 4., -5.0f32]];
    let room = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5]).unwrap();
    let mut scene = Scene::new();
    scene.insert((), room, DVec3::ZERO).unwrap();
    let wall = scene.move_point([-2., 1., 0.], [0., -2., -12.], 0.0);
    assert_eq!(wall.position.z, -5.0);
    let floor = scene.after(wall.hit.as_ref()).move_point(wall.position, wall.slide, 0.0);
    assert_eq!((floor.position.y, floor.hit.unwrap().side), (0.0, Side::Front));
}

/// A point slides about in a closed room for hundreds of frames. Its hits are forgotten between the frames.
#[test]
fn a_point_with_a_skin_stays_in_its_room() {
    let mut random = common::Random(31);
    for room in 0..60 {
        let transform =
            if room == 0 { DAffine3::IDENTITY } else { common::instance_transform(&mut random, room, 20.0) };
        let mut scene = Scene::new();
        scene.insert((), common::grid_cube(1 + room as u32 % 3).mesh(), transform).unwrap();
        let mut position = transform.translation.as_vec3();
        for frame in 0..400 {
            let mut motion = (random.direction() * 0.7).as_vec3();
            for _ in 0..4 {
                let moved = scene.move_point(position, motion, 0.003);
                (position, motion) = (moved.position, moved.slide);
            }
            let local = transform.inverse().transform_point3(position.as_dvec3());
            assert!(local.abs().max_element() < 1.0, "room {room}, frame {frame}: {position} is {local} in the room");
        }
    }
}

#[test]
fn what_is_not_finite_neither_moves_nor_sees() {
    let mut scene = Scene::new();
    scene.insert(0, Plane::new(Vec3::ZERO, Vec3::Y).unwrap(), Vec3::ZERO).unwrap();
    let start = Vec3::new(1.0, 2.0, 3.0);
    for motion in [Vec3::NEG_INFINITY, Vec3::NAN] {
        let moved = scene.move_point(start, motion, 0.01);
        assert_eq!((moved.position, moved.fraction, moved.hit), (start, 0.0, None));
    }
    for point in [Vec3::NAN, Vec3::INFINITY] {
        assert!(!scene.line_of_sight((1, start), (2, point)) && !scene.line_of_sight((1, point), (2, start)));
    }
    assert!(!scene.line_of_sight((1, [0.0, 3e38, 0.0]), (2, [0.0, -3e38, 0.0])));
}

/// An outdated hit does not hide surfaces of the changed scene.
#[test]
fn stale_hits_hide_nothing() {
    let ray = Ray::new(Vec3::ZERO, Vec3::NEG_Z);
    let mut scene = Scene::new();
    scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    let old = scene.cast(&ray).unwrap();
    scene.set_transform(&"ball", DVec3::new(0.0, 0.0, -7.0)).unwrap();
    let moved = scene.after(&old).cast(&old.onward()).unwrap();
    assert_eq!((moved.t, moved.side), (2.0, Side::Front));
    let mut other = Scene::new();
    other.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0)).unwrap();
    assert_eq!(other.after(&old).cast(&old.onward()).unwrap().side, Side::Front);
}

/// A nearly flat entity does not slow the others down and is not lost. Its inverse takes rays beyond the range of f64,
/// where no hit is guaranteed, but the query terminates.
#[test]
fn entities_of_hardly_any_size_end_every_question() {
    let triangle = Mesh::from_soup(&[Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
    let mut hits = Vec::new();
    for scale in [1e-290, 1e-300, 1e-307] {
        let mut scene = Scene::new();
        scene.insert((), triangle.clone(), DAffine3::from_scale(DVec3::splat(scale))).unwrap();
        for length in [1e-30, 1.0, 1e8, 1e17, 1e30, 3e38] {
            for direction in [Vec3::ONE, -Vec3::ONE, Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1e-38, -1.0)] {
                for origin in [Vec3::ZERO, Vec3::splat(1e-45), Vec3::ONE, Vec3::splat(-3e38)] {
                    for t_min in [0.0, f32::NEG_INFINITY] {
                        let ray = Ray::with_direction(origin, direction * length).with_range(t_min, f32::INFINITY);
                        scene.cast_all(&ray, &mut hits);
                        assert!(hits.iter().all(|hit| hit.t.is_finite()), "{scale} {ray:?}");
                        assert_eq!(
                            (scene.cast(&ray), scene.is_blocked(&ray)),
                            (hits.first().copied(), !hits.is_empty())
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_squashed_entity_is_hit() {
    let mut scene = along_x([5.0]);
    scene.insert(9, Sphere::new(1.0), DAffine3::from_scale(DVec3::new(1.0, 1e-12, 1.0))).unwrap();
    let hit = scene.cast(&Ray::new([0.5, 3.0, 0.0], DOWN)).unwrap();
    assert_eq!((hit.id, hit.t), (9, 3.0));
    assert!(scene.remove(&9).is_some() && scene.cast(&Ray::new([0.5, 3.0, 0.0], DOWN)).is_none());
}

/// The transform of a part is applied first, then the transform of the compound around it, then the transform of the
/// entity.
#[test]
fn transforms_of_nested_parts_are_applied_from_inside_out() {
    let quarter = DAffine3::from_rotation_z(core::f64::consts::FRAC_PI_2);
    let stretched = DAffine3::from_scale(DVec3::new(4.0, 1.0, 1.0));
    let inner = Compound::new([(Aabb::new([0.0, -0.1, -0.1], [1.0, 0.1, 0.1]).into(), stretched.into())]).unwrap();
    let outer = Compound::new([(inner.into(), quarter.into())]).unwrap();
    let mut scene = Scene::new();
    // The beam of length 1 along x is stretched to 4, rotated to y, and doubled in y by the entity.
    scene.insert((), outer, DAffine3::from_scale(DVec3::new(1.0, 2.0, 1.0))).unwrap();
    let hit = scene.cast(&Ray::new([0.0, 20.0, 0.0], DOWN)).unwrap();
    assert!((hit.point - Vec3::new(0.0, 8.0, 0.0)).length() < 1e-5, "{hit:?}");
    assert_eq!(scene.cast(&Ray::new([1.0, 20.0, 0.0], DOWN)), None);
}

/// A refusal in the middle of many moves undoes all of them. This includes moves of compounds, of entities that
/// are named twice, and of entities that leave the tree.
#[test]
fn refused_bulk_moves_leave_no_trace() {
    let mut scene = Scene::new();
    let pair = Compound::new([DVec3::X, DVec3::NEG_X].map(|at| (Sphere::new(0.25).into(), at.into()))).unwrap();
    for key in 0..3_000u32 {
        let at = DVec3::new(f64::from(key % 60) * 3.0, 0.0, f64::from(key / 60) * 3.0);
        let placed = match key % 3 {
            0 => scene.insert(key, pair.clone(), at),
            1 => scene.insert(key, Sphere::new(0.5), at),
            _ => scene.insert(key, Plane::new([0.0, -9.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), at),
        };
        placed.unwrap();
        if key % 3 == 2 && key > 2 {
            scene.insert(key, Sphere::new(0.5), at).unwrap();
        }
    }
    let before = scene.clone();
    let rays: Vec<Ray> = (0..400)
        .map(|i| Ray::new([(i % 20) as f32 * 9.0 + 0.1, 5.0, (i / 20) as f32 * 7.5 + 0.1], [0.01, -1.0, 0.02]))
        .collect();
    let moved = |key: u32| -> Transform {
        match key {
            2_500 => DVec3::new(f64::NAN, 0.0, 0.0).into(),
            // The scale is so uneven that the entity is not in the tree.
            _ if key.is_multiple_of(7) => DAffine3::from_scale(DVec3::new(1e9, 1.0, 1e-9)).into(),
            _ => DVec3::new(0.0, f64::from(key % 50), 0.0).into(),
        }
    };
    let error = scene.set_transforms((0..3_000).chain(0..100).map(|key| (key, moved(key)))).unwrap_err();
    assert_eq!(error.index, 2_500);
    let error = scene.set_transforms([(1, moved(3)), (1, moved(7)), (0, moved(2_500))]).unwrap_err();
    assert_eq!(error.index, 2);
    for ray in &rays {
        assert_eq!(scene.cast(ray), before.cast(ray), "{ray:?}");
    }
    for (key, entity) in before.iter() {
        assert_eq!(scene.get(&key).unwrap().transform(), entity.transform(), "{key}");
    }
    let hit = before.cast(&rays[0]).unwrap();
    assert_eq!(scene.after(&hit).cast(&rays[0]), before.after(&hit).cast(&rays[0]));
}

/// An entity moves far out of the world while the tree is full up to its root, which is then split.
#[test]
fn what_moves_far_out_is_found_there() {
    for (count, seed) in (9..150u32).flat_map(|count| (0..20).map(move |seed| (count, seed))) {
        let mut random = Random(seed << 32 | u64::from(count));
        let mut scene = Scene::new();
        for key in 0..count {
            scene.insert(key, Sphere::new(0.2), random.cube() * 10.0).unwrap();
        }
        let at = random.direction() * 1e3;
        scene.set_transform(&0, at).unwrap();
        let from = at * 2.0 + random.direction();
        let hit = scene.cast(&Ray::between(from.as_vec3(), at.as_vec3()));
        assert_eq!(hit.map(|hit| hit.id), Some(0), "{count} entities, seed {seed}");
    }
}
