//! The class `CollisionMatrix`: one triangle for very many rays and segments.

use crate::answers::{Rows, counted_answers, side_number};
use crate::arguments::{Points, ThreadCount, common_shape, transform};
use crate::arrays::shaped;
use crate::each::each;
use crate::error;
use crate::matrix::matrix;
use crate::own_space::{ShapeHits, local_ray_questions};
use crate::threads::Threads;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::SegmentHit;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

/// The least number of segments that a thread takes at a time.
const LEAST: usize = 256;

/// The transform from the world to a triangle. It answers several times as fast as a triangle in a mesh, but it is not watertight: a ray through the edge of
/// two triangles may miss both.
///
/// It is made of the corners of a triangle, counter-clockwise seen from the front; a triangle without an area raises a `ValueError`.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct CollisionMatrix {
    matrix: hitscan::CollisionMatrix,
    /// The function that made it, and its arguments, for a pickle.
    name: &'static str,
    arguments: Py<PyTuple>,
}

fn refused(fault: impl std::fmt::Display) -> PyErr {
    error::value(fault.to_string())
}

counted_answers! {
    /// The hits of segments on a triangle: an array for each value, of the shape of the segments.
    SegmentHits of Rows<Option<SegmentHit>> as single("segment", "hit") by fraction {
        /// The fraction of the segment, from 0 at its start to 1 at its end; NaN on a miss.
        fraction: f32 = |hits| hits.column(|hit| hit.map_or(f32::NAN, |hit| hit.fraction)),
        /// The weight of the triangle's second corner at the point; 0 on a miss.
        u: f32 = |hits| hits.column(|hit| hit.map_or(0.0, |hit| hit.u)),
        /// The weight of the triangle's third corner at the point; 0 on a miss.
        v: f32 = |hits| hits.column(|hit| hit.map_or(0.0, |hit| hit.v)),
        /// The side that the segment comes from: 1 the front, -1 the back, 0 a miss.
        side: i8 = |hits| hits.column(|hit| hit.map_or(0, |hit| side_number(hit.side))),
    }
}

local_ray_questions! { CollisionMatrix:
    /// Casts rays at the triangle, and returns the hit of each. The arguments are as for `Mesh.cast`.
    fn cast(this, py, rays;) -> ShapeHits {
        rays.hits(py, |ray| this.matrix.cast(ray))
    }

    /// Returns for each ray the t alone that `cast` would report, infinity on a miss.
    fn cast_t(this, py, rays;) -> Bound<'py, PyArrayDyn<f32>> {
        rays.t(py, |ray| this.matrix.cast_t(ray))
    }

    /// Returns for each ray whether it hits the triangle.
    fn is_blocked(this, py, rays;) -> Bound<'py, PyArrayDyn<bool>> {
        rays.blocked(py, |ray| this.matrix.is_blocked(ray))
    }
}

/// Answers a question about each segment from a start to an end. There may be a single start or a single end for all.
fn of_segments<A: Send>(
    py: Python<'_>,
    (starts, ends): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    threads: Option<ThreadCount>,
    ask: impl Fn(Vec3, Vec3) -> A + Sync + Send,
) -> PyResult<(Vec<A>, Vec<usize>)> {
    let (starts, ends) = (Points::single(starts, "starts", DVec3::ZERO)?, Points::single(ends, "ends", DVec3::ZERO)?);
    let shape = common_shape(("starts", starts.shape()), ("ends", ends.shape()), &[3])?;
    let (starts, ends, count) = (starts.slice()?, ends.slice()?, shape.iter().product());
    let answers = Threads::new(threads)?.brief().run(py, count, || {
        each(count, LEAST, |place| ask(starts.get_or_only(place).as_vec3(), ends.get_or_only(place).as_vec3()))
    })?;
    Ok((answers, shape))
}

#[pymethods]
impl CollisionMatrix {
    #[new]
    fn new(py: Python<'_>, a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> PyResult<Self> {
        let corners = [a, b, c].map(|corner| DVec3::from_array(corner).as_vec3());
        let matrix = hitscan::CollisionMatrix::new(corners[0], corners[1], corners[2]).map_err(refused)?;
        Ok(Self { matrix, name: "_of", arguments: (a, b, c).into_pyobject(py)?.unbind() })
    }

    #[staticmethod]
    fn _of(py: Python<'_>, a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> PyResult<Self> {
        Self::new(py, a, b, c)
    }

    /// Returns the matrix of the same triangle in an instance with this transform.
    fn placed(slf: &Bound<'_, Self>, transform: &Bound<'_, PyAny>) -> PyResult<Self> {
        let given = self::transform(Some(transform), "transform")?;
        let made = slf.get().matrix.placed(&given).map_err(refused)?;
        let arguments = (slf.clone(), matrix(slf.py(), &given)?).into_pyobject(slf.py())?.unbind();
        Ok(Self { matrix: made, name: "placed", arguments })
    }

    /// Returns the hits of segments from starts to ends, of shape (..., 3), where either may be a single point. Ends, edges and corners count.
    #[pyo3(signature = (starts, ends, *, threads = None))]
    fn collide_segment(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<SegmentHits> {
        let ask = |start, end| self.matrix.collide_segment(start, end);
        let (rows, shape) = of_segments(py, (starts, ends), threads, ask)?;
        Ok(SegmentHits::new(Rows::new(rows, &shape)))
    }

    /// Returns for each segment whether it hits the triangle. It takes the arguments of `collide_segment`.
    #[pyo3(signature = (starts, ends, *, threads = None))]
    fn segment_is_blocked<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let ask = |start, end| self.matrix.segment_is_blocked(start, end);
        let (blocked, shape) = of_segments(py, (starts, ends), threads, ask)?;
        shaped(py, blocked, &shape)
    }

    /// The unit normal of the triangle, to its front.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.matrix.normal().to_array())
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.CollisionMatrix: normal {}>", self.matrix.normal())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Py<PyTuple>)> {
        let this = slf.get();
        Ok((PyType::new::<Self>(slf.py()).getattr(this.name)?, this.arguments.clone_ref(slf.py())))
    }
}
