//! How far a long command is: on a terminal, and nowhere else.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const BAR: &str = "{wide_bar} {percent}% {msg} {elapsed}, {eta} left";
const SPINNER: &str = "{spinner} {msg} {elapsed}";

/// A bar on standard error; of unknown length a spinner. Where standard error is no terminal nothing is drawn.
pub(crate) fn bar(length: Option<u64>, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(length, target);
    let style = ProgressStyle::with_template(if length.is_some() { BAR } else { SPINNER });
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
