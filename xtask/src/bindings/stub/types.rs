//! Types of Python, made from the types in the Rust source.

use super::members::{Class, Kind, Member, Parameter};
use crate::bindings::rust_text::{list, within};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The table of types that the Rust source does not contain, and the names of classes.
pub(super) struct Types<'a> {
    table: &'a Table,
    /// The names of classes in Python, by their names in Rust.
    classes: BTreeMap<&'a str, &'a str>,
}

impl<'a> Types<'a> {
    pub(super) fn new(table: &'a Table, classes: &'a BTreeMap<String, Class>) -> Self {
        let classes = classes.iter().map(|(rust, class)| (&**rust, &*class.name)).collect();
        Self { table, classes }
    }

    /// Returns the text for a name in a section of the table, if there is one.
    fn given(&self, section: &str, name: &str) -> Option<&'a str> {
        self.table.get(section)?.get(name)?.as_str()
    }

    /// Returns the parameters of a method in the syntax of a stub, without the first one.
    pub(super) fn parameters(&self, owner: &str, member: &Member) -> Result<Vec<String>> {
        let place = |name: &str| format!("{owner}.{}.{name}", member.name);
        let parameter = |parameter: &Parameter| match parameter {
            Parameter::Star => Ok("*".to_owned()),
            Parameter::Named { name, kind, default } => {
                let kind = self.parameter(&place(name), name, kind).with_context(|| place(name))?;
                Ok(match default {
                    Some(default) => format!("{name}: {kind} = {}", literal(default)),
                    None => format!("{name}: {kind}"),
                })
            }
        };
        member.parameters.iter().map(parameter).collect()
    }

    fn parameter(&self, place: &str, name: &str, kind: &str) -> Result<String> {
        if let Some(given) = self.given("parameters", place).or_else(|| self.given("parameters", name)) {
            return Ok(given.to_owned());
        }
        if let Some(inner) = kind.strip_prefix("Option<") {
            return Ok(format!("{} | None", self.parameter(place, name, &inner[..inner.len() - 1])?));
        }
        if kind == "&str" {
            let words = self.table.get("words").and_then(|words| words.get(name)).and_then(Value::as_array);
            let words = words.context("the table has no words for it")?;
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|word| format!("{word:?}")).collect();
            return Ok(format!("Literal[{}]", words.join(", ")));
        }
        // In a macro, a type is written with its path.
        let kind = kind.trim_start_matches('&').trim_start_matches("$crate::arguments::");
        match kind {
            "f64" | "f32" => Ok("float".to_owned()),
            "bool" => Ok("bool".to_owned()),
            "PathBuf" => Ok("str | os.PathLike[str]".to_owned()),
            "String" => Ok("str".to_owned()),
            "[f64; 3]" | "[f64; 4]" => Ok("_Vector".to_owned()),
            "[f64; 2]" => Ok("tuple[float, float]".to_owned()),
            _ if kind.starts_with("Bound<") && kind.ends_with("PyAny>") => Ok("ArrayLike".to_owned()),
            _ if kind.starts_with("Bound<") => {
                self.class(list(within_angles(kind)?).last().copied().unwrap_or_default())
            }
            _ if self.given("integers", kind).is_some() => Ok("int".to_owned()),
            _ => self.class(kind),
        }
    }

    /// Returns the type of the answer of a method, or of an attribute.
    pub(super) fn answer(&self, owner: &str, member: &Member) -> Result<String> {
        let place = format!("{owner}.{}", member.name);
        let given = self.given("answers", &place).or_else(|| self.given("answers", &member.name));
        match (given, member.kind) {
            (Some(given), _) => Ok(given.to_owned()),
            (None, Kind::Column) => array(&member.answer),
            (None, _) => self.value(&member.answer, owner),
        }
        .with_context(|| place)
    }

    fn value(&self, kind: &str, owner: &str) -> Result<String> {
        let kind = kind.trim_start_matches("&'static ").trim_start_matches("PyResult<");
        let kind = if kind.matches('<').count() < kind.matches('>').count() { &kind[..kind.len() - 1] } else { kind };
        if let Some(inner) = kind.strip_prefix("Option<") {
            return Ok(format!("{} | None", self.value(&inner[..inner.len() - 1], owner)?));
        }
        if let Some(inner) = kind.strip_prefix("Vec<").filter(|inner| *inner != "u8>") {
            return Ok(format!("list[{}]", self.value(&inner[..inner.len() - 1], owner)?));
        }
        if kind.starts_with("Bound<") {
            let inner = list(within_angles(kind)?).last().copied().unwrap_or_default();
            return array(list(within_angles(inner)?)[0]);
        }
        if kind.starts_with('(') && kind != "()" {
            let parts = list(within(kind, '(').unwrap_or_default());
            let parts: Result<Vec<String>> = parts.into_iter().map(|part| self.value(part, owner)).collect();
            return Ok(format!("tuple[{}]", parts?.join(", ")));
        }
        Ok(match kind {
            "" | "()" => "None".to_owned(),
            "bool" => "bool".to_owned(),
            "f32" | "f64" => "float".to_owned(),
            "i8" | "i32" | "i64" | "u32" | "u64" | "usize" => "int".to_owned(),
            "str" | "String" => "str".to_owned(),
            "Vec<u8>" => "bytes".to_owned(),
            "[f32; 3]" | "[f64; 3]" => "list[float]".to_owned(),
            "Self" => owner.to_owned(),
            _ if kind.starts_with("Py<") => self.class(within_angles(kind)?)?,
            _ => self.class(kind)?,
        })
    }

    fn class(&self, name: &str) -> Result<String> {
        self.classes.get(name).map(|name| (*name).to_owned()).with_context(|| format!("`{name}` has no type in Python"))
    }
}

/// Returns the text between the outermost `<` and `>`.
fn within_angles(kind: &str) -> Result<&str> {
    let (_, inner) = kind.split_once('<').with_context(|| format!("`{kind}` has no arguments"))?;
    Ok(&inner[..inner.len() - 1])
}

/// Returns the type of an array of numbers.
fn array(number: &str) -> Result<String> {
    let number = match number {
        "f32" => "float32",
        "f64" => "float64",
        "i64" => "int64",
        "i8" => "int8",
        "bool" => "bool_",
        _ => bail!("there is no array of `{number}`"),
    };
    Ok(format!("NDArray[np.{number}]"))
}

/// Returns a default value in the syntax of a stub: a number, a word, `None`, or dots for any other value.
fn literal(default: &str) -> String {
    match default {
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        "None" => default.to_owned(),
        _ if default.starts_with('"') || default.starts_with(|c: char| c.is_ascii_digit()) => default.to_owned(),
        // A type of integers, such as `Part(0)`.
        _ => match within(default, '(') {
            Some(number) if number.chars().all(|c| c.is_ascii_digit()) => number.to_owned(),
            _ => "...".to_owned(),
        },
    }
}
