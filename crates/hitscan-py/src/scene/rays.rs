//! Questions with rays.

use super::answers::{HitRow, IntervalRow, SceneAllHits, SceneHits, SolidIntervals};
use super::choice::{Choice, inside as inside_of};
use super::{Scene, World};
use crate::answers::Rows;
use crate::arguments::{Layers, Points, ThreadCount, common_shape};
use crate::each::{each, each_of_many, in_chunks};
use crate::mesh::shaped;
use crate::rays::{FirstFault, RayArrays, Rays, Unusable, cull as cull_of};
use crate::threads::Threads;
use hitscan::glam::Vec3;
use hitscan::{Hit, Inside, IntervalEnd, Ray, RayQueries, RayView, SolidInterval};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::sync::Arc;

/// The least number of lines of sight that a thread takes at a time.
const LEAST: usize = 64;

/// A question about rays in a scene, with its choices.
struct RayQuestion<'a> {
    world: Arc<World>,
    arrays: &'a RayArrays<'a>,
    choice: Choice,
    inside: Inside,
    unusable: Unusable,
    threads: Threads,
}

/// Rays that are read without the interpreter. One that can hit nothing is noted, if it must not be.
struct CheckedRays<'a> {
    rays: Rays<'a>,
    unusable: Unusable,
    fault: FirstFault,
}

impl CheckedRays<'_> {
    fn count(&self) -> usize {
        self.rays.count
    }

    fn get(&self, place: usize) -> Ray {
        self.rays.checked(place, self.unusable, &self.fault)
    }

    fn gather(&self, start: usize, count: usize) -> Vec<Ray> {
        self.rays.gather(start, count, self.unusable, &self.fault)
    }
}

impl<'a> RayQuestion<'a> {
    fn new(
        scene: &Scene,
        arrays: &'a RayArrays<'a>,
        choice: Choice,
        inside: &str,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Self> {
        let (unusable, threads) = (Unusable::new(invalid)?, Threads::new(threads)?);
        Ok(Self { world: scene.world(), arrays, choice, inside: inside_of(inside)?, unusable, threads })
    }

    /// Answers by a view of the scene, relative to the origin that the rays are relative to.
    fn ask<A: Send>(
        &self,
        py: Python<'_>,
        answer: impl FnOnce(RayView<'_, i64>, &CheckedRays<'_>) -> A + Send,
    ) -> PyResult<A> {
        let origin = self.world.ray_origin();
        let rays = CheckedRays { rays: self.arrays.rays(origin)?, unusable: self.unusable, fault: FirstFault::new() };
        let filter = self.choice.filter();
        let view = self.world.scene.with(&filter).relative_to(origin).when_inside(self.inside);
        let answers = self.threads.run(py, rays.count(), || answer(view, &rays))?;
        rays.fault.take().map_or(Ok(answers), |place| Err(self.arrays.fault(place)))
    }
}

#[pymethods]
impl Scene {
    /// Casts rays, and returns the first hit of each.
    ///
    /// Rays, `t_min`, `t_max`, `cull` and `invalid` are as for `Mesh.cast`. Only entities count that are on one of the
    /// `layers`, not in `exclude` and, if it is given, in `only`. `inside` is what a ray that starts in a solid meets:
    /// its "exit", the "solid" at once, or nothing of it ("ignore"). Of equal t the entity that was inserted first
    /// counts, then the lowest part and triangle. What is left out does not hide what is behind it either.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", inside = "exit", layers = None, exclude = None, only = None,
                        invalid = "raise", threads = None))]
    fn cast(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        cull: &str,
        inside: &str,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<SceneHits> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let choice = Choice::new(layers, exclude, only)?.culled(cull_of(cull)?);
        let question = RayQuestion::new(self, &arrays, choice, inside, invalid, threads)?;
        let rows = question.ask(py, |view, rays| {
            let mut rows = vec![HitRow::MISS; rays.count()];
            in_chunks(&mut rows, |start, rows: &mut [HitRow]| {
                let some = rays.gather(start, rows.len());
                let mut hits: Vec<Option<Hit<i64>>> = vec![None; some.len()];
                // There are as many places as rays.
                let _ = view.cast_batch(&some, &mut hits);
                for (place, (row, hit)) in rows.iter_mut().zip(&hits).enumerate() {
                    let found = |hit| HitRow::new(hit, rays.rays.given_t(start + place, hit.t));
                    *row = hit.as_ref().map_or(HitRow::MISS, found);
                }
            });
            rows
        })?;
        Ok(SceneHits::new(Rows::new(rows, &arrays.shape)))
    }

    /// Returns for each ray whether it hits anything. The arguments are those of `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", inside = "exit", layers = None, exclude = None, only = None,
                        invalid = "raise", threads = None))]
    fn is_blocked<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        t_min: Option<&Bound<'py, PyAny>>,
        t_max: Option<&Bound<'py, PyAny>>,
        cull: &str,
        inside: &str,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let choice = Choice::new(layers, exclude, only)?.culled(cull_of(cull)?);
        let question = RayQuestion::new(self, &arrays, choice, inside, invalid, threads)?;
        let blocked = question.ask(py, |view, rays| {
            let mut blocked = vec![false; rays.count()];
            in_chunks(&mut blocked, |start, blocked: &mut [bool]| {
                let _ = view.is_blocked_batch(&rays.gather(start, blocked.len()), blocked);
            });
            blocked
        })?;
        shaped(py, blocked, &arrays.shape)
    }

    /// Casts rays, and returns every hit of each: every triangle, two at an edge that they share, and every crossing of a solid.
    /// The arguments are those of `cast`.
    #[pyo3(signature = (origins, directions, *, t_min = None, t_max = None, cull = "none", inside = "exit", layers = None, exclude = None, only = None,
                        invalid = "raise", threads = None))]
    fn cast_all(
        &self,
        py: Python<'_>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        t_min: Option<&Bound<'_, PyAny>>,
        t_max: Option<&Bound<'_, PyAny>>,
        cull: &str,
        inside: &str,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        invalid: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<SceneAllHits> {
        let arrays = RayArrays::new(origins, directions, t_min, t_max)?;
        let choice = Choice::new(layers, exclude, only)?.culled(cull_of(cull)?);
        let question = RayQuestion::new(self, &arrays, choice, inside, invalid, threads)?;
        let found = question.ask(py, |view, rays| {
            each_of_many(rays.count(), |place, piece, hits: &mut Vec<Hit<i64>>| {
                view.cast_all(&rays.get(place), hits);
                piece.add(hits.iter().map(|hit| HitRow::new(hit, rays.rays.given_t(place, hit.t))));
            })
        })?;
        Ok(SceneAllHits::new(found))
    }

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
        let choice = Choice::new(layers, exclude, only)?;
        let question = RayQuestion::new(self, &arrays, choice, "exit", invalid, threads)?;
        let row = |interval: &SolidInterval<i64>, rays: &Rays<'_>, place: usize| IntervalRow {
            key: interval.id,
            part: interval.part,
            range: [interval.t_enter, interval.t_exit].map(|t| rays.given_t(place, t)),
            is_open: [&interval.enter, &interval.exit].into_iter().any(|end| matches!(end, IntervalEnd::Open)),
        };
        let found = question.ask(py, |view, rays| {
            each_of_many(rays.count(), |place, piece, intervals: &mut Vec<SolidInterval<i64>>| {
                view.solid_intervals(&rays.get(place), intervals);
                piece.add(intervals.iter().map(|interval| row(interval, &rays.rays, place)));
            })
        })?;
        Ok(SolidIntervals::new(found))
    }

    /// Returns for each eye and point whether nothing is between them. Either may be a single one of shape (3,).
    #[pyo3(signature = (eyes, points, *, layers = None, exclude = None, only = None, threads = None))]
    fn sees<'py>(
        &self,
        py: Python<'py>,
        eyes: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let (eyes, points) = (Points::new(eyes, "eyes")?, Points::new(points, "points")?);
        let shape = common_shape(("eyes", eyes.shape()), ("points", points.shape()), &[3])?;
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        let (filter, origin) = (choice.filter(), world.ray_origin());
        let view = world.scene.with(&filter).relative_to(origin);
        let (eyes, points, count) = (eyes.slice()?, points.slice()?, shape.iter().product());
        let seen = threads.run(py, count, || {
            each(count, LEAST, |place| {
                let [eye, point] = [eyes, points].map(|slice| (slice.get_or_only(place) - origin).as_vec3());
                view.sees(eye, point)
            })
        })?;
        shaped(py, seen, &shape)
    }

    /// Returns for each eye how many of the points, of shape (m, 3), are seen from it: nothing is between them.
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
        let (eyes, points) = (Points::new(eyes, "eyes")?, Points::new(points, "points")?);
        let (choice, threads, world) = (Choice::new(layers, exclude, only)?, Threads::new(threads)?, self.world());
        let (filter, origin) = (choice.filter(), world.ray_origin());
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
