//! Height fields by themselves.

use crate::nearest::HsNearest;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, shared, slice};
use crate::ray::{HsHit, HsRay, answer, choice, cull};
use crate::status::{Failure, HsStatus, guard};
use crate::volume::{HsMeshContact, HsPose, HsVolume};
use hitscan::HeightField;
use hitscan::height_field::Diagonal;

#[rustfmt::skip]
pub mod functions;

/// A height field: a handle, which `hs_height_field_free` frees. A scene shares the memory of the fields that are put
/// into it. So the handle may be freed after that.
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

/// Makes a height field. `heights` has `columns` floats along x for each of the rows along z. Each cell has the size `cell_x`
/// by `cell_z`, and the first vertex is at x = z = 0. `diagonal` is an `HsDiagonal`. `holes` has the row and the column of each cell without ground. With a
/// `hole_count` of 0 it may be null.
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
