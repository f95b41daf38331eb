//! The triangles of one mesh that intersect each other.

use crate::mesh::Mesh;
use crate::parallel;
use crate::tri::{TriangleSet, has_area, intersect_beyond_shared};
use alloc::vec::Vec;
use core::ops::Range;

/// The number of triangles that one thread compares with their neighbours at a time.
const GRAIN: usize = 256;

impl Mesh {
    /// Collects every two triangles that intersect or touch beyond the corners and edges that they share, the lower one first, into a buffer that is cleared
    /// first. The pairs are in order, and each is there once. This uses all threads with the feature `parallel`; the answers are the same on any number.
    ///
    /// The decision is exact on the f32 corners, without a tolerance. Corners at one place are treated as one corner, even if they are different vertices. So
    /// neighbours in a sound mesh are no pair. But two triangles that share an edge are a pair if they overlap in a plane. Two triangles that share a corner
    /// are a pair if they also touch elsewhere.
    ///
    /// [`self_intersections_in`](Self::self_intersections_in) answers for some triangles at a time, for a mesh with more pairs than memory holds.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [
    ///     [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0], // a square
    ///     [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 9.0, 0.0], // a blade through both of its triangles
    /// ];
    /// let mesh = Mesh::new(&corners, &[0, 1, 2, 1, 3, 2, 4, 5, 6])?;
    /// let mut pairs = Vec::new();
    /// mesh.self_intersections(&mut pairs);
    /// assert_eq!(pairs, [[0, 2], [1, 2]]);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_intersections.md")]
    #[doc(alias("self_intersection", "does_self_intersect", "self_overlap"))]
    pub fn self_intersections(&self, pairs: &mut Vec<[u32; 2]>) {
        self.self_intersections_in(0..u32::MAX, pairs);
    }

    /// Collects the pairs of [`self_intersections`](Self::self_intersections) whose lower triangle is in a range, into a buffer that is cleared first. Numbers
    /// beyond the last triangle are ignored. A program can ask for one range after the other, to show its progress or to stop early.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let cross = [[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 1.0, -2.0], [0.0, 1.0, 2.0], [0.0, 2.0, 0.0]];
    /// let mesh = Mesh::from_soup(&cross)?;
    /// let mut pairs = Vec::new();
    /// mesh.self_intersections_in(0..1, &mut pairs);
    /// assert_eq!(pairs, [[0, 1]]);
    /// mesh.self_intersections_in(1..2, &mut pairs);
    /// assert!(pairs.is_empty());
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_intersections.md")]
    pub fn self_intersections_in(&self, triangles: Range<u32>, pairs: &mut Vec<[u32; 2]>) {
        pairs.clear();
        let end = triangles.end.min(self.triangle_count() as u32);
        let first = triangles.start.min(end);
        let of_piece = |piece: Range<usize>| {
            let (mut near, mut found) = (Vec::new(), Vec::new());
            for place in piece {
                self.add_intersections(first + place as u32, &mut near, &mut found);
            }
            found
        };
        pairs.append(&mut parallel::gather((end - first) as usize, GRAIN, &of_piece));
    }

    /// Adds the pairs of a triangle and higher ones, in order. `near` is a buffer.
    fn add_intersections(&self, triangle: u32, near: &mut Vec<u32>, pairs: &mut Vec<[u32; 2]>) {
        // The triangle itself may be none of the tree.
        let Some(corners) = self.triangle(triangle).filter(|&corners| has_area(corners)) else { return };
        let has_duplicates = self.has_duplicates();
        near.clear();
        self.near_triangle(corners, &mut |other| {
            // A duplicate of a lower triangle may be higher.
            if other > triangle || has_duplicates {
                near.push(other);
            }
        });
        // One triangle may be in several leaves.
        near.sort_unstable();
        near.dedup();
        let start = pairs.len();
        for &other in near.iter() {
            let Some(theirs) = self.triangle(other) else { continue };
            if TriangleSet::has_area(self, theirs) && intersect_beyond_shared(corners, theirs) {
                let copies = core::iter::once(other).chain(self.duplicates_of(other));
                pairs.extend(copies.filter(|&other| other > triangle).map(|other| [triangle, other]));
            }
        }
        if has_duplicates {
            pairs[start..].sort_unstable();
        }
    }
}
