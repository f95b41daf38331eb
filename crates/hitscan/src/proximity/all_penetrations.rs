//! The penetrations of two parts: one for each two of their convex pieces that are in contact.

use super::convex_core::{ConvexCore, ConvexPart};
use super::dispatch::{contact, contact_of_triangles, each_on_plane};
use super::mesh_pairs::{PairsWanted, near_pairs};
use super::penetration::{ANY, PartPenetration, between, by_depth, is_turned, of_gap, of_solids};
use super::placed_mesh::PlacedMesh;
use super::placed_shape::{PlacedPlane, PlacedShape};
use super::separation_bounds::{are_apart_across_edges, separate_boxes, separate_triangles};
use crate::convex::{RESOLUTION, SearchBudget};
use core::ops::ControlFlow;
use glam::DVec3;

/// Shows the penetration of every two convex shapes in contact, each a triangle or a whole part without triangles, of two parts that are relative to the same
/// origin; some perhaps more than once. Something is shown exactly if [`between`] finds something. Searches for the way out of round shapes share the budget.
pub(crate) fn each_penetration(
    a: &PlacedShape<'_>,
    b: &PlacedShape<'_>,
    looks: &SearchBudget,
    show: &mut dyn FnMut(PartPenetration),
) {
    if is_turned(a, b) {
        return each_penetration(b, a, looks, &mut |found| show(found.swapped()));
    }
    let mut count = 0_usize;
    let mut counted = |found| {
        count += 1;
        show(found);
    };
    match (a, b) {
        (PlacedShape::Surface(ours), PlacedShape::Surface(theirs)) => of_surfaces([ours, theirs], &mut counted),
        (PlacedShape::Surface(placed), _) => of_triangles(placed, b, looks, &mut counted),
        (PlacedShape::Plane(flat), PlacedShape::Surface(placed)) => of_plane(flat, placed, &mut counted),
        _ => {}
    }
    if count == 0 {
        between(a, b, ANY, looks).into_iter().for_each(show);
    }
}

fn triangle<'a>(corners: [DVec3; 3]) -> PlacedShape<'a> {
    PlacedShape::Convex(ConvexPart::new(ConvexCore::Triangle(corners), 0.0))
}

fn of_surfaces(sets: [&PlacedMesh<'_>; 2], show: &mut dyn FnMut(PartPenetration)) {
    let error = RESOLUTION * (sets[0].size + sets[1].size);
    let _ = near_pairs(sets, PairsWanted::All, error, &mut |(ours, p), (theirs, q)| {
        let far = contact_of_triangles(&p, &q);
        if separate_boxes(&p, &q) <= far
            && separate_triangles(&p, &q, DVec3::ZERO) <= far
            && !are_apart_across_edges(&p, &q, far)
        {
            of_pieces([&triangle(p), &triangle(q)], [Some(ours), Some(theirs)], &SearchBudget::of_question(), show);
        }
        ControlFlow::Continue(error)
    });
}

fn of_triangles(
    placed: &PlacedMesh<'_>,
    other: &PlacedShape<'_>,
    looks: &SearchBudget,
    show: &mut dyn FnMut(PartPenetration),
) {
    let Some(hull) = other.hull() else { return };
    let is_round = other.convex().is_none_or(|piece| matches!(piece.core, ConvexCore::Round { .. }));
    for (_, number, corners) in by_depth(placed, &hull, RESOLUTION * (placed.size + other.reach())) {
        let own = SearchBudget::of_question();
        let looks = if is_round { looks } else { &own };
        of_pieces([&triangle(corners), other], [Some(number), None], looks, show);
    }
}

fn of_plane(flat: &PlacedPlane, placed: &PlacedMesh<'_>, show: &mut dyn FnMut(PartPenetration)) {
    each_on_plane(flat, placed, &mut |gap, number| {
        if gap.normal != DVec3::ZERO {
            show(PartPenetration { of: of_gap(&gap, 0.0), triangles: [None, Some(number)] });
        }
    });
}

/// Shows the penetration of two pieces, if they are in contact.
fn of_pieces(
    [a, b]: [&PlacedShape<'_>; 2],
    triangles: [Option<u32>; 2],
    looks: &SearchBudget,
    show: &mut dyn FnMut(PartPenetration),
) {
    if let Some(touch) = contact(a, b) {
        show(PartPenetration { of: of_solids(a, b, &touch.gap, ANY, looks), triangles });
    }
}
