//! The libraries and what finds them: headers, pkg-config and CMake.

use super::program::CAPI;
use crate::shell::{cargo, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// The version of the interface, as in `HS_ABI_VERSION`: it is in the name of the shared library.
const ABI: &str = "1";

/// The system's libraries that the static library needs, as `rustc --print native-static-libs` lists them.
const SYSTEM: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl";

/// Builds the libraries and installs all below a prefix.
pub(super) fn install(prefix: &Path) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "this installs on Linux. Elsewhere `cargo rustc -p hitscan-capi --release --crate-type cdylib,staticlib` builds the \
         libraries, and the headers are in {CAPI}/include"
    );
    let mut command = cargo(&["rustc", "--package", "hitscan-capi", "--lib", "--release", "--crate-type"]);
    let soname = format!("link-arg=-Wl,-soname,libhitscan.so.{ABI}");
    run(command.args(["cdylib,staticlib", "--", "-C", &soname]))?;
    let built = target()?.join("release");
    let source = root().join(CAPI);
    let shared = format!("libhitscan.so.{ABI}");
    copy(&built.join("libhitscan_capi.so"), &prefix.join("lib").join(&shared))?;
    link(&shared, &prefix.join("lib/libhitscan.so"))?;
    copy(&built.join("libhitscan_capi.a"), &prefix.join("lib/libhitscan.a"))?;
    for header in ["hitscan.h", "hitscan.hpp"] {
        copy(&source.join("include").join(header), &prefix.join("include").join(header))?;
    }
    fill(&source.join("pkg/hitscan.pc.in"), &prefix.join("lib/pkgconfig/hitscan.pc"))?;
    for name in ["hitscanConfig.cmake", "hitscanConfigVersion.cmake"] {
        let template = source.join("pkg").join(format!("{name}.in"));
        fill(&template, &prefix.join("lib/cmake/hitscan").join(name))?;
    }
    Ok(())
}

fn make_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file has a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    make_folder_of(to)?;
    // A program that is running may have mapped the old file.
    let _ = std::fs::remove_file(to);
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(unix)]
fn link(to: &str, link: &Path) -> Result<()> {
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(to, link).with_context(|| format!("cannot make the link {}", link.display()))
}

#[cfg(not(unix))]
fn link(_to: &str, link: &Path) -> Result<()> {
    anyhow::bail!("cannot make the link {} on this system", link.display())
}

/// Writes a template with its names filled in.
fn fill(template: &Path, to: &Path) -> Result<()> {
    make_folder_of(to)?;
    let text = std::fs::read_to_string(template).with_context(|| format!("cannot read {}", template.display()))?;
    let text = text.replace("@VERSION@", &version()?).replace("@ABI@", ABI).replace("@SYSTEM@", SYSTEM);
    std::fs::write(to, text).with_context(|| format!("cannot write {}", to.display()))
}

/// Returns the version of the workspace's packages.
fn version() -> Result<String> {
    let manifest =
        std::fs::read_to_string(root().join("Cargo.toml")).context("cannot read the workspace's Cargo.toml")?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Ok(version.context("the workspace's Cargo.toml has no version")?.to_owned())
}
