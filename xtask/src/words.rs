//! Phrases that often have to be read twice, counted in comments and documents.
//!
//! `xtask/words.txt` has the number that is still allowed below each folder. A number there may only go down.

use crate::files::{files, name, read};
use crate::shell::root;
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// The file with the allowances. Each line has a number, and a folder or file. For a file with several lines that
/// match, the longest path decides.
const ALLOWANCES: &str = "xtask/words.txt";

const EXTENSIONS: [&str; 9] = ["rs", "ts", "js", "mjs", "py", "pyi", "h", "hpp", "md"];

/// The phrases, each with a replacement.
const PHRASES: [(&str, &str); 26] = [
    ("those of", "repeat the noun: the corners of"),
    ("that of", "repeat the noun: the radius of"),
    ("so many", "this many, or the number"),
    ("so few", "this few, or the number"),
    ("so near", "within the distance"),
    ("about what", "name the thing"),
    ("beside what", "name the thing"),
    ("by what", "name the thing"),
    ("for what", "name the thing"),
    ("from what", "name the thing"),
    ("of what", "name the thing"),
    ("than what", "name the thing"),
    ("to what", "name the thing"),
    ("with what", "name the thing"),
    ("met", "hit, reached, touched"),
    ("meets", "hits, reaches, touches"),
    ("told", "reported, distinguished, known"),
    ("its way", "its path"),
    ("their way", "their path"),
    ("ways out", "separations, exits"),
    ("way of", "path of, method"),
    ("ways of", "paths of, methods"),
    ("stands for", "represents"),
    ("stand for", "represent"),
    ("counts for", "belongs to"),
    ("count for", "belong to"),
];

/// Returns the phrases in each folder that has more than its allowed number.
pub(crate) fn faults() -> Result<Vec<String>> {
    let text = read(&root().join(ALLOWANCES))?;
    let allowances = allowances(&text)?;
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in files(&root(), &EXTENSIONS)? {
        let name = name(&path);
        let phrases = phrases(&prose(&name, &read(&path)?));
        let faults =
            phrases.into_iter().map(|(line, (phrase, better))| format!("{name}:{line}: `{phrase}` ({better})"));
        found.entry(folder(&name, &allowances)).or_default().extend(faults);
    }
    let mut faults = Vec::new();
    for (folder, found) in found {
        let (count, allowed) = (found.len(), allowances.get(folder).copied().unwrap_or(0));
        if count < allowed {
            println!("{ALLOWANCES}: {folder} has {count} phrases left of {allowed}: lower its number");
        } else if count > allowed {
            faults.extend(found);
            faults.push(format!(
                "{ALLOWANCES}: {folder} has {count} phrases that are read twice, and is allowed {allowed}"
            ));
        }
    }
    Ok(faults)
}

fn allowances(text: &str) -> Result<BTreeMap<&str, usize>> {
    let mut allowances = BTreeMap::new();
    for line in text.lines() {
        let row = line.split_once(' ').and_then(|(number, folder)| Some((folder, number.parse().ok()?)));
        allowances.extend([row.with_context(|| format!("`{line}` in {ALLOWANCES} is no number and folder"))?]);
    }
    Ok(allowances)
}

/// Returns the longest folder with an allowance that a file is in, or `.`.
fn folder<'a>(name: &str, allowances: &BTreeMap<&'a str, usize>) -> &'a str {
    let has = |folder: &&&str| name.strip_prefix(**folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    allowances.keys().filter(has).max_by_key(|folder| folder.len()).copied().unwrap_or(".")
}

/// Returns the prose in each line of a file: a comment, a docstring or a document without its code. Other lines are empty.
fn prose(name: &str, text: &str) -> Vec<String> {
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    let mut is_quoted = false;
    let line = |line: &str| {
        let line = line.trim();
        let quotes = line.matches(if extension == "md" { "```" } else { "\"\"\"" }).count();
        let was_quoted = is_quoted;
        is_quoted ^= quotes % 2 == 1;
        let prose = match extension {
            "md" if !is_quoted && quotes == 0 => line,
            "md" => "",
            "py" | "pyi" if was_quoted || quotes > 0 => line,
            "py" | "pyi" => line.split_once('#').map_or("", |(_, comment)| comment),
            _ if line.starts_with('*') || line.starts_with("/*") => line,
            _ => line.split_once("//").map_or("", |(_, comment)| comment),
        };
        // Code between backticks is every other part.
        prose.split('`').step_by(2).collect::<Vec<_>>().join("`")
    };
    text.lines().map(line).collect()
}

/// Returns the phrases in lines of prose, each with the number of the line in which it ends. A phrase does not continue after
/// punctuation or an empty line.
fn phrases(lines: &[String]) -> Vec<(usize, (&'static str, &'static str))> {
    let mut found = Vec::new();
    let mut before = String::new();
    for (number, line) in (1..).zip(lines) {
        for word in line.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let pair = format!("{before} {bare}");
            found.extend(
                PHRASES
                    .into_iter()
                    .filter(|(phrase, _)| *phrase == bare || *phrase == pair)
                    .map(|phrase| (number, phrase)),
            );
            match bare.is_empty() {
                // The marker of a comment.
                true if word.starts_with(['/', '*', '!', '#']) => {}
                _ => before = if word.ends_with(char::is_alphanumeric) { bare } else { String::new() },
            }
        }
        if line.is_empty() {
            before.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{allowances, folder, phrases, prose};

    fn lines(name: &str, text: &str) -> Vec<usize> {
        phrases(&prose(name, text)).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn phrases_are_found_in_comments_alone() {
        assert_eq!(
            lines(
                "a.rs",
                "/// The corners and those\n/// of a box.\nlet met = 1; // It is met.\n// Those. Of `that of` a\n"
            ),
            [2, 3]
        );
        assert_eq!(lines("a.ts", "/**\n * The radius, or that of a ball.\n */\nconst told = 1;\n"), [2]);
        assert_eq!(lines("a.py", "met = 1  # met\n\"\"\"So many\nballs, so near.\n\"\"\"\ntold = 2\n"), [1, 2, 3]);
        assert_eq!(lines("a.md", "It stands for a box.\n```\n// met\n```\n| told |\n"), [1, 5]);
    }

    #[test]
    fn the_longest_folder_counts() {
        let allowances = allowances("3 a\n2 a/b\n0 c.md\n").expect("numbers and folders");
        let folder = |name| folder(name, &allowances);
        assert_eq!(
            [folder("a/x.rs"), folder("a/b/x.rs"), folder("a/bc.rs"), folder("c.md"), folder("d.rs")],
            ["a", "a/b", "a", "c.md", "."]
        );
        assert!(super::allowances("a 3").is_err());
    }
}
