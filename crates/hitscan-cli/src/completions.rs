//! `hitscan completions`: lets a shell complete the program's options.

use crate::output::print;
use crate::{Cli, Outcome};
use anyhow::Result;
use clap::{Args, CommandFactory};
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
    /// The shell that is to read them
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hitscan", &mut script);
    print(|out| out.write_all(&script))?;
    Ok(Outcome::Success)
}
