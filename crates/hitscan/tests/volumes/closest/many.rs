//! Closest points of many meshes of up to 2,000 triangles, of every form, compared with a brute force in f64. The
//! bits are the same on every instruction set, in both layouts, in trees of every quality, alone and in batches.

use crate::all_triangles::{AllTriangles, Nearest, Said, said_of_surface, said_of_triangle};
use crate::closest::brute::{for_every_level, place, soup};
use crate::closest::{points, random};
use crate::common::{Random, grid_cube, icosphere};
use hitscan::batch::Threads;
use hitscan::glam::{DVec3, Vec3};
use hitscan::mesh::Layout;
use hitscan::{Mesh, Quality};

/// The number of points that each mesh is asked about.
const POINTS: usize = 4_000;
/// The largest number of triangles.
const MOST: usize = 2_000;

/// Returns the corners of a sheet of height steps, flat parts and cliffs included.
fn steps(random: &mut Random) -> Vec<Vec3> {
    let side = 4 + random.below(28);
    let heights: Vec<f32> = (0..(side + 1) * (side + 1)).map(|_| random.below(4) as f32 * 0.25).collect();
    let at = |x: usize, z: usize| Vec3::new(x as f32, heights[z * (side + 1) + x], z as f32);
    let cells = (0..side).flat_map(|z| (0..side).map(move |x| (x, z)));
    let halves = |(x, z)| [at(x, z), at(x, z + 1), at(x + 1, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)];
    cells.flat_map(halves).collect()
}

/// Returns the corners of a tube around a knot, closed but for its rounding.
fn knot(random: &mut Random) -> Vec<Vec3> {
    let (along, around) = (8 + random.below(60), 3 + random.below(13));
    let center = |i: usize| {
        let angle = std::f64::consts::TAU * (i % along) as f64 / along as f64;
        let radius = 2.0 + (3.0 * angle).cos();
        DVec3::new(radius * (2.0 * angle).cos(), (3.0 * angle).sin(), radius * (2.0 * angle).sin())
    };
    let at = |i: usize, j: usize| {
        let tangent = (center(i + 1) - center(i + along - 1)).normalize();
        let (u, v) = tangent.any_orthonormal_pair();
        let angle = std::f64::consts::TAU * (j % around) as f64 / around as f64;
        (center(i) + (u * angle.cos() + v * angle.sin()) * 0.4).as_vec3()
    };
    let cells = (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
    let halves = |(i, j)| [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
    cells.flat_map(halves).collect()
}

/// Returns the corners of boxes on a grid, each of 12 long triangles.
fn town(random: &mut Random) -> Vec<Vec3> {
    let (block, side) = (grid_cube(1), 1 + random.below(12));
    let mut corners = Vec::new();
    for (x, z) in (0..side).flat_map(|x| (0..side).map(move |z| (x, z))) {
        let half = Vec3::new(0.25, 0.1 + random.fraction() as f32 * 10.0, 0.25);
        let at = Vec3::new(x as f32, half.y, z as f32);
        corners.extend(block.triangles.as_flattened().iter().map(|&v| at + block.positions[v as usize] * half));
    }
    corners
}

fn corners(random: &mut Random) -> Vec<Vec3> {
    let of = |mesh: &Mesh| (0..mesh.triangle_count() as u32).flat_map(|t| mesh.triangle(t).unwrap()).collect();
    let most = [220, MOST][random.below(2)];
    let count = 20 + random.below(most - 20);
    match random.below(8) {
        0 => of(&icosphere(random.below(4) as u32).mesh()),
        1 => of(&grid_cube(1 + random.below(12) as u32).mesh()),
        2 => steps(random),
        3 => knot(random),
        4 => town(random),
        _ => of(&soup(random, count)),
    }
}

/// Returns a mesh of any form, size and place.
fn mesh(random: &mut Random) -> Mesh {
    let mut corners = corners(random);
    assert!(corners.len() <= 3 * MOST);
    let scale = [1.0, 1.0, 0.1, 3.0, 1e6, 1e-9][random.below(6)];
    let offset = [0.0, 0.0, 0.0, 1000.0, 1e5][random.below(5)];
    corners.iter_mut().for_each(|v| *v = (*v + offset) * scale);
    if random.below(3) == 0 {
        let turned = random.rotation().as_quat();
        corners.iter_mut().for_each(|v| *v = turned * *v);
    }
    let quality = [Quality::Fast, Quality::Balanced, Quality::Best][random.below(3)];
    let indices: Vec<u32> = (0..corners.len() as u32).collect();
    Mesh::with_quality(&corners, &indices, quality).unwrap()
}

/// Counts the points at which any answer differs from the brute force, and the points with several triangles at the
/// same distance.
fn differences(mesh: &Mesh, places: &[DVec3]) -> [usize; 2] {
    let expected = AllTriangles::new(mesh).nearest(places);
    let said: Vec<Option<Said>> =
        expected.iter().map(|nearest| nearest.as_ref().map(|nearest| said_of_triangle(&nearest.found))).collect();
    let mut is_wrong = vec![false; places.len()];
    let compact = mesh.clone().with_layout(Layout::Compact);
    for_every_level(|| {
        let mut check = |found: &[Option<Said>]| {
            is_wrong.iter_mut().zip(found.iter().zip(&said)).for_each(|(wrong, (found, said))| *wrong |= found != said);
        };
        for mesh in [mesh, &compact] {
            let alone = |&place: &DVec3| mesh.closest_on_surface(place, f64::INFINITY).as_ref().map(said_of_surface);
            check(&places.iter().map(alone).collect::<Vec<_>>());
        }
        for threads in [Threads::All, Threads::AtMost(1)] {
            let mut found = vec![None; places.len()];
            mesh.closest_on_surface_batch(places, f64::INFINITY, threads, &mut found).unwrap();
            check(&found.iter().map(|found| found.as_ref().map(said_of_surface)).collect::<Vec<_>>());
        }
    });
    for (((wrong, &place), expected), said) in is_wrong.iter_mut().zip(places).zip(&expected).zip(&said) {
        let Some(distance) = expected.as_ref().map(Nearest::distance) else { continue };
        let within = |distance| mesh.closest_on_surface(place, distance).as_ref().map(said_of_surface);
        *wrong |= within(distance) != *said || within(distance.next_down()).is_some();
    }
    let ties = expected.iter().flatten().filter(|nearest| nearest.equally_near > 1).count();
    [is_wrong.into_iter().filter(|wrong| *wrong).count(), ties]
}

#[test]
fn of_many_meshes_are_the_nearest_of_all_triangles() {
    let mut random = random();
    let (mut asked, mut meshes, mut triangles, mut ties, mut wrong) = (0, 0, 0, 0, 0);
    while asked < points() {
        let seed = random.0;
        let mesh = mesh(&mut random);
        let places: Vec<DVec3> = (0..POINTS.min(points() - asked)).map(|_| place(&mut random, &mesh)).collect();
        let [different, tied] = differences(&mesh, &places);
        if different > 0 {
            println!("seed {seed}: {different} points of a mesh of {} triangles differ", mesh.triangle_count());
        }
        asked += places.len();
        meshes += 1;
        triangles += mesh.triangle_count() * places.len();
        ties += tied;
        wrong += different;
    }
    println!(
        "{asked} points of {meshes} meshes of {} triangles on average, {triangles} distances, {ties} ties: {wrong} differences",
        triangles / asked
    );
    assert_eq!(wrong, 0);
}
