//! The choice of some of all possible mutants.

use crate::kernels::{KERNELS, Kernel};
use crate::sites::{Site, sites};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// A change of one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    pub(crate) kernel: usize,
    pub(crate) site: Site,
}

impl Mutant {
    pub(crate) fn kernel(&self) -> &'static Kernel {
        &KERNELS[self.kernel]
    }

    /// Returns a key that stays the same when lines move. It consists of the file, the expression and its replacement.
    pub(crate) fn key(&self) -> String {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}: {} => {}", self.kernel().file, one_line(&self.site.original), one_line(&self.site.mutated))
    }
}

/// Chooses at most this number of mutants from the library's sources. There is a share from each kernel, and no mutant within another. The choice only depends
/// on the sources and on the mutants that do not compile.
pub(crate) fn choose(src: &Path, count: usize, broken: &[String]) -> Result<Vec<Mutant>> {
    let mut all = Vec::new();
    for (kernel, Kernel { file, .. }) in KERNELS.iter().enumerate() {
        let path = src.join(file);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let sites = sites(&text).with_context(|| path.display().to_string())?;
        all.extend(sites.into_iter().map(|site| Mutant { kernel, site }));
    }
    // The order by a hash is as good as a random order.
    all.sort_by_key(|mutant| (hash(&mutant.key()), mutant.site.line));
    all.retain(|mutant| !broken.contains(&mutant.key()));
    let mut chosen: BTreeMap<usize, Vec<Mutant>> = BTreeMap::new();
    let mut number = 0;
    let most = count.div_ceil(KERNELS.len()).max(1) * 2;
    for mutant in all {
        let others = chosen.entry(mutant.kernel).or_default();
        let is_apart = |other: &Mutant| {
            other.site.range.end <= mutant.site.range.start || mutant.site.range.end <= other.site.range.start
        };
        if number < count && others.len() < most && others.iter().all(is_apart) {
            others.push(mutant);
            number += 1;
        }
    }
    Ok(chosen.into_values().flatten().collect())
}

/// Returns the hash of a text (FNV-1a).
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
