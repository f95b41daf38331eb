//! Many rays against a scene at once.

use super::{Filter, Hit, Query};
use crate::error::BatchError;
use crate::parallel;
use crate::ray::Ray;
use crate::scene::Scene;
use core::hash::Hash;

impl<K: Copy + Eq + Hash + Send + Sync> Scene<K> {
    /// [`cast`](Self::cast) of every ray: the answers are the same, bit for bit, and in the order of the rays. On all threads, with the feature
    /// `parallel`, and in bounded memory.
    ///
    /// ```
    /// use hitscan::{Ray, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let rays = [0.0, 2.0].map(|x| Ray::new([x, 0.0, 0.0], Vec3::NEG_Z));
    /// let mut hits = [None; 2];
    /// scene.cast_batch(&rays, &mut hits)?;
    /// assert_eq!(hits.map(|hit| hit.map(|hit| (hit.id, hit.t))), [Some(("ball", 4.0)), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Not as many answers as rays; then no answer is written.
    #[doc(alias("raycast_batch", "raycast_command"))]
    pub fn cast_batch(&self, rays: &[Ray], hits: &mut [Option<Hit<K>>]) -> Result<(), BatchError> {
        self.cast_batch_with(rays, &Query::new(), hits)
    }

    /// [`cast_with`](Self::cast_with) of every ray, as [`cast_batch`](Self::cast_batch). A filter is called from several threads.
    ///
    /// # Errors
    /// As for [`cast_batch`](Self::cast_batch).
    pub fn cast_batch_with<F: Filter<K> + Sync>(
        &self,
        rays: &[Ray],
        query: &Query<K, F>,
        hits: &mut [Option<Hit<K>>],
    ) -> Result<(), BatchError> {
        parallel::answer(rays, hits, &|rays, hits| {
            for (ray, hit) in rays.iter().zip(hits) {
                self.cast_into(ray, query, hit);
            }
        })
    }

    /// [`is_blocked`](Self::is_blocked) of every ray, as [`cast_batch`](Self::cast_batch).
    ///
    /// ```
    /// use hitscan::{Ray, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let rays = [0.0, 2.0].map(|x| Ray::between([x, 0.0, 0.0], [x, 0.0, -9.0]));
    /// let mut blocked = [false; 2];
    /// scene.is_blocked_batch(&rays, &mut blocked)?;
    /// assert_eq!(blocked, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`cast_batch`](Self::cast_batch).
    pub fn is_blocked_batch(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError> {
        self.is_blocked_batch_with(rays, &Query::new(), blocked)
    }

    /// [`is_blocked_with`](Self::is_blocked_with) of every ray, as [`cast_batch`](Self::cast_batch). A filter is called from several threads.
    ///
    /// # Errors
    /// As for [`cast_batch`](Self::cast_batch).
    pub fn is_blocked_batch_with<F: Filter<K> + Sync>(
        &self,
        rays: &[Ray],
        query: &Query<K, F>,
        blocked: &mut [bool],
    ) -> Result<(), BatchError> {
        parallel::answer(rays, blocked, &|rays, blocked| {
            for (ray, blocked) in rays.iter().zip(blocked) {
                *blocked = self.is_blocked_with(ray, query);
            }
        })
    }
}
