//! The program's output: results to standard output, the rest to standard error.

use crate::progress;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::time::Duration;

/// The time for which each picture of a spinner is shown.
const TURN: Duration = Duration::from_millis(100);

/// Standard error, with a line for each message.
pub(crate) struct Console {
    quiet: bool,
}

impl Console {
    /// Makes a console; a quiet one writes no warnings.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    pub(crate) fn warn(&self, warning: impl Display) {
        if !self.quiet {
            write_line("warning", &warning.to_string());
        }
    }

    /// Returns a progress bar for a long command, which is shown if standard error is a terminal. Without a length, it
    /// is a spinner.
    pub(crate) fn progress(&self, length: Option<u64>) -> ProgressBar {
        progress::bar(length, self.quiet)
    }

    /// Runs some work, and shows a spinner during it if standard error is a terminal.
    pub(crate) fn during<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let spinner = self.progress(None);
        spinner.set_message(what);
        spinner.enable_steady_tick(TURN);
        let done = work();
        spinner.finish_and_clear();
        done
    }

    /// Writes that a test has failed.
    pub(crate) fn failed(&self, what: impl Display) {
        write_line("failed", &what.to_string());
    }

    /// Writes an error with its causes.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        write_line("error", &format!("{error:#}"));
    }
}

/// Writes a message to standard error. If standard error is closed, the message is lost.
fn write_line(kind: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{kind}: {}", one_line(text));
}

/// Escapes line ends and control codes of terminals, which names from files may contain.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// Writes results. It is not an error if the reader has closed the pipe (`| head -1`).
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Writes a value as one line of JSON. A float has the fewest digits that are read back as the same f32.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    print(|out| {
        serde_json::to_writer(&mut *out, value)?;
        writeln!(out)
    })
}

/// Writes rows under their titles, in aligned columns.
pub(crate) fn write_table<const N: usize>(
    out: &mut dyn Write,
    titles: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let titles = titles.map(str::to_owned);
    let lines = || std::iter::once(&titles).chain(rows);
    let mut widths = [0; N];
    for line in lines() {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for line in lines() {
        let cells: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// Returns a size with three digits, for a picture.
pub(crate) fn short(size: f64) -> String {
    let rounded: f64 = format!("{size:.2e}").parse().unwrap_or(size);
    if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

/// Joins numbers with commas, in the format of the options.
pub(crate) fn joined(numbers: impl IntoIterator<Item = impl Display>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let mut out = Vec::new();
        let rows = [["Bücker", "1"], ["a", "22"]].map(|row| row.map(str::to_owned));
        write_table(&mut out, ["NAME", "N"], &rows).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "NAME    N\nBücker  1\na       22\n");
    }

    #[test]
    fn short_sizes_have_three_digits() {
        let sizes = [0.0, 0.74641, -1.0361, 123_456.0, 2.5e-7, 1.239e9].map(short);
        assert_eq!(sizes, ["0", "0.746", "-1.04", "123000", "2.5e-7", "1.24e9"]);
    }

    #[test]
    fn control_codes_are_escaped() {
        assert_eq!(one_line("a\nb\u{1b}[31mü"), "a\\nb\\u{1b}[31mü");
    }
}
