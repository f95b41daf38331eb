//! A torus is not convex, so it is divided into arcs. Each arc is inside its convex hull, and shorter arcs have smaller hulls.

use super::convex_core::{ArcThickness, ConvexCore, ConvexPart};
use crate::collections::ordered::ordered_by_cmp;
use crate::convex::arc::Arc;
use crate::convex::{least_stretch, similar};
use crate::math::float::{length, sqrt, unit};
use crate::shape::Torus;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DAffine3, DVec3};

/// If an arc's distance from its chord, relative to the circle's radius, is at most this, the arc is not divided further. Distances to the inner side of the
/// torus are too small by at most this.
pub(super) const SAGITTA_RESOLUTION: f64 = 1.0 / (1 << 20) as f64;
/// The number of initial arcs.
const ARCS: u32 = 8;
/// The maximum number of arcs that are divided; then the nearest one is followed to its end. If more arcs are equally near to within 3e-4 of the radius,
/// another arc may be nearer by less than that.
const MOST_ARCS: usize = 128;
/// The maximum number of divided arcs for a torus that is not round in the world. It is lower because a place is measured for each divided arc too, and each
/// measurement takes more steps. After that, the nearest known place is the answer, and another one may be nearer by 1.2e-3 of the longest radius.
const MOST_STRETCHED_ARCS: usize = 64;

/// The accuracy of the distance to an arc that will be divided, relative to the sagitta (the arc's distance from its chord), because its halves may be nearer
/// or farther by the whole sagitta. If a torus is far longer than wide, an arc's sagitta may be larger than the other part, and all arcs would seem to be in
/// contact. So the sagitta is then computed as if the torus were as short as it is wide.
const PART_OF_SAGITTA: f64 = 1.0 / 16.0;
/// If an arc's distance from its chord, relative to the radius, is at most this, the distance to the other shape is found as accurately as f64 allows.
const FINE: f64 = 1.0 / (1 << 12) as f64;

/// A torus, placed relative to an origin.
#[derive(Clone, Copy)]
pub(crate) struct PlacedTorus<'a> {
    pub(crate) torus: &'a Torus,
    pub(crate) to_world: DAffine3,
    /// The scale of its transform, if it keeps round shapes round.
    pub(crate) similar: Option<f64>,
    /// The approximate factor by which the transform scales the shortest diameter of the circle, for a transform that does not keep round shapes round.
    pub(super) least_stretch: Option<f64>,
}

/// The result for an arc.
pub(crate) struct ArcResult<T> {
    /// A lower bound of the result for any part of the arc.
    pub(crate) least: f64,
    /// The error of the bound, whatever the arc is.
    pub(crate) error: f64,
    /// The point of the arc's hull that the result belongs to.
    pub(crate) point: DVec3,
    /// The direction from there to the other shape, or zero.
    pub(crate) normal: DVec3,
    pub(crate) found: T,
    /// Tells that nothing else has to be searched.
    pub(crate) is_final: bool,
}

impl<T> ArcResult<T> {
    /// Returns the nearer one of two, the first of equal ones.
    fn nearer(self, other: Self) -> Self {
        if other.least < self.least { other } else { self }
    }
}

/// An arc that may have to be divided.
struct OpenArc<T> {
    arc: Arc,
    sagitta: f64,
    of: ArcResult<T>,
}

impl<T> Ord for OpenArc<T> {
    /// The greatest arc is the one with the least bound. Of arcs with equal bounds, it is the shortest, which needs the fewest further divisions.
    fn cmp(&self, other: &Self) -> Ordering {
        other.of.least.total_cmp(&self.of.least).then(other.sagitta.total_cmp(&self.sagitta))
    }
}

ordered_by_cmp!(OpenArc<T>);

impl<'a> PlacedTorus<'a> {
    pub(crate) fn new(torus: &'a Torus, to_world: DAffine3) -> Self {
        let similar = similar(&to_world.matrix3);
        let least_stretch = if similar.is_some() { None } else { Some(least_stretch(&to_world.matrix3)) };
        Self { torus, to_world, similar, least_stretch }
    }

    /// Returns the hull of the whole torus.
    pub(crate) fn hull(&self) -> ConvexPart<'a> {
        self.piece(Arc::WHOLE)
    }

    /// Returns an arc's hull, as thick as the torus.
    pub(super) fn piece(&self, arc: Arc) -> ConvexPart<'a> {
        let (ring, to_world) = (self.torus, self.to_world);
        let (thickness, radius) = match self.similar {
            Some(scale) => (ArcThickness::Apart, scale * f64::from(ring.minor)),
            None => (ArcThickness::Own, 0.0),
        };
        let stretch = self.least_stretch.unwrap_or_else(|| length(to_world.matrix3 * arc.middle));
        let bulge = || stretch * f64::from(ring.major) * arc.sagitta();
        let tolerance = if is_fine(&arc) { 0.0 } else { bulge() * PART_OF_SAGITTA };
        ConvexPart::new(ConvexCore::Arc { arc, ring, to_world, thickness, tolerance }, radius)
    }

    /// Returns the least result of `measure`, which is called for arcs with the largest distance that matters. Returns `None` if it finds nothing for any arc.
    ///
    /// The arc with the least bound is divided first. It is the answer, and is not divided, in three cases: it is so short that its hull is as good as the
    /// arc; its distance is found as accurately as f64 allows, and the nearest point of the hull is on the circle itself; or the distance between arc and
    /// hull is within the error of the bound. Without the last case, all arcs of a small torus would be divided to the end, because all are equally far from
    /// a much larger shape.
    ///
    /// A place of a stretched torus's circle is measured for each arc that is divided: the search ends when no
    /// arc is nearer than the nearest of these places.
    ///
    /// If the budget is used up, the answer is the nearest of the known places.
    pub(crate) fn least<T>(
        &self,
        measure: &mut dyn FnMut(&ConvexPart<'a>, f64) -> Option<ArcResult<T>>,
        is_spent: &dyn Fn() -> bool,
    ) -> Option<T> {
        let mut known: Option<ArcResult<T>> = None;
        let mut open = BinaryHeap::new();
        let mut ready: Vec<Arc> = first_arcs().collect();
        let mut left = if self.similar.is_some() { MOST_ARCS } else { MOST_STRETCHED_ARCS };
        loop {
            let limit = known.as_ref().map_or(f64::INFINITY, |place| place.least);
            for arc in ready.drain(..) {
                if let Some(of) = measure(&self.piece(arc), limit) {
                    if of.is_final {
                        return Some(of.found);
                    }
                    open.push(OpenArc { arc, sagitta: arc.sagitta(), of });
                }
            }
            let Some(OpenArc { arc, of, .. }) = open.pop() else { return known.map(|place| place.found) };
            if self.is_enough(&arc, of.point, of.error) {
                return Some(of.found);
            }
            if self.similar.is_none() || is_spent() {
                let place = self.place_near(&self.piece(arc), of.point, of.normal);
                let place = place.and_then(|place| measure(&place, limit));
                known = known.into_iter().chain(place).reduce(ArcResult::nearer);
                let is_known = |place: &ArcResult<T>| place.is_final || place.least <= of.least + of.error || left == 0;
                if is_spent() || known.as_ref().is_some_and(is_known) {
                    return known.map(|place| place.found);
                }
            }
            if left == 0 {
                open.clear();
            }
            left = left.saturating_sub(1);
            ready.extend(arc.halves());
        }
    }

    /// Returns whether shorter arcs than this cannot give anything nearer, given the nearest point of its hull and the
    /// error of distances.
    pub(super) fn is_enough(&self, arc: &Arc, point: DVec3, error: f64) -> bool {
        let sagitta = arc.sagitta();
        sagitta <= SAGITTA_RESOLUTION || sagitta * self.radius() <= error || is_fine(arc) && self.is_on_circle(point)
    }

    /// Returns a place of the circle, as thick as the torus, near a point of an arc's hull. If the torus is round
    /// in the world, it is the nearest place. Otherwise, it is the place of the arc that is farthest along a
    /// direction.
    pub(super) fn place_near(&self, arc: &ConvexPart<'_>, point: DVec3, direction: DVec3) -> Option<ConvexPart<'a>> {
        self.beside(point).or(match arc.core {
            ConvexCore::Arc { arc, .. } if arc.middle != DVec3::ZERO => {
                Some(self.piece(place_along(&arc, self.to_world.matrix3.transpose() * direction)))
            }
            _ => None,
        })
    }

    /// Returns the place of its circle that is nearest to a point, as thick as the torus; `None` if its transform does
    /// not keep it round.
    pub(crate) fn beside(&self, point: DVec3) -> Option<ConvexPart<'a>> {
        self.similar?;
        let local = self.to_world.matrix3.transpose() * (point - self.to_world.translation);
        let place = unit(DVec3::new(local.x, 0.0, local.z)).unwrap_or(DVec3::X);
        Some(self.piece(Arc { ends: [place; 2], middle: place }))
    }

    /// Returns a point of it.
    pub(crate) fn some_point(&self) -> DVec3 {
        self.piece(Arc { ends: [DVec3::X; 2], middle: DVec3::X }).core.farthest(self.to_world.matrix3.x_axis)
    }

    /// Returns the radius of the torus's circle in the world, or an upper bound of its longest radius if the circle is not round there.
    pub(super) fn radius(&self) -> f64 {
        let linear = self.to_world.matrix3;
        let stretch = self.similar.unwrap_or_else(|| length(linear.x_axis) + length(linear.z_axis));
        stretch * f64::from(self.torus.major)
    }

    /// Returns whether a point of an arc's hull is as far from the torus's centre as the circle is.
    fn is_on_circle(&self, point: DVec3) -> bool {
        let Some(scale) = self.similar else { return false };
        let radius = scale * f64::from(self.torus.major);
        let center = point - self.to_world.translation;
        (sqrt(center.length_squared()) - radius).abs() <= SAGITTA_RESOLUTION * SAGITTA_RESOLUTION * radius
    }
}

/// Returns whether the distance of an arc is found as accurately as f64 allows: for short arcs, for single places, and for the whole circle, which is not
/// approximated by a chord.
fn is_fine(arc: &Arc) -> bool {
    arc.middle == DVec3::ZERO || arc.sagitta() <= FINE
}

/// Returns the place of an arc that is farthest along a direction in the torus's own space, or its middle if the
/// direction is zero.
fn place_along(arc: &Arc, direction: DVec3) -> Arc {
    let place = if direction == DVec3::ZERO { arc.middle } else { arc.farthest(direction) };
    Arc { ends: [place; 2], middle: place }
}

/// Returns the initial arcs of the circle.
pub(super) fn first_arcs() -> impl Iterator<Item = Arc> {
    let step = TAU / f64::from(ARCS);
    (0..ARCS).map(move |number| {
        let from = f64::from(number) * step;
        Arc::between(from, from + step)
    })
}

const TAU: f64 = core::f64::consts::TAU;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::convex_core::{ConvexCore, ConvexPart};
    use crate::proximity::distance::Distance;
    use crate::proximity::torus_torus;
    use crate::proximity::torus_torus::TorusPairQuery;
    use core::cell::Cell;
    use glam::DMat3;

    /// A box in the middle of a torus's hole is almost equally far from every arc: the number of arcs that are measured
    /// is bounded.
    #[test]
    fn few_arcs_are_measured_where_all_are_as_near() {
        let torus = Torus::new(2.0, 0.25);
        let ring = PlacedTorus::new(&torus, DAffine3::IDENTITY);
        let column = ConvexPart::new(ConvexCore::Segment([DVec3::NEG_Y, DVec3::Y]), 0.5);
        let mut count = 0;
        let mut measure = |arc: &ConvexPart<'_>, _: f64| {
            count += 1;
            let gap = Distance::between(arc, &column);
            let (point, normal) = (gap.cores[0], gap.normal);
            Some(ArcResult { least: gap.nearness(), error: gap.error, point, normal, found: gap, is_final: false })
        };
        let found = ring.least(&mut measure, &|| false);
        assert!((found.unwrap().clearance - 1.25).abs() < 1e-5);
        assert!(count <= 300, "{count}");
    }

    /// Two tori around one axis, one in the hole of the other, are stretched so that their nearest places are not known in closed form.
    #[test]
    fn few_pairs_of_arcs_are_measured_where_all_are_as_near() {
        let (outer, inner) = (Torus::new(3.0, 0.25), Torus::new(1.5, 0.25));
        let tall = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::new(1.0, 2.0, 1.0)));
        let rings = [&outer, &inner].map(|torus| PlacedTorus::new(torus, tall));
        let count = Cell::new(0);
        let may_matter = |_: &Distance| {
            count.set(count.get() + 1);
            true
        };
        let wanted = TorusPairQuery { may_matter: &may_matter, ends_at_contact: false };
        let gap = torus_torus::between([&rings[0], &rings[1]], &wanted).unwrap();
        assert!((gap.clearance - 1.0).abs() < 1e-3, "{}", gap.clearance);
        assert!(count.get() <= 480, "{}", count.get());
    }
}
