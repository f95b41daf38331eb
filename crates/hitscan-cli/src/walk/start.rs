//! The place where a walk starts, if none is given.

use super::walker::feet;
use crate::framing::framed;
use crate::model::Loaded;
use crate::output::joined;
use anyhow::{Context, Result, anyhow};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Capsule, Character, Ray, RayQueries, Side, SweepQueries, SweepStart, View};
use hitscan_io::EntityId;

/// Returns a place for the feet. It is the point where the capsule stops if it falls from the middle of the box that a camera would frame. Returns the point
/// where it lands from above the box if the middle is inside a solid, or if the ground below is too steep. It also returns that point if the capsule overlaps
/// something there or lands on nothing.
pub(super) fn default(
    loaded: &Loaded,
    view: View<'_, EntityId>,
    character: &Character,
    capsule: Capsule,
) -> Result<DVec3> {
    let extent = framed(&loaded.model).context("the model is empty: there is nothing to walk on")?.extent;
    let middle = extent.center();
    let deepest = f64::from(loaded.scene.bounds().min.y).min(extent.min.y);
    // A contact at the very end of the fall is a contact, too.
    let fall = Fall { view, character, feet: feet(capsule), bottom: deepest - 1.0 };
    let above = DVec3::new(middle.x, extent.max.y + 1.0, middle.z);
    let landing =
        fall.from(middle).filter(|landing| landing.is_walkable && fall.is_outside(middle)).or_else(|| fall.from(above));
    landing.map(|landing| landing.feet).ok_or_else(|| {
        let [x, z] = [middle.x, middle.z];
        anyhow!("there is nothing to stand on in the middle of the model, at x,z = {}: give --start", joined([x, z]))
    })
}

/// A character that falls straight down.
struct Fall<'a> {
    view: View<'a, EntityId>,
    character: &'a Character,
    /// The vector from the middle of the capsule to the feet.
    feet: DVec3,
    bottom: f64,
}

/// The place where a fall ends.
struct Landing {
    feet: DVec3,
    is_walkable: bool,
}

impl Fall<'_> {
    /// Returns where the feet land if they fall from a place. Returns `None` if the capsule overlaps something at this
    /// place, or falls for ever.
    fn from(&self, start: DVec3) -> Option<Landing> {
        let motion = DVec3::NEG_Y * (start.y - self.bottom);
        let hit = self.view.sweep(&self.character.volume, start - self.feet, motion)?;
        let is_walkable = f64::from(hit.surface_normal.y) >= self.character.max_slope.cos();
        (hit.start == SweepStart::Apart).then(|| Landing { feet: start + motion * hit.t_f64(), is_walkable })
    }

    /// Returns whether the front of the surface below a place faces this place.
    fn is_outside(&self, place: DVec3) -> bool {
        let below = self.view.relative_to(place).cast(&Ray::new(Vec3::ZERO, Vec3::NEG_Y));
        below.is_some_and(|hit| hit.side == Side::Front)
    }
}
