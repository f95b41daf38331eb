//! Saved bytes. Arbitrary bytes are refused, in memory proportional to their number, or they make a mesh or scene whose
//! answers follow from its content.

use crate::MEMORY;
use crate::mesh::{check_contents, check_ray, one_by_one};
use hitscan::error::ReadError;
use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::mesh::{AlphaMask, CutOut, Wrap};
use hitscan::snap::{Cursor, Hidden, SnapKind};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{
    Camera, Compound, ConvexHull, Cull, Geometry, HeightField, Mesh, Ray, RayQueries, Scene, Sphere, Triangle,
};
use hitscan_io::{Format, Model};
use twox_hash::XxHash3_64;

/// The number of triangles at which rays are aimed.
const AIMED: usize = 16;
/// The memory limit for an empty input, in bytes.
const LEAST_MEMORY: usize = 1 << 20;
/// The additional memory limit for each byte of the input, in bytes. It covers a tree's nodes and packets.
const MOST_TIMES: usize = 64;

/// Reads an input unchanged, and with a valid length and checksum, because a mutation makes these invalid.
pub fn check(input: &[u8]) {
    let _ = Model::from_bytes_as(Format::Baked, input, None);
    for bytes in [input.to_vec(), sealed(input)] {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let mesh = Mesh::from_bytes(&bytes);
        let scene = read_scene(&bytes);
        let memory = MEMORY.peak_usage().saturating_sub(before);
        assert!(memory <= LEAST_MEMORY + MOST_TIMES * bytes.len(), "{memory} bytes of memory for {}", bytes.len());
        match (mesh, scene) {
            (Ok(mesh), _) => check_mesh(mesh),
            (_, Ok(scene)) => check_scene(&scene),
            (Err(mesh), Err(scene)) => assert!(!mesh.to_string().is_empty() && !scene.to_string().is_empty()),
        }
    }
}

/// Returns bytes with a valid length (at byte 16) and checksum (the last eight bytes).
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let length = bytes.len() as u64;
    if bytes.len() >= 32 {
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        let end = bytes.len() - 8;
        let checksum = XxHash3_64::oneshot(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    }
    bytes
}

fn read_scene(bytes: &[u8]) -> Result<Scene<u32>, ReadError> {
    Scene::from_bytes(bytes, |key| Some(u32::from_le_bytes(key.try_into().ok()?)))
}

fn check_mesh(mut mesh: Mesh) {
    for _ in 0..2 {
        let triangles: Vec<Triangle> =
            (0..).map_while(|number| mesh.triangle(number)).map(|[a, b, c]| Triangle::new(a, b, c)).collect();
        check_contents(&mesh, &triangles);
        for triangle in triangles.iter().take(AIMED) {
            let middle = ((triangle.a.as_dvec3() + triangle.b.as_dvec3() + triangle.c.as_dvec3()) / 3.0).as_vec3();
            for target in [triangle.a, middle] {
                let ray = Ray::between(target + Vec3::new(0.25, 1.0, 3.0), target);
                let ray = ray.with_range(0.0, f32::INFINITY);
                let mut expected = one_by_one(&triangles, &ray, Cull::None);
                expected.retain(|(number, hit)| !hit.uv.is_some_and(|uv| mesh.is_hole(*number, uv)));
                check_ray(&mesh, &ray, Cull::None, &expected);
            }
        }
        // The mesh is also deformed, which checks everything that a refit relies on.
        let moved: Vec<Vec3> = mesh.positions().iter().map(|p| Vec3::new(p.y, p.x * 0.5, p.z)).collect();
        mesh.refit(&moved).expect("halves of finite numbers are finite");
    }
}

fn check_scene(scene: &Scene<u32>) {
    let mut entities: Vec<_> = scene.iter().collect();
    entities.sort_by_key(|(key, _)| *key);
    let mut anew = Scene::new();
    for (key, entity) in &entities {
        let inserted = anew.insert(*key, entity.geometry().clone(), entity.transform());
        inserted.expect("it is in a scene already");
        anew.set_layers(key, entity.layers());
    }
    let again = scene.to_bytes(|key| key.to_le_bytes()).expect("keys are different");
    let again = read_scene(&again).expect("it was saved just now");
    for (_, entity) in entities.iter().take(AIMED) {
        let target = entity.transform().translation;
        let ray = Ray::new((target + DVec3::new(0.25, 1.0, 3.0)).as_vec3(), Vec3::new(-0.25, -1.0, -3.0));
        let t = |scene: &Scene<u32>| scene.cast(&ray).map(|hit| hit.t.to_bits());
        assert_eq!([t(&anew), t(&again)], [t(scene); 2], "{ray:?}");
    }
    for (_, entity) in entities.iter().take(AIMED) {
        for (part, transform) in parts(entity.geometry(), entity.transform()) {
            check_wire((&part, &transform, entity.layers()), &[scene, &anew, &again]);
        }
    }
}

/// Returns the first [`AIMED`] parts of a geometry, and their transforms to the world.
fn parts(geometry: &Geometry, transform: DAffine3) -> Vec<(Geometry, DAffine3)> {
    match geometry {
        Geometry::Compound(compound) => {
            compound.iter().take(AIMED).map(|(part, local)| (part, transform * local)).collect()
        }
        geometry => vec![(geometry.clone(), transform)],
    }
}

/// Checks the points of a cloud or a polyline. They are finite and in the bounds, and a cursor finds the same points of all kinds in each scene.
fn check_wire((part, transform, layers): (&Geometry, &DAffine3, u32), scenes: &[&Scene<u32>]) {
    let (positions, bounds) = match part {
        Geometry::PointCloud(cloud) => (cloud.positions(), cloud.bounds()),
        Geometry::Polyline(line) => {
            let is_there = |end: &u32| (*end as usize) < line.positions().len();
            assert!(
                (0..line.segment_count() as u32)
                    .flat_map(|i| line.segment(i).expect("it is one"))
                    .all(|i| is_there(&i))
            );
            assert!(line.strips().all(|strip| strip.len() >= 2));
            (line.positions(), line.bounds())
        }
        _ => return,
    };
    assert!(positions.iter().all(|point| point.is_finite() && bounds.contains(*point)));
    let Some(first) = positions.first() else { return };
    let target = transform.transform_point3(first.as_dvec3());
    let Ok(place) = Camera::look_at(target + DVec3::new(0.25, 1.0, 3.0), target, DVec3::Y) else { return };
    let camera = Camera::orthographic(place, 2.0).expect("a height that is positive");
    let cursor = Cursor::new(&camera, [64.0, 64.0], [32.0, 32.0], 16.0).hidden(Hidden::Keep);
    let found = |scene: &Scene<u32>| {
        let mut snaps = Vec::new();
        cursor.all(scene, &[SnapKind::Vertex, SnapKind::Midpoint, SnapKind::Edge], &mut snaps);
        // Equal snaps are in the order of insertion, which differs between the scenes.
        let mut found: Vec<String> = snaps.iter().map(|snap| format!("{snap:?}")).collect();
        found.sort();
        found
    };
    let expected = found(scenes[0]);
    let is_ordinary =
        transform.to_cols_array().iter().all(|number| number.abs() < 1e6) && target.abs().max_element() < 1e6;
    assert!(layers == 0 || !is_ordinary || !expected.is_empty(), "no point at {target}");
    scenes.iter().for_each(|scene| assert_eq!(found(scene), expected, "{target}"));
}

/// Returns the initial inputs.
pub fn seeds() -> Vec<Vec<u8>> {
    let corners: Vec<Vec3> = (0..15).map(|i| Vec3::new((i % 3) as f32, (i % 5) as f32, (i / 4) as f32)).collect();
    let mesh = Mesh::from_soup(&corners).expect("whole triangles");
    let full = mesh.clone().with_normals(&corners).expect("one for each");
    let fence = fence(&mesh, corners.len());
    let heights: Vec<f32> = (0..12).map(|i| (i * i % 5) as f32).collect();
    let field = HeightField::new(3, 4, [1.0, 0.5], &heights).and_then(|field| field.with_holes([[1, 2]]));
    let field = field.expect("a sound grid").with_diagonal(Diagonal::Rising);
    let hull = ConvexHull::new(&corners).expect("points that are not in one plane");
    let mut scene = Scene::new();
    let geometries: [Geometry; 6] =
        [(&mesh).into(), (&full).into(), Sphere::new(1.0).into(), field.into(), hull.into(), (&fence).into()];
    for (key, geometry) in (0u32..).zip(geometries) {
        scene.insert(key, geometry, DVec3::X * f64::from(key)).expect("all can be placed");
    }
    vec![
        mesh.rebuilt(hitscan::Quality::Best).to_bytes(),
        full.to_bytes(),
        fence.to_bytes(),
        scene.to_bytes(|key| key.to_le_bytes()).expect("keys are different"),
        wires(&corners).to_bytes(|key| key.to_le_bytes()).expect("keys are different"),
    ]
}

/// Returns a scene of clouds and polylines, alone, empty and in a compound.
fn wires(points: &[Vec3]) -> Scene<u32> {
    let cloud = PointCloud::new(points).expect("finite points");
    let line = Polyline::from_strips([&points[..4], &points[7..9]]).expect("strips of segments");
    let compound = Compound::new([
        (Geometry::from(cloud.clone()), DAffine3::from_translation(DVec3::Y).into()),
        (line.clone().into(), DAffine3::IDENTITY.into()),
        (Sphere::new(0.5).into(), DAffine3::IDENTITY.into()),
    ]);
    let empty = PointCloud::new::<Vec3>(&[]).expect("no points");
    let geometries: [Geometry; 4] = [cloud.into(), line.into(), compound.expect("parts").into(), empty.into()];
    let mut scene = Scene::new();
    for (key, geometry) in (0u32..).zip(geometries) {
        scene.insert(key, geometry, DVec3::X * 4.0 * f64::from(key)).expect("all can be placed");
    }
    scene
}

/// Returns the mesh with cut-outs: by a picture in some triangles, and by values at the corners in others.
fn fence(mesh: &Mesh, vertices: usize) -> Mesh {
    let texcoords: Vec<Vec2> = (0..vertices).map(|i| Vec2::new((i % 2) as f32, (i % 3) as f32 * 0.75)).collect();
    let mask = AlphaMask::new(3, 2, [255, 0, 200, 0, 90, 255]).expect("all texels");
    let by_picture = CutOut::from(mask.wrap(Wrap::MirroredRepeat, Wrap::Repeat)).triangles(0..2).cutoff(0.25);
    let by_corners = CutOut::without_mask().triangles(3..4).alphas([[1.0, 0.0, 0.5]]).factor(0.9);
    let mesh = mesh.clone().with_texcoords(&texcoords).expect("one for each vertex");
    let mesh = mesh.with_cut_out(by_picture).and_then(|mesh| mesh.with_cut_out(by_corners));
    mesh.expect("different triangles that are there")
}
