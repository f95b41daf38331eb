//! Height fields against the mesh of the same vertices and against the test of each triangle alone, to the bit, on
//! every instruction set.

use crate::common::Random;
use hitscan::error::HeightFieldError;
use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::{Compound, Cull, Filter, HeightField, Mesh, MeshHit, Ray, RayQueries, Scene, Side, Sphere, Triangle};
use hitscan_random::levels;

const CULLS: [Cull; 3] = [Cull::None, Cull::Back, Cull::Front];

/// A field, and its triangles as this file computes them.
struct Subject {
    name: String,
    field: HeightField,
    /// The triangles by number; `None` in a hole.
    triangles: Vec<Option<[Vec3; 3]>>,
    mesh: Mesh,
    /// The numbers of the field's triangles that are in the mesh, in order.
    numbers: Vec<u32>,
}

impl Subject {
    fn new(name: &str, field: HeightField) -> Self {
        let (triangles, numbers) = triangles_of(&field);
        let corners: Vec<Vec3> = triangles.iter().flatten().flatten().copied().collect();
        let mesh = Mesh::from_soup(&corners).expect(name);
        Self { name: name.into(), field, triangles, mesh, numbers }
    }
}

/// Computes the triangles from heights, rows, columns, cell size, diagonal and holes, as documented.
fn triangles_of(field: &HeightField) -> (Vec<Option<[Vec3; 3]>>, Vec<u32>) {
    let size = field.cell_size();
    let vertex = |row: usize, column: usize| {
        let y = field.heights()[row * field.columns() + column];
        Vec3::new((column as f64 * f64::from(size.x)) as f32, y, (row as f64 * f64::from(size.y)) as f32)
    };
    let mut triangles = Vec::new();
    for row in 0..field.rows() - 1 {
        for column in 0..field.columns() - 1 {
            let (a, b) = (vertex(row, column), vertex(row + 1, column));
            let (c, d) = (vertex(row + 1, column + 1), vertex(row, column + 1));
            let pair = match field.diagonal() {
                Diagonal::Falling => [[a, b, c], [a, c, d]],
                Diagonal::Rising => [[a, b, d], [d, b, c]],
            };
            triangles.extend(pair.map(|triangle| (!field.is_hole(row, column)).then_some(triangle)));
        }
    }
    let numbers = (0..).zip(&triangles).filter(|(_, triangle)| triangle.is_some()).map(|(i, _)| i).collect();
    (triangles, numbers)
}

/// The data of a hit, with the number of the triangle in the field.
type Said = (u32, u32, [u32; 2], Side, Vec3, Vec3);

fn said(hit: &MeshHit, triangle: u32) -> Said {
    let uv = [hit.uv().x.to_bits(), hit.uv().y.to_bits()];
    (hit.t.to_bits(), triangle, uv, hit.side, hit.point(), hit.normal())
}

fn keeps(cull: Cull, side: Side) -> bool {
    !matches!((cull, side), (Cull::Back, Side::Back) | (Cull::Front, Side::Front))
}

fn check(subject: &Subject, ray: &Ray, context: &str) {
    let mut all = Vec::new();
    let mut expected = Vec::new();
    for cull in CULLS {
        let context = || format!("{context}, {cull:?}, {ray:?}");
        subject.mesh.culled(cull).cast_all(ray, &mut expected);
        let expected: Vec<Said> =
            expected.iter().map(|hit| said(hit, subject.numbers[hit.triangle as usize])).collect();
        subject.field.culled(cull).cast_all(ray, &mut all);
        assert_eq!(all.iter().map(|hit| said(hit, hit.triangle)).collect::<Vec<_>>(), expected, "all: {}", context());
        let closest = subject.field.culled(cull).cast(ray).map(|hit| said(&hit, hit.triangle));
        assert_eq!(closest, expected.first().copied(), "closest: {}", context());
        assert_eq!(subject.field.culled(cull).is_blocked(ray), !expected.is_empty(), "any: {}", context());
    }
}

/// Checks a ray against each triangle by itself, without any tree.
fn check_by_force(subject: &Subject, ray: &Ray, context: &str) {
    let hit = |(number, corners): (u32, &Option<[Vec3; 3]>)| {
        let [a, b, c] = (*corners)?;
        let hit = Triangle::new(a, b, c).cast(ray)?;
        Some((hit.t.to_bits(), number, hit.side))
    };
    let mut expected: Vec<_> = (0..).zip(&subject.triangles).filter_map(hit).collect();
    expected.sort_by(|a, b| f32::from_bits(a.0).total_cmp(&f32::from_bits(b.0)).then(a.1.cmp(&b.1)));
    let mut all = Vec::new();
    subject.field.cast_all(ray, &mut all);
    let found: Vec<_> = all.iter().map(|hit| (hit.t.to_bits(), hit.triangle, hit.side)).collect();
    assert_eq!(found, expected, "{context}, {ray:?}");
    assert!(expected.iter().all(|hit| keeps(Cull::None, hit.2)));
}

fn hills(random: &mut Random, [rows, columns]: [usize; 2], cell: [f32; 2], height: f64) -> HeightField {
    let waves: Vec<_> = (0..4).map(|_| (random.cube() * 0.7, random.unit() * 3.0)).collect();
    let y = |row: usize, column: usize| {
        let wave = |(way, phase): &(DVec3, f64)| (way.x * row as f64 + way.y * column as f64 + phase).sin();
        (waves.iter().map(wave).sum::<f64>() * height) as f32
    };
    let heights: Vec<f32> = (0..rows * columns).map(|i| y(i / columns, i % columns)).collect();
    HeightField::new(rows, columns, cell, &heights).unwrap()
}

fn rough(random: &mut Random, [rows, columns]: [usize; 2], cell: [f32; 2], height: f64) -> HeightField {
    let heights: Vec<f32> = (0..rows * columns).map(|_| (random.unit() * height) as f32).collect();
    HeightField::new(rows, columns, cell, &heights).unwrap()
}

fn subjects(random: &mut Random) -> Vec<Subject> {
    let integers: Vec<f32> = (0..13 * 17).map(|_| random.below(3) as f32).collect();
    let integers = HeightField::new(13, 17, [1.0, 1.0], &integers).unwrap();
    let of_all_sizes: Vec<f32> =
        (0..81).map(|_| (random.unit() * 10f64.powi(random.below(60) as i32 - 40)) as f32).collect();
    let holes = |random: &mut Random, field: HeightField| {
        let (rows, columns) = (field.rows() - 1, field.columns() - 1);
        let cells: Vec<_> = (0..rows * columns / 3).map(|_| [random.below(rows), random.below(columns)]).collect();
        field.with_holes(cells).unwrap()
    };
    let mut fields = vec![
        ("hills", hills(random, [33, 33], [1.0, 1.0], 2.0)),
        ("hills, odd", hills(random, [30, 41], [0.3, 1.7], 1.0)),
        ("rough", rough(random, [20, 21], [1.0, 1.0], 3.0)),
        ("flat", HeightField::new(12, 12, [1.0, 1.0], &[0.0; 144]).unwrap()),
        ("integers", integers.clone()),
        ("one cell", rough(random, [2, 2], [1.0, 1.0], 1.0)),
        ("one row of cells", rough(random, [2, 50], [1.0, 0.1], 1.0)),
        ("one column of cells", rough(random, [50, 2], [1e-3, 0.1], 1.0)),
        ("three by two cells", rough(random, [4, 3], [1.0, 1.0], 1.0)),
        ("tiny", rough(random, [9, 10], [1e-30, 2e-30], 1e-30)),
        ("subnormal", rough(random, [9, 10], [1e-42, 2e-42], 1e-42)),
        ("huge", rough(random, [9, 10], [1e30, 3e30], 1e30)),
        ("cliffs", rough(random, [9, 10], [1e-12, 1e-12], 1e15)),
        // Some heights are so small relative to others that they underflow in the field's normalized space.
        ("of all sizes", HeightField::new(9, 9, [1e-3, 1e-3], &of_all_sizes).unwrap()),
        ("high above its origin", hills(random, [17, 17], [1.0, 1.0], 1.0)),
    ];
    let lifted: Vec<f32> = fields[14].1.heights().iter().map(|y| y + 3e6).collect();
    fields[14].1.set_heights(0..17, 0..17, &lifted).unwrap();
    fields.push(("holes", holes(random, integers)));
    let all: Vec<[usize; 2]> = (0..4).map(|i| [i / 2, i % 2]).collect();
    fields.push(("nothing but holes", rough(random, [3, 3], [1.0, 1.0], 1.0).with_holes(all).unwrap()));
    fields
        .into_iter()
        .flat_map(|(name, field)| {
            let rising = Subject::new(&format!("{name}, rising"), field.clone().with_diagonal(Diagonal::Rising));
            [Subject::new(name, field), rising]
        })
        .collect()
}

/// Returns a ray that is likely to reveal errors.
fn ray(subject: &Subject, random: &mut Random) -> Ray {
    let all = &subject.triangles;
    let corners = all[random.below(all.len())].or(all[0]).unwrap_or([Vec3::ZERO, Vec3::X, Vec3::Z]);
    let corners = corners.map(|corner| corner.as_dvec3());
    let (middle, size) = match subject.field.bounds() {
        bounds if bounds.is_empty() => (DVec3::ONE, 1.0),
        bounds => {
            let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            ((min + max) / 2.0, (max - min).max_element())
        }
    };
    let aim = match random.below(6) {
        0 => corners[0],
        1 => (corners[0] + corners[1]) / 2.0,
        2 => corners[0].lerp(corners[2], random.unit().abs()),
        3 => (corners[0] + corners[1] + corners[2]) / 3.0,
        4 => middle,
        _ => middle + random.cube() * size,
    };
    let from = match random.below(10) {
        0 => middle,
        1 => corners[random.below(3)],
        2 => aim + random.direction() * size * 1e7,
        3 => aim + random.direction() * size * 1e-4,
        // The ray is along an axis, along a grid line, or in the plane of the triangle.
        4 => aim + DVec3::AXES[random.below(3)] * size * if random.below(2) == 0 { 2.0 } else { -2.0 },
        5 => aim + (corners[1] - corners[0]) * 3.0,
        6 => aim + (corners[2] - corners[0]) * -7.0,
        7 => DVec3::new(aim.x, middle.y + size * 2.0, aim.z),
        _ => middle + random.cube() * size * 3.0,
    };
    let origin = from.as_vec3();
    let way = aim - origin.as_dvec3();
    let length = match random.below(4) {
        0 => 1.0,
        1 => way.length().max(1e-300),
        2 => 10f64.powi(random.below(61) as i32 - 30),
        _ => 1.0 / way.length().max(1e-300),
    };
    let ray = Ray::with_direction(origin, (way.normalize_or_zero() * length).as_vec3());
    let t = (way.length() / length) as f32;
    match random.below(8) {
        0 => ray.with_range(t * 0.5, t),
        1 => ray.with_range(t, f32::MAX),
        2 => ray.with_range(-t, t),
        3 => ray.with_range(f32::NEG_INFINITY, 0.0),
        4 => ray.with_range(0.0, t),
        _ => ray,
    }
}

/// All levels are in one test, as the level is global to the process.
#[test]
fn every_level_answers_as_the_mesh_and_the_test_of_each_triangle() {
    let seed = 20261122;
    let mut random = Random(seed);
    let subjects = subjects(&mut random);
    for subject in &subjects {
        let bounds = subject.triangles.iter().flatten().flatten().copied();
        assert_eq!(subject.field.bounds(), hitscan::Aabb::from_points(bounds), "{}", subject.name);
        let rays: Vec<Ray> = (0..80).map(|_| ray(subject, &mut random)).collect();
        for level in levels::each() {
            for (i, ray) in rays.iter().enumerate() {
                let context = format!("seed {seed}, {}, ray {i}, {level}", subject.name);
                check(subject, ray, &context);
                check_by_force(subject, ray, &context);
            }
        }
    }
}

#[test]
fn changed_fields_are_as_new_ones() {
    let seed = 77;
    let mut random = Random(seed);
    for (size, scale) in [([40, 33], 1.0), ([5, 70], 1e-3), ([2, 2], 1.0), ([17, 16], 1e20)] {
        let cell = [0.7, 1.3].map(|x| (x * scale) as f32);
        let mut field = hills(&mut random, size, cell, scale).with_holes([[0, 0]]).unwrap();
        for step in 0..25 {
            let [first, end] = [0, 1].map(|_| [random.below(size[0]), random.below(size[1])]);
            let rows = first[0].min(end[0])..first[0].max(end[0]) + 1;
            let columns = first[1].min(end[1])..first[1].max(end[1]) + 1;
            // The new heights are sometimes beyond the field's normalized space, or subnormal in it.
            let height = scale * [0.5, 0.5, 0.5, 40.0, 1e-41][random.below(5)];
            let heights: Vec<f32> = (0..rows.len() * columns.len()).map(|_| (random.unit() * height) as f32).collect();
            let shared = field.clone();
            let before = shared.heights().to_vec();
            field.set_heights(rows.clone(), columns.clone(), &heights).unwrap();
            assert_eq!(shared.heights(), before, "a clone has changed");
            let context = format!("seed {seed}, {size:?}, step {step}");
            let written = rows.flat_map(|row| columns.clone().map(move |column| row * size[1] + column));
            assert!(written.zip(&heights).all(|(at, y)| field.heights()[at] == *y), "{context}");
            let new = HeightField::new(size[0], size[1], cell, field.heights()).unwrap().with_holes([[0, 0]]).unwrap();
            assert_eq!(field.bounds(), new.bounds(), "{context}");
            let subject = Subject::new("changed", field.clone());
            for _ in 0..40 {
                check(&subject, &ray(&subject, &mut random), &context);
            }
        }
    }
}

#[test]
fn it_takes_a_tenth_of_the_meshs_memory() {
    let field = hills(&mut Random(3), [256, 256], [1.0, 1.0], 4.0);
    let (rows, columns) = (field.rows(), field.columns());
    let vertices: Vec<Vec3> = (0..rows * columns).map(|i| field.vertex(i / columns, i % columns).unwrap()).collect();
    let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| row * columns + column));
    let corners = cells.flat_map(|a| [a, a + columns, a + columns + 1, a, a + columns + 1, a + 1]);
    let indices: Vec<u32> = corners.map(|corner| corner as u32).collect();
    let mesh = Mesh::new(&vertices, &indices).unwrap();
    let of_mesh = mesh.tree_stats().bytes + size_of_val(&vertices[..]) + size_of_val(&indices[..]);
    let of_field = field.tree_stats().bytes;
    assert!(of_field * 10 < of_mesh, "{of_field} and {of_mesh} bytes");
    assert!(of_field < 14 * (rows - 1) * (columns - 1), "{of_field} bytes");
    assert_eq!(field.tree_stats().leaves, 128 * 128);
}

#[test]
fn heights_between_vertices() {
    let seed = 5;
    let mut random = Random(seed);
    for diagonal in [Diagonal::Falling, Diagonal::Rising] {
        let field = rough(&mut random, [14, 23], [0.3, 0.7], 1.0).with_diagonal(diagonal).with_holes([[3, 4]]).unwrap();
        let far = field.vertex(13, 22).unwrap();
        for _ in 0..3000 {
            let (x, z) = (random.unit().abs() as f32 * far.x, random.unit().abs() as f32 * far.z);
            let down = Ray::with_direction([x, 2.0, z], Vec3::NEG_Y);
            let height = field.height_at(x, z).map(f64::from);
            match (field.cast(&down), height) {
                (Some(hit), Some(height)) => assert!((2.0 - f64::from(hit.t) - height).abs() < 3e-7, "{x}, {z}"),
                (hit, height) => assert!(hit.is_none() && height.is_none(), "seed {seed}: {hit:?}, {height:?}"),
            }
        }
        for (row, column) in (0..14).flat_map(|row| (0..23).map(move |column| (row, column))) {
            let vertex = field.vertex(row, column).unwrap();
            let height = field.height_at(vertex.x, vertex.z);
            assert!(height.is_none_or(|height| (height - vertex.y).abs() < 1e-7), "{row}, {column}: {height:?}");
        }
        let beside = [(-1e-9, 0.0), (0.0, -1e-9), (far.x.next_up(), 0.0), (0.0, far.z.next_up()), (f32::NAN, 0.0)];
        assert!(beside.iter().all(|&(x, z)| field.height_at(x, z).is_none()));
        assert_eq!(field.height_at(far.x, far.z), Some(far.y));
    }
}

#[test]
fn numbers_say_which_triangle() {
    let field = HeightField::new(3, 4, Vec2::ONE, &[0.0; 12]).unwrap().with_holes([[1, 0]]).unwrap();
    assert_eq!(
        (field.triangle_count(), field.cell_of(7), field.cell_of(11), field.cell_of(12)),
        (12, Some([1, 0]), Some([1, 2]), None)
    );
    assert_eq!((field.triangle(6), field.triangle(12)), (None, None));
    let (triangles, _) = triangles_of(&field);
    assert!((0..).zip(&triangles).all(|(i, corners)| field.triangle(i) == *corners));
    let hit = field.cast(&Ray::new([2.25, 1.0, 1.75], Vec3::NEG_Y)).unwrap();
    assert_eq!((hit.triangle, hit.normal(), hit.side), (10, Vec3::Y, Side::Front));
    assert_eq!(field.cast(&Ray::new([2.25, -1.0, 1.75], Vec3::Y)).unwrap().side, Side::Back);
}

#[test]
fn what_is_no_field_is_named() {
    use HeightFieldError as Error;
    let new =
        |rows, columns, cell: [f32; 2], heights: &[f32]| HeightField::new(rows, columns, cell, heights).unwrap_err();
    assert_eq!(new(1, 5, [1.0; 2], &[0.0; 5]), Error::TooSmall { rows: 1, columns: 5 });
    assert_eq!(new(2, usize::MAX, [1.0; 2], &[]), Error::TooLarge { rows: 2, columns: usize::MAX });
    assert_eq!(new(1 << 22, 1 << 22, [1.0; 2], &[]), Error::TooLarge { rows: 1 << 22, columns: 1 << 22 });
    assert_eq!(new(2, 2, [1.0; 2], &[0.0; 5]), Error::Count { count: 5, needed: 4 });
    for cell in [[0.0, 1.0], [1.0, -1.0], [f32::NAN, 1.0], [1.0, f32::INFINITY], [3e38, 1.0]] {
        assert!(matches!(new(2, 3, cell, &[0.0; 6]), Error::Cell { .. }), "{cell:?}");
    }
    let broken = [0.0, 0.0, 0.0, 0.0, 0.0, f32::NEG_INFINITY];
    assert_eq!(new(2, 3, [1.0; 2], &broken), Error::Height { row: 1, column: 2, height: f32::NEG_INFINITY });
    let mut field = HeightField::new(2, 3, [1.0; 2], &[0.0; 6]).unwrap();
    let outside = Error::Outside { row: 1, column: 0, rows: 1, columns: 2 };
    assert_eq!(field.clone().with_holes([[0, 1], [1, 0]]).unwrap_err(), outside);
    let outside = Error::Outside { row: 2, column: 1, rows: 2, columns: 3 };
    assert_eq!(field.set_heights(1..3, 1..2, &[0.0; 2]), Err(outside));
    assert_eq!(field.set_heights(0..2, 1..3, &[0.0; 3]), Err(Error::Count { count: 3, needed: 4 }));
    let height = field.set_heights(1..2, 1..3, &[0.0, f32::NAN]).unwrap_err();
    assert!(matches!(height, Error::Height { row: 1, column: 2, .. }), "{height}");
    assert_eq!(field.set_heights(1..1, 0..3, &[]), Ok(()));
    assert_eq!(field.heights(), [0.0; 6]);
}

/// Returns two scenes. One has the field alone, and one has the mesh of its triangles alone.
fn scenes(field: &HeightField, transform: DAffine3) -> [Scene<u32>; 2] {
    let (triangles, _) = triangles_of(field);
    let corners: Vec<Vec3> = triangles.into_iter().flat_map(|corners| corners.expect("there is no hole")).collect();
    let mesh = Mesh::from_soup(&corners).unwrap();
    let mut scenes = [Scene::new(), Scene::new()];
    scenes[0].insert(1, field, transform).unwrap();
    scenes[1].insert(1, mesh, transform).unwrap();
    for scene in &mut scenes {
        scene.insert(2, Sphere::new(1.0), DVec3::new(3.0, 1.0, 3.0)).unwrap();
    }
    scenes
}

#[test]
fn in_scenes_it_is_as_the_mesh() {
    let seed = 99;
    let mut random = Random(seed);
    let field = hills(&mut random, [24, 31], [1.0, 0.5], 1.5);
    let turned =
        DAffine3::from_scale_rotation_translation(DVec3::new(0.7, 2.0, -1.3), random.rotation(), random.cube());
    for transform in [DAffine3::IDENTITY, turned] {
        let [a, b] = scenes(&field, transform);
        // A rotated mesh has a tighter box. A field has the box around its own box.
        let (of_field, of_mesh) = (a.bounds(), b.bounds());
        assert_eq!(of_field.union(&of_mesh), of_field);
        assert_eq!(of_field == of_mesh, transform == DAffine3::IDENTITY);
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for i in 0..1500 {
            let aim = field.vertex(random.below(24), random.below(31)).unwrap().as_dvec3();
            let aim = transform.transform_point3(aim + random.cube() * [0.0, 0.5][random.below(2)]);
            let from = aim + random.direction() * 10f64.powi(random.below(4) as i32 - 1);
            let ray = Ray::new(from.as_vec3(), (aim - from).as_vec3());
            let cull = CULLS[random.below(3)];
            let odd = random.below(2) as u32;
            let context = format!("seed {seed}, {i}, {ray:?}, {cull:?}");
            let filter = Filter::new().cull(cull);
            a.with(&filter).cast_all(&ray, &mut mine);
            b.with(&filter).cast_all(&ray, &mut theirs);
            assert_eq!(mine, theirs, "{context}");
            assert_eq!(a.with(&filter).cast(&ray), theirs.first().copied(), "{context}");
            assert_eq!(a.with(&filter).is_blocked(&ray), !theirs.is_empty(), "{context}");
            let filter = filter.hits(|candidate| candidate.triangle.is_none_or(|triangle| triangle % 2 == odd));
            assert_eq!(a.with(&filter).cast(&ray), b.with(&filter).cast(&ray), "{context}");
            assert_eq!(a.with(&filter).is_blocked(&ray), b.with(&filter).is_blocked(&ray), "{context}");
            // The rays leave the surface and hit it again.
            let (mut hit, mut other) = (a.cast(&ray), b.cast(&ray));
            for step in 0..5 {
                assert_eq!(hit, other, "{context}, step {step}");
                let Some(last) = hit else { break };
                let next = if step % 2 == 0 { last.bounce() } else { last.onward() };
                hit = a.after(&last).cast(&next);
                a.after(&last).cast_all(&next, &mut mine);
                assert_eq!(hit, mine.first().copied(), "{context}, step {step}");
                other = other.and_then(|last| b.after(&last).cast(&next));
                let same = a.after(&last).cast(&ray);
                assert!(step > 0 || same == b.after(&last).cast(&ray) || same.is_some(), "{context}");
            }
        }
    }
}

#[test]
fn a_crater_in_a_scene_is_there_at_once() {
    let flat = HeightField::new(20, 20, [1.0, 1.0], &[0.0; 400]).unwrap();
    let mut scene = Scene::new();
    scene.insert(1, &flat, DVec3::ZERO).unwrap();
    scene.insert(2, &flat, DVec3::new(100.0, 0.0, 0.0)).unwrap();
    let parts = [(Sphere::new(0.1).into(), DVec3::Y.into()), ((&flat).into(), DVec3::new(0.0, -50.0, 0.0).into())];
    scene.insert(3, Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    let down = |x: f32| Ray::new([x, 10.0, 5.0], Vec3::NEG_Y);
    let before = scene.cast(&down(5.0)).unwrap();
    assert_eq!((before.id, before.t), (1, 10.0));
    let crater = [-1.0, -2.0, -1.0, -2.0, -4.0, -2.0, -1.0, -2.0, -1.0];
    let changed = scene.set_heights(&1, 0, 4..7, 4..7, &crater).unwrap().unwrap();
    assert_eq!(changed.height_at(5.0, 5.0), Some(-4.0));
    assert_eq!(scene.cast(&down(5.0)).map(|hit| hit.t), Some(14.0));
    assert_eq!(scene.cast(&down(105.0)).map(|hit| hit.t), Some(10.0), "the other one shares nothing");
    assert!((scene.bounds_of(&1).unwrap().min.y + 4.0).abs() < 1e-5);
    assert_eq!(flat.height_at(5.0, 5.0), Some(0.0));
    scene.set_heights(&3, 1, 5..6, 5..6, &[40.0]).unwrap().unwrap();
    assert_eq!(
        scene.cast(&Ray::new([5.0, -5.0, 5.0], Vec3::NEG_Y)).map(|hit| (hit.id, hit.part, hit.t)),
        Some((3, 1, 5.0))
    );
    assert!(scene.set_heights(&3, 0, 5..6, 5..6, &[40.0]).unwrap().is_none(), "that part is a sphere");
    assert!(scene.set_heights(&8, 0, 5..6, 5..6, &[40.0]).unwrap().is_none());
    assert!(scene.set_heights(&1, 0, 19..21, 5..6, &[1.0, 1.0]).is_err());
}
