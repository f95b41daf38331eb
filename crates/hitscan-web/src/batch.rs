//! Many rays at once, in buffers that are used again.

use crate::question::Choices;
use hitscan::glam::{Vec2, Vec3};
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
    t: Vec<f32>,
    ids: Vec<u32>,
    triangles: Vec<u32>,
    sides: Vec<u8>,
    uvs: Vec<f32>,
    points: Vec<f32>,
    normals: Vec<f32>,
}

thread_local! {
    static BATCH: RefCell<Batch> = const {
        RefCell::new(Batch {
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
            },
        })
    };
}

pub(crate) fn with<R>(ask: impl FnOnce(&mut Batch) -> R) -> R {
    BATCH.with_borrow_mut(ask)
}

/// Returns the address to which the numbers of the rays are written.
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
        _ => output.ids.as_ptr().cast(),
    })
}

/// Frees the memory of the buffers.
#[wasm_bindgen]
pub fn batch_free() {
    with(|batch| {
        batch.input = Vec::new();
        batch.rays = Vec::new();
        batch.hits = Vec::new();
        batch.scene_hits = Vec::new();
        batch.blocked = Vec::new();
        batch.output = Output {
            t: Vec::new(),
            ids: Vec::new(),
            triangles: Vec::new(),
            sides: Vec::new(),
            uvs: Vec::new(),
            points: Vec::new(),
            normals: Vec::new(),
        };
    });
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
        choices.ray([row[0], row[1], row[2]], [row[3], row[4], row[5]], t_min, t_max)
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

    /// Writes whether rays hit anything to the column of sides.
    pub(crate) fn write_blocked(&mut self, blocked: &[bool]) {
        fill(&mut self.sides, blocked.iter().map(|&blocked| blocked.into()));
    }
}

fn fill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}
