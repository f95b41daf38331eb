//! The distance of two tori, by pairs of an arc of each: the nearest pair is divided first.

use super::convex_core::ConvexPart;
use super::distance::Distance;
use super::torus_arcs::{PlacedTorus, first_arcs};
use crate::collections::ordered::ordered_by_cmp;
use crate::convex::arc::Arc;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The maximum number of pairs of arcs that are divided; then the nearest one is followed to its end.
const MOST_PAIRS: usize = 192;
/// The maximum number of pairs that are divided if one of the tori is not round in the world. A pair of places is then measured too for each pair of arcs, and
/// every measurement takes more steps.
const MOST_STRETCHED_PAIRS: usize = 128;

/// The question about two tori.
pub(super) struct TorusPairQuery<'a> {
    /// Returns whether a pair of hulls with this gap may have an answer.
    pub(super) may_matter: &'a dyn Fn(&Distance) -> bool,
    /// Tells whether any contact of two places is an answer, even if it is not the nearest.
    pub(super) ends_at_contact: bool,
}

/// A pair of arcs, `None` for a whole torus, and the gap between their hulls.
struct OpenArcPair {
    arcs: [Option<Arc>; 2],
    gap: Distance,
}

impl OpenArcPair {
    fn sagitta(&self) -> f64 {
        self.arcs.iter().map(sagitta).sum()
    }
}

impl Ord for OpenArcPair {
    /// The greatest pair is the nearest one. Among equally near pairs, it is the one with the shortest arcs, which
    /// needs the fewest further divisions.
    fn cmp(&self, other: &Self) -> Ordering {
        other.gap.nearness().total_cmp(&self.gap.nearness()).then(other.sagitta().total_cmp(&self.sagitta()))
    }
}

ordered_by_cmp!(OpenArcPair);

fn sagitta(arc: &Option<Arc>) -> f64 {
    arc.as_ref().map_or(f64::INFINITY, Arc::sagitta)
}

/// Returns the gap between the nearest places of two tori; `None` if no pair matters.
pub(super) fn between(rings: [&PlacedTorus<'_>; 2], wanted: &TorusPairQuery<'_>) -> Option<Distance> {
    let mut open = BinaryHeap::new();
    let mut ready: Vec<[Option<Arc>; 2]> = alloc::vec![[None; 2]];
    let is_stretched = rings.iter().any(|ring| ring.similar.is_none());
    let mut left = if is_stretched { MOST_STRETCHED_PAIRS } else { MOST_PAIRS };
    loop {
        for arcs in ready.drain(..) {
            let pieces = [0, 1].map(|side: usize| piece(rings[side], arcs[side]));
            let gap = Distance::between(&pieces[0], &pieces[1]);
            if (wanted.may_matter)(&gap) {
                let touch = if wanted.ends_at_contact { places_touch(rings, &pieces, &gap) } else { None };
                if touch.is_some() {
                    return touch;
                }
                open.push(OpenArcPair { arcs, gap });
            }
        }
        let nearest = open.pop()?;
        let Some(side) = side_to_divide(rings, &nearest) else { return Some(nearest.gap) };
        if is_stretched
            && let Some(places) = places_near(rings, &nearest)
            && places.nearness() <= nearest.gap.nearness() + nearest.gap.error
        {
            return Some(places);
        }
        if left == 0 {
            open.clear();
        }
        left = left.saturating_sub(1);
        let parts: Vec<Arc> = match nearest.arcs[side] {
            Some(arc) => arc.halves().into(),
            None => first_arcs().collect(),
        };
        ready.extend(parts.into_iter().map(|part| {
            let mut arcs = nearest.arcs;
            arcs[side] = Some(part);
            arcs
        }));
    }
}

fn piece<'a>(ring: &PlacedTorus<'a>, arc: Option<Arc>) -> ConvexPart<'a> {
    ring.piece(arc.unwrap_or(Arc::WHOLE))
}

/// Returns the number of the torus to divide: the torus whose arc is the farthest from its chord, if shorter arcs improve the result, or else the other one.
/// Returns `None` if shorter arcs of neither improve it.
fn side_to_divide(rings: [&PlacedTorus<'_>; 2], pair: &OpenArcPair) -> Option<usize> {
    let is_enough = |side: usize| {
        let (point, error) = (pair.gap.cores[side], pair.gap.error);
        pair.arcs[side].as_ref().is_some_and(|arc| rings[side].is_enough(arc, point, error))
    };
    let off = |side: usize| sagitta(&pair.arcs[side]) * rings[side].radius();
    let sides = if off(1) > off(0) { [1, 0] } else { [0, 1] };
    sides.into_iter().find(|&side| !is_enough(side))
}

/// Returns the gap between two places, one on each arc, that are about as near as the arcs' hulls.
fn places_near(rings: [&PlacedTorus<'_>; 2], pair: &OpenArcPair) -> Option<Distance> {
    let pieces = [0, 1].map(|side: usize| piece(rings[side], pair.arcs[side]));
    between_places(rings, &pieces, &pair.gap)
}

/// Returns the gap between two places of the circles, as thick as the tori, near the contact of two hulls; `None` if these places do not touch.
fn places_touch(rings: [&PlacedTorus<'_>; 2], pieces: &[ConvexPart<'_>; 2], gap: &Distance) -> Option<Distance> {
    between_places(rings, pieces, gap).filter(Distance::is_contact)
}

fn between_places(rings: [&PlacedTorus<'_>; 2], pieces: &[ConvexPart<'_>; 2], gap: &Distance) -> Option<Distance> {
    let ways = [gap.normal, -gap.normal];
    let place = |side: usize| rings[side].place_near(&pieces[side], gap.cores[side], ways[side]);
    Some(Distance::between(&place(0)?, &place(1)?))
}
