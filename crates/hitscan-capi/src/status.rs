//! Statuses, the text of the last error, and the version.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. A negative status is an error. Then `hs_last_error` returns its text, and nothing was changed
/// or written, except a null at the place of a new handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum HsStatus {
    /// The call succeeded, and wrote its answer.
    Ok = 0,
    /// There is no answer. Nothing was hit, or there is no such key. This is no error.
    None = 1,
    /// The caller's buffer is full, and there are more answers than fit: the count is the number of all answers. This is no error.
    More = 2,
    /// A pointer is null that must not be null.
    Null = -1,
    /// A pointer or a stride is not aligned for its type.
    Misaligned = -2,
    /// A number, an enumerator, a count or a size is not one that the function takes.
    InvalidArgument = -3,
    /// Something cannot be built from this input, such as a mesh with an index that has no vertex.
    InvalidInput = -4,
    /// Saved bytes cannot be read.
    Unreadable = -5,
    /// An internal error of hitscan. Please report it, and free the handles of the call, which may be half changed.
    Internal = -6,
}

/// The version of the binary interface, which is in the name of the shared library, too. It grows when a program has to
/// be compiled anew.
pub const HS_ABI_VERSION: u32 = 1;

/// An error of a call: its status and its text.
#[derive(Debug)]
pub(crate) struct Failure {
    status: HsStatus,
    text: String,
}

/// The work of a call returns this: its status, or why it failed.
pub(crate) type Outcome = Result<HsStatus, Failure>;

impl Failure {
    #[cold]
    pub(crate) fn new(status: HsStatus, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }

    /// Returns the failure for an argument that the function does not take.
    #[cold]
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(HsStatus::InvalidArgument, text)
    }

    /// Returns the failure for an error of the library.
    #[cold]
    pub(crate) fn input(error: impl Display) -> Self {
        Self::new(HsStatus::InvalidInput, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

#[cold]
fn report(failure: Failure) -> HsStatus {
    // Text from the caller may contain a null.
    let text = CString::new(failure.text.replace('\0', " ")).unwrap_or_default();
    // In a thread that is ending, the text may no longer exist.
    let _ = LAST.try_with(|last| last.replace(text));
    failure.status
}

#[cold]
fn report_panic(panic: Box<dyn Any + Send>) -> HsStatus {
    let what = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let text = format!("hitscan has failed itself, please report it: {}", what.unwrap_or("a panic without a text"));
    // The destructor of the panic's value could panic again.
    std::mem::forget(panic);
    report(Failure::new(HsStatus::Internal, text))
}

/// Does the work of an exported function. A failure is noted for `hs_last_error`, and a panic counts as a failure.
#[inline(always)]
pub(crate) fn guard(work: impl FnOnce() -> Outcome) -> HsStatus {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => report(failure),
        Err(panic) => report_panic(panic),
    }
}

/// Does the work of an exported function that has no status, and returns `otherwise` if it fails.
pub(crate) fn guard_value<T>(otherwise: T, work: impl FnOnce() -> Result<T, Failure>) -> T {
    let mut value = otherwise;
    guard(|| {
        value = work()?;
        Ok(HsStatus::Ok)
    });
    value
}

/// Returns why the last failed call of this thread failed, and what to do about it. The text is empty if no call
/// has failed. The text is valid until another call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn hs_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Returns the version of the library, such as "0.1.0". The text is valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn hs_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Returns the version of the library's binary interface. A program that loads the library by itself compares it with
/// `HS_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn hs_abi_version() -> u32 {
    HS_ABI_VERSION
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_panic_is_an_error_with_a_text() {
        let status = guard(|| panic!("as it should"));
        assert_eq!(status, HsStatus::Internal);
        // SAFETY: The text is valid until the next failure of this thread.
        let text = unsafe { CStr::from_ptr(hs_last_error()) }.to_str().unwrap();
        assert!(text.contains("as it should"), "{text}");
    }
}
