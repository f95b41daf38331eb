//! Duplicate triangles: all of them are reported, and few are in the tree.

use crate::common::Random;
use hitscan::glam::Vec3;
use hitscan::{Cull, Filter, Mesh, Quality, Ray, RayQueries, Scene, Side, Triangle};

const COPIES: usize = 200;
const CULLS: [Cull; 3] = [Cull::None, Cull::Back, Cull::Front];

fn corners(random: &mut Random) -> [Vec3; 3] {
    [random.cube(), random.cube(), random.cube()].map(|v| v.as_vec3())
}

/// Returns copies of three triangles among other triangles. Two of the three have the same corners in another order.
fn soup(random: &mut Random) -> Vec<[Vec3; 3]> {
    let [a, b] = [corners(random), corners(random)];
    let turned = [a[0], a[2], a[1]];
    let each = |_| [a, b, turned, corners(random)];
    (0..COPIES).flat_map(each).collect()
}

type Bits = (u32, u32, Side, [u32; 2]);

fn expected(soup: &[[Vec3; 3]], ray: &Ray, cull: Cull) -> Vec<Bits> {
    let hits = (0..).zip(soup).filter_map(|(number, &[a, b, c])| {
        let hit = Triangle::new(a, b, c).culled(cull).cast(ray)?;
        let uv = hit.uv.expect("of a triangle");
        Some((hit.t, (hit.t.to_bits(), number, hit.side, uv.to_array().map(f32::to_bits))))
    });
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|(x, a), (y, b)| x.total_cmp(y).then(a.1.cmp(&b.1)));
    hits.into_iter().map(|(_, bits)| bits).collect()
}

fn check(mesh: &Mesh, soup: &[[Vec3; 3]], random: &mut Random, context: &str) {
    for number in 0..60 {
        let [a, b, c] = soup[random.below(soup.len())];
        // The targets are corners, edges and interior points.
        let target = [a, (a + b) / 2.0, (a + b + c) / 3.0][number % 3];
        let origin = random.cube().as_vec3() * 4.0;
        let ray = Ray::with_direction(origin, target - origin);
        for cull in CULLS {
            let expected = expected(soup, &ray, cull);
            let mut all = Vec::new();
            mesh.culled(cull).cast_all(&ray, &mut all);
            let bits = |hit: &hitscan::MeshHit| {
                (hit.t.to_bits(), hit.triangle, hit.side, hit.uv().to_array().map(f32::to_bits))
            };
            assert_eq!(all.iter().map(bits).collect::<Vec<_>>(), expected, "{context}, {ray:?} {cull:?}");
            assert_eq!(
                mesh.culled(cull).cast(&ray).as_ref().map(bits),
                expected.first().copied(),
                "{context}, {ray:?}"
            );
            assert_eq!(mesh.culled(cull).is_blocked(&ray), !expected.is_empty(), "{context}, {ray:?} {cull:?}");
        }
    }
}

#[test]
fn all_of_them_are_answered_for() {
    let mut random = Random(9);
    for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
        let mut soup = soup(&mut random);
        let indices: Vec<u32> = (0..3 * soup.len() as u32).collect();
        let mut mesh = Mesh::with_quality(soup.as_flattened(), &indices, quality).unwrap();
        assert!(mesh.tree_stats().leaves < COPIES / 3, "{quality:?}: {:?}", mesh.tree_stats());
        check(&mesh, &soup, &mut random, "as built");
        // Every second copy moves separately.
        for triangle in soup.iter_mut().step_by(8) {
            triangle.iter_mut().for_each(|corner| *corner += random.cube().as_vec3() * 0.25);
        }
        mesh.refit(soup.as_flattened()).unwrap();
        check(&mesh, &soup, &mut random, "refitted");
    }
}

#[test]
fn a_query_walks_through_them() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let indices: Vec<u32> = (0..500).flat_map(|_| [0, 1, 2]).collect();
    let mut scene = Scene::new();
    scene.insert("stack", Mesh::new(&corners, &indices).unwrap(), hitscan::glam::DVec3::ZERO).unwrap();
    let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    let mut hit = scene.cast(&ray);
    for expected in 0..500 {
        let found = hit.expect("one for each");
        assert_eq!((found.t, found.triangle), (1.0, Some(expected)));
        hit = scene.after(&found).cast(&ray);
    }
    assert_eq!(hit, None);
    let odd = Filter::new().hits(|candidate| candidate.triangle.is_some_and(|triangle| triangle % 2 == 1));
    assert_eq!(scene.with(&odd).cast(&ray).and_then(|hit| hit.triangle), Some(1));
}

#[test]
fn a_hundred_thousand_at_one_place_are_one_in_the_tree() {
    let corners = [Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.3, 0.1, -0.2), Vec3::new(0.2, 1.7, 0.4)];
    let indices: Vec<u32> = (0..100_000).flat_map(|_| [0, 1, 2]).collect();
    let mesh = Mesh::new(&corners, &indices).unwrap();
    assert_eq!((mesh.triangle_count(), mesh.tree_stats().leaves), (100_000, 1));
    let hit = mesh.cast(&Ray::new([0.4, 0.5, 5.0], [0.02, 0.01, -1.0])).unwrap();
    assert_eq!(hit.triangle, 0);
}
