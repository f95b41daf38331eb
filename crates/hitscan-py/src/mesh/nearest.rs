//! Nearest points, signed distances and containment of many points.

use super::inside;
use super::surface::Surface;
use super::triangle::of_triangle;
use crate::answers::{Array, Rows};
use crate::arguments::FARTHEST;
use crate::each::{each, in_groups};
use crate::error;
use crate::input::VectorSlice;
use crate::rays::FirstFault;
use crate::threads::Threads;
use hitscan::glam::DVec3;
use hitscan::query::{Containment, Feature};
use pyo3::prelude::*;

/// The least number of points that a thread takes at a time.
const CHUNK: usize = 64;
/// The least number of points for a thread if the work takes only some nanoseconds for each point.
const LEAST: usize = 4096;

/// The choice of one of several triangles at the same distance.
#[derive(Clone, Copy)]
pub(super) enum Ties {
    Lowest,
    /// The triangle that faces the point most, among triangles that are farther by at most this distance.
    Facing(f64),
}

impl Ties {
    pub(super) fn new(word: &str, tolerance: f64) -> PyResult<Self> {
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(error::value(format!("tie_tolerance is {tolerance}, but must be finite and not negative")));
        }
        match word {
            "lowest" => Ok(Self::Lowest),
            "facing" => Ok(Self::Facing(tolerance)),
            _ => Err(error::value(format!("ties is {word:?}, but must be \"lowest\" or \"facing\""))),
        }
    }
}

/// The nearest point of a triangle, in f64.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) point: [f64; 3],
    pub(super) distance: f64,
    pub(super) triangle: i64,
    pub(super) feature: i8,
}

impl Spot {
    const NONE: Self = Self { point: [f64::NAN; 3], distance: f64::INFINITY, triangle: -1, feature: 0 };
}

/// The nearest points of many points. Most callers do not ask whether the points are inside, which takes longer.
pub(super) struct NearestPoints {
    surface: Surface,
    pub(super) spots: Rows<Spot>,
    points: Vec<DVec3>,
    threads: Threads,
}

impl NearestPoints {
    /// Returns for each point 1 if it is inside, 0 if it is outside, and -1 if the mesh is not closed as seen from it.
    pub(super) fn containments(&self) -> Array<i8> {
        let number = |containment: Option<Containment>| match containment {
            Some(Containment::Inside) => 1,
            Some(Containment::Outside) => 0,
            Some(Containment::Open) | None => -1,
        };
        let find = || mesh_points(&self.surface, &self.points, |_, found| number(found.map(|(_, inside)| inside)));
        Array::new(self.threads.install(self.points.len(), find), &self.spots.shape)
    }
}

/// Returns the nearest points, or the index of the first point that is too far for the library.
pub(super) fn nearest(
    surface: &Surface,
    (points, shape): (VectorSlice<'_>, &[usize]),
    ties: Ties,
    threads: Threads,
) -> Result<NearestPoints, usize> {
    let points = local(surface, points)?;
    let mut spots = Vec::with_capacity(points.len());
    in_groups(points.len(), |group| {
        let points = &points[group];
        let mut found = vec![None; points.len()];
        // This cannot fail: there are as many answers as points.
        let _ = surface.mesh.closest_on_surface_batch(points, f64::INFINITY, hitscan::batch::Threads::All, &mut found);
        spots.extend(each(points.len(), CHUNK, |place| match &found[place] {
            None => Spot::NONE,
            Some(found) => spot(surface, points[place], (found.triangle, found.feature), ties),
        }));
    });
    Ok(NearestPoints { surface: surface.clone(), spots: Rows::new(spots, shape), points, threads })
}

/// Returns signed distances, negative inside.
pub(super) fn signed(surface: &Surface, points: VectorSlice<'_>) -> Result<Vec<f64>, usize> {
    let points = local(surface, points)?;
    Ok(mesh_points(surface, &points, |point, found| match found {
        None => f64::INFINITY,
        Some((triangle, containment)) => {
            let distance = of_triangle(point, surface.corners(triangle)).0.distance(point);
            if inside::by_containment(surface, point, containment) { -distance } else { distance }
        }
    }))
}

/// Calls `answer` with each point, its nearest triangle, and whether it is inside, and returns the answers.
fn mesh_points<A: Send>(
    surface: &Surface,
    points: &[DVec3],
    answer: impl Fn(DVec3, Option<(u32, Containment)>) -> A + Sync,
) -> Vec<A> {
    let mut answers = Vec::with_capacity(points.len());
    in_groups(points.len(), |group| {
        let points = &points[group];
        let mut found = vec![None; points.len()];
        // This cannot fail: there are as many answers as points.
        let _ = surface.mesh.closest_point_batch(points, hitscan::batch::Threads::All, &mut found);
        answers.extend(each(points.len(), CHUNK, |place| {
            answer(points[place], found[place].as_ref().map(|found| (found.triangle, found.containment)))
        }));
    });
    answers
}

/// Returns which points are inside.
pub(super) fn inside(surface: &Surface, points: VectorSlice<'_>) -> Result<Vec<bool>, usize> {
    if surface.mesh.is_closed() {
        let points = local(surface, points)?;
        let mut answers = vec![false; points.len()];
        in_groups(points.len(), |group| {
            // This cannot fail: there are as many answers as points.
            let _ =
                surface.mesh.contains_batch(&points[group.clone()], hitscan::batch::Threads::All, &mut answers[group]);
        });
        return Ok(answers);
    }
    for_each(surface, points, |point| {
        let found = || surface.mesh.closest_point(point);
        inside::is_in_box(surface, point)
            && found().is_some_and(|found| inside::by_containment(surface, point, found.containment))
    })
}

/// Returns generalised winding numbers, with an error of at most `bound`.
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
    let points = local(surface, points)?;
    Ok(each(points.len(), CHUNK, |place| ask(points[place])))
}

/// Returns points relative to the origin, or the index of the first point that is too far for the library.
fn local(surface: &Surface, points: VectorSlice<'_>) -> Result<Vec<DVec3>, usize> {
    let fault = FirstFault::new();
    let points = each(points.count, LEAST, |place| {
        let point = points.get(place) - surface.origin;
        if !(point.abs().max_element() <= FARTHEST && point.is_finite()) {
            fault.put(place);
        }
        point
    });
    fault.take().map_or(Ok(points), Err)
}

/// Returns the nearest point of the triangle that was found, or of a tied triangle, computed from its vertices as they were given.
fn spot(surface: &Surface, point: DVec3, found: (u32, Feature), ties: Ties) -> Spot {
    let triangle = match ties {
        Ties::Facing(tolerance) => {
            let corners = |triangle| surface.corners(triangle);
            surface.neighbours().most_facing(&surface.mesh, corners, point, found, tolerance)
        }
        Ties::Lowest => found.0,
    };
    let (nearest, feature) = of_triangle(point, surface.corners(triangle));
    Spot {
        point: (surface.origin + nearest).to_array(),
        distance: nearest.distance(point),
        triangle: i64::from(triangle),
        feature,
    }
}
