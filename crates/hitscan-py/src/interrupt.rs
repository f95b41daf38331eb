//! Signals during long calls. Python handles Ctrl-C when its main thread comes back to the interpreter, so a long call has to look for it.
//!
//! A stopped call ends by unwinding, because its pieces have no answer that they could return. Everything that they hold is dropped. Nothing is printed,
//! because no panic hook runs, and [`caught`] turns the payload into an exception before Python sees it.

use pyo3::prelude::*;
use rayon::ThreadPool;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The time between two checks for signals.
const PERIOD: Duration = Duration::from_millis(30);

/// The reason why the calling thread leaves a call.
struct Interrupted(PyErr);

/// The reason why a thread of the pool leaves a piece of a call.
struct Stopped;

/// A call on the threads of a pool: true when nobody waits for its answer any more.
type Call = Arc<AtomicBool>;

/// The answer of work, or the reason why there is none.
type Outcome<A> = Result<A, Box<dyn Any + Send>>;

thread_local! {
    /// The call that this thread of a pool works on.
    static CURRENT: RefCell<Option<Call>> = const { RefCell::new(None) };
}

/// Runs a call, and returns the exception of a signal that stopped it.
pub(crate) fn caught<A>(call: impl FnOnce() -> A) -> PyResult<A> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| match payload.downcast::<Interrupted>() {
        Ok(reason) => reason.0,
        Err(panic) => resume_unwind(panic),
    })
}

/// Leaves a call because a function of the caller raised an exception.
pub(crate) fn leave(fault: PyErr) -> ! {
    resume_unwind(Box::new(Interrupted(fault)))
}

/// Runs work on the threads of a pool, and looks for signals meanwhile. Work that has a [`Watch`] ends soon after a signal.
pub(crate) fn in_pool<A: Send>(pool: &ThreadPool, work: impl FnOnce() -> A + Send) -> A {
    let (call, (sender, receiver)) = (Call::default(), mpsc::channel());
    let theirs = call.clone();
    let answered = pool.in_place_scope(|scope| {
        scope.spawn(move |_| _ = sender.send(within(theirs, work)));
        // The scope waits for the work, which borrows from the caller, also after a signal.
        wait(&call, &receiver)
    });
    finish(answered)
}

/// Runs work that borrows nothing on the threads of a pool, and looks for signals meanwhile. After a signal the caller does not wait for
/// the work: without a [`Watch`] it goes on in the background, and its answer is dropped.
pub(crate) fn apart<A: Send + 'static>(pool: &ThreadPool, work: impl FnOnce() -> A + Send + 'static) -> A {
    let (call, (sender, receiver)) = (Call::default(), mpsc::channel());
    let theirs = call.clone();
    pool.spawn(move || _ = sender.send(within(theirs, work)));
    finish(wait(&call, &receiver))
}

/// Runs work as part of a call, which is this thread's current call meanwhile.
fn within<A>(call: Call, work: impl FnOnce() -> A) -> Outcome<A> {
    // A thread that waits for pieces may take up another call meanwhile.
    let before = CURRENT.replace(Some(call));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    CURRENT.set(before);
    outcome
}

/// Waits for an outcome, or for a signal, which stops the call.
fn wait<A>(call: &Call, receiver: &Receiver<Outcome<A>>) -> Outcome<A> {
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Timeout) => {
                if let Err(fault) = Python::attach(|py| py.check_signals()) {
                    call.store(true, Ordering::Relaxed);
                    return Err(Box::new(Interrupted(fault)));
                }
            }
            // The work always sends an outcome, so this does not happen.
            Err(RecvTimeoutError::Disconnected) => return Err(Box::new(Stopped)),
        }
    }
}

fn finish<A>(outcome: Outcome<A>) -> A {
    outcome.unwrap_or_else(|reason| resume_unwind(reason))
}

/// The pieces of a call ask a watch whether they are to go on. The thread that divides the work makes the watch.
pub(crate) struct Watch {
    /// The call; none on the calling thread itself, which looks for signals.
    call: Option<Call>,
    start: Instant,
    /// The time of the last check, in nanoseconds from the start.
    last: AtomicU64,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self { call: CURRENT.with_borrow(Clone::clone), start: Instant::now(), last: AtomicU64::new(0) }
    }

    /// Leaves the call by unwinding if it was stopped.
    #[inline]
    pub(crate) fn look(&self) {
        match &self.call {
            Some(call) if call.load(Ordering::Relaxed) => resume_unwind(Box::new(Stopped)),
            Some(_) => {}
            None => self.look_for_signals(),
        }
    }

    fn look_for_signals(&self) {
        let now = self.start.elapsed().as_nanos() as u64;
        if now - self.last.load(Ordering::Relaxed).min(now) < PERIOD.as_nanos() as u64 {
            return;
        }
        self.last.store(now, Ordering::Relaxed);
        if let Err(fault) = Python::attach(|py| py.check_signals()) {
            resume_unwind(Box::new(Interrupted(fault)));
        }
    }
}
