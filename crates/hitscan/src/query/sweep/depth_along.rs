//! The depth of a volume in one piece along a given direction. For a piece of a flat surface, the direction is the
//! normal of the surface.
//!
//! The volume is moved out past the plane of the piece's face and swept back. The place where it first touches the
//! piece is its deepest place in the piece along the direction. So the contact point is on the volume and on the piece. In
//! contrast, the projection of the volume's deepest point onto the plane may be on a neighbouring piece.

use super::search::meet_part;
use crate::convex::RESOLUTION;
use crate::math::float::{larger, largest};
use crate::proximity::{ConvexCore, ConvexPart, Depth, PlacedShape, Touching, closest};
use crate::query::overlap::proximity_parts::form_of;
use crate::query::overlap::volume_query::VolumeQuery;
use crate::scene::Part;
use crate::sweep::{ContactFilter, Sweep};
use core::hash::Hash;
use glam::{DAffine3, DVec3};

impl<K: Clone + Eq + Hash> VolumeQuery<'_, K> {
    /// Returns the separation of the volume from a piece that it touches, along the normal of a face of the piece.
    /// `behind` is the depth of the volume behind the plane of that face. Returns `None` if the depth in the piece is
    /// not above the rounding error.
    pub(in crate::query) fn depth_along(
        &self,
        part: &Part,
        touching: &Touching,
        normal: DVec3,
        behind: f64,
    ) -> Option<Depth> {
        let body = &self.placed.body;
        let lowest = body.core.farthest(-normal) - normal * body.radius;
        let foot = Depth { depth: behind, normal, point: lowest + normal * behind };
        let doubt = RESOLUTION * (self.piece().reach() + larger(largest(foot.point), behind));
        if self.is_on(part, touching, foot.point, doubt) {
            return Some(foot);
        }
        // The sweep begins in front of the plane by more than the error of a contact, and ends the same distance below
        // the volume.
        let (start, way) = (behind + 4.0 * doubt, behind + 8.0 * doubt);
        let Sweep { mover, center, .. } =
            Sweep::of_body(self.placed.clone(), self.outline().clone(), normal * -way, ContactFilter::All);
        let met = match touching.triangle {
            Some((_, corners, _)) => mover.meet_triangle(corners.map(|corner| corner - normal * start), 1.0),
            None => {
                let translation = center.vector_to(part.to_world.translation) - normal * start;
                meet_part(part, &mover, &DAffine3 { translation, ..part.to_world }, 1.0)
            }
        }?;
        let depth = start - met.t * way;
        // For a face in the plane, the depth is the depth behind the plane, without the error of the sweep.
        let depth = if depth >= behind - 8.0 * doubt { behind } else { larger(depth, 0.0) };
        Some(Depth { depth, normal, point: met.point + normal * start })
    }

    /// Returns whether a place is on a piece, within the error `doubt` of the distance.
    fn is_on(&self, part: &Part, touching: &Touching, place: DVec3, doubt: f64) -> bool {
        let at = |form: &PlacedShape<'_>| closest(form, doubt, None).is_some();
        match touching.triangle {
            Some((_, corners, _)) => {
                let core = ConvexCore::Triangle(corners.map(|corner| corner - place));
                at(&PlacedShape::Convex(ConvexPart::new(core, 0.0)))
            }
            None => form_of(part, self.placed.center.beside(place)).is_some_and(|form| at(&form)),
        }
    }
}
