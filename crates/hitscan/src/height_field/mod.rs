//! Ground as a grid of heights: no triangle is stored, and all are there.

mod edit;
mod kernel;
mod query;
mod shared;
mod sweep;

use crate::aabb::Aabb;
use crate::bvh::TreeStats;
use crate::error::HeightFieldError;
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::{Vec2, Vec3};
use shared::{Grid, Shared};

/// Along which of its two diagonals a cell is cut into triangles, as seen from above with x to the right and z downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Diagonal {
    /// From the corner of least x and z to that of largest.
    #[default]
    Falling,
    /// From the corner of largest x and least z to that of least x and largest z.
    Rising,
}

/// Ground as heights over a regular grid, in its own local space. Cloning shares it: a clone costs no memory.
///
/// The height of row r and column c is the y of a vertex at x = c times the cell's width and z = r times its depth, each product rounded
/// once to f32; so the first one is at x = z = 0, and all is moved by the entity's transform. Four vertices around a cell make two
/// triangles, which face up (+y). Cell number `r * (columns - 1) + c` has the triangles `2 * cell` and `2 * cell + 1`; with z growing
/// downwards:
///
/// ```text
///       column c  c + 1                     Falling     Rising
///   row r      a---d       2 * cell        (a, b, c)   (a, b, d)
///              |   |       2 * cell + 1    (a, c, d)   (d, b, c)
///   row r + 1  b---c
/// ```
///
/// A ray meets these triangles bit for bit as it would those of a [`Mesh`](crate::Mesh) of the same vertices and indices: watertight, closed, with
/// the same t, barycentrics and normals, of equal t the lowest triangle. It takes less than a tenth of the memory and
/// of the time to build.
/// Below the ground is nothing: a field has no inside. Cells can be holes.
///
/// ```
/// use hitscan::{HeightField, Ray};
///
/// let heights = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]; // three rows of three: a pyramid
/// let ground = HeightField::new(3, 3, [2.0, 2.0], &heights)?;
/// let hit = ground.cast(&Ray::new([2.0, 5.0, 2.0], [0.0, -1.0, 0.0])).unwrap();
/// assert_eq!((hit.t, hit.triangle), (4.0, 0));
/// assert_eq!(ground.height_at(1.0, 2.0), Some(0.5));
/// # Ok::<(), hitscan::HeightFieldError>(())
/// ```
#[doc(alias("terrain", "heightfield", "heightmap"))]
#[derive(Clone, Debug)]
pub struct HeightField {
    shared: Arc<Shared>,
}

impl HeightField {
    /// From rows (along z) of columns (along x), row after row; a cell is `cell_size` wide (x) and deep (z).
    ///
    /// # Errors
    /// Fewer than two rows or columns, more than 2^22, or about 2^30 cells; another number of heights than rows times columns, a
    /// height that is not finite, or a cell size that is not positive or too large; the error names the first one.
    pub fn new(
        rows: usize,
        columns: usize,
        cell_size: impl Into<Vec2>,
        heights: &[f32],
    ) -> Result<Self, HeightFieldError> {
        let grid = Grid::new(rows, columns, cell_size.into())?;
        Ok(Self { shared: Arc::new(Shared::new(grid, heights)?) })
    }

    /// The same field with its cells cut along this diagonal.
    #[must_use]
    pub fn with_diagonal(mut self, diagonal: Diagonal) -> Self {
        Arc::make_mut(&mut self.shared).grid.diagonal = diagonal;
        self
    }

    /// How many rows of heights, along z.
    pub fn rows(&self) -> usize {
        self.shared.grid.rows
    }

    /// How many columns of heights, along x.
    pub fn columns(&self) -> usize {
        self.shared.grid.columns
    }

    /// Of a cell, along x and z.
    pub fn cell_size(&self) -> Vec2 {
        self.shared.grid.cell
    }

    /// How cells are cut.
    pub fn diagonal(&self) -> Diagonal {
        self.shared.grid.diagonal
    }

    /// All heights, row after row.
    pub fn heights(&self) -> &[f32] {
        &self.shared.heights[..self.rows() * self.columns()]
    }

    /// The vertex of a row and column, local; `None` beyond the last.
    pub fn vertex(&self, row: usize, column: usize) -> Option<Vec3> {
        let is_there = row < self.rows() && column < self.columns();
        is_there.then(|| self.shared.vertex(row, column))
    }

    /// The smallest box around all triangles; [`Aabb::EMPTY`] if every cell is a hole.
    pub fn bounds(&self) -> Aabb {
        self.shared.bounds
    }

    /// How many triangles: two a cell, those of holes included.
    pub fn triangle_count(&self) -> usize {
        2 * self.shared.grid.cell_count()
    }

    /// The corners of a triangle, local; `None` beyond the last one, and in a hole.
    pub fn triangle(&self, triangle: u32) -> Option<[Vec3; 3]> {
        self.cell_of(triangle).filter(|&[row, column]| !self.is_hole(row, column))?;
        Some(self.shared.triangle(triangle))
    }

    /// Row and column of the cell that a triangle is in; `None` beyond the last one.
    pub fn cell_of(&self, triangle: u32) -> Option<[usize; 2]> {
        ((triangle as usize) < self.triangle_count()).then(|| self.shared.grid.cell_of(triangle))
    }

    /// Row and column of every cell that was cut out, row after row.
    pub fn holes(&self) -> impl Iterator<Item = [usize; 2]> {
        let cells = (0..self.rows() - 1).flat_map(|row| (0..self.columns() - 1).map(move |column| [row, column]));
        cells.filter(|&[row, column]| self.is_hole(row, column))
    }

    /// Returns whether a cell was cut out. `false` for one that is not there.
    pub fn is_hole(&self, row: usize, column: usize) -> bool {
        let grid = &self.shared.grid;
        // A field has at least two rows and columns; one more than the given row might be beyond the integers.
        row < grid.rows - 1 && column < grid.columns - 1 && self.shared.holes.contains(grid.cell(row, column))
    }

    /// The height of the surface above or below a local point: what a ray along y meets there, decided as exactly and rounded once. The borders of
    /// the field and of its holes belong to the surface. `None` beside the field, within a hole, and for what is not finite.
    ///
    /// ```
    /// use hitscan::HeightField;
    ///
    /// let ground = HeightField::new(2, 3, [1.0, 1.0], &[4.0; 6])?.with_holes([[0, 1]])?;
    /// assert_eq!([0.5, 1.0, 1.5].map(|x| ground.height_at(x, 0.5)), [Some(4.0), Some(4.0), None]);
    /// # Ok::<(), hitscan::HeightFieldError>(())
    /// ```
    pub fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        self.shared.height_at(x, z)
    }

    /// Figures of its tree, whose leaves are blocks of four cells; `bytes` counts the heights too.
    pub fn tree_stats(&self) -> TreeStats {
        let Shared { tree, .. } = &*self.shared;
        let stats = tree.stats();
        TreeStats { bytes: stats.bytes + self.shared.bytes_beside_tree(), ..stats }
    }
}

/// Cells that were cut out, a bit each; no bits at all while there is none.
#[derive(Clone, Debug, Default)]
struct Holes(Vec<u64>);

impl Holes {
    const BITS: usize = u64::BITS as usize;

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / Self::BITS).is_some_and(|bits| bits >> (cell % Self::BITS) & 1 == 1)
    }

    fn insert(&mut self, cell: usize, cells: usize) {
        self.0.resize(cells.div_ceil(Self::BITS), 0);
        if let Some(bits) = self.0.get_mut(cell / Self::BITS) {
            *bits |= 1 << (cell % Self::BITS);
        }
    }
}
