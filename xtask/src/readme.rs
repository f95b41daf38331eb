//! The commands and the figures that README.md shows.

use crate::effort::features;
use crate::shell::{TESTED, built, cargo, root, run};
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;

/// The heading of the README's table of figures.
const FIGURES: &str = "| what | beside | speed | date |";

/// The longest README, in lines.
const LINES: usize = 150;

/// Runs the README's first command as it is written there.
pub(crate) fn run_first_command() -> Result<()> {
    let text = text("README.md")?;
    check_figures(&text)?;
    let words: Vec<&str> = command_of(&text)?.split_whitespace().collect();
    run(&mut cargo(&words))
}

/// Runs the program that was built for the tests with the arguments of the README's first command. A build in the profile `release` would take minutes.
pub(crate) fn try_first_command() -> Result<()> {
    let text = text("README.md")?;
    check_figures(&text)?;
    let Some((_, words)) = command_of(&text)?.split_once(" -- ") else { bail!("README.md runs no program first") };
    // The program is already built for its tests. A build of the program alone would choose other features for the
    // library, and compile that again.
    run(cargo(&["test", &features(), "--no-run", "--test", "commands"]).args(TESTED))?;
    run(Command::new(built("debug", "hitscan")?).args(words.split_whitespace()).current_dir(root()))
}

/// Fails if the README is long, or has a figure that the page of benchmarks does not have in the same words.
fn check_figures(readme: &str) -> Result<()> {
    let lines = readme.lines().count();
    ensure!(lines <= LINES, "README.md has {lines} lines, more than {LINES}");
    let unknown = unknown_figures(readme, &text("docs/benchmarks.md")?);
    ensure!(unknown.is_empty(), "no row of docs/benchmarks.md begins with these of README.md:\n{}", unknown.join("\n"));
    Ok(())
}

/// Returns the rows of the README's table of figures, including the heading, that are not the beginning of a row of
/// another page.
fn unknown_figures<'a>(readme: &'a str, page: &str) -> Vec<&'a str> {
    let rows = readme.lines().skip_while(|line| *line != FIGURES).take_while(|line| line.starts_with('|'));
    let mut rows: Vec<&str> = rows.filter(|row| !row.starts_with("| ---")).collect();
    if rows.is_empty() {
        rows.push("no table of figures");
    }
    rows.retain(|row| !page.lines().any(|line| line.starts_with(row)));
    rows
}

fn text(file: &str) -> Result<String> {
    let path = root().join(file);
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn command_of(readme: &str) -> Result<&str> {
    first_command(readme).context("README.md shows no `cargo` command in a block of code")
}

/// Returns the arguments of the first line of a code block that begins with `cargo`.
fn first_command(readme: &str) -> Option<&str> {
    let mut is_code = false;
    for line in readme.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            let command = line.strip_prefix("$ ").unwrap_or(line);
            if let Some(arguments) = command.strip_prefix("cargo ") {
                return Some(arguments.split(" # ").next().unwrap_or(arguments).trim());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{check_figures, first_command, text, unknown_figures};

    #[test]
    fn the_readme_is_short_and_has_known_figures() {
        let checked = text("README.md").and_then(|readme| check_figures(&readme));
        assert!(checked.is_ok(), "{checked:?}");
    }

    #[test]
    fn figures_that_are_no_row_of_the_page_are_found() {
        let readme = "| what | beside | speed | date |\n| --- |\n| a | b | 1.2 | today |\n| c | d | 0.9 | today |\n";
        let page = "| what | beside | speed | date | section |\n| a | b | 1.2 | today | [a](#a) |\n| c | d | 0.8 | today | x |\n";
        assert_eq!(unknown_figures(readme, page), ["| c | d | 0.9 | today |"]);
        assert_eq!(unknown_figures("", page).len(), 1);
    }

    #[test]
    fn finds_the_first_command() {
        let readme = "cargo is needed\n```rust\nlet cargo = 1;\n```\n```sh\n$ cargo run -- pick demo   # a village\n\
                      cargo xtask test\n```\n";
        assert_eq!(first_command(readme), Some("run -- pick demo"));
        assert_eq!(first_command("cargo run\n```\nls\n```\ncargo run"), None);
    }
}
