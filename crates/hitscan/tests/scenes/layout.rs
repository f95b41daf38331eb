//! Compact meshes give the answers of packed meshes, in less memory.

use crate::common;
use crate::common::{Random, grid_cube, icosphere};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::mesh::Layout;
use hitscan::{Capsule, Cull, Mesh, ProximityQueries, Quality, Ray, RayQueries, Scene, Sphere, SweepQueries};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// Returns a packed and a compact mesh with each quality, of a sphere, a box of slivers, and triangles many of which
/// are duplicates.
fn pairs() -> Vec<[Mesh; 2]> {
    let same: Vec<Vec3> = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]].map(Vec3::from).repeat(500);
    let surfaces = [icosphere(4), grid_cube(6)];
    let meshes = QUALITIES.into_iter().flat_map(|quality| {
        let of = |surface: &common::Surface| {
            Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), quality).unwrap()
        };
        let indices: Vec<u32> = (0..same.len() as u32).collect();
        [of(&surfaces[0]), of(&surfaces[1]), Mesh::with_quality(&same, &indices, quality).unwrap()]
    });
    meshes.map(|mesh| [mesh.clone(), mesh.with_layout(Layout::Compact)]).collect()
}

#[test]
fn batches_and_volumes_are_answered_as_by_packed_ones() {
    let mut random = Random(3);
    for [packed, compact] in pairs() {
        assert_eq!([packed.layout(), compact.layout()], [Layout::Packed, Layout::Compact]);
        // Neighbouring rays are coherent, and others are not.
        let eye = Vec3::new(0.3, 0.4, 3.0);
        let towards = |i: u32| Vec3::new((i % 40) as f32 / 40.0 - 0.5, (i / 40) as f32 / 40.0 - 0.5, 0.0) - eye;
        let mut rays: Vec<Ray> = (0..1600).map(|i| Ray::new(eye, towards(i))).collect();
        rays.extend((0..200).map(|_| Ray::new(random.cube().as_vec3() * 2.0, random.direction().as_vec3())));
        let mut hits = [(); 2].map(|()| vec![None; rays.len()]);
        let mut blocked = [(); 2].map(|()| vec![false; rays.len()]);
        for (i, mesh) in [&packed, &compact].into_iter().enumerate() {
            mesh.culled(Cull::Back).cast_batch(&rays, &mut hits[i]).unwrap();
            mesh.is_blocked_batch(&rays, &mut blocked[i]).unwrap();
        }
        assert_eq!((&hits[0], &blocked[0]), (&hits[1], &blocked[1]));
        assert!(blocked[0].contains(&true));
        let [mut one, mut other] = [Scene::new(), Scene::new()];
        one.insert(0, &packed, DVec3::X).unwrap();
        other.insert(0, &compact, DVec3::X).unwrap();
        let turned = DAffine3::from_scale_rotation_translation(
            DVec3::new(2.0, -0.7, 1.3),
            DQuat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize(),
            DVec3::new(0.3, -1.0, -40.0),
        );
        one.insert(1, &packed, turned).unwrap();
        other.insert(1, &compact, turned).unwrap();
        rays.extend((0..400).map(|_| {
            let (from, to) = (random.cube() * 4.0, turned.transform_point3(random.cube()));
            Ray::new(from.as_vec3(), (to - from).as_vec3())
        }));
        let mut met = 0;
        for ray in &rays {
            let hits = [one.cast(ray), other.cast(ray)];
            assert_eq!(hits[0], hits[1]);
            assert_eq!([one.is_blocked(ray), other.is_blocked(ray)], [hits[0].is_some(); 2]);
            met += usize::from(hits[0].is_some_and(|hit| hit.id == 1));
        }
        assert!(met > 20, "{met}");
        for _ in 0..200 {
            let (place, motion) = (random.cube() * 3.0, (random.cube() * 4.0).as_vec3());
            let (ball, pill, point) = (Sphere::new(0.1), Capsule::new(0.05, 0.3), place.as_vec3());
            assert_eq!(packed.closest_point(point), compact.closest_point(point));
            assert_eq!(one.sweep(ball, place, motion), other.sweep(ball, place, motion));
            assert_eq!(one.overlaps(pill, place), other.overlaps(pill, place));
            assert_eq!(one.penetration(ball, place), other.penetration(ball, place));
        }
        assert_eq!(packed.to_bytes(), compact.to_bytes());
    }
}

#[test]
fn it_takes_a_fifth_of_the_memory_and_comes_back() {
    let sphere = icosphere(5);
    let packed = Mesh::new(&sphere.positions, sphere.triangles.as_flattened()).unwrap();
    let compact = packed.clone().with_layout(Layout::Compact);
    let bytes = |mesh: &Mesh| mesh.tree_stats().bytes as f64 / mesh.triangle_count() as f64;
    assert!(bytes(&compact) < 20.0 && 4.5 * bytes(&compact) < bytes(&packed), "{} {}", bytes(&compact), bytes(&packed));
    // The packed original is unchanged, and meshes that are derived from the compact one are compact.
    assert_eq!(packed.layout(), Layout::Packed);
    assert_eq!(compact.rebuilt(Quality::Best).layout(), Layout::Compact);
    let back = compact.with_layout(Layout::Packed);
    assert_eq!((back.layout(), back.tree_stats()), (Layout::Packed, packed.tree_stats()));
}
