//! Questions about pairs of entities that are named by their keys, in a scene or in two.

use super::volume_answers::{AllPairPenetrations, DistanceRow, Distances, PairPenetrations};
use super::{Scene, World};
use crate::answers::{Rows, or_none};
use crate::arguments::{Keys, ThreadCount, common_shape, keys};
use crate::arrays::shaped;
use crate::each::{each, each_of_many};
use crate::threads::{FEW, Threads};
use hitscan::pairs::{Pair, PairPenetration};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::sync::Arc;

/// The least number of pairs that a thread takes at a time.
const LEAST: usize = 16;

#[pymethods]
impl Scene {
    /// Returns the distance and the nearest points of each pair of entities: `first` and `second` are their keys, and
    /// either may be a single key. Solids include their inside; of meshes, only the surface counts. With `other`, the second entity is one of that scene.
    #[pyo3(signature = (first, second, other = None, *, threads = None))]
    fn distance(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        other: Option<&Scene>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Distances> {
        let none = DistanceRow {
            distance: f32::NAN,
            points: [[f64::NAN; 3]; 2],
            normal: [0.0; 3],
            parts: [0; 2],
            triangles: [-1; 2],
        };
        EntityPairs::new(self, first, second, other)?
            .each(py, threads, move |pair| {
                pair.distance().map_or(none, |found| DistanceRow {
                    distance: found.distance,
                    points: found.points_f64().map(|point| point.to_array()),
                    normal: found.normal.to_array(),
                    parts: found.parts,
                    triangles: found.triangles.map(or_none),
                })
            })
            .map(Distances::new)
    }

    /// Returns the penetration depth of each pair of entities, and the motion that takes the second out of the first. It takes the arguments of `distance`.
    #[pyo3(signature = (first, second, other = None, *, threads = None))]
    fn pair_penetration(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        other: Option<&Scene>,
        threads: Option<ThreadCount>,
    ) -> PyResult<PairPenetrations> {
        let pairs = EntityPairs::new(self, first, second, other)?;
        pairs.each(py, threads, |pair| pair.penetration()).map(PairPenetrations::new)
    }

    /// Returns the penetration of every two convex pieces, each a solid or a triangle, of each pair of entities that overlap or touch, the deepest first. It
    /// takes the arguments of `distance`.
    #[pyo3(signature = (first, second, other = None, *, threads = None))]
    fn pair_penetration_all(
        &self,
        py: Python<'_>,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        other: Option<&Scene>,
        threads: Option<ThreadCount>,
    ) -> PyResult<AllPairPenetrations> {
        let (pairs, threads) = (EntityPairs::new(self, first, second, other)?, Threads::new(threads)?);
        let found = threads.run_apart(py, pairs.work(), move || {
            each_of_many(pairs.count(), |place, piece, found: &mut Vec<PairPenetration>| {
                pairs.pair(place).penetration_all(found);
                piece.add(found.iter().copied());
            })
        })?;
        Ok(AllPairPenetrations::new(found))
    }

    /// Returns for pairs of entities whether they overlap or touch; an absent key overlaps nothing. It takes the arguments of `distance`.
    #[pyo3(signature = (first, second, other = None, *, threads = None))]
    fn pair_overlaps<'py>(
        &self,
        py: Python<'py>,
        first: &Bound<'py, PyAny>,
        second: &Bound<'py, PyAny>,
        other: Option<&Scene>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let pairs = EntityPairs::new(self, first, second, other)?;
        let overlaps = pairs.each(py, threads, |pair| pair.overlaps())?;
        shaped(py, overlaps.rows, &overlaps.shape)
    }
}

/// Pairs of an entity of a scene and another entity of that scene, or of another one.
struct EntityPairs {
    keys: [Keys; 2],
    shape: Vec<usize>,
    world: Arc<World>,
    other: Option<Arc<World>>,
}

impl EntityPairs {
    fn new(
        scene: &Scene,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        other: Option<&Scene>,
    ) -> PyResult<Self> {
        let (first, second) = (keys(first, "first")?, keys(second, "second")?);
        let shape = common_shape(("first", &first.shape), ("second", &second.shape), &[])?;
        Ok(Self { keys: [first, second], shape, world: scene.world(), other: other.map(Scene::world) })
    }

    fn count(&self) -> usize {
        self.shape.iter().product()
    }

    fn pair(&self, place: usize) -> Pair<'_, i64> {
        let [first, second] = self.keys.each_ref().map(|keys| keys.get_or_only(place));
        match &self.other {
            Some(other) => self.world.scene.against(&other.scene).pair(&first, &second),
            None => self.world.scene.pair(&first, &second),
        }
    }

    /// Returns the work of all pairs, as a number of triangles.
    fn work(&self) -> usize {
        if self.count() >= FEW {
            return usize::MAX;
        }
        let [first, second] = &self.keys;
        let other = self.other.as_ref().unwrap_or(&self.world);
        self.world.triangles_of(&first.values) + other.triangles_of(&second.values)
    }

    /// Asks a question about each pair.
    fn each<A: Send + 'static>(
        self,
        py: Python<'_>,
        threads: Option<ThreadCount>,
        ask: impl Fn(Pair<'_, i64>) -> A + Send + Sync + 'static,
    ) -> PyResult<Rows<A>> {
        let threads = Threads::new(threads)?;
        let (work, shape) = (self.work(), self.shape.clone());
        let rows = threads.run_apart(py, work, move || each(self.count(), LEAST, |place| ask(self.pair(place))))?;
        Ok(Rows::new(rows, &shape))
    }
}
