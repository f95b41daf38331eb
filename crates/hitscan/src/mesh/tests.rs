//! Tests of the kernel with rays in the spaces of instances, whose numbers are not f32, against the exact test of each triangle alone. Every family of
//! rays is hard for some of the bounds by which the kernel rejects triangles in f32.

use super::data::leaf_storage::Layout;
use super::{Mesh, MeshData};
use crate::bvh::Quality;
use crate::geom::culling::Cull;
use crate::geom::hit::Side;
use crate::geom::ray::{LocalRay, Ray};
use crate::math::random::Random;
use crate::shape::{Verdict, triangle_normal, triangle_verdict};
use crate::simd::{Simd, SimdLevel, dispatch};
use crate::tri::corner_rotation::CornerRotation;
use crate::tri::triangle_extents;
use crate::tri::{ErrorInput, Leaves, MeshHit, NONE, NearestHit, SIZE, Triangle8, TriangleSearch, TriangleSet};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// Makes triangles around common corners, one of which is at 0. They are small triangles far out, large triangles, flat
/// triangles along the axes, and slivers.
fn soup(random: &mut Random) -> Vec<[Vec3; 3]> {
    let mut list = Vec::new();
    for fan in 0..24 {
        let middle = if fan == 0 { DVec3::ZERO } else { random.cube() };
        let size = random.pick(&[1.0, 0.5, 0.1, 1e-2, 1e-3, 1e-5]);
        let flat = random.below(6);
        let rim: Vec<DVec3> = (0..5)
            .map(|_| {
                let mut way = random.cube() * size;
                if flat < 3 {
                    way[flat] = 0.0;
                }
                if flat == 3 {
                    way.y = way.x * (1.0 + 1e-4 * random.unit());
                }
                middle + way
            })
            .collect();
        list.extend((0..5).map(|i| [middle, rim[i], rim[(i + 1) % 5]].map(|p| p.as_vec3())));
    }
    list
}

/// Returns a ray to a corner, an edge or another point of a triangle, or slightly beside it. Rays come from nearby, from anywhere, or from so far that
/// f64 rounds.
fn ray(corners: [DVec3; 3], random: &mut Random) -> LocalRay {
    let first = random.below(3);
    let [a, b, c] = [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]];
    let on = match random.below(4) {
        0 => a,
        1 => (a + b) / 2.0,
        2 => a.lerp(b, random.unit().abs()),
        _ => (a + b + c) / 3.0,
    };
    let aside = random.pick(&[0.0, 0.0, 1e-15, 1e-9, 1e-8, 1e-7, 1e-6]);
    let target = on + random.cube() * aside;
    let mut way = random.cube();
    match random.below(6) {
        0 => way = DVec3::AXES[random.below(3)] * random.unit().signum(),
        1 => way[random.below(3)] *= random.pick(&[0.0, 1e-25, 1e-12, 1e-4]),
        // The direction is slightly out of the triangle's plane.
        2 => way = (b - a) * random.unit() + (c - a) * random.unit() + way * random.pick(&[0.0, 1e-6, 1e-3]),
        _ => {}
    }
    // Half of the directions have few bits, so that an origin can be exact although it is far away.
    let way = if random.below(2) == 0 { way.as_vec3().as_dvec3() } else { way };
    let far = random.pick(&[1e-6, 1e-4, 1e-2, 1.0, 1.0, 2.0, 3.5]);
    let far = if random.below(3) == 0 { 2f64.powi(random.below(60) as i32) } else { far };
    let pace = 2f64.powi(random.pick(&[0, 0, 0, 30, -30, 99, 101, -200, 160]));
    let t = (far / pace) as f32;
    let (t_min, t_max) = match random.below(10) {
        0 => (0.0, t),
        1 => (t, f32::INFINITY),
        2 => (t * 0.5, t.next_down()),
        3 => (-t, t),
        4 => (f32::NEG_INFINITY, f32::INFINITY),
        5 => (f32::NEG_INFINITY, -t * 1e-3),
        6 => (t.next_up(), f32::MAX),
        _ => (0.0, f32::INFINITY),
    };
    let direction = way * pace;
    LocalRay { origin: target - way * far, direction, t_min: t_min.min(t_max), t_max }
}

type Hit = (f32, u32, crate::geom::hit::Side);

fn all_of(mesh: &Mesh, ray: &LocalRay) -> Vec<Hit> {
    let mut hits = Vec::new();
    let _ = mesh.each(ray, 0.0, &[], &mut |found, _| {
        hits.push((found.verdict.t, found.triangle, found.verdict.side));
        ControlFlow::Continue(f32::INFINITY)
    });
    sorted(hits)
}

fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    hits.dedup();
    hits
}

#[test]
fn rays_in_f64_are_answered_as_by_each_triangle_alone() {
    let seed = 41;
    let mut random = Random(seed);
    let levels: Vec<SimdLevel> = SimdLevel::available().collect();
    for round in 0..40 {
        let scale = random.pick(&[1.0, 1.0, 1e-20, 1e30]) as f32;
        let soup: Vec<[Vec3; 3]> = soup(&mut random).into_iter().map(|t| t.map(|p| p * scale)).collect();
        let quality = random.pick(&[Quality::Fast, Quality::Balanced, Quality::Best]);
        let indices: Vec<u32> = (0..3 * soup.len() as u32).collect();
        let mesh = Mesh::with_quality(soup.as_flattened(), &indices, quality).unwrap();
        for number in 0..800 {
            let corners = soup[random.below(soup.len())].map(|p| p.as_dvec3() / f64::from(scale));
            let unit = ray(corners, &mut random);
            let size = f64::from(scale);
            let ray = LocalRay { origin: unit.origin * size, direction: unit.direction * size, ..unit };
            let alone = |(number, corners): (u32, &[Vec3; 3])| {
                let Verdict { t, side } = triangle_verdict(&ray, corners.map(|p| p.as_dvec3()))?;
                Some((t, number, side))
            };
            let expected = sorted((0..).zip(&soup).filter_map(alone).collect());
            for level in &levels {
                level.select().unwrap();
                let context =
                    || alloc::format!("seed {seed}, round {round}, ray {number}, {level}, {quality:?}: {ray:?}");
                assert_eq!(all_of(&mesh, &ray), expected, "{}", context());
                // The ray is known to hit nothing before a t. The t is half as far as the first hit, or right before
                // it.
                let first = expected.first().copied();
                let before = first.map_or(0.0, |(t, ..)| f64::from(t.next_down()));
                for from in [0.0, before * 0.5, before] {
                    let closest = mesh.closest(&ray, from, Cull::None);
                    let closest = closest.map(|f| (f.verdict.t, f.triangle, f.verdict.side));
                    assert_eq!(closest, first, "from {from}, {}", context());
                    assert_eq!(mesh.has_any(&ray, from, Cull::None), first.is_some(), "from {from}, {}", context());
                }
            }
        }
    }
}

/// A height field of this many squares a side.
#[cfg(feature = "parallel")]
fn field(side: u32, height: impl Fn(f32, f32) -> f32) -> (Vec<Vec3>, Vec<u32>) {
    let at = |i: u32| i as f32 / side as f32;
    let corners = (0..=side).flat_map(|z| (0..=side).map(move |x| (at(x), at(z))));
    let positions = corners.map(|(x, z)| Vec3::new(x, height(x, z), z)).collect();
    let first = |i: u32| i / side * (side + 1) + i % side;
    let square = |a: u32| [a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2];
    (positions, (0..side * side).flat_map(|i| square(first(i))).collect())
}

#[cfg(feature = "parallel")]
#[test]
fn threads_do_not_change_a_refitted_tree() {
    let (flat, indices) = field(120, |_, _| 0.0);
    let (waved, _) = field(120, |x, z| (9.0 * x).fract() * z);
    for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut mesh = Mesh::with_quality(&flat, &indices, quality).unwrap();
                mesh.refit(&waved).unwrap();
                alloc::format!("{:?}", mesh.shared)
            })
        };
        let one = by(1);
        for threads in [2, 3] {
            assert!(one == by(threads), "{quality:?} by {threads} threads");
        }
    }
}

/// Returns the nearest hit of a near ray, and the increase of t over a distance of 1.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn nearest<S: Simd>(simd: S, shared: &MeshData, ray: &Ray) -> Option<(NearestHit, f64)> {
    let framed = shared.frame.own_near_ray(simd, ray)?;
    Some((TriangleSearch::new(shared, simd, ray, &framed).nearest(None, Cull::None)?, framed.t_per_distance()))
}

#[test]
fn a_span_bounds_the_error_of_t_as_the_sizes_do() {
    let (mut random, mut found) = (Random(18), 0);
    for _ in 0..60 {
        let soup = soup(&mut random);
        let mesh = Mesh::from_soup(&soup.concat()).unwrap();
        let shared = &*mesh.shared;
        for _ in 0..1000 {
            let [a, b, c] = random.pick(&soup).map(|corner| corner.as_dvec3());
            let target = a + (b - a) * 0.3 * random.unit().abs() + (c - a) * 0.3 * random.unit().abs();
            let way = random.cube() * random.pick(&[1e-6, 1e-4, 1e-2, 1.0]);
            let pace = random.pick(&[1e-20, 1e-3, 1.0, 1e20]);
            let ray = Ray {
                origin: (target - way).as_vec3(),
                direction: (way * pace).as_vec3(),
                t_min: 0.0,
                t_max: f32::INFINITY,
            };
            let Some((NearestHit { place, low, high, verdict: None }, t_per_distance)) =
                dispatch!(simd => nearest(simd, shared, &ray))
            else {
                continue;
            };
            let ([o, d], [a, b, c]) = (shared.frame.exact(&ray.local()).line(), shared.framed_corners(place));
            let normal = triangle_normal([a, b, c]);
            let det = (d * t_per_distance).dot(normal);
            let t = ((a - o) * t_per_distance).dot(normal) / det;
            let sizes = shared.exact_block(place).unwrap().sizes(place.lane());
            let error = |known: ErrorInput| known.error(det, t, t_per_distance);
            let (by_span, by_sizes) = (
                error(ErrorInput::within([low, high], t_per_distance)),
                error(ErrorInput::Sizes(sizes.map(f64::from))),
            );
            assert!(by_span >= by_sizes, "{by_span:e} {by_sizes:e} {ray:?} {a} {b} {c}");
            found += 1;
        }
    }
    assert!(found > 10_000, "{found}");
}

#[test]
fn an_extent_is_no_less_than_what_it_holds() {
    let mut random = Random(20);
    for _ in 0..100_000 {
        let sizes = [16.0, 32.0].map(|most: f64| (4.0 * 10f64.powf(-most * random.unit().abs())) as f32);
        let rotation = CornerRotation::new(random.below(3) as u32);
        let code = triangle_extents::encode(sizes, rotation);
        let [reach, product] = triangle_extents::sizes(code);
        assert_eq!(triangle_extents::rotation(code), rotation);
        assert!((1.0..1.02).contains(&(reach / sizes[0])), "{sizes:?} {reach:e}");
        assert!((1.0..1.06).contains(&(product / sizes[1])), "{sizes:?} {product:e}");
    }
    assert!(triangle_extents::sizes(triangle_extents::NONE).iter().all(|size| size.is_nan()));
}

#[test]
fn a_block_begins_its_triangles_opposite_their_longest_edges_and_tells_them_in_their_order() {
    let (mut random, mut turned) = (Random(21), [0; 3]);
    for _ in 0..2000 {
        let count = 1 + random.below(SIZE);
        let triangles: [[Vec3; 3]; SIZE] = core::array::from_fn(|_| {
            let size = random.pick(&[1.0, 1e-3, 1e-20]);
            let thin = random.pick(&[1.0, 1e-4, 0.0]);
            let a = random.cube() * size;
            let corners = [a, a + random.cube() * size, a + random.cube() * size * thin].map(|corner| corner.as_vec3());
            let first = random.below(3);
            [0, 1, 2].map(|k| corners[(first + k) % 3])
        });
        let mut block = Triangle8::of_lanes(core::array::from_fn(|lane| if lane < count { lane as u32 } else { NONE }));
        block.fit(|triangle| triangles[triangle as usize], [1.0, 1.0]);
        for (lane, triangle) in triangles.iter().enumerate().take(count) {
            assert_eq!(block.corners(lane), *triangle);
            let tested = block.tested_corners(lane);
            let first = triangle.iter().position(|corner| *corner == tested[0]).unwrap();
            turned[first] += 1;
            assert_eq!(tested, [0, 1, 2].map(|k| triangle[(first + k) % 3]));
            let length = |[p, q]: [Vec3; 2]| f64::from((q - p).abs().max_element());
            let [a, b, c] = tested;
            let [e1, e2, opposite] = [[a, b], [a, c], [b, c]].map(length);
            let [reach, product] = block.sizes(lane).map(f64::from);
            // If edges are too small for products, any corner may be first.
            assert!(opposite * (1.0 + 1e-6) >= e1.max(e2) || e1.max(e2) < 1e-15, "{triangle:?}");
            assert!(reach >= e1.max(e2) && product >= e1 * e2, "{triangle:?}");
        }
        assert!((count..SIZE).all(|lane| block.sizes(lane)[0].is_nan()));
    }
    assert!(turned.iter().all(|&times| times > 500), "{turned:?}");
}

/// Triangles of any thinness, also without area, that lie anywhere, and begin at any corner.
fn slivers(random: &mut Random) -> Vec<[Vec3; 3]> {
    let middle = random.cube() * random.pick(&[0.0, 0.3, 1.0]);
    let (kind, count) = (random.below(3), random.pick(&[1, 2, 4, 8, 9, 17]));
    let mut list = Vec::new();
    for _ in 0..count {
        let (size, thin) = (random.pick(&[1.0, 0.3, 1e-2]), random.pick(&[1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7]));
        let (mut long, mut short) = (random.cube() * size, random.cube() * size * thin);
        match kind {
            0 => short += long * random.unit(),
            1 => {
                let axis = random.below(3);
                (long[axis], short[axis]) = (0.0, 0.0);
            }
            _ => {}
        }
        let a = middle + random.cube() * random.pick(&[0.0, 1e-3, 0.3]);
        let corners = [a, a + long, a + short].map(|corner| corner.as_vec3());
        let (first, step) = (random.below(3), random.pick(&[1, 2]));
        list.push([corners[first], corners[(first + step) % 3], corners[(first + 2 * step) % 3]]);
    }
    list
}

/// Returns a ray to the inside of a triangle, an edge or a corner, often nearly in the triangle's plane. It starts
/// anywhere, or no farther from a corner than the shortest edge is long. At such distances, the error bounds depend on
/// the triangle's size alone, and not on the distance.
fn grazing(random: &mut Random, soup: &[[Vec3; 3]]) -> Option<Ray> {
    let corners = random.pick(soup).map(|corner| corner.as_dvec3());
    let first = random.below(3);
    let [a, b, c] = [0, 1, 2].map(|k| corners[(first + k) % 3]);
    let shortest = (b - a).length().min((c - a).length()).min((c - b).length());
    let in_plane = |random: &mut Random| (b - a) * random.unit() + (c - a) * random.unit();
    let target = match random.below(4) {
        0 => a,
        1 => a + (b - a) * random.unit().abs(),
        2 => a + ((b - a) * random.unit().abs() + (c - a) * random.unit().abs()) * 0.5,
        _ => a + in_plane(random) * random.pick(&[1.0, 1e-2, 1e-4]),
    };
    let target = target + random.cube() * random.pick(&[0.0, 0.0, 1e-9, 1e-7]);
    let away = random.pick(&[shortest, shortest, 0.1 * shortest, 1e-3, 1e-6, 1.0, 3.0]);
    let beside = random.cube() * random.pick(&[0.0, 1e-8, 1e-7, 1e-6]) * away.max(0.1);
    let origin = match random.below(4) {
        0 => a + random.cube() * away,
        1 => a + in_plane(random).normalize_or_zero() * away + beside,
        2 => target + random.cube() * away,
        _ => target + in_plane(random).normalize_or_zero() * away + beside,
    };
    let direction = (target - origin.as_vec3().as_dvec3()) * random.pick(&[1.0, 1.0, 7.3, 1e-6]);
    let ray = Ray::with_direction(origin.as_vec3(), direction.as_vec3());
    ray.validate().is_ok().then_some(ray)
}

/// Packed and compact meshes are tested, by themselves and as instances, which covers every computation of t. Batches
/// are tested too.
#[test]
fn thin_triangles_are_met_exactly_from_nearby() {
    let (seed, mut hits) = (3, 0);
    let mut random = Random(seed);
    for round in 0..1500 {
        let soup = slivers(&mut random);
        let quality = random.pick(&[Quality::Fast, Quality::Best]);
        let indices: Vec<u32> = (0..3 * soup.len() as u32).collect();
        let mesh = Mesh::with_quality(soup.as_flattened(), &indices, quality).unwrap();
        let meshes = [mesh.clone().with_layout(Layout::Compact), mesh];
        let rays: Vec<Ray> = (0..40).filter_map(|_| grazing(&mut random, &soup)).collect();
        for level in SimdLevel::available() {
            level.select().unwrap();
            for mesh in &meshes {
                let mut batch = alloc::vec![None; rays.len()];
                mesh.cast_batch(&rays, &mut batch).unwrap();
                for (ray, together) in rays.iter().zip(&batch) {
                    let local = ray.local();
                    let verdict =
                        |corners: &[Vec3; 3]| triangle_verdict(&local, corners.map(|corner| corner.as_dvec3()));
                    let met = soup.iter().zip(0..).filter_map(|(corners, number)| Some((verdict(corners)?, number)));
                    let first = met
                        .map(|(Verdict { t, side }, number)| (t, number, side))
                        .reduce(|first, other| if (other.0, other.1) < (first.0, first.1) { other } else { first });
                    hits += u32::from(first.is_some());
                    let told = |hit: MeshHit| (hit.t, hit.triangle, hit.side);
                    let of_instance = mesh.closest(&local, 0.0, Cull::None);
                    let of_instance = of_instance.map(|found| (found.verdict.t, found.triangle, found.verdict.side));
                    let context =
                        || alloc::format!("seed {seed} round {round} {level:?} {:?} {ray:?} {soup:?}", mesh.layout());
                    assert_eq!(mesh.cast(ray).map(told), first, "{}", context());
                    assert_eq!(together.map(told), first, "{}", context());
                    assert_eq!(of_instance, first, "{}", context());
                    assert_eq!(mesh.is_blocked(ray), first.is_some(), "{}", context());
                }
            }
        }
    }
    // There are some 60,000 hits on each level, and there may be only one level.
    assert!(hits > 20_000, "{hits}");
}

/// A plane perpendicular to each axis is modelled three times in triangles of different sizes. It is modelled once
/// more an ulp above, and once more in triangles that are bent by an ulp. The answer is the nearest triangle, or the
/// lowest of several with equal t, wherever they are in the tree.
#[test]
fn of_planes_across_an_axis_that_coincide_the_lowest_triangle_answers() {
    let (mut random, mut ties) = (Random(19), 0);
    for round in 0..24 {
        let axis = round % 3;
        let plane = random.unit() as f32;
        let at = |u: f64, v: f64, height: f32| {
            let mut corner = Vec3::splat(height);
            (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (u as f32, v as f32);
            corner
        };
        let above = plane.next_up();
        let mut soup = Vec::new();
        for (steps, [height, other]) in
            [(2, [plane; 2]), (3, [plane; 2]), (7, [plane; 2]), (5, [above; 2]), (4, [plane, above])]
        {
            let place = |k: u32| f64::from(k) / f64::from(steps) * 2.0 - 1.0;
            for (i, j) in (0..steps).flat_map(|i| (0..steps).map(move |j| (i, j))) {
                let [a, b] = [at(place(i), place(j), height), at(place(i + 1), place(j), height)];
                let [c, d] = [at(place(i + 1), place(j + 1), height), at(place(i), place(j + 1), other)];
                soup.extend(if random.below(2) == 0 { [[a, b, c], [a, c, d]] } else { [[c, b, a], [d, c, a]] });
            }
        }
        for last in (1..soup.len()).rev() {
            soup.swap(last, random.below(last + 1));
        }
        let mesh = Mesh::from_soup(&soup.concat()).unwrap();
        for _ in 0..500 {
            let target = at(random.unit(), random.unit(), plane);
            let origin = target + random.cube().as_vec3();
            let ray = Ray::with_direction(origin, target - origin);
            let local = ray.local();
            let met = |(number, corners): (usize, &[Vec3; 3])| {
                let verdict = triangle_verdict(&local, corners.map(|corner| corner.as_dvec3()))?;
                Some((verdict.t, number as u32, verdict.side))
            };
            let all: Vec<_> = soup.iter().enumerate().filter_map(met).collect();
            let first = all.iter().copied().min_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
            let hit = mesh.cast(&ray).map(|hit| (hit.t, hit.triangle, hit.side));
            assert_eq!(hit, first, "{ray:?}");
            let has_t = |t: f32| all.iter().filter(|met| met.0 == t).count();
            ties += usize::from(first.is_some_and(|(t, ..)| has_t(t) > 1));
            for (cull, kept) in [(Cull::Back, Side::Front), (Cull::Front, Side::Back)] {
                let seen = all.iter().copied().filter(|met| met.2 == kept);
                let first = seen.min_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
                let hit = mesh.culled(cull).cast(&ray).map(|hit| (hit.t, hit.triangle, hit.side));
                assert_eq!(hit, first, "{ray:?} {cull:?}");
            }
        }
    }
    assert!(ties > 5_000, "{ties}");
}
