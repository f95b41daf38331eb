//! Files that the program makes: whole, or not there.

use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written under another name beside the place where it will be. Dropped, it leaves nothing.
pub(crate) struct NewFile {
    /// As the user wrote it.
    shown: PathBuf,
    /// Behind all links, so that these stay.
    place: PathBuf,
    temporary: NamedTempFile,
}

impl NewFile {
    /// Fails at once where the finished file could not be put.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let permissions = replaced(&place).with_context(|| cannot_write(path))?;
        let temporary = beside(&place).with_context(|| cannot_write(path))?;
        if let Some(permissions) = permissions {
            fs::set_permissions(temporary.path(), permissions).with_context(|| cannot_write(path))?;
        }
        Ok(Self { shown: path.to_owned(), place, temporary })
    }

    /// Where there is room for its bytes, and so for temporary files on the way to them.
    pub(crate) fn folder(&self) -> &Path {
        folder(&self.place)
    }

    /// Puts the finished file into its place.
    pub(crate) fn keep(mut self) -> Result<()> {
        self.temporary.flush().with_context(|| cannot_write(&self.shown))?;
        self.temporary.persist(&self.place).with_context(|| cannot_write(&self.shown))?;
        Ok(())
    }

    /// For errors of writing.
    pub(crate) fn cannot_write(&self) -> String {
        cannot_write(&self.shown)
    }

    pub(crate) fn file(&self) -> &fs::File {
        self.temporary.as_file()
    }
}

/// The permissions of the file that would be replaced; fails if it must not be.
fn replaced(place: &Path) -> Result<Option<Permissions>> {
    let Ok(metadata) = fs::metadata(place) else { return Ok(None) };
    if metadata.is_dir() {
        bail!("it is a folder");
    }
    ensure!(metadata.is_file(), "it is no regular file");
    ensure!(!metadata.permissions().readonly(), "the file is read-only");
    Ok(Some(metadata.permissions()))
}

fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hitscan-").suffix(".part");
    // The user's mask takes away from these what it takes away from every new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(place))
}

fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
