//! `hitscan.hpp`, which is made from a template in C++ and the functions of `hitscan.h`.
//!
//! The template contains the code that is specific to C++. A line `// @methods hs_mesh_` in a class is replaced by methods. There is one for each function
//! whose name begins with this prefix and is not in the template. `const` after the prefix takes only constant methods, and `mutable` only the others. A line
//! `// @functions hs_shape_` is replaced by functions in the same manner.

use super::functions::{Function, Parameter, functions, handles};
use super::program::CAPI;
use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result, bail, ensure};
use std::path::PathBuf;

const TEMPLATE: &str = "hitscan.hpp.in";
const BEGIN: &str =
    "// hitscan.hpp for C++17. It is generated from hitscan.hpp.in and hitscan.h by `cargo xtask capi --header`.\n//\n";

/// The largest number of characters in a line.
const LINE: usize = 120;

/// The count of numbers to which a pointer points, by the parameter's name. Other inputs are three numbers, and other
/// answers are one.
const SIZES: [(&str, usize); 10] = [
    ("camera_to_world", 16),
    ("corners", 9),
    ("interval", 2),
    ("normal", 3),
    ("point", 3),
    ("projection", 16),
    ("rotation", 4),
    ("texcoord", 2),
    ("transform", 16),
    ("view", 16),
];

/// The names that macros of windows.h replace.
const RENAMED: [(&str, &str); 2] = [("near", "near_plane"), ("far", "far_plane")];

fn committed() -> PathBuf {
    root().join(CAPI).join("include/hitscan.hpp")
}

/// Writes the header for C++ into the repository.
pub(super) fn update() -> Result<()> {
    std::fs::write(committed(), generate()?).with_context(|| format!("cannot write {}", committed().display()))
}

/// Fails if the header for C++ in the repository differs from the one that is generated now.
pub(super) fn check() -> Result<()> {
    let is_same = read(&committed())? == generate()?;
    ensure!(is_same, "{} differs from its sources: run `cargo xtask capi --header`", committed().display());
    Ok(())
}

fn generate() -> Result<String> {
    fill(&read(&root().join(CAPI).join(TEMPLATE))?, &functions()?)
}

/// Replaces the marks of a template.
fn fill(template: &str, functions: &[Function]) -> Result<String> {
    let (mut text, mut done) = (BEGIN.to_owned(), Vec::new());
    let is_in_template =
        |name: &str| template.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    let handles = handles(functions);
    for line in template.lines() {
        let Some(mark) = line.trim_start().strip_prefix("// @") else {
            text = text + line + "\n";
            continue;
        };
        let place = Place::new(mark)?;
        for function in functions.iter().filter(|function| place.takes(function) && !is_in_template(&function.name)) {
            let method = Method::new(function, &place, &handles);
            text += &method.with_context(|| format!("{} must be in {TEMPLATE}", function.name))?.text();
            done.push(&function.name);
        }
    }
    let left = functions.iter().find(|function| !is_in_template(&function.name) && !done.contains(&&function.name));
    match left {
        Some(function) => bail!("{TEMPLATE} lacks {}", function.name),
        None => Ok(text),
    }
}

/// The class or the namespace in which a mark is.
struct Place<'a> {
    prefix: &'a str,
    /// The class; `None` in the namespace.
    class: Option<String>,
    /// The word that selects constant methods, or all others.
    constness: Option<&'a str>,
}

impl<'a> Place<'a> {
    fn new(mark: &'a str) -> Result<Self> {
        let words: Vec<&str> = mark.split(' ').collect();
        let (class, prefix, constness) = match words[..] {
            ["methods", prefix] => (Some(class(prefix)), prefix, None),
            ["methods", prefix, constness] => (Some(class(prefix)), prefix, Some(constness)),
            ["functions", prefix] => (None, prefix, None),
            _ => bail!("`@{mark}` is no mark"),
        };
        Ok(Self { prefix, class, constness })
    }

    fn takes(&self, function: &Function) -> bool {
        let is_wanted = |constness| self.has_const_self(function) == (constness == "const");
        function.name.starts_with(self.prefix) && self.constness.is_none_or(is_wanted)
    }

    /// Returns whether the first parameter of a function is a handle of the class.
    fn has_self(&self, function: &Function) -> bool {
        let (Some(class), Some(first)) = (&self.class, function.parameters.first()) else { return false };
        first.kind.trim_start_matches("const ") == format!("Hs{class} *")
    }

    fn has_const_self(&self, function: &Function) -> bool {
        self.has_self(function) && function.parameters.first().is_some_and(|first| first.kind.starts_with("const "))
    }
}

/// Returns the class of the functions with a prefix: `HeightField` for `hs_height_field_`.
fn class(prefix: &str) -> String {
    let words = prefix.split('_').skip(1);
    words.flat_map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1))).collect()
}

/// The answer of a method.
enum Output {
    /// The value that the function in C returns.
    Returned(&'static str),
    One {
        kind: String,
        argument: String,
    },
    Rows {
        kind: String,
        name: String,
    },
    Handle {
        class: String,
        name: String,
    },
}

/// A method or a function in C++.
struct Method<'a> {
    function: &'a Function,
    place: &'a Place<'a>,
    /// The declarations of the parameters, with their default values.
    parameters: Vec<(String, Option<&'static str>)>,
    /// The arguments for the function in C.
    arguments: Vec<String>,
    /// The views among the parameters, with the count of numbers in an item of each.
    views: Vec<(String, usize)>,
    output: Output,
}

impl<'a> Method<'a> {
    fn new(function: &'a Function, place: &'a Place<'a>, handles: &[&str]) -> Result<Self> {
        let returned = match &*function.answer {
            "HsStatus" => "HsStatus",
            "size_t" => "std::size_t",
            other => bail!("it returns {other}"),
        };
        let (parameters, arguments, views) = (Vec::new(), Vec::new(), Vec::new());
        let mut method = Self { function, place, parameters, arguments, views, output: Output::Returned(returned) };
        let mut rest = &function.parameters[..];
        if place.has_self(function) {
            method.arguments.push(if place.constness == Some("const") { "view()" } else { "get()" }.to_owned());
            rest = &rest[1..];
        }
        while let [first, after @ ..] = rest {
            let more = method.add(first, after, handles)?;
            rest = &after[more..];
        }
        // A parameter with a default value comes after all others.
        method.parameters.sort_by_key(|(_, default)| default.is_some());
        Ok(method)
    }

    /// Adds a parameter, and returns how many of the next parameters belong to it.
    fn add(&mut self, first: &Parameter, after: &[Parameter], handles: &[&str]) -> Result<usize> {
        let name = renamed(&first.name);
        let is_next = |place: usize, end: &str| after.get(place).is_some_and(|next| next.name.ends_with(end));
        if let Some(handle) = first.kind.strip_suffix(" **") {
            self.output = Output::Handle { class: handle.trim_start_matches("Hs").to_owned(), name: name.to_owned() };
            self.arguments.push(name.to_owned());
            return Ok(0);
        }
        if let Some(item) = first.kind.strip_prefix("const ").and_then(|kind| kind.strip_suffix(" *")) {
            let stride = usize::from(is_next(0, "stride"));
            let is_row = (stride == 1 || number(item).is_some()) && is_next(stride, "count");
            if is_row {
                self.add_view(&format!("const {}", cpp(item)), name, stride, Self::width(item, name));
                return Ok(stride + 1);
            }
            self.add_input(item, name, handles);
            return Ok(0);
        }
        if let Some(item) = first.kind.strip_suffix(" *") {
            return self.add_output(item, name, after);
        }
        let (declaration, default) = match name {
            "sides" => (format!("HsCull {name}"), Some("HS_CULL_NONE")),
            "when_inside" => (format!("HsInside {name}"), Some("HS_INSIDE_EXIT")),
            _ => (format!("{} {name}", cpp(&first.kind)), None),
        };
        self.parameters.push((declaration, default));
        self.arguments.push(name.to_owned());
        Ok(0)
    }

    /// Returns the count of numbers in an item of a view.
    fn width(item: &str, name: &str) -> usize {
        match (number(item), name) {
            (None | Some("std::uint8_t"), _) => 1,
            (Some(_), "corners") => 2,
            (Some(_), _) => 3,
        }
    }

    /// Adds a view of items that are contiguous.
    fn add_view(&mut self, item: &str, name: &str, strides: usize, width: usize) {
        let count = if width == 1 { format!("{name}.size()") } else { format!("{name}.size() / {width}") };
        self.parameters.push((format!("View<{item}> {name}"), None));
        self.arguments.push(format!("{name}.data()"));
        self.arguments.extend(vec!["0".to_owned(); strides]);
        self.arguments.push(count);
        self.views.push((name.to_owned(), width));
    }

    fn add_input(&mut self, item: &str, name: &str, handles: &[&str]) {
        let (kind, default, argument) = match item {
            "HsFilter" => ("const Filter* ".to_owned(), Some("nullptr"), format!("detail::choices({name})")),
            "HsScene" => ("const SceneView& ".to_owned(), None, format!("{name}.view()")),
            _ if handles.contains(&item) => {
                (format!("const {}& ", item.trim_start_matches("Hs")), None, format!("{name}.get()"))
            }
            _ if number(item).is_some() => {
                (format!("const {}& ", array(item, size(name).unwrap_or(3))), None, format!("{name}.data()"))
            }
            _ => (format!("const {item}& "), None, format!("&{name}")),
        };
        self.parameters.push((kind + name, default));
        self.arguments.push(argument);
    }

    fn add_output(&mut self, item: &str, name: &str, after: &[Parameter]) -> Result<usize> {
        let kind = cpp(item).to_owned();
        match after {
            [capacity, count] if capacity.name == "capacity" && count.name == "count" => {
                self.arguments.extend([name, "capacity", "count"].map(str::to_owned));
                self.output = Output::Rows { kind, name: name.to_owned() };
            }
            [] | [_] if self.function.name.ends_with("_batch") => {
                self.parameters.push((format!("View<{kind}> {name}"), None));
                self.arguments.push(format!("{name}.data()"));
                self.arguments.extend(after.iter().map(|_| "0".to_owned()));
                self.views.push((name.to_owned(), 1));
            }
            [] => {
                let size = number(item).and(size(name)).unwrap_or(1);
                let argument = if size > 1 { format!("{name}->data()") } else { name.to_owned() };
                self.arguments.push(argument);
                self.output = Output::One { kind: array(item, size), argument: name.to_owned() };
            }
            _ => bail!("`{name}` is not its last parameter"),
        }
        Ok(after.len())
    }

    /// Returns the name in C++.
    fn name(&self) -> &str {
        let prefix = if self.place.class.is_some() { self.place.prefix } else { "hs_" };
        match self.function.name.trim_start_matches(prefix).trim_start_matches("get_") {
            "new" => "make",
            name => name,
        }
    }

    fn text(&self) -> String {
        let indent = if self.place.class.is_some() { 4 } else { 0 };
        let space = " ".repeat(indent);
        let has_self = self.place.has_self(self.function);
        let kind = match (&self.place.class, has_self) {
            (None, _) => "inline ",
            (Some(_), false) => "static ",
            (Some(_), true) => "",
        };
        let constness = if self.place.has_const_self(self.function) { " const" } else { "" };
        let answer = match &self.output {
            Output::Returned(kind) => (*kind).to_owned(),
            Output::One { kind, .. } => format!("Answer<{kind}>"),
            Output::Rows { kind, .. } => format!("Answer<std::vector<{kind}>>"),
            Output::Handle { class, .. } => format!("Answer<{class}>"),
        };
        let parameters = self.parameters.iter().map(|(declaration, default)| match default {
            Some(default) => format!("{declaration} = {default}"),
            None => declaration.clone(),
        });
        let head = format!("{kind}{answer} {}(", self.name());
        let head = wrapped(&head, &parameters.collect::<Vec<_>>(), &format!("){constness} {{"), indent);
        format!(
            "{}{head}{}{}{space}}}\n",
            comment(&self.function.says, indent),
            self.check(indent + 4),
            self.body(indent + 4)
        )
    }

    /// Returns the statement that refuses a batch whose number of places for answers differs from its number of items.
    fn check(&self, indent: usize) -> String {
        let [(items, width), (answers, _)] = &self.views[..] else { return String::new() };
        let width = if *width == 1 { String::new() } else { format!("{width} * ") };
        let space = " ".repeat(indent);
        format!("{space}if ({items}.size() != {width}{answers}.size()) return HS_STATUS_INVALID_ARGUMENT;\n")
    }

    fn body(&self, indent: usize) -> String {
        let call = format!("return {}(", self.function.name);
        let (head, tail) = match &self.output {
            Output::Returned(_) => return wrapped(&call, &self.arguments, ");", indent),
            Output::One { kind, argument } => (format!("ask<{kind}>([&]({kind}* {argument}) {{"), "});"),
            Output::Rows { kind, name } => {
                let rows = format!("ask_all<{kind}>([&]({kind}* {name}, std::size_t capacity, std::size_t* count) {{");
                // For bytes, the first buffer is empty, because a guess would have to be large.
                (rows, if kind == "std::uint8_t" { "}, 0);" } else { "});" })
            }
            Output::Handle { class, name } => (format!("make<{class}, Hs{class}>([&](Hs{class}** {name}) {{"), "});"),
        };
        let space = " ".repeat(indent);
        let head = format!("{space}return detail::{head}");
        let line = format!("{head} {call}{}); {tail}\n", self.arguments.join(", "));
        if line.len() <= LINE + 1 {
            return line;
        }
        match head.split_once("[&]") {
            Some((question, closure)) if head.len() > LINE => {
                let call = wrapped(&call, &self.arguments, ");", indent + 8);
                format!("{question}\n{space}    [&]{closure}\n{call}{space}    {tail}\n")
            }
            _ => format!("{head}\n{}{space}{tail}\n", wrapped(&call, &self.arguments, ");", indent + 4)),
        }
    }
}

fn renamed(name: &str) -> &str {
    RENAMED.iter().find(|(before, _)| *before == name).map_or(name, |(_, after)| after)
}

fn size(name: &str) -> Option<usize> {
    SIZES.iter().find(|(other, _)| *other == name).map(|(_, size)| *size)
}

/// Returns the type in C++ of a number that may be in an array, or `None` for other types.
fn number(item: &str) -> Option<&str> {
    match item {
        "float" | "double" => Some(item),
        "uint8_t" => Some("std::uint8_t"),
        _ => None,
    }
}

/// Returns the type in C++ of a value.
fn cpp(item: &str) -> &str {
    match item {
        "int32_t" => "std::int32_t",
        "uint32_t" => "std::uint32_t",
        "uint64_t" => "Key",
        "uint8_t" => "std::uint8_t",
        "size_t" => "std::size_t",
        _ => item,
    }
}

/// Returns the type of this many numbers, or of one value.
fn array(item: &str, size: usize) -> String {
    match (item, size) {
        (_, 1) => cpp(item).to_owned(),
        ("float", 3) => "Vec3".to_owned(),
        ("double", 3) => "DVec3".to_owned(),
        ("double", 16) => "Matrix".to_owned(),
        _ => format!("std::array<{item}, {size}>"),
    }
}

/// Returns a comment in as many lines as needed.
fn comment(text: &str, indent: usize) -> String {
    let begin = format!("{}//", " ".repeat(indent));
    let (mut lines, mut line) = (String::new(), begin.clone());
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > LINE {
            lines = lines + &line + "\n";
            line.clone_from(&begin);
        }
        line = line + " " + word;
    }
    lines + &line + "\n"
}

/// Returns a declaration or a call. If its items do not fit in a line, they are distributed over several lines.
fn wrapped(head: &str, items: &[String], tail: &str, indent: usize) -> String {
    let start = " ".repeat(indent) + head;
    let (mut lines, mut line) = (String::new(), start.clone());
    for (place, item) in items.iter().enumerate() {
        let end = if place + 1 == items.len() { tail.len() } else { 1 };
        let space = usize::from(place > 0);
        if place > 0 && line.len() + space + item.len() + end > LINE {
            lines = lines + &line + "\n";
            line = " ".repeat(start.len());
        } else if place > 0 {
            line.push(' ');
        }
        line += item;
        line += if place + 1 == items.len() { "" } else { "," };
    }
    lines + &line + tail + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, answer: &str, parameters: &[(&str, &str)]) -> Function {
        let parameters = parameters.iter().map(|&(kind, name)| Parameter { kind: kind.into(), name: name.into() });
        Function {
            answer: answer.into(),
            name: name.into(),
            parameters: parameters.collect(),
            says: "It answers.".into(),
        }
    }

    fn generated(template: &str, functions: &[Function]) -> String {
        fill(template, functions).map_or_else(|error| format!("{error:#}"), |text| text[BEGIN.len()..].to_owned())
    }

    const SCENE: (&str, &str) = ("const HsScene *", "scene");

    #[test]
    fn methods_ask_for_one_answer_many_and_handles() {
        let make = function("hs_scene_new", "HsStatus", &[("HsScene **", "scene")]);
        let cast = function(
            "hs_scene_cast",
            "HsStatus",
            &[SCENE, ("const HsFilter *", "filter"), ("const float *", "at"), ("HsHit *", "hit")],
        );
        let keys = function(
            "hs_scene_keys",
            "HsStatus",
            &[SCENE, ("uint64_t *", "keys"), ("size_t", "capacity"), ("size_t *", "count")],
        );
        let functions = [make, cast, keys];
        assert_eq!(
            generated("    // @methods hs_scene_ const\n    // @methods hs_scene_ mutable\n", &functions),
            "    // It answers.\n    Answer<HsHit> cast(const Vec3& at, const Filter* filter = nullptr) const {\n        \
             return detail::ask<HsHit>([&](HsHit* hit) {\n            \
             return hs_scene_cast(view(), detail::choices(filter), at.data(), hit);\n        });\n    }\n    \
             // It answers.\n    Answer<std::vector<Key>> keys() const {\n        \
             return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {\n            \
             return hs_scene_keys(view(), keys, capacity, count);\n        });\n    }\n    \
             // It answers.\n    static Answer<Scene> make() {\n        \
             return detail::make<Scene, HsScene>([&](HsScene** scene) { return hs_scene_new(scene); });\n    }\n"
        );
    }

    #[test]
    fn batches_check_the_numbers_of_their_items() {
        let batch = function(
            "hs_scene_contains_batch",
            "HsStatus",
            &[SCENE, ("const double *", "points"), ("size_t", "stride"), ("size_t", "count"), ("bool *", "contains")],
        );
        assert_eq!(
            generated("    // @methods hs_scene_ const\n", &[batch]),
            "    // It answers.\n    HsStatus contains_batch(View<const double> points, View<bool> contains) const {\n        \
             if (points.size() != 3 * contains.size()) return HS_STATUS_INVALID_ARGUMENT;\n        \
             return hs_scene_contains_batch(view(), points.data(), 0, points.size() / 3, contains.data());\n    }\n"
        );
    }

    #[test]
    fn a_function_that_cannot_be_generated_must_be_in_the_template() {
        let bounds = function("hs_scene_bounds", "HsStatus", &[SCENE, ("float *", "min"), ("float *", "max")]);
        let ray = function("hs_ray_at", "HsStatus", &[("const HsRay *", "ray"), ("float *", "point")]);
        let functions = [bounds, ray];
        assert!(generated("// @methods hs_scene_\n", &functions).contains("hs_scene_bounds must be in"));
        assert!(generated("hs_scene_bounds()\n", &functions).contains("lacks hs_ray_at"));
        let both = generated("hs_scene_bounds()\n// @functions hs_ray_\n", &functions);
        assert!(both.contains("\ninline Answer<Vec3> ray_at(const HsRay& ray) {\n"), "{both}");
    }
}
