//! The answers of questions in `docs/answers.toml`, from which structs of the C interface and records of the JavaScript package are generated.

mod records;
mod structs;
mod table;

use crate::files::read;
use crate::shell::root;
use anyhow::{Context, Result};
use table::{TABLE, answers};
use toml::Table;

/// Returns the paths and the texts of the files with structs and records.
pub(super) fn files(notice: &str) -> Result<Vec<(String, String)>> {
    let table: Table = read(&root().join(TABLE))?.parse().with_context(|| format!("{TABLE} is not valid"))?;
    let answers = answers(&table)?;
    Ok(vec![
        ("crates/hitscan-capi/src/answers.rs".to_owned(), structs::text(notice, TABLE, &answers)?),
        ("crates/hitscan-web/src/records.rs".to_owned(), records::rust(notice, TABLE, &answers)?),
        ("npm/src/records.ts".to_owned(), records::typescript(notice, TABLE, &answers)?),
    ])
}
