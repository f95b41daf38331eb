//! Batches give the answers of single rays to the bit. This holds on every instruction set, with every tree quality
//! and culling mode, for all batch sizes, and for coherent and incoherent rays.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use hitscan::error::BatchError;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::mesh::{AlphaMask, CutOut, Layout};
use hitscan::query::RayView;
use hitscan::simd::SimdLevel;
use hitscan::{
    Aabb, Compound, Cull, CutOuts, Filter, Hit, Inside, Mesh, MeshHit, Plane, Quality, Ray, RayQueries, Scene, Sphere,
};
use hitscan_random::levels;

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];
const CULLS: [Cull; 3] = [Cull::None, Cull::Back, Cull::Front];
/// No ray, one ray, numbers of rays around the size of a packet, and many packets.
const SIZES: [usize; 6] = [0, 1, 7, 8, 9, 1000];

fn for_every_level(mut check: impl FnMut(SimdLevel)) {
    for level in levels::each() {
        check(level);
    }
}

fn mesh_bits(hit: &MeshHit) -> Vec<u32> {
    let [uv, point, normal] = [hit.uv().extend(hit.t), hit.point(), hit.normal()];
    let floats = [uv, point, normal].into_iter().flat_map(|v: Vec3| v.to_array());
    floats.map(f32::to_bits).chain([hit.triangle, hit.side as u32]).collect()
}

fn scene_bits(hit: &Hit<u32>) -> Vec<u64> {
    let uv = hit.uv.unwrap_or_default();
    let floats = [hit.t, uv.x, uv.y].into_iter().chain(hit.point.to_array()).chain(hit.normal.to_array());
    let whole = [hit.id, hit.part, hit.side as u32, hit.triangle.map_or(u32::MAX, |triangle| triangle)];
    let exact = hit.point_f64().to_array().map(f64::to_bits);
    floats.map(f32::to_bits).chain(whole).map(u64::from).chain(exact).collect()
}

fn soup(corners: &[[Vec3; 3]]) -> Surface {
    let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Surface { positions: corners.as_flattened().to_vec(), triangles }
}

fn shell(random: &mut Random, size: f64) -> [Vec3; 3] {
    let middle = random.cube();
    [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
}

fn surfaces(random: &mut Random) -> Vec<(&'static str, Surface)> {
    let lattice =
        |random: &mut Random| [(); 3].map(|()| Vec3::from_array([(); 3].map(|()| random.below(5) as f32 - 2.0)));
    let small: Vec<_> = (0..400).map(|_| shell(random, 0.03)).collect();
    let large: Vec<_> = (0..60).map(|_| shell(random, 1.0)).collect();
    let lattice: Vec<_> = (0..150).map(|_| lattice(random)).collect();
    let mixed: Vec<_> = (0..120).map(|i| shell(random, 10f64.powi(i % 37 - 18))).collect();
    vec![
        ("sphere", icosphere(3)),
        ("grid", grid_cube(6)),
        ("radius 1e-20", icosphere(2).map(|p| p * 1e-20)),
        ("radius 1e30", icosphere(2).map(|p| p * 1e30)),
        ("radius 1e-42, subnormal", icosphere(2).map(|p| p * 1e-42)),
        ("far from its origin", icosphere(2).map(|p| p + Vec3::new(3e6, -1e6, 2e5))),
        ("one triangle", soup(&[[Vec3::ZERO, Vec3::X, Vec3::Y]])),
        ("coincident", soup(&[[Vec3::ZERO, Vec3::X, Vec3::Y]; 37])),
        ("small triangles", soup(&small)),
        ("large triangles", soup(&large)),
        ("lattice", soup(&lattice)),
        ("of all sizes", soup(&mixed)),
        ("nothing", soup(&[])),
    ]
}

/// Returns rays most of which are coherent in groups of eight: camera rays, shadow rays, parallel rays, and rays at
/// consecutive corners and edges.
fn rays(surface: &Surface, count: usize, random: &mut Random) -> Vec<Ray> {
    let mesh = surface.mesh();
    let bounds = mesh.bounds();
    let (low, high) = match bounds.is_empty() {
        true => (DVec3::splat(-1.0), DVec3::ONE),
        false => (bounds.min.as_dvec3(), bounds.max.as_dvec3()),
    };
    let (middle, size) = ((low + high) / 2.0, (high - low).max_element().max(1e-300));
    let corner = |i: usize| match surface.triangles.is_empty() {
        true => middle,
        false => {
            let triangle = surface.triangles[i / 3 % surface.triangles.len()];
            surface.positions[triangle[i % 3] as usize].as_dvec3()
        }
    };
    let mut rays = Vec::with_capacity(count);
    while rays.len() < count {
        let family = random.below(12);
        let (eye, first) = (middle + random.direction() * size * 2.0, random.below(1 << 16));
        let (target, axis) = (middle + random.cube() * size * 0.4, DVec3::AXES[random.below(3)]);
        let light = middle + random.cube() * size;
        let far = eye + (eye - middle) * 10f64.powi(random.below(8) as i32);
        let spread = size * [0.3, 0.03, 1e-4][random.below(3)];
        let pace = 10f64.powi(random.below(5) as i32 - 2);
        let (t_min, t_max) = [(0.0, f32::INFINITY), (0.0, 2.0), (1.5, 3.0), (-1.0, 2.2), (3.0, 1.0)][random.below(5)];
        for i in 0..[8, 8, 8, 16, 5][random.below(5)] {
            let spot = target + random.cube() * spread;
            let edge = corner(first + i).lerp(corner(first + i + 1), [0.0, 0.5, random.unit().abs()][random.below(3)]);
            let (from, to) = match family {
                0 | 1 => (eye, spot),
                2 => (spot, light),
                3 => (spot - axis * size * 2.0, spot),
                4 | 5 => (eye, edge),
                6 => (edge, light),
                7 => (far, spot),
                8 => (far, edge),
                9 => (spot, spot + random.direction() * size),
                10 => (edge, target),
                _ => (eye + random.cube() * spread, edge),
            };
            let from = from.as_vec3();
            let way = (to - from.as_dvec3()) / if random.below(2) == 0 { size } else { pace * size };
            let ray = match random.below(60) {
                0 => Ray::with_direction(Vec3::NAN, way.as_vec3()),
                1 => Ray::with_direction(from, Vec3::new(f32::NAN, 1.0, 0.0)),
                2 => Ray::with_direction(from, Vec3::ZERO),
                3 => Ray::with_direction(from, way.as_vec3()).with_range(0.0, f32::NAN),
                4 => Ray::with_direction(from, -way.as_vec3()),
                5..12 => Ray::between(from, to.as_vec3()),
                _ => Ray::with_direction(from, way.as_vec3()),
            };
            let is_ranged = family % 3 == 1;
            rays.push(if is_ranged { ray.with_range(t_min * size as f32, t_max * size as f32) } else { ray });
        }
    }
    rays.truncate(count);
    rays
}

/// Asserts that a mesh's batches give the answers of single rays at every level and with every culling mode. Returns
/// the number of rays that hit.
fn check(mesh: &Mesh, batches: &[Vec<Ray>], what: &str) -> usize {
    let mut hit_rays = 0;
    for_every_level(|level| {
        for (rays, cull) in batches.iter().flat_map(|rays| CULLS.map(|cull| (rays, cull))) {
            let (mut hits, mut blocked) = (vec![None; rays.len()], vec![true; rays.len()]);
            mesh.culled(cull).cast_batch(rays, &mut hits).unwrap();
            mesh.culled(cull).is_blocked_batch(rays, &mut blocked).unwrap();
            for (i, ray) in rays.iter().enumerate() {
                let alone = mesh.culled(cull).cast(ray);
                let context = || format!("{what}, {level}, {cull:?}, ray {i} of {}: {ray:?}", rays.len());
                let [batch, single] = [&hits[i], &alone].map(|hit| hit.as_ref().map(mesh_bits));
                assert_eq!(batch, single, "closest: {}", context());
                assert_eq!(blocked[i], mesh.culled(cull).is_blocked(ray), "any: {}", context());
                assert_eq!(blocked[i], alone.is_some(), "any and closest: {}", context());
                hit_rays += usize::from(blocked[i]);
            }
        }
    });
    hit_rays
}

#[test]
fn batches_against_meshes_answer_as_single_rays() {
    let seed = 20261122;
    let mut random = Random(seed);
    let mut hit_rays = 0;
    for (name, surface) in surfaces(&mut random) {
        let batches: Vec<Vec<Ray>> = SIZES.map(|size| rays(&surface, size, &mut random)).into();
        for quality in QUALITIES {
            let mesh = Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), quality).unwrap();
            hit_rays += check(&mesh, &batches, &format!("seed {seed}, {name}, {quality:?}"));
        }
    }
    assert!(hit_rays > 20_000, "only {hit_rays} hits");
}

/// If a leaf blocked rays of one packet, it is tried first for the rays of the next packets, even if it blocks none
/// of them.
#[test]
fn shadows_that_go_on_from_packet_to_packet_are_those_of_single_rays() {
    let seed = 20261128;
    let mut random = Random(seed);
    // A fence at z = 0, and debris behind it.
    let mut corners: Vec<[Vec3; 3]> = (0..40).map(|_| shell(&mut random, 0.1).map(|p| p - Vec3::Z)).collect();
    for post in (0..9).map(|post| post as f32 * 0.25 - 1.0) {
        let at = |x: f32, y: f32| Vec3::new(post + x, y, 0.0);
        corners.push([at(0.0, -1.0), at(0.15, -1.0), at(0.15, 1.0)]);
        corners.push([at(0.15, 1.0), at(0.0, 1.0), at(0.0, -1.0)]);
    }
    let surface = soup(&corners);
    let light = Vec3::new(0.1, 0.2, 4.0);
    let row = |y: usize, random: &mut Random| -> Vec<Ray> {
        let shadow = |x: usize| {
            let from = Vec3::new(x as f32 / 64.0 - 1.0, y as f32 / 8.0 - 1.0, -0.5);
            let ray = Ray::between(from, light);
            // Some rays end at the fence, some end before it, some start behind it, and a few have no direction.
            match random.below(40) {
                0 => ray.with_range(0.0, 0.5 / 4.5),
                1 => ray.with_range(0.0, 0.1),
                2 => ray.with_range(0.5, 1.0),
                3 => Ray::with_direction(from, Vec3::ZERO),
                _ => ray,
            }
        };
        (0..128).map(shadow).collect()
    };
    let rows: Vec<Vec<Ray>> = (0..16).map(|y| row(y, &mut random)).collect();
    let batches = [rows.concat(), rows[3][..77].to_vec()];
    for quality in QUALITIES {
        let mesh = Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), quality).unwrap();
        for layout in [Layout::Packed, Layout::Compact] {
            let mesh = mesh.clone().with_layout(layout);
            let hit_rays = check(&mesh, &batches, &format!("seed {seed}, {quality:?}, {layout:?}"));
            assert!(hit_rays > 1000, "only {hit_rays} hits");
        }
    }
}

/// A part of a scene that blocked rays of one packet is tried first for the next packet, if it is near. Here it blocks some rays of that packet, or none, or
/// lies behind them.
#[test]
fn shadows_in_scenes_are_those_of_single_rays() {
    let seed = 20261129;
    let mut random = Random(seed);
    let ball = icosphere(3).mesh();
    let mut hit_rays = 0;
    for round in 0..4 {
        let mut scene = Scene::new();
        for key in 0..60 {
            let size = [0.05, 0.3, 1.0][random.below(3)];
            let place = DAffine3::from_scale_rotation_translation(
                DVec3::new(size, size * 0.5, size),
                DQuat::from_axis_angle(random.direction(), random.unit() * 3.0),
                random.cube() * DVec3::new(4.0, 4.0, 1.0),
            );
            scene.insert(key, ball.clone(), place).unwrap();
        }
        // One ball is too far away to be tried first, and one is around everything.
        let far =
            DAffine3::from_scale_rotation_translation(DVec3::splat(2.0), DQuat::IDENTITY, DVec3::new(0.0, 15.0, 300.0));
        scene.insert(100, ball.clone(), far).unwrap();
        if round == 3 {
            scene.insert(101, ball.clone(), DAffine3::from_scale(DVec3::splat(40.0))).unwrap();
        }
        let lights = [Vec3::new(0.3, 0.2, 4.0), Vec3::new(0.0, 20.0, 400.0), Vec3::new(30.0, 1.0, 1.0)];
        let shadow = |number: usize, random: &mut Random| {
            let from = Vec3::new((number % 256) as f32 / 32.0 - 4.0, (number % 4096 / 256) as f32 / 2.0 - 4.0, -1.5);
            let ray = Ray::between(from, lights[number / 4096]);
            match random.below(60) {
                0 => ray.with_range(0.0, 0.2),
                1 => ray.with_range(0.5, 1.0),
                2 => Ray::with_direction(from, Vec3::ZERO),
                3 => Ray::with_direction(from, Vec3::new(f32::NAN, 0.0, 1.0)),
                4 => ray.with_range(1.0, 0.0),
                _ => ray,
            }
        };
        let rays: Vec<Ray> = (0..4096 * lights.len()).map(|number| shadow(number, &mut random)).collect();
        let far_hits = rays.iter().filter(|&ray| scene.cast(ray).is_some_and(|hit| hit.id == 100)).count();
        assert!(far_hits > 500 || round == 3, "seed {seed}, round {round}: only {far_hits} rays hit what is far away");
        for_every_level(|level| {
            for cull in CULLS {
                let filter = Filter::new().cull(cull).entities(|key| key % 7 != 2);
                let view = scene.with(&filter);
                let mut blocked = vec![false; rays.len()];
                view.is_blocked_batch(&rays, &mut blocked).unwrap();
                for (i, (ray, blocked)) in rays.iter().zip(blocked).enumerate() {
                    let context = || format!("seed {seed}, round {round}, {level}, {cull:?}, ray {i}: {ray:?}");
                    assert_eq!(blocked, view.is_blocked(ray), "{}", context());
                    hit_rays += usize::from(blocked);
                }
            }
        });
    }
    assert!(hit_rays > 20_000, "only {hit_rays} hits");
}

/// The trees have far more than 2^14 leaves of similar size. Through such trees, incoherent rays are cast interleaved.
#[test]
fn batches_against_large_meshes_answer_as_single_rays() {
    let seed = 20261123;
    let mut random = Random(seed);
    let debris: Vec<_> = (0..300_000).map(|_| shell(&mut random, 0.004)).collect();
    for (name, surface) in [("grid", grid_cube(200)), ("debris", soup(&debris))] {
        let mut batches = SIZES.map(|size| rays(&surface, size, &mut random)).to_vec();
        let anywhere = |random: &mut Random| Ray::between(random.cube().as_vec3(), (random.cube() * 1.5).as_vec3());
        batches.push((0..1000).map(|_| anywhere(&mut random)).collect());
        let mesh = surface.mesh();
        assert!(mesh.tree_stats().leaves > 1 << 15, "{name}: {:?}", mesh.tree_stats());
        for layout in [Layout::Packed, Layout::Compact] {
            let hit_rays =
                check(&mesh.clone().with_layout(layout), &batches, &format!("seed {seed}, {name}, {layout:?}"));
            assert!(hit_rays > 1000, "only {hit_rays} hits: {name}, {layout:?}");
        }
    }
}

/// Returns rotated, unevenly scaled, mirrored and distant instances of meshes and shapes.
fn scene(random: &mut Random) -> Scene<u32> {
    let meshes = [icosphere(2).mesh(), grid_cube(3).mesh()];
    let mut scene = Scene::new();
    for key in 0..60 {
        let place = instance_transform(random, key as usize, 12.0);
        match key % 4 {
            0 => scene.insert(key, Sphere::new(0.5), place).unwrap(),
            1 => {
                let crate_ = Aabb::new([-0.5; 3], [0.5; 3]);
                let parts = [(meshes[0].clone().into(), DVec3::X.into()), (crate_.into(), DVec3::NEG_X.into())];
                scene.insert(key, Compound::new(parts).unwrap(), place).unwrap()
            }
            _ => scene.insert(key, meshes[key as usize % 2].clone(), place).unwrap(),
        };
    }
    scene
}

#[test]
fn batches_against_scenes_answer_as_single_rays() {
    let seed = 7;
    let mut random = Random(seed);
    let scene = scene(&mut random);
    let space = soup(&[[Vec3::splat(-12.0), Vec3::splat(12.0), Vec3::new(12.0, -12.0, 12.0)]]);
    let batches = SIZES.map(|size| rays(&space, size, &mut random));
    let first = batches[5].iter().find_map(|ray| scene.cast(ray)).expect("something is hit");
    let filters = [
        Filter::new().cull(Cull::None),
        Filter::new().cull(Cull::Back),
        Filter::new().cull(Cull::Front),
        Filter::new().exclude(3).exclude(first.id),
        Filter::new().layers(0b10),
    ];
    let filtered = filters.iter().map(|filter| scene.with(filter).when_inside(Inside::Exit));
    let others = [scene.relative_to(DVec3::new(1.0, 2.0, 3.0)).when_inside(Inside::Exit), scene.after(&first)];
    let views: Vec<RayView<'_, u32>> = filtered.chain(others).collect();
    let odd = Filter::new().hits(|candidate| candidate.triangle.is_some_and(|triangle| triangle % 2 == 1));
    for_every_level(|level| {
        for rays in &batches {
            let (mut hits, mut blocked) = (vec![None; rays.len()], vec![true; rays.len()]);
            for (number, view) in views.iter().enumerate() {
                view.cast_batch(rays, &mut hits).unwrap();
                view.is_blocked_batch(rays, &mut blocked).unwrap();
                for (i, ray) in rays.iter().enumerate() {
                    let context = || format!("seed {seed}, {level}, view {number}, ray {i} of {}: {ray:?}", rays.len());
                    let alone = view.cast(ray);
                    assert_eq!(hits[i].as_ref().map(scene_bits), alone.as_ref().map(scene_bits), "{}", context());
                    assert_eq!(blocked[i], view.is_blocked(ray), "{}", context());
                }
            }
            scene.with(&odd).cast_batch(rays, &mut hits).unwrap();
            for (ray, hit) in rays.iter().zip(&hits) {
                assert_eq!(hit.as_ref().map(scene_bits), scene.with(&odd).cast(ray).as_ref().map(scene_bits));
            }
        }
    });
}

/// Returns instances near each other: some are rotated, mirrored, tiny, huge, nearly flat, coincident, or have holes. One is a plane, which is in no tree.
fn crowd(random: &mut Random) -> Scene<u32> {
    let holes = CutOut::from(AlphaMask::new(2, 2, [255, 0, 0, 255]).unwrap());
    let square = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let texcoords = [[0.0, 0.0], [5.0, 0.0], [5.0, 5.0], [0.0, 5.0]];
    let fence = Mesh::new(&square, &[0, 1, 2, 0, 2, 3]).unwrap().with_texcoords(&texcoords).unwrap();
    let meshes = [icosphere(2).mesh(), grid_cube(4).mesh(), fence.with_cut_out(holes).unwrap(), icosphere(4).mesh()];
    let mut scene = Scene::new();
    for key in 0..80 {
        let mesh = meshes[random.below(meshes.len())].clone();
        let size = [1.0, 1.0, 1e-6, 1e6, 1e-20][random.below(5)];
        let flat = [1.0, 1.0, 1e-7][random.below(3)];
        let shrink = DAffine3::from_scale(DVec3::new(1.0, 1.0, flat));
        let place = instance_transform(random, key as usize, 8.0) * shrink;
        match key % 8 {
            // The same mesh is inserted twice in one place, so that every hit is a tie.
            0 => {
                scene.insert(key, mesh.clone(), place).unwrap();
                scene.insert(100 + key, mesh, place).unwrap()
            }
            1 => scene.insert(key, Sphere::new(0.5), place).unwrap(),
            2 => {
                let parts = [(mesh.clone().into(), DVec3::X.into()), (mesh.into(), DVec3::NEG_X.into())];
                scene.insert(key, Compound::new(parts).unwrap(), place).unwrap()
            }
            // This is a mesh in another unit, scaled back.
            3 => {
                let unit = icosphere(2).map(|p| p * size as f32).mesh();
                scene.insert(key, unit, place * DAffine3::from_scale(DVec3::splat(1.0 / size))).unwrap()
            }
            _ => scene.insert(key, mesh, place).unwrap(),
        };
    }
    scene.insert(999, Plane::new([0.0; 3], Vec3::Y).unwrap(), DVec3::new(0.0, -12.0, 0.0)).unwrap();
    scene
}

/// Returns pictures of a scene, in tiles of eight rays: through a camera, parallel, from a point inside, and to a
/// light. The rays end before, on and behind the hit surface.
fn pictures(random: &mut Random, count: usize) -> Vec<Ray> {
    let mut rays = Vec::new();
    while rays.len() < count {
        let eye = random.direction() * [0.0, 3.0, 14.0, 400.0][random.below(4)];
        let (middle, axis) = (random.cube() * 6.0, DVec3::AXES[random.below(3)]);
        let (across, up) = (axis.any_orthonormal_vector(), axis.cross(axis.any_orthonormal_vector()));
        let width = [2.0, 0.1, 1e-3][random.below(3)];
        let (kind, reach) = (random.below(4), [f32::INFINITY, 1.0, 0.95, 20.0][random.below(4)]);
        for pixel in 0..8 {
            let (x, y) = (f64::from(pixel % 4) - 1.5, f64::from(pixel / 4) - 0.5);
            let spot = middle + (across * x + up * y) * width;
            let (from, to) = match kind {
                0 => (eye, spot),
                1 => (spot - axis * 15.0, spot),
                2 => (spot, eye + DVec3::Y),
                _ => (eye + (spot - middle), spot),
            };
            let ray = Ray::with_direction(from.as_vec3(), (to - from).as_vec3());
            let t_min = if random.below(40) == 0 { 0.25 } else { 0.0 };
            rays.push(ray.with_range(t_min, reach));
        }
    }
    rays
}

#[test]
fn coherent_rays_go_through_both_levels_of_a_scene_as_single_rays_do() {
    let seed = 44;
    let mut random = Random(seed);
    let mut hit_rays = 0;
    for round in 0..6 {
        let scene = crowd(&mut random);
        let rays = pictures(&mut random, 1600);
        let filters = [
            Filter::new(),
            Filter::new().cull(Cull::Back),
            Filter::new().cull(Cull::Front).exclude(4),
            Filter::new().entities(|key| key % 3 != 0),
        ];
        let filtered = filters.iter().map(|filter| RayView::from(scene.with(filter)));
        let others =
            [scene.relative_to(DVec3::new(0.5, 1e-9, -2.0)).cut_outs(CutOuts::Solid), scene.when_inside(Inside::Exit)];
        let views: Vec<RayView<'_, u32>> = filtered.chain(others).collect();
        for_every_level(|level| {
            for (number, view) in views.iter().enumerate() {
                let (mut hits, mut blocked) = (vec![None; rays.len()], vec![true; rays.len()]);
                view.cast_batch(&rays, &mut hits).unwrap();
                view.is_blocked_batch(&rays, &mut blocked).unwrap();
                for (i, ray) in rays.iter().enumerate() {
                    let context = || format!("seed {seed}, round {round}, {level}, view {number}, ray {i}: {ray:?}");
                    let alone = view.cast(ray);
                    assert_eq!(hits[i].as_ref().map(scene_bits), alone.as_ref().map(scene_bits), "{}", context());
                    assert_eq!(blocked[i], view.is_blocked(ray), "{}", context());
                    hit_rays += usize::from(blocked[i]);
                }
            }
        });
    }
    assert!(hit_rays > 20_000, "only {hit_rays} hits");
}

#[test]
fn a_batch_needs_as_many_places_as_rays() {
    let mesh = icosphere(1).mesh();
    let mut scene = Scene::new();
    scene.insert(1, mesh.clone(), DVec3::ZERO).unwrap();
    let ray = Ray::new([0.0, 0.0, 5.0], Vec3::NEG_Z);
    let mut hits = [mesh.cast(&ray); 2];
    let wrong = mesh.cast_batch(&[ray; 3], &mut hits);
    assert!(matches!(wrong, Err(BatchError { questions: 3, answers: 2, .. })));
    assert_eq!(wrong.unwrap_err().to_string(), "3 questions need 3 places for answers, but there are 2");
    assert_eq!(hits, [mesh.cast(&ray); 2], "nothing was written");
    assert!(mesh.is_blocked_batch(&[], &mut [true]).is_err());
    assert!(scene.cast_batch(&[ray], &mut []).is_err());
    assert!(scene.is_blocked_batch(&[ray; 2], &mut [true]).is_err());
    assert_eq!(mesh.cast_batch(&[], &mut []), Ok(()));
    assert_eq!(scene.cast_batch(&[], &mut []), Ok(()));
}
