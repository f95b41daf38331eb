//! Transforms as matrices of numpy.

use hitscan::glam::DAffine3;
use numpy::PyArray2;
use pyo3::prelude::*;

/// Returns a transform as a matrix whose last column is the translation.
pub(crate) fn matrix<'py>(py: Python<'py>, transform: &DAffine3) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = hitscan::glam::DMat4::from(*transform).transpose().to_cols_array_2d();
    Ok(PyArray2::from_vec2(py, &rows.map(|row| row.to_vec()))?)
}
