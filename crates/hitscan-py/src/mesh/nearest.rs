//! Nearest points, signed distances and containment of many points.

use super::inside;
use super::surface::Surface;
use crate::answers::Nearest;
use crate::column::Column;
use crate::input::{VectorSlice, Vectors, row_name};
use crate::rays::FirstFault;
use crate::threads::FEW;
use hitscan::glam::DVec3;
use hitscan::{Containment, MeshPoint};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Coordinates beyond this are refused: the library answers nothing there.
const FARTHEST: f64 = 1e70;
/// The number of points that a thread takes at a time.
const CHUNK: usize = 64;

/// The choice of one of several triangles at the same distance.
#[derive(Clone, Copy)]
pub(super) enum Ties {
    Lowest,
    /// The one that faces the point most, of those that are farther by at most this.
    Facing(f64),
}

impl Ties {
    pub(super) fn new(word: &str, tolerance: f64) -> PyResult<Self> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "tie_tolerance is {tolerance}, but must be finite and not negative"
            )));
        }
        match word {
            "lowest" => Ok(Self::Lowest),
            "facing" => Ok(Self::Facing(tolerance)),
            _ => Err(PyValueError::new_err(format!("ties is {word:?}, but must be \"lowest\" or \"facing\""))),
        }
    }
}

/// The nearest point of a triangle, in f64.
#[derive(Clone, Copy)]
struct Spot {
    point: [f64; 3],
    distance: f64,
    triangle: i64,
    feature: i8,
    containment: i8,
}

impl Spot {
    const NONE: Self =
        Self { point: [f64::NAN; 3], distance: f64::INFINITY, triangle: -1, feature: 0, containment: -1 };
}

/// The columns of [`Nearest`].
pub(super) struct NearestRows(Vec<Spot>);

impl NearestRows {
    pub(super) fn into_nearest(self, shape: &[usize]) -> Nearest {
        let spots = self.0;
        Nearest {
            point: Column::of_vectors(spots.iter().map(|spot| spot.point).collect(), shape),
            distance: Column::new(spots.iter().map(|spot| spot.distance).collect(), shape),
            triangle: Column::new(spots.iter().map(|spot| spot.triangle).collect(), shape),
            feature: Column::new(spots.iter().map(|spot| spot.feature).collect(), shape),
            containment: Column::new(spots.iter().map(|spot| spot.containment).collect(), shape),
        }
    }
}

/// Returns the nearest points, or the place of the first point that cannot have one.
pub(super) fn nearest(surface: &Surface, points: VectorSlice<'_>, ties: Ties) -> Result<NearestRows, usize> {
    let find = |point: DVec3| match surface.mesh.closest_point(point) {
        None => Spot::NONE,
        Some(found) => spot(surface, point, &found, ties),
    };
    for_each(surface, points, find).map(NearestRows)
}

/// Returns signed distances, negative inside.
pub(super) fn signed(surface: &Surface, points: VectorSlice<'_>) -> Result<Vec<f64>, usize> {
    for_each(surface, points, |point| match surface.mesh.closest_point(point) {
        None => f64::INFINITY,
        Some(found) => {
            let distance = spot(surface, point, &found, Ties::Lowest).distance;
            if inside::by_containment(surface, point, found.containment) { -distance } else { distance }
        }
    })
}

/// Returns which points are inside.
pub(super) fn inside(surface: &Surface, points: VectorSlice<'_>) -> Result<Vec<bool>, usize> {
    let is_closed = surface.mesh.is_closed();
    for_each(surface, points, |point| {
        if is_closed {
            return surface.mesh.contains(point);
        }
        let found = || surface.mesh.closest_point(point);
        inside::is_in_box(surface, point)
            && found().is_some_and(|found| inside::by_containment(surface, point, found.containment))
    })
}

/// Returns generalised winding numbers, off by at most a bound.
pub(super) fn winding_numbers(surface: &Surface, points: VectorSlice<'_>, bound: f64) -> Result<Vec<f64>, usize> {
    let tree = surface.winding_tree();
    for_each(surface, points, |point| tree.winding_number(point, bound).unwrap_or(f64::NAN))
}

/// Answers a question about each point, relative to the origin.
fn for_each<A: Send>(
    surface: &Surface,
    points: VectorSlice<'_>,
    ask: impl Fn(DVec3) -> A + Sync,
) -> Result<Vec<A>, usize> {
    let fault = FirstFault::new();
    let ask = |place: usize| {
        let point = points.get(place) - surface.origin;
        if !(point.abs().max_element() <= FARTHEST && point.is_finite()) {
            fault.put(place);
        }
        ask(point)
    };
    let answers = match points.count {
        0..FEW => (0..points.count).map(ask).collect(),
        _ => (0..points.count).into_par_iter().with_min_len(CHUNK).map(ask).collect(),
    };
    fault.take().map_or(Ok(answers), Err)
}

/// Returns the exception for a point that cannot have a nearest one.
pub(super) fn fault(points: &Vectors<'_>, place: usize) -> PyErr {
    match points.slice() {
        Ok(slice) => PyValueError::new_err(format!(
            "{} is {}: a point must be finite, and not beyond {FARTHEST:e}",
            row_name("points", &points.shape, place),
            slice.get(place)
        )),
        Err(error) => error,
    }
}

/// Returns the nearest spot of the triangle that was found, as it was given.
fn spot(surface: &Surface, point: DVec3, found: &MeshPoint, ties: Ties) -> Spot {
    let triangle = match ties {
        Ties::Facing(tolerance) => surface.neighbours().most_facing(surface, point, found, tolerance),
        Ties::Lowest => found.triangle,
    };
    let (nearest, feature) = of_triangle(point, surface.corners(triangle));
    Spot {
        point: (surface.origin + nearest).to_array(),
        distance: nearest.distance(point),
        triangle: i64::from(triangle),
        feature,
        containment: match found.containment {
            Containment::Inside => 1,
            Containment::Outside => 0,
            Containment::Open => -1,
        },
    }
}

/// Returns the nearest point of a triangle and the part that it is on, by the regions around the triangle (Ericson, Real-Time Collision Detection, 5.1.5).
pub(super) fn of_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, i8) {
    let (ab, ac) = (b - a, c - a);
    let (ap, bp, cp) = (point - a, point - b, point - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, 4);
    }
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, 5);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), 1);
    }
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, 6);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), 3);
    }
    let va = d3 * d6 - d5 * d4;
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 {
        return (b + (c - b) * (along / (along + back)), 2);
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), 0)
}
