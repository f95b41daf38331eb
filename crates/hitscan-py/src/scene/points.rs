//! Nearest points of a scene.

use super::Scene;
use super::answers::{PointRow, ScenePoints};
use super::choice::Choice;
use crate::answers::{Rows, containment_number, feature_number, or_none};
use crate::arguments::{Layers, Points, ThreadCount};
use crate::each::each;
use crate::error;
use crate::threads::Threads;
use hitscan::ProximityQueries;
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
}
