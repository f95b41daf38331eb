//! Changing a field: craters and holes.

use super::HeightField;
use super::grid::check_finite;
use crate::error::HeightFieldError;
use alloc::sync::Arc;
use core::ops::Range;

impl HeightField {
    /// Returns the same field without these cells, each given as its row and column: rays go through them. Cells that are already holes stay so.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let meadow = HeightField::new(3, 3, [1.0, 1.0], &[0.0; 9])?;
    /// let mine = meadow.clone().with_holes([[0, 1]])?;
    /// let down = Ray::new([1.5, 2.0, 0.25], [0.0, -1.0, 0.0]);
    /// assert_eq!((meadow.is_blocked(&down), mine.is_blocked(&down)), (true, false));
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for the first cell that does not exist.
    pub fn with_holes(mut self, cells: impl IntoIterator<Item = [usize; 2]>) -> Result<Self, HeightFieldError> {
        let shared = Arc::make_mut(&mut self.shared);
        let (rows, columns) = (shared.grid.rows - 1, shared.grid.columns - 1);
        for [row, column] in cells {
            if row >= rows || column >= columns {
                return Err(HeightFieldError::Outside { row, column, rows, columns });
            }
            shared.holes.insert(shared.grid.cell(row, column), rows * columns);
        }
        shared.fit_all();
        Ok(self)
    }

    /// Sets new heights for a rectangle of rows and columns, row after row: for example a crater, or a road. Only the part of the tree around the rectangle is
    /// updated, which takes microseconds for a small rectangle. A field that clones share is copied first.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray};
    ///
    /// let mut ground = HeightField::new(64, 64, [1.0, 1.0], &[0.0; 64 * 64])?;
    /// ground.set_heights(10..12, 20..22, &[-1.0, -2.0, -2.0, -1.0])?;
    /// assert_eq!(ground.cast(&Ray::new([20.0, 1.0, 11.0], [0.0, -1.0, 0.0])).unwrap().t, 3.0);
    /// # Ok::<(), hitscan::error::HeightFieldError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if rows or columns do not exist, if the number of heights does not match the rectangle, or if a height is not finite. The field is
    /// unchanged then.
    pub fn set_heights(
        &mut self,
        rows: Range<usize>,
        columns: Range<usize>,
        heights: &[f32],
    ) -> Result<(), HeightFieldError> {
        self.check(&rows, &columns, heights)?;
        self.fit(rows, columns, heights);
        Ok(())
    }

    /// Checks whether [`set_heights`](Self::set_heights) accepts these arguments.
    pub(crate) fn check(
        &self,
        rows: &Range<usize>,
        columns: &Range<usize>,
        heights: &[f32],
    ) -> Result<(), HeightFieldError> {
        let (all_rows, all_columns) = (self.rows(), self.columns());
        if rows.end > all_rows || columns.end > all_columns {
            let (row, column) = (rows.end.saturating_sub(1), columns.end.saturating_sub(1));
            return Err(HeightFieldError::Outside { row, column, rows: all_rows, columns: all_columns });
        }
        let needed = rows.len() * columns.len();
        if heights.len() != needed {
            return Err(HeightFieldError::Count { count: heights.len(), needed });
        }
        check_finite(heights, [rows.start, columns.start], columns.len())
    }

    /// Sets heights that were checked.
    pub(crate) fn fit(&mut self, rows: Range<usize>, columns: Range<usize>, heights: &[f32]) {
        if heights.is_empty() {
            return;
        }
        let shared = Arc::make_mut(&mut self.shared);
        for (row, heights) in rows.clone().zip(heights.chunks(columns.len())) {
            let first = row * shared.grid.columns;
            shared.heights[first + columns.start..first + columns.end].copy_from_slice(heights);
        }
        shared.refit(rows, columns);
    }
}
