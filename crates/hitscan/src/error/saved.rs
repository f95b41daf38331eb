//! Errors of writing and reading bytes.

use super::{MeshError, SceneError};

/// The advice of an error about two keys with the same bytes.
const DIFFERENT: &str = "write different bytes for different keys";

errors! {
    /// Why a scene cannot be saved.
    #[derive(Eq)]
    pub enum SaveError {
        /// Two entities have keys with the same bytes.
        #[error("the keys of entities {} and {}, in the order of insertion from 0, were written as the same bytes: {DIFFERENT}",
            entities[0], entities[1])]
        SameKey {
            /// Indices of the two entities in the order of insertion, from 0.
            entities: [usize; 2],
        },
        /// A custom shape cannot be saved.
        #[error("entity {entity}, in the order of insertion from 0, has a shape of your own, which cannot be saved: \
            remove it before, and insert it again after reading")]
        Custom {
            /// Index of the entity with the shape, in the order of insertion, from 0.
            entity: usize,
        },
    }
}

errors! {
    /// Why bytes cannot be read as a saved mesh or scene.
    pub enum ReadError {
        /// The bytes do not begin as saved bytes do.
        #[error("the bytes are not those of a mesh or scene that hitscan saved")]
        Foreign,
        /// The bytes have a version of the format that this library does not read.
        #[error("the bytes are of format version {version}, but only {supported} can be read: save the original again")]
        Version {
            /// The version of the bytes.
            version: u32,
            /// The version that this library reads.
            supported: u32,
        },
        /// The bytes hold another kind of content than the requested one.
        #[error("the bytes are those of a {found}, not of a {asked}: read them as a {found}")]
        Kind {
            /// The kind of content in the bytes, such as "scene".
            found: &'static str,
            /// The kind that was requested.
            asked: &'static str,
        },
        /// Bytes are missing, or there are too many.
        #[error("the bytes are not complete, or too many: {length} were saved, but {given} were given")]
        Length {
            /// The number of bytes that were saved.
            length: u64,
            /// The number of bytes that were given.
            given: u64,
        },
        /// The checksum does not match the bytes.
        #[error("the bytes are damaged: their checksum is not that of the bytes that were saved")]
        Damaged,
        /// An item extends beyond the end of the bytes.
        #[error("the bytes are not valid: something in them reaches beyond their end")]
        Short,
        /// There are bytes after the content.
        #[error("the bytes are not valid: {bytes} of them are left over after the content")]
        Rest {
            /// The number of bytes after the content.
            bytes: usize,
        },
        /// An item contradicts the other content, although the checksum is right. So this library did not write
        /// these bytes.
        #[error("the bytes contradict themselves: {item} {index} {fault}")]
        Invalid {
            /// The kind of item, such as "triangle".
            item: &'static str,
            /// Index of the item, from 0.
            index: usize,
            /// The fault of the item.
            fault: &'static str,
        },
        /// A mesh is not valid.
        #[error("in mesh {index}, {error}")]
        Mesh {
            /// Index of the mesh, from 0.
            index: usize,
            /// The fault of the mesh.
            error: MeshError,
        },
        /// An entity cannot be in a scene.
        #[error("in entity {index}, {error}")]
        Entity {
            /// Index of the entity, from 0.
            index: usize,
            /// The fault of the entity.
            error: SceneError,
        },
        /// The caller could not make a key from the bytes.
        #[error("the key of entity {entity} is not known: the function that reads keys returned None for its bytes")]
        Key {
            /// Index of the entity, from 0.
            entity: usize,
        },
        /// The caller made the key of an earlier entity again.
        #[error("entity {entity} has the same key as an earlier entity: the function that reads keys must return a different \
            key for different bytes")]
        SameKey {
            /// Index of the entity, from 0.
            entity: usize,
        },
    }
    source {
        Self::Mesh { error, .. } => error,
        Self::Entity { error, .. } => error,
    }
}
