//! A character that follows a script.

use super::script::Row;
use hitscan::glam::DVec3;
use hitscan::query::Penetration;
use hitscan::{Capsule, Character, CharacterState, Moved, Pose, ProximityQueries, View};
use hitscan_io::EntityId;

/// A character in a model.
pub(super) struct Walker<'a> {
    pub(super) character: Character,
    view: View<'a, EntityId>,
    state: CharacterState<EntityId>,
    /// The vector from the middle of the capsule to the feet.
    feet: DVec3,
    gravity: f64,
    /// The upward speed from jumps and gravity.
    rise: f64,
}

impl<'a> Walker<'a> {
    /// Puts a character's feet at a place. The character is separated from overlaps, and stands if there is ground
    /// right below it.
    pub(super) fn new(
        character: Character,
        view: View<'a, EntityId>,
        start: DVec3,
        capsule: Capsule,
        gravity: f64,
    ) -> Self {
        let feet = feet(capsule);
        let mut state = CharacterState::new(start - feet);
        character.move_and_slide(view, &mut state, DVec3::ZERO, 1.0);
        Self { character, view, state, feet, gravity, rise: 0.0 }
    }

    /// Makes one step of a row. Only the first step may jump.
    pub(super) fn step(&mut self, row: &Row, is_first: bool) -> Moved<EntityId> {
        let jumps = is_first && row.jump > 0.0 && self.state.is_grounded();
        let walks = self.state.is_grounded() && !jumps;
        self.rise = match (jumps, walks) {
            (true, _) => row.jump,
            (_, true) => 0.0,
            _ => self.rise - self.gravity * row.dt,
        };
        let wanted = row.velocity + DVec3::Y * self.rise;
        let moved = self.character.move_and_slide(self.view, &mut self.state, wanted, row.dt);
        // At the end of a slope, the character is not thrown into the air.
        self.rise = if walks { 0.0 } else { moved.velocity.y - row.velocity.y };
        moved
    }

    pub(super) fn feet(&self) -> DVec3 {
        self.state.position + self.feet
    }

    pub(super) fn pose(&self) -> Pose {
        self.state.pose()
    }

    /// Returns the deepest overlap of the capsule; touching is no overlap.
    pub(super) fn overlap(&self) -> Option<Penetration<EntityId>> {
        let deepest = self.view.penetration(&self.character.volume, self.pose());
        deepest.filter(|deepest| deepest.depth > 0.0)
    }
}

/// Returns the lowest point of a capsule around the origin.
pub(super) fn feet(capsule: Capsule) -> DVec3 {
    let [bottom, _] = capsule.ends();
    DVec3::Y * (f64::from(bottom.y) - f64::from(capsule.radius()))
}
