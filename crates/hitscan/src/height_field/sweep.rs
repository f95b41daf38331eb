//! A volume through a height field's tree.

use super::shared::{BLOCK, Shared};
use crate::mesh::Near;
use crate::ray::LocalRay;
use crate::sweep::Thickness;
use glam::Vec3;

impl Shared {
    /// [`near`](crate::mesh::Surface::near) of both triangles of each cell that is no hole.
    pub(super) fn near(&self, ray: &LocalRay, thickness: &Thickness, show: &mut Near<'_>) {
        self.tree.traverse_thick(&self.frame, ray, (thickness.slack, thickness.half), &mut |block| {
            let mut t_max = f32::INFINITY;
            self.leaf(block, &mut |triangle, corners| t_max = t_max.min(show(triangle, corners)));
            t_max
        });
    }

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
