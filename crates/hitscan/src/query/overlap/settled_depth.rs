//! The separation of a volume from a piece of a flat surface, independent of how the surface is divided
//! (docs/robustness/seams.md).

use super::volume_query::VolumeQuery;
use crate::math::float::largest;
use crate::proximity::{Depth, Touching};
use crate::query::sweep::seam::{
    ContactSpot, HidingNeighbor, NEARLY, Reach, SeamContact, Surrounding, each_of_own, own_piece,
};
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::DVec3;

/// The separations of a volume from the pieces of one part.
pub(super) struct PartDepths<'q, 'a, K> {
    query: &'q VolumeQuery<'a, K>,
    part: &'a Part,
    /// The triangle that hid the previous triangle. In a fan around a common corner, one triangle hides most of the
    /// others, so this triangle is tried first. If each of n triangles needed a search for a triangle that hides it,
    /// there would be n^2 tests.
    last_hiding: Option<u32>,
    /// The result of the last completed search for triangles in front of a contact. If the volume touches a common corner
    /// of triangles, all contacts have the same point and normal, and share a search.
    in_front: Option<InFront<'a>>,
}

/// All triangles of a part that are around a contact and in front of the plane with the contact's normal.
struct InFront<'a> {
    /// The vector from the contact to the middle of the volume.
    towards: DVec3,
    normal: DVec3,
    triangles: Vec<Surrounding<'a>>,
}

impl InFront<'_> {
    fn is_at(&self, spot: &ContactSpot<'_>) -> bool {
        (self.towards, self.normal) == (spot.towards, spot.normal)
    }
}

impl<'q, 'a, K: Clone + Eq + Hash> PartDepths<'q, 'a, K> {
    pub(super) fn new(query: &'q VolumeQuery<'a, K>, part: &'a Part) -> Self {
        Self { query, part, last_hiding: None, in_front: None }
    }

    /// Returns the separation from the flat surface to which a touched piece belongs. Returns `None` if another
    /// piece of the surface has that separation.
    pub(super) fn settled(&mut self, touching: &Touching, way: Depth) -> Option<Depth> {
        let (body, center) = (&self.query.placed.body, self.query.center());
        let triangle = touching.triangle.map(|(number, ..)| number);
        let spot = ContactSpot {
            at: center.beside(way.point),
            normal: way.normal,
            towards: -way.point,
            blur: 16.0 * body.rounding(largest(way.point)),
            tilt: NEARLY,
            body,
        };
        let view = self.query.view;
        let contact = match triangle {
            Some(_) => view.lone_contact((self.part, triangle), &spot),
            None => view.contact((self.part, None), &spot),
        };
        let Some(contact) = contact else { return Some(way) };
        let height = |face: DVec3| (body.core.farthest(-face) - way.point).dot(face) - body.radius;
        let contact = contact.at_height(&height);
        // If the closest points are apart, a triangle that is hidden by another does not have closest points of its own.
        let is_apart = touching.gap.normal != DVec3::ZERO && body.radius > 0.0;
        let faces = contact.own.faces(contact.towards, way.normal);
        let mut cover = Cover { contact: &contact, faces: &faces, is_apart, is_hidden: false, flat: None };
        match triangle {
            Some(number) => self.cover_triangle(number, &spot, &mut cover),
            None => contact.hiding().for_each(|neighbor| cover.add(&neighbor)),
        }
        if !cover.is_hidden {
            return Some(way);
        }
        let own = cover.flat?;
        // The separation's point is in the plane of a triangle, but may be beside the face of a solid. Adding +0 turns
        // -0 into +0.
        let face = if triangle.is_some() { 0.0 } else { contact.own.reach(own) };
        let behind = face - height(own) + 0.0;
        if behind >= 0.0 { self.query.depth_along(self.part, touching, own, behind) } else { None }
    }

    /// Searches for pieces that hide a triangle, until further pieces would not change the result. A triangle has one
    /// face, so the result does not depend on the order of the pieces.
    fn cover_triangle(&mut self, number: u32, spot: &ContactSpot<'_>, cover: &mut Cover<'_, 'a>) {
        let (view, part) = (self.query.view, self.part);
        let Some(reach) = cover.contact.reach else { return };
        let last = self.last_hiding.and_then(|last| own_piece(spot.at, reach, (part, number), last));
        if let Some(piece) = last.filter(|piece| view.is_in_front_at(piece, part, spot)) {
            cover.look_at(&piece);
        }
        if !cover.is_decided_by_own() {
            match self.in_front.as_ref().filter(|known| known.is_at(spot)) {
                Some(known) => {
                    let others = known.triangles.iter().filter(|piece| piece.triangle != Some(number));
                    others.for_each(|piece| _ = cover.look_at(piece));
                }
                None => self.look_in_front(number, (reach, spot), cover),
            }
        }
        if cover.flat.is_none() {
            let _ = view.each_of_others(spot.at, reach, part, &mut |piece| {
                if view.is_in_front_at(&piece, part, spot) {
                    cover.look_at(&piece);
                }
                if cover.flat.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(f64::INFINITY) }
            });
        }
    }

    /// Searches for triangles of the part that hide the triangle with this number.
    fn look_in_front(&mut self, number: u32, (reach, spot): (Reach, &ContactSpot<'_>), cover: &mut Cover<'_, 'a>) {
        let mut triangles = Vec::new();
        let ended = each_of_own(spot.at, reach, (self.part, None), &mut |piece| {
            if self.query.view.is_in_front_at(&piece, self.part, spot) {
                if piece.triangle != Some(number) && cover.look_at(&piece) {
                    self.last_hiding = piece.triangle;
                }
                triangles.push(piece);
            }
            if cover.is_decided_by_own() { ControlFlow::Break(()) } else { ControlFlow::Continue(f64::INFINITY) }
        });
        if ended.is_continue() {
            self.in_front = Some(InFront { towards: spot.towards, normal: spot.normal, triangles });
        }
    }
}

/// The result of the pieces considered so far, which may hide a piece.
struct Cover<'c, 'a> {
    contact: &'c SeamContact<'a, 'c>,
    /// The faces of the piece.
    faces: &'c [DVec3],
    /// True if the closest points of the volume and the piece are apart.
    is_apart: bool,
    is_hidden: bool,
    /// The face of the piece that lies in the plane of another piece, which hides it.
    flat: Option<DVec3>,
}

impl<'a> Cover<'_, 'a> {
    /// Adds a piece in front of the contact if it hides the contact's own piece. Returns whether it does.
    fn look_at(&mut self, piece: &Surrounding<'a>) -> bool {
        let neighbor = self.contact.hidden_by(piece);
        neighbor.iter().for_each(|neighbor| self.add(neighbor));
        neighbor.is_some()
    }

    fn add(&mut self, neighbor: &HidingNeighbor) {
        let same = self.faces.iter().copied().find(|own| largest(*own - neighbor.face) <= NEARLY);
        let own = same.filter(|_| !(neighbor.is_own && self.is_apart));
        // The separation from a triangle also leads out of the triangles behind its plane, however long the separation is.
        self.is_hidden |= neighbor.is_own || neighbor.rests || own.is_some();
        self.flat = self.flat.or(own);
    }

    /// Returns whether further triangles of the same part would not change the result.
    fn is_decided_by_own(&self) -> bool {
        self.flat.is_some() || self.is_hidden && self.is_apart
    }
}
