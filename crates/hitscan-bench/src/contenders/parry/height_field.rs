//! The height field of the crate parry3d. It is centred at the origin, so rays are translated.

use super::mesh::converted;
use crate::contenders::contender::{Hit, Tree};
use crate::scenes::Grid;
use hitscan::Ray;
use hitscan::glam::Vec3;
use parry3d::math::Vector;
use parry3d::query::RayCast;
use parry3d::shape::{HeightField, HeightFieldCellStatus};
use parry3d::utils::Array2;

struct Placed {
    field: HeightField,
    /// The distance from the corner to the centre.
    half: f32,
}

/// Builds a field with the same diagonals as the grid's triangles.
pub(crate) fn height_field(grid: &Grid) -> Box<dyn Tree> {
    let side = grid.side;
    let by_column = (0..side * side).map(|index| grid.heights[index % side * side + index / side]);
    let width = (side - 1) as f32;
    let mut field = HeightField::new(Array2::new(side, side, by_column.collect()), Vector::new(width, 1.0, width));
    field.cells_statuses_mut().data_mut().fill(HeightFieldCellStatus::ZIGZAG_SUBDIVISION);
    Box::new(Placed { field, half: width / 2.0 })
}

impl Placed {
    fn local(&self, ray: &Ray) -> parry3d::query::Ray {
        converted(&Ray { origin: ray.origin - Vec3::new(self.half, 0.0, self.half), ..*ray })
    }
}

impl Tree for Placed {
    /// Returns a hit, with 0 as the triangle. The library reports the triangle only if the normal is requested, too.
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.field.cast_local_ray(&self.local(ray), ray.t_max, true).map(|t| Hit { t, triangle: 0 })
    }

    fn any(&self, ray: &Ray) -> bool {
        self.field.intersects_local_ray(&self.local(ray), ray.t_max)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}
