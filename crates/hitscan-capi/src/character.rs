//! Characters that walk.

pub use crate::answers::{HsCharacterContact, HsMoved};
use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, put_sized, shared, sized, unique};
use crate::ray::choice;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use crate::volume::{HsPose, HsVolume};
use hitscan::character::{CharacterContact, ContactResponse};
use hitscan::glam::{DQuat, DVec3};
use hitscan::{Character, CharacterState, Moved};
use std::ffi::c_void;
use std::mem::offset_of;

#[rustfmt::skip]
pub mod functions;

/// A character, with its settings and its position: a handle, which `hs_character_free` frees. To roll back, keep an
/// `hs_character_clone`.
pub struct HsCharacter {
    character: Character,
    state: CharacterState<u64>,
    /// The contacts of the last move.
    contacts: Vec<HsCharacterContact>,
}

/// The settings of a character.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsCharacterSettings {
    /// The size of this struct, `sizeof(HsCharacterSettings)`.
    pub size: usize,
    /// The up direction, of unit length; at first +y.
    pub up: [f64; 3],
    /// The gap that the character keeps to all surfaces.
    pub skin: f64,
    /// The steepest ground that can be walked on, in radians.
    pub max_slope: f64,
    /// The highest step that is climbed.
    pub step_up: f64,
    /// The least depth of a step.
    pub step_depth: f64,
    /// The distance over which the character follows the ground down.
    pub step_down: f64,
    /// The speed at which the character gets out of an obstacle; it may be infinite.
    pub escape_speed: f64,
    /// 1 if the speed along a slope is the wanted speed, 0 if the horizontal speed is the wanted speed everywhere.
    pub keeps_speed_on_slopes: i32,
}

const NO_SETTINGS: HsCharacterSettings = HsCharacterSettings {
    size: size_of::<HsCharacterSettings>(),
    up: [0.0; 3],
    skin: 0.0,
    max_slope: 0.0,
    step_up: 0.0,
    step_depth: 0.0,
    step_down: 0.0,
    escape_speed: 0.0,
    keeps_speed_on_slopes: 0,
};

/// The size of this struct in the first version of the library.
const LEAST: usize = offset_of!(HsCharacterSettings, keeps_speed_on_slopes) + size_of::<i32>();

fn position(place: [f64; 3]) -> Result<DVec3, Failure> {
    let place = DVec3::from_array(place);
    if place.is_finite() { Ok(place) } else { Err(Failure::argument(format!("the position {place} must be finite"))) }
}

/// Makes a character of a volume, at a position of three doubles, with the usual settings for the volume.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_new(
    volume: *const HsVolume,
    at: *const f64,
    character: *mut *mut HsCharacter,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let character = unsafe { handle_place(character, "character") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let (volume, at) = unsafe { (shared(volume, "volume")?.volume()?, numbers(at, "position")?) };
        let state = CharacterState::new(position(at)?);
        let made = Character::new(volume).map_err(Failure::input)?;
        hand_out(character, HsCharacter { character: made, state, contacts: Vec::new() })
    })
}

/// Frees a character; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_free(character: *mut HsCharacter) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(character) }
}

/// Makes a copy of a character, with all that it remembers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_clone(character: *const HsCharacter, clone: *mut *mut HsCharacter) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (clone, original) = unsafe { (handle_place(clone, "clone")?, shared(character, "character")?) };
        let HsCharacter { character, state, contacts } = original;
        let (character, contacts) = (character.clone(), contacts.clone());
        hand_out(clone, HsCharacter { character, state: *state, contacts })
    })
}

/// Writes the settings of a character. `size` is `sizeof(HsCharacterSettings)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_get_settings(
    character: *const HsCharacter,
    settings: *mut HsCharacterSettings,
    size: usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let character = unsafe { shared(character, "character") }?;
        let Character { up, skin, max_slope, step_up, step_depth, step_down, escape_speed, .. } = character.character;
        let keeps_speed_on_slopes = character.character.keeps_speed_on_slopes.into();
        let up = up.to_array();
        let value = HsCharacterSettings {
            size,
            up,
            skin,
            max_slope,
            step_up,
            step_depth,
            step_down,
            escape_speed,
            keeps_speed_on_slopes,
        };
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { put_sized(settings, size, LEAST, &value, "settings") }?;
        Ok(HsStatus::Ok)
    })
}

/// Changes the settings of a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_set_settings(
    character: *mut HsCharacter,
    settings: *const HsCharacterSettings,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (character, given) =
            unsafe { (unique(character, "character")?, sized(settings, LEAST, NO_SETTINGS, "settings")?) };
        let mut changed = character.character.clone();
        changed.up = DVec3::from_array(given.up);
        changed.skin = given.skin;
        changed.max_slope = given.max_slope;
        changed.step_up = given.step_up;
        changed.step_depth = given.step_depth;
        changed.step_down = given.step_down;
        changed.escape_speed = given.escape_speed;
        changed.keeps_speed_on_slopes = choice(given.keeps_speed_on_slopes, "keeps_speed_on_slopes", &[false, true])?;
        changed.validate().map_err(Failure::input)?;
        character.character = changed;
        Ok(HsStatus::Ok)
    })
}

/// Writes the place of a character. It is the position of its volume's origin, and its rotation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_get_pose(character: *const HsCharacter, pose: *mut HsPose) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (character, pose) = unsafe { (shared(character, "character")?, place(pose, "pose")?) };
        let CharacterState { position, rotation, .. } = character.state;
        pose.write(HsPose { position: position.to_array(), rotation: rotation.to_array() });
        Ok(HsStatus::Ok)
    })
}

/// Puts a character somewhere else, without a move. The ground that it stood on still carries it along when the ground moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_set_pose(character: *mut HsCharacter, pose: *const HsPose) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (character, given) = unsafe { (unique(character, "character")?, shared(pose, "pose")?) };
        given.pose("pose")?;
        character.state.position = DVec3::from_array(given.position);
        character.state.rotation = DQuat::from_array(given.rotation);
        Ok(HsStatus::Ok)
    })
}

/// The effect of a contact on a character.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsResponse {
    /// The entity is solid.
    Solid = 0,
    /// The entity is ignored until the end of the move. Examples are a trigger, and a one-way platform from below.
    PassThrough = 1,
    /// The entity is solid and carries the character at the velocity that the callback wrote.
    Conveyor = 2,
}

/// Decides the effect of a contact. It returns an `HsResponse`, and for `HS_RESPONSE_CONVEYOR` writes a velocity of
/// three doubles.
pub type HsContactResponder =
    Option<unsafe extern "C" fn(user: *mut c_void, contact: *const HsCharacterContact, velocity: *mut f64) -> i32>;

impl From<&Moved<u64>> for HsMoved {
    fn from(moved: &Moved<u64>) -> Self {
        let ground = moved.ground;
        let of_ground = |[x, y, z]: [f64; 3]| if ground.is_some() { [x, y, z] } else { [0.0; 3] };
        Self {
            motion: moved.motion.to_array(),
            velocity: moved.velocity.to_array(),
            ground_velocity: moved.ground_velocity.to_array(),
            ground_point: of_ground(ground.map_or(DVec3::ZERO, |ground| ground.point).to_array()),
            ground_normal: of_ground(ground.map_or(DVec3::ZERO, |ground| ground.normal).to_array()),
            ground_surface_normal: of_ground(ground.map_or(DVec3::ZERO, |ground| ground.surface_normal).to_array()),
            ground_key: ground.map_or(0, |ground| ground.id),
            stepped: moved.stepped,
            is_grounded: ground.is_some().into(),
            is_crushed: i32::from(!moved.crushed.is_empty()),
        }
    }
}

/// Asks the callback what a contact does. An invalid response makes the contact solid, and is noted in `refused`.
///
/// # Safety
/// The callback may be called with this data.
unsafe fn respond(
    responder: HsContactResponder,
    user: *mut c_void,
    contact: &CharacterContact<u64>,
    refused: &mut Option<Failure>,
) -> ContactResponse {
    let Some(responder) = responder else { return ContactResponse::Solid };
    let (contact, mut velocity) = (HsCharacterContact::from(contact), [0.0; 3]);
    // SAFETY: The caller guarantees that the callback may be called; both places live as long as the call.
    let response = unsafe { responder(user, &raw const contact, velocity.as_mut_ptr()) };
    let velocity = DVec3::from_array(velocity);
    match response {
        0 => ContactResponse::Solid,
        1 => ContactResponse::PassThrough,
        2 if velocity.is_finite() => ContactResponse::Conveyor(velocity),
        2 => {
            *refused = Some(Failure::argument(format!("the velocity {velocity} of a conveyor must be finite")));
            ContactResponse::Solid
        }
        _ => {
            *refused = Some(Failure::argument(format!("the responder returned {response}, which is no HsResponse")));
            ContactResponse::Solid
        }
    }
}

/// Moves a character by a velocity of three doubles, for `dt` seconds. The character slides along walls, climbs steps,
/// and follows the ground. `responder`, which may be null, decides the effect of each contact, with `user` as its first
/// argument. `moved` gets the result. The buffer gets the contacts along the path, as many as fit, and `count` the
/// number of all contacts. The move is made even if the contacts do not fit, and the status is never `HS_STATUS_MORE`.
/// Call `hs_character_get_contacts` to get all contacts. If the character is crushed, the last contacts are the ones
/// that crush it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_character_move(
    character: *mut HsCharacter,
    scene: *const HsScene,
    velocity: *const f64,
    dt: f64,
    filter: *const HsFilter,
    responder: HsContactResponder,
    user: *mut c_void,
    moved: *mut HsMoved,
    contacts: *mut HsCharacterContact,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (character, scene) = unsafe { (unique(character, "character")?, shared(scene, "scene")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (velocity, asked) = unsafe { (numbers(velocity, "velocity")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (place, buffer) = unsafe { (place(moved, "moved")?, Buffer::new(contacts, capacity, count)?) };
        let velocity = DVec3::from_array(velocity);
        if !(velocity.is_finite() && dt >= 0.0 && dt.is_finite()) {
            let text = format!("the velocity {velocity} must be finite, and dt, {dt}, finite and not negative");
            return Err(Failure::argument(text));
        }
        let HsCharacter { character, state, contacts } = character;
        let (mut next, mut refused) = (*state, None);
        let moved = character.move_and_respond(asked.view(scene), &mut next, velocity, dt, |contact| {
            // SAFETY: The caller keeps the rules of this crate.
            unsafe { respond(responder, user, contact, &mut refused) }
        });
        if let Some(refused) = refused {
            return Err(refused);
        }
        *state = next;
        place.write(HsMoved::from(&moved));
        contacts.clear();
        contacts.extend(moved.contacts.iter().chain(&moved.crushed).map(HsCharacterContact::from));
        buffer.fill(contacts.iter().copied());
        Ok(HsStatus::Ok)
    })
}
