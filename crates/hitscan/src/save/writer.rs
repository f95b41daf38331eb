//! Values to bytes, the lowest byte of a number first.

use alloc::vec::Vec;

pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Writes bytes as they are, without their count.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    /// Writes the number of rows, and each row.
    pub(crate) fn rows<const N: usize>(&mut self, rows: impl ExactSizeIterator<Item = [u8; N]>) {
        self.count(rows.len());
        self.bytes.reserve(rows.len() * N);
        rows.for_each(|row| self.bytes(&row));
    }

    /// Writes optional rows.
    pub(crate) fn optional_rows<const N: usize>(&mut self, rows: Option<impl ExactSizeIterator<Item = [u8; N]>>) {
        self.bytes(&u32::from(rows.is_some()).to_le_bytes());
        if let Some(rows) = rows {
            self.rows(rows);
        }
    }
}
