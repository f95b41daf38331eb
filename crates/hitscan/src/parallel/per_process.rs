//! Values that each process makes for itself.

use core::sync::atomic::{AtomicU32, Ordering};
use std::boxed::Box;
use std::sync::OnceLock;

/// A value that does not survive a fork, such as threads. A forked child has no threads of its parent, and would wait for them for ever. So each process makes
/// a value of its own. Finding it takes no lock, because a lock that another thread holds during the fork stays locked in the child.
pub struct PerProcess<T: 'static> {
    first: Entry<T>,
}

/// The place for the value of a process.
struct Entry<T> {
    /// The process that makes the value, or 0.
    maker: AtomicU32,
    made: OnceLock<Made<T>>,
}

struct Made<T> {
    process: u32,
    value: T,
    /// The place for the value of a process that this process forks.
    next: Box<Entry<T>>,
}

/// The origin of the process that makes a value. The process may have been forked from a process that had made a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ancestry {
    /// No parent had made a value.
    First,
    /// A parent had made a value when it forked.
    Forked,
}

impl<T> PerProcess<T> {
    /// Makes a place in which no process has made a value yet.
    #[expect(clippy::new_without_default, reason = "it is for statics, which cannot call a `default`")]
    pub const fn new() -> Self {
        Self { first: Entry::new() }
    }

    /// Returns the value of this process, which `make` makes if there is none. It is `None` in a child that was forked
    /// while another thread of its parent was making a value. In the child, that thread does not exist and cannot
    /// finish the value.
    pub fn get(&'static self, make: impl FnOnce(Ancestry) -> T) -> Option<&'static T> {
        self.value_of(std::process::id(), make)
    }

    fn value_of(&'static self, process: u32, make: impl FnOnce(Ancestry) -> T) -> Option<&'static T> {
        let (mut slot, mut ancestry) = (&self.first, Ancestry::First);
        while let Some(made) = slot.made.get() {
            if made.process == process {
                return Some(&made.value);
            }
            (slot, ancestry) = (&made.next, Ancestry::Forked);
        }
        slot.fill(process, || make(ancestry))
    }
}

impl<T> Entry<T> {
    const fn new() -> Self {
        Self { maker: AtomicU32::new(0), made: OnceLock::new() }
    }

    /// Returns the value that this process makes here; `None` if a thread of another process has begun to make a value here.
    fn fill(&self, process: u32, make: impl FnOnce() -> T) -> Option<&T> {
        match self.maker.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed) {
            Err(maker) if maker != process => None,
            _ => Some(&self.made.get_or_init(|| Made { process, value: make(), next: Box::new(Self::new()) }).value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn each_process_has_a_value_of_its_own() {
        static VALUES: PerProcess<(u32, Ancestry)> = PerProcess::new();
        let ask = |process| VALUES.value_of(process, |ancestry| (process, ancestry)).copied();
        for _ in 0..2 {
            for (process, ancestry) in [(7, Ancestry::First), (8, Ancestry::Forked), (9, Ancestry::Forked)] {
                assert_eq!(ask(process), Some((process, ancestry)));
            }
        }
    }

    #[test]
    fn the_threads_of_a_process_share_a_value() {
        static VALUES: PerProcess<AtomicU32> = PerProcess::new();
        let together = Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    together.wait();
                    VALUES.get(|_| AtomicU32::new(0)).unwrap().fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(VALUES.get(|_| unreachable!()).unwrap().load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_child_does_not_wait_for_what_a_thread_of_its_parent_has_begun() {
        static VALUES: PerProcess<u32> = PerProcess::new();
        let (begun, asked) = (Barrier::new(2), Barrier::new(2));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                VALUES.value_of(7, |_| {
                    begun.wait();
                    asked.wait();
                    1
                })
            });
            begun.wait();
            assert_eq!(VALUES.value_of(8, |_| 2), None);
            asked.wait();
        });
    }
}
