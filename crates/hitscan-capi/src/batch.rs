//! Many rays at once.

use crate::filter::{Asked, HsFilter};
use crate::mesh::HsMesh;
use crate::pointer::{User, place, shared};
use crate::ray::{HsHit, HsRay, cull};
use crate::rows::{Found, Hits, HsHitColumns, HsRayColumns, Rays, Rows, TOGETHER};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, Outcome, guard};
use hitscan::batch::{BatchLists, Threads};
use hitscan::error::BatchError;
use hitscan::query::RayView;
use hitscan::{Cull, Hit, Mesh, MeshHit, Ray, RayQueries};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::Range;

/// A batch of at most this many rays is answered on the calling thread, which is done before another thread would wake up.
const FEW: usize = 1024;

/// Calls `work` for the numbers from 0 to `count` - 1, at most [`TOGETHER`] at a time, on all threads.
fn each_chunk(count: usize, work: &(impl Fn(Range<usize>) + Sync)) -> Result<(), Failure> {
    let chunk = |start: usize| start..count.min(start + TOGETHER);
    let starts = (0..count).step_by(TOGETHER);
    if count <= FEW {
        starts.for_each(|start| work(chunk(start)));
        return Ok(());
    }
    let starts: Vec<usize> = starts.collect();
    hitscan::batch::batch(&starts, &mut vec![(); starts.len()], |&start| work(chunk(start))).map_err(Failure::input)
}

/// Casts all rays, at most [`TOGETHER`] at a time. `cast` gets some of the rays, and a place for the answer to each.
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

/// Finds for each ray whether it is blocked, at most [`TOGETHER`] at a time. `ask` gets some of the rays, and a place
/// for the answer to each.
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

/// The places for all hits of many rays.
struct Lists<'a> {
    offsets: Rows<usize>,
    hits: Hits,
    capacity: usize,
    hit_count: &'a mut MaybeUninit<usize>,
}

impl<'a> Lists<'a> {
    /// Checks the places for the hits of this many rays.
    ///
    /// # Safety
    /// The pointers are valid.
    unsafe fn new(
        count: usize,
        offsets: *mut usize,
        (hits, capacity): (*const HsHitColumns, usize),
        hit_count: *mut usize,
    ) -> Result<Self, Failure> {
        let offsets = Rows::new(offsets, 0, count.saturating_add(1), "offsets")?;
        // SAFETY: The caller guarantees it.
        let (hits, hit_count) = unsafe { (Hits::columns(hits, capacity)?, place(hit_count, "hit_count")?) };
        Ok(Self { offsets, hits, capacity, hit_count })
    }

    /// Finds all hits of this many rays, on all threads, and writes as many of them as fit.
    fn fill<H: Found + Send>(self, count: usize, rays: &Rays, cast: impl Fn(&Ray, &mut Vec<H>) + Sync) -> Outcome {
        let (numbers, mut lists) = ((0..count).collect::<Vec<usize>>(), BatchLists::new());
        hitscan::batch::batch_lists(&numbers, Threads::All, &mut lists, |&number, found| {
            // SAFETY: There are as many rays as the caller said.
            cast(&unsafe { rays.get(number) }, found);
        });
        for (number, &offset) in lists.offsets().iter().enumerate() {
            // SAFETY: There is one offset more than there are rays.
            unsafe { self.offsets.put(number, offset) };
        }
        for (number, hit) in lists.items().iter().take(self.capacity).enumerate() {
            // SAFETY: There are as many places as the caller said.
            unsafe { self.hits.put(number, Some(hit)) };
        }
        self.hit_count.write(lists.items().len());
        Ok(if lists.items().len() > self.capacity { HsStatus::More } else { HsStatus::Ok })
    }
}

/// Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_mesh_cast`. Both strides
/// are numbers of bytes from one struct to the next; 0 means that the structs are contiguous.
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

/// Does the same as `hs_mesh_cast_batch`, but reads the rays from columns, and writes the hits to columns.
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

/// Finds all hits of each of many rays, on all threads and into columns: the same hits as by `hs_mesh_cast_all`, in the same
/// order. `offsets` gets one number more than there are rays. In each column, the hits of ray `i` are from `offsets[i]` to before `offsets[i + 1]`. `capacity`
/// is the number of hits for which the columns have places, and `hit_count` gets the number of all hits. If these do not fit, the status is `HS_STATUS_MORE`,
/// and only the first hits are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_cast_all_columns(
    mesh: *const HsMesh,
    rays: *const HsRayColumns,
    count: usize,
    sides: i32,
    offsets: *mut usize,
    hits: *const HsHitColumns,
    capacity: usize,
    hit_count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, rays) = unsafe { (shared(mesh, "mesh")?, Rays::columns(rays, count)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let lists = unsafe { Lists::new(count, offsets, (hits, capacity), hit_count) }?;
        let mesh = mesh.0.culled(cull(sides)?);
        lists.fill::<MeshHit>(count, &rays, |ray, found| mesh.cast_all(ray, found))
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

/// Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_scene_cast`. Both
/// strides are numbers of bytes from one struct to the next; 0 means that the structs are contiguous.
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

/// Does the same as `hs_scene_cast_batch`, but reads the rays from columns, and writes the hits to columns.
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

/// Does the same as `hs_mesh_cast_all_columns` for a scene. The hits are the same as by `hs_scene_cast_all`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast_all_columns(
    scene: *const HsScene,
    rays: *const HsRayColumns,
    count: usize,
    filter: *const HsFilter,
    offsets: *mut usize,
    hits: *const HsHitColumns,
    capacity: usize,
    hit_count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (rays, lists) =
            unsafe { (Rays::columns(rays, count)?, Lists::new(count, offsets, (hits, capacity), hit_count)?) };
        let scene = asked.rays(scene);
        lists.fill::<Hit<u64>>(count, &rays, |ray, found| scene.cast_all(ray, found))
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

/// Does one piece of the work of `hs_batch`, given the number of the piece.
pub type HsWork = Option<unsafe extern "C" fn(user: *mut c_void, number: usize)>;

/// The most pieces into which the numbers of a batch are divided.
const PIECES: usize = 1 << 12;

/// Calls `work` once for each number from 0 to `count` - 1, on at most `threads` threads. For `threads`, 0 means all. This is for questions without a batch
/// function, such as sweeps and overlaps. `work` asks one question, and finds the place for the answers by its first argument, `user`. Several threads call
/// `work` at once and in any order. It may ask the scene but not change it, and must return. `hs_batch` returns when all of these calls have returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_batch(count: usize, threads: usize, work: HsWork, user: *mut c_void) -> HsStatus {
    guard(|| {
        let null = || Failure::new(HsStatus::Null, "`work` is null: pass the function that does a piece of the work");
        let (work, user) = (work.ok_or_else(null)?, User(user));
        let threads = if threads == 0 { Threads::All } else { Threads::AtMost(threads) };
        let length = count.div_ceil(PIECES).max(1);
        let starts: Vec<usize> = (0..count).step_by(length).collect();
        let piece = |&start: &usize| {
            for number in start..count.min(start.saturating_add(length)) {
                // SAFETY: The caller guarantees that the callback may be called.
                unsafe { work(user.data(), number) };
            }
        };
        hitscan::batch::batch_on(&starts, threads, &mut vec![(); starts.len()], piece).map_err(Failure::input)?;
        Ok(HsStatus::Ok)
    })
}
