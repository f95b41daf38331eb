//! Skips are counted. A test that skips a part on this machine calls [`skipped`]. The command that runs the tests counts the call. A printed line would not do,
//! because libtest hides it, and reports the test as passed.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// The environment variable that names a file to which each skip is added as a line.
pub const SKIPS: &str = "HITSCAN_SKIPS";

/// The environment variable that names the folder of the test models.
pub const MODELS: &str = "HITSCAN_MODELS";

/// The instructions for getting the test models.
const MODELS_WAY: &str = "set HITSCAN_MODELS to the folder of the test models";

/// Reports that a test skips a part. `what` is a short word for the missing item, and `way` says how to get it.
///
/// # Panics
///
/// Panics if the file that [`SKIPS`] names cannot be written. Otherwise, a skip would be silent.
pub fn skipped(what: &str, way: &str) {
    let thread = std::thread::current();
    let line = format!("{what}\t{}\t{way}\n", thread.name().unwrap_or("a test"));
    match env::var_os(SKIPS) {
        Some(file) => {
            let opened = OpenOptions::new().create(true).append(true).open(&file);
            let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
            written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
        // The standard error stream itself is not captured by libtest.
        None => {
            let _ = writeln!(std::io::stderr(), "skipped: {}: {what}: {way}", thread.name().unwrap_or("a test"));
        }
    }
}

/// Returns the folder of the test models: the folder that [`MODELS`] names, or `shared/models` next to the repository. If there is none, it reports that
/// the test is skipped, and returns `None`.
pub fn models() -> Option<PathBuf> {
    let folder = models_folder();
    if !folder.is_dir() {
        skipped("models", MODELS_WAY);
        return None;
    }
    Some(folder)
}

/// Returns a test model by its path in the folder of [`models`]. If it is missing, reports that the test is skipped, and returns `None`.
pub fn model(file: &str) -> Option<PathBuf> {
    let path = models_folder().join(file);
    if !path.is_file() {
        skipped("models", MODELS_WAY);
        return None;
    }
    Some(path)
}

/// Returns the folder in which test models are looked for. It need not exist.
pub fn models_folder() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models");
    env::var_os(MODELS).map_or_else(|| beside.into(), PathBuf::from)
}
