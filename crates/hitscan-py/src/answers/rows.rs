//! Answers as they are found: rows. An attribute of an answer makes an array of them when it is read.

use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Values of an array, row by row, and its shape.
pub(crate) struct Array<T> {
    values: Vec<T>,
    shape: Vec<usize>,
}

impl<T: Element> Array<T> {
    /// Makes an array of this shape. The number of values must be the product of its dimensions.
    pub(crate) fn new(values: Vec<T>, shape: &[usize]) -> Self {
        debug_assert_eq!(values.len(), shape.iter().product::<usize>());
        Self { values, shape: shape.to_vec() }
    }

    /// Makes an array of one dimension.
    pub(crate) fn flat(values: Vec<T>) -> Self {
        Self { shape: vec![values.len()], values }
    }

    /// Makes an array of vectors; its last dimension is N.
    pub(crate) fn of_vectors<const N: usize>(vectors: Vec<[T; N]>, shape: &[usize]) -> Self {
        Self::new(vectors.into_flattened(), &[shape, &[N]].concat())
    }

    /// Returns numpy's array, which owns the values.
    pub(crate) fn into_numpy(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let shaped = ArrayD::from_shape_vec(IxDyn(&self.shape), self.values)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(PyArray::from_owned_array(py, shaped).into_any().unbind())
    }
}

/// One row for each question, in an array of this shape.
pub(crate) struct Rows<R> {
    pub(crate) rows: Vec<R>,
    pub(crate) shape: Vec<usize>,
}

impl<R> Rows<R> {
    pub(crate) fn new(rows: Vec<R>, shape: &[usize]) -> Self {
        Self { rows, shape: shape.to_vec() }
    }

    /// Returns `self`, the counterpart of [`Ragged::rows`].
    pub(crate) fn rows(&self) -> &Self {
        self
    }

    /// Returns a value of each row.
    pub(crate) fn column<T: Element>(&self, value: impl Fn(&R) -> T) -> Array<T> {
        Array::new(self.rows.iter().map(value).collect(), &self.shape)
    }

    /// Returns a vector of each row.
    pub(crate) fn vectors<T: Element, const N: usize>(&self, vector: impl Fn(&R) -> [T; N]) -> Array<T> {
        Array::of_vectors(self.rows.iter().map(vector).collect(), &self.shape)
    }
}

/// Any number of rows for each question, stored in sequence: the rows of question i are at `splits[i]` to `splits[i + 1]`.
pub(crate) struct Ragged<R> {
    splits: Vec<i64>,
    rows: Rows<R>,
}

impl<R> Ragged<R> {
    /// Joins the rows of pieces, which follow each other; each piece has the number of rows of each of its questions.
    pub(crate) fn joined(pieces: Vec<Piece<R>>) -> Self {
        let questions = pieces.iter().map(|piece| piece.counts.len()).sum::<usize>();
        let count = pieces.iter().map(|piece| piece.rows.len()).sum();
        let (mut splits, mut rows) = (Vec::with_capacity(questions + 1), Vec::with_capacity(count));
        splits.push(0);
        let mut end = 0;
        for piece in pieces {
            for count in piece.counts {
                end += count as i64;
                splits.push(end);
            }
            rows.extend(piece.rows);
        }
        Self { splits, rows: Rows::new(rows, &[count]) }
    }

    pub(crate) fn into_parts(self) -> (Vec<i64>, Rows<R>) {
        (self.splits, self.rows)
    }

    pub(crate) fn rows(&self) -> &Rows<R> {
        &self.rows
    }

    /// Returns the start of the rows of each question, and at the end the number of all rows.
    pub(crate) fn splits(&self) -> Array<i64> {
        Array::flat(self.splits.clone())
    }

    /// Returns the index of each row's question.
    pub(crate) fn question(&self) -> Array<i64> {
        let of_question = |(index, ends): (usize, &[i64])| {
            let count = usize::try_from(ends[1] - ends[0]).unwrap_or_default();
            std::iter::repeat_n(index as i64, count)
        };
        Array::flat(self.splits.windows(2).enumerate().flat_map(of_question).collect())
    }
}

/// The rows of some questions that follow each other.
pub(crate) struct Piece<R> {
    pub(crate) counts: Vec<usize>,
    pub(crate) rows: Vec<R>,
}

impl<R> Piece<R> {
    pub(crate) const fn new() -> Self {
        Self { counts: Vec::new(), rows: Vec::new() }
    }

    /// Adds the rows of the next question.
    pub(crate) fn add(&mut self, rows: impl IntoIterator<Item = R>) {
        let before = self.rows.len();
        self.rows.extend(rows);
        self.counts.push(self.rows.len() - before);
    }
}
