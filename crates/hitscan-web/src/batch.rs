//! Many rays or points at once, in buffers that are used again.

use crate::answer;
use crate::question::Choices;
use hitscan::glam::{Vec2, Vec3};
use hitscan::query::{MeshPoint, TrianglePoint};
use hitscan::{Hit, MeshHit, Ray, Side};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// The buffers of batches.
pub(crate) struct Batch {
    pub(crate) input: Vec<f32>,
    pub(crate) rays: Vec<Ray>,
    pub(crate) hits: Vec<Option<MeshHit>>,
    pub(crate) scene_hits: Vec<Option<Hit<u32>>>,
    pub(crate) blocked: Vec<bool>,
    pub(crate) output: Output,
}

/// The columns of the answers.
pub(crate) struct Output {
    /// The t of hits, or the distances of points.
    t: Vec<f32>,
    ids: Vec<u32>,
    triangles: Vec<u32>,
    /// The sides of hits, the sides or containments of points, or answers that are true or false.
    sides: Vec<u8>,
    uvs: Vec<f32>,
    points: Vec<f32>,
    normals: Vec<f32>,
    /// The index of each ray's first hit, and at the end the number of all hits.
    offsets: Vec<u32>,
    features: Vec<u8>,
}

impl Batch {
    const EMPTY: Self = Self {
        input: Vec::new(),
        rays: Vec::new(),
        hits: Vec::new(),
        scene_hits: Vec::new(),
        blocked: Vec::new(),
        output: Output {
            t: Vec::new(),
            ids: Vec::new(),
            triangles: Vec::new(),
            sides: Vec::new(),
            uvs: Vec::new(),
            points: Vec::new(),
            normals: Vec::new(),
            offsets: Vec::new(),
            features: Vec::new(),
        },
    };
}

thread_local! {
    static BATCH: RefCell<Batch> = const { RefCell::new(Batch::EMPTY) };
}

/// Calls `ask` with the buffers. If that calls a function of the program, this function may ask about another batch, which gets
/// empty buffers.
pub(crate) fn with<R>(ask: impl FnOnce(&mut Batch) -> R) -> R {
    let mut batch = BATCH.replace(Batch::EMPTY);
    let answer = ask(&mut batch);
    BATCH.set(batch);
    answer
}

/// Returns the address to which the package writes the numbers of the rays.
#[wasm_bindgen]
pub fn batch_input(length: usize) -> *const f32 {
    with(|batch| {
        batch.input.resize(length, 0.0);
        batch.input.as_ptr()
    })
}

/// Returns the address of a column of the last batch's answers.
#[wasm_bindgen]
pub fn batch_column(column: u8) -> *const u8 {
    with(|Batch { output, .. }| match column {
        0 => output.t.as_ptr().cast(),
        1 => output.triangles.as_ptr().cast(),
        2 => output.sides.as_ptr(),
        3 => output.uvs.as_ptr().cast(),
        4 => output.points.as_ptr().cast(),
        5 => output.normals.as_ptr().cast(),
        6 => output.ids.as_ptr().cast(),
        7 => output.offsets.as_ptr().cast(),
        _ => output.features.as_ptr(),
    })
}

/// Frees the memory of the buffers.
#[wasm_bindgen]
pub fn batch_free() {
    BATCH.set(Batch::EMPTY);
}

/// Makes rays from rows of numbers: an origin and a direction, and the range of t if a row has eight.
pub(crate) fn read(
    input: &[f32],
    count: usize,
    stride: usize,
    choices: Choices,
    rays: &mut Vec<Ray>,
) -> Result<(), JsError> {
    rays.clear();
    rays.extend(input.chunks_exact(stride).take(count).map(|row| {
        let (t_min, t_max) = if stride == 8 { (row[6], row[7]) } else { (0.0, f32::INFINITY) };
        choices.frequent_ray([row[0], row[1], row[2]], [row[3], row[4], row[5]], t_min, t_max)
    }));
    if rays.len() == count { Ok(()) } else { Err(JsError::new("the batch has fewer rays than it says")) }
}

/// The numbers of a hit in columns.
pub(crate) trait ColumnHit {
    fn id(&self) -> u32;
    fn t(&self) -> f32;
    fn triangle(&self) -> Option<u32>;
    fn side(&self) -> Side;
    fn uv(&self) -> Option<Vec2>;
    fn point(&self) -> Vec3;
    fn normal(&self) -> Vec3;
}

impl ColumnHit for MeshHit {
    fn id(&self) -> u32 {
        0
    }
    fn t(&self) -> f32 {
        self.t
    }
    fn triangle(&self) -> Option<u32> {
        Some(self.triangle)
    }
    fn side(&self) -> Side {
        self.side
    }
    fn uv(&self) -> Option<Vec2> {
        Some(MeshHit::uv(self))
    }
    fn point(&self) -> Vec3 {
        MeshHit::point(self)
    }
    fn normal(&self) -> Vec3 {
        MeshHit::normal(self)
    }
}

impl ColumnHit for Hit<u32> {
    fn id(&self) -> u32 {
        self.id
    }
    fn t(&self) -> f32 {
        self.t
    }
    fn triangle(&self) -> Option<u32> {
        self.triangle
    }
    fn side(&self) -> Side {
        self.side
    }
    fn uv(&self) -> Option<Vec2> {
        self.uv
    }
    fn point(&self) -> Vec3 {
        self.point
    }
    fn normal(&self) -> Vec3 {
        self.normal
    }
}

impl Output {
    /// Writes the columns that the bits name; t and triangles are always there.
    pub(crate) fn write(&mut self, hits: &[Option<impl ColumnHit>], columns: u32) {
        let rows = hits.iter().map(Option::as_ref);
        fill(&mut self.t, rows.clone().map(|hit| hit.map_or(f32::INFINITY, ColumnHit::t)));
        fill(&mut self.triangles, rows.clone().map(|hit| hit.and_then(ColumnHit::triangle).unwrap_or(u32::MAX)));
        fill(&mut self.ids, rows.clone().map(|hit| hit.map_or(u32::MAX, ColumnHit::id)));
        if columns & 1 != 0 {
            fill(&mut self.sides, rows.clone().map(|hit| hit.map_or(3, |hit| hit.side() as u8)));
        }
        if columns & 2 != 0 {
            let uv = |hit: Option<&_>| hit.and_then(ColumnHit::uv).unwrap_or(Vec2::NAN).to_array();
            fill(&mut self.uvs, rows.clone().flat_map(uv));
        }
        if columns & 4 != 0 {
            let point = |hit: Option<&_>| hit.map_or(Vec3::NAN, ColumnHit::point).to_array();
            fill(&mut self.points, rows.clone().flat_map(point));
        }
        if columns & 8 != 0 {
            let normal = |hit: Option<&_>| hit.map_or(Vec3::NAN, ColumnHit::normal).to_array();
            fill(&mut self.normals, rows.flat_map(normal));
        }
    }

    /// Writes the columns of all hits of each ray, and returns the number of hits. `cast_all` must clear the buffer
    /// that it gets.
    pub(crate) fn write_every<H: ColumnHit>(
        &mut self,
        rays: &[Ray],
        hits: &mut Vec<Option<H>>,
        columns: u32,
        cast_all: impl Fn(&Ray, &mut Vec<H>),
    ) -> usize {
        let mut found = Vec::new();
        hits.clear();
        self.offsets.clear();
        self.offsets.push(0);
        for ray in rays {
            cast_all(ray, &mut found);
            hits.extend(found.drain(..).map(Some));
            self.offsets.push(hits.len() as u32);
        }
        self.write(hits, columns);
        hits.len()
    }

    /// Writes answers that are true or false, such as whether rays hit anything, to the column of sides.
    pub(crate) fn write_verdicts(&mut self, verdicts: &[bool]) {
        fill(&mut self.sides, verdicts.iter().map(|&verdict| verdict.into()));
    }

    /// Writes distances alone.
    pub(crate) fn write_distances(&mut self, distances: impl Iterator<Item = f32>) {
        fill(&mut self.t, distances);
    }

    /// Writes all columns of the nearest points of a surface.
    pub(crate) fn write_points(&mut self, rows: &[PointRow]) {
        fill(&mut self.t, rows.iter().map(|row| row.distance));
        fill(&mut self.triangles, rows.iter().map(|row| row.triangle));
        fill(&mut self.sides, rows.iter().map(|row| row.state));
        fill(&mut self.features, rows.iter().map(|row| row.feature));
        fill(&mut self.points, rows.iter().flat_map(|row| row.point.to_array()));
        fill(&mut self.normals, rows.iter().flat_map(|row| row.normal.to_array()));
    }
}

/// The point of a surface that is nearest to one of many points.
pub(crate) struct PointRow {
    distance: f32,
    triangle: u32,
    feature: u8,
    /// The number of the side or the containment.
    state: u8,
    point: Vec3,
    normal: Vec3,
}

impl PointRow {
    /// The row of a point for which nothing was found.
    pub(crate) const NONE: Self =
        Self { distance: f32::INFINITY, triangle: u32::MAX, feature: 0, state: 3, point: Vec3::NAN, normal: Vec3::NAN };
}

impl From<MeshPoint> for PointRow {
    fn from(found: MeshPoint) -> Self {
        let MeshPoint { triangle, feature, distance, point, normal, containment, .. } = found;
        let (feature, state) = (answer::feature(feature) as u8, answer::containment(containment) as u8);
        Self { distance, triangle, feature, state, point, normal }
    }
}

impl From<TrianglePoint> for PointRow {
    fn from(found: TrianglePoint) -> Self {
        let TrianglePoint { triangle, feature, distance, point, normal, side, .. } = found;
        Self { distance, triangle, feature: answer::feature(feature) as u8, state: side as u8, point, normal }
    }
}

fn fill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}
