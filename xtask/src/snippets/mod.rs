//! The code on pages. Each block in Python, JavaScript, C and C++ runs unchanged in the step of its language; blocks in Rust are doc tests.
//!
//! A page may have hidden code around a block, as `#` hides lines in Rust. A comment `<!-- first` above the block has code such as imports and sample input,
//! and a comment `<!-- then` below the block asserts the results. `<!-- elsewhere: WHERE -->` above a block names another place that runs it. Lines keep their
//! numbers, so that errors name lines of the page.

pub(crate) mod javascript;
pub(crate) mod native;
pub(crate) mod python;

use crate::shell::{root, target};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Languages whose blocks are not run here. They are data, or commands, some of which other steps run.
const NOT_RUN: [&str; 5] = ["cmake", "json", "sh", "text", "toml"];

/// The languages of programs. Blocks in Rust are doc tests of `hitscan-io`.
const RUN: [&str; 5] = ["c", "cpp", "js", "python", "rust"];

/// A block of code of a page, with the code around it.
pub(crate) struct Snippet {
    page: String,
    /// The number of its first line in the page.
    line: usize,
    language: String,
    /// The program, in which each line has the same number as on the page.
    text: String,
    /// The other place that runs it, if it is not run here.
    elsewhere: Option<String>,
}

impl Snippet {
    /// Returns its place: the page and the line.
    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    /// Writes the program into a folder, and returns its path there.
    fn write(&self, folder: &Path, extension: &str) -> Result<PathBuf> {
        let name = self.page.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let file = folder.join(format!("{name}_{}.{extension}", self.line));
        std::fs::write(&file, &self.text).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }
}

/// Returns all snippets of a language that are run here. It is an error if there are none.
fn of_language(language: &str) -> Result<Vec<Snippet>> {
    let mut found = Vec::new();
    for page in pages()? {
        let text = std::fs::read_to_string(root().join(&page)).with_context(|| format!("cannot read {page}"))?;
        found.extend(snippets(&page, &text)?.into_iter().filter(|snippet| snippet.language == language));
    }
    for snippet in &found {
        if let Some(place) = &snippet.elsewhere {
            println!("{}: runs elsewhere: {place}", snippet.place());
        }
    }
    found.retain(|snippet| snippet.elsewhere.is_none());
    ensure!(!found.is_empty(), "no page has code in {language}: has the check lost it?");
    Ok(found)
}

/// Returns an empty folder for the snippets of a language.
fn folder(language: &str) -> Result<PathBuf> {
    let folder = target()?.join("snippets").join(language);
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Returns all Markdown files that git knows.
fn pages() -> Result<Vec<String>> {
    let mut command = Command::new("git");
    let output = command.args(["ls-files", "--", "*.md"]).current_dir(root()).output();
    let output = output.context("cannot start `git ls-files`, which lists the pages")?;
    ensure!(output.status.success(), "`git ls-files` failed, which lists the pages");
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// The parts of a page, line by line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prose,
    First,
    Code,
    Then,
}

/// Returns the blocks of code of a page.
fn snippets(page: &str, text: &str) -> Result<Vec<Snippet>> {
    let mut found: Vec<Snippet> = Vec::new();
    let mut part = Part::Prose;
    let (mut first, mut elsewhere): (Vec<(usize, &str)>, Option<String>) = (Vec::new(), None);
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!("{page}:{number}");
        match (part, line.trim()) {
            (Part::Prose, "<!-- first") => part = Part::First,
            (Part::Prose, "<!-- then") => {
                ensure!(!found.is_empty(), "{place}: there is no code before it");
                part = Part::Then;
            }
            (Part::Prose, comment) if comment.starts_with("<!-- elsewhere: ") => {
                elsewhere =
                    comment.strip_prefix("<!-- elsewhere: ").map(|rest| rest.trim_end_matches("-->").trim().into());
            }
            (Part::Prose, fence) if fence.starts_with("```") => {
                let language = fence.trim_start_matches('`');
                let is_known = NOT_RUN.contains(&language) || RUN.contains(&language);
                ensure!(
                    is_known,
                    "{place}: code in `{language}`: name one of {}",
                    [&NOT_RUN[..], &RUN].concat().join(", ")
                );
                let elsewhere = elsewhere.take();
                let text = at_their_lines(String::new(), first.drain(..));
                found.push(Snippet { page: page.into(), line: number + 1, language: language.into(), text, elsewhere });
                part = Part::Code;
            }
            (Part::Prose, text) => {
                ensure!(first.is_empty() || text.is_empty(), "{place}: no code follows what is to be run first");
            }
            (Part::First | Part::Then, "-->") | (Part::Code, "```") => part = Part::Prose,
            (Part::First, _) => first.push((number, line)),
            (Part::Code | Part::Then, _) => {
                let snippet = found.last_mut().context("code is in a block")?;
                snippet.text = at_their_lines(std::mem::take(&mut snippet.text), [(number, line)]);
            }
        }
    }
    ensure!(part == Part::Prose, "{page}: a block of code or a comment has no end");
    Ok(found)
}

/// Adds lines to a text, each at its number.
fn at_their_lines<'a>(mut text: String, lines: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    for (number, line) in lines {
        let missing = number - 1 - text.lines().count();
        text.extend(std::iter::repeat_n('\n', missing));
        text += line;
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_where_it_is_in_the_page() {
        let page = "Text.\n\n<!-- first\nx = 1\n-->\n```python\nprint(x)\n```\n\n<!-- then\nassert x\n-->\nMore.\n```sh\nls\n```\n\
                    <!-- elsewhere: at home -->\n```python\ny\n```\n";
        let found = snippets("p.md", page).unwrap();
        let shown: Vec<_> = found.iter().map(|snippet| (&*snippet.language, snippet.line, &*snippet.text)).collect();
        let expected = [
            ("python", 7, "\n\n\nx = 1\n\n\nprint(x)\n\n\n\nassert x\n"),
            ("sh", 15, &("\n".repeat(14) + "ls\n")),
            ("python", 19, &("\n".repeat(18) + "y\n")),
        ];
        assert_eq!(shown, expected);
        assert_eq!(found[2].elsewhere.as_deref(), Some("at home"));
        assert_eq!(found[0].place(), "p.md:7");
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        for (page, fault) in [
            ("```\nx\n```\n", "code in ``"),
            ("```java\nx\n```\n", "code in `java`"),
            ("```python\nx\n", "has no end"),
            ("<!-- then\nx\n-->\n", "no code before it"),
            ("<!-- first\nx\n-->\nText.\n```python\n```\n", "no code follows"),
        ] {
            let error = snippets("p.md", page).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(fault), "{page}: {error}");
        }
    }

    /// Pages with code in Rust are doc tests.
    #[test]
    fn all_code_in_rust_is_tested() {
        let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
        let tested = read("crates/hitscan-docs/src/lib.rs")
            + &read("crates/hitscan-io/src/lib.rs")
            + &read("crates/hitscan/src/lib.rs");
        for page in pages().unwrap() {
            let text = std::fs::read_to_string(root().join(&page)).unwrap();
            let has_rust = snippets(&page, &text).unwrap().iter().any(|snippet| snippet.language == "rust");
            let here = page
                .strip_prefix("crates/hitscan-io/")
                .or_else(|| page.strip_prefix("crates/hitscan/"))
                .map_or(format!("../../../{page}"), |rest| format!("../{rest}"));
            assert!(!has_rust || tested.contains(&format!("\"{here}\"")), "{page} is no doc test");
        }
    }
}
