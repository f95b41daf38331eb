//! Helpers of games: shots, explosions, a camera arm, and ledges.

use crate::filter::{Asked, FilterName, HsFilter};
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::{HsHit, HsRay};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::gameplay::{BlastHit, CameraArm, Impact, LedgeProbe, ShotLeg, blast, shoot};
use hitscan::glam::DVec3;
use hitscan::{Hit, Ray};
use std::ffi::c_void;

/// The effect of a hit on a shot.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsImpact {
    /// The shot ends at the hit.
    Stop = 0,
    /// The shot goes on as a perfect reflection.
    Ricochet = 1,
    /// The shot goes straight on, into or out of the entity.
    PassThrough = 2,
}

/// Decides how a shot goes on at a hit, given the ray of the leg: it returns an `HsImpact`.
pub type HsImpactChoice = Option<unsafe extern "C" fn(user: *mut c_void, ray: *const HsRay, hit: *const HsHit) -> i32>;

/// A straight part of a shot.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsShotLeg {
    /// The hit at the end; a miss where the range ends.
    pub hit: HsHit,
    /// The start, relative to the filter's origin: the muzzle, or the point of the hit before.
    pub from: [f32; 3],
    /// The end, relative to the filter's origin.
    pub to: [f32; 3],
}

impl From<&ShotLeg<u64>> for HsShotLeg {
    fn from(leg: &ShotLeg<u64>) -> Self {
        let hit = leg.hit.as_ref().map_or(HsHit::MISS, HsHit::from);
        Self { hit, from: leg.from.to_array(), to: leg.to.to_array() }
    }
}

/// Asks the caller how a shot goes on. An impact that is none is noted.
///
/// # Safety
/// The callback may be called with this data.
unsafe fn impact(
    choice: HsImpactChoice,
    user: *mut c_void,
    (ray, hit): (&Ray, &Hit<u64>),
    refused: &mut Option<Failure>,
) -> Impact {
    let Some(choice) = choice else { return Impact::Stop };
    let (ray, hit) = (HsRay::from(*ray), HsHit::from(hit));
    // SAFETY: The caller answers for the callback; both places live as long as the call.
    match unsafe { choice(user, &raw const ray, &raw const hit) } {
        0 => Impact::Stop,
        1 => Impact::Ricochet,
        2 => Impact::PassThrough,
        other => {
            *refused = Some(Failure::argument(format!("the callback `impact` returned {other}, which is no HsImpact")));
            Impact::Stop
        }
    }
}

/// Follows a shot, and finds its legs in order, at most 1,024. `range` is its length in world units; the range of the ray and
/// the length of its direction do not matter. `impact`, which may be null to end at the first hit, is asked how the shot goes
/// on at each hit, with `user` as its first argument. A shot that goes through a solid has a hit where it enters and one
/// where it leaves. It never hits a surface that it has just left. The ray and the legs are in world space, relative to the
/// filter's origin. There are no legs for an invalid ray, and for a range that is not above 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_shoot(
    scene: *const HsScene,
    ray: *const HsRay,
    range: f32,
    filter: *const HsFilter,
    impact: HsImpactChoice,
    user: *mut c_void,
    legs: *mut HsShotLeg,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, ray, asked) =
            unsafe { (shared(scene, "scene")?, shared(ray, "ray")?.as_ray(), Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let buffer = unsafe { Buffer::new(legs, capacity, count) }?;
        let mut refused = None;
        let found = shoot(asked.rays(scene), ray, range, |ray, hit| {
            // SAFETY: The caller keeps the rules of this crate.
            unsafe { self::impact(impact, user, (ray, hit), &mut refused) }
        });
        match refused {
            Some(refused) => Err(refused),
            None => Ok(buffer.fill(found.iter().map(HsShotLeg::from))),
        }
    })
}

/// An entity within the radius of an explosion.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsBlastHit {
    /// The entity.
    pub key: u64,
    /// Its nearest point, relative to the filter's origin.
    pub point: [f32; 3],
    /// The distance to that point, in world units; 0 if the center is inside.
    pub distance: f32,
    /// 1 if another entity is between the center and the nearest point, otherwise 0. Obstacles within a ten thousandth of the
    /// distance from either of them do not count.
    pub is_covered: i32,
}

impl From<&BlastHit<u64>> for HsBlastHit {
    fn from(hit: &BlastHit<u64>) -> Self {
        let BlastHit { id: key, point, distance, is_covered, .. } = *hit;
        Self { key, point: point.to_array(), distance, is_covered: is_covered.into() }
    }
}

const HIDDEN_BY: FilterName = FilterName { filter: "hidden_by", exclude: "hidden_by->exclude" };

/// Finds the entities within a radius of a center of three doubles, in world space relative to the filter's origin, the
/// nearest first; of several that are as near, the one that was inserted first. An entity at exactly the radius counts. A
/// mesh counts by its surface alone. `hidden_by` is the filter of all that covers, whether it is reached or not; if it is
/// null, only what the other filter lets count covers. A center that is not finite, and a radius that is not finite and above
/// 0, reach nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_blast(
    scene: *const HsScene,
    center: *const f64,
    radius: f32,
    filter: *const HsFilter,
    hidden_by: *const HsFilter,
    hits: *mut HsBlastHit,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, center) = unsafe { (shared(scene, "scene")?, numbers(center, "center")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, hides) = unsafe { (Asked::new(filter)?, Asked::named(hidden_by, &HIDDEN_BY)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let buffer = unsafe { Buffer::new(hits, capacity, count) }?;
        let found = blast(asked.sight(&hides, scene), DVec3::from_array(center), radius);
        Ok(buffer.fill(found.iter().map(HsBlastHit::from)))
    })
}

/// An arm that holds a camera away from a target, as far as there is room.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsCameraArm {
    /// The distance of the camera from its target if nothing blocks it, in world units.
    pub length: f64,
    /// The room that the camera keeps around itself: at least the distance from the eye to a corner of the near plane.
    pub radius: f32,
}

/// The place of a camera at the end of its arm.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsArmEnd {
    /// The place of the camera, relative to the filter's origin.
    pub position: [f64; 3],
    /// The distance of the camera from its target.
    pub length: f64,
    /// The entity that blocks the full length.
    pub blocked_by: u64,
    /// 1 if an entity blocks the full length; otherwise 0, and `blocked_by` is 0.
    pub is_blocked: i32,
}

/// Finds the end of a camera arm that goes from a target in a direction of any length, three doubles each, in world space
/// relative to the filter's origin. Exclude the target itself by the filter. A camera that starts at an obstacle is not
/// stopped by it if it moves away from it. Bad input, which includes a negative length, leaves the camera at the target.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_camera_arm_end(
    scene: *const HsScene,
    arm: *const HsCameraArm,
    target: *const f64,
    direction: *const f64,
    filter: *const HsFilter,
    end: *mut HsArmEnd,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, arm, asked) = unsafe { (shared(scene, "scene")?, shared(arm, "arm")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (target, direction) = unsafe { (numbers(target, "target")?, numbers(direction, "direction")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let place = unsafe { place(end, "end") }?;
        let arm = CameraArm { length: arm.length, radius: arm.radius };
        let found = arm.end(asked.view(scene), DVec3::from_array(target), DVec3::from_array(direction));
        place.write(HsArmEnd {
            position: found.position.to_array(),
            length: found.length,
            blocked_by: found.blocked_by.unwrap_or(0),
            is_blocked: found.blocked_by.is_some().into(),
        });
        Ok(HsStatus::Ok)
    })
}

/// A probe for the edge of a surface in front of a character, at a height where hands reach.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsLedgeProbe {
    /// The distance ahead in which an edge is searched for, in world units.
    pub reach: f64,
    /// The least height of the edge above the feet.
    pub lowest: f64,
    /// The largest height of the edge above the feet.
    pub highest: f64,
    /// The steepest surface behind the edge, in radians from level.
    pub max_slope: f64,
    /// The radius of the ball that probes the surface: about the size of a hand.
    pub radius: f32,
}

/// An edge with a surface behind it and a wall below.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsLedge {
    /// The entity of the surface.
    pub key: u64,
    /// The point of the edge in front of the character, relative to the filter's origin.
    pub point: [f64; 3],
    /// The normal of the surface, of unit length.
    pub top_normal: [f64; 3],
    /// The normal of the wall below the edge, of unit length.
    pub wall_normal: [f64; 3],
}

/// Finds the nearest edge ahead of the feet, in the direction `forward` across `up`, three doubles each and the directions of
/// any length, in world space relative to the filter's origin. Exclude the character itself by the filter. The path of the
/// hand, up from the feet and then ahead, must be free. At most 64 places are probed, so edges that are thinner may be
/// missed if the reach is more than 64 radii. The status is `HS_STATUS_NONE` if there is no edge, and for bad input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_find_ledge(
    scene: *const HsScene,
    probe: *const HsLedgeProbe,
    feet: *const f64,
    forward: *const f64,
    up: *const f64,
    filter: *const HsFilter,
    ledge: *mut HsLedge,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, probe, asked) = unsafe { (shared(scene, "scene")?, shared(probe, "probe")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let [feet, forward, up] = unsafe { [numbers(feet, "feet")?, numbers(forward, "forward")?, numbers(up, "up")?] }
            .map(DVec3::from_array);
        // SAFETY: The caller keeps the rules of this crate.
        let place = unsafe { place(ledge, "ledge") }?;
        let HsLedgeProbe { reach, lowest, highest, max_slope, radius } = *probe;
        let probe = LedgeProbe { reach, lowest, highest, radius, max_slope };
        let Some(found) = probe.find(asked.view(scene), feet, forward, up) else { return Ok(HsStatus::None) };
        place.write(HsLedge {
            key: found.id,
            point: found.point.to_array(),
            top_normal: found.top_normal.to_array(),
            wall_normal: found.wall_normal.to_array(),
        });
        Ok(HsStatus::Ok)
    })
}
