//! A character: a volume that walks, slides along walls, climbs steps and stays on the ground, moved only by queries.

mod air;
mod body;
mod contact;
mod escape;
mod grade;
mod moved;
mod pace;
mod planes;
mod state;
mod walk;

pub use contact::{CharacterContact, ContactResponse};
pub use moved::{CharacterGround, Moved};
pub use state::CharacterState;

use crate::convex::{Body, Volume};
use crate::error::{ShapeError, errors};
use crate::math::float::larger;
use crate::query::{ProximityQueries, View};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// The form and the settings of a character that is moved by its velocity: a kinematic character controller.
///
/// It is a value without a position. Many characters may share it, and each has a [`CharacterState`]. Lengths are in
/// world units. The defaults follow from the size of the volume, so nothing depends on the unit of the world.
///
/// ```
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
/// scene.insert("step", Aabb::new([2.0, 0.0, -9.0], [9.0, 0.25, 9.0]), DVec3::ZERO)?;
/// scene.insert("wall", Aabb::new([4.0, 0.0, -9.0], [5.0, 3.0, 9.0]), DVec3::ZERO)?;
///
/// let hero = Character::new(Capsule::new(0.3, 1.8))?;
/// let mut state = CharacterState::new([0.0, 1.5, 0.0]);
/// let mut fall = 0.0;
/// for _ in 0..120 {
///     let dt = 1.0 / 60.0;
///     fall = if state.is_grounded() { 0.0 } else { fall - 9.81 * dt };
///     hero.move_and_slide(&scene, &mut state, [4.0, fall, 0.0], dt);
/// }
/// assert_eq!(state.ground(), Some(&"step"));
/// let feet = state.position.y - 0.9;
/// assert!((feet - 0.25 - hero.skin).abs() < 1e-6 && (state.position.x - 3.7 + hero.skin).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Character {
    /// The volume, in its own space, where up is +y if the state has no rotation. The origin of that space is at the state's
    /// position.
    pub volume: Volume,
    /// The up direction, of unit length.
    pub up: DVec3,
    /// The gap that the character keeps to everything. A larger gap tolerates moving geometry better; with a smaller gap, the
    /// character is closer to surfaces. By default a hundredth of the volume's least half extent.
    pub skin: f64,
    /// The steepest ground that can be walked on and climbed, in radians from level. By default 50 degrees. A surface steeper than about 87 degrees, whose unit
    /// normal has a component along up of less than 1/20, is always a wall. This holds even if the limit is a quarter turn.
    pub max_slope: f64,
    /// The highest step that is climbed without a jump. By default a fifth of the volume's height.
    pub step_up: f64,
    /// The least depth of a step, from its edge to the next step or wall. A step with less free depth is not climbed. By default half of the volume's least
    /// half extent.
    pub step_depth: f64,
    /// The distance below its feet over which the character follows the ground down steps and slopes. The default is `step_up`.
    pub step_down: f64,
    /// The speed at which the character moves out of solids that it overlaps, in world units a second. By default infinite.
    pub escape_speed: f64,
    /// If this is true, as by default, the speed along a slope is the speed of the wanted velocity. This holds over ridges and valleys too. So a walk ends at
    /// the same place at every frame rate. Over the edge of a step, which has a steep face beside it, the horizontal speed is the wanted speed. If this is
    /// false, the horizontal speed is the wanted speed everywhere, so the character is faster on slopes. It then rises by at most 20 times its horizontal
    /// motion, because [`max_slope`](Self::max_slope) has a limit.
    pub keeps_speed_on_slopes: bool,
}

errors! {
    /// Why a character cannot be made or moved.
    pub enum CharacterError {
        /// The volume hits nothing.
        #[error("the character's volume cannot be used: {error}")]
        Volume(error: ShapeError),
        /// The volume has no extent along some axis, so no skin can be derived from its size.
        #[error("the character's volume must have an extent along every axis")]
        Flat,
        /// The up direction is not of unit length.
        #[error("the character's up direction must have the length 1, unlike {up}")]
        Up(up: DVec3),
        /// A length, speed or angle, given by its name and value, is out of range.
        #[error("the character's {name} must be {}, not {value}", limits(name))]
        Setting(name: &'static str, value: f64),
    }
}

/// Returns the values that a setting of this name may have.
fn limits(name: &str) -> &'static str {
    match name {
        "skin" => "finite and above 0",
        "max_slope" => "from 0 to half of pi, in radians",
        "escape_speed" => "at least 0",
        _ => "finite and at least 0",
    }
}

impl Character {
    /// Creates a character with the defaults for its volume and the up direction +y.
    ///
    /// # Errors
    ///
    /// Returns an error for a volume that [cannot be used](Volume::validate), for a point, and for a flat box.
    pub fn new(volume: impl Into<Volume>) -> Result<Self, CharacterError> {
        let volume = volume.into();
        volume.validate().map_err(CharacterError::Volume)?;
        let half = body::half_extents(&volume).ok_or(CharacterError::Flat)?;
        let least = half.min_element();
        if !(least > 0.0) {
            return Err(CharacterError::Flat);
        }
        let step = 0.4 * half.y;
        Ok(Self {
            volume,
            up: DVec3::Y,
            skin: 0.01 * least,
            max_slope: 50f64.to_radians(),
            step_up: step,
            step_depth: 0.5 * least,
            step_down: step,
            escape_speed: f64::INFINITY,
            keeps_speed_on_slopes: true,
        })
    }

    /// Checks the volume and the settings. A character that fails this is not moved.
    ///
    /// # Errors
    ///
    /// Returns an error as [`new`](Self::new) does. It also returns an error for an up direction that is not of unit length, and for a skin that is not
    /// positive and finite. The slope must be from 0 to a quarter turn. The heights and depths of steps must be finite and not negative, and the speed must not
    /// be negative or NaN.
    pub fn validate(&self) -> Result<(), CharacterError> {
        self.volume.validate().map_err(CharacterError::Volume)?;
        if !self.up.is_normalized() {
            return Err(CharacterError::Up(self.up));
        }
        let ensure = |is_right: bool, name: &'static str, value: f64| {
            if is_right { Ok(()) } else { Err(CharacterError::Setting(name, value)) }
        };
        ensure(self.skin > 0.0 && self.skin.is_finite(), "skin", self.skin)?;
        ensure((0.0..=core::f64::consts::FRAC_PI_2).contains(&self.max_slope), "max_slope", self.max_slope)?;
        let is_length = |value: f64| value >= 0.0 && value.is_finite();
        ensure(is_length(self.step_up), "step_up", self.step_up)?;
        ensure(is_length(self.step_depth), "step_depth", self.step_depth)?;
        ensure(is_length(self.step_down), "step_down", self.step_down)?;
        ensure(self.escape_speed >= 0.0, "escape_speed", self.escape_speed)
    }

    /// Returns whether the volume has room at a state. Call it before a crouching character stands up, or before a
    /// character is placed somewhere.
    ///
    /// A volume that only touches something has room. So has a volume that overlaps something by up to a thousandth of the skin, which is treated as rounding.
    /// Everything that the view includes takes room, even triggers. A closed mesh is a solid. There is no room at a place where it
    /// [contains](crate::Mesh::contains) the volume's middle. A character has no room if it is not [valid](Self::validate). It also has no room if its position
    /// is not finite, or its rotation is zero or not finite.
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ceiling", Aabb::new([-9.0, 1.5, -9.0], [9.0, 2.0, 9.0]), DVec3::ZERO)?;
    /// let standing = Character::new(Capsule::new(0.3, 1.8))?;
    /// let crouching = Character::new(Capsule::new(0.3, 1.2))?;
    /// assert!(!standing.has_room(&scene, &CharacterState::new([0.0, 0.9, 0.0])));
    /// assert!(crouching.has_room(&scene, &CharacterState::new([0.0, 0.6, 0.0])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/room.md")]
    pub fn has_room<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        state: &CharacterState<K>,
    ) -> bool {
        let placed = Body::placed(&self.volume, &state.pose(), DVec3::ZERO);
        let Some(placed) = placed.filter(|_| self.validate().is_ok()) else { return false };
        let (view, mut inside) = (view.into().relative_to(DVec3::ZERO), Vec::new());
        view.penetration_all(&self.volume, state.pose(), &mut inside);
        inside.iter().all(|way| way.depth_f64() <= body::AT_REST * self.skin)
            && view.closed_meshes_around(placed.center.world()).is_empty()
    }

    /// Moves a character by its velocity for a time, in a [`Scene`](crate::Scene) or a view of it. Velocities are in world units a second.
    ///
    /// The character is first carried by the entity that it stands on. This entity may have been moved or rotated since the last move.
    /// The character moves as if it were fixed to the entity, without a frame of lag. Then it leaves solids that it overlaps. Then it
    /// makes its own motion. On the ground it follows slopes and steps. In the air it slides along every surface that it hits. The
    /// caller computes gravity, acceleration and air control, and adds them to the velocity.
    ///
    /// **Jumps.** The character leaves the ground if its velocity points away from the ground. That is so if the velocity's component along up is above zero
    /// and above the rise of the ground along the motion. Otherwise it walks, and a downward component has no effect. So [`Moved::velocity`] plus gravity can
    /// be the next velocity on every slope. A jump that rises more slowly than the ground needs [`CharacterState::leave_ground`].
    ///
    /// **Getting out.** A character that overlaps a solid makes the shortest motion whose end is free and that passes through nothing else, at
    /// [`escape_speed`](Self::escape_speed). A motion that takes several moves is continued while its end is free. These motions are tried. These motions are
    /// tried. One is out of all things at once, and eight are out of each of the deepest things. The others are the sums of two of these eight, and up. The
    /// motion never passes through the ground on which the character stands. If no motion is free, [`Moved::crushed`] lists the things between which the
    /// character is. If a single thing crushes the character, that thing pushes it as far as there is room. The character stays on its side of each of the
    /// first two entities until it is free. A closed mesh is a solid, whose inside [`Mesh::contains`](crate::Mesh::contains) decides; an open mesh has no
    /// inside.
    ///
    /// **Crowds.** A separation may be horizontal, and the opposite motion may be as short. This happens with another character at the same point. Then the
    /// order of insertion gives each such entity a horizontal direction. The character moves opposite to the sum of these directions, or else in one of eight
    /// directions. The length of the motion is one to three times the shortest length that leads out in that direction. The motion may pass through other
    /// entities that are no larger than the character, if its end is free.
    ///
    /// - Positions are in world space, whatever the [origin](crate::Scene::relative_to) of the view.
    /// - A character that is an entity of the scene must be excluded by a filter: `scene.with(&Filter::new().exclude(id))`.
    /// - Walls are surfaces that are steeper than [`max_slope`](Self::max_slope). They do not lift a character on the ground.
    /// - Nothing moves, and the returned velocity is zero, if the position, the velocity, or the velocity times the time is
    ///   not finite or is beyond 1e70. The same holds if the time is not above 0, if the rotation is zero or not finite, or
    ///   if the character is not [valid](Self::validate).
    ///
    /// ```
    /// use hitscan::prelude::*;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// scene.insert("wall", Aabb::new([4.0, 0.0, -9.0], [5.0, 3.0, 9.0]), DVec3::ZERO)?;
    /// let hero = Character::new(Capsule::new(0.3, 1.8))?;
    /// let mut state = CharacterState::new([0.0, 0.91, 0.0]);
    /// for _ in 0..60 {
    ///     hero.move_and_slide(&scene, &mut state, [5.0, -1.0, 1.0], 1.0 / 60.0);
    /// }
    /// // It has come to the wall, and slid along it.
    /// assert!((state.position.x - (4.0 - 0.3 - hero.skin)).abs() < 1e-6 && (state.position.z - 1.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/character.md")]
    pub fn move_and_slide<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        state: &mut CharacterState<K>,
        velocity: impl Into<DVec3>,
        dt: f64,
    ) -> Moved<K> {
        body::Move::new(self, view.into(), state, None).run(state, velocity.into(), dt)
    }

    /// Moves a character as [`move_and_slide`](Self::move_and_slide) does, and calls a function for the response to each contact.
    ///
    /// The function is called for every entity that the character reaches, also in tests for steps and ground. So it
    /// may be called several times for one entity in one move. It should have no effect besides its result:
    /// [`Moved::contacts`] and [`Moved::passed`] list the contacts and the passed entities of the move.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::character::ContactResponse;
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("belt", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// scene.insert("ledge", Aabb::new([-9.0, 2.5, -9.0], [9.0, 2.6, 9.0]), DVec3::ZERO)?;
    ///
    /// let hero = Character::new(Capsule::new(0.3, 1.8))?;
    /// let mut state = CharacterState::new([0.0, 0.91, 0.0]);
    /// let (dt, mut fall) = (1.0 / 60.0, 0.0);
    /// for frame in 0..120 {
    ///     fall = if frame == 30 { 9.0 } else if state.is_grounded() { 0.0 } else { fall - 9.81 * dt };
    ///     let moved = hero.move_and_respond(&scene, &mut state, [0.0, fall, 0.0], dt, |contact| match contact.id {
    ///         // The ledge is solid for a character that comes down to it.
    ///         "ledge" if contact.velocity.y > 0.0 || contact.depth > 0.0 => ContactResponse::PassThrough,
    ///         "belt" => ContactResponse::Conveyor(DVec3::X),
    ///         _ => ContactResponse::Solid,
    ///     });
    ///     fall = moved.velocity.y;
    /// }
    /// assert_eq!(state.ground(), Some(&"ledge"));
    /// assert!(state.position.x > 0.4); // the belt carried it until it jumped
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("one_way", "conveyor", "contact_listener"))]
    pub fn move_and_respond<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<View<'a, K>>,
        state: &mut CharacterState<K>,
        velocity: impl Into<DVec3>,
        dt: f64,
        mut respond: impl FnMut(&CharacterContact<K>) -> ContactResponse,
    ) -> Moved<K> {
        body::Move::new(self, view.into(), state, Some(&mut respond)).run(state, velocity.into(), dt)
    }

    /// Returns whether a surface with this unit normal can be walked on. The lower bound limits the rise of a motion over the surface.
    fn is_walkable(&self, normal: DVec3) -> bool {
        normal.dot(self.up) >= larger(libm::cos(self.max_slope), body::LEAST_SUPPORT)
    }
}

#[cfg(test)]
mod tests {
    use super::Character;
    use crate::Capsule;
    use alloc::string::ToString;

    #[test]
    fn a_refused_setting_is_named_with_its_limits() {
        let good = Character::new(Capsule::new(0.3, 1.8)).unwrap();
        let infinite = f64::INFINITY;
        for (wrong, message) in [
            (Character { skin: 0.0, ..good.clone() }, "the character's skin must be finite and above 0, not 0"),
            (
                Character { step_up: infinite, ..good.clone() },
                "the character's step_up must be finite and at least 0, not inf",
            ),
            (
                Character { step_down: -1.0, ..good.clone() },
                "the character's step_down must be finite and at least 0, not -1",
            ),
            (
                Character { escape_speed: -2.0, ..good.clone() },
                "the character's escape_speed must be at least 0, not -2",
            ),
        ] {
            assert_eq!(wrong.validate().unwrap_err().to_string(), message);
        }
        assert!(Character { escape_speed: infinite, ..good }.validate().is_ok());
    }
}
