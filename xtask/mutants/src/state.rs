//! The verdicts of earlier runs, from which a run continues, and the explanations of survivors.

use crate::choice::{Mutant, hash};
use crate::run::Verdict;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The verdicts of earlier runs, and the mutants that do not compile. An entry is used only as long as the mutant's file is unchanged.
pub(crate) struct State {
    file: PathBuf,
    /// The hashes of the kernels' files, by their names.
    hashes: BTreeMap<&'static str, u64>,
    verdicts: BTreeMap<(u64, String), Option<Verdict>>,
}

/// The word for a mutant that does not compile.
const BROKEN: &str = "broken";

impl State {
    pub(crate) fn read(file: PathBuf, src: &Path) -> Result<Self> {
        let mut hashes = BTreeMap::new();
        for kernel in &crate::kernels::KERNELS {
            let path = src.join(kernel.file);
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            hashes.insert(kernel.file, hash(&text));
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let verdicts = text.lines().filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let (hash, word, key) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
            let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word);
            (verdict.is_some() || word == BROKEN).then(|| ((hash, key.to_owned()), verdict))
        });
        Ok(Self { verdicts: verdicts.collect(), file, hashes })
    }

    fn place(&self, mutant: &Mutant) -> (u64, String) {
        (self.hashes.get(mutant.kernel().file).copied().unwrap_or_default(), mutant.key())
    }

    pub(crate) fn verdict(&self, mutant: &Mutant) -> Option<Verdict> {
        self.verdicts.get(&self.place(mutant)).copied().flatten()
    }

    /// Returns the keys of mutants that do not compile.
    pub(crate) fn broken(&self) -> Vec<String> {
        let known: Vec<u64> = self.hashes.values().copied().collect();
        let broken = self.verdicts.iter().filter(|((hash, _), verdict)| verdict.is_none() && known.contains(hash));
        broken.map(|((_, key), _)| key.clone()).collect()
    }

    /// Notes a verdict, or that a mutant does not compile.
    pub(crate) fn note(&mut self, mutant: &Mutant, verdict: Option<Verdict>) -> Result<()> {
        let (hash, key) = self.place(mutant);
        let word = verdict.map_or(BROKEN, Verdict::name);
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        writeln!(file, "{hash}\t{word}\t{key}").with_context(|| format!("cannot write {}", self.file.display()))?;
        self.verdicts.insert((hash, key), verdict);
        Ok(())
    }
}

/// Returns the explanations of survivors: a line with the mutant's key, and indented lines with the reason.
pub(crate) fn explanations(text: &str) -> BTreeMap<&str, String> {
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    let mut key = "";
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if line.starts_with("  ") {
            let reason = found.entry(key).or_default();
            reason.push_str(line.trim());
            reason.push(' ');
        } else {
            key = line.trim_end();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::explanations;

    #[test]
    fn explanations_have_a_key_and_a_reason() {
        let found = explanations("# Head.\n\na.rs: x < y => x <= y\n  Equal ones\n  are the same.\nb.rs: -x => x\n");
        assert_eq!(found.get("a.rs: x < y => x <= y").map(String::as_str), Some("Equal ones are the same. "));
        assert_eq!(found.len(), 1);
    }
}
