//! The values after the header, one after the other.

use super::header::{Encoding, Header};
use super::scalar::Scalar;
use crate::error::{Item, Problem};
use crate::text::{self, Lines};

/// The values after the header, one after the other.
pub(super) enum Values<'a> {
    Text(Words<'a>),
    Binary { rest: &'a [u8], length: usize, is_big_endian: bool },
}

impl<'a> Values<'a> {
    pub(super) fn new(header: &Header, bytes: &'a [u8]) -> Self {
        match header.encoding {
            Encoding::Text => Self::Text(Words { lines: Lines::new(bytes), line: 0, before: header.lines, rest: b"" }),
            encoding => {
                Self::Binary { rest: bytes, length: bytes.len(), is_big_endian: encoding == Encoding::BigEndian }
            }
        }
    }

    /// Goes to the next record: in a text, to the next line with words; the rest of this line is skipped. Some
    /// programs write more values than the header states.
    pub(super) fn next_record(&mut self) -> Result<(), Problem> {
        match self {
            Self::Text(words) => words.next_line(),
            Self::Binary { .. } => Ok(()),
        }
    }

    /// Reads a number and rounds it once.
    pub(super) fn real(&mut self, scalar: Scalar) -> Result<f32, Problem> {
        match self {
            Self::Text(words) => words.number("a number"),
            Self::Binary { .. } => Ok(self.binary(scalar)? as f32),
        }
    }

    /// Reads a coordinate. Its rounding to f32 is the f32 nearest to the number in the file. The text of an f32 property is read as an f32.
    pub(super) fn real_f64(&mut self, scalar: Scalar) -> Result<f64, Problem> {
        match self {
            Self::Text(_) if scalar == Scalar::Float32 => self.real(scalar).map(f64::from),
            Self::Text(words) => {
                let word = words.word()?;
                text::real(word).ok_or_else(|| words.no_number(word, "a number"))
            }
            Self::Binary { .. } => self.binary(scalar),
        }
    }

    /// Reads a whole number; `3.0` is a whole number, too.
    pub(super) fn whole(&mut self, scalar: Scalar) -> Result<i64, Problem> {
        let value = match self {
            Self::Text(words) => words.number("a number")?,
            Self::Binary { .. } => self.binary(scalar)?,
        };
        // All values of the types of whole numbers are below 2^32.
        let is_whole = value.fract() == 0.0 && value.abs() <= 4_294_967_296.0;
        if is_whole {
            Ok(value as i64)
        } else {
            Err(self.fault(format!("has {value} where a whole number is expected")))
        }
    }

    /// Reads the length of a list.
    pub(super) fn length(&mut self, scalar: Scalar) -> Result<usize, Problem> {
        let length = self.whole(scalar)?;
        usize::try_from(length).map_err(|_| self.fault(format!("has {length} where the length of a list is expected")))
    }

    /// Skips values.
    pub(super) fn skip(&mut self, scalar: Scalar, count: usize) -> Result<(), Problem> {
        match self {
            Self::Text(words) => (0..count).try_for_each(|_| words.word().map(drop)),
            Self::Binary { rest, .. } => match count.checked_mul(scalar.size()).and_then(|size| rest.get(size..)) {
                Some(after) => {
                    *rest = after;
                    Ok(())
                }
                None => Err(self.end()),
            },
        }
    }

    /// Returns the number of bytes that are left.
    pub(super) fn bytes_left(&self) -> usize {
        match self {
            Self::Text(words) => words.rest.len() + words.lines.bytes_left(),
            Self::Binary { rest, .. } => rest.len(),
        }
    }

    /// Returns a fault at the value that was read last.
    pub(super) fn fault(&self, fault: String) -> Problem {
        match self {
            Self::Text(words) => words.fault(fault),
            Self::Binary { rest, length, .. } => {
                Item::new("byte", length - rest.len()).invalid(format!("behind the header {fault}"))
            }
        }
    }

    fn binary(&mut self, scalar: Scalar) -> Result<f64, Problem> {
        let Self::Binary { rest, is_big_endian, .. } = self else { return Err(self.end()) };
        let Some((own, after)) = rest.split_at_checked(scalar.size()) else { return Err(self.end()) };
        let mut bytes = [0; 8];
        let own_bytes = &mut bytes[..own.len()];
        own_bytes.copy_from_slice(own);
        if *is_big_endian {
            own_bytes.reverse();
        }
        *rest = after;
        Ok(scalar.value(bytes))
    }

    fn end(&self) -> Problem {
        self.fault("is followed by too few for what the header states".into())
    }
}

/// The words of a text; each record is on a line of its own.
pub(super) struct Words<'a> {
    lines: Lines<'a>,
    line: usize,
    /// The number of lines of the header.
    before: usize,
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn next_line(&mut self) -> Result<(), Problem> {
        loop {
            let next = self.lines.next();
            (self.line, self.rest) =
                next.ok_or_else(|| self.fault("is the last one, and the header states more records".into()))?;
            if !text::trim_start(self.rest).is_empty() {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<&'a [u8], Problem> {
        let (word, rest) = text::split_word(self.rest)
            .ok_or_else(|| self.fault("has fewer values than the header states for one of its records".into()))?;
        self.rest = rest;
        Ok(word)
    }

    fn number<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, Problem> {
        let word = self.word()?;
        text::number(word).ok_or_else(|| self.no_number(word, expected))
    }

    fn no_number(&self, word: &[u8], expected: &str) -> Problem {
        self.fault(format!("has {} where {expected} is expected", text::shown(word)))
    }

    fn fault(&self, fault: String) -> Problem {
        Item::new("line", self.before + self.line).invalid(fault)
    }
}
