//! A convex body that is placed in the world, represented by its support function.

use super::anchor::Anchor;
use super::stretch::{scaled_radius, similar};
use super::volume::{Pose, Volume};
use crate::geom::aabb::Aabb;
use crate::geom::affine;
use crate::hull::ConvexHull;
use crate::math::float::{UNIT_ROUNDOFF, largest};
use crate::math::rotation::unit_rotation;
use crate::shape::{Capsule, Shape, ShapeForm, Sphere};
use alloc::boxed::Box;
use alloc::vec::Vec;
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// All points within a radius of a core, relative to the body's centre, which is a point of the core.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) core: BodyCore,
    pub(crate) radius: f64,
}

/// The core of a body, which the radius expands.
#[derive(Clone, Debug)]
pub(crate) enum BodyCore {
    /// The segment from `-half` to `half`, which is a point if that is 0.
    Segment(DVec3),
    /// The half edges of a box, which may be sheared or flat.
    Box([DVec3; 3]),
    /// The corners of a hull.
    Hull(Vec<DVec3>),
    /// A shape that is given by its support function: a round shape, or a triangle.
    Round(Box<Solid>),
}

/// A convex shape that is placed relative to a body's centre.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) shape: Shape,
    pub(crate) to_body: DAffine3,
}

impl Solid {
    /// Returns the support point along a direction of any length.
    fn farthest(&self, direction: DVec3) -> DVec3 {
        self.to_body.transform_point3(self.shape.form().farthest(self.to_body.matrix3.transpose() * direction))
    }

    /// Returns the corners of a box around it.
    fn corners(&self) -> [DVec3; 8] {
        self.shape.bounds().corners().map(|corner| self.to_body.transform_point3(corner.as_dvec3()))
    }
}

/// A body and the position of its centre.
#[derive(Clone, Debug)]
pub(crate) struct PlacedBody {
    pub(crate) center: Anchor,
    pub(crate) body: Body,
}

impl PlacedBody {
    /// Returns `None` for a body that is too large or too far away for any contact.
    fn usable(center: Anchor, core: BodyCore, radius: f64) -> Option<Self> {
        let is_usable = is_usable(center.world()) && is_usable(core.half_extents());
        is_usable.then_some(Self { center, body: Body { core, radius } })
    }
}

impl From<Round> for PlacedBody {
    fn from(round: Round) -> Self {
        Self { body: round.body(), center: round.center }
    }
}

/// All points within a radius of a segment or a point.
pub(crate) struct Round {
    pub(crate) center: Anchor,
    /// The half of the segment.
    pub(crate) half: DVec3,
    pub(crate) radius: f64,
}

impl Round {
    /// A point, in its own space.
    pub(crate) const POINT: Self = Self { center: Anchor::ZERO, half: DVec3::ZERO, radius: 0.0 };

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ball(ball: &Sphere) -> Self {
        Self { center: ball.center.as_dvec3().into(), radius: ball.radius.into(), ..Self::POINT }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn capsule(capsule: &Capsule) -> Self {
        let [a, b] = capsule.ends();
        let (a, b) = (a.as_dvec3(), b.as_dvec3());
        Self { center: ((a + b) * 0.5).into(), half: (b - a) * 0.5, radius: capsule.radius().into() }
    }

    /// Returns the volume rotated around the origin of its space and translated; `None` if it can hit nothing.
    pub(crate) fn placed(self, turn: &UnitRotation, place: Anchor) -> Option<Self> {
        Self { center: turn.turned(self.center.offset).into(), half: turn.turned(self.half), ..self }.moved(place)
    }

    /// Returns the volume translated, without a rotation.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn moved(self, place: Anchor) -> Option<Self> {
        let center = place.beside(self.center.offset);
        (is_usable(center.world()) && is_usable(self.half)).then_some(Self { center, ..self })
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn body(&self) -> Body {
        Body { core: BodyCore::Segment(self.half), radius: self.radius }
    }
}

impl Body {
    /// Returns a volume in its pose, relative to an origin; `None` if it can hit nothing.
    pub(crate) fn placed(volume: &Volume, pose: &Pose, origin: DVec3) -> Option<PlacedBody> {
        volume.validate().ok()?;
        let (turn, place) = (UnitRotation::new(pose.rotation)?, Anchor { origin, offset: pose.position });
        let (middle, core) = match volume {
            Volume::Rounded(rounded) => {
                let mut placed = Self::placed(rounded.core(), pose, origin)?;
                placed.body.radius += f64::from(rounded.margin());
                return Some(placed);
            }
            Volume::Point => return Round::POINT.placed(&turn, place).map(PlacedBody::from),
            Volume::Sphere(ball) => return Round::ball(ball).placed(&turn, place).map(PlacedBody::from),
            Volume::Capsule(capsule) => return Round::capsule(capsule).placed(&turn, place).map(PlacedBody::from),
            Volume::Aabb(aabb) => boxed(aabb, &DAffine3::IDENTITY, &turn),
            Volume::OrientedBox(turned) => {
                let to_space = affine::invert(&turned.to_local()).ok()?.transform;
                boxed(&turned.aabb(), &to_space, &turn)
            }
            Volume::Cylinder(cylinder) => round(Shape::Cylinder(*cylinder), turn.matrix()),
            Volume::Cone(cone) => round(Shape::Cone(*cone), turn.matrix()),
            Volume::ConvexHull(hull) => hulled(hull, |v| turn.turned(v)),
        };
        PlacedBody::usable(place.beside(turn.turned(middle)), core, 0.0)
    }

    /// Returns the body of a convex shape, given the affine transform from its space to the world. Returns `None`
    /// for a torus, which is not convex, for a plane, which has no middle, and for a shape that cannot touch
    /// anything.
    pub(crate) fn of_shape(shape: &Shape, to_world: &DAffine3) -> Option<PlacedBody> {
        shape.validate().ok()?;
        let linear = &to_world.matrix3;
        let stretched = || {
            let (middle, core) = round(*shape, *linear);
            PlacedBody::usable(to_world.transform_point3(middle).into(), core, 0.0)
        };
        match shape.form() {
            ShapeForm::Torus | ShapeForm::Plane { .. } => None,
            ShapeForm::Box { aabb, radius } => match scaled_radius(radius, linear) {
                Some(radius) => {
                    let (middle, core) = boxed(&aabb, to_world, &UnitRotation(None));
                    PlacedBody::usable(middle.into(), core, radius)
                }
                None => stretched(),
            },
            ShapeForm::OrientedBox { aabb, to_local } => {
                let to_space = affine::invert(to_local).ok()?.transform;
                let (middle, core) = boxed(&aabb, &(*to_world * to_space), &UnitRotation(None));
                PlacedBody::usable(middle.into(), core, 0.0)
            }
            ShapeForm::Parallelogram { corner, edges } => {
                let [u, v] = edges.map(|edge| edge.as_dvec3() * 0.5);
                let center = to_world.transform_point3(corner.as_dvec3() + u + v);
                PlacedBody::usable(center.into(), BodyCore::Box([*linear * u, *linear * v, DVec3::ZERO]), 0.0)
            }
            ShapeForm::Segment { ends: [a, b], radius } => match similar(linear) {
                Some(scale) => {
                    let half = *linear * ((b - a) * 0.5);
                    let round = Round { center: Anchor::ZERO, half, radius: radius * scale };
                    round.moved(to_world.transform_point3((a + b) * 0.5).into()).map(PlacedBody::from)
                }
                None => stretched(),
            },
            ShapeForm::Revolved(_) | ShapeForm::Triangle(_) => stretched(),
        }
    }

    /// Returns the body of a hull, given the affine transform from its space to the world.
    pub(crate) fn of_hull(hull: &ConvexHull, to_world: &DAffine3) -> Option<PlacedBody> {
        let (middle, core) = hulled(hull, |v| to_world.matrix3 * v);
        PlacedBody::usable(to_world.transform_point3(middle).into(), core, 0.0)
    }

    /// Returns half the sizes of the bounding box with the same centre.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn half_extents(&self) -> DVec3 {
        self.core.half_extents() + DVec3::splat(self.radius)
    }

    /// Returns an upper bound of the largest coordinate of its core.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn size(&self) -> f64 {
        largest(self.core.half_extents())
    }

    /// Returns the f64 error of a distance between the body and an obstacle whose coordinates, relative to the body's centre, are at most `reach`.
    pub(crate) fn rounding(&self, reach: f64) -> f64 {
        32.0 * UNIT_ROUNDOFF * (reach + self.size() + self.radius)
    }
}

impl BodyCore {
    /// Returns the support point for a direction of any length.
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        let signed = |half: DVec3| if half.dot(direction) < 0.0 { -half } else { half };
        match self {
            Self::Segment(half) => signed(*half),
            Self::Box([x, y, z]) => signed(*x) + signed(*y) + signed(*z),
            Self::Hull(corners) => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for &corner in corners {
                    let along = corner.dot(direction);
                    if along > best.0 {
                        best = (along, corner);
                    }
                }
                best.1
            }
            Self::Round(solid) => solid.farthest(direction),
        }
    }

    /// Returns the maximum of a convex function over the core, or over a box around a round core. The function must not be negative.
    pub(crate) fn farthest_by(&self, measure: impl Fn(DVec3) -> f64) -> f64 {
        match self {
            Self::Segment(half) => measure(*half).max(measure(-*half)),
            Self::Box([x, y, z]) => {
                let corners = [*x + *y + *z, *x + *y - *z, *x - *y + *z, *x - *y - *z];
                corners.into_iter().fold(0.0, |most: f64, v| most.max(measure(v)).max(measure(-v)))
            }
            Self::Hull(corners) => corners.iter().fold(0.0, |most: f64, v| most.max(measure(*v))),
            Self::Round(solid) => solid.corners().into_iter().fold(0.0, |most: f64, v| most.max(measure(v))),
        }
    }

    /// Returns the larger of the extents of the core along a direction and against it, times the direction's length.
    pub(crate) fn reach(&self, direction: DVec3) -> f64 {
        match self {
            Self::Segment(half) => half.dot(direction).abs(),
            Self::Box([x, y, z]) => x.dot(direction).abs() + y.dot(direction).abs() + z.dot(direction).abs(),
            Self::Hull(corners) => corners.iter().fold(0.0, |most: f64, v| most.max(v.dot(direction).abs())),
            Self::Round(solid) => {
                let along = |direction: DVec3| solid.farthest(direction).dot(direction);
                along(direction).max(along(-direction))
            }
        }
    }

    /// Returns half the sizes of the bounding box with the same centre.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn half_extents(&self) -> DVec3 {
        match self {
            Self::Segment(half) => half.abs(),
            Self::Box([x, y, z]) => x.abs() + y.abs() + z.abs(),
            Self::Hull(corners) => extents(corners),
            Self::Round(solid) => DVec3::from_array(DVec3::AXES.map(|axis| {
                let along = |direction: DVec3| solid.farthest(direction).dot(direction);
                along(axis).max(along(-axis))
            })),
        }
    }
}

/// Returns the centre of a box in the volume's space, and its half edges in the world. A box with fewer than two
/// dimensions becomes a segment.
fn boxed(aabb: &Aabb, to_space: &DAffine3, turn: &UnitRotation) -> (DVec3, BodyCore) {
    let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
    let half = (high - low) * 0.5;
    let columns = [to_space.matrix3.x_axis, to_space.matrix3.y_axis, to_space.matrix3.z_axis];
    let edges = core::array::from_fn(|axis| turn.turned(columns[axis] * half[axis]));
    let is_flat = |edge: &DVec3| *edge == DVec3::ZERO;
    let core = if edges.iter().filter(|edge| is_flat(edge)).count() >= 2 {
        BodyCore::Segment(edges.iter().sum())
    } else {
        BodyCore::Box(edges)
    };
    (to_space.transform_point3((low + high) * 0.5), core)
}

#[inline(never)]
fn extents(corners: &[DVec3]) -> DVec3 {
    corners.iter().fold(DVec3::ZERO, |most, corner| most.max(corner.abs()))
}

/// Returns a point within a shape, in its own space, and the core of the shape around that point under a linear
/// transform.
fn round(shape: Shape, linear: DMat3) -> (DVec3, BodyCore) {
    let middle = shape.test().middle();
    let to_body = DAffine3 { matrix3: linear, translation: -(linear * middle) };
    (middle, BodyCore::Round(Box::new(Solid { shape, to_body })))
}

/// Returns the mean of a hull's corners in its own space, and the corners relative to it under a linear map.
fn hulled(hull: &ConvexHull, linear: impl Fn(DVec3) -> DVec3) -> (DVec3, BodyCore) {
    let corners = hull.vertices();
    let middle = corners.iter().map(|corner| corner.as_dvec3()).sum::<DVec3>() / corners.len() as f64;
    (middle, BodyCore::Hull(corners.iter().map(|corner| linear(corner.as_dvec3() - middle)).collect()))
}

/// Returns whether a vector is small enough for all computations not to overflow.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn is_usable(v: DVec3) -> bool {
    // The comparisons are false for NaN, too. Short-circuit evaluation would load y and z as one value. That load would
    // have to wait for the stores of x and y, because store forwarding fails.
    (v.x.abs() < UNUSABLE_FROM) & (v.y.abs() < UNUSABLE_FROM) & (v.z.abs() < UNUSABLE_FROM)
}

/// Coordinates of positions and motions from this limit on count as infinite, because higher powers of lengths would overflow f64.
const UNUSABLE_FROM: f64 = 1e70;

/// A rotation, or the identity, which changes no bits.
#[derive(Clone, Copy)]
pub(crate) struct UnitRotation(Option<DQuat>);

impl UnitRotation {
    /// Returns `None` for an invalid rotation.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(rotation: DQuat) -> Option<Self> {
        if rotation == DQuat::IDENTITY {
            Some(Self(None))
        } else {
            unit_rotation(rotation).map(|unit| Self(Some(unit)))
        }
    }

    /// Returns the rotation as a matrix.
    fn matrix(&self) -> DMat3 {
        DMat3::from_cols(self.turned(DVec3::X), self.turned(DVec3::Y), self.turned(DVec3::Z))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn rotation(&self) -> Option<DQuat> {
        self.0
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn turned(&self, v: DVec3) -> DVec3 {
        // A match is inlined, but `map_or` would be called.
        match self.0 {
            Some(rotation) => rotation * v,
            None => v,
        }
    }
}
