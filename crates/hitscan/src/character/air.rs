//! A character in the air, or on ground that is too steep.

use super::body::{MOST_SLIDES, Move};
use super::planes::{across, over};
use core::hash::Hash;
use glam::DVec3;

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves, sliding along what is met. A character that does not rise stands on the ground that it comes to, and goes on there.
    pub(super) fn fly(&mut self, motion: DVec3, rises: bool) {
        let up = self.character.up;
        let mut left = motion;
        for _ in 0..MOST_SLIDES {
            let Some((stop, rest)) = self.advance(left) else { break };
            if !rises && let Some(face) = self.walkable_face(&stop, 0.0) {
                self.walls.push(stop.normal);
                self.stand(&stop, face);
                self.slide_on_ground(over(across(rest, up), stop.normal, up));
                return;
            }
            self.fence(stop.normal);
            left = self.along_walls(rest);
        }
        if !rises && self.settle(self.character.skin, 0.0) {
            // The motion did not press into the ground that is just below the feet.
            self.walls.extend(self.ground);
        }
    }
}
