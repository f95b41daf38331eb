//! Helpers for games: shots, explosions, the arm of a camera, and ledges.

use super::Scene;
use super::ask::scene_questions;
use super::choice::Choice;
use super::hits::{HitRow, LegRow, ShotLegs};
use super::paths::direction;
use super::rays::RayOptions;
use crate::answers::{Ragged, Rows, counted_answers, or_none, side_number};
use crate::arguments::{Points, common_shape};
use crate::each::each_of_many;
use crate::error;
use crate::interrupt;
use crate::rays::{FirstFault, RayArrays, Unusable, cull as cull_of};
use hitscan::gameplay::{ArmEnd, BlastHit, CameraArm, Impact, Ledge, LedgeProbe, blast, shoot};
use hitscan::glam::DVec3;
use hitscan::query::SightView;
use hitscan::{Hit, Ray};
use pyo3::prelude::*;

/// The hit of a shot, which `Scene.shoot` passes to its function `impact`.
#[pyclass(frozen, module = "hitscan", get_all)]
pub(crate) struct ShotHit {
    /// The index of the shot.
    ray: usize,
    /// The key of the entity.
    key: i64,
    /// The index of the part of a compound; 0 for other entities.
    part: u32,
    /// The index of the triangle of a mesh or height field, or -1.
    triangle: i64,
    /// The distance from the start of the leg, in the world's units.
    t: f32,
    /// The point that was hit.
    point: [f64; 3],
    /// The surface's own outward (front) normal, of unit length.
    normal: [f32; 3],
    /// The side that was hit: 1 the front, -1 the back, 2 the inside of a solid, with `inside="solid"` alone.
    side: i8,
    /// The direction of the leg, of unit length.
    direction: [f32; 3],
}

#[pymethods]
impl ShotHit {
    fn __repr__(&self) -> String {
        format!("<hitscan.ShotHit: entity {} at {:?}>", self.key, self.point)
    }
}

/// The decision how a shot goes on after a hit: always the same, or made by a function.
enum Impacts {
    Always(Impact),
    Function(Py<PyAny>),
}

impl Impacts {
    fn new(given: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match given {
            None => Ok(Self::Always(Impact::Stop)),
            Some(function) if function.is_callable() => Ok(Self::Function(function.clone().unbind())),
            Some(word) => impact(word, "impact is").map(Self::Always),
        }
    }

    fn of(&self, shot: usize, ray: &Ray, hit: &Hit<i64>) -> Impact {
        let function = match self {
            Self::Always(impact) => return *impact,
            Self::Function(function) => function,
        };
        let hit = ShotHit {
            ray: shot,
            key: hit.id,
            part: hit.part,
            triangle: or_none(hit.triangle),
            t: hit.t,
            point: hit.point_f64().to_array(),
            normal: hit.normal.to_array(),
            side: side_number(hit.side),
            direction: ray.direction.to_array(),
        };
        let asked = Python::attach(|py| impact(&function.bind(py).call1((hit,))?, "impact returned"));
        asked.unwrap_or_else(|fault| interrupt::leave(fault))
    }
}

/// Takes the word for an impact.
fn impact(word: &Bound<'_, PyAny>, what: &str) -> PyResult<Impact> {
    match word.extract::<String>().as_deref() {
        Ok("stop") => Ok(Impact::Stop),
        Ok("ricochet") => Ok(Impact::Ricochet),
        Ok("pass_through") => Ok(Impact::PassThrough),
        _ => {
            let given = word.repr()?;
            Err(error::value(format!("{what} {given}, but must be \"stop\", \"ricochet\" or \"pass_through\"")))
        }
    }
}

/// Takes a number that must be finite and above 0.
fn positive(number: f64, name: &str) -> PyResult<f64> {
    match number > 0.0 && (number as f32).is_finite() {
        true => Ok(number),
        false => Err(error::value(format!("{name} is {number}, but must be finite and above 0"))),
    }
}

counted_answers! {
    /// The entities that explosions reach: the rows of explosion i, the nearest first, are at splits[i] to splits[i + 1].
    BlastHits of Ragged<(BlastHit<i64>, DVec3)> as ragged("explosion", "entity") by key {
        /// The start of the entities of each explosion, and at the end the number of all entities.
        splits: i64 = Ragged::splits,
        /// The index of each entity's explosion.
        explosion: i64 = Ragged::question,
        /// The key of the entity.
        key: i64 = |found| found.rows().column(|(hit, _)| hit.id),
        /// The entity's nearest point, in float64.
        point: f64 = |found| found.rows().vectors(|(hit, center)| (hit.point.as_dvec3() + center).to_array()),
        /// The distance to that point; 0 if the center is inside.
        distance: f32 = |found| found.rows().column(|(hit, _)| hit.distance),
        /// True if another entity is between the center and that point.
        is_covered: bool = |found| found.rows().column(|(hit, _)| hit.is_covered),
    }
}

counted_answers! {
    /// The ends of camera arms: an array for each value, of the shape of the targets.
    ArmEnds of Rows<ArmEnd<i64>> as single("arm", "blocked one") by key {
        /// The position of the camera, in float64.
        position: f64 = |ends| ends.vectors(|end| end.position.to_array()),
        /// The camera's distance from the target, in float64.
        length: f64 = |ends| ends.column(|end| end.length),
        /// The key of the entity that blocks the full length, or -1.
        key: i64 = |ends| ends.column(|end| end.blocked_by.unwrap_or(-1)),
    }
}

counted_answers! {
    /// The ledges ahead: an array for each value, of the shape of the feet.
    Ledges of Rows<Option<Ledge<i64>>> as single("probe", "ledge") by key {
        /// The key of the entity of the surface, or -1 if there is no ledge.
        key: i64 = |found| found.column(|ledge| ledge.map_or(-1, |ledge| ledge.id)),
        /// The point of the edge, in float64; NaN if there is no ledge.
        point: f64 = |found| found.vectors(|ledge| ledge.map_or([f64::NAN; 3], |ledge| ledge.point.to_array())),
        /// The unit normal of the surface behind the edge, in float64; 0 if there is no ledge.
        top_normal: f64 = |found| found.vectors(|ledge| ledge.map_or([0.0; 3], |ledge| ledge.top_normal.to_array())),
        /// The unit normal of the wall below the edge, in float64; 0 if there is no ledge.
        wall_normal: f64 = |found| found.vectors(|ledge| ledge.map_or([0.0; 3], |ledge| ledge.wall_normal.to_array())),
    }
}

scene_questions! {
    /// Follows shots of a range in the world's units, and returns the legs of each, at most 1,024.
    ///
    /// `impact` says how a shot goes on at a hit: "stop", "ricochet" or "pass_through", or a function that is given a `ShotHit` and returns one of these.
    /// With a function, the calling thread answers alone and keeps the interpreter's lock, and an exception of the function ends the question at once. A
    /// shot that passes through a solid has a hit where it enters and a hit where it leaves. A shot never hits a surface that it has just left.
    /// Directions may have any length. The other arguments are as for `cast`.
    fn shoot(
        asked;
        origins: &Bound<'py, PyAny>, directions: &Bound<'py, PyAny>, range: f64;
        impact: Option<&Bound<'py, PyAny>> = None, cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> ShotLegs {
        let arrays = RayArrays::new(origins, directions, None, None)?;
        if !(range > 0.0) {
            return Err(error::value(format!("range is {range}, but must be above 0")));
        }
        let (impacts, options, origin) = (Impacts::new(impact)?, RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let (asked, rays, fault) = (asked.culled(cull_of(cull)?), arrays.rays(origin)?, FirstFault::new());
        let filter = asked.choice.filter();
        let view = options.view(asked.world.scene.with(&filter).relative_to(origin));
        let answer = || {
            each_of_many(rays.count, |place, piece, _: &mut ()| {
                let ray = rays.checked(place, Unusable::Raise, &fault);
                let legs = shoot(view, &ray, range as f32, |ray, hit| impacts.of(place, ray, hit));
                piece.add(legs.into_iter().map(|leg| LegRow {
                    ends: [leg.from, leg.to].map(|end| (end.as_dvec3() + origin).to_array()),
                    hit: HitRow::of(leg.hit.as_ref()),
                }));
            })
        };
        let legs = match &impacts {
            Impacts::Always(_) => asked.threads.run(asked.py, rays.count, answer)?,
            // The interpreter's lock allows only one thread at a time to call a function. On the calling thread, the function's exception ends the
            // question at once, and the interpreter's limit of recursion holds.
            Impacts::Function(_) => interrupt::caught(answer)?,
        };
        fault.take().map_or(Ok(ShotLegs::new(legs)), |place| Err(arrays.fault(place)))
    }

    /// Returns the entities within a radius of each center, of shape (..., 3), the nearest first. Of a mesh, only the surface counts.
    ///
    /// An entity that `layers`, `exclude` or `only` leaves out is neither reached nor cover. `hidden_by` may choose other cover, as it does for `select`.
    fn blast(
        asked;
        centers: &Bound<'py, PyAny>, radius: f64;
        hidden_by: Option<&Bound<'py, PyAny>> = None
    ) -> BlastHits {
        let (centers, radius) = (Points::new(centers, "centers")?, positive(radius, "radius")? as f32);
        let hides = hidden_by.map(Choice::of_what_hides).transpose()?;
        let (slice, hides) = (centers.slice()?, hides.as_ref().map(Choice::filter));
        Ok(BlastHits::new(asked.many(slice.count, |view, place, piece, _: &mut ()| {
            // Relative to the center, float32 holds nearby points more exactly.
            let center = slice.get(place);
            let view = view.relative_to(center);
            let sight: SightView<'_, i64> = hides.as_ref().map_or(view.into(), |hides| view.hidden_by(hides));
            piece.add(blast(sight, DVec3::ZERO, radius).into_iter().map(|hit| (hit, center)));
        })?))
    }

    /// Returns the end of the arm of a camera from each target in a direction of any length. The end is `length` away if nothing blocks the arm.
    ///
    /// `targets` and `directions` have the shape (..., 3), and either may be a single vector. `radius` is the distance that the camera keeps from
    /// everything. Leave the target itself out by `exclude`.
    fn camera_arm_end(
        asked;
        targets: &Bound<'py, PyAny>, directions: &Bound<'py, PyAny>, length: f64, radius: f64;
    ) -> ArmEnds {
        let (targets, directions) = (Points::new(targets, "targets")?, Points::directions(directions, "directions")?);
        let shape = common_shape(("targets", targets.shape()), ("directions", directions.shape()), &[3])?;
        let arm = CameraArm { length: positive(length, "length")?, radius: positive(radius, "radius")? as f32 };
        let (targets, directions) = (targets.slice()?, directions.slice()?);
        let rows = asked.each(shape.iter().product(), 16, |view, place| {
            arm.end(view, targets.get_or_only(place), directions.get_or_only(place))
        })?;
        Ok(ArmEnds::new(Rows::new(rows, &shape)))
    }

    /// Finds the nearest edge of a surface ahead of each pair of feet, in a direction of any length across `up`.
    ///
    /// `feet` and `forwards` have the shape (..., 3), and either may be a single vector. An edge counts if it is at most `reach` ahead, from `lowest` to
    /// `highest` above the feet, with a surface behind it that is at most `max_slope` steep, in radians. A ball of `radius`, about the size of a hand, probes
    /// the surface, and its path must be free. Leave the character itself out by `exclude`.
    fn find_ledge(
        asked;
        feet: &Bound<'py, PyAny>, forwards: &Bound<'py, PyAny>, reach: f64, lowest: f64, highest: f64, radius: f64, max_slope: f64;
        up: [f64; 3] = [0.0, 1.0, 0.0]
    ) -> Ledges {
        let (feet, forwards) = (Points::new(feet, "feet")?, Points::directions(forwards, "forwards")?);
        let shape = common_shape(("feet", feet.shape()), ("forwards", forwards.shape()), &[3])?;
        if !(lowest >= 0.0 && lowest <= highest && highest.is_finite()) {
            return Err(error::value(format!(
                "lowest is {lowest} and highest is {highest}, but must be finite, with 0 <= lowest <= highest"
            )));
        }
        if !(max_slope >= 0.0 && max_slope.is_finite()) {
            return Err(error::value(format!("max_slope is {max_slope}, but must be finite and not negative")));
        }
        let (reach, radius) = (positive(reach, "reach")?, positive(radius, "radius")? as f32);
        let (probe, up) = (LedgeProbe { reach, lowest, highest, radius, max_slope }, direction(up, "up")?);
        let (feet, forwards) = (feet.slice()?, forwards.slice()?);
        let rows = asked.each(shape.iter().product(), 1, |view, place| {
            probe.find(view, feet.get_or_only(place), forwards.get_or_only(place), up)
        })?;
        Ok(Ledges::new(Rows::new(rows, &shape)))
    }
}
