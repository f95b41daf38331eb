//! The files of the page, which are embedded if the page was built before the program.

use anyhow::{Result, ensure};

/// A file's name in the page's address, and its bytes.
pub(super) type File = (&'static str, &'static [u8]);

/// The file for an address without a name.
pub(super) const INDEX: &str = "index.html";

const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Returns the files of the page.
pub(super) fn files() -> Result<&'static [File]> {
    ensure!(
        FILES.iter().any(|(name, _)| *name == INDEX),
        "this program was built without the page; in a checkout of hitscan, `cargo xtask playground` builds the page, \
         and a program that is built after it (`cargo install --path crates/hitscan-cli`) has it"
    );
    Ok(FILES)
}
