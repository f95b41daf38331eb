//! Errors of writing and reading bytes.

use super::MeshError;
use super::SceneError;
use core::fmt;

/// Why a scene cannot be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// Two entities have keys with the same bytes.
    SameKey {
        /// Indices of the two, in the order in which entities were inserted, from 0.
        entities: [usize; 2],
    },
    /// A custom shape cannot be saved.
    Custom {
        /// Index of its entity, in the order in which entities were inserted, from 0.
        entity: usize,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameKey { entities: [first, second] } => {
                write!(
                    f,
                    "the keys of entities {first} and {second}, in the order of insertion from 0, were written as the same bytes: write \
                    different bytes for different keys"
                )
            }
            Self::Custom { entity } => {
                write!(
                    f,
                    "entity {entity}, in the order of insertion from 0, has a shape of your own, which cannot be saved: remove it \
                    before, and insert it again after reading"
                )
            }
        }
    }
}

impl core::error::Error for SaveError {}

/// Why bytes cannot be read as a saved mesh or scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes do not begin as saved bytes do.
    Foreign,
    /// The bytes have a version of the format that this library does not read.
    Version {
        /// The version of the bytes.
        version: u32,
        /// The version that this library reads.
        supported: u32,
    },
    /// The bytes hold something else.
    Kind {
        /// The kind of content in the bytes, such as "scene".
        found: &'static str,
        /// The kind that was requested.
        asked: &'static str,
    },
    /// Bytes are missing, or there are too many.
    Length {
        /// The number of bytes that were saved.
        length: u64,
        /// The number of bytes that were given.
        given: u64,
    },
    /// The checksum does not match the bytes.
    Damaged,
    /// An item reaches beyond the end of the bytes.
    Short,
    /// There are bytes after the content.
    Rest {
        /// The number of these bytes.
        bytes: usize,
    },
    /// An item contradicts the rest of the content, although the checksum is right: this library did not write it.
    Invalid {
        /// The kind of item, such as "triangle".
        item: &'static str,
        /// Index of the item, from 0.
        index: usize,
        /// The fault of the item.
        fault: &'static str,
    },
    /// A mesh is not valid.
    Mesh {
        /// Index of the mesh, from 0.
        index: usize,
        /// The fault of the mesh.
        error: MeshError,
    },
    /// An entity cannot be in a scene.
    Entity {
        /// Index of the entity, from 0.
        index: usize,
        /// The fault of the entity.
        error: SceneError,
    },
    /// The caller could not make a key of the bytes.
    Key {
        /// Index of the entity, from 0.
        entity: usize,
    },
    /// The caller made the key of an earlier entity again.
    SameKey {
        /// Index of the entity, from 0.
        entity: usize,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => write!(f, "the bytes are not those of a mesh or scene that hitscan saved"),
            Self::Version { version, supported } => {
                write!(
                    f,
                    "the bytes are of format version {version}, but only {supported} can be read: save the original again"
                )
            }
            Self::Kind { found, asked } => {
                write!(f, "the bytes are those of a {found}, not of a {asked}: read them as a {found}")
            }
            Self::Length { length, given } => {
                write!(f, "the bytes are not complete, or too many: {length} were saved, but {given} were given")
            }
            Self::Damaged => {
                write!(f, "the bytes are damaged: their checksum is not that of the bytes that were saved")
            }
            Self::Short => write!(f, "the bytes are not valid: something in them reaches beyond their end"),
            Self::Rest { bytes } => {
                write!(f, "the bytes are not valid: {bytes} of them are left over after the content")
            }
            Self::Invalid { item, index, fault } => {
                write!(f, "the bytes contradict themselves: {item} {index} {fault}")
            }
            Self::Mesh { index, error } => write!(f, "in mesh {index}, {error}"),
            Self::Entity { index, error } => write!(f, "in entity {index}, {error}"),
            Self::Key { entity } => {
                write!(
                    f,
                    "the key of entity {entity} is not known: the function that reads keys returned None for its bytes"
                )
            }
            Self::SameKey { entity } => {
                write!(
                    f,
                    "entity {entity} has the same key as an earlier entity: the function that reads keys must return a \
                    different key for different bytes"
                )
            }
        }
    }
}

impl core::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Mesh { error, .. } => Some(error),
            Self::Entity { error, .. } => Some(error),
            _ => None,
        }
    }
}
