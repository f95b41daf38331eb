//! A player of a game: the character's form, its state, and a velocity with gravity that is fed back.

use hitscan::character::CharacterError;
use hitscan::error::SceneError;
use hitscan::glam::DVec3;
use hitscan::{Aabb, Capsule, Character, CharacterState, Moved, Scene, View};

pub(crate) const DT: f64 = 1.0 / 60.0;
pub(crate) const GRAVITY: f64 = 9.81;
/// The height of the middle of a player that stands on a floor at 0, without the skin.
pub(crate) const MIDDLE: f64 = 0.9;

/// Seconds as a number of frames.
pub(crate) fn frames(seconds: f64) -> usize {
    (seconds / DT).round() as usize
}

#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) form: Character,
    pub(crate) state: CharacterState<u32>,
    pub(crate) velocity: DVec3,
}

impl Player {
    /// Creates a player whose feet are at a place.
    pub(crate) fn at(feet: [f64; 3]) -> Result<Self, CharacterError> {
        let form = Character::new(Capsule::new(0.3, 1.8))?;
        let state = CharacterState::new(DVec3::from(feet) + DVec3::Y * (MIDDLE + form.skin));
        Ok(Self { form, state, velocity: DVec3::ZERO })
    }

    /// Walks for a frame: on the ground, the wanted velocity applies at once; in the air, the player keeps its velocity.
    pub(crate) fn walk<'a>(&mut self, view: impl Into<View<'a, u32>>, wanted: DVec3) -> Moved<u32> {
        if self.state.is_grounded() {
            self.velocity = wanted;
        }
        self.coast(view)
    }

    /// Moves for a frame by the player's velocity and gravity. The velocity that remains after contacts becomes the
    /// player's velocity.
    pub(crate) fn coast<'a>(&mut self, view: impl Into<View<'a, u32>>) -> Moved<u32> {
        self.velocity -= DVec3::Y * GRAVITY * DT;
        let moved = self.form.move_and_slide(view, &mut self.state, self.velocity, DT);
        self.velocity = moved.velocity;
        moved
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.state.position - DVec3::Y * (MIDDLE + self.form.skin)
    }
}

/// The key of the floor.
pub(crate) const FLOOR: u32 = 0;

/// Creates a scene with a floor whose top is at 0.
pub(crate) fn floor() -> Result<Scene<u32>, SceneError> {
    let mut scene = Scene::new();
    scene.insert(FLOOR, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO)?;
    Ok(scene)
}

/// Returns whether two lengths in metres differ by less than a millimetre.
pub(crate) fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-3
}
