//! `cargo xtask release`: versions, packages and their checks. docs/releasing.md describes a release.

mod address;
mod advisories;
mod archive;
mod changelog;
mod command;
mod contents;
mod crates;
mod current_version;
mod folders;
mod html;
mod manifest;
mod node;
mod notices;
mod options;
mod pack;
mod prepare;
mod sbom;
mod semver;
mod tries;
mod version;
mod wheel;
mod workflows;

use crate::python::interpreter;
use crate::skips::skip;
use crate::tools::{DENY, SEMVER};
use anyhow::{Context, Result, bail, ensure};
pub(crate) use contents::check;
use options::USAGE;

/// Runs one of the commands of a release.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    match *args {
        ["address", url] => address::set(url),
        ["tagged", tag] => prepare::ensure_tagged(tag),
        ["notices"] => notices::write(),
        ["check", ref names @ ..] => run_checks(names),
        ["notes"] => changelog::print(&current_version::current()?),
        ["notes", version] => changelog::print(version),
        ["pack", ref rest @ ..] => pack::run(&options::Options::read(rest)?),
        ["try", folder, ref rest @ ..] => tries::run(
            &std::path::absolute(folder)?,
            &options::Options::read(rest)?.kinds,
            &current_version::current()?,
        ),
        [version, ref rest @ ..] if version.starts_with(|first: char| first.is_ascii_digit()) => {
            prepare::run(version, &options::Options::read(rest)?)
        }
        _ => bail!("{USAGE}"),
    }
}

type Check = fn() -> Result<()>;

/// The checks by their names.
const CHECKS: [(&str, Check); 5] = [
    ("contents", contents::check),
    ("workflows", workflows::check),
    ("semver", || semver::check(|| SEMVER.brought().map(Some))),
    ("dependencies", || advisories::check_dependencies(&DENY.brought()?)),
    ("advisories", || advisories::check(&DENY.brought()?)),
];

/// Runs the checks of these names, or all.
fn run_checks(names: &[&str]) -> Result<()> {
    let unknown = names.iter().find(|name| CHECKS.iter().all(|(known, _)| known != *name));
    ensure!(unknown.is_none(), "there is no check `{}`\n\n{USAGE}", unknown.unwrap_or(&""));
    for (name, check) in CHECKS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        check().with_context(|| format!("the check `{name}`"))?;
    }
    Ok(())
}

/// Checks the files for GitHub, as a step.
pub(crate) fn check_workflows() -> Result<()> {
    if interpreter().is_none() {
        return skip("python", "the workflows", "Python 3.10 or later that can make environments");
    }
    workflows::check()
}

/// Compares the public interface with the last release, as a step.
pub(crate) fn check_semver() -> Result<()> {
    semver::check(|| SEMVER.program())
}

/// Checks licences, bans and sources of every workspace, as a step.
pub(crate) fn check_dependencies() -> Result<()> {
    DENY.program()?.map_or(Ok(()), |program| advisories::check_dependencies(&program))
}

/// Checks the licences and notices in a wheel, and that no path of this machine is in it.
pub(crate) fn check_wheel(wheel: &std::path::Path) -> Result<()> {
    wheel::check(wheel)
}

/// Checks the licences and notices in the package for JavaScript that was built last. Also checks that no path of this machine is in it.
pub(crate) fn check_npm() -> Result<()> {
    node::check()
}
