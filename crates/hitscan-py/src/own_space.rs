//! Questions about a single shape, height field or collision matrix in its own space.

use crate::answers::{
    Ragged, Rows, answers, containment_number, counted_answers, feature_number, first_hits, or_none, ragged,
    side_number,
};
use crate::arguments::{Points, ThreadCount};
use crate::arrays::shaped;
use crate::each::{each, each_of_many};
use crate::rays::{FirstFault, RayArrays, Rays, Unusable};
use crate::threads::Threads;
use hitscan::glam::DVec3;
use hitscan::query::{MeshPoint, ShapeHit, ShapePoint};
use hitscan::{MeshHit, Ray};
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The least number of rays or points that a thread takes at a time.
const LEAST: usize = 64;

/// A hit of a ray, in the own space of the geometry.
#[derive(Clone, Copy)]
pub(crate) struct LocalHit {
    t: f32,
    triangle: i64,
    point: [f64; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    side: i8,
}

impl LocalHit {
    const MISS: Self =
        Self { t: f32::INFINITY, triangle: -1, point: [f64::NAN; 3], normal: [0.0; 3], uv: [0.0; 2], side: 0 };
}

/// A hit as the library reports it.
pub(crate) trait Reported {
    /// Returns the row of the hit, for a ray through an origin along a direction.
    fn row(&self, line: [DVec3; 2]) -> LocalHit;
}

impl Reported for ShapeHit {
    fn row(&self, [origin, direction]: [DVec3; 2]) -> LocalHit {
        LocalHit {
            t: self.t,
            triangle: -1,
            point: (origin + direction * f64::from(self.t)).to_array(),
            normal: self.normal.to_array(),
            uv: self.uv.unwrap_or_default().to_array(),
            side: side_number(self.side),
        }
    }
}

impl Reported for MeshHit {
    fn row(&self, _line: [DVec3; 2]) -> LocalHit {
        LocalHit {
            t: self.t,
            triangle: i64::from(self.triangle),
            point: self.point().as_dvec3().to_array(),
            normal: self.normal().to_array(),
            uv: self.uv().to_array(),
            side: side_number(self.side),
        }
    }
}

/// Makes a class of hits, with columns of its own and the columns of a hit.
macro_rules! local_hits {
    ($(#[$about:meta])* $name:ident of $found:ty { $($columns:tt)* } $($more:tt)*) => {
        answers! {
            $(#[$about])*
            $name of $found {
                $($columns)*
                /// The multiple of the direction at which the ray hits; infinity on a miss.
                t: f32 = |hits| hits.rows().column(|hit| hit.t),
                /// The index of the triangle of a height field, or -1 for a shape or a miss.
                triangle: i64 = |hits| hits.rows().column(|hit| hit.triangle),
                /// The point that was hit, in float64; NaN on a miss.
                point: f64 = |hits| hits.rows().vectors(|hit| hit.point),
                /// The surface's own outward (front) normal, of unit length; 0 on a miss.
                normal: f32 = |hits| hits.rows().vectors(|hit| hit.normal),
                /// The first coordinate on a triangle or quad; on a triangle, it is the weight of the second corner.
                u: f32 = |hits| hits.rows().column(|hit| hit.uv[0]),
                /// The second coordinate on a triangle or quad; on a triangle, it is the weight of the third corner.
                v: f32 = |hits| hits.rows().column(|hit| hit.uv[1]),
                /// The side that was hit: 1 the front, -1 the back, 2 the inside with `inside="solid"`, 0 a miss.
                side: i8 = |hits| hits.rows().column(|hit| hit.side),
            }

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                self.t(py)?.bind(py).len()
            }

            $($more)*
        }
    };
}

local_hits! {
    /// The first hits of rays on a single shape or height field, in its own space: an array for each value, of the shape of the rays.
    ShapeHits of Rows<LocalHit> {}

    /// True for each ray that hit anything.
    #[getter]
    fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.side(py)?.bind(py).call_method1("__ne__", (0,))
    }
}

local_hits! {
    /// All hits of rays on a height field, in its own space: the rows of ray i, nearest first, are at splits[i] to splits[i + 1].
    ShapeAllHits of Ragged<LocalHit> {
        /// The start of the hits of each ray, and at the end the number of all hits.
        splits: i64 = Ragged::splits,
        /// The index of each hit's ray.
        ray: i64 = Ragged::question,
    }
}

impl ShapeHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let which = self.t(py)?.bind(py).call_method1("__lt__", (f32::INFINITY,))?;
        let which = py.import("numpy")?.call_method1("where", (which, 0, -1))?;
        first_hits(py, "ShapeHits", &which.unbind(), &self.t(py)?)
    }
}

impl ShapeAllHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "ShapeAllHits", &self.splits(py)?, "ray", "hit")
    }
}

/// The values of t at which rays enter, and the values at which they leave.
pub(crate) type Intervals<'py> = (Bound<'py, PyArrayDyn<f32>>, Bound<'py, PyArrayDyn<f32>>);

/// Rays for a single geometry, in its own space.
pub(crate) struct LocalRays<'py> {
    arrays: RayArrays<'py>,
    unusable: Unusable,
    threads: Threads,
}

impl<'py> LocalRays<'py> {
    pub(crate) fn new(
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        t_min: Option<&Bound<'py, PyAny>>,
        t_max: Option<&Bound<'py, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Self> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        Ok(Self { arrays, unusable: Unusable::new(invalid)?, threads: Threads::new(threads)? })
    }

    /// Runs `answer` on the threads. It is given the rays, which it reads without the interpreter.
    fn run<A: Send>(
        &self,
        py: Python<'_>,
        threads: Threads,
        answer: impl FnOnce(&Rays<'_>, &(dyn Fn(usize) -> Ray + Sync)) -> A + Send,
    ) -> PyResult<A> {
        let (rays, fault) = (self.arrays.rays(DVec3::ZERO)?, FirstFault::new());
        let unusable = self.unusable;
        let ray = |place| rays.checked(place, unusable, &fault);
        let answers = threads.run(py, rays.count, || answer(&rays, &ray))?;
        fault.take().map_or(Ok(answers), |place| Err(self.arrays.fault(place)))
    }

    /// Returns a value of each ray.
    fn each<A: Send + numpy::Element>(
        &self,
        py: Python<'py>,
        ask: impl Fn(&Rays<'_>, usize, &Ray) -> A + Sync + Send,
    ) -> PyResult<Bound<'py, PyArrayDyn<A>>> {
        let answers = self.run(py, self.threads.brief(), |rays, ray| {
            each(rays.count, LEAST, |place| ask(rays, place, &ray(place)))
        })?;
        shaped(py, answers, &self.arrays.shape)
    }

    /// Returns the first hit of each ray.
    pub(crate) fn hits<H: Reported>(
        &self,
        py: Python<'_>,
        cast: impl Fn(&Ray) -> Option<H> + Sync + Send,
    ) -> PyResult<ShapeHits> {
        let rows = self.run(py, self.threads.brief(), |rays, ray| {
            each(rays.count, LEAST, |place| {
                cast(&ray(place)).map_or(LocalHit::MISS, |hit| local_hit(rays, place, &hit))
            })
        })?;
        Ok(ShapeHits::new(Rows::new(rows, &self.arrays.shape)))
    }

    /// Returns all hits of each ray.
    pub(crate) fn all_hits<H: Reported>(
        &self,
        py: Python<'_>,
        cast: impl Fn(&Ray, &mut Vec<H>) + Sync + Send,
    ) -> PyResult<ShapeAllHits> {
        let found = self.run(py, self.threads, |rays, ray| {
            each_of_many(rays.count, |place, piece, hits: &mut Vec<H>| {
                cast(&ray(place), hits);
                piece.add(hits.iter().map(|hit| local_hit(rays, place, hit)));
            })
        })?;
        Ok(ShapeAllHits::new(found))
    }

    /// Returns the t of the hit of each ray, infinity on a miss.
    pub(crate) fn t(
        &self,
        py: Python<'py>,
        cast_t: impl Fn(&Ray) -> Option<f32> + Sync + Send,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        self.each(py, |rays, place, ray| cast_t(ray).map_or(f32::INFINITY, |t| rays.given_t(place, t)))
    }

    /// Returns the two values of t of each ray's interval, NaN where there is none.
    pub(crate) fn intervals(
        &self,
        py: Python<'py>,
        interval: impl Fn(&Ray) -> Option<(f32, f32)> + Sync + Send,
    ) -> PyResult<Intervals<'py>> {
        let end = |which: fn((f32, f32)) -> f32| {
            self.each(py, |rays, place, ray| interval(ray).map_or(f32::NAN, |ends| rays.given_t(place, which(ends))))
        };
        Ok((end(|(enter, _)| enter)?, end(|(_, exit)| exit)?))
    }

    /// Returns whether each ray hits.
    pub(crate) fn blocked(
        &self,
        py: Python<'py>,
        is_blocked: impl Fn(&Ray) -> bool + Sync + Send,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        self.each(py, |_, _, ray| is_blocked(ray))
    }
}

fn local_hit(rays: &Rays<'_>, place: usize, hit: &impl Reported) -> LocalHit {
    let row = hit.row(rays.line(place));
    LocalHit { t: rays.given_t(place, row.t), ..row }
}

/// Makes methods of a class with the arguments of rays, and after a semicolon at most one option with its default. A body is given the [`LocalRays`]
/// and the interpreter.
macro_rules! local_ray_questions {
    ($class:ident: $(
        $(#[$about:meta])*
        fn $name:ident($this:ident, $py:ident, $rays:ident; $($option:ident: $option_kind:ty = $default:tt)?) -> $answer:ty $body:block
    )*) => {
        #[pymethods]
        impl $class {$(
            $(#[$about])*
            #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, $($option = $default,)? invalid = "raise", threads = None))]
            fn $name<'py>(
                slf: &Bound<'py, Self>,
                origins: &Bound<'py, PyAny>,
                directions: &Bound<'py, PyAny>,
                t_min: Option<&Bound<'py, PyAny>>,
                t_max: Option<&Bound<'py, PyAny>>,
                $($option: $option_kind,)?
                invalid: &str,
                threads: Option<$crate::arguments::ThreadCount>,
            ) -> PyResult<$answer> {
                let ($this, $py) = (slf.get(), slf.py());
                let $rays = $crate::own_space::LocalRays::new(origins, directions, t_min, t_max, invalid, threads)?;
                $body
            }
        )*}
    };
}

pub(crate) use local_ray_questions;

/// The nearest point of a shape or height field, or none.
#[derive(Clone, Copy)]
pub(crate) struct ShapePointRow {
    triangle: i64,
    point: [f64; 3],
    distance: f32,
    normal: [f32; 3],
    feature: i8,
    containment: i8,
}

counted_answers! {
    /// The nearest points of a single shape or height field, in its own space: an array for each value, of the shape of the points.
    ShapePoints of Rows<ShapePointRow> as single("point", "nearest point") by distance {
        /// The nearest point, in float64; NaN if there is none.
        point: f64 = |found| found.vectors(|spot| spot.point),
        /// The distance to that point, never negative; infinity if there is none.
        distance: f32 = |found| found.column(|spot| spot.distance),
        /// The outward direction: from the nearest point to the query point, or the opposite direction if the query point is inside; 0 if there is none.
        normal: f32 = |found| found.vectors(|spot| spot.normal),
        /// The index of the triangle of a height field, or -1.
        triangle: i64 = |found| found.column(|spot| spot.triangle),
        /// The part of a triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
        feature: i8 = |found| found.column(|spot| spot.feature),
        /// The position of the query point: 1 inside, 0 outside, -1 if the geometry has no inside.
        containment: i8 = |found| found.column(|spot| spot.containment),
    }
}

/// A nearest point as the library reports it.
pub(crate) trait Nearby {
    fn row(&self) -> ShapePointRow;
}

/// Implements [`Nearby`] for types of the library.
macro_rules! nearby {
    ($($kind:ident: $triangle:expr;)*) => {$(
        impl Nearby for $kind {
            fn row(&self) -> ShapePointRow {
                let triangle: fn(&Self) -> Option<u32> = $triangle;
                ShapePointRow {
                    triangle: or_none(triangle(self)),
                    point: self.point.as_dvec3().to_array(),
                    distance: self.distance,
                    normal: self.normal.to_array(),
                    feature: feature_number(self.feature),
                    containment: containment_number(self.containment),
                }
            }
        }
    )*};
}

nearby! {
    ShapePoint: |_| None;
    MeshPoint: |found| Some(found.triangle);
}

/// Returns the nearest point of a geometry for each point.
pub(crate) fn nearest<P: Nearby>(
    py: Python<'_>,
    points: &Bound<'_, PyAny>,
    threads: Option<ThreadCount>,
    closest: impl Fn(DVec3) -> Option<P> + Sync + Send,
) -> PyResult<ShapePoints> {
    let (points, threads) = (Points::new(points, "points")?, Threads::new(threads)?);
    let slice = points.slice()?;
    let none = ShapePointRow {
        triangle: -1,
        point: [f64::NAN; 3],
        distance: f32::INFINITY,
        normal: [0.0; 3],
        feature: 0,
        containment: -1,
    };
    let rows = threads.brief().run(py, slice.count, || {
        each(slice.count, LEAST, |place| closest(slice.get(place)).map_or(none, |found| found.row()))
    })?;
    Ok(ShapePoints::new(Rows::new(rows, points.shape())))
}

/// Answers a question about each point.
pub(crate) fn of_points<'py, A: Send + numpy::Element>(
    py: Python<'py>,
    points: Points<'py>,
    threads: Option<ThreadCount>,
    ask: impl Fn(DVec3) -> A + Sync + Send,
) -> PyResult<Bound<'py, PyArrayDyn<A>>> {
    let (slice, threads) = (points.slice()?, Threads::new(threads)?);
    let answers = threads.brief().run(py, slice.count, || each(slice.count, LEAST, |place| ask(slice.get(place))))?;
    shaped(py, answers, points.shape())
}
