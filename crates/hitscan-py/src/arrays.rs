//! Arrays of numpy that are made of values.

use crate::error;
use numpy::ndarray::{Array2, ArrayD, IxDyn};
use numpy::{PyArray, PyArray2, PyArrayDyn};
use pyo3::prelude::*;

/// Returns an array of this shape.
pub(crate) fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = ArrayD::from_shape_vec(IxDyn(shape), values);
    Ok(PyArray::from_owned_array(py, array.map_err(|error| error::value(error.to_string()))?))
}

/// Returns an array of rows.
pub(crate) fn table<'py, T: numpy::Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let array = Array2::from_shape_vec((rows.len(), N), rows.into_flattened());
    Ok(PyArray::from_owned_array(py, array.map_err(|error| error::value(error.to_string()))?))
}
