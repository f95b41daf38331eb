//! A flat surface is one surface, whatever pieces it has. A volume that has landed slides over seams, and stops at
//! real edges.

use crate::common::Random;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ContactFilter, ConvexHull, Cylinder, HeightField, Mesh, ProximityQueries, Quad, Scene, Sphere,
    SweepQueries, Volume,
};
use hitscan_random::effort;

/// The half size of every floor, whose top is at y = 0.
const HALF: f32 = 6.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Floor {
    Box,
    Quad,
    Hull,
    Grid,
    /// A grid with random cells.
    Uneven,
    Field,
    Boxes,
    Hulls,
    TwoMeshes,
    Fields,
    /// Adjacent quads.
    Tiles,
    /// Adjacent closed meshes whose walls overlap.
    Chests,
    /// Boxes, a mesh, a quad and a height field.
    Mixed,
}

const FLOORS: [Floor; 13] = [
    Floor::Box,
    Floor::Quad,
    Floor::Hull,
    Floor::Grid,
    Floor::Uneven,
    Floor::Field,
    Floor::Boxes,
    Floor::Hulls,
    Floor::TwoMeshes,
    Floor::Fields,
    Floor::Tiles,
    Floor::Chests,
    Floor::Mixed,
];

fn slab(low: [f32; 2], high: [f32; 2], top: f32) -> Aabb {
    Aabb::new([low[0], -1.0, low[1]], [high[0], top, high[1]])
}

fn hull_of(slab: Aabb) -> ConvexHull {
    ConvexHull::new(&corners_of(slab)).unwrap()
}

fn corners_of(slab: Aabb) -> [Vec3; 8] {
    core::array::from_fn(|k| {
        Vec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { slab.max[axis] } else { slab.min[axis] }))
    })
}

/// Returns a closed mesh of a box, whose triangles face outwards.
fn mesh_of(slab: Aabb) -> Mesh {
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let indices: Vec<u32> = faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    Mesh::new(&corners_of(slab), &indices).unwrap()
}

/// Returns a flat grid of triangles between lines.
fn grid(xs: &[f32], zs: &[f32], random: &mut Random) -> Mesh {
    let positions: Vec<Vec3> = zs.iter().flat_map(|&z| xs.iter().map(move |&x| Vec3::new(x, 0.0, z))).collect();
    let row = xs.len();
    let mut indices = Vec::new();
    for j in 0..zs.len() - 1 {
        for i in 0..row - 1 {
            let [a, b, c, d] =
                [j * row + i, j * row + i + 1, (j + 1) * row + i, (j + 1) * row + i + 1].map(|n| n as u32);
            let two = if random.below(2) == 0 { [a, c, b, b, c, d] } else { [a, c, d, a, d, b] };
            indices.extend(two);
        }
    }
    Mesh::new(&positions, &indices).unwrap()
}

fn lines(count: usize) -> Vec<f32> {
    (0..=count).map(|k| -HALF + 2.0 * HALF * k as f32 / count as f32).collect()
}

fn uneven(random: &mut Random) -> Vec<f32> {
    let mut lines: Vec<f32> = (0..8).map(|_| HALF * (random.unit() as f32)).chain([-HALF, HALF]).collect();
    lines.sort_by(f32::total_cmp);
    lines
}

impl Floor {
    fn scene(self, place: DAffine3, random: &mut Random) -> Scene<usize> {
        let mut scene = Scene::new();
        let mut add = |geometry: hitscan::Geometry, at: DVec3| {
            let number = scene.len();
            scene.insert(number, geometry, place * DAffine3::from_translation(at)).unwrap();
        };
        let whole = slab([-HALF; 2], [HALF; 2], 0.0);
        match self {
            Self::Box => add(whole.into(), DVec3::ZERO),
            Self::Quad => {
                add(Quad::new([-HALF, 0.0, -HALF], [0.0, 0.0, 2.0 * HALF], [2.0 * HALF, 0.0, 0.0]).into(), DVec3::ZERO)
            }
            Self::Hull => add(hull_of(whole).into(), DVec3::ZERO),
            Self::Grid => add(grid(&lines(12), &lines(12), random).into(), DVec3::ZERO),
            Self::Uneven => add(grid(&uneven(random), &uneven(random), random).into(), DVec3::ZERO),
            Self::Field => {
                let field = HeightField::new(9, 13, [1.0, 1.5], &[0.0; 9 * 13]).unwrap();
                add(field.into(), DVec3::new(-6.0, 0.0, -6.0));
            }
            Self::Boxes | Self::Hulls => {
                // Tiles of 0.3 have sides that f32 cannot represent.
                let size = [1.0, 1.5, 0.3 * 4.0][random.below(3)];
                let tile = slab([0.0; 2], [size; 2], 0.0);
                let count = (2.0 * HALF / size).ceil() as i32;
                for i in 0..count {
                    for j in 0..count {
                        let at = DVec3::new(f64::from(i), 0.0, f64::from(j)) * f64::from(size)
                            - f64::from(HALF) * DVec3::new(1.0, 0.0, 1.0);
                        add(if self == Self::Boxes { tile.into() } else { hull_of(tile).into() }, at);
                    }
                }
            }
            Self::Chests => {
                for i in 0..6 {
                    for j in 0..6 {
                        let at = DVec3::new(f64::from(i), 0.0, f64::from(j)) * 2.0
                            - f64::from(HALF) * DVec3::new(1.0, 0.0, 1.0);
                        add(mesh_of(slab([0.0; 2], [2.0; 2], 0.0)).into(), at);
                    }
                }
            }
            Self::Mixed => {
                add(slab([-HALF; 2], [0.0; 2], 0.0).into(), DVec3::ZERO);
                add(grid(&[0.0, 2.5, HALF], &[-HALF, -1.0, 0.0], random).into(), DVec3::ZERO);
                add(Quad::new([-HALF, 0.0, 0.0], [0.0, 0.0, HALF], [HALF, 0.0, 0.0]).into(), DVec3::ZERO);
                add(HeightField::new(5, 4, [2.0, 1.5], &[0.0; 20]).unwrap().into(), DVec3::ZERO);
            }
            Self::TwoMeshes => {
                let seam = random.unit() as f32 * 2.0;
                add(grid(&[-HALF, -3.0, seam], &lines(5), random).into(), DVec3::ZERO);
                add(grid(&[seam, 4.0, HALF], &lines(7), random).into(), DVec3::ZERO);
            }
            Self::Fields => {
                for x in [-6.0, 0.0] {
                    let field = HeightField::new(9, 7, [1.0, 1.5], &[0.0; 9 * 7]).unwrap();
                    add(field.into(), DVec3::new(x, 0.0, -6.0));
                }
            }
            Self::Tiles => {
                for x in [-6.0, -2.0, 2.0] {
                    add(
                        Quad::new([0.0, 0.0, -HALF], [0.0, 0.0, 2.0 * HALF], [4.0, 0.0, 0.0]).into(),
                        DVec3::new(x, 0.0, 0.0),
                    );
                }
            }
        }
        scene
    }
}

/// Returns a volume and its rotation.
fn volume(random: &mut Random) -> (Volume, DQuat) {
    let size = 0.45 + 0.25 * random.unit() as f32;
    let upright = DQuat::from_rotation_y(random.unit() * 3.0);
    let any = if random.below(2) == 0 { upright } else { random.rotation() };
    match random.below(7) {
        0 => (Sphere::new(size).into(), any),
        4 => (Cylinder::new(size * 0.5, size * 2.0).into(), any),
        5 => (Cone::new(size * 0.5, size * 2.0).into(), upright),
        1 => (Capsule::new(size * 0.5, size * 2.0).into(), any),
        2 => (
            Capsule::new(size * 0.5, size * 2.0).into(),
            upright * DQuat::from_rotation_x(core::f64::consts::FRAC_PI_2),
        ),
        3 => (Aabb::new([-size, -size, -0.5 * size], [size, size, 0.5 * size]).into(), any),
        _ => {
            let base = [[-1.0, -0.5, -1.0], [1.0, -0.5, -1.0], [0.5, -0.5, 1.0], [0.0, 1.0, 0.0]];
            (ConvexHull::new(&base.map(|v| Vec3::from(v) * size)).unwrap().into(), any)
        }
    }
}

/// Returns a place at which no volume is over the edge of the floor.
fn somewhere(random: &mut Random, height: f64) -> DVec3 {
    let v = random.cube() * 4.5;
    DVec3::new(v.x, height, v.z)
}

fn place(random: &mut Random) -> DAffine3 {
    match random.below(4) {
        0 => DAffine3::IDENTITY,
        1 => DAffine3::from_translation(random.cube() * 100.0),
        2 => DAffine3::from_rotation_translation(random.rotation(), random.cube() * 10.0),
        _ => DAffine3::from_rotation_translation(random.rotation(), random.cube() * 1e4),
    }
}

fn slides() -> usize {
    effort::size(2_500, 20_000, 1_000_000)
}

#[test]
fn a_volume_that_landed_slides_over_seams() {
    let slides = slides();
    let seed = effort::seed(1);
    let mut stops = [0usize; FLOORS.len()];
    let mut first = [const { None }; FLOORS.len()];
    for number in 0..slides / 10 {
        let mut random = Random(seed * 1_000_000_007 + number as u64);
        let kind = number % FLOORS.len();
        let to_world = place(&mut random);
        let scene = FLOORS[kind].scene(to_world, &mut random);
        for slide in 0..10 {
            let (volume, turned) = volume(&mut random);
            let rotation = DQuat::from_mat3(&to_world.matrix3) * turned;
            let (from, to) = (somewhere(&mut random, 3.0), somewhere(&mut random, 3.0));
            let down = to_world.transform_vector3(DVec3::new(0.0, -6.0, 0.0));
            let start = to_world.transform_point3(from);
            let hit = scene.sweep(&volume, (start, rotation), down).expect("a floor below");
            let landed = start + down * f64::from(hit.t);
            let along = to_world.transform_vector3(to - from);
            let met = scene.contact_filter(ContactFilter::Ahead).sweep(&volume, (landed, rotation), along);
            if let Some(met) = met {
                stops[kind] += 1;
                first[kind].get_or_insert_with(|| {
                    let local = to_world.inverse();
                    let (point, normal) = (met.point_f64(), met.normal.as_dvec3());
                    let seen = (local.transform_point3(point), local.transform_vector3(normal));
                    let name = if let Volume::ConvexHull(_) = volume { "hull".into() } else { format!("{volume:?}") };
                    format!(
                        "{:?} {number}.{slide}: {:?}, {} at {}, in the floor's space at {} along {}: {seen:?}, {met:?}",
                        FLOORS[kind],
                        name,
                        rotation,
                        landed,
                        local.transform_point3(landed),
                        to - from
                    )
                });
            }
        }
    }
    let total: usize = stops.iter().sum();
    let each: Vec<_> = FLOORS.iter().zip(stops).collect();
    assert_eq!(
        total,
        0,
        "of {slides} slides with seed {seed}: {each:?}, the first: {}",
        first.into_iter().flatten().collect::<Vec<String>>().join("\n")
    );
}

#[test]
fn a_kerb_stops_what_slides() {
    let mut random = Random(11);
    for number in 0..2000 {
        let to_world = place(&mut random);
        let (volume, turned) = volume(&mut random);
        // The height is a thousandth of the volume.
        let height = 1e-3 * 0.45;
        let mut scene = Scene::new();
        let floor = slab([-HALF; 2], [HALF; 2], 0.0);
        let kerb = slab([2.0, -HALF], [HALF, HALF], height);
        if number % 2 == 0 {
            scene.insert(0, floor, to_world).unwrap();
            scene.insert(1, kerb, to_world).unwrap();
        } else {
            let [y, z] = [height, HALF];
            let positions = [
                [-HALF, 0.0, -z],
                [-HALF, 0.0, z],
                [2.0, 0.0, -z],
                [2.0, 0.0, z],
                [2.0, y, -z],
                [2.0, y, z],
                [HALF, y, -z],
                [HALF, y, z],
            ];
            let indices = [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, 6, 5, 7];
            scene.insert(0, Mesh::new(&positions, &indices).unwrap(), to_world).unwrap();
        }
        let rotation = DQuat::from_mat3(&to_world.matrix3) * turned;
        let start = to_world.transform_point3(DVec3::new(-1.5 + 0.5 * random.unit(), 3.0, 3.0 * random.unit()));
        let down = to_world.transform_vector3(DVec3::new(0.0, -6.0, 0.0));
        let landed = start + down * f64::from(scene.sweep(&volume, (start, rotation), down).expect("a floor").t);
        let along = to_world.transform_vector3(DVec3::new(6.0, 0.0, 0.0));
        let met = scene.contact_filter(ContactFilter::Ahead).sweep(&volume, (landed, rotation), along);
        let met = met.unwrap_or_else(|| panic!("{number}: {volume:?} {rotation} passes from {landed} by {along}"));
        let against = to_world.transform_vector3(DVec3::NEG_X).dot(met.normal.as_dvec3());
        assert!(against > 1e-3, "{number}: {volume:?} {met:?}");
    }
}

/// The separation of a volume that is pushed a little into a floor is straight up, and no triangle of the floor pushes it aside.
#[test]
fn the_way_out_of_a_flat_floor_is_up() {
    let seed = effort::seed(1);
    let total = slides() / 10;
    let (mut wrong, mut beside) = (Vec::new(), 0);
    for number in 0..total {
        let mut random = Random(seed * 1_000_000_007 + number as u64);
        let floor = FLOORS[number % FLOORS.len()];
        let to_world = place(&mut random);
        let scene = floor.scene(to_world, &mut random);
        let (volume, turned) = volume(&mut random);
        let rotation = DQuat::from_mat3(&to_world.matrix3) * turned;
        let start = to_world.transform_point3(somewhere(&mut random, 3.0));
        let up = to_world.transform_vector3(DVec3::Y);
        let hit = scene.sweep(&volume, (start, rotation), up * -6.0).expect("a floor below");
        // A volume deep inside several parts is led out of each one separately, including the walls between chests.
        let is_one =
            matches!(floor, Floor::Box | Floor::Quad | Floor::Hull | Floor::Grid | Floor::Uneven | Floor::Field);
        let deep = if is_one { 0.02 } else { 1e-4 };
        let sunk = [1e-6, 1e-4, deep][random.below(3)];
        let at = (start - up * (6.0 * hit.t_f64() + sunk), rotation);
        let (mut all, mut touched) = (Vec::new(), Vec::new());
        scene.penetration_all(&volume, at, &mut all);
        scene.overlap_all(&volume, at, &mut touched);
        let mut points = Vec::new();
        scene.contact_points(&volume, at, &mut points);
        let is_up = |normal: Vec3| (normal.as_dvec3() - up).length() < 1e-5;
        // A leaning corner may be below a triangle without touching it. The triangles that the volume touches are then
        // less deep.
        let is_in = touched.iter().any(|of| (of.id, of.part, of.triangle) == (hit.id, hit.part, hit.triangle));
        beside += usize::from(!is_in);
        let is_whole = all.first().is_some_and(|deepest| {
            let less = sunk - f64::from(deepest.depth);
            less.abs() < 1e-6 || !is_in && less > 0.0
        });
        let are_up = all.iter().all(|way| is_up(way.normal)) && points.iter().all(|point| is_up(point.normal));
        if !(is_whole && are_up) {
            let kind = if let Volume::ConvexHull(_) = volume { "hull".into() } else { format!("{volume:?}") };
            let local = to_world.inverse();
            let ways: Vec<_> = all
                .iter()
                .map(|way| {
                    (
                        way.id,
                        way.triangle,
                        way.depth,
                        local.transform_vector3(way.normal.as_dvec3()),
                        local.transform_point3(way.point_f64()),
                    )
                })
                .collect();
            wrong.push(format!(
                "{number}: {floor:?}, {kind}, {turned}, {sunk} deep at {}: {ways:?}",
                local.transform_point3(at.0)
            ));
        }
    }
    let first: Vec<&String> = wrong.iter().take(3).collect();
    assert!(wrong.is_empty(), "{} of {total} with seed {seed}: {first:#?}", wrong.len());
    assert!(beside * 200 <= total, "{beside} of {total} with seed {seed} are beside what they met");
}

/// A floor that a filter leaves out hides nothing.
#[test]
fn what_does_not_count_hides_nothing() {
    let mut scene = Scene::new();
    scene.insert(0, slab([-HALF; 2], [0.0, HALF], 0.0), DVec3::ZERO).unwrap();
    scene.insert(1, slab([0.0, -HALF], [HALF, HALF], 0.0), DVec3::ZERO).unwrap();
    let (ball, from) = (Sphere::new(0.5), DVec3::new(-1.0, 0.5 - 1e-6, 0.0));
    let slide = |filter: &hitscan::Filter<'_, usize>| {
        let ahead = scene.with(filter).contact_filter(ContactFilter::Ahead);
        ahead.sweep(ball, from, DVec3::X * 3.0).map(|hit| hit.id)
    };
    assert_eq!(slide(&hitscan::Filter::new()), None);
    // The second box alone has an edge that is in the way.
    assert_eq!(slide(&hitscan::Filter::new().exclude(0)), Some(1));
    assert_eq!(slide(&hitscan::Filter::new().hits(|hit| hit.id == 1)), Some(1));
}
