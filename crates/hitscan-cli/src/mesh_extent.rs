//! The extent of a mesh under many transforms, without testing all of its triangles for each.
//!
//! A mesh is cut into runs of triangles with a box around each run, and the boxes into runs of boxes. A run is skipped if its transformed box does not reach
//! beyond the known extent by more than the box's rounding error. So only the runs at the border of the transformed mesh are opened. Along a world axis that
//! depends on a single axis of the mesh, the answers are the same to the bit. Along the other axes they are off by at most twice that rounding error.

use crate::extent::{Extent, PADDING};
use hitscan::Mesh;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use std::cell::Cell;

/// The number of triangles in a run, and of boxes in a run of boxes. Longer runs of triangles have looser boxes. With 64 triangles in a run, most triangles of
/// a ball of 8,192 triangles were opened.
const RUN: usize = 8;

/// The pieces to include: all, or the pieces in a ball.
#[derive(Clone, Copy)]
pub(crate) enum Within {
    Everywhere,
    Ball { middle: DVec3, radius: f64 },
}

impl Within {
    pub(crate) fn holds(self, piece: &Extent) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Ball { middle, radius } => piece.farthest_from(middle) <= radius,
        }
    }

    /// Returns whether a box may contain a piece to include.
    fn may_hold(self, around: &Extent) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Ball { middle, radius } => middle.clamp(around.min, around.max).distance(middle) <= radius,
        }
    }
}

/// A mesh, and the boxes of its runs in its own space.
pub(crate) struct MeshExtent {
    mesh: Mesh,
    /// The triangles along a space-filling curve, so that runs are compact.
    order: Vec<u32>,
    /// The boxes around runs of triangles, then the boxes around runs of these boxes, and so on up to one box around all.
    levels: Vec<Vec<Extent>>,
    /// The number of triangles that were tested.
    opened: Cell<u64>,
}

impl MeshExtent {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let bounds = Extent::of_bounds(mesh.bounds());
        let place = |number: u32| {
            let sum: Vec3 = mesh.triangle(number).into_iter().flatten().sum();
            morton((sum.as_dvec3() / 3.0 - bounds.min) / (bounds.half_size() * 2.0))
        };
        let mut order: Vec<u32> = (0..mesh.triangle_count() as u32).collect();
        order.sort_by_cached_key(|number| place(*number));
        let corners = |run: &[u32]| -> Vec<DVec3> {
            run.iter().filter_map(|number| mesh.triangle(*number)).flatten().map(Vec3::as_dvec3).collect()
        };
        let mut level: Vec<Extent> = order.chunks(RUN).map(|run| Extent::of_points(corners(run))).collect();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let above = level.chunks(RUN).map(|run| run.iter().copied().fold(Extent::EMPTY, Extent::union)).collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { mesh: mesh.clone(), order, levels, opened: Cell::new(mesh.triangle_count() as u64) }
    }

    /// Returns the number of triangles that were tested.
    #[cfg(test)]
    pub(crate) fn opened(&self) -> u64 {
        self.opened.get()
    }

    /// Returns the union of a known extent and the extent of the included triangles, placed in the world.
    pub(crate) fn extended(&self, to_world: &DAffine3, within: Within, known: Extent) -> Extent {
        let mut placed = PlacedMesh { of: self, to_world, within, extent: known };
        // The runs that may reach farthest are opened first. After that, few other runs reach beyond the extent.
        for side in 0..6 {
            placed.open_farthest(side);
        }
        let top = self.levels.len() - 1;
        (0..self.levels[top].len()).for_each(|run| placed.add(top, run));
        placed.extent
    }
}

/// A mesh with a transform to the world, and the extent that its triangles enlarge.
struct PlacedMesh<'a> {
    of: &'a MeshExtent,
    to_world: &'a DAffine3,
    within: Within,
    extent: Extent,
}

impl PlacedMesh<'_> {
    /// Returns a placed run if it may contain an included piece that reaches beyond the extent.
    fn needed(&self, level: usize, run: usize) -> Option<PlacedRun> {
        let placed = PlacedRun::new(&self.of.levels[level][run], self.to_world);
        let is_needed = self.within.may_hold(&placed.padded()) && !self.extent.contains(&placed.shrunk());
        is_needed.then_some(placed)
    }

    /// Opens the run of triangles that may reach farthest to a side. The sides are the low ends of the three axes, and
    /// then the high ends.
    fn open_farthest(&mut self, side: usize) {
        let mut runs = 0..1;
        for level in (0..self.of.levels.len()).rev() {
            let count = self.of.levels[level].len();
            let reach = |run: usize| self.needed(level, run).map(|placed| (run, placed.reach(side)));
            let farthest = (runs.start..runs.end.min(count)).filter_map(reach).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((run, _)) = farthest else { return };
            if level == 0 {
                return self.open(run);
            }
            runs = run * RUN..(run + 1) * RUN;
        }
    }

    /// Adds the triangles of a run.
    fn add(&mut self, level: usize, run: usize) {
        if self.needed(level, run).is_none() {
            return;
        }
        if level == 0 {
            return self.open(run);
        }
        let count = self.of.levels[level - 1].len();
        (run * RUN..count.min((run + 1) * RUN)).for_each(|below| self.add(level - 1, below));
    }

    fn open(&mut self, run: usize) {
        let MeshExtent { mesh, order, opened, .. } = self.of;
        for triangle in order[run * RUN..].iter().take(RUN).filter_map(|number| mesh.triangle(*number)) {
            opened.set(opened.get() + 1);
            let piece = Extent::of_points(triangle.map(|corner| self.to_world.transform_point3(corner.as_dvec3())));
            if self.within.holds(&piece) {
                self.extent = self.extent.union(piece);
            }
        }
    }
}

/// Returns the index of a point of the unit cube along a Morton curve of 2^30 cells. Along an axis on which the cube has no length, the coordinate is 0.
fn morton(place: DVec3) -> u32 {
    let cells = (place * 1024.0).to_array().map(|cell| cell as u32 & 1023);
    (0..30).fold(0, |code, bit| code | (cells[bit % 3] >> (bit / 3) & 1) << bit)
}

/// The transformed box of a run. No triangle of the run is beyond it by more than `rounding`. Along an axis that depends on a single axis of the mesh,
/// `rounding` is 0.
struct PlacedRun {
    extent: Extent,
    rounding: DVec3,
}

impl PlacedRun {
    fn new(run: &Extent, to_world: &DAffine3) -> Self {
        let [x, y, z] = [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis].map(DVec3::abs);
        let (center, half) = (run.center(), run.half_size());
        let reach = center.abs() + half;
        let sizes = x * reach.x + y * reach.y + z * reach.z + to_world.translation.abs();
        let (middle, half) = (to_world.transform_point3(center), x * half.x + y * half.y + z * half.z);
        // The rounding of products and sums is monotonic. So along an axis that depends on a single axis of
        // the mesh, the transformed corners are exactly the ends.
        let corners = Extent::of_points([run.min, run.max].map(|corner| to_world.transform_point3(corner)));
        let [a, b, c] = [x, y, z].map(|column| column.cmpeq(DVec3::ZERO));
        let is_exact = (a & b) | (b & c) | (c & a);
        let extent = Extent {
            min: DVec3::select(is_exact, corners.min, middle - half),
            max: DVec3::select(is_exact, corners.max, middle + half),
        };
        Self { extent, rounding: DVec3::select(is_exact, DVec3::ZERO, sizes * PADDING) }
    }

    /// Returns how far the box reaches from 0 towards a side. The sides are the low ends of the three axes, and then
    /// the high ends.
    fn reach(&self, side: usize) -> f64 {
        if side < 3 { -self.extent.min[side] } else { self.extent.max[side - 3] }
    }

    fn padded(&self) -> Extent {
        Extent { min: self.extent.min - self.rounding, max: self.extent.max + self.rounding }
    }

    /// Returns the same box, less the rounding on all sides.
    fn shrunk(&self) -> Extent {
        Extent { min: self.extent.min + self.rounding, max: self.extent.max - self.rounding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::glam::DQuat;

    /// Returns a ball of 8,192 triangles.
    fn ball() -> Mesh {
        let (rows, columns) = (64, 64);
        let place = |row: u32, column: u32| {
            let (polar, azimuth) = (row as f32 / rows as f32 * 3.1, column as f32 / columns as f32 * 6.2);
            Vec3::new(polar.sin() * azimuth.cos(), polar.cos() * 1.5, polar.sin() * azimuth.sin())
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let soup: Vec<Vec3> = cells
            .flat_map(|(row, column)| {
                let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| place(row + x, column + y));
                [a, b, c, a, c, d]
            })
            .collect();
        Mesh::from_soup(&soup).unwrap()
    }

    fn naive(mesh: &Mesh, to_world: &DAffine3, within: Within) -> Extent {
        let pieces = (0..)
            .map_while(|triangle| mesh.triangle(triangle))
            .map(|triangle| Extent::of_points(triangle.map(|corner| to_world.transform_point3(corner.as_dvec3()))));
        pieces.filter(|piece| within.holds(piece)).fold(Extent::EMPTY, Extent::union)
    }

    /// A flat mesh that is rotated by a right angle is flat up to rounding errors. So most of its runs are not at its
    /// border.
    #[test]
    fn few_triangles_of_a_flat_mesh_are_looked_at() {
        let place = |number: u32| Vec3::new((number % 65) as f32, 0.1, (number / 65) as f32);
        let corners = |cell: u32| [cell, cell + 1, cell + 66, cell, cell + 66, cell + 65].map(place);
        let cells = (0..64 * 64u32).map(|cell| cell / 64 * 65 + cell % 64);
        let mesh = Mesh::from_soup(&cells.flat_map(corners).collect::<Vec<_>>()).unwrap();
        for turn in [
            DQuat::IDENTITY,
            DQuat::from_rotation_x(90f64.to_radians()),
            DQuat::from_rotation_z(-90.00001f64.to_radians()),
        ] {
            let extents = MeshExtent::new(&mesh);
            let to_world = DAffine3::from_rotation_translation(turn, DVec3::new(0.1, -7.3, 1e3));
            let before = extents.opened();
            let found = extents.extended(&to_world, Within::Everywhere, Extent::EMPTY);
            assert!(is_close(&found, &naive(&mesh, &to_world, Within::Everywhere)), "{found:?}");
            assert!(extents.opened() - before <= 6 * 64, "{turn}: {}", extents.opened() - before);
        }
    }

    fn is_close(a: &Extent, b: &Extent) -> bool {
        let limit = DVec3::splat(2.0 * PADDING) * b.min.abs().max(b.max.abs()).max(DVec3::splat(1e3));
        (a.min - b.min).abs().cmple(limit).all() && (a.max - b.max).abs().cmple(limit).all()
    }

    #[test]
    fn few_triangles_are_looked_at_for_the_same_extent() {
        let mesh = ball();
        let extents = MeshExtent::new(&mesh);
        let mut number = 0.0;
        for _ in 0..200 {
            number += 0.37;
            let turn = DQuat::from_euler(hitscan::glam::EulerRot::XYZ, number, 2.0 * number, 3.0 * number);
            let scale = DVec3::new(1.0, -2.0, 0.3 + number % 1.0);
            let place = DVec3::new(1e3 * number.sin(), number, -number);
            let to_world = DAffine3::from_scale_rotation_translation(scale, turn, place);
            let ball = Within::Ball { middle: place + turn * DVec3::X, radius: 1.5 };
            for within in [Within::Everywhere, ball] {
                let found = extents.extended(&to_world, within, Extent::EMPTY);
                let naive = naive(&mesh, &to_world, within);
                assert!(is_close(&found, &naive), "{found:?} {naive:?}");
            }
        }
        let each = extents.opened() / 400;
        assert!(each < 2_500, "{each} of {} triangles", mesh.triangle_count());
    }
}
