//! A tree over points, or over segments.

use crate::bvh::{
    BoxPlace, BoxRegion, Bvh8, LEAF_SIZE, MAX_ITEMS, NormalizedSpace, Primitives, Quality, RegionVisitor,
    is_worth_threads,
};
use crate::error::WireError;
use crate::geom::aabb::Aabb;
use crate::math::float::{round_down, round_up};
use crate::parallel;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The tree over simplices of `N` corners, each with a number: points have one corner, segments two.
#[derive(Debug)]
pub(crate) struct SimplexTree<const N: usize> {
    bounds: Aabb,
    frame: NormalizedSpace,
    tree: Bvh8,
    leaves: Vec<SimplexLeaf<N>>,
}

/// The simplices of a leaf.
#[derive(Debug)]
struct SimplexLeaf<const N: usize> {
    count: u32,
    numbers: [u32; LEAF_SIZE],
    corners: [[Vec3; N]; LEAF_SIZE],
}

impl<const N: usize> SimplexTree<N> {
    /// Builds the tree over `count` simplices. `corners` returns the corners of a simplex by its number; they must be finite.
    ///
    /// # Errors
    /// Returns an error if there are too many simplices.
    pub(super) fn new(count: usize, corners: impl Fn(u32) -> [Vec3; N] + Sync + Send) -> Result<Self, WireError> {
        if count > MAX_ITEMS {
            return Err(WireError::TooMany { count, limit: MAX_ITEMS });
        }
        let bounds = (0..count as u32).fold(Aabb::EMPTY, |bounds, number| bounds.union(&around(corners(number))));
        let frame = NormalizedSpace::new(bounds);
        let items = FramedSimplices { count, corners: &corners, scale: frame.scale };
        let build = || Bvh8::build(&items, Quality::default(), |numbers| SimplexLeaf::new(numbers, &corners));
        let (tree, leaves) = parallel::together(is_worth_threads(count, Quality::default()), build);
        Ok(Self { bounds, frame, tree, leaves })
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the number of units of the tree in one unit of the simplices.
    pub(crate) fn scale(&self) -> f64 {
        self.frame.scale
    }

    pub(crate) fn tree(&self) -> &Bvh8 {
        &self.tree
    }

    /// Calls `show` with the number and the corners of every simplex of a leaf.
    pub(crate) fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; N])) {
        if let Some(leaf) = self.leaves.get(leaf as usize) {
            let corners = leaf.numbers.iter().zip(&leaf.corners).take(leaf.count as usize);
            corners.for_each(|(&number, &corners)| show(number, corners));
        }
    }

    /// Calls `show` with every simplex in a leaf whose box is not outside of a region (in the tree's units). `show` gets the number and the corners of the
    /// simplex, and the class of that box relative to the region. `place` is the class of the whole tree's box. Each simplex is in one leaf.
    pub(crate) fn within(
        &self,
        region: &impl BoxRegion,
        place: BoxPlace,
        show: impl FnMut(u32, [Vec3; N], BoxPlace) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.tree.within(region, place, &mut SimplexVisitor(&self.leaves, show))
    }
}

/// Calls `show` with the simplices of leaves, and with the class of each leaf's box.
struct SimplexVisitor<'t, F, const N: usize>(&'t [SimplexLeaf<N>], F);

impl<F, const N: usize> RegionVisitor for SimplexVisitor<'_, F, N>
where
    F: FnMut(u32, [Vec3; N], BoxPlace) -> ControlFlow<()>,
{
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, place: BoxPlace) -> ControlFlow<()> {
        let Some(leaf) = self.0.get(leaf as usize) else { return ControlFlow::Continue(()) };
        let mut simplices = leaf.numbers.iter().zip(&leaf.corners).take(leaf.count as usize);
        simplices.try_for_each(|(&number, &corners)| (self.1)(number, corners, place))
    }
}

impl<const N: usize> SimplexLeaf<N> {
    fn new(numbers: &[u32], corners: &impl Fn(u32) -> [Vec3; N]) -> Self {
        let mut leaf =
            Self { count: numbers.len() as u32, numbers: [0; LEAF_SIZE], corners: [[Vec3::ZERO; N]; LEAF_SIZE] };
        for (place, &number) in numbers.iter().enumerate() {
            leaf.numbers[place] = number;
            leaf.corners[place] = corners(number);
        }
        leaf
    }
}

fn around<const N: usize>(corners: [Vec3; N]) -> Aabb {
    corners.iter().fold(Aabb::EMPTY, |bounds, &corner| bounds.union(&Aabb { min: corner, max: corner }))
}

/// Simplices, scaled to the units of the tree.
struct FramedSimplices<'a, F> {
    count: usize,
    corners: &'a F,
    scale: f64,
}

impl<const N: usize, F: Fn(u32) -> [Vec3; N] + Sync> Primitives for FramedSimplices<'_, F> {
    fn len(&self) -> usize {
        self.count
    }

    fn bounds(&self, item: u32) -> Aabb {
        let Aabb { min, max } = around((self.corners)(item));
        let framed = |corner: Vec3, round: fn(f64) -> f32| {
            let corner: DVec3 = corner.as_dvec3() * self.scale;
            Vec3::from_array(corner.to_array().map(round))
        };
        Aabb { min: framed(min, round_down), max: framed(max, round_up) }
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        let own = self.bounds(item);
        Aabb { min: own.min.max(cell.min), max: own.max.min(cell.max) }
    }
}
