//! All mutants in one build. Each chosen expression compares its number with the number of the current mutant.

use crate::choice::Mutant;
use crate::kernels::KERNELS;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The environment variable with the number of the mutant.
pub(crate) const VARIABLE: &str = "HITSCAN_MUTANT";

/// The module that is added to the copy of the library, and reads the variable once.
const MODULE: &str = r#"
#[doc(hidden)]
pub(crate) mod mutant {
    extern crate std;
    use core::sync::atomic::{AtomicU32, Ordering};

    static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);

    #[inline(always)]
    pub(crate) fn is(number: u32) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        (if chosen == u32::MAX { read() } else { chosen }) == number
    }

    #[cold]
    fn read() -> u32 {
        let chosen = std::env::var("HITSCAN_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX - 1);
        CHOSEN.store(chosen, Ordering::Relaxed);
        chosen
    }
}
"#;

/// Copies the files that git tracks below `root` into a folder. It does not write unchanged files, so that cargo only builds
/// the changes.
pub(crate) fn copy(root: &Path, to: &Path) -> Result<()> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let output = output.context("cannot start `git ls-files`")?;
    ensure!(output.status.success(), "`git ls-files` failed");
    for file in String::from_utf8(output.stdout)?.split_terminator('\0') {
        let (from, to) = (root.join(file), to.join(file));
        let Ok(bytes) = std::fs::read(&from) else { continue };
        write(&to, &bytes)?;
    }
    Ok(())
}

/// Writes a file unless it has these bytes.
fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = file.parent().context("a file has a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

/// Writes the kernels with their mutants, and the module that chooses a mutant. The number of a mutant is its index in
/// the list.
pub(crate) fn write_mutants(original: &Path, copy: &Path, mutants: &[Mutant]) -> Result<()> {
    let read = |file: &str| {
        let path = original.join(file);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    for (kernel, file) in KERNELS.iter().map(|kernel| kernel.file).enumerate() {
        let mut here: Vec<_> = mutants.iter().enumerate().filter(|(_, mutant)| mutant.kernel == kernel).collect();
        here.sort_by_key(|(_, mutant)| std::cmp::Reverse(mutant.site.range.start));
        let mut text = read(file)?;
        for (number, mutant) in here {
            let site = &mutant.site;
            let both = format!("(if crate::mutant::is({number}) {{ {} }} else {{ {} }})", site.mutated, site.original);
            text.replace_range(site.range.clone(), &both);
        }
        write(&copy.join(file), text.as_bytes())?;
    }
    write(&copy.join("lib.rs"), (read("lib.rs")? + MODULE).as_bytes())
}

/// Returns the mutants that do not compile.
pub(crate) fn broken(workspace: &Path, target: &Path, mutants: &[Mutant]) -> Result<Vec<usize>> {
    let mut command = cargo(workspace, target);
    command.args(["check", "--package", "hitscan", "--lib", "--features", "all-simd", "--message-format", "json"]);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for message in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(message) else { continue };
        let message = &message["message"];
        if message["level"] == "error" {
            found.extend(numbers(message, workspace));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|number| *number < mutants.len());
    ensure!(
        !found.is_empty(),
        "the library does not compile, and for no mutant: see what cargo says in {}",
        workspace.display()
    );
    Ok(found)
}

/// Returns the numbers of the mutants on the lines of an error.
fn numbers(message: &Value, workspace: &Path) -> Vec<usize> {
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut found = Vec::new();
    for span in spans.iter().filter(|span| span["is_primary"] == true) {
        let Some(file) = span["file_name"].as_str() else { continue };
        let Ok(text) = std::fs::read_to_string(workspace.join(file)) else { continue };
        let [start, end] = ["byte_start", "byte_end"].map(|key| span[key].as_u64().unwrap_or_default() as usize);
        // A mutant within the span of the error may be its cause, or the nearest mutant before the span.
        let before = text.get(..end).unwrap_or(&text);
        let within = before.match_indices("crate::mutant::is(").map(|(at, _)| at).filter(|at| *at >= start);
        let nearest = before.get(..start).and_then(|before| before.rfind("crate::mutant::is("));
        for at in within.chain(nearest) {
            let rest = &text[at + "crate::mutant::is(".len()..];
            found.extend(rest.split(')').next().and_then(|number| number.parse::<usize>().ok()));
        }
    }
    found
}

/// Builds the test programs, and returns them by name.
pub(crate) fn build(workspace: &Path, target: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut programs: Vec<&str> = KERNELS.iter().flat_map(|kernel| kernel.tests).map(|tests| tests.program).collect();
    programs.sort_unstable();
    programs.dedup();
    let mut command = cargo(workspace, target);
    command.args(["test", "--no-run", "--package", "hitscan", "--message-format", "json"]);
    for program in &programs {
        match *program {
            "hitscan" => command.arg("--lib"),
            program => command.args(["--test", program]),
        };
    }
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    ensure!(output.status.success(), "the tests do not compile in {}", workspace.display());
    let mut built = BTreeMap::new();
    for message in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(message).context("cargo writes JSON")?;
        if let (Some(name), Some(file)) = (message["target"]["name"].as_str(), message["executable"].as_str()) {
            built.insert(name.to_owned(), PathBuf::from(file));
        }
    }
    match programs.iter().find(|program| !built.contains_key(**program)) {
        Some(missing) => bail!("cargo built no test program `{missing}`"),
        None => Ok(built),
    }
}

fn cargo(workspace: &Path, target: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace).env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("RUSTFLAGS", "--cap-lints allow").env_remove(VARIABLE);
    command
}
