//! Arguments of scenes: keys, transforms, positions and rotations.

use crate::error;
use crate::input::{self, Floats, VectorSlice, Vectors, number_text, row_name, shape_text, vector_text};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Coordinates beyond this are refused: the library answers nothing there.
pub(crate) const FARTHEST: f64 = 1e70;

/// Makes types of integer arguments. A Python integer has no limit, and one beyond the Rust type would raise an `OverflowError` that does not name the
/// argument.
macro_rules! integers {
    ($($(#[$about:meta])* $name:ident($type:ty) is $argument:literal, $least:expr, $wanted:literal;)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy)]
            pub(crate) struct $name(pub(crate) $type);

            impl<'a, 'py> FromPyObject<'a, 'py> for $name {
                type Error = PyErr;

                fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                    match value.extract::<$type>() {
                        Ok(number) if (($least)..).contains(&number) => Ok(Self(number)),
                        Err(fault) if !fault.is_instance_of::<PyOverflowError>(value.py()) => Err(fault),
                        _ => Err(error::value(format!("{} is {}, but must be {}", $argument, value.str()?, $wanted))),
                    }
                }
            }
        )*
    };
}

integers! {
    /// The key of an entity.
    Key(i64) is "key", 0, "an integer from 0 to below 2^63";
    /// The key of the first entity of a model.
    FirstKey(i64) is "first_key", 0, "an integer from 0 to below 2^63";
    /// Layers, a bit each.
    Layers(u32) is "layers", 0, "32 bits: an integer from 0 to below 2^32";
    /// The index of a part of a compound.
    Part(u32) is "part", 0, "an integer from 0 to below 2^32";
    /// The row of a height field.
    Row(usize) is "row", 0, "an integer from 0 to below 2^63";
    /// The column of a height field.
    Column(usize) is "column", 0, "an integer from 0 to below 2^63";
    /// The number of hits that are wanted for each ray.
    Count(usize) is "count", 0, "an integer from 0 to below 2^63";
    /// The index of an animation in its model.
    Animation(usize) is "animation", 0, "a name, or an integer from 0 on";
    /// The number of threads that a call may use, which `Threads` checks.
    ThreadCount(i64) is "threads", i64::MIN, "0 or None for all processors, or a number of threads";
}

/// Keys of entities, in an array of this shape.
pub(crate) struct Keys {
    pub(crate) values: Vec<i64>,
    pub(crate) shape: Vec<usize>,
}

impl Keys {
    /// Returns the key at an index, or the only key.
    pub(crate) fn get_or_only(&self, place: usize) -> i64 {
        self.values[if self.values.len() == 1 { 0 } else { place }]
    }
}

/// Takes a single key or several keys: integers that are not negative, because -1 means none.
pub(crate) fn keys(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Keys> {
    let (values, shape) = input::integers(value, name)?;
    match values.iter().position(|&key| key < 0) {
        None => Ok(Keys { values, shape }),
        Some(place) => Err(error::value(format!(
            "{} is {}, but keys are integers from 0 to below 2^63",
            row_name(name, &shape, place),
            values[place]
        ))),
    }
}

/// Takes one transform: nothing, a translation of shape (3,), or a matrix of shape (4, 4) or (3, 4) whose last column is the translation.
pub(crate) fn transform(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<DAffine3> {
    let Some(value) = value else { return Ok(DAffine3::IDENTITY) };
    let floats = Floats::new(value, name)?;
    match floats.shape() {
        [3] | [3 | 4, 4] => of_numbers(&floats, floats.shape(), 0).map_err(|fault| named(name, &fault)),
        other => Err(error::value(format!(
            "{name} has the shape {}, but must be a translation of shape (3,) or a matrix of shape (4, 4) or (3, 4)",
            shape_text(other)
        ))),
    }
}

/// Takes a transform for each key, of shape (n, 3), (n, 4, 4) or (n, 3, 4), or a single transform for all, as [`transform`] does.
pub(crate) fn transforms(value: Option<&Bound<'_, PyAny>>, count: usize, name: &str) -> PyResult<Vec<DAffine3>> {
    let Some(value) = value else { return Ok(vec![DAffine3::IDENTITY; count]) };
    let floats = Floats::new(value, name)?;
    let shape = floats.shape();
    match shape {
        [n, 3] | [n, 3 | 4, 4] if *n == count => (0..count)
            .map(|place| {
                of_numbers(&floats, &shape[1..], place).map_err(|fault| named(&format!("{name}[{place}]"), &fault))
            })
            .collect(),
        [3] | [3 | 4, 4] => Ok(vec![transform(Some(value), name)?; count]),
        other => Err(error::value(format!(
            "{name} has the shape {}, but must have the shape ({count}, 3), ({count}, 4, 4) or ({count}, 3, 4): one for each key",
            shape_text(other)
        ))),
    }
}

fn named(name: &str, fault: &str) -> PyErr {
    error::value(format!("{name} {fault}"))
}

/// Makes the transform at a place of an array of translations or matrices.
fn of_numbers(floats: &Floats<'_>, shape: &[usize], place: usize) -> Result<DAffine3, String> {
    let slice = floats.slice().map_err(|error| error.to_string())?;
    let start = place * shape.iter().product::<usize>();
    let at = |row: usize, column: usize| slice.get(start + 4 * row + column);
    let made = match shape {
        [_, _] => {
            let column = |j| DVec3::new(at(0, j), at(1, j), at(2, j));
            DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
        }
        _ => DAffine3::from_translation(DVec3::new(slice.get(start), slice.get(start + 1), slice.get(start + 2))),
    };
    if shape[0] == 4 && [0, 1, 2, 3].map(|j| at(3, j)) != [0.0, 0.0, 0.0, 1.0] {
        return Err(
            "has a last row that is not 0, 0, 0, 1: it must be an affine matrix, whose last column is the translation"
                .into(),
        );
    }
    if !made.is_finite() {
        return Err("is not finite".into());
    }
    Ok(made)
}

/// Points that something is asked about, such as the positions of volumes.
pub(crate) struct Points<'py> {
    vectors: Vectors<'py>,
}

impl<'py> Points<'py> {
    /// Takes points, each of which must be finite and not beyond [`FARTHEST`].
    pub(crate) fn new(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let points = Self { vectors: Vectors::new(value, name)? };
        let slice = points.slice()?;
        let is_bad = |&place: &usize| {
            let point = slice.get(place);
            !(point.is_finite() && point.abs().max_element() <= FARTHEST)
        };
        match (0..slice.count).find(is_bad) {
            None => Ok(points),
            Some(place) => Err(fault(&points.vectors, name, place)),
        }
    }

    /// Takes directions: points as for [`new`](Self::new), none of which may be zero.
    pub(crate) fn directions(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        let directions = Self::new(value, name)?;
        let slice = directions.slice()?;
        match (0..slice.count).find(|&place| slice.get(place) == DVec3::ZERO) {
            None => Ok(directions),
            Some(place) => Err(error::value(format!(
                "{} is [0, 0, 0]: a direction must be finite and not zero",
                row_name(name, directions.shape(), place)
            ))),
        }
    }

    /// Takes vectors for questions in float32. Each vector minus the origin must be finite in float32.
    pub(crate) fn single(value: &Bound<'py, PyAny>, name: &str, origin: DVec3) -> PyResult<Self> {
        let points = Self::new(value, name)?;
        let slice = points.slice()?;
        match (0..slice.count).find(|&place| !(slice.get(place) - origin).as_vec3().is_finite()) {
            None => Ok(points),
            Some(place) => Err(error::value(format!(
                "{} is {}, but must be finite, in float32 too",
                row_name(name, points.shape(), place),
                vector_text(slice.get(place))
            ))),
        }
    }

    pub(crate) fn slice(&self) -> PyResult<VectorSlice<'_>> {
        self.vectors.slice()
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.vectors.shape
    }
}

/// Returns the exception for a point that is not finite, or too far.
pub(crate) fn fault(points: &Vectors<'_>, name: &str, place: usize) -> PyErr {
    match points.slice() {
        Ok(slice) => error::value(format!(
            "{} is {}: a point must be finite, and not beyond {FARTHEST:e}",
            row_name(name, &points.shape, place),
            vector_text(slice.get(place))
        )),
        Err(error) => error,
    }
}

/// Returns the shape of the answers to two arguments. Either argument may be a single value for all.
pub(crate) fn common_shape(one: (&str, &[usize]), other: (&str, &[usize]), last: &[usize]) -> PyResult<Vec<usize>> {
    match (one.1, other.1) {
        ([], shape) | (shape, []) => Ok(shape.to_vec()),
        (a, b) if a == b => Ok(a.to_vec()),
        (a, b) => {
            let [a, b] = [a, b].map(|shape| shape_text(&[shape, last].concat()));
            let single =
                if last.is_empty() { "number".to_owned() } else { format!("one, of shape {},", shape_text(last)) };
            Err(error::value(format!(
                "{} has the shape {a} and {} {b}: give as many of both, or a single {single} for all",
                one.0, other.0
            )))
        }
    }
}

/// Returns the shape of the answers to keys and vectors. Either may be a single value for all.
pub(crate) fn common_shape_of_keys(keys: (&str, &[usize]), vectors: (&str, &[usize])) -> PyResult<Vec<usize>> {
    common_shape(keys, vectors, &[]).map_err(|_| {
        let [given, others] = [keys.1.to_vec(), [vectors.1, &[3]].concat()].map(|shape| shape_text(&shape));
        error::value(format!(
            "{} has the shape {given} and {} {others}: give as many of both, or a single key or vector for all",
            keys.0, vectors.0
        ))
    })
}

/// Checks a quaternion, of any length but 0.
pub(crate) fn check_rotation(rotation: DQuat, name: impl FnOnce() -> String) -> PyResult<()> {
    if rotation.is_finite() && rotation.to_array() != [0.0; 4] {
        return Ok(());
    }
    let numbers = rotation.to_array().map(number_text).join(", ");
    Err(error::value(format!("{} is [{numbers}], but must be finite and not zero", name())))
}

/// Returns the quaternion times a power of two, which is exact. Its length and its squared length then neither overflow nor underflow, in float32 too.
pub(crate) fn scaled_rotation(rotation: DQuat) -> DQuat {
    DQuat::from_array(rotation.to_array().map(|number| number * power_to_unit(rotation.to_array())))
}

/// Returns the power of two that scales the largest magnitude of some finite numbers to at least 1 and below 2; 1 for zeros.
pub(crate) fn power_to_unit<const N: usize>(numbers: [f64; N]) -> f64 {
    let largest = numbers.into_iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    // A subnormal number stays below 1, which is large enough for its square.
    if largest == 0.0 { 1.0 } else { 2.0_f64.powi(-(largest.log2().floor() as i32).clamp(-1022, 1022)) }
}

/// Rotations of volumes, as quaternions (x, y, z, w).
pub(crate) struct Rotations<'py>(Option<Floats<'py>>);

impl<'py> Rotations<'py> {
    /// Takes no rotation, a single rotation of shape (4,), or a rotation for each position.
    pub(crate) fn new(value: Option<&Bound<'py, PyAny>>, positions: &[usize], name: &str) -> PyResult<Self> {
        let Some(value) = value else { return Ok(Self(None)) };
        let floats = Floats::new(value, name)?;
        let wanted = [positions, &[4]].concat();
        if !(floats.shape() == [4] || floats.shape() == wanted) {
            let [given, wanted] = [floats.shape(), &wanted].map(shape_text);
            return Err(error::value(format!(
                "{name} has the shape {given}, but must have the shape (4,) or {wanted}: quaternions x, y, z, w"
            )));
        }
        let shape = floats.shape().to_vec();
        let rotations = Self(Some(floats));
        let count = positions.iter().product::<usize>();
        for place in 0..count {
            let row = || if shape.len() == 1 { name.to_owned() } else { row_name(name, positions, place) };
            check_rotation(rotations.get(place)?, row)?;
        }
        Ok(rotations)
    }

    /// Returns the rotation at a place, of any length.
    pub(crate) fn get(&self, place: usize) -> PyResult<DQuat> {
        let Some(floats) = &self.0 else { return Ok(DQuat::IDENTITY) };
        let slice = floats.slice()?;
        let start = if floats.shape().len() == 1 { 0 } else { 4 * place };
        let [x, y, z, w] = [0, 1, 2, 3].map(|part| slice.get(start + part));
        Ok(scaled_rotation(DQuat::from_xyzw(x, y, z, w)))
    }

    /// Returns the rotations of `count` volumes; none if no rotation was given.
    pub(crate) fn all(&self, count: usize) -> PyResult<Vec<DQuat>> {
        match &self.0 {
            None => Ok(Vec::new()),
            Some(_) => (0..count).map(|place| self.get(place)).collect(),
        }
    }
}
