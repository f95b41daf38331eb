//! The meshes that are saved, and the rays that are cast at them.

use crate::common::{Random, Surface, grid_cube, icosphere};
use hitscan::glam::{Vec2, Vec3};
use hitscan::{Cull, Mesh, MeshHit, Quality, Ray, Side, Triangle};

pub(crate) const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

pub(crate) fn soup(corners: &[[Vec3; 3]]) -> Surface {
    let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Surface { positions: corners.as_flattened().to_vec(), triangles }
}

/// Returns three corners. One is in the cube -1..1, and the others are within this size around it.
fn corners(random: &mut Random, size: f64) -> [Vec3; 3] {
    let middle = random.cube();
    [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
}

pub(crate) fn all(random: &mut Random) -> Vec<(&'static str, Surface)> {
    let mut slivers = grid_cube(5);
    // Some triangles have no area, and some vertices belong to no triangle.
    slivers.triangles.extend((0..20).map(|i| [i, i, i + 1]));
    slivers.positions.push(Vec3::splat(7.0));
    let large: Vec<_> = (0..300).map(|_| corners(random, 1.0)).collect();
    // Large triangles among small ones are split most.
    let mixed: Vec<_> = (0..600).map(|i| corners(random, if i % 20 == 0 { 3.0 } else { 0.03 })).collect();
    // Only one triangle is stored for all its duplicates, because there are many duplicates.
    let one = corners(random, 1.0);
    let repeated: Vec<_> = (0..400).map(|i| if i % 2 == 0 { one } else { corners(random, 0.5) }).collect();
    let tiny = |p: Vec3| p * 1e-42;
    let sizes: Vec<f32> = (0..4000).map(|_| 10f32.powi(random.below(60) as i32 - 30)).collect();
    let mut of_all_sizes = icosphere(2);
    of_all_sizes.positions.iter_mut().zip(sizes).for_each(|(p, size)| *p *= size);
    vec![
        ("sphere", icosphere(4)),
        ("slivers", slivers),
        ("large triangles", soup(&large)),
        ("large and small triangles", soup(&mixed)),
        ("repeated triangles", soup(&repeated)),
        ("subnormal", icosphere(2).map(tiny)),
        ("of all sizes", of_all_sizes),
        ("flat", icosphere(2).map(|p| p * Vec3::new(1.0, 0.0, 1.0))),
        ("one triangle", soup(&[corners(random, 1.0)])),
        ("five triangles", soup(&large[..5])),
        ("nothing", soup(&[])),
    ]
}

/// Returns a mesh with vertex normals and texture coordinates.
pub(crate) fn mesh(surface: &Surface, quality: Quality) -> Mesh {
    let Surface { positions, triangles } = surface;
    let texcoords: Vec<Vec2> =
        positions.iter().map(|p| Vec2::new(p.x, 0.5 - p.z).clamp(Vec2::ZERO, Vec2::ONE)).collect();
    let mesh = Mesh::with_quality(positions, triangles.as_flattened(), quality).unwrap();
    mesh.with_normals(positions).unwrap().with_texcoords(&texcoords).unwrap()
}

/// Returns a ray towards a corner, an edge or anywhere, from nearby or from far away.
pub(crate) fn ray(corners: &[[Vec3; 3]], random: &mut Random) -> Ray {
    if corners.is_empty() {
        return Ray::new(random.cube().as_vec3(), random.direction().as_vec3());
    }
    let triangle = corners[random.below(corners.len())].map(|corner| corner.as_dvec3());
    let [a, b, c] = triangle;
    let aim = [a, (a + b) / 2.0, (a + b + c) / 3.0, a + random.cube() * 0.1][random.below(4)];
    let size = corners.as_flattened().iter().fold(0f32, |size, p| size.max(p.abs().max_element()));
    let origin = (aim + random.direction() * f64::from(size) * [1e-3, 1.0, 3.0, 1e6][random.below(4)]).as_vec3();
    Ray::new(origin, (aim - origin.as_dvec3()).normalize_or_zero().as_vec3())
}

pub(crate) fn triangles(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    (0..).map_while(|number| mesh.triangle(number)).collect()
}

pub(crate) type Bits = (u32, u32, Side, [u32; 2], [u32; 3]);

pub(crate) fn bits(hit: &MeshHit) -> Bits {
    let (uv, normal) = (hit.uv().to_array().map(f32::to_bits), hit.normal().to_array().map(f32::to_bits));
    (hit.t.to_bits(), hit.triangle, hit.side, uv, normal)
}

/// Returns all hits in order, from the test of each triangle alone.
pub(crate) fn one_by_one(corners: &[[Vec3; 3]], ray: &Ray) -> Vec<Bits> {
    let hits = (0..).zip(corners).filter_map(|(number, &[a, b, c])| {
        let hit = Triangle::new(a, b, c).cast(ray)?;
        let uv = hit.uv.expect("a triangle has barycentrics").to_array().map(f32::to_bits);
        Some((hit.t, (hit.t.to_bits(), number, hit.side, uv, hit.normal.to_array().map(f32::to_bits))))
    });
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|(x, a), (y, b)| x.total_cmp(y).then(a.1.cmp(&b.1)));
    hits.into_iter().map(|(_, bits)| bits).collect()
}

/// Asserts that a mesh gives the answers of its triangles one by one.
pub(crate) fn check(mesh: &Mesh, rays: &[Ray], context: &str) {
    let corners = triangles(mesh);
    let mut all = Vec::new();
    for ray in rays {
        let expected = one_by_one(&corners, ray);
        mesh.cast_all(ray, &mut all);
        assert_eq!(all.iter().map(bits).collect::<Vec<_>>(), expected, "{context}, {ray:?}");
        assert_eq!(mesh.cast(ray).map(|hit| bits(&hit)), expected.first().copied(), "{context}, {ray:?}");
        let front = expected.iter().find(|hit| hit.2 == Side::Front);
        assert_eq!(mesh.culled(Cull::Back).cast(ray).map(|hit| bits(&hit)).as_ref(), front, "{context}, {ray:?}");
        assert_eq!(mesh.is_blocked(ray), !expected.is_empty(), "{context}, {ray:?}");
    }
}
