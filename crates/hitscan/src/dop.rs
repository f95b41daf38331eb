//! Bounds along 26 directions, for what may be turned: a box around a box that is turned is half as wide again, and around most things too large.

use crate::aabb::{Aabb, Extent};
use crate::float::larger;
use crate::number::{Number, Three};
use crate::parallel;
use crate::simd::{Simd, SimdBase, f64x4};
use core::array::from_fn;
use glam::{DAffine3, DVec3, Vec3, Vec4};

/// How far something reaches along each direction whose components are -1, 0 or 1, not all of them 0: the largest product with any of its points.
///
/// It is a discrete oriented polytope (J. T. Klosowski et al., "Efficient Collision Detection Using Bounding Volume Hierarchies of k-DOPs", 1998).
#[derive(Clone, Debug)]
pub(crate) struct Dop {
    /// By three times three times the first component, three times the second and the third, each one more than it is.
    reach: [f64; PLACES],
}

/// There are 27; so no index is checked.
const PLACES: usize = 32;
/// Of no direction; those of opposite ones are as far from it.
const MIDDLE: usize = 13;
/// What a component of 1 adds to a place.
const STEPS: [f64; 3] = [9.0, 3.0, 1.0];

/// Points that are worth handing to another thread.
const GRAIN: usize = 8192;

impl Dop {
    /// Of finite points in a box around them, which is not empty.
    pub(crate) fn of_points(points: &[Vec3], bounds: &Aabb) -> Self {
        let mut dop = Self::of_box(bounds);
        let size = bounds.min.abs().max(bounds.max.abs()).max_element();
        // Sums of three of them are finite.
        if size < f32::MAX / 4.0 {
            // Two roundings, of sums of at most two and of three sizes.
            let error = f64::from(size) * f64::from(4.0 * f32::EPSILON);
            let Slanting { low, high } = Slanting::of(points);
            for (lane, [x, y, z]) in SLANTING.into_iter().enumerate() {
                let step = 9 * x + 3 * y + z;
                dop.reach[MIDDLE.wrapping_add_signed(step)] = error + f64::from(high[lane / 4][lane % 4]);
                dop.reach[MIDDLE.wrapping_add_signed(-step)] = error - f64::from(low[lane / 4][lane % 4]);
            }
        }
        dop
    }

    /// Of a box that is not empty.
    pub(crate) fn of_box(bounds: &Aabb) -> Self {
        let ends = [-bounds.min.as_dvec3(), DVec3::ZERO, bounds.max.as_dvec3()];
        let reach = |place: usize| ends[place / 9].x + ends[place / 3 % 3].y + ends[place % 3].z;
        Self { reach: from_fn(|place| if place <= 2 * MIDDLE { reach(place) } else { 0.0 }) }
    }

    /// Around some boxes of a box, in units of which there are so many in one.
    pub(crate) fn of_boxes(boxes: impl Iterator<Item = Aabb>, unit: f64) -> Option<Self> {
        let all = boxes.map(|own| Self::of_box(&own).reach).reduce(|a, b| from_fn(|place| larger(a[place], b[place])))?;
        Some(Self { reach: all.map(|reach| reach * unit) })
    }

    /// A box around the image of what is in these bounds; see [`Aabb::image`].
    #[inline(always)]
    pub(crate) fn image(&self, bounds: &Aabb, transform: &DAffine3, slack: f64) -> Extent {
        let rows = rows(transform.matrix3.to_cols_array_2d());
        self.turned(rows, transform.translation, bounds.finite_image(transform, slack).error)
    }

    /// A box around the image under a linear transform with these rows, and a translation, that is off by no more than an error.
    ///
    /// A row is a sum of directions, so nothing reaches farther along it than so many times as along each of them. Of a box that is the row's product
    /// with the box's half, so it is never more than the image of a box around all.
    #[inline(always)]
    pub(crate) fn turned(&self, [x, y, z]: [Sum<f64>; 3], translation: DVec3, error: f64) -> Extent {
        let [x, y, z] = [self.along(x), self.along(y), self.along(z)];
        let against = DVec3::new(x[0], y[0], z[0]) + error;
        let along = DVec3::new(x[1], y[1], z[1]) + error;
        Extent { low: translation - against, high: translation + along }
    }

    /// How far it reaches against a sum of directions, and along it.
    #[inline(always)]
    fn along(&self, Sum { sizes: [a, b, c], places }: Sum<f64>) -> [f64; 2] {
        let [one, two, three] = [counted(places[0]), counted(places[1]), counted(places[2])];
        let reach = |place: usize| self.reach[place % PLACES];
        let opposite = |place: usize| self.reach[(2 * MIDDLE).wrapping_sub(place) % PLACES];
        [
            a * opposite(one) + b * opposite(two) + c * opposite(three),
            a * reach(one) + b * reach(two) + c * reach(three),
        ]
    }
}

/// A vector as a sum of directions: one along its largest component, one along its two largest, and one along all three.
#[derive(Clone, Copy)]
pub(crate) struct Sum<T> {
    /// How often each.
    sizes: [T; 3],
    /// The place of each, [`COUNTED`].
    places: [T; 3],
}

/// Added to a whole number, it makes that the last bits.
const COUNTED: f64 = (1u64 << 52) as f64;

#[inline(always)]
fn counted(number: f64) -> usize {
    number.to_bits() as usize
}

/// Each row of a matrix of these columns.
#[inline(always)]
pub(crate) fn rows<T: Number>([x, y, z]: [Three<T>; 3]) -> [Sum<T>; 3] {
    [Sum::of([x[0], y[0], z[0]]), Sum::of([x[1], y[1], z[1]]), Sum::of([x[2], y[2], z[2]])]
}

impl<S: Simd> Sum<f64x4<S>> {
    /// One of them.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Sum<f64> {
        let of = |[a, b, c]: &Three<f64x4<S>>| [a.as_slice()[lane], b.as_slice()[lane], c.as_slice()[lane]];
        Sum { sizes: of(&self.sizes), places: of(&self.places) }
    }
}

impl<T: Number> Sum<T> {
    #[inline(always)]
    fn of([x, y, z]: Three<T>) -> Self {
        let steps = [x.signed(STEPS[0]), y.signed(STEPS[1]), z.signed(STEPS[2])];
        let [x, y, z] = [x.abs(), y.abs(), z.abs()];
        let (more, more_step) = (x.larger(y), x.if_larger(y, steps[0], steps[1]));
        let (less, less_step) = (x.smaller(y), x.if_larger(y, steps[1], steps[0]));
        let (most, most_step) = (more.larger(z), more.if_larger(z, more_step, steps[2]));
        let (other, other_step) = (more.smaller(z), more.if_larger(z, steps[2], more_step));
        let (middle, least) = (less.larger(other), less.smaller(other));
        let least_step = less.if_larger(other, other_step, less_step);
        let all = (steps[0] + steps[1] + steps[2]) + (MIDDLE as f64 + COUNTED);
        Self {
            sizes: [most + -middle, middle + -least, least],
            places: [most_step + (MIDDLE as f64 + COUNTED), all + -least_step, all],
        }
    }
}

/// How far points reach along ten of the directions and against them.
#[derive(Clone, Copy)]
struct Slanting {
    low: [Vec4; ROWS],
    high: [Vec4; ROWS],
}

/// The directions of its lanes.
const SLANTING: [[isize; 3]; 10] = [
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];
const ROWS: usize = SLANTING.len().div_ceil(4);

impl Slanting {
    fn of(points: &[Vec3]) -> Self {
        if points.len() > GRAIN {
            let (left, right) = points.split_at(points.len() / 2);
            let (left, right) = parallel::join(|| Self::of(left), || Self::of(right));
            return left.union(&right);
        }
        let nothing = Self { low: [Vec4::INFINITY; ROWS], high: [Vec4::NEG_INFINITY; ROWS] };
        points.iter().fold(nothing, |all, &point| all.with(point))
    }

    #[inline(always)]
    fn with(self, Vec3 { x, y, z }: Vec3) -> Self {
        let (sum, difference) = (x + y, x - y);
        let row = [
            Vec4::splat(x) + Vec4::new(y, -y, z, -z),
            Vec4::new(y, y, sum, sum) + Vec4::new(z, -z, z, -z),
            Vec4::splat(difference) + Vec4::new(z, -z, z, -z),
        ];
        self.union(&Self { low: row, high: row })
    }

    #[inline(always)]
    fn union(&self, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.low, other.low);
        let ([g, h, i], [j, k, l]) = (self.high, other.high);
        Self { low: [a.min(d), b.min(e), c.min(f)], high: [g.max(j), h.max(k), i.max(l)] }
    }
}
