//! Clouds of points.

use super::simplex_tree::SimplexTree;
use crate::error::WireError;
use crate::geom::aabb::Aabb;
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::Vec3;

/// A cloud of points with its tree, in its own local space. Clones share the points and the tree: a clone costs no
/// memory and no build.
///
/// Points have no area. Rays and moving volumes pass through them, nothing overlaps them, and `closest_point` ignores
/// them. A [`Cursor`](crate::snap::Cursor) snaps to them, a [`Selector`](crate::select::Selector) selects them, and
/// they are included in the bounds of a scene. A point's number is its index in the input; equal points are kept.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::snap::{Cursor, SnapKind};
/// use hitscan::wire::PointCloud;
///
/// let scan = PointCloud::new(&[[0.0, 0.0, 0.0], [1.0, 0.5, 0.0], [2.0, 0.0, 0.0]])?;
/// let mut scene = Scene::new();
/// scene.insert("scan", scan, DVec3::ZERO)?;
/// let camera = Camera::orthographic(Camera::look_at([0.0, 0.0, 5.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, 6.0)?;
/// let cursor = Cursor::new(&camera, [600.0, 600.0], [402.0, 251.0], 5.0);
/// let snap = cursor.nearest(&scene, &[SnapKind::Vertex]).unwrap();
/// assert_eq!((snap.point, snap.target.unwrap().vertex), (DVec3::new(1.0, 0.5, 0.0), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("points", "lidar", "scan"))]
#[derive(Clone, Debug)]
pub struct PointCloud {
    pub(super) shared: Arc<CloudData>,
}

#[derive(Debug)]
pub(super) struct CloudData {
    positions: Vec<Vec3>,
    tree: SimplexTree<1>,
}

impl PointCloud {
    /// Makes a cloud of points. A cloud without points is allowed.
    ///
    /// # Errors
    /// Returns an error that names the first point that is not finite, or if there are too many points.
    pub fn new<P: Copy + Into<Vec3>>(positions: &[P]) -> Result<Self, WireError> {
        Self::from_positions(positions.iter().map(|&position| position.into()).collect())
    }

    pub(crate) fn from_positions(positions: Vec<Vec3>) -> Result<Self, WireError> {
        check_finite(&positions)?;
        let tree = SimplexTree::new(positions.len(), |number| [positions[number as usize]])?;
        Ok(Self { shared: Arc::new(CloudData { positions, tree }) })
    }

    /// Returns the local points.
    pub fn positions(&self) -> &[Vec3] {
        &self.shared.positions
    }

    /// Returns the smallest box around all points; [`Aabb::EMPTY`] without any.
    pub fn bounds(&self) -> Aabb {
        self.shared.tree.bounds()
    }

    /// Returns whether two clouds share their data, as clones do.
    pub fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(crate) fn tree(&self) -> &SimplexTree<1> {
        &self.shared.tree
    }
}

/// Returns an error for the first position that is not finite.
pub(super) fn check_finite(positions: &[Vec3]) -> Result<(), WireError> {
    match positions.iter().position(|position| !position.is_finite()) {
        Some(index) => Err(WireError::Point { index, position: positions[index] }),
        None => Ok(()),
    }
}
