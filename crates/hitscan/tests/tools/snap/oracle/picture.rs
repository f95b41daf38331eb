//! All vertices and edges of a world in the pixels of a camera, in a grid that finds the features near a cursor.

use super::Lens;
use super::hiding::{Hiding, Sight};
use super::world::{Edge, Vertex, World};
use hitscan::glam::{DVec2, DVec3, Vec2};
use hitscan::snap::SnapKind;

/// The size of a cell, in pixels. It is more than the radius of any cursor, so that a cell and its neighbours contain all features
/// within the radius.
const CELL: f64 = 16.0;

/// A point that a cursor may snap to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    pub(crate) kind: SnapKind,
    /// The number of the part in the list of all parts, which are in the order of the scene.
    pub(crate) part: usize,
    pub(crate) triangle: Option<u32>,
    /// The number of a vertex, or the vertices of an edge, the lower one first.
    pub(crate) numbers: [u32; 2],
    /// The places of the ends of an edge.
    pub(crate) ends: [DVec3; 2],
    pub(crate) point: DVec3,
    pub(crate) pixel: DVec2,
    pub(crate) square: f64,
    pub(crate) depth: f64,
}

/// A picture of a world.
pub(crate) struct Picture<'w> {
    pub(crate) world: &'w World,
    pub(crate) lens: Lens,
    hiding: Hiding,
    columns: usize,
    rows: usize,
    vertices: Vec<Vec<u32>>,
    edges: Vec<Vec<u32>>,
}

impl Feature {
    /// Returns its place in the order of the scene.
    pub(crate) fn place(&self) -> (usize, [u32; 3]) {
        let [a, b] = self.numbers;
        let is_vertex = self.kind == SnapKind::Vertex;
        (self.part, if is_vertex { [a, 0, 0] } else { [self.triangle.unwrap_or(0), a, b] })
    }
}

impl<'w> Picture<'w> {
    pub(crate) fn new(world: &'w World, lens: Lens) -> Self {
        let [width, height] = lens.size.map(f64::from);
        let (columns, rows) = ((width / CELL) as usize + 1, (height / CELL) as usize + 1);
        let hiding = Hiding::new(world, &lens);
        let (vertices, edges) = (vec![Vec::new(); columns * rows], vec![Vec::new(); columns * rows]);
        let mut picture = Self { world, lens, hiding, columns, rows, vertices, edges };
        for (number, vertex) in (0..).zip(&world.vertices) {
            if let Some((pixel, _)) = lens.shown(vertex.point) {
                let cell = picture.cell(pixel);
                picture.vertices[cell].push(number);
            }
        }
        for (number, edge) in (0..).zip(&world.edges) {
            if let Some((_, [a, b])) = lens.clip(edge.ends) {
                picture.add_edge(number, a.min(b), a.max(b));
            }
        }
        picture
    }

    fn column(&self, x: f64) -> usize {
        ((x / CELL) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        ((y / CELL) as usize).min(self.rows - 1)
    }

    fn cell(&self, pixel: DVec2) -> usize {
        self.row(pixel.y) * self.columns + self.column(pixel.x)
    }

    fn add_edge(&mut self, number: u32, low: DVec2, high: DVec2) {
        for row in self.row(low.y)..=self.row(high.y) {
            for column in self.column(low.x)..=self.column(high.x) {
                self.edges[row * self.columns + column].push(number);
            }
        }
    }

    /// Returns the vertices and the nearest points of edges within a radius of a cursor, and a little beyond, to allow for rounding.
    pub(crate) fn near(&self, cursor: Vec2, radius: f64, kinds: &[SnapKind]) -> Vec<Feature> {
        let cursor = cursor.as_dvec2();
        let (mut vertices, mut edges): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for row in self.row(cursor.y - CELL)..=self.row(cursor.y + CELL) {
            for column in self.column(cursor.x - CELL)..=self.column(cursor.x + CELL) {
                vertices.extend(&self.vertices[row * self.columns + column]);
                edges.extend(&self.edges[row * self.columns + column]);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut found = Vec::new();
        if kinds.contains(&SnapKind::Vertex) {
            found.extend(
                vertices.iter().filter_map(|&number| self.vertex(cursor, &self.world.vertices[number as usize])),
            );
        }
        for edge in edges.iter().map(|&number| &self.world.edges[number as usize]) {
            found.extend(kinds.iter().filter_map(|&kind| self.on_edge(cursor, kind, edge)));
        }
        found.retain(|feature| feature.square.sqrt() <= radius + 1e-6);
        found
    }

    fn vertex(&self, cursor: DVec2, vertex: &Vertex) -> Option<Feature> {
        let Vertex { part, number, triangle, point } = *vertex;
        let (pixel, depth) = self.lens.shown(point)?;
        let square = pixel.distance_squared(cursor);
        let (kind, numbers, ends) = (SnapKind::Vertex, [number; 2], [point; 2]);
        Some(Feature { kind, part, triangle, numbers, ends, point, pixel, square, depth })
    }

    fn on_edge(&self, cursor: DVec2, kind: SnapKind, edge: &Edge) -> Option<Feature> {
        let Edge { part, triangle, vertices: [a, b], ends } = *edge;
        let (point, (pixel, depth)) = match kind {
            SnapKind::Edge => {
                // The end of an edge that the window cuts off may be outside of the window by rounding.
                let point = self.nearest(cursor, edge)?;
                let view = self.lens.view(point);
                (point, (self.lens.pixel_of_view(view), view.z))
            }
            SnapKind::Midpoint => ((ends[0] + ends[1]) * 0.5, self.lens.shown((ends[0] + ends[1]) * 0.5)?),
            _ => return None,
        };
        let (square, numbers) = (pixel.distance_squared(cursor), [a.min(b), a.max(b)]);
        Some(Feature { kind, part, triangle, numbers, ends, point, pixel, square, depth })
    }

    /// Returns the point of an edge whose pixel is nearest to the cursor.
    fn nearest(&self, cursor: DVec2, edge: &Edge) -> Option<DVec3> {
        let (places, [a, b]) = self.lens.clip(edge.ends)?;
        let along = ((cursor - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        let ends = [0.0, 1.0].map(|along| self.at(edge.ends, places, along));
        // All points of an edge that is seen end-on are equally near to the cursor, so the point nearest to the eye is
        // the answer.
        let is_end_first = self.lens.view(ends[1]).z < self.lens.view(ends[0]).z;
        Some(if along.is_nan() { ends[usize::from(is_end_first)] } else { self.at(edge.ends, places, along) })
    }

    /// Returns the point of an edge whose pixel is at a fraction `along` of the edge's shown part, measured in pixels.
    fn at(&self, [a, b]: [DVec3; 2], [low, high]: [f64; 2], along: f64) -> DVec3 {
        let place = if self.lens.is_parallel() {
            low + (high - low) * along
        } else {
            // Along a line, the place divided by the depth is linear in pixels (Blinn, "Hyperbolic interpolation").
            let depth = |place: f64| self.lens.view(a + (b - a) * place).z;
            let (from, to) = ((1.0 - along) / depth(low), along / depth(high));
            (low * from + high * to) / (from + to)
        };
        match (place, along) {
            (_, 0.0) if low == 0.0 => a,
            (_, 1.0) if high == 1.0 => b,
            (place, _) => a + (b - a) * place,
        }
    }

    /// Returns whether a feature is hidden.
    pub(crate) fn sight(&self, feature: &Feature) -> Sight {
        self.sight_of(feature.part, feature.point)
    }

    fn sight_of(&self, part: usize, point: DVec3) -> Sight {
        let pixel = self.lens.pixel_of_view(self.lens.view(point));
        self.hiding.sight(point, pixel, self.world.parts[part].rounding)
    }

    /// Returns the distance from the cursor to the nearest part of an edge, within the radius, that is certainly visible over at least `length` pixels.
    pub(crate) fn seen_stretch(&self, cursor: Vec2, radius: f64, edge: &Feature, length: f64) -> Option<f64> {
        let (places, [from, to]) = self.lens.clip(edge.ends)?;
        let step = length / 8.0;
        let steps = ((to - from).length() / step) as u32;
        let (mut nearest, mut run): (Option<f64>, Vec<f64>) = (None, Vec::new());
        for number in 0..=steps {
            let along = f64::from(number) * step / (to - from).length();
            let distance = (from + (to - from) * along).distance(cursor.as_dvec2());
            if distance > radius {
                run.clear();
                continue;
            }
            let is_seen = self.sight_of(edge.part, self.at(edge.ends, places, along)) == Sight::Seen;
            if is_seen {
                run.push(distance)
            } else {
                run.clear()
            }
            if run.len() > 8 {
                // The run was visible for the whole length: its nearest end is the distance.
                let least = run.iter().copied().fold(f64::INFINITY, f64::min);
                nearest = Some(nearest.map_or(least, |other| other.min(least)));
            }
        }
        nearest
    }

    /// Returns how far a point is from the line of an edge.
    pub(crate) fn distance_from_edge(&self, edge: &Feature, point: DVec3) -> f64 {
        let [a, b] = edge.ends;
        let place = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        point.distance(a + (b - a) * place)
    }
}
