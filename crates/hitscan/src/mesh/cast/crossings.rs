//! The places where a line enters and leaves a closed mesh: one crossing for each, also at edges and corners.

use crate::collections::sort::SharedSort;
use crate::geom::hit::Side;
use crate::geom::ray::{LocalRay, Ray};
use crate::mesh::Mesh;
use crate::shape::is_crossed;
use crate::tri::{FoundTriangle, InteriorHit, MeshHit, TriangleSet};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::Vec3;

/// A passage of a line through a mesh.
#[derive(Clone, Copy)]
pub(crate) enum Passage {
    Between(FoundTriangle, FoundTriangle),
    /// The line enters and never leaves, because the mesh is not closed.
    WithoutExit(FoundTriangle),
    WithoutEntry(FoundTriangle),
}

impl Mesh {
    /// Collects the hits at which a ray enters and leaves the mesh, into a buffer that is cleared first. There is one
    /// hit for each crossing, also at an edge or a corner, where [`cast_all`](Self::cast_all) has one for each
    /// triangle.
    ///
    /// Each hit is an end of an interval that [`RayQueries::solid_intervals`](crate::RayQueries::solid_intervals)
    /// finds, and the same rules hold. Consider a [closed](Self::is_closed) mesh that faces outwards. Its fronts and
    /// backs alternate, and a ray that starts and ends outside has as many fronts as backs. If a ray only touches a
    /// corner, there is no hit. A ray along an edge or a face either passes through the mesh or passes by. Surfaces
    /// within the mesh are ignored, and so are a front and a back at the same t. A mesh that is not closed has a hit
    /// for each surface that has no counterpart.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray, Side};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// let through_an_edge = Ray::with_direction([2.0, 2.0, -1.0], [-1.0, -1.0, 1.0]);
    /// let mut hits = Vec::new();
    /// tetrahedron.cast_all(&through_an_edge, &mut hits);
    /// let all = hits.len();
    /// tetrahedron.cast_crossings(&through_an_edge, &mut hits);
    /// let crossings: Vec<_> = hits.iter().map(|hit| (hit.t, hit.side)).collect();
    /// assert_eq!((all, crossings), (3, vec![(1.0, Side::Front), (2.0, Side::Back)]));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../../query/edges/own_crossings.md")]
    #[doc(alias("parity", "slice", "thickness", "even_odd"))]
    pub fn cast_crossings(&self, ray: &Ray, hits: &mut Vec<MeshHit>) {
        hits.clear();
        let Some(local) = LocalRay::new(ray) else { return };
        let mut put = |found: FoundTriangle| {
            if local.contains(found.verdict.t) {
                hits.push(self.shared.report(ray, found));
            }
        };
        self.each_passage(&local, &mut Vec::new(), &mut |passage| match passage {
            Passage::Between(enter, exit) => {
                put(enter);
                put(exit);
            }
            Passage::WithoutExit(lone) | Passage::WithoutEntry(lone) => put(lone),
        });
        // One hit may be reported twice: as the end of a passage, and as a surface without a counterpart.
        hits.dedup_by_key(|hit| hit.triangle);
    }

    /// Calls `show` with the passages of a ray's whole line through the mesh, in their order; `crossings` is a buffer.
    pub(crate) fn each_passage(
        &self,
        ray: &LocalRay,
        crossings: &mut Vec<FoundTriangle>,
        show: &mut dyn FnMut(Passage),
    ) {
        let line = LocalRay { t_min: f32::NEG_INFINITY, t_max: f32::INFINITY, ..*ray };
        crossings.clear();
        let _ = self.each(&line, 0.0, &[], &mut |found, interior| {
            if self.is_crossed_at(&line, found.triangle, interior) {
                crossings.push(found);
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        crossings.sort_shared_by(|a, b| a.verdict.t.total_cmp(&b.verdict.t).then(a.triangle.cmp(&b.triangle)));
        // A triangle may be in several leaves.
        crossings.dedup_by_key(|found| found.triangle);
        show_passages(crossings, show);
    }

    /// Returns whether a line crosses a triangle that it hits, in the sense of [`is_crossed`].
    pub(crate) fn is_crossed_at(&self, line: &LocalRay, triangle: u32, interior: InteriorHit) -> bool {
        let is_crossed = |corners: [Vec3; 3]| is_crossed(line, corners.map(|corner| corner.as_dvec3()));
        interior == InteriorHit::Sure || self.triangle(triangle).is_some_and(is_crossed)
    }
}

/// Calls `show` with the passages between all crossings of a line, in order. Crossings with equal t are handled
/// together, because f32 cannot distinguish which of them comes first.
fn show_passages(crossings: &[FoundTriangle], show: &mut dyn FnMut(Passage)) {
    let (mut entered, mut depth) = (None, 0i64);
    for together in crossings.chunk_by(|a, b| a.verdict.t == b.verdict.t) {
        let first = |side: Side| together.iter().copied().find(|found| found.verdict.side == side);
        let change: i64 = together.iter().map(|found| if found.verdict.side == Side::Front { 1 } else { -1 }).sum();
        let after = depth + change;
        if after > 0 {
            entered = entered.or_else(|| first(Side::Front));
        } else if let Some(exit) = first(Side::Back) {
            if let Some(enter) = entered.take() {
                show(Passage::Between(enter, exit));
            }
            if after < 0 {
                show(Passage::WithoutEntry(exit));
            }
        }
        depth = after.max(0);
    }
    if let Some(enter) = entered {
        show(Passage::WithoutExit(enter));
    }
}
