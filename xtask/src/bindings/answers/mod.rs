//! The answers of questions: `docs/answers.toml`, and the structs of the C interface that are made of it.

mod structs;
mod table;

use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result};
use table::{TABLE, answers};
use toml::Table;

/// Returns the file of structs, by its path.
pub(super) fn file(notice: &str) -> Result<(String, String)> {
    let table: Table = read(&root().join(TABLE))?.parse().with_context(|| format!("{TABLE} is not valid"))?;
    Ok(("crates/hitscan-capi/src/answers.rs".to_owned(), structs::text(notice, TABLE, &answers(&table)?)?))
}
