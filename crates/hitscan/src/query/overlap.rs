//! What a volume touches or overlaps where it is.

use super::form::{form_of, is_in_front, near_parts};
use super::options::Filters;
use super::{Candidate, Filter, Query};
use crate::hit::Side;
use crate::proximity::{Piece, Touching, each_touching};
use crate::scene::{Part, Scene};
use crate::sweep::{Body, Placed, Pose, Volume};
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::DVec3;

/// Something that a volume touches or overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Overlap<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// On a mesh or height field the triangle; else `None`.
    pub triangle: Option<u32>,
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// Whether a volume touches or overlaps anything where it is, in world space.
    ///
    /// **Touching counts**, as far as f64 can tell it from being apart, as in [`sweep`](Self::sweep), of which this is the motion of length 0. Solids count with
    /// their inside; a mesh is its surface, and a volume that is wholly inside of one overlaps nothing, nor does a point that is in no surface. Triangles without area are
    /// never touched, holes that are cut out by a texture are solid, and a shape of your own counts if it [says how far it
    /// reaches](crate::CustomShape::farthest). What is not finite, is above 1e70, or a volume that is not valid touches nothing.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, Scene, Sphere, Volume, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// assert!(scene.overlaps(Sphere::new(0.5), [1.5, 1.0, 0.0])); // touches
    /// assert!(!scene.overlaps(Sphere::new(0.5), [1.75, 1.0, 0.0]));
    /// assert!(scene.overlaps(Volume::Point, [0.0, 1.0, 0.0]));
    /// assert!(!scene.overlaps(Capsule::new(0.25, 2.0), [0.0, 3.5, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("check_sphere", "check_box", "check_capsule", "intersection_test"))]
    pub fn overlaps(&self, volume: impl Into<Volume>, at: impl Into<Pose>) -> bool {
        self.overlaps_with(volume, at, &Query::new())
    }

    /// [`overlaps`](Self::overlaps) anything that the query lets count: its layers, entities, filters (for which `t` is 0), and of sides those that the
    /// volume's middle is on. The place is relative to its origin; `inside`, `cut_outs`, `contacts` and `after` are for other questions.
    pub fn overlaps_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
    ) -> bool {
        Standing::new(self, query, &volume.into(), &at.into())
            .is_some_and(|standing| standing.run(&mut |_, _| ControlFlow::Break(())).is_break())
    }

    /// Every entity that a volume touches or overlaps, once, in the order in which they were inserted, into a buffer that is cleared first. See [`overlaps`](Self::overlaps).
    ///
    /// ```
    /// use hitscan::{Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..5 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(3.0 * f64::from(id), 0.0, 0.0))?;
    /// }
    /// let mut near = Vec::new();
    /// scene.overlapping(Sphere::new(2.5), [6.0, 0.0, 0.0], &mut near);
    /// assert_eq!(near, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("overlap_sphere", "overlap_box", "overlap_capsule", "intersect_shape", "sensor", "trigger"))]
    pub fn overlapping(&self, volume: impl Into<Volume>, at: impl Into<Pose>, entities: &mut Vec<K>) {
        self.overlapping_with(volume, at, &Query::new(), entities);
    }

    /// [`overlapping`](Self::overlapping) of what the query lets count, as for [`overlaps_with`](Self::overlaps_with).
    pub fn overlapping_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
        entities: &mut Vec<K>,
    ) {
        entities.clear();
        let Some(standing) = Standing::new(self, query, &volume.into(), &at.into()) else { return };
        let mut found: Vec<(u64, K)> = Vec::new();
        let _ = standing.run_parts(&mut |part| {
            if standing.touches(part, &mut |_, _| ControlFlow::Break(())).is_break()
                && let Some(owner) = self.owner(part)
            {
                found.push((part.order, owner.key));
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|&(order, _)| order);
        found.dedup_by_key(|&mut (order, _)| order);
        entities.extend(found.into_iter().map(|(_, key)| key));
    }

    /// Everything that a volume touches or overlaps, each triangle and each part that is none once, in the order of entity, part, triangle; into a buffer that is
    /// cleared first. See [`overlaps`](Self::overlaps).
    ///
    /// ```
    /// use hitscan::{Mesh, Scene, Sphere, glam::DVec3};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?, DVec3::ZERO)?;
    /// let mut all = Vec::new();
    /// scene.overlap_all(Sphere::new(0.5), [3.5, 0.5, 0.25], &mut all);
    /// assert_eq!(all.iter().map(|of| of.triangle).collect::<Vec<_>>(), [Some(0)]);
    /// scene.overlap_all(Sphere::new(0.5), [2.0, 2.0, 0.25], &mut all);
    /// assert_eq!(all.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_all(&self, volume: impl Into<Volume>, at: impl Into<Pose>, overlaps: &mut Vec<Overlap<K>>) {
        self.overlap_all_with(volume, at, &Query::new(), overlaps);
    }

    /// [`overlap_all`](Self::overlap_all) of what the query lets count, as for [`overlaps_with`](Self::overlaps_with).
    pub fn overlap_all_with<F: Filter<K>>(
        &self,
        volume: impl Into<Volume>,
        at: impl Into<Pose>,
        query: &Query<K, F>,
        overlaps: &mut Vec<Overlap<K>>,
    ) {
        overlaps.clear();
        let Some(standing) = Standing::new(self, query, &volume.into(), &at.into()) else { return };
        let mut found: Vec<(Thing, K)> = Vec::new();
        let _ = standing.run(&mut |part, touching| {
            found.extend(self.owner(part).map(|owner| (Thing::new(part, &touching), owner.key)));
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|&(thing, _)| thing);
        found.dedup_by_key(|&mut (thing, _)| thing);
        overlaps.extend(found.into_iter().map(|(Thing { part, triangle, .. }, id)| Overlap { id, part, triangle }));
    }
}

/// Something that a volume touches, by its place in the order of answers. A triangle may be shown more than once, as it may be in several leaves of its mesh's tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thing {
    order: u64,
    part: u32,
    triangle: Option<u32>,
}

impl Thing {
    pub(super) fn new(part: &Part, touching: &Touching) -> Self {
        let triangle = touching.triangle.map(|(number, ..)| number);
        Self { order: part.order, part: part.index, triangle }
    }
}

/// What is found of each thing, once, by how deep the volume is in it.
pub(super) fn deepest_first<T>(mut found: Vec<(Thing, f64, T)>) -> impl Iterator<Item = T> {
    found.sort_unstable_by_key(|&(thing, ..)| thing);
    found.dedup_by_key(|&mut (thing, ..)| thing);
    found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().map(|(.., of)| of)
}

/// A volume in a scene.
pub(super) struct Standing<'a, K, F> {
    scene: &'a Scene<K>,
    query: &'a Query<K, F>,
    pub(super) placed: Placed,
}

/// What is done with each contact that counts.
pub(super) type Take<'a, 's> = dyn FnMut(&'s Part, Touching) -> ControlFlow<()> + 'a;

impl<'a, K: Copy + Eq + Hash, F: Filter<K>> Standing<'a, K, F> {
    /// `None` for what touches nothing.
    pub(super) fn new(scene: &'a Scene<K>, query: &'a Query<K, F>, volume: &Volume, at: &Pose) -> Option<Self> {
        Some(Self { scene, query, placed: Body::placed(volume, at, query.origin)? })
    }

    /// Shows every contact, some perhaps more than once.
    pub(super) fn run(&self, take: &mut Take<'_, 'a>) -> ControlFlow<()> {
        self.run_parts(&mut |part| self.touches(part, take))
    }

    /// Shows every part that may be touched.
    fn run_parts(&self, show: &mut dyn FnMut(&'a Part) -> ControlFlow<()>) -> ControlFlow<()> {
        let Placed { center, body } = &self.placed;
        let half = body.half_extents();
        near_parts(self.scene, self.query, (*center - half, *center + half), 0.0, &mut |part| {
            show(part)?;
            ControlFlow::Continue(0.0)
        })
    }

    /// Shows the contacts with a part that count.
    fn touches(&self, part: &'a Part, take: &mut Take<'_, 'a>) -> ControlFlow<()> {
        let Some(form) = form_of(part, self.placed.center) else { return ControlFlow::Continue(()) };
        each_touching(&form, &Piece::of_body(&self.placed.body), &mut |touching| {
            if self.counts(part, &touching) { take(part, touching) } else { ControlFlow::Continue(()) }
        })
    }

    fn counts(&self, part: &Part, touching: &Touching) -> bool {
        let in_front = match touching.triangle {
            Some((_, _, in_front)) => in_front,
            None => is_in_front(part, self.placed.center),
        };
        let side = if in_front { Side::Front } else { Side::Back };
        if !self.query.cull.keeps(side) {
            return false;
        }
        if self.query.filters == Filters::None {
            return true;
        }
        let Some(owner) = self.scene.owner(part) else { return false };
        self.query.filter.takes_hit(&Candidate {
            id: owner.key,
            part: part.index,
            t: 0.0,
            side,
            triangle: touching.triangle.map(|(number, ..)| number),
            feature: None,
            uv: None,
            geometry: &part.geometry,
        })
    }

    /// The volume, relative to its middle.
    pub(super) fn piece(&self) -> Piece<'_> {
        Piece::of_body(&self.placed.body)
    }

    pub(super) fn center(&self) -> DVec3 {
        self.placed.center
    }
}
