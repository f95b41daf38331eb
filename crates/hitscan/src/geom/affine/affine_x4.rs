//! Four transforms side by side, for placing very many things.

use super::{Inverse, OrdinaryInverse, OrdinaryTest, SLACK, invert_near_orthogonal};
use crate::geom::aabb::{Aabb, BoxImage, Extent, image};
use crate::geom::kdop::{self, KdopVector};
use crate::geom::tight_bounds::TightBounds;
use crate::math::scalar::{Scalar3, negated, product};
use crate::simd::{Simd, SimdBase, f64x4};
use glam::{DAffine3, DMat3, DVec3};

/// The number of transforms.
const COUNT: usize = 4;

/// Transforms and their inverses, with the bits that [`invert`](super::invert) gives.
pub(crate) struct AffineX4<S: Simd> {
    to_world: Columns<f64x4<S>>,
    to_local: Columns<f64x4<S>>,
    slack: f64x4<S>,
}

struct Columns<T> {
    linear: [Scalar3<T>; 3],
    translation: Scalar3<T>,
}

impl<S: Simd> AffineX4<S> {
    pub(crate) const COUNT: usize = COUNT;

    /// Returns `None` unless the linear part of each transform is close to a rotation with a scale of ordinary size.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(simd: S, transforms: [&DAffine3; COUNT]) -> Option<Self> {
        let linear = [
            vectors(simd, transforms, |transform| transform.matrix3.x_axis),
            vectors(simd, transforms, |transform| transform.matrix3.y_axis),
            vectors(simd, transforms, |transform| transform.matrix3.z_axis),
        ];
        let translation = vectors(simd, transforms, |transform| transform.translation);
        let OrdinaryInverse { columns, condition, trial } = invert_near_orthogonal(linear);
        let there = negated(product(columns, translation));
        for lane in 0..COUNT {
            let own = OrdinaryTest { squares: both(&trial.squares, lane), volumes: both(&trial.volumes, lane) };
            if !(own.is_passed() && vector(&there, lane).is_finite()) {
                return None;
            }
        }
        let to_local = Columns { linear: columns, translation: there };
        Some(Self { to_world: Columns { linear, translation }, to_local, slack: condition * SLACK })
    }

    /// Returns one of the inverses.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn inverse(&self, lane: usize) -> Inverse {
        let Columns { linear: [x, y, z], translation } = &self.to_local;
        let matrix3 = DMat3::from_cols(vector(x, lane), vector(y, lane), vector(z, lane));
        let transform = DAffine3 { matrix3, translation: vector(translation, lane) };
        Inverse { transform, slack: self.slack.as_slice()[lane] }
    }

    /// Returns the images of the contents of boxes, one box under each transform. None of the boxes is empty or
    /// infinite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn images(&self, simd: S, boxes: [&Aabb; COUNT], has_closer: bool) -> Images<S> {
        let ends = [vectors(simd, boxes, |aabb| aabb.min.as_dvec3()), vectors(simd, boxes, |aabb| aabb.max.as_dvec3())];
        let Columns { linear, translation } = &self.to_world;
        let of_boxes = image(ends, *linear, *translation, self.slack);
        Images { of_boxes, rows: if has_closer { Some(kdop::rows(*linear)) } else { None } }
    }
}

/// Images of boxes, and the data that tighter bounds need.
pub(crate) struct Images<S: Simd> {
    of_boxes: BoxImage<f64x4<S>>,
    rows: Option<[KdopVector<f64x4<S>>; 3]>,
}

impl<S: Simd> Images<S> {
    /// Returns a box around one of the images, given its transform and tighter bounds if they are known. This does not return an array of all boxes, which
    /// would be loaded with other widths than it was stored with.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn extent(&self, lane: usize, transform: &DAffine3, closer: Option<TightBounds<'_>>) -> Extent {
        let BoxImage { low, high, error } = &self.of_boxes;
        if let (Some(closer), Some([x, y, z])) = (closer, &self.rows) {
            let rows = || [x.lane(lane), y.lane(lane), z.lane(lane)];
            if let Some(extent) = closer.turned(rows, transform, error.as_slice()[lane]) {
                return extent;
            }
        }
        Extent { low: vector(low, lane), high: vector(high, lane) }
    }
}

/// Returns a vector of each of four values, in lanes.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn vectors<S: Simd, T>(simd: S, of: [&T; COUNT], vector: impl Fn(&T) -> DVec3) -> Scalar3<f64x4<S>> {
    let [a, b, c, d] = [vector(of[0]), vector(of[1]), vector(of[2]), vector(of[3])];
    [
        f64x4::from_slice(simd, &[a.x, b.x, c.x, d.x]),
        f64x4::from_slice(simd, &[a.y, b.y, c.y, d.y]),
        f64x4::from_slice(simd, &[a.z, b.z, c.z, d.z]),
    ]
}

// This uses no closures, because they might not be inlined, and would then not be compiled for the instruction set.

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn both<S: Simd>([a, b]: &[f64x4<S>; 2], lane: usize) -> [f64; 2] {
    [a.as_slice()[lane], b.as_slice()[lane]]
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn vector<S: Simd>([x, y, z]: &Scalar3<f64x4<S>>, lane: usize) -> DVec3 {
    DVec3::new(x.as_slice()[lane], y.as_slice()[lane], z.as_slice()[lane])
}
