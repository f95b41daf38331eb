//! Everything that a cursor finds, against a search through all triangles without a tree.

use super::candidate::SnapCandidate;
use super::crease::is_inside_of_flat;
use super::gather::{InReach, PartOrder, Wanted};
use super::reach::{Reach, Spot};
use super::visibility::Sight;
use super::{Cursor, Hidden, Snap, SnapKind};
use crate::prelude::*;
use crate::scene::{Part, PartGeometry};
use crate::{Compound, ConvexHull, Geometry, HeightField, PointCloud, Polyline, Transform, Viewport};
use core::cmp::Ordering;
use glam::{DAffine3, DMat4, DQuat, Vec2};
use hitscan_random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

/// The number of cursors of each search; `HITSCAN_LONG=1` asks many more.
fn rounds(few: usize, many: usize) -> usize {
    if std::env::var_os("HITSCAN_LONG").is_some() { many } else { few }
}

/// Returns a lattice of boxes, whose vertices are in line and so tie, a ball, a field and a compound, some of them turned.
fn scene(random: &mut Random) -> Scene<usize> {
    let mut scene = Scene::new();
    let cube = cube();
    for number in 0..27 {
        let place = DVec3::new((number % 3) as f64, (number / 3 % 3) as f64, (number / 9) as f64) * 2.0;
        scene.insert(number, cube.clone(), place).unwrap();
    }
    let points: Vec<Vec3> = (0..40).map(|_| random.direction().as_vec3()).collect();
    let hull = ConvexHull::new(&points).unwrap();
    let heights: Vec<f32> =
        (0..12 * 9).map(|_| (random.fraction() * 3.0) as f32 * f32::from(random.below(2) as u8)).collect();
    let field = HeightField::new(12, 9, [0.7, 0.5], &heights).unwrap();
    let turned = || DAffine3::from_rotation_translation(DQuat::from_rotation_y(0.4), DVec3::new(-3.0, 1.0, 2.0));
    let pair = [(Geometry::from(cube), Transform::from(turned())), (hull.clone().into(), Transform::IDENTITY)];
    scene.insert(100, hull, DVec3::new(7.0, 2.0, 1.0)).unwrap();
    scene
        .insert(
            101,
            field,
            DAffine3::from_scale_rotation_translation(DVec3::new(1.0, -2.0, 1.0), random.rotation(), DVec3::Y),
        )
        .unwrap();
    scene
        .insert(102, Compound::new(pair).unwrap(), DAffine3::from_rotation_translation(random.rotation(), DVec3::X))
        .unwrap();
    scene.insert(103, soup(random), DVec3::ZERO).unwrap();
    scene.insert(104, cloud(random, 2000), DAffine3::from_rotation_translation(random.rotation(), DVec3::X)).unwrap();
    scene.insert(105, polyline(random), DVec3::ZERO).unwrap();
    let wires = [
        (Geometry::from(cloud(random, 50)), Transform::from(turned())),
        (polyline(random).into(), Transform::IDENTITY),
    ];
    scene.insert(106, Compound::new(wires).unwrap(), DAffine3::from_scale(DVec3::new(1.0, 0.5, -2.0))).unwrap();
    scene
}

/// Returns points, half of which are on a lattice, so that many are in line and some are equal.
fn cloud(random: &mut Random, count: usize) -> PointCloud {
    let point = |random: &mut Random| {
        let point = random.cube() * 5.0;
        if random.below(2) == 0 { point.as_vec3() } else { point.round().as_vec3() }
    };
    PointCloud::new(&(0..count).map(|_| point(random)).collect::<Vec<_>>()).unwrap()
}

/// Returns strips of short and long segments, some of which have no length or lie on each other.
fn polyline(random: &mut Random) -> Polyline {
    let strip = |random: &mut Random| {
        let mut at = random.cube() * 5.0;
        let points = 2 + random.below(30);
        (0..points)
            .map(|_| {
                at += random.cube() * random.pick(&[0.0, 0.3, 1.0, 4.0]);
                if random.below(4) == 0 { at.round().as_vec3() } else { at.as_vec3() }
            })
            .collect::<Vec<Vec3>>()
    };
    Polyline::from_strips((0..20).map(|_| strip(random)).collect::<Vec<_>>()).unwrap()
}

fn cube() -> Mesh {
    let corners: Vec<Vec3> = (0..8).map(|n| Vec3::new((n & 1) as f32, (n >> 1 & 1) as f32, (n >> 2) as f32)).collect();
    let faces: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.map(|[a, b, c, d]| [a, b, c, a, c, d]);
    Mesh::new(&corners, triangles.as_flattened()).unwrap()
}

/// Returns triangles that share few vertices, some of them doubled, flat or in line.
fn soup(random: &mut Random) -> Mesh {
    let mut corners: Vec<Vec3> = Vec::new();
    for _ in 0..200 {
        let center = random.cube() * 6.0;
        let own: [Vec3; 3] = core::array::from_fn(|_| (center + random.cube()).as_vec3());
        match random.below(8) {
            0 => corners.extend([own, own].as_flattened()),
            1 => corners.extend([own[0], own[1], own[0]]),
            2 => corners.extend([own[0], own[1], own[2], own[1], own[0], own[0] + own[1] - own[2]]),
            _ => corners.extend(own),
        }
    }
    Mesh::from_soup(&corners).unwrap()
}

/// Returns a camera of any kind that sees most of the scene, or is in it.
fn camera(random: &mut Random) -> Camera {
    let target = random.cube() * 3.0;
    let eye = match random.below(4) {
        // The lattice is then seen along its lines.
        0 => target + DVec3::AXES[random.below(3)] * 12.0,
        1 => target + random.direction() * 2.0,
        _ => target + random.direction() * 15.0,
    };
    let up = if (eye - target).normalize().y.abs() > 0.9 { DVec3::X } else { DVec3::Y };
    let transform = Camera::look_at(eye, target, up).unwrap();
    match random.below(5) {
        0 => Camera::orthographic(transform, 10.0).unwrap(),
        1 => Camera::orthographic(transform, 12.0).unwrap().with_clip(-2.0, 13.0).unwrap(),
        2 => Camera::perspective(transform, 0.2 + 2.0 * random.fraction()).unwrap(),
        3 => Camera::perspective(transform, 1.0).unwrap().with_clip(0.5, 12.0).unwrap().with_aspect(1.5).unwrap(),
        _ => {
            let view = DMat4::from(transform.inverse());
            let (n, x, y) = (0.1, random.unit() * 0.5, random.unit() * 0.5);
            // Off axis, reversed depth, infinite.
            let columns = [[1.2, 0.0, 0.0, 0.0], [0.0, 1.7, 0.0, 0.0], [x, y, 0.0, -1.0], [0.0, 0.0, n, 0.0]];
            Camera::from_matrices(view, DMat4::from_cols_array_2d(&columns)).unwrap()
        }
    }
}

fn viewport(random: &mut Random) -> Viewport {
    let origin = Vec2::new(random.below(300) as f32, random.below(200) as f32);
    if random.below(2) == 0 { Viewport::new(640.0, 480.0) } else { Viewport { origin, size: Vec2::new(777.0, 333.0) } }
}

type Key = [u32; 3];

fn key(corner: Vec3) -> Key {
    (corner + 0.0).to_array().map(f32::to_bits)
}

/// A triangle with the numbers of its vertices.
type NumberedTriangle = (u32, [Vec3; 3], [u32; 3]);

/// A side of a triangle: the triangle's number, those of the two vertices, and their places with that of the third.
type NumberedSide = (u32, [u32; 2], [Vec3; 3]);

/// Returns the triangles of a part that have an area.
fn triangles_of(part: &Part) -> Vec<NumberedTriangle> {
    let of_mesh = |mesh: &Mesh| -> Vec<NumberedTriangle> {
        let all = 0..mesh.triangle_count() as u32;
        all.filter_map(|number| Some((number, mesh.triangle(number)?, mesh.indices(number)?))).collect()
    };
    let all = match &part.geometry {
        PartGeometry::Mesh(mesh) => of_mesh(mesh),
        PartGeometry::ConvexHull(hull) => of_mesh(hull.mesh()),
        PartGeometry::HeightField(field) => {
            let place = |corner: Vec3| {
                let all = (0..field.rows()).flat_map(|row| (0..field.columns()).map(move |column| (row, column)));
                all.clone().position(|(row, column)| field.vertex(row, column) == Some(corner)).unwrap() as u32
            };
            let all = 0..field.triangle_count() as u32;
            all.filter_map(|number| field.triangle(number).map(|corners| (number, corners, corners.map(place))))
                .collect()
        }
        _ => Vec::new(),
    };
    let has_area = |[a, b, c]: [Vec3; 3]| (b - a).as_dvec3().cross((c - a).as_dvec3()) != DVec3::ZERO;
    all.into_iter().filter(|(_, corners, _)| has_area(*corners)).collect()
}

/// A segment, or the side of a triangle in the direction of its keys.
struct Edge {
    part: PartOrder,
    triangle: Option<u32>,
    vertices: [u32; 2],
    ends: [Vec3; 2],
    to_world: DAffine3,
}

impl Edge {
    fn spot(&self, reach: &Reach) -> Option<Spot> {
        let ends = self.ends.map(|end| self.to_world.transform_point3(end.as_dvec3()));
        reach.segment(ends, &ends.map(|end| reach.map.project(end)))
    }
}

struct Vertex {
    part: PartOrder,
    triangle: Option<u32>,
    vertex: u32,
    place: DVec3,
}

/// Everything that a scene has, found without a tree.
struct Everything {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
}

impl Everything {
    fn of(scene: &Scene<usize>) -> Self {
        let mut all = Self { vertices: Vec::new(), edges: Vec::new() };
        for (_, part) in scene.parts().1 {
            all.add(part);
        }
        all
    }

    fn add(&mut self, part: &Part) {
        self.add_wire(part);
        let (place, to_world) = (PartOrder::of(part), part.to_world);
        let mut vertices: BTreeMap<Key, (u32, u32, Vec3)> = BTreeMap::new();
        let mut sides: BTreeMap<[Key; 2], Vec<NumberedSide>> = BTreeMap::new();
        for (triangle, corners, numbers) in triangles_of(part) {
            for at in 0..3 {
                let entry = vertices.entry(key(corners[at])).or_insert((triangle, numbers[at], corners[at]));
                entry.1 = entry.1.min(numbers[at]);
                let (mut a, mut b, c) = (at, (at + 1) % 3, (at + 2) % 3);
                if key(corners[a]) > key(corners[b]) {
                    (a, b) = (b, a);
                }
                let side = (triangle, [numbers[a], numbers[b]], [corners[a], corners[b], corners[c]]);
                sides.entry([key(corners[a]), key(corners[b])]).or_default().push(side);
            }
        }
        self.vertices.extend(vertices.into_values().map(|(triangle, vertex, local)| Vertex {
            part: place,
            triangle: Some(triangle),
            vertex,
            place: to_world.transform_point3(local.as_dvec3()),
        }));
        let edges = sides.into_values().filter(|sides| !is_flat(sides.iter().map(|side| side.2)));
        self.edges.extend(edges.map(|sides| {
            let (triangle, vertices, [a, b, _]) = sides[0];
            Edge { part: place, triangle: Some(triangle), vertices, ends: [a, b], to_world }
        }));
    }

    /// Adds the points and segments of a cloud or a polyline.
    fn add_wire(&mut self, part: &Part) {
        let (positions, segments) = match &part.geometry {
            PartGeometry::PointCloud(cloud) => (cloud.positions(), Vec::new()),
            PartGeometry::Polyline(line) => {
                (line.positions(), (0..).map_while(|segment| line.segment(segment)).collect())
            }
            _ => return,
        };
        let (place, to_world) = (PartOrder::of(part), part.to_world);
        self.vertices.extend((0..).zip(positions).map(|(vertex, position)| Vertex {
            part: place,
            triangle: None,
            vertex,
            place: to_world.transform_point3(position.as_dvec3()),
        }));
        self.edges.extend(segments.into_iter().map(|vertices| {
            let ends = vertices.map(|vertex| positions[vertex as usize]);
            Edge { part: place, triangle: None, vertices, ends, to_world }
        }));
    }
}

/// Returns whether triangles along a side, which comes first in each, go on flat: by the angles between them. Very few are in doubt.
fn is_flat(triangles: impl Iterator<Item = [Vec3; 3]> + Clone) -> bool {
    let normals: Vec<DVec3> = triangles
        .clone()
        .map(|corners| {
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            (b - a).cross(c - a).normalize()
        })
        .collect();
    let sines: Vec<f64> = normals.iter().map(|normal| normal.cross(normals[0]).length()).collect();
    if sines.iter().any(|sine| (1e-7..1e-4).contains(sine)) {
        let side = triangles.clone().next().map(|[a, b, _]| [a, b]).unwrap();
        return is_inside_of_flat(side, triangles.map(|[_, _, c]| c));
    }
    sines.iter().all(|&sine| sine < 1e-5) && normals.iter().any(|normal| normal.dot(normals[0]) < 0.0)
}

/// Returns a number for a spot that only equal bits share.
fn bits(spot: &Spot) -> [u64; 7] {
    let Spot { point, offset, square, depth } = *spot;
    [point.x, point.y, point.z, offset.x, offset.y, square, depth].map(f64::to_bits)
}

#[test]
fn features_in_reach_are_those_of_all_triangles() {
    let mut random = Random(71);
    let (mut found_vertices, mut found_edges) = (0, 0);
    for _ in 0..rounds(6, 60) {
        let scene = scene(&mut random);
        let all = Everything::of(&scene);
        for _ in 0..rounds(50, 300) {
            let (camera, viewport) = (camera(&mut random), viewport(&mut random));
            let pixel = viewport.origin + viewport.size * Vec2::new(random.fraction() as f32, random.fraction() as f32);
            let radius = random.pick(&[0.0, 0.5, 3.0, 8.0, 40.0, 2000.0]);
            let reach = Reach::new(camera.pixel_map(pixel, &viewport).unwrap(), &viewport, radius).unwrap();
            let near = InReach::of(&View::from(&scene), &reach, Wanted { vertices: true, edges: true });
            let got: BTreeSet<_> = near
                .vertices
                .iter()
                .map(|near| (PartOrder::of(near.part), near.vertex, near.triangle, bits(&near.spot)))
                .collect();
            let want: BTreeSet<_> = all
                .vertices
                .iter()
                .filter_map(|own| Some((own.part, own.vertex, own.triangle, bits(&reach.point(own.place)?))))
                .collect();
            assert_eq!((got.len(), got), (near.vertices.len(), want));
            found_vertices += near.vertices.len();
            let got: BTreeSet<_> = near
                .edges
                .iter()
                .map(|near| (PartOrder::of(near.part), near.vertices, near.triangle, bits(&near.spot)))
                .collect();
            let spot = |edge: &Edge| edge.spot(&reach);
            let want: BTreeSet<_> = all
                .edges
                .iter()
                .filter_map(|own| Some((own.part, own.vertices, own.triangle, bits(&spot(own)?))))
                .collect();
            assert_eq!((got.len(), got), (near.edges.len(), want));
            found_edges += near.edges.len();
        }
    }
    assert!(found_vertices > 1000 && found_edges > 1000, "{found_vertices} {found_edges}");
}

#[test]
fn nearest_segment_points_are_nearest() {
    let mut random = Random(5);
    let mut cut = 0;
    for _ in 0..rounds(3000, 100_000) {
        let camera = camera(&mut random);
        let pixel = Vec2::new(640.0 * random.fraction() as f32, 480.0 * random.fraction() as f32);
        let viewport = Viewport::new(640.0, 480.0);
        let reach = Reach::new(camera.pixel_map(pixel, &viewport).unwrap(), &viewport, 1e4).unwrap();
        let ends = [random.cube() * 9.0, random.cube() * 9.0];
        let at = |place: f64| reach.point(ends[0].lerp(ends[1], place));
        let sampled = (0..=1000).filter_map(|step| at(f64::from(step) / 1000.0)).map(|spot| spot.distance());
        let sampled = sampled.min_by(f64::total_cmp);
        let Some(found) = reach.segment(ends, &ends.map(|end| reach.map.project(end))) else {
            assert_eq!(sampled, None);
            continue;
        };
        let again = reach.point(found.point).map_or(found.distance(), |spot| spot.distance());
        assert!((again - found.distance()).abs() <= 1e-6 * (1.0 + again), "{again} {found:?}");
        assert!(sampled.is_none_or(|least| found.distance() <= least * (1.0 + 1e-9) + 1e-9), "{sampled:?} {found:?}");
        cut += usize::from(at(0.0).is_none() || at(1.0).is_none());
    }
    assert!(cut > 100, "{cut}");
}

/// Compares by the documented order, without the depth tolerance.
fn documented(a: &SnapCandidate<'_>, b: &SnapCandidate<'_>) -> Ordering {
    let by = |order: fn(&SnapCandidate<'_>) -> f64| order(a).total_cmp(&order(b));
    let same = a.kind.cmp(&b.kind).then(by(|one| one.spot.square)).then(by(|one| one.spot.depth));
    same.then_with(|| a.compare(b))
}

#[test]
fn the_order_is_strict_and_total() {
    let mut random = Random(12);
    let scene = scene(&mut random);
    for _ in 0..rounds(20, 200) {
        let camera = camera(&mut random);
        let pixel = Vec2::new(640.0 * random.fraction() as f32, 480.0 * random.fraction() as f32);
        let cursor = Cursor::new(&camera, [640.0, 480.0], pixel, 60.0).hidden(Hidden::Keep);
        let mut snaps: Vec<Snap<usize>> = Vec::new();
        cursor.from_start([1.0, 2.0, 3.0]).all(&scene, &SnapKind::ALL, &mut snaps);
        assert!(snaps.windows(2).all(|pair| pair[0] != pair[1]));
        let reach = cursor.reach().unwrap();
        let near = InReach::of(&View::from(&scene), &reach, Wanted { vertices: true, edges: true });
        let mut list: Vec<_> = near.vertices.iter().map(SnapCandidate::of_vertex).collect();
        list.extend(near.edges.iter().map(|edge| SnapCandidate::on_edge(SnapKind::Edge, edge, edge.spot)));
        super::crossings::add(&near.edges, &reach, &mut list);
        list.truncate(150);
        for (i, a) in list.iter().enumerate() {
            for (j, b) in list.iter().enumerate() {
                assert_eq!(a.compare(b), b.compare(a).reverse());
                assert_eq!(a.compare(b) == Ordering::Equal, i == j, "{i} {j}");
                assert_eq!(a.compare(b), documented(a, b));
                for c in list.iter().step_by(3) {
                    assert!(!(a.compare(b).is_lt() && b.compare(c).is_lt()) || a.compare(c).is_lt());
                }
            }
        }
    }
}

#[test]
fn crossings_are_those_of_all_pairs() {
    let mut random = Random(77);
    let scene = scene(&mut random);
    let mut count = 0;
    for _ in 0..rounds(60, 2000) {
        let camera = camera(&mut random);
        let pixel = Vec2::new(640.0 * random.fraction() as f32, 480.0 * random.fraction() as f32);
        let reach = Cursor::new(&camera, [640.0, 480.0], pixel, random.pick(&[2.0, 10.0, 40.0])).reach().unwrap();
        let near = InReach::of(&View::from(&scene), &reach, Wanted { vertices: false, edges: true });
        let mut swept = Vec::new();
        super::crossings::add(&near.edges, &reach, &mut swept);
        let mut paired = Vec::new();
        for (number, edge) in near.edges.iter().enumerate() {
            near.edges[..number].iter().for_each(|other| super::crossings::add(&[*edge, *other], &reach, &mut paired));
        }
        let sorted = |mut list: Vec<SnapCandidate<'_>>| {
            list.sort_by(SnapCandidate::compare);
            list.iter().map(|one| (one.kind, bits(&one.spot))).collect::<Vec<_>>()
        };
        count += swept.len();
        assert_eq!(sorted(swept), sorted(paired));
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_nearest_is_the_first_of_all() {
    let mut random = Random(33);
    let scene = scene(&mut random);
    let mut snaps = Vec::new();
    let mut kinds_found = BTreeSet::new();
    for _ in 0..rounds(600, 30_000) {
        let camera = camera(&mut random);
        let pixel = Vec2::new(640.0 * random.fraction() as f32, 480.0 * random.fraction() as f32);
        let mut cursor = Cursor::new(&camera, [640.0, 480.0], pixel, random.pick(&[3.0, 20.0]));
        cursor = cursor.from_start(random.cube() * 5.0);
        if random.below(2) == 0 {
            cursor = cursor.depth_tolerance(random.pick(&[0.0, 0.5, 2.0]));
        }
        if random.below(3) == 0 {
            cursor = cursor.hidden(Hidden::Keep);
        }
        let kinds: Vec<SnapKind> = SnapKind::ALL.into_iter().filter(|_| random.below(2) == 0).collect();
        cursor.all(&scene, &kinds, &mut snaps);
        let nearest = cursor.nearest(&scene, &kinds);
        assert_eq!(nearest.as_ref(), snaps.first());
        assert!(snaps.iter().all(|snap| kinds.contains(&snap.kind) && snap.distance <= 20.0));
        kinds_found.extend(nearest.map(|snap| snap.kind));
    }
    assert_eq!(kinds_found.into_iter().collect::<Vec<_>>(), SnapKind::ALL);
}

/// A bumpy sheet of `side` x `side` squares, which has about `3 side²` edges, over a cloud of points, half of which are on a lattice.
fn large(side: usize, points: usize) -> Scene<usize> {
    let mut random = Random(9);
    let vertex = |random: &mut Random, number: usize| {
        let (x, z) = (number % (side + 1), number / (side + 1));
        let scale = 20.0 / side as f64;
        Vec3::new((x as f64 * scale - 10.0) as f32, (random.unit() * 0.3) as f32, (z as f64 * scale - 10.0) as f32)
    };
    let corners: Vec<Vec3> = (0..(side + 1) * (side + 1)).map(|number| vertex(&mut random, number)).collect();
    let square = |number: usize| {
        let first = (number / side * (side + 1) + number % side) as u32;
        let below = first + side as u32 + 1;
        [first, below, below + 1, first, below + 1, first + 1]
    };
    let indices: Vec<u32> = (0..side * side).flat_map(square).collect();
    let lattice = (points as f64 / 2.0).cbrt();
    let point = |random: &mut Random| {
        let point = random.cube() * 10.0;
        let on_lattice = random.below(2) == 0;
        if on_lattice { ((point * (lattice / 20.0)).round() * (20.0 / lattice)).as_vec3() } else { point.as_vec3() }
    };
    let cloud: Vec<Vec3> = (0..points).map(|_| point(&mut random)).collect();
    let mut scene = Scene::new();
    scene.insert(0, PointCloud::new(&cloud).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, Mesh::new(&corners, &indices).unwrap(), DVec3::ZERO).unwrap();
    scene
}

/// All vertices and edges of a scene with their pixels, for a camera: those far from a cursor need not be looked at again.
struct Picture<'a> {
    all: &'a Everything,
    vertices: Vec<Vec2>,
    edges: Vec<[Vec2; 2]>,
}

impl<'a> Picture<'a> {
    fn new(all: &'a Everything, camera: &Camera, viewport: &Viewport) -> Self {
        let pixel = |place: DVec3| camera.project(place, *viewport).map(|projected| projected.pixel);
        let nowhere = Vec2::splat(f32::MAX);
        let vertices = all.vertices.iter().map(|vertex| pixel(vertex.place).unwrap_or(nowhere)).collect();
        let edge = |edge: &Edge| {
            let ends = edge.ends.map(|end| pixel(edge.to_world.transform_point3(end.as_dvec3())));
            // An edge that is partly behind the eye may be anywhere.
            let [a, b] = [ends[0], ends[1]];
            a.zip(b).map_or([-nowhere, nowhere], |(a, b)| [a.min(b), a.max(b)])
        };
        Self { all, vertices, edges: all.edges.iter().map(edge).collect() }
    }

    /// Returns the best candidate: its kind and place, by the documented order.
    fn best(
        &self,
        pixel: Vec2,
        reach: &Reach,
        kinds: &[SnapKind],
        counts: &dyn Fn(&Spot, PartOrder) -> bool,
    ) -> Option<(SnapKind, PartOrder, [u32; 2])> {
        let (low, high) = (pixel - reach.radius() as f32 - 0.25, pixel + reach.radius() as f32 + 0.25);
        let is_near = |min: Vec2, max: Vec2| min.cmple(high).all() && max.cmpge(low).all();
        let vertices = self.vertices.iter().zip(&self.all.vertices).filter(|(at, _)| is_near(**at, **at));
        let vertices = vertices.filter_map(|(_, vertex)| {
            let spot = reach.point(vertex.place)?;
            Some((SnapKind::Vertex, spot, vertex.part, [vertex.vertex, 0, 0]))
        });
        let edges = self.edges.iter().zip(&self.all.edges).filter(|([min, max], _)| is_near(*min, *max));
        let edges = edges.filter_map(|(_, edge)| {
            let [a, b] = edge.vertices;
            let spot = edge.spot(reach)?;
            Some((SnapKind::Edge, spot, edge.part, [edge.triangle.unwrap_or(0), a.min(b), a.max(b)]))
        });
        let mut list: Vec<_> = vertices.chain(edges).filter(|one| kinds.contains(&one.0)).collect();
        let key = |(kind, spot, part, numbers): &(SnapKind, Spot, PartOrder, [u32; 3])| {
            (*kind, spot.square.to_bits(), spot.depth.max(0.0).to_bits(), *part, *numbers)
        };
        list.sort_by_key(key);
        let (kind, _, part, [first, a, b]) = list.into_iter().find(|(_, spot, part, _)| counts(spot, *part))?;
        Some((kind, part, if kind == SnapKind::Vertex { [first, first] } else { [a, b] }))
    }
}

/// The proof on a million points and 100,000 edges runs with `HITSCAN_LONG=1`.
#[test]
fn nearest_is_that_of_a_search_through_everything() {
    let scene = large(rounds(20, 182), rounds(20_000, 1_000_000));
    let all = Everything::of(&scene);
    let mut random = Random(123);
    let (mut found, mut ties) = ([0; 2], 0);
    for _ in 0..rounds(4, 50) {
        let viewport = Viewport::new(1280.0, 720.0);
        // Depths are positive, so that their bits are in order.
        let camera = match random.below(3) {
            0 => Camera::orthographic(Camera::look_at([0.0, 0.0, 30.0], [0.0; 3], [0.0, 1.0, 0.0]).unwrap(), 18.0)
                .unwrap(),
            _ => {
                let eye = random.direction() * random.pick(&[6.0, 25.0]);
                Camera::perspective(Camera::look_at(eye, random.cube() * 3.0, DVec3::Y).unwrap(), 0.9).unwrap()
            }
        };
        let picture = Picture::new(&all, &camera, &viewport);
        for _ in 0..rounds(100, 2000) {
            let pixel = Vec2::new(1280.0 * random.fraction() as f32, 720.0 * random.fraction() as f32);
            let pixel = if random.below(4) == 0 { pixel.round() } else { pixel };
            let hidden = random.pick(&[Hidden::Skip, Hidden::Keep]);
            let kinds = random.pick(&[&[SnapKind::Vertex][..], &[SnapKind::Edge], &[SnapKind::Edge, SnapKind::Vertex]]);
            let cursor = Cursor::new(&camera, viewport, pixel, random.pick(&[2.0, 8.0])).hidden(hidden);
            let reach = cursor.reach().unwrap();
            let view = View::from(&scene);
            let sight = Sight { view: &view, reach: &reach, cut_outs: crate::CutOuts::Open };
            let part_of = |place: PartOrder| scene.part_of(&(place.order as usize), place.index);
            let counts =
                |spot: &Spot, part: PartOrder| hidden == Hidden::Keep || !sight.is_hidden(spot.point, part_of(part));
            let expected = picture.best(pixel, &reach, kinds, &counts);
            let snap = cursor.nearest(&scene, kinds);
            let got = snap.map(|snap| {
                let target = snap.target.unwrap();
                let numbers = target.edge.map_or_else(|| [target.vertex.unwrap(); 2], |[a, b]| [a.min(b), a.max(b)]);
                found[usize::from(snap.kind == SnapKind::Edge)] += 1;
                (snap.kind, PartOrder { order: target.id as u64, index: 0 }, numbers)
            });
            assert_eq!(got, expected, "{camera:?} {pixel} {hidden:?}");
            let mut snaps = Vec::new();
            cursor.all(&scene, kinds, &mut snaps);
            ties += usize::from(snaps.len() > 1 && snaps[0].distance == snaps[1].distance);
        }
    }
    assert!(found.iter().all(|&count| count > 20) && ties > 0, "{found:?} {ties}");
}
