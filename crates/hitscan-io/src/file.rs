//! Files: a model's own, and those that it refers to.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// Reads at most `limit` bytes of a regular file; devices and pipes, which may never end, are not opened for reading.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Error> {
    if !path.metadata()?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the path of a file that is named relative to a folder; `None` for a path from a root or a drive, or one that no system can open.
pub(crate) fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let is_relative =
        path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir | Component::ParentDir));
    (is_relative && !name.starts_with(['/', '\\']) && !name.contains('\0')).then(|| folder.join(path))
}
