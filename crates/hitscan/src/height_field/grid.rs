//! The data that clones share: the heights, their places, and the tree.

use super::cells::{Diagonal, Holes};
use crate::bvh::{Bvh8, GridBlock, GridLevels, NormalizedSpace, is_grid_crowded};
use crate::error::HeightFieldError;
use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use crate::math::float::{larger, smaller};
use crate::shape::triangle_verdict;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use glam::{DVec3, Vec2, Vec3};

/// The number of cells along a side of a block, which is a leaf of the tree: its triangles fill the lanes of a leaf.
pub(super) const BLOCK: usize = 2;
/// The number of values after the last height and after the last column, so that four values can be loaded from any index.
const PADDING: usize = 4;

/// The largest number of rows or columns. With this number, the coordinates of neighbours, which are products rounded to f32, still differ.
const MOST_ROWS: usize = 1 << 22;
/// The largest number of blocks for which 32 bits are enough for the numbers of triangles, also if they are numbered by block and place in the block.
const MOST_BLOCKS: usize = 1 << 28;

/// The numbers of rows, columns and blocks, and the size of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldGrid {
    /// The number of rows of heights.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The size of a cell along x and z.
    pub(super) cell: Vec2,
    pub(super) diagonal: Diagonal,
    /// Blocks are numbered by their row, shifted by this many bits, and their column.
    block_bits: u32,
}

impl FieldGrid {
    pub(super) fn new(rows: usize, columns: usize, cell: Vec2) -> Result<Self, HeightFieldError> {
        if rows < 2 || columns < 2 {
            return Err(HeightFieldError::TooSmall { rows, columns });
        }
        let too_large = HeightFieldError::TooLarge { rows, columns };
        if rows > MOST_ROWS || columns > MOST_ROWS {
            return Err(too_large);
        }
        let block_columns = (columns - 1).div_ceil(BLOCK).next_power_of_two();
        if (rows - 1).div_ceil(BLOCK).saturating_mul(block_columns) > MOST_BLOCKS {
            return Err(too_large);
        }
        let grid = Self { rows, columns, cell, diagonal: Diagonal::default(), block_bits: block_columns.ilog2() };
        let far = grid.place(rows - 1, columns - 1);
        if !(cell.cmpgt(Vec2::ZERO).all() && far.is_finite()) {
            return Err(HeightFieldError::Cell { size: cell });
        }
        Ok(grid)
    }

    pub(super) fn cell_count(&self) -> usize {
        (self.rows - 1) * (self.columns - 1)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn cell(&self, row: usize, column: usize) -> usize {
        row * (self.columns - 1) + column
    }

    /// Returns row and column of a triangle's cell.
    pub(super) fn cell_of(&self, triangle: u32) -> [usize; 2] {
        let cell = triangle as usize / 2;
        [cell / (self.columns - 1), cell % (self.columns - 1)]
    }

    /// Returns the x and z of the vertex in a row and a column.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn place(&self, row: usize, column: usize) -> Vec2 {
        // Both factors have at most 24 bits, so that the product is exact before it is rounded.
        Vec2::new((column as f64 * f64::from(self.cell.x)) as f32, (row as f64 * f64::from(self.cell.y)) as f32)
    }

    /// Returns the rows and columns of blocks.
    fn blocks(&self) -> [u32; 2] {
        [self.rows, self.columns].map(|count| (count - 1).div_ceil(BLOCK) as u32)
    }

    fn block(&self, row: u32, column: u32) -> u32 {
        row << self.block_bits | column
    }

    /// Returns row and column of a block's first cell.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_cell(&self, block: u32) -> [usize; 2] {
        let column = block & ((1 << self.block_bits) - 1);
        [(block >> self.block_bits) as usize * BLOCK, column as usize * BLOCK]
    }
}

#[derive(Clone, Debug)]
pub(super) struct FieldData {
    pub(super) grid: FieldGrid,
    /// The heights row after row, and padding.
    pub(super) heights: Vec<f32>,
    pub(super) holes: Holes,
    pub(super) bounds: Aabb,
    pub(super) frame: NormalizedSpace,
    /// The x of columns and the z of rows in the frame's coordinates, and padding.
    pub(super) columns: Vec<f32>,
    pub(super) rows: Vec<f32>,
    levels: GridLevels,
    /// The tree over the blocks; a leaf has the number of its block.
    pub(super) tree: Bvh8,
    /// True if no coordinate underflowed in the frame.
    is_exact: bool,
}

impl FieldData {
    pub(super) fn new(grid: FieldGrid, heights: &[f32]) -> Result<Self, HeightFieldError> {
        let needed = grid.rows * grid.columns;
        if heights.len() != needed {
            return Err(HeightFieldError::Count { count: heights.len(), needed });
        }
        check_finite(heights, [0, 0], grid.columns)?;
        let mut padded = Vec::with_capacity(needed + PADDING);
        padded.extend_from_slice(heights);
        padded.resize(needed + PADDING, 0.0);
        let levels = GridLevels::new(grid.blocks());
        let mut shared = Self {
            grid,
            heights: padded,
            holes: Holes::default(),
            bounds: Aabb::EMPTY,
            frame: NormalizedSpace::new(Aabb::EMPTY),
            columns: Vec::new(),
            rows: Vec::new(),
            tree: Bvh8::over_grid(&levels),
            levels,
            is_exact: true,
        };
        shared.build();
        Ok(shared)
    }

    /// Computes all data that depend on the heights and holes.
    fn build(&mut self) {
        let far = self.grid.place(self.grid.rows - 1, self.grid.columns - 1);
        let (low, high) =
            self.heights().iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), &y| (smaller(y, l), larger(y, h)));
        // The frame is around all cells, holes or not, so that it stays the same when a hole is cut.
        self.frame = NormalizedSpace::new(Aabb::new([0.0, low, 0.0], [far.x, high, far.y]));
        let framed = |x: f32| (f64::from(x) * self.frame.scale) as f32;
        let columns = (0..self.grid.columns).map(|column| framed(self.grid.place(0, column).x));
        self.columns = columns.chain([0.0; PADDING]).collect();
        self.rows = (0..self.grid.rows).map(|row| framed(self.grid.place(row, 0).y)).collect();
        let blocks = self.grid.blocks().map(|count| count as usize);
        self.frame = self.frame.crowded(is_grid_crowded(blocks, [framed(far.y), framed(far.x)]));
        let places = (0..self.grid.rows.max(self.grid.columns)).flat_map(|i| self.grid.place(i, i).to_array());
        self.is_exact = places.chain(self.heights().iter().copied()).all(|x| is_exact(x, self.frame.scale));
        self.fit_all();
    }

    /// Fits the tree after holes were cut.
    pub(super) fn fit_all(&mut self) {
        self.fit(&self.levels.everything());
    }

    /// Fits the tree after the heights of these rows and columns have changed.
    pub(super) fn refit(&mut self, rows: core::ops::Range<usize>, columns: core::ops::Range<usize>) {
        let changed = || rows.clone().flat_map(|row| &self.heights[row * self.grid.columns..][columns.clone()]);
        let is_exact = changed().all(|&y| is_exact(y, self.frame.scale));
        // No coordinate in the frame is above 1, so a larger height needs a new frame.
        let is_in_frame = changed().all(|&y| f64::from(y.abs()) * self.frame.scale <= 1.0);
        if !(is_in_frame && is_exact && self.is_exact) {
            return self.build();
        }
        // A vertex is a corner of the cells on both sides of it.
        let blocks = |range: core::ops::Range<usize>, count: usize| {
            let (first, end) = (range.start.saturating_sub(1), range.end.min(count - 1));
            (first / BLOCK) as u32..end.div_ceil(BLOCK) as u32
        };
        self.fit(&GridBlock { rows: blocks(rows, self.grid.rows), columns: blocks(columns, self.grid.columns) });
    }

    /// Fits the tree to some of the blocks, and the bounds to the tree.
    fn fit(&mut self, region: &GridBlock) {
        let mut tree = core::mem::take(&mut self.tree);
        tree.fit_grid(&self.levels, region, |row, column| {
            let block = self.grid.block(row, column);
            (block, self.block_bounds(block))
        });
        let bounds = if self.is_exact { self.unframed(&tree.root_bounds()) } else { self.bounds_of_cells() };
        self.frame = self.frame.with_bounds(bounds);
        (self.tree, self.bounds) = (tree, bounds);
    }

    /// Converts a box from the coordinates of the frame to the coordinates of the field. This is exact if no coordinate underflowed in the frame.
    fn unframed(&self, framed: &Aabb) -> Aabb {
        let unit = 1.0 / self.frame.scale;
        let exact = |v: Vec3| (v.as_dvec3() * unit).as_vec3();
        Aabb { min: exact(framed.min), max: exact(framed.max) }
    }

    fn bounds_of_cells(&self) -> Aabb {
        let triangles =
            (0..self.grid.cell_count()).filter(|&cell| !self.holes.contains(cell)).map(|cell| 2 * cell as u32);
        let boxes = triangles
            .map(|first| Aabb::from_points(self.triangle(first)).union(&Aabb::from_points(self.triangle(first + 1))));
        boxes.fold(Aabb::EMPTY, |all, cell| all.union(&cell))
    }

    /// Returns the bounds of a block's cells that are not holes, in the frame's coordinates.
    fn block_bounds(&self, block: u32) -> Aabb {
        let [first_row, first_column] = self.grid.first_cell(block);
        let [factor, other] = self.frame.factors();
        let mut bounds = Aabb::EMPTY;
        for row in first_row..(first_row + BLOCK).min(self.grid.rows - 1) {
            for column in first_column..(first_column + BLOCK).min(self.grid.columns - 1) {
                if self.holes.contains(self.grid.cell(row, column)) {
                    continue;
                }
                let at = row * self.grid.columns + column;
                let [a, d, b, c] = [at, at + 1, at + self.grid.columns, at + self.grid.columns + 1]
                    // Adding +0 turns -0 into +0.
                    .map(|at| self.heights[at] * factor * other + 0.0);
                let (low, high) = (smaller(smaller(a, b), smaller(c, d)), larger(larger(a, b), larger(c, d)));
                let min = Vec3::new(self.columns[column], low, self.rows[row]);
                let max = Vec3::new(self.columns[column + 1], high, self.rows[row + 1]);
                bounds = bounds.union(&Aabb { min, max });
            }
        }
        bounds
    }

    pub(super) fn heights(&self) -> &[f32] {
        &self.heights[..self.grid.rows * self.grid.columns]
    }

    /// Returns the vertex of a row and column that exist.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn vertex(&self, row: usize, column: usize) -> Vec3 {
        let place = self.grid.place(row, column);
        Vec3::new(place.x, self.heights[row * self.grid.columns + column], place.y)
    }

    /// Returns the corners of a triangle that exists.
    pub(super) fn triangle(&self, triangle: u32) -> [Vec3; 3] {
        self.half_of(self.grid.cell_of(triangle), triangle % 2)
    }

    /// Returns the corners of a cell's first or second triangle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn half_of(&self, [row, column]: [usize; 2], half: u32) -> [Vec3; 3] {
        let (a, b) = (self.vertex(row, column), self.vertex(row + 1, column));
        let (d, c) = (self.vertex(row, column + 1), self.vertex(row + 1, column + 1));
        self.grid.diagonal.half([a, b, c, d], half)
    }

    /// Returns the vertices of a cell's first or second triangle, as indices of heights.
    pub(super) fn indices(&self, [row, column]: [usize; 2], half: u32) -> [u32; 3] {
        let at = |row: usize, column: usize| (row * self.grid.columns + column) as u32;
        let (a, b) = (at(row, column), at(row + 1, column));
        let (d, c) = (at(row, column + 1), at(row + 1, column + 1));
        self.grid.diagonal.half([a, b, c, d], half)
    }

    /// Returns the height of the surface at x and z: the t of a line along y that starts at height 0. Up to four cells contain the place. Any of them that is
    /// not a hole gives the answer, because heights on a common border are the same.
    pub(super) fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        let line = LocalRay {
            origin: DVec3::new(x.into(), 0.0, z.into()),
            direction: DVec3::Y,
            t_min: f32::NEG_INFINITY,
            t_max: f32::INFINITY,
        };
        let columns = cells_at(x, self.grid.cell.x, self.grid.columns, |column| self.columns_at(column))?;
        let rows = cells_at(z, self.grid.cell.y, self.grid.rows, |row| self.rows_at(row))?;
        let cells = rows.flat_map(|row| columns.clone().map(move |column| [row, column]));
        let present = cells.filter(|&[row, column]| !self.holes.contains(self.grid.cell(row, column)));
        let triangles = present.flat_map(|cell| [0, 1].map(|half| self.half_of(cell, half)));
        triangles
            .filter_map(|corners| triangle_verdict(&line, corners.map(|corner| corner.as_dvec3())))
            .map(|hit| hit.t)
            .next()
    }

    fn columns_at(&self, column: usize) -> f64 {
        self.grid.place(0, column).x.into()
    }

    fn rows_at(&self, row: usize) -> f64 {
        self.grid.place(row, 0).y.into()
    }

    pub(super) fn bytes_beside_tree(&self) -> usize {
        size_of_val(&self.heights[..])
            + size_of_val(&self.columns[..])
            + size_of_val(&self.rows[..])
            + self.holes.bytes()
    }
}

/// Returns the cells that contain this coordinate, among the cells between `count` coordinates, each about `size` above the previous one. On a common border,
/// there are two cells.
fn cells_at(x: f32, size: f32, count: usize, place: impl Fn(usize) -> f64) -> Option<RangeInclusive<usize>> {
    let x = f64::from(x);
    if !(place(0) <= x && x <= place(count - 1)) {
        return None;
    }
    // Rounding may have put the cell on the other side of a coordinate.
    let mut first = ((x / f64::from(size)) as usize).min(count - 2);
    while first > 0 && place(first) >= x {
        first -= 1;
    }
    while first < count - 2 && place(first + 1) < x {
        first += 1;
    }
    let has_two = first < count - 2 && place(first + 1) == x;
    Some(first..=first + usize::from(has_two))
}

/// Returns whether a number is exact in f32 in a frame of this scale: only numbers that underflow are not.
fn is_exact(x: f32, scale: f64) -> bool {
    let framed = f64::from(x) * scale;
    f64::from(framed as f32) == framed
}

/// Returns an error for the first height that is not finite. The heights are the rows of a rectangle that begins at a row and column.
pub(super) fn check_finite(heights: &[f32], [row, column]: [usize; 2], columns: usize) -> Result<(), HeightFieldError> {
    heights.iter().position(|y| !y.is_finite()).map_or(Ok(()), |at| {
        Err(HeightFieldError::Height { row: row + at / columns, column: column + at % columns, height: heights[at] })
    })
}

impl Diagonal {
    /// Returns the corners of the first or second triangle of a cell, given the cell's corners a, b, c and d as in the picture of `HeightField`.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn half<T>(self, [a, b, c, d]: [T; 4], half: u32) -> [T; 3] {
        match (self, half) {
            (Self::Falling, 0) => [a, b, c],
            (Self::Falling, _) => [a, c, d],
            (Self::Rising, 0) => [a, b, d],
            (Self::Rising, _) => [d, b, c],
        }
    }
}
