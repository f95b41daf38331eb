//! Points and lines in regions. Random points and lines are compared with brute force in `hitscan-io`.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::mesh::AlphaMask;
use hitscan::query::{RayView, SightView};
use hitscan::select::{Region, Rule, Selector};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Camera, Compound, Cull, CutOuts, Filter, Geometry, Mesh, RayQueries, Scene, Sphere};
use std::f64::consts::FRAC_PI_2;

const WINDOW: [f32; 2] = [400.0, 400.0];

/// A camera at the origin that looks along -z, at 100 pixels for each unit with parallel rays.
fn parallel() -> Camera {
    Camera::orthographic(DAffine3::IDENTITY, 4.0).expect("a height")
}

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn circle(radius: f32) -> Region {
    Region::circle([200.0, 200.0], radius).expect("finite")
}

fn selector(region: &Region) -> Selector {
    Selector::new(&parallel(), WINDOW, region)
}

fn entities<'a>(selector: &Selector, view: impl Into<SightView<'a, u32, RayView<'a, u32>>>) -> Vec<u32> {
    let mut ids = vec![99];
    selector.entities(view, &mut ids);
    ids
}

fn vertices<'a>(selector: &Selector, view: impl Into<SightView<'a, u32, RayView<'a, u32>>>) -> Vec<(u32, u32, u32)> {
    let mut found = Vec::new();
    selector.vertices(view, &mut found);
    found.iter().map(|found| (found.id, found.part, found.vertex)).collect()
}

fn edges<'a>(selector: &Selector, view: impl Into<SightView<'a, u32, RayView<'a, u32>>>) -> Vec<(u32, [u32; 2])> {
    let mut found = Vec::new();
    selector.edges(view, &mut found);
    found.iter().map(|found| (found.id, found.vertices)).collect()
}

fn square() -> Mesh {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).expect("finite")
}

#[test]
fn points_and_segments_are_selected_as_they_are_numbered() {
    let cloud = PointCloud::new(&[[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.5, 0.0, 0.0], [0.5, 0.0, 0.0]]).unwrap();
    let strips = [&[[-3.0, 0.5, 0.0], [3.0, 0.5, 0.0]][..], &[[0.0, 0.9, 0.0], [0.1, 0.0, 0.0], [0.0, -1.9, 0.0]]];
    let mut scene = Scene::new();
    scene.insert(5, cloud, at(0.0, 0.0, -2.0)).unwrap();
    scene.insert(3, Polyline::from_strips(strips).unwrap(), at(0.0, 0.0, -3.0)).unwrap();
    let region = circle(100.0);
    let touching = selector(&region);
    assert_eq!(entities(&touching, &scene), [5, 3]);
    assert_eq!(vertices(&touching, &scene), [(5, 0, 0), (5, 0, 1), (5, 0, 3), (3, 0, 2), (3, 0, 3)]);
    assert_eq!(edges(&touching, &scene), [(3, [0, 1]), (3, [2, 3]), (3, [3, 4])]);
    let inside = selector(&region).rule(Rule::Inside);
    assert_eq!(edges(&inside, &scene), [(3, [2, 3])]);
    assert!(entities(&inside, &scene).is_empty());
    let center = selector(&region).rule(Rule::Center);
    assert_eq!(edges(&center, &scene), [(3, [0, 1]), (3, [2, 3]), (3, [3, 4])]);
    // The middles of the entities' boxes are at x = 0.75 and 0, and y = 0 and -0.5.
    assert_eq!(entities(&center, &scene), [5, 3]);
    let mut triangles = Vec::new();
    touching.triangles(&scene, &mut triangles);
    assert!(triangles.is_empty());
}

#[test]
fn an_entity_is_inside_with_all_of_its_points_and_lines() {
    let line = |x: f32| Polyline::new(&[[-0.5, 0.0, 0.0], [x, 0.0, 0.0]]).unwrap().into();
    let cloud = |x: f32| PointCloud::new(&[[-0.5, 0.0, 0.0], [x, 0.0, 0.0]]).unwrap().into();
    let with = |geometry: Geometry| {
        let parts: [(Geometry, _); 2] =
            [(Sphere::new(0.5).into(), DVec3::ZERO.into()), (geometry, at(0.0, 0.0, 1.0).into())];
        Compound::new(parts).unwrap()
    };
    let mut scene = Scene::new();
    let wires = [line(0.5), line(1.8), cloud(0.5), cloud(1.8), PointCloud::new::<Vec3>(&[]).unwrap().into()];
    for (id, wire) in (0..).zip(wires) {
        scene.insert(id, with(wire), at(0.0, 0.0, -5.0)).unwrap();
    }
    let region = circle(150.0);
    assert_eq!(entities(&selector(&region).rule(Rule::Inside), &scene), [0, 2, 4]);
    // The balls are in one place, where the first one is seen. The wires are in front of it.
    assert_eq!(entities(&selector(&region).rule(Rule::Inside).visible(1.0).unwrap(), &scene), [0, 2]);
    let right = Region::rect([360.0, 190.0], [390.0, 210.0]).unwrap();
    assert_eq!(entities(&selector(&right), &scene), [1, 3]);
    assert_eq!(entities(&selector(&right).visible(1.0).unwrap(), &scene), [1, 3]);
}

#[test]
fn what_has_no_points_is_not_selected() {
    let mut scene = Scene::new();
    scene.insert(0, PointCloud::new::<Vec3>(&[]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, Polyline::from_strips::<[Vec3; 2], Vec3>([]).unwrap(), DVec3::ZERO).unwrap();
    for rule in [Rule::Touching, Rule::Inside, Rule::Center] {
        let selector = selector(&circle(1e6)).rule(rule);
        assert!(entities(&selector, &scene).is_empty() && vertices(&selector, &scene).is_empty());
        let selector = selector.visible(1.0).unwrap();
        assert!(entities(&selector, &scene).is_empty() && edges(&selector, &scene).is_empty());
    }
}

#[test]
fn filters_choose_entities_but_no_sides_of_points() {
    let mut scene = Scene::new();
    scene.insert(0, PointCloud::new(&[[0.0; 3]]).unwrap(), at(0.0, 0.0, -2.0)).unwrap();
    scene.insert(1, Polyline::new(&[[0.0; 3], [1.0; 3]]).unwrap(), at(0.0, 0.0, -2.0)).unwrap();
    scene.set_layers(&1, 2);
    let region = circle(10.0);
    for selector in [selector(&region), selector(&region).visible(1.0).unwrap()] {
        let with = |filter: Filter<'_, u32>| entities(&selector, scene.with(&filter));
        assert_eq!(with(Filter::new()), [0, 1]);
        assert_eq!(with(Filter::new().layers(2)), [1]);
        assert_eq!(with(Filter::new().exclude(1)), [0]);
        assert_eq!(with(Filter::new().cull(Cull::Back)), [0, 1]);
        assert_eq!(with(Filter::new().hits(|_| false)), [0, 1]);
    }
}

#[test]
fn surfaces_hide_points_and_lines() {
    let mut scene = Scene::new();
    scene.insert(0, square(), at(0.0, 0.0, -2.0)).unwrap();
    // The points are in front of the square, behind it, and beside it.
    let points = [[0.3, 0.2, -1.0], [0.3, 0.2, -3.0], [1.2, 0.2, -3.0]];
    scene.insert(1, PointCloud::new(&points).unwrap(), DVec3::ZERO).unwrap();
    let strips = [
        [[-0.9, 0.0, -3.0], [0.9, 0.1, -3.0]],
        [[-0.9, 0.0, -3.0], [1.1, 0.1, -3.0]],
        [[0.5, 0.5, -4.0], [0.5, 0.5, 0.0]],
    ];
    scene.insert(2, Polyline::from_strips(strips).unwrap(), DVec3::ZERO).unwrap();
    let everything = Region::rect([0.0, 0.0], WINDOW).unwrap();
    let visible = selector(&everything).visible(1.0).unwrap();
    let of_wires = |found: Vec<(u32, u32, u32)>| found.into_iter().filter(|found| found.0 > 0).collect::<Vec<_>>();
    assert_eq!(of_wires(vertices(&visible, &scene)), [(1, 0, 0), (1, 0, 2), (2, 0, 3), (2, 0, 5)]);
    let segments: Vec<_> = edges(&visible, &scene).into_iter().filter(|found| found.0 == 2).collect();
    assert_eq!(segments, [(2, [2, 3]), (2, [4, 5])]);
    // The visible part of the second segment is outside of this region.
    let middle = Region::rect([150.0, 150.0], [250.0, 250.0]).unwrap();
    let segments = edges(&selector(&middle).visible(1.0).unwrap(), &scene);
    assert_eq!(segments.into_iter().filter(|found| found.0 == 2).collect::<Vec<_>>(), [(2, [4, 5])]);
    // Without the square, everything is seen.
    let filter = Filter::new().exclude(0);
    assert_eq!(vertices(&visible, scene.with(&filter)).len(), 9);
    assert_eq!(edges(&visible, scene.with(&filter)).len(), 3);
}

#[test]
fn holes_show_points() {
    let mask = AlphaMask::new(2, 1, [255, 0]).unwrap();
    let texcoords = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let pane = square().with_texcoords(&texcoords).unwrap().with_cut_out(mask).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, pane, at(0.0, 0.0, -1.0)).unwrap();
    scene.insert(1, PointCloud::new(&[[-0.5, 0.3, -2.0], [0.5, 0.3, -2.0]]).unwrap(), DVec3::ZERO).unwrap();
    let region = circle(100.0);
    let visible = selector(&region).visible(1.0).unwrap();
    let of_cloud = |found: Vec<(u32, u32, u32)>| found.into_iter().filter(|found| found.0 == 1).collect::<Vec<_>>();
    assert_eq!(of_cloud(vertices(&visible, &scene)), [(1, 0, 1)]);
    assert!(of_cloud(vertices(&visible, scene.cut_outs(CutOuts::Solid))).is_empty());
}

/// Points of a scan lie on the surface that was made from the points. Half of the points are on the far side of the
/// surface.
#[test]
fn a_surface_does_not_hide_its_own_points() {
    for far in [DVec3::ZERO, at(3e6, -2e6, 5e6)] {
        let mesh = crate::select::form::turned(
            &crate::select::form::arc((0.0, 0.0), 1.0, -FRAC_PI_2, FRAC_PI_2).collect::<Vec<_>>(),
        );
        let cloud = PointCloud::new(mesh.positions()).unwrap();
        let mut scene = Scene::new();
        let turn = DAffine3::from_translation(far) * DAffine3::from_rotation_y(0.7);
        scene.insert(0, &mesh, turn).unwrap();
        scene.insert(1, cloud, turn).unwrap();
        let eye = at(0.0, 1.0, 4.0);
        let camera = Camera::perspective(Camera::look_at(eye, DVec3::ZERO, DVec3::Y).unwrap(), 0.7).unwrap();
        let region = Region::rect([0.0, 0.0], WINDOW).unwrap();
        let selector = Selector::new(&camera, WINDOW, &region).visible(1.0).unwrap();
        let found = vertices(&selector, scene.relative_to(far));
        let found: Vec<u32> = found.into_iter().filter(|found| found.0 == 1).map(|found| found.2).collect();
        for (number, &position) in (0..).zip(mesh.positions()) {
            let place = turn.transform_vector3(position.as_dvec3());
            // The surface is within 0.001 of the ball.
            let facing = place.dot((eye - place).normalize());
            if facing.abs() > 0.1 {
                assert_eq!(found.contains(&number), facing > 0.0, "{number} {facing}");
            }
        }
    }
}

#[test]
fn a_finer_grid_sees_more_of_a_line() {
    let mut scene = Scene::new();
    // The slit is 0.3 pixels wide, at x = 200.25. It contains samples that are half a pixel apart. If samples are a
    // pixel apart, it lies between them.
    for (id, x) in [(0, -0.999), (1, 1.004)] {
        scene.insert(id, square(), at(x, 0.0, -1.0)).unwrap();
    }
    scene.insert(2, Polyline::new(&[[-0.5, 0.0, -2.0], [0.5, 0.0, -2.0]]).unwrap(), DVec3::ZERO).unwrap();
    let region = circle(100.0);
    let sees = |spacing: f32| entities(&selector(&region).visible(spacing).unwrap(), &scene).contains(&2);
    assert!(!sees(1.0) && sees(0.5));
}
