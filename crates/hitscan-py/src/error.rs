//! Errors of the library as Python's exceptions.

use hitscan::error::{BulkError, MeshError, ReadError, SceneError};
use hitscan_io::{LoadError, Problem};
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use std::io;
use std::path::Path;

/// A message has at most about this many characters: arguments may be of any length, and people read the first line of a traceback.
const LONGEST: usize = 200;

/// Returns a `ValueError` with a message, whose middle is left out if it is long: the offender is named first, and the advice comes last.
pub(crate) fn value(message: impl AsRef<str>) -> PyErr {
    PyValueError::new_err(shortened(message.as_ref()))
}

/// Returns a `TypeError` in the same way.
pub(crate) fn kind(message: impl AsRef<str>) -> PyErr {
    PyTypeError::new_err(shortened(message.as_ref()))
}

fn shortened(message: &str) -> String {
    let count = message.chars().count();
    if count <= LONGEST {
        return message.to_owned();
    }
    let (head, tail) = (LONGEST / 2, LONGEST / 2 - 5);
    let start: String = message.chars().take(head).collect();
    let end: String = message.chars().skip(count - tail).collect();
    format!("{start} ... {end}")
}

/// Returns the exception for an invalid mesh, which names a row of the arrays.
pub(crate) fn of_mesh(error: MeshError) -> PyErr {
    match error {
        MeshError::Vertex { index, position } => {
            value(format!("vertices[{index}] is {position}: a vertex must be finite"))
        }
        MeshError::Attributes { what, count, vertices } => {
            value(format!("there are {count} {what} for {vertices} vertices: give one for each vertex, in their order"))
        }
        other => value(other.to_string()),
    }
}

/// Returns the exception for an invalid entity.
pub(crate) fn of_scene(error: &SceneError) -> PyErr {
    value(error.to_string())
}

/// Returns the exception for one of many entities. The message names the entity as a row of an array.
pub(crate) fn of_row(name: &str, error: &BulkError) -> PyErr {
    value(format!("{name}[{}]: {}", error.index, error.error))
}

/// Returns the exception for bytes that cannot be read.
pub(crate) fn of_bytes(error: ReadError) -> PyErr {
    value(format!("these bytes are no saved mesh or scene: {error}"))
}

/// Returns the exception for a file that cannot be read: an `OSError` as `open` raises it, or a `ValueError`.
pub(crate) fn of_file(error: LoadError) -> PyErr {
    match &error.problem {
        Problem::Io(fault) => of_io(fault, &error.path),
        // A path is not shortened: a part of it is of no use.
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Returns the exception of a fault of the system, as `open` raises it.
pub(crate) fn of_io(fault: &io::Error, path: &Path) -> PyErr {
    match fault.raw_os_error() {
        // Python chooses the class of the exception by the number, such as `FileNotFoundError`.
        Some(number) => {
            let text = fault.to_string();
            // The exception shows the number itself.
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.display().to_string()))
        }
        None => PyOSError::new_err(format!("{}: {fault}", path.display())),
    }
}
