//! A character in the air, or on ground that is too steep.

use super::body::{MOST_SLIDES, Move};
use super::state::Flight;
use core::hash::Hash;
use glam::DVec3;

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves the character, sliding along all surfaces that it hits. A character that does not jump stands on the first walkable ground that it touches. From
    /// there it walks.
    pub(super) fn fly(&mut self, velocity: DVec3, dt: f64, flight: Flight) {
        let mut time = dt;
        for _ in 0..MOST_SLIDES {
            let way = self.along_walls(velocity) * time;
            let Some(stop) = self.advance(way) else { break };
            time *= 1.0 - stop.made;
            match self.walkable_face(&stop, None) {
                Some(face) if flight == Flight::Lands => {
                    self.stand(&stop, face);
                    return self.walk(self.over_ground(velocity, face) * time);
                }
                // A walkable slope is not a wall: a wall would stop a jump uphill.
                Some(_) => self.walls.push(stop.normal),
                None => self.fence(stop.normal),
            }
        }
        let rises = velocity.dot(self.character.up) > 0.0;
        if !rises && self.settle(self.character.skin, None) {
            // The motion did not press into the ground just below the feet.
            self.walls.extend(self.ground);
        }
    }
}
