//! Running other programs in the workspace.

use anyhow::{Context, Result, ensure};
use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// All features except the benchmark's `peers`, which would build a dozen other libraries.
pub(crate) const FEATURES: &str = "--features=hitscan/mint,hitscan/serde";

/// The packages whose tests share one build. They are all except the benchmark, which would delay the others, and the
/// packages of this program.
pub(crate) const TESTED: [&str; 7] =
    ["--workspace", "--exclude", "hitscan-bench", "--exclude", TOOLS[0], "--exclude", TOOLS[1]];

/// The packages of this program. Their tests are built in the same profile as the program, which is already built.
pub(crate) const TOOLS: [&str; 2] = ["xtask", "hitscan-mutants"];

/// Returns the workspace's folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns a command of the cargo that runs this program, with these arguments.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Prints a command, runs it, and fails if the command fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    println!("$ {shown}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{shown}`"))?;
    ensure!(status.success(), "`{shown}` failed ({status})");
    Ok(())
}

/// Returns the folder in which cargo builds.
pub(crate) fn target() -> Result<PathBuf> {
    let this = std::env::current_exe().context("cannot find out where cargo builds")?;
    Ok(this.parent().and_then(Path::parent).context("this program is in no target folder")?.to_owned())
}

/// Returns a program that cargo has built in a profile's folder.
pub(crate) fn built(folder: &str, name: &str) -> Result<PathBuf> {
    let file = target()?.join(folder).join(name).with_extension(EXE_EXTENSION);
    ensure!(file.is_file(), "{name} is not in {}: run this as `cargo xtask`", file.display());
    Ok(file)
}

/// Returns whether a command can be started and succeeds; its output is ignored.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Returns the files in a folder and in its subfolders, in order.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let variables = variables.map(|(name, value)| format!("{}={value:?}", name.display()));
    let words = std::iter::once(program).chain(command.get_args()).map(|word| word.display().to_string());
    variables.chain(words).collect::<Vec<_>>().join(" ")
}
