//! Bytes to values. No number is believed: what is taken is there, and memory is in proportion to it.

use super::Value;
use crate::error::ReadError;

pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next so many.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(ReadError::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next so many, known when this is compiled.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(ReadError::Short)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// How many things follow, of which each has at least so many bytes, and for which there are enough.
    pub(crate) fn count(&mut self, least_size: usize) -> Result<usize, ReadError> {
        let count = usize::try_from(u64::read(self)?).map_err(|_| ReadError::Short)?;
        let size = count.checked_mul(least_size).ok_or(ReadError::Short)?;
        if size <= self.rest.len() { Ok(count) } else { Err(ReadError::Short) }
    }

    /// What [`Writer::rows`](super::Writer::rows) wrote.
    pub(crate) fn rows<const N: usize>(&mut self) -> Result<&'a [[u8; N]], ReadError> {
        let count = self.count(N)?;
        Ok(self.bytes(count * N)?.as_chunks().0)
    }

    /// What [`Writer::optional_rows`](super::Writer::optional_rows) wrote.
    pub(crate) fn optional_rows<const N: usize>(&mut self) -> Result<Option<&'a [[u8; N]]>, ReadError> {
        if self.choice()? { self.rows().map(Some) } else { Ok(None) }
    }

    /// Whether something that need not be there follows.
    pub(crate) fn choice(&mut self) -> Result<bool, ReadError> {
        match u32::read(self)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(ReadError::Invalid { item: "choice", index: 0, fault: "is none" }),
        }
    }

    /// Whether all was read.
    pub(super) fn finish(&self) -> Result<(), ReadError> {
        if self.rest.is_empty() { Ok(()) } else { Err(ReadError::Rest { bytes: self.rest.len() }) }
    }
}
