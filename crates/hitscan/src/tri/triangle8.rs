//! Blocks of eight triangles that are tested at once for whether a ray may hit them.

use super::corner_rotation::CornerRotation;
use super::distance_bounds::DistanceBounds;
use super::error_bounds::{EDGE_ERROR, ErrorBounds, T_ERROR, bound};
use super::leaf_corners::LeafCorners;
use super::sweep_filter::{SweptTube, Touchable};
use super::triangle_extents;
use crate::bvh::{BvhRay, LEAF_SIZE};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{
    Axes, Bytes, FloatLanes, Simd, SimdBase, SimdFloat, SimdMask, anew, cross, difference, dot, f32x4, f32x8, load,
    mask32x8, splat, u32x8,
};
use core::array::from_fn;
use glam::{Mat4, Vec3, Vec4};

pub(crate) const SIZE: usize = LEAF_SIZE;
/// The number of blocks that one thread makes at a time.
pub(crate) const PIECE: usize = 512;
/// Corners are computed in this many lanes, in glam's vectors, like the builder's boxes.
const QUAD: usize = 4;

/// A corner of each triangle, by axis.
type Corner8 = [[f32; SIZE]; 3];

/// A block, in the frame's coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Triangle8 {
    /// The corners, beginning with the one opposite the longest edge. The two edges from there bound the errors of the test. In a long right triangle, this
    /// is the corner with the right angle.
    corners: [Corner8; 3],
    /// The extents, coded by [`triangle_extents`].
    extents: [u32; SIZE],
    pub(crate) triangles: [u32; SIZE],
}

/// The size below which the products of the tests might underflow.
pub(super) const LEAST_REACH: f32 = 1e-16;

/// This is more than the rounding of a difference and a product.
const ABOVE_LENGTH_ROUNDINGS: f32 = 1.0 + 4.0 * UNIT_ROUNDOFF_F32;
/// The number of a lane without a triangle.
pub(crate) const NONE: u32 = u32::MAX;

/// Makes a block without triangles.
impl Default for Triangle8 {
    fn default() -> Self {
        Self { corners: [[[0.0; SIZE]; 3]; 3], extents: [triangle_extents::NONE; SIZE], triangles: [NONE; SIZE] }
    }
}

impl Triangle8 {
    /// Makes a block of triangles whose corners are not known yet; a lane may have none.
    pub(crate) fn of_lanes(triangles: [u32; SIZE]) -> Self {
        Self { triangles, ..Self::default() }
    }

    /// Returns whether these lanes are valid for a block, given the number of triangles; a lane may have none.
    pub(crate) fn are_lanes(triangles: [u32; SIZE], count: usize) -> bool {
        // Lanes with a triangle come first, and there is at least one.
        let is_number = triangles.map(|triangle| (triangle as usize) < count);
        let is_sound = triangles.iter().zip(is_number).all(|(&triangle, is_number)| is_number || triangle == NONE);
        is_sound && is_number[0] && is_number.is_sorted_by(|before, after| before >= after)
    }

    /// Returns the numbers of the block's triangles.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.triangles.into_iter().filter(|&triangle| triangle != NONE)
    }

    /// Returns whether the block is full, and all of its triangles have the same box.
    pub(crate) fn has_one_box(&self) -> bool {
        let one = |ends: [Vec4; SIZE / QUAD]| ends.iter().all(|quad| quad.cmpeq(Vec4::splat(ends[0].x)).all());
        // A block is filled from its first lane on.
        self.triangles[SIZE - 1] != NONE
            && (0..3).all(|axis| {
                let [a, b, c] = self.corners.each_ref().map(|corner| quads(&corner[axis]));
                one(from_fn(|quad| a[quad].min(b[quad]).min(c[quad])))
                    && one(from_fn(|quad| a[quad].max(b[quad]).max(c[quad])))
            })
    }

    /// Stores the corners of its triangles, multiplied by two factors, whose product converts them to the frame's coordinates. Returns the box around the
    /// corners as they are stored.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn fit(&mut self, corners: impl Fn(u32) -> [Vec3; 3], [first, second]: [f32; 2]) -> Aabb {
        if self.triangles[0] == NONE {
            return Aabb::EMPTY;
        }
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for start in (0..SIZE).step_by(QUAD) {
            // The rows are by triangle, then by corner. This uses neither `map` nor `from_fn`, which are not inlined here.
            let mut rows = [[Vec4::ZERO; 3]; QUAD];
            for (row, &triangle) in rows.iter_mut().zip(&self.triangles[start..start + QUAD]) {
                // A lane without a triangle gets the corners of the first one, so that it does not change the box.
                let [a, b, c] = corners(if triangle == NONE { self.triangles[0] } else { triangle });
                let inside = |corner: Vec3| corner.extend(0.0) * first * second;
                *row = [inside(a), inside(b), inside(c)];
                low = low.min(row[0]).min(row[1]).min(row[2]);
                high = high.max(row[0]).max(row[1]).max(row[2]);
            }
            let [p, q, r, s] = rows;
            let corner = |i: usize| Mat4::from_cols(p[i], q[i], r[i], s[i]).transpose();
            self.set_corners(&[corner(0), corner(1), corner(2)], start);
        }
        // Adding +0 turns -0 into +0.
        Aabb { min: low.truncate() + 0.0, max: high.truncate() + 0.0 }
    }

    /// Stores these corners of the triangles from `start` on, by corner and axis, rotates them, and computes their extents.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn set_corners(&mut self, corners: &[Mat4; 3], start: usize) {
        let lanes = start..start + QUAD;
        let axes = corners.each_ref().map(|corner| [corner.x_axis, corner.y_axis, corner.z_axis]);
        let [a, b, c] = &axes;
        let length = |[px, py, pz]: &[Vec4; 3], [qx, qy, qz]: &[Vec4; 3]| {
            let largest = (*qx - *px).abs().max((*qy - *py).abs()).max((*qz - *pz).abs());
            (largest * ABOVE_LENGTH_ROUNDINGS).max(Vec4::splat(LEAST_REACH))
        };
        // Each edge has the number of the opposite corner.
        let [bc, ca, ab] = [length(b, c), length(c, a), length(a, b)];
        let from_b = ca.cmpgt(bc) & ca.cmpge(ab);
        let from_c = ab.cmpgt(bc) & ab.cmpgt(ca);
        for axis in 0..3 {
            let [a, b, c] = [a[axis], b[axis], c[axis]];
            let turned = |own, next, last| Vec4::select(from_c, last, Vec4::select(from_b, next, own));
            turned(a, b, c).write_to_slice(&mut self.corners[0][axis][lanes.clone()]);
            turned(b, c, a).write_to_slice(&mut self.corners[1][axis][lanes.clone()]);
            turned(c, a, b).write_to_slice(&mut self.corners[2][axis][lanes.clone()]);
        }
        let (shorter, longer) = (bc.min(ca), bc.max(ca));
        let (least, middle) = (shorter.min(ab), shorter.max(longer.min(ab)));
        let (reaches, products) = (middle.to_array(), (least * middle * ABOVE_LENGTH_ROUNDINGS).to_array());
        let number = |number: u32| Vec4::splat(f32::from_bits(number));
        let turns = Vec4::select(from_c, number(2), Vec4::select(from_b, number(1), number(0))).to_array();
        let of_lanes = self.extents[lanes.clone()].iter_mut().zip(&self.triangles[lanes]);
        for (lane, (extent, &triangle)) in of_lanes.enumerate() {
            let own =
                triangle_extents::encode([reaches[lane], products[lane]], CornerRotation::new(turns[lane].to_bits()));
            *extent = if triangle == NONE { triangle_extents::NONE } else { own };
        }
    }

    /// Returns all corners as they are tested.
    pub(crate) fn leaf_corners(&self) -> LeafCorners {
        let present = (0..SIZE).filter(|&lane| self.triangles[lane] != NONE).map(|lane| 1 << lane).sum();
        LeafCorners { corners: self.corners, present }
    }

    /// Returns the corners of one triangle as they are tested, in the frame's coordinates.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn tested_corners(&self, lane: usize) -> [Vec3; 3] {
        of_lane(self.corners.each_ref(), lane)
    }

    /// Does the same as [`tested_corners`](Self::tested_corners), in lanes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn tested_corners_in_lanes<S: Simd>(&self, simd: S, lane: usize) -> [f32x4<S>; 3] {
        of_lane_in_lanes(simd, self.corners.each_ref(), lane)
    }

    /// Returns the corners of one triangle in its own order, in the frame's coordinates.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn corners(&self, lane: usize) -> [Vec3; 3] {
        of_lane(self.ordered(lane), lane)
    }

    /// Does the same as [`corners`](Self::corners), in lanes.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn corners_in_lanes<S: Simd>(&self, simd: S, lane: usize) -> [f32x4<S>; 3] {
        of_lane_in_lanes(simd, self.ordered(lane), lane)
    }

    /// Returns the corners of all lanes, in the order in which the corners of one triangle were given.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ordered(&self, lane: usize) -> [&Corner8; 3] {
        self.rotation(lane).undo(self.corners.each_ref())
    }

    /// Returns which corner of one triangle is tested first.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn rotation(&self, lane: usize) -> CornerRotation {
        triangle_extents::rotation(self.extents[lane % SIZE])
    }

    /// Returns the coordinate of all corners of one triangle along an axis, if it is the same for all.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn plane_across(&self, axis: usize, lane: usize) -> Option<f32> {
        let [a, b, c] = self.corners.each_ref().map(|corner| corner[axis][lane % SIZE]);
        (a == b && b == c).then_some(a)
    }

    /// Tests which triangles the ray may hit within `limit`, and which it certainly hits. The first set includes all that it does
    /// hit.
    ///
    /// The test computes the determinants of Möller and Trumbore in f32, without a division. It compares them with
    /// bounds on their errors that docs/robustness.md derives.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn test<S: Simd>(
        &self,
        simd: S,
        line: &FramedLine,
        errors: &ErrorBounds,
        limit: f32,
    ) -> TestedTriangles<S> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let [a, b, c] = &self.corners;
                let a: Axes<f32x8<S>> = load(simd, a.each_ref());
                let e1 = difference(&load(simd, b.each_ref()), &a);
                let e2 = difference(&load(simd, c.each_ref()), &a);
                let sizes = triangle_extents::sizes_in_lanes(u32x8::from_slice(simd, &self.extents));
                TestedTriangles::of_edges(simd, &a, [&e1, &e2], sizes, (line, errors), limit)
            },
        )
    }

    /// Returns which triangles a volume may touch up to a distance; the result includes all that it does touch. Without a tube it
    /// returns all.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn near<S: Simd>(&self, simd: S, tube: Option<&SweptTube>, limit: f32) -> Touchable {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let present = self.present(simd);
                let Some(tube) = tube else { return Touchable::all(present) };
                let [a, b, c] = &self.corners;
                tube.may_touch(
                    simd,
                    present,
                    limit,
                    #[cfg_attr(target_family = "wasm", inline)]
                    #[cfg_attr(not(target_family = "wasm"), inline(always))]
                    || {
                        [
                            load::<S, f32x8<S>, SIZE>(simd, a.each_ref()),
                            load(simd, b.each_ref()),
                            load(simd, c.each_ref()),
                        ]
                    },
                )
            },
        )
    }

    /// Returns the lanes whose triangles' boxes touch a box, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn in_box<S: Simd>(&self, simd: S, bounds: &Aabb) -> u64 {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let mut apart = 0;
                for axis in 0..3 {
                    let [a, b, c] = self.corners.each_ref().map(
                        #[cfg_attr(target_family = "wasm", inline)]
                        #[cfg_attr(not(target_family = "wasm"), inline(always))]
                        |corner| f32x8::from_slice(simd, &corner[axis]),
                    );
                    let below = a.larger(b).larger(c).simd_lt(f32x8::splat(simd, bounds.min[axis]));
                    let above = a.smaller(b).smaller(c).simd_gt(f32x8::splat(simd, bounds.max[axis]));
                    apart |= below.to_bitmask() | above.to_bitmask();
                }
                self.present(simd) & !apart
            },
        )
    }

    /// Returns bounds on the distances from a point to the triangles that may be within a reach.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn distances<S: Simd>(&self, simd: S, point: &Axes<f32x8<S>>, reach: f32) -> DistanceBounds {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let [a, b, c] = &self.corners;
                let corners: [Axes<f32x8<S>>; 3] =
                    [load(simd, a.each_ref()), load(simd, b.each_ref()), load(simd, c.each_ref())];
                let [a, b, c] = &corners;
                let mut bounds = DistanceBounds::new(simd, point, [a, b, c], reach);
                bounds.which &= self.present(simd);
                bounds
            },
        )
    }

    /// Returns the lanes that have a triangle, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn present<S: Simd>(&self, simd: S) -> u64 {
        let extents = u32x8::from_slice(simd, &self.extents);
        !extents.simd_eq(u32x8::splat(simd, triangle_extents::NONE)).to_bitmask() & ((1 << SIZE) - 1)
    }

    /// Returns the values that the tests of several rays share.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn edges<S: Simd>(&self, simd: S) -> TriangleEdges8 {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let [a, b, c] = &self.corners;
                let a: Axes<f32x8<S>> = load(simd, a.each_ref());
                let back = difference(&a, &load(simd, b.each_ref()));
                let e2 = difference(&load(simd, c.each_ref()), &a);
                TriangleEdges8 { back: stored(&back), e2: stored(&e2), normal: stored(&cross(&back, &e2)) }
            },
        )
    }

    /// Does the same as [`test`](Self::test) for eight rays and one triangle, each within its limit.
    ///
    /// The determinants are the same sums of products, with as many roundings. But they are computed from the normal, which is the same for all rays.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn test_together<S: Simd>(
        &self,
        simd: S,
        (origin, direction): (&Axes<f32x8<S>>, &Axes<f32x8<S>>),
        edges: &TriangleEdges8,
        lane: usize,
        errors: &ErrorBounds,
        limits: f32x8<S>,
    ) -> TestedTriangles<S> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let s = difference(&one_of(simd, &self.corners[0], lane), origin);
                let normal = one_of(simd, &edges.normal, lane);
                let p = cross(direction, &s);
                let determinants = Determinants8 {
                    det: dot(direction, &normal),
                    u: dot(&one_of(simd, &edges.e2, lane), &p),
                    v: dot(&one_of(simd, &edges.back, lane), &p),
                    t: dot(&s, &normal),
                    away: sum(&s),
                };
                // This does not use `map`, which is not inlined here.
                let [edge, corner] = self.sizes(lane);
                let sizes = [f32x8::splat(simd, edge), f32x8::splat(simd, corner)];
                TestedTriangles::new(simd, &determinants, sizes, errors, limits)
            },
        )
    }

    /// Returns the sizes of one triangle, as [`triangle_extents::sizes`] does.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn sizes(&self, lane: usize) -> [f32; 2] {
        triangle_extents::sizes(self.extents[lane % SIZE])
    }
}

fn quads(lanes: &[f32; SIZE]) -> [Vec4; SIZE / QUAD] {
    from_fn(|quad| Vec4::from_slice(&lanes[QUAD * quad..]))
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn of_lane(corners: [&Corner8; 3], lane: usize) -> [Vec3; 3] {
    // This does not use `map`, which is not inlined here.
    let corner = |[x, y, z]: &Corner8| Vec3::new(x[lane % SIZE], y[lane % SIZE], z[lane % SIZE]);
    let [a, b, c] = corners;
    [corner(a), corner(b), corner(c)]
}

/// Returns the corners of one triangle. The fourth lane is not used: a copy of the third takes the fewest instructions.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn of_lane_in_lanes<S: Simd>(simd: S, corners: [&Corner8; 3], lane: usize) -> [f32x4<S>; 3] {
    let lane = lane % SIZE;
    let corner = |[x, y, z]: &Corner8| f32x4::from_slice(simd, &[x[lane], y[lane], z[lane], z[lane]]);
    let [a, b, c] = corners;
    [corner(a), corner(b), corner(c)]
}

/// Values of the triangles of a block, by triangle: -e1 and e2, and their cross product. The tests use -s, for the vector s from the first
/// corner to the ray's origin, so that no sign needs to change in the determinants.
pub(crate) struct TriangleEdges8 {
    back: Axes<[f32; SIZE]>,
    e2: Axes<[f32; SIZE]>,
    normal: Axes<[f32; SIZE]>,
}

/// The determinants [e1 d e2], the numerators of u, v and t, and |s|_1; see docs/robustness.md.
struct Determinants8<S: Simd> {
    det: f32x8<S>,
    u: f32x8<S>,
    v: f32x8<S>,
    t: f32x8<S>,
    away: f32x8<S>,
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn sum<S: Simd>(s: &Axes<f32x8<S>>) -> f32x8<S> {
    s[0].abs() + s[1].abs() + s[2].abs()
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn stored<S: Simd>(v: &Axes<f32x8<S>>) -> Axes<[f32; SIZE]> {
    let mut stored = [[0.0; SIZE]; 3];
    for (stored, v) in stored.iter_mut().zip(v) {
        v.store_slice(stored);
    }
    stored
}

/// Returns the vector of one triangle, in all lanes.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn one_of<S: Simd>(simd: S, [x, y, z]: &Axes<[f32; SIZE]>, lane: usize) -> Axes<f32x8<S>> {
    splat(simd, [x[lane % SIZE], y[lane % SIZE], z[lane % SIZE], 0.0])
}

/// The origin and direction of a ray in the frame: the data that the test of triangles needs in addition to bounds on errors.
///
/// It is separate, so that only it is in memory for [`anew`], and not the whole framed ray.
#[derive(Clone, Copy)]
pub(crate) struct FramedLine {
    origin: [f32; 4],
    direction: [f32; 4],
}

impl FramedLine {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of(ray: &BvhRay) -> Self {
        Self { origin: ray.origin, direction: ray.direction }
    }
}

/// The result in f32 for the triangles of a block and a ray, or for a triangle and several rays.
#[derive(Clone, Copy)]
pub(crate) struct TestedTriangles<S: Simd> {
    /// The triangles or rays that may be a hit, a bit each.
    pub(crate) possible: u64,
    /// The triangles or rays that are certainly a hit, whether in range or not.
    certain: mask32x8<S>,
    signed_det: f32x8<S>,
    det: f32x8<S>,
    t: f32x8<S>,
    t_error: f32x8<S>,
    /// The product of the largest coordinates of two edges.
    product: f32x8<S>,
}

impl<S: Simd> TestedTriangles<S> {
    /// Does the same as [`Triangle8::test`] for triangles with these first corners and edges from there, and with these [sizes](triangle_extents::sizes).
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of_edges(
        simd: S,
        a: &Axes<f32x8<S>>,
        [e1, e2]: [&Axes<f32x8<S>>; 2],
        sizes: [f32x8<S>; 2],
        (line, errors): (&FramedLine, &ErrorBounds),
        limit: f32,
    ) -> Self {
        let line = anew(simd, line);
        let s = difference(&splat(simd, line.origin), a);
        let direction = splat(simd, line.direction);
        let p = cross(&direction, e2);
        let q = cross(&s, e1);
        let determinants =
            Determinants8 { det: dot(e1, &p), u: dot(&s, &p), v: dot(&direction, &q), t: dot(e2, &q), away: sum(&s) };
        Self::new(simd, &determinants, sizes, errors, f32x8::splat(simd, limit))
    }

    /// Does the same as [`of_edges`](Self::of_edges) from all corners.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn of_corners(
        simd: S,
        [a, b, c]: [&Axes<f32x8<S>>; 3],
        line: &FramedLine,
        errors: &ErrorBounds,
        limit: f32,
    ) -> Self {
        let (e1, e2) = (difference(b, a), difference(c, a));
        let longer =
            [e1[0].abs().larger(e2[0].abs()), e1[1].abs().larger(e2[1].abs()), e1[2].abs().larger(e2[2].abs())];
        let largest = longer[0].larger(longer[1]).larger(longer[2]);
        let reach = (largest * f32x8::splat(simd, ABOVE_LENGTH_ROUNDINGS)).larger(f32x8::splat(simd, LEAST_REACH));
        Self::of_edges(simd, a, [&e1, &e2], [reach, reach * reach], (line, errors), limit)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(
        simd: S,
        determinants: &Determinants8<S>,
        sizes: [f32x8<S>; 2],
        errors: &ErrorBounds,
        limit: f32x8<S>,
    ) -> Self {
        let &Determinants8 { det: signed_det, u, v, t, away } = determinants;
        let sign = signed_det.bitcast::<u32x8<S>>() & u32x8::splat(simd, 1 << 31);
        let signed = |x: f32x8<S>| (x.bitcast::<u32x8<S>>() ^ sign).bitcast::<f32x8<S>>();
        let (u, v, t) = (signed(u), signed(v), signed(t));
        let det = signed_det.abs();

        let [reach, product] = sizes;
        let part = |part: f32| f32x8::splat(simd, part);
        let edge_error = reach.mul_add(bound(simd, away, EDGE_ERROR[1], errors.edge), product * part(EDGE_ERROR[0]));
        let t_error = product * reach.mul_add(part(T_ERROR[0]), bound(simd, away, T_ERROR[1], errors.t));
        // The conditions are u, v >= 0 and u + v <= det, certainly or perhaps.
        let (least, sum) = (u.smaller(v), u + v);
        let in_range = t.simd_ge(-t_error) & t.simd_le(det.mul_add(limit, t_error));
        let possible = (least.simd_ge(-edge_error) & sum.simd_le(det + edge_error) & in_range).to_bitmask();
        let certain = least.simd_gt(edge_error) & sum.simd_lt(det - edge_error);
        Self { possible, certain, signed_det, det, t, t_error, product }
    }

    /// Returns the triangles or rays that are certainly a hit, whether in range or not, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn certain(&self) -> u64 {
        self.certain.to_bitmask()
    }

    /// Returns the triangles or rays that are certainly a hit between these distances, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn counts_between(&self, first: f32x8<S>, limit: f32x8<S>) -> u64 {
        let Self { certain, det, t, t_error, .. } = *self;
        let is_in_range = t.simd_ge(det.mul_add(first, t_error)) & t.simd_le(det.mul_sub(limit, t_error));
        (certain & is_in_range).to_bitmask()
    }

    /// Returns the triangles whose side is certain and is not culled, a bit each. The bits of other triangles have no meaning.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn kept(&self, simd: S, cull: Cull) -> u64 {
        let zero = f32x8::splat(simd, 0.0);
        match cull {
            Cull::None => u64::MAX,
            Cull::Back => self.signed_det.simd_gt(zero).to_bitmask(),
            Cull::Front => self.signed_det.simd_lt(zero).to_bitmask(),
        }
    }

    /// Returns the interval of distances in which each triangle that is certainly hit is hit. If the intervals of two triangles do not overlap, their
    /// reported ts differ.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn ends(&self, simd: S, errors: &ErrorBounds) -> [f32x8<S>; 2] {
        let error = self.product.mul_add(f32x8::splat(simd, errors.reported), self.t_error);
        [(self.t - error) / self.det, (self.t + error) / self.det]
    }

    /// Returns the triangles that the ray certainly hits within the range that it had at first, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn counts(&self, simd: S, ray: &BvhRay, limit_for_sure: f32) -> u64 {
        self.counts_between(f32x8::splat(simd, ray.first_for_sure), f32x8::splat(simd, limit_for_sure))
    }
}
