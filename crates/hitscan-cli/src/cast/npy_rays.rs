//! Rays from numpy's .npy, format versions 1 to 3.

use super::batch::Batch;
use crate::precision::Precision;
use anyhow::{Context, Result, bail, ensure};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};

/// The longest header, as in numpy itself.
const MAX_HEADER: usize = 10_000;
/// The largest number of opening brackets in a header. The header of an array of numbers has two, and npyz parses
/// nested brackets by recursion without a limit.
const MAX_BRACKETS: usize = 16;
/// The largest number of digits in a header. With at most this many, the product of its numbers, which npyz computes,
/// fits into u64.
const MAX_DIGITS: usize = 19;

/// An array of N rows and 6 or 8 columns.
pub(super) struct NpyRays {
    name: String,
    file: File,
    scalar: Scalar,
    order: Order,
    /// The offset of the numbers in the file.
    start: u64,
    rows: u64,
    columns: usize,
    precision: Precision,
    done: u64,
}

/// The type in which a number is stored.
#[derive(Clone, Copy)]
enum Scalar {
    F32(Endianness),
    F64(Endianness),
}

impl Scalar {
    fn of(dtype: &DType) -> Option<Self> {
        let DType::Plain(kind) = dtype else { return None };
        match (kind.type_char(), kind.size_field()) {
            (TypeChar::Float, 4) => Some(Self::F32(kind.endianness())),
            (TypeChar::Float, 8) => Some(Self::F64(kind.endianness())),
            _ => None,
        }
    }

    fn size(self) -> usize {
        match self {
            Self::F32(_) => 4,
            Self::F64(_) => 8,
        }
    }

    fn numbers(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Self::F32(Endianness::Big) => decoded(bytes, |bytes| f32::from_be_bytes(bytes).into()),
            Self::F32(_) => decoded(bytes, |bytes| f32::from_le_bytes(bytes).into()),
            Self::F64(Endianness::Big) => decoded(bytes, f64::from_be_bytes),
            Self::F64(_) => decoded(bytes, f64::from_le_bytes),
        }
    }
}

fn decoded<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    bytes.as_chunks::<N>().0.iter().map(|&bytes| number(bytes)).collect()
}

impl NpyRays {
    /// Opens a file with this name.
    pub(super) fn new(name: &str, mut file: File, precision: Precision) -> Result<Self> {
        let header = header(&mut file).with_context(|| format!("{name}: is no readable .npy"))?;
        let shape = header.shape();
        let text = shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let &[rows, columns @ (6 | 8)] = shape else {
            bail!(
                "{name}: has the shape ({text}) where (N, 6) or (N, 8) is needed: a row is ox,oy,oz,dx,dy,dz[,t_min,t_max]"
            );
        };
        let dtype = header.dtype();
        let Some(scalar) = Scalar::of(&dtype) else {
            bail!("{name}: holds {} where float32 is needed: save rays.astype(numpy.float32)", dtype.descr());
        };
        let start = file.stream_position().with_context(|| format!("{name}: cannot be read"))?;
        let length = file.metadata().with_context(|| format!("{name}: cannot be read"))?.len();
        let needed = rows.checked_mul(columns * scalar.size() as u64).and_then(|bytes| bytes.checked_add(start));
        ensure!(
            needed.is_some_and(|needed| needed <= length),
            "{name}: is cut short: the array ({text}) does not fit into its {length} bytes"
        );
        Ok(Self {
            name: name.to_owned(),
            file,
            scalar,
            order: header.order(),
            start,
            rows,
            columns: columns as usize,
            precision,
            done: 0,
        })
    }

    pub(super) fn next(&mut self, count: usize) -> Result<Batch> {
        let count = (self.rows - self.done).min(count as u64) as usize;
        let numbers = match self.order {
            Order::C => self.numbers(self.done * self.columns as u64, count * self.columns),
            Order::Fortran => self.columns_of(count),
        };
        let numbers =
            numbers.with_context(|| format!("{}: the rays from row {} on cannot be read", self.name, self.done))?;
        self.done += count as u64;
        let mut batch = Batch::new(self.precision);
        for row in numbers.chunks_exact(self.columns) {
            let _ = batch.add(row); // its length was checked with the header
        }
        Ok(batch)
    }

    /// Reads rows of an array whose columns are stored one after the other.
    fn columns_of(&mut self, count: usize) -> Result<Vec<f64>> {
        let mut rows = vec![0.0; count * self.columns];
        for column in 0..self.columns {
            let numbers = self.numbers(column as u64 * self.rows + self.done, count)?;
            for (row, number) in rows.chunks_exact_mut(self.columns).zip(numbers) {
                row[column] = number;
            }
        }
        Ok(rows)
    }

    /// Reads `count` numbers of the array, beginning with the number at the index `first`.
    fn numbers(&mut self, first: u64, count: usize) -> Result<Vec<f64>> {
        let size = self.scalar.size();
        let mut bytes = vec![0; count * size];
        self.file.seek(SeekFrom::Start(self.start + first * size as u64))?;
        self.file.read_exact(&mut bytes)?;
        Ok(self.scalar.numbers(&bytes))
    }

    pub(super) fn bytes(&self) -> (u64, Option<u64>) {
        let row = (self.columns * self.scalar.size()) as u64;
        (self.done * row, Some(self.rows * row))
    }
}

/// Reads the header, and leaves the file at the first byte of the array.
fn header(file: &mut File) -> Result<NpyHeader> {
    let mut start = Vec::new();
    file.by_ref().take(64).read_to_end(&mut start).and_then(|_| file.rewind()).context("it cannot be read")?;
    ensure!(!hitscan_io::is_lfs_pointer(&start), "it is a Git LFS pointer instead of the array: run `git lfs pull`");
    let mut bytes = vec![0; 8];
    file.read_exact(&mut bytes).context("it is too short")?;
    ensure!(bytes.starts_with(b"\x93NUMPY"), "it does not begin as one");
    // The length of the header is stored in two bytes in version 1, and in four bytes in later versions.
    let mut length = [0; 4];
    let width = if bytes[6] == 1 { 2 } else { 4 };
    file.read_exact(&mut length[..width]).context("it is too short")?;
    bytes.extend(&length[..width]);
    let length = u32::from_le_bytes(length) as usize;
    ensure!(length <= MAX_HEADER, "its header has {length} bytes, more than the {MAX_HEADER} that numpy reads");
    let mut text = vec![0; length];
    file.read_exact(&mut text).context("it is too short")?;
    let count = |what: fn(&u8) -> bool| text.iter().filter(|byte| what(byte)).count();
    ensure!(
        count(|byte| b"([{".contains(byte)) <= MAX_BRACKETS && count(u8::is_ascii_digit) <= MAX_DIGITS,
        "its header is not that of an array of numbers"
    );
    bytes.extend(text);
    NpyHeader::from_reader(Cursor::new(bytes)).context("its header is not that of an array of numbers")
}
