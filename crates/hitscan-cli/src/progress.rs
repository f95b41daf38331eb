//! The progress of a long command, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const BAR: &str = "{wide_bar} {percent}% {msg} {elapsed}, {eta} left";
const SPINNER: &str = "{spinner} {msg} {elapsed}";

/// Returns a progress bar on standard error, or a spinner if the length is unknown. If standard error is not a terminal,
/// nothing is drawn.
pub(crate) fn bar(length: Option<u64>, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(length, target);
    let style = ProgressStyle::with_template(if length.is_some() { BAR } else { SPINNER });
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
