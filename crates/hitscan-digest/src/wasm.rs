//! The functions that the host calls: it reserves memory for a message, writes the message there, and asks for the
//! answer.
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

/// Returns the address to which the host may write a message of this length until the next call.
#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.message.clear();
        state.message.resize(bytes, 0);
        state.message.as_mut_ptr()
    })
}

/// Returns the answer to the message, which is valid only if `error_length` is 0 afterwards.
#[unsafe(no_mangle)]
extern "C" fn answer() -> u64 {
    STATE.with_borrow_mut(|state| {
        let answer = state.server.answer(&state.message);
        state.error = answer.as_ref().err().cloned().unwrap_or_default();
        answer.unwrap_or_default()
    })
}

/// Returns the address of the last error's text in UTF-8.
#[unsafe(no_mangle)]
extern "C" fn error() -> *const u8 {
    STATE.with_borrow(|state| state.error.as_ptr())
}

/// Returns the length of the last error's text in bytes; 0 if there was no error.
#[unsafe(no_mangle)]
extern "C" fn error_length() -> usize {
    STATE.with_borrow(|state| state.error.len())
}
