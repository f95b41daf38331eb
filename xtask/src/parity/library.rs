//! The questions in the sources of the library.

use crate::files::read;
use crate::map::sentence;
use crate::questions::{FILES, FOLDER, LIBRARY, Question, functions, questions, sources};
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

/// Questions that are not found by the names in `questions.rs`.
const OTHERS: &str = "Aabb::interval Camera::project Camera::ray PairTracker::update batch batch_lists batch_on surface_point sweep_entity";

/// Folders of the library without such questions. They are the drawings, and the two-dimensional queries, whose
/// names are not final.
const EXCEPT: [&str; 2] = ["debug", "d2"];

/// Returns the questions that the library has, with the first sentences of their docs.
pub(super) fn library() -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for (file, _) in FILES {
        let source = read(&root().join(FOLDER).join(file))?;
        let name = source.split_once("pub trait ").and_then(|(_, rest)| rest.split(['<', ':']).next());
        let name = name.with_context(|| format!("{file} has no trait"))?;
        found.extend(questions(&source).map(|question| (format!("{name}::{}", question.name), says(&question))));
    }
    let folder = root().join(LIBRARY);
    for (_, source) in
        sources(&folder)?.iter().filter(|(path, _)| !EXCEPT.iter().any(|part| path.starts_with(folder.join(part))))
    {
        for question in functions(source) {
            let name = rust_name(&question);
            let is_view = ["Culled", "FromInside"].iter().any(|view| question.of.starts_with(view));
            if !is_view && (question.is_own() || OTHERS.split(' ').any(|other| other == name)) {
                found.entry(name).or_insert_with(|| says(&question));
            }
        }
    }
    let lost = OTHERS.split(' ').find(|other| !found.contains_key(*other));
    ensure!(lost.is_none(), "the library has no {lost:?} any more: take it out of xtask/src/parity/library.rs");
    Ok(found)
}

/// Returns the name of a function or method. If a macro gives a method to several types, the name begins with `Shape`
/// for all of them.
fn rust_name(question: &Question<'_>) -> String {
    match question.of.split('<').next().unwrap_or_default() {
        "" => question.name.to_owned(),
        "$shape" => format!("Shape::{}", question.name),
        of => format!("{of}::{}", question.name),
    }
}

/// Returns the first sentence of a question's docs, with names in place of links.
fn says(question: &Question<'_>) -> String {
    let lines = question.docs.iter().map(|line| line.trim_start()).filter_map(|line| line.strip_prefix("///"));
    let paragraph = lines.map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let mut parts = sentence(&paragraph).split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += &match part.split_once(']') {
            Some((shown, rest)) if rest.starts_with('(') => {
                [shown, rest.split_once(')').map_or(rest, |(_, rest)| rest)].concat()
            }
            Some((shown, rest)) if shown.starts_with('`') => [shown, rest].concat(),
            _ => format!("[{part}"),
        };
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::{functions, rust_name, says};

    #[test]
    fn a_question_says_its_first_sentence_without_links() {
        let source = "impl<K: Eq> Pair<'_, K> {\n    /// Returns [what](Self::a) is in `[0, 1]`, as [`cast`](Self::cast)\n    /// and [`Mesh`] do. More.\n    \
                      pub fn distance(&self) {}\n}\n\n/// Shoots.\npub fn shoot() {}\n";
        let found: Vec<_> = functions(source).map(|question| (rust_name(&question), says(&question))).collect();
        let expected =
            [("Pair::distance", "Returns what is in `[0, 1]`, as `cast` and `Mesh` do."), ("shoot", "Shoots.")];
        assert_eq!(found, expected.map(|(name, says)| (name.to_owned(), says.to_owned())));
    }
}
