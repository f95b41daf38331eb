//! The table of shapes.

use crate::bindings::entry::{Key, check_keys};
use anyhow::{Context, Result};
use toml::{Table, Value};

pub(super) const TABLE: &str = "docs/shapes.toml";

/// The description of a shape.
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) kind: i64,
    pub(super) says: String,
    /// The call of the library's constructor, whose arguments are the names of the parameters in C.
    pub(super) make: String,
    pub(super) takes: Vec<Part>,
}

/// A vector or a number that is a part of a shape.
pub(super) struct Part {
    pub(super) is_vector: bool,
    pub(super) name: String,
    pub(super) python: String,
    pub(super) javascript: String,
    /// The name of the part in the errors of JavaScript.
    pub(super) is: String,
}

pub(super) fn shapes(table: &Table) -> Result<Vec<Shape>> {
    let shapes = table.get("shape").and_then(Value::as_array).context("there are no shapes")?;
    shapes.iter().map(|entry| shape(entry).with_context(|| format!("{TABLE}: {entry:?}"))).collect()
}

const SHAPE: [Key; 5] =
    [("name", "string"), ("kind", "integer"), ("says", "string"), ("make", "string"), ("takes", "array")];
const PART: [Key; 5] =
    [("vec3", "string"), ("number", "string"), ("python", "string"), ("javascript", "string"), ("is", "string")];

fn shape(entry: &Value) -> Result<Shape> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    check_keys(entry, &SHAPE)?;
    let takes = entry.get("takes").and_then(Value::as_array).context("it takes nothing")?;
    Ok(Shape {
        name: text("name").context("it has no name")?,
        kind: entry.get("kind").and_then(Value::as_integer).context("it has no kind")?,
        says: text("says").context("it says nothing")?,
        make: text("make").context("nothing makes it")?,
        takes: takes.iter().map(part).collect::<Result<_>>()?,
    })
}

fn part(entry: &Value) -> Result<Part> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    check_keys(entry, &PART)?;
    let vector = text("vec3");
    let is_vector = vector.is_some();
    let name = vector.or_else(|| text("number")).context("it takes something that is no vector and no number")?;
    Ok(Part {
        is_vector,
        python: text("python").unwrap_or_else(|| name.clone()),
        javascript: text("javascript").unwrap_or_else(|| camel(&name)),
        is: text("is").unwrap_or_default(),
        name,
    })
}

impl Shape {
    pub(super) fn vectors(&self) -> impl Iterator<Item = &Part> {
        self.takes.iter().filter(|part| part.is_vector)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = &Part> {
        self.takes.iter().filter(|part| !part.is_vector)
    }

    /// Returns the path of the library's constructor.
    pub(super) fn made(&self) -> String {
        format!("hitscan::{}", self.make)
    }

    /// Returns the name in C and Python.
    pub(super) fn snake(&self) -> String {
        let mut name = String::new();
        for c in self.name.chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        name
    }
}

/// Returns a name in JavaScript's spelling, such as `halfExtents`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}
