//! The trees that make queries fast: one over the entities, and one in each mesh.

use crate::model::{Loaded, indices};
use anyhow::Result;
use hitscan::Mesh;
use hitscan::mesh::TreeStats;
use serde::Serialize;
use std::time::Instant;

#[derive(Debug, Serialize)]
pub(super) struct Trees {
    pub(super) scene: Figures,
    /// The number of meshes. Shared meshes are counted once.
    pub(super) mesh_count: usize,
    /// The figures of all meshes together. They are sums, except the depth and the visits, which are the largest of any
    /// mesh.
    pub(super) meshes: Figures,
}

/// The values of [`TreeStats`] in the form for output.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figures {
    pub(super) leaves: usize,
    pub(super) nodes: usize,
    pub(super) depth: usize,
    pub(super) expected_visits: f64,
    pub(super) bytes: usize,
}

impl Trees {
    pub(super) fn of(loaded: &Loaded) -> Self {
        let meshes = loaded.meshes();
        let together = meshes.iter().fold(Figures::default(), |sum, mesh| sum.with(mesh.tree_stats()));
        let scene = Figures::default().with(TreeStats::of(&loaded.scene));
        Self { scene, mesh_count: meshes.len(), meshes: together }
    }
}

impl Figures {
    fn with(self, stats: TreeStats) -> Self {
        Self {
            leaves: self.leaves + stats.leaves,
            nodes: self.nodes + stats.nodes,
            depth: self.depth.max(stats.depth),
            expected_visits: self.expected_visits.max(stats.expected_visits),
            bytes: self.bytes + stats.bytes,
        }
    }
}

/// Returns the time that the trees take to build, in seconds. They are built a second time for this measurement, because
/// loading does other work, too.
pub(super) fn build_seconds(loaded: &Loaded) -> Result<f64> {
    let mut seconds = 0.0;
    for mesh in loaded.meshes() {
        let indices = indices(&mesh);
        let start = Instant::now();
        Mesh::new(mesh.positions(), &indices)?;
        seconds += start.elapsed().as_secs_f64();
    }
    let start = Instant::now();
    loaded.model.scene()?;
    Ok(seconds + start.elapsed().as_secs_f64())
}
