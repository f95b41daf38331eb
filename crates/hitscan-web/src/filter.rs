//! Choices of entities and hits that JavaScript makes.

use crate::answer::{self, Record, place};
use hitscan::Filter;
use hitscan::query::Candidate;
use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// The functions of one filter.
struct Functions {
    entities: Option<Function>,
    hits: Option<Function>,
}

impl Functions {
    const NONE: Self = Self { entities: None, hits: None };
}

/// The purpose of a filter in a question.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// It selects the entities and hits that count.
    Counts,
    /// It selects the entities and hits that hide others.
    Hides,
}

/// The functions of the current question. They are here, not in the filter, because threads may share a filter, but not functions.
struct Callbacks {
    counts: Functions,
    hides: Functions,
    /// The function that decides what a hit or a contact does.
    decides: Option<Function>,
    error: Option<JsValue>,
}

impl Callbacks {
    const NONE: Self = Self { counts: Functions::NONE, hides: Functions::NONE, decides: None, error: None };

    fn of(&self, role: Role) -> &Functions {
        match role {
            Role::Counts => &self.counts,
            Role::Hides => &self.hides,
        }
    }
}

thread_local! {
    static CALLBACKS: RefCell<Callbacks> = const { RefCell::new(Callbacks::NONE) };
}

/// Sets the functions that the next questions call to find what counts: with an entity's number, and with a candidate in the record.
#[wasm_bindgen]
pub fn set_callbacks(entities: Option<Function>, hits: Option<Function>) {
    CALLBACKS.with_borrow_mut(|callbacks| {
        *callbacks = Callbacks { counts: Functions { entities, hits }, ..Callbacks::NONE };
    });
}

/// Adds the functions that the next questions call in the same manner to find what hides.
#[wasm_bindgen]
pub fn set_hiding_callbacks(entities: Option<Function>, hits: Option<Function>) {
    CALLBACKS.with_borrow_mut(|callbacks| callbacks.hides = Functions { entities, hits });
}

/// Adds the function that the next question calls, with a hit or a contact in the record, to decide the effect of that hit or contact.
#[wasm_bindgen]
pub fn set_decision(decides: Function) {
    CALLBACKS.with_borrow_mut(|callbacks| callbacks.decides = Some(decides));
}

/// Returns the value that a function has thrown, and forgets the functions.
#[wasm_bindgen]
pub fn end_callbacks() -> Option<JsValue> {
    CALLBACKS.replace(Callbacks::NONE).error
}

/// Returns whether a function of the current question has thrown.
pub(crate) fn has_failed() -> bool {
    CALLBACKS.with_borrow(|callbacks| callbacks.error.is_some())
}

/// Calls `call`, which may ask a question with functions of its own, and restores the current functions after that.
pub(crate) fn apart<R>(call: impl FnOnce() -> R) -> R {
    let callbacks = CALLBACKS.replace(Callbacks::NONE);
    let answer = call();
    CALLBACKS.set(callbacks);
    answer
}

/// Calls a function, and returns its answer. If it throws, there is no answer, and no other function of this question
/// is called.
fn ask(
    choose: impl Fn(&Callbacks) -> Option<&Function>,
    call: impl FnOnce(&Function) -> Result<JsValue, JsValue>,
) -> Option<JsValue> {
    // The function may ask another scene a question with functions of its own.
    let mut callbacks = CALLBACKS.replace(Callbacks::NONE);
    let called = choose(&callbacks).filter(|_| callbacks.error.is_none()).map(call).transpose();
    let answer = called.unwrap_or_else(|error| {
        callbacks.error = Some(error);
        None
    });
    CALLBACKS.set(callbacks);
    answer
}

/// Returns whether a function answers yes.
fn agrees(
    choose: impl Fn(&Callbacks) -> Option<&Function>,
    call: impl FnOnce(&Function) -> Result<JsValue, JsValue>,
) -> bool {
    ask(choose, call).is_some_and(|answer| answer.is_truthy())
}

/// Writes a hit or a contact, and returns the number of the decision about it; 0 after an error.
pub(crate) fn decide(record: impl Record) -> u32 {
    answer::one(Some(record));
    let decision = ask(|callbacks| callbacks.decides.as_ref(), |function| function.call0(&JsValue::NULL));
    decision.and_then(|number| number.as_f64()).map_or(0, |number| number as u32)
}

impl Record for Candidate<'_, u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.t.into());
        put(place::ID, self.id.into());
        put(place::PART, self.part.into());
        put(place::TRIANGLE, answer::index(self.triangle));
        answer::side_of(&mut put, self.side);
        let uv = self.uv.map_or([f64::NAN; 2], |uv| [uv.x.into(), uv.y.into()]);
        put(place::UV, uv[0]);
        put(place::UV + 1, uv[1]);
        put(place::FEATURE, answer::index(self.feature));
    }
}

/// A candidate as a record.
struct Borrowed<'a, 'b>(&'a Candidate<'b, u32>);

impl Record for Borrowed<'_, '_> {
    fn put(&self, put: impl FnMut(usize, f64)) {
        self.0.put(put);
    }
}

/// Adds the functions to a filter.
pub(crate) fn with_callbacks(
    mut filter: Filter<'static, u32>,
    role: Role,
    entities: bool,
    hits: bool,
) -> Filter<'static, u32> {
    if entities {
        filter = filter.entities(move |id| {
            let number = JsValue::from(id);
            agrees(|callbacks| callbacks.of(role).entities.as_ref(), |function| function.call1(&JsValue::NULL, &number))
        });
    }
    if hits {
        filter = filter.hits(move |candidate| {
            answer::one(Some(Borrowed(candidate)));
            agrees(|callbacks| callbacks.of(role).hits.as_ref(), |function| function.call0(&JsValue::NULL))
        });
    }
    filter
}
