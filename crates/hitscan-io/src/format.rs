//! The formats: how one is told from another, and which reader it has.

use crate::error::Problem;
use crate::model::{Detail, Model};
use crate::{baked, file, gltf, obj, ply, stl};
use std::fmt;
use std::path::Path;

/// A format of model files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
    /// Wavefront OBJ.
    Obj,
    /// Stereolithography, as text or binary.
    Stl,
    /// The Stanford polygon format, as text or binary.
    Ply,
    /// The format that [`Model::bake`] writes, whatever the file's name is.
    Baked,
}

impl Format {
    /// Returns the format of a file with this name, by its extension, in upper or lower case; `None` for any other.
    ///
    /// ```
    /// use hitscan_io::Format;
    ///
    /// assert_eq!(Format::of_name("models/Part.STL".as_ref()), Some(Format::Stl));
    /// assert_eq!(Format::of_name("models/part".as_ref()), None);
    /// ```
    pub fn of_name(name: &Path) -> Option<Self> {
        match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gltf" | "glb" => Some(Self::Gltf),
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            _ => None,
        }
    }

    /// Returns the format that these bytes begin like; never [`Obj`](Self::Obj), which has no mark.
    ///
    /// ```
    /// use hitscan_io::Format;
    ///
    /// assert_eq!(Format::of(b"ply\nformat ascii 1.0\n"), Some(Format::Ply));
    /// assert_eq!(Format::of(b"v 0 0 0\n"), None);
    /// ```
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match () {
            () if baked::is_baked(bytes) => Some(Self::Baked),
            () if ply::is_ply(bytes) => Some(Self::Ply),
            () if stl::is_stl(bytes) => Some(Self::Stl),
            () if gltf::is_gltf(bytes) => Some(Self::Gltf),
            () => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gltf => "glTF",
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Baked => "baked model",
        })
    }
}

/// Reads a file.
pub(crate) fn load(path: &Path, detail: Detail) -> Result<Model, Problem> {
    let bytes = file::read(path, usize::MAX).map_err(Problem::Io)?;
    let by_name = || Format::of_name(path).or_else(|| Format::of(&bytes));
    let format = if baked::is_baked(&bytes) { Some(Format::Baked) } else { by_name() };
    let format = format.ok_or(Problem::UnknownFormat)?;
    read(format, &bytes, Some(path.parent().unwrap_or(Path::new(""))), detail)
}

/// Reads a file's bytes; the files that they refer to are in `folder`.
pub(crate) fn read(format: Format, bytes: &[u8], folder: Option<&Path>, detail: Detail) -> Result<Model, Problem> {
    match format {
        Format::Gltf => gltf::read(bytes, folder, detail),
        Format::Obj => obj::read(bytes, folder, detail),
        Format::Stl => stl::read(bytes),
        Format::Ply => ply::read(bytes, detail),
        Format::Baked => baked::read(bytes, detail),
    }
}
