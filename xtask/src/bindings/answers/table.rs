//! The table of answers.

use crate::bindings::entry::{Key, check_keys};
use anyhow::{Context, Result, ensure};
use toml::{Table, Value};

pub(super) const TABLE: &str = "docs/answers.toml";

/// The description of an answer.
pub(super) struct Answer {
    pub(super) name: String,
    /// The type of the library from which it is converted.
    pub(super) of: Option<String>,
    pub(super) says: String,
    /// The name of its record in JavaScript, and after a colon the record's fields. A field with another place than the usual one
    /// is followed by `@` and that place.
    pub(super) javascript: Option<String>,
    /// True if two answers can be compared.
    pub(super) compares: bool,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: String,
    /// The expression of the library's value, if it is not a field of the same name.
    pub(super) get: Option<String>,
    pub(super) says: String,
}

const ANSWER: [Key; 6] = [
    ("name", "string"),
    ("of", "string"),
    ("says", "string"),
    ("javascript", "string"),
    ("compares", "boolean"),
    ("fields", "array"),
];
const FIELD: [Key; 4] = [("name", "string"), ("kind", "string"), ("get", "string"), ("says", "string")];

/// Returns all answers of the table.
pub(super) fn answers(table: &Table) -> Result<Vec<Answer>> {
    let common = table.get("fields").and_then(Value::as_table).context("there are no common fields")?;
    let answers = table.get("answer").and_then(Value::as_array).context("there are no answers")?;
    answers.iter().map(|entry| answer(entry, common).with_context(|| format!("{TABLE}: {entry:?}"))).collect()
}

fn answer(entry: &Value, common: &Table) -> Result<Answer> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    check_keys(entry, &ANSWER)?;
    let fields = entry.get("fields").and_then(Value::as_array).context("it has no fields")?;
    let has_name = text("javascript").is_none_or(|record| record.contains(": "));
    ensure!(has_name, "`javascript` names a record and, after a colon, its fields");
    Ok(Answer {
        name: text("name").context("it has no name")?,
        of: text("of"),
        says: text("says").context("it says nothing")?,
        javascript: text("javascript"),
        compares: entry.get("compares").and_then(Value::as_bool).unwrap_or_default(),
        fields: fields.iter().map(|entry| field(entry, common)).collect::<Result<_>>()?,
    })
}

/// Reads a field, which is the name of a common field or a full description.
fn field(entry: &Value, common: &Table) -> Result<Field> {
    let (name, entry) = match entry.as_str() {
        Some(name) => (name, common.get(name).with_context(|| format!("`{name}` is no common field"))?),
        None => (entry.get("name").and_then(Value::as_str).context("a field has no name")?, entry),
    };
    check_keys(entry, &FIELD)?;
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(Field {
        name: name.to_owned(),
        kind: text("kind").with_context(|| format!("`{name}` has no kind"))?,
        get: text("get"),
        says: text("says").with_context(|| format!("`{name}` says nothing"))?,
    })
}
