//! Interruptions: on Ctrl-C or a request to end, the program removes all unfinished files.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files that are being written under temporary names. Code that makes, renames or removes such a file holds the lock
/// during that time. So an interruption finds all of these files.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The list of unfinished files, locked.
pub(crate) struct Unfinished(MutexGuard<'static, Vec<PathBuf>>);

impl Unfinished {
    pub(crate) fn lock() -> Self {
        Self(UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn add(&mut self, path: &Path) {
        self.0.push(path.to_owned());
    }

    pub(crate) fn remove(&mut self, path: &Path) {
        self.0.retain(|known| known != path);
    }
}

/// Removes unfinished files and ends the program. The lock is held until the program has ended, so that no new file
/// begins.
fn end(code: i32) -> ! {
    let unfinished = Unfinished::lock();
    for path in unfinished.0.iter() {
        let _ = std::fs::remove_file(path);
    }
    process::exit(code)
}

/// Makes Ctrl-C end the program with the code 130, and a request to end with 143. Shells report these codes for
/// programs that were ended by these signals. Signals that cannot be caught end it without cleaning up.
#[cfg(unix)]
pub(crate) fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end(128 + signal);
        }
    });
}

/// Makes Ctrl-C end the program with the code 130.
#[cfg(windows)]
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| end(130));
}

/// Other systems have no signals to catch.
#[cfg(not(any(unix, windows)))]
pub(crate) fn listen() {}
