//! Closest points of a mesh to many points. The points are ordered so that neighbours follow each other, and each
//! search starts with the result of the previous one.

use super::mesh_closest::MeshPoint;
use super::mesh_surface::TrianglePoint;
use crate::collections::sort::{divided, joined, sort};
use crate::error::BatchError;
use crate::math::float::{length, smaller};
use crate::mesh::Mesh;
use crate::parallel::{self, Threads, answer_on};
use crate::proximity::{Clearance, Containment, Crossings, NearestPoint, containment_in_closed};
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// The smallest number of points that is worth handing to another thread. A point's neighbours are only found among the points of the same piece.
const FEWEST: usize = 256;
/// The largest number of points that are sorted at once.
const MOST_ORDERED: usize = 1 << 16;
/// The number of pieces for each thread. There are several, so that threads whose points take less time answer more pieces.
const PIECES_PER_THREAD: usize = 8;

/// Returns the number of points that are handed to a thread at once.
pub(in crate::query) fn piece_of(count: usize) -> usize {
    if count <= FEWEST {
        return FEWEST;
    }
    count.div_ceil(parallel::threads() * PIECES_PER_THREAD).clamp(FEWEST, MOST_ORDERED)
}

impl Mesh {
    /// Does the same as [`closest_on_surface`](Self::closest_on_surface) for every point. The answers are the same, bit
    /// for bit, and in the order of the points. At most `threads` threads are used, and memory is bounded.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::batch::Threads;
    /// use hitscan::glam::Vec3;
    ///
    /// let floor = Mesh::from_soup(&[[0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]])?;
    /// let points = [Vec3::new(1.0, 2.0, 1.0), Vec3::new(1.0, 9.0, 1.0)];
    /// let mut nearest = [None; 2];
    /// floor.closest_on_surface_batch(&points, 4.0, Threads::All, &mut nearest)?;
    /// assert_eq!(nearest.map(|found| found.map(|found| found.distance)), [Some(2.0), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/own_surface.md")]
    ///
    /// # Errors
    /// Returns an error if there are not as many places for answers as points; no answer is written then.
    pub fn closest_on_surface_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        max_distance: f64,
        threads: Threads,
        answers: &mut [Option<TrianglePoint>],
    ) -> Result<(), BatchError> {
        let report = |point: DVec3, spot: &NearestPoint, _: &mut LastAnswer| TrianglePoint::new(point, spot);
        self.spots_of_batch((points, answers), max_distance, threads, &report)
    }

    /// Does the same as [`closest_point`](Self::closest_point) for every point. The answers are the same, bit for bit,
    /// and in the order of the points. At most `threads` threads are used, and memory is bounded.
    ///
    /// Around a [closed](Self::is_closed) mesh, most points take little longer than with
    /// [`closest_on_surface_batch`](Self::closest_on_surface_batch). If no surface is between a point and a neighbour,
    /// the two have the same containment.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::batch::Threads;
    /// use hitscan::glam::Vec3;
    /// use hitscan::query::Containment;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// let points = [Vec3::splat(1.0), Vec3::splat(-1.0)];
    /// let mut nearest = [None; 2];
    /// tetrahedron.closest_point_batch(&points, Threads::AtMost(1), &mut nearest)?;
    /// assert_eq!(nearest.map(|found| found.unwrap().containment), [Containment::Inside, Containment::Outside]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    ///
    /// # Errors
    /// Returns an error if there are not as many places for answers as points; no answer is written then.
    pub fn closest_point_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        threads: Threads,
        answers: &mut [Option<MeshPoint>],
    ) -> Result<(), BatchError> {
        let is_closed = self.is_closed_for(points.len());
        let report = |point: DVec3, spot: &NearestPoint, last: &mut LastAnswer| {
            let (triangle, containment) = (spot.triangle?, self.containment_of_next(is_closed, point, spot, last)?);
            Some(MeshPoint::new(point, spot, triangle, containment))
        };
        self.spots_of_batch((points, answers), f64::INFINITY, threads, &report)
    }

    /// Does the same as [`signed_distance`](Self::signed_distance) for every point, and shares work between the points as
    /// [`closest_point_batch`](Self::closest_point_batch) does.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::batch::Threads;
    /// use hitscan::glam::Vec3;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// let mut distances = [None; 2];
    /// tetrahedron.signed_distance_batch(&[[1.0, 1.0, 0.5], [1.0, 1.0, -0.5]], Threads::All, &mut distances)?;
    /// assert_eq!(distances, [Some(-0.5), Some(0.5)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/own_point.md")]
    ///
    /// # Errors
    /// Returns an error if there are not as many places for answers as points; no answer is written then.
    pub fn signed_distance_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        threads: Threads,
        answers: &mut [Option<f32>],
    ) -> Result<(), BatchError> {
        let is_closed = self.is_closed_for(points.len());
        let report = |point: DVec3, spot: &NearestPoint, last: &mut LastAnswer| {
            self.containment_of_next(is_closed, point, spot, last)?.signed(spot.distance as f32)
        };
        self.spots_of_batch((points, answers), f64::INFINITY, threads, &report)
    }

    /// Answers each point by its nearest spot. `report` makes the answer from the spot. It also receives the facts that are known about the previous point.
    fn spots_of_batch<P: Copy + Into<DVec3> + Sync, A: Send>(
        &self,
        (points, answers): (&[P], &mut [Option<A>]),
        max_distance: f64,
        threads: Threads,
        report: &(impl Fn(DVec3, &NearestPoint, &mut LastAnswer) -> Option<A> + Sync),
    ) -> Result<(), BatchError> {
        answer_on(threads, (points, answers), piece_of(points.len()), &|points, answers| {
            for (points, answers) in points.chunks(MOST_ORDERED).zip(answers.chunks_mut(MOST_ORDERED)) {
                let mut last = LastAnswer::default();
                for place in self.in_order(points) {
                    let point: DVec3 = points[place].into();
                    last.error = self.distance_error(point);
                    let limit = smaller(last.bound(point), max_distance);
                    let spot = self.nearest_spot(point, limit).filter(|spot| spot.distance <= max_distance);
                    answers[place] = spot.and_then(|spot| {
                        let answer = report(point, &spot, &mut last);
                        last.spot = Some((point + spot.point, last.error));
                        answer
                    });
                }
            }
        })
    }

    /// Returns the indices of the points in the order of a Morton curve through the mesh's bounds. So most points are
    /// near the previous one.
    fn in_order<P: Copy + Into<DVec3>>(&self, points: &[P]) -> impl Iterator<Item = usize> {
        // A single point needs no memory.
        let (single, many) = if points.len() == 1 { (Some(0), &[][..]) } else { (None, points) };
        let bounds = self.bounds();
        let size = (bounds.max - bounds.min).max(Vec3::splat(f32::MIN_POSITIVE));
        let mut keys: Vec<u64> = (0..many.len() as u32)
            .map(|place| {
                let point: DVec3 = many[place as usize].into();
                let cell = (point.as_vec3() - bounds.min) / size * CELLS;
                joined([spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2, place])
            })
            .collect();
        sort(&mut keys);
        single.into_iter().chain(keys.into_iter().map(|key| divided(key)[1] as usize))
    }

    /// Returns whether a point is inside, given its nearest spot and the facts about the previous point. Returns `None` if the spot is on no triangle.
    fn containment_of_next(
        &self,
        is_closed: bool,
        point: DVec3,
        spot: &NearestPoint,
        last: &mut LastAnswer,
    ) -> Option<Containment> {
        let triangle = spot.triangle?;
        let is_clear = spot.distance > last.error;
        if !(is_closed && is_clear) {
            return Some(self.containment_at(point, triangle, spot.distance, Clearance::certain_if(is_clear)));
        }
        // The ball around the point that reaches to the nearest surface contains no surface inside. So if the previous
        // point is in the ball, both have the same containment.
        let known = last.inside.filter(|&(other, _)| length(point - other) + last.error < spot.distance);
        let found = || containment_in_closed(self, point, Clearance::Certain, &mut last.crossings);
        let containment = known.map_or_else(found, |(_, containment)| containment);
        last.inside = Some((point, containment));
        Some(containment)
    }
}

/// The facts about the last point that was answered, and the accuracy of distances from the next point.
#[derive(Debug, Default)]
struct LastAnswer {
    /// A bound on the error of any distance from the next point.
    error: f64,
    /// The point of the surface that is nearest to the last point, and a bound on the error of its position.
    spot: Option<(DVec3, f64)>,
    /// The last point that is certainly not on the surface of a closed mesh, and its containment.
    inside: Option<(DVec3, Containment)>,
    crossings: Crossings,
}

impl LastAnswer {
    /// Returns an upper bound on the distance from a point to the surface, as f64 computes it.
    fn bound(&self, point: DVec3) -> f64 {
        self.spot.map_or(f64::INFINITY, |(spot, error)| length(spot - point) + error + self.error)
    }
}

/// The number of cells along each axis of the grid by which points are ordered.
const CELLS: f32 = 1024.0;

/// Returns the bits of a cell's number, spread so that two zero bits follow each of them. Points beyond the mesh's
/// bounds are in the first or the last cell.
fn spread(cell: f32) -> u32 {
    // The conversion turns NaN into 0.
    let mut bits = (cell as u32).min(CELLS as u32 - 1);
    bits = (bits | bits << 16) & 0x0300_00FF;
    bits = (bits | bits << 8) & 0x0300_F00F;
    bits = (bits | bits << 4) & 0x030C_30C3;
    (bits | bits << 2) & 0x0924_9249
}
