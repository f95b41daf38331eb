//! The caller's pointers: each is checked for null and alignment before it is used.

use crate::status::{Failure, HsStatus, Outcome};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;

#[cold]
fn refused<T>(pointer: *const T, name: &str) -> Failure {
    if pointer.is_null() {
        return Failure::new(HsStatus::Null, format!("`{name}` is null: pass the address of one"));
    }
    let text = format!("`{name}` is not aligned: its address must be a multiple of {}", align_of::<T>());
    Failure::new(HsStatus::Misaligned, text)
}

#[inline(always)]
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() || !pointer.is_aligned() { Err(refused(pointer, name)) } else { Ok(()) }
}

/// Returns the value that the caller lets this function read.
///
/// # Safety
/// A pointer that is aligned and not null points to a valid value, which nothing changes meanwhile.
#[inline(always)]
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: It is not null and aligned, and the caller guarantees the rest.
    Ok(unsafe { &*pointer })
}

/// Does the same as [`shared`] for a pointer that may be null, which gives `None`.
///
/// # Safety
/// The rules of [`shared`] hold.
#[inline(always)]
pub(crate) unsafe fn optional<'a, T>(pointer: *const T, name: &str) -> Result<Option<&'a T>, Failure> {
    // SAFETY: The caller guarantees it.
    if pointer.is_null() { Ok(None) } else { unsafe { shared(pointer, name) }.map(Some) }
}

/// Returns the value that the caller lets this function change.
///
/// # Safety
/// A pointer that is aligned and not null points to a valid value, which nothing else touches meanwhile.
#[inline(always)]
pub(crate) unsafe fn unique<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: It is not null and aligned, and the caller guarantees the rest.
    Ok(unsafe { &mut *pointer })
}

/// Returns the place for an answer.
///
/// # Safety
/// The rules of [`unique`] hold, but there need not be a value.
#[inline(always)]
pub(crate) unsafe fn place<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut MaybeUninit<T>, Failure> {
    // SAFETY: Any memory is a valid `MaybeUninit`, and the caller guarantees the rest.
    unsafe { unique(pointer.cast::<MaybeUninit<T>>(), name) }
}

/// Returns the place for a handle, after writing null to it.
///
/// # Safety
/// The rules of [`place`] hold.
pub(crate) unsafe fn handle_place<'a, T>(pointer: *mut *mut T, name: &str) -> Result<&'a mut *mut T, Failure> {
    // SAFETY: The caller guarantees it.
    Ok(unsafe { place(pointer, name) }?.write(ptr::null_mut()))
}

#[cold]
fn too_many(count: usize, name: &str) -> Failure {
    Failure::argument(format!("{count} items in `{name}` are more than fit into memory: check the count"))
}

#[inline(always)]
fn check_row<T>(pointer: *const T, count: usize, name: &str) -> Result<(), Failure> {
    check(pointer, name)?;
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(too_many(count, name)),
    }
}

/// Returns this many items that the caller lets this function read. Without items the pointer does not matter.
///
/// # Safety
/// The rules of [`shared`] hold, for all of the items.
#[inline(always)]
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check_row(pointer, count, name)?;
    // SAFETY: It is not null and aligned, the size is within bounds, and the caller guarantees the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// The caller's buffer for answers, and the place for their number.
pub(crate) struct Buffer<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    count: &'a mut MaybeUninit<usize>,
}

impl<'a, T> Buffer<'a, T> {
    /// Checks the buffer and the place for the number. A buffer without places may be null.
    ///
    /// # Safety
    /// The rules of [`place`] hold, for all of the places.
    pub(crate) unsafe fn new(pointer: *mut T, capacity: usize, count: *mut usize) -> Result<Self, Failure> {
        // SAFETY: The caller guarantees it.
        let count = unsafe { place(count, "count") }?;
        if capacity == 0 {
            return Ok(Self { places: &mut [], count });
        }
        let pointer = pointer.cast::<MaybeUninit<T>>();
        check_row(pointer, capacity, "the buffer")?;
        // SAFETY: Any memory is a valid `MaybeUninit`, the size is within bounds, and the caller guarantees the rest.
        Ok(Self { places: unsafe { std::slice::from_raw_parts_mut(pointer, capacity) }, count })
    }

    /// Writes the answers for which there is room, and the number of all answers.
    pub(crate) fn fill(self, answers: impl ExactSizeIterator<Item = T>) -> HsStatus {
        let all = answers.len();
        self.count.write(all);
        let status = if all > self.places.len() { HsStatus::More } else { HsStatus::Ok };
        for (place, answer) in self.places.iter_mut().zip(answers) {
            place.write(answer);
        }
        status
    }
}

/// Returns the N numbers that the pointer points to.
///
/// # Safety
/// The rules of [`shared`] hold, for all of them.
#[inline(always)]
pub(crate) unsafe fn numbers<T: Copy, const N: usize>(pointer: *const T, name: &str) -> Result<[T; N], Failure> {
    // SAFETY: The caller guarantees it; an array is aligned as its items are.
    unsafe { shared(pointer.cast::<[T; N]>(), name) }.copied()
}

/// The caller's data, which callbacks get from any thread.
#[derive(Clone, Copy)]
pub(crate) struct User(pub(crate) *mut c_void);

// SAFETY: It is only handed to the callbacks, which the caller has made for several threads.
unsafe impl Send for User {}
// SAFETY: As above.
unsafe impl Sync for User {}

impl User {
    // A closure that used the field would capture only the pointer, which other threads may not have.
    pub(crate) fn data(self) -> *mut c_void {
        self.0
    }
}

/// Gives a new value to the caller as a handle.
pub(crate) fn hand_out<T>(place: &mut *mut T, value: T) -> Outcome {
    *place = Box::into_raw(Box::new(value));
    Ok(HsStatus::Ok)
}

/// Frees a handle; null is allowed.
///
/// # Safety
/// The handle is one that [`hand_out`] made, and nothing uses it any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    crate::status::guard(|| {
        if !handle.is_null() {
            check(handle, "handle")?;
            // SAFETY: It came from a box, which nobody else owns.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(HsStatus::Ok)
    });
}

/// Reads a struct that may grow in later versions. Its first field is the size that it has for the caller. The fields
/// after that size are taken from `default`.
///
/// # Safety
/// The rules of [`shared`] hold, for as many bytes as the first field says.
pub(crate) unsafe fn sized<T: Copy>(pointer: *const T, least: usize, default: T, name: &str) -> Result<T, Failure> {
    // SAFETY: The caller guarantees the rules of [`shared`]. The size comes first in all of these structs.
    let size = *unsafe { shared(pointer.cast::<usize>(), name) }?;
    check(pointer, name)?;
    if size < least || size > 1 << 12 {
        let text = format!("`{name}` has the size {size}, but this library knows {least} to {}", size_of::<T>());
        return Err(Failure::argument(format!("{text}: set `size` to sizeof *{name}")));
    }
    // SAFETY: The struct has as many bytes as it says.
    let given = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), size) };
    if given.get(size_of::<T>()..).is_some_and(|more| more.iter().any(|byte| *byte != 0)) {
        let text = format!("`{name}` is of a newer hitscan.h, and a field is set that this library does not know");
        return Err(Failure::argument(text));
    }
    let mut value = default;
    // SAFETY: Both structs have at least this many bytes. All fields are numbers and pointers, so that any bytes are
    // valid.
    unsafe { ptr::copy_nonoverlapping(given.as_ptr(), (&raw mut value).cast::<u8>(), size.min(size_of::<T>())) };
    Ok(value)
}

/// Writes the first `size` bytes of a struct that may grow in later versions. These are the fields that the caller
/// knows.
///
/// # Safety
/// The rules of [`place`] hold, for `size` bytes.
pub(crate) unsafe fn put_sized<T: Copy>(
    pointer: *mut T,
    size: usize,
    least: usize,
    value: &T,
    name: &str,
) -> Result<(), Failure> {
    check(pointer, name)?;
    if size < least || size > size_of::<T>() {
        let text = format!("the size {size} of `{name}` is not from {least} to {}", size_of::<T>());
        return Err(Failure::argument(format!("{text}, which this library knows: pass sizeof *{name}")));
    }
    // SAFETY: The caller guarantees the place, and the value has at least as many bytes.
    unsafe { ptr::copy_nonoverlapping(ptr::from_ref(value).cast::<u8>(), pointer.cast::<u8>(), size) };
    Ok(())
}
