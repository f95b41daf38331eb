//! The program's window, driven by a script where a virtual display is available.

use crate::effort::full_features;
use crate::shell::{TESTED, cargo, run};
use crate::window::are_there;
use anyhow::{Context, Result, ensure};

/// A virtual display server, a program that starts it, a program that moves a mouse, and the libraries that winit
/// loads.
const PACKAGES: [&str; 9] = [
    "xvfb",
    "xauth",
    "xdotool",
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
    "libxrandr2",
];

/// The tests of the program's window.
pub(crate) const TESTS: &str = "view::window::";

/// The command that a program without a window prints.
const WAY: &str = "cargo install --path crates/hitscan-cli --features window";

/// Runs the tests of the program with the feature `window`, and the README's program, which has no window.
pub(crate) fn check() -> Result<()> {
    // The tests of the window itself look for a display, and are counted as skipped if there is none.
    are_there(&PACKAGES);
    run(cargo(&["test", &full_features()]).args(TESTED).args(["--bin", "hitscan", "--test", "commands", "--", TESTS]))?;
    let output =
        cargo(&["run", "--release", "--quiet", "--", "view", "demo"]).output().context("cannot start cargo")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code() == Some(2) && errors.contains(WAY), "without a window, `view` says: {errors}");
    Ok(())
}
