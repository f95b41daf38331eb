//! Shapes of the program's own: the program's functions cast rays at them.

use crate::answer::{self, Record, place, vector_f64};
use crate::filter::apart;
use hitscan::custom::{CustomHit, CustomRay, CustomShape};
use hitscan::glam::Vec2;
use hitscan::{Aabb, Side};
use js_sys::Function;
use std::cell::RefCell;
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;

thread_local! {
    /// The functions of the shapes. They are here, not in the shapes, because threads may share a shape, but not functions.
    static FUNCTIONS: RefCell<Vec<Option<Function>>> = const { RefCell::new(Vec::new()) };
}

/// A shape, and the index of its function in `FUNCTIONS`.
pub(crate) struct Crossings {
    bounds: Aabb,
    number: usize,
}

impl Crossings {
    /// Makes a shape. `begins` is called with a ray in the record, and returns another function. Each call of that function writes the next crossing to the
    /// record, or returns `false` after the last one.
    pub(crate) fn new(bounds: Aabb, begins: Function) -> Self {
        let number = FUNCTIONS.with_borrow_mut(|functions| {
            let free = functions.iter().position(Option::is_none).unwrap_or(functions.len());
            functions.resize(functions.len().max(free + 1), None);
            functions[free] = Some(begins);
            free
        });
        Self { bounds, number }
    }
}

impl Drop for Crossings {
    fn drop(&mut self) {
        FUNCTIONS.with_borrow_mut(|functions| functions[self.number] = None);
    }
}

/// A ray as a record.
struct Asked<'a>(&'a CustomRay);

impl Record for Asked<'_> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        vector_f64(&mut put, place::POINT, self.0.origin);
        vector_f64(&mut put, place::NORMAL, self.0.direction);
        put(place::T, self.0.t_min);
        put(place::EXTRA, self.0.t_max);
    }
}

/// Reads the crossing in the record.
fn crossing() -> CustomHit {
    let side = if answer::number_at(place::SIDE) == 0.0 { Side::Front } else { Side::Back };
    let uv = Vec2::new(answer::number_at(place::UV) as f32, answer::number_at(place::UV + 1) as f32);
    CustomHit {
        uv: (!uv.is_nan()).then_some(uv),
        feature: answer::number_at(place::FEATURE) as u32,
        ..CustomHit::new(answer::number_at(place::T), answer::vector_at(place::NORMAL), side)
    }
}

impl CustomShape for Crossings {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let Some(begins) = FUNCTIONS.with_borrow(|functions| functions[self.number].clone()) else { return };
        answer::one(Some(Asked(ray)));
        let call = |function: &Function| apart(|| function.call0(&JsValue::NULL)).unwrap_or_default();
        let next: Function = call(&begins).unchecked_into();
        let has_next = || call(&next).is_truthy();
        while has_next() && offer(crossing()).is_continue() {}
    }
}
