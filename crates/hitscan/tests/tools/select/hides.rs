//! Selections with a choice of occluders, compared with all hits of the ray of each sample.

use hitscan::prelude::*;
use hitscan::query::SightView;
use hitscan::select::{Region, Selector};
use hitscan::wire::{PointCloud, Polyline};
use hitscan_random::Random;
use std::collections::BTreeSet;

const WINDOW: [f32; 2] = [64.0, 48.0];

/// Looks along -z from the origin.
fn selector(spacing: f32) -> (Camera, Selector) {
    let camera = Camera::perspective(DAffine3::IDENTITY, 1.0).expect("an angle");
    let everything = Region::rect([0.0, 0.0], WINDOW).expect("finite");
    (camera, Selector::new(&camera, WINDOW, &everything).visible(spacing).expect("few samples"))
}

fn entities<'a>(selector: &Selector, view: impl Into<SightView<'a, u32, RayView<'a, u32>>>) -> Vec<u32> {
    let mut ids = Vec::new();
    selector.entities(view, &mut ids);
    ids
}

fn square(size: f32) -> Mesh {
    let corners = [[-size, -size, 0.0], [size, -size, 0.0], [size, size, 0.0], [-size, size, 0.0]];
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).expect("finite")
}

/// Glass at 2, a wall at 4, units behind the wall and next to it.
fn street() -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, square(9.0), DVec3::new(0.0, 0.0, -2.0)).unwrap();
    scene.insert(1, square(1.0), DVec3::new(0.0, 0.0, -4.0)).unwrap();
    scene.insert(2, Sphere::new(0.5), DVec3::new(0.0, 0.0, -6.0)).unwrap();
    scene.insert(3, Sphere::new(0.5), DVec3::new(2.5, 0.0, -6.0)).unwrap();
    scene
}

#[test]
fn what_hides_may_be_other_than_what_is_wanted() {
    let (scene, (_, selector)) = (street(), selector(1.0));
    let units = Filter::new().entities(|id| id >= 2);
    let walls = Filter::new().entities(|id| id == 1);
    let no_glass = Filter::new().exclude(0);
    let (all, none) = (Filter::new(), Filter::new().layers(0));
    assert_eq!(entities(&selector, &scene), [0]);
    assert_eq!(entities(&selector, scene.with(&units)), [2, 3]);
    assert_eq!(entities(&selector, scene.with(&units).hidden_by(&all)), []);
    assert_eq!(entities(&selector, scene.with(&units).hidden_by(&no_glass)), [3]);
    assert_eq!(entities(&selector, scene.with(&units).hidden_by(&walls)), [3]);
    assert_eq!(entities(&selector, scene.with(&units).hidden_by(&none)), [2, 3]);
    // Glass is selected, and so is the unit behind it.
    assert_eq!(entities(&selector, scene.hidden_by(&no_glass)), [0, 1, 3]);
    assert_eq!(entities(&selector, scene.hidden_by(&all)), [0]);
    assert_eq!(entities(&selector, scene.when_inside(Inside::Solid).hidden_by(&no_glass)), [0, 1, 3]);
    // A wall with its back to the eye hides nothing if only front faces hide.
    let mut turned = scene.clone();
    let back = DAffine3::from_rotation_translation(DQuat::from_rotation_y(3.0), DVec3::new(0.0, 0.0, -4.0));
    turned.set_transform(&1, back).unwrap();
    let fronts = Filter::new().exclude(0).cull(Cull::Back);
    assert_eq!(entities(&selector, turned.with(&units).hidden_by(&fronts)), [2, 3]);
    assert_eq!(entities(&selector, turned.with(&units).hidden_by(&no_glass)), [3]);
}

#[test]
fn points_and_lines_are_hidden_by_what_hides_alone() {
    let mut scene = street();
    let points = [[0.0, 0.0, -5.0], [1.5, 0.0, -5.0], [0.0, 0.0, -3.0]];
    scene.insert(4, PointCloud::new(&points).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(5, Polyline::from_strips([[[-0.3, 0.2, -5.0], [0.3, 0.2, -5.0]]]).unwrap(), DVec3::ZERO).unwrap();
    let wires = Filter::new().entities(|id| id >= 4);
    let walls = Filter::new().entities(|id| id == 1);
    let (_, selector) = selector(1.0);
    let seen = |sight: SightView<'_, u32>| {
        let mut vertices = Vec::new();
        selector.vertices(sight, &mut vertices);
        vertices.iter().map(|found| (found.id, found.vertex)).collect::<Vec<_>>()
    };
    assert_eq!(seen(scene.with(&wires).into()), [(4, 0), (4, 1), (4, 2), (5, 0), (5, 1)]);
    assert_eq!(seen(scene.with(&wires).hidden_by(&walls)), [(4, 1), (4, 2)]);
    assert_eq!(entities(&selector, scene.with(&wires).hidden_by(&walls)), [4]);
    assert_eq!(entities(&selector, scene.with(&wires).hidden_by(&Filter::new())), []);
}

/// Random entities, some of them in one place. So hits tie.
fn clutter(random: &mut Random) -> Scene<u32> {
    let mut scene = Scene::new();
    let mut place = DVec3::ZERO;
    for id in 0..random.below(12) as u32 + 1 {
        if random.below(4) > 0 {
            place = random.cube() * DVec3::new(2.0, 2.0, 3.0) - DVec3::Z * 6.0;
        }
        match random.below(3) {
            0 => scene.insert(id, Sphere::new(0.7), place).unwrap(),
            1 => scene.insert(id, Aabb::new([-0.6; 3], [0.6; 3]), place).unwrap(),
            _ => scene.insert(id, square(1.5), place).unwrap(),
        };
    }
    scene
}

/// A sample's ray selects the requested hits in order, up to the first hit that hides.
#[test]
fn a_sample_sees_up_to_what_hides() {
    let mut random = Random(hitscan_random::effort::seed(62_005));
    for case in 0..hitscan_random::effort::size(300, 3_000, 100_000) {
        let scene = clutter(&mut random);
        let bits = [random.below(1 << 12), random.below(1 << 12)];
        let [is_wanted, is_hiding] = bits.map(|bits| move |id: u32| bits >> id & 1 == 1);
        let (wanted, hiding) = (Filter::new().entities(is_wanted), Filter::new().entities(is_hiding));
        let (camera, selector) = selector(8.0);
        let (mut seen, mut hits) = (BTreeSet::new(), Vec::new());
        for pixel in (0..48).map(|n| [(n % 8) as f32 * 8.0 + 4.0, (n / 8) as f32 * 8.0 + 4.0]) {
            scene.cast_all(&camera.ray(pixel, WINDOW), &mut hits);
            let end = hits.iter().position(|hit| is_hiding(hit.id)).map_or(hits.len(), |end| end + 1);
            seen.extend(hits[..end].iter().filter(|hit| is_wanted(hit.id)).map(|hit| (hit.id, hit.triangle)));
        }
        let view = scene.with(&wanted).hidden_by(&hiding);
        let ids: BTreeSet<u32> = seen.iter().map(|&(id, _)| id).collect();
        assert_eq!(entities(&selector, view), ids.into_iter().collect::<Vec<_>>(), "case {case}, bits {bits:?}");
        let mut triangles = Vec::new();
        selector.triangles(view, &mut triangles);
        let expected: Vec<_> = seen.iter().filter_map(|&(id, triangle)| Some((id, triangle?))).collect();
        let found: Vec<_> = triangles.iter().map(|found| (found.id, found.triangle)).collect();
        assert_eq!(found, expected, "case {case}, bits {bits:?}");
        // Wanted entities hide by default.
        let same = entities(&selector, scene.with(&wanted).hidden_by(&wanted));
        assert_eq!(same, entities(&selector, scene.with(&wanted)), "case {case}, bits {bits:?}");
    }
}
