//! Volumes at several poses.

use crate::arguments::{Points, Rotations};
use crate::form::Shape;
use hitscan::glam::{DQuat, DVec3};
use hitscan::{Pose, Volume};
use pyo3::prelude::*;

/// A volume at several poses.
pub(crate) struct Poses {
    pub(crate) volume: Volume,
    positions: Vec<DVec3>,
    /// No rotation, or one for each position.
    rotations: Vec<DQuat>,
    pub(crate) shape: Vec<usize>,
}

impl Poses {
    /// Takes positions: one for each element of an array of this shape, or a single one for all.
    pub(crate) fn new(
        volume: &Shape,
        positions: &Points<'_>,
        shape: Vec<usize>,
        rotations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::named(volume, positions, shape, (rotations, "rotations"))
    }

    /// Does the same as [`new`](Self::new), with another name of the rotations for error messages.
    pub(crate) fn named(
        volume: &Shape,
        positions: &Points<'_>,
        shape: Vec<usize>,
        (rotations, name): (Option<&Bound<'_, PyAny>>, &'static str),
    ) -> PyResult<Self> {
        let count = shape.iter().product();
        let slice = positions.slice()?;
        let rotations = Rotations::new(rotations, &shape, name)?.all(count)?;
        let positions = (0..count).map(|place| slice.get_or_only(place)).collect();
        Ok(Self { volume: volume.volume()?, positions, rotations, shape })
    }

    pub(crate) fn count(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn get(&self, place: usize) -> Pose {
        let rotation = self.rotations.get(place).copied().unwrap_or(DQuat::IDENTITY);
        (self.positions[place], rotation).into()
    }

    /// Returns the pose at an index, relative to an origin.
    pub(crate) fn relative_to(&self, origin: DVec3, place: usize) -> Pose {
        let Pose { position, rotation } = self.get(place);
        (position - origin, rotation).into()
    }
}
