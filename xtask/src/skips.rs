//! The skips of steps and tests. For each skip they add a line to a file. The line has the kind of the missing item, the test or step, and how to get the item.
//! `crates/hitscan-random/src/skip.rs` does this for tests.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// The environment variable that names the file.
pub(crate) const SKIPS: &str = "HITSCAN_SKIPS";

/// The variable that allows a step to install missing tools.
pub(crate) const INSTALLS: &str = "HITSCAN_XTASK_INSTALLS";

/// The skips with the same missing item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skip {
    /// The kind of the missing item, a word that `--without` accepts.
    pub(crate) kind: String,
    pub(crate) who: Vec<String>,
    /// The command or advice to get the missing item.
    pub(crate) way: String,
}

/// Returns whether this step may install missing tools, which is only so in the gate.
pub(crate) fn may_install() -> bool {
    std::env::var_os(INSTALLS).is_some()
}

/// Reports that the running step leaves something out.
pub(crate) fn skip(kind: &str, who: &str, way: &str) -> Result<()> {
    println!("skipped: {who}: {kind}: {way}");
    let Some(file) = std::env::var_os(SKIPS) else { return Ok(()) };
    let opened = OpenOptions::new().create(true).append(true).open(&file);
    let written = opened.and_then(|mut file| writeln!(file, "{kind}\t{who}\t{way}"));
    written.with_context(|| format!("cannot add a skip to {}", Path::new(&file).display()))
}

/// Returns the skips in a file, grouped by the missing item. If the file is missing, there are none.
pub(crate) fn read(file: &Path) -> Result<Vec<Skip>> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    Ok(parse(&std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?))
}

fn parse(text: &str) -> Vec<Skip> {
    let mut found: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.splitn(3, '\t');
        let (kind, who, way) = (words.next().unwrap_or(""), words.next().unwrap_or(""), words.next().unwrap_or(""));
        found.entry((kind, way)).or_default().push(who.to_owned());
    }
    let skips = found.into_iter();
    skips.map(|((kind, way), who)| Skip { kind: kind.to_owned(), who, way: way.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_are_gathered_by_kind_and_way() {
        let skips = parse("models\tsweep::scan\tset a variable\nnode\tdigest\tapt-get\nmodels\ttown\tset a variable\n");
        let told: Vec<_> = skips.iter().map(|skip| (&*skip.kind, skip.who.len(), &*skip.way)).collect();
        assert_eq!(told, [("models", 2, "set a variable"), ("node", 1, "apt-get")]);
    }
}
