//! Questions of points, and of pairs of entities, to a scene.

use crate::filter::{Asked, HsFilter};
use crate::nearest::HsNearest;
use crate::pointer::{Buffer, numbers, place, shared};
use crate::ray::{HS_NO_TRIANGLE, choice};
use crate::rows::Rows;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::ProximityQueries;
use hitscan::glam::DVec3;
use hitscan::pairs::{PairFilter, PairTest};

#[rustfmt::skip]
pub mod functions;

/// Finds the nearest point for each of many points of three doubles, on all threads. `stride` is the number of bytes
/// from one to the next; 0 means three doubles. Where there is none, the answer is 0 but for its distance, which
/// is infinite, and its triangle, which is `HS_NO_TRIANGLE`.
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

/// The distance between two entities.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPairDistance {
    /// The distance; 0 if they touch or overlap.
    pub distance: f32,
    /// The nearest points of the first and the second.
    pub points: [[f32; 3]; 2],
    /// The direction from the first to the second, of unit length; zero if they overlap and no direction leads out.
    pub normal: [f32; 3],
    /// The parts that these points are on.
    pub parts: [u32; 2],
    /// The triangles that these points are on, or `HS_NO_TRIANGLE`.
    pub triangles: [u32; 2],
}

/// The overlap of two entities.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPairPenetration {
    /// The shortest motion of the second that ends the overlap.
    pub separation: [f64; 3],
    /// The length of that.
    pub depth: f32,
    /// The direction of that, from the first to the second, of unit length.
    pub normal: [f32; 3],
    /// The deepest points of the first and the second.
    pub points: [[f32; 3]; 2],
    /// The parts that these points are on.
    pub parts: [u32; 2],
    /// The triangles that these points are on, or `HS_NO_TRIANGLE`.
    pub triangles: [u32; 2],
}

/// Finds the distance between two entities. The status is `HS_STATUS_NONE` if one of them is not there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_pair_distance(
    scene: *const HsScene,
    first: u64,
    second: u64,
    distance: *mut HsPairDistance,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, place) = unsafe { (shared(scene, "scene")?, place(distance, "distance")?) };
        let Some(found) = scene.0.pair(&first, &second).distance() else { return Ok(HsStatus::None) };
        place.write(HsPairDistance {
            distance: found.distance,
            points: found.points.map(|point| point.to_array()),
            normal: found.normal.to_array(),
            parts: found.parts,
            triangles: found.triangles.map(|triangle| triangle.unwrap_or(HS_NO_TRIANGLE)),
        });
        Ok(HsStatus::Ok)
    })
}

/// Finds how deep two entities overlap. The status is `HS_STATUS_NONE` if they do not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_pair_penetration(
    scene: *const HsScene,
    first: u64,
    second: u64,
    penetration: *mut HsPairPenetration,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, place) = unsafe { (shared(scene, "scene")?, place(penetration, "penetration")?) };
        let Some(found) = scene.0.pair(&first, &second).penetration() else { return Ok(HsStatus::None) };
        place.write(HsPairPenetration {
            separation: found.separation().to_array(),
            depth: found.depth,
            normal: found.normal.to_array(),
            points: found.points.map(|point| point.to_array()),
            parts: found.parts,
            triangles: found.triangles.map(|triangle| triangle.unwrap_or(HS_NO_TRIANGLE)),
        });
        Ok(HsStatus::Ok)
    })
}

/// Reads which pairs of entities count.
pub(crate) fn pair_filter(layers: u32, other_layers: u32, boxes_only: i32) -> Result<PairFilter, Failure> {
    let test = choice(boxes_only, "boxes_only", &[PairTest::Shapes, PairTest::Boxes])?;
    Ok(PairFilter::new().layers(layers, other_layers).test(test))
}
