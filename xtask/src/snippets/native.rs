//! Snippets in C and C++.

use super::{Snippet, folder, of_language};
use crate::shell::run;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Compiles the snippets, links them with the library below a prefix, and runs them. `c` and `cpp` are the flags of the
/// compilers.
pub(crate) fn check(prefix: &Path, [c, cpp]: [&[&str]; 2]) -> Result<()> {
    for (language, compiler, flags) in [("c", "gcc", c), ("cpp", "g++", cpp)] {
        let folder = folder(language)?;
        for snippet in of_language(language)? {
            let ran = build_and_run(&snippet, &folder, Command::new(compiler).args(flags), prefix);
            ran.with_context(|| format!("the code at {}", snippet.place()))?;
        }
    }
    Ok(())
}

fn build_and_run(snippet: &Snippet, folder: &Path, compiler: &mut Command, prefix: &Path) -> Result<()> {
    let source = snippet.write(folder, &snippet.language)?;
    let program = source.with_extension("program");
    let library = prefix.join("lib");
    compiler.arg("-I").arg(prefix.join("include")).arg(&source).arg("-o").arg(&program);
    compiler.arg(format!("-L{}", library.display())).arg(format!("-Wl,-rpath,{}", library.display()));
    run(compiler.arg("-lhitscan"))?;
    run(&mut Command::new(program))
}
