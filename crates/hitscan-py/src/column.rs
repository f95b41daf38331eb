//! Columns of answers, which become numpy's arrays when they are asked for.

use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::{Mutex, PoisonError};

/// Values that were computed without the interpreter, and then their array. To make an array takes longer than to cast a
/// ray, so one that nobody asks for is not made.
pub(crate) struct Column<T> {
    values: Mutex<Option<Vec<T>>>,
    shape: Vec<usize>,
    array: PyOnceLock<Py<PyAny>>,
}

impl<T: Element> Column<T> {
    /// Takes values for an array of this shape, row by row.
    pub(crate) fn new(values: Vec<T>, shape: &[usize]) -> Self {
        debug_assert_eq!(values.len(), shape.iter().product::<usize>());
        Self { values: Mutex::new(Some(values)), shape: shape.to_vec(), array: PyOnceLock::new() }
    }

    /// Takes vectors of N components.
    pub(crate) fn of_vectors<const N: usize>(values: Vec<[T; N]>, shape: &[usize]) -> Self {
        Self::new(values.into_flattened(), &[shape, &[N]].concat())
    }

    /// Takes an array that is there already, of an object that was pickled.
    pub(crate) fn of_array(py: Python<'_>, array: Py<PyAny>) -> Self {
        let lock = PyOnceLock::new();
        // The lock is new, so that nothing is in it.
        let _ = lock.set(py, array);
        Self { values: Mutex::new(None), shape: Vec::new(), array: lock }
    }

    /// Returns the array, which is the same one each time.
    pub(crate) fn array(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let array = self.array.get_or_try_init(py, || {
            let taken = self.values.lock().unwrap_or_else(PoisonError::into_inner).take();
            let values = taken.ok_or_else(|| PyRuntimeError::new_err("the values of this column are lost"))?;
            let shaped = ArrayD::from_shape_vec(IxDyn(&self.shape), values)
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            PyResult::Ok(PyArray::from_owned_array(py, shaped).into_any().unbind())
        })?;
        Ok(array.clone_ref(py))
    }
}
