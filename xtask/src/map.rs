//! `cargo xtask map`: every source file, with the first sentence of the comment at its head.

use crate::files::{files, name, read};
use crate::shell::root;
use anyhow::{Context, Result};
use std::io::Write;

/// Prints the files below each folder, or all files of the repository.
pub(crate) fn print(folders: &[&str]) -> Result<()> {
    let folders = if folders.is_empty() { &["."] } else { folders };
    let mut map = String::new();
    for folder in folders {
        for path in files(&root().join(folder), &["rs"])? {
            if let Some(sentence) = first_sentence(&read(&path)?) {
                map += &format!("{:<60} {sentence}\n", name(&path));
            }
        }
    }
    match std::io::stdout().write_all(map.as_bytes()) {
        // A pager that was closed needs no more output.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot print the map"),
    }
}

/// Returns the first sentence of a source file's own comment.
fn first_sentence(source: &str) -> Option<String> {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!").map(str::trim));
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let sentence = sentence(&paragraph);
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

/// Returns the first sentence of a paragraph, without its full stop.
pub(crate) fn sentence(paragraph: &str) -> &str {
    // A capital before a full stop is the initial of a name.
    let is_word_before = |at: &usize| !paragraph[..*at].ends_with(|c: char| c.is_ascii_uppercase());
    let end = paragraph.match_indices(". ").map(|(at, _)| at).find(is_word_before);
    paragraph[..end.unwrap_or(paragraph.len())].trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_may_take_several_lines() {
        let source = "//! The tree: eight\n//! boxes a node. It is wide.\n//!\n//! More.\n\nuse a;\n";
        assert_eq!(first_sentence(source).as_deref(), Some("The tree: eight boxes a node"));
        assert_eq!(first_sentence("//! A ray.\n\n//! More.\n").as_deref(), Some("A ray"));
        assert_eq!(first_sentence("//! Hulls (B. Barber). More.\n").as_deref(), Some("Hulls (B. Barber)"));
        assert_eq!(first_sentence("use a;\n//! A ray.\n"), None);
    }
}
