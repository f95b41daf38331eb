//! Pairs of meshes, against all pairs of their triangles.

mod oracle;
mod subjects;

use crate::common::{Random, grid_cube, icosphere};
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::pairs::Pair;
use hitscan::{HeightField, Mesh, Scene};
use hitscan_random::effort::{seed, size};
use oracle::{Corners, of_sets, of_triangles};
use subjects::{KINDS, in_world, mesh, soup_of, transform};

/// Returns the largest coordinate.
fn reach(triangles: &[Corners]) -> f64 {
    triangles.iter().flatten().map(|corner| corner.abs().max_element()).fold(0.0, f64::max)
}

/// Checks the answers about a pair, given its true distance and the allowed error.
fn check(pair: &Pair<'_, u32>, (truth, slack): (f64, f64), meshes: [&Mesh; 2], places: [&DAffine3; 2], said: &str) {
    let Some(found) = pair.distance() else {
        assert!(truth == f64::INFINITY, "{said}: nothing, but {truth}");
        return;
    };
    let [point, other] = found.points_f64();
    let distance = point.distance(other);
    assert!((distance - truth).abs() <= slack, "{said}: {distance}, but {truth}, by {found:?}");
    let on = |side: usize, point: DVec3| {
        let corners = meshes[side].triangle(found.triangles[side].unwrap()).unwrap();
        let corners = corners.map(|corner| places[side].transform_point3(corner.as_dvec3()));
        of_triangles(&[point; 3], &corners) <= slack
    };
    assert!(on(0, point) && on(1, other), "{said}: {found:?} is not on both");
    assert_eq!(pair.overlaps(), found.distance == 0.0, "{said}: {found:?}");
    assert!(truth <= slack || !pair.overlaps(), "{said}: they overlap at {truth}");
    assert!(truth > 0.0 || pair.overlaps(), "{said}: they do not overlap");
    let depth = pair.penetration();
    assert_eq!(depth.is_some(), pair.overlaps(), "{said}: {depth:?}");
}

#[test]
fn two_meshes_are_as_far_apart_as_their_triangles() {
    let mut random = Random(seed(6400));
    for case in 0..size(50, 1_000, 100_000) {
        let kinds = [KINDS[random.below(KINDS.len())], KINDS[random.below(KINDS.len())]];
        let meshes = kinds.map(|kind| mesh(&soup_of(kind, &mut random)));
        let distance = random.pick(&[0.0, 0.5, 2.0, 4.0, 30.0, 1e5]);
        let places = [transform(&mut random, case / 5, 1.0), transform(&mut random, case, distance)];
        let mut scene = Scene::new();
        for (id, (mesh, place)) in (0u32..).zip(meshes.iter().zip(places)) {
            scene.insert(id, mesh.clone(), place).unwrap();
        }
        let [ours, theirs] = [0, 1].map(|side: usize| in_world(&meshes[side], &places[side]));
        let said = format!("{case}: {kinds:?} at {distance}");
        let (meshes, places) = (meshes.each_ref(), places.each_ref());
        // The nearest place along a triangle that is far longer than wide is less accurate.
        let truth = (of_sets(&ours, &theirs), 1e-11 * (reach(&ours) + reach(&theirs)));
        check(&scene.pair(&0, &1), truth, meshes, places, &said);
        let ([a, b], [p, q]) = (meshes, places);
        check(&scene.pair(&1, &0), truth, [b, a], [q, p], &said);
    }
}

/// Several pairs of triangles have the same distance, which f64 computes exactly here. The pair with the lowest numbers
/// is the answer.
#[test]
fn the_lowest_triangles_answer() {
    let mut random = Random(seed(6401));
    for case in 0..size(25, 150, 10_000) {
        let (mut one, mut other) = (grid_cube(4), grid_cube(2));
        for surface in [&mut one, &mut other] {
            for place in (1..surface.triangles.len()).rev() {
                surface.triangles.swap(place, random.below(place + 1));
            }
        }
        let meshes = [one.mesh(), other.mesh()];
        let offset = (random.cube() * 24.0).round() * 0.25;
        let places = [DAffine3::IDENTITY, DAffine3::from_translation(offset)];
        let mut scene = Scene::new();
        scene.insert(0, meshes[0].clone(), places[0]).unwrap();
        scene.insert(1, meshes[1].clone(), places[1]).unwrap();
        let [ours, theirs] = [0, 1].map(|side: usize| in_world(&meshes[side], &places[side]));
        let found = scene.pair(&0, &1).distance().unwrap();
        let truth = of_sets(&ours, &theirs);
        let is_nearest = |&(i, j): &(usize, usize)| of_triangles(&ours[i], &theirs[j]) <= truth + 1e-12;
        let all = (0..ours.len()).flat_map(|i| (0..theirs.len()).map(move |j| (i, j)));
        let lowest = all.into_iter().find(is_nearest).unwrap();
        assert_eq!(found.triangles, [Some(lowest.0 as u32), Some(lowest.1 as u32)], "{case}: {offset} at {truth}");
    }
}

/// A mesh that was refitted, copied or laid out anew answers like a new mesh, whatever was asked before.
#[test]
fn refitted_meshes_forget_their_slabs() {
    let mut random = Random(seed(6402));
    let (ball, still) = (icosphere(4), icosphere(4).mesh());
    let mut moving = ball.mesh();
    for case in 0..size(3, 30, 300) {
        let stretch = random.cube() * 0.5 + 1.0;
        let positions: Vec<_> = ball.positions.iter().map(|p| (p.as_dvec3() * stretch).as_vec3()).collect();
        let turned = DAffine3::from_rotation_translation(random.rotation(), random.cube().normalize() * 3.5);
        moving.refit(&positions).unwrap();
        let fresh = ball.clone().map(|p| (p.as_dvec3() * stretch).as_vec3()).mesh();
        let ask = |mesh: &Mesh| {
            let mut scene = Scene::new();
            scene.insert(0, still.clone(), DVec3::ZERO).unwrap();
            scene.insert(1, mesh.clone(), turned).unwrap();
            (scene.pair(&0, &1).distance(), scene.pair(&0, &1).overlaps())
        };
        let (first, again) = (ask(&moving), ask(&moving));
        assert_eq!(first, again, "{case}");
        assert_eq!(ask(&fresh), first, "{case}");
        assert_eq!(ask(&moving.clone().with_layout(hitscan::mesh::Layout::Compact)), first, "{case}");
    }
}

/// If a slab's normal were longer than 1, a thing far away along it would seem farther away than it is.
#[test]
fn what_is_far_above_a_tilted_sheet_is_as_far_as_it_was_at_first() {
    let mut random = Random(seed(6404));
    for case in 0..size(4, 48, 10_000) {
        let turn = random.rotation();
        let at = |x: f64, z: f64, height: f64| (turn * DVec3::new(x, height, z)).as_vec3();
        let square = |x: i32, z: i32| {
            let corner = |i: i32, k: i32| at(f64::from(x + i) / 12.0, f64::from(z + k) / 12.0, 0.0);
            [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 0), corner(0, 1), corner(1, 1)]
        };
        let sheet = (-12..12).flat_map(|x| (-12..12).flat_map(move |z| square(x, z)));
        let sheet = Mesh::from_soup(&sheet.collect::<Vec<_>>()).unwrap();
        let (x, z, height) = (0.9 * random.unit(), 0.9 * random.unit(), [30.0, 200.0, 1e3, 1e4][case % 4]);
        let needle = [[0.0, 0.0], [0.01, 1.0], [-0.01, 1.0]].map(|[across, up]| at(x + across, z, height + up));
        let needle = Mesh::from_soup(&needle).unwrap();
        let [ours, theirs] = [&sheet, &needle].map(|mesh| in_world(mesh, &DAffine3::IDENTITY));
        let truth = (of_sets(&ours, &theirs), 1e-11 * (reach(&ours) + reach(&theirs)));
        let mut scene = Scene::new();
        scene.insert(0, sheet.clone(), DVec3::ZERO).unwrap();
        scene.insert(1, needle.clone(), DVec3::ZERO).unwrap();
        let first = scene.pair(&0, &1).distance();
        // The sheet has slabs after 500 searches.
        let later: Vec<_> = (0..500).map(|_| scene.pair(&0, &1).distance()).collect();
        let said = format!("{case}, {height} above a sheet at {turn}");
        check(&scene.pair(&0, &1), truth, [&sheet, &needle], [&DAffine3::IDENTITY; 2], &said);
        check(&scene.pair(&1, &0), truth, [&needle, &sheet], [&DAffine3::IDENTITY; 2], &said);
        let other = later.iter().find(|&&distance| distance != first);
        assert_eq!(other, None, "{said}: {first:?} at first");
    }
}

#[test]
fn height_fields_are_as_far_from_meshes_as_their_triangles() {
    let mut random = Random(seed(6403));
    for case in 0..size(25, 150, 10_000) {
        let heights: Vec<f32> = (0..81).map(|_| random.unit() as f32).collect();
        let field = HeightField::new(9, 9, [0.5, 0.5], &heights).unwrap();
        let ball = mesh(&soup_of(KINDS[random.below(KINDS.len())], &mut random));
        let place = transform(&mut random, case, 4.0);
        let own = DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.3), DVec3::new(0.1, 0.2, 0.3));
        let mut scene = Scene::new();
        scene.insert(0u32, field.clone(), own).unwrap();
        scene.insert(1, ball.clone(), place).unwrap();
        let ours: Vec<Corners> = (0..field.triangle_count() as u32)
            .filter_map(|triangle| field.triangle(triangle))
            .map(|corners| corners.map(|corner| own.transform_point3(corner.as_dvec3())))
            .collect();
        let theirs = in_world(&ball, &place);
        let (truth, found) = (of_sets(&ours, &theirs), scene.pair(&0, &1).distance().unwrap());
        let slack = 1e-11 * (reach(&ours) + reach(&theirs));
        assert!((f64::from(found.distance) - truth).abs() <= slack + 1e-7 * truth, "{case}: {found:?}, but {truth}");
    }
}

#[test]
fn meshes_without_triangles_are_nowhere() {
    let mut scene = Scene::new();
    scene.insert(0, Mesh::from_soup::<[f32; 3]>(&[]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, icosphere(1).mesh(), DVec3::ZERO).unwrap();
    scene
        .insert(2, Mesh::from_soup(&[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]).unwrap(), DVec3::ZERO)
        .unwrap();
    for other in [0, 2] {
        for pair in [scene.pair(&other, &1), scene.pair(&1, &other)] {
            assert!(pair.distance().is_none() && !pair.overlaps() && pair.penetration().is_none(), "{other}");
        }
    }
}

/// Nested closed meshes do not overlap. Their distance is the distance between their surfaces.
#[test]
fn nested_meshes_do_not_overlap() {
    let mut scene = Scene::new();
    scene.insert(0, grid_cube(4).map(|p| p * 8.0).mesh(), DVec3::ZERO).unwrap();
    scene.insert(1, grid_cube(2).mesh(), DVec3::ZERO).unwrap();
    let pair = scene.pair(&0, &1);
    let found = pair.distance().unwrap();
    assert!(!pair.overlaps() && pair.penetration().is_none());
    assert_eq!(found.distance, (found.points[1] - found.points[0]).length());
    assert!(found.distance > 0.0);
}
