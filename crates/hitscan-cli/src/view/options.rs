//! The options of `hitscan view`.

use crate::args::{CastArgs, ModelArg, PictureArgs, ThreadArgs};
use clap::Args;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  hitscan view demo
  hitscan view level.glb --camera Walker
  hitscan view fox.glb --animation Run --time 0.4
  hitscan view level.glb --web            the page for a browser: open the address that it prints

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

--web needs no window, but a program that was built after the page (`cargo xtask playground`). It serves the page on this \
computer alone, at an address that nobody can guess, until it is interrupted. A .glb is served as it is; of other files, and \
in an animation, the page shows triangles and the colours of materials, without pictures.

Exit codes: 0 the window was closed, 2 an error, 130 --web was interrupted (Ctrl-C).";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(super) model: ModelArg,
    #[command(flatten)]
    pub(super) picture: PictureArgs,
    #[command(flatten)]
    pub(super) cast: CastArgs,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    /// Serve the page for a browser with this model, and print its address, instead of opening a window
    #[arg(
        long,
        conflicts_with_all = ["size", "camera", "eye", "target", "up", "fov_y", "ortho", "no_cutout", "cull", "hide", "threads", "script"]
    )]
    pub(super) web: bool,
    /// Follow the lines of this file instead of the mouse, and close the window then; - is standard input
    #[arg(long, value_name = "FILE", hide = true)]
    pub(super) script: Option<PathBuf>,
}
