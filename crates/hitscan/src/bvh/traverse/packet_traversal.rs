//! Up to eight rays that traverse a tree together.
//!
//! One test of a node's eight boxes against a hull of all the rays rejects the boxes that all rays miss (interval arithmetic: I. Wald, S. Boulos, P.
//! Shirley, "Ray Tracing Deformable Scenes Using Dynamic Bounding Volume Hierarchies", 2007). The few remaining boxes are tested with the eight rays at
//! once, each with the numbers that it would have alone. If at most two rays are left, they are traversed alone.

use super::bvh_ray::{FURTHER, NEARER, TWICE_THE_BIAS};
use super::ray_box8::{distances, entered};
use super::ray_limits::{
    BOX_ERROR, DISTANCE_ERROR, FARTHEST, FARTHEST_ORIGIN, LARGEST_INVERSE, LEAST_ERROR, OrdinaryLimits,
};
use super::single_ray::{CACHED_NODES, NodeSource};
use super::traversal_stack::{StackSlots, TraversalStack};
use super::visitor::{LeafRow, Order, Subtree};
use crate::bvh::builder::WIDTH;
use crate::bvh::bvh8::Bvh8;
use crate::bvh::node::{LEAF, Node, planes};
use crate::bvh::normalized_space::NormalizedSpace;
use crate::geom::eight_rays::{LANES, by_lane, go_together, parallel_to, starts, ways};
use crate::geom::ray::Ray;
use crate::math::float::{UNIT_ROUNDOFF_F32, inverse_power_of_two, smaller};
use crate::simd::{
    Axes, Bytes, FloatLanes, LaneMask, Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, mask32x8, u32x8,
};
use alloc::vec::Vec;

/// If no more rays than this remain in a part of the tree, each is traversed alone. Values from 1 to 3 are equally
/// fast, except for shadows on scans, which take a tenth longer with 1.
const ALONE: u32 = 2;
/// The distances of a ray packet can be measured along an axis if one component of every direction is at least this large. The largest component of each
/// direction must be at least a half.
pub(in crate::bvh) const STRONG: f32 = 0.25;
/// The largest component of a direction is at least this.
pub(in crate::bvh) const STRONGEST: f32 = 0.5;
/// Rays are traversed together if their origins are no farther apart than this in each coordinate.
const NEARBY: f32 = 0.125;
/// The error of an origin, which is the same as for a ray that is framed alone.
const ORIGIN_ERROR: f32 = LEAST_ERROR as f32;
const OWN_DISTANCE_ERROR: f32 = DISTANCE_ERROR * ORIGIN_ERROR;
/// An upper bound of the part of the error of a ray's box test that is relative to the distance, at the largest
/// distance.
const RAY_ERROR: f32 = BOX_ERROR * FARTHEST;

/// Rays that are near in a frame, by lane. The distances of rays in a mesh's own space begin at t = 0.
pub(crate) struct RayPacket<S: Simd> {
    pub(in crate::bvh) simd: S,
    pub(crate) origin: Axes<f32x8<S>>,
    pub(crate) direction: Axes<f32x8<S>>,
    pub(in crate::bvh) inverse: Axes<f32x8<S>>,
    pub(in crate::bvh) near_offset: Axes<f32x8<S>>,
    pub(in crate::bvh) far_offset: Axes<f32x8<S>>,
    /// The distance per unit of t, a power of two, and the t where distances begin.
    pub(in crate::bvh) steps: [f32; LANES],
    pub(in crate::bvh) start: [f32; LANES],
    pub(in crate::bvh) limit_error: [f32; LANES],
    /// Upper bounds for all rays. `origin_error` is for the distance between an origin and the exact ray, in each
    /// coordinate. `box_error` is for the relative error of a distance to a box. `reported` is for the distances to
    /// which the rounding of reported ts is relative.
    pub(crate) origin_error: f32,
    pub(in crate::bvh) box_error: f32,
    pub(crate) reported: f32,
    /// An upper bound of the distance at the least t of the range.
    pub(crate) first_for_sure: f32x8<S>,
    /// A distance beyond which there is no hit in the ray's range, and a distance up to which every hit is in the
    /// range.
    pub(crate) limit: f32x8<S>,
    pub(crate) limit_for_sure: f32x8<S>,
    /// The lanes whose rays are ordinary enough to be traversed together, a bit each. Values of the other lanes have no meaning.
    pub(crate) usable: u64,
    /// Three sets of lanes for each axis. The first has the lanes whose direction is negative along the axis.
    /// The others have the lanes whose component is at least [`STRONG`], and at least [`STRONGEST`]. For the
    /// last set, the axis is likely to be the main axis.
    pub(in crate::bvh) falling: [u64; 3],
    pub(in crate::bvh) strong: [u64; 3],
    pub(in crate::bvh) strongest: [u64; 3],
}

/// Several rays of a ray packet whose directions are in the same octant, and their hull. The hull's distances are along
/// one axis.
pub(crate) struct Beam<S: Simd> {
    pub(crate) lanes: u64,
    /// The distance along that axis in a distance of 1 along each ray; 0 for rays of other beams.
    pace: f32x8<S>,
    near_inverse: Axes<f32x8<S>>,
    far_inverse: Axes<f32x8<S>>,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
    /// The planes of each axis that are entered.
    near: [usize; 3],
}

/// The visitor for the rays of a ray packet. Its functions must be `#[inline(always)]`, or they are not compiled for the instruction set in
/// use.
pub(crate) trait PacketVisitor<S: Simd> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    /// Returns the largest distance that matters for each ray. It is below 0 if no distance matters.
    fn limits(&self) -> f32x8<S>;

    /// Visits a leaf whose box several rays may touch, and which their hull enters at this distance or later.
    fn visit(&mut self, leaf: u32, lanes: u64, beam: &Beam<S>, distance: f32);

    /// Prefetches a leaf that will be visited soon, if the leaves are not contiguous.
    #[inline(always)]
    fn prefetch(&self, _leaf: u32) {}

    /// Visits a subtree that only a single ray may touch.
    fn visit_alone(&mut self, below: Subtree, lane: usize);
}

/// Clears the lowest bit that is set, and returns its number.
#[inline(always)]
pub(crate) fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lane = (*bits != 0).then_some(bits.trailing_zeros() as usize % LANES);
    *bits &= bits.wrapping_sub(1);
    lane
}

impl NormalizedSpace {
    /// Does the same as [`own_ray`](Self::own_ray) for eight rays; `None` if their directions clearly differ too much.
    #[inline(always)]
    pub(crate) fn ray_packet<S: Simd>(&self, simd: S, rays: &[Ray; LANES]) -> Option<RayPacket<S>> {
        simd.shared(
            #[inline(always)]
            || {
                let all = |x: f32| f32x8::splat(simd, x);
                let bits = |x: u32| u32x8::splat(simd, x);
                let [dx, dy, dz, t_max] = ways(simd, rays);
                if !go_together(&[dx, dy, dz]) {
                    return None;
                }
                let [ox, oy, oz, t_min] = starts(simd, rays);
                let OrdinaryLimits { scale, least: [least, ..], most: [most, ..] } = self.ordinary;
                let scale = all(scale[0]);
                let origin = [ox * scale, oy * scale, oz * scale];
                let is_near = |o: f32x8<S>| o.abs().simd_le(all(FARTHEST_ORIGIN as f32));
                let size = |d: f32x8<S>| d.abs().bitcast::<u32x8<S>>();
                // Compared as integers, magnitudes have the same order, with NaN last.
                let size = size(dx).max(size(dy)).max(size(dz));
                let power = (size & bits(f32::INFINITY.to_bits())) + bits(f32::MIN_POSITIVE.to_bits());
                let (inverse_power, power) =
                    ((bits(TWICE_THE_BIAS) - power).bitcast::<f32x8<S>>(), power.bitcast::<f32x8<S>>());
                let (steps, size) = (power * scale, size.bitcast::<f32x8<S>>());
                let usable = is_near(origin[0])
                    & is_near(origin[1])
                    & is_near(origin[2])
                    & size.simd_ge(all(least))
                    & size.simd_le(all(most))
                    & t_min.simd_eq(all(0.0))
                    & t_max.simd_ge(all(0.0));

                let direction = [dx * inverse_power, dy * inverse_power, dz * inverse_power];
                let inverse = |d: f32x8<S>| all(1.0) / d * power;
                let exact = [inverse(dx), inverse(dy), inverse(dz)];
                let capped = |i: f32x8<S>| i.abs().smaller(all(LARGEST_INVERSE)).copysign(i);
                let inverse = [capped(exact[0]), capped(exact[1]), capped(exact[2])];
                let ((nx, fx), (ny, fy), (nz, fz)) =
                    (offsets(origin[0], inverse[0]), offsets(origin[1], inverse[1]), offsets(origin[2], inverse[2]));
                let limit = (t_max * (steps * all(FURTHER)) + all(OWN_DISTANCE_ERROR)).smaller(all(FARTHEST));
                Some(RayPacket {
                    simd,
                    origin,
                    direction,
                    inverse,
                    near_offset: [nx, ny, nz],
                    far_offset: [fx, fy, fz],
                    steps: by_lane(steps),
                    start: [0.0; LANES],
                    limit_error: [OWN_DISTANCE_ERROR; LANES],
                    origin_error: ORIGIN_ERROR,
                    box_error: BOX_ERROR,
                    reported: 0.0,
                    first_for_sure: all(0.0),
                    // The values of the other lanes must be numbers.
                    limit: usable.select(limit, all(-1.0)),
                    // A t beyond f32 is not reported.
                    limit_for_sure: t_max.smaller(all(f32::MAX)) * (steps * all(NEARER)) - all(OWN_DISTANCE_ERROR),
                    usable: usable.to_bitmask(),
                    falling: falling(&inverse),
                    strong: far_along(&direction, STRONG),
                    strongest: far_along(&direction, STRONGEST),
                })
            },
        )
    }
}

/// Returns the slack, as for a single ray from afar. It covers the roundings of an offset, of the offset's slack, and
/// of a product with a coordinate of at most 1. It also covers the error of the origin, and errors relative to
/// distances.
#[inline(always)]
fn slack<S: Simd>(origin: f32x8<S>, inverse: f32x8<S>, error: f32, relative: f32) -> f32x8<S> {
    let all = |x: f32| f32x8::splat(origin.simd, x);
    let position = origin.abs().mul_add(all(4.0 * UNIT_ROUNDOFF_F32), all(4.0 * UNIT_ROUNDOFF_F32 + 2.0 * error));
    inverse.abs().mul_add(position, all(relative))
}

/// Returns the summands for the product of a plane and the inverse. There is one for planes where boxes are entered,
/// and one for planes where boxes are left.
#[inline(always)]
fn offsets<S: Simd>(origin: f32x8<S>, inverse: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let (offset, slack) = (-origin * inverse, slack(origin, inverse, ORIGIN_ERROR, RAY_ERROR));
    (offset - slack, offset + slack)
}

/// Returns, for each axis, the lanes whose rays go in its negative direction.
#[inline(always)]
pub(in crate::bvh) fn falling<S: Simd>([x, y, z]: &Axes<f32x8<S>>) -> [u64; 3] {
    let zero = f32x8::splat(x.simd, 0.0);
    [x.simd_lt(zero).to_bitmask(), y.simd_lt(zero).to_bitmask(), z.simd_lt(zero).to_bitmask()]
}

/// Returns, for each axis, the lanes whose directions have a component of at least this magnitude.
#[inline(always)]
pub(in crate::bvh) fn far_along<S: Simd>([x, y, z]: &Axes<f32x8<S>>, bound: f32) -> [u64; 3] {
    let bound = f32x8::splat(x.simd, bound);
    [x.abs().simd_ge(bound).to_bitmask(), y.abs().simd_ge(bound).to_bitmask(), z.abs().simd_ge(bound).to_bitmask()]
}

impl<S: Simd> RayPacket<S> {
    /// Prepares the packet for boxes whose coordinates are the frame's coordinates divided by this power of two. Its
    /// beams must have been made before.
    // It is changed in place, because it is large.
    #[inline(always)]
    pub(in crate::bvh) fn scale_boxes(&mut self, scale: f32) {
        self.inverse = scaled(&self.inverse, f32x8::splat(self.simd, scale));
    }

    /// Returns the increase of a ray's t over a distance of 1.
    #[inline(always)]
    pub(crate) fn t_per_distance(&self, lane: usize) -> f64 {
        inverse_power_of_two(self.steps[lane % LANES].into())
    }

    /// Returns upper bounds on the error of a distance to a box: the relative error, and the absolute error besides it.
    #[inline(always)]
    pub(in crate::bvh) fn distance_errors(&self) -> [f64; 2] {
        [self.box_error.into(), (DISTANCE_ERROR * self.origin_error).into()]
    }

    /// Returns a distance beyond which no hit of a ray has a reported t of at most this one.
    #[inline(always)]
    pub(crate) fn limit_at(&self, lane: usize, t: f32) -> f32 {
        let lane = lane % LANES;
        smaller((t - self.start[lane]) * (self.steps[lane] * FURTHER) + self.limit_error[lane], FARTHEST)
    }

    /// Does the same as [`limit_at`](Self::limit_at) for all usable rays. No distance is below -1.
    #[inline(always)]
    pub(in crate::bvh) fn limits_at(&self, ts: &[f32; LANES]) -> f32x8<S> {
        let all = |x: f32| f32x8::splat(self.simd, x);
        let of = |values: &[f32; LANES]| f32x8::from_slice(self.simd, values);
        let distances = (of(ts) - of(&self.start)) * (of(&self.steps) * all(FURTHER)) + of(&self.limit_error);
        let distances = distances.smaller(all(FARTHEST)).larger(all(-1.0));
        // The values of the other lanes must be numbers, because either operand may be returned as the minimum with a
        // NaN.
        mask32x8::from_bitmask(self.simd, self.usable).select(distances, all(-1.0))
    }

    /// Returns the lanes that can be traversed together with the first of them; 0 if there are none.
    #[inline(always)]
    pub(crate) fn alike(&self, lanes: u64) -> u64 {
        let first = lanes & lanes.wrapping_neg();
        let mut alike = lanes;
        for falling in self.falling {
            alike &= if falling & first == 0 { !falling } else { falling };
        }
        alike & self.strong[self.main_axis(first)] & self.near_to(first.trailing_zeros() as usize % LANES)
    }

    /// Returns the rays that have nearly the same direction as this ray, and start nearby.
    #[inline(always)]
    fn near_to(&self, lane: usize) -> u64 {
        let away = |axis: usize| (self.origin[axis] - f32x8::splat(self.simd, self.origin[axis][lane])).abs();
        let is_near = away(0).larger(away(1)).larger(away(2)).simd_le(f32x8::splat(self.simd, NEARBY));
        is_near.to_bitmask() & parallel_to(&self.direction, lane) | 1 << lane
    }

    /// Returns the main axis of a lane, which is an axis along which its direction is strong.
    #[inline(always)]
    fn main_axis(&self, lane: u64) -> usize {
        self.strongest.iter().position(|strong| strong & lane != 0).unwrap_or(0)
    }

    /// Makes a beam of lanes that are [`alike`](Self::alike), of which there is at least one.
    #[inline(always)]
    pub(crate) fn beam(&self, lanes: u64) -> Beam<S> {
        self.simd.shared(
            #[inline(always)]
            || {
                let simd = self.simd;
                let first = lanes & lanes.wrapping_neg();
                let mask = mask32x8::from_bitmask(simd, lanes);
                let pace = mask.select(self.direction[self.main_axis(first)].abs(), f32x8::splat(simd, 0.0));
                let near = |axis: usize| usize::from(self.falling[axis] & first != 0) * WIDTH;
                let near = [near(0), near(1), near(2)];
                // A hull has twice the error of a ray.
                let errors = [self.origin_error, 2.0 * self.box_error * FARTHEST];
                // This processes the axes without a loop. Values found by an index stay in memory, and would be copied
                // from there in pieces.
                let x = BeamSlab::new((self.origin[0], self.inverse[0]), mask, pace, near[0], errors);
                let y = BeamSlab::new((self.origin[1], self.inverse[1]), mask, pace, near[1], errors);
                let z = BeamSlab::new((self.origin[2], self.inverse[2]), mask, pace, near[2], errors);
                Beam {
                    lanes,
                    pace,
                    near_inverse: [x.near_inverse, y.near_inverse, z.near_inverse],
                    far_inverse: [x.far_inverse, y.far_inverse, z.far_inverse],
                    near_offset: [x.near_offset, y.near_offset, z.near_offset],
                    far_offset: [x.far_offset, y.far_offset, z.far_offset],
                    near,
                }
            },
        )
    }

    /// Returns which rays may touch this child's box before their limits.
    #[inline(always)]
    fn touch(&self, node: &Node, place: usize, near: [usize; 3], limits: f32x8<S>) -> u64 {
        self.simd.shared(
            #[inline(always)]
            || {
                let plane = |axis: usize, first: usize| {
                    f32x8::splat(self.simd, planes(&node.bounds[axis], first)[place % WIDTH])
                };
                let enter = |axis: usize| plane(axis, near[axis]).mul_add(self.inverse[axis], self.near_offset[axis]);
                let leave =
                    |axis: usize| plane(axis, near[axis] ^ WIDTH).mul_add(self.inverse[axis], self.far_offset[axis]);
                let enter = enter(0).larger(enter(1)).larger(enter(2).larger(f32x8::splat(self.simd, 0.0)));
                let leave = leave(0).smaller(leave(1)).smaller(leave(2).smaller(limits));
                enter.simd_le(leave).to_bitmask()
            },
        )
    }
}

#[inline(always)]
fn scaled<S: Simd>(v: &Axes<f32x8<S>>, scale: f32x8<S>) -> Axes<f32x8<S>> {
    [v[0] * scale, v[1] * scale, v[2] * scale]
}

/// The hull of a beam along one axis.
struct BeamSlab<S: Simd> {
    near_inverse: f32x8<S>,
    far_inverse: f32x8<S>,
    near_offset: f32x8<S>,
    far_offset: f32x8<S>,
}

impl<S: Simd> BeamSlab<S> {
    /// Makes the slab of the masked rays, which enter by planes from `entered` on.
    #[inline(always)]
    fn new(
        (origin, inverse): (f32x8<S>, f32x8<S>),
        mask: mask32x8<S>,
        pace: f32x8<S>,
        entered: usize,
        [error, relative]: [f32; 2],
    ) -> Self {
        let simd = origin.simd;
        let (zero, infinity) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        let low = f32x8::splat(simd, mask.select(origin, infinity).reduce_min());
        let high = f32x8::splat(simd, mask.select(origin, -infinity).reduce_max());
        let slope = inverse.abs() * pace;
        let least = f32x8::splat(simd, mask.select(slope, infinity).reduce_min());
        let most = f32x8::splat(simd, mask.select(slope, zero).reduce_max());
        // The slab uses the origin that enters last, and the one that leaves first. For rays that go down, the upper plane is the one that is entered.
        let (late, early, sign) = if entered == 0 { (high, low, 1.0) } else { (low, high, -1.0) };
        let (near_inverse, far_inverse) = (least * sign, most * sign);
        Self {
            near_inverse,
            far_inverse,
            near_offset: -late * near_inverse - slack(late, near_inverse, error, relative),
            far_offset: slack(early, far_inverse, error, relative) - early * far_inverse,
        }
    }
}

impl<S: Simd> Beam<S> {
    /// Returns the limit of the hull, given the limits of the rays.
    #[inline(always)]
    fn limit(&self, limits: f32x8<S>) -> f32 {
        (limits * self.pace).reduce_max()
    }

    /// Returns lower bounds of the distances at which its rays enter the boxes that the hull enters at this distance.
    #[inline(always)]
    pub(in crate::bvh) fn distances(&self, distance: f32) -> [f32; LANES] {
        let simd = self.pace.simd;
        let strong = self.pace.larger(f32x8::splat(simd, STRONG));
        by_lane(f32x8::splat(simd, distance * NEARER) / strong)
    }

    /// Returns the same beam for boxes whose coordinates are the frame's coordinates divided by this power of two.
    #[inline(always)]
    pub(in crate::bvh) fn for_boxes_scaled_by(mut self, scale: f32) -> Self {
        let scale = f32x8::splat(self.pace.simd, scale);
        self.near_inverse = scaled(&self.near_inverse, scale);
        self.far_inverse = scaled(&self.far_inverse, scale);
        self
    }

    /// Returns which children the hull may touch before `limit`, and the distance of each. The products with the ends of an interval bound the products
    /// with the whole interval only if they are not negative. So negative distances of entry are replaced by 0, and boxes that are left at a negative
    /// distance are not touched.
    #[inline(always)]
    fn enter(&self, simd: S, node: &Node, limit: f32) -> (LaneMask, [f32; WIDTH]) {
        simd.shared(
            #[inline(always)]
            || {
                let plane = |axis: usize, first: usize| f32x8::from_slice(simd, planes(&node.bounds[axis], first));
                let [i, j, k] = self.near;
                let near = distances([plane(0, i), plane(1, j), plane(2, k)], &self.near_inverse, &self.near_offset);
                let far = [plane(0, i ^ WIDTH), plane(1, j ^ WIDTH), plane(2, k ^ WIDTH)];
                let far = distances(far, &self.far_inverse, &self.far_offset);
                entered(simd, near, far, limit)
            },
        )
    }
}

/// A pending subtree. It has the child, the rays that may touch it, and the hull's distance, by which subtrees are ordered. The distance is rounded down, so
/// that eight bits are free for the rays.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Pending(u64);

impl Pending {
    const LANE_BITS: u32 = (1 << LANES) - 1;

    #[inline(always)]
    fn new(distance: f32, lanes: u64, child: u32) -> Self {
        Self(u64::from(distance.to_bits() & !Self::LANE_BITS) << 32 | lanes << 32 | u64::from(child))
    }

    #[inline(always)]
    fn child(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn lanes(self) -> u64 {
        self.0 >> 32 & u64::from(Self::LANE_BITS)
    }

    #[inline(always)]
    fn distance(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32 & !Self::LANE_BITS)
    }
}

impl Bvh8 {
    /// Calls the visitor with each leaf whose box one of the beam's rays may touch before its limit.
    #[inline(always)]
    pub(crate) fn traverse_together<S: Simd, V: PacketVisitor<S>>(
        &self,
        simd: S,
        ray_packet: &RayPacket<S>,
        beam: &Beam<S>,
        row: LeafRow,
        visitor: &mut V,
    ) {
        let nodes = self.nodes.as_slice();
        let ahead = (nodes.len() > CACHED_NODES).then_some(row);
        traverse_together(nodes, simd, (ray_packet, beam), ahead, visitor);
    }
}

/// Calls the visitor with each leaf of a tree whose box one of the beam's rays may touch before its limit. Children are prefetched if `ahead` has the row of
/// leaves.
#[inline(always)]
pub(in crate::bvh) fn traverse_together<'a, N: NodeSource<'a>, S: Simd, V: PacketVisitor<S>>(
    nodes: N,
    simd: S,
    (ray_packet, beam): (&RayPacket<S>, &Beam<S>),
    ahead: Option<LeafRow>,
    visitor: &mut V,
) {
    if nodes.len() == 0 {
        return;
    }
    let (mut room, mut beyond) = (StackSlots::new(), Vec::new());
    let mut pending = TraversalStack::unbounded(room.stack(), &mut beyond);
    let order = visitor.order();
    let mut limits = visitor.limits();
    let mut limit = beam.limit(limits);
    let mut next = Pending::new(0.0, beam.lanes, Subtree::ROOT.0);
    loop {
        let (child, distance) = (next.child(), next.distance());
        let mut lanes = next.lanes() & limits.simd_ge(f32x8::splat(simd, 0.0)).to_bitmask();
        if lanes.count_ones() <= ALONE {
            while let Some(lane) = take_lowest(&mut lanes) {
                visitor.visit_alone(Subtree(child), lane);
            }
            limits = visitor.limits();
            limit = beam.limit(limits);
        } else if child & LEAF != 0 {
            visitor.visit(child & !LEAF, lanes, beam, distance);
            limits = visitor.limits();
            limit = beam.limit(limits);
        } else {
            let node = nodes.node(child);
            let (mut hits, distances) = beam.enter(simd, node, limit);
            pending.make_room();
            let stack = &mut pending.stack;
            let base = stack.len();
            while let Some(place) = order.take(&mut hits) {
                let child = node.children[place];
                // This is done in a search for any hit too. Skipping it for inner nodes of which the hull touches at
                // most two children was no faster.
                let touching = ray_packet.touch(node, place, beam.near, limits) & lanes;
                let entry = Pending::new(distances[place], touching, child);
                if order != Order::NearToFar {
                    // This has no branch, because no processor would predict it.
                    stack.push_if(touching != 0, entry);
                } else if touching != 0 {
                    stack.push(entry);
                    stack.sink(base);
                }
                if let Some(row) = ahead
                    && touching != 0
                {
                    nodes.prefetch(child, row, |leaf| visitor.prefetch(leaf));
                }
            }
            if stack.len() > base
                && let Some(nearest) = stack.pop()
            {
                next = nearest;
                continue;
            }
        }
        loop {
            let Some(nearest) = pending.pop() else { return };
            next = nearest;
            if next.distance() <= limit {
                break;
            }
        }
    }
}
