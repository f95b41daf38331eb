//! The description of a model.

use super::contents::{AnimationInfo, CameraInfo, CutOut, EntityInfo, MaterialInfo, ViewInfo};
use super::trees::Trees;
use crate::extent::Extent;
use serde::Serialize;

/// The output of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Info<'a> {
    pub(super) model: &'a str,
    pub(super) entities: Vec<EntityInfo<'a>>,
    pub(super) triangles: u64,
    pub(super) degenerate_triangles: u64,
    pub(super) cameras: Vec<CameraInfo<'a>>,
    pub(super) animations: Vec<AnimationInfo<'a>>,
    pub(super) materials: Vec<MaterialInfo<'a>>,
    pub(super) cut_outs: Vec<CutOut<'a>>,
    pub(super) bounds: Option<Extent>,
    pub(super) default_camera: ViewInfo<'a>,
    pub(super) load_seconds: f64,
    pub(super) build_seconds: f64,
    pub(super) trees: Trees,
}
