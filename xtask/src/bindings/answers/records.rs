//! Answers as records of numbers in the memory of the WebAssembly module. Rust code writes a record, and TypeScript
//! code reads it.

use super::table::{Answer, Field};
use anyhow::{Context, Result, ensure};

/// A kind of fields of a record. It has its name, the expression of the number in Rust, and in TypeScript the type and the expression that reads it. `AT` in
/// these expressions is the place of the number.
struct Kind(&'static str, &'static str, &'static str, &'static str);

const KINDS: [Kind; 11] = [
    Kind("f32", "put(AT, VALUE.into())", "number", "row[AT]!"),
    Kind("f64", "put(AT, VALUE)", "number", "row[AT]!"),
    Kind("u32", "put(AT, VALUE.into())", "number", "row[AT]!"),
    Kind("flag", "put(AT, u8::from(VALUE).into())", "boolean", "row[AT] === 1"),
    Kind("triangle", "put(AT, answer::index(VALUE))", "number | undefined", "index(row[AT]!)"),
    Kind("vec3", "vector(&mut put, AT, VALUE)", "Vec3", "vector(row, AT)"),
    Kind("dvec3", "vector_f64(&mut put, AT, VALUE)", "Vec3", "vector(row, AT)"),
    Kind("side", "answer::side_of(&mut put, VALUE)", "Side", "sides[row[AT]!]!"),
    Kind("feature", "put(AT, answer::feature(VALUE))", "Feature", "features[row[AT]!]!"),
    Kind("start", "put(AT, answer::start(VALUE))", "SweepStart", "starts[row[AT]!]!"),
    Kind("key", "put(AT, VALUE.into())", "K", "id"),
];

/// The usual place of a field of this name.
const PLACES: [(&str, &str); 16] = [
    ("t", "T"),
    ("fraction", "T"),
    ("depth", "T"),
    ("distance", "T"),
    ("key", "ID"),
    ("part", "PART"),
    ("triangle", "TRIANGLE"),
    ("side", "SIDE"),
    ("point", "POINT"),
    ("normal", "NORMAL"),
    ("u", "UV"),
    ("v", "UV + 1"),
    ("feature", "FEATURE"),
    ("start", "STATE"),
    ("is_covered", "STATE"),
    ("second", "SECOND"),
];

/// The places in the order of memory.
const ORDER: [&str; 13] =
    ["T", "ID", "PART", "TRIANGLE", "SIDE", "POINT", "NORMAL", "UV", "FEATURE", "STATE", "EXTRA", "SECOND", "THIRD"];

/// A field in its place.
struct Placed<'a> {
    field: &'a Field,
    place: String,
}

/// Returns the fields of an answer's record, in the order that JavaScript shows.
fn placed<'a>(answer: &'a Answer, fields: &str) -> Result<Vec<Placed<'a>>> {
    let placed = |text: &str| {
        let (name, place) =
            text.split_once('@').map_or((text, None), |(name, place)| (name, Some(place.to_uppercase())));
        let field = answer
            .fields
            .iter()
            .find(|field| field.name == name)
            .with_context(|| format!("there is no field `{name}`"))?;
        let usual = PLACES.iter().find(|(usual, _)| *usual == name).map(|(_, place)| (*place).to_owned());
        Ok(Placed { field, place: place.or(usual).with_context(|| format!("`{name}` has no place"))? })
    };
    let placed: Vec<Placed<'a>> = fields.split_whitespace().map(placed).collect::<Result<_>>()?;
    for (number, Placed { field, place }) in placed.iter().enumerate() {
        let start = place.split(' ').next().unwrap_or_default();
        ensure!(ORDER.contains(&start), "there is no place `{start}` for `{}`", field.name);
        let is_taken = placed[..number].iter().any(|other| other.place == *place);
        ensure!(!is_taken, "`{}` is at the place of another field, {place}", field.name);
    }
    Ok(placed)
}

fn kind(field: &Field) -> Result<&'static Kind> {
    KINDS.iter().find(|kind| kind.0 == field.kind).with_context(|| format!("a record has no `{}`", field.kind))
}

/// Returns the records in Rust.
pub(super) fn rust(notice: &str, table: &str, answers: &[Answer]) -> Result<String> {
    let mut text = format!(
        "//! {notice}\n//! Answers are described in `{table}`.\n\nuse crate::answer::{{self, Record, place, vector, vector_f64}};\n"
    );
    for (answer, _, fields) in answers.iter().filter_map(record) {
        let of = answer.of.as_ref().context("a record is made of the library's answer")?.replace("u64", "u32");
        let mut fields = placed(answer, fields)?;
        // Rust writes the numbers in the order of memory.
        fields.sort_by_key(|placed| ORDER.iter().position(|place| placed.place.split(' ').next() == Some(place)));
        let puts = fields.iter().map(put).collect::<Result<String>>()?;
        text += &format!(
            "\nimpl Record for hitscan::{of} {{\n    fn put(&self, mut put: impl FnMut(usize, f64)) {{\n{puts}    }}\n}}\n"
        );
    }
    Ok(text)
}

fn put(placed: &Placed<'_>) -> Result<String> {
    let Kind(_, put, ..) = kind(placed.field)?;
    let name = if placed.field.kind == "key" { "id" } else { &placed.field.name };
    let value = format!("self.{}", placed.field.get.as_deref().unwrap_or(name));
    Ok(format!("        {};\n", put.replace("AT", &format!("place::{}", placed.place)).replace("VALUE", &value)))
}

/// Returns the types and the readers in TypeScript.
pub(super) fn typescript(notice: &str, table: &str, answers: &[Answer]) -> Result<String> {
    let mut text = format!(
        "// {notice}\n// Answers are described in `{table}`.\n\n\
         import {{ features, index, place, sides, starts, vector, type Feature, type Side, type SweepStart }} from \"./answers.js\";\n\
         import {{ doubles, recordStart }} from \"./module.js\";\nimport type {{ Vec3 }} from \"./vectors.js\";\n"
    );
    for (answer, name, fields) in answers.iter().filter_map(record) {
        let fields = placed(answer, fields)?;
        let declared = fields.iter().map(declaration).collect::<Result<String>>()?;
        let read = fields.iter().map(reading).collect::<Result<String>>()?;
        let (kind, key) =
            if fields.iter().any(|placed| placed.field.kind == "key") { ("<K>", "id: K, ") } else { ("", "") };
        let reader = format!("{}{}", name[..1].to_lowercase(), &name[1..]);
        text += &format!(
            "\n/** {says} */\nexport interface {name}{kind} {{\n{declared}}}\n\n/** @internal Reads it. */\n\
             export function {reader}{kind}({key}row = doubles(), at = recordStart()): {name}{kind} {{\n  return {{\n{read}  }};\n}}\n",
            says = answer.says
        );
    }
    Ok(text)
}

/// Returns an answer with its name in JavaScript and its fields, if it is a record there.
fn record(answer: &Answer) -> Option<(&Answer, &str, &str)> {
    let (name, fields) = answer.javascript.as_ref()?.split_once(": ")?;
    Some((answer, name, fields))
}

fn declaration(placed: &Placed<'_>) -> Result<String> {
    let Kind(_, _, kind, _) = kind(placed.field)?;
    Ok(format!("  /** {} */\n  {}: {kind};\n", in_javascript(&placed.field.says), camel(&placed.field.name)))
}

fn reading(placed: &Placed<'_>) -> Result<String> {
    let Kind(_, _, _, read) = kind(placed.field)?;
    if *read == "id" {
        return Ok("    id,\n".to_owned());
    }
    let at = match placed.place.split_once(' ') {
        Some((place, more)) => format!("at + place.{} {more}", place.to_lowercase()),
        None => format!("at + place.{}", placed.place.to_lowercase()),
    };
    Ok(format!("    {}: {},\n", camel(&placed.field.name), read.replace("AT", &at)))
}

/// Returns docs with the names of C replaced by the names of JavaScript.
fn in_javascript(says: &str) -> String {
    let says = says
        .replace("`HS_NO_TRIANGLE`", "`undefined`")
        .replace("1 if", "True if")
        .replace(", otherwise 0.", ".")
        .replace("the filter's origin", "`relativeTo`");
    match says.find(", an `Hs") {
        Some(at) => says[..at].to_owned() + &says[at..][says[at..].find(['.', ';']).unwrap_or(0)..],
        None => says,
    }
}

fn camel(name: &str) -> String {
    if name == "key" {
        return "id".to_owned();
    }
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

#[cfg(test)]
mod tests {
    use super::{rust, typescript};
    use crate::bindings::answers::table::answers;

    #[test]
    fn what_rust_puts_typescript_reads() {
        let table = "fields = { key = { kind = 'key', says = 'The entity.' } }\n[[answer]]\nname = 'HsDepth'\nof = 'Depth<u64>'\nsays = 'A depth.'\n\
                     javascript = 'Depth: key depth way_out@second'\n\
                     fields = ['key', { name = 'depth', kind = 'f32', says = 'Its length.' }, { name = 'way_out', kind = 'dvec3', get = 'way()', says = 'The way.' }]\n";
        let answers = answers(&table.parse().expect("a table")).expect("answers");
        let puts = "put(place::T, self.depth.into());\n        put(place::ID, self.id.into());\n        vector_f64(&mut put, place::SECOND, self.way());\n";
        let text = rust("Generated.", "a.toml", &answers).expect("records");
        assert!(text.contains("impl Record for hitscan::Depth<u32> {") && text.contains(puts), "{text}");
        let text = typescript("Generated.", "a.toml", &answers).expect("records");
        let reads = "    id,\n    depth: row[at + place.t]!,\n    wayOut: vector(row, at + place.second),\n";
        assert!(text.contains("export function depth<K>(id: K, row") && text.contains(reads), "{text}");
        assert!(text.contains("  /** The way. */\n  wayOut: Vec3;\n"), "{text}");
    }
}
