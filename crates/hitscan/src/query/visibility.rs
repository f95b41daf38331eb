//! How much of something is seen.

use super::{Filter, Query};
use crate::error::BatchError;
use crate::parallel;
use crate::scene::Scene;
use core::hash::Hash;
use glam::Vec3;

/// How many of several points are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Visibility {
    /// Those with nothing between.
    pub seen: usize,
    /// All of them.
    pub total: usize,
}

impl Visibility {
    /// The part that is seen, from 0 to 1; 0 of no points.
    pub fn fraction(&self) -> f32 {
        if self.total == 0 { 0.0 } else { (self.seen as f64 / self.total as f64) as f32 }
    }
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// How many of these points can be seen from an eye: those with nothing on the straight way there, both ends included.
    ///
    /// For a volume take its [`Shape::sample_points`](crate::Shape::sample_points), moved to where it is, and let the query exclude the entity itself. A point
    /// at the eye is seen; one that is not finite is not.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Query, Scene, Shape, glam::{DVec3, Vec3}};
    ///
    /// let (body, place) = (Shape::from(Capsule::new(0.4, 1.8)), Vec3::new(0.0, 0.9, -8.0));
    /// let mut scene = Scene::new();
    /// scene.insert("player", body, place.as_dvec3())?;
    /// let eye = Vec3::new(0.0, 0.9, 0.0);
    /// scene.insert("wall", Aabb::new([-1.0, 0.0, -0.1], [1.0, 0.9, 0.1]), DVec3::new(0.0, 0.0, -4.0))?;
    /// let points: Vec<Vec3> = body.sample_points(100, 1).into_iter().map(|point| place + point).collect();
    /// let seen = scene.visibility_with(eye, &points, &Query::new().exclude("player"));
    /// assert!(seen.total == 100 && (0.4..0.6).contains(&seen.fraction()), "the wall hides the lower half");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("exposure", "cover"))]
    pub fn visibility<P: Copy + Into<Vec3>>(&self, eye: impl Into<Vec3>, points: &[P]) -> Visibility {
        self.visibility_with(eye, points, &Query::new())
    }

    /// [`visibility`](Self::visibility) past what the query does not let count.
    pub fn visibility_with<P: Copy + Into<Vec3>, F: Filter<K>>(
        &self,
        eye: impl Into<Vec3>,
        points: &[P],
        query: &Query<K, F>,
    ) -> Visibility {
        let eye = eye.into();
        let seen = points.iter().filter(|&&point| self.is_clear(eye, point.into(), query)).count();
        Visibility { seen, total: points.len() }
    }
}

impl<K: Copy + Eq + Hash + Send + Sync> Scene<K> {
    /// [`visibility_with`](Self::visibility_with), and which of the points are seen; on all threads with the feature `parallel`. A filter is called from
    /// several threads.
    ///
    /// # Errors
    /// Not as many answers as points; then no answer is written.
    pub fn visible_points<P: Copy + Into<Vec3> + Sync, F: Filter<K> + Sync>(
        &self,
        eye: impl Into<Vec3>,
        points: &[P],
        query: &Query<K, F>,
        seen: &mut [bool],
    ) -> Result<Visibility, BatchError> {
        let eye = eye.into();
        parallel::answer(points, seen, &|points, seen| {
            for (&point, seen) in points.iter().zip(seen) {
                *seen = self.is_clear(eye, point.into(), query);
            }
        })?;
        Ok(Visibility { seen: seen.iter().filter(|&&seen| seen).count(), total: points.len() })
    }
}
