//! The steady motion of an entity, and a bound on its speed.

use crate::convex::RESOLUTION;
use crate::geom::aabb::{Aabb, Extent};
use crate::math::float::{larger, length, smaller, unit};
use crate::math::rotation::normalized;
use crate::scene::{EntityRef, Geometry};
use crate::shape::ShapeForm;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// The motion of an entity in a step. It moves along a straight line and rotates meanwhile, both at constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EntityMotion<K> {
    /// The entity.
    pub id: K,
    /// The motion of the entity's origin, in world units.
    pub translation: DVec3,
    /// The rotation about the entity's origin, in world space, of any length but 0. It is the shorter of the two possible ones, at most half a turn.
    pub rotation: DQuat,
}

impl<K> EntityMotion<K> {
    /// Moves an entity without a rotation.
    pub fn new(id: K, translation: impl Into<DVec3>) -> Self {
        Self { id, translation: translation.into(), rotation: DQuat::IDENTITY }
    }

    /// Rotates the entity about its origin meanwhile.
    #[must_use]
    pub fn rotating(self, rotation: DQuat) -> Self {
        Self { rotation, ..self }
    }
}

/// An entity with its motion.
#[derive(Clone, Debug)]
pub(super) struct MovingEntity {
    pub(super) geometry: Geometry,
    /// The transform at the start.
    pub(super) start: DAffine3,
    translation: DVec3,
    /// The axis of the rotation times its angle.
    spin: DVec3,
    /// An upper bound of the distances of its points from its origin; infinite for a plane.
    reach: f64,
    is_convex: bool,
}

/// The factor by which bounds on places are enlarged, so that rounding does not matter.
const ROUNDING: f64 = 1.0 + 1.0 / (1u64 << 20) as f64;

impl MovingEntity {
    /// Returns an entity with its box in the world and its motion; `None` if the motion is not finite.
    pub(super) fn new(entity: EntityRef<'_>, bounds: &Aabb, translation: DVec3, rotation: DQuat) -> Option<Self> {
        let spin = spin_of(normalized(rotation)?);
        let start = entity.transform();
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let farthest = (low - start.translation).abs().max((high - start.translation).abs());
        let reach = if bounds.is_finite() { length(farthest) * ROUNDING } else { f64::INFINITY };
        let is_convex = is_convex(entity.geometry());
        let moving = Self { geometry: entity.geometry().clone(), start, translation, spin, reach, is_convex };
        translation.is_finite().then_some(moving)
    }

    /// Returns an entity that stays where it is.
    pub(super) fn resting(entity: EntityRef<'_>, bounds: &Aabb) -> Option<Self> {
        Self::new(entity, bounds, DVec3::ZERO, DQuat::IDENTITY)
    }

    /// Returns the transform at a fraction of the motion.
    pub(super) fn at(&self, time: f64) -> DAffine3 {
        let DAffine3 { matrix3, translation } = self.start;
        let rotated = rotation_by(self.spin * time).map_or(matrix3, |rotation| rotation * matrix3);
        DAffine3 { matrix3: rotated, translation: translation + self.translation * time }
    }

    /// Returns a box that the entity does not leave, given its box at the start; `None` if it has no bounds.
    pub(super) fn swept(&self, bounds: &Aabb) -> Option<Extent> {
        let (mut low, mut high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        if self.spin != DVec3::ZERO {
            let origin = self.start.translation;
            (low, high) = (origin - self.reach, origin + self.reach);
        }
        let swept =
            Extent { low: low + self.translation.min(DVec3::ZERO), high: high + self.translation.max(DVec3::ZERO) };
        let slack = swept.low.abs().max(swept.high.abs()) * (ROUNDING - 1.0);
        Some(Extent { low: swept.low - slack, high: swept.high + slack })
            .filter(|swept| swept.low.is_finite() && swept.high.is_finite())
    }
}

/// Returns the axis of a rotation times its angle, which is at most half a turn.
fn spin_of(DQuat { x, y, z, w }: DQuat) -> DVec3 {
    let (along, w) = if w < 0.0 { (-DVec3::new(x, y, z), -w) } else { (DVec3::new(x, y, z), w) };
    unit(along).map_or(DVec3::ZERO, |axis| axis * (2.0 * libm::atan2(length(along), w)))
}

/// Returns the rotation by an axis times an angle; `None` if there is none.
fn rotation_by(spin: DVec3) -> Option<DMat3> {
    let (axis, half) = (unit(spin)?, 0.5 * length(spin));
    let DVec3 { x, y, z } = axis * libm::sin(half);
    Some(DMat3::from_quat(DQuat::from_xyzw(x, y, z, libm::cos(half))))
}

/// Returns an upper bound of the speed at which two entities with a gap between them come nearer. The direction leads from the first to the second where they
/// are nearest. The unit is the whole motion.
///
/// Two convex things are on different sides of a plane across that direction. Only motion along its normal brings them nearer, and a rotation moves no
/// point faster along the normal than the reach times the part of the spin across the normal (B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
/// Systems", 1996, 2.3.2). For other things, the bound is the speed of any point of one relative to any point of the other.
pub(super) fn speed_of_approach(pair: [&MovingEntity; 2], direction: DVec3, gap: f64) -> f64 {
    let [first, second] = pair;
    let relative = first.translation - second.translation;
    let between = length(first.start.translation - second.start.translation)
        + length(first.translation)
        + length(second.translation);
    // Seen from an entity that rotates, the points of the other one rotate around its origin. So the reach of either bounds the speed.
    let arm = |this: &MovingEntity, other: &MovingEntity| smaller(this.reach, between + other.reach);
    let arms = [arm(first, second), arm(second, first)];
    let spinning = |across: &dyn Fn(DVec3) -> DVec3| {
        let speed = |spin: DVec3, arm: f64| if spin == DVec3::ZERO { 0.0 } else { length(across(spin)) * arm };
        speed(first.spin, arms[0]) + speed(second.spin, arms[1])
    };
    let fastest = (length(relative) + spinning(&|spin| spin)) * ROUNDING;
    let keeps_plane =
        |moving: &MovingEntity| moving.is_convex && (moving.spin == DVec3::ZERO || moving.reach.is_finite());
    if !pair.into_iter().all(keeps_plane) {
        return fastest;
    }
    // The nearest points are exact to a fraction of the sizes, so the direction is to this fraction of the gap.
    let sizes = pair
        .iter()
        .map(|moving| moving.reach)
        .filter(|reach| reach.is_finite())
        .fold(between, |sum, reach| sum + reach);
    let doubt = larger(ROUNDING - 1.0, 4.0 * RESOLUTION * sizes / gap);
    smaller(relative.dot(direction) + spinning(&|spin| spin.cross(direction)) + fastest * doubt, fastest)
}

/// Returns whether a geometry contains the segments between all of its points.
fn is_convex(geometry: &Geometry) -> bool {
    match geometry {
        Geometry::Shape(shape) => !matches!(shape.form(), ShapeForm::Torus),
        // A custom shape is measured by its convex hull.
        Geometry::ConvexHull(_) | Geometry::Custom(_) => true,
        Geometry::Mesh(_)
        | Geometry::HeightField(_)
        | Geometry::Compound(_)
        | Geometry::PointCloud(_)
        | Geometry::Polyline(_) => false,
    }
}
