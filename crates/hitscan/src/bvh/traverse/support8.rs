//! Support functions of eight boxes at once, each cut by a slab, in f64.

use crate::bvh::builder::WIDTH;
use crate::bvh::node::Node;
use crate::bvh::slab_tree::Slab8;
use crate::math::float::{larger, smaller};
use glam::DVec3;

/// Numbers in lanes.
pub(super) type Lanes8 = [f64; WIDTH];
/// Vectors in lanes, by axis.
pub(super) type Axes8 = [Lanes8; 3];

/// Boxes by their middles and half of their sizes, and slabs around the same contents.
#[derive(Clone, Copy)]
pub(super) struct Support8 {
    pub(super) middle: Axes8,
    pub(super) half: Axes8,
    pub(super) normal: Axes8,
    low: Lanes8,
    high: Lanes8,
}

impl Support8 {
    /// Returns the boxes of a node's children, with their slabs if there are any.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of_node(node: &Node, slabs: Option<&Slab8>) -> Self {
        let mut lanes = Self {
            middle: [[0.0; WIDTH]; 3],
            half: [[0.0; WIDTH]; 3],
            normal: [[0.0; WIDTH]; 3],
            low: [0.0; WIDTH],
            high: [0.0; WIDTH],
        };
        for (axis, planes) in node.bounds.iter().enumerate() {
            for place in 0..WIDTH {
                let (low, high) = (f64::from(planes[place]), f64::from(planes[WIDTH + place]));
                lanes.middle[axis][place] = (low + high) * 0.5;
                lanes.half[axis][place] = (high - low) * 0.5;
            }
        }
        if let Some(slabs) = slabs {
            for axis in 0..3 {
                for place in 0..WIDTH {
                    lanes.normal[axis][place] = f64::from(slabs.normal[axis][place]);
                }
            }
            for place in 0..WIDTH {
                lanes.low[place] = f64::from(slabs.low[place]);
                lanes.high[place] = f64::from(slabs.high[place]);
            }
        }
        lanes
    }

    /// Returns upper bounds of the heights of the contents along a direction of each lane.
    ///
    /// Let the direction be a n + r, for any a, with the slab's normal n. The height of a place is the sum of its heights along both parts. The first is at
    /// most a times the slab's height. The second is at most the box's height along r.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn heights(&self, direction: &Axes8) -> Lanes8 {
        let mut heights = [0.0; WIDTH];
        for place in 0..WIDTH {
            let v = [direction[0][place], direction[1][place], direction[2][place]];
            let n = [self.normal[0][place], self.normal[1][place], self.normal[2][place]];
            let c = [self.middle[0][place], self.middle[1][place], self.middle[2][place]];
            let h = [self.half[0][place], self.half[1][place], self.half[2][place]];
            let along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
            let r = [v[0] - along * n[0], v[1] - along * n[1], v[2] - along * n[2]];
            let of_box = |r: [f64; 3]| {
                (r[0] * c[0] + r[1] * c[1] + r[2] * c[2]) + (r[0].abs() * h[0] + r[1].abs() * h[1] + r[2].abs() * h[2])
            };
            let of_slab = larger(along * self.low[place], along * self.high[place]) + of_box(r);
            heights[place] = smaller(of_slab, of_box(v));
        }
        heights
    }

    /// Returns the largest height of the slab for each lane. The height is along the slab's normal, or along the
    /// opposite direction if the sign is negative.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn heights_across(&self, signs: &Lanes8) -> Lanes8 {
        let mut heights = [0.0; WIDTH];
        for place in 0..WIDTH {
            heights[place] = if signs[place] < 0.0 { -self.low[place] } else { self.high[place] };
        }
        heights
    }

    /// Returns the same box and slab in all lanes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn splat(one: &Support1) -> Self {
        Self {
            middle: splat(one.middle),
            half: splat(one.half),
            normal: splat(one.normal),
            low: [one.low; WIDTH],
            high: [one.high; WIDTH],
        }
    }
}

/// A single box with its slab.
#[derive(Clone, Copy)]
pub(super) struct Support1 {
    pub(super) middle: DVec3,
    pub(super) half: DVec3,
    pub(super) normal: DVec3,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Support1 {
    /// Returns the largest height of the slab along its normal, or along the opposite direction if the sign is
    /// negative.
    pub(super) fn height_across(&self, sign: f64) -> f64 {
        if sign < 0.0 { -self.low } else { self.high }
    }

    /// Does the same as [`Support8::heights`].
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn height(&self, v: DVec3) -> f64 {
        let of_box = |r: DVec3| r.dot(self.middle) + r.abs().dot(self.half);
        let along = v.dot(self.normal);
        let of_slab = larger(along * self.low, along * self.high) + of_box(v - self.normal * along);
        smaller(of_slab, of_box(v))
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn splat(v: DVec3) -> Axes8 {
    [[v.x; WIDTH], [v.y; WIDTH], [v.z; WIDTH]]
}
