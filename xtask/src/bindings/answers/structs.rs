//! Answers as structs of the C interface, and the code that converts the library's answers to them.

use super::table::{Answer, Field};
use crate::bindings::docs::docs;
use anyhow::{Context, Result};

/// The kinds of fields: the name, the type in a struct of C, and the expression that converts `VALUE` of the library.
const KINDS: [(&str, &str, &str); 22] = [
    ("u32", "u32", "VALUE"),
    ("u64", "u64", "VALUE"),
    ("i32", "i32", "VALUE"),
    ("usize", "usize", "VALUE"),
    ("f32", "f32", "VALUE"),
    ("f64", "f64", "VALUE"),
    ("flag", "i32", "VALUE.into()"),
    ("key", "u64", "VALUE"),
    ("vec2", "[f32; 2]", "VALUE.to_array()"),
    ("vec3", "[f32; 3]", "VALUE.to_array()"),
    ("dvec3", "[f64; 3]", "VALUE.to_array()"),
    ("pair", "[u32; 2]", "VALUE"),
    ("points", "[[f32; 3]; 2]", "VALUE.map(|point| point.to_array())"),
    ("triangle", "u32", "VALUE.unwrap_or(HS_NO_TRIANGLE)"),
    ("triangles", "[u32; 2]", "VALUE.map(|triangle| triangle.unwrap_or(HS_NO_TRIANGLE))"),
    ("side", "i32", "HsSide::from(VALUE) as i32"),
    ("feature", "i32", "feature(VALUE)[0]"),
    ("feature_number", "i32", "feature(VALUE)[1]"),
    ("containment", "i32", "containment(VALUE)"),
    ("start", "i32", "start(VALUE)"),
    ("hit", "HsHit", "HsHit::from(&VALUE)"),
    ("hit or miss", "HsHit", "VALUE.as_ref().map_or(HsHit::MISS, HsHit::from)"),
];

/// Returns the source of all structs.
pub(super) fn text(notice: &str, table: &str, answers: &[Answer]) -> Result<String> {
    let texts = answers.iter().map(|answer| text_of(answer).with_context(|| format!("{table}: {}", answer.name)));
    let text = texts.collect::<Result<Vec<_>>>()?.join("\n");
    let used: Vec<&str> = FACTS
        .into_iter()
        .filter(|name| text.contains(&format!("{name}::")) || text.contains(&format!(" {name}(")))
        .collect();
    let used = match &used[..] {
        [] => String::new(),
        names => format!("use crate::facts::{{{}}};\n\n", [&["HS_NO_TRIANGLE"], names].concat().join(", ")),
    };
    Ok(format!("//! {notice}\n//! Answers are described in `{table}`.\n\n{used}{text}"))
}

/// The names of `facts.rs` that convert values.
const FACTS: [&str; 4] = ["HsSide", "containment", "feature", "start"];

fn text_of(answer: &Answer) -> Result<String> {
    let Answer { name, of, says, compares, fields, .. } = answer;
    let derive = if *compares { "Clone, Copy, Debug, PartialEq" } else { "Clone, Copy, Debug" };
    let declared: String = fields.iter().map(declaration).collect();
    let mut text = format!("{}#[derive({derive})]\n#[repr(C)]\npub struct {name} {{\n{declared}}}\n", docs(says, 0));
    if let Some(of) = of {
        let values: String = fields.iter().map(value).collect::<Result<_>>()?;
        text += &format!(
            "\nimpl From<&hitscan::{of}> for {name} {{\n    fn from(found: &hitscan::{of}) -> Self {{\n        Self {{\n{values}        }}\n    }}\n}}\n"
        );
    }
    Ok(text)
}

/// Returns the kind of a field, or `None` if the field is another answer.
fn kind(field: &Field) -> Option<&'static (&'static str, &'static str, &'static str)> {
    KINDS.iter().find(|(kind, ..)| *kind == field.kind)
}

fn declaration(field: &Field) -> String {
    let declared = kind(field).map_or(&*field.kind, |(_, declared, _)| declared);
    format!("{}    pub {}: {declared},\n", docs(&field.says, 4), field.name)
}

fn value(field: &Field) -> Result<String> {
    let (_, _, made) = kind(field).with_context(|| format!("`{}` is no kind of a field", field.kind))?;
    let usual = match &*field.kind {
        "key" => "id",
        "feature_number" => "feature",
        _ => &field.name,
    };
    let value = format!("found.{}", field.get.as_deref().unwrap_or(usual));
    Ok(format!("            {}: {},\n", field.name, made.replace("VALUE", &value)))
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::bindings::answers::table::answers;

    #[test]
    fn a_field_is_declared_and_made() {
        let table = "fields = { key = { kind = 'key', says = 'The entity.' } }\n[[answer]]\nname = 'HsDepth'\nof = 'Depth<u64>'\n\
                     says = 'A depth.'\nfields = ['key', { name = 'way', kind = 'dvec3', get = 'way_out()', says = 'The way out.' }]\n";
        let answers = answers(&table.parse().expect("a table")).expect("answers");
        let text = text("Generated.", "a.toml", &answers).expect("structs");
        let struct_of = "/// A depth.\n#[derive(Clone, Copy, Debug)]\n#[repr(C)]\npub struct HsDepth {\n    /// The entity.\n    pub key: u64,\n    \
                         /// The way out.\n    pub way: [f64; 3],\n}\n";
        assert!(text.contains(struct_of), "{text}");
        assert!(text.contains("impl From<&hitscan::Depth<u64>> for HsDepth {"), "{text}");
        assert!(text.contains("key: found.id,\n            way: found.way_out().to_array(),\n"), "{text}");
    }
}
