//! `cargo xtask playground` builds the page in `playground/`, and serves it if asked to. The step of this name tests it in a browser.

use crate::npm;
use crate::shell::{root, run};
use crate::skips::skip;
use crate::window::are_there;
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// A browser, and the fonts for its page.
const PACKAGES: [&str; 2] = ["chromium", "fonts-dejavu-core"];

/// Builds the page. With `--serve`, it is served until the program is ended; with `--open`, it is also shown in a
/// browser.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let more: &[&str] = match args {
        [] => &[],
        ["--serve"] => &["preview"],
        ["--open"] => &["preview", "--open"],
        _ => bail!("`playground` takes `--serve` or `--open`, not `{}`", args.join(" ")),
    };
    npm::build()?;
    page()?;
    if more.is_empty() { Ok(()) } else { run(vite().args(more)) }
}

/// Tests the page in a browser, as a step after the step that makes the package.
pub(crate) fn check() -> Result<()> {
    if !npm::has_node() {
        return skip("node", "the page", "on a Debian: apt-get install nodejs npm");
    }
    if !are_there(&PACKAGES) {
        return skip("browser", "the page", &format!("on a Debian: apt-get install {}", PACKAGES.join(" ")));
    }
    if !root().join("npm/dist/index.js").is_file() {
        npm::build()?;
    }
    page()?;
    run(Command::new("node").args(["--test", "test.mjs"]).current_dir(folder()))
}

/// Builds the page with the package that is in `npm/`.
fn page() -> Result<()> {
    npm::install("playground")?;
    run(vite().arg("build"))
}

fn vite() -> Command {
    let mut command = Command::new("node");
    command.arg("node_modules/vite/bin/vite.js").current_dir(folder());
    command
}

fn folder() -> PathBuf {
    root().join("playground")
}
