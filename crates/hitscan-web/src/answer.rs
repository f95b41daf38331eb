//! Answers, as numbers in this module's memory.

use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::query::{Containment, Feature, ShapeHit};
use hitscan::{Hit, MeshHit, Ray, Side, SweepStart};
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// The length of a record. `npm/src/answers.ts` and the generated `records.ts` read its numbers at the same places.
pub(crate) const LENGTH: usize = 24;

thread_local! {
    static RECORD: [Cell<f64>; LENGTH] = const { [const { Cell::new(0.0) }; LENGTH] };
    static LIST: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
    static NUMBERS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Returns the address of the record that a question about one thing writes.
#[wasm_bindgen]
pub fn record_address() -> *const f64 {
    RECORD.with(|record| record.as_ptr().cast())
}

/// Returns the address of the records that the last question with several answers wrote.
#[wasm_bindgen]
pub fn list_address() -> *const f64 {
    LIST.with_borrow(|list| list.as_ptr())
}

/// Returns the address of the whole numbers that the last question about entities or elements wrote.
#[wasm_bindgen]
pub fn numbers_address() -> *const u32 {
    NUMBERS.with_borrow(|numbers| numbers.as_ptr())
}

/// An answer that fits into a record.
pub(crate) trait Record {
    /// Calls `put` with each number of the answer and the number's place in the record.
    fn put(&self, put: impl FnMut(usize, f64));
}

/// Writes an answer to the record, and returns whether there is an answer.
pub(crate) fn one<R: Record>(answer: Option<R>) -> bool {
    let Some(answer) = answer else { return false };
    RECORD.with(|record| answer.put(|at, value| record[at].set(value)));
    true
}

/// Returns a number of the record. The package's functions write their answers there, too.
pub(crate) fn number_at(at: usize) -> f64 {
    RECORD.with(|record| record[at].get())
}

/// Returns a vector of the record.
pub(crate) fn vector_at(at: usize) -> DVec3 {
    DVec3::new(number_at(at), number_at(at + 1), number_at(at + 2))
}

/// Writes a list of answers, and returns their number.
pub(crate) fn many<R: Record>(answers: &[R]) -> usize {
    LIST.with_borrow_mut(|list| {
        list.clear();
        list.resize(answers.len() * LENGTH, 0.0);
        for (answer, place) in answers.iter().zip(list.chunks_exact_mut(LENGTH)) {
            answer.put(|at, value| place[at] = value);
        }
    });
    answers.len()
}

/// Writes whole numbers, and returns their number.
pub(crate) fn numbers(values: impl Iterator<Item = u32>) -> usize {
    NUMBERS.with_borrow_mut(|numbers| {
        numbers.clear();
        numbers.extend(values);
        numbers.len()
    })
}

/// Places of a record.
pub(crate) mod place {
    pub(crate) const T: usize = 0;
    pub(crate) const ID: usize = 1;
    pub(crate) const PART: usize = 2;
    pub(crate) const TRIANGLE: usize = 3;
    pub(crate) const SIDE: usize = 4;
    pub(crate) const POINT: usize = 5;
    pub(crate) const NORMAL: usize = 8;
    pub(crate) const UV: usize = 11;
    pub(crate) const FEATURE: usize = 13;
    /// The start of a sweep, or whether a point is inside.
    pub(crate) const STATE: usize = 14;
    pub(crate) const EXTRA: usize = 15;
    /// A second vector: the surface's normal, a motion.
    pub(crate) const SECOND: usize = 16;
    /// A third vector.
    pub(crate) const THIRD: usize = 19;
}

/// The number of a missing key, part or triangle.
pub(crate) const NONE: f64 = -1.0;

pub(crate) fn vector(put: &mut impl FnMut(usize, f64), at: usize, vector: Vec3) {
    vector_f64(put, at, vector.as_dvec3());
}

pub(crate) fn vector_f64(put: &mut impl FnMut(usize, f64), at: usize, vector: DVec3) {
    put(at, vector.x);
    put(at + 1, vector.y);
    put(at + 2, vector.z);
}

pub(crate) fn index(number: Option<u32>) -> f64 {
    number.map_or(NONE, f64::from)
}

fn side(side: Side) -> f64 {
    match side {
        Side::Front => 0.0,
        Side::Back => 1.0,
        Side::Inside => 2.0,
    }
}

pub(crate) fn side_of(put: &mut impl FnMut(usize, f64), which: Side) {
    put(place::SIDE, side(which));
}

fn uv(put: &mut impl FnMut(usize, f64), uv: Option<Vec2>) {
    let uv = uv.map_or([f64::NAN; 2], |uv| [uv.x.into(), uv.y.into()]);
    put(place::UV, uv[0]);
    put(place::UV + 1, uv[1]);
}

/// Faces are 0, edges 1 to 3, corners 4 to 6.
pub(crate) fn feature(feature: Feature) -> f64 {
    match feature {
        Feature::Face => 0.0,
        Feature::Edge(number) => 1.0 + f64::from(number),
        Feature::Vertex(number) => 4.0 + f64::from(number),
    }
}

pub(crate) fn start(start: SweepStart) -> f64 {
    match start {
        SweepStart::Apart => 0.0,
        SweepStart::Touching => 1.0,
        SweepStart::Penetrating => 2.0,
    }
}

pub(crate) fn containment(containment: Containment) -> f64 {
    match containment {
        Containment::Outside => 0.0,
        Containment::Inside => 1.0,
        Containment::Open => 2.0,
    }
}

impl Record for MeshHit {
    #[inline]
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.t.into());
        put(place::TRIANGLE, self.triangle.into());
        side_of(&mut put, self.side);
        vector(&mut put, place::POINT, self.point());
        vector(&mut put, place::NORMAL, self.normal());
        uv(&mut put, Some(self.uv()));
    }
}

/// A hit of a shape, with the ray that hit it: the point is computed from both.
pub(crate) struct ShapeRecord(pub(crate) Ray, pub(crate) ShapeHit);

impl Record for ShapeRecord {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        let Self(ray, hit) = self;
        put(place::T, hit.t.into());
        put(place::TRIANGLE, NONE);
        side_of(&mut put, hit.side);
        vector(&mut put, place::POINT, ray.at(hit.t));
        vector(&mut put, place::NORMAL, hit.normal);
        uv(&mut put, hit.uv);
    }
}

impl Record for Hit<u32> {
    #[inline]
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.t.into());
        put(place::ID, self.id.into());
        put(place::PART, self.part.into());
        put(place::TRIANGLE, index(self.triangle));
        side_of(&mut put, self.side);
        vector(&mut put, place::POINT, self.point);
        vector(&mut put, place::NORMAL, self.normal);
        uv(&mut put, self.uv);
        put(place::FEATURE, index(self.feature));
    }
}

/// Writes a hit, or `NONE` in the place of the key.
pub(crate) fn hit_or_none(put: &mut impl FnMut(usize, f64), hit: Option<&Hit<u32>>) {
    match hit {
        Some(hit) => hit.put(put),
        None => put(place::ID, NONE),
    }
}

/// The nearest point of a thing by itself, with its distance, triangle, feature and containment.
pub(crate) struct PointRecord {
    pub(crate) triangle: Option<u32>,
    pub(crate) feature: Feature,
    pub(crate) distance: f32,
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) containment: Containment,
}

impl Record for PointRecord {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.distance.into());
        put(place::TRIANGLE, index(self.triangle));
        vector(&mut put, place::POINT, self.point);
        vector(&mut put, place::NORMAL, self.normal);
        put(place::FEATURE, feature(self.feature));
        put(place::STATE, containment(self.containment));
    }
}

impl From<hitscan::query::MeshPoint> for PointRecord {
    fn from(found: hitscan::query::MeshPoint) -> Self {
        let hitscan::query::MeshPoint { triangle, feature, distance, point, normal, containment, .. } = found;
        Self { triangle: Some(triangle), feature, distance, point, normal, containment }
    }
}

impl From<hitscan::query::ShapePoint> for PointRecord {
    fn from(found: hitscan::query::ShapePoint) -> Self {
        let hitscan::query::ShapePoint { feature, distance, point, normal, containment, .. } = found;
        Self { triangle: None, feature, distance, point, normal, containment }
    }
}

impl Record for hitscan::query::TrianglePoint {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.distance.into());
        put(place::TRIANGLE, self.triangle.into());
        side_of(&mut put, self.side);
        vector(&mut put, place::POINT, self.point);
        vector(&mut put, place::NORMAL, self.normal);
        put(place::FEATURE, feature(self.feature));
    }
}
