//! How deep a volume is in what it touches, or one part in another one, and the shortest way out.

use super::expand::way_out;
use super::form::Form;
use super::gap::{Gap, RESOLUTION};
use super::pair::{Nearest, Touching, contact, nearest};
use super::piece::{Core, Piece};
use super::placed::Placed;
use super::point::round_foot;
use super::ring::{self, Ring};
use crate::float::{larger, sqrt, unit};
use crate::sweep::gjk::Corner;
use core::ops::ControlFlow;
use glam::DVec3;

/// The shortest way of a volume out of a convex thing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Depth {
    /// Not negative: moved so far along the normal, the volume touches the thing and no more.
    pub(crate) depth: f64,
    /// Of unit length.
    pub(crate) normal: DVec3,
    /// On the thing, where the volume is deepest.
    pub(crate) point: DVec3,
}

impl Depth {
    /// The motion that takes the volume out.
    pub(crate) fn way_out(&self) -> DVec3 {
        self.normal * self.depth
    }

    /// On the thing and on the volume.
    pub(crate) fn points(&self) -> [DVec3; 2] {
        [self.point, self.point - self.way_out()]
    }

    /// Of points that were relative to an origin.
    pub(crate) fn in_world(self, origin: DVec3) -> Self {
        Self { point: origin + self.point, ..self }
    }
}

/// Of a volume around the origin that touches a part, or a triangle of it.
pub(crate) fn depth(form: &Form<'_>, volume: &Piece<'_>, touching: &Touching) -> Depth {
    if let Some((_, corners, _)) = touching.triangle {
        return of_pieces(&Piece::new(Core::Triangle(corners), 0.0), volume, &touching.gap);
    }
    match form {
        Form::Convex(piece) => of_pieces(piece, volume, &touching.gap),
        Form::Ring(ring) => of_ring(ring, volume, &touching.gap),
        Form::Plane(_) | Form::Surface(_) => of_gap(&touching.gap, 0.0),
    }
}

/// Away from the nearest arc, where that does not lead into another one, as it may in the hole. Else, and where the circle in its middle is in the volume,
/// the way out of all of its hull: one that is sure, but not the shortest.
fn of_ring(ring: &Ring<'_>, volume: &Piece<'_>, gap: &Gap) -> Depth {
    let hull = ring.hull();
    let way = of_pieces(&hull, volume, gap);
    if leads_out(ring, volume, &way) { way } else { out_of(&hull, volume, gap) }
}

/// Whether a volume that is moved so is out of a ring, as exactly as that is found.
fn leads_out(ring: &Ring<'_>, volume: &Piece<'_>, way: &Depth) -> bool {
    let mut moved = *ring;
    moved.to_world.translation -= way.way_out();
    let slack = ring::RESOLUTION * (ring.hull().reach() + volume.reach());
    let left = nearest(&Form::Ring(moved), &Form::Convex(*volume), f64::INFINITY);
    left.is_none_or(|left| left.gap.clearance >= -slack)
}

/// Of what has its core apart from the volume's.
fn of_gap(gap: &Gap, radius: f64) -> Depth {
    Depth { depth: larger(-gap.clearance, 0.0), normal: gap.normal, point: gap.cores[0] + gap.normal * radius }
}

fn of_pieces(piece: &Piece<'_>, volume: &Piece<'_>, gap: &Gap) -> Depth {
    // The direction between points that are as near as rounding says nothing.
    let apart = gap.clearance + piece.radius + volume.radius;
    if gap.normal != DVec3::ZERO && apart > gap.error {
        return of_gap(gap, piece.radius);
    }
    of_ball(piece, volume).unwrap_or_else(|| out_of(piece, volume, gap))
}

/// The shortest way of a ball out of a round solid that its center is in, in closed form.
fn of_ball(piece: &Piece<'_>, volume: &Piece<'_>) -> Option<Depth> {
    let (Core::Round { shape, to_world }, Core::Point(DVec3::ZERO)) = (piece.core, volume.core) else { return None };
    let foot = round_foot(shape, &to_world)?;
    let depth = sqrt(foot.point.length_squared());
    let normal = unit(foot.point).filter(|_| foot.is_inside)?;
    Some(Depth { depth: depth + volume.radius, normal, point: foot.point })
}

/// The way out of a convex thing, whatever is in it.
fn out_of(piece: &Piece<'_>, volume: &Piece<'_>, gap: &Gap) -> Depth {
    let resolution = RESOLUTION * (piece.reach() + volume.reach());
    let farthest = |direction: DVec3| {
        let core = piece.core.farthest(direction);
        Corner { at: core - volume.core.farthest(-direction), core }
    };
    let radius = piece.radius + volume.radius;
    let found = way_out(&farthest, resolution).map(|way| (way.normal, larger(way.depth, 0.0), way.foot.core));
    // Of a point on a point, any way.
    let (mut normal, mut depth, mut point) = found.unwrap_or((DVec3::Y, 0.0, gap.cores[0]));
    if let Core::Triangle([a, b, c]) = piece.core
        && let Some(across) = unit((b - a).cross(c - a))
    {
        // Of two sides that are as near, that of the volume's middle.
        let side = if across.dot(a - volume.middle()) > 0.0 { -across } else { across };
        let at = farthest(side);
        if side.dot(at.at) <= depth + resolution {
            (normal, depth, point) = (side, larger(side.dot(at.at), 0.0), volume_foot(volume, side, a));
        }
    }
    Depth { depth: depth + radius, normal, point: point + normal * piece.radius }
}

/// Below the volume's deepest point, in the plane through a place.
fn volume_foot(volume: &Piece<'_>, normal: DVec3, on_it: DVec3) -> DVec3 {
    let deepest = volume.core.farthest(-normal);
    deepest + normal * normal.dot(on_it - deepest)
}

/// How deep two parts are in each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// Of the second in the first.
    pub(crate) of: Depth,
    /// Of each its triangle, if it is made of them.
    pub(crate) triangles: [Option<u32>; 2],
}

impl Between {
    fn swapped(self) -> Self {
        let ([_, point], [a, b]) = (self.of.points(), self.triangles);
        Self { of: Depth { normal: -self.of.normal, point, ..self.of }, triangles: [b, a] }
    }

    /// The deeper one; of equal ones that of the lower triangles.
    fn deeper(self, other: Self) -> Self {
        let is_deeper =
            other.of.depth > self.of.depth || (other.of.depth == self.of.depth && other.triangles < self.triangles);
        if is_deeper { other } else { self }
    }
}

/// The deepest pair of convex things in two parts that are relative to the same origin, a triangle or all of a part that has none; `None` if nothing of them
/// [touches](contact), and of two planes, as no way leads out of what is everywhere.
pub(crate) fn between(a: &Form<'_>, b: &Form<'_>) -> Option<Between> {
    let is_turned = match b {
        Form::Plane(_) => !matches!(a, Form::Plane(_)),
        Form::Surface(_) => matches!(a, Form::Convex(_) | Form::Ring(_)),
        Form::Convex(_) | Form::Ring(_) => false,
    };
    if is_turned {
        return between(b, a).map(Between::swapped);
    }
    let first = contact(a, b)?;
    match (a, b) {
        (Form::Plane(_), _) => {
            let Nearest { gap, triangles } = nearest(a, b, first.gap.error)?;
            (gap.normal != DVec3::ZERO).then(|| Between { of: of_gap(&gap, 0.0), triangles })
        }
        // A ring may touch a surface by an arc's hull of which no triangle by itself is near enough, as far as f64 tells.
        (Form::Surface(placed), _) => of_surface(placed, b).or_else(|| Some(of_touch(&first))),
        _ => Some(Between { of: of_solids(a, b, &first.gap), triangles: [None; 2] }),
    }
}

/// The deepest of a surface's triangles in a part that is no plane.
fn of_surface(placed: &Placed<'_>, other: &Form<'_>) -> Option<Between> {
    let mut deepest: Option<Between> = None;
    let mut offer = |a: &Form<'_>, b: &Form<'_>, triangles: [Option<u32>; 2]| {
        let found = contact(a, b).map(|touch| Between { of: of_solids(a, b, &touch.gap), triangles });
        deepest = deepest.into_iter().chain(found).reduce(Between::deeper);
    };
    let triangle = |corners: [DVec3; 3]| Form::Convex(Piece::new(Core::Triangle(corners), 0.0));
    let error = RESOLUTION * (placed.size + other.reach());
    if let Form::Surface(theirs) = other {
        let _ = placed.near_pairs(theirs, error, &mut |(ours, p), (theirs, q)| {
            offer(&triangle(p), &triangle(q), [Some(ours), Some(theirs)]);
            ControlFlow::Continue(error)
        });
    } else {
        let hull = if let Form::Ring(ring) = other { ring.hull() } else { other.convex()? };
        let _ = placed.near(&hull, error, &mut |number, corners| {
            offer(&triangle(corners), other, [Some(number), None]);
            ControlFlow::Continue(error)
        });
    }
    deepest
}

/// Of what touches and no more.
fn of_touch(Nearest { gap, triangles }: &Nearest) -> Between {
    let normal = if gap.normal == DVec3::ZERO { DVec3::Y } else { gap.normal };
    let of = Depth { depth: larger(-gap.clearance, 0.0), normal, point: gap.points[0] };
    Between { of, triangles: *triangles }
}

/// Of convex things and rings that are in contact.
fn of_solids(a: &Form<'_>, b: &Form<'_>, gap: &Gap) -> Depth {
    let swapped = || Between { of: of_solids(b, a, &gap.swapped()), triangles: [None; 2] }.swapped().of;
    match (a, b) {
        (Form::Convex(p), Form::Convex(q)) => match (p.core, q.core) {
            // The side that a triangle is left to is that of the other one's middle.
            (core, Core::Triangle(_)) if !matches!(core, Core::Triangle(_)) => swapped(),
            _ => of_pieces(p, q, gap),
        },
        (Form::Ring(ring), Form::Convex(piece)) => of_ring(ring, piece, gap),
        (Form::Ring(p), Form::Ring(q)) => of_pieces(&p.hull(), &q.hull(), gap),
        (Form::Convex(_), Form::Ring(_)) => swapped(),
        // These are no solids.
        (Form::Plane(_) | Form::Surface(_), _) | (_, Form::Plane(_) | Form::Surface(_)) => of_gap(gap, 0.0),
    }
}
