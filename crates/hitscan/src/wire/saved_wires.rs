//! The point clouds and polylines of a scene, each saved once.

use super::{PointCloud, Polyline};
use crate::error::ReadError;
use crate::save::{Reader, Writer, row_of_vec3, vec3};
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Clouds and polylines, numbered in the order of their first use.
#[derive(Default)]
pub(crate) struct SavedWires<'a> {
    clouds: NumberedWires<'a, PointCloud>,
    lines: NumberedWires<'a, Polyline>,
}

/// Clouds or polylines by their numbers. Two equal clouds with separate data have two numbers, and so have two polylines.
struct NumberedWires<'a, T> {
    things: Vec<&'a T>,
    /// The numbers, by the addresses of the data.
    known: HashMap<usize, u32>,
}

impl<T> Default for NumberedWires<'_, T> {
    fn default() -> Self {
        Self { things: Vec::new(), known: HashMap::new() }
    }
}

impl<'a, T> NumberedWires<'a, T> {
    fn number(&mut self, thing: &'a T, address: usize) -> u32 {
        *self.known.entry(address).or_insert_with(|| {
            self.things.push(thing);
            self.things.len() as u32 - 1
        })
    }
}

/// The clouds and polylines of a scene that is being read, by their numbers.
pub(crate) struct ReadWires {
    pub(crate) clouds: Vec<PointCloud>,
    pub(crate) lines: Vec<Polyline>,
}

impl<'a> SavedWires<'a> {
    /// Returns the number of a cloud. A cloud that has no number yet gets the next one.
    pub(crate) fn cloud(&mut self, cloud: &'a PointCloud) -> u32 {
        self.clouds.number(cloud, Arc::as_ptr(&cloud.shared).addr())
    }

    /// Returns the number of a polyline. A polyline that has no number yet gets the next one.
    pub(crate) fn line(&mut self, line: &'a Polyline) -> u32 {
        self.lines.number(line, Arc::as_ptr(&line.shared).addr())
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        to.count(self.clouds.things.len());
        self.clouds.things.iter().for_each(|cloud| to.rows(cloud.positions().iter().map(row_of_vec3)));
        to.count(self.lines.things.len());
        for line in &self.lines.things {
            to.rows(line.positions().iter().map(row_of_vec3));
            let lengths: Vec<[u8; 4]> = line.strips().map(|strip| (strip.len() as u32).to_le_bytes()).collect();
            to.rows(lengths.into_iter());
        }
    }
}

impl ReadWires {
    /// Reads data that [`SavedWires::write`] wrote.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let count = from.count(size_of::<u64>())?;
        let clouds = (0..count).map(|index| read_cloud(from, index)).collect::<Result<_, _>>()?;
        let count = from.count(2 * size_of::<u64>())?;
        let lines = (0..count).map(|index| read_polyline(from, index)).collect::<Result<_, _>>()?;
        Ok(Self { clouds, lines })
    }
}

fn read_cloud(from: &mut Reader<'_>, index: usize) -> Result<PointCloud, ReadError> {
    let positions = from.rows()?.iter().map(vec3).collect();
    let fault = "has a point that is not finite";
    PointCloud::from_positions(positions).map_err(|_| ReadError::Invalid { item: "point cloud", index, fault })
}

fn read_polyline(from: &mut Reader<'_>, index: usize) -> Result<Polyline, ReadError> {
    let invalid = ReadError::Invalid { item: "polyline", index, fault: "has points or strips that cannot be" };
    let positions: Vec<_> = from.rows()?.iter().map(vec3).collect();
    let lengths: Vec<usize> = from.rows()?.iter().map(|bytes| u32::from_le_bytes(*bytes) as usize).collect();
    let total = lengths.iter().try_fold(0usize, |total, &length| total.checked_add(length));
    if total != Some(positions.len()) {
        return Err(invalid);
    }
    Polyline::from_parts(positions, &lengths).map_err(|_| invalid)
}
