//! Invalid input, and regions of hardly any size.

use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::select::{Region, RegionError, Rule, Selector};
use hitscan::{Camera, Mesh, Plane, Quad, Scene, Sphere, Viewport};
use hitscan_random::Random;

#[test]
fn bad_regions_are_errors() {
    let nan =
        |error: RegionError, index: usize| matches!(error, RegionError::NotFinite { corner, .. } if corner == index);
    assert!(nan(Region::rect([0.0, 0.0], [f32::NAN, 1.0]).unwrap_err(), 1));
    assert!(nan(Region::circle([f32::INFINITY, 0.0], 1.0).unwrap_err(), 0));
    assert!(nan(Region::lasso(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [f32::NAN, 0.0]]).unwrap_err(), 3));
    assert_eq!(Region::circle([0.0, 0.0], -1.0), Err(RegionError::Radius { radius: -1.0 }));
    assert!(Region::circle([0.0, 0.0], f32::NAN).is_err());
    assert_eq!(Region::lasso(&[[0.0, 0.0], [1.0, 0.0]]), Err(RegionError::Corners { count: 2 }));
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let everything = Region::rect([0.0, 0.0], [1e9, 1e9]).unwrap();
    for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = Selector::new(&camera, [4.0, 4.0], &everything).visible(spacing).unwrap_err();
        assert!(matches!(error, RegionError::Spacing { .. }), "{error}");
    }
    let error = Selector::new(&camera, [1e9, 1e9], &everything).visible(1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a visible selection may have 2^30 samples, not 1000000000000000000: give a larger distance between them"
    );
}

/// Returns the selection in a scene of a square of side 2 and a ball of radius 1 behind it, at 100 pixels for each unit.
fn found(region: &Region) -> Vec<&'static str> {
    let mut scene = Scene::new();
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    scene.insert("square", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap(), DVec3::new(0.0, 0.0, -3.0)).unwrap();
    scene.insert("quad", Quad::new(corners[0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]), DVec3::new(0.0, 0.0, -4.0)).unwrap();
    scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -6.0)).unwrap();
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let mut ids = Vec::new();
    Selector::new(&camera, [400.0, 400.0], region).entities(&scene, &mut ids);
    ids
}

#[test]
fn regions_without_an_area_are_points_and_lines() {
    let all = ["square", "quad", "ball"];
    for pixel in [[200.0, 200.0], [250.5, 170.25]] {
        assert_eq!(found(&Region::rect(pixel, pixel).unwrap()), all);
        assert_eq!(found(&Region::circle(pixel, 0.0).unwrap()), all);
        assert_eq!(found(&Region::lasso(&[pixel; 3]).unwrap()), all);
    }
    // This pixel is in the corner of the square, outside of the ball.
    let corner = [290.0, 110.0];
    assert_eq!(found(&Region::circle(corner, 0.0).unwrap()), all[..2]);
    assert_eq!(found(&Region::rect([corner[0], 0.0], corner).unwrap()), all[..2]);
    assert_eq!(found(&Region::lasso(&[[corner[0], 0.0], corner, [corner[0], 90.0]]).unwrap()), all[..2]);
    assert!(found(&Region::circle([301.0, 99.0], 0.5).unwrap()).is_empty());
}

#[test]
fn borders_belong_to_regions() {
    assert_eq!(found(&Region::rect([300.0, 150.0], [350.0, 160.0]).unwrap()), ["square", "quad"]);
    assert_eq!(found(&Region::circle([320.0, 150.0], 20.0).unwrap()), ["square", "quad"]);
    assert_eq!(found(&Region::lasso(&[[300.0, 150.0], [350.0, 150.0], [350.0, 160.0]]).unwrap()), ["square", "quad"]);
}

#[test]
fn a_lasso_follows_the_even_odd_rule() {
    // A pentagram: its middle is outside.
    let star: Vec<Vec2> = (0..5)
        .map(|i| Vec2::new(200.0, 200.0) + Vec2::from_angle(i as f32 * 2.0 * std::f32::consts::TAU / 5.0) * 150.0)
        .collect();
    let star = Region::lasso(&star).unwrap();
    assert!(!star.contains([200.0, 200.0]) && star.contains([330.0, 200.0]));
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    for (radius, is_selected) in [(0.1, false), (0.4, false), (0.9, true)] {
        let mut scene = Scene::new();
        scene.insert((), Sphere::new(radius), DVec3::new(0.0, 0.0, -6.0)).unwrap();
        let mut ids = Vec::new();
        Selector::new(&camera, [400.0, 400.0], &star).entities(&scene, &mut ids);
        assert_eq!(!ids.is_empty(), is_selected, "{radius}");
    }
}

#[test]
fn nothing_panics_or_hangs() {
    let mut random = Random(13);
    let sizes = [0.0, 1e-30, 1e-3, 1.0, 300.0, 1e9, 1e30, f64::from(f32::MAX), f64::NAN, f64::INFINITY];
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(1.0), DVec3::ZERO).unwrap();
    scene.insert(1, Quad::new([-1.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]), DVec3::ONE).unwrap();
    let corners: Vec<Vec2> = (0..60).map(|_| Vec2::new(random.unit() as f32, random.unit() as f32)).collect();
    let soup: Vec<_> = corners.iter().map(|corner| corner.extend(0.5)).collect();
    scene.insert(2, Mesh::from_soup(&soup).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(3, Mesh::from_soup(&soup).unwrap(), DVec3::splat(1e200)).unwrap();
    for _ in 0..20_000 {
        let mut number = || (random.unit() * random.pick(&sizes)) as f32;
        let viewport = Viewport { origin: Vec2::new(number(), number()), size: Vec2::new(number(), number()) };
        let (a, b) = (Vec2::new(number(), number()), Vec2::new(number(), number()));
        let region = match number().to_bits() % 3 {
            0 => Region::rect(a, b),
            1 => Region::circle(a, number().abs()),
            _ => Region::lasso(&corners.iter().map(|corner| a + *corner * (b - a)).collect::<Vec<_>>()),
        };
        let Ok(region) = region else { continue };
        let eye = DVec3::new(number().into(), number().into(), number().into());
        let height = f64::from(number().abs());
        let transform = DAffine3::from_translation(eye);
        let cameras = [Camera::perspective(transform, 1.0), Camera::orthographic(transform, height)];
        for camera in cameras.into_iter().flatten() {
            for rule in [Rule::Touching, Rule::Inside, Rule::Center] {
                let selector = Selector::new(&camera, viewport, &region).rule(rule);
                let (mut ids, mut triangles) = (Vec::new(), Vec::new());
                selector.entities(&scene, &mut ids);
                selector.triangles(&scene, &mut triangles);
                let _ = selector.visible(1e30);
            }
        }
    }
}

/// Two pictures side by side share no pixel. The border between them belongs to the right one.
#[test]
fn the_right_and_bottom_edges_belong_to_the_next_viewport() {
    let mut scene = Scene::new();
    scene.insert("wall", Quad::new([-9.0, -9.0, -3.0], [18.0, 0.0, 0.0], [0.0, 18.0, 0.0]), DVec3::ZERO).unwrap();
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let viewports = [Viewport::new(400.0, 400.0), Viewport { origin: Vec2::new(400.0, 0.0), size: Vec2::splat(400.0) }];
    let seen = |region: &Region| {
        viewports.map(|viewport| {
            let mut ids = Vec::new();
            Selector::new(&camera, viewport, region).entities(&scene, &mut ids);
            ids.len()
        })
    };
    assert_eq!(seen(&Region::rect([400.0, 10.0], [500.0, 90.0]).unwrap()), [0, 1]);
    assert_eq!(seen(&Region::rect([400.0, 10.0], [400.0, 90.0]).unwrap()), [0, 1]);
    assert_eq!(seen(&Region::rect([100.0, 400.0], [700.0, 500.0]).unwrap()), [0, 0]);
    assert_eq!(seen(&Region::rect([300.0, 10.0], [500.0, 90.0]).unwrap()), [1, 1]);
}

#[test]
fn a_plane_is_not_at_its_horizon() {
    let mut scene = Scene::new();
    scene.insert("ground", Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let camera = Camera::perspective(DAffine3::from_translation(DVec3::Y), 1.0).unwrap();
    let shows = |lowest: f32| {
        let mut ids = Vec::new();
        let region = Region::rect([100.0, 100.0], [300.0, lowest]).unwrap();
        Selector::new(&camera, [400.0, 400.0], &region).entities(&scene, &mut ids);
        !ids.is_empty()
    };
    assert!(!shows(199.0) && !shows(200.0) && shows(200.5));
}
