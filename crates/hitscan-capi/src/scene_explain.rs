//! Reasons why a ray does not hit an entity.

pub use crate::answers::HsExplanation;
use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, place, shared};
use crate::ray::{HsHit, HsRay};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::query::Explanation;
use hitscan::{Hit, RayQueries};
use std::ffi::{CString, c_char};

/// The reason why a ray does not hit an entity first. After the first three, the reasons are tested in this order.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsReason {
    /// The entity is hit.
    Hit = 0,
    /// The entity would be hit, but another entity is in front of it.
    Behind = 1,
    /// There is no entity under this key.
    Absent = 2,
    /// The ray is not valid, as `hs_ray_validate` says.
    Ray = 3,
    /// The start of the ray in world space is not finite.
    Origin = 4,
    /// The entity is on no layer of the filter.
    Layers = 5,
    /// The filter excludes the entity.
    Excluded = 6,
    /// The callback `entities` of the filter leaves out the entity.
    Entity = 7,
    /// The entity has no triangles and no shapes.
    Empty = 8,
    /// The ray does not touch the entity's bounding box.
    Apart = 9,
    /// The ray touches the bounding box, but no surface.
    Between = 10,
    /// The entity is before the ray's range or beyond it.
    Range = 11,
    /// The ray starts inside of a solid, which `HS_INSIDE_IGNORE` leaves out.
    Inside = 12,
    /// The ray goes on from a hit, and the surface is not after that hit.
    After = 13,
    /// The ray hits a side that `cull` of the filter leaves out.
    Cull = 14,
    /// The ray goes through a hole.
    Hole = 15,
    /// The callback `hits` of the filter leaves out the hit.
    Filter = 16,
}

impl HsExplanation {
    fn new(reason: HsReason) -> Self {
        Self { hit: HsHit::MISS, nearer: HsHit::MISS, distance: 0.0, t: 0.0, reason: reason as i32 }
    }

    fn of_hit(reason: HsReason, hit: &Hit<u64>) -> Self {
        Self { hit: hit.into(), ..Self::new(reason) }
    }

    /// Returns `None` for a reason that the library may get later.
    fn of(found: &Explanation<u64>) -> Option<Self> {
        Some(match found {
            Explanation::Hit(hit) => Self::of_hit(HsReason::Hit, hit),
            Explanation::Behind { hit, nearer } => {
                Self { nearer: nearer.into(), ..Self::of_hit(HsReason::Behind, hit) }
            }
            Explanation::Absent => Self::new(HsReason::Absent),
            Explanation::Ray(_) => Self::new(HsReason::Ray),
            Explanation::Origin(_) => Self::new(HsReason::Origin),
            Explanation::Layers { .. } => Self::new(HsReason::Layers),
            Explanation::Excluded => Self::new(HsReason::Excluded),
            Explanation::Entity => Self::new(HsReason::Entity),
            Explanation::Empty => Self::new(HsReason::Empty),
            Explanation::Apart { distance, t } => Self { distance: *distance, t: *t, ..Self::new(HsReason::Apart) },
            Explanation::Between => Self::new(HsReason::Between),
            Explanation::Range { hit, .. } => Self::of_hit(HsReason::Range, hit),
            Explanation::Inside(hit) => Self::of_hit(HsReason::Inside, hit),
            Explanation::After(hit) => Self::of_hit(HsReason::After, hit),
            Explanation::Cull(hit) => Self::of_hit(HsReason::Cull, hit),
            Explanation::Hole(hit) => Self::of_hit(HsReason::Hole, hit),
            Explanation::Filter(hit) => Self::of_hit(HsReason::Filter, hit),
            _ => return None,
        })
    }
}

/// Explains why a ray does not hit an entity first, or that it does. The answer is a reason, and a sentence for people. The ray and the hits are in world
/// space, relative to the filter's origin. `text` gets the sentence with a terminating null, which `capacity` and `count` include. The pointer may be null for
/// a capacity of 0. The explanation is written even if the text does not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_explain(
    scene: *const HsScene,
    ray: *const HsRay,
    key: u64,
    filter: *const HsFilter,
    explanation: *mut HsExplanation,
    text: *mut c_char,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, ray, asked) =
            unsafe { (shared(scene, "scene")?, shared(ray, "ray")?.as_ray(), Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (place, buffer) = unsafe { (place(explanation, "explanation")?, Buffer::new(text, capacity, count)?) };
        let found = asked.rays(scene).explain(ray, &key);
        let unknown = || Failure::new(HsStatus::Internal, "the library gives a reason that hitscan.h does not have");
        place.write(HsExplanation::of(&found).ok_or_else(unknown)?);
        let sentence = CString::new(found.to_string()).unwrap_or_default().into_bytes_with_nul();
        Ok(buffer.fill(sentence.into_iter().map(|byte| byte as c_char)))
    })
}
