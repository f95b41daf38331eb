//! The formats of model files.

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
    /// The format that [`Model::bake`](crate::Model::bake) writes, whatever the file's name is.
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
