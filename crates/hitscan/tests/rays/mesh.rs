//! Meshes: the input that they accept and refuse, and their answers.

use crate::common::{Random, grid_cube, icosphere};
use hitscan::error::MeshError;
use hitscan::glam::{Vec2, Vec3};
use hitscan::{Cull, Mesh, Ray, Side, Triangle};

const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const SQUARE_INDICES: [u32; 6] = [0, 1, 2, 0, 2, 3];

#[test]
fn names_the_first_offender() {
    let nan = [[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0, f32::INFINITY, 0.0]];
    assert!(matches!(Mesh::new(&nan, &[0, 1, 2]), Err(MeshError::Vertex { index: 1, .. })));
    // Vertices that no triangle uses must be finite too. Their NaN would appear as soon as an index changes.
    assert!(matches!(Mesh::new(&nan, &[0, 0, 0]), Err(MeshError::Vertex { index: 1, .. })));
    let out = Mesh::new(&SQUARE, &[0, 1, 2, 0, 4, 9]);
    assert_eq!(out.unwrap_err(), MeshError::Index { at: 4, index: 4, vertices: 4 });
    assert_eq!(Mesh::new(&SQUARE, &[0, 1]).unwrap_err(), MeshError::Count { count: 2 });
    assert_eq!(Mesh::from_soup(&SQUARE).unwrap_err(), MeshError::Count { count: 4 });
    let message = Mesh::new(&SQUARE, &[0, 1, 7]).unwrap_err().to_string();
    assert_eq!(message, "indices[2] is 7, but there are 4 vertices: each index must be below 4");
}

#[test]
fn an_empty_mesh_is_never_hit() {
    let empty = Mesh::new::<[f32; 3]>(&[], &[]).unwrap();
    assert!(empty.bounds().is_empty());
    assert!(empty.cast(&Ray::new(Vec3::ZERO, Vec3::X)).is_none());
}

#[test]
fn three_sources_make_the_same_mesh() {
    let indexed = Mesh::new(&SQUARE, &SQUARE_INDICES).unwrap();
    let corners: Vec<[f32; 3]> = SQUARE_INDICES.iter().map(|&i| SQUARE[i as usize]).collect();
    let soup = Mesh::from_soup(&corners).unwrap();
    // The layout is interleaved: two other floats, the position, and a padding byte.
    let mut bytes = vec![7u8; 3];
    for position in SQUARE {
        bytes.extend([0.5f32, 0.25].iter().flat_map(|f| f.to_ne_bytes()));
        bytes.extend(position.iter().flat_map(|f| f.to_ne_bytes()));
        bytes.push(9);
    }
    let strided = Mesh::from_buffer(&bytes, 3 + 8, 21, 4, Some(&SQUARE_INDICES)).unwrap();
    let ray = Ray::new([0.25, 0.75, -3.0], [0.0, 0.0, 1.0]);
    let hit = indexed.cast(&ray).unwrap();
    assert_eq!((hit.t, hit.triangle, hit.side, hit.normal()), (3.0, 1, Side::Back, Vec3::Z));
    assert_eq!((soup.cast(&ray), strided.cast(&ray)), (Some(hit), Some(hit)));

    let short = Mesh::from_buffer(&bytes, 3 + 8, 21, 5, None);
    assert_eq!(short.unwrap_err(), MeshError::Buffer { needed: 11 + 4 * 21 + 12, given: bytes.len() });
    let absurd = Mesh::from_buffer(&[0; 12], 0, 0, usize::MAX, Some(&[0, 0, 0]));
    assert_eq!(absurd.unwrap_err(), MeshError::Stride { stride: 0 });
    assert!(matches!(Mesh::from_buffer(&bytes, usize::MAX, 21, 1, None), Err(MeshError::Buffer { .. })));
    assert!(matches!(Mesh::from_buffer(&bytes, 0, usize::MAX, 3, None), Err(MeshError::Buffer { .. })));
}

#[test]
fn triangles_without_area_are_kept_counted_and_never_hit() {
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::new(&positions, &[0, 1, 2, 0, 0, 0, 0, 1, 3, 3, 3, 1]).unwrap();
    assert_eq!((mesh.triangle_count(), mesh.degenerate_count()), (4, 3));
    let mut hits = Vec::new();
    mesh.cast_all(&Ray::new([0.5, 0.0, 1.0], [0.0, 0.0, -1.0]), &mut hits);
    assert_eq!(hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>(), [2]);
    // Slivers whose area underflows in f32 products still have an area.
    let sliver = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1e-30, 0.0, 0.0], [0.0, 1e-30, 0.0]]).unwrap();
    assert_eq!(sliver.degenerate_count(), 0);
}

#[test]
fn all_hits_are_every_triangle_touched_in_order() {
    let mesh = grid_cube(4).mesh();
    let mut hits = Vec::new();
    // The ray goes through a vertex where six triangles meet, on both sides.
    mesh.cast_all(&Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]), &mut hits);
    assert_eq!(hits.len(), 12);
    assert!(hits.is_sorted_by(|a, b| (a.t, a.triangle) < (b.t, b.triangle)));
    assert_eq!((hits[0].t, hits[6].t), (4.0, 6.0));
    mesh.culled(Cull::Back).cast_all(&Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]), &mut hits);
    assert!(hits.len() == 6 && hits.iter().all(|hit| hit.side == Side::Front));
}

#[test]
fn answers_equal_those_of_its_triangles_one_by_one() {
    let surface = icosphere(3).map(|p| p * Vec3::new(1.0, 2.0, 0.5));
    let mesh = surface.mesh();
    let triangles: Vec<Triangle> = surface
        .triangles
        .iter()
        .map(|t| t.map(|i| surface.positions[i as usize]))
        .map(|[a, b, c]| Triangle::new(a, b, c))
        .collect();
    let mut random = Random(5);
    for cull in [Cull::None, Cull::Back, Cull::Front] {
        for i in 0..3_000 {
            let ray = Ray::with_direction(random.cube().as_vec3() * 2.5, random.direction().as_vec3());
            let ray = if i % 3 == 0 { ray.with_range(0.5, 1.5) } else { ray };
            let each = (0..).zip(&triangles).filter_map(|(i, t)| Some((t.culled(cull).cast(&ray)?, i)));
            let closest = each.min_by(|(a, i), (b, j)| a.t.total_cmp(&b.t).then(i.cmp(j)));
            let hit = mesh.culled(cull).cast(&ray);
            let plain = |t: f32, triangle: u32, side, uv: Vec2| (t.to_bits(), triangle, side, uv.to_array());
            assert_eq!(
                hit.map(|h| plain(h.t, h.triangle, h.side, h.uv())),
                closest.map(|(h, i)| plain(h.t, i, h.side, h.uv.unwrap())),
                "{ray:?}"
            );
            assert_eq!(mesh.culled(cull).is_blocked(&ray), hit.is_some());
            if let Some(hit) = hit {
                assert!((hit.point() - ray.at(hit.t)).length() < 1e-5, "{ray:?}");
            }
        }
    }
}

#[test]
fn attributes_are_interpolated() {
    let mesh = Mesh::new(&SQUARE, &SQUARE_INDICES).unwrap();
    let texcoords = [[0.0, 0.0], [2.0, 0.0], [2.0, 4.0], [0.0, 4.0]];
    let mesh = mesh.with_texcoords(&texcoords).unwrap().with_normals(&[[0.0, 0.0, 3.0]; 4]).unwrap();
    let hit = mesh.cast(&Ray::new([0.25, 0.75, 1.0], [0.0, 0.0, -1.0])).unwrap();
    assert_eq!(mesh.texcoord_at(hit.triangle, hit.uv()), Some(Vec2::new(0.5, 3.0)));
    assert_eq!(mesh.normal_at(hit.triangle, hit.uv()), Some(Vec3::new(0.0, 0.0, 3.0)));
    assert_eq!(mesh.texcoord_at(2, hit.uv()), None);
    let nan = mesh.clone().with_texcoords(&[[0.0, 0.0], [0.0, 1.0], [0.0, f32::NAN], [0.0, 1.0]]).unwrap_err();
    assert_eq!(nan, MeshError::Attribute { what: "texture coordinates", index: 2 });
    let error = mesh.with_normals(&[[0.0, 1.0, 0.0]; 3]).unwrap_err();
    assert_eq!(error.to_string(), "there are 3 normals for 4 vertices: give one for each vertex");
}

#[test]
fn works_at_every_scale_of_mesh_and_direction() {
    for scale in [1e-20f32, 1e-6, 1.0, 1e9, 1e30] {
        let mesh = icosphere(2).map(|p| p * scale).mesh();
        for length in [1e-30f32, 1e-3, 1.0, 1e30] {
            let ray = Ray::with_direction([0.0, 0.0, 3.0 * scale], [0.0, 0.0, -length]);
            let expected = 2.0 * f64::from(scale) / f64::from(length);
            let hit = mesh.cast(&ray);
            if expected < f64::from(f32::MIN_POSITIVE) || expected > f64::from(f32::MAX) {
                // The true t is out of range for f32: a subnormal or zero t, or a miss, is reported.
                assert_eq!(hit.is_some(), expected < 1.0, "{scale} {length}");
            } else {
                let t = f64::from(hit.expect("the sphere is hit").t);
                assert!((t / expected - 1.0).abs() < 0.05, "{scale} {length}: {t}");
            }
        }
    }
}
