//! The classes of answers about volumes and pairs.

use crate::answers::{Ragged, Rows, answers, counted, ragged, tally};
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

answers! {
    /// The first hits of moving volumes: an array for each value, of the shape of the positions.
    Sweeps of Rows<SweepRow> {
        /// The key of the entity, or -1 if nothing is hit.
        key: |hits| hits.column(|hit| hit.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |hits| hits.column(|hit| i64::from(hit.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: |hits| hits.column(|hit| hit.triangle),
        /// The fraction of the motion, from 0 to 1, in float64; infinity if nothing is hit.
        t: |hits| hits.column(|hit| hit.t),
        /// The point of contact on the entity, in float64; NaN if nothing is hit.
        point: |hits| hits.vectors(|hit| hit.point),
        /// The direction from that point to the volume, of unit length.
        normal: |hits| hits.vectors(|hit| hit.normal),
        /// The normal of the entity's own surface there, on the volume's side.
        surface_normal: |hits| hits.vectors(|hit| hit.surface_normal),
        /// The part of a triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
        feature: |hits| hits.column(|hit| hit.feature),
        /// The state at the start: 0 apart, 1 touching, 2 penetrating; -1 if nothing is hit.
        start: |hits| hits.column(|hit| hit.start),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.t(py)?.bind(py).len()
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

answers! {
    /// The deepest penetrations of volumes: an array for each value, of the shape of the positions.
    Penetrations of Rows<PenetrationRow> {
        /// The key of the entity, or -1 if the volume overlaps nothing.
        key: |found| found.column(|way| way.key),
        /// The index of the part of a compound; 0 for other entities.
        part: |found| found.column(|way| i64::from(way.part)),
        /// The index of the triangle of a mesh or height field, or -1.
        triangle: |found| found.column(|way| way.triangle),
        /// The distance that the volume has to be moved to get out; NaN if it overlaps nothing.
        depth: |found| found.column(|way| way.depth),
        /// The direction to move the volume in, of unit length.
        normal: |found| found.vectors(|way| way.normal),
        /// The point on the surface of the entity where the volume is deepest, in float64; NaN if it overlaps nothing.
        point: |found| found.vectors(|way| way.point),
        /// The motion that takes the volume out, in float64; 0 if it overlaps nothing.
        separation: |found| found.vectors(|way| way.separation),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.depth(py)?.bind(py).len()
    }
}

answers! {
    /// The entities that volumes overlap: those of volume i, in the order of insertion, are at splits[i] to splits[i + 1].
    Overlaps of Ragged<i64> {
        /// The start of the entities of each volume, and at the end the number of all.
        splits: Ragged::splits,
        /// The index of each entity's volume.
        volume: Ragged::question,
        /// The key of the entity.
        key: |found| found.rows().column(|&key| key),
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
    /// Distances of pairs of entities: an array for each value, of the shape of the keys. The last dimension of 2 is the pair's.
    Distances of Rows<DistanceRow> {
        /// The distance, 0 where they touch or overlap; NaN if one of them is absent or has nothing that can be touched.
        distance: |found| found.column(|pair| pair.distance),
        /// The nearest points on the first and the second entity, in float64, of shape (..., 2, 3).
        points: DistanceRow::points,
        /// The direction from the first to the second, of unit length; 0 if there is none.
        normal: |found| found.vectors(|pair| pair.normal),
        /// The indices of the parts of compounds, of shape (..., 2).
        parts: |found| found.vectors(|pair| pair.parts.map(i64::from)),
        /// The indices of the triangles, or -1, of shape (..., 2).
        triangles: |found| found.vectors(|pair| pair.triangles),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.distance(py)?.bind(py).len()
    }
}

impl DistanceRow {
    fn points(found: &Rows<Self>) -> crate::answers::Array<f64> {
        let both = found.rows.iter().flat_map(|pair| pair.points).collect();
        crate::answers::Array::of_vectors(both, &[&found.shape[..], &[2]].concat())
    }
}

impl Sweeps {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (volumes, hits) = tally(py, &self.key(py)?, "__ge__")?;
        Ok(format!("<hitscan.Sweeps: {}, {}>", counted(volumes, "volume"), counted(hits, "hit")))
    }
}

impl Penetrations {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (volumes, found) = tally(py, &self.key(py)?, "__ge__")?;
        Ok(format!("<hitscan.Penetrations: {}, {found} of them overlapping>", counted(volumes, "volume")))
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
