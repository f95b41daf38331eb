//! The answers through C have the same bits as the answers of the library. They are compared one by one, in batches and
//! in columns.
//!
//! The suite ends after twenty thousand rays have hit, and a long run after ten million.

use hitscan::glam::{DMat4, DVec3, Vec3};
use hitscan::{Hit, Mesh, MeshHit, Ray, RayQueries, Scene, Side, Sphere};
use hitscan_capi::batch::{hs_mesh_cast_batch, hs_scene_cast_batch, hs_scene_cast_columns};
use hitscan_capi::mesh::functions::hs_mesh_cast;
use hitscan_capi::mesh::{HsMesh, hs_mesh_free, hs_mesh_new};
use hitscan_capi::ray::{HsHit, HsRay};
use hitscan_capi::rows::{HsHitColumns, HsRayColumns};
use hitscan_capi::scene::functions::{hs_scene_insert_mesh, hs_scene_insert_shape, hs_scene_new};
use hitscan_capi::scene::{HsScene, hs_scene_free};
use hitscan_capi::scene_rays::hs_scene_cast;
use hitscan_capi::shape::hs_shape_sphere;
use hitscan_capi::status::HsStatus;
use hitscan_random::Random;
use std::ptr;

/// The number of rays that are cast before the hits are counted.
const ROUND: usize = 10_000;
/// The cells along one side of the terrain.
const SIDE: u32 = 48;
const ENTITIES: u64 = 60;

#[test]
fn answers_are_the_same_bits() {
    let wanted = hitscan_random::effort::size(20_000, 20_000, 10_000_000);
    let mut random = Random(45);
    let world = World::new(&mut random);
    let (mut of_mesh, mut of_scene) = (0, 0);
    while of_mesh + of_scene < wanted {
        let rays: Vec<Ray> = (0..ROUND).map(|_| ray(&mut random)).collect();
        of_mesh += world.compare_mesh(&rays);
        of_scene += world.compare_scene(&rays);
    }
    println!("{of_mesh} hits on the mesh and {of_scene} in the scene have the same bits");
    assert!(of_mesh > 0 && of_scene > 0);
}

fn ray(random: &mut Random) -> Ray {
    let origin = (random.cube() * 12.0 + DVec3::new(12.0, 8.0, 12.0)).as_vec3();
    let towards = (random.cube() * 12.0 + DVec3::new(12.0, 0.0, 12.0)).as_vec3();
    match random.below(4) {
        0 => Ray::between(origin, towards),
        1 => Ray::with_direction(origin, towards - origin).with_range(0.25, 4.0),
        _ => Ray::new(origin, towards - origin),
    }
}

fn terrain(random: &mut Random) -> (Vec<[f32; 3]>, Vec<u32>) {
    let row = SIDE + 1;
    let places = (0..row * row).map(|i| [(i % row) as f32 * 0.5, random.fraction() as f32, (i / row) as f32 * 0.5]);
    let positions = places.collect();
    let cells = (0..SIDE * SIDE).map(|cell| cell / SIDE * row + cell % SIDE);
    (positions, cells.flat_map(|a| [a, a + row, a + row + 1, a, a + row + 1, a + 1]).collect())
}

/// The same mesh and the same scene in Rust and in C.
struct World {
    mesh: Mesh,
    scene: Scene<u64>,
    c_mesh: *mut HsMesh,
    c_scene: *mut HsScene,
}

impl World {
    fn new(random: &mut Random) -> Self {
        let (positions, indices) = terrain(random);
        let mesh = Mesh::new(&positions, &indices).unwrap();
        let mut scene = Scene::new();
        let (mut c_mesh, mut c_scene) = (ptr::null_mut(), ptr::null_mut());
        let floats = positions.as_flattened().as_ptr();
        // SAFETY: All pointers point to valid values.
        unsafe {
            let made = hs_mesh_new(floats, positions.len(), indices.as_ptr(), indices.len(), &raw mut c_mesh);
            assert_eq!((made, hs_scene_new(&raw mut c_scene)), (HsStatus::Ok, HsStatus::Ok));
        }
        for key in 0..ENTITIES {
            let place = random.cube() * 12.0 + DVec3::new(12.0, 3.0, 12.0);
            let transform = DMat4::from_rotation_translation(random.rotation(), place);
            let columns = transform.to_cols_array();
            // SAFETY: As above.
            let status = unsafe {
                if key % 3 == 0 {
                    scene.insert(key, &mesh, transform).unwrap();
                    hs_scene_insert_mesh(c_scene, key, c_mesh, columns.as_ptr())
                } else {
                    scene.insert(key, Sphere::at(Vec3::X, 0.75), transform).unwrap();
                    let sphere = hs_shape_sphere([1.0, 0.0, 0.0].as_ptr(), 0.75);
                    hs_scene_insert_shape(c_scene, key, &raw const sphere, columns.as_ptr())
                }
            };
            assert_eq!(status, HsStatus::Ok);
        }
        Self { mesh, scene, c_mesh, c_scene }
    }

    /// Returns how many of the rays hit the mesh.
    fn compare_mesh(&self, rays: &[Ray]) -> usize {
        let c_rays: Vec<HsRay> = rays.iter().map(|ray| HsRay::from(*ray)).collect();
        let mut batch = vec![nothing(); rays.len()];
        let (rays_at, hits_at, count) = (c_rays.as_ptr(), batch.as_mut_ptr(), rays.len());
        // SAFETY: There are `count` rays and `count` places.
        let status = unsafe { hs_mesh_cast_batch(self.c_mesh, rays_at, 0, count, 0, hits_at, 0) };
        assert_eq!(status, HsStatus::Ok);
        let mut hits = 0;
        for (number, ray) in rays.iter().enumerate() {
            let found = self.mesh.cast(ray);
            let wanted = found.map(|hit| of_mesh(&hit));
            let mut one = nothing();
            // SAFETY: The pointers point to valid values.
            let status = unsafe { hs_mesh_cast(self.c_mesh, &raw const c_rays[number], 0, &raw mut one) };
            compare(ray, wanted, status, &one);
            assert_eq!(bits(&batch[number]), bits(&one), "{ray:?}");
            hits += usize::from(found.is_some());
        }
        hits
    }

    /// Returns how many of the rays hit something in the scene.
    fn compare_scene(&self, rays: &[Ray]) -> usize {
        let c_rays: Vec<HsRay> = rays.iter().map(|ray| HsRay::from(*ray)).collect();
        let (mut batch, mut columns) = (vec![nothing(); rays.len()], vec![nothing(); rays.len()]);
        let (rays_at, hits_at, count) = (c_rays.as_ptr(), batch.as_mut_ptr(), rays.len());
        let (from, into) = (ray_columns(rays_at), hit_columns(columns.as_mut_ptr()));
        // SAFETY: There are `count` rays and `count` places.
        unsafe {
            let status = hs_scene_cast_batch(self.c_scene, rays_at, 0, count, ptr::null(), hits_at, 0);
            assert_eq!(status, HsStatus::Ok);
            let status = hs_scene_cast_columns(self.c_scene, &raw const from, count, ptr::null(), &raw const into);
            assert_eq!(status, HsStatus::Ok);
        }
        let mut hits = 0;
        for (number, ray) in rays.iter().enumerate() {
            let found = self.scene.cast(ray);
            let wanted = found.map(|hit| of_scene(&hit));
            let mut one = nothing();
            // SAFETY: The pointers point to valid values.
            let status = unsafe { hs_scene_cast(self.c_scene, &raw const c_rays[number], ptr::null(), &raw mut one) };
            compare(ray, wanted, status, &one);
            assert_eq!(bits(&batch[number]), bits(&one), "{ray:?}");
            assert_eq!(bits(&columns[number]), bits(&one), "{ray:?}");
            hits += usize::from(found.is_some());
        }
        hits
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: Both pointers are handles, which nobody uses any more.
        unsafe {
            hs_mesh_free(self.c_mesh);
            hs_scene_free(self.c_scene);
        }
    }
}

/// Returns a hit with values that no answer has.
fn nothing() -> HsHit {
    let (key, t, u, v) = (99, -1.0, -1.0, -1.0);
    HsHit { key, t, u, v, point: [-1.0; 3], normal: [-1.0; 3], part: 99, triangle: 99, side: 99 }
}

fn ray_columns(rays: *const HsRay) -> HsRayColumns {
    // SAFETY: Only addresses are computed, of fields of the first ray.
    unsafe {
        let axes = |first: *const f32| [first, first.add(1), first.add(2)];
        HsRayColumns {
            size: size_of::<HsRayColumns>(),
            origin: axes((&raw const (*rays).origin).cast()),
            direction: axes((&raw const (*rays).direction).cast()),
            t_min: &raw const (*rays).t_min,
            t_max: &raw const (*rays).t_max,
            stride: size_of::<HsRay>(),
        }
    }
}

fn hit_columns(hits: *mut HsHit) -> HsHitColumns {
    // SAFETY: Only addresses are computed, of fields of the first hit.
    unsafe {
        let axes = |first: *mut f32| [first, first.add(1), first.add(2)];
        HsHitColumns {
            size: size_of::<HsHitColumns>(),
            key: &raw mut (*hits).key,
            t: &raw mut (*hits).t,
            u: &raw mut (*hits).u,
            v: &raw mut (*hits).v,
            point: axes((&raw mut (*hits).point).cast()),
            normal: axes((&raw mut (*hits).normal).cast()),
            part: &raw mut (*hits).part,
            triangle: &raw mut (*hits).triangle,
            side: &raw mut (*hits).side,
            stride: size_of::<HsHit>(),
        }
    }
}

/// All values of a hit; floats are compared as bits.
type Bits = (u64, [u32; 9], u32, u32, i32);

fn all_bits(
    key: u64,
    [t, u, v]: [f32; 3],
    [point, normal]: [[f32; 3]; 2],
    part: u32,
    triangle: u32,
    side: i32,
) -> Bits {
    let floats = [t, u, v, point[0], point[1], point[2], normal[0], normal[1], normal[2]];
    (key, floats.map(f32::to_bits), part, triangle, side)
}

fn bits(hit: &HsHit) -> Bits {
    all_bits(hit.key, [hit.t, hit.u, hit.v], [hit.point, hit.normal], hit.part, hit.triangle, hit.side)
}

fn side(side: Side) -> i32 {
    match side {
        Side::Front => 1,
        Side::Back => 2,
        Side::Inside => 3,
    }
}

fn of_mesh(hit: &MeshHit) -> Bits {
    let (uv, vectors) = (hit.uv(), [hit.point().to_array(), hit.normal().to_array()]);
    all_bits(0, [hit.t, uv.x, uv.y], vectors, 0, hit.triangle, side(hit.side))
}

fn of_scene(hit: &Hit<u64>) -> Bits {
    let (uv, vectors) = (hit.uv.unwrap_or_default(), [hit.point.to_array(), hit.normal.to_array()]);
    all_bits(hit.id, [hit.t, uv.x, uv.y], vectors, hit.part, hit.triangle.unwrap_or(u32::MAX), side(hit.side))
}

fn compare(ray: &Ray, wanted: Option<Bits>, status: HsStatus, got: &HsHit) {
    let miss = all_bits(0, [f32::INFINITY, 0.0, 0.0], [[0.0; 3]; 2], 0, u32::MAX, 0);
    assert_eq!(bits(got), wanted.unwrap_or(miss), "{ray:?}");
    assert_eq!(status, if wanted.is_some() { HsStatus::Ok } else { HsStatus::None }, "{ray:?}");
}
