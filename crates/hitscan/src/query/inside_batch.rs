//! Containment of many points in a closed mesh. An empty ball around one point answers for its neighbours.

use super::point_batch::{FEWEST, MOST_ORDERED, piece_of};
use crate::error::BatchError;
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, length};
use crate::mesh::Mesh;
use crate::parallel::{Threads, answer_on, batch_on};
use crate::proximity::{Containment, containment_in_closed};
use alloc::vec;
use alloc::vec::Vec;
use glam::DVec3;

/// An empty ball is looked for that reaches the point so many places ahead in the order.
const AHEAD: usize = 8;
/// A ball is worth its search if it answers for so many neighbours.
const WORTH: usize = 3;
/// The most points that are asked about one by one before the next ball is looked for.
const LONGEST_PAUSE: usize = 256;

/// A ball around a point, without anything of the surface of a closed mesh in it.
#[derive(Clone, Copy)]
struct EmptyBall {
    center: DVec3,
    radius: f64,
    is_inside: bool,
}

impl EmptyBall {
    /// Returns whether a point is in the ball, although its distance from the centre has an error.
    fn has(&self, point: DVec3, error: f64) -> bool {
        length(point - self.center) + error < self.radius
    }

    /// Returns whether a ball of this radius around a point surely has a place in common with this one.
    fn meets(&self, point: DVec3, radius: f64, error: f64) -> bool {
        length(point - self.center) + error < self.radius + radius
    }
}

impl Mesh {
    /// Does the same as [`contains`](Self::contains) for every point. The answers are the same, and in the order of the points. It uses as many threads as it
    /// is told, and bounded memory. A point on the surface is not inside, nor is one that is not finite; a mesh that is not closed or faces inwards contains
    /// nothing.
    ///
    /// Many points in a [closed](Self::is_closed) mesh whose surface is plain take less time: a point is inside if a neighbour is, and no surface is between
    /// them. At meshes full of detail, [`batch_on`] with [`contains`](Self::contains) is faster.
    ///
    /// ```
    /// use hitscan::{Mesh, Threads};
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
    #[doc(alias("points_in_mesh", "voxelize"))]
    pub fn contains_batch<P: Copy + Into<DVec3> + Sync>(
        &self,
        points: &[P],
        threads: Threads,
        answers: &mut [bool],
    ) -> Result<(), BatchError> {
        // An order of few points helps none of them.
        if points.len() < FEWEST || !self.is_closed_for(points.len()) {
            return batch_on(points, threads, answers, |&point| self.contains(point));
        }
        // Either the groups are divided among the threads, or the points of the only one.
        let inner = if points.len() > MOST_ORDERED { Threads::AtMost(1) } else { threads };
        answer_on(threads, (points, answers), MOST_ORDERED, &|points, answers| {
            for (points, answers) in points.chunks(MOST_ORDERED).zip(answers.chunks_mut(MOST_ORDERED)) {
                self.answer_group(points, inner, answers);
            }
        })
    }

    /// Answers points of a closed mesh. They are put in order together, because neighbours that are nearer answer for more of them.
    fn answer_group<P: Copy + Into<DVec3> + Sync>(&self, points: &[P], threads: Threads, answers: &mut [bool]) {
        let Aabb { min, max } = self.bounds();
        let (low, high) = (min.as_dvec3(), max.as_dvec3());
        // No point in the box has a larger one.
        let error = self.distance_error(low.abs().max(high.abs()));
        let is_in_box = |point: DVec3| low.cmple(point).all() && point.cmple(high).all();
        let order: Vec<usize> = self.in_order(points, is_in_box).collect();
        let mut found = vec![false; order.len()];
        // There are as many places as points in the box.
        let _ = answer_on(threads, (&order, &mut found), piece_of(order.len()), &|order, found| {
            self.find_contained(points, order, error, found);
        });
        answers.fill(false);
        order.into_iter().zip(found).for_each(|(place, is_inside)| answers[place] = is_inside);
    }

    /// Answers those points of a closed mesh that are at these places, which follow each other closely.
    fn find_contained<P: Copy + Into<DVec3>>(&self, points: &[P], order: &[usize], error: f64, answers: &mut [bool]) {
        let mut last: Option<EmptyBall> = None;
        let (mut served, mut pause, mut left) = (0, 1, 0);
        for (number, (&place, answer)) in order.iter().zip(answers).enumerate() {
            let point: DVec3 = points[place].into();
            if let Some(ball) = last.filter(|ball| ball.has(point, error)) {
                *answer = ball.is_inside;
                served += 1;
                continue;
            }
            if left == 0 && last.is_some() {
                // Balls pay where the surface is plain. Elsewhere they are looked for less and less often.
                pause = if served < WORTH { LONGEST_PAUSE.min(2 * pause) } else { 1 };
                left = pause;
            }
            if left > 1 {
                left -= 1;
                last = None;
                *answer = self.contains(point);
                continue;
            }
            (served, left) = (0, 0);
            let ahead: DVec3 = points[order[(number + AHEAD).min(order.len() - 1)]].into();
            let radius = self.clearance(point, larger(length(ahead - point), 8.0 * error)) - error;
            if !(radius > error) {
                *answer = self.contains(point);
                continue;
            }
            let known = last.filter(|ball| ball.meets(point, radius, error)).map(|ball| ball.is_inside);
            let is_inside = known.unwrap_or_else(|| containment_in_closed(self, point, true) == Containment::Inside);
            *answer = is_inside;
            last = Some(EmptyBall { center: point, radius, is_inside });
        }
    }
}
