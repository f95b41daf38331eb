//! Meshes that deform: new positions of the same vertices.

use super::validate;
use crate::error::MeshError;
use crate::mesh::data::slabs::MadeSlabs;
use crate::mesh::data::vertex_stats::VertexStats;
use crate::mesh::{Mesh, MeshData};
use crate::simd::collected;
use crate::tri::has_area;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem::take;
use glam::Vec3;

/// After a rebuild, the tree is rebuilt again only when its cost is this many times the cost that led to that rebuild. So
/// geometry that moves back and forth is not rebuilt each time.
const MORE_DECAY: f64 = 1.5;

impl Mesh {
    /// Moves the vertices; the triangles keep their vertices. All answers are the same as for a mesh that is built from
    /// the new positions. This takes a small part of the time of a build, because the tree is only refitted.
    ///
    /// It takes one local position for each vertex, in the vertices' order. Only this value changes. If clones share
    /// its data, it takes a copy of its own first. Otherwise, everything is done in place. A scene has clones of its
    /// meshes, so deform a mesh in a scene with [`Scene::refit`](crate::Scene::refit). Vertex normals and texture
    /// coordinates stay as they are; [`set_normals`](Self::set_normals) sets the normals of the new shape.
    ///
    /// The tree keeps its topology. If neighbours move apart, rays take longer. [`TreeStats::expected_visits`](crate::mesh::TreeStats::expected_visits) of
    /// [`tree_stats`](Self::tree_stats) shows this, and [`rebuilt`](Self::rebuilt) makes a mesh that is as fast as a new one. This call also rebuilds the tree
    /// when a ray is expected to visit twice as many nodes as at the last build. The rebuilt tree has the quality that the mesh was built with. The gain of
    /// [`Quality::Best`](crate::Quality::Best) from dividing triangles is lost, so [`Quality::Balanced`](crate::Quality::Balanced) is the better choice for a
    /// mesh that deforms. The tree is also rebuilt if a triangle that never had an area gains one, or if dozens of triangles had exactly the same corners.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mut flag = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let ray = Ray::new([0.25, 0.25, 4.0], [0.0, 0.0, -1.0]);
    /// flag.refit(&[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])?;
    /// assert_eq!(flag.cast(&ray).unwrap().t, 3.0);
    /// // Positions that cannot be used are refused, and nothing changes.
    /// assert!(flag.refit(&[[0.0, 0.0, f32::NAN]; 3]).is_err());
    /// assert_eq!(flag.cast(&ray).unwrap().t, 3.0);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is not one position for each vertex, or if a position is not finite. The mesh is unchanged then.
    pub fn refit<P: Copy + Into<Vec3>>(&mut self, positions: &[P]) -> Result<(), MeshError> {
        self.fit(self.checked(positions)?);
        Ok(())
    }

    /// Checks positions for this mesh.
    pub(crate) fn checked<P: Copy + Into<Vec3>>(&self, positions: &[P]) -> Result<CheckedPositions, MeshError> {
        self.check_count("positions", positions.len())?;
        let positions: Vec<Vec3> = collected(positions.iter().map(|&p| p.into()));
        let extremes = validate::positions(&positions)?;
        Ok(CheckedPositions { positions, extremes })
    }

    /// Moves the vertices to positions that were checked for this mesh.
    pub(crate) fn fit(&mut self, checked: CheckedPositions) {
        Arc::make_mut(&mut self.shared).refit(checked.positions, &checked.extremes);
    }
}

/// Finite positions, as many as the mesh has vertices.
pub(crate) struct CheckedPositions {
    positions: Vec<Vec3>,
    extremes: VertexStats,
}

impl MeshData {
    fn refit(&mut self, positions: Vec<Vec3>, extremes: &VertexStats) {
        self.set_positions(positions, extremes);
        self.closedness.forget_places();
        self.slabs = MadeSlabs::default();
        self.all_have_area = false;
        // The tighter bounds are computed from the vertices again. Computing them from the tree's boxes, which are
        // fewer, would give other bounds than a new mesh has.
        self.dop = self.dop_of_vertices();
        let Self { positions, triangles, left_out, .. } = self;
        let is_flat = |&triangle: &u32| !has_area(triangles[triangle as usize].map(|index| positions[index as usize]));
        let is_still_flat = left_out.iter().all(is_flat);
        if !is_still_flat || !self.repeats.is_empty() {
            // The new tree contains the triangles that have an area now, and all that ever had one. Therefore,
            // rebuilds come to an end.
            self.left_out.retain(is_flat);
            return self.build();
        }
        let cost = self.fit_tree();
        if cost > self.most_cost {
            self.build();
            self.most_cost = self.most_cost.max(MORE_DECAY * cost);
        }
    }

    /// Refits blocks and boxes to the vertices. Returns the new cost of the tree.
    pub(in crate::mesh) fn fit_tree(&mut self) -> f64 {
        let (mut tree, mut blocks) = (take(&mut self.tree), take(&mut self.blocks));
        let cost = blocks.fit(&mut tree, &self.corners());
        (self.tree, self.blocks) = (tree, blocks);
        self.frame = self.frame.holding(&self.tree);
        cost
    }
}
