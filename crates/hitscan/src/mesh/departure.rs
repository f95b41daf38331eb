//! Leaving a mesh's surface: which triangles a ray that starts on one of them cannot meet.

use super::Mesh;
use crate::hit::Side;
use glam::{DVec3, Vec3};

impl Mesh {
    /// Whether a hit is of the surface being left: the ray starts on triangle `left`, up to the rounding of its origin, and meets `other` on this side.
    ///
    /// With an exact origin, a ray that leaves a triangle to one side of it meets a triangle across a shared edge only on that same side,
    /// whatever the angle between them: with the edge at 0, the origin at -a (1, 0) and the neighbour along
    /// (cos phi, sin phi), the ray to a point of the neighbour crosses it at a speed of -a sin phi against its normal, which is negative wherever the
    /// point is above the triangle's plane. The other side is met only because the origin was rounded to behind a flat or
    /// convex neighbour. The triangle itself, and one on the same three corners, are only met at the start.
    pub(crate) fn is_left_behind(&self, left: u32, other: u32, side: Side, direction: DVec3) -> bool {
        let (Some(a), Some(b)) = (self.triangle(left), self.triangle(other)) else { return false };
        let leaving_to = if direction.dot(self.front_normal(left)) > 0.0 { Side::Front } else { Side::Back };
        match shared(a, b) {
            Shared::All => true,
            Shared::Edge(Winding::Same) => side != leaving_to,
            Shared::Edge(Winding::Opposite) => side == leaving_to,
            Shared::Less => false,
        }
    }
}

/// What two triangles have in common, by the positions of their corners: a mesh may hold a vertex several times.
enum Shared {
    All,
    Edge(Winding),
    Less,
}

/// Whether two triangles at an edge have their fronts on the same side of the surface.
enum Winding {
    Same,
    Opposite,
}

fn shared(a: [Vec3; 3], b: [Vec3; 3]) -> Shared {
    if a.iter().all(|corner| b.contains(corner)) {
        return Shared::All;
    }
    for i in 0..3 {
        for j in 0..3 {
            let (edge, other) = ([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            if edge == [other[1], other[0]] {
                return Shared::Edge(Winding::Same);
            }
            if edge == other {
                return Shared::Edge(Winding::Opposite);
            }
        }
    }
    Shared::Less
}
