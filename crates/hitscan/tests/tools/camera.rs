//! Camera: from a cursor to a ray, and from a point to a pixel and back.

use core::f64::consts::{FRAC_PI_2, PI};
use glam::dcamera::{lh, rh};
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, Mat4, Vec2, Vec3, Vec4Swizzles};
use hitscan::error::{CameraError, RayError};
use hitscan::{Camera, Ray, Sphere, Viewport, glam};
use hitscan_random::splitmix64;

const WINDOW: [f32; 2] = [800.0, 600.0];

fn square_on() -> Camera {
    Camera::perspective(DAffine3::IDENTITY, FRAC_PI_2).unwrap()
}

/// Asserts that two vectors are equal up to one ulp of f32 in each component.
#[track_caller]
fn assert_same(a: Ray, b: Ray) {
    let near = |a: Vec3, b: Vec3, size: f32| (a - b).abs().max_element() <= size * f32::EPSILON;
    assert!(
        near(a.origin, b.origin, b.origin.abs().max_element()) && near(a.direction, b.direction, 1.0),
        "{a:?} {b:?}"
    );
    assert_eq!((a.t_min, a.t_max), (b.t_min, b.t_max));
}

#[track_caller]
fn assert_pixel(camera: &Camera, point: DVec3, viewport: impl Into<Viewport>, pixel: [f32; 2]) {
    let projected = camera.project(point, viewport).unwrap();
    assert!((projected.pixel - Vec2::from(pixel)).abs().max_element() < 1e-3, "{projected:?} is not at {pixel:?}");
}

// ---- cases by hand

/// ```text
///  (0,0)        x = 4/3        (800,0)
///    +-------------+-------------+   y = 1 at depth 1
///    |             |             |
///    +---------(400,300)---------+   y = 0
///    |             |             |
///    +-------------+-------------+   y = -1
/// ```
#[test]
fn the_picture_of_a_right_angle() {
    let camera = square_on();
    let expect = |cursor: [f32; 2], direction: [f32; 3]| {
        assert_same(camera.ray(cursor, WINDOW), Ray::new([0.0; 3], direction));
        assert_pixel(&camera, Vec3::from(direction).as_dvec3() * 7.0, WINDOW, cursor);
    };
    expect([400.0, 300.0], [0.0, 0.0, -3.0]);
    expect([0.0, 0.0], [-4.0, 3.0, -3.0]);
    expect([800.0, 0.0], [4.0, 3.0, -3.0]);
    expect([0.0, 600.0], [-4.0, -3.0, -3.0]);
    expect([800.0, 600.0], [4.0, -3.0, -3.0]);
    // These are the middle of the pixel right of and below the centre, and a cursor outside of the window.
    expect([400.5, 300.5], [0.5, -0.5, -300.0]);
    expect([-400.0, 300.0], [-8.0, 0.0, -3.0]);
    assert_eq!(camera.project([1.0, 2.0, -4.0], WINDOW).unwrap().depth, 4.0);
}

#[test]
fn a_single_pixel_looks_along_the_view_axis() {
    assert_eq!(square_on().ray([0.5, 0.5], [1u32, 1]), Ray::new(Vec3::ZERO, Vec3::NEG_Z));
}

#[test]
fn every_size_makes_a_viewport() {
    let whole = Viewport { origin: Vec2::ZERO, size: Vec2::new(800.0, 600.0) };
    let from = |viewport: Viewport| assert_eq!(viewport, whole);
    from(Viewport::new(800.0, 600.0));
    from((800.0, 600.0).into());
    from([800.0, 600.0].into());
    from(Vec2::new(800.0, 600.0).into());
    from((800u32, 600).into());
    from([800u32, 600].into());
    assert!(whole.contains([0.0, 0.0]) && whole.contains([799.5, 599.5]));
    assert!(!whole.contains([800.0, 0.0]) && !whole.contains([-0.5, 0.0]) && !whole.contains([f32::NAN, 0.0]));
}

#[test]
fn a_split_screen_has_its_own_corner() {
    let right = Viewport { origin: Vec2::new(400.0, 100.0), size: Vec2::new(400.0, 400.0) };
    let camera = square_on();
    assert_same(camera.ray([400.0, 100.0], right), Ray::new([0.0; 3], [-1.0, 1.0, -1.0]));
    assert_same(camera.ray([800.0, 500.0], right), Ray::new([0.0; 3], [1.0, -1.0, -1.0]));
    assert_pixel(&camera, DVec3::new(-2.0, 2.0, -2.0), right, [400.0, 100.0]);
}

#[test]
fn orthographic_rays_start_in_the_eyes_plane() {
    let eye = DVec3::new(10.0, 20.0, 30.0);
    // The camera looks along x, so that its right is +z.
    let transform = Camera::look_at(eye, eye + DVec3::X, DVec3::Y).unwrap();
    let camera = Camera::orthographic(transform, 6.0).unwrap();
    assert_same(camera.ray([0.0, 0.0], WINDOW), Ray::new([10.0, 23.0, 26.0], Vec3::X));
    assert_same(camera.ray([800.0, 600.0], WINDOW), Ray::new([10.0, 17.0, 34.0], Vec3::X));
    assert_pixel(&camera, DVec3::new(500.0, 23.0, 26.0), WINDOW, [0.0, 0.0]);
    // With parallel rays, points behind the eye are projected too, and have a negative depth.
    let behind = camera.project([4.0, 20.0, 30.0], WINDOW).unwrap();
    assert_eq!((behind.pixel, behind.depth), (Vec2::new(400.0, 300.0), -6.0));
}

#[test]
fn a_fixed_aspect_is_stretched_over_the_viewport() {
    let corner = Ray::new([0.0; 3], [-2.0, 1.0, -1.0]);
    let camera = square_on().with_aspect(2.0).unwrap();
    for window in [[800.0, 600.0], [100.0, 900.0]] {
        assert_same(camera.ray([0.0, 0.0], window), corner);
        assert_pixel(&camera, DVec3::new(-4.0, 2.0, -2.0), window, [0.0, 0.0]);
    }
    let ortho = Camera::orthographic(DAffine3::IDENTITY, 2.0).unwrap().with_aspect(3.0).unwrap();
    assert_same(ortho.ray([0.0, 0.0], WINDOW), Ray::new([-3.0, 1.0, 0.0], Vec3::NEG_Z));
}

#[test]
fn scale_in_the_transform_is_ignored() {
    let rotation = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(-0.4);
    let translation = DVec3::new(1.0, 2.0, 3.0);
    let plain = Camera::perspective(DAffine3::from_rotation_translation(rotation, translation), 1.0).unwrap();
    for scale in [DVec3::splat(1e-30), DVec3::new(2.0, 3.0, 4.0), DVec3::new(-1.0, 1.0, 1.0), DVec3::splat(1e200)] {
        let transform = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        let camera = Camera::perspective(transform, 1.0).unwrap();
        assert_same(camera.ray([123.0, 45.0], WINDOW), plain.ray([123.0, 45.0], WINDOW));
    }
}

#[test]
fn look_at_looks_at_the_target() {
    let (eye, target) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 0.0, 7.0));
    let transform = Camera::look_at(eye, target, [0.0, 5.0, 0.0]).unwrap();
    let expected = rh::view::look_at_affine3(eye, target, DVec3::Y).inverse();
    assert!(transform.abs_diff_eq(expected, 1e-14));
    let camera = Camera::perspective(transform, 1.0).unwrap();
    assert_pixel(&camera, target, WINDOW, [400.0, 300.0]);
    assert!((camera.forward() - (target - eye).normalize()).length() < 1e-15);
    // Up in the world is up in the picture.
    assert!(camera.project(target + DVec3::Y, WINDOW).unwrap().pixel.y < 300.0);
}

#[test]
fn clipped_rays_begin_and_end_with_the_picture() {
    let camera = square_on().with_clip(2.0, 10.0).unwrap();
    let middle = camera.ray([400.0, 300.0], WINDOW);
    assert_eq!((middle.t_min, middle.t_max), (2.0, 10.0));
    // The corner is at (-4/3, 1, -1): depth 1 is at distance sqrt(34/9).
    let corner = camera.ray([0.0, 0.0], WINDOW);
    let length = (34.0f32 / 9.0).sqrt();
    assert!((corner.t_min - 2.0 * length).abs() < 1e-6 && (corner.t_max - 10.0 * length).abs() < 4e-6);
    assert!((corner.at(corner.t_max).z + 10.0).abs() < 4e-6);

    let endless = camera.with_clip(0.1, f64::INFINITY).unwrap().ray([0.0, 0.0], WINDOW);
    assert_eq!(endless.t_max, f32::INFINITY);
    let ortho = Camera::orthographic(DAffine3::IDENTITY, 2.0).unwrap().with_clip(-5.0, 5.0).unwrap();
    let ray = ortho.ray([0.0, 0.0], WINDOW);
    assert_eq!((ray.t_min, ray.t_max), (-5.0, 5.0));
    // Without clipping planes no depth is cut off, and only points in front of the eye are visible.
    let unclipped = square_on().ray([0.0, 0.0], WINDOW);
    assert_eq!((unclipped.t_min, unclipped.t_max), (0.0, f32::INFINITY));
}

#[test]
fn picks_the_ball_exactly_where_it_is_drawn() {
    let camera = Camera::perspective(Camera::look_at([3.0, 4.0, 9.0], [0.0; 3], DVec3::Y).unwrap(), 0.8).unwrap();
    let ball = Sphere::at(Vec3::new(0.5, -0.3, 0.2), 1.0);
    let center = camera.project(ball.center, WINDOW).unwrap();
    assert!(ball.is_blocked(&camera.ray(center.pixel, WINDOW)));
    let mut hits = 0;
    for (x, y) in (0..800).step_by(5).flat_map(|x| (0..600).step_by(5).map(move |y| (x, y))) {
        let ray = camera.ray([x as f32 + 0.5, y as f32 + 0.5], WINDOW);
        let Some(hit) = ball.cast(&ray) else { continue };
        let seen = camera.project(ray.at(hit.t), WINDOW).unwrap().pixel;
        assert!((seen - Vec2::new(x as f32 + 0.5, y as f32 + 0.5)).length() < 1e-3);
        hits += 1;
    }
    // A ball of radius 1 at distance 10.6 covers about 70^2 pi pixels, of which every 25th was tried.
    assert!((400..800).contains(&hits), "{hits}");
}

// ---- matrices

/// Returns each convention for a projection matrix, and half of the view's height and width at depth 1.
fn perspective_matrices() -> Vec<(&'static str, DMat4)> {
    let (fov, aspect, near, far) = (1.0, 4.0 / 3.0, 0.1, 500.0);
    let (top, right) = ((fov * 0.5f64).tan() * near, (fov * 0.5f64).tan() * near * aspect);
    vec![
        ("0 to 1", rh::proj::directx::perspective(fov, aspect, near, far)),
        ("0 to 1, reversed", rh::proj::directx::perspective(fov, aspect, far, near)),
        ("-1 to 1", rh::proj::opengl::perspective(fov, aspect, near, far)),
        ("-1 to 1, reversed", rh::proj::opengl::perspective(fov, aspect, far, near)),
        ("infinite", rh::proj::directx::perspective_infinite(fov, aspect, near)),
        ("infinite, reversed", rh::proj::directx::perspective_infinite_reverse(fov, aspect, near)),
        ("frustum 0 to 1", rh::proj::directx::frustum(-right, right, -top, top, near, far)),
        ("frustum -1 to 1", rh::proj::opengl::frustum(-right, right, -top, top, near, far)),
        ("multiplied", rh::proj::directx::perspective(fov, aspect, near, far) * 1e-20),
    ]
}

fn orthographic_matrices() -> Vec<(&'static str, DMat4)> {
    let (near, far) = (0.1, 500.0);
    vec![
        ("0 to 1", rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, near, far)),
        ("0 to 1, reversed", rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, far, near)),
        ("-1 to 1", rh::proj::opengl::orthographic(-4.0, 4.0, -3.0, 3.0, near, far)),
        ("-1 to 1, reversed", rh::proj::opengl::orthographic(-4.0, 4.0, -3.0, 3.0, far, near)),
        ("multiplied", rh::proj::opengl::orthographic(-4.0, 4.0, -3.0, 3.0, near, far) * 1e20),
    ]
}

fn somewhere() -> DAffine3 {
    Camera::look_at([3.0, -1.0, 8.0], [0.5, 0.25, -2.0], [0.1, 1.0, 0.2]).unwrap()
}

#[track_caller]
fn assert_same_camera(name: &str, a: &Camera, b: &Camera) {
    for cursor in [[400.0, 300.0], [0.0, 0.0], [799.5, 0.5], [13.5, 588.5], [-900.0, 2000.0]] {
        let (x, y) = (a.ray(cursor, WINDOW), b.ray(cursor, WINDOW));
        assert!((x.origin - y.origin).abs().max_element() <= 1e-6, "{name}: {x:?} {y:?}");
        assert!((x.direction - y.direction).abs().max_element() <= 1e-7, "{name}: {x:?} {y:?}");
        let point = y.at(5.0);
        let (x, y) = (a.project(point, WINDOW).unwrap(), b.project(point, WINDOW).unwrap());
        assert!((x.pixel - y.pixel).length() <= 1e-3 && (x.depth - y.depth).abs() <= 1e-6, "{name}: {x:?} {y:?}");
    }
}

#[test]
fn matrices_of_every_depth_range_give_the_same_rays() {
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    for (name, projection) in perspective_matrices() {
        assert_same_camera(name, &Camera::from_matrices(somewhere().inverse(), projection).unwrap(), &camera);
    }
    let camera = Camera::orthographic(somewhere(), 6.0).unwrap();
    for (name, projection) in orthographic_matrices() {
        assert_same_camera(name, &Camera::from_matrices(somewhere().inverse(), projection).unwrap(), &camera);
    }
}

#[test]
fn views_in_any_form_give_the_same_rays() {
    let view = DMat4::from(somewhere().inverse());
    let mirrored = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    let projection = rh::proj::directx::perspective(1.0, 4.0 / 3.0, 0.1, 100.0);
    let left_handed = lh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1);
    for (name, view, projection) in [
        ("inverted in general", DMat4::from(somewhere()).inverse(), projection),
        ("homogeneous", view * 3.0, projection),
        ("scaled", DMat4::from_scale(DVec3::splat(1e3)) * view, projection),
        ("product", DMat4::IDENTITY, projection * view),
        ("multiplied product", DMat4::IDENTITY, projection * view * 7.0),
        ("negative weight", view * -1.0, projection * -1.0),
        ("left-handed", mirrored * view, left_handed),
    ] {
        assert_same_camera(name, &Camera::from_matrices(view, projection).unwrap(), &camera);
    }
    let camera = Camera::orthographic(somewhere(), 6.0).unwrap();
    for (name, projection) in orthographic_matrices() {
        for weight in [3.0, -3.0] {
            assert_same_camera(name, &Camera::from_matrices(view * weight, projection).unwrap(), &camera);
        }
    }
}

/// The direction of view cannot be read from an orthographic matrix and must be given. It can be read from a perspective matrix.
#[test]
fn left_handed_views_look_forwards_if_told() {
    let view = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0)) * DMat4::from(somewhere().inverse());
    let parallel = lh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    let untold = Camera::from_matrices(view, parallel).unwrap();
    let told = untold.with_view_left_handed();
    assert!((untold.forward() + told.forward()).length() < 1e-15);
    assert_same_camera("orthographic", &told, &Camera::orthographic(somewhere(), 6.0).unwrap());
    let perspective = lh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1);
    let camera = Camera::from_matrices(view, perspective).unwrap();
    assert_eq!(camera.with_view_left_handed(), camera);
}

#[test]
fn single_precision_matrices_are_good_to_single_precision() {
    let view = Mat4::from_cols_array(&DMat4::from(somewhere().inverse()).to_cols_array().map(|x| x as f32));
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    for (name, projection) in perspective_matrices() {
        let projection = Mat4::from_cols_array(&projection.to_cols_array().map(|x| x as f32));
        let single = Camera::from_matrices(view.as_dmat4(), projection.as_dmat4()).unwrap();
        for cursor in [[400.0, 300.0], [0.0, 0.0], [799.5, 0.5]] {
            let (a, b) = (single.ray(cursor, WINDOW), camera.ray(cursor, WINDOW));
            assert!((a.direction - b.direction).length() < 1e-6 && (a.origin - b.origin).length() < 1e-5, "{name}");
        }
    }
}

#[test]
fn vulkan_pictures_are_upside_down() {
    let view = somewhere().inverse();
    let matrices = [
        rh::proj::vulkan::perspective(1.0, 4.0 / 3.0, 0.1, 500.0),
        rh::proj::vulkan::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1),
    ];
    for projection in matrices {
        let camera = Camera::from_matrices(view, projection).unwrap().with_clip_y_down();
        assert_same_camera("vulkan", &camera, &Camera::perspective(somewhere(), 1.0).unwrap());
    }
}

/// The window shows x from 1 to 4 and y from -1 to 2 at depth 1, which is a part of a larger picture.
#[test]
fn off_centre_frusta() {
    let camera =
        Camera::from_matrices(DMat4::IDENTITY, rh::proj::opengl::frustum(0.5, 2.0, -0.5, 1.0, 0.5, 9.0)).unwrap();
    for (cursor, direction) in [
        ([0.0, 0.0], [1.0, 2.0, -1.0]),
        ([800.0, 0.0], [4.0, 2.0, -1.0]),
        ([0.0, 600.0], [1.0, -1.0, -1.0]),
        ([400.0, 300.0], [2.5, 0.5, -1.0]),
    ] {
        assert_same(camera.ray(cursor, WINDOW), Ray::new([0.0; 3], direction));
        assert_pixel(&camera, Vec3::from(direction).as_dvec3() * 3.0, WINDOW, cursor);
    }
}

#[test]
fn off_centre_and_sheared_orthographic_pictures() {
    let projection = rh::proj::directx::orthographic(1.0, 5.0, -1.0, 2.0, -10.0, 10.0);
    let camera = Camera::from_matrices(DMat4::IDENTITY, projection).unwrap();
    assert_same(camera.ray([0.0, 0.0], WINDOW), Ray::new([1.0, 2.0, 0.0], Vec3::NEG_Z));
    assert_same(camera.ray([800.0, 600.0], WINDOW), Ray::new([5.0, -1.0, 0.0], Vec3::NEG_Z));
    assert_eq!(camera.position(), DVec3::new(3.0, 0.5, 0.0));

    // This is a cabinet projection. A point one unit further away is drawn half a unit further right and up.
    let shear = DMat4::from_mat3(DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::new(-0.5, -0.5, 1.0)));
    let camera = Camera::from_matrices(DMat4::IDENTITY, projection * shear).unwrap().with_clip(1.0, 4.0).unwrap();
    let ray = camera.ray([0.0, 0.0], WINDOW);
    assert_same(Ray::new(ray.origin, ray.direction), Ray::new([1.0, 2.0, 0.0], [-0.5, -0.5, -1.0]));
    assert_pixel(&camera, DVec3::new(-1.0, 0.0, -4.0), WINDOW, [0.0, 0.0]);
    assert!((ray.at(ray.t_min).z + 1.0).abs() < 1e-6 && (ray.at(ray.t_max).z + 4.0).abs() < 1e-6);
}

#[test]
fn jitter_moves_the_picture_by_part_of_a_pixel() {
    let projection = rh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1);
    // The offset is a quarter of a pixel to the right and down, as for temporal anti-aliasing.
    let jitter = DMat4::from_translation(DVec3::new(0.25 * 2.0 / 800.0, -0.25 * 2.0 / 600.0, 0.0));
    let view = somewhere().inverse();
    let still = Camera::from_matrices(view, projection).unwrap();
    let moved = Camera::from_matrices(view, jitter * projection).unwrap();
    for cursor in [Vec2::new(0.5, 0.5), Vec2::new(400.0, 300.0), Vec2::new(700.0, 20.0)] {
        assert_same(moved.ray(cursor + 0.25, WINDOW), still.ray(cursor, WINDOW));
    }
}

/// The oblique near plane replaces the depth row: E. Lengyel, "Oblique View Frustum Depth Projection and Clipping",
/// 2005.
#[test]
fn oblique_near_planes_and_lost_depth_do_not_matter() {
    let view = somewhere().inverse();
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    for depth_row in [[0.3, -0.2, -1.5, -0.7], [0.0; 4]] {
        let mut projection = rh::proj::opengl::perspective(1.0, 4.0 / 3.0, 0.1, 500.0).transpose();
        projection.z_axis = depth_row.into();
        let oblique = Camera::from_matrices(view, projection.transpose()).unwrap();
        assert_same_camera("oblique", &oblique, &camera);
    }
}

// ---- bad input

#[test]
fn constructors_name_the_fault() {
    let at = DAffine3::IDENTITY;
    for fov in [0.0, -1.0, PI, 4.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert!(matches!(Camera::perspective(at, fov), Err(CameraError::FieldOfView { .. })), "{fov}");
    }
    for height in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert!(matches!(Camera::orthographic(at, height), Err(CameraError::Height { .. })), "{height}");
    }
    let camera = square_on();
    for aspect in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(camera.with_aspect(aspect), Err(CameraError::Aspect { .. })), "{aspect}");
    }
    let ortho = Camera::orthographic(at, 1.0).unwrap();
    for (near, far) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::NAN), (f64::NEG_INFINITY, 1.0)] {
        assert!(matches!(camera.with_clip(near, far), Err(CameraError::Depth { .. })), "{near} {far}");
        assert!(matches!(ortho.with_clip(near, far), Err(CameraError::Depth { .. })), "{near} {far}");
    }
    for near in [0.0, -1.0] {
        assert!(matches!(camera.with_clip(near, 1.0), Err(CameraError::Depth { .. })), "{near}");
        assert!(ortho.with_clip(near, 1.0).is_ok(), "{near}");
    }
}

#[test]
fn transforms_without_axes_are_errors() {
    let scaled = |scale| Camera::perspective(DAffine3::from_scale(scale), 1.0);
    assert_eq!(scaled(DVec3::ZERO), Err(CameraError::Singular { what: "transform" }));
    assert_eq!(scaled(DVec3::new(1.0, 1.0, 0.0)), Err(CameraError::Singular { what: "transform" }));
    assert_eq!(scaled(DVec3::splat(f64::NAN)), Err(CameraError::NotFinite { what: "transform" }));
    let far_away = DAffine3::from_translation(DVec3::INFINITY);
    assert_eq!(Camera::perspective(far_away, 1.0), Err(CameraError::NotFinite { what: "transform" }));
    let slant = DVec3::new(0.1, 0.2, 0.3);
    let flat = DAffine3::from_mat3(DMat3::from_cols(DVec3::X, slant, slant * 0.7));
    assert_eq!(Camera::orthographic(flat, 1.0), Err(CameraError::Singular { what: "transform" }));
}

#[test]
fn look_at_needs_a_direction_and_an_up() {
    let look_at = |target: [f64; 3], up: [f64; 3]| Camera::look_at([0.0, 2.0, 0.0], target, up);
    assert_eq!(look_at([0.0, 2.0, 0.0], [0.0, 1.0, 0.0]), Err(CameraError::NoDirection));
    assert!(matches!(look_at([0.0; 3], [0.0, 1.0, 0.0]), Err(CameraError::Up { .. })));
    assert!(matches!(look_at([0.3, 2.6, 0.9], [0.1, 0.2, 0.3]), Err(CameraError::Up { .. })));
    assert!(matches!(look_at([1.0; 3], [0.0; 3]), Err(CameraError::Up { .. })));
    assert_eq!(look_at([f64::NAN; 3], [0.0; 3]), Err(CameraError::NotFinite { what: "target" }));
    // The camera is valid at the ends of f64's range.
    let far = Camera::look_at([1.7e308, 0.0, 0.0], [-1.7e308, 0.0, 0.0], DVec3::Y).unwrap();
    assert_eq!(far.matrix3.z_axis, DVec3::X);
    assert!(Camera::look_at([0.0; 3], [1e-320, 0.0, 0.0], DVec3::Y * 1e-320).is_ok());
}

#[test]
fn unusable_matrices_are_errors() {
    let good = rh::proj::directx::perspective(1.0, 1.0, 0.1, 10.0);
    let build = |view: DMat4, projection: DMat4| Camera::from_matrices(view, projection).map(|_| ());
    let singular = |what| Err(CameraError::Singular { what });
    assert_eq!(build(DMat4::NAN, good), Err(CameraError::NotFinite { what: "view matrix" }));
    assert_eq!(build(DMat4::IDENTITY, good * f64::INFINITY), Err(CameraError::NotFinite { what: "projection matrix" }));
    assert_eq!(build(good, good), Err(CameraError::NotAffine));
    assert_eq!(build(DMat4::ZERO, good), Err(CameraError::NotAffine));
    assert_eq!(build(DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0)), good), singular("view matrix"));
    assert_eq!(build(DMat4::IDENTITY, DMat4::ZERO), singular("projection matrix"));
    // Two rows are parallel, but the view is rotated, so that rounding makes them differ.
    let mut alike = good.transpose();
    alike.y_axis = alike.x_axis * 0.3;
    assert_eq!(build(somewhere().inverse().into(), alike.transpose()), singular("projection matrix"));
    assert_eq!(
        Camera::from_matrices(DMat4::IDENTITY, good).unwrap().with_aspect(1.0),
        Err(CameraError::AspectInMatrix)
    );
}

#[test]
fn bad_cursors_viewports_and_points_answer_nothing() {
    let cameras = [
        square_on(),
        square_on().with_clip(0.1, f64::INFINITY).unwrap(),
        Camera::orthographic(DAffine3::IDENTITY, 2.0).unwrap(),
        Camera::from_matrices(DMat4::IDENTITY, perspective_matrices()[5].1).unwrap(),
    ];
    let window = Viewport::from(WINDOW);
    let everywhere = Sphere::new(1e6);
    for camera in cameras {
        let no_ray = |cursor: [f32; 2], viewport: Viewport| {
            let ray = camera.ray(cursor, viewport);
            assert!(matches!(ray.validate(), Err(RayError::Direction(_))), "{cursor:?} {viewport:?}");
            assert!(!everywhere.is_blocked(&ray));
        };
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            no_ray([bad, 1.0], window);
            no_ray([1.0, bad], window);
            no_ray([1.0, 1.0], Viewport { origin: Vec2::new(bad, 0.0), ..window });
        }
        for bad in [0.0, -0.0, -800.0, f32::NAN, f32::INFINITY] {
            for viewport in [Viewport::new(bad, 600.0), Viewport::new(600.0, bad)] {
                no_ray([1.0, 1.0], viewport);
                no_ray([0.0, 0.0], viewport);
                assert_eq!(camera.project([0.0, 0.0, -1.0], viewport), None);
            }
        }
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                assert_eq!(camera.project(axis * -bad, WINDOW), None, "{axis} {bad}");
            }
        }
        // These cursors are extreme but valid. The rays stay usable and deviate by at most a right angle from the view
        // axis.
        for cursor in [[1e30, 1e30], [-1e30, 0.0], [1e-45, 1e-45]] {
            let ray = camera.ray(cursor, window);
            assert!(ray.validate().is_ok() && ray.direction.z <= 0.0, "{cursor:?}: {ray:?}");
        }
    }
}

#[test]
fn nothing_at_or_behind_the_eye_is_seen() {
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    let (eye, forward) = (camera.position(), camera.forward());
    assert_eq!(camera.project(eye, WINDOW), None);
    assert_eq!(camera.project(eye - forward * 1e-9, WINDOW), None);
    assert_eq!(camera.project(eye - forward * 1e9, WINDOW), None);
    assert!(camera.project(eye + forward * 1e-9, WINDOW).is_some());
}

// ---- round trips

/// A seeded generator of numbers, vectors and directions.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number that is log-uniformly distributed.
    fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.range(low.log10(), high.log10()))
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0))
    }

    fn choose<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.bits() as usize % of.len()]
    }
}

/// A camera together with the glam matrices that draw its picture.
struct Case {
    camera: Camera,
    transform: DAffine3,
    projection: DMat4,
    viewport: Viewport,
    cursor: Vec2,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let eye = random.vector() * random.choose(&[0.0, 1.0, 1e3, 1e6]);
        let turn = DQuat::from_euler(
            glam::EulerRot::YXZ,
            random.range(-PI, PI),
            random.range(-FRAC_PI_2, FRAC_PI_2),
            random.range(-PI, PI),
        );
        let transform = DAffine3::from_rotation_translation(turn, eye);
        let size = random.choose(&[[1.0, 1.0], [2.0, 3.0], [320.0, 200.0], [1920.0, 1080.0], [16384.0, 8192.0]]);
        let viewport = Viewport { origin: Vec2::splat(random.choose(&[0.0, 100.0])), size: size.into() };
        let cursor = viewport.origin
            + Vec2::new(random.range(0.0, size[0].into()) as f32, random.range(0.0, size[1].into()) as f32);
        let (camera, projection) = Self::lens(random, transform, f64::from(size[0]) / f64::from(size[1]));
        Self { camera, transform, projection, viewport, cursor }
    }

    fn lens(random: &mut Random, transform: DAffine3, aspect: f64) -> (Camera, DMat4) {
        let fov = random.range(1f64.to_radians(), 170f64.to_radians());
        let height = random.magnitude(1e-2, 1e4);
        let near = random.magnitude(1e-3, 1.0);
        let far = near * random.magnitude(2.0, 1e6);
        let (w, h) = (height * aspect * 0.5, height * 0.5);
        let side = |random: &mut Random| {
            let (a, b) = (random.range(-2.0, 2.0), random.range(-2.0, 2.0));
            if (a - b).abs() < 0.1 { (-a, a + 0.1) } else { (a.min(b), a.max(b)) }
        };
        let (left, right) = side(random);
        let (bottom, top) = side(random);
        let matrix = match random.bits() % 13 {
            0 | 1 => {
                let camera = Camera::perspective(transform, fov).unwrap();
                return (camera, rh::proj::opengl::perspective(fov, aspect, near, far));
            }
            2 => {
                let camera = Camera::perspective(transform, fov).unwrap().with_aspect(1.5).unwrap();
                return (camera, rh::proj::opengl::perspective(fov, 1.5, near, far));
            }
            3 | 4 => {
                let camera = Camera::orthographic(transform, height).unwrap();
                return (camera, rh::proj::opengl::orthographic(-w, w, -h, h, near, far));
            }
            5 => rh::proj::directx::perspective(fov, aspect, near, far),
            6 => rh::proj::directx::perspective(fov, aspect, far, near),
            7 => rh::proj::opengl::perspective(fov, aspect, near, far),
            8 => rh::proj::directx::perspective_infinite(fov, aspect, near),
            9 => rh::proj::directx::perspective_infinite_reverse(fov, aspect, near),
            10 => rh::proj::directx::frustum(left * near, right * near, bottom * near, top * near, near, far),
            11 => rh::proj::directx::orthographic(left * w, right * w, bottom * h, top * h, far, near),
            _ => rh::proj::opengl::orthographic(-w, w, -h, h, near, far),
        };
        (Camera::from_matrices(transform.inverse(), matrix).unwrap(), matrix)
    }

    /// Returns the clip coordinates of a point relative to the eye, and the pixel scale of x and y.
    fn clip(&self, offset: DVec3) -> glam::DVec4 {
        self.projection * (self.transform.matrix3.transpose() * offset).extend(1.0)
    }

    fn size(&self) -> glam::DVec2 {
        self.viewport.size.as_dvec2()
    }

    /// Returns the pixel to which glam's matrices project a point.
    fn reference_pixel(&self, point: DVec3) -> glam::DVec2 {
        let clip = self.clip(point - self.transform.translation);
        let (x, y) = (clip.x / clip.w, clip.y / clip.w);
        self.viewport.origin.as_dvec2() + self.size() * glam::DVec2::new((1.0 + x) * 0.5, (1.0 - y) * 0.5)
    }

    /// Returns by how many pixels the image of `point` moves if the point moves by at most `error` along each axis.
    ///
    /// Let X and W be clip rows and x = X.p / W.p. Moving p by e moves x by exactly (X - x W).e / W.(p + e). Returns
    /// `None` if that may move the point behind the eye.
    fn size_on_screen(&self, point: DVec3, error: DVec3) -> Option<f64> {
        let linear = DMat3::from_mat4(self.projection) * self.transform.matrix3.transpose();
        // This is the last row of the projection in world directions, which a 3x3 matrix leaves out.
        let w = self.transform.matrix3 * self.projection.row(3).xyz();
        let clip = self.clip(point - self.transform.translation);
        let least_w = clip.w - w.abs().dot(error);
        let moved = |row: usize, along: f64| (linear.row(row) - w * (along / clip.w)).abs().dot(error) / least_w;
        let size = self.size() * 0.5;
        (least_w > 0.0).then(|| f64::max(moved(0, clip.x) * size.x, moved(1, clip.y) * size.y))
    }
}

/// Returns the error of a ray's point at t that is due to f32. It is half an ulp, at most 2^-24 relative, for each
/// component of the origin, of the direction (times t), and of the point.
fn f32_rounding(ray: &Ray, t: f32) -> DVec3 {
    let (origin, step, point) = (ray.origin.as_dvec3(), ray.direction.as_dvec3() * f64::from(t), ray.at(t).as_dvec3());
    (origin.abs() + step.abs() + point.abs()) * HALF_ULP
}

const HALF_ULP: f64 = f32::EPSILON as f64 / 2.0;

/// The projection of a ray's point must be at the cursor within the projected size of its rounding and 1e-3 pixels.
/// Rounding the pixel to f32 uses up to half of these 1e-3 pixels.
#[test]
fn a_rays_points_project_back_to_the_cursor() {
    let (mut checked, mut swallowed, mut within_a_pixel, mut worst) = (0u64, 0u64, 0u64, 0f64);
    for seed in 0..100_000 {
        let random = &mut Random(seed);
        let case = Case::random(random);
        let ray = case.camera.ray(case.cursor, case.viewport);
        assert_eq!(ray.validate(), Ok(()), "seed {seed}");
        assert!((ray.direction.as_dvec3().length() - 1.0).abs() < 2.0 * HALF_ULP, "seed {seed}");
        for decade in -2..=4 {
            let t = random.magnitude(1.0, 10.0) as f32 * 10f32.powi(decade);
            let point = ray.at(t);
            // Along every axis, the eye in the matrix has the f64 rounding error of its largest coordinate: 256 units
            // here, for two inversions. Rounding the coordinate itself to f32 would cause an error two million times as
            // large.
            let stored = case.transform.translation.abs().max_element() * 2f64.powi(-45);
            let error = f32_rounding(&ray, t) + stored;
            let seen = case.camera.project(point, case.viewport);
            let Some(rounding) = case.size_on_screen(point.as_dvec3(), error) else {
                swallowed += 1;
                continue;
            };
            let pixel = seen.unwrap_or_else(|| panic!("seed {seed} t {t}: not seen")).pixel;
            let off = (pixel - case.cursor).abs().max_element();
            assert!(f64::from(off) <= 1e-3 + rounding, "seed {seed} t {t}: {off} pixels off, rounding is {rounding}");
            checked += 1;
            if rounding < 1.0 {
                within_a_pixel += 1;
                worst = worst.max(f64::from(off) - rounding);
            }
        }
    }
    println!("{checked} checked, {swallowed} swallowed, {within_a_pixel} rounded by less than a pixel, worst {worst}");
    // A case may be skipped only if f32 cannot distinguish the point from the eye.
    assert!(swallowed * 5 < checked && within_a_pixel * 2 > checked);
}

/// The same bound holds for a distant camera whose rays are relative to the eye.
#[test]
fn relative_to_the_eye_the_way_back_is_exact_everywhere() {
    for seed in 0..20_000 {
        let random = &mut Random(seed);
        let case = Case::random(random);
        let camera = case.camera.relative_to(case.camera.position());
        assert_eq!(camera.position(), DVec3::ZERO);
        let case = Case { camera, transform: DAffine3::from_mat3(case.transform.matrix3), ..case };
        let ray = camera.ray(case.cursor, case.viewport);
        let t = random.magnitude(1e-3, 1e3) as f32;
        let pixel = camera.project(ray.at(t), case.viewport).unwrap().pixel;
        let rounding = case.size_on_screen(ray.at(t).as_dvec3(), f32_rounding(&ray, t)).unwrap();
        let off = f64::from((pixel - case.cursor).abs().max_element());
        assert!(off <= 1e-3 + rounding, "seed {seed}: {off} pixels off, rounding is {rounding}");
    }
}

#[test]
fn relative_to_any_origin_the_world_moves() {
    let camera = Camera::perspective(somewhere(), 1.0).unwrap();
    let moved = camera.relative_to([100.0, -20.0, 3.0]);
    let (ray, there) = (moved.ray([13.0, 57.0], WINDOW), camera.ray([13.0, 57.0], WINDOW));
    assert_same(ray, Ray { origin: there.origin - Vec3::new(100.0, -20.0, 3.0), ..there });
    assert_pixel(&moved, DVec3::new(-99.5, 20.25, -5.0), WINDOW, [400.0, 300.0]);
}

/// A point in front of the camera is projected to the pixel that glam's matrices give.
#[test]
fn project_agrees_with_the_matrices() {
    let mut checked = 0;
    for seed in 0..50_000 {
        let random = &mut Random(seed);
        let case = Case::random(random);
        let offset = random.vector() * random.magnitude(1e-1, 1e4);
        let point = case.transform.translation + offset;
        let in_front = case.clip(point - case.transform.translation).w > 0.0;
        let projected = case.camera.project(point, case.viewport);
        assert_eq!(projected.is_some(), in_front, "seed {seed}");
        let Some(projected) = projected else { continue };
        let expected = case.reference_pixel(point);
        // f64 holds the point to 1e-10, which the projection magnifies near the plane of the eye.
        let error = DVec3::splat((offset.length() + case.transform.translation.length()) * 2f64.powi(-45));
        let Some(rounding) = case.size_on_screen(point, error) else { continue };
        let off = (projected.pixel.as_dvec2() - expected).abs().max_element();
        let half_ulp = expected.abs().max_element() * f64::from(f32::EPSILON);
        assert!(off <= half_ulp + rounding + 1e-6, "seed {seed}: {off} from {expected}");
        let depth = (case.transform.matrix3.transpose() * offset).z;
        assert!((f64::from(projected.depth) + depth).abs() <= depth.abs() * 1e-7 + error.x, "seed {seed}");
        checked += 1;
    }
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn a_field_of_view_is_the_angle_between_the_edges() {
    for degrees in [1.0, 45.0, 60.0, 120.0, 170.0f64] {
        let camera = Camera::perspective(somewhere(), degrees.to_radians()).unwrap();
        let (top, bottom) = (camera.ray([400.0, 0.0], WINDOW), camera.ray([400.0, 600.0], WINDOW));
        let angle = top.direction.as_dvec3().angle_between(bottom.direction.as_dvec3());
        assert!((angle - degrees.to_radians()).abs() < 1e-6, "{degrees}");
    }
}
