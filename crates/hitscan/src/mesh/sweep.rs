//! A volume through a mesh's tree.

use super::area::has_area;
use super::packet::SIZE;
use super::swept::sweep_leaves;
use super::{Mesh, MeshContact, Shared, Surface};
use crate::filter::Cull;
use crate::float::smaller;
use crate::ray::LocalRay;
use crate::simd::dispatch;
use crate::sweep::{ContactFilter, Met, Pose, Rank, Space, Sweep, TakeTriangles, Thickness, Volume, sweep_surface};
use glam::{DVec3, Vec3};

/// Handles each triangle that a volume may touch, given its number and its local corners. Returns the largest t that matters from now on.
pub(crate) type Near<'a> = dyn FnMut(u32, [Vec3; 3]) -> f32 + 'a;

impl Mesh {
    /// Returns the first triangle that a volume touches on its way by `motion`, in the mesh's own space. If several are touched at the same time, as far as f64
    /// can tell, a face comes before an edge, an edge before a corner, and then the lowest triangle. Returns `None` if there is none, and for a volume,
    /// pose or motion that cannot be used, such as one with a NaN: see [`SweepQueries::sweep`](crate::SweepQueries::sweep), which has the details.
    ///
    /// ```
    /// use hitscan::{Capsule, Feature, Mesh};
    ///
    /// let floor = Mesh::from_soup(&[[-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0]])?;
    /// let landing = floor.sweep(Capsule::new(0.5, 2.0), [0.0, 3.0, 0.0], [0.0, -4.0, 0.0]).unwrap();
    /// assert_eq!((landing.t, landing.triangle, landing.feature), (0.5, 0, Feature::Face));
    /// assert_eq!(landing.point.to_array(), [0.0; 3]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    // Otherwise volumes that are given by value would be copied.
    #[inline(always)]
    pub fn sweep(
        &self,
        volume: impl Into<Volume>,
        from: impl Into<Pose>,
        motion: impl Into<DVec3>,
    ) -> Option<MeshContact> {
        first_contact(self, &volume.into(), &from.into(), motion.into())
    }

    pub(super) fn near_triangles(&self, ray: &LocalRay, thickness: &Thickness<'_>, show: &mut Near<'_>) {
        let shared = &*self.shared;
        // The corners are those of the packet, which is in the cache.
        let show = &mut |place| shared.show(shared.triangle_at(place), shared.corners_at(place), show);
        dispatch!(simd => sweep_leaves::<_, _, SIZE>(simd, (shared, &shared.frame), ray, thickness, show));
    }
}

/// Returns the first contact of a moving volume with a surface in the surface's own space.
pub(crate) fn first_contact<T: Surface>(
    surface: &T,
    volume: &Volume,
    from: &Pose,
    motion: DVec3,
) -> Option<MeshContact> {
    let sweep = Sweep::new(volume, from, DVec3::ZERO, motion, ContactFilter::All);
    let sweep = sweep.as_ref()?;
    let mut first = First { center: sweep.center, contact: None };
    sweep_surface(surface, sweep, &Space::WORLD, (1.0, Cull::None), &mut first);
    first.contact.map(|(_, contact)| contact)
}

/// The first contact so far.
struct First {
    /// The middle of the volume at its start.
    center: DVec3,
    contact: Option<(Rank, MeshContact)>,
}

impl First {
    fn wants(&self, triangle: u32, t: f32, rank: Rank) -> bool {
        self.contact.is_none_or(|(first_rank, first)| {
            let order = t.total_cmp(&first.t).then_with(|| rank.cmp(&first_rank));
            order.then_with(|| triangle.cmp(&first.triangle)).is_lt()
        })
    }
}

impl TakeTriangles for First {
    fn wants_at_start(&self, triangle: u32) -> bool {
        self.wants(triangle, 0.0, Rank::FIRST)
    }

    fn take(&mut self, triangle: u32, t: f32, rank: Rank, met: &Met) -> f32 {
        if self.wants(triangle, t, rank) {
            self.contact = Some((rank, MeshContact::new(triangle, t, met, self.center)));
        }
        self.contact.map_or(1.0, |(_, first)| first.t)
    }
}

impl Shared {
    /// Shows the triangles of a leaf of the tree, and those that they stand for.
    pub(super) fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        for triangle in self.packets.numbers(leaf as usize) {
            self.show(triangle, self.triangle(triangle), &mut |triangle, corners| {
                show(triangle, corners);
                0.0
            });
        }
    }

    /// Shows a triangle, and those that it stands for; returns the smallest of the answers.
    #[inline(always)]
    fn show(&self, triangle: u32, corners: [Vec3; 3], show: &mut Near<'_>) -> f32 {
        let t_max = show(triangle, corners);
        self.repeats.of_triangle(triangle).fold(t_max, |t_max, other| smaller(show(other, corners), t_max))
    }
}

/// Returns whether a ray, or a volume, can meet a triangle.
pub(crate) fn can_be_met(corners: [Vec3; 3]) -> bool {
    has_area(corners)
}
