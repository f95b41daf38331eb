//! The compiler for WebAssembly, which the script `wasm-toolchain` brings where rustup has no such target.

use crate::paths;
use crate::shell::{cargo, root, run, target};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";

/// Functions are inlined only if they are small: the module is 5 % smaller, and questions take as long. Vectors need no inlining here, because every function
/// of a module may use them.
const INLINING: &str = "-C llvm-args=-inline-threshold=40";

/// The instruction sets of WebAssembly. Few engines lack vector instructions, so the module for these engines is
/// optimised for size.
pub(crate) const LEVELS: [Level; 2] = [
    Level { name: "scalar", flags: "", config: Some("profile.release.package.hitscan.opt-level = \"s\"") },
    Level { name: "simd128", flags: "-C target-feature=+simd128", config: None },
];

/// An instruction set of WebAssembly: without or with vectors. Each needs a module, because WebAssembly cannot detect
/// vectors at run time.
pub(crate) struct Level {
    /// The name in the library.
    pub(crate) name: &'static str,
    /// The flags of the compiler.
    flags: &'static str,
    /// A setting of cargo that differs from the manifest.
    config: Option<&'static str>,
}

/// The toolchain with which cargo builds for WebAssembly.
pub(crate) struct Toolchain {
    /// Environment variables for cargo. There are none for the compiler if the usual toolchain has the target.
    environment: Vec<(String, String)>,
}

impl Toolchain {
    /// Looks for the target, and downloads it once into the target folder if the toolchain does not have it. Given a version
    /// of `wasm-bindgen`, it also downloads that command.
    pub(crate) fn bring(bindgen: Option<&str>) -> Result<Self> {
        let script = root().join("xtask/wasm-toolchain");
        let mut command = Command::new("bash");
        command.arg(script).arg(target()?.join("tools/wasm")).args(bindgen).current_dir(root());
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.context("cannot start bash, which runs `xtask/wasm-toolchain`")?;
        ensure!(output.status.success(), "`xtask/wasm-toolchain` did not bring the target {TARGET}");
        let lines = String::from_utf8(output.stdout).context("`xtask/wasm-toolchain` printed no text")?;
        let environment = lines.lines().map(variable).collect::<Result<_>>()?;
        Ok(Self { environment })
    }

    /// Returns the command of `wasm-bindgen`.
    pub(crate) fn bindgen(&self) -> Result<Command> {
        let found = self.environment.iter().find(|(name, _)| name == "WASM_BINDGEN");
        let (_, program) = found.context("the toolchain was brought without wasm-bindgen")?;
        Ok(Command::new(program))
    }

    /// Runs a command of cargo that builds a module for an instruction set, and returns the module's path. Each instruction set
    /// has a folder of its own below `folder`, since the compiler's flags differ.
    pub(crate) fn build(&self, args: &[&str], folder: &Path, level: &Level, file: &str) -> Result<PathBuf> {
        let folder = folder.join(level.name);
        let mut command = cargo(args);
        command.args(level.config.iter().flat_map(|config| ["--config", config]));
        command.args(["--release", "--target", TARGET, "--target-dir"]).arg(&folder);
        command.envs(self.environment.iter().filter(|(name, _)| name != "WASM_BINDGEN").cloned());
        run(paths::remap(&mut command, &format!("{INLINING} {}", level.flags)))?;
        Ok(folder.join(TARGET).join("release").join(file))
    }
}

/// Reads a line of the script: `export NAME='value'`, in which `'\''` is a quote.
fn variable(line: &str) -> Result<(String, String)> {
    let assignment = line.strip_prefix("export ").and_then(|rest| rest.split_once('='));
    let quoted = assignment.and_then(|(name, value)| Some((name, value.strip_prefix('\'')?.strip_suffix('\'')?)));
    let Some((name, value)) = quoted else { bail!("`xtask/wasm-toolchain` printed `{line}`, which is no variable") };
    Ok((name.to_owned(), value.replace(r"'\''", "'")))
}

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn variables_are_read_with_their_quotes() {
        let read = variable(r"export RUSTC='/it'\''s/rustc'").unwrap();
        assert_eq!(read, ("RUSTC".to_owned(), "/it's/rustc".to_owned()));
        assert!(variable("RUSTC=rustc").is_err());
    }
}
