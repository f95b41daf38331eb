//! Sweeps of a volume through a tree with triangles in its leaves, for meshes and height fields.

use super::leaves::{Leaves, NearTriangleVisitor, TrianglePlace};
use super::sweep_filter::{SweptShape, SweptTube};
use crate::bvh::{BvhRay, Slack, Subtree, Visitor, take_lowest};
use crate::geom::ray::LocalRay;
use crate::math::float::smaller;
use crate::simd::Simd;
use core::ops::ControlFlow;
use glam::DVec3;

/// A moving volume in the space of the triangles.
// With a type parameter instead, sweeps would be compiled for every instruction set again in each crate that uses a scene.
pub(crate) trait SweptVolume {
    /// Returns half the sizes of a box around the volume.
    fn half_extents(&self) -> DVec3;

    /// Bounds the error of the motion in the space of the triangles.
    fn slack(&self) -> Slack;

    /// Bounds the error of a motion that starts near the triangles and is at most about a hundred times as long as their frame. This excludes the error that
    /// the box test of every ray includes.
    fn slack_near(&self) -> Slack;

    /// Returns a tighter shape around the volume, unless it rotates.
    fn form(&self) -> Option<SweptShape>;
}

/// Calls `show` with every triangle that a volume whose middle moves along the ray may touch, approximately in the order of
/// contact.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sweep_leaves<S: Simd, L: Leaves>(
    simd: S,
    leaves: &L,
    ray: &LocalRay,
    volume: &dyn SweptVolume,
    show: &mut NearTriangleVisitor<'_>,
) {
    let slack = (volume.slack_near(), || volume.slack());
    let Some(framed) = leaves.frame().thick_ray(simd, ray, slack, volume.half_extents()) else { return };
    let limit = framed.limit(ray.t_max);
    let tube = LazyTube::Not { volume, scale: leaves.frame().scale };
    let waiting = WaitingTriangles::default();
    let mut swept = SweepVisitor { leaves, simd, ray: &framed, tube, t_max: ray.t_max, waiting, show };
    let _ = leaves.tree().traverse(simd, (&framed, Subtree::ROOT), || leaves.row(), limit, &mut swept);
    swept.show_before(f32::INFINITY, framed.limit(swept.t_max));
}

/// A volume among the leaves.
struct SweepVisitor<'a, 'b, L, S> {
    leaves: &'a L,
    simd: S,
    ray: &'a BvhRay,
    tube: LazyTube<'a>,
    t_max: f32,
    waiting: WaitingTriangles,
    show: &'a mut NearTriangleVisitor<'b>,
}

/// The tube for the tests of triangles. It is made when the first leaf is reached, because most sweeps reach none.
enum LazyTube<'a> {
    Not {
        volume: &'a dyn SweptVolume,
        scale: f64,
    },
    /// The tube. If there is no tube, every triangle is shown.
    Yes(Option<SweptTube>),
}

impl LazyTube<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tube(&mut self, ray: &BvhRay, limit: f32) -> Option<&SweptTube> {
        if let Self::Not { volume, scale } = *self {
            *self = Self::Yes(volume.form().and_then(|form| SweptTube::new(ray, &form, scale, limit)));
        }
        match self {
            Self::Yes(tube) => tube.as_ref(),
            Self::Not { .. } => None,
        }
    }
}

impl<L: Leaves, S: Simd> Visitor for SweepVisitor<'_, '_, L, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn before(&mut self, distance: f32, limit: f32) -> f32 {
        self.show_before(distance, limit)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, distance: f32, limit: f32) -> ControlFlow<(), f32> {
        // The leaf arrives in the cache while deferred triangles are shown, or the tube is made.
        self.leaves.prefetch(leaf);
        let mut limit = self.show_before(distance, limit);
        if distance > limit {
            return ControlFlow::Continue(limit);
        }
        let near = self.leaves.near(self.simd, leaf, self.tube.tube(self.ray, limit), limit);
        // A triangle whose interior is touched is usually hit first of all, and ends the sweep.
        let mut inside = near.which & near.inside;
        while let Some(lane) = take_lowest(&mut inside) {
            if near.apart_until[lane] <= limit {
                limit = self.show(TrianglePlace::new(leaf, lane), limit);
            }
        }
        let mut others = near.which & !near.inside;
        while let Some(lane) = take_lowest(&mut others) {
            if near.apart_until[lane] <= limit {
                limit = self.wait(near.apart_until[lane], TrianglePlace::new(leaf, lane), limit);
            }
        }
        ControlFlow::Continue(limit)
    }
}

impl<L: Leaves, S: Simd> SweepVisitor<'_, '_, L, S> {
    /// Shows the deferred triangles that may be touched before a distance; returns the limit after that.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn show_before(&mut self, distance: f32, mut limit: f32) -> f32 {
        while self.waiting.nearest() < distance {
            limit = self.show_nearest(limit);
        }
        limit
    }

    /// Shows the nearest of the deferred triangles, unless it is beyond the limit. In that case all of them are beyond the limit.
    #[inline(never)]
    fn show_nearest(&mut self, limit: f32) -> f32 {
        if self.waiting.nearest() > limit {
            self.waiting = WaitingTriangles::default();
            return limit;
        }
        match self.waiting.take_nearest() {
            Some(place) => self.show(place, limit),
            None => limit,
        }
    }

    /// Defers a place, and returns the new limit.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn wait(&mut self, apart_until: f32, place: TrianglePlace, mut limit: f32) -> f32 {
        if self.waiting.is_full() {
            limit = self.show_nearest(limit);
        }
        self.waiting.insert(apart_until, place);
        limit
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn show(&mut self, place: TrianglePlace, limit: f32) -> f32 {
        let t_max = smaller(self.leaves.show(place, self.show), self.t_max);
        if t_max < self.t_max {
            self.t_max = t_max;
            return self.ray.limit(t_max);
        }
        limit
    }
}

/// Places that may be touched, ordered by the distance up to which they are certainly not touched, the nearest last. Most triangles near the path of a volume
/// are behind something that it touches sooner. After that contact, the limit is before these places, and they are never tested.
#[derive(Default)]
struct WaitingTriangles {
    keys: [u64; Self::MOST_WAITING],
    len: usize,
}

impl WaitingTriangles {
    const MOST_WAITING: usize = 16;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn is_full(&self) -> bool {
        self.len == Self::MOST_WAITING
    }

    /// Inserts a place at a distance that is not negative. So the bits of distances have the same order as the
    /// distances. There must be room.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn insert(&mut self, apart_until: f32, place: TrianglePlace) {
        debug_assert!(!self.is_full());
        let key = u64::from(apart_until.to_bits()) << 32 | u64::from(place.0);
        let mut at = self.len % Self::MOST_WAITING;
        self.len = at + 1;
        while at > 0 && self.keys[at - 1] < key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
    }

    /// Returns the distance up to which the volume does not touch the nearest waiting triangle. It is infinite if
    /// none is waiting.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn nearest(&self) -> f32 {
        match self.len {
            0 => f32::INFINITY,
            len => f32::from_bits((self.keys[(len - 1) % Self::MOST_WAITING] >> 32) as u32),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take_nearest(&mut self) -> Option<TrianglePlace> {
        self.len = self.len.checked_sub(1)?;
        Some(TrianglePlace(self.keys[self.len % Self::MOST_WAITING] as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::Feature;
    use crate::{Mesh, Sphere};
    use alloc::vec::Vec;

    #[test]
    fn what_waits_is_taken_by_its_distance() {
        let distances = [3.0, 0.0, 7.5, 0.25, 7.5, 1e-40, 2.0, 1e8];
        let mut waiting = WaitingTriangles::default();
        for (distance, place) in distances.into_iter().zip(0..) {
            waiting.insert(distance, TrianglePlace(place));
        }
        let taken: Vec<u32> = core::iter::from_fn(|| waiting.take_nearest()).map(|place| place.0).collect();
        assert_eq!(taken, [1, 5, 3, 6, 0, 2, 4, 7]);
        assert_eq!(waiting.nearest(), f32::INFINITY);
    }

    /// All triangles are hit at once, and they are more than can be deferred. The answer is the triangle with the lowest number.
    #[test]
    fn more_than_can_wait_are_met() {
        let sides = 200;
        let around = |i: u32| {
            let (sin, cos) = (core::f32::consts::TAU * i as f32 / sides as f32).sin_cos();
            [cos, 0.0, sin]
        };
        let corners: Vec<[f32; 3]> = (0..sides).map(around).chain([[0.0, 1.0, 0.0]]).collect();
        let triangles: Vec<u32> = (0..sides).flat_map(|i| [sides, i, (i + 1) % sides]).collect();
        let hill = Mesh::new(&corners, &triangles).unwrap();
        let met = hill.sweep(Sphere::new(2.0), [0.0, 5.0, 0.0], [0.0, -4.0, 0.0]).unwrap();
        assert_eq!((met.t, met.triangle, met.feature), (0.5, 0, Feature::Vertex(0)));
    }
}
