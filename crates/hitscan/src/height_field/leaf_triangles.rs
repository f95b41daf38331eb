//! The triangles of a leaf of the tree.

use super::grid::{BLOCK, FieldData};
use glam::Vec3;

impl FieldData {
    /// Shows the triangles of a leaf of the tree.
    pub(super) fn leaf(&self, block: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let [first_row, first_column] = self.grid.first_cell(block);
        for row in first_row..(first_row + BLOCK).min(self.grid.rows - 1) {
            for column in first_column..(first_column + BLOCK).min(self.grid.columns - 1) {
                let cell = self.grid.cell(row, column);
                if !self.holes.contains(cell) {
                    for half in 0..2 {
                        show(2 * cell as u32 + half, self.half_of([row, column], half));
                    }
                }
            }
        }
    }
}
