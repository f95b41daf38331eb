//! The one traversal loop, for closest, any and all.

use super::{Bvh, Kind};
use crate::aabb::Aabb;
use crate::float::gamma;
use crate::ray::LocalRay;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// The power of two above the largest f32.
const BEYOND_F32: f64 = (1u128 << 127) as f64 * 2.0;

/// A ray prepared for box tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The ray's origin, moved up and down along every axis, for the lower and the upper face of a box.
    origins: [DVec3; 2],
    inverse: DVec3,
    t_min: f32,
    t_max: f32,
    /// Factors that widen a distance away from and towards zero by more than its error.
    outwards: f64,
    inwards: f64,
}

impl Probe {
    /// `slack` is the error of the ray that the boxes' contents are tested with, relative to its origin's largest
    /// coordinate and to distances along it; on top of the box test's own four roundings, three of a distance and
    /// one of its widening, and one for their products.
    pub(crate) fn new(ray: &LocalRay, slack: f64) -> Self {
        let widening = gamma(5) + slack;
        let padding = DVec3::splat(slack * ray.origin.abs().max_element());
        Self {
            origins: [ray.origin + padding, ray.origin - padding],
            inverse: DVec3::ONE / ray.direction,
            t_min: ray.t_min,
            t_max: ray.t_max,
            outwards: 1.0 + widening,
            inwards: 1.0 - widening,
        }
    }

    /// The reported t before which the ray cannot hit anything in the box; `None` if it misses the box for sure.
    ///
    /// Rounding to f32 is monotone, so a bound on t, rounded as a reported t is, bounds the reported t.
    fn enter(&self, aabb: &Aabb, limit: f32) -> Option<f32> {
        let (near, far) = self.interval(aabb);
        let first = (near as f32).max(self.t_min);
        (near <= far && first <= limit && self.t_min <= far as f32).then_some(first)
    }

    /// A t, not rounded, before which nothing in the box has a reported t in the ray's range; `None` if nothing has.
    pub(super) fn first_touch(&self, aabb: &Aabb) -> Option<f64> {
        let (near, far) = self.interval(aabb);
        // A reported t is rounded from less than one number further out, and finite.
        let first = f64::from(self.t_min.next_down()).max(-BEYOND_F32);
        let last = f64::from(self.t_max.next_up()).min(BEYOND_F32);
        let start = if near > first { near } else { first };
        (near <= far && start <= last && first <= far).then_some(start)
    }

    /// Where the ray's line is in the box, or a little more; the ends are in the wrong order if it misses.
    fn interval(&self, aabb: &Aabb) -> (f64, f64) {
        let (mut near, mut far) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let inverse = self.inverse[axis];
            let to_min = (f64::from(aabb.min[axis]) - self.origins[0][axis]) * inverse;
            let to_max = (f64::from(aabb.max[axis]) - self.origins[1][axis]) * inverse;
            let (a, b) = if inverse.is_sign_negative() { (to_max, to_min) } else { (to_min, to_max) };
            // 0 * infinity, an origin on the plane of a slab that the ray runs along, is NaN, which max and min drop.
            near = near.max(a);
            far = far.min(b);
        }
        let near = near * if near > 0.0 { self.inwards } else { self.outwards };
        let far = far * if far > 0.0 { self.outwards } else { self.inwards };
        (near, far)
    }
}

impl Bvh {
    /// Calls `visit` with each item whose box the ray may touch in its range, roughly from near to far, and with the
    /// limit of t in force. It answers with the largest t that matters from now on, or ends the traversal.
    pub(crate) fn traverse(
        &self,
        probe: &Probe,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut limit = probe.t_max;
        let mut stack = Stack::new();
        let Some(root) = self.root else { return ControlFlow::Continue(()) };
        let mut next = probe.enter(&self.node(root).bounds, limit).map(|_| root);
        while let Some(index) = next {
            next = match self.node(index).kind {
                Kind::Leaf(item) => {
                    limit = visit(item, limit)?;
                    None
                }
                Kind::Inner(children) => {
                    let [left, right] =
                        children.map(|child| probe.enter(&self.node(child).bounds, limit).map(|t| (t, child)));
                    match (left, right) {
                        (Some(left), Some(right)) => {
                            let (near, far) = if right.0 < left.0 { (right, left) } else { (left, right) };
                            stack.push(far);
                            Some(near.1)
                        }
                        (one, other) => one.or(other).map(|(_, child)| child),
                    }
                }
            };
            while next.is_none() {
                let Some((t, index)) = stack.pop() else { return ControlFlow::Continue(()) };
                next = (t <= limit).then_some(index);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Nodes to come back to with their entry t. On the program's stack as long as the tree is of ordinary depth, then in a
/// Vec: no depth overflows it.
struct Stack {
    items: [(f32, u32); Self::INLINE],
    len: usize,
    spilled: Vec<(f32, u32)>,
}

impl Stack {
    const INLINE: usize = 96;

    fn new() -> Self {
        Self { items: [(0.0, 0); Self::INLINE], len: 0, spilled: Vec::new() }
    }

    fn push(&mut self, item: (f32, u32)) {
        match self.items.get_mut(self.len) {
            Some(slot) => {
                *slot = item;
                self.len += 1;
            }
            None => self.spilled.push(item),
        }
    }

    fn pop(&mut self) -> Option<(f32, u32)> {
        self.spilled.pop().or_else(|| {
            self.len = self.len.checked_sub(1)?;
            Some(self.items[self.len])
        })
    }
}
