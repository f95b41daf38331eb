//! The types of the Python package for checkers and editors: `_hitscan.pyi`, from the Rust source of the module and `stub.toml`.

mod classes;
mod macros;
mod members;
mod types;

use crate::map::sentence;
use anyhow::{Context, Result};
use members::{Class, Kind, Member, Module};
use toml::Table;
use types::Types;

const TABLE: &str = include_str!("stub.toml");

/// The longest line of a function.
const LINE: usize = 120;

/// Returns the stub.
pub(super) fn text(notice: &str) -> Result<String> {
    let table: Table = TABLE.parse().context("stub.toml is not valid")?;
    stub(notice, &table, &classes::read_crate()?)
}

fn stub(notice: &str, table: &Table, module: &Module) -> Result<String> {
    let types = Types::new(table, &module.classes);
    let given = |name: &str| table.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    let mut text = format!("# {notice}\n\n{}", given("head"));
    for function in &module.functions {
        text += &format!("\n{}", member(&types, "", function)?);
    }
    for class in module.classes.values() {
        text += &format!("\n{}", self::class(&types, table, class)?);
    }
    // A member with docs ends with an empty line, and so does a class. One of two empty lines is removed.
    Ok(text.replace("\n\n\n", "\n\n").trim_end().to_owned() + "\n")
}

fn class(types: &Types<'_>, table: &Table, class: &Class) -> Result<String> {
    let mut text = format!("@final\nclass {}:\n    \"\"\"{}.\"\"\"\n\n", class.name, first_sentence(&class.docs));
    let special =
        |name: &str| table.get("special").and_then(|special| special.get(name)).and_then(|text| text.as_str());
    for member in &class.members {
        if let Some(special) = special(&format!("{}.{}", class.name, member.name)).or_else(|| special(&member.name)) {
            text += &special.replace("CLASS", &class.name);
        } else if !member.name.starts_with('_') || member.name == "__new__" {
            text += &self::member(types, &class.name, member)?;
        }
    }
    if class.is_answer {
        let given = special(&format!("{}.to_dict", class.name)).or_else(|| special("to_dict"));
        text += given.unwrap_or_default();
    }
    let has = |name: &str| class.members.iter().any(|member| member.name == name);
    if has("__eq__") && !has("__hash__") {
        text += special("no hash").unwrap_or_default();
    }
    Ok(text)
}

/// Returns a function, a method or an attribute.
fn member(types: &Types<'_>, owner: &str, member: &Member) -> Result<String> {
    let indent = if owner.is_empty() { "" } else { "    " };
    let mut parameters = types.parameters(owner, member)?;
    let answer = if member.name == "__new__" { owner.to_owned() } else { types.answer(owner, member)? };
    let mut decorator = String::new();
    match member.kind {
        Kind::Constant => return Ok(format!("{indent}{}: {answer}\n", member.name)),
        Kind::Setter => {
            decorator = format!("{indent}@{}.setter\n", member.name);
            // Python passes this parameter by position.
            parameters = vec![parameters[0].replacen(&member.name, "value", 1), "/".to_owned()];
        }
        Kind::Getter | Kind::Column => decorator = format!("{indent}@property\n"),
        Kind::Static => decorator = format!("{indent}@staticmethod\n"),
        Kind::Method => {}
    }
    let first = match member.kind {
        _ if owner.is_empty() => None,
        Kind::Static => None,
        _ if member.name == "__new__" => Some("cls"),
        _ => Some("self"),
    };
    let parameters: Vec<String> = first.map(str::to_owned).into_iter().chain(parameters).collect();
    let docs = first_sentence(&member.docs);
    let head = signature(indent, &member.name, &parameters, &answer);
    Ok(match &*docs {
        "" => format!("{decorator}{head} ...\n"),
        _ => format!("{decorator}{head}\n{indent}    \"\"\"{docs}.\"\"\"\n\n"),
    })
}

/// Returns the head of a function. If it is too long for a line, each parameter has a line.
fn signature(indent: &str, name: &str, parameters: &[String], answer: &str) -> String {
    let line = format!("{indent}def {name}({}) -> {answer}:", parameters.join(", "));
    if line.len() + " ...".len() <= LINE {
        return line;
    }
    let lines: String = parameters.iter().map(|parameter| format!("{indent}    {parameter},\n")).collect();
    format!("{indent}def {name}(\n{lines}{indent}) -> {answer}:")
}

/// Returns the first sentence of the first paragraph of docs, without its full stop.
fn first_sentence(docs: &str) -> String {
    let paragraph: Vec<&str> = docs.lines().take_while(|line| !line.is_empty()).collect();
    sentence(&paragraph.join(" ")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Table, stub};

    const SOURCE: &str = r#"
/// A thing. It has more.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Thing {
    inner: u8,
    /// Its number.
    #[pyo3(get)]
    number: usize,
}

#[pymethods]
impl Thing {
    #[new]
    #[pyo3(signature = (size = [1.0; 2], *, kind = "a"))]
    fn new(py: Python<'_>, size: [f64; 2], kind: &str) -> PyResult<Self> {
        Self::of("{")
    }

    fn __repr__(&self) -> String {
        String::new()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        true
    }
}

macro_rules! found {
    ($($(#[$about:meta])* $name:ident of $found:ty { $($columns:tt)* })*) => {$(
        answers! {
            $(#[$about])*
            $name of $found {
                $($columns)*
                /// The distance.
                t: f32 = |found| found.column(|row| row.t, 0),
            }
        }
    )*};
}

found! {
    /// All that is found.
    Found of Rows<Row> {
        /// The key.
        key: i64 = Rows::keys,
    }
}

macro_rules! asked {
    ($($(#[$about:meta])* fn $name:ident($asked:ident; $($arg:ident: $kind:ty),*; $($option:ident: $option_kind:ty = $default:tt),*) -> $answer:ty $body:block)*) => {
        #[pymethods]
        impl Thing {$(
            #[pyo3(signature = ($($arg,)* *, $($option = $default,)* threads = None))]
            fn $name<'py>(&self, py: Python<'py>, $($arg: $kind,)* $($option: $option_kind,)* threads: Option<ThreadCount>) -> PyResult<$answer> {
                $body
            }
        )*}
    };
}

asked! {
    /// Asks it.
    fn ask(asked; points: &Bound<'py, PyAny>; margin: f64 = 0.5) -> Found {
        ()
    }
}
"#;

    const STUB: &str = r#"# Generated.

@final
class Found:
    """All that is found."""

    @property
    def key(self) -> NDArray[np.int64]:
        """The key."""

    @property
    def t(self) -> NDArray[np.float32]:
        """The distance."""

@final
class Thing:
    """A thing."""

    @property
    def number(self) -> int:
        """Its number."""

    def __new__(cls, size: tuple[float, float] = ..., *, kind: Literal["a", "b"] = "a") -> Thing: ...
    def ask(self, points: ArrayLike, *, margin: float = 0.5, threads: int | None = None) -> Found:
        """Asks it."""
"#;

    #[test]
    fn classes_macros_and_answers_become_a_stub() {
        let table: Table = "words.kind = ['a', 'b']\nintegers.ThreadCount = ''".parse().expect("a table");
        let rules = "macro_rules! answers { ($x:ty) => { #[pyclass] struct $name; }; }".to_owned();
        let module = super::classes::module_of(&[SOURCE.to_owned(), rules]).expect("a module");
        assert_eq!(stub("Generated.", &table, &module).expect("a stub"), STUB);
    }
}
