//! The functions of the C interface that take plain arguments and give one answer, several, or a handle: `docs/functions.toml`.

mod arguments;
mod function;

use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result};
use function::Function;
use toml::Table;

const TABLE: &str = "docs/functions.toml";

/// Returns the file of each module that has such functions, by its path.
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
