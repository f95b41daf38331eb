//! The prose of comments and documents: whole sentences, lines that fit on a screen, and short paragraphs.

use crate::files::{files, name, read};
use crate::named_paths;
use crate::shell::root;
use crate::words;
use anyhow::{Result, ensure};

/// The longest line of prose in a comment, in characters.
const LINE: usize = 160;

/// The longest paragraph of a document, in words.
const PARAGRAPH: usize = 120;

/// The words that begin a subordinate clause which replaces a sentence in notes: `Whether it hits.`, `Those of the box.`
const CLAUSE_OPENERS: [&str; 6] = ["how", "those", "what", "whether", "which", "who"];

/// The prepositions and conjunctions with which a sentence may only begin if its main clause follows after a comma.
const PHRASE_OPENERS: [&str; 33] = [
    "about", "above", "after", "against", "along", "among", "as", "at", "before", "below", "beside", "between", "by",
    "during", "except", "for", "from", "if", "in", "inside", "into", "like", "of", "on", "since", "through", "to",
    "until", "unlike", "when", "where", "while", "with",
];

/// The words that make a clause after a comma subordinate.
const SUBORDINATE: [&str; 9] = ["as", "how", "that", "what", "where", "whether", "which", "who", "whose"];

/// The verbs of main clauses.
const VERBS: &str = "applies are be become becomes begins can cannot come comes contains continues could decide decides \
    depends did do does fails find finds follows gets give gives goes had happens has have holds is \
    keeps leaves lies loses makes may means might must need needs overflow remains returns see should \
    shows stays takes underflow use uses was were will works";

/// Checks all comments and documents of the repository.
pub(crate) fn check() -> Result<()> {
    let mut faults = Vec::new();
    for path in files(&root(), &["rs"])? {
        let name = name(&path);
        faults.extend(comment_faults(&read(&path)?).into_iter().map(|(line, fault)| format!("{name}:{line}: {fault}")));
    }
    for path in files(&root(), &["md"])? {
        let name = name(&path);
        let long = long_paragraphs(&read(&path)?);
        faults.extend(long.into_iter().map(|(line, words)| format!("{name}:{line}: a paragraph of {words} words")));
    }
    faults.extend(words::faults()?);
    faults.extend(named_paths::faults()?);
    for fault in &faults {
        eprintln!("{fault}");
    }
    ensure!(faults.is_empty(), "{} faults in the prose of comments and documents", faults.len());
    Ok(())
}

/// Returns the faults of the comments in a source file, with their lines.
fn comment_faults(source: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut first: Option<(usize, &str, String)> = None;
    let mut is_code = false;
    for (number, line) in (1..).zip(source.lines()) {
        let comment = comment(line);
        let marker = comment.map_or("", |(marker, _)| marker);
        if first.as_ref().is_some_and(|(_, begun, _)| *begun != marker) {
            faults.extend(first.take().and_then(|(number, _, text)| Some((number, fragment_fault(&text)?))));
            is_code = false;
        }
        let Some((_, text)) = comment else { continue };
        is_code ^= text.starts_with("```");
        if !is_code && !text.starts_with('|') && line.chars().count() > LINE {
            faults.push((number, format!("a line of more than {LINE} characters")));
        }
        match &mut first {
            None => first = Some((number, marker, text.to_owned())),
            // The first sentence is always in the first paragraph.
            Some((_, _, before)) if !before.ends_with('\n') => {
                before.push(if text.is_empty() { '\n' } else { ' ' });
                before.push_str(text);
            }
            Some(_) => {}
        }
    }
    faults.extend(first.and_then(|(number, _, text)| Some((number, fragment_fault(&text)?))));
    faults.sort();
    faults
}

/// Returns the marker and the text of a line that is a comment.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker))?;
    Some((marker, line[marker.len()..].trim()))
}

/// Returns a description of the fault, if the first sentence of a text is a fragment.
fn fragment_fault(text: &str) -> Option<String> {
    let sentence = text.split(". ").next().unwrap_or(text).trim();
    is_fragment(sentence).then(|| format!("not a sentence: {sentence}"))
}

/// Returns whether a sentence begins with one of the openers and has no main clause.
fn is_fragment(sentence: &str) -> bool {
    let begins_with_word = sentence.starts_with(char::is_alphabetic);
    let opener = words(sentence).next().filter(|_| begins_with_word).unwrap_or_default().to_lowercase();
    let is_question = sentence.ends_with('?');
    if CLAUSE_OPENERS.contains(&&*opener) {
        return !is_question;
    }
    let mut clauses = sentence.split(", ").skip(1);
    PHRASE_OPENERS.contains(&&*opener) && !is_question && !clauses.any(is_main_clause)
}

/// Returns whether a part of a sentence has a verb and is not subordinate itself.
fn is_main_clause(clause: &str) -> bool {
    let is_subordinate = words(clause).next().is_some_and(|first| SUBORDINATE.contains(&first));
    !is_subordinate && words(clause).any(|word| VERBS.split(' ').any(|verb| verb == word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').filter(|word| !word.is_empty())
}

/// Returns the line and the number of words of each paragraph of a Markdown file that has too many. An item of a list
/// is a paragraph. Code and tables have none.
fn long_paragraphs(document: &str) -> Vec<(usize, usize)> {
    let mut long = Vec::new();
    let (mut begin, mut count) = (0, 0);
    let mut is_code = false;
    for (number, line) in (1..).zip(document.lines().chain([""])) {
        let text = line.trim();
        let is_fence = text.starts_with("```");
        is_code ^= is_fence;
        let is_prose = !is_code && !is_fence && !text.is_empty() && !text.starts_with(['|', '#']);
        let begins = !is_prose || ["- ", "* "].iter().any(|item| text.starts_with(item)) || is_numbered(text);
        if begins {
            long.extend((count > PARAGRAPH).then_some((begin, count)));
            (begin, count) = (number, 0);
        }
        if is_prose {
            begin = if count == 0 { number } else { begin };
            count += text.split_whitespace().count();
        }
    }
    long
}

/// Returns whether a line is an item of a numbered list.
fn is_numbered(text: &str) -> bool {
    text.split_once(". ")
        .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{LINE, PARAGRAPH, comment_faults, is_fragment, long_paragraphs};

    #[test]
    fn fragments_are_told_from_sentences() {
        for fragment in [
            "Of each ray the box",
            "Whether a ball touches.",
            "What is hit, and where it is.",
            "Those of the mesh.",
            "In the order of the movers, which is that of their insertion.",
            "With holes, and without",
            "at the corner",
        ] {
            assert!(is_fragment(fragment), "{fragment}");
        }
        for sentence in [
            "For each ray, the box is larger.",
            "Returns whether a ball touches.",
            "What is in the way?",
            "In f64, rounding has no effect.",
            "The boxes of the mesh.",
            "Offers a hit",
            "-1, 0 or 1",
            "`of` is a word",
        ] {
            assert!(!is_fragment(sentence), "{sentence}");
        }
    }

    #[test]
    fn faults_of_comments_are_found_in_their_lines() {
        let lines = |source: &str| comment_faults(source).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("/// Of the box.\nfn a() {\n    // As large. The rest is no matter.\n}\n"), [1, 3]);
        assert_eq!(lines("//! For each ray, the\n//! box is larger.\n//!\n//! Of others too.\n// Of these.\n"), [5]);
        assert_eq!(lines("let of = \"// Of\"; // Of these.\nlet in_order = 1;\n"), [0; 0]);
        let [longest, longer] = [LINE, LINE + 1].map(|length| format!("/// {}", "a".repeat(length - 4)));
        assert_eq!(lines(&format!("{longest}\n{longer}\n")), [2]);
        assert_eq!(lines(&format!("/// ```\n{longer}\n/// ```\n{longer}\n/// | a | {longer}\n")), [4]);
    }

    #[test]
    fn long_paragraphs_are_found_in_their_lines() {
        let [longest, longer] = [PARAGRAPH, PARAGRAPH + 1].map(|words| "word ".repeat(words));
        assert!(long_paragraphs(&format!("# Title\n\n{longest}\n\n{longest}\n- {}\n", &longest[5..])).is_empty());
        assert_eq!(long_paragraphs(&format!("# Title\n\none\n{longest}\n\n{longer}")), [(3, 121), (6, 121)]);
        assert_eq!(long_paragraphs(&format!("```\n{longer}\n```\n| {longer} |\n1. {longer}\n")), [(5, 122)]);
    }
}
