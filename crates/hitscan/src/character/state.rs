//! The memory of a character from one move to the next.

use crate::convex::Pose;
use crate::geom::affine;
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// The position of a character and the ground that it stands on. It is plain data, so a rollback is a copy.
/// [`Character::move_and_slide`](super::Character::move_and_slide) keeps no other data from one move to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterState<K> {
    /// The position of the volume's own origin, in world space and units.
    pub position: DVec3,
    /// The rotation of the volume around its origin. The character never changes it; rotate a box or hull as you like.
    pub rotation: DQuat,
    /// The position at the end of the last move. If `position` differs from this, the caller has written `position` since.
    pub(super) moved_to: DVec3,
    /// The difference between the exact position and the rounded one. With it, a position far from the origin is as
    /// accurate as one near the origin.
    rest: Vec3,
    pub(super) footing: Option<Footing<K>>,
    pub(super) flight: Flight,
    pub(super) sides: [Option<KeptSide<K>>; MOST_SIDES],
    pub(super) unfinished_escape: Option<Vec3>,
}

/// The number of entities for which a crushed character stores its side. They are the two that close in on it.
pub(super) const MOST_SIDES: usize = 2;

/// The side of an entity on which a character was before the entity crushed it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct KeptSide<K> {
    pub(super) id: K,
    /// The unit normal of the entity on that side, in world space.
    pub(super) normal: Vec3,
}

/// The state of a character that is not on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Flight {
    /// The character stands on the first walkable ground that it touches.
    Lands,
    /// The character has jumped, and stands on nothing until it falls.
    Jumps,
}

/// The ground that carries a character along.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Footing<K> {
    pub(super) id: K,
    /// The character's position in the entity's space; `None` after the entity was placed somewhere else.
    place: Option<DVec3>,
    /// The unit normal of the face on which the character stands, in world space.
    pub(super) normal: Vec3,
    /// The unit normal of the slope with which the next move begins. On a ridge it is between the normals of the faces.
    pub(super) slope: Vec3,
}

const _: () = assert!(size_of::<CharacterState<u64>>() <= 240);

impl<K> CharacterState<K> {
    /// Creates the state of a character at a position, in the air, without a rotation.
    pub fn new(position: impl Into<DVec3>) -> Self {
        let position = position.into();
        Self {
            position,
            rotation: DQuat::IDENTITY,
            moved_to: position,
            rest: Vec3::ZERO,
            footing: None,
            flight: Flight::Lands,
            sides: [const { None }; MOST_SIDES],
            unfinished_escape: None,
        }
    }

    /// Places the character at another position, in the air. The ground on which it stood no longer carries it. The
    /// next move finds the ground at the new position.
    ///
    /// [`position`](Self::position) may also be written at any time. Then the ground still carries the character by the
    /// ground's own motion, for example when a program moves the character by hand on a moving platform.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// let hero = Character::new(Capsule::new(0.3, 1.8))?;
    /// let mut state = CharacterState::new([0.0, 0.91, 0.0]);
    /// hero.move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], 0.1);
    /// state.teleport([5.0, 0.91, 0.0]);
    /// assert!(!state.is_grounded());
    /// hero.move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], 0.1);
    /// assert!(state.is_grounded() && state.position.x == 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("warp", "respawn", "set_position"))]
    pub fn teleport(&mut self, position: impl Into<DVec3>) {
        self.position = position.into();
        (self.moved_to, self.rest) = (self.position, Vec3::ZERO);
        (self.footing, self.flight) = (None, Flight::Lands);
        self.sides = [const { None }; MOST_SIDES];
        self.unfinished_escape = None;
    }

    /// Marks the start of a jump. The character is in the air, and no ground holds it until its velocity no longer points up.
    ///
    /// Call it before the move that has the velocity of a jump. A velocity that points away from the ground is a jump even
    /// without this call. But if the velocity rises less than the ground along the motion, it is a walk without this call. An example is a slow jump uphill.
    #[doc(alias("jump", "unground", "force_unground"))]
    pub fn leave_ground(&mut self) {
        (self.footing, self.flight) = (None, Flight::Jumps);
    }

    /// Marks that the entity on which the character stands was placed somewhere else rather than moved there. The
    /// next move does not carry the character, and searches for ground below it.
    #[doc(alias("platform_teleported"))]
    pub fn ground_was_placed(&mut self) {
        if let Some(footing) = &mut self.footing {
            footing.place = None;
        }
    }

    /// Returns the rest of a motion out of solids. Returns `None` if there is no rest, or if the caller has written the position since.
    pub(super) fn unfinished_escape(&self) -> Option<DVec3> {
        let way = self.unfinished_escape.filter(|_| self.position == self.moved_to)?.as_dvec3();
        (way.is_finite() && way != DVec3::ZERO).then_some(way)
    }

    /// Sets the position to an offset from an origin, with all digits of the offset.
    pub(super) fn set_position(&mut self, origin: DVec3, offset: DVec3) {
        self.position = origin + offset;
        self.moved_to = self.position;
        self.rest = (offset - (self.position - origin)).as_vec3();
    }

    /// Returns the exact position relative to the rounded one; zero if the caller has written the position since.
    pub(super) fn rest(&self) -> DVec3 {
        let rest = self.rest.as_dvec3();
        let is_below_the_last_digit = self.position + rest == self.position;
        if self.position == self.moved_to && is_below_the_last_digit { rest } else { DVec3::ZERO }
    }

    /// Returns whether the character stands on walkable ground.
    pub fn is_grounded(&self) -> bool {
        self.footing.is_some()
    }

    /// Returns the entity that the character stands on.
    pub fn ground(&self) -> Option<&K> {
        self.footing.as_ref().map(|footing| &footing.id)
    }

    /// Returns the position and rotation of the volume, for queries and for [`Scene::set_transform`](crate::Scene::set_transform).
    pub fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation }
    }
}

impl<K> Footing<K> {
    /// Makes the footing of a character at a position on an entity. `normals` are the normals of the face and of the slope.
    /// Returns `None` if f64 cannot represent the position in the entity's space.
    pub(super) fn new(id: K, to_world: &DAffine3, position: DVec3, normals: (DVec3, DVec3)) -> Option<Self> {
        let [normal, slope] = [normals.0, normals.1].map(|normal| normal.as_vec3());
        let place = affine::invert(to_world).ok()?.transform.transform_point3(position);
        place.is_finite().then(|| Self { id, place: Some(place), normal, slope })
    }

    /// Returns the motion of the entity since the last move, at the character's position `at`, in world space. It is zero if
    /// the entity was placed somewhere else.
    pub(super) fn motion(&self, to_world: &DAffine3, at: DVec3) -> DVec3 {
        self.place.map_or(DVec3::ZERO, |place| to_world.transform_point3(place) - at)
    }
}
