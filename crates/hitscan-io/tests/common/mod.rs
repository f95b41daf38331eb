//! What the tests share: where the test models are.

use std::path::{Path, PathBuf};

/// The folder of real models: `HITSCAN_MODELS`, else `shared/models` beside the workspace. They are not part of the
/// repository, so a test that needs them says that it is skipped where they are absent.
pub(crate) fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("HITSCAN_MODELS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: no test models in {} (set HITSCAN_MODELS to their folder)", folder.display());
        return None;
    }
    Some(folder)
}
