//! The classes of answers of a scene.

use crate::answers::{Ragged, Rows, answers, ragged, tally};
use pyo3::prelude::*;

/// An interval of a ray inside of an entity.
#[derive(Clone, Copy)]
pub(super) struct IntervalRow {
    pub(super) key: i64,
    pub(super) part: u32,
    pub(super) range: [f32; 2],
    pub(super) is_open: bool,
}

answers! {
    /// The intervals in which rays are inside of solids and closed meshes: the rows of ray i are at splits[i] to splits[i + 1].
    SolidIntervals of Ragged<IntervalRow> {
        /// The start of the intervals of each ray, and at the end the number of all intervals.
        splits: i64 = Ragged::splits,
        /// The index of each interval's ray.
        ray: i64 = Ragged::question,
        /// The key of the entity.
        key: i64 = |found| found.rows().column(|interval| interval.key),
        /// The index of the part of a compound; 0 for other entities.
        part: i64 = |found| found.rows().column(|interval| i64::from(interval.part)),
        /// The multiple of the direction at which the ray enters, or at which its range begins inside.
        t_enter: f32 = |found| found.rows().column(|interval| interval.range[0]),
        /// The multiple of the direction at which the ray leaves, or at which its range ends inside.
        t_exit: f32 = |found| found.rows().column(|interval| interval.range[1]),
        /// True where a mesh is not closed, so that one end is not known; such an interval has length 0.
        is_open: bool = |found| found.rows().column(|interval| interval.is_open),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.key(py)?.bind(py).len()
    }
}

/// The nearest point of a scene, or none.
#[derive(Clone, Copy)]
pub(super) struct PointRow {
    pub(super) key: i64,
    pub(super) part: u32,
    pub(super) triangle: i64,
    pub(super) point: [f64; 3],
    pub(super) distance: f64,
    pub(super) normal: [f32; 3],
    pub(super) feature: i8,
    pub(super) containment: i8,
}

answers! {
    /// The nearest points of a scene's surfaces: an array for each value, of the shape of the points.
    ScenePoints of Rows<PointRow> {
        /// The key of the entity, or -1 if there is none.
        key: i64 = |found| found.column(|spot| spot.key),
        /// The index of the part of a compound; 0 for other entities.
        part: i64 = |found| found.column(|spot| i64::from(spot.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: i64 = |found| found.column(|spot| spot.triangle),
        /// The nearest point, in float64; NaN if there is none.
        point: f64 = |found| found.vectors(|spot| spot.point),
        /// The distance to that point, in float64, never negative; infinity if there is none.
        distance: f64 = |found| found.column(|spot| spot.distance),
        /// The outward direction: from the nearest point to the query point, or the opposite direction if the query point is inside; 0 if there is none.
        normal: f32 = |found| found.vectors(|spot| spot.normal),
        /// The part of a triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
        feature: i8 = |found| found.column(|spot| spot.feature),
        /// The position of the query point: 1 inside of the entity, 0 outside, -1 if the entity has no inside or there is no nearest point.
        containment: i8 = |found| found.column(|spot| spot.containment),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance(py)?.bind(py).len()
    }
}

impl SolidIntervals {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "SolidIntervals", &self.splits(py)?, "ray", "interval")
    }
}

impl ScenePoints {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (points, found) = tally(py, &self.key(py)?, "__ge__")?;
        Ok(format!("<hitscan.ScenePoints: {}, {found} with a nearest one>", crate::answers::counted(points, "point")))
    }
}
