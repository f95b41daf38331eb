//! Bounds along 26 directions, for parts that may be rotated. A box around a rotated box is wider by half, and too
//! large for most geometry.

use super::aabb::{Aabb, Extent};
use crate::math::scalar::{Scalar, Scalar3};
use crate::parallel;
use crate::simd::{Simd, SimdBase, f64x4};
use core::array::from_fn;
use glam::{DVec3, Vec3, Vec4};

/// The support distances of a set of points along some directions. The components of the directions are -1, 0 or 1, and
/// not all of them are 0.
///
/// It is a discrete oriented polytope (J. T. Klosowski et al., "Efficient Collision Detection Using Bounding Volume Hierarchies of k-DOPs", 1998).
#[derive(Clone, Debug)]
pub(crate) struct Kdop {
    /// The support distances against a direction and along it. The index of the direction (x, y, z) is 9 (x + 1) + 3 (y + 1) + (z + 1).
    reach: [Both; PLACES],
}

/// The support distances against a direction, and along it.
type Both = [f64; 2];

/// 27 places are used; with 32, no index needs a bounds check.
const PLACES: usize = 32;
/// The index of the zero direction; opposite directions are equally far from it.
const MIDDLE: usize = 13;
/// The amount that a component of 1 adds to an index.
const STEPS: [f64; 3] = [9.0, 3.0, 1.0];

/// The number of points that are worth handing to another thread.
const GRAIN: usize = 16_384;

impl Kdop {
    /// Returns the bounds of finite points, given in runs, and a box around them that is not empty.
    pub(crate) fn of_points(runs: &[&[Vec3]], bounds: &Aabb) -> Self {
        let mut dop = Self::of_box(bounds);
        let size = bounds.min.abs().max(bounds.max.abs()).max_element();
        // The sums of three coordinates are finite.
        if size < f32::MAX / 4.0 {
            // There are two roundings. One is of a sum of at most two sizes, and the other of a sum of at most three.
            let error = f64::from(size) * f64::from(4.0 * f32::EPSILON);
            let slanting = parallel::reduce(runs, GRAIN, &SlantedSlabs::around, &|all, run| all.union(&run));
            let SlantedSlabs { low, high } = slanting.unwrap_or(SlantedSlabs::NOTHING);
            for (lane, [x, y, z]) in SLANTING.into_iter().enumerate() {
                let step = 9 * x + 3 * y + z;
                let [low, high] = [low, high].map(|ends| f64::from(ends[lane / 4][lane % 4]));
                let [against, along] = [error - low, error + high];
                dop.reach[MIDDLE.wrapping_add_signed(step)] = [against, along];
                dop.reach[MIDDLE.wrapping_add_signed(-step)] = [along, against];
            }
        }
        dop
    }

    /// Returns the bounds of a box that is not empty.
    pub(crate) fn of_box(bounds: &Aabb) -> Self {
        let ends = [-bounds.min.as_dvec3(), DVec3::ZERO, bounds.max.as_dvec3()];
        let reach = |place: usize| ends[place / 9].x + ends[place / 3 % 3].y + ends[place % 3].z;
        let both = |place: usize| [reach(2 * MIDDLE - place), reach(place)];
        Self { reach: from_fn(|place| if place <= 2 * MIDDLE { both(place) } else { [0.0; 2] }) }
    }

    /// Returns a box around the image of the points under a linear transform with these rows, and a translation. No
    /// image may be off by more than `error`.
    ///
    /// A row is a sum of multiples of directions. So no point extends farther along it than the same sum of the extents
    /// along these directions. For a box, that is the row's product with the box's half size. So it is never more than
    /// the image of a box around all points.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn turned(&self, [x, y, z]: [KdopVector<f64>; 3], translation: DVec3, error: f64) -> Extent {
        let [x, y, z] = [self.along(x), self.along(y), self.along(z)];
        let against = DVec3::new(x[0], y[0], z[0]) + error;
        let along = DVec3::new(x[1], y[1], z[1]) + error;
        Extent { low: translation - against, high: translation + along }
    }

    /// Returns the support distances at an index, to which [`COUNTED`] was added.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn at(&self, place: f64) -> Both {
        self.reach[place.to_bits() as usize % PLACES]
    }

    /// Returns bounds of the support distances against a vector, and along it, given the vector as a sum of directions.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn along(&self, KdopVector { sizes: [a, b, c], places }: KdopVector<f64>) -> Both {
        let [one, two, three] = [self.at(places[0]), self.at(places[1]), self.at(places[2])];
        [a * one[0] + b * two[0] + c * three[0], a * one[1] + b * two[1] + c * three[1]]
    }
}

/// A vector as a sum of directions. One is along its largest component, one along its two largest, and one along all
/// three.
#[derive(Clone, Copy)]
pub(crate) struct KdopVector<T> {
    /// The factor of each direction.
    sizes: [T; 3],
    /// The index of each direction, plus [`COUNTED`].
    places: [T; 3],
}

/// Adding this to an integer puts the integer into the last bits of the sum.
const COUNTED: f64 = (1u64 << 52) as f64;

/// Returns each row of a matrix that has these columns.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn rows<T: Scalar>([x, y, z]: [Scalar3<T>; 3]) -> [KdopVector<T>; 3] {
    [
        KdopVector::from_components([x[0], y[0], z[0]]),
        KdopVector::from_components([x[1], y[1], z[1]]),
        KdopVector::from_components([x[2], y[2], z[2]]),
    ]
}

impl<S: Simd> KdopVector<f64x4<S>> {
    /// Returns the vector in one lane.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn lane(&self, lane: usize) -> KdopVector<f64> {
        let ([a, b, c], [one, two, three]) = (&self.sizes, &self.places);
        KdopVector {
            sizes: [a.as_slice()[lane], b.as_slice()[lane], c.as_slice()[lane]],
            places: [one.as_slice()[lane], two.as_slice()[lane], three.as_slice()[lane]],
        }
    }
}

impl<T: Scalar> KdopVector<T> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from_components([x, y, z]: Scalar3<T>) -> Self {
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

/// The support distances of points along ten of the directions, and against them.
#[derive(Clone, Copy)]
struct SlantedSlabs {
    low: [Vec4; ROWS],
    high: [Vec4; ROWS],
}

/// The directions of the lanes of [`SlantedSlabs`].
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

impl SlantedSlabs {
    const NOTHING: Self = Self { low: [Vec4::INFINITY; ROWS], high: [Vec4::NEG_INFINITY; ROWS] };

    fn around(points: &[Vec3]) -> Self {
        points.iter().fold(Self::NOTHING, |all, &point| all.with(point))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn with(self, Vec3 { x, y, z }: Vec3) -> Self {
        let (sum, difference) = (x + y, x - y);
        let row = [
            Vec4::splat(x) + Vec4::new(y, -y, z, -z),
            Vec4::new(y, y, sum, sum) + Vec4::new(z, -z, z, -z),
            Vec4::splat(difference) + Vec4::new(z, -z, z, -z),
        ];
        self.union(&Self { low: row, high: row })
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn union(&self, other: &Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.low, other.low);
        let ([g, h, i], [j, k, l]) = (self.high, other.high);
        Self { low: [a.min(d), b.min(e), c.min(f)], high: [g.max(j), h.max(k), i.max(l)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::tight_bounds::TightBounds;
    use alloc::vec::Vec;
    use glam::{DAffine3, DMat3};
    use proptest::prelude::*;

    fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
        [-reach..=reach, -reach..=reach, -reach..=reach].prop_map(Vec3::from_array)
    }

    fn transform() -> impl Strategy<Value = DAffine3> {
        let vector = || vector(1.0).prop_map(|v| v.as_dvec3());
        // The matrix turns, shears, mirrors, or keeps the axes.
        let matrix = [vector(), vector(), vector()].prop_map(|[x, y, z]| DMat3::from_cols(x, y, z));
        let straight = vector().prop_map(DMat3::from_diagonal);
        (prop_oneof![matrix, straight], vector(), -30i32..30)
            .prop_map(|(matrix3, at, power)| DAffine3 { matrix3, translation: at } * scale(power))
    }

    fn of_points(points: &[Vec3], bounds: &Aabb) -> Kdop {
        Kdop::of_points(&[points], bounds)
    }

    fn image(dop: &Kdop, bounds: &Aabb, transform: &DAffine3) -> Extent {
        TightBounds::Dop(dop).image(bounds, transform, 0.0)
    }

    fn scale(power: i32) -> DAffine3 {
        DAffine3::from_scale(DVec3::splat(libm::exp2(power.into())))
    }

    /// Returns whether all images are in the box. The test is in f64, and its error is at most half of the widening of
    /// the box.
    fn holds(extent: Extent, points: &[Vec3], transform: &DAffine3) -> bool {
        let images = points.iter().map(|point| transform.transform_point3(point.as_dvec3()));
        images.fold(true, |all, image| all && extent.low.cmple(image).all() && image.cmple(extent.high).all())
    }

    proptest! {
        #[test]
        fn images_are_in_it(
            points in prop::collection::vec(vector(1.0), 1..60),
            (at, power) in (vector(100.0), -90i32..90),
            transform in transform(),
        ) {
            let size = libm::exp2f(power as f32);
            let points: Vec<Vec3> = points.iter().map(|&point| (point + at) * size).collect();
            let bounds = Aabb::from_points(points.iter().copied());
            let extent = image(&of_points(&points, &bounds), &bounds, &transform);
            prop_assert!(holds(extent, &points, &transform));
            // Sums of three numbers are rounded, in proportion to the sum of their magnitudes.
            let of_box = bounds.image(&transform, 0.0);
            let room = 4.0 * f64::from(f32::EPSILON) * f64::from(101.0 * size) * largest(&transform);
            let room = room + 8.0 * f64::EPSILON * transform.translation.abs().max_element();
            prop_assert!(extent.low.cmpge(of_box.low - room).all() && extent.high.cmple(of_box.high + room).all());
        }
    }

    /// The sum of all magnitudes of the linear part.
    fn largest(transform: &DAffine3) -> f64 {
        transform.matrix3.to_cols_array().map(f64::abs).iter().sum()
    }

    #[test]
    fn a_ball_that_is_turned_stays_a_ball() {
        let turns = (0..100).map(f64::from).map(|i| DVec3::new(libm::sin(i), libm::cos(1.7 * i), libm::sin(2.9 * i)));
        let points: Vec<Vec3> = turns.clone().map(|v| v.normalize().as_vec3()).collect();
        let points: Vec<Vec3> = points.iter().flat_map(|&p| [p, -p]).collect();
        let bounds = Aabb::from_points(points.iter().copied());
        let dop = of_points(&points, &bounds);
        for axis in turns {
            let turn = DAffine3::from_axis_angle(axis.normalize(), 1.0);
            let Extent { low, high } = image(&dop, &bounds, &turn);
            assert!((high - low).max_element() < 2.26, "{axis}: {low} {high}");
        }
    }

    #[test]
    fn the_largest_numbers_are_no_more_than_a_box() {
        let points = [Vec3::splat(f32::MAX), Vec3::splat(f32::MIN)];
        let bounds = Aabb::from_points(points);
        let dop = of_points(&points, &bounds);
        let turn = DAffine3::from_rotation_x(0.5);
        assert!(holds(image(&dop, &bounds, &turn), &points, &turn));
    }
}
