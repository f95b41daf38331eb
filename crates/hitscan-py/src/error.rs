//! Errors of the library as Python's exceptions.

use hitscan::{BulkError, MeshError, ReadError, SceneError};
use hitscan_io::{LoadError, Problem};
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use std::io;
use std::path::Path;

/// Returns the exception for a mesh that cannot be; rows are named as those of the arrays.
pub(crate) fn of_mesh(error: MeshError) -> PyErr {
    match error {
        MeshError::Vertex { index, position } => {
            PyValueError::new_err(format!("vertices[{index}] is {position}: a vertex must be finite"))
        }
        MeshError::Attributes { what, count, vertices } => PyValueError::new_err(format!(
            "there are {count} {what} for {vertices} vertices: give one for each vertex, in their order"
        )),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Returns the exception for an entity that cannot be.
pub(crate) fn of_scene(error: &SceneError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception for one of many entities; it is named as a row of an array.
pub(crate) fn of_row(name: &str, error: &BulkError) -> PyErr {
    PyValueError::new_err(format!("{name}[{}]: {}", error.index, error.error))
}

/// Returns the exception for bytes that cannot be read.
pub(crate) fn of_bytes(error: ReadError) -> PyErr {
    PyValueError::new_err(format!("these bytes are no saved mesh or scene: {error}"))
}

/// Returns the exception for a file that cannot be read: an `OSError` as `open` raises it, or a `ValueError`.
pub(crate) fn of_file(error: LoadError) -> PyErr {
    match &error.problem {
        Problem::Io(fault) => of_io(fault, &error.path),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Returns the exception of a fault of the system, as `open` raises it.
pub(crate) fn of_io(fault: &io::Error, path: &Path) -> PyErr {
    match fault.raw_os_error() {
        // Python makes the exception's class of it, such as `FileNotFoundError`.
        Some(number) => {
            let text = fault.to_string();
            // The exception shows the number itself.
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.display().to_string()))
        }
        None => PyOSError::new_err(format!("{}: {fault}", path.display())),
    }
}
