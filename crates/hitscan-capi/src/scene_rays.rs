//! Questions of one ray to a scene.

pub use crate::answers::{HsGround, HsInterval, HsPointMove, HsTrajectoryHit};
use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, place, shared};
use crate::ray::{HsHit, HsRay, answer};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::query::{IntervalEnd, SolidInterval};
use hitscan::{RayQueries, Trajectory};

#[rustfmt::skip]
pub mod functions;

/// Finds the closest hit of a ray. If several hits have the same t, the entity inserted first is hit. An entity that is
/// replaced keeps its place in the order of insertion. An entity that is removed and inserted again becomes the last. The
/// status is `HS_STATUS_NONE` for a miss.
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
    /// The first accepted time.
    pub t_min: f32,
    /// The last accepted time.
    pub t_max: f32,
}

impl HsTrajectory {
    /// Returns the library's trajectory, which is valid for this tolerance.
    fn thrown(&self, tolerance: f32) -> Result<Trajectory, Failure> {
        let thrown = Trajectory::new(self.origin, self.velocity, self.acceleration).with_range(self.t_min, self.t_max);
        thrown.validate(tolerance).map_err(Failure::input)?;
        Ok(thrown)
    }
}

/// The kind of the end of an interval that is inside of a solid.
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
