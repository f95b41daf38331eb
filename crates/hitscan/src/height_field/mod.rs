//! Ground as a grid of heights: triangles are not stored, but computed from the heights.

mod cast;
mod cells;
mod edit;
mod grid;
mod leaf_intersect;

use crate::bvh::TreeStats;
use crate::error::HeightFieldError;
use crate::geom::aabb::Aabb;
use alloc::sync::Arc;
use glam::{Vec2, Vec3};
use grid::{FieldData, FieldGrid};

pub use cells::Diagonal;

/// Ground as heights over a regular grid, in its own local space. Clones share the memory.
///
/// The height of row r and column c is the y of a vertex at x = c times the cell's width and z = r times its depth, each product rounded once to f32. The first
/// vertex is at x = z = 0, and the entity's transform moves everything. The four vertices around a cell make two triangles, which face up (+y). Cell number
/// `r * (columns - 1) + c` has the triangles `2 * cell` and `2 * cell + 1`; with z growing downwards:
///
/// ```text
///       column c  c + 1                     Falling     Rising
///   row r      a---d       2 * cell        (a, b, c)   (a, b, d)
///              |   |       2 * cell + 1    (a, c, d)   (d, b, c)
///   row r + 1  b---c
/// ```
///
/// A ray hits these triangles bit for bit as it would hit the triangles of a [`Mesh`](crate::Mesh) with the same
/// vertices and indices: watertight, closed, with the same t, barycentrics and normals, and for equal t the lowest
/// triangle. A field takes less than a tenth of the memory and of the time to build. There is nothing below the ground:
/// a field has no inside. Cells can be holes.
///
/// ```
/// use hitscan::{HeightField, Ray};
///
/// let heights = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]; // three rows of three: a pyramid
/// let ground = HeightField::new(3, 3, [2.0, 2.0], &heights)?;
/// let hit = ground.cast(&Ray::new([2.0, 5.0, 2.0], [0.0, -1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.triangle), (4.0, 0));
/// assert_eq!(ground.height_at(1.0, 2.0), Some(0.5));
/// # Ok::<(), hitscan::error::HeightFieldError>(())
/// ```
#[doc(alias("terrain", "heightfield", "heightmap"))]
#[derive(Clone, Debug)]
pub struct HeightField {
    shared: Arc<FieldData>,
}

impl HeightField {
    /// Makes a field from rows (along z) of columns (along x), row after row; a cell is `cell_size` wide (x) and deep (z).
    ///
    /// # Errors
    /// Returns an error if there are fewer than two rows or columns, more than 2^22 of them, or more than about 2^30 cells; if the number of heights is not
    /// rows times columns; if a height is not finite; or if a cell size is not positive or is too large. The error names the first fault.
    pub fn new(
        rows: usize,
        columns: usize,
        cell_size: impl Into<Vec2>,
        heights: &[f32],
    ) -> Result<Self, HeightFieldError> {
        let grid = FieldGrid::new(rows, columns, cell_size.into())?;
        Ok(Self { shared: Arc::new(FieldData::new(grid, heights)?) })
    }

    /// Returns the same field with its cells cut along this diagonal.
    #[must_use]
    pub fn with_diagonal(mut self, diagonal: Diagonal) -> Self {
        Arc::make_mut(&mut self.shared).grid.diagonal = diagonal;
        self
    }

    /// Returns the number of rows of heights, along z.
    pub fn rows(&self) -> usize {
        self.shared.grid.rows
    }

    /// Returns the number of columns of heights, along x.
    pub fn columns(&self) -> usize {
        self.shared.grid.columns
    }

    /// Returns the size of a cell along x and z.
    pub fn cell_size(&self) -> Vec2 {
        self.shared.grid.cell
    }

    /// Returns the diagonal along which cells are cut.
    pub fn diagonal(&self) -> Diagonal {
        self.shared.grid.diagonal
    }

    /// Returns all heights, row after row.
    pub fn heights(&self) -> &[f32] {
        &self.shared.heights[..self.rows() * self.columns()]
    }

    /// Returns the local vertex of a row and column; `None` beyond the last.
    pub fn vertex(&self, row: usize, column: usize) -> Option<Vec3> {
        let is_there = row < self.rows() && column < self.columns();
        is_there.then(|| self.shared.vertex(row, column))
    }

    /// Returns the smallest box around all triangles; [`Aabb::EMPTY`] if every cell is a hole.
    pub fn bounds(&self) -> Aabb {
        self.shared.bounds
    }

    /// Returns the number of triangles: two for each cell, including holes.
    pub fn triangle_count(&self) -> usize {
        2 * self.shared.grid.cell_count()
    }

    /// Returns the local corners of a triangle; `None` beyond the last one, and in a hole.
    pub fn triangle(&self, triangle: u32) -> Option<[Vec3; 3]> {
        self.cell_of(triangle).filter(|&[row, column]| !self.is_hole(row, column))?;
        Some(self.shared.triangle(triangle))
    }

    /// Returns the vertices of a triangle as indices of heights; `None` beyond the last one.
    pub(crate) fn indices(&self, triangle: u32) -> Option<[u32; 3]> {
        let cell = self.cell_of(triangle)?;
        Some(self.shared.indices(cell, triangle % 2))
    }

    /// Returns row and column of the cell that a triangle is in; `None` beyond the last one.
    pub fn cell_of(&self, triangle: u32) -> Option<[usize; 2]> {
        ((triangle as usize) < self.triangle_count()).then(|| self.shared.grid.cell_of(triangle))
    }

    /// Iterates over row and column of every hole, row after row.
    pub fn holes(&self) -> impl Iterator<Item = [usize; 2]> {
        let cells = (0..self.rows() - 1).flat_map(|row| (0..self.columns() - 1).map(move |column| [row, column]));
        cells.filter(|&[row, column]| self.is_hole(row, column))
    }

    /// Returns whether a cell is a hole; `false` for a cell that does not exist.
    pub fn is_hole(&self, row: usize, column: usize) -> bool {
        let grid = &self.shared.grid;
        // A field has at least two rows and columns, so the subtractions do not overflow. Adding 1 to the given row might.
        row < grid.rows - 1 && column < grid.columns - 1 && self.shared.holes.contains(grid.cell(row, column))
    }

    /// Returns the height of the surface above or below a local point. It is where a ray along y hits the surface,
    /// decided exactly and rounded once. The borders of the field and of its holes belong to the surface. Returns
    /// `None` beside the field, within a hole, and for a point that is not finite.
    ///
    /// ```
    /// use hitscan::HeightField;
    ///
    /// let ground = HeightField::new(2, 3, [1.0, 1.0], &[4.0; 6])?.with_holes([[0, 1]])?;
    /// assert_eq!([0.5, 1.0, 1.5].map(|x| ground.height_at(x, 0.5)), [Some(4.0), Some(4.0), None]);
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    #[doc = include_str!("../query/edges/height.md")]
    pub fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        self.shared.height_at(x, z)
    }

    /// Returns statistics of the tree, whose leaves are blocks of four cells. `bytes` also includes the heights.
    pub fn tree_stats(&self) -> TreeStats {
        let FieldData { tree, .. } = &*self.shared;
        let stats = tree.stats();
        TreeStats { bytes: stats.bytes + self.shared.bytes_beside_tree(), ..stats }
    }
}
