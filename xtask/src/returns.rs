//! Looks for tests that return early: libtest calls such a test passed. A test may only return after a call that reports the skip, so that it is
//! counted (`crates/hitscan-random/src/skip.rs`), or if it is only for long runs.

use crate::shell::{files_below, root};
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;

/// A statement that returns from a test must contain one of these: they count a skip, or are a choice of the caller.
const COUNTED: [&str; 6] = ["models()", "model(", "skipped(", "displayed()", "played(", "is_long()"];

/// The least number of tests: fewer are a fault of the search.
const LEAST: usize = 500;

/// Fails if a test returns early without a report, and names the line.
pub(crate) fn check() -> Result<()> {
    let files = files_below(&root().join("crates"))?;
    let (mut tests, mut faults) = (0, Vec::new());
    for file in files.iter().filter(|file| is_source(file)) {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        tests += text.matches("#[test]").count();
        let shown = file.strip_prefix(root()).unwrap_or(file).display().to_string();
        let told = |line| {
            format!(
                "{shown}:{line}: a test returns early and says nothing: call `hitscan_random::skip::skipped` before it"
            )
        };
        faults.extend(early_returns(&text).into_iter().map(told));
    }
    ensure!(tests >= LEAST, "there are {tests} tests, and there should be {LEAST}: has the check lost them?");
    if faults.is_empty() { Ok(()) } else { bail!("{}", faults.join("\n")) }
}

/// Returns whether a file is Rust, and not a product of cargo.
fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rs") && file.iter().all(|name| name != "target")
}

/// Returns the numbers of the lines at which a test returns early.
fn early_returns(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut number = 0;
    while number < lines.len() {
        if lines[number].trim() != "#[test]" {
            number += 1;
            continue;
        }
        let indent = lines[number].len() - lines[number].trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let length = lines[number..].iter().position(|line| *line == end).unwrap_or(lines.len() - number);
        found.extend(returns_of(&lines[number..number + length], indent).map(|line| number + line + 1));
        number += length;
    }
    found
}

/// Returns the offsets of the returns in a test. A return in a closure is deeper than the blocks of the test itself, and is preceded by a line that opens
/// the closure.
fn returns_of<'a>(test: &'a [&'a str], indent: usize) -> impl Iterator<Item = usize> + 'a {
    let mut closures: Vec<usize> = Vec::new();
    test.iter().enumerate().filter_map(move |(number, line)| {
        let depth = line.len() - line.trim_start().len();
        if !line.trim().is_empty() {
            closures.retain(|closure| depth > *closure);
        }
        let opens_closure = line.ends_with('{')
            && (line.contains("| {") || line.contains("|| ") || depth > indent && line.trim_start().starts_with("fn "));
        if opens_closure {
            closures.push(depth);
        }
        let is_return = ["return;", "{ return }", "return println!"].iter().any(|way| line.contains(way));
        let statement = &test[number.saturating_sub(1)..=number];
        let is_counted = statement.iter().any(|line| COUNTED.iter().any(|counted| line.contains(counted)));
        (is_return && depth > indent && closures.is_empty() && !is_counted).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::early_returns;

    #[test]
    fn an_early_return_is_found_unless_it_is_counted() {
        let silent = "#[test]\nfn a() {\n    if !is_there() {\n        return;\n    }\n    assert!(true);\n}\n";
        assert_eq!(early_returns(silent), [4]);
        assert_eq!(early_returns("#[test]\nfn a() {\n    let Some(x) = found() else { return };\n}\n"), [3]);
        let counted = "#[test]\nfn a() {\n    let Some(models) = models() else { return };\n    check(models);\n}\n";
        assert!(early_returns(counted).is_empty());
        let closure = "#[test]\nfn a() {\n    let f = |x| {\n        if x {\n            return;\n        }\n    };\n    f(true);\n}\n";
        assert!(early_returns(closure).is_empty());
        assert!(early_returns("fn a() {\n    return;\n}\n").is_empty());
    }
}
