//! How deep a volume is in what is around it, and the way out.

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

/// How deep a volume is in a convex thing: a triangle, or a part of an entity that is none.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Penetration<K> {
    /// The entity.
    pub id: K,
    /// Which part of a compound; else 0.
    pub part: u32,
    /// On a mesh or height field the triangle; else `None`.
    pub triangle: Option<u32>,
    /// How far the volume has to be moved, in world units; 0 where it touches.
    pub depth: f32,
    /// The direction to move it in, of unit length, in world space.
    pub normal: Vec3,
    /// On the surface of the thing, where the volume is deepest; relative to the query's origin if there is one.
    pub point: Vec3,
    /// Before it was rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl<K> Penetration<K> {
    /// The motion that takes the volume out of this thing, so that it touches it and no more.
    pub fn separation(&self) -> DVec3 {
        self.exact.separation()
    }

    /// The point before it was rounded to f32, in world space, whatever the query's origin.
    pub fn point_f64(&self) -> DVec3 {
        self.exact.point
    }
}

/// By the public fields.
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

impl<K: Copy + Eq + Hash> View<'_, K> {
    /// Every penetration, the deepest first, into a buffer that is cleared first.
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
                    id: owner.key,
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
