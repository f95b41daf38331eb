//! The processor time of this thread, which does not include other programs.

use std::time::Duration;

/// Returns the processor time of this thread.
#[cfg(target_os = "linux")]
pub(crate) fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec that lives through the call, which writes to nothing else.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "this system has no clock for a thread");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the elapsed time, on systems where the processor time of a thread is not available.
#[cfg(not(target_os = "linux"))]
pub(crate) fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
