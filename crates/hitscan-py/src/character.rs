//! The classes `Character` and `CharacterState`: volumes that walk.

use crate::answers::{Array, answers, counted, or_none};
use crate::arguments::{Layers, check_rotation, scaled_rotation};
use crate::error;
use crate::form::Shape;
use crate::input::vector_text;
use crate::mesh::pickled;
use crate::scene::{Choice, Scene};
use hitscan::character::{CharacterContact, ContactResponse};
use hitscan::glam::{DQuat, DVec3};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

type State = hitscan::CharacterState<i64>;

/// The version of the bytes of a state, which is the first byte.
const VERSION: u8 = 1;

/// Takes a vector that must be finite.
fn finite(vector: [f64; 3], name: &str) -> PyResult<DVec3> {
    let vector = DVec3::from_array(vector);
    match vector.is_finite() {
        true => Ok(vector),
        false => Err(error::value(format!("{name} is {}, but must be finite", vector_text(vector)))),
    }
}

/// Returns an array that cannot be written to: a change to the array would not change the state.
fn fixed<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    let array = PyArray1::from_slice(py, numbers);
    drop(array.readwrite().make_nonwriteable());
    array
}

/// Takes a rotation of any length but 0.
fn unit_rotation(given: DQuat) -> PyResult<DQuat> {
    check_rotation(given, || "rotation".into())?;
    Ok(if given.is_normalized() { given } else { scaled_rotation(given).normalize() })
}

/// The position and rotation of a character, and the ground that it stands on: the data that a move reads and changes. To roll back, keep a copy.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct CharacterState {
    state: Mutex<State>,
}

impl CharacterState {
    fn of(state: State) -> Self {
        Self { state: Mutex::new(state) }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl CharacterState {
    #[new]
    #[pyo3(signature = (position, rotation = [0.0, 0.0, 0.0, 1.0]))]
    fn new(position: [f64; 3], rotation: [f64; 4]) -> PyResult<Self> {
        let made = Self::of(State::new(finite(position, "position")?));
        made.set_rotation(rotation)?;
        Ok(made)
    }

    /// The position of the volume's own origin, a read-only array: assign a whole array to change it. The ground still carries a character whose position
    /// is set; `teleport` puts it into the air.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        fixed(py, &self.locked().position.to_array())
    }

    #[setter]
    fn set_position(&self, position: [f64; 3]) -> PyResult<()> {
        self.locked().position = finite(position, "position")?;
        Ok(())
    }

    /// The rotation of the volume, a quaternion (x, y, z, w). No move changes it.
    #[getter]
    fn rotation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        fixed(py, &self.locked().rotation.to_array())
    }

    #[setter]
    fn set_rotation(&self, rotation: [f64; 4]) -> PyResult<()> {
        self.locked().rotation = unit_rotation(DQuat::from_array(rotation))?;
        Ok(())
    }

    /// True if the character stands on ground that can be walked on.
    #[getter]
    fn is_grounded(&self) -> bool {
        self.locked().is_grounded()
    }

    /// The key of the entity that the character stands on, or `None`.
    #[getter]
    fn ground(&self) -> Option<i64> {
        self.locked().ground().copied()
    }

    /// Puts the character at a position, in the air: the ground that it stood on no longer carries it.
    fn teleport(&self, position: [f64; 3]) -> PyResult<()> {
        self.locked().teleport(finite(position, "position")?);
        Ok(())
    }

    /// Says that the character jumps: no ground holds it until its velocity no longer points upwards.
    fn leave_ground(&self) {
        self.locked().leave_ground();
    }

    /// Says that the entity on which the character stands was placed somewhere else rather than moved there, so that it does not carry the character.
    fn ground_was_placed(&self) {
        self.locked().ground_was_placed();
    }

    /// Returns the state as bytes, with all that it remembers.
    fn to_bytes(&self) -> PyResult<Vec<u8>> {
        postcard::to_extend(&*self.locked(), vec![VERSION]).map_err(|fault| error::value(fault.to_string()))
    }

    /// Makes a state of the bytes of `to_bytes`, in any object with the buffer protocol.
    #[staticmethod]
    fn from_bytes(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = crate::input::bytes(data)?;
        let fault = || error::value("these bytes are no saved state of a character");
        let state = match data.as_slice()?.split_first() {
            Some((&VERSION, rest)) => postcard::take_from_bytes::<State>(rest).ok(),
            _ => None,
        };
        match state {
            Some((mut state, [])) if state.position.is_finite() => {
                // The library assumes that the rotation has unit length.
                state.rotation = unit_rotation(state.rotation).map_err(|_| fault())?;
                Ok(Self::of(state))
            }
            _ => Err(fault()),
        }
    }

    fn __copy__(&self) -> Self {
        Self::of(*self.locked())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let own = *self.locked();
        other.cast::<Self>().is_ok_and(|other| own == *other.get().locked())
    }

    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        protocol: i32,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let data = pickled(slf.py(), slf.get().to_bytes()?, protocol)?;
        Ok((slf.get_type().getattr("from_bytes")?, (data,)))
    }

    fn __repr__(&self) -> String {
        let state = *self.locked();
        let place = state.ground().map_or("in the air".to_owned(), |key| format!("on entity {key}"));
        format!("<hitscan.CharacterState: at {}, {place}>", state.position)
    }
}

/// A contact of a character, which `Character.move_and_respond` passes to its function.
#[pyclass(frozen, module = "hitscan", name = "CharacterContact", get_all)]
pub(crate) struct Contact {
    /// The key of the entity.
    key: i64,
    /// The index of the part of a compound; 0 for other entities.
    part: u32,
    /// The index of the triangle of a mesh or height field, or -1.
    triangle: i64,
    /// The point on the surface of the entity.
    point: [f64; 3],
    /// The normal of the contact, from the entity to the character, of unit length.
    normal: [f64; 3],
    /// The normal of the face that is touched, of unit length.
    surface_normal: [f64; 3],
    /// The depth at which the character was inside of the entity before it was pushed out.
    depth: f64,
    /// The wanted velocity of the character.
    velocity: [f64; 3],
}

impl From<&CharacterContact<i64>> for Contact {
    fn from(contact: &CharacterContact<i64>) -> Self {
        Self {
            key: contact.id,
            part: contact.part,
            triangle: or_none(contact.triangle),
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            surface_normal: contact.surface_normal.to_array(),
            depth: contact.depth,
            velocity: contact.velocity.to_array(),
        }
    }
}

#[pymethods]
impl Contact {
    fn __repr__(&self) -> String {
        format!("<hitscan.CharacterContact: entity {} at {:?}>", self.key, self.point)
    }
}

/// Takes the response that a function returned for a contact: a word, or the velocity of a conveyor.
fn response(answer: &Bound<'_, PyAny>) -> PyResult<ContactResponse> {
    if let Ok(velocity) = answer.extract::<[f64; 3]>() {
        return Ok(ContactResponse::Conveyor(finite(velocity, "the velocity that respond returned")?));
    }
    match answer.extract::<String>().as_deref() {
        Ok("solid") => Ok(ContactResponse::Solid),
        Ok("pass_through") => Ok(ContactResponse::PassThrough),
        _ => {
            let given = answer.repr()?;
            Err(error::value(format!(
                "respond returned {given}, but must return \"solid\", \"pass_through\" or the velocity of a conveyor"
            )))
        }
    }
}

/// The result of a move, with the contacts during the move.
pub(crate) struct Move {
    moved: hitscan::Moved<i64>,
}

impl Move {
    fn vector(vector: DVec3) -> Array<f64> {
        Array::new(vector.to_array().to_vec(), &[3])
    }

    fn of_ground(&self, vector: impl Fn(&hitscan::character::CharacterGround<i64>) -> DVec3) -> Array<f64> {
        Self::vector(self.moved.ground.as_ref().map_or(DVec3::NAN, vector))
    }

    fn contacts(&self) -> impl Iterator<Item = &CharacterContact<i64>> {
        self.moved.contacts.iter().chain(&self.moved.crushed)
    }

    fn of_contacts<T: numpy::Element>(&self, value: impl Fn(&CharacterContact<i64>) -> T) -> Array<T> {
        Array::flat(self.contacts().map(value).collect())
    }

    fn vectors(&self, vector: impl Fn(&CharacterContact<i64>) -> DVec3) -> Array<f64> {
        let vectors: Vec<[f64; 3]> = self.contacts().map(|contact| vector(contact).to_array()).collect();
        let count = vectors.len();
        Array::of_vectors(vectors, &[count])
    }
}

answers! {
    /// The result of a move of a character. The columns whose names begin with `contact_` have a row for each contact, in order.
    Moved of Move {
        /// The motion that was made, including the motion of the ground that carried the character.
        motion: f64 = |of| Move::vector(of.moved.motion),
        /// The wanted velocity without the parts that contacts removed: a character with momentum starts its next move with it, plus gravity.
        velocity: f64 = |of| Move::vector(of.moved.velocity),
        /// The key of the ground at the end, or -1 in the air.
        ground: i64 = |of| Array::new(vec![of.moved.ground.map_or(-1, |ground| ground.id)], &[]),
        /// The point of contact with the ground; NaN in the air.
        ground_point: f64 = |of| of.of_ground(|ground| ground.point),
        /// The normal of the contact with the ground, which is tilted at an edge; NaN in the air.
        ground_normal: f64 = |of| of.of_ground(|ground| ground.normal),
        /// The normal of the ground itself, which decides the slope; NaN in the air.
        ground_surface_normal: f64 = |of| of.of_ground(|ground| ground.surface_normal),
        /// The velocity at which the ground carried the character, a conveyor included.
        ground_velocity: f64 = |of| Move::vector(of.moved.ground_velocity),
        /// The height by which steps lifted the character, and by which it followed the ground down.
        stepped: f64 = |of| Array::new(vec![of.moved.stepped], &[]),
        /// The keys of the entities that the character was let through, each once.
        passed: i64 = |of| Array::flat(of.moved.passed.clone()),
        /// The keys of the entities that stopped or deflected the character; the entities that crush it come last.
        contact_key: i64 = |of| of.of_contacts(|contact| contact.id),
        /// The indices of the parts of compounds; 0 for other entities.
        contact_part: i64 = |of| of.of_contacts(|contact| i64::from(contact.part)),
        /// The indices of the triangles of meshes and height fields, or -1.
        contact_triangle: i64 = |of| of.of_contacts(|contact| or_none(contact.triangle)),
        /// The points on the surfaces of the entities.
        contact_point: f64 = |of| of.vectors(|contact| contact.point),
        /// The normals of the contacts, from the entity to the character, of unit length.
        contact_normal: f64 = |of| of.vectors(|contact| contact.normal),
        /// The normals of the faces that are touched, of unit length.
        contact_surface_normal: f64 = |of| of.vectors(|contact| contact.surface_normal),
        /// The distances that the character was inside of the entities.
        contact_depth: f64 = |of| of.of_contacts(|contact| contact.depth),
        /// The wanted velocities of the character at the contacts.
        contact_velocity: f64 = |of| of.vectors(|contact| contact.velocity),
        /// True for the entities between which the character is crushed, because no exit from them is free.
        contact_crushes: bool = |of| {
            let (free, crushed) = (of.moved.contacts.len(), of.moved.crushed.len());
            Array::flat((0..free + crushed).map(|place| place >= free).collect())
        },
    }

    /// The number of contacts.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.contact_key(py)?.bind(py).len()
    }
}

impl Moved {
    fn describe(&self, py: Python<'_>) -> PyResult<String> {
        let ground: i64 = self.ground(py)?.bind(py).call_method0("item")?.extract()?;
        let place = if ground < 0 { "in the air".to_owned() } else { format!("on entity {ground}") };
        Ok(format!("<hitscan.Moved: {}, {place}>", counted(self.contact_key(py)?.bind(py).len()?, "contact")))
    }
}

/// The volume and the abilities of characters that are moved by their velocities: they slide along walls, climb steps and follow the ground.
///
/// `volume` is a `Shape` whose up is +y; the `rotation` of a state turns it. `up` is the direction against gravity in the world, +y by default.
/// Settings that are not given follow from the size of the volume. `skin` is the gap to everything. `step_up` is the highest step, and `step_depth` is
/// its least depth. `step_down` is the distance over which the character follows the ground down; if `step_up` is given, it is the same by default.
/// `max_slope` is the steepest ground that it walks on, in radians, 50 degrees by default. `escape_speed` is the speed at which it gets out of solids,
/// infinite by default. A `Character` has no position: many characters may share it, each with a `CharacterState`.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Character {
    character: hitscan::Character,
    /// The shape that the volume was made of, for a pickle.
    volume: Py<Shape>,
}

impl Character {
    /// Moves a character, whose state changes if nothing fails.
    fn moved(
        &self,
        (scene, choice): (&Scene, &Choice),
        state: &CharacterState,
        velocity: [f64; 3],
        dt: f64,
        respond: impl FnMut(&CharacterContact<i64>) -> ContactResponse,
    ) -> PyResult<(State, Moved)> {
        let velocity = finite(velocity, "velocity")?;
        if !(dt >= 0.0 && dt.is_finite()) {
            return Err(error::value(format!("dt is {dt}, but must be finite and not negative")));
        }
        let (world, filter, mut next) = (scene.world(), choice.filter(), *state.locked());
        let view = world.scene.with(&filter);
        let moved = self.character.move_and_respond(view, &mut next, velocity, dt, respond);
        Ok((next, Moved::new(Move { moved })))
    }
}

#[pymethods]
impl Character {
    #[new]
    #[pyo3(signature = (volume, *, up = [0.0, 1.0, 0.0], skin = None, max_slope = None, step_up = None, step_depth = None, step_down = None,
                        escape_speed = None, keeps_speed_on_slopes = true))]
    fn new(
        volume: &Bound<'_, Shape>,
        up: [f64; 3],
        skin: Option<f64>,
        max_slope: Option<f64>,
        step_up: Option<f64>,
        step_depth: Option<f64>,
        step_down: Option<f64>,
        escape_speed: Option<f64>,
        keeps_speed_on_slopes: bool,
    ) -> PyResult<Self> {
        let refused = |fault: hitscan::character::CharacterError| error::value(fault.to_string());
        let mut character = hitscan::Character::new(volume.get().volume()?).map_err(refused)?;
        let up = DVec3::from_array(up);
        character.up = if up.is_normalized() { up } else { up.normalize_or_zero() };
        character.skin = skin.unwrap_or(character.skin);
        character.max_slope = max_slope.unwrap_or(character.max_slope);
        character.step_up = step_up.unwrap_or(character.step_up);
        character.step_depth = step_depth.unwrap_or(character.step_depth);
        character.step_down = step_down.or(step_up).unwrap_or(character.step_down);
        character.escape_speed = escape_speed.unwrap_or(character.escape_speed);
        character.keeps_speed_on_slopes = keeps_speed_on_slopes;
        character.validate().map_err(refused)?;
        Ok(Self { character, volume: volume.clone().unbind() })
    }

    /// Moves a character by its velocity, in the world's units a second, for `dt` seconds, and changes its state.
    ///
    /// It is carried by the entity that it stands on, gets out of solids that it is in, and then slides along walls, climbs
    /// steps and follows the ground. The caller adds gravity to the velocity. Leave its own entity out by `exclude`;
    /// `layers`, `exclude` and `only` are as for `Scene.cast`.
    #[pyo3(signature = (scene, state, velocity, dt, *, layers = None, exclude = None, only = None))]
    fn move_and_slide(
        &self,
        py: Python<'_>,
        scene: &Scene,
        state: &CharacterState,
        velocity: [f64; 3],
        dt: f64,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Moved> {
        let choice = Choice::new(layers, exclude, only)?;
        let (next, moved) =
            py.detach(|| self.moved((scene, &choice), state, velocity, dt, |_| ContactResponse::Solid))?;
        *state.locked() = next;
        Ok(moved)
    }

    /// Moves a character as `move_and_slide` does, and asks a function for the response to each contact.
    ///
    /// `respond` is given a `CharacterContact`, and returns "solid", "pass_through", or the velocity of a conveyor. It may be called several times for an
    /// entity, also for probes, so it should have no side effects. If it raises an exception, the state stays as it was. At its end, the move replaces the
    /// state, and overwrites any change that the function made to it.
    #[pyo3(signature = (scene, state, velocity, dt, respond, *, layers = None, exclude = None, only = None))]
    fn move_and_respond(
        &self,
        scene: &Scene,
        state: &CharacterState,
        velocity: [f64; 3],
        dt: f64,
        respond: &Bound<'_, PyAny>,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Moved> {
        let (choice, mut fault) = (Choice::new(layers, exclude, only)?, None);
        let ask = |contact: &CharacterContact<i64>| {
            if fault.is_some() {
                return ContactResponse::Solid;
            }
            let answer = respond.call1((Contact::from(contact),)).and_then(|answer| response(&answer));
            answer.unwrap_or_else(|raised| {
                fault = Some(raised);
                ContactResponse::Solid
            })
        };
        let (next, moved) = self.moved((scene, &choice), state, velocity, dt, ask)?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        *state.locked() = next;
        Ok(moved)
    }

    /// Returns whether the volume has room at a state: ask before a character stands up, or is put somewhere. A volume that only touches something has room.
    #[pyo3(signature = (scene, state, *, layers = None, exclude = None, only = None))]
    fn has_room(
        &self,
        py: Python<'_>,
        scene: &Scene,
        state: &CharacterState,
        layers: Option<Layers>,
        exclude: Option<&Bound<'_, PyAny>>,
        only: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let (choice, world) = (Choice::new(layers, exclude, only)?, scene.world());
        let filter = choice.filter();
        let state = *state.locked();
        Ok(py.detach(|| self.character.has_room(world.scene.with(&filter), &state)))
    }

    /// The settings, by the names of the arguments.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let settings = pyo3::types::PyDict::new(py);
        let Self { character, .. } = self;
        settings.set_item("up", character.up.to_array())?;
        settings.set_item("skin", character.skin)?;
        settings.set_item("max_slope", character.max_slope)?;
        settings.set_item("step_up", character.step_up)?;
        settings.set_item("step_depth", character.step_depth)?;
        settings.set_item("step_down", character.step_down)?;
        settings.set_item("escape_speed", character.escape_speed)?;
        settings.set_item("keeps_speed_on_slopes", character.keeps_speed_on_slopes)?;
        Ok(settings)
    }

    /// The shape of the volume.
    #[getter]
    fn volume(&self, py: Python<'_>) -> Py<Shape> {
        self.volume.clone_ref(py)
    }

    #[staticmethod]
    fn _of(volume: &Bound<'_, Shape>, settings: &Bound<'_, pyo3::types::PyDict>) -> PyResult<Py<PyAny>> {
        Ok(volume.py().get_type::<Self>().call((volume,), Some(settings))?.unbind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.volume.clone_ref(py), this.settings(py)?).into_pyobject(py)?;
        Ok((slf.get_type().getattr("_of")?, arguments.into_any()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<hitscan.Character: {}>", self.volume.bind(py).repr()?))
    }
}
