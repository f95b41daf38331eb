//! The checks of packages that need no build.

use super::{address, changelog, crates, notices, version};
use anyhow::{Context, Result};

/// Checks everything that needs no build: the packages' contents and links, the versions, the address, and the notices.
pub(crate) fn check() -> Result<()> {
    address::check().context("the repository's address")?;
    version::check().context("the versions")?;
    notices::check().context("the notices")?;
    crates::check_contents().context("the crates' contents")?;
    changelog::check().context("the changelog")
}
