//! The first contact of a volume with a mesh.

use super::mesh_contact::MeshContact;
use crate::convex::{Pose, Volume};
use crate::geom::culling::Cull;
use crate::mesh::Mesh;
use crate::sweep::{Contact, ContactFilter, Rank, Space, Sweep, TakeTriangles, sweep_surface};
use crate::tri::TriangleSet;
use glam::DVec3;

impl Mesh {
    /// Returns the first triangle that a volume touches when it moves by `motion`, in the mesh's own space. Several triangles may be touched at the same time,
    /// as far as f64 can tell. Then a face wins over an edge, an edge over a corner, and a lower triangle number over a higher one. Returns `None` if no
    /// triangle is touched, and for a volume, pose or motion that cannot be used, for example because of a NaN.
    /// [`SweepQueries::sweep`](crate::SweepQueries::sweep) has the details.
    ///
    /// ```
    /// use hitscan::query::Feature;
    /// use hitscan::{Capsule, Mesh};
    ///
    /// let floor = Mesh::from_soup(&[[-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0]])?;
    /// let landing = floor.sweep(Capsule::new(0.5, 2.0), [0.0, 3.0, 0.0], [0.0, -4.0, 0.0]).unwrap();
    /// assert_eq!((landing.t, landing.triangle, landing.feature), (0.5, 0, Feature::Face));
    /// assert_eq!(landing.point.to_array(), [0.0; 3]);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[doc = include_str!("../edges/own_sweep.md")]
    // Without inlining, volumes that are passed by value would be copied.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn sweep(
        &self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
    ) -> Option<MeshContact> {
        first_contact(self, &volume.into(), &from.into(), motion.into())
    }
}

/// Returns the first contact of a moving volume with a surface in the surface's own space.
pub(crate) fn first_contact<T: TriangleSet>(
    surface: &T,
    volume: &Volume,
    from: &Pose,
    motion: DVec3,
) -> Option<MeshContact> {
    let sweep = Sweep::new(volume, from, DVec3::ZERO, motion, ContactFilter::All);
    let sweep = sweep.as_ref()?;
    let mut first = FirstMeshContact { center: sweep.center.world(), contact: None };
    sweep_surface(surface, sweep, &Space::WORLD, (1.0, Cull::None), &mut first);
    first.contact.map(|(_, contact)| contact)
}

/// The first contact so far.
struct FirstMeshContact {
    /// The middle of the volume at its start.
    center: DVec3,
    contact: Option<(Rank, MeshContact)>,
}

impl FirstMeshContact {
    fn wants(&self, triangle: u32, t: f32, rank: Rank) -> bool {
        self.contact.is_none_or(|(first_rank, first)| {
            let order = t.total_cmp(&first.t).then_with(|| rank.cmp(&first_rank));
            order.then_with(|| triangle.cmp(&first.triangle)).is_lt()
        })
    }
}

impl TakeTriangles for FirstMeshContact {
    fn wants_at_start(&self, triangle: u32) -> bool {
        self.wants(triangle, 0.0, Rank::FIRST)
    }

    fn take(&mut self, triangle: u32, t: f32, rank: Rank, met: &Contact) -> f32 {
        if self.wants(triangle, t, rank) {
            self.contact = Some((rank, MeshContact::new(triangle, t, met, self.center)));
        }
        self.contact.map_or(1.0, |(_, first)| first.t)
    }
}
