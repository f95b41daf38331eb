//! Questions with rays.

use super::Scene;
use super::answers::{IntervalRow, SolidIntervals};
use super::ask::{Asked, ray_questions, scene_questions};
use super::choice::Choice;
use super::hits::{FirstHits, FirstRow, HitRow, SceneAllHits, SceneHits};
use crate::answers::Rows;
use crate::arguments::{Count, Layers, Points, ThreadCount, common_shape, common_shape_of_keys, keys};
use crate::arrays::shaped;
use crate::each::{each, each_of_many, in_chunks};
use crate::error;
use crate::input::shape_text;
use crate::rays::{
    FirstFault, RayArrays, Rays, Unusable, cull as cull_of, cut_outs as cut_outs_of, inside as inside_of,
};
use crate::threads::Threads;
use hitscan::glam::Vec3;
use hitscan::query::{IntervalEnd, RayView, SolidInterval};
use hitscan::{CutOuts, Hit, Inside, Ray, RayQueries, View};
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The least number of lines of sight that a thread takes at a time.
const LEAST: usize = 64;

/// The options of rays.
#[derive(Clone, Copy)]
pub(super) struct RayOptions<'a> {
    inside: Inside,
    cut_outs: CutOuts,
    unusable: Unusable,
    /// The hits from which the rays continue.
    after: Option<&'a Rows<Option<Hit<i64>>>>,
}

impl<'a> RayOptions<'a> {
    pub(super) fn new(inside: &str, cut_outs: &str) -> PyResult<Self> {
        let (inside, cut_outs) = (inside_of(inside)?, cut_outs_of(cut_outs)?);
        Ok(Self { inside, cut_outs, unusable: Unusable::Miss, after: None })
    }

    fn unusable(self, invalid: &str) -> PyResult<Self> {
        Ok(Self { unusable: Unusable::new(invalid)?, ..self })
    }

    /// Takes the hits from which rays continue: one for each ray, or a single one for all.
    fn after(self, hits: Option<&'a Bound<'_, SceneHits>>, arrays: &RayArrays<'_>) -> PyResult<Self> {
        let Some(hits) = hits else { return Ok(self) };
        let after = hits.get().kept()?;
        if after.shape.is_empty() || after.shape == arrays.shape {
            return Ok(Self { after: Some(after), ..self });
        }
        let [given, wanted] = [&after.shape, &arrays.shape].map(|shape| shape_text(shape));
        Err(error::value(format!("after has hits of the shape {given}, but the rays have the shape {wanted}")))
    }

    /// Returns a view with these options.
    pub(super) fn view<'v>(&self, view: View<'v, i64>) -> RayView<'v, i64> {
        view.when_inside(self.inside).cut_outs(self.cut_outs)
    }
}

/// A question about rays in a scene, with its choices.
struct RayQuestion<'a, 'py> {
    asked: Asked<'py>,
    arrays: &'a RayArrays<'a>,
    options: RayOptions<'a>,
}

/// Rays that can be read without the interpreter's lock. A ray that can hit nothing is noted in `fault`, if such rays must raise.
struct CheckedRays<'a> {
    rays: Rays<'a>,
    options: RayOptions<'a>,
    fault: FirstFault,
}

impl CheckedRays<'_> {
    fn count(&self) -> usize {
        self.rays.count
    }

    fn get(&self, place: usize) -> Ray {
        self.rays.checked(place, self.options.unusable, &self.fault)
    }

    fn gather(&self, start: usize, count: usize) -> Vec<Ray> {
        self.rays.gather(start, count, self.options.unusable, &self.fault)
    }

    /// Returns the row of a hit or of a miss, with its t in multiples of the direction that was given.
    fn row(&self, place: usize, hit: Option<&Hit<i64>>) -> FirstRow {
        hit.map_or(FirstRow::MISS, |hit| FirstRow::new(hit, self.rays.given_t(place, hit.t)))
    }

    fn goes_on(&self) -> bool {
        self.options.after.is_some()
    }
}

/// Returns the view for a ray that continues from the hit at its index.
fn after<'v>(view: RayView<'v, i64>, rays: &CheckedRays<'v>, place: usize) -> RayView<'v, i64> {
    let Some(Rows { rows, .. }) = rays.options.after else { return view };
    view.after(rows[if rows.len() == 1 { 0 } else { place }].as_ref())
}

/// Returns the first hits of `count` rays from an index on.
fn first_hits<'v>(view: RayView<'v, i64>, rays: &CheckedRays<'v>, start: usize, count: usize) -> Vec<Option<Hit<i64>>> {
    if rays.goes_on() {
        return (start..start + count).map(|place| after(view, rays, place).cast(&rays.get(place))).collect();
    }
    let some = rays.gather(start, count);
    let mut hits = vec![None; some.len()];
    // This cannot fail: there are as many answers as rays.
    let _ = view.cast_batch(&some, &mut hits);
    hits
}

impl RayQuestion<'_, '_> {
    /// Answers by a view of the scene whose origin is also the origin of the rays.
    fn ask<A: Send>(&self, answer: impl for<'v> FnOnce(RayView<'v, i64>, &CheckedRays<'v>) -> A + Send) -> PyResult<A> {
        let Asked { py, world, choice, threads } = &self.asked;
        let origin = world.ray_origin();
        let rays = CheckedRays { rays: self.arrays.rays(origin)?, options: self.options, fault: FirstFault::new() };
        let filter = choice.filter();
        let view = self.options.view(world.scene.with(&filter).relative_to(origin));
        let answers = threads.run(*py, rays.count(), || answer(view, &rays))?;
        rays.fault.take().map_or(Ok(answers), |place| Err(self.arrays.fault(place)))
    }

    /// Returns the same question, marked as brief: one ray takes less time than releasing the interpreter's lock.
    fn brief(mut self) -> Self {
        self.asked.threads = self.asked.threads.brief();
        self
    }

    /// Returns any number of hits of each ray.
    fn many(
        &self,
        hits: impl for<'v> Fn(RayView<'v, i64>, &Ray, &mut Vec<Hit<i64>>) + Sync + Send,
    ) -> PyResult<SceneAllHits> {
        let found = self.ask(|view, rays| {
            each_of_many(rays.count(), |place, piece, buffer: &mut Vec<Hit<i64>>| {
                hits(after(view, rays, place), &rays.get(place), buffer);
                piece.add(buffer.iter().map(|hit| HitRow::new(hit, rays.rays.given_t(place, hit.t))));
            })
        })?;
        Ok(SceneAllHits::new(found))
    }
}

ray_questions! {
    /// Casts rays, and returns the first hit of each.
    ///
    /// Rays, `t_min`, `t_max`, `cull` and `invalid` are as for `Mesh.cast`. An entity counts if it is on one of the
    /// `layers`, is not in `exclude`, and is in `only` if that is given. `inside` is what a ray that starts in a solid
    /// hits: its "exit", the "solid" at once, or nothing of it ("ignore"). Among hits with equal t, the entity that was
    /// inserted first wins, then the lowest part and triangle. Entities that are left out do not hide others either.
    ///
    /// Holes of cut-out textures are "open", or "solid" as `cut_outs` says. With `after`, the answer of an earlier `cast` with `keep_hits=True`, each
    /// ray continues from the hit at its index, and only hits after that one count: no epsilon is needed. It must be the same ray again, or start at
    /// the `point` of the hit, as a bounce along its `reflection` does. Continuing from a hit is exact as long as the scene has not changed since the hit. Hits
    /// that are kept take four times the memory, and neither copies nor pickles have them.
    fn cast(arrays, question; ; keep_hits: bool = false) -> SceneHits {
        let hits = question.brief().ask(|view, rays| {
            let shape = &arrays.shape;
            if !keep_hits {
                let mut rows = vec![FirstRow::MISS; rays.count()];
                in_chunks(&mut rows, |start, rows: &mut [FirstRow]| {
                    let hits = first_hits(view, rays, start, rows.len());
                    for (place, (row, hit)) in (start..).zip(rows.iter_mut().zip(&hits)) {
                        *row = rays.row(place, hit.as_ref());
                    }
                });
                return FirstHits { rows: Rows::new(rows, shape), kept: None };
            }
            let mut kept = vec![None; rays.count()];
            in_chunks(&mut kept, |start, kept: &mut [Option<Hit<i64>>]| {
                kept.copy_from_slice(&first_hits(view, rays, start, kept.len()));
            });
            let rows = kept.iter().enumerate().map(|(place, hit)| rays.row(place, hit.as_ref())).collect();
            FirstHits { rows: Rows::new(rows, shape), kept: Some(Rows::new(kept, shape)) }
        })?;
        Ok(SceneHits::new(hits))
    }

    /// Returns for each ray whether it hits anything. It takes the arguments of `cast`.
    fn is_blocked(arrays, question; ;) -> Bound<'py, PyArrayDyn<bool>> {
        let question = question.brief();
        let blocked = question.ask(|view, rays| {
            let mut blocked = vec![false; rays.count()];
            in_chunks(&mut blocked, |start, blocked: &mut [bool]| {
                if rays.goes_on() {
                    for (place, blocked) in (start..).zip(blocked) {
                        *blocked = after(view, rays, place).is_blocked(&rays.get(place));
                    }
                    return;
                }
                let _ = view.is_blocked_batch(&rays.gather(start, blocked.len()), blocked);
            });
            blocked
        })?;
        shaped(question.asked.py, blocked, &arrays.shape)
    }

    /// Casts rays, and returns every hit of each: every triangle, both triangles at a shared edge, and every crossing of a
    /// solid. It takes the arguments of `cast`.
    fn cast_all(arrays, question; ;) -> SceneAllHits {
        question.many(|view, ray, hits| view.cast_all(ray, hits))
    }

    /// Casts rays, and returns the first `count` hits of each, or all if there are fewer. It takes the other arguments of `cast`.
    fn cast_first_n(arrays, question; count: Count;) -> SceneAllHits {
        question.many(|view, ray, hits| view.cast_first_n(ray, count.0, hits))
    }

    /// Casts rays, and returns for each ray the nearest hit of every entity that it hits. It takes the arguments of
    /// `cast`.
    fn cast_entities(arrays, question; ;) -> SceneAllHits {
        question.many(|view, ray, hits| view.cast_entities(ray, hits))
    }
}

#[pymethods]
impl Scene {
    /// Returns the intervals in which rays are inside of solids and closed meshes, nearest first. `layers`, `exclude` and `only` are as for `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, layers = None, exclude = None, only = None, invalid = "raise", threads = None))]
    fn solid_intervals(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<SolidIntervals> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let asked = Asked::new(py, self, Choice::new(layers, exclude, only)?, threads)?;
        let question =
            RayQuestion { asked, arrays: &arrays, options: RayOptions::new("exit", "open")?.unusable(invalid)? };
        let row = |interval: &SolidInterval<i64>, rays: &Rays<'_>, place: usize| IntervalRow {
            key: interval.id,
            part: interval.part,
            range: [interval.t_enter, interval.t_exit].map(|t| rays.given_t(place, t)),
            is_open: [&interval.enter, &interval.exit].into_iter().any(|end| matches!(end, IntervalEnd::Open)),
        };
        let found = question.ask(|view, rays| {
            each_of_many(rays.count(), |place, piece, intervals: &mut Vec<SolidInterval<i64>>| {
                view.solid_intervals(&rays.get(place), intervals);
                piece.add(intervals.iter().map(|interval| row(interval, &rays.rays, place)));
            })
        })?;
        Ok(SolidIntervals::new(found))
    }
}

scene_questions! {
    /// Returns for each eye and point whether nothing is between them. There may be a single eye or a single point, of shape (3,).
    fn sees(asked; eyes: &Bound<'py, PyAny>, points: &Bound<'py, PyAny>;) -> Bound<'py, PyArrayDyn<bool>> {
        let origin = asked.world.ray_origin();
        let (eyes, points) = (Points::single(eyes, "eyes", origin)?, Points::single(points, "points", origin)?);
        let shape = common_shape(("eyes", eyes.shape()), ("points", points.shape()), &[3])?;
        let (eyes, points) = (eyes.slice()?, points.slice()?);
        let seen = asked.each(shape.iter().product(), LEAST, |view, place| {
            let [eye, point] = [eyes, points].map(|slice| (slice.get_or_only(place) - origin).as_vec3());
            view.relative_to(origin).sees(eye, point)
        })?;
        shaped(asked.py, seen, &shape)
    }

    /// Returns for two entities and a point of each whether no third entity is between the points. Each of the four arguments may be a single value for all.
    fn line_of_sight(
        asked;
        viewers: &Bound<'py, PyAny>,
        eyes: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>;
    ) -> Bound<'py, PyArrayDyn<bool>> {
        let origin = asked.world.ray_origin();
        let (eyes, points) = (Points::single(eyes, "eyes", origin)?, Points::single(points, "points", origin)?);
        let (viewers, targets) = (keys(viewers, "viewers")?, keys(targets, "targets")?);
        let shape = common_shape(("eyes", eyes.shape()), ("points", points.shape()), &[3])?;
        let vectors = if eyes.shape().is_empty() { "points" } else { "eyes" };
        let seen_by = common_shape(("viewers", &viewers.shape), ("targets", &targets.shape), &[])?;
        let which = if viewers.shape.is_empty() { "targets" } else { "viewers" };
        let shape = common_shape_of_keys((which, &seen_by), (vectors, &shape))?;
        let (eyes, points) = (eyes.slice()?, points.slice()?);
        let seen = asked.each(shape.iter().product(), LEAST, |view, place| {
            let [eye, point] = [eyes, points].map(|slice| (slice.get_or_only(place) - origin).as_vec3());
            let [viewer, target] = [&viewers, &targets].map(|keys| keys.get_or_only(place));
            view.relative_to(origin).line_of_sight((viewer, eye), (target, point))
        })?;
        shaped(asked.py, seen, &shape)
    }
}

#[pymethods]
impl Scene {
    /// Returns for each eye how many of the points, of shape (m, 3), are seen from it, with nothing between the eye and the point.
    #[pyo3(signature = (eyes, points, *, layers = None, exclude = None, only = None, threads = None))]
    fn visibility<'py>(
        &self,
        py: Python<'py>,
        eyes: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        let (filter, origin) = (choice.filter(), world.ray_origin());
        let (eyes, points) = (Points::single(eyes, "eyes", origin)?, Points::single(points, "points", origin)?);
        let view = world.scene.with(&filter).relative_to(origin);
        let (shape, slice, points) = (eyes.shape().to_vec(), eyes.slice()?, points.slice()?);
        let targets: Vec<Vec3> = (0..points.count).map(|place| (points.get(place) - origin).as_vec3()).collect();
        let questions = slice.count.saturating_mul(targets.len());
        let seen = threads.run(py, questions, || {
            each(slice.count, 1, |place| view.visibility((slice.get(place) - origin).as_vec3(), &targets).seen as i64)
        })?;
        shaped(py, seen, &shape)
    }
}
