//! The functions of the C interface in `docs/functions.toml`. They take plain arguments and give one answer, several answers, or a handle.

mod arguments;
mod function;

use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result};
use function::Function;
use toml::Table;

const TABLE: &str = "docs/functions.toml";

/// Returns the path and the text of the file of each module that has such functions.
pub(super) fn files(notice: &str) -> Result<Vec<(String, String)>> {
    let table: Table = read(&root().join(TABLE))?.parse().with_context(|| format!("{TABLE} is not valid"))?;
    let mut files = Vec::new();
    for (module, functions) in &table {
        let functions = functions.as_array().with_context(|| format!("`{module}` has no functions"))?;
        let texts = functions.iter().map(|function| {
            Function::new(function)
                .and_then(|function| function.text())
                .with_context(|| format!("{TABLE}: {function:?}"))
        });
        let texts: Vec<String> = texts.collect::<Result<_>>()?;
        let text = format!("//! {notice}\n//! It is described in `{TABLE}`.\n\nuse super::*;\n\n{}", texts.join("\n"));
        files.push((format!("crates/hitscan-capi/src/{module}/functions.rs"), text));
    }
    Ok(files)
}
