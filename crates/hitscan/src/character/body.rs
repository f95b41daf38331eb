//! The state of a character during one move.

use super::grade::{Grade, is_between};
use super::planes::{along, over};
use super::state::{Flight, Footing, KeptSide, MOST_SIDES};
use super::{Character, CharacterContact, CharacterGround, CharacterState, ContactResponse, Moved};
use crate::convex::{Body, Pose, Volume, is_usable};
use crate::math::float::{larger, length, unit};
use crate::query::{SweepHit, SweepQueries, View};
use crate::sweep::ContactFilter;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DQuat, DVec3};

/// A gap that differs from the skin by at most this fraction of it is treated as equal to the skin. So the
/// position of a character at rest keeps its bits.
pub(super) const AT_REST: f64 = 1e-3;

/// A contact whose normal has a smaller component along up than this is at the side of the volume, and does not support
/// the character. The error of the gap changes the normal at an edge by less than this. A face with such a normal is a
/// wall.
pub(super) const LEAST_SUPPORT: f64 = 0.05;

/// A stored normal with a smaller component along up is not the normal of ground. It is below `LEAST_SUPPORT` by four times the unit roundoff of f32, because
/// stored normals are rounded to f32.
const STEEPEST_STORED: f64 = LEAST_SUPPORT - 1.0 / (1 << 22) as f64;

/// A component of the velocity along up that is at most this fraction of the velocity is treated as rounding. The fraction is 16 roundings of f32, because
/// callers may rotate velocities in f32.
const LEAST_RISE: f64 = 1.0 / (1 << 20) as f64;

/// A move has at most this many slides.
pub(super) const MOST_SLIDES: usize = 8;

/// Returns half the sizes of the box around a volume, all 0 for a point; `None` for a volume that hits nothing.
pub(super) fn half_extents(volume: &Volume) -> Option<DVec3> {
    let placed = Body::placed(volume, &Pose::from(DVec3::ZERO), DVec3::ZERO)?;
    Some(placed.body.half_extents())
}

/// Returns the response to a contact.
pub(super) type Respond<'r, K> = dyn FnMut(&CharacterContact<K>) -> ContactResponse + 'r;

/// A character in a scene.
pub(super) struct Move<'c, 'a, K> {
    pub(super) character: &'c Character,
    pub(super) view: View<'a, K>,
    respond: Option<&'c mut Respond<'c, K>>,
    pub(super) velocity: DVec3,
    /// True if the motion along a slope is as long as the lateral motion from which it is computed.
    pub(super) keeps_speed: bool,
    rotation: DQuat,
    /// The position relative to the view's origin, which is where the move starts.
    pub(super) position: DVec3,
    /// The unit normal of the ground on which the character stands.
    pub(super) ground: Option<DVec3>,
    /// The inclination of the ground at the contact with it.
    pub(super) grade: Grade,
    pub(super) found: Option<CharacterGround<K>>,
    /// The entity on which the character stood at the start, and the normal there.
    footing: Option<(K, DVec3)>,
    /// The entities on whose side the character has to stay, each with the unit normal of that side. They are the
    /// ground on which the character stood, and the entities that crushed it.
    pub(super) sides: Vec<(K, DVec3)>,
    pub(super) stepped: f64,
    /// The velocity of the surface of the ground on which the character stands.
    belt: DVec3,
    pub(super) contacts: Vec<CharacterContact<K>>,
    /// The entities that the character overlapped when it began to get out, each with the character's depth in it.
    pub(super) depths: Vec<(K, f64)>,
    pub(super) crushed: Vec<CharacterContact<K>>,
    /// The part that is left of a motion out of solids, if the motion takes several moves.
    pub(super) unfinished_escape: Option<DVec3>,
    /// The entities that this move ignores.
    passed: Vec<K>,
    /// The unit normals of all contacts so far.
    pub(super) walls: Vec<DVec3>,
    /// The normals of surfaces that are too steep, made horizontal. So these surfaces do not lift the character.
    pub(super) fences: Vec<DVec3>,
}

/// A contact ahead, and the fraction of the motion that is free.
pub(super) struct Stop<K> {
    pub(super) hit: SweepHit<K>,
    pub(super) normal: DVec3,
    pub(super) surface: DVec3,
    pub(super) made: f64,
    response: ContactResponse,
}

impl<'c, 'a, K: Clone + Eq + Hash> Move<'c, 'a, K> {
    pub(super) fn new(
        character: &'c Character,
        view: View<'a, K>,
        state: &CharacterState<K>,
        respond: Option<&'c mut Respond<'c, K>>,
    ) -> Self {
        let footing = state.footing.as_ref().map(|on| (on.id.clone(), on.normal.as_dvec3().normalize_or_zero()));
        let slopes = state.footing.as_ref().and_then(|on| slopes_under(on, character.up));
        let crushed = state.sides.iter().flatten();
        let crushed = crushed.map(|side| (side.id.clone(), side.normal.as_dvec3().normalize_or_zero()));
        Self {
            character,
            sides: footing.iter().cloned().chain(crushed).collect(),
            // Positions near the character are as accurate as they would be near the world's origin.
            view: view.relative_to(state.position),
            respond,
            velocity: DVec3::ZERO,
            keeps_speed: character.keeps_speed_on_slopes,
            rotation: state.rotation,
            position: state.rest(),
            ground: slopes.map(|[face, _]| face),
            grade: slopes.map_or(character.up, |[_, slope]| slope).into(),
            found: None,
            footing,
            stepped: 0.0,
            belt: DVec3::ZERO,
            contacts: Vec::new(),
            depths: Vec::new(),
            crushed: Vec::new(),
            unfinished_escape: state.unfinished_escape(),
            passed: Vec::new(),
            walls: Vec::new(),
            fences: Vec::new(),
        }
    }

    pub(super) fn run(mut self, state: &mut CharacterState<K>, velocity: DVec3, dt: f64) -> Moved<K> {
        let from = self.position;
        let is_within_reach = is_usable(state.position) && is_usable(velocity) && is_usable(velocity * dt);
        let moves = is_within_reach && dt > 0.0 && self.character.validate().is_ok() && self.placed().is_some();
        let mut kept = DVec3::ZERO;
        let mut ground_velocity = DVec3::ZERO;
        if moves {
            self.velocity = velocity;
            self.carry(state);
            ground_velocity = (self.position - from) / dt;
            self.recover(dt);
            if self.crushed.is_empty() {
                state.flight = self.go(velocity, dt, state.flight);
                kept = self.kept(velocity);
                ground_velocity += self.ride(dt);
            } else {
                self.stay_on_what_crushes();
            }
            state.set_position(self.view.origin, self.position);
            state.sides = self.crushing_sides();
            state.unfinished_escape = self.unfinished_escape.map(|way| way.as_vec3());
            state.footing = self.found.as_ref().zip(self.ground).and_then(|(ground, normal)| {
                let to_world = self.view.entity_transform(&ground.id)?;
                Footing::new(ground.id.clone(), &to_world, state.position, (normal, self.grade.pace))
            });
        }
        let ground = self.found.filter(|_| moves && self.ground.is_some());
        let motion = if moves { self.position - from } else { DVec3::ZERO };
        let (contacts, crushed, passed) = (self.contacts, self.crushed, self.passed);
        Moved { motion, velocity: kept, ground, ground_velocity, stepped: self.stepped, contacts, crushed, passed }
    }

    /// Moves by the velocity, on the ground or in the air.
    fn go(&mut self, velocity: DVec3, dt: f64, flight: Flight) -> Flight {
        let up = self.character.up;
        let is_jump = velocity.dot(up) > 0.0
            && self.ground.map_or(flight == Flight::Jumps, |normal| leads_away(velocity, normal, up));
        let flight = if is_jump { Flight::Jumps } else { Flight::Lands };
        match self.ground {
            Some(normal) if flight == Flight::Lands => self.walk(self.over_ground(velocity, normal) * dt),
            _ => {
                self.ground = None;
                self.fly(velocity, dt, flight);
            }
        }
        flight
    }

    /// Returns the lateral velocity of a walk: the lateral part of the wanted velocity. The wanted velocity may point up, and be faster along the slope than
    /// its lateral part. Then the lateral velocity gets the speed along the slope.
    pub(super) fn over_ground(&self, velocity: DVec3, normal: DVec3) -> DVec3 {
        let up = self.character.up;
        let lateral = velocity.reject_from_normalized(up);
        let rise = velocity.dot(up);
        if !(self.keeps_speed && rise > LEAST_RISE * length(velocity)) {
            return lateral;
        }
        let (own, slide) = (length(lateral), length((lateral + up * rise).reject_from_normalized(normal)));
        if own > 0.0 && slide > own { lateral * (slide / own) } else { lateral }
    }

    /// Returns the velocity without the components that contacts removed.
    fn kept(&self, velocity: DVec3) -> DVec3 {
        let up = self.character.up;
        match self.ground {
            Some(face) => self.path(velocity.reject_from_normalized(up), face, 1.0).reject_from_normalized(up),
            None => {
                let kept = self.along_walls(velocity);
                // A slope along which the character slides does not lift it faster than the wanted velocity.
                kept - up * larger(kept.dot(up) - larger(velocity.dot(up), 0.0), 0.0)
            }
        }
    }

    /// Returns, for up to `MOST_SIDES` entities that crush the character, the side on which the character was before. An entity has one side, even if several
    /// of its parts crush the character. The ground is left out, because the state stores it separately.
    fn crushing_sides(&self) -> [Option<KeptSide<K>>; MOST_SIDES] {
        let ground = self.footing.as_ref().map(|(id, _)| id);
        let mut sides: Vec<&CharacterContact<K>> = Vec::new();
        for contact in self.crushed.iter().filter(|contact| contact.depth > 0.0 && Some(&contact.id) != ground) {
            if sides.iter().all(|side| side.id != contact.id) {
                sides.push(contact);
            }
        }
        core::array::from_fn(|number| {
            let contact = sides.get(number)?;
            let before = self.sides.iter().find(|(id, _)| *id == contact.id);
            let normal = before.map_or(contact.normal, |(_, normal)| *normal);
            Some(KeptSide { id: contact.id.clone(), normal: normal.as_vec3() })
        })
    }

    /// Stores the ground that crushes the character. So the character stays on the same side of it.
    fn stay_on_what_crushes(&mut self) {
        let Some((id, normal)) = self.footing.clone() else { return self.ground = None };
        let contact = self.crushed.iter().find(|contact| contact.id == id);
        self.ground = contact.map(|_| normal);
        self.found = contact.map(|contact| CharacterGround {
            id: contact.id.clone(),
            point: contact.point,
            normal: contact.normal,
            surface_normal: normal,
        });
    }

    /// Returns a motion or velocity without its components into the walls so far.
    pub(super) fn along_walls(&self, motion: DVec3) -> DVec3 {
        let up = self.character.up;
        let lateral = along(motion.reject_from_normalized(up), &self.fences);
        along(lateral + up * motion.dot(up), &self.walls)
    }

    /// Adds the contact with a surface that is too steep to stand on. Later motions then do not go into the surface.
    pub(super) fn fence(&mut self, normal: DVec3) {
        self.walls.push(normal);
        self.fences.extend(unit(normal.reject_from_normalized(self.character.up)));
    }

    /// Returns the first solid contact at which a motion would bring the character nearer than the skin to an entity.
    pub(super) fn stop(&mut self, motion: DVec3) -> Option<Stop<K>> {
        self.stop_but(&[], motion)
    }

    /// Does the same as [`stop`](Self::stop), but ignores some entities.
    pub(super) fn stop_but(&mut self, carrier: &[K], motion: DVec3) -> Option<Stop<K>> {
        loop {
            let hit = self.ask(carrier, |view| {
                let sweeps = view.contact_filter(ContactFilter::Ahead).margin(self.character.skin);
                sweeps.first_sweep_hit(&self.character.volume, &self.pose(), motion)
            })?;
            let depth = self.depth_in(&hit.id);
            let response = self.response(|velocity| contact_of(&hit, depth, velocity));
            if response == ContactResponse::PassThrough {
                self.passed.push(hit.id);
                continue;
            }
            let (normal, surface, made) = (hit.normal_f64(), hit.surface_normal.as_dvec3(), hit.t_f64());
            return Some(Stop { hit, normal, surface, made, response });
        }
    }

    /// Calls `question` with a view that excludes the entities that this move ignores and the entities in `carrier`.
    /// Returns the result.
    pub(super) fn ask<T>(&self, carrier: &[K], question: impl FnOnce(View<'_, K>) -> T) -> T {
        let mut left_out = self.passed.iter().chain(carrier).cloned().peekable();
        if left_out.peek().is_none() {
            return question(self.view);
        }
        let filter = self.view.filter_without(left_out);
        question(self.view.with(&filter))
    }

    pub(super) fn has_passed(&self, id: &K) -> bool {
        self.passed.contains(id)
    }

    /// Makes an entity passable for the rest of the move.
    pub(super) fn pass(&mut self, id: K) {
        self.passed.push(id);
    }

    /// Returns the response to a contact.
    pub(super) fn response(&mut self, contact: impl FnOnce(DVec3) -> CharacterContact<K>) -> ContactResponse {
        let velocity = self.velocity;
        self.respond.as_mut().map_or(ContactResponse::Solid, |respond| respond(&contact(velocity)))
    }

    /// Returns how deep the character was in an entity when it began to get out; 0 if it did not overlap the entity.
    fn depth_in(&self, id: &K) -> f64 {
        self.depths.iter().filter(|(other, _)| other == id).fold(0.0, |most, (_, depth)| larger(most, *depth))
    }

    pub(super) fn report(&mut self, hit: &SweepHit<K>) {
        let contact = self.contact(hit);
        self.contacts.push(contact);
    }

    pub(super) fn contact(&self, hit: &SweepHit<K>) -> CharacterContact<K> {
        contact_of(hit, self.depth_in(&hit.id), self.velocity)
    }

    pub(super) fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation }
    }

    /// Moves as far as possible, and reports and returns the contact that stops the motion.
    pub(super) fn advance(&mut self, motion: DVec3) -> Option<Stop<K>> {
        let Some(stop) = self.stop(motion) else {
            self.position += motion;
            return None;
        };
        self.position += motion * stop.made;
        self.report(&stop.hit);
        Some(stop)
    }

    /// Finds ground at most `distance` below the character. If the ground is walkable, the character stands on it, and
    /// moves down to it if the gap is larger than the skin. An edge may be at most `edge` above the feet. Returns whether
    /// the character stands. Must not be called while the character stands on something.
    pub(super) fn settle(&mut self, distance: f64, edge: Option<f64>) -> bool {
        let up = self.character.up;
        let Some(stop) = self.stop(-up * distance) else { return false };
        let before = self.position;
        self.position -= up * (stop.made * distance);
        match self.walkable_face(&stop, edge) {
            Some(face) => self.stand(&stop, face),
            None => self.position = before,
        }
        self.ground.is_some()
    }

    /// Returns the normal of the walkable face that carries the character at a contact. Returns `None` if there is no such face. A contact with an edge may be
    /// too steep to carry the character. Then the edge still carries it if a face at the edge is walkable and the edge is at most `edge` above the feet. A
    /// ridge carries the character even if the touched face is the steep face behind the ridge, as at the end of a ramp.
    pub(super) fn walkable_face(&self, stop: &Stop<K>, edge: Option<f64>) -> Option<DVec3> {
        let up = self.character.up;
        let is_slope = self.character.is_walkable(stop.normal);
        if is_slope && self.character.is_walkable(stop.surface) {
            return Some(stop.surface);
        }
        let is_low = |edge: f64| Some((stop.hit.point_f64() - self.feet()?).dot(up) <= edge);
        let is_carried = stop.normal.dot(up) >= LEAST_SUPPORT && edge.and_then(is_low) == Some(true);
        if !is_slope && !is_carried {
            return None;
        }
        let mut faces = self.faces_at(stop);
        faces.retain(|face| self.character.is_walkable(*face));
        let nearest = |a: DVec3, b: DVec3| if b.dot(stop.normal) > a.dot(stop.normal) { b } else { a };
        let face = faces.iter().copied().reduce(nearest)?;
        // The gap may be off by a fraction of the skin, so the normal of a contact with an edge has a corresponding error.
        let is_near = length(stop.normal - face) <= LEAST_SUPPORT;
        (is_carried || is_near || is_between(stop.normal, face, &faces)).then_some(face)
    }

    /// Returns the unit normals of the flat faces at a contact, including faces whose distance from the contact is at
    /// most the error of a gap at rest.
    pub(super) fn faces_at(&self, stop: &Stop<K>) -> Vec<DVec3> {
        self.ask(&[], |view| view.faces_at(&stop.hit, AT_REST * self.character.skin))
    }

    /// Returns the lowest point of the character.
    pub(super) fn feet(&self) -> Option<DVec3> {
        self.lowest(self.character.up)
    }

    /// Returns the lowest point of the character along a unit direction.
    pub(super) fn lowest(&self, up: DVec3) -> Option<DVec3> {
        let placed = self.placed()?;
        Some(placed.center.world() + placed.body.core.farthest(-up) - up * placed.body.radius)
    }

    pub(super) fn stand(&mut self, stop: &Stop<K>, face: DVec3) {
        self.ground = Some(face);
        self.grade = self.grade_at(stop, face);
        self.found = Some(CharacterGround {
            id: stop.hit.id.clone(),
            point: stop.hit.point_f64(),
            normal: stop.normal,
            surface_normal: stop.surface,
        });
        self.belt = if let ContactResponse::Conveyor(velocity) = stop.response { velocity } else { DVec3::ZERO };
    }

    /// Moves with the conveyor on which the character stands, and returns the velocity of that motion.
    fn ride(&mut self, dt: f64) -> DVec3 {
        let (Some(face), from) = (self.ground, self.position) else { return DVec3::ZERO };
        let motion = self.belt * dt;
        if self.belt == DVec3::ZERO || !is_usable(motion) {
            return DVec3::ZERO;
        }
        // The walls that the character has already passed do not stop the ride.
        self.walls.clear();
        self.fences.clear();
        (self.velocity, self.keeps_speed) = (self.belt, false);
        self.walk(motion.reject_from_normalized(face));
        (self.position - from) / dt
    }

    /// Moves with the entity on which the character stands, as far as nothing else stops the character.
    fn carry(&mut self, state: &CharacterState<K>) {
        let Some(footing) = &state.footing else { return };
        let Some(to_world) = self.view.entity_transform(&footing.id) else { return };
        let motion = footing.motion(&to_world, state.moved_to);
        // The position is rounded when it is transformed to the entity's space and back.
        let rounding = 16.0 * f64::EPSILON * (length(self.view.origin) + length(to_world.translation));
        if length(motion) <= rounding {
            return;
        }
        let made = match self.stop_but(core::slice::from_ref(&footing.id), motion) {
            Some(stop) => {
                self.report(&stop.hit);
                stop.made
            }
            None => 1.0,
        };
        self.position += motion * made;
    }
}

/// Returns the unit normals of the face and of the slope on which a character stands. Returns `None` if one of them is steeper than any ground. This happens if
/// the up direction was changed since the last move.
fn slopes_under<K>(footing: &Footing<K>, up: DVec3) -> Option<[DVec3; 2]> {
    let slopes = [footing.normal, footing.slope].map(|normal| normal.as_dvec3().normalize_or_zero());
    slopes.iter().all(|normal| normal.dot(up) >= STEEPEST_STORED).then_some(slopes)
}

/// Returns whether a velocity points away from the ground. Its component along up must be above zero and above the rise
/// of the ground along the motion.
fn leads_away(velocity: DVec3, ground: DVec3, up: DVec3) -> bool {
    let lateral = velocity.reject_from_normalized(up);
    let rise = larger(over(lateral, ground, up).dot(up), 0.0);
    velocity.dot(up) > rise + LEAST_RISE * length(velocity)
}

fn contact_of<K: Clone>(hit: &SweepHit<K>, depth: f64, velocity: DVec3) -> CharacterContact<K> {
    CharacterContact {
        id: hit.id.clone(),
        part: hit.part,
        triangle: hit.triangle,
        point: hit.point_f64(),
        normal: hit.normal_f64(),
        surface_normal: hit.surface_normal.as_dvec3(),
        depth,
        velocity,
    }
}
