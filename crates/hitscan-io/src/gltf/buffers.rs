//! The bytes of buffers, buffer views and pictures, read when they are first needed.

use super::container::Container;
use super::document::{Buffer, BufferView, Document, Whole, get};
use super::extensions;
use crate::error::{Item, Problem};
use crate::file::Folder;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

/// The sources of the bytes of a document.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    /// The folder at which relative references start.
    folder: &'a Folder<'a>,
    binary: Option<&'a [u8]>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// The number of bytes read so far, including the document's own.
    bytes_read: Cell<usize>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(document: &'a Document, folder: &'a Folder<'a>, container: &Container<'a>) -> Self {
        let loaded = document.buffers.iter().map(|_| OnceCell::new()).collect();
        let bytes_read = Cell::new(container.json.len() + container.binary.map_or(0, <[u8]>::len));
        Self { document, folder, binary: container.binary, loaded, bytes_read }
    }

    /// Returns the length of the model, in the bytes of all its files read so far.
    pub(super) fn bytes_read(&self) -> usize {
        self.bytes_read.get()
    }

    /// Returns a buffer view and its bytes.
    pub(super) fn view(&self, index: Whole) -> Result<(&'a BufferView, &[u8]), Problem> {
        let view = get(&self.document.buffer_views, "buffer view", index)?;
        let buffer = self.buffer(view.buffer)?;
        let end = view.byte_offset.0.checked_add(view.byte_length.0);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset.0..end)).ok_or_else(|| {
            let (offset, length) = (view.byte_offset.0, view.byte_length.0);
            let fault =
                format!("needs {length} bytes from {offset} of buffer {}, which has {}", view.buffer.0, buffer.len());
            Item::new("buffer view", index.0).invalid(fault)
        })?;
        Ok((view, bytes))
    }

    /// Returns the bytes of a URI: a data URI, or a file beside the document, of which no more than `limit` is read.
    pub(super) fn resource(&self, uri: &str, limit: usize) -> Result<Vec<u8>, String> {
        if let Some(scheme) = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            return data_uri(&uri[scheme.len()..]);
        }
        self.folder.read_as(uri, &local_path(uri)?, limit)
    }

    fn buffer(&self, index: Whole) -> Result<&[u8], Problem> {
        let buffer = get(&self.document.buffers, "buffer", index)?;
        let cell = &self.loaded[index.0];
        if cell.get().is_none() {
            let bytes = self.load(index, buffer)?;
            let _ = cell.set(bytes); // the cell was empty
        }
        Ok(cell.get().map_or(&[], |bytes| bytes))
    }

    fn load(&self, index: Whole, buffer: &Buffer) -> Result<Cow<'a, [u8]>, Problem> {
        let item = || Item::new("buffer", index.0);
        let bytes = match (&buffer.uri, self.binary) {
            (Some(uri), _) => Cow::Owned(
                self.resource(uri, buffer.byte_length.0).map_err(|fault| item().invalid(format!("at {fault}")))?,
            ),
            (None, Some(binary)) if index.0 == 0 => Cow::Borrowed(binary),
            (None, _) => {
                return Err(extensions::compression(&buffer.extensions).unwrap_or_else(|| Problem::NoData(item())));
            }
        };
        if bytes.len() < buffer.byte_length.0 {
            let fault = format!("states {} bytes, and has {}", buffer.byte_length.0, bytes.len());
            return Err(item().invalid(fault));
        }
        Ok(match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..buffer.byte_length.0]),
            Cow::Owned(mut bytes) => {
                self.bytes_read.set(self.bytes_read.get().saturating_add(bytes.len()));
                bytes.truncate(buffer.byte_length.0);
                Cow::Owned(bytes)
            }
        })
    }
}

/// Reads the text after `data:`: a media type, an optional `;base64`, a comma, the data.
fn data_uri(rest: &str) -> Result<Vec<u8>, String> {
    let (media, data) = rest.split_once(',').ok_or("a data URI without a comma")?;
    let data: Cow<'_, [u8]> = percent_decode_str(data).into();
    if !media.to_ascii_lowercase().ends_with(";base64") {
        return Ok(data.into_owned());
    }
    // Decoders may accept unused bits that are not 0 (RFC 4648, 3.5), and most do.
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, config);
    engine.decode(without_spaces(data)).map_err(|error| format!("a data URI that is no base64 ({error})"))
}

/// Removes white space, which breaks long lines of base64.
fn without_spaces(data: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !data.iter().any(u8::is_ascii_whitespace) {
        return data;
    }
    data.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Returns the path of a reference, percent-decoded; URIs with a scheme are not opened.
fn local_path(uri: &str) -> Result<Cow<'_, str>, String> {
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| format!("{uri:?}, which is no UTF-8"))?;
    let has_scheme = decoded.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme { Err(format!("{uri:?}: only paths relative to the model are opened")) } else { Ok(decoded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn data_uris_in_either_coding() {
        assert_eq!(data_uri("application/octet-stream;base64,AAEC").unwrap(), [0, 1, 2]);
        assert_eq!(data_uri(";BASE64,AAE").unwrap(), [0, 1], "padding may be left out");
        assert_eq!(data_uri(",a%20b").unwrap(), b"a b");
        assert!(data_uri("base64").is_err());
        assert!(data_uri(";base64,A!").is_err());
    }

    #[test]
    fn only_relative_paths() {
        let folder = Folder::new(Some(Path::new("models")));
        let fault = |uri: &str| local_path(uri).and_then(|path| folder.read_as(uri, &path, 1)).unwrap_err();
        for (uri, path) in [("a%20b/c%C3%A4.bin", "a b/cä.bin"), ("../textures/a.png", "../textures/a.png")] {
            let looked_for = Path::new("models").join(path).display().to_string();
            assert!(fault(uri).contains(&format!("there is no file {looked_for}")), "{}", fault(uri));
        }
        for uri in
            ["http://x/y.bin", "file:///etc/passwd", "/etc/passwd", "%2Fetc/passwd", "C:\\x.bin", "\\\\x\\y", "a%00"]
        {
            assert!(fault(uri).contains("only paths relative"), "{}", fault(uri));
        }
    }
}
