//! Helpers of games: shots, explosions, a camera arm, and ledges.

pub use crate::answers::{HsArmEnd, HsBlastHit, HsLedge, HsShotLeg};
use crate::filter::{Asked, FilterName, HsFilter};
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::{HsHit, HsRay};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::gameplay::{CameraArm, Impact, LedgeProbe, blast, shoot};
use hitscan::glam::DVec3;
use hitscan::{Hit, Ray};
use std::ffi::c_void;

#[rustfmt::skip]
pub mod functions;

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

/// Decides how a shot goes on at a hit, given the ray of the leg. It returns an `HsImpact`.
pub type HsImpactChoice = Option<unsafe extern "C" fn(user: *mut c_void, ray: *const HsRay, hit: *const HsHit) -> i32>;

/// Asks the callback how a shot goes on. An invalid impact stops the shot, and is noted in `refused`.
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
    // SAFETY: The caller guarantees that the callback may be called; both places live as long as the call.
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
/// the length of its direction do not matter. `impact` decides how the shot goes on at each hit, with `user` as its first argument. If `impact` is null, the
/// shot ends at the first hit. A shot that goes through a solid has a hit where it enters, and another where it leaves. It never hits a surface that it has
/// just left. The ray and the legs are in world space, relative to the filter's origin. There are no legs for an invalid ray, or for a range that is not above
/// 0.
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

const HIDDEN_BY: FilterName = FilterName { filter: "hidden_by", exclude: "hidden_by->exclude" };

/// Finds the entities within a radius of a center of three doubles, in world space relative to the filter's origin. The nearest comes first, and at equal
/// distances the entity that was inserted first. An entity at exactly the radius is reached. Only the surface of a mesh is used, not its inside. `hidden_by` is
/// the filter of the entities that give cover, whether the explosion reaches them or not. If it is null, only the entities that pass the other filter give
/// cover. Nothing is found if the center is not finite, or if the radius is not finite and above 0.
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

impl HsCameraArm {
    fn arm(&self) -> CameraArm {
        CameraArm { length: self.length, radius: self.radius }
    }
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

impl HsLedgeProbe {
    fn probe(&self) -> LedgeProbe {
        let Self { reach, lowest, highest, max_slope, radius } = *self;
        LedgeProbe { reach, lowest, highest, radius, max_slope }
    }
}
