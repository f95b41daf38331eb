//! The folder of test models, which several tests share.

use std::path::{Path, PathBuf};

/// Returns the folder of real models: `HITSCAN_MODELS`, else `shared/models` beside the workspace. The models are not
/// part of the repository, so a test that needs them reports that it is skipped if they are absent.
pub(crate) fn models() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("HITSCAN_MODELS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: no test models in {} (set HITSCAN_MODELS to their folder)", folder.display());
        return None;
    }
    Some(folder)
}
