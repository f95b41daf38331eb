//! Answers are objects whose attributes are arrays.

use crate::column::Column;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Makes a class of columns: its attributes, and how it is pickled.
macro_rules! answers {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$what:meta])* $column:ident: $type:ty,)* }
        $($more:tt)*
    ) => {
        $(#[$about])*
        #[pyclass(frozen, module = "hitscan")]
        pub(crate) struct $name {
            $(pub(crate) $column: Column<$type>,)*
        }

        #[pymethods]
        impl $name {
            $(
                $(#[$what])*
                #[getter]
                fn $column(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.$column.array(py)
                }
            )*

            /// Returns a dictionary of all columns.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let columns = PyDict::new(py);
                $(columns.set_item(stringify!($column), self.$column.array(py)?)?;)*
                Ok(columns)
            }

            #[staticmethod]
            fn _from_columns(py: Python<'_>, $($column: Py<PyAny>),*) -> Self {
                Self { $($column: Column::of_array(py, $column)),* }
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
                let (py, this) = (slf.py(), slf.get());
                let columns = [$(this.$column.array(py)?),*];
                Ok((slf.get_type().getattr("_from_columns")?, PyTuple::new(py, columns)?))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.describe(py)
            }

            $($more)*
        }
    };
}

answers! {
    /// The first hits of rays: an array for each value, of the shape of the rays.
    Hits {
        /// The multiple of the direction at which the ray hits: the exact value, rounded once to float32. It is infinity on a miss.
        t: f32,
        /// The index of the triangle, or -1 on a miss.
        triangle: i64,
        /// The point that was hit, in float64; NaN on a miss.
        point: f64,
        /// The triangle's own front normal, of unit length; 0 on a miss.
        normal: f32,
        /// The weight of the triangle's second corner at the point; 0 on a miss.
        u: f32,
        /// The weight of the triangle's third corner at the point; 0 on a miss.
        v: f32,
        /// The side that was hit: 1 the front, -1 the back, 0 a miss.
        side: i8,
    }

    /// True for each ray that hit anything.
    #[getter]
    fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.triangle.array(py)?.bind(py).call_method1("__ge__", (0,))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t.array(py)?.bind(py).len()
    }
}

answers! {
    /// All hits of rays, one after the other: those of ray i, nearest first, are at splits[i] to splits[i + 1].
    AllHits {
        /// The start of the hits of each ray, and at the end the number of all hits.
        splits: i64,
        /// The index of each hit's ray.
        ray: i64,
        /// The multiple of the direction at which the ray hits.
        t: f32,
        /// The index of the triangle.
        triangle: i64,
        /// The point that was hit, in float64.
        point: f64,
        /// The triangle's own front normal, of unit length.
        normal: f32,
        /// The weight of the triangle's second corner at the point.
        u: f32,
        /// The weight of the triangle's third corner at the point.
        v: f32,
        /// The side that was hit: 1 the front, -1 the back.
        side: i8,
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.ray.array(py)?.bind(py).len()
    }
}

answers! {
    /// The nearest points of a surface: an array for each value, of the shape of the points.
    Nearest {
        /// The point of the surface, in float64; NaN if there is none.
        point: f64,
        /// The distance to it, in float64, never negative; infinity if there is none.
        distance: f64,
        /// The index of the triangle, or -1 if there is none.
        triangle: i64,
        /// The part of the triangle: 0 its face, 1 to 3 the edge from its first, second or third corner to the next, 4 to 6 a corner.
        feature: i8,
        /// The place of the query point: 1 inside, 0 outside or on the surface, -1 where the mesh is not closed as seen from it.
        containment: i8,
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance.array(py)?.bind(py).len()
    }
}

/// Returns how many there are of what, such as "1,000 rays".
fn counted(count: usize, what: &str) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the number of elements of an array, and of those that are true of a comparison with 0.
fn tally(py: Python<'_>, array: &Py<PyAny>, comparison: &str) -> PyResult<(usize, usize)> {
    let array = array.bind(py);
    let holds = array.call_method1(comparison, (0,))?.call_method0("sum")?.extract()?;
    Ok((array.getattr("size")?.extract()?, holds))
}

impl Hits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (rays, hits) = tally(py, &self.triangle.array(py)?, "__ge__")?;
        let t = self.t.array(py)?;
        let t = t.bind(py);
        let head = format!("<hitscan.Hits: {}", counted(rays, "ray"));
        match hits {
            0 => Ok(format!("{head}, no hit>")),
            _ => {
                let found = py.import("numpy")?.call_method1("ravel", (t,))?;
                let found = found.get_item(found.call_method1("__lt__", (f32::INFINITY,))?)?;
                let bound = |name: &str| found.call_method0(name)?.extract::<f32>();
                Ok(format!("{head}, {}, t from {} to {}>", counted(hits, "hit"), bound("min")?, bound("max")?))
            }
        }
    }
}

impl AllHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let rays = self.splits.array(py)?.bind(py).len()? - 1;
        let hits = self.ray.array(py)?.bind(py).len()?;
        Ok(format!("<hitscan.AllHits: {}, {}>", counted(rays, "ray"), counted(hits, "hit")))
    }
}

impl Nearest {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (points, inside) = tally(py, &self.containment.array(py)?, "__gt__")?;
        Ok(format!("<hitscan.Nearest: {}, {inside} inside>", counted(points, "point")))
    }
}
