//! Files: the model file, and the files that it refers to.

use std::cell::RefCell;
use std::collections::BTreeSet;
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

/// Returns whether bytes are a pointer of [Git LFS](https://git-lfs.com) rather than a file; the first bytes are enough to tell. `git lfs pull` fetches the
/// file.
///
/// ```
/// assert!(hitscan_io::is_lfs_pointer(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a"));
/// assert!(!hitscan_io::is_lfs_pointer(b"ox,oy,oz,dx,dy,dz\n"));
/// ```
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(POINTER)
}

/// The folder in which a model finds the files that it refers to, and a record of the files that were read.
#[derive(Debug)]
pub(crate) struct Folder<'a> {
    /// `None` for a model in memory, which has no folder.
    path: Option<&'a Path>,
    read: RefCell<BTreeSet<PathBuf>>,
}

impl<'a> Folder<'a> {
    pub(crate) fn new(path: Option<&'a Path>) -> Self {
        Self { path, read: RefCell::default() }
    }

    /// Reads at most `limit` bytes of the file that a name refers to. The path is relative to the model's folder, and
    /// may lead to any folder below or above it.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, String> {
        self.read_as(name, &name.replace('\\', "/"), limit)
    }

    /// Reads at most `limit` bytes of a file by its relative path. Faults quote the name by which the model refers to
    /// the file.
    pub(crate) fn read_as(&self, name: &str, path: &str, limit: usize) -> Result<Vec<u8>, String> {
        let folder = self.path.ok_or_else(|| format!("{name:?}: a model in memory has no files beside it"))?;
        let path = beside(folder, path);
        let path = path.ok_or_else(|| format!("{name:?}: only paths relative to the model are opened"))?;
        let bytes = read_named(&path, name, limit);
        if bytes.is_ok() || path.is_file() {
            self.read.borrow_mut().insert(path);
        }
        bytes
    }

    /// Returns the files that were opened, including files that could not be read.
    pub(crate) fn into_files(self) -> BTreeSet<PathBuf> {
        self.read.into_inner()
    }
}

/// Reads at most `limit` bytes of a file that a model refers to by a name. The fault names the file that was looked
/// for.
fn read_named(path: &Path, name: &str, limit: usize) -> Result<Vec<u8>, String> {
    let mut bytes = read(path, limit.max(POINTER.len())).map_err(|error| match error.kind() {
        ErrorKind::NotFound => missing(path, name),
        _ => format!("{name:?} cannot be read: {error}"),
    })?;
    if is_lfs_pointer(&bytes) {
        return Err(format!("{name:?} is a Git LFS pointer instead of the file: run `git lfs pull`"));
    }
    bytes.truncate(limit);
    Ok(bytes)
}

/// Returns the message that there is no such file, with the name of a similar file if there is one.
fn missing(path: &Path, name: &str) -> String {
    let near = near(path).map(|near| format!("; {} is there, so rename it, or mend the name", near.display()));
    format!("{name:?} cannot be read: there is no file {}{}", path.display(), near.unwrap_or_default())
}

/// Returns the file whose path differs from this one only in upper and lower case, including the names of folders, and in the path separator of Windows.
fn near(path: &Path) -> Option<PathBuf> {
    let path = PathBuf::from(path.to_str()?.replace('\\', "/"));
    let mut found = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        found = if next.exists() { next } else { in_another_case(&found, component.as_os_str().to_str()?)? };
    }
    found.is_file().then_some(found)
}

/// Returns the path of an entry of a folder whose name differs from this one only in upper and lower case.
fn in_another_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let wanted = name.to_lowercase();
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = listed.read_dir().ok()?.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| name.to_lowercase() == wanted).min().map(|name| folder.join(name))
}

/// Returns the path of a file that is named relative to a folder; `None` for a path from a root or a drive, or for a path that no system can open.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let is_relative =
        path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir | Component::ParentDir));
    (is_relative && !name.starts_with(['/', '\\']) && !name.contains('\0')).then(|| folder.join(path))
}
