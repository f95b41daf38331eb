//! A volume against what is made of numbered triangles.

use super::shapes::unmirrored;
use super::{Met, Sweep, local_thickness};
use crate::filter::Cull;
use crate::mesh::{Surface, can_be_met};
use crate::ray::LocalRay;
use crate::transform::Placement;
use glam::{DAffine3, DVec3};

impl Sweep {
    /// The way of the volume's middle, up to a t.
    pub(crate) fn way(&self, limit: f32) -> LocalRay {
        let ray = LocalRay { origin: self.center, direction: self.mover.motion, t_min: 0.0, t_max: limit };
        // What stays where it is, is there at t = 0 of any way.
        if ray.direction == DVec3::ZERO { LocalRay { direction: DVec3::X, t_max: 0.0, ..ray } } else { ray }
    }

    /// A transform to the world, relative to where the volume's middle starts.
    pub(crate) fn relative(&self, to_world: &DAffine3) -> DAffine3 {
        DAffine3 { translation: to_world.translation - self.center, ..*to_world }
    }
}

/// The t that is reported, if it is not beyond the end of the motion, or of what matters.
pub(crate) fn reported(t: f64, limit: f32) -> Option<f32> {
    // Adding +0 turns -0 into +0.
    Some(t as f32 + 0.0).filter(|&t| 0.0 <= t && t <= limit)
}

/// What is done with contacts with triangles.
pub(crate) trait TakeTriangles {
    /// Whether a contact with this one at t = 0 may matter. Asked where later ones do not: of all that is touched at the start, most do not either.
    fn wants_at_start(&self, triangle: u32) -> bool;

    /// Answers with the largest t that matters from now on.
    fn take(&mut self, triangle: u32, t: f32, met: &Met) -> f32;
}

/// Hands over the contact with each triangle that is met up to a reported t and may matter, some more than once.
pub(crate) fn sweep_surface(
    surface: &impl Surface,
    sweep: &Sweep,
    placement: &Placement,
    (mut limit, cull): (f32, Cull),
    take: &mut impl TakeTriangles,
) {
    let way = sweep.way(limit).transformed(&placement.to_local);
    let thickness = local_thickness(&sweep.mover, sweep.center, placement);
    let to_volume = sweep.relative(&placement.to_world);
    surface.near(&way, &thickness, &mut |triangle, corners| {
        if limit == 0.0 && !take.wants_at_start(triangle) {
            return limit;
        }
        let relative = corners.map(|corner| to_volume.transform_point3(corner.as_dvec3()));
        // A little more than what is still reported as the limit.
        let met = sweep.mover.meet_near_triangle(relative, limit.next_up().into());
        let met = met.map(|met| unmirrored(met, &to_volume)).filter(|met| cull.keeps(met.side));
        let met = met.and_then(|met| Some((reported(met.t, limit)?, met)));
        if let Some((t, met)) = met.filter(|_| can_be_met(corners)) {
            limit = limit.min(take.take(triangle, t, &met));
        }
        limit
    });
}
