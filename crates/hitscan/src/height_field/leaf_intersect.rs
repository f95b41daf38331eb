//! A ray through a field's tree and blocks.

use super::HeightField;
use super::cells::Diagonal;
use super::grid::{BLOCK, FieldData};
use crate::bvh::{Bvh8, LeafRow, NormalizedSpace, take_lowest};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::geom::eight_rays::by_lane;
use crate::geom::ray::{LocalRay, Ray};
use crate::simd::{Axes, Simd, SimdBase, SimdCombine, f32x4, f32x8};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{FramedLine, TestedTriangles};
use crate::tri::{
    DistanceBounds, FoundTriangle, LeafCorners, LeafSearch, LeafSurface, Leaves, MeshHit, SIZE, SweptTube, Touchable,
    TrianglePlace, TriangleSearch, triangle_set,
};
use glam::Vec3;

impl LeafSurface for HeightField {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn leaves(&self) -> &impl Leaves {
        &*self.shared
    }
}

triangle_set!(HeightField);

impl FieldData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn closest_hit<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        let Some(framed) = self.frame.own_near_ray(simd, ray) else {
            return Some(self.report(ray, self.closest_from_afar(simd, LocalRay::new(ray)?, cull)?));
        };
        let search = TriangleSearch::new(self, simd, ray, &framed);
        Some(self.report(ray, search.found(search.nearest(None, cull)?)?))
    }

    /// Returns the full hit for a found triangle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn report(&self, ray: &Ray, FoundTriangle { triangle, verdict, place }: FoundTriangle) -> MeshHit {
        MeshHit::new(triangle, verdict, *ray, self.corners_at(place), 1.0)
    }

    /// Returns row and column of the cell of a triangle, and 0 for the first triangle of that cell or 1 for the second.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cell_at(&self, place: TrianglePlace) -> ([usize; 2], u32) {
        let [row, column] = self.grid.first_cell(place.leaf() as u32);
        let (cell, half) = (place.lane() / 2, place.lane() % 2);
        ([row + cell / BLOCK, column + cell % BLOCK], half as u32)
    }

    /// Returns four heights of a row from a column on, and four from the next column on, in the frame's coordinates. The last heights may have no
    /// meaning.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn row<S: Simd>(&self, simd: S, row: usize, column: usize, factors: [f32x4<S>; 2]) -> [f32x4<S>; 2] {
        // For a row that does not exist, the last row is loaded; its triangles are masked out later.
        let at = row.min(self.grid.rows - 1) * self.grid.columns + column;
        let here = f32x4::from_slice(simd, &self.heights[at..][..4]);
        let next = f32x4::from_slice(simd, &self.heights[at + 1..][..4]);
        [here * factors[0] * factors[1], next * factors[0] * factors[1]]
    }

    /// Returns corners a, b and c of each triangle of a block: by cell, with both triangles of a cell together.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn block_corners<S: Simd>(&self, simd: S, [row, column]: [usize; 2]) -> [Axes<f32x8<S>>; 3] {
        let factors = self.frame.factors();
        let factors = [f32x4::splat(simd, factors[0]), f32x4::splat(simd, factors[1])];
        let heights = [
            self.row(simd, row, column, factors),
            self.row(simd, row + 1, column, factors),
            self.row(simd, row + 2, column, factors),
        ];
        let x = f32x4::from_slice(simd, &self.columns[column..][..4]);
        let next_x = f32x4::from_slice(simd, &self.columns[column + 1..][..4]);
        let last = self.grid.rows - 1;
        let z = [
            f32x4::splat(simd, self.rows[row]),
            f32x4::splat(simd, self.rows[row + 1]),
            f32x4::splat(simd, self.rows[(row + 2).min(last)]),
        ];
        // Both rows of cells have the same x.
        let [a_x, b_x, c_x] = self.triangles([x, x, next_x, next_x]);
        let [[a, d], [b, c], [e, f]] = heights;
        let [a_y, b_y, c_y] = self.triangles([a, b, c, d]);
        let [a_z, b_z, c_z] = self.triangles([z[0], z[1], z[1], z[0]]);
        let [d_y, e_y, f_y] = self.triangles([b, e, f, c]);
        let [d_z, e_z, f_z] = self.triangles([z[1], z[2], z[2], z[1]]);
        [
            [a_x.combine(a_x), a_y.combine(d_y), a_z.combine(d_z)],
            [b_x.combine(b_x), b_y.combine(e_y), b_z.combine(e_z)],
            [c_x.combine(c_x), c_y.combine(f_y), c_z.combine(f_z)],
        ]
    }

    /// Returns one coordinate of the corners of the triangles of two neighbouring cells, both triangles of a cell one
    /// after the other. The arguments are that coordinate of the cells' corners a, b, c and d, as in the picture of
    /// [`HeightField`].
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn triangles<S: Simd>(&self, [a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
        match self.grid.diagonal {
            Diagonal::Falling => [a.zip_low(a), b.zip_low(c), c.zip_low(d)],
            Diagonal::Rising => [a.zip_low(d), b.zip_low(b), d.zip_low(c)],
        }
    }

    /// Returns a bit for each triangle of a block, which is set if the triangle exists.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn present(&self, [row, column]: [usize; 2]) -> u64 {
        let in_columns = if column + BLOCK < self.grid.columns { 0b1111_1111 } else { 0b0011_0011 };
        let in_rows = if row + BLOCK < self.grid.rows { 0b1111_1111 } else { 0b0000_1111 };
        let present = in_columns & in_rows;
        if self.holes.is_empty() { present } else { present & !self.cut_out([row, column]) }
    }

    fn cut_out(&self, [row, column]: [usize; 2]) -> u64 {
        let cell = |place: usize| self.grid.cell(row + place / BLOCK, column + place % BLOCK);
        let is_cut_out = |place: usize| self.holes.contains(cell(place));
        (0..BLOCK * BLOCK).filter(|&place| is_cut_out(place)).map(|place| 0b11 << (2 * place)).sum()
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn by_axis<S: Simd>([x, y, z]: Axes<f32x8<S>>) -> [[f32; SIZE]; 3] {
    [by_lane(x), by_lane(y), by_lane(z)]
}

impl Leaves for FieldData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn row(&self) -> LeafRow {
        // The heights are not in the order of blocks.
        (self.heights.as_ptr().cast(), 0)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tree(&self) -> &Bvh8 {
        &self.tree
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn frame(&self) -> &NormalizedSpace {
        &self.frame
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn test<S: Simd>(
        &self,
        simd: S,
        leaf: u32,
        line: &FramedLine,
        errors: &ErrorBounds,
        limit: f32,
    ) -> TestedTriangles<S> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let first = self.grid.first_cell(leaf);
                let [a, b, c] = self.block_corners(simd, first);
                let mut tested = TestedTriangles::of_corners(simd, [&a, &b, &c], line, errors, limit);
                tested.possible &= self.present(first);
                tested
            },
        )
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn near<S: Simd>(&self, simd: S, leaf: u32, tube: Option<&SweptTube>, limit: f32) -> Touchable {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let first = self.grid.first_cell(leaf);
                let present = self.present(first);
                let Some(tube) = tube else { return Touchable::all(present) };
                let corners = self.block_corners(simd, first);
                tube.may_touch(
                    simd,
                    present,
                    limit,
                    #[cfg_attr(target_family = "wasm", inline)]
                    #[cfg_attr(not(target_family = "wasm"), inline(always))]
                    || corners,
                )
            },
        )
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn distances<S: Simd>(&self, simd: S, leaf: u32, point: &Axes<f32x8<S>>, reach: f32) -> DistanceBounds {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let first = self.grid.first_cell(leaf);
                let [a, b, c] = self.block_corners(simd, first);
                let mut bounds = DistanceBounds::new(simd, point, [&a, &b, &c], reach);
                bounds.which &= self.present(first);
                bounds
            },
        )
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn leaf_corners<S: Simd>(&self, simd: S, leaf: u32) -> LeafCorners {
        let first = self.grid.first_cell(leaf);
        let [a, b, c] = self.block_corners(simd, first);
        LeafCorners { corners: [by_axis(a), by_axis(b), by_axis(c)], present: self.present(first) }
    }

    /// Seen from above, each triangle is half of a cell. Its columns and rows are distinct in f32, because there are
    /// fewer than 2^23 of them.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn all_have_area(&self) -> bool {
        true
    }

    fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let mut present = self.present(self.grid.first_cell(leaf));
        while let Some(lane) = take_lowest(&mut present) {
            let place = TrianglePlace::new(leaf, lane);
            show(self.triangle_at(place), self.corners_at(place));
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn triangle_at(&self, place: TrianglePlace) -> u32 {
        let ([row, column], half) = self.cell_at(place);
        2 * self.grid.cell(row, column) as u32 + half
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn corners_at(&self, place: TrianglePlace) -> [Vec3; 3] {
        let (cell, half) = self.cell_at(place);
        self.half_of(cell, half)
    }
}
