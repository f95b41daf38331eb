//! Array arguments: arrays of any float type, leading shape and stride, or anything that numpy converts to an array.

use crate::error;
use hitscan::glam::DVec3;
use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods, dtype,
};
use pyo3::intern;
use pyo3::prelude::*;

/// Returns an argument as a numpy array, without a copy if it is an array already.
pub(crate) fn array<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let numpy = value.py().import(intern!(value.py(), "numpy"))?;
    let made = numpy.call_method1(intern!(value.py(), "asarray"), (value,)).map_err(|error| {
        error::kind(format!("{name} is no array, and numpy makes none of it: {}", error.value(value.py())))
    })?;
    Ok(made.cast_into::<PyUntypedArray>()?)
}

/// Returns the array in C order, with aligned numbers of the given type. It is a copy unless the array has this form already.
fn contiguous<'py>(array: &Bound<'py, PyUntypedArray>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let demands = (intern!(py, "C_CONTIGUOUS"), intern!(py, "ALIGNED"));
    py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "require"), (array, kind, demands))
}

/// Returns an array as an array of numbers of this type, if its memory can be read without a conversion.
fn readable<'a, 'py, T: Element>(array: &'a Bound<'py, PyUntypedArray>) -> Option<&'a Bound<'py, PyArrayDyn<T>>> {
    let is_as_wanted = array.is_c_contiguous() && array.dtype().is_equiv_to(&dtype::<T>(array.py()));
    let array = array.cast::<PyArrayDyn<T>>().ok().filter(|_| is_as_wanted)?;
    // The numbers of a file may begin at any byte.
    array.data().is_aligned().then_some(array)
}

fn kind_of(array: &Bound<'_, PyUntypedArray>) -> u8 {
    array.dtype().kind()
}

/// The numbers of an array, f32 or f64, contiguous in C order.
pub(crate) enum Floats<'py> {
    F32(PyReadonlyArrayDyn<'py, f32>),
    F64(PyReadonlyArrayDyn<'py, f64>),
}

/// The numbers of [`Floats`], which are read without the interpreter.
#[derive(Clone, Copy)]
pub(crate) enum FloatSlice<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'py> Floats<'py> {
    /// Takes an array of numbers. Integers and other floats are converted to f64.
    pub(crate) fn new(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let array = array(value, name)?;
        if let Some(array) = readable::<f32>(&array) {
            return Ok(Self::F32(array.try_readonly()?));
        }
        if let Some(array) = readable::<f64>(&array) {
            return Ok(Self::F64(array.try_readonly()?));
        }
        let given = array.dtype();
        // An empty list is an array of floats to numpy, and an array of objects is a ragged list.
        match (kind_of(&array), given.itemsize()) {
            (b'f', 4) => Ok(Self::F32(contiguous(&array, "float32")?.cast_into::<PyArrayDyn<f32>>()?.try_readonly()?)),
            (b'f' | b'i' | b'u', _) => {
                Ok(Self::F64(contiguous(&array, "float64")?.cast_into::<PyArrayDyn<f64>>()?.try_readonly()?))
            }
            _ => Err(error::kind(format!(
                "{name} has the dtype {}, but must have numbers: convert it with .astype(numpy.float64)",
                given.str()?
            ))),
        }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::F32(array) => array.shape(),
            Self::F64(array) => array.shape(),
        }
    }

    pub(crate) fn slice(&self) -> PyResult<FloatSlice<'_>> {
        Ok(match self {
            Self::F32(array) => FloatSlice::F32(array.as_slice()?),
            Self::F64(array) => FloatSlice::F64(array.as_slice()?),
        })
    }
}

impl FloatSlice<'_> {
    #[inline(always)]
    pub(crate) fn get(self, place: usize) -> f64 {
        match self {
            Self::F32(values) => f64::from(values[place]),
            Self::F64(values) => values[place],
        }
    }
}

/// Numbers that were copied.
enum KeptFloats {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Vectors that were copied, for answers that are computed later.
pub(crate) struct KeptVectors {
    floats: KeptFloats,
    count: usize,
}

impl KeptVectors {
    #[inline(always)]
    pub(crate) fn slice(&self) -> VectorSlice<'_> {
        let floats = match &self.floats {
            KeptFloats::F32(values) => FloatSlice::F32(values),
            KeptFloats::F64(values) => FloatSlice::F64(values),
        };
        VectorSlice { floats, count: self.count }
    }
}

/// Vectors: an array whose last dimension is 3.
pub(crate) struct Vectors<'py> {
    floats: Floats<'py>,
    /// The dimensions before the last dimension; none for a single vector.
    pub(crate) shape: Vec<usize>,
}

/// The vectors of [`Vectors`], which are read without the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct VectorSlice<'a> {
    pub(crate) floats: FloatSlice<'a>,
    /// The number of vectors.
    pub(crate) count: usize,
}

impl<'py> Vectors<'py> {
    pub(crate) fn new(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let floats = Floats::new(value, name)?;
        match floats.shape() {
            [shape @ .., 3] => Ok(Self { shape: shape.to_vec(), floats }),
            // numpy.asarray([]) has no dimension of 3.
            [0] => Ok(Self { shape: vec![0], floats }),
            other => Err(error::value(format!(
                "{name} has the shape {}, but must have the shape (3,), (n, 3) or (..., 3)",
                shape_text(other)
            ))),
        }
    }

    /// Takes an array of shape (n, 3).
    pub(crate) fn rows(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let vectors = Self::new(value, name)?;
        if vectors.shape.len() == 1 {
            return Ok(vectors);
        }
        let shape = shape_text(vectors.floats.shape());
        Err(error::value(format!("{name} has the shape {shape}, but must have the shape (n, 3)")))
    }

    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    pub(crate) fn is_f32(&self) -> bool {
        matches!(self.floats, Floats::F32(_))
    }

    pub(crate) fn slice(&self) -> PyResult<VectorSlice<'_>> {
        Ok(VectorSlice { floats: self.floats.slice()?, count: self.count() })
    }
}

impl VectorSlice<'_> {
    pub(crate) fn kept(self) -> KeptVectors {
        let floats = match self.floats {
            FloatSlice::F32(values) => KeptFloats::F32(values.to_vec()),
            FloatSlice::F64(values) => KeptFloats::F64(values.to_vec()),
        };
        KeptVectors { floats, count: self.count }
    }

    #[inline(always)]
    pub(crate) fn get(self, place: usize) -> DVec3 {
        let start = 3 * place;
        DVec3::new(self.floats.get(start), self.floats.get(start + 1), self.floats.get(start + 2))
    }

    /// Returns the vector at an index, or the only vector.
    #[inline(always)]
    pub(crate) fn get_or_only(self, place: usize) -> DVec3 {
        self.get(if self.count == 1 { 0 } else { place })
    }
}

/// Returns integers that fit in an i64, and the shape of their array.
pub(crate) fn integers(value: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<i64>, Vec<usize>)> {
    let array = array(value, name)?;
    if array.len() != 0 && !matches!(kind_of(&array), b'i' | b'u') {
        let given = array.dtype().str()?;
        let beyond = if kind_of(&array) == b'O' { ", and such that fit in int64" } else { "" };
        return Err(error::kind(format!("{name} has the dtype {given}, but must have integers{beyond}")));
    }
    let shape = array.shape().to_vec();
    if kind_of(&array) == b'u' {
        let wide = contiguous(&array, "uint64")?.cast_into::<PyArrayDyn<u64>>()?.try_readonly()?;
        let place = wide.as_slice()?.iter().position(|&number| i64::try_from(number).is_err());
        if let Some(place) = place {
            let (row, number) = (row_name(name, &shape, place), wide.as_slice()?[place]);
            return Err(error::value(format!("{row} is {number}, which is beyond int64")));
        }
    }
    let numbers = contiguous(&array, "int64")?.cast_into::<PyArrayDyn<i64>>()?.try_readonly()?;
    Ok((numbers.as_slice()?.to_vec(), shape))
}

/// Returns the corners of triangles, of an array of integers of shape (m, 3), each below the number of vertices.
pub(crate) fn faces(value: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<u32>> {
    let array = array(value, "faces")?;
    let is_empty = array.len() == 0;
    if !(is_empty || matches!(kind_of(&array), b'i' | b'u')) {
        return Err(error::kind(format!(
            "faces has the dtype {}, but must have integers: convert it with .astype(numpy.int64)",
            array.dtype().str()?
        )));
    }
    if !(array.shape() == [0] || matches!(array.shape(), [_, 3])) {
        return Err(error::value(format!(
            "faces has the shape {}, but must have the shape (m, 3): three vertices for each triangle",
            shape_text(array.shape())
        )));
    }
    if let Some(array) = readable::<u32>(&array) {
        return checked(array.try_readonly()?.as_slice()?, vertices, i128::from);
    }
    if kind_of(&array) == b'u' {
        let array = contiguous(&array, "uint64")?.cast_into::<PyArrayDyn<u64>>()?.try_readonly()?;
        return checked(array.as_slice()?, vertices, i128::from);
    }
    let array = contiguous(&array, "int64")?.cast_into::<PyArrayDyn<i64>>()?.try_readonly()?;
    checked(array.as_slice()?, vertices, i128::from)
}

fn checked<T: Copy>(corners: &[T], vertices: usize, wide: impl Fn(T) -> i128) -> PyResult<Vec<u32>> {
    let mut indices = Vec::with_capacity(corners.len());
    for (place, &corner) in corners.iter().enumerate() {
        let index = wide(corner);
        match u32::try_from(index) {
            Ok(index) if (index as usize) < vertices => indices.push(index),
            _ => {
                return Err(error::value(format!(
                    "faces[{}, {}] is {index}, but there are {vertices} vertices: each index must be from 0 to below {vertices}",
                    place / 3,
                    place % 3
                )));
            }
        }
    }
    Ok(indices)
}

/// Returns a shape as numpy prints it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns a short text for a number of any magnitude.
pub(crate) fn number_text(number: f64) -> String {
    let is_plain = number == 0.0 || !number.is_finite() || (1e-4..1e9).contains(&number.abs());
    if is_plain { format!("{number}") } else { format!("{number:e}") }
}

/// Returns a short text for a vector.
pub(crate) fn vector_text(vector: DVec3) -> String {
    format!("[{}]", vector.to_array().map(number_text).join(", "))
}

/// Returns the name of a row of an array, such as `points[3]` or `points[1, 2]`; for a single vector, it is the name of the array.
pub(crate) fn row_name(name: &str, shape: &[usize], place: usize) -> String {
    if shape.is_empty() {
        return name.to_owned();
    }
    let mut rest = place;
    let mut indices: Vec<String> = Vec::new();
    for &length in shape.iter().rev() {
        indices.push((rest % length.max(1)).to_string());
        rest /= length.max(1);
    }
    indices.reverse();
    format!("{name}[{}]", indices.join(", "))
}

/// Returns the bytes of any object with the buffer protocol, without a copy.
pub(crate) fn bytes<'py>(data: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, u8>> {
    let py = data.py();
    if let Ok(array) = data.cast::<PyArrayDyn<u8>>() {
        return Ok(array.try_readonly()?);
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    let made = numpy.call_method1(intern!(py, "frombuffer"), (data, intern!(py, "uint8"))).or_else(|error| {
        // numpy makes no array of an empty buffer.
        let is_empty = data.len().is_ok_and(|length| length == 0);
        if is_empty { numpy.call_method1(intern!(py, "zeros"), (0, intern!(py, "uint8"))) } else { Err(error) }
    });
    let made = made.map_err(|_| {
        let kind = data.get_type();
        error::kind(format!("data is {kind}, but must be bytes, or another object with the buffer protocol"))
    })?;
    Ok(made.cast_into::<PyArrayDyn<u8>>()?.try_readonly()?)
}

/// Returns the bytes of a file, mapped into memory.
pub(crate) fn mapped<'py>(path: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = path.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let is_empty: bool = py.import("os.path")?.call_method1("getsize", (path,))?.eq(0)?;
    // An empty file cannot be mapped.
    if is_empty {
        numpy.call_method1("zeros", (0, "uint8"))
    } else {
        numpy.call_method1("memmap", (path, "uint8", "r"))
    }
}
