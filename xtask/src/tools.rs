//! The parts of the toolchain and of the system that the steps need.

use crate::shell::{cargo, root, run, succeeds, target};
use crate::skips::{may_install, skip};
use anyhow::{Context, Result};
use std::env::consts::EXE_EXTENSION;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns whether a component of the toolchain is installed, which is tested by its cargo command. The gate installs it; elsewhere a missing component is a
/// skip.
pub(crate) fn has_component(component: &str, subcommand: &str) -> Result<bool> {
    let is_there = || succeeds(&mut cargo(&[subcommand, "--version"]));
    let way = format!("rustup component add {component}");
    if !is_there() && may_install() {
        // The check below reports a failure.
        let _ = run(Command::new("rustup").args(["component", "add", component]));
    }
    if !is_there() {
        skip("tools", component, &way)?;
        return Ok(false);
    }
    Ok(true)
}

/// A program that cargo installs from the registry.
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: &'static str,
    args: &'static [&'static str],
    built: Built,
}

/// The source from which a compiled program can be downloaded.
enum Built {
    Nowhere,
    /// Python's registry has the program, in a package of this name and the same version.
    InWheel(&'static str),
}

/// Finds misspelt words; its exceptions are in `_typos.toml`.
pub(crate) const TYPOS: Tool =
    Tool { package: "typos-cli", program: "typos", version: "1.52.0", args: &[], built: Built::InWheel("typos") };

/// Finds dependencies that no source file names.
pub(crate) const MACHETE: Tool = Tool {
    package: "cargo-machete",
    program: "cargo-machete",
    version: "0.9.2",
    args: &["--skip-target-dir"],
    built: Built::Nowhere,
};

/// Checks the dependencies of a workspace by the rules of `deny.toml`.
pub(crate) const DENY: Tool =
    Tool { package: "cargo-deny", program: "cargo-deny", version: "0.20.2", args: &[], built: Built::Nowhere };

/// Compares public interfaces.
pub(crate) const SEMVER: Tool = Tool {
    package: "cargo-semver-checks",
    program: "cargo-semver-checks",
    version: "0.51.0",
    args: &[],
    built: Built::Nowhere,
};

/// Makes the header of the C interface.
pub(crate) const CBINDGEN: Tool =
    Tool { package: "cbindgen", program: "cbindgen", version: "0.29.4", args: &[], built: Built::Nowhere };

impl Tool {
    /// Runs the program in the workspace.
    pub(crate) fn check(&self) -> Result<()> {
        self.program()?.map_or(Ok(()), |program| run(Command::new(program).args(self.args).current_dir(root())))
    }

    /// Returns the program. The gate installs it in the target folder if it is missing. Elsewhere a missing program is a skip.
    pub(crate) fn program(&self) -> Result<Option<PathBuf>> {
        if let Some(program) = self.find(may_install())? {
            return Ok(Some(program));
        }
        let way = format!("{}, or `cargo xtask test --all`", self.way());
        skip("tools", self.program, &way)?;
        Ok(None)
    }

    /// Returns the program, which is installed in the target folder if it is not there.
    pub(crate) fn brought(&self) -> Result<PathBuf> {
        self.find(true)?.with_context(|| format!("`{}` did not bring {}", self.way(), self.program))
    }

    /// Returns the command that installs the program.
    fn way(&self) -> String {
        format!("cargo install {}@{}", self.package, self.version)
    }

    fn find(&self, installs: bool) -> Result<Option<PathBuf>> {
        let folder = target()?.join("tools");
        let program = folder.join("bin").join(self.program).with_extension(EXE_EXTENSION);
        if !self.is_version_of(&program) && installs {
            self.unpack(&folder);
        }
        if !self.is_version_of(&program) && installs {
            self.install(&folder);
        }
        Ok(self.is_version_of(&program).then_some(program))
    }

    fn is_version_of(&self, program: &Path) -> bool {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| output.stdout.trim_ascii().ends_with(self.version.as_bytes()))
    }

    /// Takes the program out of a wheel, if a wheel has it, which saves a minute of compiling. The caller checks whether this
    /// succeeded.
    fn unpack(&self, folder: &Path) {
        let Built::InWheel(wheel) = self.built else { return };
        let unpacked = folder.join("wheels").join(wheel);
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade"]);
        if run(pip.arg(format!("{wheel}=={}", self.version)).arg("--target").arg(&unpacked)).is_err() {
            return;
        }
        let file = Path::new("bin").join(self.program).with_extension(EXE_EXTENSION);
        let _ = std::fs::create_dir_all(folder.join("bin"));
        let _ = std::fs::copy(unpacked.join(&file), folder.join(&file));
    }

    /// Installs the program without optimisation. It is fast enough, and optimisation would double the time to compile
    /// it.
    fn install(&self, folder: &Path) {
        let version = format!("{}@{}", self.package, self.version);
        let mut install = cargo(&["install", "--locked", "--debug", &version, "--root"]);
        // The caller checks whether the program is there.
        let _ = run(install.arg(folder).env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("CARGO_TARGET_DIR"));
    }
}

/// Returns whether this process may install packages of the system without sudo.
fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Installs packages on a Debian, but only in the gate. Returns whether they are there after that, as `is_there` tests.
pub(crate) fn is_there_after_apt(packages: &[&str], is_there: impl Fn() -> bool) -> bool {
    let apt = |words: &[&str]| {
        let (program, first) = if is_root() { ("apt-get", &[][..]) } else { ("sudo", &["-n", "apt-get"][..]) };
        let mut command = Command::new(program);
        // The caller's check reports a failure.
        let _ = run(command.args(first).args(words).env("DEBIAN_FRONTEND", "noninteractive"));
    };
    if may_install() && succeeds(Command::new("apt-get").arg("--version")) {
        apt(&["update"]);
        apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat());
    }
    is_there()
}
