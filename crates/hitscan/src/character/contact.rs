//! The contacts of a character, and their effects.

use glam::DVec3;

/// A contact of a character with a piece of the scene. All vectors are in world space and units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CharacterContact<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
    /// The point on the surface of the entity.
    pub point: DVec3,
    /// The unit normal of the contact, from the entity to the character. At an edge it is tilted.
    pub normal: DVec3,
    /// The unit normal of the face that is touched.
    pub surface_normal: DVec3,
    /// The depth of the character in the entity before the character left the entity; 0 unless something has moved into the
    /// character.
    pub depth: f64,
    /// The wanted velocity of the character, or the velocity of the conveyor while the character rides on one.
    /// [`impulse`](Self::impulse) computes from it how the character pushes the entity.
    pub velocity: DVec3,
}

impl<K> CharacterContact<K> {
    /// Returns the impulse that a character of this mass gives to the entity, to be applied at [`point`](Self::point).
    /// This impulse stops the character at the surface, if the entity does not yield. It is zero if the character
    /// moves away.
    ///
    /// A physics engine that knows the entity's mass may apply less, and should limit the force of a character that leans on
    /// something.
    pub fn impulse(&self, mass: f64) -> DVec3 {
        self.normal * (mass * self.velocity.dot(self.normal).min(0.0))
    }
}

/// The effect of a contact on the character.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum ContactResponse {
    /// The character slides along the entity, climbs it or stands on it.
    #[default]
    Solid,
    /// The entity is ignored until the end of the move. Examples are a trigger, a pickup, and a one-way platform from
    /// below.
    PassThrough,
    /// The entity is solid, and its surface moves at this velocity. It carries things that stand on it, as a conveyor belt does.
    Conveyor(DVec3),
}
