//! The frame around a GLB's JSON and its binary chunk.

use super::nulls::without_nulls;
use crate::error::Problem;
use std::borrow::Cow;

/// The JSON of a file, and its binary chunk if it has one.
pub(super) struct Container<'a> {
    /// The JSON, without members that are `null`.
    pub(super) json: Cow<'a, [u8]>,
    pub(super) binary: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Splits a GLB into its chunks; bytes that begin like a JSON object are JSON.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, Problem> {
    if bytes.starts_with(MAGIC) {
        return open_glb(bytes);
    }
    if !is_gltf(bytes) {
        return Err(Problem::Format);
    }
    Ok(Container { json: without_nulls(without_mark(bytes)), binary: None })
}

/// Returns whether the bytes begin like a GLB, or like a JSON object.
pub(crate) fn is_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || without_mark(bytes).trim_ascii_start().starts_with(b"{")
}

/// Opens a GLB. Chunks of other kinds, a second binary chunk, and bytes after the stated length are ignored.
fn open_glb(bytes: &[u8]) -> Result<Container<'_>, Problem> {
    let fault = |what: &str| Problem::Glb(what.into());
    let (version, length) = (word(bytes, 4), word(bytes, 8));
    let (Some(version), Some(length)) = (version, length) else {
        return Err(fault("it ends within its header of 12 bytes"));
    };
    if version != 2 {
        return Err(Problem::Version(format!("{version}.0")));
    }
    let Some(mut rest) = bytes.get(12..length) else {
        return Err(Problem::Glb(format!("its header states {length} bytes, and it has {}", bytes.len())));
    };
    let (mut json, mut binary) = (None, None);
    while !rest.is_empty() {
        let (size, kind) = (word(rest, 0), rest.get(4..8));
        let (Some(size), Some(kind)) = (size, kind) else {
            return Err(fault("it ends within the header of a chunk"));
        };
        let data = rest[8..].get(..size);
        let data =
            data.ok_or_else(|| Problem::Glb(format!("a chunk states {size} bytes, and {} are left", rest.len() - 8)))?;
        match kind {
            b"JSON" if json.is_none() => json = Some(data),
            _ if json.is_none() => return Err(fault("its first chunk is not JSON")),
            b"BIN\0" if binary.is_none() => binary = Some(data),
            _ => {}
        }
        rest = &rest[8 + size..];
    }
    let json = json.ok_or_else(|| fault("it has no JSON chunk"))?;
    Ok(Container { json: without_nulls(without_mark(json)), binary })
}

fn without_mark(json: &[u8]) -> &[u8] {
    json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json)
}

/// Reads a little-endian u32.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
}
