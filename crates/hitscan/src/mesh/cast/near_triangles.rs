//! The triangles of a mesh that are near a volume.

use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use crate::math::float::smaller;
use crate::mesh::{Mesh, MeshData};
use crate::simd::dispatch;
use crate::tri::triangle8::SIZE;
use crate::tri::{NearTriangleVisitor, SweptVolume, sweep_leaves};
use glam::Vec3;

impl Mesh {
    pub(in crate::mesh) fn near_triangles(
        &self,
        ray: &LocalRay,
        volume: &dyn SweptVolume,
        show: &mut NearTriangleVisitor<'_>,
    ) {
        let shared = &*self.shared;
        // The corners come from the block, which is in the cache.
        let show = &mut |place| shared.show(shared.triangle_at(place), shared.corners_at(place), show);
        dispatch!(simd => sweep_leaves(simd, (shared, &shared.frame), ray, volume, show));
    }
}

impl MeshData {
    /// Shows the triangles of a leaf of the tree, and their duplicates.
    pub(in crate::mesh) fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        for triangle in self.blocks.numbers(leaf as usize) {
            self.show(triangle, self.triangle(triangle), &mut |triangle, corners| {
                show(triangle, corners);
                0.0
            });
        }
    }

    /// Shows the triangles of a leaf whose box overlaps a box in the frame's coordinates, and possibly others.
    pub(in crate::mesh) fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let Some(block) = self.blocks.whole(leaf as usize).filter(|_| self.blocks_are_exact) else {
            return self.leaf(leaf, show);
        };
        let mut left = dispatch!(simd => block.in_box(simd, bounds));
        while left != 0 {
            let triangle = block.triangles[left.trailing_zeros() as usize % SIZE];
            left &= left - 1;
            self.show(triangle, self.triangle(triangle), &mut |triangle, corners| {
                show(triangle, corners);
                0.0
            });
        }
    }

    /// Shows the numbers of the same triangles.
    pub(in crate::mesh) fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
        for triangle in self.blocks.numbers(leaf as usize) {
            show(triangle);
            self.repeats.of_triangle(triangle).for_each(&mut *show);
        }
    }

    /// Shows a triangle and its duplicates. Returns the smallest of the answers.
    #[inline(always)]
    pub(in crate::mesh) fn show(&self, triangle: u32, corners: [Vec3; 3], show: &mut NearTriangleVisitor<'_>) -> f32 {
        let t_max = show(triangle, corners);
        self.repeats.of_triangle(triangle).fold(t_max, |t_max, other| smaller(show(other, corners), t_max))
    }
}

#[cfg(test)]
mod tests {
    use crate::geom::aabb::Aabb;
    use crate::math::random::Random;
    use crate::mesh::{Layout, Mesh};
    use crate::tri::TriangleSet;
    use alloc::vec::Vec;
    use glam::Vec3;

    #[test]
    fn triangles_of_a_leaf_in_a_box_are_those_whose_boxes_meet_it() {
        let mut random = Random(72);
        let vertices: Vec<Vec3> = (0..600).map(|_| random.cube().as_vec3()).collect();
        let packed = Mesh::from_soup(&vertices).expect("the soup is a mesh");
        let compact = packed.clone().with_layout(Layout::Compact);
        let leaves = packed.shared.blocks.len() as u32;
        let (_, frame) = packed.tree();
        let scale = frame.scale as f32;
        let mut met = 0;
        for _ in 0..200 {
            let (middle, half) = (random.cube().as_vec3(), (random.cube() * 0.3).abs().as_vec3());
            // One face is at a corner of a triangle, where the triangle touches the box.
            let high = (middle + half).with_x(random.pick(&vertices).x);
            let local = Aabb { min: (middle - half).min(high), max: high };
            let framed = Aabb { min: local.min * scale, max: local.max * scale };
            for leaf in 0..leaves {
                let shown = |mesh: &Mesh| {
                    let mut shown = Vec::new();
                    mesh.leaf_in_box(leaf, &framed, &mut |triangle, corners| shown.push((triangle, corners)));
                    shown
                };
                let mut expected = Vec::new();
                packed.leaf(leaf, &mut |triangle, corners| {
                    let [a, b, c] = corners;
                    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                    if low.cmple(local.max).all() && high.cmpge(local.min).all() {
                        expected.push((triangle, corners));
                    }
                });
                met += expected.len();
                assert_eq!(shown(&packed), expected);
                assert!(expected.iter().all(|triangle| shown(&compact).contains(triangle)));
            }
        }
        assert!(met > 1000, "{met}");
    }
}
