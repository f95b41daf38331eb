//! The classes and functions of the Python module, read from the Rust source of its crate.

use super::macros::Macros;
use super::members::{Kind, Member, Module, method};
use crate::bindings::rust_text::{Item, items, list};
use crate::files::{files, read};
use crate::shell::root;
use anyhow::{Context, Result};

const SOURCE: &str = "crates/hitscan-py/src";

/// Reads the whole crate.
pub(super) fn read_crate() -> Result<Module> {
    let files = files(&root().join(SOURCE), &["rs"])?;
    module_of(&files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?)
}

/// Reads the texts of the crate's files.
pub(super) fn module_of(texts: &[String]) -> Result<Module> {
    let macros = Macros::new(texts);
    let mut module = Module::default();
    for text in texts {
        for item in items(text) {
            add(&mut module, &item, &macros).with_context(|| format!("the item `{}`", item.head))?;
        }
    }
    Ok(module)
}

fn add(module: &mut Module, item: &Item<'_>, macros: &Macros<'_>) -> Result<()> {
    if item.head.ends_with('!') {
        return macros.expand(item, module);
    }
    if let Some(attribute) = item.attributes.iter().find(|attribute| attribute.starts_with("pyclass")) {
        define(module, item, attribute);
    } else if item.has_attribute("pyfunction") {
        module.functions.extend(method(item));
    } else if item.has_attribute("pymethods") {
        let class = item.word_after("impl").context("a block of methods has no class")?;
        module.class(class).members.extend(items(item.body).iter().filter_map(method));
    }
    Ok(())
}

/// Adds a class that is a struct, with the fields that Python sees.
fn define(module: &mut Module, item: &Item<'_>, attribute: &str) {
    let Some(name) = item.word_after("struct") else { return };
    let class = module.class(name);
    if let Some((_, after)) = attribute.split_once("name = \"") {
        class.name = after.split('"').next().unwrap_or_default().to_owned();
    }
    class.docs.clone_from(&item.docs);
    let shows_all = attribute.contains("get_all");
    for field in list(item.body) {
        // A field is an item without a body, and the text after its name is its type.
        for field in items(field).iter().filter(|field| shows_all || field.has_attribute("pyo3(get)")) {
            let Some((name, kind)) = field.head.split_once(':') else { continue };
            class.members.push(Member {
                name: name.trim().to_owned(),
                docs: field.docs.clone(),
                kind: Kind::Getter,
                parameters: Vec::new(),
                answer: kind.trim().to_owned(),
            });
        }
    }
}
