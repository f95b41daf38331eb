//! Many rays at once.

use crate::filter::{Asked, HsFilter};
use crate::mesh::HsMesh;
use crate::pointer::shared;
use crate::ray::{HsHit, HsRay, cull};
use crate::rows::{Found, Hits, HsHitColumns, HsRayColumns, Rays, Rows, TOGETHER};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::{BatchError, Cull, Hit, Mesh, MeshHit, Ray, RayQueries, RayView};
use std::ops::Range;

/// Fewer rays than this are answered before another thread wakes up.
const FEW: usize = 1024;

/// Does the work for all numbers, [`TOGETHER`] at a time, on all threads.
fn each_chunk(count: usize, work: &(impl Fn(Range<usize>) + Sync)) -> Result<(), Failure> {
    let chunk = |start: usize| start..count.min(start + TOGETHER);
    let starts = (0..count).step_by(TOGETHER);
    if count <= FEW {
        starts.for_each(|start| work(chunk(start)));
        return Ok(());
    }
    let starts: Vec<usize> = starts.collect();
    hitscan::batch(&starts, &mut vec![(); starts.len()], |&start| work(chunk(start))).map_err(Failure::input)
}

/// Answers all rays, [`TOGETHER`] at a time: `cast` fills the places for the answers to a few rays.
fn cast_all<H: Found>(
    count: usize,
    rays: &Rays,
    hits: &Hits,
    cast: impl Fn(&[Ray], &mut [Option<H>]) -> Result<(), BatchError> + Sync,
) -> Result<(), Failure> {
    each_chunk(count, &|numbers: Range<usize>| {
        let mut found = [const { None }; TOGETHER];
        let found = &mut found[..numbers.len()];
        // SAFETY: There are as many rays as the caller said.
        let answered = unsafe { rays.show(numbers.clone(), |rays| cast(rays, found)) };
        debug_assert!(answered.is_ok(), "there are as many places as rays");
        for (number, hit) in numbers.zip(found.iter()) {
            // SAFETY: There are as many places as the caller said.
            unsafe { hits.put(number, hit.as_ref()) };
        }
    })
}

/// Casts all rays at a mesh.
fn cast_mesh(mesh: &Mesh, sides: Cull, count: usize, rays: &Rays, hits: &Hits) -> Result<(), Failure> {
    cast_all::<MeshHit>(count, rays, hits, |rays, found| match sides {
        Cull::None => mesh.cast_batch(rays, found),
        _ => mesh.culled(sides).cast_batch(rays, found),
    })
}

/// Casts all rays at a scene.
fn cast_scene(scene: RayView<'_, u64>, count: usize, rays: &Rays, hits: &Hits) -> Result<(), Failure> {
    cast_all::<Hit<u64>>(count, rays, hits, |rays, found| scene.cast_batch(rays, found))
}

/// Finds for each ray whether it is blocked, [`TOGETHER`] at a time: `ask` fills the places for the answers to a few rays.
fn block_all(
    count: usize,
    rays: &Rays,
    blocked: &Rows<bool>,
    ask: impl Fn(&[Ray], &mut [bool]) -> Result<(), BatchError> + Sync,
) -> Result<(), Failure> {
    each_chunk(count, &|numbers: Range<usize>| {
        let mut found = [false; TOGETHER];
        let found = &mut found[..numbers.len()];
        // SAFETY: There are as many rays as the caller said.
        let answered = unsafe { rays.show(numbers.clone(), |rays| ask(rays, found)) };
        debug_assert!(answered.is_ok(), "there are as many places as rays");
        for (number, &is_blocked) in numbers.zip(found.iter()) {
            // SAFETY: There are as many places as the caller said.
            unsafe { blocked.put(number, is_blocked) };
        }
    })
}

/// Finds the closest hit of each of many rays, on all threads: the same answers as those of `hs_mesh_cast`. Both strides
/// are numbers of bytes from one struct to the next; 0 stands for structs one after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_cast_batch(
    mesh: *const HsMesh,
    rays: *const HsRay,
    ray_stride: usize,
    count: usize,
    sides: i32,
    hits: *mut HsHit,
    hit_stride: usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let rays = Rays::Structs(Rows::new(rays, ray_stride, count, "rays")?);
        let hits = Hits::Structs(Rows::new(hits, hit_stride, count, "hits")?);
        cast_mesh(&mesh.0, cull(sides)?, count, &rays, &hits)?;
        Ok(HsStatus::Ok)
    })
}

/// Does the same as `hs_mesh_cast_batch` from and into columns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_cast_columns(
    mesh: *const HsMesh,
    rays: *const HsRayColumns,
    count: usize,
    sides: i32,
    hits: *const HsHitColumns,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, rays, hits) =
            unsafe { (shared(mesh, "mesh")?, Rays::columns(rays, count)?, Hits::columns(hits, count)?) };
        cast_mesh(&mesh.0, cull(sides)?, count, &rays, &hits)?;
        Ok(HsStatus::Ok)
    })
}

/// Finds for each of many rays whether it hits any triangle, on all threads. `ray_stride` is as in `hs_mesh_cast_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_is_blocked_batch(
    mesh: *const HsMesh,
    rays: *const HsRay,
    ray_stride: usize,
    count: usize,
    sides: i32,
    blocked: *mut bool,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let rays = Rays::Structs(Rows::new(rays, ray_stride, count, "rays")?);
        let blocked = Rows::new(blocked, 0, count, "blocked")?;
        let mesh = mesh.0.culled(cull(sides)?);
        block_all(count, &rays, &blocked, |rays, blocked| mesh.is_blocked_batch(rays, blocked))?;
        Ok(HsStatus::Ok)
    })
}

/// Finds the closest hit of each of many rays, on all threads: the same answers as those of `hs_scene_cast`. Both
/// strides are numbers of bytes from one struct to the next; 0 stands for structs one after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast_batch(
    scene: *const HsScene,
    rays: *const HsRay,
    ray_stride: usize,
    count: usize,
    filter: *const HsFilter,
    hits: *mut HsHit,
    hit_stride: usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        let rays = Rays::Structs(Rows::new(rays, ray_stride, count, "rays")?);
        let hits = Hits::Structs(Rows::new(hits, hit_stride, count, "hits")?);
        cast_scene(asked.rays(scene), count, &rays, &hits)?;
        Ok(HsStatus::Ok)
    })
}

/// Does the same as `hs_scene_cast_batch` from and into columns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast_columns(
    scene: *const HsScene,
    rays: *const HsRayColumns,
    count: usize,
    filter: *const HsFilter,
    hits: *const HsHitColumns,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (rays, hits) = unsafe { (Rays::columns(rays, count)?, Hits::columns(hits, count)?) };
        cast_scene(asked.rays(scene), count, &rays, &hits)?;
        Ok(HsStatus::Ok)
    })
}

/// Finds for each of many rays whether it hits anything, on all threads. `ray_stride` is as in `hs_scene_cast_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_is_blocked_batch(
    scene: *const HsScene,
    rays: *const HsRay,
    ray_stride: usize,
    count: usize,
    filter: *const HsFilter,
    blocked: *mut bool,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        let rays = Rays::Structs(Rows::new(rays, ray_stride, count, "rays")?);
        let blocked = Rows::new(blocked, 0, count, "blocked")?;
        let scene = asked.rays(scene);
        block_all(count, &rays, &blocked, |rays, blocked| scene.is_blocked_batch(rays, blocked))?;
        Ok(HsStatus::Ok)
    })
}
