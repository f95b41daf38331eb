//! Checks that the paths of files and folders that the documents name exist.

use crate::files::{files, name, read};
use crate::shell::root;
use anyhow::Result;
use std::collections::BTreeSet;

/// The pages outside of `docs`, and the folder of dated pages, which name files of their time.
const PAGES: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
const DATED: &str = "docs/log/";

/// The beginnings of paths that no checkout has: outputs of commands, and modules of the npm package.
const ABSENT: [&str; 6] =
    ["target/", "fuzz/artifacts", "fuzz/corpus", "hitscan/three", "hitscan/wasm", "playground/shots"];

/// The parts of paths that a reader replaces by a name.
const PLACEHOLDERS: [&str; 2] = ["NAME", "FOLDER"];

/// This file, whose tests name pages that do not exist.
const OWN: &str = "xtask/src/named_paths.rs";

/// The kinds of files that pages name.
const KINDS: [&str; 16] =
    ["c", "h", "hpp", "json", "md", "mjs", "png", "py", "pyi", "rs", "sh", "svg", "toml", "ts", "txt", "js"];

/// Returns the paths on the pages that lead to no file or folder.
pub(crate) fn faults() -> Result<Vec<String>> {
    let all: BTreeSet<String> = files(&root(), &KINDS)?.iter().map(|path| name(path)).collect();
    let pages = all
        .iter()
        .filter(|page| page.ends_with(".md") && (page.starts_with("docs/") || PAGES.contains(&page.as_str())));
    let mut faults = Vec::new();
    for page in pages.filter(|page| !page.starts_with(DATED)) {
        let lost = lost(&read(&root().join(page))?, &all, &|path| root().join(path).exists());
        faults.extend(lost.into_iter().map(|(line, path)| format!("{page}:{line}: there is no `{path}`")));
    }
    for source in all.iter().filter(|file| file.ends_with(".rs") && file.as_str() != OWN) {
        let text = read(&root().join(source))?;
        let lost = pages_in(&text).filter(|(_, page)| !all.contains(*page));
        faults.extend(lost.map(|(line, page)| format!("{source}:{line}: there is no {page}")));
    }
    Ok(faults)
}

/// Returns the paths on a page that do not exist, with their lines. A path may begin at any folder, and a Rust file may lack its ending.
fn lost(page: &str, all: &BTreeSet<String>, exists: &dyn Fn(&str) -> bool) -> Vec<(usize, String)> {
    let is_found = |path: &str| {
        let path = path.trim_end_matches('/');
        let ends = |file: &String| {
            let file = format!("/{file}/");
            [format!("/{path}/"), format!("/{path}.rs/")].iter().any(|wanted| file.contains(wanted.as_str()))
        };
        exists(path) || all.iter().any(ends)
    };
    let named = (1..).zip(page.lines()).flat_map(|(line, text)| paths(text).map(move |path| (line, path)));
    named.filter(|(_, path)| !is_found(path)).map(|(line, path)| (line, path.to_owned())).collect()
}

/// Returns the pages that the comments of a source file name, with their lines.
fn pages_in(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let comments = (1..).zip(source.lines()).filter_map(|(line, text)| Some((line, text.split_once("//")?.1)));
    comments.flat_map(|(line, text)| {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c)));
        words.filter(|word| word.starts_with("docs/") && word.ends_with(".md")).map(move |page| (line, page))
    })
}

/// Returns the texts between backticks that look like a path of the repository.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &&str| {
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        let is_named = text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.contains('/');
        let is_any = text.split(['/', '.']).any(|part| PLACEHOLDERS.contains(&part));
        is_plain && is_named && !is_any && !ABSENT.iter().any(|start| text.starts_with(start))
    };
    line.split('`').skip(1).step_by(2).filter(is_path)
}

#[cfg(test)]
mod tests {
    use super::{lost, pages_in, paths};
    use std::collections::BTreeSet;

    #[test]
    fn lost_paths_are_found() {
        let all: BTreeSet<String> = ["crates/a/src/sweep/torus.rs", "docs/a.md"].map(str::to_owned).into();
        let page = "See `sweep/torus.rs`, `a/src/` and `sweep/torus`.\nIn `sweep/toru` or `sweep/ring.rs` is nothing, and `b/c` is there.";
        let lost = lost(page, &all, &|path| path == "b/c");
        assert_eq!(lost, [(2, "sweep/toru".to_owned()), (2, "sweep/ring.rs".to_owned())]);
    }

    #[test]
    fn pages_in_comments_are_found() {
        let source = "// See docs/a.md, \"docs\" and\nlet a = \"docs/b.md\"; // docs/c/d.md\n";
        assert_eq!(pages_in(source).collect::<Vec<_>>(), [(1, "docs/a.md"), (2, "docs/c/d.md")]);
    }

    #[test]
    fn other_words_are_no_paths() {
        let line = "`a/b.rs`, not `c`, `d / e`, `f::g`, `target/tools`, `shape/NAME.rs`, `../other` or i/j";
        assert_eq!(paths(line).collect::<Vec<_>>(), ["a/b.rs"]);
    }
}
