//! Contacts of a volume with a torus itself, derived from a contact with the hull of one of its arcs.

use super::conservative_advancement::{Detail, StepBudget};
use super::contact::{Contact, ContactFilter, SweepStart};
use super::torus::TorusObstacle;
use super::torus_arc::{AngleRange, angle_of};
use crate::convex::arc::Arc;
use crate::convex::similar;
use crate::geom::transform::Placement;
use crate::math::float::{length, unit};
use glam::DVec3;

/// The search for the deepest place first tests angles on one side of its start, each twice as far away as the previous one. The first constant is the first
/// distance, and the second is the maximum number of such tests. The last distance is half a radian.
const FIRST_STEP: f64 = 1.0 / (1 << 10) as f64;
const MOST_STEPS: usize = 10;
/// The accuracy of the angle of the deepest place: half of the arc that is tested there.
const LAST_STEP: f64 = 1.0 / (1 << 21) as f64;
/// The normal at the deepest place leans along the circle by an angle whose sine is at most this. A search that ends because the motion no longer presses into
/// the torus leaves a larger angle, and finds nothing.
const LEVEL: f64 = 1.0 / (1 << 16) as f64;
/// The contact at the deepest place is used only if the motion presses into it enough. The limit is this fraction of its speed into the hull.
pub(super) const PRESSED: f64 = 0.5;

/// A limit for the hull of an arc that could not be divided any more. The hull is in contact only if the torus is no farther away than this multiple of the
/// torus's radius (`torus::MOST_SLOW_ARCS`).
const EARLY: f64 = 1.0 / (1 << 11) as f64;

impl TorusObstacle<'_> {
    /// Computes the point and the normal of a contact with the torus itself, given a contact with the hull of an arc. If the volume starts apart, they are at
    /// the nearest place of the torus. That place is hit a little later than the hull. If it starts in contact, they are at the deepest place near that one. If
    /// only the hull is in contact at the start, they are at the nearest point of the torus there. If there is none, the point is moved onto the torus.
    pub(super) fn at_place(&self, met: Contact) -> Contact {
        // A volume whose middle is in the hull has no contact point.
        if met.start == SweepStart::Penetrating && met.point == DVec3::ZERO {
            return met;
        }
        let Ok(placed) = Placement::new(self.to_world) else { return met };
        let place = placed.to_local.transform_point3(met.point);
        let on_torus = match met.start {
            SweepStart::Touching | SweepStart::Penetrating => {
                let angle = angle_of(place);
                let deepest = self.deepest_near(angle).filter(|deepest| self.presses_as(deepest, &met));
                deepest.or_else(|| self.nearest_at(angle, &met).filter(|nearest| self.presses_as(nearest, &met)))
            }
            // During a rotation, the volume may be at the hull of a place that it never touches.
            SweepStart::Apart if self.mover.turning.is_some() => None,
            SweepStart::Apart => self.meet_at(angle_of(place), f64::INFINITY).filter(|later| later.t >= met.t),
        };
        let moved = || Contact { point: self.to_world.transform_point3(self.onto(place)), ..met };
        on_torus.map_or_else(moved, |on_torus| Contact { t: met.t, ..on_torus })
    }

    /// Returns whether the motion presses into a contact about as much as into another one. It is always true if all contacts are reported. Otherwise, a
    /// contact that a volume hardly presses into would stop it again and again. An example is a volume that is in a torus and moves along it.
    fn presses_as(&self, deepest: &Contact, met: &Contact) -> bool {
        let pressed = |met: &Contact| -met.normal.dot(self.mover.motion);
        self.mover.contacts == ContactFilter::All || pressed(deepest) >= PRESSED * pressed(met)
    }

    /// Returns the contact with the shortest arc around an angle, up to a limit of t.
    fn meet_at(&self, angle: f64, limit: f64) -> Option<Contact> {
        self.meet_arc(AngleRange::around(angle), (0.0, limit), Detail::All, &mut StepBudget::OF_ONE.clone())
    }

    /// Returns a contact with the point of the torus at an angle that is nearest to the volume at the start. Its distance must be at most [`EARLY`]. Returns
    /// `None` for rotating volumes and for a torus that is not round in the world.
    fn nearest_at(&self, angle: f64, met: &Contact) -> Option<Contact> {
        let scale = similar(&self.to_world.matrix3).filter(|_| self.mover.turning.is_none())?;
        let (arc, to_local) = (AngleRange::around(angle), Placement::new(self.to_world).ok()?.to_local);
        let [major, minor] = [self.torus.major, self.torus.minor].map(f64::from);
        let (way, center, _) = self.way_to(&Arc::between(arc.from, arc.to), arc.chord(), &to_local);
        let gap = length(way) - minor - self.mover.body.radius / scale;
        let outward = unit(-way).filter(|_| gap <= EARLY * major)?;
        let point = self.to_world.transform_point3(center + outward * minor);
        Some(Contact { point, normal: unit(self.to_world.matrix3 * outward)?, ..*met })
    }

    /// Returns the contact at the start with an arc.
    pub(super) fn meet_at_start(&self, arc: AngleRange) -> Option<Contact> {
        let met = self.meet_arc(arc, (0.0, 0.0), Detail::All, &mut StepBudget::OF_ONE.clone());
        met.filter(|met| met.start != SweepStart::Apart)
    }

    /// Returns the locally deepest contact at the start, searched within half a radian of an angle; `None` if the search finds none. The volume is in contact
    /// with all tested places up to the deepest one, and the normals there lean towards it along the circle.
    fn deepest_near(&self, angle: f64) -> Option<Contact> {
        let at_start =
            |angle: f64| self.meet_at_start(AngleRange::around(angle)).filter(|met| met.point != DVec3::ZERO);
        let lean = |met: &Contact, angle: f64| {
            let along = DVec3::new(-libm::sin(angle), 0.0, libm::cos(angle));
            met.normal.dot(self.to_world.matrix3 * along)
        };
        let mut deepest = at_start(angle)?;
        let ahead = libm::copysign(1.0, lean(&deepest, angle));
        let (mut near, mut far) = (angle, None);
        for number in 0..MOST_STEPS {
            let next = angle + ahead * FIRST_STEP * f64::from(1_u32 << number);
            match at_start(next).filter(|met| lean(met, next) * ahead > 0.0) {
                Some(met) => (near, deepest) = (next, met),
                None => {
                    far = Some(next);
                    break;
                }
            }
        }
        let mut far = far?;
        while (far - near).abs() > LAST_STEP {
            let middle = 0.5 * (near + far);
            match at_start(middle) {
                Some(met) if lean(&met, middle) * ahead > 0.0 => (near, deepest) = (middle, met),
                _ => far = middle,
            }
        }
        (lean(&deepest, near) * ahead <= LEVEL * length(self.to_world.matrix3.x_axis)).then_some(deepest)
    }

    /// Returns the point of the torus that is nearest to a place, in the torus's own space.
    fn onto(&self, place: DVec3) -> DVec3 {
        let [major, minor] = [self.torus.major, self.torus.minor].map(f64::from);
        let Some(outward) = unit(DVec3::new(place.x, 0.0, place.z)) else { return place };
        let center = outward * major;
        unit(place - center).map_or(place, |away| center + away * minor)
    }
}
