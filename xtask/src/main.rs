//! The project's own commands: `cargo xtask --help`.
#![forbid(unsafe_code)]

mod bench;
mod counts;
mod digest;
mod fuzz;
mod long;
mod readme;
mod shell;
mod steps;
mod tools;

use long::LONG;
use std::process::ExitCode;
use steps::STEPS;

fn main() -> ExitCode {
    if let Some(code) = bench::wrapped_rustc() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["test" | "counts" | "exact" | "walk" | "soak" | "contacts" | "large" | "fuzz", .., "-h" | "--help"]
        | ["-h" | "--help" | "help"] => {
            println!("{}", help());
            ExitCode::SUCCESS
        }
        ["test", ref names @ ..] => code(steps::run(names)),
        ["bench", ref args @ ..] => code(bench::run_with(args)),
        ["counts", ref args @ ..] => code(counts::run_with(args)),
        ["digest", ref args @ ..] => code(digest::run_with(args)),
        ["fuzz", ref args @ ..] => code(fuzz::run_with(args)),
        [name, ref args @ ..] if let Some(long) = LONG.iter().find(|long| long.name == name) => {
            code(long.run_with(args))
        }
        _ => {
            eprintln!("{}", help());
            ExitCode::from(2)
        }
    }
}

fn code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let width = STEPS.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let steps: Vec<String> = STEPS.iter().map(|step| format!("  {:width$}  {}", step.name, step.what)).collect();
    format!(
        "Usage: cargo xtask test [STEP]...\n       cargo xtask bench [--quick] [OPTION]...\n       \
         cargo xtask counts [--update]\n       \
         cargo xtask digest [--rays N] [OPTION]...\n       cargo xtask exact [--rays N]\n       \
         cargo xtask walk [--steps N]\n       cargo xtask soak [--minutes N]\n       \
         cargo xtask contacts [--contacts N]\n       cargo xtask large [--picks N]\n       cargo xtask fuzz [TARGET]... [--minutes N]\n\n\
         `test` runs the steps in this order, or only those that are named, and stops at the first one that fails:\n{}\n\n\
         rustfmt and clippy are installed through rustup where they are missing.\n\n\
         `bench` measures beside Embree, which it brings by pip if it can, and the other libraries; its `--help` lists the\n\
         options.\n\n\
         `counts` counts the instructions of fixed rays with Valgrind, and fails if they are more than recorded; `--update`\n\
         records them. On CI, and for root on Debian, Valgrind is installed.\n\n\
         `digest` compares the answers to very many rays, bit by bit, between instruction sets, trees, threads and\n\
         WebAssembly (which needs node, and `rustup target add wasm32-unknown-unknown`).\n\n\
         `exact` compares the kernel with exact arithmetic on 10 million rays at corners, edges and grid lines, or N, and a tenth\n\
         of that on each of the other instruction sets, and counts what is wrong.\n\n\
         `walk` changes a scene in 100,000 random steps, or N, and compares all answers with a naive list; `soak` does so for ten\n\
         minutes, or N, and fails if memory grows. `contacts` looks at the normals and points of 10 million contacts of moving\n\
         volumes, or N. `large` picks 100,000 times, or N, in each of some worlds that are far from the\n\
         origin or as large as a planet, and compares with exact arithmetic.\n\n\
         `fuzz` runs fuzz targets ({}) for ten minutes each, or N. It needs cargo-fuzz, the nightly compiler and a\n\
         C++ compiler.\n\n\
         Exit codes: 0 all passed, 1 a step failed, 2 wrong usage.",
        steps.join("\n"),
        fuzz::names()
    )
}
