//! Reading of models: the detection of the format, and the choice of the reader.

use crate::error::{LoadError, Problem};
use crate::file::Folder;
use crate::format::Format;
use crate::model::Model;
use crate::options::LoadOptions;
use crate::{baked, file, gltf, obj, ply, stl};
use std::path::Path;

impl Model {
    /// Reads a glTF 2.0, GLB, OBJ, STL or PLY file and the files that it names, or a model that was [baked](Self::bake).
    ///
    /// A baked model is recognised by its content. Otherwise the extension of the name decides the format, in upper or
    /// lower case. For any other name, the content decides ([`Format::of`]). The entities of a glTF are the nodes with
    /// triangles in the default scene, else in the first scene, else in the file. The entities of an OBJ are its
    /// objects (`o`), else its groups (`g`), each name once. The entities of an STL are its solids. A PLY is one
    /// entity. Errors name the fault of the file and what can be done about it, and problems that can be ignored are in
    /// [`warnings`](Self::warnings). No file makes this function panic, or use memory out of proportion to its size.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_with(path, LoadOptions::new())
    }

    /// Reads a file as [`load`](Self::load) does, with these options, or with a [`Detail`](crate::Detail). A texture that cannot be read causes a warning.
    ///
    /// ```no_run
    /// use hitscan_io::{Detail, Faults, LoadOptions, Model};
    ///
    /// let picture = Model::load_with("city.glb", Detail::Colors)?;
    /// // Meshes with a fault are left out, each with a warning; the others can be hit.
    /// let rest = Model::load_with("damaged.glb", LoadOptions::new().faults(Faults::LeaveOut))?;
    /// # Ok::<(), hitscan_io::LoadError>(())
    /// ```
    pub fn load_with(path: impl AsRef<Path>, options: impl Into<LoadOptions>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        read_file(path, options.into()).map_err(|problem| LoadError { path: path.to_owned(), problem })
    }

    /// Reads the bytes of a file as [`load`](Self::load) does, with the format recognised by the content. An OBJ cannot
    /// be recognised and needs [`from_bytes_as`](Self::from_bytes_as).
    ///
    /// The other files that the bytes refer to are searched for in `folder`. Without a folder, the bytes must be
    /// self-contained.
    ///
    /// ```
    /// use hitscan_io::{Model, Warning};
    ///
    /// let model = Model::from_bytes(br#"{"asset": {"version": "2.0"}}"#, None)?;
    /// assert_eq!(model.warnings, [Warning::Nothing]);
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], folder: Option<&Path>) -> Result<Self, Problem> {
        let unknown = || if file::is_lfs_pointer(bytes) { Problem::LfsPointer } else { Problem::UnknownFormat };
        let format = Format::of(bytes).ok_or_else(unknown)?;
        Self::from_bytes_as(format, bytes, folder)
    }

    /// Reads the bytes of a file of this format, as [`from_bytes`](Self::from_bytes) does.
    ///
    /// ```
    /// use hitscan_io::{Format, Model};
    ///
    /// let model = Model::from_bytes_as(Format::Obj, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", None)?;
    /// assert_eq!(model.entities[0].name, "object0");
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    pub fn from_bytes_as(format: Format, bytes: &[u8], folder: Option<&Path>) -> Result<Self, Problem> {
        Self::from_bytes_with(format, bytes, folder, LoadOptions::new())
    }

    /// Reads the bytes of a file of this format with these options, or with a [`Detail`](crate::Detail), as [`from_bytes`](Self::from_bytes) does.
    pub fn from_bytes_with(
        format: Format,
        bytes: &[u8],
        folder: Option<&Path>,
        options: impl Into<LoadOptions>,
    ) -> Result<Self, Problem> {
        read(format, bytes, folder, options.into())
    }
}

impl Format {
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

/// Reads a file.
fn read_file(path: &Path, options: LoadOptions) -> Result<Model, Problem> {
    let bytes = file::read(path, usize::MAX).map_err(Problem::Io)?;
    if file::is_lfs_pointer(&bytes) {
        return Err(Problem::LfsPointer);
    }
    let by_name = || Format::of_name(path).or_else(|| Format::of(&bytes));
    let format = if baked::is_baked(&bytes) { Some(Format::Baked) } else { by_name() };
    let format = format.ok_or(Problem::UnknownFormat)?;
    let mut model = read(format, &bytes, Some(path.parent().unwrap_or(Path::new(""))), options)?;
    model.files.insert(path.to_owned());
    Ok(model)
}

/// Reads a file's bytes; the files that they refer to are in `folder`.
fn read(format: Format, bytes: &[u8], folder: Option<&Path>, options: LoadOptions) -> Result<Model, Problem> {
    let (folder, detail) = (Folder::new(folder), options.detail);
    let mut model = match format {
        _ if file::is_lfs_pointer(bytes) => Err(Problem::LfsPointer),
        Format::Gltf => gltf::read(bytes, &folder, options),
        Format::Obj => obj::read(bytes, &folder, detail),
        Format::Stl => stl::read(bytes),
        Format::Ply => ply::read(bytes, detail),
        Format::Baked => baked::read(bytes, detail),
    }?;
    model.files = folder.into_files();
    Ok(model)
}
