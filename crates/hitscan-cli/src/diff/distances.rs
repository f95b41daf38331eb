//! The distances from places on one mesh to another one.

use anyhow::{Result, anyhow};
use hitscan::Mesh;
use hitscan::batch::Threads;
use hitscan::glam::DVec3;
use indicatif::ProgressBar;

/// The number of places that are measured at once. It bounds the memory.
const PIECE: usize = 1 << 16;

/// The fractions by which the two coordinates of successive samples advance: the inverses of the plastic number and of its square. Their multiples are spread
/// evenly over a square (M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018).
const STEPS: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];

/// A place on a mesh.
#[derive(Clone, Copy)]
struct Place {
    point: DVec3,
    triangle: u32,
}

/// A place with the nearest point of the other mesh.
#[derive(Clone, Copy)]
pub(super) struct Farthest {
    pub(super) distance: f64,
    pub(super) triangle: u32,
    pub(super) point: DVec3,
    pub(super) nearest: DVec3,
}

/// The distances from one mesh to another one.
pub(super) struct Distances {
    pub(super) vertices: u64,
    pub(super) samples: u64,
    pub(super) largest: Farthest,
    pub(super) mean: f64,
    pub(super) root_mean_square: f64,
}

impl Distances {
    /// Measures the vertices of a mesh, and some samples of its surface.
    pub(super) fn new(own: &Mesh, other: &Mesh, samples: u32, bar: &ProgressBar) -> Result<Self> {
        let mut search = Search::new(own, other, bar);
        let mut vertices = 0;
        for piece in vertices_of(own).chunks(PIECE) {
            search.measure(piece)?;
            vertices += piece.len() as u64;
        }
        // Only samples are spread evenly.
        (search.sum, search.squares) = (0.0, 0.0);
        let sampler = Sampler::new(own);
        let mut count = 0u64;
        let mut piece = Vec::with_capacity(PIECE);
        for first in (0..samples).step_by(PIECE) {
            piece.clear();
            piece.extend(
                (first..samples.min(first.saturating_add(PIECE as u32)))
                    .filter_map(|number| sampler.place(number, samples)),
            );
            search.measure(&piece)?;
            count += piece.len() as u64;
        }
        let largest =
            search.largest.ok_or_else(|| anyhow!("no triangle has an area, so no distance can be measured"))?;
        let divisor = count.max(1) as f64;
        Ok(Self {
            vertices,
            samples: count,
            largest,
            mean: search.sum / divisor,
            root_mean_square: (search.squares / divisor).sqrt(),
        })
    }
}

/// Returns the vertices that triangles have, each with its first triangle.
fn vertices_of(mesh: &Mesh) -> Vec<Place> {
    let mut is_new = vec![true; mesh.positions().len()];
    let mut places = Vec::new();
    for triangle in 0..mesh.triangle_count() as u32 {
        for vertex in mesh.indices(triangle).into_iter().flatten() {
            if std::mem::take(&mut is_new[vertex as usize]) {
                places.push(Place { point: mesh.positions()[vertex as usize].as_dvec3(), triangle });
            }
        }
    }
    places
}

/// A measurement in progress.
struct Search<'a> {
    other: &'a Mesh,
    bar: &'a ProgressBar,
    /// The largest distance that rounding makes of 0. A sample is a sum of three products whose factors sum to 1, and the foot on a triangle is another one.
    /// Both have fewer than 16 roundings relative to the largest coordinate.
    rounding: f64,
    largest: Option<Farthest>,
    sum: f64,
    squares: f64,
}

impl<'a> Search<'a> {
    fn new(own: &Mesh, other: &'a Mesh, bar: &'a ProgressBar) -> Self {
        let reach = [own, other].map(|mesh| mesh.bounds().min.abs().max(mesh.bounds().max.abs()).max_element());
        let rounding = 16.0 * f64::EPSILON * f64::from(reach[0].max(reach[1]));
        Self { other, bar, rounding, largest: None, sum: 0.0, squares: 0.0 }
    }

    fn measure(&mut self, places: &[Place]) -> Result<()> {
        let points: Vec<DVec3> = places.iter().map(|place| place.point).collect();
        let mut answers = vec![None; points.len()];
        self.other.closest_on_surface_batch(&points, f64::INFINITY, Threads::All, &mut answers)?;
        for (place, answer) in places.iter().zip(answers) {
            let Some(answer) = answer else { continue };
            let distance = f64::from(answer.distance);
            let distance = if distance <= self.rounding { 0.0 } else { distance };
            self.sum += distance;
            self.squares += distance * distance;
            if self.largest.is_none_or(|largest| distance > largest.distance) {
                let (triangle, point) = (place.triangle, place.point);
                self.largest = Some(Farthest { distance, triangle, point, nearest: answer.point.as_dvec3() });
            }
        }
        self.bar.inc(places.len() as u64);
        Ok(())
    }
}

/// Chooses places that are spread evenly over a mesh: one in each of equal shares of its area, at a place in the triangle that follows a sequence.
struct Sampler<'a> {
    mesh: &'a Mesh,
    /// The area of each triangle and of all before it.
    areas: Vec<f64>,
}

impl<'a> Sampler<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let mut sum = 0.0;
        let corners = (0..).map_while(|triangle| mesh.triangle(triangle));
        let areas = corners.map(|corners| {
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            sum += (b - a).cross(c - a).length();
            sum
        });
        Self { mesh, areas: areas.collect() }
    }

    /// Returns a sample by its number, given the number of all samples.
    fn place(&self, number: u32, count: u32) -> Option<Place> {
        let all = *self.areas.last()?;
        let before = all * (f64::from(number) + 0.5) / f64::from(count);
        let triangle = self.areas.partition_point(|&area| area <= before).min(self.areas.len() - 1) as u32;
        let [a, b, c] = self.mesh.triangle(triangle)?.map(|corner| corner.as_dvec3());
        let [u, v] = STEPS.map(|step| (f64::from(number) * step + 0.5).fract());
        // The upper half of the square is folded onto the lower one, which is the triangle.
        let [u, v] = if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] };
        Some(Place { point: a * (1.0 - u - v) + b * u + c * v, triangle })
    }
}
