//! Bytes that contenders take.

use crate::contenders::{Bytes, Meter, Tree};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Runs a build, and says what it took, the copies of the user's vertices and indices apart; `None` where nobody knows.
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
        // Its peak is not known.
        Meter::Resident => resident.zip(resident_bytes()).map(|(before, after)| {
            let held = after.saturating_sub(before);
            Bytes { held, peak: held }
        }),
    };
    let copied = tree.copied_input();
    let own = |bytes: Bytes| Bytes { held: bytes.held.saturating_sub(copied), peak: bytes.peak.saturating_sub(copied) };
    Ok((tree, bytes.map(own)))
}

/// The process's resident memory, from Linux's /proc; `None` elsewhere.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contenders;
    use crate::scenes::Soup;
    use hitscan::glam::DVec3;

    #[test]
    fn a_build_is_counted() {
        let mut soup = Soup::default();
        soup.sphere(DVec3::ZERO, 1.0, 128, |_| 0.0);
        let workers = contenders::Workers::new(1).unwrap();
        let all = contenders::all(None).unwrap();
        let (_tree, bytes) = of_build(Meter::Allocator, || all[0].build(&soup, &workers)).unwrap();
        let bytes = bytes.unwrap();
        // Other tests allocate at the same time, so only the order of magnitude is certain.
        assert!(bytes.held > 10 * soup.triangle_count() && bytes.peak >= bytes.held, "{bytes:?}");
    }
}
