//! The classes of answers that have a hit of a ray in each row.

use crate::answers::{Ragged, Rows, answers, first_hits, or_none, ragged, side_number};
use crate::error;
use hitscan::Hit;
use pyo3::prelude::*;

/// The values of a hit of a ray that the columns hold.
#[derive(Clone, Copy)]
pub(crate) struct HitRow {
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
    const MISS: Self = Self {
        key: -1,
        part: 0,
        triangle: -1,
        t: f32::INFINITY,
        point: [f64::NAN; 3],
        normal: [0.0; 3],
        uv: [0.0; 2],
        side: 0,
    };

    /// Makes the row of a hit, with the t in multiples of the direction that was given.
    pub(super) fn new(hit: &Hit<i64>, t: f32) -> Self {
        Self {
            key: hit.id,
            part: hit.part,
            triangle: or_none(hit.triangle),
            t,
            point: hit.point_f64().to_array(),
            normal: hit.normal.to_array(),
            uv: hit.uv.unwrap_or_default().to_array(),
            side: side_number(hit.side),
        }
    }

    /// Makes the row of a hit or of a miss, with the hit's own t.
    pub(super) fn of(hit: Option<&Hit<i64>>) -> Self {
        hit.map_or(Self::MISS, |hit| Self::new(hit, hit.t))
    }
}

/// A row with the columns of a hit.
pub(super) trait WithHit {
    fn hit(&self) -> &HitRow;
}

impl WithHit for HitRow {
    fn hit(&self) -> &HitRow {
        self
    }
}

/// Makes rows with a hit and other values.
macro_rules! rows_with_hits {
    ($($(#[$about:meta])* $name:ident { $($value:ident: $kind:ty),* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            pub(super) hit: HitRow,
            $(pub(super) $value: $kind),*
        }

        impl WithHit for $name {
            fn hit(&self) -> &HitRow {
                &self.hit
            }
        }
    )*};
}

rows_with_hits! {
    /// A first hit of a ray.
    FirstRow { reflection: [f32; 3] }
    /// A first hit along a path.
    PathRow { segment: i64, distance: f32 }
    /// A first hit along an arc.
    ArcRow { chord: i64, time: f32, velocity: [f32; 3] }
    /// The ground below a point.
    GroundRow { slope_cos: f32 }
    /// A move of a point. Positions are in the world.
    MoveRow { position: [f64; 3], fraction: f32, remaining: [f32; 3], slide: [f32; 3] }
    /// A leg of a shot, with its ends in the world.
    LegRow { ends: [[f64; 3]; 2] }
    /// The point under a cursor, in the world.
    PlaceRow { position: [f64; 3] }
}

impl FirstRow {
    pub(super) const MISS: Self = Self { hit: HitRow::MISS, reflection: [0.0; 3] };

    pub(super) fn new(hit: &Hit<i64>, t: f32) -> Self {
        Self { hit: HitRow::new(hit, t), reflection: hit.reflect().to_array() }
    }
}

/// The rows of the first hits of rays and, with `keep_hits`, the hits of the library, which take four times the memory.
pub(super) struct FirstHits {
    pub(super) rows: Rows<FirstRow>,
    pub(super) kept: Option<Rows<Option<Hit<i64>>>>,
}

impl FirstHits {
    fn rows(&self) -> &Rows<FirstRow> {
        &self.rows
    }
}

/// Makes a class of answers with its own columns, and the columns of a hit.
macro_rules! hit_answers {
    ($(#[$about:meta])* $name:ident of $found:ty { $($columns:tt)* } $($more:tt)*) => {
        answers! {
            $(#[$about])*
            $name of $found {
                $($columns)*
                /// The key of the entity, or -1 on a miss.
                key: i64 = |found| found.rows().column(|row| row.hit().key),
                /// The index of the part of a compound; 0 for other entities.
                part: i64 = |found| found.rows().column(|row| i64::from(row.hit().part)),
                /// The index of the triangle of a mesh or height field, or -1 for a shape or a miss.
                triangle: i64 = |found| found.rows().column(|row| row.hit().triangle),
                /// The multiple of the direction at which the ray hits; infinity on a miss.
                t: f32 = |found| found.rows().column(|row| row.hit().t),
                /// The point that was hit, in float64; NaN on a miss.
                point: f64 = |found| found.rows().vectors(|row| row.hit().point),
                /// The surface's own outward (front) normal in the world, of unit length; 0 on a miss.
                normal: f32 = |found| found.rows().vectors(|row| row.hit().normal),
                /// The first coordinate on a triangle or quad; on a triangle, it is the weight of the second corner.
                u: f32 = |found| found.rows().column(|row| row.hit().uv[0]),
                /// The second coordinate on a triangle or quad; on a triangle, it is the weight of the third corner.
                v: f32 = |found| found.rows().column(|row| row.hit().uv[1]),
                /// The side that was hit: 1 the front, -1 the back, 2 the inside with `inside="solid"`, 0 a miss.
                side: i8 = |found| found.rows().column(|row| row.hit().side),
            }

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                self.key(py)?.bind(py).len()
            }

            $($more)*
        }
    };
}

/// Makes classes of answers that have at most one hit for each question.
macro_rules! first_hit_answers {
    ($($(#[$about:meta])* $name:ident of $found:ty { $($columns:tt)* })*) => {$(
        hit_answers! {
            $(#[$about])*
            $name of $found { $($columns)* }

            /// True for each question that hit anything.
            #[getter]
            fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.key(py)?.bind(py).call_method1("__ge__", (0,))
            }
        }
    )*};
}

first_hit_answers! {
    /// The first hits of rays in a scene: an array for each value, of the shape of the rays.
    SceneHits of FirstHits {
        /// The direction of a perfect reflection at the hit, as long as the ray's direction in float32; 0 on a miss.
        reflection: f32 = |found| found.rows.vectors(|row| row.reflection),
    }

    /// The first hits along paths: an array for each value, of the shape of the paths. A hit's t is the fraction of its segment.
    PathHits of Rows<PathRow> {
        /// The index of the segment, from a point to the next; -1 on a miss.
        segment: i64 = |found| found.column(|row| row.segment),
        /// The distance along the path from its first point; infinity on a miss.
        distance: f32 = |found| found.column(|row| row.distance),
    }

    /// The first hits along ballistic arcs: an array for each value, of the shape of the arcs. A hit's t is the fraction of its chord.
    TrajectoryHits of Rows<ArcRow> {
        /// The index of the chord that hit; -1 on a miss.
        chord: i64 = |found| found.column(|row| row.chord),
        /// The time of the impact; infinity on a miss.
        time: f32 = |found| found.column(|row| row.time),
        /// The velocity at that time; NaN on a miss.
        velocity: f32 = |found| found.vectors(|row| row.velocity),
    }

    /// The ground below points: an array for each value, of the shape of the points. A hit's t is its distance below the point.
    Grounds of Rows<GroundRow> {
        /// The cosine of the slope: 1 on level ground, 0 at a wall; NaN on a miss.
        slope_cos: f32 = |found| found.column(|row| row.slope_cos),
    }

    /// The moves of points: an array for each value, of the shape of the points. A hit is on the surface that stopped a point.
    PointMoves of Rows<MoveRow> {
        /// The position at the end, in float64.
        position: f64 = |found| found.vectors(|row| row.position),
        /// The fraction of the motion that was made, from 0 to 1.
        fraction: f32 = |found| found.column(|row| row.fraction),
        /// The part of the motion that was not made; 0 if nothing stopped the point.
        remaining: f32 = |found| found.vectors(|row| row.remaining),
        /// The remaining motion without its part into the surface: the next motion of a point that slides.
        slide: f32 = |found| found.vectors(|row| row.slide),
    }

    /// The points under cursors: an array for each value, of the shape of the pixels. A hit is on the surface there.
    SurfacePoints of Rows<PlaceRow> {
        /// The point on the surface, or on the path where there is no surface. It is in float64, and NaN if there is
        /// neither.
        position: f64 = |found| found.vectors(|row| row.position),
    }
}

hit_answers! {
    /// All hits of rays in a scene: the rows of ray i, nearest first, are at splits[i] to splits[i + 1].
    SceneAllHits of Ragged<HitRow> {
        /// The start of the hits of each ray, and at the end the number of all hits.
        splits: i64 = Ragged::splits,
        /// The index of each hit's ray.
        ray: i64 = Ragged::question,
    }
}

hit_answers! {
    /// The legs of shots: the rows of shot i, in order, are at splits[i] to splits[i + 1]. Each leg ends at its hit; a leg without a hit ends with the range.
    ShotLegs of Ragged<LegRow> {
        /// The start of the legs of each shot, and at the end the number of all legs.
        splits: i64 = Ragged::splits,
        /// The index of each leg's shot.
        ray: i64 = Ragged::question,
        /// The point where the leg begins, in float64.
        start: f64 = |found| found.rows().vectors(|leg| leg.ends[0]),
        /// The point where the leg ends, in float64.
        end: f64 = |found| found.rows().vectors(|leg| leg.ends[1]),
    }
}

impl SceneHits {
    /// Returns the hits of the library; an error if they were not kept.
    pub(super) fn kept(&self) -> PyResult<&Rows<Option<Hit<i64>>>> {
        self.found.as_ref().and_then(|found| found.kept.as_ref()).ok_or_else(|| {
            error::value(
                "the hits hold their columns alone: cast the rays with keep_hits=True, and neither copy nor pickle the hits",
            )
        })
    }

    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        first_hits(py, "SceneHits", &self.key(py)?, &self.t(py)?)
    }
}

impl SceneAllHits {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "SceneAllHits", &self.splits(py)?, "ray", "hit")
    }
}

impl ShotLegs {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "ShotLegs", &self.splits(py)?, "shot", "leg")
    }
}

/// Implements the descriptions of classes with one answer for each question.
macro_rules! described {
    ($($name:ident: $of:literal;)*) => {$(
        impl $name {
            fn describe(&self, py: Python<'_>) -> PyResult<String> {
                crate::answers::single(py, stringify!($name), &self.key(py)?, $of, "hit")
            }
        }
    )*};
}

described! {
    PathHits: "path";
    TrajectoryHits: "arc";
    Grounds: "point";
    PointMoves: "move";
    SurfacePoints: "cursor";
}
