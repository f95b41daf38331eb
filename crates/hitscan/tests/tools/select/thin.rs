//! Regions without an area, eyes whose position is not finite, and trees that split triangles.

use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::select::{Region, Rule, Selector};
use hitscan::{Camera, Mesh, Quality, Scene, Sphere};
use hitscan_random::Random;

const WINDOW: [f32; 2] = [640.0, 480.0];

fn ids(selector: &Selector, scene: &Scene<u32>) -> Vec<u32> {
    let mut ids = Vec::new();
    selector.entities(scene, &mut ids);
    ids
}

#[test]
fn points_and_lines_find_the_triangles_around_them() {
    let mut random = Random(5);
    for round in 0..10_000 {
        let transform = Camera::look_at(random.cube() * 9.0, random.cube(), random.direction()).expect("a direction");
        let camera = Camera::perspective(transform, 0.3 + random.fraction()).unwrap();
        let mut pixel = || Vec2::new(random.fraction() as f32 * 640.0, random.fraction() as f32 * 480.0);
        let (middle, other) = (pixel(), pixel());
        // A triangle around the middle, with corners in other pixels and at other depths.
        let corners: Vec<Vec3> = (0..3)
            .map(|side| {
                let turn = Vec2::from_angle(side as f32 * 2.1 + random.fraction() as f32);
                let ray = camera.ray(middle + turn * (5.0 + 200.0 * random.fraction() as f32), WINDOW);
                (ray.origin.as_dvec3() + ray.direction.as_dvec3() * (1.0 + random.fraction() * 20.0)).as_vec3()
            })
            .collect();
        let mut scene = Scene::new();
        scene.insert(0, Mesh::from_soup(&corners).unwrap(), DVec3::ZERO).unwrap();
        let regions = [
            Region::rect(middle, middle),
            Region::rect(middle, [middle.x, other.y]),
            Region::rect([other.x, middle.y], middle),
            Region::circle(middle, 0.0),
            Region::circle(middle, 1e-30),
            Region::lasso(&[middle; 3]),
            Region::lasso(&[middle, Vec2::new(middle.x, other.y), middle]),
            Region::lasso(&[middle, other, middle]),
        ];
        for (kind, region) in regions.into_iter().enumerate() {
            let selector = Selector::new(&camera, WINDOW, &region.unwrap());
            let mut triangles = Vec::new();
            selector.triangles(&scene, &mut triangles);
            assert_eq!((triangles.len(), ids(&selector, &scene)), (1, vec![0]), "{round} {kind}");
        }
    }
}

#[test]
fn a_line_on_the_border_of_a_lasso_selects_what_crosses_it() {
    let mut random = Random(6);
    for round in 0..10_000 {
        let transform = Camera::look_at(random.cube() * 9.0, random.cube(), random.direction()).expect("a direction");
        let camera = Camera::perspective(transform, 0.3 + random.fraction()).unwrap();
        // The lasso is a triangle whose upper side continues as a line beyond its left corner. Only this line crosses
        // the mesh.
        let top = 100.0 + 50.0 * random.fraction() as f32;
        let lasso = Region::lasso(&[[500.0, top], [400.0, 300.0], [300.0, top], [200.0, top]]).unwrap();
        let middle = Vec2::new(210.0 + 80.0 * random.fraction() as f32, top);
        let corners: Vec<Vec3> = [(-5.0, -40.0), (5.0, -40.0), (0.0, 40.0)]
            .map(|(x, y)| {
                let ray = camera.ray(middle + Vec2::new(x, y), WINDOW);
                (ray.origin.as_dvec3() + ray.direction.as_dvec3() * (1.0 + random.fraction() * 20.0)).as_vec3()
            })
            .into();
        let mut scene = Scene::new();
        scene.insert(0, Mesh::from_soup(&corners).unwrap(), DVec3::ZERO).unwrap();
        let mut triangles = Vec::new();
        Selector::new(&camera, WINDOW, &lasso).triangles(&scene, &mut triangles);
        assert_eq!(triangles.len(), 1, "{round}");
    }
}

#[test]
fn split_triangles_are_selected_as_whole_ones_are() {
    // These are large triangles among small ones. The builder splits the large ones.
    let mut random = Random(2);
    let mut soup: Vec<Vec3> = (0..90).map(|_| random.cube().as_vec3()).collect();
    for _ in 0..300 {
        let at = random.cube().as_vec3();
        soup.extend([at, at + Vec3::X * 0.01, at + Vec3::Y * 0.01]);
    }
    let scenes = [Quality::Fast, Quality::Best].map(|quality| {
        let mut scene = Scene::new();
        let mesh = Mesh::from_soup(&soup).unwrap().rebuilt(quality);
        scene.insert(0, mesh, DVec3::new(0.0, 0.0, -3.0)).unwrap();
        scene
    });
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    for _ in 0..100 {
        let mut pixel = || Vec2::new(random.fraction() as f32 * 400.0, random.fraction() as f32 * 400.0);
        let region = Region::rect(pixel(), pixel()).unwrap();
        for rule in [Rule::Touching, Rule::Inside, Rule::Center] {
            let selector = Selector::new(&camera, [400.0, 400.0], &region).rule(rule);
            let found = scenes.each_ref().map(|scene| {
                let (mut triangles, mut vertices, mut edges) = (Vec::new(), Vec::new(), Vec::new());
                selector.triangles(scene, &mut triangles);
                selector.vertices(scene, &mut vertices);
                selector.edges(scene, &mut edges);
                (triangles, vertices, edges)
            });
            assert_eq!(found[0], found[1], "{rule:?}");
        }
    }
}

#[test]
fn a_circle_beyond_a_corner_of_the_viewport_selects_nothing() {
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(9.0), DVec3::new(0.0, 0.0, -10.0)).unwrap();
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let with = |radius: f32| {
        let region = Region::circle([-10.0, -10.0], radius).unwrap();
        ids(&Selector::new(&camera, [400.0, 400.0], &region), &scene)
    };
    assert!(with(12.0).is_empty());
    assert_eq!(with(14.2), [0]);
}

#[test]
fn nothing_is_seen_from_an_eye_that_is_nowhere() {
    let mut scene = Scene::new();
    scene
        .insert(0, Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap(), DVec3::ZERO)
        .unwrap();
    scene.insert(1, Sphere::new(1.0), DVec3::ZERO).unwrap();
    let camera = Camera::orthographic(DAffine3::from_translation(DVec3::Z), 4.0).unwrap();
    let region = Region::rect([0.0, 0.0], [400.0, 400.0]).unwrap();
    for rule in [Rule::Touching, Rule::Inside, Rule::Center] {
        let selector = Selector::new(&camera, [400.0, 400.0], &region).rule(rule);
        for (origin, count) in [(DVec3::ZERO, 2), (DVec3::splat(f64::NAN), 0), (DVec3::splat(f64::INFINITY), 0)] {
            let mut found = Vec::new();
            selector.entities(scene.relative_to(origin), &mut found);
            assert_eq!(found.len(), count, "{origin} {rule:?}");
        }
    }
}

#[test]
fn a_ball_that_just_fits_a_circle_is_inside() {
    let mut scene = Scene::new();
    scene.insert(0, Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    scene.insert(1, Sphere::new(1.0001), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let region = Region::circle([200.0, 200.0], 100.0).unwrap();
    assert_eq!(ids(&Selector::new(&camera, [400.0, 400.0], &region).rule(Rule::Inside), &scene), [0]);
}

#[test]
fn a_center_on_the_line_of_a_lasso_is_in_it() {
    let mut scene = Scene::new();
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 2.0, 0.0]];
    scene.insert(0, Mesh::from_soup(&corners).unwrap(), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
    let lasso = Region::lasso(&[[200.0, 100.0], [300.0, 200.0], [200.0, 300.0]]).unwrap();
    let mut triangles = Vec::new();
    Selector::new(&camera, [400.0, 400.0], &lasso).rule(Rule::Center).triangles(&scene, &mut triangles);
    assert_eq!(triangles.len(), 1);
}

#[test]
fn a_ball_is_where_a_wild_lasso_says() {
    let mut random = Random(8);
    for count in [1_000, 10_000] {
        let corners: Vec<Vec2> =
            (0..count).map(|_| Vec2::new(random.fraction() as f32 * 400.0, random.fraction() as f32 * 400.0)).collect();
        let region = Region::lasso(&corners).unwrap();
        let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).unwrap();
        let (mut scene, mut expected) = (Scene::new(), Vec::new());
        for id in 0..100 {
            let pixel = Vec2::new(50.0 + random.fraction() as f32 * 300.0, 50.0 + random.fraction() as f32 * 300.0);
            let place = DVec3::new(f64::from(pixel.x) * 0.01 - 2.0, 2.0 - f64::from(pixel.y) * 0.01, -5.0);
            // Its radius is a millionth of a pixel.
            scene.insert(id, Sphere::new(1e-8), place).unwrap();
            expected.extend(region.contains(pixel).then_some(id));
        }
        let selector = Selector::new(&camera, [400.0, 400.0], &region);
        assert_eq!(ids(&selector, &scene), expected, "{count}");
        assert_eq!(ids(&selector.clone().rule(Rule::Inside), &scene), expected, "{count}");
        scene.insert(100, Sphere::new(0.5), DVec3::new(0.0, 0.0, -5.0)).unwrap();
        assert_eq!(ids(&selector, &scene).last(), Some(&100));
        assert_eq!(ids(&selector.rule(Rule::Inside), &scene), expected, "{count}");
    }
}
