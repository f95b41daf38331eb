//! The choice of entities and sides that count.

use crate::arguments::{Layers, keys};
use crate::error;
use hitscan::{Cull, Filter, Inside};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashSet;

/// The choices of a question: `layers=`, `exclude=`, `only=` and, of rays, `cull=`.
pub(super) struct Choice {
    layers: u32,
    cull: Cull,
    excluded: HashSet<i64>,
    only: Option<HashSet<i64>>,
}

impl Choice {
    pub(super) fn new(
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let set = |value: Option<&Bound<'_, PyAny>>, name: &str| {
            value.map(|value| Ok(keys(value, name)?.values.into_iter().collect())).transpose()
        };
        let excluded: PyResult<Option<HashSet<i64>>> = set(exclude, "exclude");
        Ok(Self {
            layers: layers.map_or(u32::MAX, |layers| layers.0),
            cull: Cull::None,
            excluded: excluded?.unwrap_or_default(),
            only: set(only, "only")?,
        })
    }

    /// Reads the choice of all that hides: a dictionary with any of `layers`, `exclude` and `only`.
    pub(super) fn of_what_hides(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let must = "must be a dict with any of \"layers\", \"exclude\" and \"only\"";
        let dict = value
            .cast::<PyDict>()
            .map_err(|_| error::kind(format!("hidden_by is {}, but {must}", value.get_type())))?;
        let (mut layers, mut exclude, mut only) = (None, None, None);
        for (name, value) in dict {
            let value = (!value.is_none()).then_some(value);
            match name.extract::<String>().as_deref() {
                Ok("layers") => layers = value.map(|value| value.extract()).transpose()?,
                Ok("exclude") => exclude = value,
                Ok("only") => only = value,
                _ => return Err(error::value(format!("hidden_by has the key {}, but {must}", name.repr()?))),
            }
        }
        Self::new(layers, exclude.as_ref(), only.as_ref())
    }

    pub(super) fn culled(self, cull: Cull) -> Self {
        Self { cull, ..self }
    }

    pub(super) fn filter(&self) -> Filter<'_, i64> {
        let filter = Filter::new().layers(self.layers).cull(self.cull);
        if self.excluded.is_empty() && self.only.is_none() {
            return filter;
        }
        let is_meant = |key: &i64| self.only.as_ref().is_none_or(|only| only.contains(key));
        filter.entities(move |key| !self.excluded.contains(&key) && is_meant(&key))
    }
}

/// Returns what a ray that starts inside of a solid meets.
pub(super) fn inside(word: &str) -> PyResult<Inside> {
    match word {
        "exit" => Ok(Inside::Exit),
        "solid" => Ok(Inside::Solid),
        "ignore" => Ok(Inside::Ignore),
        _ => Err(error::value(format!("inside is {word:?}, but must be \"exit\", \"solid\" or \"ignore\""))),
    }
}
