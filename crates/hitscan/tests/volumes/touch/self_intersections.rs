//! The triangles of one mesh that intersect each other, against all pairs of triangles in rationals.

use crate::common::{Random, grid_cube, icosphere};
use crate::triangle_pairs::all_pairs;
use hitscan::glam::Vec3;
use hitscan::{Mesh, Quality};
use hitscan_random::effort::{seed, size};
use hitscan_random::levels;

fn found(mesh: &Mesh) -> Vec<[u32; 2]> {
    let mut pairs = vec![[7, 7]];
    mesh.self_intersections(&mut pairs);
    pairs
}

fn soup_of(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    (0..).map_while(|triangle| mesh.triangle(triangle)).collect()
}

/// Checks the pairs of a mesh, all at once and for some triangles after the others.
fn check(mesh: &Mesh, truth: &[[u32; 2]], said: &str) {
    assert_eq!(found(mesh), truth, "{said}");
    let (mut pairs, mut all) = (vec![[7, 7]], Vec::new());
    for first in (0..mesh.triangle_count() as u32).step_by(7) {
        mesh.self_intersections_in(first..first + 7, &mut pairs);
        all.append(&mut pairs);
    }
    assert_eq!(all, truth, "{said}: in pieces");
}

/// Returns a soup of triangles that touch, overlap and share corners often.
fn soup(random: &mut Random) -> Vec<[Vec3; 3]> {
    let (steps, scale) = (random.pick(&[1usize, 2, 4, 1000]), random.pick(&[1.0f32, 0.1, 1e-30, 1e30, 3e7]));
    let flat = random.below(4) == 0;
    let mut corners: Vec<Vec3> = (0..random.pick(&[6, 12, 40]))
        .map(|_| {
            let mut number = || random.below(steps + 1) as f32;
            Vec3::new(number(), number(), if flat { 1.0 } else { number() })
        })
        .collect();
    if random.below(3) == 0 {
        // Corners in the middle of edges, off the edges by an ulp or not at all.
        for _ in 0..corners.len() {
            let [a, b] = [(); 2].map(|()| corners[random.below(corners.len())]);
            let middle = (a + b) * 0.5;
            corners.push(if random.below(2) == 0 { middle } else { Vec3::new(middle.x.next_up(), middle.y, middle.z) });
        }
    }
    let offset = random.pick(&[Vec3::ZERO, Vec3::new(0.3, -5.0, 0.7)]);
    let mut corner = || (corners[random.below(corners.len())] + offset) * scale;
    (0..24).map(|_| [corner(), corner(), corner()]).collect()
}

#[test]
fn soups_have_the_pairs_that_rationals_find() {
    let mut random = Random(seed(6470));
    let (mut pairs, mut empty) = (0, 0);
    for case in 0..size(30, 300, 20_000) {
        let soup = soup(&mut random);
        let truth = all_pairs(&soup);
        pairs += truth.len();
        empty += usize::from(truth.is_empty());
        let quality = random.pick(&[Quality::Fast, Quality::Balanced, Quality::Best]);
        let mesh = Mesh::from_soup(soup.as_flattened()).unwrap().rebuilt(quality);
        check(&mesh, &truth, &format!("{case}: {soup:?}"));
    }
    println!("{pairs} pairs, {empty} soups without one");
    assert!(pairs > 1_000, "{pairs}");
}

#[test]
fn closed_surfaces_have_none_until_they_cross() {
    for mesh in [icosphere(3).mesh(), grid_cube(5).mesh()] {
        assert!(found(&mesh).is_empty());
        let apart = Mesh::from_soup(soup_of(&mesh).as_flattened()).unwrap();
        assert!(found(&apart).is_empty(), "corners at one place are one corner");
    }
    let (one, other) = (icosphere(1), icosphere(1).map(|p| p + Vec3::new(0.7, 0.4, 0.2)));
    let soup: Vec<[Vec3; 3]> = [soup_of(&one.mesh()), soup_of(&other.mesh())].concat();
    let truth = all_pairs(&soup);
    assert!(truth.len() > 30 && truth.iter().all(|&[a, b]| a < 80 && b >= 80), "{truth:?}");
    for level in levels::each() {
        let mesh = Mesh::from_soup(soup.as_flattened()).unwrap();
        check(&mesh, &truth, &format!("{level}"));
        check(&mesh.with_layout(hitscan::mesh::Layout::Compact), &truth, &format!("{level}, compact"));
    }
}

/// A triangle that exists very often is in the tree once, and all of its copies are in the pairs.
#[test]
fn copies_intersect_what_the_original_does() {
    let blade = [[0.5, 0.25, -1.0], [0.5, 0.25, 1.0], [0.25, 0.5, 0.0]].map(Vec3::from_array);
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let soup: Vec<[Vec3; 3]> = (0..200).map(|place| if place % 50 == 7 { blade } else { flat }).collect();
    let truth = all_pairs(&soup);
    assert_eq!(truth.len(), 4 * 196);
    check(&Mesh::from_soup(soup.as_flattened()).unwrap(), &truth, "copies");
}

#[test]
fn a_deformed_mesh_has_the_pairs_of_its_new_form() {
    let mut surface = icosphere(1);
    let mut mesh = surface.mesh();
    assert!(found(&mesh).is_empty());
    let mut random = Random(seed(6471));
    surface.positions.iter_mut().for_each(|p| *p += (random.cube() * 0.8).as_vec3());
    mesh.refit(&surface.positions).unwrap();
    let truth = all_pairs(&soup_of(&mesh));
    assert!(truth.len() > 20, "{truth:?}");
    check(&mesh, &truth, "deformed");
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let empty = Mesh::new::<Vec3>(&[], &[]).unwrap();
    check(&empty, &[], "empty");
    let mesh = icosphere(0).mesh();
    #[expect(clippy::reversed_empty_ranges, reason = "such ranges are empty too")]
    for range in [20..30, u32::MAX..u32::MAX, 9..3, 4..4] {
        let mut pairs = vec![[7, 7]];
        mesh.self_intersections_in(range.clone(), &mut pairs);
        assert!(pairs.is_empty(), "{range:?}");
    }
}
