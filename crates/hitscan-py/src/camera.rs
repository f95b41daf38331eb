//! The class `Camera`: rays of pixels, and pixels of points.

use crate::answers::{Rows, answers, counted, tally};
use crate::arguments::{Points, ThreadCount, transform};
use crate::arrays::table;
use crate::each::each;
use crate::error;
use crate::input::{Floats, number_text, row_name, shape_text};
use crate::threads::Threads;
use hitscan::glam::{DAffine3, DMat4, DVec3, Vec2};
use hitscan::{Projected, Viewport};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

/// The least number of pixels that a thread takes at a time.
const LEAST: usize = 4096;

/// A camera: the rays of pixels, and the pixels of points. It looks along -z of its own space, and y is up. Pixels have
/// their origin top-left, and y points down; the middle of the first pixel is (0.5, 0.5). Angles are in radians.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Camera {
    pub(crate) camera: hitscan::Camera,
    /// The arguments that make the camera again.
    recipe: Recipe,
}

/// The function that made a camera, its two arguments, and the aspect ratio and depths: the content of a pickle.
struct Recipe {
    kind: &'static str,
    first: DMat4,
    /// The field of view or height; for a camera from matrices, the projection matrix.
    second: Result<f64, DMat4>,
    options: [Option<f64>; 3],
}

/// A ray of a pixel.
#[derive(Clone, Copy)]
pub(crate) struct PixelRay {
    origin: [f64; 3],
    direction: [f32; 3],
    range: [f32; 2],
}

answers! {
    /// The rays of pixels: an array for each value, of the shape (height, width), or of the shape of the pixels. `scene.cast(**rays.to_dict())` casts them.
    PixelRays of Rows<PixelRay> {
        /// The origins, in float64.
        origins: f64 = |rays| rays.vectors(|ray| ray.origin),
        /// The directions, of unit length, in float32.
        directions: f32 = |rays| rays.vectors(|ray| ray.direction),
        /// The least t, where the camera's near depth is.
        t_min: f32 = |rays| rays.column(|ray| ray.range[0]),
        /// The greatest t, where the camera's far depth is.
        t_max: f32 = |rays| rays.column(|ray| ray.range[1]),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t_min(py)?.bind(py).len()
    }
}

answers! {
    /// The pixels and depths of points in a picture: an array for each value, of the shape of the points.
    Projections of Rows<Option<Projected>> {
        /// The pixel, of shape (..., 2), which may lie outside of the picture; NaN for a point that is not in front of the camera.
        pixel: f32 = |found| found.vectors(|place| place.map_or([f32::NAN; 2], |place| place.pixel.to_array())),
        /// The distance along the view axis; NaN for a point that is not in front of the camera.
        depth: f32 = |found| found.column(|place| place.map_or(f32::NAN, |place| place.depth)),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.depth(py)?.bind(py).len()
    }
}

impl PixelRays {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (rays, _) = tally(py, &self.t_min(py)?, "__ge__")?;
        Ok(format!("<hitscan.PixelRays: {}>", counted(rays, "ray")))
    }
}

impl Projections {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (points, ahead) = tally(py, &self.depth(py)?, "__ge__")?;
        Ok(format!("<hitscan.Projections: {}, {ahead} in front>", counted(points, "point")))
    }
}

fn refused(error: impl std::fmt::Display) -> PyErr {
    error::value(error.to_string())
}

/// Takes a viewport: its width and height in pixels.
pub(crate) fn viewport([width, height]: [f64; 2]) -> PyResult<Viewport> {
    let is_usable = |size: f64| size > 0.0 && (size as f32).is_finite();
    if is_usable(width) && is_usable(height) {
        return Ok(Viewport::new(width as f32, height as f32));
    }
    Err(refused(format!(
        "viewport is ({width}, {height}), but must be a width and a height that are positive and finite"
    )))
}

/// Pixels of an array whose last dimension is 2.
pub(crate) struct Pixels {
    pub(crate) values: Vec<Vec2>,
    pub(crate) shape: Vec<usize>,
}

impl Pixels {
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let floats = Floats::new(value, "pixels")?;
        let [shape @ .., 2] = floats.shape() else {
            let given = shape_text(floats.shape());
            return Err(refused(format!("pixels has the shape {given}, but must have the shape (2,) or (..., 2)")));
        };
        let (slice, count) = (floats.slice()?, shape.iter().product());
        let pixel = |place| Vec2::new(slice.get(2 * place) as f32, slice.get(2 * place + 1) as f32);
        let values: Vec<Vec2> = (0..count).map(pixel).collect();
        if let Some(place) = values.iter().position(|pixel| !pixel.is_finite()) {
            let [x, y] = [2 * place, 2 * place + 1].map(|number| number_text(slice.get(number)));
            let row = row_name("pixels", shape, place);
            return Err(refused(format!("{row} is [{x}, {y}], but must be finite, in float32 too")));
        }
        Ok(Self { values, shape: shape.to_vec() })
    }

    pub(crate) fn get(&self, place: usize) -> Vec2 {
        self.values[place]
    }
}

/// Takes a matrix of shape (4, 4).
fn matrix(value: &Bound<'_, PyAny>, name: &str) -> PyResult<DMat4> {
    let floats = Floats::new(value, name)?;
    if floats.shape() != [4, 4] {
        return Err(refused(format!(
            "{name} has the shape {}, but must have the shape (4, 4)",
            shape_text(floats.shape())
        )));
    }
    let slice = floats.slice()?;
    let rows: [f64; 16] = std::array::from_fn(|place| slice.get(place));
    Ok(DMat4::from_cols_array(&rows).transpose())
}

impl Camera {
    fn of(recipe: Recipe) -> PyResult<Self> {
        let (first, [aspect, near, far]) = (recipe.first, recipe.options);
        let transform = DAffine3::from_mat4(first);
        let mut camera = match (recipe.kind, recipe.second) {
            ("perspective", Ok(fov_y)) => hitscan::Camera::perspective(transform, fov_y),
            (_, Ok(height)) => hitscan::Camera::orthographic(transform, height),
            (_, Err(projection)) => hitscan::Camera::from_matrices(first, projection),
        }
        .map_err(refused)?;
        if let Some(aspect) = aspect {
            camera = camera.with_aspect(aspect).map_err(refused)?;
        }
        if near.is_some() || far.is_some() {
            // A perspective camera sees nothing at depth 0.
            let near = near.unwrap_or(f64::MIN_POSITIVE);
            camera = camera.with_clip(near, far.unwrap_or(f64::INFINITY)).map_err(refused)?;
        }
        Ok(Self { camera, recipe })
    }
}

#[pymethods]
impl Camera {
    /// Makes a perspective camera from its transform, as `look_at` returns it, and the vertical field of view in
    /// radians. The viewport decides the aspect ratio unless it is given. The camera sees the depths along the view
    /// axis from `near` to `far`.
    #[staticmethod]
    #[pyo3(signature = (transform, fov_y, *, aspect = None, near = None, far = None))]
    fn perspective(
        transform: &Bound<'_, PyAny>,
        fov_y: f64,
        aspect: Option<f64>,
        near: Option<f64>,
        far: Option<f64>,
    ) -> PyResult<Self> {
        let first = DMat4::from(self::transform(Some(transform), "transform")?);
        Self::of(Recipe { kind: "perspective", first, second: Ok(fov_y), options: [aspect, near, far] })
    }

    /// Makes a camera of parallel rays from its transform, and the height of its picture, in the world's units.
    #[staticmethod]
    #[pyo3(signature = (transform, height, *, aspect = None, near = None, far = None))]
    fn orthographic(
        transform: &Bound<'_, PyAny>,
        height: f64,
        aspect: Option<f64>,
        near: Option<f64>,
        far: Option<f64>,
    ) -> PyResult<Self> {
        let first = DMat4::from(self::transform(Some(transform), "transform")?);
        Self::of(Recipe { kind: "orthographic", first, second: Ok(height), options: [aspect, near, far] })
    }

    /// Makes a camera from the view and projection matrices of a renderer, of shape (4, 4), with vectors as columns. How depth is stored does not matter.
    #[staticmethod]
    fn from_matrices(view: &Bound<'_, PyAny>, projection: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (view, projection) = (matrix(view, "view")?, matrix(projection, "projection")?);
        Self::of(Recipe { kind: "from_matrices", first: view, second: Err(projection), options: [None; 3] })
    }

    /// Returns the transform of a camera at an eye that looks at a target: a matrix of shape (4, 4).
    #[staticmethod]
    #[pyo3(signature = (eye, target, up = [0.0, 1.0, 0.0]))]
    fn look_at(py: Python<'_>, eye: [f64; 3], target: [f64; 3], up: [f64; 3]) -> PyResult<Bound<'_, PyArray2<f64>>> {
        crate::matrix::matrix(py, &hitscan::Camera::look_at(eye, target, up).map_err(refused)?)
    }

    /// Returns the rays through the middles of all pixels of a viewport (width, height), of shape (height, width); or
    /// the rays through `pixels`, of shape (..., 2).
    #[pyo3(signature = (viewport, pixels = None, *, threads = None))]
    fn rays(
        &self,
        py: Python<'_>,
        viewport: [f64; 2],
        pixels: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<PixelRays> {
        let (viewport, threads) = (self::viewport(viewport)?, Threads::new(threads)?);
        let given = pixels.map(Pixels::new).transpose()?;
        let [width, height] = viewport.size.to_array().map(|size| size.ceil() as usize);
        let shape = given.as_ref().map_or_else(|| vec![height, width], |given| given.shape.clone());
        // Far from zero, a ray in float32 would begin beside the camera.
        let (eye, count) = (self.camera.position(), shape.iter().product());
        let camera = self.camera.relative_to(eye);
        let rows = threads.brief().run(py, count, || {
            each(count, LEAST, |place| {
                let pixel = match &given {
                    Some(given) => given.get(place),
                    None => Vec2::new((place % width) as f32 + 0.5, (place / width) as f32 + 0.5),
                };
                let ray = camera.ray(pixel, viewport);
                PixelRay {
                    origin: (eye + ray.origin.as_dvec3()).to_array(),
                    direction: ray.direction.to_array(),
                    range: [ray.t_min, ray.t_max],
                }
            })
        })?;
        Ok(PixelRays::new(Rows::new(rows, &shape)))
    }

    /// Returns the pixels of points, and their depths.
    #[pyo3(signature = (points, viewport, *, threads = None))]
    fn project(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        viewport: [f64; 2],
        threads: Option<ThreadCount>,
    ) -> PyResult<Projections> {
        let (points, viewport, threads) =
            (Points::new(points, "points")?, self::viewport(viewport)?, Threads::new(threads)?);
        let slice = points.slice()?;
        let project = |place| self.camera.project(slice.get(place), viewport);
        let rows = threads.brief().run(py, slice.count, || each(slice.count, LEAST, project))?;
        Ok(Projections::new(Rows::new(rows, points.shape())))
    }

    /// The position of the eye.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.camera.position().to_array())
    }

    /// The direction of the view axis, of unit length.
    #[getter]
    fn forward<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.camera.forward().to_array())
    }

    #[staticmethod]
    fn _of(
        kind: &str,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        aspect: Option<f64>,
        near: Option<f64>,
        far: Option<f64>,
    ) -> PyResult<Self> {
        match kind {
            "perspective" => Self::perspective(first, second.extract()?, aspect, near, far),
            "orthographic" => Self::orthographic(first, second.extract()?, aspect, near, far),
            _ => Self::from_matrices(first, second),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, Recipe { kind, first, second, options: [aspect, near, far] }) = (slf.py(), &slf.get().recipe);
        let rows = |matrix: &DMat4| table(py, matrix.transpose().to_cols_array_2d().to_vec());
        let second = match second {
            Ok(number) => number.into_pyobject(py)?.into_any(),
            Err(matrix) => rows(matrix)?.into_any(),
        };
        let arguments = (*kind, rows(first)?, second, aspect, near, far).into_pyobject(py)?;
        Ok((slf.get_type().getattr("_of")?, arguments.into_any()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.camera == other.get().camera)
    }

    fn __repr__(&self) -> String {
        let (eye, forward): (DVec3, DVec3) = (self.camera.position(), self.camera.forward());
        format!("<hitscan.Camera: at {eye}, looking along {forward}>")
    }
}
