//! The choice of entities and sides that count.

use crate::arguments::{Layers, keys};
use crate::error;
use hitscan::{Cull, Filter};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PySet};
use std::collections::HashSet;

/// The choices of a question: `layers=`, `exclude=`, `only=` and, for rays, `cull=`.
pub(crate) struct Choice {
    layers: u32,
    cull: Cull,
    excluded: HashSet<i64>,
    only: Option<HashSet<i64>>,
}

impl Choice {
    pub(crate) fn new(
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let set = |value: Option<&Bound<'_, PyAny>>, name: &str| {
            let Some(value) = value else { return Ok(None) };
            // numpy makes no array of a set.
            let is_set = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
            let list = is_set.then(|| value.py().get_type::<PyList>().call1((value,))).transpose()?;
            Ok(Some(keys(list.as_ref().unwrap_or(value), name)?.values.into_iter().collect()))
        };
        let excluded: PyResult<Option<HashSet<i64>>> = set(exclude, "exclude");
        Ok(Self {
            layers: layers.map_or(u32::MAX, |layers| layers.0),
            cull: Cull::None,
            excluded: excluded?.unwrap_or_default(),
            only: set(only, "only")?,
        })
    }

    /// Reads the choice of occluders: a dictionary with any of `layers`, `exclude` and `only`.
    pub(crate) fn of_what_hides(value: &Bound<'_, PyAny>) -> PyResult<Self> {
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

    pub(crate) fn culled(self, cull: Cull) -> Self {
        Self { cull, ..self }
    }

    /// Returns whether `exclude` has a key.
    pub(crate) fn excludes(&self, key: i64) -> bool {
        self.excluded.contains(&key)
    }

    pub(crate) fn filter(&self) -> Filter<'_, i64> {
        let filter = Filter::new().layers(self.layers).cull(self.cull);
        if self.excluded.is_empty() && self.only.is_none() {
            return filter;
        }
        let is_meant = |key: &i64| self.only.as_ref().is_none_or(|only| only.contains(key));
        filter.entities(move |key| !self.excluded.contains(&key) && is_meant(&key))
    }
}
