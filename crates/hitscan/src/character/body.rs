//! A character on its way through one step.

use super::planes::{along, out_of};
use super::state::Footing;
use super::{Character, CharacterContact, CharacterGround, CharacterState, ContactResponse, Moved};
use crate::convex::{Body, Pose, Volume, is_usable};
use crate::math::float::{larger, length, smaller, unit};
use crate::query::{Penetration, SweepHit, SweepQueries, View};
use crate::sweep::ContactFilter;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DQuat, DVec3};

/// A gap is the skin if it differs by no more than this part of it, so that a character at rest stays in place to the bit.
pub(super) const AT_REST: f64 = 1e-3;

/// A contact whose normal has less of the up direction carries nobody: it is beside the volume. What is left open of
/// the skin turns the normal of an edge by less.
const LEAST_SUPPORT: f64 = 0.05;

/// A move has at most this many slides.
pub(super) const MOST_SLIDES: usize = 8;

/// Returns half the sizes of the box around a volume, all 0 for a point; `None` for one that meets nothing.
pub(super) fn half_extents(volume: &Volume) -> Option<DVec3> {
    let placed = Body::placed(volume, &Pose::from(DVec3::ZERO), DVec3::ZERO)?;
    Some(placed.body.half_extents())
}

/// Decides what a contact does.
pub(super) type Respond<'r, K> = dyn FnMut(&CharacterContact<K>) -> ContactResponse + 'r;

/// A character in a scene.
pub(super) struct Move<'c, 'a, K> {
    pub(super) character: &'c Character,
    view: View<'a, K>,
    respond: Option<&'c mut Respond<'c, K>>,
    velocity: DVec3,
    /// The motion along a slope is as long as the lateral one that it is made from.
    pub(super) keeps_speed: bool,
    rotation: DQuat,
    /// The position relative to the view's origin, which is where the move starts.
    pub(super) position: DVec3,
    /// The unit normal of the ground that is stood on.
    pub(super) ground: Option<DVec3>,
    found: Option<SweepHit<K>>,
    pub(super) stepped: f64,
    /// The velocity of the surface of the ground that is stood on.
    belt: DVec3,
    pub(super) contacts: Vec<CharacterContact<K>>,
    /// The entities that are not there for this move.
    passed: Vec<K>,
    /// The unit normals of what was met.
    pub(super) walls: Vec<DVec3>,
    /// These are the normals of surfaces that are too steep, made upright, so that they lift nobody.
    pub(super) fences: Vec<DVec3>,
}

/// A contact ahead, and the part of the motion that can be made.
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
        Self {
            character,
            // Places near the character are as accurate as they would be near the world's origin.
            view: view.relative_to(state.position),
            respond,
            velocity: DVec3::ZERO,
            keeps_speed: character.keeps_speed_on_slopes,
            rotation: state.rotation,
            position: state.rest(),
            ground: state.footing.as_ref().map(|footing| footing.normal.as_dvec3().normalize_or_zero()),
            found: None,
            stepped: 0.0,
            belt: DVec3::ZERO,
            contacts: Vec::new(),
            passed: Vec::new(),
            walls: Vec::new(),
            fences: Vec::new(),
        }
    }

    pub(super) fn run(mut self, state: &mut CharacterState<K>, velocity: DVec3, dt: f64) -> Moved<K> {
        let from = self.position;
        let is_within_reach = is_usable(state.position) && is_usable(velocity) && is_usable(velocity * dt);
        let moves = is_within_reach && dt > 0.0 && self.character.validate().is_ok();
        let mut kept = DVec3::ZERO;
        let mut ground_velocity = DVec3::ZERO;
        if moves {
            self.velocity = velocity;
            self.carry(state.footing.as_ref());
            ground_velocity = (self.position - from) / dt;
            self.recover(dt);
            let up = self.character.up;
            let rises = velocity.dot(up) > 0.0;
            if self.ground.is_some() && !rises {
                self.walk(velocity * dt);
            } else {
                self.ground = None;
                self.fly(velocity * dt, rises);
            }
            kept = self.along_walls(velocity);
            ground_velocity += self.ride(dt);
            state.set_position(self.view.origin, self.position);
            state.footing = self.found.as_ref().zip(self.ground).and_then(|(hit, normal)| {
                let to_world = self.view.entity_transform(&hit.id)?;
                Footing::new(hit.id.clone(), &to_world, state.position, normal)
            });
        }
        let ground = self.found.filter(|_| moves && self.ground.is_some()).map(|hit| CharacterGround {
            point: hit.point_f64(),
            normal: hit.normal_f64(),
            surface_normal: hit.surface_normal.as_dvec3(),
            id: hit.id,
        });
        let motion = if moves { self.position - from } else { DVec3::ZERO };
        let (contacts, passed) = (self.contacts, self.passed);
        Moved { motion, velocity: kept, ground, ground_velocity, stepped: self.stepped, contacts, passed }
    }

    /// Returns a motion or velocity without what goes into something that was met.
    pub(super) fn along_walls(&self, motion: DVec3) -> DVec3 {
        let up = self.character.up;
        let lateral = along(motion.reject_from_normalized(up), &self.fences);
        along(lateral + up * motion.dot(up), &self.walls)
    }

    /// Keeps from going into something that is too steep to stand on.
    pub(super) fn fence(&mut self, normal: DVec3) {
        self.walls.push(normal);
        self.fences.extend(unit(normal.reject_from_normalized(self.character.up)));
    }

    /// Returns what is in the way of a motion: what comes as near as the skin, and is solid.
    pub(super) fn stop(&mut self, motion: DVec3) -> Option<Stop<K>> {
        self.stop_but(None, motion)
    }

    /// Returns what is in the way of a motion, but for an entity.
    fn stop_but(&mut self, carrier: Option<&K>, motion: DVec3) -> Option<Stop<K>> {
        loop {
            let hit = self.ask(carrier, |view| {
                let sweeps = view.contact_filter(ContactFilter::Ahead).margin(self.character.skin);
                sweeps.first(&self.character.volume, &self.pose(), motion)
            })?;
            let response = self.response(|velocity| contact_of(&hit, velocity));
            if response == ContactResponse::PassThrough {
                self.passed.push(hit.id);
                continue;
            }
            let (normal, surface, made) = (hit.normal_f64(), hit.surface_normal.as_dvec3(), hit.t_f64());
            return Some(Stop { hit, normal, surface, made, response });
        }
    }

    /// Asks a view without the entities that are not there for this move, and without another one.
    fn ask<T>(&self, carrier: Option<&K>, question: impl FnOnce(View<'_, K>) -> T) -> T {
        let mut left_out = self.passed.iter().chain(carrier).cloned().peekable();
        if left_out.peek().is_none() {
            return question(self.view);
        }
        let filter = self.view.filter_without(left_out);
        question(self.view.with(&filter))
    }

    /// Asks what a contact does.
    fn response(&mut self, contact: impl FnOnce(DVec3) -> CharacterContact<K>) -> ContactResponse {
        let velocity = self.velocity;
        self.respond.as_mut().map_or(ContactResponse::Solid, |respond| respond(&contact(velocity)))
    }

    fn report(&mut self, hit: &SweepHit<K>) {
        self.contacts.push(contact_of(hit, self.velocity));
    }

    fn pose(&self) -> Pose {
        Pose { position: self.position, rotation: self.rotation }
    }

    /// Moves as far as possible, and returns what is in the way then.
    pub(super) fn advance(&mut self, motion: DVec3) -> Option<Stop<K>> {
        let Some(stop) = self.stop(motion) else {
            self.position += motion;
            return None;
        };
        self.position += motion * stop.made;
        self.report(&stop.hit);
        Some(stop)
    }

    /// Stands on what is below within a distance, if it can be walked on; moves there if it is farther than the skin.
    /// An edge may be at most so high above the feet. Nothing is stood on before.
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

    /// Returns the normal of the face that carries a character that is at a contact, if it can be walked on. An edge
    /// that is steep for the volume carries it, if any does, where a face there can be walked on and the edge is at
    /// most so high above the feet.
    pub(super) fn walkable_face(&self, stop: &Stop<K>, edge: Option<f64>) -> Option<DVec3> {
        let up = self.character.up;
        if self.character.is_walkable(stop.normal) && self.character.is_walkable(stop.surface) {
            return Some(stop.surface);
        }
        let feet = Body::placed(&self.character.volume, &self.pose(), self.view.origin)
            .map(|placed| placed.center.world() + placed.body.core.farthest(-up) - up * placed.body.radius)?;
        if stop.normal.dot(up) < LEAST_SUPPORT || (stop.hit.point_f64() - feet).dot(up) > edge? {
            return None;
        }
        let faces = self
            .ask(None, |view| view.faces_at(&stop.hit))
            .into_iter()
            .filter(|face| self.character.is_walkable(*face));
        faces.reduce(|a, b| if b.dot(stop.normal) > a.dot(stop.normal) { b } else { a })
    }

    pub(super) fn stand(&mut self, stop: &Stop<K>, face: DVec3) {
        self.ground = Some(face);
        self.found = Some(stop.hit.clone());
        self.belt = if let ContactResponse::Conveyor(velocity) = stop.response { velocity } else { DVec3::ZERO };
    }

    /// Rides on the conveyor that is stood on, and returns the velocity at which that moved the character.
    fn ride(&mut self, dt: f64) -> DVec3 {
        let (Some(face), from) = (self.ground, self.position) else { return DVec3::ZERO };
        let motion = self.belt * dt;
        if self.belt == DVec3::ZERO || !is_usable(motion) {
            return DVec3::ZERO;
        }
        // The walls of the way so far are behind.
        self.walls.clear();
        self.fences.clear();
        (self.velocity, self.keeps_speed) = (self.belt, false);
        self.walk(motion.reject_from_normalized(face));
        (self.position - from) / dt
    }

    /// Moves with what is stood on, as far as nothing else is in the way.
    fn carry(&mut self, footing: Option<&Footing<K>>) {
        let Some(footing) = footing else { return };
        let Some(to_world) = self.view.entity_transform(&footing.id) else { return };
        let motion = (footing.carried(&to_world) - self.view.origin) - self.position;
        // The place in the entity's space is rounded there and back.
        let rounding = 16.0 * f64::EPSILON * (length(self.view.origin) + length(to_world.translation));
        if length(motion) <= rounding {
            return;
        }
        let made = match self.stop_but(Some(&footing.id), motion) {
            Some(stop) => {
                self.report(&stop.hit);
                stop.made
            }
            None => 1.0,
        };
        self.position += motion * made;
    }

    /// Leaves what is nearer than the skin.
    fn recover(&mut self, dt: f64) {
        let mut left = self.character.recovery_speed * dt;
        for _ in 0..MOST_SLIDES {
            let way = out_of(&self.planes_around());
            let distance = length(way);
            if !(distance > 0.0 && left > 0.0) {
                return;
            }
            let made = smaller(distance, left) / distance;
            let free = self.stop(way * made).map_or(1.0, |stop| stop.made);
            self.position += way * (made * free);
            left -= distance * made * free;
            if free == 0.0 {
                return;
            }
        }
    }

    /// Returns the planes that the character has to be in front of by a depth, so that it keeps its skin to everything solid.
    fn planes_around(&mut self) -> Vec<(DVec3, f64)> {
        let skin = self.character.skin;
        let distance = skin * (1.0 - AT_REST);
        let mut found = self.ask(None, |view| view.ways_to_distance(&self.character.volume, &self.pose(), distance));
        found.retain(|way| !self.passed.contains(&way.id) && !self.passes(way, distance));
        let plane = |way: &Penetration<K>| (way.normal_f64(), way.depth_f64() + AT_REST * skin);
        found.iter().map(plane).collect()
    }

    /// Asks about something that is nearer than a distance, and returns whether it lets the character through.
    fn passes(&mut self, way: &Penetration<K>, distance: f64) -> bool {
        let depth = larger(way.depth_f64() - distance, 0.0);
        let contact = |velocity: DVec3| CharacterContact {
            id: way.id.clone(),
            part: way.part,
            triangle: way.triangle,
            point: way.point_f64(),
            normal: way.normal_f64(),
            surface_normal: way.normal_f64(),
            depth,
            velocity,
        };
        let passes = self.response(contact) == ContactResponse::PassThrough;
        if passes {
            self.passed.push(way.id.clone());
        }
        passes
    }
}

fn contact_of<K: Clone>(hit: &SweepHit<K>, velocity: DVec3) -> CharacterContact<K> {
    CharacterContact {
        id: hit.id.clone(),
        part: hit.part,
        triangle: hit.triangle,
        point: hit.point_f64(),
        normal: hit.normal_f64(),
        surface_normal: hit.surface_normal.as_dvec3(),
        depth: 0.0,
        velocity,
    }
}
