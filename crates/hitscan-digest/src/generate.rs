//! Contents that need no files and are the same on every machine.

use crate::content::{Cloth, Content, Form, Ground, Placed, Surface, World, shapes};
use crate::random::RandomTransform;
use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan_random::Random;
use std::collections::HashMap;

/// Returns small meshes and scenes with their names.
pub fn generated() -> Vec<(&'static str, Content)> {
    let random = &mut Random(20_261_121);
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
        ("ground", scene_of_ground(random)),
        ("hulls", scene_of_hulls(60, random)),
        ("cloth", Content::Mesh(cloth(24, random))),
        ("fences", scene_of_fences(60, random)),
        ("course", course(random)),
    ]
}

fn mapped(mut surface: Surface, map: impl Fn(Vec3) -> Vec3) -> Surface {
    surface.positions.iter_mut().for_each(|p| *p = map(*p));
    surface
}

/// Returns a closed cube from -1 to 1, each face of which is a grid of `n` by `n` squares.
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

/// Returns a terrain: a surface with a height for each point of a grid.
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

/// Returns long and thin boxes in all directions.
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

/// Returns a triangle with small whole numbers as coordinates, so that many triangles are coplanar, share vertices or
/// have no area.
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
    Content::Scene(World { meshes, entities, ..World::default() })
}

fn scene_of_shapes(each: u32, random: &mut Random) -> Content {
    let kinds = shapes().len() as u32;
    let entity = |i| Placed { form: Form::Shape(i % kinds), place: random.placement(5.0) };
    Content::Scene(World { entities: (0..each * kinds).map(entity).collect(), ..World::default() })
}

/// Returns a scene of wide and small height fields, each placed a few times. Some have whole numbers as heights, and
/// some have holes.
fn scene_of_ground(random: &mut Random) -> Content {
    let shapes = [(33, 40, Diagonal::Falling), (2, 2, Diagonal::Rising), (9, 3, Diagonal::Rising)];
    let fields: Vec<Ground> = shapes.map(|(rows, columns, diagonal)| ground(rows, columns, diagonal, random)).into();
    let kinds = fields.len() as u32;
    let entity = |i| Placed { form: Form::Field(i % kinds), place: random.placement(12.0) };
    let entities = (0..4 * kinds).map(entity).collect();
    Content::Scene(World { fields, entities, ..World::default() })
}

/// Returns a course. It has hills of a mesh beside hills of a height field, and on these hills stairs of boxes,
/// shapes and loose triangles.
fn course(random: &mut Random) -> Content {
    let soup: Vec<[Vec3; 3]> = (0..120).map(|_| triangle(random.cube() * 12.0, 2.5, random)).collect();
    let meshes = vec![terrain(24, random), cube(1), sphere(4), Surface::soup(&soup)];
    let fields = vec![ground(25, 25, Diagonal::Rising, random)];
    let at = |form: Form, scale: DVec3, place: DVec3| Placed {
        form,
        place: DAffine3::from_translation(place) * DAffine3::from_scale(scale),
    };
    let mut entities = vec![
        at(Form::Mesh(0), DVec3::new(1.0, 0.25, 1.0), DVec3::new(-12.0, 0.0, -12.0)),
        at(Form::Field(0), DVec3::new(4.0, 0.5, 4.0), DVec3::new(12.0, 0.0, -12.0)),
        at(Form::Mesh(3), DVec3::new(1.0, 0.2, 1.0), DVec3::ZERO),
    ];
    for (flight, form) in [Form::Mesh(1), Form::Shape(0)].into_iter().enumerate() {
        let step = |k: u32| {
            let (k, z) = (f64::from(k), 12.0 * flight as f64 - 6.0);
            at(form, DVec3::new(2.0, 0.2, 2.0), DVec3::new(0.4 * k - 6.0, 0.2 * k + 0.4, z))
        };
        entities.extend((0..10).map(step));
    }
    let loose = |_| {
        let place = random.placement(1.0);
        let shape = Form::Shape(random.below(9) as u32);
        let form = random.pick(&[Form::Mesh(1), Form::Mesh(2), shape, shape]);
        let translation = random.cube() * DVec3::new(20.0, 1.0, 10.0);
        Placed { form, place: DAffine3 { matrix3: place.matrix3 * 0.4, translation } }
    };
    entities.extend((0..60).map(loose));
    Content::Course(World { meshes, fields, entities, ..World::default() })
}

fn ground(rows: u32, columns: u32, diagonal: Diagonal, random: &mut Random) -> Ground {
    let height = |uneven: f64, random: &mut Random| random.pick(&[0.0, 0.5, uneven]) as f32;
    let heights = (0..rows * columns).map(|_| height(random.unit(), random)).collect();
    let cell = random.pick(&[Vec2::ONE, Vec2::new(0.3, 0.7)]) / 4.0;
    let holes = if rows > 2 { [[0, 1], [rows - 2, columns - 2], [1, 1]].to_vec() } else { Vec::new() };
    Ground { rows, columns, cell, diagonal, heights, holes }
}

/// Returns a scene of hulls. They are hulls of random points, of points on a sphere, and of points with small whole
/// coordinates, of which many are coplanar.
fn scene_of_hulls(count: usize, random: &mut Random) -> Content {
    let lattice = |random: &mut Random| Vec3::from_array([(); 3].map(|()| random.below(4) as f32 - 1.5));
    let hulls = vec![
        (0..12).map(|_| random.cube().as_vec3()).collect(),
        sphere(5).positions,
        cube(2).positions.into_iter().chain((0..20).map(|_| lattice(random))).collect(),
    ];
    let entity = |_| Placed { form: Form::Hull(random.below(3) as u32), place: random.placement(8.0) };
    let entities = (0..count).map(entity).collect();
    Content::Scene(World { hulls, entities, ..World::default() })
}

/// Returns a terrain with cut-outs.
fn cloth(n: u32, random: &mut Random) -> Surface {
    let mut surface = terrain(n, random);
    let texcoords = surface.positions.iter().map(|p| Vec2::new(p.x * 0.4 - 3.0, p.z * 0.3));
    let texels = (0..6 * 4).map(|_| random.pick(&[0, 255])).collect();
    surface.cloth = Some(Cloth { width: 6, texels, texcoords: texcoords.collect() });
    surface
}

/// Returns a scene with layers of surfaces with cut-outs, and opaque surfaces between them.
fn scene_of_fences(count: usize, random: &mut Random) -> Content {
    let meshes = vec![cloth(6, random), cloth(3, random), cube(2)];
    let entity = |_| Placed { form: Form::Mesh(random.below(3) as u32), place: random.placement(10.0) };
    let entities = (0..count).map(entity).collect();
    Content::Scene(World { meshes, entities, ..World::default() })
}
