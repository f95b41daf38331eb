//! Containment of points in a mesh.

use crate::mesh::Mesh;
use crate::proximity::{Clearance, Containment, Crossings, containment, containment_in_closed, on_surface};
use glam::DVec3;

impl Mesh {
    /// Returns whether a point is inside the mesh. It is `false` on the surface, and for a mesh that is not closed or
    /// faces inwards; [`closest_point`](Self::closest_point) distinguishes these cases.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// assert!(tetrahedron.contains([1.0, 1.0, 1.0]));
    /// assert!(!tetrahedron.contains([1.0, 1.0, 0.0]), "it is on the surface");
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/contains.md")]
    #[doc(alias("point_in_mesh", "inside"))]
    pub fn contains(&self, point: impl Into<DVec3>) -> bool {
        let (point, bounds) = (point.into(), self.bounds());
        let is_in_box =
            bounds.min.as_dvec3().cmple(point).all() && point.cmple(bounds.max.as_dvec3()).all() && point.is_finite();
        if !is_in_box {
            return false;
        }
        if self.is_closed_for(1) {
            return self.contains_in_box(point, &mut Crossings::default());
        }
        self.closest_point(point).is_some_and(|nearest| nearest.containment == Containment::Inside)
    }

    /// Returns whether a point within the bounds of a closed mesh is inside the mesh. `crossings` is a buffer.
    pub(in crate::query) fn contains_in_box(&self, point: DVec3, crossings: &mut Crossings) -> bool {
        let containment = if self.is_clear_of(point) {
            containment_in_closed(self, point, Clearance::Certain, crossings)
        } else {
            self.closest_point(point).map_or(Containment::Outside, |nearest| nearest.containment)
        };
        containment == Containment::Inside
    }

    /// Returns the containment of a local point, given the nearest triangle and the distance to it, in local or world units.
    /// If the mesh has an inside, a point on the surface is outside.
    pub(in crate::query) fn containment_at(
        &self,
        point: DVec3,
        nearest: u32,
        distance: f64,
        clearance: Clearance,
    ) -> Containment {
        match (self.is_closed_for(1), distance > 0.0) {
            (true, true) => containment_in_closed(self, point, clearance, &mut Crossings::default()),
            (true, false) => Containment::Outside,
            (false, true) => containment(self, point, nearest, clearance),
            (false, false) => on_surface(self, nearest),
        }
    }
}
