//! Questions with volumes: moving ones, and ones that stand still.

use super::Scene;
use super::answers::{feature_number, or_none};
use super::choice::Choice;
use super::volume_answers::{Overlaps, PenetrationRow, Penetrations, SweepRow, Sweeps};
use crate::answers::Rows;
use crate::arguments::{Layers, Points, Rotations, ThreadCount, common_shape};
use crate::each::{each, each_of_many};
use crate::error;
use crate::form::Shape;
use crate::mesh::shaped;
use crate::threads::{FEW, Threads};
use hitscan::glam::{DQuat, DVec3};
use hitscan::{ContactFilter, Penetration, Pose, ProximityQueries, SweepHit, SweepQueries, SweepStart, Volume};
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The least number of volumes that a thread takes at a time.
const LEAST: usize = 16;

/// A volume in several places.
struct Poses {
    volume: Volume,
    positions: Vec<DVec3>,
    /// No rotation, or one for each position.
    rotations: Vec<DQuat>,
    shape: Vec<usize>,
}

impl Poses {
    fn new(
        volume: &Shape,
        positions: &Points<'_>,
        shape: Vec<usize>,
        rotations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let count = shape.iter().product();
        let slice = positions.slice()?;
        let rotations = Rotations::new(rotations, &shape)?.all(count)?;
        let positions = (0..count).map(|place| slice.get_or_only(place)).collect();
        Ok(Self { volume: volume.volume()?, positions, rotations, shape })
    }

    fn count(&self) -> usize {
        self.positions.len()
    }

    fn get(&self, place: usize) -> Pose {
        let rotation = self.rotations.get(place).copied().unwrap_or(DQuat::IDENTITY);
        (self.positions[place], rotation).into()
    }
}

fn contacts(word: &str) -> PyResult<ContactFilter> {
    match word {
        "all" => Ok(ContactFilter::All),
        "ahead" => Ok(ContactFilter::Ahead),
        _ => Err(error::value(format!("contacts is {word:?}, but must be \"all\" or \"ahead\""))),
    }
}

impl SweepRow {
    const NONE: Self = Self {
        key: -1,
        part: 0,
        triangle: -1,
        t: f64::INFINITY,
        point: [f64::NAN; 3],
        normal: [0.0; 3],
        surface_normal: [0.0; 3],
        feature: 0,
        start: -1,
    };

    fn new(hit: &SweepHit<i64>) -> Self {
        Self {
            key: hit.id,
            part: hit.part,
            triangle: or_none(hit.triangle),
            t: hit.t_f64(),
            point: hit.point_f64().to_array(),
            normal: hit.normal.to_array(),
            surface_normal: hit.surface_normal.to_array(),
            feature: feature_number(hit.feature),
            start: match hit.start {
                SweepStart::Apart => 0,
                SweepStart::Touching => 1,
                SweepStart::Penetrating => 2,
            },
        }
    }
}

impl PenetrationRow {
    const NONE: Self = Self {
        key: -1,
        part: 0,
        triangle: -1,
        depth: f32::NAN,
        normal: [0.0; 3],
        point: [f64::NAN; 3],
        separation: [0.0; 3],
    };

    fn new(found: &Penetration<i64>) -> Self {
        Self {
            key: found.id,
            part: found.part,
            triangle: or_none(found.triangle),
            depth: found.depth,
            normal: found.normal.to_array(),
            point: found.point_f64().to_array(),
            separation: found.separation().to_array(),
        }
    }
}

#[pymethods]
impl Scene {
    /// Moves a volume from each position by a motion, and returns what it hits first.
    ///
    /// `volume` is a `Shape`. `positions` and `motions` have the shape (..., 3), and either may be a single one;
    /// `rotations` are quaternions (x, y, z, w). With `contacts="ahead"` contacts at the start that the motion leaves
    /// do not count, so that a ball slides on the floor that it lies on. `layers`, `exclude` and `only` are as for
    /// `cast`.
    #[pyo3(signature = (volume, positions, motions, *, rotations = None, contacts = "all", layers = None, exclude = None, only = None, threads = None))]
    fn sweep(
        &self,
        py: Python<'_>,
        volume: &Shape,
        positions: &Bound<'_, PyAny>,
        motions: &Bound<'_, PyAny>,
        rotations: Option<&Bound<'_, PyAny>>,
        contacts: &str,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Sweeps> {
        let (positions, motions) = (Points::new(positions, "positions")?, Points::new(motions, "motions")?);
        let shape = common_shape(("positions", positions.shape()), ("motions", motions.shape()), &[3])?;
        let (poses, motions) = (Poses::new(volume, &positions, shape, rotations)?, motions.slice()?);
        let (choice, contacts, threads) =
            (Choice::new(layers, exclude, only)?, self::contacts(contacts)?, Threads::new(threads)?);
        let (world, filter) = (self.world(), choice.filter());
        let view = world.scene.with(&filter).contact_filter(contacts);
        let rows = threads.run(py, poses.count(), || {
            each(poses.count(), LEAST, |place| {
                let hit = view.sweep(&poses.volume, poses.get(place), motions.get_or_only(place));
                hit.as_ref().map_or(SweepRow::NONE, SweepRow::new)
            })
        })?;
        Ok(Sweeps::new(Rows::new(rows, &poses.shape)))
    }

    /// Returns for each position whether a volume there overlaps or touches anything. The arguments are those of `sweep`.
    #[pyo3(signature = (volume, positions, *, rotations = None, layers = None, exclude = None, only = None, threads = None))]
    fn overlaps<'py>(
        &self,
        py: Python<'py>,
        volume: &Shape,
        positions: &Bound<'py, PyAny>,
        rotations: Option<&Bound<'py, PyAny>>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let positions = Points::new(positions, "positions")?;
        let poses = Poses::new(volume, &positions, positions.shape().to_vec(), rotations)?;
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        let filter = choice.filter();
        let view = world.scene.with(&filter);
        let ask = |place| view.overlaps(&poses.volume, poses.get(place));
        let overlaps = threads.run(py, poses.count(), || each(poses.count(), LEAST, ask))?;
        shaped(py, overlaps, &poses.shape)
    }

    /// Returns the keys of all entities that a volume overlaps or touches at each position. The arguments are those of `sweep`.
    #[pyo3(signature = (volume, positions, *, rotations = None, layers = None, exclude = None, only = None, threads = None))]
    fn overlap_entities(
        &self,
        py: Python<'_>,
        volume: &Shape,
        positions: &Bound<'_, PyAny>,
        rotations: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Overlaps> {
        let positions = Points::new(positions, "positions")?;
        let poses = Poses::new(volume, &positions, positions.shape().to_vec(), rotations)?;
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        let filter = choice.filter();
        let view = world.scene.with(&filter);
        let found = threads.run(py, poses.count(), || {
            each_of_many(poses.count(), |place, piece, keys: &mut Vec<i64>| {
                view.overlap_entities(&poses.volume, poses.get(place), keys);
                piece.add(keys.iter().copied());
            })
        })?;
        Ok(Overlaps::new(found))
    }

    /// Returns how deep a volume is in its surroundings at each position, and the way out of the deepest. The arguments are those of `sweep`.
    #[pyo3(signature = (volume, positions, *, rotations = None, layers = None, exclude = None, only = None, threads = None))]
    fn penetration(
        &self,
        py: Python<'_>,
        volume: &Shape,
        positions: &Bound<'_, PyAny>,
        rotations: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Penetrations> {
        let positions = Points::new(positions, "positions")?;
        let poses = Poses::new(volume, &positions, positions.shape().to_vec(), rotations)?;
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        // A single depth among tens of thousands of triangles takes seconds.
        let work = if poses.count() < FEW { world.work() } else { usize::MAX };
        let (rows, shape) = threads.run_apart(py, work, move || {
            let filter = choice.filter();
            let view = world.scene.with(&filter);
            let rows = each(poses.count(), LEAST, |place| {
                let found = view.penetration(&poses.volume, poses.get(place));
                found.as_ref().map_or(PenetrationRow::NONE, PenetrationRow::new)
            });
            (rows, poses.shape)
        })?;
        Ok(Penetrations::new(Rows::new(rows, &shape)))
    }
}
