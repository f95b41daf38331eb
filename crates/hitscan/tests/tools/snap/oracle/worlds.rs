//! The scenes in which cursors are compared with brute force.

use super::world::{World, lattice_points};
use crate::common::Random;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Compound, ConvexHull, Geometry, HeightField, Mesh, Transform};

/// Makes a cloud of a number of points, half of them on a lattice. It also makes a bumpy sheet of `side` times `side` squares, and as many segments of a line.
pub(crate) fn large(random: &mut Random, points: usize, side: usize) -> World {
    let spacing = 2f64.powi(-(((points as f64).log2() / 3.0 - 4.0).round() as i32));
    let cloud = lattice_points(random, points, 8.0, spacing);
    let line: Vec<Vec3> =
        (0..=side).map(|_| (random.cube() * 8.0 / spacing).round() * spacing).map(|at| at.as_vec3()).collect();
    let (corners, triangles) = sheet(side, random);
    let mut world = World::default();
    let still = DAffine3::IDENTITY;
    world.insert(PointCloud::new(&cloud).unwrap(), still);
    world.add_cloud([0, 0], &still, &cloud);
    world.insert(Mesh::new(&corners, triangles.as_flattened()).unwrap(), still);
    world.add_surface(
        [1, 0],
        &still,
        triangles.iter().map(|triangle| (triangle.map(|at| corners[at as usize]), *triangle)),
    );
    world.insert(Polyline::new(&line).unwrap(), still);
    world.add_strips([2, 0], &still, &[line]);
    world
}

/// Returns a sheet that is bumpy everywhere, so that each side of a triangle is surely an edge.
///
/// The two triangles at a side make a parallelogram, seen from above. They are in one plane if the heights at the ends of either diagonal have the same sum.
/// Each height is congruent modulo 8 to its row times its column. The two sums of row times column differ by 1 or -1, so the sums of the heights never agree.
fn sheet(side: usize, random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let scale = 16.0 / side as f64;
    let vertex = |number: usize, y: f64| {
        DVec3::new((number % (side + 1)) as f64 * scale - 8.0, y, (number / (side + 1)) as f64 * scale - 8.0).as_vec3()
    };
    let height = |number: usize, random: &mut Random| {
        let product = (number % (side + 1)) * (number / (side + 1));
        (8.0 * (random.below(17) as f64 - 8.0) + (product % 8) as f64) * scale / 32.0
    };
    let corners = (0..(side + 1) * (side + 1)).map(|number| vertex(number, height(number, random))).collect();
    let square = |number: usize| {
        let first = (number / side * (side + 1) + number % side) as u32;
        let below = first + side as u32 + 1;
        [[first, below, below + 1], [first, below + 1, first + 1]]
    };
    (corners, (0..side * side).flat_map(square).collect())
}

/// Makes a world with every kind of geometry that has vertices. It has a lattice of boxes with collinear corners, triangles that share few vertices, a hull, a
/// field, and compounds. Some of them are rotated and mirrored.
pub(crate) fn mixed(random: &mut Random) -> World {
    let mut world = World::default();
    let cube = cube();
    for number in 0..27 {
        let place = DVec3::new((number % 3) as f64, (number / 3 % 3) as f64, (number / 9) as f64) * 2.0;
        let transform = DAffine3::from_translation(place);
        world.insert(cube.clone(), transform);
        world.add_surface([number as u32, 0], &transform, triangles_of(&cube));
    }
    let id = |world: &World| world.parts.last().unwrap().id + 1;
    let (turned, mirrored) = (turned(random), DAffine3::from_scale(DVec3::new(1.0, 0.5, -2.0)));
    let hull =
        ConvexHull::new(&(0..40).map(|_| (random.direction() * 64.0).round().as_vec3() / 64.0).collect::<Vec<Vec3>>())
            .unwrap();
    let next = id(&world);
    world.insert(hull.clone(), turned);
    world.add_surface([next, 0], &turned, triangles_of(hull.mesh()));
    let soup = soup(random);
    world.insert(soup.clone(), DAffine3::IDENTITY);
    world.add_surface([next + 1, 0], &DAffine3::IDENTITY, triangles_of(&soup));
    let heights: Vec<f32> = (0..12 * 9).map(|_| (random.below(4) as f32) * random.below(2) as f32).collect();
    let field = HeightField::new(12, 9, [0.7, 0.5], &heights).unwrap();
    world.insert(field.clone(), turned * mirrored);
    world.add_surface([next + 2, 0], &(turned * mirrored), triangles_of_field(&field));
    let (cloud, strips) = (lattice_points(random, 200, 5.0, 1.0), strips(random));
    let parts: [(Geometry, Transform); 4] = [
        (PointCloud::new(&cloud).unwrap().into(), turned.into()),
        (Polyline::from_strips(&strips).unwrap().into(), Transform::IDENTITY),
        (cube.clone().into(), turned.into()),
        (hull.clone().into(), DVec3::X.into()),
    ];
    world.insert(Compound::new(parts).unwrap(), mirrored);
    world.add_cloud([next + 3, 0], &(mirrored * turned), &cloud);
    world.add_strips([next + 3, 1], &mirrored, &strips);
    world.add_surface([next + 3, 2], &(mirrored * turned), triangles_of(&cube));
    world.add_surface([next + 3, 3], &(mirrored * DAffine3::from_translation(DVec3::X)), triangles_of(hull.mesh()));
    world
}

fn turned(random: &mut Random) -> DAffine3 {
    DAffine3::from_rotation_translation(random.rotation() * DQuat::from_rotation_y(0.4), DVec3::new(-3.0, 1.0, 2.0))
}

fn triangles_of(mesh: &Mesh) -> impl Iterator<Item = ([Vec3; 3], [u32; 3])> + Clone + '_ {
    (0..mesh.triangle_count() as u32).map(|number| (mesh.triangle(number).unwrap(), mesh.indices(number).unwrap()))
}

fn triangles_of_field(field: &HeightField) -> impl Iterator<Item = ([Vec3; 3], [u32; 3])> + Clone + '_ {
    let number_of = move |corner: Vec3| {
        let mut all = (0..field.rows()).flat_map(|row| (0..field.columns()).map(move |column| (row, column)));
        all.position(|(row, column)| field.vertex(row, column) == Some(corner)).unwrap() as u32
    };
    (0..field.triangle_count() as u32).map(move |number| {
        let corners = field.triangle(number).unwrap();
        (corners, corners.map(number_of))
    })
}

fn cube() -> Mesh {
    let corners: Vec<Vec3> = (0..8).map(|n| Vec3::new((n & 1) as f32, (n >> 1 & 1) as f32, (n >> 2) as f32)).collect();
    let faces: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.map(|[a, b, c, d]| [a, b, c, a, c, d]);
    Mesh::new(&corners, triangles.as_flattened()).unwrap()
}

/// Returns triangles that share few vertices, some of them duplicated, flat or collinear.
fn soup(random: &mut Random) -> Mesh {
    let mut corners: Vec<Vec3> = Vec::new();
    for _ in 0..100 {
        let center = (random.cube() * 6.0).round();
        // Sums of these coordinates are not rounded.
        let own: [Vec3; 3] = std::array::from_fn(|_| (center + (random.cube() * 64.0).round() / 64.0).as_vec3());
        match random.below(8) {
            0 => corners.extend([own, own].as_flattened()),
            1 => corners.extend([own[0], own[1], own[0]]),
            2 => corners.extend([own[0], own[1], own[2], own[1], own[0], own[0] + own[1] - own[2]]),
            _ => corners.extend(own),
        }
    }
    Mesh::from_soup(&corners).unwrap()
}

/// Returns strips of short and long segments.
fn strips(random: &mut Random) -> Vec<Vec<Vec3>> {
    let strip = |random: &mut Random| {
        let mut at = random.cube() * 5.0;
        let mut step = |random: &mut Random| {
            at += random.cube() * random.pick(&[0.3, 1.0, 4.0]);
            if random.below(4) == 0 { at.round().as_vec3() } else { at.as_vec3() }
        };
        (0..2 + random.below(30)).map(|_| step(random)).collect()
    };
    (0..20).map(|_| strip(random)).collect()
}
