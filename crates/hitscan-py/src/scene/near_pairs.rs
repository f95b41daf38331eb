//! The nearest pairs of entities, in a scene and between two.

use super::Scene;
use crate::answers::{Array, Rows, counted_answers, or_none};
use crate::arguments::{Layers, Points, Rotations, ThreadCount, common_shape_of_keys, keys};
use crate::error;
use crate::threads::Threads;
use hitscan::pairs::{EntityImpact, EntityMotion, NearPair, PairFilter, PairTest};
use numpy::PyArray2;
use pyo3::prelude::*;

counted_answers! {
    /// Pairs of entities that are near each other: an array for each value. The last dimension of 2 is the pair's.
    NearPairs of Rows<Option<NearPair<i64>>> as single("pair", "pair") by first {
        /// The key of the entity that was inserted first, or of the entity of the first scene; -1 if there is no pair.
        first: i64 = |found| found.column(|pair| pair.map_or(-1, |pair| pair.first)),
        /// The key of the other one, or -1.
        second: i64 = |found| found.column(|pair| pair.map_or(-1, |pair| pair.second)),
        /// The distance, 0 where they touch or overlap; infinite if there is no pair.
        distance: f32 = |found| found.column(|pair| pair.map_or(f32::INFINITY, |pair| pair.between.distance)),
        /// The nearest points on the first and the second entity, in float64, of shape (..., 2, 3).
        points: f64 = |found| {
            let points = |pair: &Option<NearPair<i64>>| match pair {
                Some(pair) => pair.between.points_f64().map(|point| point.to_array()),
                None => [[f64::NAN; 3]; 2],
            };
            let both = found.rows.iter().flat_map(points).collect();
            Array::of_vectors(both, &[&found.shape[..], &[2]].concat())
        },
        /// The direction from the first to the second, of unit length; 0 if there is none.
        normal: f32 = |found| found.vectors(|pair| pair.map_or([0.0; 3], |pair| pair.between.normal.to_array())),
        /// The indices of the parts of compounds, of shape (..., 2).
        parts: i64 = |found| found.vectors(|pair| pair.map_or([0; 2], |pair| pair.between.parts.map(i64::from))),
        /// The indices of the triangles, or -1, of shape (..., 2).
        triangles: i64 = |found| found.vectors(|pair| pair.map_or([-1; 2], |pair| pair.between.triangles.map(or_none))),
    }
}

counted_answers! {
    /// First contacts of entities that move, in the order of their times: an array for each value. The last dimension of 2 is the pair's.
    Impacts of Rows<EntityImpact<i64>> as single("impact", "impact") by first {
        /// The key of the entity that was inserted first.
        first: i64 = |found| found.column(|impact| impact.first),
        /// The key of the other one.
        second: i64 = |found| found.column(|impact| impact.second),
        /// The fraction of the motions at which the two touch, from 0 to 1.
        time: f64 = |found| found.column(|impact| impact.time),
        /// The distance at that time, at most the tolerance unless the search ended early.
        distance: f32 = |found| found.column(|impact| impact.between.distance),
        /// The nearest points on the first and the second entity at that time, in float64, of shape (n, 2, 3).
        points: f64 = |found| {
            let points = |impact: &EntityImpact<i64>| impact.between.points_f64().map(|point| point.to_array());
            let both = found.rows.iter().flat_map(points).collect();
            Array::of_vectors(both, &[&found.shape[..], &[2]].concat())
        },
        /// The direction from the first to the second, of unit length; 0 if there is none.
        normal: f32 = |found| found.vectors(|impact| impact.between.normal.to_array()),
        /// The indices of the parts of compounds, of shape (n, 2).
        parts: i64 = |found| found.vectors(|impact| impact.between.parts.map(i64::from)),
        /// The indices of the triangles, or -1, of shape (n, 2).
        triangles: i64 = |found| found.vectors(|impact| impact.between.triangles.map(or_none)),
    }
}

#[pymethods]
impl Scene {
    /// Returns the first contact of every two entities that come to touch while the entities under `keys` move at the same time. The scene does not change.
    /// Entity i moves by `motions[i]` and rotates about its origin by `rotations[i]`, a quaternion (x, y, z, w) of at most half a turn, both at constant speed.
    /// At the time of a contact, the two are at most `tolerance` apart; a contact is never late. The other arguments are as for `overlap_pairs`.
    #[pyo3(signature = (keys, motions, *, rotations = None, tolerance = 1e-4, layers = None, other_layers = None, exclude = None, threads = None))]
    fn first_impacts(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        motions: &Bound<'_, PyAny>,
        rotations: Option<&Bound<'_, PyAny>>,
        tolerance: f64,
        layers: Option<Layers>,
        other_layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<Impacts> {
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(error::value(format!("tolerance is {tolerance}, but must be finite and above 0")));
        }
        let (moving, motions) = (self::keys(keys, "keys")?, Points::new(motions, "motions")?);
        let shape = common_shape_of_keys(("keys", &moving.shape), ("motions", motions.shape()))?;
        let rotations = Rotations::new(rotations, &shape, "rotations")?;
        let ways = motions.slice()?;
        let motion = |place| {
            let motion = EntityMotion::new(moving.get_or_only(place), ways.get_or_only(place));
            Ok(motion.rotating(rotations.get(place)?))
        };
        let moves: Vec<EntityMotion<i64>> = (0..shape.iter().product()).map(motion).collect::<PyResult<_>>()?;
        let filter = pair_filter([layers, other_layers], exclude)?;
        let (world, threads) = (self.world(), Threads::new(threads)?);
        let found: Vec<EntityImpact<i64>> = threads.run_apart(py, world.work(), move || {
            let mut impacts = Vec::new();
            world.scene.first_impacts(&moves, &filter, tolerance, &mut impacts);
            impacts
        })?;
        let count = found.len();
        Ok(Impacts::new(Rows::new(found, &[count])))
    }

    /// Returns all pairs of entities that overlap or touch, of shape (n, 2): each once, the entity that was inserted first before the other. With `other`, they
    /// are pairs of an entity of this scene and an entity of that one. A pair counts if one of the two is on some of `layers`, and the other on some of
    /// `other_layers`, unless it is a row of `exclude`, of shape (n, 2), in either order. With `test="boxes"` only the boxes around entities are compared, for
    /// callers with a test of their own.
    #[pyo3(signature = (other = None, *, layers = None, other_layers = None, exclude = None, test = "shapes", threads = None))]
    fn overlap_pairs<'py>(
        &self,
        py: Python<'py>,
        other: Option<&Scene>,
        layers: Option<Layers>,
        other_layers: Option<Layers>,
        exclude: Option<&Bound<'py, PyAny>>,
        test: &str,
        threads: Option<ThreadCount>,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let filter = pair_filter([layers, other_layers], exclude)?.test(pair_test(test)?);
        let (world, other, threads) = (self.world(), other.map(Scene::world), Threads::new(threads)?);
        let found = threads.run_apart(py, world.work(), move || {
            let mut pairs = Vec::new();
            match other {
                Some(other) => world.scene.against(&other.scene).overlap_pairs(&filter, &mut pairs),
                None => world.scene.overlap_pairs(&filter, &mut pairs),
            }
            pairs
        })?;
        crate::arrays::table(py, found.into_iter().map(|(one, other)| [one, other]).collect())
    }

    /// Returns the two entities that are nearest to each other. With `other`, the first is an entity of this scene and the second an entity of `other`. The
    /// remaining arguments are as for `overlap_pairs`.
    #[pyo3(signature = (other = None, *, layers = None, other_layers = None, exclude = None, threads = None))]
    fn closest_pair(
        &self,
        py: Python<'_>,
        other: Option<&Scene>,
        layers: Option<Layers>,
        other_layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<NearPairs> {
        let filter = pair_filter([layers, other_layers], exclude)?;
        let (world, other, threads) = (self.world(), other.map(Scene::world), Threads::new(threads)?);
        let found = threads.run_apart(py, world.work(), move || match other {
            Some(other) => world.scene.against(&other.scene).closest_pair(&filter),
            None => world.scene.closest_pair(&filter),
        })?;
        Ok(NearPairs::new(Rows::new(vec![found], &[])))
    }

    /// Returns all pairs of entities that are no farther apart than `max_distance`, in the order of `overlap_pairs`, whose other arguments it takes.
    #[pyo3(signature = (max_distance, other = None, *, layers = None, other_layers = None, exclude = None, threads = None))]
    fn distance_pairs(
        &self,
        py: Python<'_>,
        max_distance: f64,
        other: Option<&Scene>,
        layers: Option<Layers>,
        other_layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        threads: Option<ThreadCount>,
    ) -> PyResult<NearPairs> {
        if !(max_distance >= 0.0) {
            return Err(error::value(format!("max_distance is {max_distance}, but must not be negative or NaN")));
        }
        let filter = pair_filter([layers, other_layers], exclude)?;
        let (world, other, threads) = (self.world(), other.map(Scene::world), Threads::new(threads)?);
        let found: Vec<NearPair<i64>> = threads.run_apart(py, world.work(), move || {
            let mut pairs = Vec::new();
            match other {
                Some(other) => world.scene.against(&other.scene).distance_pairs(&filter, max_distance, &mut pairs),
                None => world.scene.distance_pairs(&filter, max_distance, &mut pairs),
            }
            pairs
        })?;
        let count = found.len();
        Ok(NearPairs::new(Rows::new(found.into_iter().map(Some).collect(), &[count])))
    }
}

/// Reads what of two entities has to overlap.
pub(crate) fn pair_test(test: &str) -> PyResult<PairTest> {
    match test {
        "shapes" => Ok(PairTest::Shapes),
        "boxes" => Ok(PairTest::Boxes),
        _ => Err(error::value(format!("test is {test:?}, but must be \"shapes\" or \"boxes\""))),
    }
}

/// Reads which pairs count.
fn pair_filter(layers: [Option<Layers>; 2], exclude: Option<&Bound<'_, PyAny>>) -> PyResult<PairFilter<'static, i64>> {
    let [one, other] = layers.map(|layers| layers.map_or(u32::MAX, |layers| layers.0));
    let filter = PairFilter::new().layers(one, other);
    let Some(exclude) = exclude else { return Ok(filter) };
    let pairs = keys(exclude, "exclude")?;
    match pairs.shape[..] {
        [_, 2] => Ok(pairs.values.chunks_exact(2).fold(filter, |filter, pair| filter.exclude(pair[0], pair[1]))),
        _ if pairs.values.is_empty() => Ok(filter),
        _ => Err(error::value(format!("exclude has the shape {:?}, but must be pairs of shape (n, 2)", pairs.shape))),
    }
}
