//! Sweeps of volumes against a single mesh or height field, in its own space.

use crate::answers::{Rows, counted_answers, feature_number, start_number};
use crate::arguments::{Points, ThreadCount, common_shape};
use crate::each::each;
use crate::form::Shape;
use crate::height_field::HeightField;
use crate::mesh::Mesh;
use crate::poses::Poses;
use crate::threads::Threads;
use hitscan::glam::DVec3;
use hitscan::query::MeshContact;
use hitscan::{Pose, Side, Volume};
use pyo3::prelude::*;

/// The least number of volumes that a thread takes at a time.
const LEAST: usize = 16;

/// The first contact of a moving volume with a mesh or height field, or none.
#[derive(Clone, Copy)]
pub(crate) struct ContactRow {
    triangle: i64,
    t: f32,
    point: [f64; 3],
    normal: [f32; 3],
    feature: i8,
    side: i8,
    start: i8,
}

counted_answers! {
    /// The first contacts of moving volumes with a single mesh or height field: an array for each value, of the shape of the positions.
    MeshSweeps of Rows<ContactRow> as single("volume", "hit") by triangle {
        /// The index of the triangle, or -1 if nothing is hit.
        triangle: i64 = |hits| hits.column(|hit| hit.triangle),
        /// The fraction of the motion, from 0 to 1; infinity if nothing is hit.
        t: f32 = |hits| hits.column(|hit| hit.t),
        /// The point of contact on the triangle, in float64; NaN if nothing is hit.
        point: f64 = |hits| hits.vectors(|hit| hit.point),
        /// The direction from that point to the volume, of unit length.
        normal: f32 = |hits| hits.vectors(|hit| hit.normal),
        /// The part of the triangle: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
        feature: i8 = |hits| hits.column(|hit| hit.feature),
        /// The side of the triangle that the volume is on: 1 the front, -1 the back, 0 if nothing is hit.
        side: i8 = |hits| hits.column(|hit| hit.side),
        /// The state at the start: 0 apart, 1 touching, 2 penetrating; -1 if nothing is hit.
        start: i8 = |hits| hits.column(|hit| hit.start),
    }
}

impl ContactRow {
    const NONE: Self =
        Self { triangle: -1, t: f32::INFINITY, point: [f64::NAN; 3], normal: [0.0; 3], feature: 0, side: 0, start: -1 };

    fn new(hit: &MeshContact, origin: DVec3) -> Self {
        Self {
            triangle: i64::from(hit.triangle),
            t: hit.t,
            point: (hit.point.as_dvec3() + origin).to_array(),
            normal: hit.normal.to_array(),
            feature: feature_number(hit.feature),
            side: if hit.side == Side::Back { -1 } else { 1 },
            start: start_number(hit.start),
        }
    }
}

/// Returns the first contacts of volumes with something whose coordinates are relative to an origin.
fn first_contacts(
    py: Python<'_>,
    (poses, motions): (&Poses, &Points<'_>),
    threads: Option<ThreadCount>,
    origin: DVec3,
    sweep: impl Fn(&Volume, Pose, DVec3) -> Option<MeshContact> + Sync + Send,
) -> PyResult<MeshSweeps> {
    let (motions, threads) = (motions.slice()?, Threads::new(threads)?);
    let row = |place| {
        let hit = sweep(&poses.volume, poses.relative_to(origin, place), motions.get_or_only(place));
        hit.map_or(ContactRow::NONE, |hit| ContactRow::new(&hit, origin))
    };
    let rows = threads.run(py, poses.count(), || each(poses.count(), LEAST, row))?;
    Ok(MeshSweeps::new(Rows::new(rows, &poses.shape)))
}

/// Makes the method `sweep` of classes, given the surface of each class and its origin.
macro_rules! local_sweeps {
    ($($class:ident($this:ident): $surface:expr, $origin:expr;)*) => {$(
        #[pymethods]
        impl $class {
            /// Moves a volume from each position by a motion, and returns the first triangle that it touches. The arguments are as for `Scene.sweep`.
            #[pyo3(signature = (volume, positions, motions, *, rotations = None, threads = None))]
            fn sweep(
                slf: &Bound<'_, Self>,
                volume: &Shape,
                positions: &Bound<'_, PyAny>,
                motions: &Bound<'_, PyAny>,
                rotations: Option<&Bound<'_, PyAny>>,
                threads: Option<ThreadCount>,
            ) -> PyResult<MeshSweeps> {
                let ($this, positions, motions) =
                    (slf.get(), Points::new(positions, "positions")?, Points::new(motions, "motions")?);
                let shape = common_shape(("positions", positions.shape()), ("motions", motions.shape()), &[3])?;
                let poses = Poses::new(volume, &positions, shape, rotations)?;
                let sweep = |volume: &Volume, from, motion| $surface.sweep(volume, from, motion);
                first_contacts(slf.py(), (&poses, &motions), threads, $origin, sweep)
            }
        }
    )*};
}

local_sweeps! {
    Mesh(this): this.surface.mesh, this.surface.origin;
    HeightField(this): this.field, DVec3::ZERO;
}
