//! The memory of a character from one move to the next.

use crate::convex::Pose;
use crate::geom::affine;
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// The place of a character and the ground that it stands on. It is plain data, so that a rollback is a copy:
/// [`Character::move_and_slide`](super::Character::move_and_slide) reads and writes nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterState<K> {
    /// The place of the volume's own origin, in world space and units.
    pub position: DVec3,
    /// The rotation of the volume around its origin. The character never changes it; turn a box or hull as you like.
    pub rotation: DQuat,
    /// The part of the position that is below its last digit. A place far from the origin is as accurate with it as one
    /// near the origin.
    pub(super) rest: Vec3,
    pub(super) footing: Option<Footing<K>>,
}

/// The ground that carries a character along.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Footing<K> {
    pub(super) id: K,
    /// The character's position in the entity's space.
    pub(super) place: DVec3,
    /// The unit normal of the contact, in world space.
    pub(super) normal: Vec3,
}

const _: () = assert!(size_of::<CharacterState<u64>>() <= 128);

impl<K> CharacterState<K> {
    /// Creates the state of a character at a place, in the air, without a rotation.
    pub fn new(position: impl Into<DVec3>) -> Self {
        Self { position: position.into(), rotation: DQuat::IDENTITY, rest: Vec3::ZERO, footing: None }
    }

    /// Sets the position to an offset from an origin, with all digits of the offset.
    pub(super) fn set_position(&mut self, origin: DVec3, offset: DVec3) {
        self.position = origin + offset;
        self.rest = (offset - (self.position - origin)).as_vec3();
    }

    /// Returns the position relative to its rounded value: zero if the caller has set another position since.
    pub(super) fn rest(&self) -> DVec3 {
        let rest = self.rest.as_dvec3();
        if self.position + rest == self.position { rest } else { DVec3::ZERO }
    }

    /// Returns whether the character stands on walkable ground.
    pub fn is_grounded(&self) -> bool {
        self.footing.is_some()
    }

    /// Returns the entity that the character stands on.
    pub fn ground(&self) -> Option<&K> {
        self.footing.as_ref().map(|footing| &footing.id)
    }

    /// Returns where the volume is, for queries and for [`Scene::set_transform`](crate::Scene::set_transform).
    pub fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation }
    }
}

impl<K> Footing<K> {
    /// Returns `None` on an entity in whose space f64 has no numbers for the position.
    pub(super) fn new(id: K, to_world: &DAffine3, position: DVec3, normal: DVec3) -> Option<Self> {
        let place = affine::invert(to_world).ok()?.transform.transform_point3(position);
        place.is_finite().then(|| Self { id, place, normal: normal.as_vec3() })
    }

    /// Returns where the entity has carried a character that was at a position.
    pub(super) fn carried(&self, to_world: &DAffine3) -> DVec3 {
        to_world.transform_point3(self.place)
    }
}
