//! A mesh or a height field in the world, and its nearby triangles through its tree.

use super::convex_core::{ConvexCore, ConvexPart};
use crate::bvh::{Bvh8, MissingSlabs, NormalizedSpace, QueryBox, SlabTree, SpaceBeside, TreePoint};
use crate::convex::{Anchor, RESOLUTION, reach, similar};
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::transform::Placement;
use crate::math::float::{
    ABOVE_ROUNDINGS, BELOW_ROUNDINGS, UNIT_ROUNDOFF, inverse_power_of_two, largest, length, smaller, sqrt,
};
use crate::tri::{Counting, LeafCorners, TrianglePlace, TriangleSet};
use core::ops::ControlFlow;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A triangle set, placed relative to an origin.
#[derive(Clone, Copy)]
pub(crate) struct PlacedMesh<'a> {
    surface: &'a dyn TriangleSet,
    pub(crate) to_world: DAffine3,
    /// The transform to the coordinates of its tree.
    to_tree: DAffine3,
    /// The length of a unit world distance in the coordinates of its tree; `None` if it depends on the direction.
    per_world: Option<f64>,
    /// A bound of the error of corners and boxes.
    pub(crate) error: f64,
    /// An upper bound of the coordinates of corners.
    pub(crate) size: f64,
}

/// The visitor of triangles in the world. It returns the largest distance that matters from now on, or ends the search.
pub(crate) type TriangleVisitor<'a> = dyn FnMut(u32, [DVec3; 3]) -> ControlFlow<(), f64> + 'a;

/// The visitor of pairs of triangles of two surfaces.
pub(crate) type TrianglePairVisitor<'a> = dyn FnMut((u32, [DVec3; 3]), (u32, [DVec3; 3])) -> ControlFlow<(), f64> + 'a;

impl<'a> PlacedMesh<'a> {
    /// Places a set relative to an origin; `None` if it has no triangles.
    pub(crate) fn new(surface: &'a dyn TriangleSet, placement: &Placement, origin: Anchor) -> Option<Self> {
        let bounds: Aabb = surface.bounds();
        if bounds.is_empty() {
            return None;
        }
        let to_world = DAffine3 { translation: origin.vector_to(placement.to_world.translation), ..placement.to_world };
        let unit = inverse_power_of_two(surface.tree().1.scale);
        let linear = placement.to_local.matrix3 * (1.0 / unit);
        let to_tree = DAffine3 { matrix3: linear, translation: -(linear * to_world.translation) };
        let size = reach(&bounds, &to_world);
        let places = largest(origin.world()) + largest(placement.to_world.translation) + size;
        let error = (4.0 * placement.slack + 64.0 * UNIT_ROUNDOFF) * places;
        let per_world = similar(&to_world.matrix3).map(|scale| 1.0 / (unit * scale));
        Some(Self { surface, to_world, to_tree, per_world, error, size })
    }

    /// Returns the weights by which distances along the axes of the tree give a lower bound of the world distance: see [`QueryBox`].
    fn weight(&self) -> DVec3 {
        if let Some(per_world) = self.per_world {
            // The axes of the transform are orthogonal and equally long up to a sixteenth of this `RESOLUTION`.
            return DVec3::splat((1.0 - RESOLUTION) / per_world);
        }
        let unit = inverse_power_of_two(self.surface.tree().1.scale);
        weights(&self.to_world.matrix3, &(self.to_tree.matrix3 * unit)) * unit
    }

    /// Returns the centre and the half sizes of the mesh's bounding box in the world.
    pub(super) fn image(&self) -> (DVec3, DVec3) {
        let bounds = self.surface.bounds();
        image(&self.to_world, bounds.min.as_dvec3(), bounds.max.as_dvec3())
    }

    /// Returns a triangle in the world.
    fn corners(&self, local: [glam::Vec3; 3]) -> [DVec3; 3] {
        local.map(|corner| self.to_world.transform_point3(corner.as_dvec3()))
    }

    /// Returns whether the origin is in front of a triangle. A mirroring transform does not swap front and back.
    pub(crate) fn is_in_front(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let above = -(b - a).cross(c - a).dot(a);
        if self.to_world.matrix3.determinant() < 0.0 { above <= 0.0 } else { above >= 0.0 }
    }

    /// Visits the triangles that have an area, are within `limit` and may be nearest to the origin. They come roughly in the order of their distance, some
    /// perhaps more than once. The visitor returns the largest distance that matters from now on.
    pub(crate) fn nearest(&self, limit: f64, counting: Counting, show: &mut dyn FnMut(u32, [DVec3; 3]) -> f64) {
        let place = self.to_tree.translation;
        let point =
            self.per_world.and_then(|per_world| Some((TreePoint::new(place, self.error * per_world)?, per_world)));
        let Some((point, per_world)) = point else {
            let origin = ConvexPart::new(ConvexCore::Point(DVec3::ZERO), 0.0);
            let _ = self.near(&origin, limit, &mut |triangle, corners| ControlFlow::Continue(show(triangle, corners)));
            return;
        };
        let mut limit = limit;
        self.surface.nearest((&point, limit * per_world), counting, &mut |triangle, local| {
            if self.surface.has_area(local) {
                limit = smaller(show(triangle, self.corners(local)), limit);
            }
            limit * per_world
        });
    }

    /// Visits every triangle that has an area and may be within `limit` of a part. They come roughly in the order of their distance, some perhaps more than
    /// once.
    pub(crate) fn near(&self, piece: &ConvexPart<'_>, limit: f64, show: &mut TriangleVisitor<'_>) -> ControlFlow<()> {
        let rows = self.to_tree.matrix3.transpose();
        let (low, high) = piece.extent([rows.x_axis, rows.y_axis, rows.z_axis]);
        let shift = self.to_tree.translation;
        let around = QueryBox { low: low + shift, high: high + shift, weight: self.weight() };
        let error = self.error + 64.0 * UNIT_ROUNDOFF * piece.reach();
        let (tree, _) = self.surface.tree();
        // Everything within the limit is in this box. Most triangles of a leaf are not, and need no transform.
        let wider = DVec3::from_array([rows.x_axis, rows.y_axis, rows.z_axis].map(length))
            * ((limit + error) * ABOVE_ROUNDINGS);
        let bounds = Extent { low: around.low - wider, high: around.high + wider }.rounded();
        let mut limit = limit;
        tree.approach(&around, square_of(limit + error), &mut |leaf| {
            self.of_leaf(leaf, &mut limit, Some(&bounds), show)?;
            ControlFlow::Continue(square_of(limit + error))
        })
    }

    /// Visits every triangle that has an area and for which `bound` may be at most `limit`. `bound` gets the centre and the half sizes of a box in the world,
    /// and must not be larger for a box than for a box inside it.
    pub(crate) fn near_by(
        &self,
        bound: &dyn Fn(DVec3, DVec3) -> f64,
        limit: f64,
        show: &mut TriangleVisitor<'_>,
    ) -> ControlFlow<()> {
        let (tree, frame) = self.surface.tree();
        let unit = inverse_power_of_two(frame.scale);
        let to_world = DAffine3 { matrix3: self.to_world.matrix3 * unit, ..self.to_world };
        let in_world = |low: DVec3, high: DVec3| {
            let (middle, half) = image(&to_world, low, high);
            bound(middle, half)
        };
        let mut limit = limit;
        tree.approach_by(&in_world, limit + self.error, &mut |leaf| {
            self.of_leaf(leaf, &mut limit, None, show)?;
            ControlFlow::Continue(limit + self.error)
        })
    }

    /// Returns its tree, and the space that it is in.
    pub(super) fn tree(&self) -> (&Bvh8, &NormalizedSpace) {
        self.surface.tree()
    }

    /// Returns the transform from the coordinates of its tree to the world.
    pub(super) fn tree_to_world(&self) -> DAffine3 {
        let unit = inverse_power_of_two(self.surface.tree().1.scale);
        DAffine3 { matrix3: self.to_world.matrix3 * unit, ..self.to_world }
    }

    /// Returns the transform from the space of another mesh's tree to the space of this mesh's tree, with a bound on its error and the factors that give lower
    /// bounds of world distances.
    pub(super) fn beside(&self, other: &Self) -> SpaceBeside {
        let from_other = self.to_tree * other.tree_to_world();
        let sizes = absolute(&self.to_tree.matrix3);
        let padding =
            (sizes * DVec3::splat(other.size + self.size) + self.to_tree.translation.abs()) * (64.0 * UNIT_ROUNDOFF);
        let least = match self.per_world {
            Some(per_world) => (1.0 - RESOLUTION) / per_world,
            None => self.least_per_unit(),
        };
        SpaceBeside { from_other, padding, weight: self.weight(), least }
    }

    /// Returns a lower bound of the distance in the world between two planes that are one unit apart in its tree, in whichever direction: the inverse of a
    /// bound on the norm of the transform from the world to the tree.
    fn least_per_unit(&self) -> f64 {
        let DMat3 { x_axis, y_axis, z_axis } = self.to_tree.matrix3;
        let largest = largest(DVec3::new(length(x_axis), length(y_axis), length(z_axis)));
        if largest > 0.0 { BELOW_ROUNDINGS / (sqrt(3.0) * largest) } else { 0.0 }
    }

    /// Returns a vector and a number for heights along a unit vector in the world. The height of a point is the dot product of the vector with the point in the
    /// tree's coordinates, plus the number, which is the height of the tree's origin.
    pub(super) fn heights_along(&self, direction: DVec3) -> (DVec3, f64) {
        let unit = inverse_power_of_two(self.surface.tree().1.scale);
        (self.to_world.matrix3.transpose() * direction * unit, direction.dot(self.to_world.translation))
    }

    /// Returns the slabs of its tree, if there are any.
    pub(super) fn slabs(&self, missing: MissingSlabs) -> Option<&'a SlabTree> {
        self.surface.slabs(missing)
    }

    /// Returns an upper bound of the coordinates of corners, and of each product and sum from which the corners are computed.
    pub(super) fn image_size(&self) -> f64 {
        let bounds = self.surface.bounds();
        let farthest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
        largest(absolute(&self.to_world.matrix3) * farthest + self.to_world.translation.abs()) * ABOVE_ROUNDINGS
    }

    pub(super) fn all_have_area(&self) -> bool {
        self.surface.all_have_area()
    }

    /// Writes the corners of a leaf's triangles, in the coordinates of the tree.
    pub(super) fn leaf_corners(&self, leaf: u32, corners: &mut LeafCorners) {
        self.surface.leaf_corners(leaf, corners);
    }

    /// Shows the triangle at a place, and all triangles that coincide with it, if they have an area.
    pub(super) fn show_place(&self, place: TrianglePlace, show: &mut dyn FnMut(u32, [DVec3; 3])) {
        self.surface.triangles_at(place, &mut |triangle, local| {
            if self.surface.has_area(local) {
                show(triangle, self.corners(local));
            }
        });
    }

    /// Shows the triangles of a leaf that have an area and overlap a box in the coordinates of its tree, and possibly
    /// others.
    fn of_leaf(
        &self,
        leaf: u32,
        limit: &mut f64,
        bounds: Option<&Aabb>,
        show: &mut TriangleVisitor<'_>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let mut show = |triangle: u32, local: [Vec3; 3]| {
            if flow.is_continue() && self.surface.has_area(local) {
                match show(triangle, self.corners(local)) {
                    ControlFlow::Continue(left) => *limit = smaller(left, *limit),
                    ControlFlow::Break(()) => flow = ControlFlow::Break(()),
                }
            }
        };
        match bounds {
            Some(bounds) => self.surface.leaf_in_box(leaf, bounds, &mut show),
            None => self.surface.leaf(leaf, &mut show),
        }
        flow
    }
}

fn square_of(distance: f64) -> f64 {
    distance * distance
}

/// Returns the centre of a box's image, and the half sizes of the axis-aligned box around this image.
fn image(transform: &DAffine3, low: DVec3, high: DVec3) -> (DVec3, DVec3) {
    let half = absolute(&transform.matrix3) * ((high - low) * 0.5);
    (transform.transform_point3((low + high) * 0.5), half)
}

fn absolute(m: &DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

/// Returns a weight for the distance along each axis of a local space. The square of the world distance is at least
/// the sum of the squares of the distances times their weights.
///
/// Let G be the Gram matrix of the normalised columns of the transform. The square is v G v, where v has the distances times the columns' lengths. So it is at
/// least G's least eigenvalue times |v|^2, which by Gershgorin's circles is at least 1 minus the largest sum of cosines in a row. If the columns are far from
/// orthogonal, another bound is used. Two planes across an axis, at a local distance of 1, are 1 divided by the length of a row of the inverse apart in the
/// world. The world distance is at least the distance across such planes, for each axis. The largest of three such bounds is at least the root of a third of
/// the sum of squares.
fn weights(linear: &DMat3, inverse: &DMat3) -> DVec3 {
    let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
    let lengths = DVec3::from_array(columns.map(length));
    let cosine = |a: usize, b: usize| {
        let (a, b) = (crate::math::float::unit(columns[a]), crate::math::float::unit(columns[b]));
        a.zip(b).map_or(1.0, |(a, b)| a.dot(b).abs())
    };
    let (xy, yz, zx) = (cosine(0, 1), cosine(1, 2), cosine(2, 0));
    let least = 1.0 - (xy + zx).max(xy + yz).max(yz + zx) - 64.0 * UNIT_ROUNDOFF;
    if least > 1.0 / 3.0 {
        return lengths * (sqrt(least) * BELOW_ROUNDINGS);
    }
    let rows = inverse.transpose();
    let third = sqrt(1.0 / 3.0) * BELOW_ROUNDINGS;
    DVec3::new(third / length(rows.x_axis), third / length(rows.y_axis), third / length(rows.z_axis))
}
