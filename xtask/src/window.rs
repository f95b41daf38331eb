//! The example with a window. Clippy checks it everywhere; it is compiled and run where a virtual display is available.

use crate::shell::{cargo, run, target};
use crate::skips::skip;
use crate::tools::is_there_after_apt;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// The example is a workspace of its own. So the other steps do not build the libraries of a window.
const WINDOW: &str = "examples/window/Cargo.toml";

/// A virtual display server, a program that starts it, OpenGL in software, and the libraries that macroquad loads.
const PACKAGES: [&str; 7] = ["xvfb", "xauth", "libgl1", "libgl1-mesa-dri", "libx11-6", "libxi6", "libxkbcommon0"];

/// The beginning of the output line when the scripted cursor selects the hills.
const SELECTED: &str = "selected: Hills, triangle ";

/// Compiles the example, where a display is available, and runs it for a few frames.
pub(crate) fn check() -> Result<()> {
    if !are_there(&PACKAGES) {
        return skip("display", "running the example", &format!("on a Debian: apt-get install {}", PACKAGES.join(" ")));
    }
    run(&mut of_window("build")?)?;
    let picture = target()?.join("window.png");
    let shown = take(&picture)?;
    println!("{shown}{} shows it", picture.display());
    ensure!(shown.contains(SELECTED), "the scripted cursor must have it print `{SELECTED}..`");
    Ok(())
}

/// Returns a command of cargo for the example, which is another workspace. The example is built in this workspace's target folder. Optimising the libraries, as
/// the example does, would take minutes. The few frames of the test do not need it.
fn of_window(subcommand: &str) -> Result<Command> {
    let mut command = cargo(&[subcommand, "--manifest-path", WINDOW, "--locked", "--target-dir"]);
    command.arg(target()?).args(["--config", "profile.dev.package.'*'.opt-level=0"]);
    Ok(command)
}

/// Returns whether packages of a Debian are there, after the gate has installed them.
pub(crate) fn are_there(packages: &[&str]) -> bool {
    let are = || cfg!(target_os = "linux") && packages.iter().all(|name| is_installed(name));
    are() || is_there_after_apt(packages, are)
}

fn is_installed(package: &str) -> bool {
    let status = Command::new("dpkg-query").args(["--show", "--showformat=${db:Status-Status}", package]).output();
    status.is_ok_and(|status| status.stdout == b"installed")
}

/// Runs the example until it has taken a picture, and returns what it printed.
fn take(picture: &Path) -> Result<String> {
    let _ = std::fs::remove_file(picture);
    let mut command = Command::new("timeout");
    command.args(["120", "xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x800x24"]);
    command.arg(target()?.join("debug/hitscan-window")).arg(picture).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let output = command.output().context("cannot start `timeout 120 xvfb-run`")?;
    let (shown, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success() && picture.is_file(), "the window took no picture ({}): {errors}", output.status);
    Ok(shown.into_owned())
}
