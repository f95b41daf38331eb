//! The figures that are measured.

use super::builds::{Build, SceneBuild};
use super::casts::Cast;
use super::rounds::Timing;
use serde::Serialize;

/// The output of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Figures<'a> {
    pub(super) model: &'a str,
    pub(super) simd: String,
    pub(super) entities: usize,
    pub(super) meshes: usize,
    pub(super) triangles: usize,
    pub(super) seed: u64,
    pub(super) builds: Vec<Build>,
    pub(super) scene: SceneBuild,
    pub(super) rays: Vec<Cast>,
    pub(super) cold_pick: Timing,
}
