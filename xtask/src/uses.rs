//! Follows the names in the code of a crate to find which files each file uses.
//!
//! A name is followed to the file that defines it: through imports, aliases, re-exports and globs. So a file that only declares modules and re-exports their
//! items does not use them. A user of its re-exports uses the files that define the items. Methods are not followed, as their types are not known here.

use crate::source::{Item, Sources, imports, is_in_name, paths_of};
use std::collections::{BTreeMap, BTreeSet};

/// The files that a file uses, each with the names that are used. A file is the path of its module.
type Used = BTreeMap<Vec<String>, BTreeSet<String>>;

/// The files of a crate, each with the files that it uses.
pub(crate) type FileUses = BTreeMap<Vec<String>, Used>;

/// The keywords that define the name after them.
const DEFINING: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

/// The longest chain of re-exports. A longer chain is a cycle.
const LONGEST: usize = 16;

/// The names that one file brings into scope, defines and mentions.
struct File<'a> {
    imports: Vec<Item>,
    /// The code without its `use` items.
    code: String,
    defined: BTreeSet<&'a str>,
    macros: BTreeSet<&'a str>,
}

/// The files of a crate with their names.
struct Names<'a> {
    files: BTreeMap<&'a [String], File<'a>>,
}

/// Returns the files that each file uses.
pub(crate) fn file_uses(sources: &Sources) -> FileUses {
    let names = Names { files: sources.modules().map(|(module, code)| (module, File::new(module, code))).collect() };
    let files = names.files.iter().map(|(module, file)| (module.to_vec(), names.used_by(module, file)));
    files.filter(|(_, used)| !used.is_empty()).collect()
}

impl<'a> File<'a> {
    fn new(module: &[String], text: &'a str) -> Self {
        let (imports, code) = imports(module, text);
        let (mut defined, mut macros) = (BTreeSet::new(), BTreeSet::new());
        let words: Vec<&str> = words(text).collect();
        for pair in words.windows(2).filter(|pair| DEFINING.contains(&pair[0])) {
            defined.insert(pair[1]);
            if pair[0] == "macro_rules" {
                macros.insert(pair[1]);
            }
        }
        Self { imports, code, defined, macros }
    }

    fn import(&self, name: &str) -> Option<&Item> {
        self.imports.iter().find(|import| !import.is_glob() && import.name == name)
    }
}

impl Names<'_> {
    fn used_by(&self, module: &[String], file: &File<'_>) -> Used {
        let mentioned: BTreeSet<&str> = words(&file.code).collect();
        let mut found: Vec<Vec<String>> = Vec::new();
        for import in &file.imports {
            if import.is_glob() {
                let target = self.resolve(&import.path, 0).filter(|(_, rest)| rest.is_empty());
                let names = target.map(|(target, _)| self.names_in(&target)).unwrap_or_default();
                let used = names.into_iter().filter(|name| mentioned.contains(name.as_str()));
                found.extend(used.map(|name| [import.path.clone(), vec![name]].concat()));
            } else if !import.is_exported || mentioned.contains(import.name.as_str()) {
                found.push(import.path.clone());
            }
        }
        found.extend(paths_of(&file.code).into_iter().filter_map(|path| self.absolute(module, file, path)));
        let mut used = Used::new();
        for path in found {
            // A path that ends at a module only brings the module's name into scope, and is no use.
            if let Some((target, rest)) = self.resolve(&path, 0)
                && target != module
                && let Some(name) = rest.first()
            {
                used.entry(target).or_default().insert(name.clone());
            }
        }
        // Without a path, a macro is only known in the modules below its own.
        let above = self.files.iter().filter(|(target, _)| **target != module && module.starts_with(target));
        for (target, other) in above {
            let called = other.macros.iter().find(|name| {
                !file.macros.contains(**name) && file.code.contains(&format!("{name}!")) && mentioned.contains(**name)
            });
            if let Some(name) = called {
                used.entry(target.to_vec()).or_default().insert(format!("{name}!"));
            }
        }
        used
    }

    /// Returns the names that a glob of a file imports.
    fn names_in(&self, module: &[String]) -> BTreeSet<String> {
        let Some(file) = self.files.get(module) else { return BTreeSet::new() };
        let imported = file.imports.iter().filter(|import| !import.is_glob()).map(|import| import.name.clone());
        let children = self.files.keys().filter(|other| other.len() == module.len() + 1 && other.starts_with(module));
        let children = children.filter_map(|child| child.last().cloned());
        file.defined.iter().map(|name| (*name).to_owned()).chain(imported).chain(children).collect()
    }

    /// Returns a path in the code of a module as a path from the crate's root, or nothing if it leads to another crate.
    fn absolute(&self, module: &[String], file: &File<'_>, path: Vec<String>) -> Option<Vec<String>> {
        let first = path.first()?;
        match first.as_str() {
            "crate" | "super" | "self" => Some(crate::source::absolute(module, path)),
            _ => {
                let child = [module, std::slice::from_ref(first)].concat();
                let import = file.import(first).map(|import| import.path.clone());
                let start = if self.files.contains_key(child.as_slice()) { Some(child) } else { import }?;
                Some([start, path[1..].to_vec()].concat())
            }
        }
    }

    /// Returns the file to which a path from the root leads, and the rest of the path.
    fn resolve(&self, path: &[String], depth: usize) -> Option<(Vec<String>, Vec<String>)> {
        let mut length = 0;
        while length < path.len() && self.files.contains_key(&path[..length + 1]) {
            length += 1;
        }
        let (module, rest) = path.split_at(length);
        let file = self.files.get(module)?;
        let Some(name) = rest.first() else { return Some((module.to_vec(), Vec::new())) };
        if depth < LONGEST && !file.defined.contains(name.as_str()) {
            if let Some(import) = file.import(name) {
                // A name from another crate belongs to the file that imports it.
                return self.resolve(&[&import.path, &rest[1..]].concat(), depth + 1).filter(|(to, _)| *to != path);
            }
            for glob in file.imports.iter().filter(|import| import.is_glob()) {
                let found = self.resolve(&[&glob.path, rest].concat(), depth + 1);
                if let Some((to, left)) = found
                    && left.first().is_none_or(|left| self.files[to.as_slice()].defined.contains(left.as_str()))
                {
                    return Some((to, left));
                }
            }
        }
        Some((module.to_vec(), rest.to_vec()))
    }
}

/// Returns the names and words of code.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_in_name(c)).filter(|word| !word.is_empty())
}

/// Returns cycles as sentences, and the known files that are in no cycle. Each file that is in a cycle gives one cycle, unless an earlier cycle contains the
/// file.
///
/// Cycles that consist of known files are left out.
pub(crate) fn circles<'k>(uses: &FileUses, known: &[&'k str]) -> (Vec<String>, Vec<&'k str>) {
    let is_known = |file: &[String]| {
        let file = file.join("/");
        known.iter().copied().find(|known| *known == file)
    };
    let mut circles: Vec<Vec<&[String]>> = Vec::new();
    let mut mended: BTreeSet<&str> = known.iter().copied().collect();
    for start in uses.keys() {
        let Some(circle) = shortest(uses, start) else { continue };
        let all_known: Option<Vec<&str>> = circle.iter().map(|file| is_known(file)).collect();
        if let Some(known) = all_known {
            known.iter().for_each(|known| _ = mended.remove(known));
        } else if !circles.iter().any(|other| other.contains(&start.as_slice())) {
            circles.push(circle);
        }
    }
    (circles.into_iter().map(|circle| sentence(uses, &circle)).collect(), mended.into_iter().collect())
}

/// Returns a shortest path from a file back to the same file.
fn shortest<'a>(uses: &'a FileUses, start: &'a [String]) -> Option<Vec<&'a [String]>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let used = uses.get(*way.last()?).into_iter().flat_map(BTreeMap::keys);
            for next in used {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push([way.as_slice(), &[next.as_slice()]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

fn sentence(uses: &FileUses, circle: &[&[String]]) -> String {
    let shown = |module: &[String]| if module.is_empty() { "the root".to_owned() } else { module.join("/") };
    let pairs = circle.iter().zip(circle.iter().cycle().skip(1)).map(|(from, to)| {
        let names: Vec<String> = uses[*from][*to].iter().map(|name| format!("`{name}`")).collect();
        format!("{} uses {} of {}", shown(from), names.join(", "), shown(to))
    });
    format!("a circle of files: {}", pairs.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[(&str, &str)]) -> Vec<String> {
        circles(&uses(texts), &[]).0
    }

    fn uses(texts: &[(&str, &str)]) -> FileUses {
        let path = |text: &str| text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        file_uses(&Sources::new(texts.iter().map(|&(module, text)| (path(module), text.to_owned()))))
    }

    #[test]
    fn circles_of_files_are_found() {
        let circle = "a circle of files: a/b uses `C` of a/c; a/c uses `B` of a/b";
        let root = ("", "mod a;\npub use a::{B, C};");
        let parent = ("a", "mod b;\nmod c;\npub use b::B;\npub use c::C;");
        let b = "struct B { c: C }";
        for import in ["use super::c::C;", "use super::C;", "use crate::C;", "use super::*;", "use super::c::{C as C};"]
        {
            let texts = [root, parent, ("a/b", &*format!("{import}\n{b}")), ("a/c", "struct C;\nuse super::b::B;")];
            assert_eq!(found(&texts), [circle], "{import}");
        }
        let by_path =
            [root, parent, ("a/b", "struct B { c: super::c::C }"), ("a/c", "struct C;\nfn f() { crate::a::B::new() }")];
        assert_eq!(found(&by_path), [circle]);
        let by_module =
            [root, parent, ("a/b", "use crate::a;\nstruct B { c: a::C }"), ("a/c", "struct C;\nuse super::B;")];
        assert_eq!(found(&by_module), [circle]);
    }

    #[test]
    fn a_parent_that_only_re_exports_is_in_no_circle() {
        let root = ("", "mod a;");
        let child = ("a/b", "use super::Own;\npub(super) struct B;");
        let own = ("a/own", "pub(super) struct Own;");
        assert_eq!(found(&[root, ("a", "mod b;\nmod own;\npub use b::B;\nuse own::Own;"), child, own]), [""; 0]);
        let circle = "a circle of files: a uses `B` of a/b; a/b uses `Own` of a";
        for parent in
            ["mod b;\nuse b::B;\nstruct Own(B);", "mod b;\npub use b::B;\nstruct Own(B);", "mod b;\nstruct Own(b::B);"]
        {
            assert_eq!(found(&[root, ("a", parent), child]), [circle], "{parent}");
        }
    }

    #[test]
    fn known_circles_are_let_through_until_they_are_mended() {
        let circle =
            uses(&[("", "mod a;"), ("a", "mod b;\nuse b::B;\nstruct A;"), ("a/b", "use super::A;\nstruct B;")]);
        assert_eq!(circles(&circle, &["a", "a/b"]), (vec![], vec![]));
        assert_eq!(circles(&circle, &["a/b"]).0.len(), 1);
        assert_eq!(circles(&circle, &["a", "a/b", "c"]), (vec![], vec!["c"]));
    }

    #[test]
    fn macros_are_followed() {
        let texts =
            [("", "mod a;"), ("a", "macro_rules! m { () => {} }\nmod b;\nuse b::B;"), ("a/b", "m!();\nstruct B;")];
        assert_eq!(found(&texts), ["a circle of files: a uses `B` of a/b; a/b uses `m!` of a"]);
    }
}
