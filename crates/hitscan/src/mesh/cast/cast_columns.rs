//! Many rays in columns against a mesh.

use crate::error::BatchError;
use crate::geom::culling::{Cull, Culled};
use crate::geom::hit::Side;
use crate::geom::hit_lists::AllHitColumns;
use crate::geom::ray_columns::{ColumnHit, GATHERED, GatheredRays, HitColumns, RayBatch};
use crate::mesh::Mesh;
use crate::parallel::{self, Threads};
use crate::tri::MeshHit;
use alloc::vec::Vec;
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

impl Mesh {
    /// Does the same as [`cast_batch`](Self::cast_batch), but writes into columns of your choice. The answers are the
    /// same bits. All threads are used with the feature `parallel`, and no buffer is as long as the columns.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::batch::{HitColumns, RayColumns};
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
    /// Returns an error, and writes nothing, if a column is not as long as there are rays.
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn cast_columns<'r>(&self, rays: impl Into<RayBatch<'r>>, hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        self.closest_in_columns(rays.into(), Cull::None, hits)
    }

    /// Finds all hits of every ray, as [`cast_all`](Self::cast_all) does, into columns of your choice.
    ///
    /// The hits are the same bits as for single rays, in the same order, whatever the number of threads.
    ///
    /// ```
    /// use hitscan::batch::{AllHitColumns, Threads};
    /// use hitscan::{Mesh, Ray};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let tetrahedron = Mesh::new(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])?;
    /// let rays = [0.5, 9.0, 1.0].map(|x| Ray::new([x, 0.5, -1.0], [0.0, 0.0, 1.0]));
    /// let (mut offsets, mut t) = (Vec::new(), Vec::new());
    /// let hits = AllHitColumns { t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
    /// tetrahedron.cast_all_columns(&rays, Threads::All, hits)?;
    /// assert_eq!((&offsets[..], &t[..]), (&[0, 2, 2, 4][..], &[1.0, 4.0, 1.0, 3.5][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a column of the rays is not as long as the first one; nothing is written then.
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn cast_all_columns<'r>(
        &self,
        rays: impl Into<RayBatch<'r>>,
        threads: Threads,
        hits: AllHitColumns<'_, ()>,
    ) -> Result<(), BatchError> {
        self.culled(Cull::None).cast_all_columns(rays, threads, hits)
    }

    fn closest_in_columns(&self, rays: RayBatch<'_>, cull: Cull, hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        rays.check()?;
        hits.check(rays.len())?;
        parallel::answer_range(0..rays.len(), hits, &|range, mut hits: HitColumns<'_, ()>| {
            let (mut gathered, mut found) = (GatheredRays::new(), [None; GATHERED]);
            for start in range.clone().step_by(GATHERED) {
                let count = GATHERED.min(range.end - start);
                self.closest_of_batch(rays.gather(start, count, &mut gathered), cull, &mut found[..count]);
                for (i, hit) in found[..count].iter().enumerate() {
                    hits.put(start - range.start + i, hit.as_ref());
                }
            }
        });
        Ok(())
    }
}

impl Culled<'_, Mesh> {
    /// Casts as [`Mesh::cast_columns`] does, but ignores hits on the culled side.
    ///
    /// # Errors
    /// Returns the same error.
    pub fn cast_columns<'r>(&self, rays: impl Into<RayBatch<'r>>, hits: HitColumns<'_, ()>) -> Result<(), BatchError> {
        self.surface.closest_in_columns(rays.into(), self.cull, hits)
    }

    /// Casts as [`Mesh::cast_all_columns`] does, but ignores hits on the culled side.
    ///
    /// # Errors
    /// Returns the same error.
    pub fn cast_all_columns<'r>(
        &self,
        rays: impl Into<RayBatch<'r>>,
        threads: Threads,
        hits: AllHitColumns<'_, ()>,
    ) -> Result<(), BatchError> {
        let rays = rays.into();
        rays.check()?;
        hits.fill(rays.len(), threads, &|range, columns| {
            let mut found = Vec::new();
            for number in range {
                // There is a ray at every place.
                if let Some(ray) = rays.get(number) {
                    self.cast_all(&ray, &mut found);
                }
                columns.add(&found);
            }
        });
        Ok(())
    }
}
