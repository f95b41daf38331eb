//! There is one hit for each crossing. At edges and corners of closed meshes, hits alternate between entering and leaving, and intervals begin and end there.

use crate::common::{Random, Surface, grid_cube, icosphere};
use crate::solid_intervals::{intervals_of, one, skin};
use hitscan::glam::{DAffine3, Vec3};
use hitscan::query::IntervalEnd;
use hitscan::{ConvexHull, Mesh, MeshHit, Quality, Ray, Scene, Side};
use hitscan_random::effort;
use std::collections::HashSet;

fn rays() -> usize {
    effort::size(6_000, 20_000, 10_000_000)
}

/// Returns a surface with coordinates on a grid. So places on its edges and rays through them are exact in f32.
fn rounded(surface: Surface) -> Surface {
    surface.map(|v| (v * 64.0).round() / 64.0)
}

/// Joins surfaces into one surface.
fn together(surfaces: impl IntoIterator<Item = Surface>) -> Surface {
    let mut all = Surface { positions: Vec::new(), triangles: Vec::new() };
    for Surface { positions, triangles } in surfaces {
        let first = all.positions.len() as u32;
        all.positions.extend(positions);
        all.triangles.extend(triangles.into_iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    }
    all
}

/// Balls, cubes, voxels that share edges and corners, hulls, and shells in one another.
fn surfaces(random: &mut Random) -> Vec<Surface> {
    let voxels: HashSet<[i32; 3]> = (0..12).map(|_| [(); 3].map(|()| random.below(3) as i32)).collect();
    let points: Vec<Vec3> = (0..40).map(|_| (random.cube() * 64.0).round().as_vec3() / 64.0).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let faces: Vec<[u32; 3]> =
        (0..hull.mesh().triangle_count() as u32).map(|t| hull.mesh().indices(t).unwrap()).collect();
    let hull = Surface { positions: hull.mesh().positions().to_vec(), triangles: faces };
    let shells = together([rounded(icosphere(1)), rounded(icosphere(0).map(|v| v * 0.5)), grid_cube(2)]);
    vec![rounded(icosphere(2)), grid_cube(3), skin(&voxels), hull, shells]
}

/// Returns a place in a corner, on an edge or in a face, exactly.
fn place(random: &mut Random, surface: &Surface) -> Vec3 {
    let [a, b, c] = random.pick(&surface.triangles).map(|vertex| surface.positions[vertex as usize]);
    match random.below(8) {
        0..3 => a,
        3..6 => a + (b - a) * (random.below(9) as f32 / 8.0),
        6 => a + (b - a) * 0.25 + (c - a) * 0.5,
        _ => (random.cube() * 32.0).round().as_vec3() / 32.0,
    }
}

/// Returns a ray through a place: across anything, along an edge, or towards another place.
fn ray(random: &mut Random, surface: &Surface) -> Ray {
    let at = place(random, surface);
    let direction = loop {
        let direction = match random.below(4) {
            0 => Vec3::from_array([(); 3].map(|()| random.below(3) as f32 - 1.0)),
            1 => place(random, surface) - at,
            2 => {
                let [a, b, _] = random.pick(&surface.triangles).map(|vertex| surface.positions[vertex as usize]);
                b - a
            }
            _ => (random.cube() * 64.0).round().as_vec3() / 64.0,
        };
        if direction != Vec3::ZERO {
            break direction;
        }
    };
    let range = match random.below(3) {
        0 => (f32::NEG_INFINITY, f32::INFINITY),
        1 => (0.0, f32::INFINITY),
        _ => (-0.3, 1.7),
    };
    Ray::with_direction(at - direction * random.below(3) as f32, direction).with_range(range.0, range.1)
}

struct Subject {
    surface: Surface,
    mesh: Mesh,
    scene: Scene<u32>,
}

fn check(subject: &Subject, ray: &Ray, hits: &mut Vec<MeshHit>) -> usize {
    subject.mesh.cast_crossings(ray, hits);
    let crossings: Vec<(f32, Side, u32)> = hits.iter().map(|hit| (hit.t, hit.side, hit.triangle)).collect();
    assert!(crossings.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1), "{ray:?}: {crossings:?}");
    if ray.t_min == f32::NEG_INFINITY {
        let count = |side: Side| crossings.iter().filter(|crossing| crossing.1 == side).count();
        assert_eq!(count(Side::Front), count(Side::Back), "{ray:?}: {crossings:?}");
        assert!(crossings.first().is_none_or(|first| first.1 == Side::Front), "{ray:?}: {crossings:?}");
    }
    let intervals = intervals_of(&subject.scene, ray);
    let ends = intervals.iter().flat_map(|interval| [interval.enter, interval.exit]);
    let ends: Vec<_> = ends
        .filter_map(|end| match end {
            IntervalEnd::Surface(hit) => Some((hit.t, hit.side, hit.triangle.unwrap())),
            IntervalEnd::Range => None,
            IntervalEnd::Open => panic!("{ray:?}: it is closed"),
        })
        .collect();
    // An interval that only touches the range has no length in the range.
    let within: Vec<_> = crossings
        .iter()
        .copied()
        .filter(|&(t, side, _)| t != if side == Side::Front { ray.t_max } else { ray.t_min })
        .collect();
    assert_eq!(within, ends, "{ray:?}");
    // Each crossing is one of all hits.
    let mut all = Vec::new();
    subject.mesh.cast_all(ray, &mut all);
    assert!(hits.iter().all(|hit| all.contains(hit)), "{ray:?}: {crossings:?}");
    crossings.len()
}

#[test]
fn of_rays_at_edges_and_corners_alternate() {
    let seed = 44;
    let mut random = Random(seed);
    let subjects: Vec<Subject> = surfaces(&mut random)
        .into_iter()
        .map(|surface| {
            let mesh = Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), Quality::Best).unwrap();
            assert!(mesh.is_closed());
            Subject { scene: one(mesh.clone(), DAffine3::IDENTITY), surface, mesh }
        })
        .collect();
    let mut hits = Vec::new();
    let (mut crossings, mut rays_with) = (0, 0);
    for number in 0..rays() {
        let subject = &subjects[number % subjects.len()];
        let ray = ray(&mut random, &subject.surface);
        let count = check(subject, &ray, &mut hits);
        crossings += count;
        rays_with += usize::from(count > 0);
    }
    println!("{} rays, {rays_with} with crossings, {crossings} crossings", rays());
    assert!(rays_with * 3 > rays(), "{rays_with}");
}

/// Exactly one of the points before and behind an edge is inside, whichever triangle the ray reports.
#[test]
fn through_an_edge_is_one_crossing() {
    let cube = grid_cube(1).mesh();
    let mut hits = Vec::new();
    for (from, to) in [([0.0, 0.0, 3.0], [0.0, 0.0, -1.0]), ([2.0, 2.0, 0.25], [-1.0, -1.0, 0.0])] {
        cube.cast_crossings(&Ray::with_direction(from, to), &mut hits);
        assert_eq!(hits.iter().map(|hit| hit.side).collect::<Vec<_>>(), [Side::Front, Side::Back], "{hits:?}");
    }
}

#[test]
fn an_open_mesh_has_crossings_without_a_counterpart() {
    let floor = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    let mut hits = Vec::new();
    for (z, side) in [(-1.0, Side::Front), (1.0, Side::Back)] {
        floor.cast_crossings(&Ray::with_direction([0.25, 0.25, -z], [0.0, 0.0, z]), &mut hits);
        assert_eq!(hits.iter().map(|hit| (hit.t, hit.side)).collect::<Vec<_>>(), [(1.0, side)]);
    }
    floor.cast_crossings(&Ray::with_direction([0.0; 3], [0.0; 3]), &mut hits);
    assert!(hits.is_empty(), "a ray without a direction hits nothing");
}
