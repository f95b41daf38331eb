//! The path of a ray through a tree.

use crate::geom::aabb::Aabb;
use crate::geom::ray::Ray;
use crate::math::float::round_vec3;
use crate::mesh::Mesh;
use alloc::vec::Vec;

/// A box of a tree that a ray visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeVisit {
    /// Depth in the tree, 0 for the root.
    pub depth: usize,
    /// The box, in the mesh's own space. Its planes are conservative: no triangle of the box is hit outside of them.
    pub bounds: Aabb,
    /// True for a box of up to eight triangles; false for a box of further boxes.
    pub is_leaf: bool,
}

/// Returns the boxes that [`Mesh::cast`] visits for a ray, in this order, the box around everything first; none for an
/// unusable ray. Their number is the cost of the cast. Holes are treated as surface.
///
/// ```
/// use hitscan::{Mesh, Ray, debug};
///
/// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
/// let visits = debug::mesh_visits(&mesh, &Ray::new([0.25, 0.5, 2.0], [0.0, 0.0, -1.0]));
/// assert_eq!(visits.iter().map(|visit| (visit.depth, visit.is_leaf)).collect::<Vec<_>>(), [(0, false), (1, true)]);
/// # Ok::<(), hitscan::error::MeshError>(())
/// ```
pub fn mesh_visits(mesh: &Mesh, ray: &Ray) -> Vec<TreeVisit> {
    let (unit, visited) = mesh.visits(ray);
    let in_mesh = |bounds: Aabb| {
        let [min, max] = [bounds.min, bounds.max].map(|corner| round_vec3(corner.as_dvec3() * unit));
        Aabb::new(min, max)
    };
    let visit = visited.into_iter();
    visit.map(|it| TreeVisit { depth: it.depth, bounds: in_mesh(it.bounds), is_leaf: it.is_leaf }).collect()
}
