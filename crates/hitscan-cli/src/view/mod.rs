//! `hitscan view`: a window in which a model is looked at, picked and selected.

#[cfg(feature = "window")]
mod window;

use crate::Outcome;
use crate::args::{CastArgs, ModelArg, PictureArgs, ThreadArgs};
use crate::output::Console;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  hitscan view demo
  hitscan view level.glb --camera Walker
  hitscan view fox.glb --animation Run --time 0.4

Mouse:
  move               outline what is under the cursor
  click              select it, and show entity, node, triangle, t, point and normal; with ctrl add it or take it away
  double click       look at it
  drag               orbit around what is under the cursor: with the right or middle button, or left with alt or beside
                     the handles; with shift and the right or middle button pan
  shift-drag         select with a rectangle; with ctrl too, add to the selection
  wheel              zoom to the cursor

Keys:
  L                  select with a lasso, the next drag
  X                  rectangle and lasso select what is hidden too, or only what is seen
  G, R, S            move, rotate or scale the selected entity by its handles
  F                  look at the selection, or at everything
  Home               the first view
  Escape             cancel the drag, else the lasso or the handles, else the selection

--size is the size of the window when it opens, and near and far planes of a file's camera do not clip. The window needs a program with the feature `window`: \
`cargo install --path crates/hitscan-cli --features window`.

Exit codes: 0 the window was closed, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Follow the lines of this file instead of the mouse, and close the window then; - is standard input
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
}

#[cfg(feature = "window")]
pub(crate) fn run(args: &ViewArgs, console: &Console) -> Result<Outcome> {
    window::open(args, console)
}

#[cfg(not(feature = "window"))]
pub(crate) fn run(_: &ViewArgs, _: &Console) -> Result<Outcome> {
    anyhow::bail!(
        "this program was built without a window; `cargo install --path crates/hitscan-cli --features window` builds \
         one with it, and `hitscan render` draws a picture without"
    )
}
