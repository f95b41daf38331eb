//! Meshes of arbitrary numbers. Invalid meshes are refused, and valid meshes give the same answers as tests of all their
//! triangles.

use crate::list::List;
use crate::numbers::{Aim, Point, positions};
use arbitrary::Arbitrary;
use hitscan::error::ShapeError;
use hitscan::glam::Vec3;
use hitscan::query::ShapeHit;
use hitscan::{Cull, Mesh, MeshHit, Ray, Triangle};

/// A mesh, and rays at it.
#[derive(Debug, Arbitrary)]
pub struct Input {
    vertices: List<Point, 63>,
    /// The indices, taken modulo the number of vertices. The largest byte is an index out of range.
    indices: List<[u8; 3], 63>,
    /// The indices of an incomplete triangle.
    remainder: [u8; 2],
    /// The number of the indices in `remainder` that are used, which is mostly 0.
    remaining: u8,
    rays: List<Aim, 15>,
}

/// Builds the mesh and casts the rays. Returns how many of them hit.
pub fn check(input: &Input) -> usize {
    let positions = positions(&input.vertices);
    let indices = indices(input, positions.len());
    let mesh = Mesh::new(&positions, &indices);
    let is_sound = indices.len().is_multiple_of(3)
        && positions.iter().all(|position| position.is_finite())
        && indices.iter().all(|&index| (index as usize) < positions.len());
    assert_eq!(mesh.is_ok(), is_sound, "{:?}", mesh.err());
    let Ok(mesh) = mesh else { return 0 };

    let corner = |&index: &u32| positions[index as usize];
    let corners: Vec<Vec3> = indices.iter().map(corner).collect();
    let triangles: Vec<Triangle> = corners.as_chunks().0.iter().map(|&[a, b, c]| Triangle::new(a, b, c)).collect();
    check_contents(&mesh, &triangles);
    let soup = Mesh::from_soup(&corners).expect("its corners are finite and whole triangles");
    let mut hits = 0;
    for ray in input.rays.iter().map(|aim| aim.ray(&positions)) {
        for cull in [Cull::None, Cull::Back, Cull::Front] {
            let expected = one_by_one(&triangles, &ray, cull);
            check_ray(&mesh, &ray, cull, &expected);
            check_ray(&soup, &ray, cull, &expected);
            hits += usize::from(cull == Cull::None && !expected.is_empty());
        }
    }
    hits
}

fn indices(input: &Input, vertices: usize) -> Vec<u32> {
    // The largest byte becomes the first index that is out of range.
    let index = |&byte: &u8| match (usize::from(byte), vertices) {
        (0xFF, _) | (_, 0) => vertices as u32,
        (index, _) => (index % vertices) as u32,
    };
    // In most inputs, the last triangle is complete.
    let remaining = usize::from(input.remaining.saturating_sub(0xFD));
    input.indices.as_flattened().iter().chain(&input.remainder[..remaining]).map(index).collect()
}

pub(crate) fn check_contents(mesh: &Mesh, triangles: &[Triangle]) {
    assert_eq!(mesh.triangle_count(), triangles.len());
    let without_area = triangles.iter().filter(|triangle| triangle.validate() == Err(ShapeError::NoArea)).count();
    assert_eq!(mesh.degenerate_count(), without_area);
    assert!(mesh.triangle(triangles.len() as u32).is_none());
    let bounds = mesh.bounds();
    for (number, triangle) in (0..).zip(triangles) {
        assert_eq!(mesh.triangle(number), Some([triangle.a, triangle.b, triangle.c]));
        assert!([triangle.a, triangle.b, triangle.c].into_iter().all(|corner| bounds.contains(corner)));
    }
}

/// Returns the hits, found without a tree, ordered by t and then by triangle.
pub(crate) fn one_by_one(triangles: &[Triangle], ray: &Ray, cull: Cull) -> Vec<(u32, ShapeHit)> {
    let hit = |(number, triangle): (u32, &Triangle)| Some((number, triangle.culled(cull).cast(ray)?));
    let mut hits: Vec<_> = (0..).zip(triangles).filter_map(hit).collect();
    hits.sort_by(|(_, a), (_, b)| a.t.total_cmp(&b.t));
    hits
}

pub(crate) fn check_ray(mesh: &Mesh, ray: &Ray, cull: Cull, expected: &[(u32, ShapeHit)]) {
    let mut hits = Vec::new();
    mesh.culled(cull).cast_all(ray, &mut hits);
    let bits: Vec<_> = hits.iter().map(bits).collect();
    let expected: Vec<_> = expected.iter().map(|(number, hit)| expected_bits(*number, hit)).collect();
    assert_eq!(bits, expected, "{ray:?} {cull:?}: {hits:?}");
    assert_eq!(mesh.culled(cull).cast(ray).as_ref(), hits.first(), "{ray:?} {cull:?}");
    assert_eq!(mesh.culled(cull).is_blocked(ray), !hits.is_empty(), "{ray:?} {cull:?}");
    for hit in &hits {
        assert!(ray.t_min <= hit.t && hit.t <= ray.t_max && hit.point().is_finite(), "{ray:?}: {hit:?}");
    }
}

/// The data that a mesh and a single triangle both report.
type Bits = (u32, u32, hitscan::Side, [u32; 3], [u32; 2]);

fn bits(hit: &MeshHit) -> Bits {
    let shape_hit = ShapeHit { t: hit.t, normal: hit.normal(), side: hit.side, uv: Some(hit.uv()) };
    expected_bits(hit.triangle, &shape_hit)
}

fn expected_bits(number: u32, hit: &ShapeHit) -> Bits {
    let uv = hit.uv.expect("a triangle has barycentrics");
    (number, hit.t.to_bits(), hit.side, hit.normal.to_array().map(f32::to_bits), uv.to_array().map(f32::to_bits))
}
