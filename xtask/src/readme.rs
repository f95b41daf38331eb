//! The commands that README.md shows.

use crate::shell::{FEATURES, TESTED, built, cargo, root, run};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Runs the README's first command as it is written there.
pub(crate) fn run_first_command() -> Result<()> {
    let text = text()?;
    let words: Vec<&str> = command_of(&text)?.split_whitespace().collect();
    run(&mut cargo(&words))
}

/// Gives the arguments of the README's first command to the program of the tests, as a build of all in the profile `release` takes minutes.
pub(crate) fn try_first_command() -> Result<()> {
    let text = text()?;
    let Some((_, words)) = command_of(&text)?.split_once(" -- ") else { bail!("README.md runs no program first") };
    run(cargo(&["build", FEATURES, "--bin", "hitscan", "--profile", "test"]).args(TESTED))?;
    run(Command::new(built("debug", "hitscan")?).args(words.split_whitespace()).current_dir(root()))
}

fn text() -> Result<String> {
    let path = root().join("README.md");
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn command_of(readme: &str) -> Result<&str> {
    first_command(readme).context("README.md shows no `cargo` command in a block of code")
}

/// Returns what follows `cargo` in the first line of a code block that begins with it.
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
    use super::first_command;

    #[test]
    fn finds_the_first_command() {
        let readme = "cargo is needed\n```rust\nlet cargo = 1;\n```\n```sh\n$ cargo run -- pick demo   # a village\n\
                      cargo xtask test\n```\n";
        assert_eq!(first_command(readme), Some("run -- pick demo"));
        assert_eq!(first_command("cargo run\n```\nls\n```\ncargo run"), None);
    }
}
