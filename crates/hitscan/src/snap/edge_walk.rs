//! The nearest part of an edge that is not hidden.

use super::feature::NearEdge;
use super::reach::{Reach, Spot};
use super::segment::ScreenStretch;
use crate::scene::Part;
use glam::DVec3;

/// The largest number of steps to each side.
const MOST_STEPS: f64 = 16.0;
/// The number of bisections between a hidden and a visible point.
const HALVINGS: u32 = 4;

/// A walk along an edge whose point nearest to the cursor is hidden. It goes from that point to both sides. A step is a pixel, or a sixteenth of the radius
/// if that is more.
pub(super) struct EdgeWalk<'a> {
    pub(super) edge: NearEdge<'a>,
    stretch: ScreenStretch,
    step: f64,
    steps: u32,
}

/// Returns whether a point of a part is hidden.
pub(super) type IsHidden<'f> = dyn Fn(&Spot, &Part) -> bool + 'f;

/// The result of a step of a walk.
pub(super) enum Walked {
    /// The nearest visible point.
    Seen(Spot),
    /// All points are hidden up to a distance with this square.
    Hidden(f64),
    /// The walk is over, and all points are hidden.
    Over,
}

impl<'a> EdgeWalk<'a> {
    /// Begins a walk; `None` for an edge that is seen end-on.
    pub(super) fn new(edge: &NearEdge<'a>, reach: &Reach) -> Option<Self> {
        let stretch = edge.segment(reach)?.stretch(reach, &edge.spot)?;
        let step = (reach.radius() / MOST_STEPS).max(1.0);
        Some(Self { edge: *edge, stretch, step, steps: 0 })
    }

    /// Returns the ends of the part in reach.
    pub(super) fn ends(&self, reach: &Reach) -> Option<[DVec3; 2]> {
        let [low, high] = [f64::NEG_INFINITY, f64::INFINITY].map(|end| self.stretch.clamp(end));
        Some([self.stretch.spot(reach, low)?.point, self.stretch.spot(reach, high)?.point])
    }

    /// Walks to the end, and returns the nearest visible point.
    pub(super) fn finish(mut self, reach: &Reach, is_hidden: &IsHidden<'_>) -> Option<Spot> {
        loop {
            match self.walk(reach, is_hidden) {
                Walked::Seen(spot) => return Some(spot),
                Walked::Hidden(_) => {}
                Walked::Over => return None,
            }
        }
    }

    /// Takes a step to both sides.
    pub(super) fn walk(&mut self, reach: &Reach, is_hidden: &IsHidden<'_>) -> Walked {
        self.steps += 1;
        let (mut seen, mut hidden): (Option<Spot>, Option<f64>) = (None, None);
        for side in [-self.step, self.step] {
            let at = |steps: u32| self.stretch.clamp(self.stretch.middle + side * f64::from(steps));
            let (before, after) = (at(self.steps - 1), at(self.steps));
            let Some(spot) = self.stretch.spot(reach, after).filter(|_| before != after) else { continue };
            if is_hidden(&spot, self.edge.part) {
                hidden = Some(hidden.map_or(spot.square, |square| square.min(spot.square)));
            } else {
                let spot = self.first_seen(reach, [before, after], spot, is_hidden);
                let is_nearer = |other: &Spot| (spot.square, spot.depth) < (other.square, other.depth);
                seen = if seen.as_ref().is_none_or(is_nearer) { Some(spot) } else { seen };
            }
        }
        match (seen, hidden) {
            (Some(spot), _) => Walked::Seen(spot),
            (None, Some(square)) => Walked::Hidden(square),
            (None, None) => Walked::Over,
        }
    }

    /// Returns the visible point that is nearest to the hidden point, up to a sixteenth of a step.
    fn first_seen(
        &self,
        reach: &Reach,
        [mut hidden, mut seen]: [f64; 2],
        mut spot: Spot,
        is_hidden: &IsHidden<'_>,
    ) -> Spot {
        for _ in 0..HALVINGS {
            let middle = (hidden + seen) * 0.5;
            match self.stretch.spot(reach, middle).filter(|spot| !is_hidden(spot, self.edge.part)) {
                Some(nearer) => (seen, spot) = (middle, nearer),
                None => hidden = middle,
            }
        }
        spot
    }
}
