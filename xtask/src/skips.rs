//! Skips: steps and tests add lines to a file, one for each thing that they left out: the kind of the missing thing, the test or step, and the way to
//! get it (`crates/hitscan-random/src/skip.rs` has the tests' part).

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// The environment variable that names the file.
pub(crate) const SKIPS: &str = "HITSCAN_SKIPS";

/// The variable that allows a step to install missing things.
pub(crate) const INSTALLS: &str = "HITSCAN_XTASK_INSTALLS";

/// A kind of skip, and its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Skip {
    /// The kind of the missing item, a word that `--without` accepts.
    pub(crate) kind: String,
    pub(crate) who: Vec<String>,
    /// The way to get it.
    pub(crate) way: String,
}

/// Returns whether this step may install missing things: only in the gate.
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

/// Returns the skips in a file, by kind and way. A missing file has none.
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
