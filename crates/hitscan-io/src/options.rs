//! The options of loading.

use crate::texture::Detail;

/// The treatment of a mesh with a fault, such as an index without a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Faults {
    /// The model is refused, by an error that names the mesh.
    #[default]
    Refuse,
    /// The mesh is skipped, with the nodes that show it, and a warning names it once. This option has an effect in glTF only, the one format with
    /// separate meshes.
    LeaveOut,
}

/// The options of [`Model::load_with`](crate::Model::load_with).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The data that is read in addition to the data for hits.
    pub detail: Detail,
    /// The treatment of a mesh with a fault.
    pub faults: Faults,
}

impl LoadOptions {
    /// Makes the options of [`Model::load`](crate::Model::load).
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the options with this detail.
    pub fn detail(self, detail: Detail) -> Self {
        Self { detail, ..self }
    }

    /// Returns the options with this rule for meshes with a fault.
    pub fn faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }
}

impl From<Detail> for LoadOptions {
    fn from(detail: Detail) -> Self {
        Self::new().detail(detail)
    }
}
