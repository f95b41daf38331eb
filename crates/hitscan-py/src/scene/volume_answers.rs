//! The classes of answers about volumes and pairs.

use crate::answers::{Ragged, Rows, answers, counted, counted_answers, or_none, ragged, tally};
use hitscan::pairs::PairPenetration;
use hitscan::query::{ContactPoint, Overlap};
use pyo3::prelude::*;

/// The first contact of a moving volume, or none.
#[derive(Clone, Copy)]
pub(super) struct SweepRow {
    pub(super) key: i64,
    pub(super) part: u32,
    pub(super) triangle: i64,
    pub(super) t: f64,
    pub(super) point: [f64; 3],
    pub(super) normal: [f32; 3],
    pub(super) surface_normal: [f32; 3],
    pub(super) feature: i8,
    pub(super) start: i8,
}

/// Makes classes of contacts of moving volumes: their own columns, and the columns of a contact.
macro_rules! sweep_answers {
    ($($(#[$about:meta])* $name:ident of $found:ty as $kind:ident { $($columns:tt)* })*) => {$(
        counted_answers! {
            $(#[$about])*
            $name of $found as $kind("volume", "hit") by key {
                $($columns)*
                /// The key of the entity, or -1 if nothing is hit.
                key: i64 = |hits| hits.rows().column(|hit| hit.key),
                /// The index of the part of a compound; 0 for other entities.
                part: i64 = |hits| hits.rows().column(|hit| i64::from(hit.part)),
                /// The index of the triangle of a mesh or height field, or -1.
                triangle: i64 = |hits| hits.rows().column(|hit| hit.triangle),
                /// The fraction of the motion, from 0 to 1, in float64; infinity if nothing is hit.
                t: f64 = |hits| hits.rows().column(|hit| hit.t),
                /// The point of contact on the entity, in float64; NaN if nothing is hit.
                point: f64 = |hits| hits.rows().vectors(|hit| hit.point),
                /// The direction from that point to the volume, of unit length.
                normal: f32 = |hits| hits.rows().vectors(|hit| hit.normal),
                /// The normal of the entity's own surface there, on the volume's side.
                surface_normal: f32 = |hits| hits.rows().vectors(|hit| hit.surface_normal),
                /// The part of a triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
                feature: i8 = |hits| hits.rows().column(|hit| hit.feature),
                /// The state at the start: 0 apart, 1 touching, 2 penetrating; -1 if nothing is hit.
                start: i8 = |hits| hits.rows().column(|hit| hit.start),
            }
        }
    )*};
}

sweep_answers! {
    /// The first hits of moving volumes: an array for each value, of the shape of the positions.
    Sweeps of Rows<SweepRow> as single {}

    /// All contacts of moving volumes: the rows of volume i, in order, are at splits[i] to splits[i + 1].
    AllSweeps of Ragged<SweepRow> as ragged {
        /// The start of the contacts of each volume, and at the end the number of all contacts.
        splits: i64 = Ragged::splits,
        /// The index of each contact's volume.
        volume: i64 = Ragged::question,
    }
}

/// The deepest penetration of a volume, or none.
#[derive(Clone, Copy)]
pub(super) struct PenetrationRow {
    pub(super) key: i64,
    pub(super) part: u32,
    pub(super) triangle: i64,
    pub(super) depth: f32,
    pub(super) normal: [f32; 3],
    pub(super) point: [f64; 3],
    pub(super) separation: [f64; 3],
}

/// Makes classes of penetrations of volumes: their own columns, and the columns of a penetration.
macro_rules! penetration_answers {
    ($($(#[$about:meta])* $name:ident of $found:ty as $kind:ident { $($columns:tt)* })*) => {$(
        counted_answers! {
            $(#[$about])*
            $name of $found as $kind("volume", "penetration") by key {
                $($columns)*
                /// The key of the entity, or -1 if the volume overlaps nothing.
                key: i64 = |found| found.rows().column(|way| way.key),
                /// The index of the part of a compound; 0 for other entities.
                part: i64 = |found| found.rows().column(|way| i64::from(way.part)),
                /// The index of the triangle of a mesh or height field, or -1.
                triangle: i64 = |found| found.rows().column(|way| way.triangle),
                /// The distance by which the volume has to be moved to separate it; NaN if it overlaps nothing.
                depth: f32 = |found| found.rows().column(|way| way.depth),
                /// The direction in which the volume has to be moved, of unit length.
                normal: f32 = |found| found.rows().vectors(|way| way.normal),
                /// The point on the surface of the entity where the volume is deepest, in float64; NaN if it overlaps nothing.
                point: f64 = |found| found.rows().vectors(|way| way.point),
                /// The motion that separates the volume from the entity, in float64; 0 if it overlaps nothing.
                separation: f64 = |found| found.rows().vectors(|way| way.separation),
            }
        }
    )*};
}

penetration_answers! {
    /// The deepest penetrations of volumes: an array for each value, of the shape of the positions.
    Penetrations of Rows<PenetrationRow> as single {}

    /// All penetrations of volumes: the rows of volume i, the deepest first, are at splits[i] to splits[i + 1].
    AllPenetrations of Ragged<PenetrationRow> as ragged {
        /// The start of the penetrations of each volume, and at the end the number of all penetrations.
        splits: i64 = Ragged::splits,
        /// The index of each penetration's volume.
        volume: i64 = Ragged::question,
    }
}

counted_answers! {
    /// Everything that volumes overlap: the rows of volume i are at splits[i] to splits[i + 1].
    AllOverlaps of Ragged<Overlap<i64>> as ragged("volume", "overlap") by key {
        /// The start of the overlaps of each volume, and at the end the number of all overlaps.
        splits: i64 = Ragged::splits,
        /// The index of each overlap's volume.
        volume: i64 = Ragged::question,
        /// The key of the entity.
        key: i64 = |found| found.rows().column(|overlap| overlap.id),
        /// The index of the part of a compound; 0 for other entities.
        part: i64 = |found| found.rows().column(|overlap| i64::from(overlap.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: i64 = |found| found.rows().column(|overlap| or_none(overlap.triangle)),
    }
}

counted_answers! {
    /// The points at which volumes touch or overlap something: the rows of volume i are at splits[i] to splits[i + 1].
    ContactPoints of Ragged<ContactPoint<i64>> as ragged("volume", "contact point") by key {
        /// The start of the points of each volume, and at the end the number of all points.
        splits: i64 = Ragged::splits,
        /// The index of each point's volume.
        volume: i64 = Ragged::question,
        /// The key of the entity.
        key: i64 = |found| found.rows().column(|contact| contact.id),
        /// The index of the part of a compound; 0 for other entities.
        part: i64 = |found| found.rows().column(|contact| i64::from(contact.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: i64 = |found| found.rows().column(|contact| or_none(contact.triangle)),
        /// The depth of the volume at this point, along the normal.
        depth: f32 = |found| found.rows().column(|contact| contact.depth),
        /// The direction, of unit length, of the volume's shortest motion out of the triangle or part: the same for all points of one triangle or part.
        normal: f32 = |found| found.rows().vectors(|contact| contact.normal.to_array()),
        /// The point on the surface of the entity, in float64.
        point: f64 = |found| found.rows().vectors(|contact| contact.points_f64()[0].to_array()),
        /// The point on the surface of the volume, deeper by `depth`, in float64.
        on_volume: f64 = |found| found.rows().vectors(|contact| contact.points_f64()[1].to_array()),
    }
}

answers! {
    /// The entities that volumes overlap: the rows of volume i, in the order of insertion, are at splits[i] to splits[i + 1].
    Overlaps of Ragged<i64> {
        /// The start of the entities of each volume, and at the end the number of all entities.
        splits: i64 = Ragged::splits,
        /// The index of each entity's volume.
        volume: i64 = Ragged::question,
        /// The key of the entity.
        key: i64 = |found| found.rows().column(|&key| key),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.key(py)?.bind(py).len()
    }
}

/// The distance of two entities.
#[derive(Clone, Copy)]
pub(super) struct DistanceRow {
    pub(super) distance: f32,
    pub(super) points: [[f64; 3]; 2],
    pub(super) normal: [f32; 3],
    pub(super) parts: [u32; 2],
    pub(super) triangles: [i64; 2],
}

answers! {
    /// Distances of pairs of entities: an array for each value, of the shape of the keys. A dimension of 2 is for the two entities of a pair.
    Distances of Rows<DistanceRow> {
        /// The distance, 0 where the entities touch or overlap; NaN if either entity is absent or has nothing that can be touched.
        distance: f32 = |found| found.column(|pair| pair.distance),
        /// The nearest points on the first and the second entity, in float64, of shape (..., 2, 3).
        points: f64 = DistanceRow::points,
        /// The direction from the first to the second, of unit length; 0 if there is none.
        normal: f32 = |found| found.vectors(|pair| pair.normal),
        /// The indices of the parts of compounds, of shape (..., 2).
        parts: i64 = |found| found.vectors(|pair| pair.parts.map(i64::from)),
        /// The indices of the triangles, or -1, of shape (..., 2).
        triangles: i64 = |found| found.vectors(|pair| pair.triangles),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance(py)?.bind(py).len()
    }
}

counted_answers! {
    /// Penetrations of pairs of entities: an array for each value, of the shape of the keys. A dimension of 2 is for the two entities of a pair.
    PairPenetrations of Rows<Option<PairPenetration>> as single("pair", "penetration") by depth {
        /// The distance by which one of the entities has to be moved to separate the two, 0 where they touch; NaN if they do not overlap.
        depth: f32 = |found| found.column(|pair| pair.map_or(f32::NAN, |pair| pair.depth)),
        /// The direction from the first to the second, of unit length; 0 if they do not overlap.
        normal: f32 = |found| found.vectors(|pair| pair.map_or([0.0; 3], |pair| pair.normal.to_array())),
        /// The motion that takes the second out of the first, in float64; 0 if they do not overlap.
        separation: f64 = |found| found.vectors(|pair| pair.map_or([0.0; 3], |pair| pair.separation().to_array())),
        /// The deepest points on the surface of the first and the second entity, in float64, of shape (..., 2, 3).
        points: f64 = |found| {
            let points = |pair: &Option<PairPenetration>| match pair {
                Some(pair) => pair.points_f64().map(|point| point.to_array()),
                None => [[f64::NAN; 3]; 2],
            };
            let both = found.rows.iter().flat_map(points).collect();
            crate::answers::Array::of_vectors(both, &[&found.shape[..], &[2]].concat())
        },
        /// The indices of the parts of compounds, of shape (..., 2).
        parts: i64 = |found| found.vectors(|pair| pair.map_or([0; 2], |pair| pair.parts.map(i64::from))),
        /// The indices of the triangles, or -1, of shape (..., 2).
        triangles: i64 = |found| found.vectors(|pair| pair.map_or([-1; 2], |pair| pair.triangles.map(or_none))),
    }
}

counted_answers! {
    /// All penetrations of pairs of entities: the rows of pair i, the deepest first, are at splits[i] to splits[i + 1]. A dimension of 2 is for the two
    /// entities of a pair.
    AllPairPenetrations of Ragged<PairPenetration> as ragged("pair", "penetration") by depth {
        /// The start of the penetrations of each pair, and at the end the number of all penetrations.
        splits: i64 = Ragged::splits,
        /// The index of each penetration's pair.
        pair: i64 = Ragged::question,
        /// The distance by which one of the two pieces has to be moved to separate them, 0 where they touch.
        depth: f32 = |found| found.rows().column(|of| of.depth),
        /// The direction from the first to the second, of unit length.
        normal: f32 = |found| found.rows().vectors(|of| of.normal.to_array()),
        /// The motion that takes the second piece out of the first, in float64.
        separation: f64 = |found| found.rows().vectors(|of| of.separation().to_array()),
        /// The deepest points on the surface of the first and the second piece, in float64, of shape (n, 2, 3).
        points: f64 = |found| {
            let rows = found.rows();
            let both = rows.rows.iter().flat_map(|of| of.points_f64().map(|point| point.to_array())).collect();
            crate::answers::Array::of_vectors(both, &[&rows.shape[..], &[2]].concat())
        },
        /// The indices of the parts of compounds, of shape (n, 2).
        parts: i64 = |found| found.rows().vectors(|of| of.parts.map(i64::from)),
        /// The indices of the triangles, or -1, of shape (n, 2).
        triangles: i64 = |found| found.rows().vectors(|of| of.triangles.map(or_none)),
    }
}

impl DistanceRow {
    fn points(found: &Rows<Self>) -> crate::answers::Array<f64> {
        let both = found.rows.iter().flat_map(|pair| pair.points).collect();
        crate::answers::Array::of_vectors(both, &[&found.shape[..], &[2]].concat())
    }
}

impl Overlaps {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        ragged(py, "Overlaps", &self.splits(py)?, "volume", "overlap")
    }
}

impl Distances {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (pairs, apart) = tally(py, &self.distance(py)?, "__gt__")?;
        Ok(format!("<hitscan.Distances: {}, {apart} apart>", counted(pairs, "pair")))
    }
}
