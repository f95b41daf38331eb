//! What the host calls: it reserves, writes a message, asks for the answer.
#![expect(unsafe_code, reason = "the names of exports: there are no others of these")]

use crate::server::Server;
use std::cell::RefCell;

#[derive(Default)]
struct State {
    message: Vec<u8>,
    server: Server,
    error: String,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Where the host may write a message of so many bytes, until it calls anything else.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.message.clear();
        state.message.resize(bytes, 0);
        state.message.as_mut_ptr()
    })
}

/// The answer to the message; where `error_length` is not 0 afterwards, there is none.
#[unsafe(no_mangle)]
extern "C" fn answer() -> u64 {
    STATE.with_borrow_mut(|state| {
        let answer = state.server.answer(&state.message);
        state.error = answer.as_ref().err().cloned().unwrap_or_default();
        answer.unwrap_or_default()
    })
}

/// Where the last error's text is, in UTF-8.
#[unsafe(no_mangle)]
extern "C" fn error() -> *const u8 {
    STATE.with_borrow(|state| state.error.as_ptr())
}

/// Its length in bytes; 0 without one.
#[unsafe(no_mangle)]
extern "C" fn error_length() -> usize {
    STATE.with_borrow(|state| state.error.len())
}
