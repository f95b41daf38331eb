//! Bytes to values. No number is trusted: values are read only if they exist, and memory is in proportion to the input.

use crate::error::ReadError;

pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the next `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(ReadError::Short)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the next `N` bytes, a number known at compile time.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(ReadError::Short)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads the number of items that follow. Each takes at least `least_size` bytes; it is an error if there are too few bytes for all.
    pub(crate) fn count(&mut self, least_size: usize) -> Result<usize, ReadError> {
        let count = usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| ReadError::Short)?;
        let size = count.checked_mul(least_size).ok_or(ReadError::Short)?;
        if size <= self.rest.len() { Ok(count) } else { Err(ReadError::Short) }
    }

    /// Reads data that [`Writer::rows`](super::Writer::rows) wrote.
    pub(crate) fn rows<const N: usize>(&mut self) -> Result<&'a [[u8; N]], ReadError> {
        let count = self.count(N)?;
        Ok(self.bytes(count * N)?.as_chunks().0)
    }

    /// Reads data that [`Writer::optional_rows`](super::Writer::optional_rows) wrote.
    pub(crate) fn optional_rows<const N: usize>(&mut self) -> Result<Option<&'a [[u8; N]]>, ReadError> {
        if self.choice()? { self.rows().map(Some) } else { Ok(None) }
    }

    /// Reads whether an optional item follows.
    pub(crate) fn choice(&mut self) -> Result<bool, ReadError> {
        match u32::from_le_bytes(self.array()?) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(ReadError::Invalid { item: "choice", index: 0, fault: "is none" }),
        }
    }

    /// Checks that everything was read.
    pub(super) fn finish(&self) -> Result<(), ReadError> {
        if self.rest.is_empty() { Ok(()) } else { Err(ReadError::Rest { bytes: self.rest.len() }) }
    }
}
