//! Questions of one ray to a scene.

use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, place, shared};
use crate::ray::{HsHit, HsRay, answer, vec3};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::query::{IntervalEnd, SolidInterval};
use hitscan::{RayQueries, Trajectory};

#[rustfmt::skip]
pub mod functions;

/// Finds the closest hit of a ray. If several have the same t, the entity inserted first is hit. One that is replaced keeps
/// its place in that order, and one that is removed and inserted again is the last. The status is `HS_STATUS_NONE` for a
/// miss.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast(
    scene: *const HsScene,
    ray: *const HsRay,
    filter: *const HsFilter,
    hit: *mut HsHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, ray, hit) = unsafe { (shared(scene, "scene")?, shared(ray, "ray")?.as_ray(), place(hit, "hit")?) };
        if filter.is_null() {
            return Ok(answer(hit, scene.0.cast(ray).as_ref().map(HsHit::from)));
        }
        // SAFETY: The caller keeps the rules of this crate.
        let asked = unsafe { Asked::new(filter) }?;
        Ok(answer(hit, asked.rays(scene).cast(ray).as_ref().map(HsHit::from)))
    })
}

/// The ground below a point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsGround {
    /// The hit; its t is the distance.
    pub hit: HsHit,
    /// The cosine of the angle between the ground and level ground.
    pub slope_cos: f32,
}

/// The path of a moving point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPointMove {
    /// The hit that stopped it; a miss if nothing did.
    pub hit: HsHit,
    /// The position that it came to.
    pub position: [f32; 3],
    /// The fraction of the motion that it made.
    pub fraction: f32,
    /// The motion that is left.
    pub remaining: [f32; 3],
    /// The motion that is left, without its part into the surface.
    pub slide: [f32; 3],
}

/// Moves a point by a motion, three floats each, until it is `skin` in front of something.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_move_point(
    scene: *const HsScene,
    from: *const f32,
    motion: *const f32,
    skin: f32,
    filter: *const HsFilter,
    moved: *mut HsPointMove,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, from, motion) = unsafe { (shared(scene, "scene")?, vec3(from, "from")?, vec3(motion, "motion")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, place) = unsafe { (Asked::new(filter)?, place(moved, "moved")?) };
        let moved = asked.rays(scene).move_point(from, motion, skin);
        place.write(HsPointMove {
            hit: moved.hit.as_ref().map_or(HsHit::MISS, HsHit::from),
            position: moved.position.to_array(),
            fraction: moved.fraction,
            remaining: moved.remaining.to_array(),
            slide: moved.slide.to_array(),
        });
        Ok(HsStatus::Ok)
    })
}

/// The path of something that is thrown: origin + velocity * t + acceleration * t * t / 2 for t_min <= t <= t_max.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsTrajectory {
    /// The point at t = 0.
    pub origin: [f32; 3],
    /// The velocity at t = 0.
    pub velocity: [f32; 3],
    /// The acceleration, such as gravity.
    pub acceleration: [f32; 3],
    /// The first time that counts.
    pub t_min: f32,
    /// The last time that counts.
    pub t_max: f32,
}

/// A hit of something that is thrown.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsTrajectoryHit {
    /// The hit; its t is the fraction of the chord that hit.
    pub hit: HsHit,
    /// The time of the hit.
    pub time: f32,
    /// The velocity then.
    pub velocity: [f32; 3],
}

/// Finds the first hit of something that is thrown, along chords that are at most `tolerance` from its path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast_trajectory(
    scene: *const HsScene,
    trajectory: *const HsTrajectory,
    tolerance: f32,
    filter: *const HsFilter,
    hit: *mut HsTrajectoryHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, given, asked) =
            unsafe { (shared(scene, "scene")?, shared(trajectory, "trajectory")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let hit = unsafe { place(hit, "hit") }?;
        let thrown = Trajectory::new(given.origin, given.velocity, given.acceleration);
        let thrown = thrown.with_range(given.t_min, given.t_max);
        thrown.validate(tolerance).map_err(Failure::input)?;
        let Some(found) = asked.rays(scene).cast_trajectory(&thrown, tolerance) else { return Ok(HsStatus::None) };
        let velocity = found.velocity.to_array();
        hit.write(HsTrajectoryHit { hit: HsHit::from(&found.hit), time: found.time, velocity });
        Ok(HsStatus::Ok)
    })
}

/// The kind of an end of an interval inside of a solid.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsIntervalEnd {
    /// The ray goes through the surface there.
    Surface = 0,
    /// The range of the ray ends there.
    Range = 1,
    /// The end is not known, because the mesh is not closed. Such an interval has length 0.
    Open = 2,
}

/// An interval of a ray that is inside of a solid or a closed mesh.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsInterval {
    /// The hit at its start, a miss unless `enter_kind` is `HS_INTERVAL_END_SURFACE`.
    pub enter: HsHit,
    /// The hit at its end, a miss unless `exit_kind` is `HS_INTERVAL_END_SURFACE`.
    pub exit: HsHit,
    /// The entity.
    pub key: u64,
    /// The number of the part in a compound.
    pub part: u32,
    /// The t at its start.
    pub t_enter: f32,
    /// The t at its end.
    pub t_exit: f32,
    /// The kind of its start, an `HsIntervalEnd`.
    pub enter_kind: i32,
    /// The kind of its end, an `HsIntervalEnd`.
    pub exit_kind: i32,
}

fn end(end: &IntervalEnd<u64>) -> (HsHit, i32) {
    match end {
        IntervalEnd::Surface(hit) => (HsHit::from(hit), HsIntervalEnd::Surface as i32),
        IntervalEnd::Range => (HsHit::MISS, HsIntervalEnd::Range as i32),
        IntervalEnd::Open => (HsHit::MISS, HsIntervalEnd::Open as i32),
    }
}

impl From<&SolidInterval<u64>> for HsInterval {
    fn from(found: &SolidInterval<u64>) -> Self {
        let ((enter, enter_kind), (exit, exit_kind)) = (end(&found.enter), end(&found.exit));
        let SolidInterval { id: key, part, t_enter, t_exit, .. } = *found;
        Self { enter, exit, key, part, t_enter, t_exit, enter_kind, exit_kind }
    }
}
