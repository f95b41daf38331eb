//! Snippets in JavaScript.

use super::of_language;
use crate::shell::{root, run};
use anyhow::{Context, Result};
use std::process::Command;

/// Checks the types of the snippets by TypeScript, which knows the objects of a page, and runs the snippets in node. Code before them creates stand-ins for the
/// objects of a page, such as a click and a canvas. The package must be built.
pub(crate) fn check() -> Result<()> {
    let npm = root().join("npm");
    // The folder is below the package, so that node finds the package by its name.
    let folder = npm.join("build/snippets");
    if folder.is_dir() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let snippets = of_language("js")?;
    let files = snippets.iter().map(|snippet| snippet.write(&folder, "mjs")).collect::<Result<Vec<_>>>()?;
    let mut types = Command::new("node");
    types.args(["node_modules/typescript/bin/tsc", "--noEmit", "--allowJs", "--checkJs", "--skipLibCheck"]);
    types.args([
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--lib",
        "es2023,dom,esnext.disposable",
        "--types",
        "",
        "--ignoreConfig",
    ]);
    run(types.args(&files).current_dir(&npm))?;
    for (snippet, file) in snippets.iter().zip(&files) {
        let ran = run(Command::new("node").arg(file).current_dir(&npm));
        ran.with_context(|| format!("the code at {}", snippet.place()))?;
    }
    Ok(())
}
