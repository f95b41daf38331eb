//! Containment of many points in a closed mesh. If no surface is near a cell of a grid, all points of the cell have the
//! same answer.

use super::point_batch::piece_of;
use crate::error::BatchError;
use crate::math::float::length;
use crate::mesh::Mesh;
use crate::parallel::{Threads, answer_on, batch_on};
use crate::proximity::{Clearance, Containment, Crossings, containment_in_closed};
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU8, Ordering};
use glam::DVec3;

/// The smallest number of points for which a grid is made. With fewer points, each cell would have too few of them.
const FEWEST: usize = 1024;
/// The number of sampled points, whose bounds are the grid's bounds.
const SAMPLES: usize = 256;
/// The fractional part of the golden ratio, in units of 2^-32. The fractional parts of its multiples are spread evenly,
/// whatever pattern the points have.
const GOLDEN_RATIO: u64 = 0x9E37_79B9;
/// The smallest average number of points in a cell.
const POINTS_PER_CELL: usize = 8;
/// The largest number of cells, which take a byte each.
const MOST_CELLS: usize = 1 << 18;
/// For each batch of this many points, one test of a cell may fail. One more may fail for each point that a
/// cell has answered. Testing a cell takes less time than testing a point.
const POINTS_PER_FAILURE: usize = 32;

/// The cell was not tested.
const UNKNOWN: u8 = 0;
/// The surface may be in the cell or beside it.
const NEAR_SURFACE: u8 = 1;
/// All points of the cell are outside.
const OUTSIDE: u8 = 2;
/// All points of the cell are inside.
const INSIDE: u8 = 3;

/// A grid within the bounds of a closed mesh, and the known state of its cells, which all threads share.
struct Cells<'a> {
    mesh: &'a Mesh,
    /// The mesh's own bounds.
    bounds: [DVec3; 2],
    /// The grid's own bounds, which are inverted if no sampled point was in the mesh's bounds.
    grid: [DVec3; 2],
    /// The number of cells along each axis.
    counts: [usize; 3],
    /// The size of a cell along each axis.
    edges: DVec3,
    /// The number of cells in a unit of length, along each axis.
    per_unit: DVec3,
    /// A cell is clear of the surface if there is no surface within this distance of its middle.
    radius: f64,
    /// The number of samples that were in the mesh's bounds.
    sampled: usize,
    states: Vec<AtomicU8>,
}

impl Mesh {
    /// Does the same as [`contains`](Self::contains) for every point. The answers are the same, and in the order of the
    /// points. At most `threads` threads are used, and memory is bounded. A point on the surface is not inside, nor is
    /// a point that is not finite. A mesh that is not closed or faces inwards contains nothing.
    ///
    /// For thousands of points in a [closed](Self::is_closed) mesh this is faster than single calls. The reason is that
    /// all points of a region without any surface share one answer. The points may be in any order.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::batch::Threads;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// let mut inside = [false; 3];
    /// tetrahedron.contains_batch(&[[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [3.0, 3.0, 3.0]], Threads::All, &mut inside)?;
    /// assert_eq!(inside, [true, false, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are not as many places for answers as points; no answer is written then.
    #[doc = include_str!("../edges/contains.md")]
    #[doc(alias("points_in_mesh", "voxelize"))]
    pub fn contains_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        threads: Threads,
        answers: &mut [bool],
    ) -> Result<(), BatchError> {
        if let ([point], [answer]) = (points, &mut *answers) {
            *answer = self.contains(*point);
            return Ok(());
        }
        if points.len() < FEWEST || !self.is_closed_for(points.len()) {
            return batch_on(points, threads, answers, |&point| self.contains(point));
        }
        let cells = Cells::new(self, points);
        answer_on(threads, (points, answers), piece_of(points.len()), &|points, answers| cells.answer(points, answers))
    }
}

impl<'a> Cells<'a> {
    /// Makes a grid around a sample of the points that are in the mesh's bounds.
    fn new<P: Copy + Into<DVec3>>(mesh: &'a Mesh, points: &[P]) -> Self {
        let bounds = mesh.bounds();
        let bounds = [bounds.min, bounds.max].map(|corner| corner.as_dvec3());
        let [mut high, mut low] = bounds;
        let mut sampled = 0;
        for number in 1..=SAMPLES as u64 {
            let fraction = (number * GOLDEN_RATIO) as u32;
            let point = points[((u128::from(fraction) * points.len() as u128) >> 32) as usize].into();
            if is_between(bounds, point) {
                (low, high, sampled) = (low.min(point), high.max(point), sampled + 1);
            }
        }
        let wanted = (points.len() / SAMPLES * sampled / POINTS_PER_CELL).min(MOST_CELLS);
        let (mut counts, mut edges, mut total) = ([1; 3], high - low, 1);
        while 2 * total <= wanted {
            let longest = edges.max_position();
            counts[longest] *= 2;
            edges[longest] *= 0.5;
            total *= 2;
        }
        // This bounds the error of the distance at any point in the box. It is far above the rounding errors of cells.
        let error = mesh.distance_error(bounds[0].abs().max(bounds[1].abs()));
        Self {
            mesh,
            bounds,
            grid: [low, high],
            counts,
            edges,
            per_unit: edges.recip(),
            radius: 0.5 * length(edges) + 8.0 * error,
            sampled,
            states: (0..total).map(|_| AtomicU8::new(UNKNOWN)).collect(),
        }
    }

    /// Answers a piece of the points, in the given order.
    fn answer<P: Copy + Into<DVec3>>(&self, points: &[P], answers: &mut [bool]) {
        let mut failures = points.len() / POINTS_PER_FAILURE * self.sampled / SAMPLES;
        let mut crossings = Crossings::default();
        for (&point, answer) in points.iter().zip(answers) {
            let point: DVec3 = point.into();
            *answer = is_between(self.bounds, point) && self.contains(point, &mut failures, &mut crossings);
        }
    }

    /// Returns whether a point in the mesh's bounds is inside. `failures` is the number of tests of cells that may
    /// still fail.
    #[inline]
    fn contains(&self, point: DVec3, failures: &mut usize, crossings: &mut Crossings) -> bool {
        let Some(cell) = self.cell_of(point) else { return self.mesh.contains_in_box(point, crossings) };
        let state = self.state(cell).load(Ordering::Relaxed);
        if matches!(state, OUTSIDE | INSIDE) {
            *failures += 1;
            return state == INSIDE;
        }
        if state == NEAR_SURFACE || *failures == 0 {
            return self.mesh.contains_in_box(point, crossings);
        }
        // Threads that test the same cell at the same time get the same answer.
        if self.is_clear(cell) {
            let is_inside =
                containment_in_closed(self.mesh, point, Clearance::Certain, crossings) == Containment::Inside;
            self.state(cell).store(if is_inside { INSIDE } else { OUTSIDE }, Ordering::Relaxed);
            return is_inside;
        }
        *failures -= 1;
        self.state(cell).store(NEAR_SURFACE, Ordering::Relaxed);
        self.mesh.contains_in_box(point, crossings)
    }

    /// Returns the cell that contains a point, or that a point misses only by a rounding error. Returns `None` outside of the grid.
    fn cell_of(&self, point: DVec3) -> Option<[usize; 3]> {
        is_between(self.grid, point).then(|| {
            // This is NaN along an axis without an extent, and the conversion turns NaN into 0.
            let cell = (point - self.grid[0]) * self.per_unit;
            core::array::from_fn(|axis| (cell[axis] as usize).min(self.counts[axis] - 1))
        })
    }

    fn state(&self, [x, y, z]: [usize; 3]) -> &AtomicU8 {
        &self.states[(z * self.counts[1] + y) * self.counts[0] + x]
    }

    /// Returns whether two things are certain. One is that no surface is between any two points of a cell. The other is that no point of the cell is on the
    /// surface.
    fn is_clear(&self, cell: [usize; 3]) -> bool {
        let middle = self.grid[0] + (DVec3::from_array(cell.map(|place| place as f64)) + 0.5) * self.edges;
        self.mesh.is_clear_within(middle, self.radius)
    }
}

fn is_between([low, high]: [DVec3; 2], point: DVec3) -> bool {
    low.cmple(point).all() && point.cmple(high).all()
}
