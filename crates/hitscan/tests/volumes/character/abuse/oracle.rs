//! Checks after every step, for any disturbance of the character. They use queries that the mover does not call, and closed
//! forms.

use super::depth::Placed;
use super::game::Hero;
use crate::character::soup::CORNER;
use crate::character::volumes::{RING, VOLUMES};
use hitscan::character::CharacterGround;
use hitscan::glam::{DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{HeightField, Moved};

/// The fraction of the skin that is the tolerance of a gap.
const SLIGHT: f64 = 2e-3;

/// One step of a character: the state before it, the wanted motion, and the result.
pub(super) struct Step<'s> {
    pub(super) hero: &'s Hero,
    pub(super) view: View<'s, u32>,
    pub(super) solids: &'s [Placed],
    pub(super) hills: &'s HeightField,
    pub(super) before: DVec3,
    pub(super) velocity: DVec3,
    pub(super) dt: f64,
    pub(super) moved: &'s Moved<u32>,
    pub(super) what: &'s str,
}

impl Step<'_> {
    pub(super) fn check(&self, is_put: bool) {
        let Self { moved, what, hero, .. } = self;
        let at = hero.state.position;
        assert!(at.is_finite() && moved.velocity.is_finite(), "{what}");
        assert!((at - self.before - moved.motion).length() < 1e-9, "{what}: {}", moved.motion);
        let is_free = self.check_depths();
        assert_eq!(moved.ground.is_some(), hero.state.is_grounded(), "{what}");
        if let Some(ground) = moved.ground.filter(|_| is_free) {
            self.check_ground(&ground);
        }
        self.check_length();
        if !is_put && !self.was_inside() {
            self.check_way();
        }
    }

    fn was_inside(&self) -> bool {
        self.moved.contacts.iter().any(|contact| contact.depth > 0.0)
    }

    /// Returns whether the character is separating from an overlap at a limited speed, so that it may still overlap at the end.
    fn gets_out(&self) -> bool {
        self.was_inside() && self.hero.form.escape_speed.is_finite()
    }

    /// Checks that the character overlaps nothing, or is crushed, or gets out at its speed. Also checks that a crushed character overlaps something. Returns
    /// whether it overlaps nothing.
    fn check_depths(&self) -> bool {
        let Self { moved, what, hero, .. } = self;
        let pose = hero.state.pose();
        let mut inside = Vec::new();
        self.view.penetration_all(&hero.form.volume, pose, &mut inside);
        let asked = inside.first().map(|way| (f64::from(way.depth), way.id));
        let solids = self.solids.iter().map(|solid| (solid.least_depth(&hero.points, &pose), solid.id));
        let closed = solids.max_by(|a, b| a.0.total_cmp(&b.0));
        let (depth, id) = asked.into_iter().chain(closed).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let gets_out = self.gets_out();
        let is_free = depth <= hero.rounding();
        assert!(
            is_free || !moved.crushed.is_empty() || gets_out,
            "{what}: {depth} deep in {id}, {asked:?} {closed:?} {moved:?}"
        );
        assert!(moved.crushed.is_empty() || depth > 0.5e-3 * hero.form.skin, "{what}: crushed by {moved:?}");
        is_free
    }

    /// Checks that the character touches its ground at the end of the step, at the reported point.
    fn check_ground(&self, ground: &CharacterGround<u32>) {
        let Self { what, hero, moved, .. } = self;
        let only = Filter::new().entities(|id| id == ground.id);
        let only = self.view.with(&only);
        let off = only.closest_point(ground.point).unwrap().distance_f64();
        let (gap, skin) = (hero.distance(ground.point), hero.form.skin);
        // A contact with a ring may be early by a fraction of its radius. This happens if many of its arcs are hit at nearly the same time
        // (docs/robustness/characters.md).
        let ring = self.solids.iter().find(|solid| solid.id == ground.id && solid.kind == RING);
        let slight = ring.map_or(1e-6, |ring| 1e-3 * f64::from(ring.size));
        assert!(only.overlaps(hero.nearer(slight), hero.state.pose()), "{what}: it stands beside {ground:?}");
        // A contact point is on a ring within 2^-18 of the sizes of the ring and the volume.
        let beside = ring.map_or(1e-6, |ring| 2f64.powi(-18) * (2.0 + 2.0 * f64::from(ring.size)));
        assert!(off < beside, "{what}: the point is {off} from {ground:?}: {moved:?}");
        let is_kept = (gap - skin).abs() < SLIGHT * skin + slight;
        // There may be no room for the skin if another solid or the other side of a ring is as near. The same holds if a solid was hit in this step. A
        // character that separates slowly may not have reached the full gap yet.
        let hits_others = self.moved.contacts.iter().any(|contact| contact.id != ground.id);
        let way_out = only.penetration(hero.nearer(0.0), hero.state.pose());
        // The depth of the volume with the skin is at most this skin. The exception is a shortest separation along the axis of a hole.
        let is_longer = way_out.is_some_and(|way| f64::from(way.depth) > (1.0 + 2.0 * SLIGHT) * skin + slight);
        let is_in_a_narrow_hole = ring.is_some() && is_longer;
        let has_no_room = hits_others || is_in_a_narrow_hole || self.touches_others(ground.id);
        let may_be_nearer = hero.form.escape_speed.is_finite() || has_no_room;
        // A depth within rounding is no overlap, as for `Character::has_room`.
        let is_nearer = may_be_nearer && (-hero.rounding()..skin).contains(&gap);
        assert!(is_kept || is_nearer, "{what}: the gap is {gap}: {ground:?} {moved:?}");
        assert!(self.moved.velocity.y.abs() < 1e-9, "{what}: {}", self.moved.velocity);
    }

    /// Returns whether another solid is as near as the skin.
    fn touches_others(&self, ground: u32) -> bool {
        let others = Filter::new().entities(|id| id != ground && id != self.hero.id);
        self.view.with(&others).overlaps(self.hero.nearer(0.0), self.hero.state.pose())
    }

    /// Checks that the step is no longer or higher than the velocity, the ground's motion, a climb and a separation
    /// allow.
    fn check_length(&self) {
        let Self { moved, what, dt, hero, velocity, .. } = self;
        let form = &hero.form;
        let escape = if self.was_inside() { form.escape_speed * dt } else { 0.0 } + 2.0 * form.skin;
        let own = moved.motion - moved.ground_velocity * dt;
        let made = if moved.crushed.is_empty() { velocity.length() * dt } else { 0.0 };
        let steps = 1.0 + (made / form.step_depth).floor();
        let slope = made * form.max_slope.tan();
        let (level, rise) = (own.with_y(0.0).length(), own.y);
        let most = made + escape + steps * 3.0 * form.skin;
        assert!(level <= most, "{what}: {level} across rather than {most}, {moved:?}");
        let most = velocity.y.max(0.0) * dt + slope + steps * form.step_up + escape;
        assert!(rise <= most, "{what}: it rises by {rise} rather than {most}, {moved:?}");
        let most = -velocity.y.min(0.0) * dt + slope + slope.max(form.step_down) + escape;
        assert!(-rise <= most, "{what}: it falls by {rise} rather than {most}, {moved:?}");
    }

    /// Checks that the middle of a character that overlapped nothing has passed through nothing. The test of a segment is enough for a motion that is shorter
    /// than the volume is wide, and for a motion in the air without a contact.
    fn check_way(&self) {
        let Self { moved, what, before, .. } = self;
        let is_straight = moved.contacts.is_empty() && moved.ground.is_none() && moved.ground_velocity == DVec3::ZERO;
        if moved.motion != DVec3::ZERO && (moved.motion.length() < 0.2 || is_straight) {
            let way = Ray::between(Vec3::ZERO, moved.motion.as_vec3());
            assert!(!self.view.relative_to(*before).is_blocked(&way), "{what}: through something");
        }
        if let (Some(from), Some(to)) = (self.is_above(*before), self.is_above(self.hero.state.position)) {
            assert_eq!(from, to, "{what}: through the hills");
        }
    }

    /// Returns whether a place is above the hills; `None` for a place outside of them or at their border.
    fn is_above(&self, place: DVec3) -> Option<bool> {
        let at = place - CORNER;
        let is_among = [at.x, at.z].iter().all(|at| (2.0..38.0).contains(at));
        let height = self.hills.height_at(at.x as f32, at.z as f32).filter(|_| is_among)?;
        Some(at.y > f64::from(height))
    }
}

impl Hero {
    /// Returns the volume with a margin that is slightly wider than the sum of the skin and this length.
    fn nearer(&self, beyond: f64) -> Volume {
        self.form.volume.clone().with_margin(((1.0 + SLIGHT) * self.form.skin + beyond) as f32)
    }

    /// Returns the depth that is within rounding.
    fn rounding(&self) -> f64 {
        SLIGHT * self.form.skin + 1e-6
    }

    /// Returns the distance of a point from the volume.
    fn distance(&self, point: DVec3) -> f64 {
        let own = self.state.rotation.inverse() * (point - self.state.position);
        let nearest = self.own.closest_point(own).unwrap();
        let margin = if self.volume == VOLUMES - 1 { 0.1 } else { 0.0 };
        f64::from(nearest.signed_distance().unwrap_or(nearest.distance)) - margin
    }
}
