//! Seams between the pieces of a flat surface. A contact near a seam is treated as a contact with the whole surface,
//! however it is divided.
//!
//! The normal of a contact with one piece is computed from that piece alone. The surface may continue beside the piece, in front of the plane with that normal.
//! Then the volume also touches the surface there, or is in it by a rounding error. A piece that is nowhere in front of the plane of its neighbour is hidden by
//! the neighbour. The volume cannot be deeper in the piece than it is in the neighbour.

use crate::convex::{Anchor, Body, Feature, RESOLUTION, point_triangle, triangle_plane};
use crate::geom::hit::Side;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, smaller, unit};
use crate::proximity::{ConvexCore, ConvexPart, PlacedShape, closest, flat_faces, on_segment};
use crate::query::overlap::proximity_parts::{form_of, is_in_front, near_parts};
use crate::query::{SweepHit, View};
use crate::scene::Part;
use crate::sweep::{Contact, Sweep};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// Two normals that differ by no more than this are treated as equal. It is above the accuracy of normals from support
/// points, which is 2^-20, the square root of 2^-40 (docs/robustness/seams.md).
pub(in crate::query) const NEARLY: f64 = 1e-6;

/// A volume that is deeper in a surface than this fraction of its size, or of the surface's size, does not rest on
/// it. This only bounds the number of pieces that are considered.
const SUNK: f64 = 1.0 / 1024.0;

/// The maximum number of pieces that are considered around a contact. If there are more, the nearest pieces are considered.
const MOST_AROUND: usize = 64;

/// A piece of the scene near a point, in coordinates relative to that point.
pub(in crate::query) struct Surrounding<'a> {
    part: &'a Part,
    pub(in crate::query) triangle: Option<u32>,
    form: PlacedShape<'a>,
    /// The point of the piece that is nearest to the origin of the coordinates.
    foot: DVec3,
    /// A bound on the error of the piece's position.
    open: f64,
    /// True if the piece belongs to the same part as the contact.
    is_own: bool,
}

impl Surrounding<'_> {
    /// Orders pieces by their distance, then by their order in the scene.
    fn order(&self, other: &Self) -> Ordering {
        let place = |piece: &Self| (piece.part.order, piece.part.index, piece.triangle);
        length(self.foot).total_cmp(&length(other.foot)).then_with(|| place(self).cmp(&place(other)))
    }

    /// Returns the support distance of the piece along a direction of unit length.
    pub(in crate::query) fn reach(&self, direction: DVec3) -> f64 {
        match &self.form {
            PlacedShape::Convex(piece) => piece.core.farthest(direction).dot(direction) + piece.radius,
            PlacedShape::Plane(flat) if length(direction.reject_from_normalized(flat.normal)) <= NEARLY => {
                self.foot.dot(direction)
            }
            PlacedShape::Plane(_) | PlacedShape::Torus(_) | PlacedShape::Surface(_) => f64::INFINITY,
        }
    }

    /// Returns how far the support point of the piece is in front of the plane through its nearest point. The
    /// distance is given as the sine of an angle. It is 0 if the support point is behind the plane, or in front
    /// of it only by rounding.
    fn lean(&self, normal: DVec3, rounding: f64) -> f64 {
        let piece = match &self.form {
            PlacedShape::Convex(piece) => piece,
            PlacedShape::Plane(flat) => return length(normal.reject_from_normalized(flat.normal)),
            PlacedShape::Torus(_) | PlacedShape::Surface(_) => return 0.0,
        };
        let way = piece.core.farthest(normal) + normal * piece.radius - self.foot;
        let ahead = way.dot(normal);
        if ahead > rounding + doubt(piece) { ahead / length(way) } else { 0.0 }
    }

    /// Returns the outward normals of the piece's flat faces. For a two-sided piece, the normal is on the side of `towards`.
    /// For a round piece, only the faces that are farthest along `direction` are returned.
    pub(in crate::query) fn faces(&self, towards: DVec3, direction: DVec3) -> Vec<DVec3> {
        match self.triangle {
            Some(_) => {
                self.normal().map(|front| if front.dot(towards) < 0.0 { -front } else { front }).into_iter().collect()
            }
            None => flat_faces(&self.form, towards, direction),
        }
    }

    /// Returns the front normal of a triangle, of unit length. The corners in the world are rounded, which rotates
    /// the normal of a small triangle far away. The normal is therefore computed from the exact corners.
    fn normal(&self) -> Option<DVec3> {
        let local = self.part.geometry.triangle(self.triangle?)?.map(Vec3::as_dvec3);
        unit(self.part.world_normal(triangle_plane(local)?))
    }
}

/// Returns a bound on the distance between a piece and the computed point of a contact with the piece. The support points
/// of a round piece are known less precisely.
fn doubt(piece: &ConvexPart<'_>) -> f64 {
    let is_flat = matches!(piece.core, ConvexCore::Triangle(_) | ConvexCore::Box { .. } | ConvexCore::Hull { .. });
    (if is_flat { 64.0 * UNIT_ROUNDOFF } else { RESOLUTION }) * piece.reach()
}

/// The place of a contact, and its error.
pub(in crate::query) struct ContactSpot<'b> {
    pub(in crate::query) at: Anchor,
    pub(in crate::query) normal: DVec3,
    /// The vector to the middle of the volume.
    pub(in crate::query) towards: DVec3,
    /// A bound on the error of the position.
    pub(in crate::query) blur: f64,
    /// A bound on the rotation of the normal, as a sine.
    pub(in crate::query) tilt: f64,
    pub(in crate::query) body: &'b Body,
}

/// Pieces within this distance of a contact are around the contact. The distance is the error of the contact's position, plus the depth that the
/// volume may have in a piece.
#[derive(Clone, Copy)]
pub(in crate::query) struct Reach {
    blur: f64,
    sunk: f64,
}

/// A contact of a volume with a piece, relative to the contact's point.
pub(in crate::query) struct SeamContact<'a, 'c> {
    pub(in crate::query) own: Surrounding<'a>,
    /// The other pieces at the point; empty if they are not needed.
    around: Vec<Surrounding<'a>>,
    /// `None` if it is unknown which pieces are around.
    pub(in crate::query) reach: Option<Reach>,
    normal: DVec3,
    /// The vector to the middle of the volume.
    pub(in crate::query) towards: DVec3,
    /// A function that returns the height of the volume above the plane through the contact's point with a unit normal.
    height: &'c dyn Fn(DVec3) -> f64,
    /// A volume that is no deeper in a piece than this rests on it.
    resting: f64,
}

impl<'a, 'c> SeamContact<'a, 'c> {
    /// Sets the function of the volume's height.
    pub(in crate::query) fn at_height(self, height: &'c dyn Fn(DVec3) -> f64) -> Self {
        SeamContact { height, ..self }
    }
    /// Returns the normals of a piece's faces, each with the depth of the volume behind the face.
    fn sunk<'p>(&self, piece: &'p Surrounding<'_>) -> impl Iterator<Item = (DVec3, f64)> + use<'_, 'p> {
        let faces = piece.faces(self.towards, self.normal).into_iter();
        faces.map(|face| (face, piece.reach(face) - (self.height)(face)))
    }

    /// Returns the normal of the face behind which the volume is least deep, and that depth.
    fn least_sunk(&self, piece: &Surrounding<'_>) -> Option<(DVec3, f64)> {
        self.sunk(piece).reduce(|a, b| if b.1 < a.1 { b } else { a })
    }

    /// Returns the neighbours that hide the piece. A neighbour hides the piece under two conditions. The piece is
    /// behind the plane of a face of the neighbour. The neighbour is no farther from the contact's point than the
    /// volume is deep behind that face. Several faces may be the face behind which the volume is least deep, within the
    /// error of the positions. Each of them is tried.
    pub(in crate::query) fn hiding(&self) -> impl Iterator<Item = HidingNeighbor> {
        self.around.iter().filter_map(|piece| self.hidden_by(piece))
    }

    /// Returns the face of a neighbour, if the neighbour hides the piece.
    pub(in crate::query) fn hidden_by(&self, piece: &Surrounding<'_>) -> Option<HidingNeighbor> {
        let open = self.own.open + piece.open;
        let (_, least) = self.least_sunk(piece)?;
        self.sunk(piece).filter(|(_, sunk)| *sunk <= least + open).find_map(|(face, sunk)| {
            let is_behind = self.own.reach(face) <= piece.reach(face) + open;
            let is_at = length(piece.foot) <= larger(sunk, 0.0) + open;
            let rests = sunk <= self.resting + open;
            (is_behind && is_at).then_some(HidingNeighbor { face, rests, is_own: piece.is_own })
        })
    }
}

/// A neighbour that hides a piece.
pub(in crate::query) struct HidingNeighbor {
    /// The normal of the neighbour's face behind which the piece is.
    pub(in crate::query) face: DVec3,
    /// True if the volume rests on the neighbour: its depth is at most `SeamContact::resting`.
    pub(in crate::query) rests: bool,
    /// True if the neighbour and the piece belong to the same part.
    pub(in crate::query) is_own: bool,
}

impl<'a, K: Clone + Eq + Hash> View<'a, K> {
    /// Returns the contact of a moving volume with the flat surface to which the touched piece belongs. Returns
    /// `None` if the volume only slides along the surface.
    pub(in crate::query) fn settled(
        &self,
        sweep: &Sweep,
        part: &'a Part,
        triangle: Option<u32>,
        met: Contact,
    ) -> Option<Contact> {
        let mover = &sweep.mover;
        if met.normal == DVec3::ZERO || mover.has_middle_in(&met) {
            return Some(met);
        }
        let local = triangle.and_then(|number| part.geometry.triangle(number)).map(|local| local.map(Vec3::as_dvec3));
        let relative = sweep.relative(&part.to_world);
        let corners = local.map(|local| local.map(|corner| relative.transform_point3(corner)));
        let place = corners.map_or(met.point, |corners| on_feature(corners, met.feature, met.point));
        let spot = ContactSpot {
            at: sweep.center.beside(place),
            normal: met.normal,
            towards: mover.motion * met.t - place,
            blur: mover.blur(&met),
            tilt: mover.tilt(&met),
            body: &mover.body,
        };
        let Some(contact) = self.contact((part, triangle), &spot) else { return Some(met) };
        let height = |face| mover.height_above(face, met.t, place);
        let contact = contact.at_height(&height);
        if contact.hiding().any(|hiding| hiding.rests && !mover.presses(hiding.face, met.t)) {
            return None;
        }
        let nearly = larger(NEARLY, mover.doubt_of_normal());
        let is_near = |face: &DVec3| largest(*face - met.normal) <= nearly;
        if let Some(face) = contact.own.faces(contact.towards, met.normal).into_iter().find(is_near) {
            return mover.presses(face, met.t).then_some(met);
        }
        if contact.around.is_empty() {
            // The tilt is a bound on the error of the normal, as a sine.
            let speed = -met.normal.dot(mover.motion);
            let apart = length(contact.towards);
            let tilt = mover.tilt(&met) + if apart > 0.0 { rounding(part, sweep.center.world()) / apart } else { 0.0 };
            let is_pressed = speed > tilt * length(mover.motion);
            return (is_pressed && mover.presses(met.normal, met.t)).then_some(met);
        }
        // If a volume is beside the face, and not deeper than the edge, the normal is the normal of the edge. A volume with a small rounding radius is deeper
        // than the edge before its depth is `SUNK` of its size. So its radius matters.
        let radius = mover.body.radius;
        let resting = if radius > 0.0 { smaller(contact.resting, SUNK * radius) } else { contact.resting };
        let own = contact.least_sunk(&contact.own).filter(|(_, sunk)| *sunk <= resting + contact.own.open);
        let normal = own.map(|(face, _)| face).filter(|face| mover.presses(*face, met.t));
        Some(Contact { normal: normal.unwrap_or(met.normal), ..met })
    }

    /// Returns the unit normals of the flat faces of all pieces at the contact of a moving volume, on the volume's
    /// side. Faces that are within `distance` of the contact are included as well.
    pub(crate) fn faces_at(&self, hit: &SweepHit<K>, distance: f64) -> Vec<DVec3> {
        let (point, normal) = (hit.point_f64(), hit.normal_f64());
        let Some(part) = self.scene.part_of(&hit.id, hit.part) else { return Vec::new() };
        let blur = larger(16.0 * rounding(part, point), distance);
        let mut around = Neighborhood::default();
        let limit = blur + spacing(part, point);
        // The faces of all parts are included, whichever part was hit.
        let _ = near_parts(self, (point, point), limit, &mut |other| {
            let open = blur + spacing(other, point);
            around.add(other, point.into(), (open + spacing(part, point), open));
            ControlFlow::Continue(smaller(limit, around.limit()))
        });
        let faces = around.pieces.iter().flat_map(|piece| {
            let faces = piece.faces(normal, normal).into_iter();
            faces.filter(|face| piece.reach(*face).abs() <= blur + piece.open).collect::<Vec<_>>()
        });
        faces.filter(|face| face.dot(normal) > 0.0).collect()
    }

    /// Returns the contact with a part, or with a triangle of the part. The result lists the pieces around the contact
    /// that are in front of the plane with the contact's normal by more than the tilt. Returns `None` for a part that
    /// nothing can touch.
    pub(in crate::query) fn contact(
        &self,
        part: (&'a Part, Option<u32>),
        spot: &ContactSpot<'_>,
    ) -> Option<SeamContact<'a, 'static>> {
        let contact = self.lone_contact(part, spot)?;
        let mut around = contact.reach.map_or_else(Vec::new, |reach| self.around(spot.at, reach, part));
        around.retain(|piece| self.is_in_front_at(piece, part.0, spot));
        Some(SeamContact { around, ..contact })
    }

    /// Returns the contact with a part, or with a triangle of the part, without the pieces around it.
    pub(in crate::query) fn lone_contact(
        &self,
        (part, triangle): (&'a Part, Option<u32>),
        &ContactSpot { at, normal, towards, blur, body, .. }: &ContactSpot<'_>,
    ) -> Option<SeamContact<'a, 'static>> {
        let point = at.world();
        let blur = blur + rounding(part, point);
        let own = match triangle {
            Some(number) => of_number(part, number, at, blur)?,
            None => {
                let form = form_of(part, at)?;
                let doubt = if let PlacedShape::Convex(piece) = &form { doubt(piece) } else { 0.0 };
                let open = blur + doubt + spacing(part, point);
                Surrounding { part, triangle, form, foot: DVec3::ZERO, open, is_own: true }
            }
        };
        let sunk = SUNK * smaller(body.size() + body.radius, extent(part));
        // Far from the origin, the error of positions may exceed the depth that the volume may have. It is then
        // unknown which pieces are neighbours.
        let reach = (blur < sunk).then_some(Reach { blur, sunk });
        Some(SeamContact { own, around: Vec::new(), reach, normal, towards, height: &|_| 0.0, resting: sunk })
    }

    /// Returns whether a piece at a contact with a part is in front of the plane with the contact's normal by more
    /// than the tilt. The filter of the view must accept the piece too.
    pub(in crate::query) fn is_in_front_at(
        &self,
        piece: &Surrounding<'_>,
        part: &Part,
        spot: &ContactSpot<'_>,
    ) -> bool {
        let point = spot.at.world();
        piece.lean(spot.normal, rounding(part, point)) > spot.tilt && self.counts(piece, point, spot.towards)
    }

    /// Returns whether the filter of the view accepts a piece. `towards` is the vector from the point to the volume's
    /// middle.
    fn counts(&self, piece: &Surrounding<'_>, point: DVec3, towards: DVec3) -> bool {
        let is_in_front = match piece.triangle {
            Some(_) => piece.normal().is_none_or(|front| front.dot(towards) >= 0.0),
            None => is_in_front(piece.part, point + towards),
        };
        let side = if is_in_front { Side::Front } else { Side::Back };
        self.takes_side(piece.part, piece.triangle, side)
    }

    /// Collects the pieces around a contact, except the contact's own piece. Pieces of the same part are included within a depth. It is the depth that the
    /// volume may have plus the position error of the contact. For pieces of other parts, the spacing of the f32 coordinates of both parts is added.
    fn around(&self, at: Anchor, reach: Reach, own: (&'a Part, Option<u32>)) -> Vec<Surrounding<'a>> {
        let mut around = Neighborhood::default();
        let mut add = |piece| {
            around.insert(piece);
            ControlFlow::Continue(around.limit())
        };
        // A convex part does not hide itself.
        if own.1.is_some() {
            let _ = each_of_own(at, reach, own, &mut add);
        }
        let _ = self.each_of_others(at, reach, own.0, &mut add);
        around.pieces
    }

    /// Calls a function with the pieces of other parts around a contact with a part.
    pub(in crate::query) fn each_of_others(
        &self,
        at: Anchor,
        Reach { blur, sunk }: Reach,
        own: &'a Part,
        show: &mut SurroundingVisitor<'_, 'a>,
    ) -> ControlFlow<()> {
        let point = at.world();
        let own_open = blur + spacing(own, point);
        // The coordinates of another part may be as large as the coordinates of the point in the world.
        let mut limit = sunk + own_open + f64::from(f32::EPSILON) * largest(point);
        near_parts(self, (point, point), limit, &mut |part| {
            if (own.order, own.index) != (part.order, part.index) {
                let open = blur + spacing(part, point);
                each_near((part, None), at, (sunk + own_open + open, open), false, &mut |piece| {
                    let most = show(piece)?;
                    limit = smaller(limit, most);
                    ControlFlow::Continue(most)
                })?;
            }
            ControlFlow::Continue(limit)
        })
    }
}

/// Calls a function with the triangles of a part that are around a contact with the part, except the given triangle.
pub(in crate::query) fn each_of_own<'a>(
    at: Anchor,
    Reach { blur, sunk }: Reach,
    own: (&'a Part, Option<u32>),
    show: &mut SurroundingVisitor<'_, 'a>,
) -> ControlFlow<()> {
    each_near(own, at, (sunk + blur, blur), true, show)
}

/// Returns a triangle of a part if it is around a contact with another triangle of the part.
pub(in crate::query) fn own_piece<'a>(
    at: Anchor,
    Reach { blur, sunk }: Reach,
    (own, triangle): (&'a Part, u32),
    number: u32,
) -> Option<Surrounding<'a>> {
    let piece = of_number(own, number, at, blur).filter(|_| number != triangle)?;
    (length(piece.foot) <= sunk + blur).then_some(Surrounding { is_own: true, ..piece })
}

/// Returns a normal of the triangles of a part that contain a point of the world. It is the normal that is least
/// inclined to a direction. Returns `None` if there is no such triangle.
pub(in crate::query) fn facing_triangle(part: &Part, point: DVec3, direction: DVec3, blur: f64) -> Option<DVec3> {
    let mut around = Neighborhood::default();
    let blur = blur + rounding(part, point);
    around.add(part, point.into(), (blur, blur));
    let normals = around.pieces.iter().filter_map(Surrounding::normal);
    let normals = normals.map(|normal| if normal.dot(direction) < 0.0 { -normal } else { normal });
    normals.reduce(|a, b| if b.dot(direction) > a.dot(direction) { b } else { a })
}

/// Makes a piece from a triangle of a part, given the triangle's number.
fn of_number(part: &Part, number: u32, at: Anchor, open: f64) -> Option<Surrounding<'_>> {
    let place = DAffine3 { translation: at.vector_to(part.to_world.translation), ..part.to_world };
    let local = part.geometry.triangle(number)?.map(Vec3::as_dvec3);
    Some(of_triangle(part, (number, local.map(|corner| place.transform_point3(corner))), open))
}

/// Makes a piece from a triangle of a part, given the triangle's corners.
fn of_triangle(part: &Part, (number, corners): (u32, [DVec3; 3]), open: f64) -> Surrounding<'_> {
    let foot = point_triangle(DVec3::ZERO, corners).point;
    let form = PlacedShape::Convex(ConvexPart::new(ConvexCore::Triangle(corners), 0.0));
    Surrounding { part, triangle: Some(number), form, foot, open, is_own: false }
}

/// Returns whether the box around a triangle is farther from the origin than `reach` along some axis.
fn is_beyond([a, b, c]: [DVec3; 3], reach: f64) -> bool {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    low.max_element() > reach || high.min_element() < -reach
}

/// The pieces that are nearest to a point, the nearest first; pieces at the same distance are in the scene's order.
///
/// The order in which pieces are added does not matter, so the result does not depend on how the trees were built.
#[derive(Default)]
struct Neighborhood<'a> {
    pieces: Vec<Surrounding<'a>>,
}

impl<'a> Neighborhood<'a> {
    /// Returns the distance beyond which no more pieces are added.
    fn limit(&self) -> f64 {
        self.pieces.get(MOST_AROUND - 1).map_or(f64::INFINITY, |last| length(last.foot))
    }

    /// Adds a piece, unless it has been added before or `MOST_AROUND` others are nearer.
    fn insert(&mut self, piece: Surrounding<'a>) {
        if let Err(place) = self.pieces.binary_search_by(|other| other.order(&piece)) {
            self.pieces.insert(place, piece);
            self.pieces.truncate(MOST_AROUND);
        }
    }

    /// Adds the pieces of a part that are within this distance of a point.
    fn add(&mut self, part: &'a Part, at: Anchor, reach: (f64, f64)) {
        let _ = each_near((part, None), at, reach, false, &mut |piece| {
            self.insert(piece);
            ControlFlow::Continue(self.limit())
        });
    }
}

/// Handles a piece. Returns the distance beyond which no more pieces matter, or stops.
pub(in crate::query) type SurroundingVisitor<'s, 'a> = dyn FnMut(Surrounding<'a>) -> ControlFlow<(), f64> + 's;

/// Calls a function with the pieces of a part that are within this distance of a point, except one triangle. Some pieces
/// may be passed more than once.
fn each_near<'a>(
    (part, but): (&'a Part, Option<u32>),
    at: Anchor,
    (reach, open): (f64, f64),
    is_own: bool,
    show: &mut SurroundingVisitor<'_, 'a>,
) -> ControlFlow<()> {
    match form_of(part, at) {
        Some(PlacedShape::Surface(placed)) => {
            let mut limit = reach;
            placed.near(&ConvexPart::new(ConvexCore::Point(DVec3::ZERO), 0.0), reach, &mut |number, corners| {
                if Some(number) != but && !is_beyond(corners, reach) {
                    let piece = Surrounding { is_own, ..of_triangle(part, (number, corners), open) };
                    if length(piece.foot) <= reach {
                        limit = smaller(limit, show(piece)?);
                    }
                }
                ControlFlow::Continue(limit)
            })
        }
        // None of these is known to have a flat face.
        Some(PlacedShape::Torus(_) | PlacedShape::Convex(ConvexPart { core: ConvexCore::Custom { .. }, .. }))
        | None => ControlFlow::Continue(()),
        Some(form @ (PlacedShape::Convex(_) | PlacedShape::Plane(_))) => {
            if let Some(spot) = closest(&form, reach, None) {
                let _ = show(Surrounding { part, triangle: None, form, foot: spot.point, open, is_own })?;
            }
            ControlFlow::Continue(())
        }
    }
}

/// Returns the point of a triangle's feature that is nearest to the point of a contact. The two points may differ if the
/// volume touches the feature at a small angle.
fn on_feature(corners: [DVec3; 3], feature: Feature, point: DVec3) -> DVec3 {
    match feature {
        Feature::Face => point,
        Feature::Edge(edge) => on_segment(point, corners[usize::from(edge) % 3], corners[(usize::from(edge) + 1) % 3]),
        Feature::Vertex(corner) => corners[usize::from(corner) % 3],
    }
}

/// Returns approximately half the size of a part in the world; infinity for a plane.
fn extent(part: &Part) -> f64 {
    let bounds = part.geometry.bounds();
    if !bounds.is_finite() {
        return f64::INFINITY;
    }
    largest_image(part, (bounds.max.as_dvec3() - bounds.min.as_dvec3()) * 0.5)
}

/// Returns a bound on the error, due to rounding, of the distance between a part and a point of the world.
fn rounding(part: &Part, point: DVec3) -> f64 {
    64.0 * UNIT_ROUNDOFF * (largest(point) + largest(part.to_world.translation))
}

/// Returns the spacing of f32 coordinates at a point of a part, in the world.
fn spacing(part: &Part, point: DVec3) -> f64 {
    largest_image(part, part.to_local.affine().transform_point3(point).abs() * f64::from(f32::EPSILON))
}

/// Returns the largest coordinate in the world of any vector of a part's space whose coordinates are at most these.
fn largest_image(part: &Part, most: DVec3) -> f64 {
    let m = part.to_world.matrix3;
    largest(m.x_axis.abs() * most.x + m.y_axis.abs() * most.y + m.z_axis.abs() * most.z)
}
