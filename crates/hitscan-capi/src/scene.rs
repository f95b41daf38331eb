//! Scenes: their contents, changes, and saving.

use crate::custom::HsCustom;
use crate::height_field::HsHeightField;
use crate::hull::HsHull;
use crate::mesh::HsMesh;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, optional, place, shared, slice, unique};
use crate::shape::HsShape;
use crate::status::{Failure, HsStatus, guard, guard_value};
use crate::strided::positions;
use crate::volume::HsPose;
use hitscan::error::ReadError;
use hitscan::gizmo::GizmoTransform;
use hitscan::glam::{DAffine3, DMat4, DVec3, Mat4};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Compound, Geometry, Pose, Scene, Transform};

#[rustfmt::skip]
pub mod functions;

/// A set of entities under 64-bit keys of the caller's: a handle, which `hs_scene_free` frees.
///
/// Any number of threads may ask a scene at the same time, as long as nobody changes it. A question sees every change
/// that was made before it; no call is needed to update the scene.
pub struct HsScene(pub(crate) Scene<u64>);

/// Frees a scene; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_free(scene: *mut HsScene) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(scene) }
}

/// Returns the number of entities; 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_count(scene: *const HsScene) -> usize {
    guard_value(0, || {
        // SAFETY: The caller keeps the rules of this crate.
        Ok(unsafe { shared(scene, "scene") }?.0.len())
    })
}

/// Reads sixteen doubles as the columns of a matrix; null is the identity.
///
/// # Safety
/// The rules of [`shared`] hold.
unsafe fn placed(matrix: *const f64) -> Result<Transform, Failure> {
    if matrix.is_null() {
        return Ok(Transform::IDENTITY);
    }
    // SAFETY: The caller guarantees it.
    Ok(DMat4::from_cols_array(&unsafe { numbers(matrix, "transform") }?).into())
}

/// Puts something into a scene.
fn insert(
    scene: &mut HsScene,
    key: u64,
    geometry: impl Into<Geometry>,
    transform: Transform,
) -> Result<HsStatus, Failure> {
    scene.0.insert(key, geometry, transform).map_err(Failure::input)?;
    Ok(HsStatus::Ok)
}

/// Puts a cloud of points into a scene, to snap to; rays and volumes do not hit it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_insert_points(
    scene: *mut HsScene,
    key: u64,
    points: *const f32,
    stride: usize,
    count: usize,
    transform: *const f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let points = unsafe { positions(points, stride, count, "points") }?;
        let cloud = PointCloud::new(&points).map_err(Failure::input)?;
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { insert(unique(scene, "scene")?, key, cloud, placed(transform)?) }
    })
}

/// Puts a line through points into a scene, to snap to; rays and volumes do not hit it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_insert_polyline(
    scene: *mut HsScene,
    key: u64,
    points: *const f32,
    stride: usize,
    count: usize,
    transform: *const f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let points = unsafe { positions(points, stride, count, "points") }?;
        let line = Polyline::new(&points).map_err(Failure::input)?;
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { insert(unique(scene, "scene")?, key, line, placed(transform)?) }
    })
}

/// A part of a compound: exactly one of `shape`, `mesh`, `field` and `hull` is not null.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPart {
    /// A shape, or null.
    pub shape: *const HsShape,
    /// A mesh, or null.
    pub mesh: *const HsMesh,
    /// A height field, or null.
    pub field: *const HsHeightField,
    /// A hull, or null.
    pub hull: *const HsHull,
    /// The transform from the part to the entity, sixteen doubles, column after column; null is the identity.
    pub transform: *const f64,
}

impl HsPart {
    /// Returns the geometry of the part.
    ///
    /// # Safety
    /// The pointers are valid or null.
    unsafe fn geometry(&self) -> Result<Geometry, Failure> {
        // SAFETY: The caller guarantees it.
        let (shape, mesh, field, hull) = unsafe {
            (
                optional(self.shape, "shape")?,
                optional(self.mesh, "mesh")?,
                optional(self.field, "field")?,
                optional(self.hull, "hull")?,
            )
        };
        Ok(match (shape, mesh, field, hull) {
            (Some(shape), None, None, None) => shape.shape()?.into(),
            (None, Some(mesh), None, None) => (&mesh.0).into(),
            (None, None, Some(field), None) => (&field.0).into(),
            (None, None, None, Some(hull)) => (&hull.0).into(),
            _ => return Err(Failure::argument("a part must be exactly one of a shape, a mesh, a field and a hull")),
        })
    }
}

/// Puts several things into a scene as one entity. The part number of a hit says which of them was hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_insert_compound(
    scene: *mut HsScene,
    key: u64,
    parts: *const HsPart,
    count: usize,
    transform: *const f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let parts = unsafe { slice(parts, count, "parts") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let parts = parts.iter().map(|part| unsafe { Ok((part.geometry()?, placed(part.transform)?)) });
        let compound = Compound::new(parts.collect::<Result<Vec<_>, Failure>>()?).map_err(Failure::input)?;
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { insert(unique(scene, "scene")?, key, compound, placed(transform)?) }
    })
}

/// Returns `HsStatus::Ok` if there is an answer, and `HsStatus::None` if there is none.
fn found<T>(answer: Option<T>) -> HsStatus {
    if answer.is_some() { HsStatus::Ok } else { HsStatus::None }
}

fn moved(scene: &mut HsScene, key: u64, transform: Transform) -> Result<HsStatus, Failure> {
    Ok(found(scene.0.set_transform(&key, transform).map_err(Failure::input)?))
}

/// Moves an entity, given a transform of sixteen floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_set_transform_f32(scene: *mut HsScene, key: u64, transform: *const f32) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, matrix) = unsafe { (unique(scene, "scene")?, numbers(transform, "transform")?) };
        moved(scene, key, Mat4::from_cols_array(&matrix).into())
    })
}

fn move_all<M: Copy + Into<Transform>>(scene: &mut HsScene, keys: &[u64], matrices: &[M]) -> Result<usize, Failure> {
    let transforms = keys.iter().copied().zip(matrices.iter().copied());
    scene.0.set_transforms(transforms).map_err(Failure::input)
}

/// Moves many entities at once: `transforms` has sixteen doubles for each key. Absent keys are ignored. `moved`, which may be null, gets the number of these
/// keys that are in the scene. If a transform is invalid, nothing is moved. If more than an eighth of all parts move, the tree is refitted or rebuilt once. So
/// make one call for everything that moves in a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_set_transforms(
    scene: *mut HsScene,
    keys: *const u64,
    transforms: *const f64,
    count: usize,
    moved: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, keys) = unsafe { (unique(scene, "scene")?, slice(keys, count, "keys")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let matrices = unsafe { slice(transforms.cast::<[[f64; 4]; 4]>(), count, "transforms") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let place = if moved.is_null() { None } else { Some(unsafe { place(moved, "moved") }?) };
        let number = move_all(scene, keys, matrices)?;
        place.map(|place| place.write(number));
        Ok(HsStatus::Ok)
    })
}

/// Moves many entities at once, given sixteen floats for each key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_set_transforms_f32(
    scene: *mut HsScene,
    keys: *const u64,
    transforms: *const f32,
    count: usize,
    moved: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, keys) = unsafe { (unique(scene, "scene")?, slice(keys, count, "keys")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let matrices = unsafe { slice(transforms.cast::<[[f32; 4]; 4]>(), count, "transforms") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let place = if moved.is_null() { None } else { Some(unsafe { place(moved, "moved") }?) };
        let number = move_all(scene, keys, matrices)?;
        place.map(|place| place.write(number));
        Ok(HsStatus::Ok)
    })
}

/// Moves the vertices of the mesh of an entity, or of one part of a compound. Other entities with the same mesh keep
/// their vertices. The status is `HS_STATUS_NONE` if there is no such mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_refit(
    scene: *mut HsScene,
    key: u64,
    part: u32,
    points: *const f32,
    stride: usize,
    count: usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, points) = unsafe { (unique(scene, "scene")?, positions(points, stride, count, "positions")?) };
        Ok(found(scene.0.refit(&key, part, &points).map_err(Failure::input)?))
    })
}

/// Changes heights of the height field of an entity, or of one part of a compound. The call sets `rows` rows from `row` on, in `columns` columns from `column`
/// on. `heights` has the new heights, row after row. The status is `HS_STATUS_NONE` if there is no such field.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_set_heights(
    scene: *mut HsScene,
    key: u64,
    part: u32,
    row: usize,
    rows: usize,
    column: usize,
    columns: usize,
    heights: *const f32,
) -> HsStatus {
    guard(|| {
        let too_many = || Failure::argument("the rows and columns end beyond all that a field can have");
        let count = rows.checked_mul(columns).ok_or_else(too_many)?;
        let (end_row, end_column) = row.checked_add(rows).zip(column.checked_add(columns)).ok_or_else(too_many)?;
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, heights) = unsafe { (unique(scene, "scene")?, slice(heights, count, "heights")?) };
        let set = scene.0.set_heights(&key, part, row..end_row, column..end_column, heights);
        Ok(found(set.map_err(Failure::input)?))
    })
}

/// Writes the least and the greatest corner of the box around an entity, three floats each. The status is
/// `HS_STATUS_NONE` if there is no such entity. A plane has infinite bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_bounds_of(scene: *const HsScene, key: u64, min: *mut f32, max: *mut f32) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, min, max) =
            unsafe { (shared(scene, "scene")?, place(min.cast(), "min")?, place(max.cast::<[f32; 3]>(), "max")?) };
        let Some(bounds) = scene.0.bounds_of(&key) else { return Ok(HsStatus::None) };
        min.write(bounds.min.to_array());
        max.write(bounds.max.to_array());
        Ok(HsStatus::Ok)
    })
}

/// Makes a scene from bytes of `hs_scene_save`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_load(bytes: *const u8, count: usize, scene: *mut *mut HsScene) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, bytes) = unsafe { (handle_place(scene, "scene")?, slice(bytes, count, "bytes")?) };
        let key = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
        let unreadable = |error: ReadError| Failure::new(HsStatus::Unreadable, error.to_string());
        hand_out(scene, HsScene(Scene::from_bytes(bytes, key).map_err(unreadable)?))
    })
}

/// Writes the matrix of a pose with a scale, sixteen doubles, column after column. `scale` is three doubles, or null for
/// no scale.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_transform_from_pose(
    pose: *const HsPose,
    scale: *const f64,
    transform: *mut f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (pose, place) =
            unsafe { (shared(pose, "pose")?.pose("pose")?, place(transform.cast::<[f64; 16]>(), "transform")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let scale = if scale.is_null() { [1.0; 3] } else { unsafe { numbers(scale, "scale") }? };
        let Pose { position, rotation } = pose;
        let parts = GizmoTransform { translation: position, rotation, scale: DVec3::from_array(scale) };
        place.write(DMat4::from(DAffine3::from(parts)).to_cols_array());
        Ok(HsStatus::Ok)
    })
}
