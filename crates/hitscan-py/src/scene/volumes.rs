//! Questions about volumes that move, and about volumes at rest.

use super::Scene;
use super::ask::scene_questions;
use super::volume_answers::{
    AllOverlaps, AllPenetrations, AllSweeps, ContactPoints, Overlaps, PenetrationRow, Penetrations, SweepRow, Sweeps,
};
use crate::answers::{Rows, feature_number, or_none, start_number};
use crate::arguments::{Points, common_shape, common_shape_of_keys, keys};
use crate::arrays::shaped;
use crate::each::{each, each_of_many};
use crate::error;
use crate::form::Shape;
use crate::poses::Poses;
use hitscan::query::{ContactPoint, Overlap, Penetration};
use hitscan::{ContactFilter, ProximityQueries, SweepHit, SweepQueries, View};
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The least number of volumes that a thread takes at a time.
const LEAST: usize = 16;

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

    fn of(hit: Option<SweepHit<i64>>) -> Self {
        hit.as_ref().map_or(Self::NONE, Self::new)
    }

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
            start: start_number(hit.start),
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

/// Returns volumes at positions, for as many motions; there may be a single position or a single motion for all.
macro_rules! motions {
    ($volume:ident, $positions:ident, $motions:ident, $rotations:ident) => {{
        let positions = Points::new($positions, "positions")?;
        let shape = common_shape(("positions", positions.shape()), ("motions", $motions.shape()), &[3])?;
        Poses::new($volume, &positions, shape, $rotations)?
    }};
}

scene_questions! {
    /// Moves a volume from each position by a motion, and returns its first contact.
    ///
    /// `volume` is a `Shape`. `positions` and `motions` have the shape (..., 3), and either may be a single vector;
    /// `rotations` are quaternions (x, y, z, w). With `contacts="ahead"`, a contact at the start does not count if the
    /// motion leads away from it, so that a ball slides on the floor that it lies on. `layers`, `exclude` and `only`
    /// are as for `cast`.
    fn sweep(
        asked;
        volume: &Shape, positions: &Bound<'py, PyAny>, motions: &Bound<'py, PyAny>;
        rotations: Option<&Bound<'py, PyAny>> = None, contacts: &str = "all"
    ) -> Sweeps {
        let (motions, contacts) = (Points::new(motions, "motions")?, self::contacts(contacts)?);
        let (poses, motions) = (motions!(volume, positions, motions, rotations), motions.slice()?);
        let rows = asked.each(poses.count(), LEAST, |view, place| {
            let view = view.contact_filter(contacts);
            SweepRow::of(view.sweep(&poses.volume, poses.get(place), motions.get_or_only(place)))
        })?;
        Ok(Sweeps::new(Rows::new(rows, &poses.shape)))
    }

    /// Moves a volume from each position by a motion, and returns every contact, in order. It takes the arguments of `sweep`.
    fn sweep_all(
        asked;
        volume: &Shape, positions: &Bound<'py, PyAny>, motions: &Bound<'py, PyAny>;
        rotations: Option<&Bound<'py, PyAny>> = None, contacts: &str = "all"
    ) -> AllSweeps {
        let (motions, contacts) = (Points::new(motions, "motions")?, self::contacts(contacts)?);
        let (poses, motions) = (motions!(volume, positions, motions, rotations), motions.slice()?);
        Ok(AllSweeps::new(asked.many(poses.count(), |view, place, piece, hits: &mut Vec<SweepHit<i64>>| {
            let view = view.contact_filter(contacts);
            view.sweep_all(&poses.volume, poses.get(place), motions.get_or_only(place), hits);
            piece.add(hits.iter().map(SweepRow::new));
        })?))
    }

    /// Moves and rotates a volume from each position to an end position, and returns its first contact.
    ///
    /// It moves along a straight line, and rotates evenly by the smaller angle from `rotations` to `end_rotations`, which are `rotations` if they are not
    /// given. It takes the other arguments of `sweep`.
    fn sweep_rotating(
        asked;
        volume: &Shape, positions: &Bound<'py, PyAny>, end_positions: &Bound<'py, PyAny>;
        rotations: Option<&Bound<'py, PyAny>> = None, end_rotations: Option<&Bound<'py, PyAny>> = None, contacts: &str = "all"
    ) -> Sweeps {
        let (starts, ends) = (Points::new(positions, "positions")?, Points::new(end_positions, "end_positions")?);
        let shape = common_shape(("positions", starts.shape()), ("end_positions", ends.shape()), &[3])?;
        let starts = Poses::new(volume, &starts, shape.clone(), rotations)?;
        // Without `end_rotations`, the volume does not turn.
        let end_rotations = end_rotations.map_or((rotations, "rotations"), |given| (Some(given), "end_rotations"));
        let ends = Poses::named(volume, &ends, shape, end_rotations)?;
        let contacts = self::contacts(contacts)?;
        let (rows, shape) = asked.apart(starts.count(), move |view| {
            let view = view.contact_filter(contacts);
            let rows = each(starts.count(), 1, |place| {
                SweepRow::of(view.sweep_rotating(&starts.volume, starts.get(place), ends.get(place)))
            });
            (rows, starts.shape)
        })?;
        Ok(Sweeps::new(Rows::new(rows, &shape)))
    }

    /// Moves each entity by a motion from its present position, and returns the first contact with another entity. The scene stays as it is.
    ///
    /// All convex parts of the entity move, but not its meshes; an absent key hits nothing. `motions` has the shape (..., 3), and there
    /// may be a single key or a single motion for all. It takes the other arguments of `sweep`, which choose the obstacles.
    fn sweep_entity(
        asked;
        keys: &Bound<'py, PyAny>, motions: &Bound<'py, PyAny>;
        contacts: &str = "all"
    ) -> Sweeps {
        let (moving, motions) = (self::keys(keys, "keys")?, Points::new(motions, "motions")?);
        let shape = common_shape_of_keys(("keys", &moving.shape), ("motions", motions.shape()))?;
        let (motions, contacts) = (motions.slice()?, self::contacts(contacts)?);
        let rows = asked.each(shape.iter().product(), LEAST, |view, place| {
            let (key, motion) = (moving.get_or_only(place), motions.get_or_only(place));
            SweepRow::of(hitscan::query::sweep_entity(view.contact_filter(contacts), &key, motion))
        })?;
        Ok(Sweeps::new(Rows::new(rows, &shape)))
    }
}

/// Makes methods of `Scene` about a volume at positions.
macro_rules! volume_questions {
    ($($(#[$about:meta])* fn $name:ident($asked:ident, $poses:ident) -> $answer:ty $body:block)*) => {
        scene_questions! {$(
            $(#[$about])*
            fn $name(
                $asked;
                volume: &Shape, positions: &Bound<'py, PyAny>;
                rotations: Option<&Bound<'py, PyAny>> = None
            ) -> $answer {
                let positions = Points::new(positions, "positions")?;
                let $poses = Poses::new(volume, &positions, positions.shape().to_vec(), rotations)?;
                $body
            }
        )*}
    };
}

volume_questions! {
    /// Returns for each position whether a volume there overlaps or touches anything. It takes the arguments of `sweep`.
    fn overlaps(asked, poses) -> Bound<'py, PyArrayDyn<bool>> {
        let ask = |view: View<'_, i64>, place| view.overlaps(&poses.volume, poses.get(place));
        let overlaps = asked.each(poses.count(), LEAST, ask)?;
        shaped(asked.py, overlaps, &poses.shape)
    }

    /// Returns the keys of all entities that a volume overlaps or touches at each position. It takes the arguments of `sweep`.
    fn overlap_entities(asked, poses) -> Overlaps {
        Ok(Overlaps::new(asked.many(poses.count(), |view, place, piece, keys: &mut Vec<i64>| {
            view.overlap_entities(&poses.volume, poses.get(place), keys);
            piece.add(keys.iter().copied());
        })?))
    }

    /// Returns everything that a volume overlaps or touches at each position: each triangle, and each other part. It takes the arguments of `sweep`.
    fn overlap_all(asked, poses) -> AllOverlaps {
        Ok(AllOverlaps::new(asked.many(poses.count(), |view, place, piece, found: &mut Vec<Overlap<i64>>| {
            view.overlap_all(&poses.volume, poses.get(place), found);
            piece.add(found.iter().copied());
        })?))
    }

    /// Returns the deepest penetration of a volume at each position, and the motion that ends it. It takes the arguments of `sweep`.
    fn penetration(asked, poses) -> Penetrations {
        // A single penetration depth among tens of thousands of triangles takes seconds.
        let (rows, shape) = asked.apart(poses.count(), move |view| {
            let rows = each(poses.count(), LEAST, |place| {
                let found = view.penetration(&poses.volume, poses.get(place));
                found.as_ref().map_or(PenetrationRow::NONE, PenetrationRow::new)
            });
            (rows, poses.shape)
        })?;
        Ok(Penetrations::new(Rows::new(rows, &shape)))
    }

    /// Returns everything that a volume overlaps or touches at each position, the deepest first, each with the motion that separates the volume from it. It
    /// takes the arguments of `sweep`.
    fn penetration_all(asked, poses) -> AllPenetrations {
        Ok(AllPenetrations::new(asked.apart(poses.count(), move |view| {
            each_of_many(poses.count(), |place, piece, found: &mut Vec<Penetration<i64>>| {
                view.penetration_all(&poses.volume, poses.get(place), found);
                piece.add(found.iter().map(PenetrationRow::new));
            })
        })?))
    }

    /// Returns the points at which a volume touches or overlaps something at each position: one to four points with a common normal, for each triangle and
    /// each other part. It takes the arguments of `sweep`.
    fn contact_points(asked, poses) -> ContactPoints {
        Ok(ContactPoints::new(asked.apart(poses.count(), move |view| {
            each_of_many(poses.count(), |place, piece, found: &mut Vec<ContactPoint<i64>>| {
                view.contact_points(&poses.volume, poses.get(place), found);
                piece.add(found.iter().copied());
            })
        })?))
    }
}
