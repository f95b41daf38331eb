//! Properties of all vertices of a mesh, in one pass that compilers vectorize.

use crate::bvh::NormalizedSpace;
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, smaller};
use crate::parallel;
use core::array::from_fn;
use glam::Vec3;

/// The extremes of finite vertices.
pub(in crate::mesh) struct VertexStats {
    /// A box around all of them; empty if there are none.
    pub(in crate::mesh) bounds: Aabb,
    /// The smallest magnitude of a coordinate that is not 0; infinite if there is none.
    least: f32,
}

/// The number of vertices that are worth handing to another thread.
const GRAIN: usize = 16_384;
/// The number of vertices that are processed together, and of their coordinates.
const ROW: usize = 4;
const COORDINATES: usize = 3 * ROW;

impl VertexStats {
    const NONE: Self = Self { bounds: Aabb::EMPTY, least: f32::INFINITY };

    /// Returns the extremes of all positions; `None` if one is not finite.
    pub(in crate::mesh) fn of_all(positions: &[Vec3]) -> Option<Self> {
        Self::of_runs(&[positions])
    }

    /// Returns the extremes of all runs together.
    pub(in crate::mesh) fn of_runs(runs: &[&[Vec3]]) -> Option<Self> {
        parallel::reduce(runs, GRAIN, &Self::of_piece, &|all, own| Some(all?.union(&own?))).unwrap_or(Some(Self::NONE))
    }

    fn of_piece(positions: &[Vec3]) -> Option<Self> {
        let (rows, rest) = positions.as_chunks::<ROW>();
        let mut sums = Sums::EMPTY;
        for row in rows {
            sums.add(&from_fn(|i| row[i / 3][i % 3]));
        }
        for vertex in rest {
            sums.add(&from_fn(|i| vertex[i % 3]));
        }
        sums.extremes()
    }

    fn union(&self, other: &Self) -> Self {
        Self { bounds: self.bounds.union(&other.bounds), least: smaller(self.least, other.least) }
    }

    /// Returns whether every coordinate is exact in a frame in f32: only coordinates that underflow are not.
    pub(in crate::mesh) fn are_exact(&self, positions: &[Vec3], frame: &NormalizedSpace) -> bool {
        let is_exact = |x: f32| f64::from((f64::from(x) * frame.scale) as f32) == f64::from(x) * frame.scale;
        f64::from(self.least) * frame.scale >= f64::from(f32::MIN_POSITIVE)
            || positions.iter().all(|v| v.to_array().into_iter().all(is_exact))
    }
}

/// The extremes so far, for each coordinate of a row.
struct Sums {
    low: [f32; COORDINATES],
    high: [f32; COORDINATES],
    least: [f32; COORDINATES],
    /// 0, or NaN once a coordinate was not finite.
    nothing: [f32; COORDINATES],
}

impl Sums {
    const EMPTY: Self = Self {
        low: [f32::INFINITY; COORDINATES],
        high: [f32::NEG_INFINITY; COORDINATES],
        least: [f32::INFINITY; COORDINATES],
        nothing: [0.0; COORDINATES],
    };

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add(&mut self, row: &[f32; COORDINATES]) {
        for (i, &x) in row.iter().enumerate() {
            self.low[i] = smaller(x, self.low[i]);
            self.high[i] = larger(x, self.high[i]);
            let size = if x == 0.0 { f32::INFINITY } else { x.abs() };
            self.least[i] = smaller(size, self.least[i]);
            self.nothing[i] += x * 0.0;
        }
    }

    fn extremes(&self) -> Option<VertexStats> {
        if self.nothing.iter().any(|x| x.is_nan()) {
            return None;
        }
        Some((0..ROW).fold(VertexStats::NONE, |all, vertex| {
            let of = |row: &[f32; COORDINATES]| Vec3::from_slice(&row[3 * vertex..]);
            let bounds = Aabb { min: of(&self.low), max: of(&self.high) };
            let least = self.least[3 * vertex..][..3].iter().copied().fold(f32::INFINITY, smaller);
            all.union(&VertexStats { bounds, least })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn every_place_of_a_row_counts() {
        for count in [1, 2, 3, 4, 5, 7, 8, 9, 40_001] {
            for at in [0, count / 2, count - 1] {
                for axis in 0..3 {
                    let mut positions = vec![Vec3::new(1.0, 2.0, 3.0); count];
                    positions[at][axis] = -0.25;
                    let VertexStats { bounds, least } = VertexStats::of_all(&positions).unwrap();
                    assert_eq!(bounds, Aabb::from_points(positions.iter().copied()), "{count}, {at}, {axis}");
                    assert_eq!(least, 0.25);
                    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                        positions[at][axis] = wrong;
                        assert!(VertexStats::of_all(&positions).is_none(), "{count}, {at}, {axis}, {wrong}");
                    }
                }
            }
        }
        assert!(VertexStats::of_all(&[]).is_some_and(|none| none.bounds.is_empty()));
    }

    #[test]
    fn what_underflows_is_not_exact() {
        let exact = |positions: &[Vec3]| {
            let extremes = VertexStats::of_all(positions).unwrap();
            extremes.are_exact(positions, &NormalizedSpace::new(extremes.bounds))
        };
        assert!(exact(&[Vec3::new(1e30, 0.0, 1e-7), Vec3::new(-1e30, 3e-8, 1.0)]));
        assert!(!exact(&[Vec3::new(1e30, 1.0, 1.1e-12), Vec3::ZERO]));
        // The smaller coordinate becomes subnormal, but nothing is lost, because it is a power of two.
        assert!(exact(&[Vec3::new(1.0, f32::MIN_POSITIVE, 0.0), Vec3::ZERO]));
        assert!(exact(&[Vec3::splat(1e-42), Vec3::new(1e-45, 0.0, 0.0)]));
    }
}
