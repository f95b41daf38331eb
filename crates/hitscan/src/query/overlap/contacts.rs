//! Contact points of a volume: a few points of each contact.

use super::penetration::VolumeSeparation;
use super::proximity_parts::form_of;
use super::volume_query::{TouchedPart, VolumeQuery, deepest_first};
use crate::convex::{Pose, Volume};
use crate::math::float::{reported_direction, round_vec3};
use crate::proximity::{Depth, ManifoldPoint, manifold};
use crate::query::View;
use crate::query::answer::by_public_fields;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// A point of contact between a volume and one convex piece. The piece is a triangle, or a part of an entity that has
/// no triangles.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactPoint<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The depth of the volume in the piece at this point, along the normal, in world units; 0 where it touches.
    pub depth: f32,
    /// The direction of the shortest separation from the piece, of unit length, in world space. It is the same for
    /// all points of one piece.
    pub normal: Vec3,
    /// The point on the surface of the piece, relative to the query's origin if there is one.
    pub point: Vec3,
    /// The point on the surface of the volume, deeper by `depth`; relative to the query's origin if there is one.
    pub on_volume: Vec3,
    /// The values before they were rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> ContactPoint<K> {
    /// Returns the points on the piece and on the volume before they were rounded to f32, in world space, whatever the query's origin.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact.points()
    }

    /// Returns the depth before it was rounded to f32.
    pub fn depth_f64(&self) -> f64 {
        self.exact.depth
    }

    /// Returns the normal before it was rounded to f32.
    pub fn normal_f64(&self) -> DVec3 {
        self.exact.normal
    }
}

by_public_fields!(ContactPoint<K> { id, part, triangle, depth, normal, point, on_volume });

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Collects the points of every contact, the deepest contact first, into a buffer that is cleared first.
    pub(in crate::query) fn every_contact(&self, volume: &Volume, at: &Pose, contacts: &mut Vec<ContactPoint<K>>) {
        contacts.clear();
        let Some(standing) = VolumeQuery::new(self, volume, at) else { return };
        let center = standing.center();
        let found = standing.ways_out().into_iter().filter_map(|VolumeSeparation { part, touching, way }| {
            let id = self.scene.owner(part)?.key.clone();
            let form = form_of(part, center)?;
            let points = manifold(&form, (&standing.piece(), standing.hull), &touching, &way);
            let points = points.into_iter().map(|ManifoldPoint { depth, point }| {
                let exact = Depth { depth, point, ..way }.in_world(center.world());
                let [point, on_volume] = exact.points().map(|point| round_vec3(point - self.origin));
                ContactPoint {
                    id: id.clone(),
                    part: part.index,
                    triangle: touching.triangle.map(|(number, ..)| number),
                    depth: depth as f32,
                    normal: reported_direction(way.normal),
                    point,
                    on_volume,
                    exact,
                }
            });
            Some((TouchedPart::new(part, &touching), (way.depth, points.collect::<Vec<_>>())))
        });
        let found = found.collect();
        contacts.extend(deepest_first(found).flatten());
    }
}
