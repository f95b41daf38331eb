//! Instruction sets, one after the other. The choice is global to the process, so only one test at a time may choose.

use hitscan::simd::SimdLevel;
use std::sync::{Mutex, MutexGuard, PoisonError};

static CHOICE: Mutex<()> = Mutex::new(());

/// The instruction sets of this build and machine. `next` selects the instruction set that it returns, and dropping the iterator selects the best one.
///
/// Two such loops must not be nested. The inner loop would wait forever for the outer one.
#[derive(Debug)]
pub struct Levels {
    left: std::vec::IntoIter<SimdLevel>,
    _alone: MutexGuard<'static, ()>,
}

/// Returns the instruction sets to select, and waits until no other test selects one.
pub fn each() -> Levels {
    let alone = CHOICE.lock().unwrap_or_else(PoisonError::into_inner);
    Levels { left: SimdLevel::available().collect::<Vec<_>>().into_iter(), _alone: alone }
}

impl Iterator for Levels {
    type Item = SimdLevel;

    fn next(&mut self) -> Option<SimdLevel> {
        self.left.next().inspect(|level| level.select().expect("an available instruction set"))
    }
}

impl Drop for Levels {
    fn drop(&mut self) {
        // The best instruction set is always available. A panic here would hide the panic of the test.
        let _ = SimdLevel::best().select();
    }
}
