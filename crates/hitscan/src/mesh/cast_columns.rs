//! Many rays in columns against a mesh.

use super::Mesh;
use crate::error::BatchError;
use crate::geom::culling::{Cull, Culled};
use crate::geom::hit::Side;
use crate::geom::ray::Ray;
use crate::geom::ray_columns::{ColumnHit, HitColumns, RayColumns};
use crate::parallel;
use crate::tri::MeshHit;
use glam::{Vec2, Vec3};

impl ColumnHit<()> for MeshHit {
    fn id(&self) {}

    fn t(&self) -> f32 {
        self.t
    }

    fn part(&self) -> u32 {
        0
    }

    fn triangle(&self) -> Option<u32> {
        Some(self.triangle)
    }

    fn side(&self) -> Side {
        self.side
    }

    fn uv(&self) -> Option<Vec2> {
        Some(self.uv())
    }

    fn point(&self) -> Vec3 {
        self.point()
    }

    fn normal(&self) -> Vec3 {
        self.normal()
    }
}

/// The number of rays that are gathered at a time: eight times as many as go together.
const GATHERED: usize = 64;

impl Mesh {
    /// Does the same as [`cast_batch`](Self::cast_batch) from and into columns: with the same bits, on all threads with the feature `parallel`, and without a
    /// buffer as long as the columns.
    ///
    /// ```
    /// use hitscan::{HitColumns, Mesh, RayColumns};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let (x, half, one, zero, down) = ([0.25, 0.75], [0.5; 2], [1.0; 2], [0.0; 2], [-1.0; 2]);
    /// let rays = RayColumns::new([&x, &half, &one], [&zero, &zero, &down]);
    /// let (mut t, mut ids) = ([0.0; 2], [None; 2]);
    /// mesh.cast_columns(&rays, HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) })?;
    /// assert_eq!((t, ids), ([1.0, f32::INFINITY], [Some(()), None]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a column's length differs from that of the first column of the rays; nothing is written then.
    pub fn cast_columns(&self, rays: &RayColumns<'_>, hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        self.closest_in_columns(rays, Cull::None, hits)
    }

    fn closest_in_columns(
        &self,
        rays: &RayColumns<'_>,
        cull: Cull,
        hits: HitColumns<'_, ()>,
    ) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, ()>| {
            let mut found = [None; GATHERED];
            for start in range.clone().step_by(GATHERED) {
                let count = GATHERED.min(range.end - start);
                // There is a ray at every place up to the end.
                let gathered: [Ray; GATHERED] =
                    core::array::from_fn(|i| rays.get(start + i).unwrap_or(Ray::with_direction([0.0; 3], [0.0; 3])));
                self.closest_of_batch(&gathered[..count], cull, &mut found[..count]);
                for (i, hit) in found[..count].iter().enumerate() {
                    hits.put(start - range.start + i, hit.as_ref());
                }
            }
        });
        Ok(())
    }
}

impl Culled<'_, Mesh> {
    /// Answers as [`Mesh::cast_columns`] does.
    ///
    /// # Errors
    /// Returns the same error.
    pub fn cast_columns(&self, rays: &RayColumns<'_>, hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        self.surface.closest_in_columns(rays, self.cull, hits)
    }
}
