//! Questions of points, and of pairs of entities, to a scene.

pub use crate::answers::{HsEntityImpact, HsNearPair, HsPairDistance, HsPairPenetration};
use crate::filter::{Asked, HsFilter};
use crate::nearest::HsNearest;
use crate::pointer::{Buffer, numbers, place, shared, slice};
use crate::ray::choice;
use crate::rows::Rows;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::ProximityQueries;
use hitscan::glam::{DQuat, DVec3};
use hitscan::pairs::{EntityMotion, PairFilter, PairTest};

#[rustfmt::skip]
pub mod functions;

/// Finds the nearest point for each of many points of three doubles, on all threads. `stride` is the number of bytes
/// from one point to the next; 0 means three doubles. If there is no nearest point, the distance is infinite, the
/// triangle is `HS_NO_TRIANGLE`, and everything else is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_closest_point_batch(
    scene: *const HsScene,
    points: *const f64,
    stride: usize,
    count: usize,
    max_distance: f64,
    filter: *const HsFilter,
    nearest: *mut HsNearest,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        let points = Rows::<[f64; 3]>::new(points.cast(), stride, count, "points")?;
        let answers = Rows::new(nearest, 0, count, "nearest")?;
        let numbers: Vec<usize> = (0..count).collect();
        let view = asked.view(scene);
        let answer = |&number: &usize| {
            // SAFETY: There are as many points, and as many places, as the caller said.
            unsafe {
                let found = view.closest_point_within(DVec3::from_array(points.get(number)), max_distance);
                answers.put(number, found.as_ref().map_or(HsNearest::NOTHING, HsNearest::from));
            }
        };
        hitscan::batch::batch(&numbers, &mut vec![(); count], answer).map_err(Failure::input)?;
        Ok(HsStatus::Ok)
    })
}

/// Reads which pairs of entities are accepted.
pub(crate) fn pair_filter(
    layers: u32,
    other_layers: u32,
    boxes_only: i32,
) -> Result<PairFilter<'static, u64>, Failure> {
    let test = choice(boxes_only, "boxes_only", &[PairTest::Shapes, PairTest::Boxes])?;
    Ok(PairFilter::new().layers(layers, other_layers).test(test))
}

/// The motion of an entity in a step. It moves along a straight line and rotates meanwhile, both at constant speed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsEntityMotion {
    /// The key of the entity.
    pub key: u64,
    /// The motion of the entity's origin.
    pub translation: [f64; 3],
    /// The rotation about the entity's origin as a quaternion (x, y, z, w) of any length but 0, at most half a turn. Without a rotation it is (0, 0, 0, 1).
    pub rotation: [f64; 4],
}

/// Finds the first contact of every two entities that come to touch while all of the given entities move at the same time. A pair counts if one is on `layers`
/// and the other on `other_layers`. The contacts are in the order of their times. At the time of a contact, the two are at most `tolerance` apart, and a
/// contact is never late. The scene does not change. An absent key is left out; an invalid motion is an error that names its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_first_impacts(
    scene: *const HsScene,
    motions: *const HsEntityMotion,
    motion_count: usize,
    tolerance: f64,
    layers: u32,
    other_layers: u32,
    impacts: *mut HsEntityImpact,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, buffer) = unsafe { (shared(scene, "scene")?, Buffer::new(impacts, capacity, count)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let motions = unsafe { slice(motions, motion_count, "motions")? };
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(Failure::argument(format!("tolerance is {tolerance}, but must be finite and above 0")));
        }
        let motions = motions.iter().enumerate().map(entity_motion).collect::<Result<Vec<_>, _>>()?;
        let mut found = Vec::new();
        scene.0.first_impacts(&motions, &pair_filter(layers, other_layers, 0)?, tolerance, &mut found);
        Ok(buffer.fill(found.iter().map(HsEntityImpact::from)))
    })
}

fn entity_motion((index, motion): (usize, &HsEntityMotion)) -> Result<EntityMotion<u64>, Failure> {
    let HsEntityMotion { key, translation, rotation } = motion;
    if !translation.iter().chain(rotation).all(|number| number.is_finite()) {
        return Err(Failure::argument(format!("motion {index} has a number that is not finite")));
    }
    if *rotation == [0.0; 4] {
        return Err(Failure::argument(format!(
            "motion {index} has the rotation 0; without a rotation it is (0, 0, 0, 1)"
        )));
    }
    Ok(EntityMotion::new(*key, DVec3::from_array(*translation)).rotating(DQuat::from_array(*rotation)))
}
