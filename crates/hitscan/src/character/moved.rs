//! The result of a move.

use super::CharacterContact;
use alloc::vec::Vec;
use glam::DVec3;

/// The result of [`Character::move_and_slide`](super::Character::move_and_slide). All vectors are in world space and units.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Moved<K> {
    /// The motion that was made, including the motion of the ground that carried the character.
    pub motion: DVec3,
    /// The wanted velocity without the components that contacts removed. Use it, with gravity, as the velocity of the
    /// next step if the character has momentum. A wall removes the component into the wall. On the ground at the end,
    /// the velocity has no component along up, and its length is the speed over the ground. So the velocity can be the
    /// next input on every slope.
    pub velocity: DVec3,
    /// The ground that the character stands on at the end. It is `None` in the air and on slopes that are too steep.
    pub ground: Option<CharacterGround<K>>,
    /// The velocity at which the ground carried the character in this step, the velocity of a conveyor included. Add it to the
    /// velocity of a jump that keeps a platform's momentum.
    pub ground_velocity: DVec3,
    /// The change of height, along up, by steps that lifted the character (positive) and by following the ground down (negative). The rise
    /// along a slope is not included.
    pub stepped: f64,
    /// The contacts that stopped or deflected the character during the move, in order. The ground below its feet is
    /// listed only if the motion pressed against it; [`ground`](Self::ground) always has it.
    pub contacts: Vec<CharacterContact<K>>,
    /// The contacts with the entities between which the character is crushed, each with the depth. The list is empty if a motion out of them is free. A crushed
    /// character does not walk. A single entity that crushes a character pushes it as far as there is room. What happens next is the caller's choice.
    pub crushed: Vec<CharacterContact<K>>,
    /// The entities that the character passed through because of a
    /// [`ContactResponse::PassThrough`](super::ContactResponse::PassThrough), each once.
    pub passed: Vec<K>,
}

/// Ground under a character.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CharacterGround<K> {
    /// The entity.
    pub id: K,
    /// The point of contact.
    pub point: DVec3,
    /// The unit normal of the contact, which is tilted at an edge.
    pub normal: DVec3,
    /// The unit normal of the surface itself, which decides the slope.
    pub surface_normal: DVec3,
}
