//! `cargo xtask fuzz`: the fuzz targets with their seeds, dictionaries and limits.

use crate::shell::{cargo, root, run, succeeds};
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fuzz target, a file of `fuzz/fuzz_targets`.
struct Target {
    name: &'static str,
    /// Extensions of the model files that it reads.
    seeds: &'static [&'static str],
    /// The length of the longest input, in bytes.
    max_len: u64,
}

const TARGETS: [Target; 8] = [
    Target { name: "obj", seeds: &["obj"], max_len: MAX_FILE },
    Target { name: "stl", seeds: &["stl"], max_len: MAX_FILE },
    Target { name: "ply", seeds: &["ply"], max_len: MAX_FILE },
    Target { name: "gltf", seeds: &["gltf", "glb"], max_len: MAX_FILE },
    Target { name: "saved", seeds: &[], max_len: MAX_FILE },
    Target { name: "mesh", seeds: &[], max_len: MAX_STRUCTURE },
    Target { name: "capi", seeds: &[], max_len: MAX_STRUCTURE },
    Target { name: "scene", seeds: &[], max_len: MAX_STRUCTURE },
];

/// The size of the largest file that is a seed, in bytes. Larger files are too slow for the coverage that they add.
const MAX_FILE: u64 = 1 << 13;
/// The longest input of a target that makes its own structures, in bytes: enough for some hundred vertices or entities.
const MAX_STRUCTURE: u64 = 1 << 12;
const MINUTES: u64 = 10;

/// Runs the named targets, or all, each for some minutes.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let (targets, minutes) = parse(args)?;
    ensure!(
        succeeds(nightly_fuzz().arg("--help")),
        "cargo-fuzz or the nightly compiler is missing: `rustup toolchain install nightly` and `cargo install cargo-fuzz` \
         bring them, and a C++ compiler is needed besides"
    );
    let folder = root().join("fuzz");
    write_own_seeds(&folder)?;
    for target in targets {
        fuzz(target, &folder, minutes)?;
    }
    Ok(())
}

fn parse(args: &[&str]) -> Result<(Vec<&'static Target>, u64)> {
    let (mut targets, mut minutes) = (Vec::new(), MINUTES);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if *arg == "--minutes" {
            let number = args.next().context("`--minutes` needs a number")?;
            // For libFuzzer, 0 means a run without an end.
            let number: NonZeroU64 = number.parse().with_context(|| format!("`--minutes {number}` is no count"))?;
            minutes = number.get();
        } else if let Some(target) = TARGETS.iter().find(|target| target.name == *arg) {
            targets.push(target);
        } else {
            bail!("there is no target `{arg}`; there are {}", names());
        }
    }
    Ok((if targets.is_empty() { TARGETS.iter().collect() } else { targets }, minutes))
}

/// Returns the names of all targets.
pub(crate) fn names() -> String {
    TARGETS.map(|target| target.name).join(", ")
}

/// Returns the command without the environment that this process inherited from another toolchain.
fn nightly_fuzz() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).env_remove("CARGO").current_dir(root());
    command
}

fn write_own_seeds(folder: &Path) -> Result<()> {
    let manifest = folder.join("Cargo.toml");
    let mut command = cargo(&["run", "--quiet", "--no-default-features", "--example", "seeds", "--manifest-path"]);
    run(command.arg(manifest).arg("--").arg(folder.join("corpus")))
}

fn fuzz(target: &Target, folder: &Path, minutes: u64) -> Result<()> {
    let corpus = folder.join("corpus").join(target.name);
    std::fs::create_dir_all(&corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
    let mut command = nightly_fuzz();
    command.args(["run", target.name]).arg(&corpus).arg("--");
    command.arg(format!("-max_total_time={}", minutes * 60)).arg(format!("-max_len={}", target.max_len));
    command.args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
    let dictionary = folder.join("dictionaries").join(target.name).with_extension("dict");
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    if let Some(list) = list_model_seeds(target, &corpus)? {
        command.arg(format!("-seed_inputs=@{}", list.display()));
    }
    run(&mut command)
}

/// Writes a file in libFuzzer's format that lists the models that may be seeds. They are not copied.
fn list_model_seeds(target: &Target, corpus: &Path) -> Result<Option<PathBuf>> {
    let Some(models) = models().filter(|_| !target.seeds.is_empty()) else { return Ok(None) };
    let files = small_files(&models, target.seeds)?;
    // In the list, a name cannot contain a comma.
    let names: Vec<&str> = files.iter().filter_map(|file| file.to_str()).filter(|name| !name.contains(',')).collect();
    println!("{} seeds of {} from {}", names.len(), target.name, models.display());
    if names.is_empty() {
        return Ok(None);
    }
    let list = corpus.with_extension("list");
    std::fs::write(&list, names.join(",")).with_context(|| format!("cannot write {}", list.display()))?;
    Ok(Some(list))
}

/// Returns the folder of models, which the tests use, too.
fn models() -> Option<PathBuf> {
    let folder = std::env::var_os("HITSCAN_MODELS").map_or_else(|| root().join("../shared/models"), PathBuf::from);
    if !folder.is_dir() {
        println!("no test models in {} (set HITSCAN_MODELS to their folder): own seeds only", folder.display());
        return None;
    }
    folder.canonicalize().ok()
}

/// Returns all files below a folder with one of these extensions that are not too long for a seed.
fn small_files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let is_wanted = |path: &Path| {
        let has = |extension: &OsStr| extensions.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted));
        path.extension().is_some_and(has) && path.metadata().is_ok_and(|data| data.len() <= MAX_FILE)
    };
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
            match () {
                () if path.is_dir() => folders.push(path),
                () if is_wanted(&path) => files.push(path),
                () => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, parse, root};

    #[test]
    fn arguments() {
        let (targets, minutes) = parse(&["stl", "--minutes", "3", "mesh"]).unwrap();
        assert_eq!((targets.iter().map(|target| target.name).collect::<Vec<_>>(), minutes), (vec!["stl", "mesh"], 3));
        assert_eq!(parse(&[]).unwrap().0.len(), TARGETS.len());
        assert!(parse(&["tsl"]).is_err() && parse(&["--minutes"]).is_err() && parse(&["--minutes", "0"]).is_err());
    }

    #[test]
    fn the_list_of_targets_is_whole() {
        let folder = root().join("fuzz/fuzz_targets");
        let mut there: Vec<String> = folder
            .read_dir()
            .unwrap()
            .map(|file| file.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        there.sort();
        let mut listed = TARGETS.map(|target| target.name);
        listed.sort_unstable();
        assert_eq!(there, listed);
    }
}
