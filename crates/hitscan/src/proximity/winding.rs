//! Whether a place is inside of a closed mesh, by the fronts and backs that lines through it meet: exactly, as spans are.

use crate::float::{larger, largest};
use crate::hit::Side;
use crate::mesh::Surface;
use crate::ray::LocalRay;
use crate::shape::is_crossed;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// Where a point is with respect to what it is nearest to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Containment {
    /// Outside of a solid or a closed mesh, or on its surface.
    Outside,
    /// In the inside of a solid or a closed mesh.
    Inside,
    /// Neither: a plane, a quad, a disc, a triangle, a height field and a mesh that is not closed have no inside.
    Open,
}

/// Of a local point, given another one on the surface: by four lines through the point, one of which goes there.
///
/// A line that is inside after more fronts than backs comes out again, if the mesh is closed: then all lines agree, as the winding number is that of the
/// point. Of a mesh that is not, they do where no line goes through a hole.
pub(crate) fn containment(surface: &dyn Surface, point: DVec3, on_it: DVec3) -> Containment {
    let bounds = surface.bounds();
    let size = largest((bounds.max.as_dvec3() - bounds.min.as_dvec3()).abs());
    // Three directions at right angles, along which nothing is modelled.
    let directions = [[0.36, 0.48, 0.8], [0.8, -0.6, 0.0], [0.48, 0.64, -0.6]].map(|v| DVec3::from_array(v) * size);
    let towards = on_it - point;
    let towards = (larger(largest(towards), 0.0) > 0.0).then_some(towards);
    let mut depths = towards.into_iter().chain(directions).map(|direction| depth(surface, point, direction));
    let first = depths.next().flatten();
    match first {
        Some(first) if first >= 0 && depths.all(|depth| depth == Some(first)) => {
            if first > 0 {
                Containment::Inside
            } else {
                Containment::Outside
            }
        }
        _ => Containment::Open,
    }
}

/// How many more backs than fronts are ahead on a line; `None` if those behind do not make up for it.
fn depth(surface: &dyn Surface, origin: DVec3, direction: DVec3) -> Option<i64> {
    let line = LocalRay { origin, direction, t_min: f32::NEG_INFINITY, t_max: f32::INFINITY };
    let mut crossings: Vec<(u32, f32, Side)> = Vec::new();
    let _ = surface.each(&line, 0.0, &mut |found| {
        let corners = surface.triangle(found.triangle);
        if corners.is_some_and(|corners| is_crossed(&line, corners.map(|corner| corner.as_dvec3()))) {
            crossings.push((found.triangle, found.verdict.t, found.verdict.side));
        }
        ControlFlow::Continue(f32::INFINITY)
    });
    // A triangle may be in several leaves.
    crossings.sort_unstable_by_key(|&(triangle, ..)| triangle);
    crossings.dedup_by_key(|&mut (triangle, ..)| triangle);
    let outwards = |side: Side| if side == Side::Back { 1 } else { -1 };
    let all: i64 = crossings.iter().map(|&(_, _, side)| outwards(side)).sum();
    let ahead = crossings.iter().filter(|&&(_, t, _)| t > 0.0).map(|&(_, _, side)| outwards(side)).sum();
    (all == 0).then_some(ahead)
}
