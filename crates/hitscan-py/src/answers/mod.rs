//! Answers are objects whose attributes are arrays.

mod describe;
mod numbers;
mod rows;

pub(crate) use describe::{counted, first_hits, ragged, single, tally};
pub(crate) use numbers::{containment_number, feature_number, or_none, side_number, start_number};
pub(crate) use rows::{Array, Piece, Ragged, Rows};

/// Makes a class whose attributes are columns of answers, and which can be pickled. Each attribute has the type of its numbers. Making an array takes
/// longer than casting a ray, so a column is made when it is first read.
macro_rules! answers {
    (
        $(#[$about:meta])*
        $name:ident of $found:ty { $($(#[$what:meta])* $column:ident: $item:ty = $make:expr,)* }
        $($more:tt)*
    ) => {
        $(#[$about])*
        #[pyclass(frozen, module = "hitscan")]
        pub(crate) struct $name {
            /// The answers as they were found; `None` in an unpickled object, which has all its arrays.
            found: Option<$found>,
            $($column: pyo3::sync::PyOnceLock<Py<PyAny>>,)*
        }

        impl $name {
            pub(super) fn new(found: $found) -> Self {
                Self { found: Some(found), $($column: pyo3::sync::PyOnceLock::new()),* }
            }
        }

        #[pymethods]
        impl $name {
            $(
                $(#[$what])*
                #[getter]
                fn $column(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    let array = self.$column.get_or_try_init(py, || {
                        let lost = || pyo3::exceptions::PyRuntimeError::new_err("the values of this column are lost");
                        let found = self.found.as_ref().ok_or_else(lost)?;
                        type Column = $crate::answers::Array<$item>;
                        fn make(found: &$found, make: impl FnOnce(&$found) -> Column) -> Column {
                            make(found)
                        }
                        $crate::interrupt::caught(|| py.detach(|| make(found, $make)))?.into_numpy(py)
                    })?;
                    Ok(array.clone_ref(py))
                }
            )*

            /// Returns a dictionary of all columns.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
                let columns = pyo3::types::PyDict::new(py);
                $(columns.set_item(stringify!($column), self.$column(py)?)?;)*
                Ok(columns)
            }

            #[staticmethod]
            fn _from_columns(py: Python<'_>, $($column: Py<PyAny>),*) -> Self {
                let kept = |array: Py<PyAny>| {
                    let lock = pyo3::sync::PyOnceLock::new();
                    // The lock is new, so that nothing is in it.
                    let _ = lock.set(py, array);
                    lock
                };
                Self { found: None, $($column: kept($column)),* }
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, pyo3::types::PyTuple>)> {
                let (py, this) = (slf.py(), slf.get());
                let columns = [$(this.$column(py)?),*];
                Ok((slf.get_type().getattr("_from_columns")?, pyo3::types::PyTuple::new(py, columns)?))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.describe(py)
            }

            $($more)*
        }
    };
}

/// Makes a class of columns. Its length is the length of the column `length`, and its description has the number of
/// answers. With `single`, a question has at most one answer, and it has one if that column is not negative. With
/// `ragged`, it has any number of answers, and there is a column `splits`.
macro_rules! counted_answers {
    (
        $(#[$about:meta])*
        $name:ident of $found:ty as $kind:ident($of:literal, $what:literal) by $length:ident { $($columns:tt)* }
        $($more:tt)*
    ) => {
        $crate::answers::answers! {
            $(#[$about])*
            $name of $found { $($columns)* }

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                self.$length(py)?.bind(py).len()
            }

            $($more)*
        }

        impl $name {
            fn describe(&self, py: Python<'_>) -> PyResult<String> {
                $crate::answers::counted_answers!(@$kind self, py, $name, $length, $of, $what)
            }
        }
    };
    (@single $this:ident, $py:ident, $name:ident, $length:ident, $of:literal, $what:literal) => {
        $crate::answers::single($py, stringify!($name), &$this.$length($py)?, $of, $what)
    };
    (@ragged $this:ident, $py:ident, $name:ident, $length:ident, $of:literal, $what:literal) => {
        $crate::answers::ragged($py, stringify!($name), &$this.splits($py)?, $of, $what)
    };
}

pub(crate) use {answers, counted_answers};
