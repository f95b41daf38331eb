//! The questions of the library by their names in each language: docs/parity.toml, which the sources of all languages must confirm.

mod declarations;
mod entries;
mod library;

use crate::files::{files, read};
use crate::shell::root;
use anyhow::{Context, Result, bail, ensure};
use declarations::Declarations;
use entries::{Cell, Entry, LANGUAGES, entries};
use library::library;
use std::collections::BTreeMap;
use toml::{Table, Value};

const TABLE: &str = "docs/parity.toml";

/// The page with the generated table, and the lines around the table.
const PAGE: &str = "docs/api.md";
const BEGIN: &str = "<!-- Written by `cargo xtask parity --write`. -->\n";
const END: &str = "<!-- The end of the written part. -->\n";

/// A question may have no name in a language if the given reason contains one of these words. Each language may have at
/// most this number of such questions.
const REASONS: [&str; 3] = ["memory", "threads", "callbacks"];
const MOST_REASONS: usize = 2;

/// `cargo xtask parity [--write]`.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    match args {
        [] => check(),
        ["--write"] => {
            let page = read(&root().join(PAGE))?;
            let (before, _, after) = parts(&page)?;
            let written = [before, &shown(&entries(&table()?)?), after].concat();
            std::fs::write(root().join(PAGE), written).with_context(|| format!("cannot write {PAGE}"))
        }
        _ => bail!("`cargo xtask parity` takes `--write` or nothing"),
    }
}

/// Fails if a question has no entry, if an entry has a name that nothing declares, or if the table on the page differs from
/// the entries.
pub(crate) fn check() -> Result<()> {
    let table = table()?;
    let entries = entries(&table)?;
    let mut faults = question_faults(&entries, &library()?);
    for (place, declared) in declared()?.iter().enumerate() {
        faults.extend(language_faults(&table, &entries, place, declared));
    }
    ensure!(faults.is_empty(), "{TABLE}: {}", faults.join(&format!("\n{TABLE}: ")));
    let is_written = parts(&read(&root().join(PAGE))?)?.1 == shown(&entries);
    ensure!(is_written, "{PAGE} has another table than {TABLE}: run `cargo xtask parity --write`");
    Ok(())
}

fn table() -> Result<Table> {
    read(&root().join(TABLE))?.parse().with_context(|| format!("{TABLE} is not valid"))
}

/// Returns a fault for each question of the library without an entry, and for each entry without a question. An entry that differs from the docs of its
/// question is a fault too.
fn question_faults(entries: &[Entry<'_>], library: &BTreeMap<String, String>) -> Vec<String> {
    let (mut faults, mut left) = (Vec::new(), library.clone());
    for Entry { rust, says, .. } in entries {
        for (at, name) in rust.iter().enumerate() {
            match left.remove(*name) {
                None => faults.push(format!("`{name}` is no question, or has another entry")),
                Some(docs) if at == 0 && docs != *says => faults.push(format!("the docs of `{name}` say: {docs}")),
                Some(_) => {}
            }
        }
    }
    faults.extend(left.iter().map(|(name, docs)| format!("there is no entry for `{name}`: {docs}")));
    faults
}

/// Returns a fault for each name that a language does not declare, and for each invalid reason. A number of missing questions that differs from the committed
/// number is a fault too.
fn language_faults(table: &Table, entries: &[Entry<'_>], place: usize, declared: &Declarations) -> Vec<String> {
    let [key, title, ..] = LANGUAGES[place];
    let (mut faults, mut missing, mut reasons) = (Vec::new(), 0, 0);
    for entry in entries {
        match &entry.cells[place] {
            Cell::Missing => missing += 1,
            Cell::Reason(reason) if REASONS.iter().any(|good| reason.contains(good)) => reasons += 1,
            Cell::Reason(reason) => faults.push(format!("{reason:?} is none of the reasons {REASONS:?}")),
            Cell::Names(names) => {
                let unknown = names.iter().filter(|name| !declared.has(name));
                faults.extend(unknown.map(|name| format!("{title} has no `{name}`")));
            }
        }
    }
    let most = table.get("missing").and_then(|most| most.get(key)).and_then(Value::as_integer).unwrap_or_default();
    if missing > most {
        faults.push(format!("{title} misses {missing} questions, more than {most}: give the new ones a name"));
    } else if missing < most {
        faults.push(format!("{title} misses {missing} questions, fewer than {most}: lower the number in [missing]"));
    }
    if reasons > MOST_REASONS {
        faults.push(format!("{title} has {reasons} reasons, more than {MOST_REASONS}"));
    }
    faults
}

/// Returns what each language declares.
fn declared() -> Result<Vec<Declarations>> {
    let of = |[_, _, folder, extension]: &[&str; 4]| {
        let texts =
            files(&root().join(folder), &[extension])?.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
        Ok(Declarations::new(&texts.join("\n")))
    };
    LANGUAGES.iter().map(of).collect()
}

/// Returns the page before the table, the table, and the page after it.
fn parts(page: &str) -> Result<(&str, &str, &str)> {
    let begin = page.find(BEGIN).with_context(|| format!("{PAGE} lacks the line {BEGIN}"))? + BEGIN.len();
    let end = page.find(END).filter(|end| *end >= begin).with_context(|| format!("{PAGE} lacks the line {END}"))?;
    Ok((&page[..begin], &page[begin..end], &page[end..]))
}

/// Returns the table for the page.
fn shown(entries: &[Entry<'_>]) -> String {
    let titles = LANGUAGES.map(|[_, title, ..]| title).join(" | ");
    let mut shown = format!("\n| Rust | {titles} |\n|{}\n", " --- |".repeat(LANGUAGES.len() + 1));
    let names = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    for entry in entries {
        let cells = entry.cells.iter().map(|cell| match cell {
            Cell::Names(list) => names(list),
            Cell::Missing => String::new(),
            Cell::Reason(reason) => (*reason).to_owned(),
        });
        shown += &format!("| {} | {} |\n", names(&entry.rust), cells.collect::<Vec<_>>().join(" | "));
    }
    shown + "\n"
}

#[cfg(test)]
mod tests {
    use super::{Declarations, Value, check, entries, language_faults, library, parts, question_faults, shown, table};

    /// Returns the faults of the questions after a change of the committed entries.
    fn faults_after(change: impl Fn(&mut Vec<Value>)) -> String {
        let (Ok(mut table), Ok(library)) = (table(), library()) else { panic!("cannot read") };
        if let Some(Value::Array(entries)) = table.get_mut("question") {
            change(entries);
        }
        entries(&table)
            .map_or_else(|error| format!("{error:#}"), |entries| question_faults(&entries, &library).join("\n"))
    }

    #[test]
    fn the_table_is_complete() {
        let checked = check();
        assert!(checked.is_ok(), "{checked:?}");
    }

    #[test]
    fn an_entry_that_is_taken_out_or_doubled_is_found() {
        let (Ok(table), Ok(library)) = (table(), library()) else { panic!("cannot read") };
        assert!(library.len() > 90, "{}", library.len());
        for name in library.keys() {
            let Ok(mut changed) = entries(&table) else { panic!("cannot read") };
            let Some(place) = changed.iter().position(|entry| entry.rust.contains(&name.as_str())) else {
                panic!("{name}")
            };
            let entry = changed.remove(place);
            let faults = question_faults(&changed, &library);
            assert!(
                faults.iter().any(|fault| fault.starts_with(&format!("there is no entry for `{name}`"))),
                "{faults:?}"
            );
            changed.push(entry.clone());
            assert_eq!(question_faults(&changed, &library), [""; 0]);
            changed.push(entry);
            let faults = question_faults(&changed, &library);
            assert!(faults.contains(&format!("`{name}` is no question, or has another entry")), "{faults:?}");
        }
    }

    #[test]
    fn entries_that_say_something_else_or_lack_a_language_are_found() {
        let with = |key: &str, value: &str| {
            faults_after(|entries| {
                drop(entries[0].as_table_mut().map(|entry| entry.insert(key.to_owned(), value.into())))
            })
        };
        assert!(with("says", "Something else.").starts_with("the docs of `RayQueries::when_inside` say: Chooses"));
        assert!(with("rust", "RayQueries::outside").contains("`RayQueries::outside` is no question"));
        assert_eq!(with("note", "Nothing."), "");
        let without = faults_after(|entries| drop(entries[0].as_table_mut().map(|entry| entry.remove("python"))));
        assert!(without.contains("its `python` is wrong"), "{without}");
    }

    #[test]
    fn names_missing_questions_and_reasons_are_checked() {
        let python = Declarations::new("class Scene:\n    def cast(self): ...\n");
        let faults = |most: u32, cells: &[&str]| {
            let entry = |cell| {
                format!(
                    "[[question]]\nrust = 'a'\nsays = 'A.'\nc = 'a'\ncpp = 'a'\njavascript = 'a'\npython = {cell}\n"
                )
            };
            let text = format!("[missing]\npython = {most}\n") + &cells.iter().map(entry).collect::<String>();
            let table = text.parse().map_err(anyhow::Error::from);
            let faults = table.and_then(|table| Ok(language_faults(&table, &entries(&table)?, 2, &python)));
            faults.map_or_else(|error| format!("{error:#}"), |faults| faults.join("\n"))
        };
        let (missing, reason) = ("{ missing = true }", "{ reason = 'threads: it has one' }");
        assert_eq!(faults(1, &["'Scene.cast'", missing, reason, reason]), "");
        assert_eq!(faults(0, &["['Scene.cast', 'Scene.kast']"]), "Python has no `Scene.kast`");
        assert!(faults(1, &[missing, missing]).contains("misses 2 questions, more than 1"));
        assert!(faults(1, &["'Scene.cast'"]).contains("misses 0 questions, fewer than 1"));
        assert!(faults(0, &[reason, reason, reason]).contains("3 reasons"));
        assert!(faults(0, &["{ reason = 'too much work' }"]).contains("\"too much work\" is none of the reasons"));
        assert!(faults(0, &["{ missing = false }"]).contains("its `python` is wrong"));
    }

    #[test]
    fn the_page_has_a_row_for_each_entry() {
        let Ok(table) = table() else { panic!("cannot read") };
        let shown = entries(&table).map(|entries| (shown(&entries), entries.len()));
        assert!(
            shown.is_ok_and(|(shown, count)| shown.lines().filter(|line| line.starts_with("| `")).count() == count)
        );
        assert!(parts("a page without a table").is_err());
    }
}
