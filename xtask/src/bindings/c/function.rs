//! A function of the C interface, from its description.

use super::arguments::Argument;
use crate::bindings::docs::docs;
use crate::bindings::entry::{Key, check_keys};
use crate::bindings::rust_text::{list, sections};
use anyhow::{Context, Result, bail, ensure};
use toml::Value;

/// The memory of the caller to which a function writes.
enum Output<'a> {
    Nothing,
    /// One answer, with its name and its type.
    One(&'a str, &'a str),
    /// A buffer of answers, and their number.
    Rows(&'a str, &'a str),
    /// A handle.
    Handle(&'a str, &'a str),
}

/// The keys that may contain the call of the library. Each function has one of these keys.
const QUESTIONS: [&str; 9] = ["does", "status", "by", "hit", "shape_hit", "t", "found", "rows", "fill"];
const KEYS: [Key; 16] = [
    ("name", "string"),
    ("says", "string"),
    ("takes", "string"),
    ("gives", "string"),
    ("makes", "string"),
    ("first", "string"),
    ("as", "string"),
    ("does", "string"),
    ("status", "string"),
    ("by", "string"),
    ("hit", "string"),
    ("shape_hit", "string"),
    ("t", "string"),
    ("found", "string"),
    ("rows", "string"),
    ("fill", "string"),
];

/// The description of a function.
pub(super) struct Function<'a> {
    entry: &'a Value,
    name: &'a str,
    says: &'a str,
    arguments: Vec<Argument>,
    output: Output<'a>,
}

impl<'a> Function<'a> {
    pub(super) fn new(entry: &'a Value) -> Result<Self> {
        check_keys(entry, &KEYS)?;
        let questions = QUESTIONS.iter().filter(|key| entry.get(key).is_some()).count();
        ensure!(questions == 1, "it has {questions} of {}, rather than one", QUESTIONS.join(", "));
        let given = |key: &str| entry.get(key).and_then(Value::as_str);
        let named = |text: &'a str| text.split_once(": ").with_context(|| format!("`{text}` has no type"));
        let output = match (given("gives"), given("makes")) {
            (None, None) => Output::Nothing,
            (Some(text), None) => match named(text)? {
                (name, kind) if kind.starts_with('[') && sections(&kind[1..kind.len() - 1]).len() == 1 => {
                    Output::Rows(name, &kind[1..kind.len() - 1])
                }
                (name, kind) => Output::One(name, kind),
            },
            (None, Some(text)) => named(text).map(|(name, kind)| Output::Handle(name, kind))?,
            (Some(_), Some(_)) => bail!("it gives and makes something"),
        };
        Ok(Self {
            entry,
            name: given("name").context("it has no name")?,
            says: given("says").context("it says nothing")?,
            arguments: list(given("takes").unwrap_or_default())
                .into_iter()
                .map(Argument::new)
                .collect::<Result<_>>()?,
            output,
        })
    }

    fn given(&self, key: &str) -> Option<&'a str> {
        self.entry.get(key).and_then(Value::as_str)
    }

    /// Returns the function in Rust.
    pub(super) fn text(&self) -> Result<String> {
        let mut parameters: Vec<String> = self.arguments.iter().map(|argument| argument.declared.clone()).collect();
        let mut read: Vec<(String, String)> = Vec::new();
        match self.output {
            Output::Nothing => {}
            Output::One(name, kind) => {
                let (item, cast) = pointed(kind);
                parameters.push(format!("{name}: *mut {item}"));
                read.push((name.to_owned(), format!("place({name}{cast}, \"{name}\")?")));
            }
            Output::Rows(name, kind) => {
                let (item, cast) = pointed(kind);
                parameters.extend([
                    format!("{name}: *mut {item}"),
                    "capacity: usize".into(),
                    "count: *mut usize".into(),
                ]);
                read.push(("buffer".to_owned(), format!("Buffer::new({name}{cast}, capacity, count)?")));
            }
            Output::Handle(name, kind) => {
                parameters.push(format!("{name}: *mut *mut {kind}"));
                // The place of the handle is checked first, so that it becomes null even if an argument is refused.
                read.insert(0, (name.to_owned(), format!("handle_place({name}, \"{name}\")?")));
            }
        }
        let arguments = self.arguments.iter().filter_map(|argument| argument.read.clone());
        let at = usize::from(matches!(self.output, Output::Handle(..)));
        read.splice(at..at, arguments);
        let (names, reads): (Vec<String>, Vec<String>) = read.into_iter().unzip();
        let reading = match &names[..] {
            [] => String::new(),
            [name] => format!("{SAFETY}        let {name} = unsafe {{ {} }};\n", reads[0]),
            _ => format!("{SAFETY}        let ({}) = unsafe {{ ({}) }};\n", names.join(", "), reads.join(", ")),
        };
        Ok(format!(
            "{}#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn {}({}) -> HsStatus {{\n    guard(|| {{\n{reading}{}    }})\n}}\n",
            docs(self.says, 0),
            self.name,
            parameters.join(", "),
            self.body()?
        ))
    }

    /// Returns the statements that call the library and write the answer.
    fn body(&self) -> Result<String> {
        let first = self.given("first").map_or(String::new(), |first| format!("        {first}\n"));
        let converted = |kind: &str, one: &str| match self.given("as") {
            Some(expression) => expression.to_owned(),
            None if kind.starts_with("Hs") => format!("{kind}::from({one})"),
            None => "found".to_owned(),
        };
        let question = |key: &str| self.given(key).with_context(|| format!("it has no `{key}`"));
        let last = match self.output {
            Output::Nothing => match self.given("status") {
                Some(status) => match status.strip_suffix('?') {
                    Some(result) => format!("        {result}\n"),
                    None => format!("        Ok({status})\n"),
                },
                None => format!("        {};\n        Ok(HsStatus::Ok)\n", question("does")?),
            },
            Output::One(name, _) if self.given("by").is_some() => {
                format!("        {name}.write({});\n        Ok(HsStatus::Ok)\n", question("by")?)
            }
            Output::One(name, _) if self.given("hit").is_some() => {
                format!("        Ok(answer({name}, {}.as_ref().map(HsHit::from)))\n", in_parentheses(question("hit")?))
            }
            Output::One(name, _) if self.given("shape_hit").is_some() => format!(
                "        Ok(answer({name}, {}.map(|found| HsHit::of_shape(&found, ray))))\n",
                question("shape_hit")?
            ),
            Output::One(name, _) if self.given("t").is_some() => {
                format!("        Ok(answer_t({name}, {}))\n", question("t")?)
            }
            Output::One(name, kind) => format!(
                "        let Some(found) = {} else {{ return Ok(HsStatus::None) }};\n        {name}.write({});\n        Ok(HsStatus::Ok)\n",
                question("found")?,
                converted(kind, "&found")
            ),
            Output::Rows(..) if self.given("rows").is_some() => {
                format!("        Ok(buffer.fill({}))\n", question("rows")?)
            }
            Output::Rows(_, kind) => {
                let rows = match self.given("as") {
                    Some(expression) => expression.to_owned(),
                    None if kind.starts_with("Hs") => format!("found.iter().map({kind}::from)"),
                    None => "found.into_iter()".to_owned(),
                };
                format!(
                    "        let mut found = Vec::new();\n        {};\n        Ok(buffer.fill({rows}))\n",
                    question("fill")?
                )
            }
            Output::Handle(name, kind) => format!("        hand_out({name}, {kind}({}))\n", question("by")?),
        };
        Ok(first + &last)
    }
}

const SAFETY: &str = "        // SAFETY: The caller keeps the rules of this crate.\n";

/// Returns the type to which C has a pointer, and the cast of that pointer. C passes an array as a pointer to its first
/// number.
fn pointed(kind: &str) -> (&str, String) {
    let item = kind.trim_start_matches('[');
    if item.len() == kind.len() {
        return (kind, String::new());
    }
    (item.split(';').next().unwrap_or(item), format!(".cast::<{kind}>()"))
}

/// Returns an expression in parentheses, if it needs them before the call of a method.
fn in_parentheses(expression: &str) -> String {
    if expression.contains(' ') && !expression.ends_with(')') {
        format!("({expression})")
    } else {
        expression.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Function;
    use toml::Value;

    fn text(description: &str) -> String {
        let entry: Value = description.parse::<toml::Table>().expect("a table").into();
        Function::new(&entry).and_then(|function| function.text()).expect("a function")
    }

    #[test]
    fn an_answer_that_may_be_missing_has_a_status() {
        let description = "name = 'hs_mesh_near'\nsays = 'Finds it.'\ntakes = 'mesh, at: dvec3, most: f64'\n\
                           gives = 'near: HsNear'\nfound = 'mesh.0.near(at, most)'\n";
        let expected = "/// Finds it.\n#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn hs_mesh_near(mesh: *const HsMesh, at: *const f64, \
                        most: f64, near: *mut HsNear) -> HsStatus {\n    guard(|| {\n        \
                        // SAFETY: The caller keeps the rules of this crate.\n        \
                        let (mesh, at, near) = unsafe { (shared(mesh, \"mesh\")?, \
                        numbers(at, \"at\").map(hitscan::glam::DVec3::from_array)?, place(near, \"near\")?) };\n        \
                        let Some(found) = mesh.0.near(at, most) else { return Ok(HsStatus::None) };\n        \
                        near.write(HsNear::from(&found));\n        Ok(HsStatus::Ok)\n    })\n}\n";
        assert_eq!(text(description), expected);
    }

    #[test]
    fn lists_arrays_and_handles_have_places() {
        let list =
            text("name = 'hs_a'\nsays = 'A.'\ntakes = 'scene'\ngives = 'pairs: [[u64; 2]]'\nfill = 'x(&mut found)'\n");
        assert!(list.contains("pairs: *mut u64, capacity: usize, count: *mut usize"), "{list}");
        assert!(list.contains("Buffer::new(pairs.cast::<[u64; 2]>(), capacity, count)?"), "{list}");
        let array = text("name = 'hs_b'\nsays = 'B.'\ntakes = 'scene'\ngives = 'at: [f32; 3]'\nby = 'x()'\n");
        assert!(array.contains("place(at.cast::<[f32; 3]>(), \"at\")?"), "{array}");
        let handle = text("name = 'hs_c'\nsays = 'C.'\ntakes = 'mesh'\nmakes = 'tree: HsTree'\nby = 'x(&mesh.0)'\n");
        assert!(handle.contains("let (tree, mesh) = unsafe { (handle_place(tree, \"tree\")?, "), "{handle}");
    }
}
