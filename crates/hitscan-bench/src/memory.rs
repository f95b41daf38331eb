//! The memory that contenders use.

use crate::contenders::{Bytes, Meter, Tree};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Runs a build, and returns its memory without the copies of the user's vertices and indices; `None` if it is unknown.
pub(crate) fn of_build<'a, E>(
    meter: Meter,
    build: impl FnOnce() -> Result<Box<dyn Tree + 'a>, E>,
) -> Result<(Box<dyn Tree + 'a>, Option<Bytes>), E> {
    ALLOCATOR.reset_peak_usage();
    let (before, resident) = (ALLOCATOR.current_usage(), resident_bytes());
    let tree = build()?;
    let bytes = match meter {
        Meter::Own => Some(tree.bytes()),
        Meter::Allocator => Some(Bytes {
            held: ALLOCATOR.current_usage().saturating_sub(before),
            peak: ALLOCATOR.peak_usage().saturating_sub(before),
        }),
        // The peak is unknown.
        Meter::Resident => resident.zip(resident_bytes()).map(|(before, after)| {
            let held = after.saturating_sub(before);
            Bytes { held, peak: held }
        }),
    };
    let copied = tree.copied_input();
    let own = |bytes: Bytes| Bytes { held: bytes.held.saturating_sub(copied), peak: bytes.peak.saturating_sub(copied) };
    Ok((tree, bytes.map(own)))
}

/// Returns the process's resident memory from Linux's /proc; `None` elsewhere.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contenders::Hit;
    use hitscan::Ray;

    /// A contender that reports 100 bytes, of which 30 are copies of the user's data.
    struct Claims;

    impl Tree for Claims {
        fn closest(&self, _ray: &Ray) -> Option<Hit> {
            None
        }

        fn any(&self, _ray: &Ray) -> bool {
            false
        }

        fn shared(&self) -> Option<&(dyn Tree + Sync)> {
            None
        }

        fn copied_input(&self) -> usize {
            30
        }

        fn bytes(&self) -> Bytes {
            Bytes { held: 100, peak: 120 }
        }
    }

    // Other tests allocate at the same time, so the counts of `Meter::Allocator` cannot be tested.
    #[test]
    fn the_users_own_is_not_counted() {
        let build = || Ok::<Box<dyn Tree>, ()>(Box::new(Claims));
        let (_tree, bytes) = of_build(Meter::Own, build).unwrap();
        assert_eq!(bytes.map(|bytes| (bytes.held, bytes.peak)), Some((70, 90)));
    }

    #[test]
    fn resident_memory_is_known_on_linux() {
        assert_eq!(resident_bytes().is_some_and(|bytes| bytes > 1 << 20), cfg!(target_os = "linux"));
    }
}
