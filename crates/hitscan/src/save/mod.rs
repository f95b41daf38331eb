//! Meshes and scenes as bytes, and back.
//!
//! Only data that cannot be computed again quickly is saved. For a mesh, these are its vertices, its triangles and the topology of its tree. Everything else
//! (boxes, blocks, inverses of transforms) is computed from these when they are read. So it cannot be wrong.
//!
//! A checksum finds accidental damage. It does not detect bytes that were made to mislead. So every number is checked as if there were no checksum. Reading
//! returns a mesh or a scene that the library could have made, or an error.

mod reader;
mod value;
mod writer;

pub(crate) use reader::Reader;
pub(crate) use value::{Value, row, row_of_vec2, row_of_vec3, value, vec2, vec3, words};
pub(crate) use writer::Writer;

use crate::error::ReadError;
use crate::parallel;
use alloc::vec::Vec;
use twox_hash::XxHash3_64;

/// The bytes with which all saved data begin. No text contains the first byte, and the last two change when the bytes are transferred as
/// text.
const MARK: [u8; 8] = *b"\x89HITSC\r\n";

/// The version of the format: mark, version, kind and length, then the content, then the checksum of all bytes before.
const VERSION: u32 = 4;
const HEAD: usize = MARK.len() + 4 + 4 + 8;
const CHECKSUM: usize = 8;
/// Reading this many bytes takes no longer than waking another thread.
const GRAIN: usize = 1 << 16;

/// The kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedKind {
    Mesh,
    Scene,
}

impl SavedKind {
    fn number(self) -> u32 {
        match self {
            Self::Mesh => 1,
            Self::Scene => 2,
        }
    }

    fn from_number(number: u32) -> Option<Self> {
        [Self::Mesh, Self::Scene].into_iter().find(|kind| kind.number() == number)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Scene => "scene",
        }
    }
}

/// Returns the bytes of a mesh or scene whose content the closure writes.
pub(crate) fn write(kind: SavedKind, content: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.bytes(&MARK);
    VERSION.write(&mut writer);
    kind.number().write(&mut writer);
    let length_at = writer.len();
    0u64.write(&mut writer);
    content(&mut writer);
    let mut bytes = writer.into_bytes();
    let length = (bytes.len() + CHECKSUM) as u64;
    bytes[length_at..length_at + 8].copy_from_slice(&length.to_le_bytes());
    let checksum = XxHash3_64::oneshot(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Reads content that was saved as this kind, to the end.
pub(crate) fn read<'a, T: Send>(
    kind: SavedKind,
    bytes: &'a [u8],
    content: impl FnOnce(&mut Reader<'a>) -> Result<T, ReadError> + Send,
) -> Result<T, ReadError> {
    let (sealed, checksum) = opened(kind, bytes)?;
    // The content is read even before the checksum is known.
    let (found, value) = parallel::join_if(
        sealed.len() > GRAIN,
        || XxHash3_64::oneshot(sealed),
        || {
            let mut reader = Reader::new(sealed.get(HEAD..).unwrap_or_default());
            let value = content(&mut reader)?;
            reader.finish()?;
            Ok(value)
        },
    );
    if found == checksum { value } else { Err(ReadError::Damaged) }
}

/// Returns all bytes except the checksum, and the checksum. The bytes must begin with the head of this kind, and have the length that it states.
fn opened(kind: SavedKind, bytes: &[u8]) -> Result<(&[u8], u64), ReadError> {
    let mut head = Reader::new(bytes);
    if head.array().ok() != Some(MARK) {
        return Err(ReadError::Foreign);
    }
    let version = u32::read(&mut head)?;
    if version != VERSION {
        return Err(ReadError::Version { version, supported: VERSION });
    }
    let found = u32::read(&mut head)?;
    let (length, given) = (u64::read(&mut head)?, bytes.len() as u64);
    let (sealed, checksum) = bytes.split_last_chunk().ok_or(ReadError::Short)?;
    if length != given || sealed.len() < HEAD {
        return Err(ReadError::Length { length, given });
    }
    match SavedKind::from_number(found) {
        Some(found) if found == kind => Ok((sealed, u64::from_le_bytes(*checksum))),
        Some(found) => Err(ReadError::Kind { found: found.name(), asked: kind.name() }),
        None => Err(ReadError::Foreign),
    }
}
