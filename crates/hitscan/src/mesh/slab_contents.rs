//! The contents of a mesh's leaves, from which the slabs of its tree are made.

use super::MeshData;
use crate::bvh::{LeafContents, MissingSlabs, SlabTree, joined, take_lowest};
use crate::simd::{FloatLanes, Simd, SimdBase, dispatch, dot, f32x8, splat};
use crate::tri::{LeafCorners, Leaves};
use core::ops::Range;
use glam::Vec3;

impl MeshData {
    /// Returns the slabs of the tree, if there are any.
    pub(in crate::mesh) fn slabs(&self, missing: MissingSlabs) -> Option<&SlabTree> {
        self.slabs.get(missing, self.tree.node_count(), || SlabTree::new(&self.tree, self))
    }

    fn corners_of_leaf(&self, leaf: u32) -> LeafCorners {
        dispatch!(simd => self.leaf_corners(simd, leaf))
    }
}

impl LeafContents for MeshData {
    fn across(&self, leaf: u32) -> Vec3 {
        let LeafCorners { corners: [a, b, c], mut present } = self.corners_of_leaf(leaf);
        let mut sum = Vec3::ZERO;
        while let Some(lane) = take_lowest(&mut present) {
            let of = |[x, y, z]: &[[f32; 8]; 3]| Vec3::new(x[lane], y[lane], z[lane]);
            let across = (of(&b) - of(&a)).cross(of(&c) - of(&a));
            sum += if across.dot(sum) < 0.0 { -across } else { across };
        }
        sum
    }

    fn heights(&self, leaves: Range<u32>, normal: Vec3) -> (f32, f32) {
        dispatch!(simd => self.heights_in_lanes(simd, leaves, normal))
    }
}

impl MeshData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn heights_in_lanes<S: Simd>(&self, simd: S, leaves: Range<u32>, normal: Vec3) -> (f32, f32) {
        let normal = splat(simd, [normal.x, normal.y, normal.z, 0.0]);
        let (mut low, mut high) = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
        for leaf in leaves {
            // Lanes without a triangle have the corners of the first one.
            for [x, y, z] in &self.leaf_corners(simd, leaf).corners {
                let corner = [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y), f32x8::from_slice(simd, z)];
                let height = dot(&normal, &corner);
                (low, high) = (height.smaller(low), height.larger(high));
            }
        }
        let (low, high) = (low.as_slice(), high.as_slice());
        (0..8).map(|lane| (low[lane], high[lane])).fold((f32::INFINITY, f32::NEG_INFINITY), joined)
    }
}
