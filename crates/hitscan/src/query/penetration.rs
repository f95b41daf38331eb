//! The penetration depth of a volume in its surroundings, and the way out.

use super::View;
use super::form::form_of;
use super::overlap::{Standing, Thing, deepest_first};
use crate::float::{reported_direction, round_vec3};
use crate::proximity::{Depth, depth};
use crate::sweep::{Pose, Volume};
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The penetration of a volume into one convex piece: a triangle, or a part of an entity that has no triangles.
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
    /// The distance that the volume has to be moved to get out, in world units; 0 where it touches.
    pub depth: f32,
    /// The direction to move the volume in, of unit length, in world space.
    pub normal: Vec3,
    /// The point on the surface of the piece where the volume is deepest, relative to the query's origin if there is one.
    pub point: Vec3,
    /// The values before they were rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> Penetration<K> {
    /// Returns the motion that takes the volume out of this piece, so that it just touches it.
    pub fn separation(&self) -> DVec3 {
        self.exact.separation()
    }

    /// Returns the point in world space before it was rounded to f32, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact.point
    }
}

/// Compares the public fields.
impl<K: PartialEq> PartialEq for Penetration<K> {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.part, of.triangle, of.depth, of.normal, of.point);
        self.id == other.id && said(self) == said(other)
    }
}

impl<K: fmt::Debug> fmt::Debug for Penetration<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Penetration")
            .field("id", &self.id)
            .field("part", &self.part)
            .field("triangle", &self.triangle)
            .field("depth", &self.depth)
            .field("normal", &self.normal)
            .field("point", &self.point)
            .finish_non_exhaustive()
    }
}

impl<K: Clone + Eq + Hash> View<'_, K> {
    /// Collects every penetration, the deepest first, into a buffer that is cleared first.
    pub(super) fn penetrations(&self, volume: &Volume, at: &Pose, penetrations: &mut Vec<Penetration<K>>) {
        penetrations.clear();
        let Some(standing) = Standing::new(self, volume, at) else { return };
        let center = standing.center();
        let mut found = Vec::new();
        let _ = standing.run(&mut |part, touching| {
            if let Some(form) = form_of(part, center)
                && let Some(owner) = self.scene.owner(part)
            {
                let exact = depth(&form, &standing.piece(), &touching).in_world(center);
                let penetration = Penetration {
                    id: owner.key.clone(),
                    part: part.index,
                    triangle: touching.triangle.map(|(number, ..)| number),
                    depth: exact.depth as f32,
                    normal: reported_direction(exact.normal),
                    point: round_vec3(exact.point - self.origin),
                    exact,
                };
                found.push((Thing::new(part, &touching), exact.depth, penetration));
            }
            ControlFlow::Continue(())
        });
        penetrations.extend(deepest_first(found));
    }
}
