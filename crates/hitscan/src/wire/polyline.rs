//! Polylines.

use super::point_cloud::check_finite;
use super::simplex_tree::SimplexTree;
use crate::error::WireError;
use crate::geom::aabb::Aabb;
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::Vec3;

/// One or more strips of straight segments with their tree, in their own local space. Clones share the points and the tree.
///
/// Lines have no area. Rays and moving volumes pass through them, nothing overlaps them, and `closest_point` ignores
/// them. A [`Cursor`](crate::snap::Cursor) snaps to their points and segments, a [`Selector`](crate::select::Selector)
/// selects them, and they are included in the bounds of a scene. The points of all strips are numbered in the order of
/// the input. A closed line ends with a copy of its first point.
///
/// ```
/// use hitscan::wire::Polyline;
///
/// let path = Polyline::from_strips([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]])?;
/// assert_eq!((path.positions().len(), path.segment_count(), path.segment(1)), (4, 2, Some([2, 3])));
/// # Ok::<(), hitscan::error::WireError>(())
/// ```
#[doc(alias("line_strip", "wireframe", "curve", "path"))]
#[derive(Clone, Debug)]
pub struct Polyline {
    pub(super) shared: Arc<LineData>,
}

#[derive(Debug)]
pub(super) struct LineData {
    positions: Vec<Vec3>,
    /// The number of points of each strip.
    strips: Vec<u32>,
    /// The first point of each segment. The second point of a segment is the next point.
    segments: Vec<u32>,
    tree: SimplexTree<2>,
}

impl Polyline {
    /// Makes a polyline of one strip.
    ///
    /// # Errors
    /// Returns an error as [`from_strips`](Self::from_strips) does.
    pub fn new<P: Copy + Into<Vec3>>(positions: &[P]) -> Result<Self, WireError> {
        Self::from_strips([positions])
    }

    /// Makes a polyline of strips. A strip joins each of its points to the next by a segment. An empty list of strips is allowed.
    ///
    /// # Errors
    /// Returns an error if a strip has fewer than two points, if a point is not finite, or if there are too many points. It names the first invalid
    /// strip or point.
    pub fn from_strips<S: AsRef<[P]>, P: Copy + Into<Vec3>>(
        strips: impl IntoIterator<Item = S>,
    ) -> Result<Self, WireError> {
        let (mut positions, mut lengths) = (Vec::new(), Vec::new());
        for strip in strips {
            positions.extend(strip.as_ref().iter().map(|&position| position.into()));
            lengths.push(strip.as_ref().len());
        }
        Self::from_parts(positions, &lengths)
    }

    /// Makes a polyline from the points of all strips and the number of points of each strip.
    pub(crate) fn from_parts(positions: Vec<Vec3>, lengths: &[usize]) -> Result<Self, WireError> {
        if let Some(strip) = lengths.iter().position(|&length| length < 2) {
            return Err(WireError::Strip { strip, points: lengths[strip] });
        }
        check_finite(&positions)?;
        let limit = u32::MAX as usize;
        if positions.len() > limit {
            return Err(WireError::TooMany { count: positions.len(), limit });
        }
        let strips: Vec<u32> = lengths.iter().map(|&length| length as u32).collect();
        let mut segments = Vec::new();
        let mut first = 0;
        for &points in &strips {
            segments.extend(first..first + points - 1);
            first += points;
        }
        let corners = |number: u32| {
            let first = segments[number as usize] as usize;
            [positions[first], positions[first + 1]]
        };
        let tree = SimplexTree::new(segments.len(), corners)?;
        Ok(Self { shared: Arc::new(LineData { positions, strips, segments, tree }) })
    }

    /// Returns the local points of all strips.
    pub fn positions(&self) -> &[Vec3] {
        &self.shared.positions
    }

    /// Iterates over the strips, each with its local points.
    pub fn strips(&self) -> impl Iterator<Item = &[Vec3]> {
        let mut rest = &self.shared.positions[..];
        self.shared.strips.iter().map(move |&points| {
            let (strip, others) = rest.split_at(points as usize);
            rest = others;
            strip
        })
    }

    /// Returns the number of segments.
    pub fn segment_count(&self) -> usize {
        self.shared.segments.len()
    }

    /// Returns the numbers of the two points that a segment joins; `None` beyond the last segment.
    pub fn segment(&self, segment: u32) -> Option<[u32; 2]> {
        self.shared.segments.get(segment as usize).map(|&first| [first, first + 1])
    }

    /// Returns the smallest box around all points; [`Aabb::EMPTY`] without any.
    pub fn bounds(&self) -> Aabb {
        self.shared.tree.bounds()
    }

    /// Returns whether two polylines share their data, as clones do.
    pub fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(crate) fn tree(&self) -> &SimplexTree<2> {
        &self.shared.tree
    }
}
