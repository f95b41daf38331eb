//! Closed meshes that contain a point.

use super::proximity_parts::near_parts;
use crate::collections::sort::SharedSort;
use crate::geom::aabb::Aabb;
use crate::query::View;
use crate::scene::PartGeometry;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::DVec3;

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Returns the entities with a closed mesh that [contains](crate::Mesh::contains) a point of the world, in the order in which they were inserted.
    pub(crate) fn closed_meshes_around(&self, point: DVec3) -> Vec<K> {
        let mut found: Vec<(u64, K)> = Vec::new();
        let _ = near_parts(self, (point, point), 0.0, &mut |part| {
            if let PartGeometry::Mesh(mesh) = &part.geometry
                && is_inside(&mesh.bounds(), part.to_local.affine().transform_point3(point))
                && mesh.is_closed()
                && mesh.contains(part.to_local.affine().transform_point3(point))
                && let Some(owner) = self.scene.owner(part)
            {
                found.push((part.order, owner.key.clone()));
            }
            ControlFlow::Continue(0.0)
        });
        found.sort_shared_by_key(|(order, _)| *order);
        found.dedup_by_key(|(order, _)| *order);
        found.into_iter().map(|(_, key)| key).collect()
    }
}

/// Returns whether a point is within bounds. This is a cheap test before the test of a mesh.
fn is_inside(bounds: &Aabb, point: DVec3) -> bool {
    bounds.min.as_dvec3().cmple(point).all() && point.cmple(bounds.max.as_dvec3()).all()
}
