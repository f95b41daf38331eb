//! The conditions for a selection: filters, sides, holes, origins, viewports, and the order of answers.

use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::mesh::AlphaMask;
use hitscan::query::{RayView, SightView};
use hitscan::select::{Region, Rule, Selector};
use hitscan::{
    Camera, Compound, Cull, CutOuts, Filter, Geometry, HeightField, Mesh, Plane, RayQueries, Scene, Sphere, Viewport,
};

/// A camera at the origin that looks along -z, at 100 pixels for each unit with parallel rays.
fn parallel() -> Camera {
    Camera::orthographic(DAffine3::IDENTITY, 4.0).expect("a height")
}

/// A square of side 2 around the origin, which faces the camera.
fn square() -> Mesh {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).expect("finite")
}

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn everything() -> Region {
    Region::rect([-1e3, -1e3], [1e4, 1e4]).expect("finite")
}

fn selector(region: &Region) -> Selector {
    Selector::new(&parallel(), [400.0, 400.0], region)
}

fn entities<'a>(selector: &Selector, view: impl Into<SightView<'a, u32, RayView<'a, u32>>>) -> Vec<u32> {
    let mut ids = vec![99];
    selector.entities(view, &mut ids);
    ids
}

#[test]
fn answers_are_in_the_order_of_insertion() {
    let mut scene = Scene::new();
    for id in [5, 3, 8, 1] {
        scene.insert(id, square(), at(f64::from(id) * 0.1, 0.0, -f64::from(id))).unwrap();
    }
    assert_eq!(entities(&selector(&everything()), &scene), [5, 3, 8, 1]);
    scene.insert(3, Sphere::new(0.5), at(0.0, 0.0, -2.0)).unwrap();
    scene.remove(&5);
    assert_eq!(entities(&selector(&everything()), &scene), [3, 8, 1]);
    let parts = [(square().into(), at(0.0, 0.0, -1.0).into()), (square().into(), at(0.0, 0.0, -2.0).into())];
    scene.insert(1, Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    let mut triangles = Vec::new();
    selector(&everything()).triangles(&scene, &mut triangles);
    let found: Vec<_> = triangles.iter().map(|found| (found.id, found.part, found.triangle)).collect();
    assert_eq!(found, [(8, 0, 0), (8, 0, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]);
}

#[test]
fn filters_choose_entities_and_sides() {
    let mut scene = Scene::new();
    scene.insert(0, square(), at(0.0, 0.0, -1.0)).unwrap();
    scene.insert(1, square(), DAffine3::from_translation(at(0.0, 0.0, -2.0)) * DAffine3::from_rotation_y(3.0)).unwrap();
    scene.insert(2, Sphere::new(1.0), at(0.0, 0.0, -5.0)).unwrap();
    scene.insert(3, Plane::new([0.0; 3], [0.0, 0.0, -1.0]).unwrap(), at(0.0, 0.0, -9.0)).unwrap();
    scene.set_layers(&2, 2);
    let selector = selector(&everything());
    let with = |filter: Filter<'_, u32>| entities(&selector, scene.with(&filter));
    assert_eq!(with(Filter::new()), [0, 1, 2, 3]);
    assert_eq!(with(Filter::new().layers(2)), [2]);
    assert_eq!(with(Filter::new().exclude(1).entities(|id| id < 3)), [0, 2]);
    assert_eq!(with(Filter::new().cull(Cull::Back)), [0, 2]);
    assert_eq!(with(Filter::new().cull(Cull::Front)), [1, 2, 3]);
    assert_eq!(with(Filter::new().hits(|hit| hit.triangle == Some(1))), [0, 1]);
    let filter = Filter::new().hits(|hit| hit.triangle == Some(1));
    let mut triangles = Vec::new();
    selector.triangles(scene.with(&filter), &mut triangles);
    assert!(triangles.iter().all(|found| found.triangle == 1) && triangles.len() == 2, "{triangles:?}");
}

#[test]
fn entities_with_their_centre_in_a_region_have_something_that_counts() {
    let mut scene = Scene::new();
    scene.insert(0, square(), at(0.0, 0.0, -1.0)).unwrap();
    scene.insert(1, Sphere::new(1.0), at(0.0, 0.0, -5.0)).unwrap();
    scene
        .insert(2, Mesh::from_soup(&[[1.0, 0.0, 0.0], [0.0; 3], [-1.0, 0.0, 0.0]]).unwrap(), at(0.0, 0.0, -2.0))
        .unwrap();
    let center = selector(&Region::circle([200.0, 200.0], 1.0).unwrap()).rule(Rule::Center);
    assert_eq!(entities(&center, &scene), [0, 1]);
    assert_eq!(entities(&center, scene.with(&Filter::new().cull(Cull::Front))), [1]);
    assert_eq!(entities(&center, scene.with(&Filter::new().hits(|hit| hit.triangle.is_some()))), [0]);
    let asked = std::sync::atomic::AtomicU32::new(0);
    let count = |_: u32| {
        asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        true
    };
    scene.insert(3, Sphere::new(0.1), at(1.5, 0.0, -5.0)).unwrap();
    assert_eq!(entities(&center, scene.with(&Filter::new().entities(count))), [0, 1]);
    assert_eq!(asked.into_inner(), 3, "the one beyond the region is not asked");
}

#[test]
fn culled_triangles_do_not_keep_an_entity_from_being_inside() {
    // One of the two triangles of a bent sheet faces away, and it extends beyond the region.
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0], [9.0, 1.0, -1.0]];
    let sheet = Mesh::new(&corners, &[0, 1, 2, 1, 2, 3]).expect("finite");
    let mut scene = Scene::new();
    scene.insert(7, sheet, at(0.0, 0.0, -3.0)).unwrap();
    let inside = selector(&Region::rect([50.0, 50.0], [350.0, 350.0]).unwrap()).rule(Rule::Inside);
    assert!(entities(&inside, &scene).is_empty());
    assert_eq!(entities(&inside, scene.with(&Filter::new().cull(Cull::Back))), [7]);
}

#[test]
fn holes_let_rays_through() {
    let mask = AlphaMask::new(2, 1, [255, 0]).unwrap();
    let texcoords = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let pane = square().with_texcoords(&texcoords).unwrap().with_cut_out(mask).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, pane, at(0.0, 0.0, -1.0)).unwrap();
    scene.insert(1, square(), at(0.0, 0.0, -2.0)).unwrap();
    // The right half of the pane is a hole.
    let selector = selector(&Region::rect([220.0, 150.0], [260.0, 250.0]).unwrap()).visible(1.0).unwrap();
    assert_eq!(entities(&selector, &scene), [1]);
    assert_eq!(entities(&selector, scene.cut_outs(CutOuts::Solid)), [0]);
}

#[test]
fn a_view_moves_the_origin() {
    let far = at(6.4e6, 1e5, -3e6);
    let mut scene = Scene::new();
    scene.insert(0, square(), far + at(0.0, 0.0, -1.0)).unwrap();
    scene.insert(1, Sphere::new(0.5), far + at(1.6, 0.0, -1.0)).unwrap();
    // The square ends at pixel 300, and the ball begins at pixel 310.
    for (x, ids) in [(301.0, &[][..]), (299.99, &[0]), (310.01, &[1])] {
        let region = Region::rect([x, 190.0], [x, 210.0]).unwrap();
        assert_eq!(entities(&selector(&region), scene.relative_to(far)), ids, "{x}");
    }
}

#[test]
fn far_from_the_origin_the_same_is_visible() {
    let ball = crate::select::form::turned(&crate::select::form::arc((0.0, 0.0), 1.0, -1.5, 1.5).collect::<Vec<_>>());
    let seen = [DVec3::ZERO, at(8_388_608.0, -16_777_216.0, 33_554_432.0)].map(|far| {
        let mut scene = Scene::new();
        scene.insert(0, &ball, far).unwrap();
        scene.insert(1, square(), far + at(1.5, 0.0, 2.0)).unwrap();
        // The camera's position in the world is the sum of the view's origin and the camera's position relative to this origin.
        let eye = at(0.5, 1.0, 6.0);
        let transform = Camera::look_at(eye, DVec3::ZERO, DVec3::Y).unwrap();
        let region = Region::circle([200.0, 200.0], 180.0).unwrap();
        let of = |camera: Camera, origin: DVec3| {
            let (mut triangles, mut vertices) = (Vec::new(), Vec::new());
            let selector = Selector::new(&camera, [400.0, 400.0], &region).visible(2.0).unwrap();
            selector.triangles(scene.relative_to(origin), &mut triangles);
            selector.rule(Rule::Inside).vertices(scene.relative_to(origin), &mut vertices);
            (triangles, vertices)
        };
        let near = of(Camera::perspective(transform, 0.5).unwrap(), far);
        let moved = DAffine3 { translation: transform.translation + far, ..transform };
        assert_eq!(near, of(Camera::perspective(moved, 0.5).unwrap(), DVec3::ZERO));
        near
    });
    assert!(seen[0].0.len() > 1000, "{}", seen[0].0.len());
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn what_is_visible_must_meet_the_rule_too() {
    let mut scene = Scene::new();
    // The first is wholly inside, the second reaches out to the right, and the third is hidden.
    scene.insert(0, Sphere::new(0.3), at(-0.5, 0.0, -3.0)).unwrap();
    scene.insert(1, square(), at(0.8, 0.0, -4.0)).unwrap();
    scene.insert(2, Sphere::new(0.2), at(-0.5, 0.0, -9.0)).unwrap();
    let region = Region::rect([100.0, 50.0], [310.0, 350.0]).unwrap();
    let visible = |rule: Rule| selector(&region).rule(rule).visible(1.0).unwrap();
    assert_eq!(entities(&visible(Rule::Touching), &scene), [0, 1]);
    assert_eq!(entities(&visible(Rule::Inside), &scene), [0]);
    assert_eq!(entities(&visible(Rule::Center), &scene), [0, 1]);
    let triangles = |rule: Rule| {
        let mut found = Vec::new();
        visible(rule).triangles(&scene, &mut found);
        found.iter().map(|found| (found.id, found.triangle)).collect::<Vec<_>>()
    };
    assert_eq!(triangles(Rule::Touching), [(1, 0), (1, 1)]);
    assert_eq!(triangles(Rule::Inside), []);
    // The centres of the two triangles are at x = 0.8 + 1/3 and 0.8 - 1/3, at pixels 313 and 247.
    assert_eq!(triangles(Rule::Center), [(1, 1)]);
}

#[test]
fn only_the_viewport_counts() {
    let mut scene = Scene::new();
    scene.insert(0, square(), at(-1.1, 0.0, -1.0)).unwrap();
    scene.insert(1, square(), at(1.5, 0.0, -1.0)).unwrap();
    scene.insert(2, square(), at(4.0, 0.0, -1.0)).unwrap();
    let half = Viewport { origin: Vec2::new(400.0, 0.0), size: Vec2::new(400.0, 400.0) };
    let selector = Selector::new(&parallel(), half, &everything());
    assert_eq!(entities(&selector, &scene), [0, 1]);
    assert_eq!(entities(&selector.clone().rule(Rule::Center), &scene), [0, 1]);
    assert!(entities(&selector.rule(Rule::Inside), &scene).is_empty());
    let none = Selector::new(&parallel(), [0.0, 400.0], &everything());
    assert!(entities(&none, &scene).is_empty() && entities(&none.visible(1.0).unwrap(), &scene).is_empty());
}

#[test]
fn a_finer_grid_sees_smaller_things() {
    let mut scene = Scene::new();
    // The square is 0.2 pixels wide. It contains samples that are half a pixel apart. If samples are a pixel apart, it
    // lies between them.
    scene
        .insert(
            0,
            square(),
            DAffine3::from_scale_rotation_translation(
                at(0.001, 1.0, 1.0),
                hitscan::glam::DQuat::IDENTITY,
                at(0.0025, 0.0, -1.0),
            ),
        )
        .unwrap();
    let region = Region::circle([200.0, 200.0], 20.0).unwrap();
    assert!(entities(&selector(&region).visible(1.0).unwrap(), &scene).is_empty());
    assert_eq!(entities(&selector(&region).visible(0.5).unwrap(), &scene), [0]);
}

#[test]
fn a_compound_is_inside_with_all_of_its_parts() {
    let parts = |x: f64| {
        let parts: [(Geometry, _); 3] = [
            (square().into(), at(0.0, 0.0, -1.0).into()),
            (Sphere::new(0.2).into(), at(x, 0.0, -2.0).into()),
            (Mesh::new::<[f32; 3]>(&[], &[]).unwrap().into(), at(0.0, 0.0, 0.0).into()),
        ];
        Compound::new(parts).unwrap()
    };
    let mut scene = Scene::new();
    scene.insert(0, parts(0.0), DVec3::ZERO).unwrap();
    scene.insert(1, parts(3.0), DVec3::ZERO).unwrap();
    let region = Region::circle([200.0, 200.0], 150.0).unwrap();
    assert_eq!(entities(&selector(&region).rule(Rule::Inside), &scene), [0]);
    assert_eq!(entities(&selector(&region).rule(Rule::Inside).visible(1.0).unwrap(), &scene), [0]);
    // The middle of the second box is at x = (-1 + 3.2) / 2.
    let center = Region::circle([310.0, 200.0], 1.0).unwrap();
    assert_eq!(entities(&selector(&center).rule(Rule::Center), &scene), [1]);
}

#[test]
fn vertices_of_a_height_field_are_its_heights() {
    let field = HeightField::new(3, 4, [1.0, 1.0], &[0.0; 12]).unwrap();
    let vertex = field.vertex(1, 2).unwrap();
    let mut scene = Scene::new();
    let upright = DAffine3::from_translation(at(0.0, 0.0, -2.0)) * DAffine3::from_rotation_x(1.2);
    scene.insert(4, field, upright).unwrap();
    let pixel = parallel().project(upright.transform_point3(vertex.as_dvec3()), [400.0, 400.0]).unwrap().pixel;
    let mut vertices = Vec::new();
    selector(&Region::circle(pixel, 2.0).unwrap()).vertices(&scene, &mut vertices);
    assert_eq!(vertices.iter().map(|found| (found.id, found.part, found.vertex)).collect::<Vec<_>>(), [(4, 0, 6)]);
}
