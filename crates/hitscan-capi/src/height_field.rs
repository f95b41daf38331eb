//! Height fields by themselves.

use crate::nearest::HsNearest;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, shared, slice};
use crate::ray::{HsHit, HsRay, answer, choice, cull};
use crate::status::{Failure, HsStatus, guard};
use crate::volume::{HsMeshContact, HsPose, HsVolume};
use hitscan::HeightField;
use hitscan::glam::DVec3;
use hitscan::height_field::Diagonal;

/// A height field: a handle, which `hs_height_field_free` frees. A scene that it was put into shares its memory, and
/// needs the handle no more.
pub struct HsHeightField(pub(crate) HeightField);

/// The diagonal by which a cell is cut into two triangles.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsDiagonal {
    /// The diagonal from the corner of smallest x and z to the corner of largest x and z.
    Falling = 0,
    /// The diagonal from the corner of largest x and smallest z to the corner of smallest x and largest z.
    Rising = 1,
}

/// Makes a height field: `heights` has `columns` floats along x for each of the rows along z, a cell is `cell_x` by
/// `cell_z` large, and the first vertex is at x = z = 0. `diagonal` is an `HsDiagonal`. `holes` has the row and the column of each cell without
/// ground; with a `hole_count` of 0 it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_new(
    rows: usize,
    columns: usize,
    cell_x: f32,
    cell_z: f32,
    heights: *const f32,
    diagonal: i32,
    holes: *const usize,
    hole_count: usize,
    field: *mut *mut HsHeightField,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, holes) =
            unsafe { (handle_place(field, "field")?, slice(holes.cast::<[usize; 2]>(), hole_count, "holes")?) };
        let diagonal = choice(diagonal, "diagonal", &[Diagonal::Falling, Diagonal::Rising])?;
        let too_many = || Failure::argument(format!("{rows} rows of {columns} columns are more than fit into memory"));
        let count = rows.checked_mul(columns).ok_or_else(too_many)?;
        // SAFETY: The caller keeps the rules of this crate.
        let heights = unsafe { slice(heights, count, "heights") }?;
        let made = HeightField::new(rows, columns, [cell_x, cell_z], heights).map_err(Failure::input)?;
        let made = made.with_diagonal(diagonal).with_holes(holes.iter().copied()).map_err(Failure::input)?;
        hand_out(field, HsHeightField(made))
    })
}

/// Frees a height field; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_free(field: *mut HsHeightField) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(field) }
}

/// Finds the closest hit of a ray, in the field's own space. `sides` is an `HsCull`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_cast(
    field: *const HsHeightField,
    ray: *const HsRay,
    sides: i32,
    hit: *mut HsHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, ray, hit) = unsafe { (shared(field, "field")?, shared(ray, "ray")?.as_ray(), place(hit, "hit")?) };
        let found = field.0.culled(cull(sides)?).cast(ray);
        Ok(answer(hit, found.as_ref().map(HsHit::from)))
    })
}

/// Finds whether a ray hits the ground, in the field's own space. `sides` is an `HsCull`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_is_blocked(
    field: *const HsHeightField,
    ray: *const HsRay,
    sides: i32,
    blocked: *mut bool,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, ray, blocked) =
            unsafe { (shared(field, "field")?, shared(ray, "ray")?.as_ray(), place(blocked, "blocked")?) };
        blocked.write(field.0.culled(cull(sides)?).is_blocked(ray));
        Ok(HsStatus::Ok)
    })
}

/// Finds all hits of a ray, in the field's own space and in order: each triangle that it touches, two at an edge that they
/// share, and more at a corner. `sides` is an `HsCull`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_cast_all(
    field: *const HsHeightField,
    ray: *const HsRay,
    sides: i32,
    hits: *mut HsHit,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, ray, buffer) =
            unsafe { (shared(field, "field")?, shared(ray, "ray")?.as_ray(), Buffer::new(hits, capacity, count)?) };
        let mut found = Vec::new();
        field.0.culled(cull(sides)?).cast_all(ray, &mut found);
        Ok(buffer.fill(found.iter().map(HsHit::from)))
    })
}

/// Finds the height at a place in the field's own space. The status is `HS_STATUS_NONE` outside of it and in a hole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_height_at(
    field: *const HsHeightField,
    x: f32,
    z: f32,
    height: *mut f32,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, height) = unsafe { (shared(field, "field")?, place(height, "height")?) };
        let Some(found) = field.0.height_at(x, z) else { return Ok(HsStatus::None) };
        height.write(found);
        Ok(HsStatus::Ok)
    })
}

/// Finds the point of a height field that is nearest to a point of three doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_closest_point(
    field: *const HsHeightField,
    point: *const f64,
    nearest: *mut HsNearest,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, point, nearest) =
            unsafe { (shared(field, "field")?, numbers(point, "point")?, place(nearest, "nearest")?) };
        let Some(found) = field.0.closest_point(DVec3::from_array(point)) else { return Ok(HsStatus::None) };
        nearest.write(HsNearest::from(&found));
        Ok(HsStatus::Ok)
    })
}

/// Finds the first triangle that a volume touches when it moves by a motion of three doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_height_field_sweep(
    field: *const HsHeightField,
    volume: *const HsVolume,
    from: *const HsPose,
    motion: *const f64,
    contact: *mut HsMeshContact,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (field, volume) = unsafe { (shared(field, "field")?, shared(volume, "volume")?.volume()?) };
        // SAFETY: The caller keeps the rules of this crate.
        let from = unsafe { shared(from, "from") }?.pose("from")?;
        // SAFETY: The caller keeps the rules of this crate.
        let (motion, contact) = unsafe { (numbers(motion, "motion")?, place(contact, "contact")?) };
        let Some(found) = field.0.sweep(volume, from, DVec3::from_array(motion)) else { return Ok(HsStatus::None) };
        contact.write(HsMeshContact::from(&found));
        Ok(HsStatus::Ok)
    })
}
