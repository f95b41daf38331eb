//! The surroundings of the contact of a moving volume: they make a flat surface one surface, whatever pieces it is made of.
//!
//! The contact of a volume with one piece has a normal of that piece alone. If the surface goes on beside the piece, in
//! front of the plane across the normal, the volume touches it there as well, and has sunk into it by what rounding
//! leaves of a gap. A piece that is nowhere in front of the plane of its neighbour is then hidden by that: the volume
//! cannot come deeper into it than it has sunk into the neighbour.

use super::overlap::VolumeQuery;
use super::proximity_parts::{form_of, is_in_front, near_parts};
use super::{Candidate, SweepHit, View};
use crate::convex::{Anchor, Body, Feature, RESOLUTION, point_triangle, triangle_plane};
use crate::geom::hit::Side;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, smaller, unit};
use crate::proximity::{ConvexCore, ConvexPart, Depth, PlacedShape, Touching, closest, flat_faces, on_segment};
use crate::scene::Part;
use crate::sweep::{Contact, Sweep};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// A normal that is so near to that of a face is taken for it. It is above the root of 2^-40, to which normals by farthest points are known
/// (docs/robustness/seams.md).
const NEARLY: f64 = 1e-6;

/// A volume that has sunk farther into a surface than this part of its size, or of the surface's, is not taken to rest
/// on it. This only bounds how many pieces are looked at.
const SUNK: f64 = 1.0 / 1024.0;

/// The maximum number of pieces that are looked at around a contact, the nearest ones.
const MOST_AROUND: usize = 64;

/// A piece of the scene at a point, relative to that point.
struct Surrounding<'a> {
    part: &'a Part,
    triangle: Option<u32>,
    form: PlacedShape<'a>,
    /// The place of the piece that is nearest to the point.
    foot: DVec3,
    /// The piece may be this far from where it is meant to be.
    open: f64,
    /// It is true if the piece belongs to the part whose contact it is at.
    is_own: bool,
}

impl Surrounding<'_> {
    /// Orders pieces by their distance, then as the scene does.
    fn order(&self, other: &Self) -> Ordering {
        let place = |piece: &Self| (piece.part.order, piece.part.index, piece.triangle);
        length(self.foot).total_cmp(&length(other.foot)).then_with(|| place(self).cmp(&place(other)))
    }

    /// Returns how far the piece reaches along a direction of unit length.
    fn reach(&self, direction: DVec3) -> f64 {
        match &self.form {
            PlacedShape::Convex(piece) => piece.core.farthest(direction).dot(direction) + piece.radius,
            PlacedShape::Plane(flat) if length(direction.reject_from_normalized(flat.normal)) <= NEARLY => {
                self.foot.dot(direction)
            }
            PlacedShape::Plane(_) | PlacedShape::Torus(_) | PlacedShape::Surface(_) => f64::INFINITY,
        }
    }

    /// Returns how far the piece is in front of the plane through its foot: the sine of the angle to its farthest point, 0 if that is behind.
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

    /// Returns the normals of its flat faces on the side of a place.
    fn faces(&self, towards: DVec3, direction: DVec3) -> Vec<DVec3> {
        match self.triangle {
            Some(_) => {
                self.normal().map(|front| if front.dot(towards) < 0.0 { -front } else { front }).into_iter().collect()
            }
            None => flat_faces(&self.form, towards, direction),
        }
    }

    /// Returns the front normal of a triangle, of unit length. Its corners in the world are rounded, which turns the
    /// normal of a small triangle far away, so it is that of the exact corners.
    fn normal(&self) -> Option<DVec3> {
        let local = self.part.geometry.triangle(self.triangle?)?.map(Vec3::as_dvec3);
        unit(self.part.world_normal(triangle_plane(local)?))
    }
}

/// Bounds how far the point of a contact with a piece may be from it: what is round is known by its farthest points.
fn doubt(piece: &ConvexPart<'_>) -> f64 {
    let is_flat = matches!(piece.core, ConvexCore::Triangle(_) | ConvexCore::Box { .. } | ConvexCore::Hull { .. });
    (if is_flat { 64.0 * UNIT_ROUNDOFF } else { RESOLUTION }) * piece.reach()
}

/// A contact of a volume with a piece, relative to the contact's point.
struct SeamContact<'a, 'c> {
    own: Surrounding<'a>,
    /// The other pieces at the point.
    around: Vec<Surrounding<'a>>,
    normal: DVec3,
    /// The middle of the volume.
    towards: DVec3,
    /// Returns the height of the volume above the plane across a unit normal through the contact's point.
    height: &'c dyn Fn(DVec3) -> f64,
    /// A volume that has sunk no farther into something rests on it.
    resting: f64,
}

impl SeamContact<'_, '_> {
    /// Returns the normals of a piece's faces, and how deep the volume has sunk into each.
    fn sunk<'p>(&self, piece: &'p Surrounding<'_>) -> impl Iterator<Item = (DVec3, f64)> + use<'_, 'p> {
        let faces = piece.faces(self.towards, self.normal).into_iter();
        faces.map(|face| (face, piece.reach(face) - (self.height)(face)))
    }

    /// Returns the face into which the volume has sunk least.
    fn least_sunk(&self, piece: &Surrounding<'_>) -> Option<(DVec3, f64)> {
        self.sunk(piece).reduce(|a, b| if b.1 < a.1 { b } else { a })
    }

    /// Returns the neighbours that hide the piece: the volume has sunk into them past the contact's point, and the
    /// piece is behind them. Faces into which it has sunk as little, as far as places are known, count alike.
    fn hiding(&self) -> impl Iterator<Item = HidingNeighbor> {
        self.around.iter().filter_map(|piece| {
            let open = self.own.open + piece.open;
            let (_, least) = self.least_sunk(piece)?;
            self.sunk(piece).filter(|(_, sunk)| *sunk <= least + open).find_map(|(face, sunk)| {
                let is_behind = self.own.reach(face) <= piece.reach(face) + open;
                let is_at = length(piece.foot) <= larger(sunk, 0.0) + open;
                let rests = sunk <= self.resting + open;
                (is_behind && is_at).then_some(HidingNeighbor { face, rests, is_own: piece.is_own })
            })
        })
    }
}

/// A neighbour that hides a piece.
struct HidingNeighbor {
    /// The normal of its face.
    face: DVec3,
    /// It is true if the volume has sunk into it by so little that it rests on it.
    rests: bool,
    /// It is true if both are of the same part.
    is_own: bool,
}

impl<'a, K: Clone + Eq + Hash> View<'a, K> {
    /// Returns a contact of a moving volume as the surface has it that the touched part is a piece of; `None` if the volume only slides along that.
    pub(super) fn settled(
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
        let contact = self.contact(
            (part, triangle),
            (sweep.center.beside(place), met.normal, mover.motion * met.t - place),
            (mover.blur(&met), mover.tilt(&met), &mover.body),
        );
        let Some(contact) = contact else { return Some(met) };
        let contact = SeamContact { height: &|face| mover.height_above(face, met.t, place), ..contact };
        if contact.hiding().any(|hiding| hiding.rests && !mover.presses(hiding.face, met.t)) {
            return None;
        }
        let nearly = larger(NEARLY, mover.doubt_of_normal());
        let is_near = |face: &DVec3| largest(*face - met.normal) <= nearly;
        if let Some(face) = contact.own.faces(contact.towards, met.normal).into_iter().find(is_near) {
            return mover.presses(face, met.t).then_some(met);
        }
        if contact.around.is_empty() {
            // The normal is known no better than this.
            let speed = -met.normal.dot(mover.motion);
            let apart = length(contact.towards);
            let tilt = mover.tilt(&met) + if apart > 0.0 { rounding(part, sweep.center.world()) / apart } else { 0.0 };
            let is_pressed = speed > tilt * length(mover.motion);
            return (is_pressed && mover.presses(met.normal, met.t)).then_some(met);
        }
        // A volume that is beside the face, and has not sunk past the edge, has the normal of the edge. A rounding that is
        // much smaller than the volume goes around the edge before the volume has sunk by a part of its size.
        let radius = mover.body.radius;
        let resting = if radius > 0.0 { smaller(contact.resting, SUNK * radius) } else { contact.resting };
        let own = contact.least_sunk(&contact.own).filter(|(_, sunk)| *sunk <= resting + contact.own.open);
        let normal = own.map(|(face, _)| face).filter(|face| mover.presses(*face, met.t));
        Some(Contact { normal: normal.unwrap_or(met.normal), ..met })
    }

    /// Returns the unit normals of the flat faces of everything at the contact of a moving volume, on the volume's side. Faces that pass the contact at a
    /// distance are at it too.
    pub(crate) fn faces_at(&self, hit: &SweepHit<K>, distance: f64) -> Vec<DVec3> {
        let (point, normal) = (hit.point_f64(), hit.normal_f64());
        let Some(part) = self.scene.part_of(&hit.id, hit.part) else { return Vec::new() };
        let blur = larger(16.0 * rounding(part, point), distance);
        let mut around = Neighborhood::default();
        let limit = blur + spacing(part, point);
        // The faces of all parts count, whichever of them was met.
        let _ = near_parts(self, (point, point), limit, &mut |other| {
            let open = blur + spacing(other, point);
            around.add((other, None), point.into(), (open + spacing(part, point), open), false);
            ControlFlow::Continue(smaller(limit, around.limit()))
        });
        let faces = around.pieces.iter().flat_map(|piece| {
            let faces = piece.faces(normal, normal).into_iter();
            faces.filter(|face| piece.reach(*face).abs() <= blur + piece.open).collect::<Vec<_>>()
        });
        faces.filter(|face| face.dot(normal) > 0.0).collect()
    }

    /// Collects what is at the contact with a part, or a triangle of it, at a point of the world, and in front of the
    /// plane across the normal by more than a tilt, given the way from there to the volume's middle. Returns `None` for
    /// a part that nothing touches.
    fn contact(
        &self,
        (part, triangle): (&'a Part, Option<u32>),
        (at, normal, towards): (Anchor, DVec3, DVec3),
        (blur, tilt, body): (f64, f64, &Body),
    ) -> Option<SeamContact<'a, 'static>> {
        let point = at.world();
        let rounding = rounding(part, point);
        let blur = blur + rounding;
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
        // So far away that places are no better known than the volume may have sunk, nothing tells what is beside what.
        let mut around = if blur < sunk { self.around(at, (blur, sunk), (part, triangle)) } else { Vec::new() };
        around.retain(|piece| piece.lean(normal, rounding) > tilt && self.counts(piece, point, towards));
        Some(SeamContact { own, around, normal, towards, height: &|_| 0.0, resting: sunk })
    }

    /// Returns whether the view lets a piece count for a volume whose middle is on a way from a point.
    fn counts(&self, piece: &Surrounding<'_>, point: DVec3, towards: DVec3) -> bool {
        let is_in_front = match piece.triangle {
            Some(_) => piece.normal().is_none_or(|front| front.dot(towards) >= 0.0),
            None => is_in_front(piece.part, point + towards),
        };
        let side = if is_in_front { Side::Front } else { Side::Back };
        if !self.cull.keeps(side) || !self.chooses_hits() {
            return self.cull.keeps(side);
        }
        let Some(owner) = self.scene.owner(piece.part) else { return false };
        self.takes_hit(&Candidate {
            id: owner.key.clone(),
            part: piece.part.index,
            t: 0.0,
            side,
            triangle: piece.triangle,
            feature: None,
            uv: None,
            geometry: &piece.part.geometry,
        })
    }

    /// Collects the pieces but one that a volume may have sunk into at a point by no more than this: those of a part
    /// itself within its blur, and those of others also within what the f32 coordinates of either leave open.
    fn around(
        &self,
        at: Anchor,
        (blur, sunk): (f64, f64),
        (own, triangle): (&'a Part, Option<u32>),
    ) -> Vec<Surrounding<'a>> {
        let mut around = Neighborhood::default();
        let point = at.world();
        let own_open = blur + spacing(own, point);
        // The coordinates of another part may be as large as those of the world.
        let limit = sunk + own_open + f64::from(f32::EPSILON) * largest(point);
        let _ = near_parts(self, (point, point), limit, &mut |part| {
            let is_own = (own.order, own.index) == (part.order, part.index);
            let open = if is_own { blur } else { blur + spacing(part, point) };
            match (is_own, triangle) {
                // A convex part hides nothing of itself.
                (true, None) => {}
                (true, _) => around.add((part, triangle), at, (sunk + blur, open), is_own),
                (false, _) => around.add((part, None), at, (sunk + own_open + open, open), is_own),
            }
            ControlFlow::Continue(smaller(limit, around.limit()))
        });
        around.pieces
    }
}

impl<'a, K: Clone + Eq + Hash> VolumeQuery<'a, K> {
    /// Returns the way out of a piece as the surface has it that the piece is of; `None` if other pieces of the surface
    /// have it.
    pub(super) fn settled_depth(&self, part: &'a Part, touching: &Touching, way: Depth) -> Option<Depth> {
        let (body, center) = (&self.placed.body, self.placed.center);
        let triangle = touching.triangle.map(|(number, ..)| number);
        let blur = 16.0 * body.rounding(largest(way.point));
        let height = |face: DVec3| (body.core.farthest(-face) - way.point).dot(face) - body.radius;
        let contact = self.view.contact(
            (part, triangle),
            (center.beside(way.point), way.normal, -way.point),
            (blur, NEARLY, body),
        );
        let Some(contact) = contact else { return Some(way) };
        let contact = SeamContact { height: &height, ..contact };
        // The closest points are nearer to another triangle.
        let is_apart = touching.gap.normal != DVec3::ZERO && body.radius > 0.0;
        let faces = contact.own.faces(contact.towards, way.normal);
        let same = |face: DVec3| faces.iter().copied().find(|own| largest(*own - face) <= NEARLY);
        let (mut hidden, mut flat) = (false, None);
        for HidingNeighbor { face, rests, is_own } in contact.hiding() {
            let own = same(face).filter(|_| !(is_own && is_apart));
            // The way out of a triangle leads out of those behind its plane, however long it is.
            hidden |= is_own || rests || own.is_some();
            flat = flat.or(own);
        }
        if !hidden {
            return Some(way);
        }
        let own = flat?;
        // The way's point is in the plane of a triangle, but may be beside the face of a solid. Adding +0 turns -0 into +0.
        let face = if triangle.is_some() { 0.0 } else { contact.own.reach(own) };
        let behind = face - height(own) + 0.0;
        if behind >= 0.0 { self.depth_along(part, touching, own, behind) } else { None }
    }
}

/// Returns the normal of the triangle that is least inclined to a direction, of those of a part that have a point of the world; `None` if there is none.
pub(super) fn facing_triangle(part: &Part, point: DVec3, direction: DVec3, blur: f64) -> Option<DVec3> {
    let mut around = Neighborhood::default();
    let blur = blur + rounding(part, point);
    around.add((part, None), point.into(), (blur, blur), true);
    let normals = around.pieces.iter().filter_map(Surrounding::normal);
    let normals = normals.map(|normal| if normal.dot(direction) < 0.0 { -normal } else { normal });
    normals.reduce(|a, b| if b.dot(direction) > a.dot(direction) { b } else { a })
}

/// Makes a piece of a triangle of a part, by its number.
fn of_number(part: &Part, number: u32, at: Anchor, open: f64) -> Option<Surrounding<'_>> {
    let place = DAffine3 { translation: at.vector_to(part.to_world.translation), ..part.to_world };
    let local = part.geometry.triangle(number)?.map(Vec3::as_dvec3);
    Some(of_triangle(part, (number, local.map(|corner| place.transform_point3(corner))), open))
}

/// Makes a piece of a triangle of a part, given its corners.
fn of_triangle(part: &Part, (number, corners): (u32, [DVec3; 3]), open: f64) -> Surrounding<'_> {
    let foot = point_triangle(DVec3::ZERO, corners).point;
    let form = PlacedShape::Convex(ConvexPart::new(ConvexCore::Triangle(corners), 0.0));
    Surrounding { part, triangle: Some(number), form, foot, open, is_own: false }
}

/// Tells whether the box around a triangle is farther from the origin than this along an axis.
fn is_beyond([a, b, c]: [DVec3; 3], reach: f64) -> bool {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    low.max_element() > reach || high.min_element() < -reach
}

/// The pieces that are nearest to a point, the nearest ones first; those at the same distance are in the scene's order.
///
/// The order in which trees show them does not matter, so they are the same however trees were built.
#[derive(Default)]
struct Neighborhood<'a> {
    pieces: Vec<Surrounding<'a>>,
}

impl<'a> Neighborhood<'a> {
    /// Returns the distance beyond which nothing is added any more.
    fn limit(&self) -> f64 {
        self.pieces.get(MOST_AROUND - 1).map_or(f64::INFINITY, |last| length(last.foot))
    }

    /// Adds a piece, unless it is there already or as many others are nearer.
    fn insert(&mut self, piece: Surrounding<'a>) {
        if let Err(place) = self.pieces.binary_search_by(|other| other.order(&piece)) {
            self.pieces.insert(place, piece);
            self.pieces.truncate(MOST_AROUND);
        }
    }

    /// Adds the pieces of a part, but for one triangle, that are as near to a point as this.
    fn add(&mut self, (part, but): (&'a Part, Option<u32>), at: Anchor, (reach, open): (f64, f64), is_own: bool) {
        match form_of(part, at) {
            Some(PlacedShape::Surface(placed)) => {
                let _ = placed.near(
                    &ConvexPart::new(ConvexCore::Point(DVec3::ZERO), 0.0),
                    reach,
                    &mut |number, corners| {
                        if Some(number) != but && !is_beyond(corners, reach) {
                            let piece = Surrounding { is_own, ..of_triangle(part, (number, corners), open) };
                            if length(piece.foot) <= reach {
                                self.insert(piece);
                            }
                        }
                        ControlFlow::Continue(smaller(reach, self.limit()))
                    },
                );
            }
            // None of these is known to have a flat face.
            Some(PlacedShape::Torus(_) | PlacedShape::Convex(ConvexPart { core: ConvexCore::Custom { .. }, .. }))
            | None => {}
            Some(form @ (PlacedShape::Convex(_) | PlacedShape::Plane(_))) => {
                if let Some(spot) = closest(&form, reach, None) {
                    self.insert(Surrounding { part, triangle: None, form, foot: spot.point, open, is_own });
                }
            }
        }
    }
}

/// Returns the place of a triangle's feature that is nearest to a point, which may be off where the volume touches the feature at a small angle.
fn on_feature(corners: [DVec3; 3], feature: Feature, point: DVec3) -> DVec3 {
    match feature {
        Feature::Face => point,
        Feature::Edge(edge) => on_segment(point, corners[usize::from(edge) % 3], corners[(usize::from(edge) + 1) % 3]),
        Feature::Vertex(corner) => corners[usize::from(corner) % 3],
    }
}

/// Returns about half the size of a part in the world; infinity for a plane, which has no end.
fn extent(part: &Part) -> f64 {
    let bounds = part.geometry.bounds();
    if !bounds.is_finite() {
        return f64::INFINITY;
    }
    largest_image(part, (bounds.max.as_dvec3() - bounds.min.as_dvec3()) * 0.5)
}

/// Bounds how far a part may be from a point of the world by rounding of both.
fn rounding(part: &Part, point: DVec3) -> f64 {
    64.0 * UNIT_ROUNDOFF * (largest(point) + largest(part.to_world.translation))
}

/// Returns how far apart neighbouring f32 coordinates are at a point of a part, in the world.
fn spacing(part: &Part, point: DVec3) -> f64 {
    largest_image(part, part.to_local.affine().transform_point3(point).abs() * f64::from(f32::EPSILON))
}

/// Returns the largest coordinate in the world of a vector of a part's space whose coordinates are at most these.
fn largest_image(part: &Part, most: DVec3) -> f64 {
    let m = part.to_world.matrix3;
    largest(m.x_axis.abs() * most.x + m.y_axis.abs() * most.y + m.z_axis.abs() * most.z)
}
