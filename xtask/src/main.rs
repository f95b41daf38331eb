//! The project's own commands: `cargo xtask --help`.
#![forbid(unsafe_code)]

mod readme;
mod shell;
mod steps;
mod tools;

use std::process::ExitCode;
use steps::STEPS;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["test", .., "-h" | "--help"] | ["-h" | "--help" | "help"] => {
            println!("{}", help());
            ExitCode::SUCCESS
        }
        ["test", ref names @ ..] => match steps::run(names) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("xtask: {error:#}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{}", help());
            ExitCode::from(2)
        }
    }
}

fn help() -> String {
    let width = STEPS.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let steps: Vec<String> = STEPS.iter().map(|step| format!("  {:width$}  {}", step.name, step.what)).collect();
    format!(
        "Usage: cargo xtask test [STEP]...\n\n\
         Runs the steps in this order, or only those that are named, and stops at the first one that fails:\n{}\n\n\
         rustfmt and clippy are installed through rustup where they are missing.\n\
         Exit codes: 0 all passed, 1 a step failed, 2 wrong usage.",
        steps.join("\n")
    )
}
