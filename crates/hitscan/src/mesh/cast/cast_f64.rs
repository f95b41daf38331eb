//! Rays in f64 against a mesh, for callers whose own rays are in f64 and who compute t by themselves.

use crate::collections::sort::SharedSort;
use crate::geom::affine::ColumnAffine;
use crate::geom::culling::Cull;
use crate::geom::ray::LocalRay;
use crate::geom::transform::InstanceRay;
use crate::mesh::Mesh;
use crate::tri::TriangleSet;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};

impl Mesh {
    /// Returns the triangle that a ray in f64 hits first, given its origin, its direction and the closed range of t.
    ///
    /// The ray is in the mesh's own space, and t is in multiples of its direction, as for [`cast`](Self::cast). Whether
    /// it hits a triangle is decided exactly for these numbers; they are not rounded to f32 first. If several triangles
    /// have the same rounded t, the lowest is returned. [Cut-outs](Self::with_cut_out) are treated as surface. A ray
    /// hits nothing if it is not finite in f32, if its direction is zero in f32, or if its range is empty.
    ///
    /// ```
    /// use hitscan::{Cull, Mesh, glam::DVec3};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// // At 1e-12 from an edge, rounding to f32 would put both rays on the edge.
    /// let at = |y| mesh.first_triangle_f64(DVec3::new(0.5, y, 1.0), DVec3::NEG_Z, [0.0, f32::INFINITY], Cull::None);
    /// assert_eq!((at(0.5 - 1e-12), at(0.5 + 1e-12)), (Some(0), None));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    pub fn first_triangle_f64(&self, origin: DVec3, direction: DVec3, range: [f32; 2], cull: Cull) -> Option<u32> {
        let ray = LocalRay::from_f64(origin, direction, range)?;
        // The instances of a scene are tested with rays in f64. With the identity, the image of the ray has exactly the
        // given numbers.
        let to_local = ColumnAffine::from(DAffine3::IDENTITY);
        let instance = InstanceRay { ray: &ray, to_local: &to_local, t_max: ray.t_max };
        self.closest(instance, 0.0, cull).map(|found| found.triangle)
    }

    /// Finds the triangles that a ray in f64 hits, the lowest first. The buffer is cleared first.
    ///
    /// The rays and the rules are the same as for [`first_triangle_f64`](Self::first_triangle_f64).
    ///
    /// ```
    /// use hitscan::{Cull, Mesh, glam::DVec3};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let mut triangles = Vec::new();
    /// mesh.triangles_f64(DVec3::new(0.25, 0.25, 1.0), DVec3::NEG_Z, [0.0, 1.0], Cull::None, &mut triangles);
    /// assert_eq!(triangles, [0]);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    pub fn triangles_f64(
        &self,
        origin: DVec3,
        direction: DVec3,
        range: [f32; 2],
        cull: Cull,
        triangles: &mut Vec<u32>,
    ) {
        triangles.clear();
        let Some(ray) = LocalRay::from_f64(origin, direction, range) else { return };
        let _ = self.each(&ray, 0.0, &[], &mut |found, _| {
            if cull.keeps(found.verdict.side) {
                triangles.push(found.triangle);
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        triangles.sort_shared();
        // A triangle may be in several leaves.
        triangles.dedup();
    }
}
