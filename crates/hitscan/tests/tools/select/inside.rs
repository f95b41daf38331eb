//! The search for entities wholly inside ends at the first triangle that is not inside.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::select::{Region, Rule, Selector};
use hitscan::{Camera, Compound, Filter, Geometry, Mesh, Quality, Scene, Sphere};
use std::sync::atomic::{AtomicU32, Ordering};

const WINDOW: [f32; 2] = [400.0, 400.0];

/// A sheet of 2 * side^2 triangles, from -1 to 1, and one more triangle.
fn sheet(side: u32, another: [Vec3; 3]) -> Mesh {
    let at = |x: u32, y: u32| Vec3::new(x as f32, y as f32, 0.0) * (2.0 / side as f32) - Vec3::new(1.0, 1.0, 0.0);
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let corners = cells.flat_map(|(x, y)| {
        let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
        [a, b, c, a, c, d]
    });
    Mesh::from_soup(&corners.chain(another).collect::<Vec<_>>()).expect("finite")
}

/// Returns whether an entity is inside of a circle of radius 1.6 around the middle of the view, and the number of its triangles that were
/// tested.
fn is_inside(geometry: impl Into<Geometry>) -> (bool, u32) {
    let mut scene = Scene::new();
    scene.insert((), geometry, DVec3::new(0.0, 0.0, -2.0)).expect("a place");
    let asked = AtomicU32::new(0);
    let filter = Filter::new().hits(|_| asked.fetch_add(1, Ordering::Relaxed) < u32::MAX);
    let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0).expect("a height");
    let region = Region::circle([200.0, 200.0], 160.0).expect("finite");
    let mut ids = Vec::new();
    let selector = Selector::new(&camera, WINDOW, &region).rule(Rule::Inside);
    selector.entities(scene.with(&filter), &mut ids);
    let found = !ids.is_empty();
    selector.entities(&scene, &mut ids);
    assert_eq!(found, !ids.is_empty());
    (found, asked.load(Ordering::Relaxed))
}

#[test]
fn few_triangles_are_looked_at_before_one_outside() {
    let [near, far] =
        [1.1, 1.7].map(|x| [Vec3::new(x, 0.0, 0.0), Vec3::new(x, 0.1, 0.0), Vec3::new(x - 0.05, 0.0, 0.0)]);
    for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
        let (found, asked) = is_inside(sheet(100, far).rebuilt(quality));
        assert!(!found && asked < 40, "{quality:?}: {asked}");
        let (found, asked) = is_inside(sheet(100, near).rebuilt(quality));
        assert!(found && asked < 20_001, "{quality:?}: {asked}");
    }
}

#[test]
fn the_parts_outside_of_a_compound_are_looked_at_first() {
    let far = [Vec3::new(1.2, 0.0, 0.0), Vec3::new(1.2, 0.1, 0.0), Vec3::new(1.1, 0.0, 0.0)];
    let sheet = Geometry::from(sheet(20, far));
    let parts = (0..200).map(|_| (sheet.clone(), DVec3::ZERO.into()));
    let with = |x: f64| parts.clone().chain([(Sphere::new(0.1).into(), DVec3::new(x, 0.0, 0.0).into())]);
    let (found, asked) = is_inside(Compound::new(with(1.0)).expect("transforms"));
    assert!(found, "{asked}");
    let (found, asked) = is_inside(Compound::new(with(3.0)).expect("transforms"));
    assert!(!found && asked == 1, "{asked}");
}
