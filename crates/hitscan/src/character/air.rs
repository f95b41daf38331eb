//! A character in the air, or on ground that is too steep.

use super::body::{MOST_SLIDES, Move};
use core::hash::Hash;
use glam::DVec3;

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves, sliding along what is met. A character that does not rise stands on the ground that it comes to, and goes on there.
    pub(super) fn fly(&mut self, motion: DVec3, rises: bool) {
        let mut time = 1.0;
        for _ in 0..MOST_SLIDES {
            let way = self.along_walls(motion) * time;
            let Some(stop) = self.advance(way) else { break };
            time *= 1.0 - stop.made;
            if !rises && let Some(face) = self.walkable_face(&stop, None) {
                self.walls.push(stop.normal);
                self.stand(&stop, face);
                self.slide_on_ground(motion.reject_from_normalized(self.character.up) * time, stop.normal);
                return;
            }
            self.fence(stop.normal);
        }
        if !rises && self.settle(self.character.skin, None) {
            // The motion did not press into the ground that is just below the feet.
            self.walls.extend(self.ground);
        }
    }
}
