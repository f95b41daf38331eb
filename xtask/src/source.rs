//! The sources of a crate for the checks of its structure: modules with their code, without comments, strings and tests.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules of a crate.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// The code of each module, by its path from the crate's root. The path of the root is empty.
    modules: BTreeMap<Vec<String>, String>,
}

/// A path of names that starts at the crate's root, and the module in whose code it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    pub(crate) from: &'a [String],
    pub(crate) to: Vec<String>,
}

impl Sources {
    /// Reads all files of a crate's source folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        Ok(Self::new(texts(folder)?))
    }

    /// Makes sources from the texts of modules, without modules of tests.
    pub(crate) fn new(texts: impl IntoIterator<Item = (Vec<String>, String)>) -> Self {
        let mut tests = BTreeSet::new();
        let mut modules = BTreeMap::new();
        for (module, text) in texts {
            let (code, own_tests) = without_tests(&plain(&text));
            tests.extend(own_tests.into_iter().map(|name| [module.clone(), vec![name]].concat()));
            modules.insert(module, code);
        }
        modules.retain(|module, _| !(1..=module.len()).any(|length| tests.contains(&module[..length])));
        Self { modules }
    }

    /// Returns the code of each module.
    pub(crate) fn modules(&self) -> impl Iterator<Item = (&[String], &str)> {
        self.modules.iter().map(|(module, code)| (module.as_slice(), code.as_str()))
    }

    /// Returns the names of the modules at the root. Each includes the files in its folder.
    pub(crate) fn top(&self) -> BTreeSet<&str> {
        self.modules.keys().filter_map(|module| module.first()).map(String::as_str).collect()
    }

    /// Returns the references of each module below the root: the paths that begin with `crate` or `super`.
    pub(crate) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        let below_root = self.modules().filter(|(module, _)| !module.is_empty());
        below_root.flat_map(|(module, code)| {
            paths(code).into_iter().map(move |path| Reference { from: module, to: absolute(module, path) })
        })
    }

    /// Returns the module at the root to which a path from the root leads, even if the path begins with a name that the
    /// root re-exports.
    pub(crate) fn top_of(&self, path: &[String]) -> Option<String> {
        let first = path.first()?;
        if self.top().contains(first.as_str()) {
            return Some(first.clone());
        }
        let root = self.modules.get(&Vec::new())?;
        let mut exports = root.split("pub use ").skip(1).flat_map(|rest| tree(rest.trim_start_matches("crate::")).0);
        exports.find(|export| export.last() == Some(first)).and_then(|export| export.first().cloned())
    }
}

/// Returns the modules of a folder with their texts, and the modules that `#[path]` includes from other folders.
fn texts(folder: &Path) -> Result<Vec<(Vec<String>, String)>> {
    let mut files = Vec::new();
    add_files(folder, &mut files)?;
    let mut texts = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let module = module_of(path.strip_prefix(folder)?);
        for (name, file) in foreign(&text) {
            let place = path.parent().unwrap_or(folder).join(file);
            let start = [module.clone(), vec![name.to_owned()]].concat();
            if file.ends_with("mod.rs") {
                let inner = self::texts(place.parent().unwrap_or(folder))?;
                texts.extend(inner.into_iter().map(|(module, text)| ([start.clone(), module].concat(), text)));
            }
        }
        texts.push((module, text));
    }
    Ok(texts)
}

/// Returns the modules whose files a text names, and those files.
fn foreign(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#[path = \"").skip(1).filter_map(|rest| {
        let (file, after) = rest.split_once("\"]")?;
        Some((after.trim_start().strip_prefix("mod ")?.split(';').next()?, file))
    })
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the module that is in a file.
fn module_of(file: &Path) -> Vec<String> {
    let names = file.with_extension("");
    let mut module: Vec<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let last = module.last().map(String::as_str);
    if last == Some("mod") || (module.len() == 1 && matches!(last, Some("lib" | "main"))) {
        module.pop();
    }
    module
}

/// Returns a text with spaces in place of the contents of comments, strings and characters.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let Some(length) = opaque(rest, out.ends_with(is_in_name)) else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.extend(rest[..length].chars().map(|c| if c == '\n' { c } else { ' ' }));
        rest = &rest[length..];
    }
    out
}

/// Returns the length of the comment, the string or the character that a text begins with, given whether the character before it belongs to a name.
pub(crate) fn opaque(text: &str, is_after_name: bool) -> Option<usize> {
    match text.chars().next()? {
        '/' if text.starts_with("//") => Some(text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => Some(text.find("*/").map_or(text.len(), |end| end + 2)),
        '"' => Some(string(text)),
        'r' if !is_after_name && text[1..].trim_start_matches('#').starts_with('"') => Some(raw_string(text)),
        '\'' if character(text) > 1 => Some(character(text)),
        _ => None,
    }
}

fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

fn raw_string(text: &str) -> usize {
    let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
    let start = 2 + hashes;
    let end = format!("\"{}", "#".repeat(hashes));
    text[start..].find(&end).map_or(text.len(), |at| start + at + end.len())
}

/// Returns the length of a character, or 1 for the mark of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(text.len(), |at| at + 4),
        Some(_) => chars.next().filter(|&(_, c)| c == '\'').map_or(1, |(at, _)| at + 1),
        None => 1,
    }
}

/// Returns code without the items of tests, and the names of the test modules in files of their own.
fn without_tests(code: &str) -> (String, Vec<String>) {
    let (mut kept, mut modules) = (String::new(), Vec::new());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]").into_iter().chain(rest.find("#[cfg(all(test")).min() {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let item = rest.find(']').map_or(rest.len(), |end| end + 1);
        let end = rest[item..].find([';', '{']).map_or(rest.len(), |end| item + end);
        if rest[end..].starts_with('{') {
            rest = &rest[end + block(&rest[end..])..];
        } else {
            let name = rest[item..end].split_whitespace().skip_while(|word| *word != "mod").nth(1);
            modules.extend(name.map(str::to_owned));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
    kept.push_str(rest);
    (kept, modules)
}

/// Returns the length of a block in braces.
fn block(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => (),
        }
    }
    code.len()
}

/// Returns the paths in code that begin with `crate` or `super`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::"].into_iter().flat_map(|start| code.match_indices(start));
    let is_start = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    starts.filter(|&(at, _)| is_start(at)).flat_map(|(at, _)| tree(&code[at..]).0).collect()
}

/// A name that a `use` item brings into the scope of a module, and its path from the crate's root.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) is_exported: bool,
}

impl Item {
    /// Returns whether the item is a glob. Its path does not contain the `*`.
    pub(crate) fn is_glob(&self) -> bool {
        self.name == "*"
    }
}

/// Returns the names that the `use` items of a module import from its own crate, and its code with spaces in place of these items.
pub(crate) fn imports(module: &[String], code: &str) -> (Vec<Item>, String) {
    let (mut items, mut kept) = (Vec::new(), String::new());
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let (before, item) = rest.split_at(at);
        kept.push_str(before);
        let is_item = before.trim_end_matches(' ').ends_with(['\n', ';', '{', '}', ')', ']'])
            || before.ends_with("pub ")
            || kept.trim().is_empty();
        let end = item.find(';').unwrap_or(item.len());
        if !is_item {
            kept.push_str("use ");
            rest = &item[4..];
            continue;
        }
        let line = before.rsplit(['\n', ';', '{', '}']).next().unwrap_or_default();
        let is_exported = line.trim_start().starts_with("pub");
        let named = |(mut path, alias): (Vec<String>, Option<String>)| {
            let last = path.last()?.clone();
            if matches!(last.as_str(), "*" | "self") {
                path.pop();
            }
            let name = alias.or_else(|| if last == "self" { path.last().cloned() } else { Some(last) })?;
            Some(Item { name, path: absolute(module, path), is_exported })
        };
        items.extend(aliased_tree(&item[4..end]).into_iter().filter_map(named));
        rest = &item[end..];
    }
    kept.push_str(rest);
    (items, kept)
}

/// Returns the paths of a tree of names in a `use` item, each with its alias after `as`, if it has one.
fn aliased_tree(text: &str) -> Vec<(Vec<String>, Option<String>)> {
    let text = text.trim().trim_start_matches("::");
    let Some((prefix, inner)) = text.split_once('{') else {
        let (path, alias) = text.split_once(" as ").map_or((text, None), |(path, alias)| (path, Some(alias.trim())));
        let names = path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        return vec![(names.collect(), alias.map(str::to_owned))];
    };
    let prefix: Vec<String> =
        prefix.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let trees = parts.filter(|part| !part.trim().is_empty()).flat_map(aliased_tree);
    trees.map(|(path, alias)| ([prefix.clone(), path].concat(), alias)).collect()
}

pub(crate) fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns all paths of at least two names in code.
pub(crate) fn paths_of(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(is_in_name) {
        let is_in_path = rest[..start].ends_with("::") && !rest[..start].trim_end_matches("::").ends_with(['$', '>']);
        rest = &rest[start..];
        let mut path = Vec::new();
        loop {
            let length = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
            path.push(rest[..length].to_owned());
            rest = &rest[length..];
            match rest.strip_prefix("::") {
                Some(more) if more.starts_with(is_in_name) => rest = more,
                _ => break,
            }
        }
        if path.len() > 1 && !is_in_path {
            paths.push(path);
        }
    }
    paths
}

/// Returns the paths of a tree of names at the beginning of code, and the tree's length.
fn tree(code: &str) -> (Vec<Vec<String>>, usize) {
    let mut prefix = Vec::new();
    let mut at = 0;
    loop {
        let rest = &code[at..];
        let name = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '*').len();
        if name > 0 {
            prefix.push(rest[..name].to_owned());
            at += name;
            if !code[at..].starts_with("::") {
                return (vec![prefix], at);
            }
            at += 2;
        } else if rest.starts_with('{') {
            let mut paths = Vec::new();
            at += 1;
            loop {
                at += code[at..].len() - code[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
                let (inner, length) = tree(&code[at..]);
                if length == 0 {
                    break;
                }
                paths.extend(inner.into_iter().map(|path| [prefix.clone(), path].concat()));
                // The rest is an alias of the name.
                at += length + code[at + length..].find([',', '}']).unwrap_or_default();
            }
            let end = code[at..].find('}').map_or(code.len(), |end| at + end + 1);
            return (paths, end);
        } else {
            return (if prefix.is_empty() { Vec::new() } else { vec![prefix] }, at);
        }
    }
}

/// Returns a path in a module as a path from the crate's root. Without a keyword at its beginning, it begins with a name in the module.
pub(crate) fn absolute(module: &[String], path: Vec<String>) -> Vec<String> {
    if path.first().is_some_and(|first| first == "crate") {
        return path.into_iter().skip(1).collect();
    }
    let own = usize::from(path.first().is_some_and(|first| first == "self"));
    let ups = path.iter().skip(own).take_while(|name| *name == "super").count();
    let kept = &module[..module.len().saturating_sub(ups)];
    kept.iter().cloned().chain(path.into_iter().skip(own + ups)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn comments_strings_and_tests_are_no_code() {
        let text = "a(\"crate::b\\\"\", r#\"crate::\"c\"#, '\"', '\\'', &'d ()); // crate::e\n/* crate::f */\n#[cfg(test)]\nmod tests { use crate::g; { } }\n\
                    #[cfg(test)]\nmod checks;\nuse crate::h;";
        let (code, tests) = without_tests(&plain(text));
        assert_eq!(paths(&code), [path("crate/h")]);
        assert!(code.contains("&'d ()"), "{code}");
        assert_eq!(tests, ["checks"]);
    }

    #[test]
    fn trees_are_paths() {
        let code = "use crate::a::{self, b::C as D, e::{F, G}};\nuse super::{h, i::*};\nlet x = crate::j::k(1); $crate::l!(); mycrate::m;";
        let mut found = paths(code);
        found.sort();
        let expected = [
            "crate/a/b/C",
            "crate/a/e/F",
            "crate/a/e/G",
            "crate/a/self",
            "crate/j/k",
            "crate/l",
            "super/h",
            "super/i/*",
        ];
        assert_eq!(found, expected.map(path));
    }

    #[test]
    fn references_start_at_the_root() {
        let sources = Sources::new([
            (path(""), "mod a;\nmod c;\npub use a::{B, Other};".to_owned()),
            (path("a"), "mod b;\n#[cfg(test)]\nmod tests;".to_owned()),
            (path("a/b"), "use super::super::c::D;\nuse super::E;\nuse crate::B;".to_owned()),
            (path("a/tests"), "use crate::c::D;".to_owned()),
            (path("c"), String::new()),
        ]);
        let mut found: Vec<_> = sources.references().map(|reference| reference.to).collect();
        found.sort();
        assert_eq!(found, ["B", "a/E", "c/D"].map(path));
        assert_eq!(sources.top_of(&path("B")).as_deref(), Some("a"));
        assert_eq!(sources.top_of(&path("c/D")).as_deref(), Some("c"));
        assert_eq!(sources.top_of(&path("Unknown")), None);
        assert_eq!(module_of(Path::new("a/mod.rs")), path("a"));
        assert_eq!(module_of(Path::new("lib.rs")), path(""));
        assert_eq!(module_of(Path::new("a/lib.rs")), path("a/lib"));
    }
}
