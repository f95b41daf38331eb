//! Nearest points of a scene, and distances of its entities.

use super::answers::{PointRow, ScenePoints};
use super::choice::Choice;
use super::volume_answers::{DistanceRow, Distances, PairPenetrations};
use super::{Scene, World};
use crate::answers::{Rows, containment_number, feature_number, or_none};
use crate::arguments::{Keys, Layers, Points, ThreadCount, common_shape, keys};
use crate::arrays::shaped;
use crate::each::each;
use crate::error;
use crate::threads::{FEW, Threads};
use hitscan::ProximityQueries;
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The least number of questions that a thread takes at a time.
const LEAST: usize = 16;

#[pymethods]
impl Scene {
    /// Returns the nearest point of all surfaces for each point, at most `max_distance` away. `layers`, `exclude` and `only` are as for `cast`.
    #[pyo3(signature = (points, *, max_distance = f64::INFINITY, layers = None, exclude = None, only = None, threads = None))]
    fn closest_point(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        max_distance: f64,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<ScenePoints> {
        if !(max_distance >= 0.0) {
            return Err(error::value(format!("max_distance is {max_distance}, but must not be negative or NaN")));
        }
        let (points, choice) = (Points::new(points, "points")?, Choice::new(layers, exclude, only)?);
        let (threads, world, slice) = (Threads::new(threads)?, self.world(), points.slice()?);
        let filter = choice.filter();
        let view = world.scene.with(&filter);
        let none = PointRow {
            key: -1,
            part: 0,
            triangle: -1,
            point: [f64::NAN; 3],
            distance: f64::INFINITY,
            normal: [0.0; 3],
            feature: 0,
            containment: -1,
        };
        let rows = threads.run(py, slice.count, || {
            each(slice.count, LEAST, |place| {
                let found = view.closest_point_within(slice.get(place), max_distance);
                found.map_or(none, |found| PointRow {
                    key: found.id,
                    part: found.part,
                    triangle: or_none(found.triangle),
                    point: found.point_f64().to_array(),
                    distance: found.distance_f64(),
                    normal: found.normal.to_array(),
                    feature: feature_number(found.feature),
                    containment: containment_number(found.containment),
                })
            })
        })?;
        Ok(ScenePoints::new(Rows::new(rows, points.shape())))
    }

    /// Returns the distance and the nearest points of each pair of entities: `first` and `second` are their keys, and
    /// either may be a single key. Solids include their inside; of meshes, only the surface counts.
    #[pyo3(signature = (first, second, *, threads = None))]
    fn distance(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Distances> {
        let ([first, second], shape) = pairs(first, second)?;
        let (threads, world, count) = (Threads::new(threads)?, self.world(), shape.iter().product());
        let none = DistanceRow {
            distance: f32::NAN,
            points: [[f64::NAN; 3]; 2],
            normal: [0.0; 3],
            parts: [0; 2],
            triangles: [-1; 2],
        };
        let rows = threads.run_apart(py, pair_work(&world, count, [&first, &second]), move || {
            each(count, LEAST, |place| {
                let found = world.scene.pair(&first.get_or_only(place), &second.get_or_only(place)).distance();
                found.map_or(none, |found| DistanceRow {
                    distance: found.distance,
                    points: found.points_f64().map(|point| point.to_array()),
                    normal: found.normal.to_array(),
                    parts: found.parts,
                    triangles: found.triangles.map(or_none),
                })
            })
        })?;
        Ok(Distances::new(Rows::new(rows, &shape)))
    }

    /// Returns the penetration depth of each pair of entities, and the motion that takes the second out of the first. It takes the arguments of `distance`.
    #[pyo3(signature = (first, second, *, threads = None))]
    fn pair_penetration(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<PairPenetrations> {
        let ([first, second], shape) = pairs(first, second)?;
        let (threads, world, count) = (Threads::new(threads)?, self.world(), shape.iter().product());
        let rows = threads.run_apart(py, pair_work(&world, count, [&first, &second]), move || {
            each(count, LEAST, |place| {
                world.scene.pair(&first.get_or_only(place), &second.get_or_only(place)).penetration()
            })
        })?;
        Ok(PairPenetrations::new(Rows::new(rows, &shape)))
    }

    /// Returns for pairs of entities whether they overlap or touch; an absent key overlaps nothing.
    #[pyo3(signature = (first, second, *, threads = None))]
    fn pair_overlaps<'py>(
        &self,
        py: Python<'py>,
        first: &Bound<'py, PyAny>,
        second: &Bound<'py, PyAny>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let ([first, second], shape) = pairs(first, second)?;
        let (threads, world, count) = (Threads::new(threads)?, self.world(), shape.iter().product());
        let overlaps = threads.run_apart(py, pair_work(&world, count, [&first, &second]), move || {
            each(count, LEAST, |place| {
                world.scene.pair(&first.get_or_only(place), &second.get_or_only(place)).overlaps()
            })
        })?;
        shaped(py, overlaps, &shape)
    }
}

/// Returns the work of `count` pairs, as a number of triangles.
fn pair_work(world: &World, count: usize, keys: [&Keys; 2]) -> usize {
    match count {
        0..FEW => keys.map(|keys| world.triangles_of(&keys.values)).into_iter().sum(),
        _ => usize::MAX,
    }
}

fn pairs(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> PyResult<([Keys; 2], Vec<usize>)> {
    let (first, second) = (keys(first, "first")?, keys(second, "second")?);
    let shape = common_shape(("first", &first.shape), ("second", &second.shape), &[])?;
    Ok(([first, second], shape))
}
