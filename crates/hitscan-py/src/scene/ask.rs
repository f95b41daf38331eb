//! The common parts of questions about a scene: the entities that count, the threads, and the macros that give methods these arguments.

use super::choice::Choice;
use super::{Scene, World};
use crate::answers::{Piece, Ragged};
use crate::arguments::ThreadCount;
use crate::each::{each, each_of_many};
use crate::threads::{FEW, Threads};
use hitscan::{Cull, View};
use pyo3::prelude::*;
use std::sync::Arc;

/// A question about a scene, with its choices.
pub(super) struct Asked<'py> {
    pub(super) py: Python<'py>,
    pub(super) world: Arc<World>,
    pub(super) choice: Choice,
    pub(super) threads: Threads,
}

impl<'py> Asked<'py> {
    pub(super) fn new(py: Python<'py>, scene: &Scene, choice: Choice, threads: Option<ThreadCount>) -> PyResult<Self> {
        Ok(Self { py, world: scene.world(), choice, threads: Threads::new(threads)? })
    }

    /// Returns the question for rays that go through one side of surfaces.
    pub(super) fn culled(self, cull: Cull) -> Self {
        Self { choice: self.choice.culled(cull), ..self }
    }

    /// Answers a number of questions, each by a view of the scene. A thread takes at least `least` of them at a time.
    pub(super) fn each<A: Send>(
        &self,
        count: usize,
        least: usize,
        answer: impl Fn(View<'_, i64>, usize) -> A + Sync + Send,
    ) -> PyResult<Vec<A>> {
        let filter = self.choice.filter();
        let view = self.world.scene.with(&filter);
        self.threads.run(self.py, count, || each(count, least, |place| answer(view, place)))
    }

    /// Answers questions with any number of rows each, as [`each_of_many`] does.
    pub(super) fn many<R: Send, B: Default>(
        &self,
        count: usize,
        answer: impl Fn(View<'_, i64>, usize, &mut Piece<R>, &mut B) + Sync + Send,
    ) -> PyResult<Ragged<R>> {
        let filter = self.choice.filter();
        let view = self.world.scene.with(&filter);
        self.threads
            .run(self.py, count, || each_of_many(count, |place, piece, buffer| answer(view, place, piece, buffer)))
    }

    /// Does work for a number of questions, each of which may take seconds: a signal ends the call without waiting for the work.
    pub(super) fn apart<A: Send + 'static>(
        self,
        count: usize,
        work: impl FnOnce(View<'_, i64>) -> A + Send + 'static,
    ) -> PyResult<A> {
        let Self { py, world, choice, threads } = self;
        let triangles = if count < FEW { world.work() } else { usize::MAX };
        threads.run_apart(py, triangles, move || {
            let filter = choice.filter();
            work(world.scene.with(&filter))
        })
    }
}

/// Makes methods of `Scene` that end with the arguments `layers`, `exclude`, `only` and `threads`. Before them, a method has its own arguments, and after a
/// semicolon its options with their defaults. A body is given the [`Asked`].
macro_rules! scene_questions {
    ($(
        $(#[$about:meta])*
        fn $name:ident($asked:ident; $($arg:ident: $kind:ty),*; $($option:ident: $option_kind:ty = $default:tt),*) -> $answer:ty $body:block
    )*) => {
        #[pymethods]
        impl Scene {$(
            $(#[$about])*
            #[pyo3(signature = ($($arg,)* *, $($option = $default,)* layers = None, exclude = None, only = None, threads = None))]
            fn $name<'py>(
                &self,
                py: Python<'py>,
                $($arg: $kind,)*
                $($option: $option_kind,)*
                layers: Option<$crate::arguments::Layers>,
                exclude: Option<&Bound<'py, PyAny>>,
                only: Option<&Bound<'py, PyAny>>,
                threads: Option<$crate::arguments::ThreadCount>,
            ) -> PyResult<$answer> {
                let choice = $crate::scene::choice::Choice::new(layers, exclude, only)?;
                let $asked = $crate::scene::ask::Asked::new(py, self, choice, threads)?;
                $body
            }
        )*}
    };
}

/// Makes methods of `Scene` with all the arguments of `cast`, of which a body is given the rays' arrays and the question.
macro_rules! ray_questions {
    ($(
        $(#[$about:meta])*
        fn $name:ident($arrays:ident, $question:ident; $($arg:ident: $kind:ty)?; $($option:ident: $option_kind:ty = $default:tt)?) -> $answer:ty $body:block
    )*) => {
        #[pymethods]
        impl Scene {$(
            $(#[$about])*
            #[pyo3(signature = (
                origins, directions, $($arg,)? *, t_min = None, t_max = None, cull = "none", inside = "exit", cut_outs = "open", after = None, $($option = $default,)?
                layers = None, exclude = None, only = None, invalid = "raise", threads = None
            ))]
            fn $name<'py>(
                &self,
                py: Python<'py>,
                origins: &Bound<'py, PyAny>,
                directions: &Bound<'py, PyAny>,
                $($arg: $kind,)?
                t_min: Option<&Bound<'py, PyAny>>,
                t_max: Option<&Bound<'py, PyAny>>,
                cull: &str,
                inside: &str,
                cut_outs: &str,
                after: Option<&Bound<'py, SceneHits>>,
                $($option: $option_kind,)?
                layers: Option<$crate::arguments::Layers>,
                exclude: Option<&Bound<'py, PyAny>>,
                only: Option<&Bound<'py, PyAny>>,
                invalid: &str,
                threads: Option<$crate::arguments::ThreadCount>,
            ) -> PyResult<$answer> {
                let $arrays = RayArrays::new(origins, directions, t_min, t_max)?;
                let choice = $crate::scene::choice::Choice::new(layers, exclude, only)?.culled(cull_of(cull)?);
                let asked = $crate::scene::ask::Asked::new(py, self, choice, threads)?;
                let options = RayOptions::new(inside, cut_outs)?.unusable(invalid)?.after(after, &$arrays)?;
                let $question = RayQuestion { asked, arrays: &$arrays, options };
                $body
            }
        )*}
    };
}

pub(super) use {ray_questions, scene_questions};
