//! Questions of points, and of pairs of entities, to a scene.

pub use crate::answers::{HsNearPair, HsPairDistance, HsPairPenetration};
use crate::filter::{Asked, HsFilter};
use crate::nearest::HsNearest;
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::choice;
use crate::rows::Rows;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::ProximityQueries;
use hitscan::glam::DVec3;
use hitscan::pairs::{PairFilter, PairTest};

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

/// Reads which pairs of entities count.
pub(crate) fn pair_filter(
    layers: u32,
    other_layers: u32,
    boxes_only: i32,
) -> Result<PairFilter<'static, u64>, Failure> {
    let test = choice(boxes_only, "boxes_only", &[PairTest::Shapes, PairTest::Boxes])?;
    Ok(PairFilter::new().layers(layers, other_layers).test(test))
}
