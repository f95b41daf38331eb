//! Two-dimensional shapes, and the collision matrix of a triangle.

use crate::answer::{self, ShapeRecord};
use crate::question::Choices;
use crate::thrown;
use hitscan::Side;
use hitscan::d2::{Circle, Line, Ray2, Rect, ShapeError2, ShapeHit2};
use wasm_bindgen::prelude::*;

enum Form2 {
    Line(Line),
    Circle(Circle),
    Rect(Rect),
}

/// A two-dimensional shape.
#[wasm_bindgen]
pub struct Shape2(Form2);

/// The collision matrix of a triangle.
#[wasm_bindgen]
pub struct CollisionMatrix(hitscan::CollisionMatrix);

/// Returns the number of a side, as in records.
fn number(side: Side) -> f32 {
    match side {
        Side::Front => 0.0,
        Side::Back => 1.0,
        Side::Inside => 2.0,
    }
}

#[wasm_bindgen]
impl Shape2 {
    /// Makes a shape of a kind from its numbers, as `npm/src/d2.ts` writes them.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: u8, row: &[f32]) -> Result<Self, JsError> {
        let valid = |form, valid: Result<(), ShapeError2>| valid.map(|()| Self(form)).map_err(thrown);
        match (kind, row) {
            (0, &[x, y, nx, ny]) => Line::new([x, y], [nx, ny]).map(|line| Self(Form2::Line(line))).map_err(thrown),
            (1, &[x, y, radius]) => {
                let circle = Circle::new([x, y], radius);
                valid(Form2::Circle(circle), circle.validate())
            }
            (2, &[x, y, z, w]) => {
                let rect = Rect::new([x, y], [z, w]);
                valid(Form2::Rect(rect), rect.validate())
            }
            _ => Err(JsError::new(&format!("there is no shape {kind} of {} numbers", row.len()))),
        }
    }

    /// Returns the first hit of a ray, whose direction is not normalized: t, the point, the normal and the side.
    pub fn cast(&self, ox: f32, oy: f32, dx: f32, dy: f32, t_min: f32, t_max: f32) -> Option<Vec<f32>> {
        let ray = Ray2::with_direction([ox, oy], [dx, dy]).with_range(t_min, t_max);
        let hit = match &self.0 {
            Form2::Line(line) => line.cast(&ray),
            Form2::Circle(circle) => circle.cast(&ray),
            Form2::Rect(rect) => rect.cast(&ray),
        };
        hit.map(|ShapeHit2 { t, normal, side, .. }| {
            let point = ray.at(t);
            vec![t, point.x, point.y, normal.x, normal.y, number(side)]
        })
    }
}

#[wasm_bindgen]
impl CollisionMatrix {
    /// Makes the matrix of a triangle.
    #[wasm_bindgen(constructor)]
    pub fn new(row: &[f32]) -> Result<Self, JsError> {
        let &[ax, ay, az, bx, by, bz, cx, cy, cz] = row else {
            return Err(JsError::new("a triangle is nine numbers"));
        };
        hitscan::CollisionMatrix::new([ax, ay, az], [bx, by, bz], [cx, cy, cz]).map(Self).map_err(thrown)
    }

    /// Finds the hit of a ray.
    pub fn cast(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> bool {
        let ray = Choices::new(bits).ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        answer::one(self.0.cast(&ray).map(|hit| ShapeRecord(ray, hit)))
    }

    /// Finds the hit of a segment.
    pub fn collide_segment(&self, jx: f32, jy: f32, jz: f32, kx: f32, ky: f32, kz: f32) -> bool {
        answer::one(self.0.collide_segment([jx, jy, jz], [kx, ky, kz]))
    }
}
