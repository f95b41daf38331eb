//! The nearest points of an ellipse and an ellipsoid around the origin with axes along the coordinate axes (D. Eberly,
//! "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid").
//!
//! With semi-axes e_i, a nearest point x of a place y has x_i = e_i^2 y_i / (t + e_i^2) for some t. Let e be the least semi-axis, r_i = (e_i / e)^2, n_i = e_i
//! y_i / e^2 and w = 1 + t / e^2. Then w is a root of the sum of all (n_i / (w + r_i - 1))^2, minus 1. The root above 0 belongs to the nearest point, and w < 1
//! means that the place is inside. The offset x - y is (1 - w) y_i / (w + r_i - 1), a formula without cancellation near the surface.

use crate::math::float::{larger, sqrt};

/// The maximum number of Newton steps. They converge from one side, quadratically unless two roots almost coincide;
/// then each step halves the distance.
const MOST_NEWTON_STEPS: usize = 64;
/// The fraction of the semi-axis below which coordinates count as zero: moving the place by this much changes no answer
/// in f64.
const LEAST_PART: f64 = 1e-150;
/// Semi-axes below this fraction of the size are enlarged to this fraction. That moves the surface by less than any rounding, and keeps squares of ratios from
/// overflowing.
const LEAST_THICKNESS: f64 = 1e-75;

/// The semi-axes, the longest first; the last is above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadric<const N: usize>(pub(super) [f64; N]);

/// A point of the surface at which the offset from a place is along the normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuadricFoot<const N: usize> {
    /// An outward normal, of any length.
    pub(super) normal: [f64; N],
    /// The vector from the place to the point.
    pub(super) offset: [f64; N],
    /// The coordinates divided by the semi-axes: a point of the unit sphere.
    pub(super) on_sphere: [f64; N],
    /// Tells whether the place is in the interior.
    pub(super) is_inside: bool,
}

/// The secular function, whose roots are searched.
struct Secular<const N: usize> {
    n: [f64; N],
    /// The squares of the ratios of the semi-axes to the least one, minus 1.
    excess: [f64; N],
}

impl<const N: usize> Secular<N> {
    /// Returns the sum of the squares of n_i / (w + r_i - 1), and the sum of these squares each divided by w + r_i - 1.
    fn sums(&self, w: f64) -> (f64, f64) {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (&n, &excess) in self.n.iter().zip(&self.excess) {
            if n != 0.0 {
                let part = n / (w + excess);
                sum += part * part;
                slope += part * part / (w + excess);
            }
        }
        (sum, slope)
    }

    /// Returns the root above 0, or 0 itself if the sum is below 1 there.
    fn root(&self) -> f64 {
        let parts = self.n.iter().zip(&self.excess);
        let mut w = parts.map(|(n, excess)| n - excess).fold(0.0, f64::max);
        for _ in 0..MOST_NEWTON_STEPS {
            let (sum, slope) = self.sums(w);
            let size = sqrt(sum);
            // This is Newton's step for 1 / size - 1, which is concave and increasing: it never passes the root from
            // below.
            let next = w + (size - 1.0) * sum / slope;
            if !(next > w) {
                break;
            }
            w = next;
        }
        w
    }

    /// Returns the largest root below 0 and above the next pole, if the function rises there.
    fn lower_root(&self) -> Option<f64> {
        let (last, pole) = (N - 1, -self.excess[N - 2]);
        let mut w = -self.n[last];
        if !(w < 0.0) {
            return None;
        }
        for _ in 0..MOST_NEWTON_STEPS {
            let (sum, slope) = self.sums(w);
            if !(slope < 0.0 && w > pole) {
                return None;
            }
            let next = w + 0.5 * (sum - 1.0) / slope;
            if !(next < w) {
                return Some(w);
            }
            w = next;
        }
        (w > pole).then_some(w)
    }
}

/// Returns semi-axes, none of which is below [`LEAST_THICKNESS`] of a size.
pub(super) fn thickened<const N: usize>(semi: [f64; N], size: f64) -> [f64; N] {
    semi.map(|axis| larger(axis, LEAST_THICKNESS * size))
}

impl<const N: usize> Quadric<N> {
    /// Returns the ellipsoid for queries from a place: no semi-axis is so short, relative to the place, that ratios overflow.
    fn seen_from(&self, place: [f64; N]) -> Self {
        Self(thickened(self.0, place.into_iter().fold(self.0[0], |size, x| larger(size, x.abs()))))
    }

    fn secular(&self, place: [f64; N]) -> Secular<N> {
        let least = self.0[N - 1];
        let part = |i: usize| Some(place[i].abs()).filter(|y| *y > LEAST_PART * self.0[i]).unwrap_or(0.0);
        Secular {
            n: core::array::from_fn(|i| (self.0[i] / least) * (part(i) / least)),
            // Equal semi-axes may be in the wrong order by a rounding.
            excess: core::array::from_fn(|i| ((self.0[i] - least) / least * ((self.0[i] + least) / least)).max(0.0)),
        }
    }

    fn foot(&self, place: [f64; N], secular: &Secular<N>, w: f64) -> QuadricFoot<N> {
        let least = self.0[N - 1];
        let mut normal: [f64; N] =
            core::array::from_fn(|i| if secular.n[i] == 0.0 { 0.0 } else { place[i] / (w + secular.excess[i]) });
        if w == 0.0 {
            // The place is in the plane perpendicular to the shortest axis, and two mirror images on both sides of this plane are nearest.
            let (sum, _) = secular.sums(0.0);
            normal[N - 1] = least * sqrt((1.0 - sum).max(0.0));
        }
        QuadricFoot {
            normal,
            offset: normal.map(|x| (1.0 - w) * x),
            on_sphere: core::array::from_fn(|i| normal[i] / least * (self.0[i] / least)),
            is_inside: w < 1.0,
        }
    }

    /// Returns the nearest point to a place. If two mirror images are equally near, it is the one with the positive
    /// coordinate.
    pub(super) fn nearest(&self, place: [f64; N]) -> QuadricFoot<N> {
        let seen = self.seen_from(place);
        let secular = seen.secular(place);
        seen.foot(place, &secular, secular.root())
    }

    /// Returns the local minimum of the distance other than the nearest point, of which there is at most one (J. M.
    /// Martínez, "Local Minimizers of Quadratic Functions on Euclidean Balls and Spheres", 1994). If the nearest points
    /// are mirror images, it is the second of them.
    pub(super) fn second(&self, place: [f64; N]) -> Option<QuadricFoot<N>> {
        let seen = self.seen_from(place);
        let secular = seen.secular(place);
        if let Some(w) = secular.lower_root() {
            return Some(seen.foot(place, &secular, w));
        }
        let nearest = seen.foot(place, &secular, secular.root());
        let mirrored = |mut v: [f64; N]| {
            v[N - 1] = -v[N - 1];
            v
        };
        (secular.n[N - 1] == 0.0 && nearest.normal[N - 1] > 0.0).then(|| QuadricFoot {
            normal: mirrored(nearest.normal),
            offset: mirrored(nearest.offset),
            on_sphere: mirrored(nearest.on_sphere),
            ..nearest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_at_simple_places() {
        let ellipsoid = Quadric([4.0, 2.0, 1.0]);
        assert_eq!(ellipsoid.nearest([0.0; 3]).offset, [0.0, 0.0, 1.0]);
        assert_eq!(ellipsoid.nearest([0.0, 0.0, 0.25]).offset, [0.0, 0.0, 0.75]);
        assert_eq!(ellipsoid.nearest([6.0, 0.0, 0.0]).offset, [-2.0, 0.0, 0.0]);
        assert_eq!(ellipsoid.nearest([0.0, -2.0, 0.0]).offset, [0.0; 3]);
        assert!(!ellipsoid.nearest([4.0, 0.0, 0.0]).is_inside);
        assert_eq!(Quadric([3.0, 3.0, 3.0]).nearest([0.0, 0.0, -1.0]).offset, [0.0, 0.0, -2.0]);
    }

    /// The test uses discs about as flat as f64 allows, and places so far away that ratios exceed f64.
    #[test]
    fn nearest_points_of_what_is_flat_beyond_squares() {
        for flat in [1e-100, 1e-150, 1e-300] {
            for far in [1e-20, 1.0, 1e38, 1e69] {
                let foot = Quadric([2.0, 1.0, flat]).nearest([0.0, 0.5, far]);
                assert!(foot.offset.iter().all(|x| x.is_finite()), "{flat} {far}: {foot:?}");
                assert!((foot.offset[2] + far).abs() <= 1e-15 * far && !foot.is_inside, "{flat} {far}: {foot:?}");
            }
            let second = Quadric([1.0, flat]).second([1e-9, 0.0]).unwrap();
            assert!(second.offset.iter().all(|x| x.is_finite()));
        }
    }

    #[test]
    fn second_points_are_on_the_other_side() {
        let ellipse = Quadric([2.0, 1.0]);
        assert_eq!(ellipse.second([0.0, 0.0]).unwrap().offset, [0.0, -1.0]);
        let second = ellipse.second([0.1, 0.01]).unwrap();
        assert!(second.offset[1] < -0.9 && (second.on_sphere[0].hypot(second.on_sphere[1]) - 1.0).abs() < 1e-14);
        // A place beyond the ellipse's evolute has only the nearest point.
        assert!(ellipse.second([0.1, 0.9]).is_some());
        assert!(ellipse.second([1.9, 0.3]).is_none());
    }
}
