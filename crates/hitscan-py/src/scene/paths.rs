//! Questions about rays that are not given as arrays of rays: paths, arcs, the ground, moves of points, and the surface at a hit.

use super::Scene;
use super::ask::scene_questions;
use super::hits::{
    ArcRow, GroundRow, Grounds, HitRow, MoveRow, PathHits, PathRow, PointMoves, SceneHits, TrajectoryHits,
};
use super::rays::RayOptions;
use crate::answers::{Rows, answers, counted, tally};
use crate::arguments::{Key, Points, common_shape};
use crate::error;
use crate::input::{row_name, shape_text};
use crate::rays::{RayArrays, cull as cull_of};
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::{PathHit, TrajectoryHit};
use hitscan::{Hit, RayQueries, Trajectory};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The least number of such questions that a thread takes at a time.
const LEAST: usize = 64;

/// Takes a number that must not be negative or NaN.
fn not_negative(number: f64, name: &str) -> PyResult<f32> {
    match number >= 0.0 {
        true => Ok(number as f32),
        false => Err(error::value(format!("{name} is {number}, but must not be negative or NaN"))),
    }
}

fn path_row(found: Option<PathHit<i64>>) -> PathRow {
    let hit = HitRow::of(found.as_ref().map(|found| &found.hit));
    found.map_or(PathRow { hit, segment: -1, distance: f32::INFINITY }, |found| PathRow {
        hit,
        segment: found.segment as i64,
        distance: found.distance,
    })
}

fn arc_row(found: Option<TrajectoryHit<i64>>) -> ArcRow {
    let hit = HitRow::of(found.as_ref().map(|found| &found.hit));
    found.map_or(ArcRow { hit, chord: -1, time: f32::INFINITY, velocity: [f32::NAN; 3] }, |found| ArcRow {
        hit,
        chord: found.chord as i64,
        time: found.time,
        velocity: found.velocity.to_array(),
    })
}

scene_questions! {
    /// Returns the first hit along each path through points: one path of shape (m, 3), or paths of shape (..., m, 3).
    ///
    /// The other arguments are as for `cast`. The end of a segment belongs to it, and a hit on a corner belongs to the segment that ends there.
    fn cast_path(
        asked;
        points: &Bound<'py, PyAny>;
        cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> PathHits {
        let (options, origin) = (RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let points = Points::single(points, "points", origin)?;
        let asked = asked.culled(cull_of(cull)?);
        let Some((&corners, shape)) = points.shape().split_last().filter(|(corners, _)| **corners > 1) else {
            let given = shape_text(&[points.shape(), &[3]].concat());
            return Err(error::value(format!("points has the shape {given}, but must have the shape (.., m, 3) with 2 points or more")));
        };
        let slice = points.slice()?;
        let rows = asked.each(shape.iter().product(), 1, |view, path| {
            let places = path * corners..(path + 1) * corners;
            let path: Vec<Vec3> = places.map(|place| (slice.get(place) - origin).as_vec3()).collect();
            path_row(options.view(view.relative_to(origin)).cast_path(&path))
        })?;
        Ok(PathHits::new(Rows::new(rows, shape)))
    }

    /// Returns the first hit along each ballistic arc: at each time, a point is at `origin + velocity * time + acceleration * time^2 / 2`.
    ///
    /// `origins` and `velocities` have the shape (..., 3), and either may be a single vector. The arc is replaced by chords
    /// that stay within `tolerance` of it, in the world's units. The other arguments are as for `cast`.
    fn cast_trajectory(
        asked;
        origins: &Bound<'py, PyAny>, velocities: &Bound<'py, PyAny>, acceleration: [f64; 3], tolerance: f64;
        t_min: f64 = 0.0, t_max: f64 = 10.0,
        cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> TrajectoryHits {
        let (origins, velocities) = (Points::new(origins, "origins")?, Points::new(velocities, "velocities")?);
        let shape = common_shape(("origins", origins.shape()), ("velocities", velocities.shape()), &[3])?;
        let (options, origin) = (RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let asked = asked.culled(cull_of(cull)?);
        let (origins, velocities, count) = (origins.slice()?, velocities.slice()?, shape.iter().product());
        let tolerance = tolerance as f32;
        let arc = |place: usize| {
            let start = (origins.get_or_only(place) - origin).as_vec3();
            let acceleration = DVec3::from_array(acceleration).as_vec3();
            let arc = Trajectory::new(start, velocities.get_or_only(place).as_vec3(), acceleration);
            arc.with_range(t_min as f32, t_max as f32)
        };
        if let Some((place, fault)) = (0..count).find_map(|place| Some((place, arc(place).validate(tolerance).err()?))) {
            return Err(error::value(format!("{}: {fault}", row_name("trajectory", &shape, place))));
        }
        let rows = asked.each(count, 1, |view, place| {
            arc_row(options.view(view.relative_to(origin)).cast_trajectory(&arc(place), tolerance))
        })?;
        Ok(TrajectoryHits::new(Rows::new(rows, &shape)))
    }

    /// Returns the ground at most `reach` below each point. `up` is a vector of any length but 0. The other arguments are as for `cast`.
    fn ground_below(
        asked;
        points: &Bound<'py, PyAny>, reach: f64;
        up: [f64; 3] = [0.0, 1.0, 0.0], cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> Grounds {
        let (options, origin) = (RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let (points, reach) = (Points::single(points, "points", origin)?, not_negative(reach, "reach")?);
        // The scaling keeps a vector of any length within the range of float32.
        let up = (direction(up, "up")? * crate::arguments::power_to_unit(up)).as_vec3();
        let asked = asked.culled(cull_of(cull)?);
        let slice = points.slice()?;
        let rows = asked.each(slice.count, LEAST, |view, place| {
            let point = (slice.get(place) - origin).as_vec3();
            let ground = options.view(view.relative_to(origin)).ground_below(point, up, reach);
            GroundRow {
                hit: HitRow::of(ground.as_ref().map(|ground| &ground.hit)),
                slope_cos: ground.map_or(f32::NAN, |ground| ground.slope_cos),
            }
        })?;
        Ok(Grounds::new(Rows::new(rows, points.shape())))
    }

    /// Moves each point along a motion until it is `skin` away from the first surface, or on it for a skin of 0.
    ///
    /// `points` and `motions` have the shape (..., 3), and either may be a single vector. To slide along surfaces, ask again
    /// with `position` and `slide` of the answer. The other arguments are as for `cast`.
    fn move_point(
        asked;
        points: &Bound<'py, PyAny>, motions: &Bound<'py, PyAny>, skin: f64;
        cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> PointMoves {
        let (options, origin) = (RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let (points, motions) = (Points::single(points, "points", origin)?, Points::single(motions, "motions", DVec3::ZERO)?);
        let (shape, skin) = (common_shape(("points", points.shape()), ("motions", motions.shape()), &[3])?, not_negative(skin, "skin")?);
        if !skin.is_finite() {
            return Err(error::value(format!("skin is {skin}, but must be finite, in float32 too")));
        }
        let asked = asked.culled(cull_of(cull)?);
        let (points, motions) = (points.slice()?, motions.slice()?);
        let rows = asked.each(shape.iter().product(), LEAST, |view, place| {
            let (from, motion) = (points.get_or_only(place) - origin, motions.get_or_only(place).as_vec3());
            let moved = options.view(view.relative_to(origin)).move_point(from.as_vec3(), motion, skin);
            // The end of a point that nothing stops is computed in f64.
            let end = match moved.hit {
                Some(_) => moved.position.as_dvec3(),
                None => from + motions.get_or_only(place) * f64::from(moved.fraction),
            };
            MoveRow {
                hit: HitRow::of(moved.hit.as_ref()),
                position: (end + origin).to_array(),
                fraction: moved.fraction,
                remaining: moved.remaining.to_array(),
                slide: moved.slide.to_array(),
            }
        })?;
        Ok(PointMoves::new(Rows::new(rows, &shape)))
    }

    /// Explains why a ray does not hit the entity under a key, or says that it does. It takes the other arguments of `cast`.
    fn explain(
        asked;
        origin: &Bound<'py, PyAny>, direction: &Bound<'py, PyAny>, key: Key;
        t_min: Option<f64> = None, t_max: Option<f64> = None, cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> Explanation {
        let [t_min, t_max] = [(t_min, asked.py), (t_max, asked.py)].map(|(t, py)| t.map(|t| pyo3::types::PyFloat::new(py, t).into_any()));
        let arrays = RayArrays::new(origin, direction, t_min.as_ref(), t_max.as_ref())?;
        if !arrays.shape.is_empty() {
            return Err(error::value("explain takes one ray: an origin and a direction of shape (3,)"));
        }
        let (options, at) = (RayOptions::new(inside, cut_outs)?, asked.world.ray_origin());
        let (asked, rays) = (asked.culled(cull_of(cull)?), arrays.rays(at)?);
        let explain = |view: hitscan::View<'_, i64>, _| options.view(view.relative_to(at)).explain(&rays.get(0), &key.0);
        let found = asked.each(1, 1, |view, place| {
            let found = match explain(view, place) {
                // For the library, `exclude` and `only` are one filter, so excluded keys are distinguished here.
                hitscan::query::Explanation::Entity if asked.choice.excludes(key.0) => hitscan::query::Explanation::Excluded,
                found => found,
            };
            Explanation { reason: reason(&found), text: found.to_string() }
        })?;
        found.into_iter().next().ok_or_else(|| error::value("there is no explanation"))
    }
}

/// Takes a direction of any length but 0.
pub(super) fn direction(given: [f64; 3], name: &str) -> PyResult<DVec3> {
    let vector = DVec3::from_array(given);
    if vector.is_finite() && vector != DVec3::ZERO {
        return Ok(vector);
    }
    Err(error::value(format!("{name} is {}, but must be finite and not zero", crate::input::vector_text(vector))))
}

/// An explanation why a ray does not hit an entity, or that it does. `str()` of it is a sentence.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Explanation {
    /// The reason, in a word: "hit" if the entity is hit.
    #[pyo3(get)]
    reason: String,
    text: String,
}

#[pymethods]
impl Explanation {
    #[staticmethod]
    fn _of(reason: String, text: String) -> Self {
        Self { reason, text }
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.Explanation: {}>", self.text)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        Ok((slf.get_type().getattr("_of")?, (&this.reason, &this.text).into_pyobject(py)?))
    }
}

fn reason(found: &hitscan::query::Explanation<i64>) -> String {
    use hitscan::query::Explanation as E;
    let word = match found {
        E::Hit(_) => "hit",
        E::Behind { .. } => "behind",
        E::Absent => "absent",
        E::Ray(_) => "ray",
        E::Origin(_) => "origin",
        E::Layers { .. } => "layers",
        E::Excluded => "excluded",
        E::Entity => "entity",
        E::Empty => "empty",
        E::Apart { .. } => "apart",
        E::Between => "between",
        E::Range { .. } => "range",
        E::Inside(_) => "inside",
        E::After(_) => "after",
        E::Cull(_) => "cull",
        E::Hole(_) => "hole",
        E::Filter(_) => "filter",
        _ => "other",
    };
    word.to_owned()
}

/// The data of a mesh at a hit.
#[derive(Clone, Copy)]
pub(super) struct SurfaceRow {
    texcoord: [f32; 2],
    normal: [f32; 3],
    is_hole: bool,
}

answers! {
    /// The data of meshes at hits: an array for each value, of the shape of the hits.
    HitSurfaces of Rows<SurfaceRow> {
        /// The interpolated texture coordinates, of shape (..., 2); NaN where there are none.
        texcoord: f32 = |found| found.vectors(|row| row.texcoord),
        /// The interpolated normal of the vertices in the world, of unit length; NaN where there is none.
        normal: f32 = |found| found.vectors(|row| row.normal),
        /// True for a hit in a hole, which `cut_outs="solid"` allows.
        is_hole: bool = |found| found.column(|row| row.is_hole),
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.is_hole(py)?.bind(py).len()
    }
}

impl HitSurfaces {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let (hits, holes) = tally(py, &self.is_hole(py)?, "__gt__")?;
        Ok(format!("<hitscan.HitSurfaces: {}, {holes} in holes>", counted(hits, "hit")))
    }
}

#[pymethods]
impl Scene {
    /// Returns the data of meshes at the hits of a `cast` with `keep_hits=True`: texture coordinates, interpolated normals, and whether the hit is in a hole.
    fn surface(&self, py: Python<'_>, hits: &Bound<'_, SceneHits>) -> PyResult<HitSurfaces> {
        let (world, hits) = (self.world(), hits.get().kept()?);
        let row = |hit: &Option<Hit<i64>>| {
            let surface = hit.as_ref().map(|hit| world.scene.surface(hit));
            let texcoord = surface.and_then(|surface| surface.texcoord());
            let normal = surface.and_then(|surface| surface.interpolated_normal());
            SurfaceRow {
                texcoord: texcoord.map_or([f32::NAN; 2], |texcoord| texcoord.to_array()),
                normal: normal.map_or([f32::NAN; 3], |normal| normal.to_array()),
                is_hole: surface.is_some_and(|surface| surface.is_hole()),
            }
        };
        let rows = py.detach(|| hits.rows.iter().map(row).collect());
        Ok(HitSurfaces::new(Rows::new(rows, &hits.shape)))
    }
}
