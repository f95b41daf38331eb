//! The program's window, driven by a script where a virtual display is available.

use crate::effort::features;
use crate::shell::{TESTED, cargo, run};
use crate::window::are_there;
use anyhow::Result;

/// A display server in memory, a program that starts it, one that moves a mouse, and the libraries that winit loads.
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

/// Runs the tests of the program with the feature `window`.
pub(crate) fn check() -> Result<()> {
    let features = format!("{},hitscan-cli/window", features());
    // This builds the whole workspace, so that nothing is built again with other features.
    let targets = [&TESTED[..], &[&features, "--bin", "hitscan", "--test", "commands"]].concat();
    // The tests of the window itself look for a display, and are counted as skipped if there is none.
    are_there(&PACKAGES);
    run(cargo(&["test"]).args(&targets).args(["--", "view::"]))
}
