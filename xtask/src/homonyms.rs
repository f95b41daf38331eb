//! Checks that one name means one thing. No two modules of the library may define a type of the same name.

use crate::shell::root;
use crate::source::Sources;
use anyhow::{Result, bail, ensure};
use std::collections::BTreeMap;

/// The sources that are checked.
const FOLDER: &str = "crates/hitscan/src";

/// The words that a type's definition begins with.
const KINDS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

/// Fails if a name has several meanings, and names the modules.
pub(crate) fn check() -> Result<()> {
    let sources = Sources::read(&root().join(FOLDER))?;
    let types = types(&sources);
    ensure!(types.len() > 100, "{FOLDER} has {} types: has the check lost them?", types.len());
    let faults = faults(&types);
    if faults.is_empty() { Ok(()) } else { bail!("{}", faults.join("\n")) }
}

/// Returns the modules that define a type, by the type's name. Types within functions and other types are left out.
fn types(sources: &Sources) -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (module, code) in sources.modules() {
        for line in code.lines() {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '(' || c == ')'));
            let mut words =
                words.skip_while(|word| word.starts_with("pub") || *word == "unsafe" || word.ends_with(')'));
            if words.next().is_some_and(|word| KINDS.contains(&word))
                && let Some(name) = words.next().and_then(|word| word.split('(').next()).filter(|name| !name.is_empty())
            {
                types.entry(name.to_owned()).or_default().push(module.join("/"));
            }
        }
    }
    types
}

fn faults(types: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let homonyms = types.iter().filter(|(_, modules)| modules.len() > 1);
    homonyms
        .map(|(name, modules)| format!("`{name}` is a type in {}: give each a name of its own", modules.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[(&str, &str)]) -> Vec<String> {
        let path = |text: &str| text.split('/').map(str::to_owned).collect();
        faults(&types(&Sources::new(texts.iter().map(|&(module, text)| (path(module), text.to_owned())))))
    }

    #[test]
    fn homonyms_are_found() {
        let both = of(&[("a", "pub(super) struct Face<'a> {\n}"), ("b/c", "enum Face {\n}\ntype Other = u32;")]);
        assert_eq!(both, ["`Face` is a type in a, b/c: give each a name of its own"]);
        let public = of(&[("a", "pub struct Line {}"), ("b", "pub struct Line {}")]);
        assert_eq!(public, ["`Line` is a type in a, b: give each a name of its own"]);
        let tuple = of(&[("a", "pub struct Key(u32);"), ("b", "pub(crate) trait Key: Copy {}")]);
        assert_eq!(tuple, ["`Key` is a type in a, b: give each a name of its own"]);
    }

    #[test]
    fn what_is_no_homonym_is_let_through() {
        assert!(
            of(&[
                ("a", "struct Line;\nimpl Line {\n    type Face = u32;\n}"),
                ("b", "struct Face;\nfn structure() {}")
            ])
            .is_empty()
        );
        assert!(
            of(&[("a", "struct Line;"), ("b", "// struct Line;\n#[cfg(test)]\nmod tests {\nstruct Line;\n}")])
                .is_empty()
        );
    }
}
