//! Formatting and clippy in every workspace of the repository.

use crate::shell::{cargo, root, run, succeeds, target};
use anyhow::Result;
use std::process::Command;

/// A workspace, and how clippy checks it.
struct Workspace {
    manifest: &'static str,
    /// The options after `cargo clippy --manifest-path MANIFEST`.
    options: &'static [&'static str],
    /// The environment variables that it is checked with.
    variables: &'static [(&'static str, &'static str)],
}

/// The workspace of the library, and then the other workspaces. The manifest of each states why it is separate.
const WORKSPACES: [Workspace; 6] = [
    Workspace { manifest: LIBRARY, options: &["--workspace", "--all-targets"], variables: &[] },
    // This is checked without libFuzzer, which needs a C++ compiler.
    Workspace { manifest: "fuzz/Cargo.toml", options: &["--all-targets", "--no-default-features"], variables: &[] },
    Workspace { manifest: "glam-floor/Cargo.toml", options: &["--all-targets", "--locked"], variables: &[] },
    // The example optimises the libraries of a window, which would take minutes. A check does not need this.
    Workspace {
        manifest: "examples/window/Cargo.toml",
        options: &["--all-targets", "--locked", "--config", "profile.dev.package.'*'.opt-level=0"],
        variables: &[],
    },
    Workspace { manifest: WEB, options: &["--all-targets", "--locked"], variables: &[] },
    // With Python's stable interface, neither checking nor linking an extension needs a Python.
    Workspace {
        manifest: "crates/hitscan-py/Cargo.toml",
        options: &["--all-targets", "--locked"],
        variables: &[("PYO3_NO_PYTHON", "1"), ("PYO3_BUILD_EXTENSION_MODULE", "1")],
    },
];

/// The folder of checks in the target folder. A build cannot use the output of a check, and with separate folders both can run at the same time.
pub(crate) const LINTS: &str = "lints";

/// The workspace of the library.
const LIBRARY: &str = "Cargo.toml";

/// The crate that is compiled to WebAssembly.
const WEB: &str = "crates/hitscan-web/Cargo.toml";
const WEB_TARGET: &str = "wasm32-unknown-unknown";

/// Fails if a file of any workspace is not formatted.
pub(crate) fn formatting() -> Result<()> {
    WORKSPACES.iter().try_for_each(|workspace| {
        let mut command = cargo(&["fmt", "--manifest-path", workspace.manifest, "--check"]);
        if workspace.manifest == LIBRARY {
            // The other workspaces have one package each. With this option they would also format the library, on which they depend.
            command.arg("--all");
        }
        run(&mut command)
    })
}

/// The workspaces that clippy checks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Library,
    /// All workspaces are checked. The others have many dependencies that no test needs.
    All,
}

/// Fails if clippy has a warning in these workspaces. The features are for the library's workspace.
pub(crate) fn clippy(features: &str, extent: Extent) -> Result<()> {
    let wanted = |workspace: &&Workspace| extent == Extent::All || workspace.manifest == LIBRARY;
    WORKSPACES.iter().filter(wanted).try_for_each(|workspace| {
        let mut command = cargo(&["clippy", "--manifest-path", workspace.manifest]);
        // All workspaces use the debug information of the library's workspace, so that cargo compiles their common
        // dependencies once.
        command.args([
            "--config",
            "profile.dev.debug='line-tables-only'",
            "--config",
            "profile.dev.package.'*'.debug=false",
        ]);
        command.args(workspace.options).envs(workspace.variables.iter().copied());
        command.arg("--target-dir").arg(target()?.join(LINTS));
        if workspace.manifest == LIBRARY {
            command.arg(features);
        }
        if workspace.manifest == WEB && has_web_target() {
            command.args(["--target", WEB_TARGET]);
        }
        run(command.args(["--", "--deny", "warnings"]))
    })
}

/// Returns whether this toolchain can check code for WebAssembly. Clippy cannot use the compiler that `wasm-toolchain` brings, so without the target the crate
/// is checked for this machine.
fn has_web_target() -> bool {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", WEB_TARGET]).current_dir(root());
    let folder = rustc.output().ok().and_then(|output| String::from_utf8(output.stdout).ok());
    succeeds(&mut rustc) && folder.is_some_and(|folder| std::path::Path::new(folder.trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::WORKSPACES;
    use crate::shell::root;

    /// A new workspace must be listed.
    #[test]
    fn all_workspaces_are_listed() {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let excluded = manifest.lines().find(|line| line.starts_with("exclude = ")).unwrap();
        for folder in excluded.split('"').skip(1).step_by(2) {
            let is_listed = WORKSPACES.iter().any(|workspace| workspace.manifest.starts_with(&format!("{folder}/")));
            assert!(is_listed, "{folder} is in no list of workspaces");
        }
        assert!(WORKSPACES.iter().all(|workspace| root().join(workspace.manifest).is_file()));
    }
}
