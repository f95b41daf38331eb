//! The classes of answers of a scene.

use crate::answers::{Ragged, Rows, answers, first_hits, ragged, tally};
use hitscan::{Containment, Feature, Hit, Side};
use pyo3::prelude::*;

/// A number, or -1 for none.
pub(super) fn or_none(number: Option<u32>) -> i64 {
    number.map_or(-1, i64::from)
}

/// Returns the part of a triangle as a number: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
pub(super) fn feature_number(feature: Feature) -> i8 {
    match feature {
        Feature::Face => 0,
        Feature::Edge(edge) => 1 + edge as i8,
        Feature::Vertex(vertex) => 4 + vertex as i8,
    }
}

pub(super) fn containment_number(containment: Containment) -> i8 {
    match containment {
        Containment::Inside => 1,
        Containment::Outside => 0,
        Containment::Open => -1,
    }
}

/// A hit of a ray, as its columns have it.
#[derive(Clone, Copy)]
pub(super) struct HitRow {
    key: i64,
    part: u32,
    triangle: i64,
    t: f32,
    point: [f64; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    side: i8,
}

impl HitRow {
    pub(super) const MISS: Self = Self {
        key: -1,
        part: 0,
        triangle: -1,
        t: f32::INFINITY,
        point: [f64::NAN; 3],
        normal: [0.0; 3],
        uv: [0.0; 2],
        side: 0,
    };

    /// Makes the row of a hit, with the t that is in multiples of the direction that was given.
    pub(super) fn new(hit: &Hit<i64>, t: f32) -> Self {
        Self {
            key: hit.id,
            part: hit.part,
            triangle: or_none(hit.triangle),
            t,
            point: hit.point_f64().to_array(),
            normal: hit.normal.to_array(),
            uv: hit.uv.unwrap_or_default().to_array(),
            side: match hit.side {
                Side::Front => 1,
                Side::Back => -1,
                Side::Inside => 2,
            },
        }
    }
}

answers! {
    /// The first hits of rays in a scene: an array for each value, of the shape of the rays.
    SceneHits of Rows<HitRow> {
        /// The key of the entity, or -1 on a miss.
        key: |hits| hits.column(|hit| hit.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |hits| hits.column(|hit| i64::from(hit.part)),
        /// The index of the triangle of a mesh or height field, or -1 for a shape or a miss.
        triangle: |hits| hits.column(|hit| hit.triangle),
        /// The multiple of the direction at which the ray hits; infinity on a miss.
        t: |hits| hits.column(|hit| hit.t),
        /// The point that was hit, in float64; NaN on a miss.
        point: |hits| hits.vectors(|hit| hit.point),
        /// The surface's own outward (front) normal in the world, of unit length; 0 on a miss.
        normal: |hits| hits.vectors(|hit| hit.normal),
        /// The first coordinate on a triangle or quad: of a triangle the weight of its second corner.
        u: |hits| hits.column(|hit| hit.uv[0]),
        /// The second coordinate on a triangle or quad: of a triangle the weight of its third corner.
        v: |hits| hits.column(|hit| hit.uv[1]),
        /// The side that was hit: 1 the front, -1 the back, 2 the inside where a solid was meant, 0 a miss.
        side: |hits| hits.column(|hit| hit.side),
    }

    /// True for each ray that hit anything.
    #[getter]
    fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.key(py)?.bind(py).call_method1("__ge__", (0,))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t(py)?.bind(py).len()
    }
}

answers! {
    /// All hits of rays in a scene: those of ray i, nearest first, are at splits[i] to splits[i + 1].
    SceneAllHits of Ragged<HitRow> {
        /// The start of the hits of each ray, and at the end the number of all hits.
        splits: Ragged::splits,
        /// The index of each hit's ray.
        ray: Ragged::question,
        /// The key of the entity.
        key: |hits| hits.rows().column(|hit| hit.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |hits| hits.rows().column(|hit| i64::from(hit.part)),
        /// The index of the triangle of a mesh or height field, or -1 for a shape.
        triangle: |hits| hits.rows().column(|hit| hit.triangle),
        /// The multiple of the direction at which the ray hits.
        t: |hits| hits.rows().column(|hit| hit.t),
        /// The point that was hit, in float64.
        point: |hits| hits.rows().vectors(|hit| hit.point),
        /// The surface's own outward (front) normal in the world, of unit length.
        normal: |hits| hits.rows().vectors(|hit| hit.normal),
        /// The first coordinate on a triangle or quad.
        u: |hits| hits.rows().column(|hit| hit.uv[0]),
        /// The second coordinate on a triangle or quad.
        v: |hits| hits.rows().column(|hit| hit.uv[1]),
        /// The side that was hit: 1 the front, -1 the back, 2 the inside where a solid was meant.
        side: |hits| hits.rows().column(|hit| hit.side),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.key(py)?.bind(py).len()
    }
}

/// An interval of a ray inside of an entity.
#[derive(Clone, Copy)]
pub(super) struct IntervalRow {
    pub(super) key: i64,
    pub(super) part: u32,
    pub(super) range: [f32; 2],
    pub(super) is_open: bool,
}

answers! {
    /// The intervals in which rays are inside of solids and closed meshes: those of ray i are at splits[i] to splits[i + 1].
    SolidIntervals of Ragged<IntervalRow> {
        /// The start of the intervals of each ray, and at the end the number of all.
        splits: Ragged::splits,
        /// The index of each interval's ray.
        ray: Ragged::question,
        /// The key of the entity.
        key: |found| found.rows().column(|interval| interval.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |found| found.rows().column(|interval| i64::from(interval.part)),
        /// The multiple of the direction at which the ray enters, or its range begins inside.
        t_enter: |found| found.rows().column(|interval| interval.range[0]),
        /// The multiple of the direction at which the ray leaves, or its range ends inside.
        t_exit: |found| found.rows().column(|interval| interval.range[1]),
        /// True where a mesh is not closed, so that one end is not known; such an interval has length 0.
        is_open: |found| found.rows().column(|interval| interval.is_open),
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
        key: |found| found.column(|spot| spot.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |found| found.column(|spot| i64::from(spot.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: |found| found.column(|spot| spot.triangle),
        /// The nearest point, in float64; NaN if there is none.
        point: |found| found.vectors(|spot| spot.point),
        /// The distance to it, in float64, never negative; infinity if there is none.
        distance: |found| found.column(|spot| spot.distance),
        /// The outward direction: from the nearest point to the query point, or the other way if that is inside; 0 if there is none.
        normal: |found| found.vectors(|spot| spot.normal),
        /// The part of a triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
        feature: |found| found.column(|spot| spot.feature),
        /// The place of the query point: 1 inside of the entity, 0 outside, -1 where it has no inside or there is none.
        containment: |found| found.column(|spot| spot.containment),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance(py)?.bind(py).len()
    }
}

impl SceneHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        first_hits(py, "SceneHits", &self.key(py)?, &self.t(py)?)
    }
}

impl SceneAllHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "SceneAllHits", &self.splits(py)?, "ray", "hit")
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
