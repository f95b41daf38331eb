//! The support points of a hull with many corners: a walk along its edges.

use super::edges::HullEdge;
use crate::math::float::{UNIT_ROUNDOFF, larger};
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// A hull with fewer corners has no [`CornerGraph`]. There a scan of all corners takes fewer instructions than a walk.
const FEWEST: usize = 32;

/// The number of cells along an edge of the cube of directions.
const CELLS: usize = 4;

/// The edges of a hull at each corner, and corners to start from.
///
/// A corner of a polytope is farthest along a direction if no edge leads farther from it (as in the simplex method). Each comparison of two corners is decided
/// by a bound on its rounding error. Where one is not decided, because two corners are about equally far, there is no answer, and the caller compares all
/// corners.
#[derive(Debug)]
pub(super) struct CornerGraph {
    /// The start of each corner's neighbours, and at the end their number.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// A corner that is far along the middle direction of each cell of the cube of directions.
    far: Vec<u32>,
    /// The largest magnitude of a coordinate.
    size: f64,
}

impl CornerGraph {
    /// Returns the graph of a hull; `None` for a hull with few corners.
    pub(super) fn new(corners: &[Vec3], edges: &[HullEdge]) -> Option<Self> {
        if corners.len() < FEWEST {
            return None;
        }
        let mut starts = alloc::vec![0u32; corners.len() + 1];
        for corner in edges.iter().flat_map(|edge| edge.corners) {
            starts[corner as usize + 1] += 1;
        }
        for corner in 0..corners.len() {
            starts[corner + 1] += starts[corner];
        }
        let (mut ends, mut neighbours) = (starts.clone(), alloc::vec![0; 2 * edges.len()]);
        for &HullEdge { corners: [a, b], .. } in edges {
            for (from, to) in [(a, b), (b, a)] {
                neighbours[ends[from as usize] as usize] = to;
                ends[from as usize] += 1;
            }
        }
        let size = corners.iter().fold(0.0, |size: f32, corner| larger(corner.abs().max_element(), size)).into();
        let mut graph = Self { starts, neighbours, far: Vec::new(), size };
        let mut far = 0;
        for cell in 0..6 * CELLS * CELLS {
            let direction = middle_of(cell);
            far = graph.walk(corners, direction, far).unwrap_or_else(|| farthest_of_all(corners, direction));
            graph.far.push(far);
        }
        Some(graph)
    }

    /// Returns the number of the only corner that is farthest along a direction; `None` if rounding leaves a doubt.
    pub(super) fn farthest(&self, corners: &[Vec3], direction: DVec3) -> Option<u32> {
        self.walk(corners, direction, *self.far.get(cell_of(direction)?)?)
    }

    /// Walks from a corner along the edges, each time to the neighbour that is farthest. Each step goes strictly farther, so the walk ends.
    fn walk(&self, corners: &[Vec3], direction: DVec3, from: u32) -> Option<u32> {
        // A difference of heights is a sum of three products of differences, each with a few roundings.
        let doubt = 16.0 * UNIT_ROUNDOFF * self.size * direction.abs().element_sum() + f64::MIN_POSITIVE;
        let mut at = from;
        loop {
            let place = corners[at as usize].as_dvec3();
            let (mut highest, mut next) = (f64::NEG_INFINITY, at);
            let mut is_sure = true;
            let neighbours = self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize;
            for &neighbour in &self.neighbours[neighbours] {
                let height = (corners[neighbour as usize].as_dvec3() - place).dot(direction);
                is_sure &= height < -doubt || height > doubt;
                if height > highest {
                    (highest, next) = (height, neighbour);
                }
            }
            if highest > doubt {
                at = next;
            } else {
                return is_sure.then_some(at);
            }
        }
    }
}

/// Returns the number of the first corner that is farthest along a direction.
#[inline]
pub(super) fn farthest_of_all(corners: &[Vec3], direction: DVec3) -> u32 {
    let mut best = (f64::NEG_INFINITY, 0);
    for (number, corner) in (0..).zip(corners) {
        let height = corner.as_dvec3().dot(direction);
        if height > best.0 {
            best = (height, number);
        }
    }
    best.1
}

/// Returns the number of the cell of the cube of directions in which a direction is; `None` if it has no finite direction.
fn cell_of(direction: DVec3) -> Option<usize> {
    let axis = direction.abs().max_position();
    let along = direction[axis];
    let across = [direction[(axis + 1) % 3], direction[(axis + 2) % 3]].map(|component| component / along.abs());
    if !across.iter().all(|component| component.abs() <= 1.0) {
        return None;
    }
    let [u, v] = across.map(|component| (((component + 1.0) * (CELLS as f64 / 2.0)) as usize).min(CELLS - 1));
    Some(((2 * axis + usize::from(along < 0.0)) * CELLS + u) * CELLS + v)
}

/// Returns the direction through the middle of a cell.
fn middle_of(cell: usize) -> DVec3 {
    let (side, u, v) = (cell / (CELLS * CELLS), cell / CELLS % CELLS, cell % CELLS);
    let across = |index: usize| (2 * index + 1) as f64 / CELLS as f64 - 1.0;
    let axis = side / 2;
    let mut direction = DVec3::ZERO;
    direction[axis] = if side % 2 == 1 { -1.0 } else { 1.0 };
    direction[(axis + 1) % 3] = across(u);
    direction[(axis + 2) % 3] = across(v);
    direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::ConvexHull;
    use crate::math::random::Random;

    /// Compares the answers with the exact heights of all corners: coordinates are multiples of 2^-8 and directions of 2^-20, so that f64 is exact.
    fn check(corners: &[Vec3], random: &mut Random, least_sure: f64) {
        let hull = ConvexHull::new(corners).unwrap();
        let graph = CornerGraph::new(hull.vertices(), hull.edges()).unwrap();
        let (mut sure, count) = (0, 2000);
        for number in 0..count {
            let grid = if number % 8 == 0 { 1.0 } else { (1 << 20) as f64 };
            let direction = (random.cube() * grid).round() / grid;
            let Some(found) = graph.farthest(hull.vertices(), direction) else { continue };
            sure += 1;
            let height = |corner: &Vec3| corner.as_dvec3().dot(direction);
            let farthest = hull.vertices()[found as usize];
            let is_lower = |corner: &Vec3| *corner == farthest || height(corner) < height(&farthest);
            assert!(hull.vertices().iter().all(is_lower), "{direction}, {farthest}");
            assert_eq!(farthest_of_all(hull.vertices(), direction), found);
        }
        assert!(f64::from(sure) >= least_sure * f64::from(count), "only {sure} of {count}");
    }

    fn on_grid(v: DVec3) -> Vec3 {
        ((v * 256.0).round() / 256.0).as_vec3()
    }

    #[test]
    fn the_corner_is_the_farthest_of_all() {
        let mut random = Random(71);
        for size in [40, 200, 2000] {
            let ball: Vec<Vec3> =
                (0..size).map(|_| on_grid(random.cube().normalize_or_zero() * 64.0 + DVec3::splat(32.0))).collect();
            check(&ball, &mut random, 0.8);
            // Far from the origin.
            let far: Vec<Vec3> = ball.iter().map(|corner| *corner + Vec3::new(4096.0, -8192.0, 0.0)).collect();
            check(&far, &mut random, 0.8);
        }
        // A prism has two faces with many corners, and a spindle many corners that are near each other.
        let ring = |count: usize, height: f64, radius: f64| {
            (0..count).map(move |n| {
                let (sin, cos) = (n as f64 / count as f64 * core::f64::consts::TAU).sin_cos();
                on_grid(DVec3::new(cos * radius, height, sin * radius))
            })
        };
        check(&ring(100, 0.0, 100.0).chain(ring(100, 1.0, 100.0)).collect::<Vec<_>>(), &mut random, 0.8);
        let spindle = ring(64, 0.0, 2.0).chain([Vec3::new(0.0, 999.0, 0.0), Vec3::new(0.0, -999.0, 0.0)]);
        check(&spindle.collect::<Vec<_>>(), &mut random, 0.8);
    }

    #[test]
    fn a_doubt_has_no_answer() {
        let mut random = Random(72);
        let ball: Vec<Vec3> = (0..100).map(|_| random.cube().normalize_or_zero().as_vec3()).collect();
        let hull = ConvexHull::new(&ball).unwrap();
        let graph = CornerGraph::new(hull.vertices(), hull.edges()).unwrap();
        for direction in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(1.0, f64::NAN, 0.0), DVec3::X * 1e-320] {
            assert_eq!(graph.farthest(hull.vertices(), direction), None, "{direction}");
        }
        // Any length is a direction.
        for length in [1e-250, 1.0, 1e250] {
            let direction = random.cube() * length;
            let found = graph.farthest(hull.vertices(), direction);
            assert_eq!(found, Some(farthest_of_all(hull.vertices(), direction)));
        }
    }

    #[test]
    fn each_cell_has_its_middle() {
        for cell in 0..6 * CELLS * CELLS {
            assert_eq!(cell_of(middle_of(cell)), Some(cell));
        }
    }
}
