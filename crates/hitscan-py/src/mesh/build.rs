//! Arguments of meshes.

use crate::error;
use crate::input::vector_text;
use hitscan::Quality;
use hitscan::glam::DVec3;
use pyo3::prelude::*;

const QUALITIES: [(&str, Quality); 3] =
    [("fast", Quality::Fast), ("balanced", Quality::Balanced), ("best", Quality::Best)];

pub(crate) fn quality(word: &str) -> PyResult<Quality> {
    QUALITIES
        .into_iter()
        .find_map(|(name, quality)| (name == word).then_some(quality))
        .ok_or_else(|| error::value(format!("quality is {word:?}, but must be \"fast\", \"balanced\" or \"best\"")))
}

pub(super) fn quality_name(quality: Quality) -> &'static str {
    QUALITIES.into_iter().find_map(|(name, one)| (one == quality).then_some(name)).unwrap_or("unknown")
}

pub(super) fn origin(origin: DVec3) -> PyResult<DVec3> {
    match origin.is_finite() {
        true => Ok(origin),
        false => Err(error::value(format!("origin is {}, but must be finite", vector_text(origin)))),
    }
}
