//! Files that the program makes: each is complete, or does not exist.

use crate::interrupt::Unfinished;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// A file that is being written under a temporary name in its final folder. If it is dropped, or the program is interrupted, the temporary file is removed.
pub(crate) struct NewFile {
    /// The path as the user wrote it.
    shown: PathBuf,
    /// The path with all links resolved, so that the links are kept.
    place: PathBuf,
    file: fs::File,
    /// The temporary name of the file; `None` after it has its final name.
    temporary: Option<TempPath>,
}

impl NewFile {
    /// Begins a file. Fails at once if the finished file could not be put at this path. Also fails if the file would replace one of the files that the command
    /// reads.
    pub(crate) fn create(path: &Path, inputs: &[&Path]) -> Result<Self> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        check_kept(path, &place, inputs.iter().copied())?;
        let permissions = replaced(&place).with_context(|| cannot_write(path))?;
        let mut unfinished = Unfinished::lock();
        let (file, temporary) = beside(&place).with_context(|| cannot_write(path))?.into_parts();
        unfinished.add(&temporary);
        drop(unfinished);
        let new = Self { shown: path.to_owned(), place, file, temporary: Some(temporary) };
        if let (Some(permissions), Some(temporary)) = (permissions, &new.temporary) {
            fs::set_permissions(temporary, permissions).with_context(|| cannot_write(path))?;
        }
        Ok(new)
    }

    /// Fails if the finished file would replace one of these files, which the command has read since.
    pub(crate) fn keep_apart<'a>(&self, read: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
        check_kept(&self.shown, &self.place, read.into_iter().map(PathBuf::as_path))
    }

    /// Makes an unnamed file for intermediate data in the folder of the finished file. That folder must have room for
    /// the finished file anyway.
    pub(crate) fn spool(&self) -> Result<fs::File> {
        let folder = folder(&self.place);
        tempfile::tempfile_in(folder).map_err(|error| io::Error::from(error.kind())).with_context(|| in_folder(folder))
    }

    /// Puts the finished file in its place.
    pub(crate) fn keep(mut self) -> Result<()> {
        self.file.flush().with_context(|| cannot_write(&self.shown))?;
        let mut unfinished = Unfinished::lock();
        if let Some(temporary) = self.temporary.take() {
            unfinished.remove(&temporary);
            temporary.persist(&self.place).map_err(|error| error.error).with_context(|| cannot_write(&self.shown))?;
        }
        Ok(())
    }

    /// Returns the message for errors of writing.
    pub(crate) fn cannot_write(&self) -> String {
        cannot_write(&self.shown)
    }

    pub(crate) fn file(&self) -> &fs::File {
        &self.file
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        let Some(temporary) = self.temporary.take() else { return };
        let mut unfinished = Unfinished::lock();
        unfinished.remove(&temporary);
        // A file that cannot be removed now could not be removed later either.
        let _ = temporary.close();
    }
}

/// Fails if a file that is to be made is one of the inputs. `place` is its path with all links resolved.
fn check_kept<'a>(shown: &Path, place: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> Result<()> {
    if let Some(input) = inputs.find(|input| fs::canonicalize(input).is_ok_and(|input| input == place)) {
        bail!("{} would overwrite {}, which is read: give another name", shown.display(), input.display());
    }
    Ok(())
}

/// Returns the permissions of the file that would be replaced, if there is one. Fails if it must not be replaced.
fn replaced(place: &Path) -> Result<Option<Permissions>> {
    let Ok(metadata) = fs::metadata(place) else { return Ok(None) };
    if metadata.is_dir() {
        bail!("it is a folder");
    }
    ensure!(metadata.is_file(), "it is no regular file");
    ensure!(!metadata.permissions().readonly(), "the file is read-only");
    Ok(Some(metadata.permissions()))
}

fn beside(place: &Path) -> Result<NamedTempFile> {
    let folder = folder(place);
    let mut cause = None;
    // The file has the usual permissions, which the user's umask determines.
    let made = tempfile::Builder::new().prefix(".hitscan-").suffix(".part").make_in(folder, |path| {
        let file = fs::OpenOptions::new().read(true).write(true).create_new(true).open(path);
        file.inspect_err(|error| cause = error.raw_os_error())
    });
    // The error of `tempfile` contains a name that the user has not given.
    let made = made.map_err(|error| cause.map_or(error, io::Error::from_raw_os_error));
    made.with_context(|| in_folder(folder))
}

fn in_folder(folder: &Path) -> String {
    format!("no file can be made in the folder {}", folder.display())
}

fn folder(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
