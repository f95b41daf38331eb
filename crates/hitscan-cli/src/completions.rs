//! `hitscan completions`: lets a shell complete the program's options.

use crate::outcome::Outcome;
use crate::output::print;
use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

const AFTER_HELP: &str = "\
Examples:
  hitscan completions bash > ~/.local/share/bash-completion/completions/hitscan
  hitscan completions zsh > ~/.zfunc/_hitscan
  hitscan completions fish > ~/.config/fish/completions/hitscan.fish

Exit codes: 0 success, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the script
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, program: &mut Command) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, program, "hitscan", &mut script);
    print(|out| out.write_all(&script))?;
    Ok(Outcome::Success)
}
