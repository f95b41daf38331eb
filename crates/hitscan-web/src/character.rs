//! Characters that walk.

use crate::answer::{self, Record, place, vector_f64};
use crate::filter;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::thrown;
use hitscan::Moved;
use hitscan::character::{CharacterContact, ContactResponse};
use hitscan::glam::{DQuat, DVec3};
use wasm_bindgen::prelude::*;

/// The form and abilities of a character.
#[wasm_bindgen]
pub struct Character(hitscan::Character);

/// The state of a character: its place, and the ground under it.
#[wasm_bindgen]
pub struct CharacterState(hitscan::CharacterState<u32>);

#[wasm_bindgen]
impl Character {
    /// Makes a character from a volume.
    #[wasm_bindgen(constructor)]
    pub fn new(volume: &Shape) -> Result<Self, JsError> {
        hitscan::Character::new(volume.volume()?).map(Self).map_err(thrown)
    }

    /// Returns the ten numbers of the settings: skin, largest slope, step up, step depth, step down, escape speed, 1 if
    /// the speed is kept on slopes, and the three numbers of up.
    pub fn settings(&self) -> Vec<f64> {
        let it = &self.0;
        let keeps = f64::from(u8::from(it.keeps_speed_on_slopes));
        let lengths = [it.skin, it.max_slope, it.step_up, it.step_depth, it.step_down, it.escape_speed, keeps];
        [&lengths[..], &it.up.to_array()].concat()
    }

    /// Changes the settings. Invalid settings are refused.
    pub fn set_settings(&mut self, numbers: &[f64]) -> Result<(), JsError> {
        let &[skin, max_slope, step_up, step_depth, step_down, escape_speed, keeps, x, y, z] = numbers else {
            return Err(JsError::new("the settings of a character are ten numbers"));
        };
        let mut changed = self.0.clone();
        (changed.skin, changed.max_slope, changed.step_up) = (skin, max_slope, step_up);
        (changed.step_depth, changed.step_down) = (step_depth, step_down);
        (changed.escape_speed, changed.keeps_speed_on_slopes) = (escape_speed, keeps != 0.0);
        changed.up = DVec3::new(x, y, z);
        changed.validate().map_err(thrown)?;
        self.0 = changed;
        Ok(())
    }

    /// Returns whether there is room for the character.
    pub fn has_room(&self, scene: &Scene, state: &CharacterState) -> bool {
        self.0.has_room(scene.view(), &state.0)
    }

    /// Moves the character, and asks the caller's function about its contacts if there is one. The record gets the motion, and the list gets the contacts.
    /// The whole numbers of the answer are the entities that the character passed through. Returns the number of contacts. If a function throws, the state
    /// stays as it was before the move.
    pub fn move_and_slide(
        &self,
        scene: &Scene,
        state: &mut CharacterState,
        x: f64,
        y: f64,
        z: f64,
        dt: f64,
        responds: bool,
    ) -> usize {
        let (view, state, velocity) = (scene.view(), &mut state.0, [x, y, z]);
        let before = *state;
        let moved = if responds {
            self.0.move_and_respond(view, state, velocity, dt, response)
        } else {
            self.0.move_and_slide(view, state, velocity, dt)
        };
        if filter::has_failed() {
            *state = before;
        }
        let all: Vec<_> = moved.contacts.iter().chain(&moved.crushed).copied().collect();
        let count = answer::many(&all);
        answer::numbers(moved.passed.iter().copied());
        answer::one(Some(moved));
        count
    }
}

/// Asks what a contact does.
fn response(contact: &CharacterContact<u32>) -> ContactResponse {
    match filter::decide(*contact) {
        0 => ContactResponse::Solid,
        1 => ContactResponse::PassThrough,
        _ => ContactResponse::Conveyor(answer::vector_at(place::SECOND)),
    }
}

impl Record for Moved<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        let ground = self.ground.as_ref();
        put(place::ID, answer::index(ground.map(|ground| ground.id)));
        vector_f64(&mut put, place::POINT, self.motion);
        vector_f64(&mut put, place::NORMAL, self.velocity);
        put(place::EXTRA, self.stepped);
        put(place::PART, self.crushed.len() as f64);
        put(place::FEATURE, self.passed.len() as f64);
        vector_f64(&mut put, place::SECOND, ground.map_or(DVec3::NAN, |ground| ground.normal));
        vector_f64(&mut put, place::THIRD, self.ground_velocity);
    }
}

#[wasm_bindgen]
impl CharacterState {
    /// Makes the state of a character at a position.
    #[wasm_bindgen(constructor)]
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        Self(hitscan::CharacterState::new([x, y, z]))
    }

    /// Returns the character's position.
    pub fn position(&self) -> Vec<f64> {
        self.0.position.to_array().to_vec()
    }

    /// Changes the position; the ground still carries the character.
    pub fn set_position(&mut self, x: f64, y: f64, z: f64) {
        self.0.position = DVec3::new(x, y, z);
    }

    /// Puts the character at a position, in the air.
    pub fn teleport(&mut self, x: f64, y: f64, z: f64) {
        self.0.teleport([x, y, z]);
    }

    /// Says that the character jumps.
    pub fn leave_ground(&mut self) {
        self.0.leave_ground();
    }

    /// Says that the ground under the character was placed, not moved.
    pub fn ground_was_placed(&mut self) {
        self.0.ground_was_placed();
    }

    /// Sets the rotation to a quaternion.
    pub fn set_rotation(&mut self, x: f64, y: f64, z: f64, w: f64) {
        self.0.rotation = DQuat::from_xyzw(x, y, z, w);
    }

    /// Returns whether the character stands on something.
    pub fn is_grounded(&self) -> bool {
        self.0.is_grounded()
    }

    /// Returns the entity on which the character stands, or -1.
    pub fn ground(&self) -> f64 {
        answer::index(self.0.ground().copied())
    }
}
