//! Many rays in columns against a scene.

use super::{Filter, Hit, Query};
use crate::columns::{HitColumns, RayColumns, Row};
use crate::error::BatchError;
use crate::hit::Side;
use crate::parallel;
use crate::scene::Scene;
use core::hash::Hash;
use glam::{Vec2, Vec3};

impl<K: Copy> Row<K> for Hit<K> {
    fn id(&self) -> K {
        self.id
    }

    fn t(&self) -> f32 {
        self.t
    }

    fn part(&self) -> u32 {
        self.part
    }

    fn triangle(&self) -> Option<u32> {
        self.triangle
    }

    fn side(&self) -> Side {
        self.side
    }

    fn uv(&self) -> Option<Vec2> {
        self.uv
    }

    fn point(&self) -> Vec3 {
        self.point
    }

    fn normal(&self) -> Vec3 {
        self.normal
    }
}

impl<K: Copy + Eq + Hash + Send + Sync> Scene<K> {
    /// [`cast`](Self::cast) of every ray, from and into columns: the same bits, without allocation, on all threads with the feature `parallel`.
    ///
    /// ```
    /// use hitscan::{HitColumns, RayColumns, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let (x, zero, down) = ([0.0, 2.0], [0.0; 2], [-1.0; 2]);
    /// let rays = RayColumns::new([&x, &zero, &zero], [&zero, &zero, &down]);
    /// let (mut t, mut ids) = ([0.0; 2], [None; 2]);
    /// scene.cast_columns(&rays, HitColumns { t: Some(&mut t), id: Some(&mut ids), ..HitColumns::default() })?;
    /// assert_eq!((t, ids), ([4.0, f32::INFINITY], [Some("ball"), None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A column of another length than the first of the rays'; then nothing is written.
    pub fn cast_columns(&self, rays: &RayColumns<'_>, hits: HitColumns<'_, K>) -> Result<(), BatchError> {
        self.cast_columns_with(rays, &Query::new(), hits)
    }

    /// [`cast_with`](Self::cast_with) of every ray, as [`cast_columns`](Self::cast_columns). A filter is called from several threads.
    ///
    /// # Errors
    /// As for [`cast_columns`](Self::cast_columns).
    pub fn cast_columns_with<F: Filter<K> + Sync>(
        &self,
        rays: &RayColumns<'_>,
        query: &Query<K, F>,
        hits: HitColumns<'_, K>,
    ) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, K>| {
            for (place, number) in range.enumerate() {
                let hit = rays.get(number).and_then(|ray| self.cast_with(&ray, query));
                hits.put(place, hit.as_ref());
            }
        });
        Ok(())
    }

    /// [`is_blocked`](Self::is_blocked) of every ray, from columns, as [`cast_columns`](Self::cast_columns).
    ///
    /// # Errors
    /// A column of another length than the first of the rays', or not as many answers; then nothing is written.
    pub fn is_blocked_columns(&self, rays: &RayColumns<'_>, blocked: &mut [bool]) -> Result<(), BatchError> {
        self.is_blocked_columns_with(rays, &Query::new(), blocked)
    }

    /// [`is_blocked_with`](Self::is_blocked_with) of every ray, as [`is_blocked_columns`](Self::is_blocked_columns). A filter is called from several
    /// threads.
    ///
    /// # Errors
    /// As for [`is_blocked_columns`](Self::is_blocked_columns).
    pub fn is_blocked_columns_with<F: Filter<K> + Sync>(
        &self,
        rays: &RayColumns<'_>,
        query: &Query<K, F>,
        blocked: &mut [bool],
    ) -> Result<(), BatchError> {
        rays.check()?;
        parallel::check_count("places for answers", rays.len(), blocked.len())?;
        parallel::answer_range(0..rays.len(), blocked, &|range, blocked: &mut [bool]| {
            for (number, blocked) in range.zip(blocked) {
                *blocked = rays.get(number).is_some_and(|ray| self.is_blocked_with(&ray, query));
            }
        });
        Ok(())
    }
}
