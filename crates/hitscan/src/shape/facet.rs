//! The surface around a point. It has its tangent planes there, and their sides on which a path through the point runs.

use crate::geom::hit::Side;
use crate::math::exact_predicates;
use crate::math::filtered_predicates::Bounded;
use crate::math::float::{UNIT_ROUNDOFF, length, unit};
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DAffine3, DMat3, DVec2, DVec3};

/// A point at which a ray leaves a surface, in the space of the geometry near it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vicinity {
    pub(crate) point: DVec3,
    /// The directions of the ray before and after the point.
    pub(crate) way: RayDirections,
    /// A bound on the distance of the point from any surface that it is on, in the world.
    pub(crate) error: f64,
    /// A bound on the displacement of the point along the surface that the ray leaves, in the world.
    pub(crate) drift: f64,
    /// The normal of that surface in the world, of unit length.
    pub(crate) normal: DVec3,
    /// The matrix that takes normals of the space to the world.
    pub(crate) to_world_normals: DMat3,
    /// The largest factor by which the transform from the world to this space stretches lengths.
    pub(crate) stretch: f64,
    /// A bound on the further error of the point in the space itself.
    pub(crate) rounding: f64,
    /// A bound on the displacement of the point across any plane.
    pub(crate) across: f64,
}

/// The direction from a point back to where a ray came from, and the direction in which it continues, of unit length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayDirections {
    pub(crate) came: DVec3,
    pub(crate) goes: DVec3,
}

impl Vicinity {
    /// Makes the vicinity of a point in the world on a surface with this normal. `error` bounds the point's distance from the surfaces that it is on, and
    /// `drift` bounds its drift along this surface.
    pub(crate) fn in_world(point: DVec3, way: RayDirections, normal: DVec3, (error, drift): (f64, f64)) -> Self {
        let to_world_normals = DMat3::IDENTITY;
        let all = Self { point, way, error, drift, normal, to_world_normals, stretch: 1.0, rounding: 0.0, across: 0.0 };
        all.with_across()
    }

    fn with_across(self) -> Self {
        Self { across: (self.error + self.drift) * norm(&self.to_world_normals) + self.rounding, ..self }
    }

    /// Returns this vicinity in another space.
    pub(crate) fn transformed(&self, to_local: &DAffine3) -> Self {
        let linear = &to_local.matrix3;
        let stretch = norm(linear);
        let direction = |v: DVec3| unit(*linear * v).unwrap_or(v);
        Self {
            point: to_local.transform_point3(self.point),
            way: RayDirections { came: direction(self.way.came), goes: direction(self.way.goes) },
            to_world_normals: self.to_world_normals * linear.transpose(),
            stretch: self.stretch * stretch,
            rounding: self.rounding * stretch,
            ..*self
        }
        .with_across()
    }

    /// Returns a bound on the distance between the point and the surfaces that it is on, in any direction.
    pub(crate) fn reach(&self) -> f64 {
        (self.error + self.drift) * self.stretch + self.rounding
    }

    /// Returns a bound on the error of the point along a unit vector. The distance to a plane with this normal is larger in this space than in the world by the
    /// length of `to_world_normals * normal`.
    pub(crate) fn reach_along(&self, normal: DVec3) -> f64 {
        (self.error + self.drift) * length(self.to_world_normals * normal) + self.rounding
    }

    /// Returns the sine of the angle in the world between the surface that the ray leaves and a plane.
    fn sine(&self, normal: DVec3) -> f64 {
        unit(self.to_world_normals * normal).map_or(1.0, |normal| length(normal.cross(self.normal)))
    }

    /// Returns whether the point may be on a plane. Drift along one surface moves the point away from another surface. The distance is the drift times the sine
    /// of the angle between the two.
    pub(crate) fn is_on_plane(&self, on_plane: DVec3, normal: DVec3) -> bool {
        if self.is_far_from_plane(on_plane, normal) {
            return false;
        }
        let Some(normal) = unit(normal) else { return false };
        let error = (self.error + self.drift * self.sine(normal)) * length(self.to_world_normals * normal);
        (self.point - on_plane).dot(normal).abs() <= error + self.rounding
    }

    /// Returns whether the point is farther from a plane than its error. For most planes that are tested, it is. The test needs no square root.
    fn is_far_from_plane(&self, on_plane: DVec3, normal: DVec3) -> bool {
        let offset = self.point - on_plane;
        // The heights in this function and in `is_on_plane` are rounded differently, each by less than four roundings of the offset.
        let reach = self.across + 8.0 * UNIT_ROUNDOFF * (offset.x.abs() + offset.y.abs() + offset.z.abs());
        let height = offset.dot(normal);
        height * height > 4.0 * reach * reach * normal.length_squared()
    }

    /// Returns whether a normal points to the same side as the normal of the surface that the ray leaves.
    fn agrees(&self, normal: DVec3) -> bool {
        (self.to_world_normals * normal).dot(self.normal) > 0.0
    }

    /// Returns whether the point lies beyond a surface with this point and normal, as seen from the previous part of
    /// the ray.
    pub(crate) fn is_beyond(&self, on_surface: DVec3, normal: DVec3) -> bool {
        let came = self.way.came.dot(normal);
        let height = (self.point - on_surface).dot(normal);
        came != 0.0 && height != 0.0 && (came > 0.0) == (height < 0.0)
    }

    /// Returns whether a plane coincides with the surface that the ray leaves, within the accuracy of f32 normals.
    pub(crate) fn is_along(&self, normal: DVec3) -> bool {
        self.sine(normal) <= 4.0 * f64::from(f32::EPSILON)
    }
}

/// Returns the Frobenius norm, which no stretch exceeds.
fn norm(m: &DMat3) -> f64 {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(length);
    length(DVec3::new(x, y, z))
}

/// A tangent plane at a point, and the part of it that is surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// The shape's own code, or the number of a triangle.
    pub(crate) feature: u32,
    /// The outward normal, of any length.
    pub(crate) normal: DVec3,
    /// Two vectors whose cross product is the normal, if it is computed as a cross product.
    pub(super) edges: Option<[DVec3; 2]>,
    pub(super) sector: Sector,
    pub(crate) uv: Option<DVec2>,
}

/// The part of a plane that a surface covers around a point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sector {
    All,
    /// The point is on an edge, and this is the direction of the inside, of unit length.
    Half(DVec3),
    /// The point is on a corner, between two edges in these directions, counter-clockwise around the normal.
    Wedge(DVec3, DVec3),
}

/// All facets at a point, usually one.
pub(crate) type Facets = Vec<Facet>;

impl Facet {
    /// Makes a facet of a surface that continues in all directions.
    pub(crate) fn smooth(feature: usize, normal: DVec3) -> Self {
        Self { feature: feature as u32, normal, edges: None, sector: Sector::All, uv: None }
    }

    /// Makes a facet of a face of a solid, whose other faces bound it. The normal is the cross product of two edges.
    pub(crate) fn of_face(feature: usize, normal: DVec3, edges: [DVec3; 2]) -> Self {
        Self { edges: Some(edges), ..Self::smooth(feature, normal) }
    }

    /// Makes a facet of a flat shape. `inward` is the direction from the border to the inside if the point is on the border, which is treated as straight
    /// there.
    pub(super) fn bordered(normal: DVec3, inward: Option<DVec3>) -> Self {
        let sector = inward.and_then(unit).map_or(Sector::All, Sector::Half);
        Self { sector, ..Self::smooth(0, normal) }
    }

    /// Makes a facet of a convex polygon with counter-clockwise corners, whose normal is the cross product of two edges. Returns `None` if the point is not on
    /// the polygon.
    pub(crate) fn of_polygon<const N: usize>(
        at: &Vicinity,
        feature: u32,
        (normal, edges): (DVec3, [DVec3; 2]),
        corners: [DVec3; N],
    ) -> Option<Self> {
        if !at.is_on_plane(corners[0], normal) {
            return None;
        }
        let mut border: [Option<Border>; N] = [None; N];
        let mut count = 0;
        for (i, slot) in border.iter_mut().enumerate() {
            let (from, to) = (corners[i], corners[(i + 1) % N]);
            let inward = unit(normal.cross(to - from))?;
            let depth = inward.dot(at.point - from);
            let reach = at.reach_along(inward);
            if depth < -reach {
                return None;
            }
            if depth <= reach {
                *slot = Some(Border { inward, along: to - from });
                count += 1;
            }
        }
        let corner = (0..N).find_map(|i| border[(i + N - 1) % N].zip(border[i]));
        let sector = match (count, corner, border.into_iter().flatten().next()) {
            (1, _, Some(edge)) => Sector::Half(edge.inward),
            (2, Some((before, after)), _) => Sector::Wedge(after.along, -before.along),
            _ => Sector::All,
        };
        Some(Self { feature, normal, edges: Some(edges), sector, uv: None })
    }

    /// Returns on which side of the plane a direction points, decided exactly: `Greater` to the side of the normal.
    pub(crate) fn side_of(&self, direction: DVec3) -> Ordering {
        match self.edges {
            Some([p, q]) => determinant(direction, p, q)
                .sign_or(|| exact_predicates::sign_of_volume(direction, [DVec3::ZERO, p, q])),
            None => exact_predicates::dot_between(DVec3::ZERO, direction, self.normal).total_cmp(&0.0),
        }
    }

    /// Returns the height of a unit vector above the plane, with the true sign.
    fn height(&self, direction: DVec3) -> f64 {
        let height = unit(self.normal).map_or(0.0, |normal| direction.dot(normal));
        match self.side_of(direction) {
            Ordering::Greater => height.max(f64::MIN_POSITIVE),
            Ordering::Equal => 0.0,
            Ordering::Less => height.min(-f64::MIN_POSITIVE),
        }
    }

    /// Returns the heights of both ends of a path. This surface may be in the plane of the surface that the ray leaves. Then the ray leaves both to the same
    /// side. That side is `leaves_to`, with respect to the normal of the vicinity.
    fn heights(&self, at: &Vicinity, leaves_to: Ordering) -> [f64; 2] {
        let [came, goes] = [at.way.came, at.way.goes].map(|v| self.height(v));
        if !at.is_along(self.normal) {
            return [came, goes];
        }
        let side = if at.agrees(self.normal) { leaves_to } else { leaves_to.reverse() };
        let agrees = goes != 0.0 && goes.total_cmp(&0.0) == side;
        let least = f64::MIN_POSITIVE;
        [came, if agrees { goes } else { if side == Ordering::Greater { least } else { -least } }]
    }

    /// Returns the side of a flat surface that a path crosses at the point. The path is the straight line from just before the point to just after it. Returns
    /// `None` if the path passes beside the surface, or ends on it. A path that comes along the plane is treated as coming from the front.
    pub(crate) fn crossed(&self, at: &Vicinity, leaves_to: Ordering) -> Option<Side> {
        let [came, goes] = self.heights(at, leaves_to);
        let is_front = came >= 0.0;
        let crosses = if is_front { goes < 0.0 } else { goes > 0.0 };
        let place = at.way.came * goes.abs() + at.way.goes * came.abs();
        (crosses && self.covers(place)).then_some(if is_front { Side::Front } else { Side::Back })
    }

    /// Returns whether a vector in the plane, of length at most about 1, points into the surface or along its border.
    fn covers(&self, place: DVec3) -> bool {
        // The vector is made by two products and a sum, and its product with a unit vector takes three more.
        let error = 32.0 * UNIT_ROUNDOFF;
        match self.sector {
            Sector::All => true,
            Sector::Half(inward) => place.dot(inward) >= -error,
            Sector::Wedge(from, to) => {
                let left_of = |edge: DVec3| unit(self.normal.cross(edge)).is_none_or(|left| place.dot(left) >= -error);
                left_of(from) && left_of(-to)
            }
        }
    }
}

/// An edge that the point is on.
#[derive(Clone, Copy)]
struct Border {
    inward: DVec3,
    along: DVec3,
}

/// The course of a path through a point of a convex solid's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SurfacePassage {
    /// The path stays outside, or leaves.
    Outside,
    /// The path stays inside.
    Inside,
    /// The path comes from outside and enters through this facet. At its end it is inside or outside.
    Enters(usize, PassageEnd),
    /// The path comes from inside and leaves through this facet.
    Exits(usize),
}

/// The end of a path, inside or outside a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassageEnd {
    Inside,
    Outside,
}

/// Finds the passage of a path through the point on a solid with these facets; the solid is behind all of them. `came_from` tells whether the path starts
/// inside or outside the solid, if that is known.
pub(crate) fn passage(
    facets: &[Facet],
    at: &Vicinity,
    leaves_to: Ordering,
    came_from: Option<PassageEnd>,
) -> SurfacePassage {
    let heights: Vec<[f64; 2]> = facets.iter().map(|facet| facet.heights(at, leaves_to)).collect();
    let is_inside = |end: usize| heights.iter().all(|ends| ends[end] < 0.0);
    let ends = if is_inside(1) { PassageEnd::Inside } else { PassageEnd::Outside };
    let starts = came_from.unwrap_or(if is_inside(0) { PassageEnd::Inside } else { PassageEnd::Outside });
    if starts == PassageEnd::Inside {
        return match first_exit(&heights) {
            Some(facet) => SurfacePassage::Exits(facet),
            None => SurfacePassage::Inside,
        };
    }
    match last_entry(&heights) {
        Some(facet) => SurfacePassage::Enters(facet, ends),
        None => SurfacePassage::Outside,
    }
}

/// Finds where the straight line between the two ends of a path first leaves one of the half-spaces.
fn first_exit(heights: &[[f64; 2]]) -> Option<usize> {
    let share = |&[came, goes]: &[f64; 2]| if came < 0.0 { came / (came - goes) } else { 0.0 };
    let exits = heights.iter().enumerate().filter(|(_, ends)| ends[1] > 0.0);
    exits.min_by(|(_, a), (_, b)| share(a).total_cmp(&share(b))).map(|(facet, _)| facet)
}

/// Finds where the straight line between the two ends of a path enters the last of the half-spaces. Returns `None` unless the line is in all of them before it
/// ends.
fn last_entry(heights: &[[f64; 2]]) -> Option<usize> {
    let (mut enter, mut exit) = ((0.0, None), 1.0_f64);
    for (facet, &[came, goes]) in heights.iter().enumerate() {
        let share = came / (came - goes);
        if came > 0.0 || (came == 0.0 && goes < 0.0) {
            let share = if goes < 0.0 { share } else { f64::INFINITY };
            if enter.1.is_none() || share > enter.0 {
                enter = (share, Some(facet));
            }
        } else if goes > 0.0 {
            exit = exit.min(share);
        }
    }
    enter.1.filter(|_| enter.0 <= exit && enter.0 < 1.0 && exit > 0.0)
}

/// Returns, for each component of `y cross z`, the sum of the magnitudes of its two products.
fn cross_magnitude(y: DVec3, z: DVec3) -> DVec3 {
    DVec3::new(
        (y.y * z.z).abs() + (y.z * z.y).abs(),
        (y.z * z.x).abs() + (y.x * z.z).abs(),
        (y.x * z.y).abs() + (y.y * z.x).abs(),
    )
}

/// Returns `x . (y cross z)` with its error bound.
pub(super) fn determinant(x: DVec3, y: DVec3, z: DVec3) -> Bounded {
    Bounded::new(x.dot(y.cross(z)), x.abs().dot(cross_magnitude(y, z)))
}
