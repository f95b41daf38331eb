//! The entries of docs/parity.toml.

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

/// A language. It has its key, its title, and the folder and extension of the files that declare its names.
pub(super) const LANGUAGES: [[&str; 4]; 4] = [
    ["c", "C", "crates/hitscan-capi/include", "h"],
    ["cpp", "C++", "crates/hitscan-capi/include", "hpp"],
    ["python", "Python", "crates/hitscan-py/python/hitscan", "pyi"],
    ["javascript", "JavaScript", "npm/src", "ts"],
];

/// A question. It has its names in Rust, the first sentence of its docs, and its names in each language.
#[cfg_attr(test, derive(Clone))]
pub(super) struct Entry<'a> {
    pub(super) rust: Vec<&'a str>,
    pub(super) says: &'a str,
    pub(super) cells: Vec<Cell<'a>>,
}

#[cfg_attr(test, derive(Clone))]
pub(super) enum Cell<'a> {
    Names(Vec<&'a str>),
    Missing,
    Reason(&'a str),
}

pub(super) fn entries(table: &Table) -> Result<Vec<Entry<'_>>> {
    let list = table.get("question").and_then(Value::as_array).context("it has no [[question]]")?;
    list.iter().map(|entry| self::entry(entry).with_context(|| format!("the entry {entry:?}"))).collect()
}

fn entry(entry: &Value) -> Result<Entry<'_>> {
    let cells = LANGUAGES.iter().map(|[key, ..]| cell(entry.get(key)).with_context(|| format!("its `{key}` is wrong")));
    Ok(Entry {
        rust: names(entry.get("rust")).context("it has no name in Rust")?,
        says: entry.get("says").and_then(Value::as_str).context("it does not say what it answers")?,
        cells: cells.collect::<Result<_>>()?,
    })
}

fn cell(value: Option<&Value>) -> Result<Cell<'_>> {
    let of = |key| value.and_then(|value| value.get(key));
    match (names(value), of("reason").and_then(Value::as_str), of("missing").and_then(Value::as_bool)) {
        (Some(names), None, None) => Ok(Cell::Names(names)),
        (None, Some(reason), None) => Ok(Cell::Reason(reason)),
        (None, None, Some(true)) => Ok(Cell::Missing),
        _ => bail!("it needs a name, several, `{{ missing = true }}` or a `reason`"),
    }
}

/// Returns the names in a value, which is one name or a list of names.
pub(super) fn names(value: Option<&Value>) -> Option<Vec<&str>> {
    match value? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    }
}
