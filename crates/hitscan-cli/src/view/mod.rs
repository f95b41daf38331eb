//! The command `hitscan view`. It shows a window to look at a model, and to pick and select its parts, or serves the
//! page for a browser with the model.

mod options;
mod web;
#[cfg(feature = "window")]
mod window;

use crate::outcome::Outcome;
use crate::output::Console;
use anyhow::Result;

pub(crate) use options::ViewArgs;

pub(crate) fn run(args: &ViewArgs, console: &Console) -> Result<Outcome> {
    if args.web { web::open(args, console) } else { open_window(args, console) }
}

#[cfg(feature = "window")]
fn open_window(args: &ViewArgs, console: &Console) -> Result<Outcome> {
    window::open(args, console)
}

#[cfg(not(feature = "window"))]
fn open_window(_: &ViewArgs, _: &Console) -> Result<Outcome> {
    anyhow::bail!(
        "this program was built without a window; `cargo install --path crates/hitscan-cli --features window` builds \
         one with it, `hitscan view MODEL --web` shows the model in a browser, and `hitscan render` draws a picture"
    )
}
