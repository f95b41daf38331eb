//! How deep a volume is in what it touches, and the shortest way out.

use super::expand::way_out;
use super::form::Form;
use super::gap::{Gap, RESOLUTION};
use super::pair::{Touching, nearest};
use super::piece::{Core, Piece};
use super::ring::{self, Ring};
use crate::float::{larger, unit};
use crate::sweep::gjk::Corner;
use glam::DVec3;

/// The shortest way of a volume out of a convex thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// Not negative: moved so far along the normal, the volume touches the thing and no more.
    pub(crate) depth: f64,
    /// Of unit length.
    pub(crate) normal: DVec3,
    /// On the thing, where the volume is deepest.
    pub(crate) point: DVec3,
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
    moved.to_world.translation -= way.normal * way.depth;
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
    out_of(piece, volume, gap)
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
        let side = if across.dot(a) > 0.0 { -across } else { across };
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
