//! Up to eight rays that go through a tree together.
//!
//! One test of a node's eight boxes against a hull of all the rays passes by what all of them miss (interval arithmetic: I. Wald,
//! S. Boulos, P. Shirley, "Ray Tracing Deformable Scenes Using Dynamic Bounding Volume Hierarchies", 2007). The few boxes that are left are
//! tested with the eight rays at once, each with the numbers that it would have alone. Where hardly any ray is left, it goes on alone.

use super::builder::WIDTH;
use super::frame::{
    FARTHEST_ORIGIN, Frame, LARGEST_DISTANCE, LEAST_DIRECTION, LEAST_ERROR, ORDINARY_SIZE, ROUNDOFF, WIDENING, WIDER,
};
use super::wide::{CACHED_NODES, INLINE_STACK, LEAF, Node, Order, Subtree, WideBvh, refill, sort_falling, spill};
use crate::ray::Ray;
use crate::simd::{Axes, Select, Simd, SimdBase, SimdFloat, SimdMask, dot, f32x8, load, mask32x8, prefetch, u32x8};
use alloc::vec::Vec;

/// How many rays go together.
pub(crate) const LANES: usize = 8;

/// As many that are alike are worth a hull; fewer are cast one by one.
pub(crate) const FEWEST: u32 = 4;
/// As many that are left in a part of the tree go on alone: 1 to 3 are equal but for shadows on scans, which take a tenth longer with 1.
const ALONE: u32 = 2;
/// Of so few children that the hull may touch, inner ones are not tested with each ray where any hit will do: it would cost more than it saves. For
/// closest hits primary rays got 3 % slower.
const NARROW: u32 = 2;
/// Components of a direction at least this large, of a largest one of at least a half, are good to measure the distances of a bundle by.
const STRONG: f32 = 0.25;
/// Rays go together whose directions' angle has at least this cosine, squared, and whose origins are no farther apart in each coordinate.
const ALIKE: f32 = 0.9;
const NEARBY: f32 = 0.125;
/// Rays of other paces are cast alone: within these, distances for any t are ordinary numbers.
const LEAST_STEPS: f32 = 1.0 / (1u64 << 60) as f32;
const MOST_STEPS: f32 = (1u64 << 60) as f32;
/// At least how far the origin may be off.
const ORIGIN_ERROR: f32 = (WIDER * LEAST_ERROR) as f32;
/// At least how far a distance may be off by that.
const DISTANCE_ERROR: f32 = 8.0 * ORIGIN_ERROR;

/// Rays of a mesh's own space in its frame, by lane: [`FramedRay`](super::FramedRay)s whose distances begin at t = 0.
pub(crate) struct Bundle<S: Simd> {
    simd: S,
    pub(crate) origin: Axes<f32x8<S>>,
    pub(crate) direction: Axes<f32x8<S>>,
    inverse: Axes<f32x8<S>>,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
    /// Distance in one t, a power of two.
    pub(crate) steps: f32x8<S>,
    pub(crate) farthest: f32x8<S>,
    /// A distance beyond which there is no hit of the ray's range, and one up to which every hit is in it.
    pub(crate) limit: f32x8<S>,
    pub(crate) limit_for_sure: f32x8<S>,
    /// The lanes whose rays are ordinary enough to go together, a bit each; what is said of the others means nothing.
    pub(crate) usable: u64,
    /// The lanes whose rays go down an axis, those that go far along it, and those for which it is likely to be the main one.
    falling: [u64; 3],
    strong: [u64; 3],
    strongest: [u64; 3],
}

/// Several rays of a bundle that go into the same octant, and their hull. Its distances are along one axis.
pub(crate) struct Beam<S: Simd> {
    pub(crate) lanes: u64,
    /// Distance along that axis in one distance of each ray; 0 for those of other beams.
    pace: f32x8<S>,
    near_inverse: Axes<f32x8<S>>,
    far_inverse: Axes<f32x8<S>>,
    near_offset: Axes<f32x8<S>>,
    far_offset: Axes<f32x8<S>>,
    /// Which plane of each axis is entered.
    near: [usize; 3],
}

/// Where subtrees to come back to are kept: to clear it for every bundle would take a tenth of the time of coherent rays.
pub(crate) struct Stack {
    inline: [u128; INLINE_STACK],
    spilled: Vec<u128>,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Self { inline: [0; INLINE_STACK], spilled: Vec::new() }
    }
}

/// What is done for the rays of a bundle. Its functions must be `#[inline(always)]`, or they are not compiled for the instruction set in use.
pub(crate) trait BundleVisitor<S: Simd> {
    fn order(&self) -> Order;

    /// A leaf that is likely to be visited.
    fn announce(&self, leaf: u32);

    /// By ray the largest distance that matters, below 0 once nothing does.
    fn limits(&self) -> f32x8<S>;

    /// A leaf whose box several rays may touch.
    fn visit(&mut self, leaf: u32, lanes: u64);

    /// What a single ray may touch.
    fn visit_alone(&mut self, below: Subtree, lane: usize);
}

/// The number of the lowest bit that is set, which is taken off.
#[inline(always)]
pub(crate) fn take_lowest(bits: &mut u64) -> Option<usize> {
    let lane = (*bits != 0).then_some(bits.trailing_zeros() as usize % LANES);
    *bits &= bits.wrapping_sub(1);
    lane
}

impl Frame {
    /// [`own_ray`](Self::own_ray) of the first eight rays; `None` if it is plain at first sight that they go different ways.
    #[inline(always)]
    pub(crate) fn bundle<S: Simd>(&self, simd: S, rays: &[Ray]) -> Option<Bundle<S>> {
        let all = |x: f32| f32x8::splat(simd, x);
        let [origin, direction, [t_min, t_max, _]] = by_component(simd, rays);
        let ways = [parallel_to(&direction, 0), parallel_to(&direction, LANES / 2)];
        if ways[0].count_ones().max(ways[1].count_ones()) < FEWEST {
            return None;
        }
        let scale = all(self.scale as f32);
        let origin: Axes<_> = [origin[0] * scale, origin[1] * scale, origin[2] * scale];
        let [x, y, z] = [origin[0].abs(), origin[1].abs(), origin[2].abs()];
        let is_near = x.max(y).max(z).simd_le(all(FARTHEST_ORIGIN as f32)) & (x + y + z).simd_ge(all(0.0));
        let [dx, dy, dz] = [direction[0].abs(), direction[1].abs(), direction[2].abs()];
        let size = dx.max(dy).max(dz);
        // The sum is NaN if a component is, whatever the maximum makes of it.
        let is_ordinary = (dx + dy + dz).simd_le(all(3.0 * ORDINARY_SIZE)) & size.simd_ge(all(1.0 / ORDINARY_SIZE));
        let exponent = u32x8::splat(simd, f32::INFINITY.to_bits());
        let power = f32x8::<S>::from_bits(size.to_bits() & exponent) * all(2.0);
        let steps = power * scale;
        let is_paced = steps.simd_ge(all(LEAST_STEPS)) & steps.simd_le(all(MOST_STEPS));
        let is_ranged = t_min.simd_eq(all(0.0)) & t_max.simd_ge(all(0.0));
        let usable = is_near & is_ordinary & is_paced & is_ranged;

        let unit = all(1.0) / power;
        let direction = [direction[0] * unit, direction[1] * unit, direction[2] * unit];
        let inverse = [inverse_of(direction[0]), inverse_of(direction[1]), inverse_of(direction[2])];
        let offset = |axis: usize, slack: f32x8<S>| slack - origin[axis] * inverse[axis];
        let slack = [slack(origin[0], inverse[0]), slack(origin[1], inverse[1]), slack(origin[2], inverse[2])];
        let farthest = (x.max(y).max(z) + all(1.0 + ORIGIN_ERROR)) * all(2.0 * WIDER as f32);
        let distance = t_max * steps;
        let limit = distance.mul_add(all(1.0 + 8.0 * f32::EPSILON), all(DISTANCE_ERROR)).min(farthest);
        // Those of the others must be numbers.
        let limit = usable.select(limit, all(-1.0));
        let for_sure = distance.min(all(LARGEST_DISTANCE));
        Some(Bundle {
            simd,
            origin,
            direction,
            inverse,
            near_offset: [offset(0, -slack[0]), offset(1, -slack[1]), offset(2, -slack[2])],
            far_offset: [offset(0, slack[0]), offset(1, slack[1]), offset(2, slack[2])],
            steps,
            farthest,
            limit,
            limit_for_sure: for_sure.mul_sub(all(1.0 - 8.0 * f32::EPSILON), all(DISTANCE_ERROR)),
            usable: usable.to_bitmask(),
            falling: [is_below(inverse[0], 0.0), is_below(inverse[1], 0.0), is_below(inverse[2], 0.0)],
            strong: [!is_below(dx * unit, STRONG), !is_below(dy * unit, STRONG), !is_below(dz * unit, STRONG)],
            strongest: [!is_below(dx * unit, 0.5), !is_below(dy * unit, 0.5), !is_below(dz * unit, 0.5)],
        })
    }
}

/// Origins, directions, and ranges; NaN where there is no ray.
#[inline(always)]
fn by_component<S: Simd>(simd: S, rays: &[Ray]) -> [Axes<f32x8<S>>; 3] {
    let mut lanes = [[f32::NAN; LANES]; 8];
    // Of a full bundle without a loop.
    match rays.first_chunk::<LANES>() {
        Some(rays) => put_all(&mut lanes, rays),
        None => put_all(&mut lanes, rays),
    }
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = &lanes;
    [load(simd, [ox, oy, oz]), load(simd, [dx, dy, dz]), load(simd, [t_min, t_max, t_max])]
}

#[inline(always)]
fn put_all(lanes: &mut [[f32; LANES]; 8], rays: &[Ray]) {
    for (lane, ray) in rays.iter().enumerate() {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin.to_array(), ray.direction.to_array());
        let values = [ox, oy, oz, dx, dy, dz, ray.t_min, ray.t_max];
        for component in 0..values.len() {
            lanes[component][lane % LANES] = values[component];
        }
    }
}

/// The lanes whose direction is hardly turned from that of one of them.
#[inline(always)]
fn parallel_to<S: Simd>(direction: &Axes<f32x8<S>>, lane: usize) -> u64 {
    let way = |axis: usize| f32x8::splat(direction[axis].simd, direction[axis][lane]);
    let ways = [way(0), way(1), way(2)];
    let along = dot(direction, &ways);
    let lengths = dot(direction, direction) * dot(&ways, &ways);
    (along * along).simd_ge(lengths * f32x8::splat(along.simd, ALIKE)).to_bitmask()
}

#[inline(always)]
fn inverse_of<S: Simd>(d: f32x8<S>) -> f32x8<S> {
    let least = f32x8::splat(d.simd, LEAST_DIRECTION);
    f32x8::splat(d.simd, 1.0) / d.abs().simd_lt(least).select(least.copysign(d), d)
}

/// As for a single ray: the roundings of an offset and of its slack, of a product with a coordinate of at most 1, and the error of the origin.
#[inline(always)]
fn slack<S: Simd>(origin: f32x8<S>, inverse: f32x8<S>) -> f32x8<S> {
    let all = |x: f32| f32x8::splat(origin.simd, x);
    inverse.abs() * ((origin.abs() + all(1.0)) * all(4.0 * ROUNDOFF) + all(2.0 * ORIGIN_ERROR))
}

#[inline(always)]
fn is_below<S: Simd>(x: f32x8<S>, bound: f32) -> u64 {
    x.simd_lt(f32x8::splat(x.simd, bound)).to_bitmask()
}

impl<S: Simd> Bundle<S> {
    /// At least how far the origins are from points of the exact rays, in each coordinate.
    pub(crate) const ORIGIN_ERROR: f32 = ORIGIN_ERROR;

    /// Those of the lanes that can go with the first one of them; 0 without any.
    #[inline(always)]
    pub(crate) fn alike(&self, lanes: u64) -> u64 {
        let first = lanes & lanes.wrapping_neg();
        let mut alike = lanes;
        for falling in self.falling {
            alike &= if falling & first == 0 { !falling } else { falling };
        }
        alike & self.strong[self.main_axis(first)] & self.near_to(first.trailing_zeros() as usize % LANES)
    }

    /// Which go nearly the same way as one from nearby.
    #[inline(always)]
    fn near_to(&self, lane: usize) -> u64 {
        let away = |axis: usize| (self.origin[axis] - f32x8::splat(self.simd, self.origin[axis][lane])).abs();
        let is_near = away(0).max(away(1)).max(away(2)).simd_le(f32x8::splat(self.simd, NEARBY));
        is_near.to_bitmask() & parallel_to(&self.direction, lane) | 1 << lane
    }

    /// Of a lane, one that it goes half a distance along.
    #[inline(always)]
    fn main_axis(&self, lane: u64) -> usize {
        self.strongest.iter().position(|strong| strong & lane != 0).unwrap_or(0)
    }

    /// Of lanes that are [`alike`](Self::alike), of which there is at least one.
    #[inline(always)]
    pub(crate) fn beam(&self, lanes: u64) -> Beam<S> {
        let simd = self.simd;
        let first = lanes & lanes.wrapping_neg();
        let (zero, infinity) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, f32::INFINITY));
        let mask = mask32x8::from_bitmask(simd, lanes);
        let pace = mask.select(self.direction[self.main_axis(first)].abs(), zero);
        let near = [0, 1, 2].map(|axis| usize::from(self.falling[axis] & first != 0));
        let mut beam = Beam {
            lanes,
            pace,
            near_inverse: [zero; 3],
            far_inverse: [zero; 3],
            near_offset: [zero; 3],
            far_offset: [zero; 3],
            near,
        };
        for (axis, &entered) in near.iter().enumerate() {
            let origin = self.origin[axis];
            let low = f32x8::splat(simd, mask.select(origin, infinity).reduce_min());
            let high = f32x8::splat(simd, mask.select(origin, -infinity).reduce_max());
            let slope = self.inverse[axis].abs() * pace;
            let least = f32x8::splat(simd, mask.select(slope, infinity).reduce_min());
            let most = f32x8::splat(simd, mask.select(slope, zero).reduce_max());
            // What is entered last of all origins, and left first; the plane that is entered is the upper one of those that go down.
            let (late, early, sign) = if entered == 0 { (high, low, 1.0) } else { (low, high, -1.0) };
            let (near_inverse, far_inverse) = (least * sign, most * sign);
            beam.near_offset[axis] = -late * near_inverse - slack(late, near_inverse);
            beam.far_offset[axis] = slack(early, far_inverse) - early * far_inverse;
            (beam.near_inverse[axis], beam.far_inverse[axis]) = (near_inverse, far_inverse);
        }
        beam
    }

    /// Which rays may touch this child's box before their limits.
    #[inline(always)]
    fn touch(&self, node: &Node, place: usize, near: [usize; 3], limits: f32x8<S>) -> u64 {
        let plane = |axis: usize, side: usize| f32x8::splat(self.simd, node.bounds[axis][side & 1][place % WIDTH]);
        let enter = |axis: usize| plane(axis, near[axis]).mul_add(self.inverse[axis], self.near_offset[axis]);
        let leave = |axis: usize| plane(axis, near[axis] ^ 1).mul_add(self.inverse[axis], self.far_offset[axis]);
        let enter = enter(0).max(enter(1)).max(enter(2).max(f32x8::splat(self.simd, 0.0)));
        let leave = leave(0).min(leave(1)).min(leave(2).min(limits));
        enter.simd_le(leave * f32x8::splat(self.simd, WIDENING)).to_bitmask()
    }
}

impl<S: Simd> Beam<S> {
    /// The hull's limit, for those of its rays.
    #[inline(always)]
    fn limit(&self, limits: f32x8<S>) -> f32 {
        (limits * self.pace).reduce_max()
    }

    /// Which children the hull may touch before `limit`, and from where on. Products with the ends of an interval bound those with
    /// all of it where they are not negative; negative entries are raised to 0, and what is left at a negative distance is not touched.
    #[inline(always)]
    fn enter(&self, simd: S, node: &Node, limit: f32) -> (u64, [f32; WIDTH]) {
        let [x, y, z] = &node.bounds;
        let [i, j, k] = self.near;
        let near = load(simd, [&x[i & 1], &y[j & 1], &z[k & 1]]);
        let far = load(simd, [&x[i & 1 ^ 1], &y[j & 1 ^ 1], &z[k & 1 ^ 1]]);
        let near = distances(&near, &self.near_inverse, &self.near_offset);
        let far = distances(&far, &self.far_inverse, &self.far_offset);
        let enter = near[0].max(near[1]).max(near[2].max(f32x8::splat(simd, 0.0)));
        let leave = far[0].min(far[1]).min(far[2].min(f32x8::splat(simd, limit)));
        let hits = enter.simd_le(leave * f32x8::splat(simd, WIDENING)).to_bitmask();
        let mut distances = [0.0; WIDTH];
        enter.store_slice(&mut distances);
        (hits, distances)
    }
}

#[inline(always)]
fn distances<S: Simd>(planes: &Axes<f32x8<S>>, inverse: &Axes<f32x8<S>>, offset: &Axes<f32x8<S>>) -> Axes<f32x8<S>> {
    [
        planes[0].mul_add(inverse[0], offset[0]),
        planes[1].mul_add(inverse[1], offset[1]),
        planes[2].mul_add(inverse[2], offset[2]),
    ]
}

/// A subtree to come back to: the hull's distance, the rays that may touch it, and the child, so that the order is by distance.
#[inline(always)]
fn entry(distance: f32, lanes: u64, child: u32) -> u128 {
    u128::from(u64::from(distance.to_bits()) << 32 | lanes) << 32 | u128::from(child)
}

#[inline(always)]
fn distance_of(entry: u128) -> f32 {
    f32::from_bits((entry >> 64) as u32)
}

impl WideBvh {
    /// Shows the visitor each leaf whose box one of the beam's rays may touch before its limit.
    #[inline(always)]
    pub(crate) fn traverse_together<S: Simd, V: BundleVisitor<S>>(
        &self,
        simd: S,
        bundle: &Bundle<S>,
        beam: &Beam<S>,
        Stack { inline: stack, spilled }: &mut Stack,
        visitor: &mut V,
    ) {
        let nodes = self.nodes.as_slice();
        if nodes.is_empty() {
            return;
        }
        let mut len = 0;
        let is_large = nodes.len() > CACHED_NODES;
        let order = visitor.order();
        let mut limits = visitor.limits();
        let mut limit = beam.limit(limits);
        let mut next = entry(0.0, beam.lanes, Subtree::ROOT.0);
        loop {
            let (child, lanes) = (next as u32, (next >> 32) as u64 & u64::from(u32::MAX));
            let mut lanes = lanes & limits.simd_ge(f32x8::splat(simd, 0.0)).to_bitmask();
            if lanes.count_ones() <= ALONE {
                while let Some(lane) = take_lowest(&mut lanes) {
                    visitor.visit_alone(Subtree(child), lane);
                }
                limits = visitor.limits();
                limit = beam.limit(limits);
            } else if child & LEAF != 0 {
                visitor.visit(child & !LEAF, lanes);
                limits = visitor.limits();
                limit = beam.limit(limits);
            } else {
                let node = &nodes[child as usize];
                let (mut hits, distances) = beam.enter(simd, node, limit);
                if len > INLINE_STACK - WIDTH {
                    len = spill(stack, len, spilled);
                }
                let base = len;
                let is_narrow = order == Order::Any && hits.count_ones() <= NARROW;
                while hits != 0 {
                    let place = hits.trailing_zeros() as usize % WIDTH;
                    hits &= hits - 1;
                    let child = node.children[place];
                    let touching = if is_narrow && child & LEAF == 0 {
                        lanes
                    } else {
                        bundle.touch(node, place, beam.near, limits) & lanes
                    };
                    if touching != 0 {
                        if is_large {
                            announce(nodes, visitor, child);
                        }
                        stack[len % INLINE_STACK] = entry(distances[place], touching, child);
                        len += 1;
                    }
                }
                if len > base {
                    if order == Order::NearToFar {
                        sort_falling(stack, base, len);
                    }
                    len -= 1;
                    next = stack[len % INLINE_STACK];
                    continue;
                }
            }
            loop {
                if len == 0 {
                    if spilled.is_empty() {
                        return;
                    }
                    len = refill(stack, spilled);
                }
                len -= 1;
                next = stack[len % INLINE_STACK];
                if distance_of(next) <= limit {
                    break;
                }
            }
        }
    }
}

/// Has a child brought while the nearest one is dealt with.
#[inline(always)]
fn announce<S: Simd>(nodes: &[Node], visitor: &impl BundleVisitor<S>, child: u32) {
    if child & LEAF == 0 {
        nodes.get(child as usize).into_iter().for_each(prefetch);
    } else {
        visitor.announce(child & !LEAF);
    }
}
