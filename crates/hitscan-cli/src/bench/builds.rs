//! The time that trees take to build, and their size.

use super::rounds::{Rounds, Timing};
use super::shared::clock::seconds;
use crate::model::{Loaded, indices};
use anyhow::Result;
use hitscan::error::MeshError;
use hitscan::mesh::TreeStats;
use hitscan::{Mesh, Quality};
use hitscan_io::Problem;
use rayon::ThreadPool;
use serde::Serialize;

/// The trees of all meshes in one quality.
#[derive(Debug, Serialize)]
pub(super) struct Build {
    pub(super) quality: &'static str,
    pub(super) threads: usize,
    #[serde(flatten)]
    pub(super) timing: Timing,
    /// The size of the trees, without the user's vertices and indices.
    pub(super) bytes: usize,
    pub(super) bytes_per_triangle: f64,
}

/// The tree over the entities.
#[derive(Debug, Serialize)]
pub(super) struct SceneBuild {
    #[serde(flatten)]
    pub(super) timing: Timing,
    pub(super) bytes: usize,
}

const QUALITIES: [(Quality, &str); 3] =
    [(Quality::Fast, "fast"), (Quality::Balanced, "balanced"), (Quality::Best, "best")];

/// The data that a mesh is built from.
struct Source<'a> {
    mesh: &'a Mesh,
    indices: Vec<u32>,
}

pub(super) fn measure(meshes: &[Mesh], pools: &[ThreadPool], rounds: &Rounds<'_>) -> Result<Vec<Build>> {
    let sources: Vec<Source<'_>> = meshes.iter().map(|mesh| Source { mesh, indices: indices(mesh) }).collect();
    let triangles: usize = meshes.iter().map(Mesh::triangle_count).sum();
    let mut builds = Vec::new();
    for (quality, name) in QUALITIES {
        for pool in pools {
            let threads = pool.current_num_threads();
            let mut built = Ok((0.0, 0));
            let timing = rounds.time(format!("build, {name}, {threads} threads"), || {
                built = pool.install(|| build_all(&sources, quality));
                built.as_ref().map_or(f64::NAN, |(seconds, _)| *seconds)
            });
            let (_, bytes) = built?;
            let bytes_per_triangle = bytes as f64 / triangles as f64;
            builds.push(Build { quality: name, threads, timing, bytes, bytes_per_triangle });
        }
    }
    Ok(builds)
}

/// Builds one mesh after the other, and returns the sums of the seconds and the bytes. Each mesh is dropped before the
/// next one is built.
fn build_all(sources: &[Source<'_>], quality: Quality) -> Result<(f64, usize), MeshError> {
    let mut sum = (0.0, 0);
    for Source { mesh, indices } in sources {
        let (seconds, built) = seconds(|| Mesh::with_quality(mesh.positions(), indices, quality));
        sum.0 += seconds;
        sum.1 += built?.tree_stats().bytes;
    }
    Ok(sum)
}

pub(super) fn scene(loaded: &Loaded, rounds: &Rounds<'_>) -> Result<SceneBuild, Problem> {
    let mut built = Ok(());
    let timing = rounds.time("build, scene".into(), || {
        let (seconds, scene) = seconds(|| loaded.model.scene());
        built = scene.map(drop);
        seconds
    });
    built.map(|()| SceneBuild { timing, bytes: TreeStats::of(&loaded.scene).bytes })
}
