//! The classes of answers of a mesh.

use super::hit_list::HitList;
use super::nearest::NearestPoints;
use crate::answers::{answers, counted, first_hits, ragged, tally};
use pyo3::prelude::*;

answers! {
    /// The first hits of rays: an array for each value, of the shape of the rays.
    Hits of HitList {
        /// The multiple of the direction at which the ray hits: the exact value, rounded once to float32. It is infinity on a miss.
        t: f32 = |hits| hits.column(|hit| hit.t),
        /// The index of the triangle, or -1 on a miss.
        triangle: i64 = |hits| hits.column(|hit| hit.triangle_or_none()),
        /// The point that was hit, in float64; NaN on a miss.
        point: f64 = HitList::points,
        /// The triangle's own front normal, of unit length; 0 on a miss.
        normal: f32 = HitList::normals,
        /// The weight of the triangle's second corner at the point; 0 on a miss.
        u: f32 = |hits| hits.weights(0),
        /// The weight of the triangle's third corner at the point; 0 on a miss.
        v: f32 = |hits| hits.weights(1),
        /// The side that was hit: 1 the front, -1 the back, 0 a miss.
        side: i8 = |hits| hits.column(|hit| hit.side),
    }

    /// True for each ray that hit anything.
    #[getter]
    fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.triangle(py)?.bind(py).call_method1("__ge__", (0,))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t(py)?.bind(py).len()
    }
}

answers! {
    /// All hits of rays in sequence: the rows of ray i, nearest first, are at splits[i] to splits[i + 1].
    AllHits of HitList {
        /// The start of the hits of each ray, and at the end the number of all hits.
        splits: i64 = HitList::splits,
        /// The index of each hit's ray.
        ray: i64 = |hits| hits.column(|hit| i64::from(hit.ray)),
        /// The multiple of the direction at which the ray hits.
        t: f32 = |hits| hits.column(|hit| hit.t),
        /// The index of the triangle.
        triangle: i64 = |hits| hits.column(|hit| hit.triangle_or_none()),
        /// The point that was hit, in float64.
        point: f64 = HitList::points,
        /// The triangle's own front normal, of unit length.
        normal: f32 = HitList::normals,
        /// The weight of the triangle's second corner at the point.
        u: f32 = |hits| hits.weights(0),
        /// The weight of the triangle's third corner at the point.
        v: f32 = |hits| hits.weights(1),
        /// The side that was hit: 1 the front, -1 the back.
        side: i8 = |hits| hits.column(|hit| hit.side),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.ray(py)?.bind(py).len()
    }
}

answers! {
    /// The nearest points of a surface: an array for each value, of the shape of the points.
    Nearest of NearestPoints {
        /// The point of the surface, in float64; NaN if there is none.
        point: f64 = |found| found.spots.vectors(|spot| spot.point),
        /// The distance to it, in float64, never negative; infinity if there is none.
        distance: f64 = |found| found.spots.column(|spot| spot.distance),
        /// The index of the triangle, or -1 if there is none.
        triangle: i64 = |found| found.spots.column(|spot| spot.triangle),
        /// The part of the triangle: 0 its face, 1 to 3 the edge from its first, second or third corner to the next, 4 to 6 a corner.
        feature: i8 = |found| found.spots.column(|spot| spot.feature),
        /// The position of the query point: 1 inside, 0 outside or on the surface, -1 where the mesh is not closed as seen from it.
        containment: i8 = NearestPoints::containments,
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance(py)?.bind(py).len()
    }
}

impl Hits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        first_hits(py, "Hits", &self.triangle(py)?, &self.t(py)?)
    }
}

impl AllHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "AllHits", &self.splits(py)?, "ray", "hit")
    }
}

impl Nearest {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (points, inside) = tally(py, &self.containment(py)?, "__gt__")?;
        Ok(format!("<hitscan.Nearest: {}, {inside} inside>", counted(points, "point")))
    }
}
