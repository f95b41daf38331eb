//! The header: the elements that follow, and their properties.

use super::scalar::Scalar;
use crate::text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// The number of bytes of the header.
    pub(super) end: usize,
    /// The number of lines of the header.
    pub(super) lines: usize,
}

/// A kind of record.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

/// A part of a record.
pub(super) struct Property {
    pub(super) name: String,
    pub(super) value: Scalar,
    /// The type of a list's length; `None` for a single value.
    pub(super) length: Option<Scalar>,
}

impl Header {
    /// Reads the header. Lines that begin with a word that is not of the format are skipped, as if they were comments.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if !is_ply(bytes) {
            return Err("it does not begin with the line \"ply\"".into());
        }
        let (mut encoding, mut elements): (_, Vec<Element>) = (None, Vec::new());
        let mut lines = text::Lines::new(bytes);
        while let Some((line, content)) = lines.next() {
            let fault = |what: &str| format!("line {line} of its header is no {what}: {}", text::shown(content));
            let mut words = text::words(content);
            match words.next() {
                Some(b"format") => {
                    encoding = Some(encoding_of(words.next()).ok_or_else(|| fault("known `format`"))?);
                }
                Some(b"element") => elements.push(element(words).ok_or_else(|| fault("`element NAME COUNT`"))?),
                Some(b"property") => {
                    let property = property(words).ok_or_else(|| fault("property of a known type"))?;
                    let element = elements.last_mut().ok_or_else(|| fault("property of an element"))?;
                    element.properties.push(property);
                }
                Some(b"end_header") => {
                    let encoding = encoding.ok_or("its header does not say which `format` it is in")?;
                    return Ok(Self { encoding, elements, end: end_of(bytes, lines.bytes_left()), lines: line });
                }
                _ => {}
            }
        }
        Err("its header has no end (`end_header`)".into())
    }
}

/// Returns the place after the last line's break. A header whose first line ends in CR alone also ends in CR alone: an LF after it is data.
fn end_of(bytes: &[u8], bytes_left: usize) -> usize {
    let end = bytes.len() - bytes_left;
    let first = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(end);
    let is_cr_alone = bytes[first..end].starts_with(b"\r") && text::line_break(&bytes[first..end]) == 1;
    if is_cr_alone && bytes[..end].ends_with(b"\r\n") { end - 1 } else { end }
}

fn encoding_of(word: Option<&[u8]>) -> Option<Encoding> {
    match word? {
        b"ascii" => Some(Encoding::Text),
        b"binary_little_endian" => Some(Encoding::LittleEndian),
        b"binary_big_endian" => Some(Encoding::BigEndian),
        _ => None,
    }
}

fn element<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Element> {
    let name = text::name(words.next()?);
    Some(Element { name, count: text::number(words.next()?)?, properties: Vec::new() })
}

fn property<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Property> {
    let first = words.next()?;
    let (length, value) = match first {
        b"list" => (Some(Scalar::of_name(words.next()?)?), Scalar::of_name(words.next()?)?),
        _ => (None, Scalar::of_name(first)?),
    };
    Some(Property { name: text::name(words.next()?), value, length })
}

/// Returns whether the bytes begin with the word `ply` in a line of its own.
pub(crate) fn is_ply(bytes: &[u8]) -> bool {
    text::Lines::new(bytes).next().is_some_and(|(_, line)| text::trim_end(line) == b"ply")
}
