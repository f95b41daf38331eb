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

/// The beginning of a pointer of Git LFS, which is in the place of a large file that was not fetched.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Returns whether bytes are a pointer of Git LFS rather than the file.
pub(crate) fn is_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(POINTER)
}

/// Reads at most `limit` bytes of a file that a model refers to by a name. The fault says which file was looked for.
pub(crate) fn read_named(path: &Path, name: &str, limit: usize) -> Result<Vec<u8>, String> {
    let mut bytes = read(path, limit.max(POINTER.len())).map_err(|error| match error.kind() {
        ErrorKind::NotFound => missing(path, name),
        _ => format!("{name:?} cannot be read: {error}"),
    })?;
    if is_pointer(&bytes) {
        return Err(format!("{name:?} is a Git LFS pointer instead of the file: run `git lfs pull`"));
    }
    bytes.truncate(limit);
    Ok(bytes)
}

/// Says that there is no file, and which one may be meant.
fn missing(path: &Path, name: &str) -> String {
    let near = near(path).map(|near| format!("; {} is there, so rename it, or mend the name", near.display()));
    format!("{name:?} cannot be read: there is no file {}{}", path.display(), near.unwrap_or_default())
}

/// Returns the file whose path differs from this one only in upper and lower case, and in the separator of Windows.
fn near(path: &Path) -> Option<PathBuf> {
    let path = PathBuf::from(path.to_str()?.replace('\\', "/"));
    if path.is_file() {
        return Some(path);
    }
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_near = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.to_lowercase() == wanted)
    };
    folder.read_dir().ok()?.filter_map(Result::ok).map(|entry| entry.path()).filter(is_near).min()
}

/// Returns the path of a file that is named relative to a folder; `None` for a path from a root or a drive, or one that no system can open.
pub(crate) fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let is_relative =
        path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir | Component::ParentDir));
    (is_relative && !name.starts_with(['/', '\\']) && !name.contains('\0')).then(|| folder.join(path))
}
