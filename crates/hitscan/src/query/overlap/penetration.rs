//! The penetration of a volume into other things: the depth, and the motion that separates the volume.

use super::proximity_parts::form_of;
use super::settled_depth::PartDepths;
use super::volume_query::{TouchedPart, VolumeQuery, deepest_first, in_order};
use crate::convex::SearchBudget;
use crate::convex::{Pose, Volume};
use crate::math::float::{larger, largest, reported_direction, round_vec3};
use crate::proximity::{Depth, Touching, depth};
use crate::query::View;
use crate::query::answer::by_public_fields;
use crate::query::sweep::seam::NEARLY;
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The penetration of a volume into one convex piece. The piece is a triangle, or a part of an entity that has no
/// triangles.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The distance by which the volume has to be moved out of the piece, in world units. It is 0 if the two only
    /// touch.
    pub depth: f32,
    /// The direction of that motion, of unit length, in world space.
    pub normal: Vec3,
    /// The point on the surface of the piece where the volume is deepest, relative to the query's origin if there is one.
    pub point: Vec3,
    /// The values before they were rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> Penetration<K> {
    /// Returns the motion that moves the volume out of this piece. After it, the two just touch.
    pub fn separation(&self) -> DVec3 {
        self.exact.separation()
    }

    /// Returns the depth before it was rounded to f32.
    pub(crate) fn depth_f64(&self) -> f64 {
        self.exact.depth
    }

    /// Returns the normal before it was rounded to f32.
    pub(crate) fn normal_f64(&self) -> DVec3 {
        self.exact.normal
    }

    /// Returns the point in world space before it was rounded to f32, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact.point
    }
}

by_public_fields!(Penetration<K> { id, part, triangle, depth, normal, point });

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Collects every penetration, the deepest first, into a buffer that is cleared first.
    pub(in crate::query) fn penetrations(&self, volume: &Volume, at: &Pose, penetrations: &mut Vec<Penetration<K>>) {
        penetrations.clear();
        let Some(standing) = VolumeQuery::new(self, volume, at) else { return };
        let found = standing.ways_out().into_iter().filter_map(|out| {
            let (thing, depth) = (TouchedPart::new(out.part, &out.touching), out.way.depth);
            Some((thing, (depth, self.reported_way(&standing, &out)?)))
        });
        penetrations.extend(deepest_first(found.collect()));
    }
}

impl<K: Clone + Eq + Hash> View<'_, K> {
    fn reported_way(&self, standing: &VolumeQuery<'_, K>, out: &VolumeSeparation<'_>) -> Option<Penetration<K>> {
        let exact = out.way.in_world(standing.center().world());
        Some(Penetration {
            id: self.scene.owner(out.part)?.key.clone(),
            part: out.part.index,
            triangle: out.touching.triangle.map(|(number, ..)| number),
            depth: exact.depth as f32,
            normal: reported_direction(exact.normal),
            point: round_vec3(exact.point - self.origin),
            exact,
        })
    }

    /// Returns, for every piece within a distance of the volume, the motion after which the gap between the two is that
    /// distance. The order is by entities, parts and triangles.
    pub(crate) fn ways_to_distance(&self, volume: &Volume, at: &Pose, distance: f64) -> Vec<Penetration<K>> {
        let Some(mut standing) = VolumeQuery::new(self, volume, at) else { return Vec::new() };
        standing.placed.body.radius += distance;
        let ways = standing.ways_out();
        let found = ways.iter().map(|out| (TouchedPart::new(out.part, &out.touching), out));
        in_order(found.collect()).filter_map(|(_, out)| self.reported_way(&standing, out)).collect()
    }
}

/// The separation of a volume around the origin from a piece that it touches.
pub(in crate::query) struct VolumeSeparation<'a> {
    pub(in crate::query) part: &'a Part,
    pub(in crate::query) touching: Touching,
    pub(in crate::query) way: Depth,
}

impl<'a, K: Clone + Eq + Hash> VolumeQuery<'a, K> {
    /// Returns the separation from every piece that is not hidden by others. A part may have a hidden piece that is deeper, by more than rounding, than every
    /// piece that is not hidden. Then the separation from the deepest hidden piece is returned too. Some separations may be returned more than once.
    pub(in crate::query) fn ways_out(&self) -> Vec<VolumeSeparation<'a>> {
        let mut ways: Vec<VolumeSeparation<'a>> = Vec::new();
        let looks = SearchBudget::of_question();
        let _ = self.show_near_parts(&mut |part| {
            let Some(form) = form_of(part, self.center()) else { return ControlFlow::Continue(()) };
            let (first, mut hidden) = (ways.len(), None);
            let mut depths = PartDepths::new(self, part);
            let _ = self.show_contacts_of_form((part, &form), &mut |part, touching| {
                let way = depth(&form, &self.piece(), &touching, &looks);
                match depths.settled(&touching, way) {
                    Some(way) => ways.push(VolumeSeparation { part, touching, way }),
                    None => hidden = deeper(hidden.take(), VolumeSeparation { part, touching, way }),
                }
                ControlFlow::Continue(())
            });
            // A piece hides others by its plane, but the separation from the piece may lead past an edge of it. This separation may be
            // shorter than the separation along the normal, and may leave the volume in the hidden pieces.
            let deepest = ways[first..].iter().map(|out| out.way.depth).reduce(larger);
            ways.extend(
                hidden.filter(|hidden| deepest.is_none_or(|deepest| hidden.way.depth > deepest + self.slight())),
            );
            ControlFlow::Continue(())
        });
        ways
    }

    /// Returns the largest difference between the depths in two pieces of one plane (docs/robustness/seams.md).
    fn slight(&self) -> f64 {
        let size = largest(self.placed.body.half_extents());
        NEARLY * size + 16.0 * self.placed.body.rounding(size)
    }
}

/// Returns the separation with the larger depth; among equal depths, the separation from the lower triangle.
fn deeper<'a>(of: Option<VolumeSeparation<'a>>, other: VolumeSeparation<'a>) -> Option<VolumeSeparation<'a>> {
    let number = |way: &VolumeSeparation<'a>| way.touching.triangle.map(|(number, ..)| number);
    let is_before = |way: &VolumeSeparation<'a>| {
        way.way.depth.total_cmp(&other.way.depth).then(number(&other).cmp(&number(way))).is_ge()
    };
    if of.as_ref().is_some_and(is_before) { of } else { Some(other) }
}
