//! Contents that need no files, the same on every machine.

use crate::content::{Content, Form, Placed, Surface, shapes};
use crate::random::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use std::collections::HashMap;

/// Small meshes and scenes, each with its name.
pub fn generated() -> Vec<(&'static str, Content)> {
    let random = &mut Random::new(20_261_121);
    let scaled = |scale: f32| Content::Mesh(mapped(sphere(8), |p| p * scale));
    let soup = |corners: Vec<[Vec3; 3]>| Content::Mesh(Surface::soup(&corners));
    let square = [[Vec3::ZERO, Vec3::X, Vec3::Y], [Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]];
    vec![
        ("sphere", Content::Mesh(sphere(16))),
        ("cube of squares", Content::Mesh(cube(6))),
        ("of radius 1e-20", scaled(1e-20)),
        ("of radius 1e30", scaled(1e30)),
        ("of subnormal radius", scaled(1e-42)),
        ("far from its origin", Content::Mesh(mapped(sphere(8), |p| p + Vec3::new(3e6, -1e6, 2e5)))),
        ("terrain", Content::Mesh(terrain(48, random))),
        ("beams", Content::Mesh(beams(300, random))),
        ("one triangle", soup(vec![square[0]])),
        ("flat, along the axes", soup(square.into())),
        ("coincident", soup(vec![square[0]; 37])),
        ("small triangles", soup((0..3000).map(|_| triangle(random.cube(), 0.03, random)).collect())),
        ("large triangles", soup((0..120).map(|_| triangle(DVec3::ZERO, 1.0, random)).collect())),
        ("lattice", soup((0..200).map(|_| lattice_triangle(random)).collect())),
        ("of all sizes", soup((0..200).map(|_| triangle_of_any_size(random)).collect())),
        ("instances", instances(150, random)),
        ("shapes", scene_of_shapes(4, random)),
    ]
}

fn mapped(mut surface: Surface, map: impl Fn(Vec3) -> Vec3) -> Surface {
    surface.positions.iter_mut().for_each(|p| *p = map(*p));
    surface
}

/// From -1 to 1, closed; each face a grid of `n` by `n` squares.
fn cube(n: u32) -> Surface {
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut surface = Surface::default();
    for (axis, end) in (0..3).flat_map(|axis| [(axis, 0), (axis, n)]) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let mut number = |di: u32, dj: u32| {
                let mut cell = [end; 3];
                (cell[(axis + 1) % 3], cell[(axis + 2) % 3]) = (i + di, j + dj);
                *numbers.entry(cell).or_insert_with(|| {
                    surface.positions.push(Vec3::from_array(cell.map(|k| 2.0 * k as f32 / n as f32 - 1.0)));
                    surface.positions.len() as u32 - 1
                })
            };
            let [a, b, c, d] = [number(0, 0), number(1, 0), number(1, 1), number(0, 1)];
            surface.triangles.extend(if end == n { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
        }
    }
    surface
}

fn sphere(n: u32) -> Surface {
    mapped(cube(n), |p| p.as_dvec3().normalize().as_vec3())
}

/// A height for each point of a grid.
fn terrain(n: u32, random: &mut Random) -> Surface {
    let mut surface = Surface::default();
    for (x, z) in (0..=n).flat_map(|x| (0..=n).map(move |z| (x, z))) {
        surface.positions.push(Vec3::new(x as f32, 2.0 * random.fraction() as f32, z as f32));
    }
    for (x, z) in (0..n).flat_map(|x| (0..n).map(move |z| (x, z))) {
        let [a, b] = [x * (n + 1) + z, (x + 1) * (n + 1) + z];
        surface.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
    }
    surface
}

/// Long and thin boxes in all directions.
fn beams(count: usize, random: &mut Random) -> Surface {
    let (unit, mut surface) = (cube(1), Surface::default());
    for _ in 0..count {
        let thin = DAffine3::from_scale(DVec3::new(3.0, 0.01, 0.02));
        surface.append(&unit, &(random.placement(10.0) * thin));
    }
    surface
}

fn triangle(middle: DVec3, size: f64, random: &mut Random) -> [Vec3; 3] {
    [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
}

/// With small whole numbers as coordinates: much is coplanar, shared or without area.
fn lattice_triangle(random: &mut Random) -> [Vec3; 3] {
    [(); 3].map(|()| Vec3::from_array([(); 3].map(|()| random.below(5) as f32 - 2.0)))
}

fn triangle_of_any_size(random: &mut Random) -> [Vec3; 3] {
    let middle = random.cube() * random.power(60);
    let size = random.power(60);
    triangle(middle, size, random)
}

fn instances(count: usize, random: &mut Random) -> Content {
    let meshes = vec![sphere(5), cube(3), terrain(8, random)];
    let entity = |_| Placed { form: Form::Mesh(random.below(3) as u32), place: random.placement(15.0) };
    let entities = (0..count).map(entity).collect();
    Content::Scene { meshes, entities }
}

fn scene_of_shapes(each: u32, random: &mut Random) -> Content {
    let kinds = shapes().len() as u32;
    let entity = |i| Placed { form: Form::Shape(i % kinds), place: random.placement(5.0) };
    Content::Scene { meshes: Vec::new(), entities: (0..each * kinds).map(entity).collect() }
}
