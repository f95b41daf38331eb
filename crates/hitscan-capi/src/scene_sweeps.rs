//! Questions of volumes to a scene: those that move, and those that are in place.

use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::HS_NO_TRIANGLE;
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use crate::volume::{HsPose, HsSweepHit, HsVolume};
use hitscan::glam::DVec3;
use hitscan::query::{ContactPoint, Overlap, Penetration};
use hitscan::{ProximityQueries, SweepQueries};

/// Finds the first contact of a volume that is moved by a motion of three doubles. The status is `HS_STATUS_NONE` if
/// nothing is hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_sweep(
    scene: *const HsScene,
    volume: *const HsVolume,
    from: *const HsPose,
    motion: *const f64,
    filter: *const HsFilter,
    hit: *mut HsSweepHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, from) = unsafe {
            (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(from, "from")?.pose("from")?)
        };
        // SAFETY: The caller keeps the rules of this crate.
        let (motion, asked, hit) = unsafe { (numbers(motion, "motion")?, Asked::new(filter)?, place(hit, "hit")?) };
        let motion = DVec3::from_array(motion);
        let Some(found) = asked.sweeps(scene).sweep(volume, from, motion) else { return Ok(HsStatus::None) };
        hit.write(HsSweepHit::new(&found, motion, asked.skin()));
        Ok(HsStatus::Ok)
    })
}

/// Finds all contacts of a volume that is moved by a motion of three doubles, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_sweep_all(
    scene: *const HsScene,
    volume: *const HsVolume,
    from: *const HsPose,
    motion: *const f64,
    filter: *const HsFilter,
    hits: *mut HsSweepHit,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, from) = unsafe {
            (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(from, "from")?.pose("from")?)
        };
        // SAFETY: The caller keeps the rules of this crate.
        let (motion, asked, buffer) =
            unsafe { (numbers(motion, "motion")?, Asked::new(filter)?, Buffer::new(hits, capacity, count)?) };
        let (motion, skin) = (DVec3::from_array(motion), asked.skin());
        let mut found = Vec::new();
        asked.sweeps(scene).sweep_all(volume, from, motion, &mut found);
        Ok(buffer.fill(found.iter().map(|hit| HsSweepHit::new(hit, motion, skin))))
    })
}

/// Finds the first contact of a volume that moves and turns from one pose to another one. `safe_t` and `slide` of the
/// hit are for the straight part of the motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_sweep_rotating(
    scene: *const HsScene,
    volume: *const HsVolume,
    from: *const HsPose,
    to: *const HsPose,
    filter: *const HsFilter,
    hit: *mut HsSweepHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, from) = unsafe {
            (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(from, "from")?.pose("from")?)
        };
        // SAFETY: The caller keeps the rules of this crate.
        let (to, asked, hit) = unsafe { (shared(to, "to")?.pose("to")?, Asked::new(filter)?, place(hit, "hit")?) };
        let motion = to.position - from.position;
        let Some(found) = asked.sweeps(scene).sweep_rotating(volume, from, to) else { return Ok(HsStatus::None) };
        hit.write(HsSweepHit::new(&found, motion, asked.skin()));
        Ok(HsStatus::Ok)
    })
}

/// Finds the first contact of an entity of the scene that is moved by a motion of three doubles, with anything but
/// itself. The status is `HS_STATUS_NONE` if it hits nothing, is not there, or is no volume.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_sweep_entity(
    scene: *const HsScene,
    key: u64,
    motion: *const f64,
    filter: *const HsFilter,
    hit: *mut HsSweepHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, motion) = unsafe { (shared(scene, "scene")?, numbers(motion, "motion")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, hit) = unsafe { (Asked::new(filter)?, place(hit, "hit")?) };
        let motion = DVec3::from_array(motion);
        let found = hitscan::query::sweep_entity(asked.sweeps(scene), &key, motion);
        let Some(found) = found else { return Ok(HsStatus::None) };
        hit.write(HsSweepHit::new(&found, motion, asked.skin()));
        Ok(HsStatus::Ok)
    })
}

/// Finds whether a volume overlaps anything.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_overlaps(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    overlaps: *mut bool,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, overlaps) = unsafe { (Asked::new(filter)?, place(overlaps, "overlaps")?) };
        overlaps.write(asked.view(scene).overlaps(volume, at));
        Ok(HsStatus::Ok)
    })
}

/// Finds the entities that a volume overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_overlap_entities(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    keys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, buffer) = unsafe { (Asked::new(filter)?, Buffer::new(keys, capacity, count)?) };
        let mut found = Vec::new();
        asked.view(scene).overlap_entities(volume, at, &mut found);
        Ok(buffer.fill(found.into_iter()))
    })
}

/// Something that a volume overlaps.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsOverlap {
    /// The entity.
    pub key: u64,
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&Overlap<u64>> for HsOverlap {
    fn from(found: &Overlap<u64>) -> Self {
        Self { key: found.id, part: found.part, triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE) }
    }
}

/// Finds all parts and triangles that a volume overlaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_overlap_all(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    overlaps: *mut HsOverlap,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, buffer) = unsafe { (Asked::new(filter)?, Buffer::new(overlaps, capacity, count)?) };
        let mut found = Vec::new();
        asked.view(scene).overlap_all(volume, at, &mut found);
        Ok(buffer.fill(found.iter().map(HsOverlap::from)))
    })
}

/// The depth of a volume in something.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPenetration {
    /// The entity.
    pub key: u64,
    /// The shortest motion of the volume that ends the overlap.
    pub separation: [f64; 3],
    /// The length of that.
    pub depth: f32,
    /// The direction of that, of unit length.
    pub normal: [f32; 3],
    /// The point on the entity where the volume is deepest, relative to the filter's origin.
    pub point: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&Penetration<u64>> for HsPenetration {
    fn from(found: &Penetration<u64>) -> Self {
        Self {
            key: found.id,
            separation: found.separation().to_array(),
            depth: found.depth,
            normal: found.normal.to_array(),
            point: found.point.to_array(),
            part: found.part,
            triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE),
        }
    }
}

/// Finds the deepest overlap of a volume. The status is `HS_STATUS_NONE` if it overlaps nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_penetration(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    penetration: *mut HsPenetration,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, place) = unsafe { (Asked::new(filter)?, place(penetration, "penetration")?) };
        let Some(found) = asked.view(scene).penetration(volume, at) else { return Ok(HsStatus::None) };
        place.write(HsPenetration::from(&found));
        Ok(HsStatus::Ok)
    })
}

/// Finds the overlap of a volume with each part.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_penetration_all(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    penetrations: *mut HsPenetration,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, buffer) = unsafe { (Asked::new(filter)?, Buffer::new(penetrations, capacity, count)?) };
        let mut found = Vec::new();
        asked.view(scene).penetration_all(volume, at, &mut found);
        Ok(buffer.fill(found.iter().map(HsPenetration::from)))
    })
}

/// A point at which a volume and something touch.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsContactPoint {
    /// The entity.
    pub key: u64,
    /// The depth of the overlap at this point.
    pub depth: f32,
    /// The direction in which the volume comes out, of unit length.
    pub normal: [f32; 3],
    /// The point on the entity, relative to the filter's origin.
    pub point: [f32; 3],
    /// The point on the volume.
    pub on_volume: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
}

impl From<&ContactPoint<u64>> for HsContactPoint {
    fn from(found: &ContactPoint<u64>) -> Self {
        Self {
            key: found.id,
            depth: found.depth,
            normal: found.normal.to_array(),
            point: found.point.to_array(),
            on_volume: found.on_volume.to_array(),
            part: found.part,
            triangle: found.triangle.unwrap_or(HS_NO_TRIANGLE),
        }
    }
}

/// Finds the points at which a volume touches or overlaps something, up to four for each part.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_contact_points(
    scene: *const HsScene,
    volume: *const HsVolume,
    at: *const HsPose,
    filter: *const HsFilter,
    contacts: *mut HsContactPoint,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, volume, at) =
            unsafe { (shared(scene, "scene")?, shared(volume, "volume")?.volume()?, shared(at, "at")?.pose("at")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, buffer) = unsafe { (Asked::new(filter)?, Buffer::new(contacts, capacity, count)?) };
        let mut found = Vec::new();
        asked.view(scene).contact_points(volume, at, &mut found);
        Ok(buffer.fill(found.iter().map(HsContactPoint::from)))
    })
}
