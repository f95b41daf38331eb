//! Text files: encodings, lines, words and numbers.
//!
//! Lines are bytes, because real files have names in the encoding of the program that wrote them.

use std::borrow::Cow;

/// Returns the text without its byte order mark; UTF-16 with a mark is converted to UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.as_chunks().0.iter().map(|&pair| unit(pair));
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        Cow::Owned(text.into_bytes())
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(rest),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        _ => Cow::Borrowed(bytes),
    }
}

/// The lines with their numbers from 1, however they end: LF, CR LF or CR.
pub(crate) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { rest: Some(text), number: 0 }
    }

    /// Returns the number of bytes after the lines so far.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.map_or(0, <[u8]>::len)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest?;
        self.number += 1;
        let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        self.rest = end.map(|end| &text[end + line_break(&text[end..])..]);
        Some((self.number, &text[..end.unwrap_or(text.len())]))
    }
}

/// Returns the length of the line break that a text begins with; 0 if it begins with none.
pub(crate) fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns whether a byte is white space according to C's `isspace`: Rust's own test leaves out the vertical tab.
pub(crate) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns the text without white space at its start.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(byte)).unwrap_or(text.len());
    &text[start..]
}

/// Returns the text without white space at its end.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Returns the first word of a line, and the rest.
pub(crate) fn split_word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = trim_start(line);
    let end = line.iter().position(is_space).unwrap_or(line.len());
    (end > 0).then(|| line.split_at(end))
}

/// Returns the words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(is_space).filter(|word| !word.is_empty())
}

/// Parses a word as a number, as Rust does: `1`, `+1.`, `.5e-3`, `inf`, `NaN`.
pub(crate) fn number<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Returns a name: the text between the first and the last character that is not a space.
pub(crate) fn name(text: &[u8]) -> String {
    String::from_utf8_lossy(trim_end(trim_start(text))).into_owned()
}

/// Parses a word as an f64 that has this property: rounded to f32, it is the f32 nearest to the decimal number.
///
/// An f64 in the middle between two f32s may itself be the result of rounding. Then it is replaced by its neighbour on
/// the side of the f32 that is nearest to the word.
pub(crate) fn real(word: &[u8]) -> Option<f64> {
    let value: f64 = number(word)?;
    let rounded = value as f32;
    let is_middle =
        value != 0.0 && value.is_finite() && (value.to_bits() & 0x1FFF_FFFF == 1 << 28 || !rounded.is_normal());
    if !is_middle {
        return Some(value);
    }
    let nearest = number::<f32>(word)?;
    Some(match f64::from(nearest) - value {
        _ if nearest == rounded => value,
        above if above > 0.0 => value.next_up(),
        _ => value.next_down(),
    })
}

/// Returns a word as it is shown in a message; a long one is cut.
pub(crate) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let more = if word.len() > LONGEST { "..." } else { "" };
    format!("{:?}{more}", String::from_utf8_lossy(&word[..word.len().min(LONGEST)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let lines: Vec<_> = Lines::new(b"a\nb\r\n\rc\n\r").collect();
        let expected: [(usize, &[u8]); 6] = [(1, b"a"), (2, b"b"), (3, b""), (4, b"c"), (5, b""), (6, b"")];
        assert_eq!(lines, expected);
        assert_eq!(Lines::new(b"").collect::<Vec<_>>(), [(1, &b""[..])]);
    }

    #[test]
    fn marks_tell_the_encoding() {
        assert_eq!(&*decode(b"\xEF\xBB\xBFv 1"), b"v 1");
        assert_eq!(&*decode(b"\xFE\xFF\0v\0\xE4"), "vä".as_bytes());
        assert_eq!(&*decode(b"\xFF\xFEv\0\0\xD8x\0\x01"), "v\u{FFFD}x".as_bytes());
        assert_eq!(&*decode(b"v \xE4"), b"v \xE4");
    }
}
