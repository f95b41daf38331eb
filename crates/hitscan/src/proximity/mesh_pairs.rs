//! The pairs of triangles of two surfaces that are near each other, found by descending both trees at once.

use super::placed_mesh::{PlacedMesh, TrianglePairVisitor};
use crate::bvh::{LeafPairVisitor, MissingSlabs, PairDirection};
use crate::math::float::{UNIT_ROUNDOFF, inverse_power_of_two, larger, power_of_two, smaller, unit};
use crate::simd::dispatch;
use crate::tri::{ImageTransform, LanePair, LeafCorners, NearestPlaces, TrianglePlace, each_near};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// Tells which pairs of triangles are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PairsWanted {
    /// Every pair within the limit.
    All,
    /// The pairs that may be the nearest, and every pair within the distance `floor`.
    Nearest { floor: f64 },
}

/// The maximum number of pairs that wait to be measured.
const MOST_WAITING: usize = 64;

/// Visits the wanted pairs of triangles of two sets that have an area and may be within `limit` of each other, some pairs perhaps more than once. The visitor
/// returns the largest distance that matters from now on.
pub(super) fn near_pairs(
    sets: [&PlacedMesh<'_>; 2],
    wanted: PairsWanted,
    limit: f64,
    show: &mut TrianglePairVisitor<'_>,
) -> ControlFlow<()> {
    let [ours, theirs] = sets;
    let trees = sets.map(|set| set.tree().0);
    let spaces = [ours.beside(theirs), theirs.beside(ours)];
    let slabs = |missing: MissingSlabs| [ours.slabs(missing), theirs.slabs(missing)];
    let mut visit = MeasuringVisitor { search: PairSearch::new(sets, wanted, limit), show };
    trees[0].approach_pairs(trees[1], &spaces, &slabs, &mut visit)?;
    visit.search.measure(visit.show)
}

/// A search that measures pairs with a visitor of triangles.
struct MeasuringVisitor<'a, 'b, 'c> {
    search: PairSearch<'a>,
    show: &'b mut TrianglePairVisitor<'c>,
}

impl LeafPairVisitor for MeasuringVisitor<'_, '_, '_> {
    fn visit(&mut self, leaves: [u32; 2]) -> ControlFlow<()> {
        self.search.visit(leaves);
        if self.search.has_to_measure() { self.search.measure(self.show) } else { ControlFlow::Continue(()) }
    }

    fn limit(&self) -> f64 {
        self.search.limit + self.search.error
    }

    fn along(&self) -> Option<&PairDirection> {
        self.search.along.as_ref()
    }
}

/// Two triangles that are not yet measured.
#[derive(Clone, Copy)]
struct WaitingPair {
    /// A lower bound of the distance between their images.
    low: f64,
    places: [TrianglePlace; 2],
}

struct PairSearch<'a> {
    sets: [&'a PlacedMesh<'a>; 2],
    wanted: PairsWanted,
    /// The largest distance that matters.
    limit: f64,
    /// A bound on the error of distances.
    error: f64,
    /// The factor from the world to the images. No coordinate of an image is above 1.
    scale: f64,
    transforms: [ImageTransform; 2],
    /// Tells whether upper bounds of distances may lower the limit.
    has_bounds: bool,
    /// The direction between the nearest triangles so far, in two forms, and their distance, as far as f32 can tell.
    along: Option<PairDirection>,
    unit: DVec3,
    nearest: f32,
    waiting: Vec<WaitingPair>,
}

impl<'a> PairSearch<'a> {
    fn new(sets: [&'a PlacedMesh<'a>; 2], wanted: PairsWanted, limit: f64) -> Self {
        let size = larger(sets[0].image_size(), sets[1].image_size());
        let scale = inverse_power_of_two(2.0 * power_of_two(size));
        Self {
            sets,
            wanted,
            limit,
            error: sets[0].error + sets[1].error,
            scale,
            transforms: sets.map(|set| ImageTransform::new(&set.tree_to_world(), scale)),
            has_bounds: wanted != PairsWanted::All && sets.iter().all(|set| set.all_have_area()),
            along: None,
            unit: DVec3::ZERO,
            nearest: f32::INFINITY,
            waiting: Vec::new(),
        }
    }

    /// Returns the largest distance between images that matters.
    fn reach(&self) -> f64 {
        (self.limit + self.error) * self.scale
    }

    /// Adds the pairs of two leaves that may matter to those that wait.
    fn visit(&mut self, leaves: [u32; 2]) {
        let mut corners = [LeafCorners::EMPTY; 2];
        for (side, corners) in corners.iter_mut().enumerate() {
            self.sets[side].leaf_corners(leaves[side], corners);
        }
        if corners[0].present == 0 || corners[1].present == 0 {
            return;
        }
        dispatch!(simd => {
            let placed = [corners[0].placed(simd, &self.transforms[0]), corners[1].placed(simd, &self.transforms[1])];
            let (along, reach) = (self.unit, self.reach());
            let nearest = each_near(simd, [&placed[0], &placed[1]], along, reach, &mut |pair| self.keep(leaves, pair));
            // Depths are compared with a slack, so the order in which all pairs are shown must not depend on f32 bounds, which differ by instruction set.
            if self.wanted != PairsWanted::All {
                self.turn(nearest);
            }
        });
    }

    /// Bounds distances along the direction between two triangles from now on, if the triangles are the nearest so far.
    fn turn(&mut self, NearestPlaces { distance, between }: NearestPlaces) {
        if !(distance < self.nearest) {
            return;
        }
        self.nearest = distance;
        let Some(direction) = unit(between) else { return };
        self.unit = direction.as_vec3().as_dvec3();
        let [(first, height), (second, other_height)] = self.sets.map(|set| set.heights_along(direction));
        let padding = 64.0 * UNIT_ROUNDOFF * (self.sets[0].image_size() + self.sets[1].image_size());
        self.along = Some(PairDirection { covectors: [first, second], shift: other_height - height, padding });
    }

    /// Lets two triangles wait. Returns the reach that matters from now on.
    fn keep(&mut self, [a, b]: [u32; 2], pair: LanePair) -> f64 {
        if let PairsWanted::Nearest { floor } = self.wanted
            && self.has_bounds
        {
            let high = pair.high * inverse_power_of_two(self.scale) + 2.0 * self.error;
            // The comparison is false for NaN.
            if high < self.limit {
                self.limit = larger(high, floor);
            }
        }
        let places = [TrianglePlace::new(a, pair.lanes[0]), TrianglePlace::new(b, pair.lanes[1])];
        self.waiting.push(WaitingPair { low: pair.low, places });
        self.reach()
    }

    /// Returns whether the waiting pairs must be measured now: no upper bound limits their distance, one of them may be in contact, or there are too many.
    fn has_to_measure(&mut self) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        if !self.has_bounds || self.waiting.iter().any(|pair| pair.low == 0.0) {
            return true;
        }
        if self.waiting.len() > MOST_WAITING {
            let reach = self.reach();
            self.waiting.retain(|pair| pair.low <= reach);
        }
        self.waiting.len() > MOST_WAITING
    }

    /// Shows the waiting pairs that matter: by their places if all are wanted, else the nearer ones first.
    fn measure(&mut self, show: &mut TrianglePairVisitor<'_>) -> ControlFlow<()> {
        let mut waiting = core::mem::take(&mut self.waiting);
        let is_by_place = self.wanted == PairsWanted::All;
        waiting.sort_unstable_by(|a, b| if is_by_place { a.places.cmp(&b.places) } else { a.low.total_cmp(&b.low) });
        for pair in waiting.drain(..) {
            if pair.low > self.reach() {
                break;
            }
            let [ours, theirs] = self.sets;
            let limit = &mut self.limit;
            let mut flow = ControlFlow::Continue(());
            ours.show_place(pair.places[0], &mut |number, corners| {
                let ours = (number, corners);
                theirs.show_place(pair.places[1], &mut |number, corners| {
                    if flow.is_continue() {
                        match show(ours, (number, corners)) {
                            ControlFlow::Continue(left) => *limit = smaller(left, *limit),
                            ControlFlow::Break(()) => flow = ControlFlow::Break(()),
                        }
                    }
                });
            });
            flow?;
        }
        self.waiting = waiting;
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::Anchor;
    use crate::geom::transform::Placement;
    use crate::math::float::sqrt;
    use crate::math::random::Random;
    use crate::mesh::Mesh;
    use crate::proximity::triangle_distance::triangle_to_triangle;
    use glam::{DAffine3, Vec3};

    /// Returns the triangles of a unit ball of 8 times 4^levels triangles.
    fn ball(levels: u32) -> Vec<[Vec3; 3]> {
        let mut triangles = Vec::new();
        for signs in 0..8 {
            let sign = |axis: u32| if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
            triangles.push([Vec3::X * sign(0), Vec3::Y * sign(1), Vec3::Z * sign(2)]);
        }
        for _ in 0..levels {
            let middle = |a: Vec3, b: Vec3| (a + b).normalize();
            triangles = triangles
                .into_iter()
                .flat_map(|[a, b, c]| {
                    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
                })
                .collect();
        }
        triangles
    }

    /// Counts the pairs of leaves that a visitor sees.
    struct CountedVisitor<V> {
        visitor: V,
        leaves: usize,
    }

    impl<V: LeafPairVisitor> LeafPairVisitor for CountedVisitor<V> {
        fn visit(&mut self, leaves: [u32; 2]) -> ControlFlow<()> {
            self.leaves += 1;
            self.visitor.visit(leaves)
        }

        fn limit(&self) -> f64 {
            self.visitor.limit()
        }

        fn along(&self) -> Option<&PairDirection> {
            self.visitor.along()
        }
    }

    #[test]
    fn balls_anywhere_take_few_pairs() {
        let mesh = Mesh::from_soup(ball(6).as_flattened()).unwrap();
        let mut random = Random(641);
        let (mut most_leaves, mut most_measured) = (0, 0);
        for case in 0..40 {
            let gap = [0.02, 0.5, 5.0, 1000.0][case % 4];
            let turn = random.rotation();
            let place = DAffine3::from_rotation_translation(turn, random.direction() * (2.0 + gap));
            let placements = [DAffine3::IDENTITY, place].map(|place| Placement::new(place).unwrap());
            let [one, other] = placements.each_ref().map(|place| PlacedMesh::new(&mesh, place, Anchor::ZERO).unwrap());
            let (mut measured, mut least) = (0, f64::INFINITY);
            let show: &mut TrianglePairVisitor<'_> = &mut |(_, p), (_, q)| {
                measured += 1;
                least = smaller(sqrt(triangle_to_triangle(p, q).square()), least);
                ControlFlow::Continue(least)
            };
            let search = PairSearch::new([&one, &other], PairsWanted::Nearest { floor: 1e-12 }, f64::INFINITY);
            let mut counted = CountedVisitor { visitor: MeasuringVisitor { search, show }, leaves: 0 };
            let slabs = |missing| [one.slabs(missing), other.slabs(missing)];
            let spaces = [one.beside(&other), other.beside(&one)];
            let _ = one.tree().0.approach_pairs(other.tree().0, &spaces, &slabs, &mut counted);
            let CountedVisitor { visitor: MeasuringVisitor { mut search, show }, leaves } = counted;
            let _ = search.measure(show);
            assert!(least >= gap && least < gap + 0.01, "{case}: {least} at {gap}");
            (most_leaves, most_measured) = (leaves.max(most_leaves), measured.max(most_measured));
        }
        assert!(
            most_leaves <= 4_000 && most_measured <= 160,
            "{most_leaves} pairs of leaves, {most_measured} measured"
        );
    }

    #[test]
    fn bounds_hold_for_every_pair_of_triangles() {
        let mut random = Random(642);
        let (mut found, mut sharp) = (0, 0);
        for case in 0..2_000 {
            let size = random.pick(&[1.0, 0.1, 1e-3]);
            let triangle = |random: &mut Random| {
                let middle = random.cube() * 0.4;
                let thin = random.pick(&[1.0, 1.0, 1e-3, 1e-6, 0.0]);
                let (a, b) = (random.cube() * size * 0.2, random.cube() * size * 0.2);
                [middle + a, middle + b, middle + (a + b) * 0.5 + random.cube() * size * thin * 0.2]
                    .map(|corner| corner.as_vec3())
            };
            let sides: [Vec<[Vec3; 3]>; 2] = [(); 2].map(|()| (0..8).map(|_| triangle(&mut random)).collect());
            let mut corners = [LeafCorners::EMPTY; 2];
            for (side, corners) in sides.iter().zip(&mut corners) {
                for (lane, triangle) in side.iter().enumerate() {
                    for (corner, place) in triangle.iter().enumerate() {
                        (0..3).for_each(|axis| corners.corners[corner][axis][lane] = place[axis]);
                    }
                }
                corners.present = 0xff;
            }
            let transform = ImageTransform::new(&DAffine3::IDENTITY, 1.0);
            let reach = if case % 2 == 0 { f64::INFINITY } else { random.fraction() };
            let along = random.direction().as_vec3().as_dvec3() * (1.0 - 1e-6);
            let mut shown = [[false; 8]; 8];
            let in_f64 = |corners: [Vec3; 3]| corners.map(|corner| corner.as_dvec3());
            let truth =
                |[a, b]: [usize; 2]| sqrt(triangle_to_triangle(in_f64(sides[0][a]), in_f64(sides[1][b])).square());
            // The closure of the dispatch takes copies of plain values.
            let (seen, counts) = (&mut shown, [&mut found, &mut sharp]);
            dispatch!(simd => {
                let [found, sharp] = counts;
                let placed = [corners[0].placed(simd, &transform), corners[1].placed(simd, &transform)];
                each_near(simd, [&placed[0], &placed[1]], along, reach, &mut |pair| {
                    let truth = truth(pair.lanes);
                    seen[pair.lanes[0]][pair.lanes[1]] = true;
                    assert!(!(pair.low > truth) && !(pair.high < truth), "{case}: {pair:?}, {truth}");
                    *found += 1;
                    *sharp += usize::from(pair.high - pair.low < 2e-4);
                    reach
                })
            });
            for (a, shown) in shown.iter().enumerate() {
                for (b, shown) in shown.iter().enumerate() {
                    assert!(*shown || truth([a, b]) > reach, "{case}: {a} and {b} are left out");
                }
            }
        }
        assert!(sharp > found / 2, "{sharp} of {found}");
    }
}
