//! Reads vectors whose starts are a stride apart.

use crate::pointer::slice;
use crate::status::{Failure, HsStatus};
use std::borrow::Cow;

/// Returns vectors whose starts are `stride` bytes apart. A stride of 0 means that they are contiguous.
///
/// # Safety
/// The rules of [`slice`] hold, for all of them.
pub(crate) unsafe fn strided<'a, T: Copy, const N: usize>(
    pointer: *const T,
    stride: usize,
    count: usize,
    name: &str,
) -> Result<Cow<'a, [[T; N]]>, Failure> {
    let (each, packed) = (size_of::<T>(), size_of::<[T; N]>());
    if stride == 0 || stride == packed {
        // SAFETY: The caller guarantees it.
        return Ok(Cow::Borrowed(unsafe { slice(pointer.cast(), count, name) }?));
    }
    if !stride.is_multiple_of(each) {
        let text = format!("the stride {stride} of `{name}` is not a multiple of {each}, the bytes of a number");
        return Err(Failure::new(HsStatus::Misaligned, text));
    }
    if stride < packed {
        return Err(Failure::argument(format!(
            "the stride {stride} of `{name}` is less than {packed}, so that they overlap"
        )));
    }
    let whole = count.checked_sub(1).and_then(|steps| steps.checked_mul(stride / each)?.checked_add(N));
    if count > 0 && whole.is_none() {
        return Err(Failure::argument(format!("{count} items in `{name}` are more than fit into memory")));
    }
    // SAFETY: The memory from the first vector to the last one is one object of the caller.
    let numbers = unsafe { slice(pointer, whole.unwrap_or(0), name) }?;
    let rows = numbers.chunks(stride / each);
    Ok(Cow::Owned(rows.map(|row| std::array::from_fn(|axis| row[axis])).collect()))
}

/// Returns positions whose starts are `stride` bytes apart. A stride of 0 means that they are contiguous.
///
/// # Safety
/// The rules of [`slice`] hold, for all of them.
pub(crate) unsafe fn positions<'a>(
    pointer: *const f32,
    stride: usize,
    count: usize,
    name: &str,
) -> Result<Cow<'a, [[f32; 3]]>, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { strided(pointer, stride, count, name) }
}
