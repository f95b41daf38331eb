use crate::common::Random;
use crate::saved::subjects::{self, QUALITIES, check, mesh, ray};
use hitscan::error::ReadError;
use hitscan::glam::{Vec2, Vec3};
use hitscan::{Mesh, Quality, Ray, Scene};
use hitscan_random::levels;

/// All levels are in one test, as the level is global to the process.
#[test]
fn meshes_read_answer_as_those_saved_on_every_instruction_set() {
    let seed = 51;
    let mut random = Random(seed);
    for (name, surface) in subjects::all(&mut random) {
        let corners: Vec<[Vec3; 3]> =
            surface.triangles.iter().map(|t| t.map(|i| surface.positions[i as usize])).collect();
        let rays: Vec<Ray> = (0..40).map(|_| ray(&corners, &mut random)).collect();
        let moved: Vec<Vec3> = surface.positions.iter().map(|p| *p * 1.5 + random.cube().as_vec3() * 0.2).collect();
        let moved_corners: Vec<[Vec3; 3]> = surface.triangles.iter().map(|t| t.map(|i| moved[i as usize])).collect();
        let moved_rays: Vec<Ray> = (0..20).map(|_| ray(&moved_corners, &mut random)).collect();
        for quality in QUALITIES {
            let context = format!("{name}, {quality:?}, seed {seed}");
            let saved = mesh(&surface, quality);
            let bytes = saved.to_bytes();
            for level in levels::each() {
                let context = format!("{context}, {level}");
                assert_eq!(mesh(&surface, quality).to_bytes(), bytes, "{context}");
                let read = Mesh::from_bytes(&bytes).unwrap_or_else(|error| panic!("{context}: {error}"));
                same(&saved, &read, &context);
                assert_eq!(read.to_bytes(), bytes, "{context}");
                check(&read, &rays, &context);
                let mut deformed = read.clone();
                deformed.refit(&moved).unwrap();
                check(&deformed, &moved_rays, &format!("{context}, deformed"));
                check(&read, &rays, &format!("{context}, after its clone was deformed"));
                let read = Mesh::from_bytes(&deformed.to_bytes()).unwrap();
                check(&read, &moved_rays, &format!("{context}, deformed and read"));
            }
        }
    }
}

/// Asserts that two meshes have the same data and the same tree. Their answers to rays are compared by `check`.
fn same(saved: &Mesh, read: &Mesh, context: &str) {
    let bits = |mesh: &Mesh| mesh.positions().iter().map(|p| p.to_array().map(f32::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(saved), bits(read), "{context}");
    assert_eq!(saved.bounds(), read.bounds(), "{context}");
    assert_eq!(saved.triangle_count(), read.triangle_count(), "{context}");
    assert_eq!(saved.degenerate_count(), read.degenerate_count(), "{context}");
    assert_eq!(saved.tree_stats(), read.tree_stats(), "{context}");
    for triangle in 0..saved.triangle_count() as u32 + 1 {
        assert_eq!(saved.indices(triangle), read.indices(triangle), "{context}");
        let at = Vec2::new(0.25, 0.5);
        assert_eq!(saved.texcoord_at(triangle, at), read.texcoord_at(triangle, at), "{context}");
        assert_eq!(saved.normal_at(triangle, at), read.normal_at(triangle, at), "{context}");
    }
}

#[test]
fn a_mesh_without_attributes_has_none_again() {
    let plain = crate::common::icosphere(1).mesh();
    let read = Mesh::from_bytes(&plain.to_bytes()).unwrap();
    assert_eq!((read.normal_at(0, Vec2::ZERO), read.texcoord_at(0, Vec2::ZERO)), (None, None));
}

/// The kind of the saved object is checked before its content.
#[test]
fn a_scene_is_no_mesh() {
    let scene = Scene::<u32>::new().to_bytes(|key| key.to_le_bytes()).unwrap();
    let error = Mesh::from_bytes(&scene).unwrap_err();
    assert_eq!(error, ReadError::Kind { found: "scene", asked: "mesh" });
    assert!(error.to_string().contains("those of a scene, not of a mesh"), "{error}");
    assert_eq!(Mesh::from_bytes(b"solid box").unwrap_err(), ReadError::Foreign);
    assert_eq!(Mesh::from_bytes(&[]).unwrap_err(), ReadError::Foreign);
}

/// The splits of `Best` are saved: see `same`, which compares the expected visits too.
#[test]
fn large_triangles_are_divided_in_what_is_read() {
    let mut random = Random(52);
    let surface = subjects::all(&mut random).swap_remove(3).1;
    let visits = |quality| Mesh::from_bytes(&mesh(&surface, quality).to_bytes()).unwrap().tree_stats().expected_visits;
    let mut whole = mesh(&surface, Quality::Best);
    whole.refit(&surface.positions).unwrap();
    let (divided, whole) = (visits(Quality::Best), whole.tree_stats().expected_visits);
    assert!(divided < 0.97 * whole, "{divided} beside {whole}: nothing was divided");
}
