//! Generalised winding numbers: by exact rays for meshes that are closed or nearly closed, and by solid angles for other meshes and for caps.

mod border;
mod group_tree;
mod moments;
mod solid_angle;

use super::closed_winding;
use crate::convex::is_usable;
use crate::error::BatchError;
use crate::mesh::Mesh;
use crate::parallel::{Threads, answer_on};
use alloc::vec::Vec;
use border::caps_of;
use glam::{DVec3, Vec3};
use group_tree::GroupTree;
use solid_angle::winding_of;

/// The number of points that are worth handing to another thread.
const GRAIN: usize = 256;
/// Rays are worth it if a mesh has at least this many triangles for each edge of its border.
const TRIANGLES_PER_EDGE: usize = 2;

/// The winding numbers of a mesh: how often its surface goes around points, as a fraction where it is not closed. A
/// later [deformation](Mesh::refit) of the mesh does not change them.
///
/// The number of a point inside a closed mesh is 1, and outside it is 0. A surface with holes, pieces that cross each
/// other, and loose triangles have numbers in between. Points with a number of at least one half may be taken for the
/// inside (A. Jacobson et al., "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013).
///
/// ```
/// use hitscan::{Mesh, WindingTree};
///
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let closed = WindingTree::new(&Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?);
/// assert_eq!(closed.winding_number([1.0, 1.0, 1.0], 0.0), Some(1.0));
/// let open = WindingTree::new(&Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2])?);
/// let inside = open.winding_number([0.5, 0.5, 0.5], 0.01).unwrap();
/// assert!(0.5 < inside && inside < 1.0);
/// # Ok::<(), hitscan::error::MeshError>(())
/// ```
#[doc(alias("solid_angle", "inside_outside", "fast_winding_number"))]
#[derive(Clone, Debug)]
pub struct WindingTree {
    mesh: Mesh,
    /// Triangles that close the mesh, if they are few.
    caps: Option<Mesh>,
    /// The caps, or else the triangles of the mesh.
    tree: GroupTree,
}

impl WindingTree {
    /// Prepares a mesh. If it is closed or has few border edges, this takes the time of a test whether it [is closed](Mesh::is_closed), and memory for the
    /// border alone. Otherwise it takes about the time of a build of the mesh, and some 90 bytes for each triangle.
    pub fn new(mesh: &Mesh) -> Self {
        let border = if mesh.is_closed() { Vec::new() } else { mesh.missing_edges() };
        let is_short = TRIANGLES_PER_EDGE * border.len() <= mesh.triangle_count();
        let closing = |corners: Vec<[Vec3; 3]>| Some((Mesh::from_soup(corners.as_flattened()).ok()?, corners));
        let (caps, corners) = match is_short.then(|| caps_of(mesh, border)).and_then(closing) {
            Some((caps, corners)) => (Some(caps), corners),
            None => (None, triangles_of(mesh).collect()),
        };
        Self { mesh: mesh.clone(), caps, tree: GroupTree::new(corners) }
    }

    /// Returns the winding number of a point, in the mesh's own space, with an error of at most `error_bound` and the
    /// rounding of f64. A larger bound takes less time. If the bound is 0 or below, or NaN, only the rounding remains.
    ///
    /// A [closed](Mesh::is_closed) mesh has a whole number, which rays find exactly. A mesh with few border edges is
    /// closed by caps: rays find the whole number of the closed surface, and the solid angles of the caps are subtracted. For other meshes, triangles near the
    /// point are added one by one, and distant ones in groups (G. Barill et al., "Fast Winding Numbers for Soups and Clouds",
    /// 2018).
    ///
    /// On a surface, the number is the mean of the numbers on the two sides, and at an edge or a corner it depends on
    /// the angles there. The time for such a point is proportional to the number of triangles.
    ///
    /// Returns `None` for a point that is not finite or above 1e70.
    ///
    /// ```
    /// use hitscan::{Mesh, WindingTree};
    ///
    /// let square = [[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
    /// let roof = WindingTree::new(&Mesh::new(&square, &[0, 1, 2, 0, 2, 3])?);
    /// let below = roof.winding_number([0.0, -9.0, 0.0], 0.0).unwrap();
    /// assert!((below - 1.0 / 6.0).abs() < 1e-12, "a square is one of the six sides of a cube");
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../../query/edges/winding.md")]
    pub fn winding_number(&self, point: impl Into<DVec3>, error_bound: f64) -> Option<f64> {
        let point = point.into();
        if !is_usable(point) {
            return None;
        }
        let Some(caps) = &self.caps else { return Some(self.tree.winding_number(point, error_bound)) };
        Some(match closed_winding([&self.mesh, caps], point) {
            Some(whole) => whole as f64 - self.tree.winding_number(point, error_bound),
            None => triangles_of(&self.mesh).map(|corners| winding_of(&[corners], point)).sum(),
        })
    }

    /// Does the same as [`winding_number`](Self::winding_number) for every point, on at most `threads` threads.
    ///
    /// ```
    /// use hitscan::batch::Threads;
    /// use hitscan::{Mesh, WindingTree};
    ///
    /// let roof = Mesh::from_soup(&[[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]])?;
    /// let mut numbers = [None; 2];
    /// let points = [[0.0, -0.01, 0.0], [0.0, 0.01, 0.0]];
    /// WindingTree::new(&roof).winding_number_batch(&points, 0.001, Threads::All, &mut numbers)?;
    /// assert!(numbers[0].unwrap() > 0.49 && numbers[1].unwrap() < -0.49);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../../query/edges/winding.md")]
    ///
    /// # Errors
    /// Returns an error if there are not as many places for answers as points; no answer is written then.
    pub fn winding_number_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        error_bound: f64,
        threads: Threads,
        answers: &mut [Option<f64>],
    ) -> Result<(), BatchError> {
        answer_on(threads, (points, answers), GRAIN, &|points, answers| {
            for (&point, answer) in points.iter().zip(answers) {
                *answer = self.winding_number(point, error_bound);
            }
        })
    }
}

fn triangles_of(mesh: &Mesh) -> impl Iterator<Item = [Vec3; 3]> + '_ {
    (0..mesh.triangle_count() as u32).filter_map(|number| mesh.triangle(number))
}
