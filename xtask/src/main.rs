//! The project's own commands: `cargo xtask --help`.
#![forbid(unsafe_code)]

mod api;
mod bench;
mod binary;
mod bindings;
mod capi;
mod check;
mod counts;
mod digest;
mod effort;
mod files;
mod fuzz;
mod gate;
mod homonyms;
mod layers;
mod lines;
mod lints;
mod long;
mod map;
mod mutants;
mod named_paths;
mod npm;
mod parity;
mod paths;
mod playground;
mod prose;
mod python;
mod questions;
mod readme;
mod release;
mod returns;
mod shell;
mod skips;
mod snippets;
mod source;
mod state;
mod tolerances;
mod tools;
mod uses;
mod viewer;
mod wasm;
mod window;
mod words;

use gate::STEPS;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = bench::wrapped_rustc() {
        return code;
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["-h" | "--help" | "help"] => {
            println!("{}", help());
            ExitCode::SUCCESS
        }
        // These commands start programs that print their own help.
        ["bench", ref args @ ..] => code(bench::run_with(args)),
        ["digest", ref args @ ..] => code(digest::run_with(args)),
        ["mutants", ref args @ ..] => code(mutants::run_with(args)),
        [_, .., "-h" | "--help"] => {
            println!("{}", help());
            ExitCode::SUCCESS
        }
        ["check", ref names @ ..] => code(check::run_with(names)),
        ["test", ref args @ ..] => code(gate::run_with(args)),
        // A step of `test`, which starts it as a separate process.
        ["step", ref args @ ..] => code(gate::run_step(args)),
        ["long", ref args @ ..] => code(long::run_with(args)),
        ["bindings", ref args @ ..] => code(bindings::run_with(args)),
        ["capi", ref args @ ..] => code(capi::run_with(args)),
        ["lines", ref folders @ ..] => code(lines::print(folders)),
        ["map", ref folders @ ..] => code(map::print(folders)),
        ["npm"] => code(npm::build()),
        ["parity", ref args @ ..] => code(parity::run_with(args)),
        ["playground", ref args @ ..] => code(playground::run_with(args)),
        ["peers", "three-mesh-bvh", ..] => code(npm::peers(&words[1..])),
        ["counts", ref args @ ..] => code(counts::run_with(args)),
        ["fuzz", ref args @ ..] => code(fuzz::run_with(args)),
        ["release", ref args @ ..] => code(release::run_with(args)),
        ["snippets", "c"] => code(capi::run_snippets()),
        ["snippets", "js"] => code(npm::run_snippets()),
        ["snippets", "python"] => code(python::run_snippets()),
        ["python", ref args @ ..] => code(python::run_tests(args)),
        ["peers", ref args @ ..] => code(python::run_peer(args)),
        ["machines", ref args @ ..] => code(python::run_machines(args)),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{}", help());
    ExitCode::from(2)
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
    let steps: Vec<String> =
        STEPS.iter().map(|step| format!("  {:width$} {} {}", step.name, step.mark(), step.what)).collect();
    let long = long::list();
    format!(
        "Usage: cargo xtask check [PACKAGE]...\n       cargo xtask test [--all | --rest] [--budgets] [--without KIND,...] [STEP]...\n       cargo xtask bench [--quick] [OPTION]...\n       \
         cargo xtask counts [--update | --other-rustc]\n       \
         cargo xtask bindings [--write]\n       cargo xtask capi [--prefix DIR | --header]\n       \
         cargo xtask digest [--rays N] [OPTION]...\n       \
         cargo xtask fuzz [TARGET]... [--minutes N]\n       cargo xtask python [PYTEST-ARGUMENT]...\n       cargo xtask npm\n       \
         cargo xtask lines [FOLDER]...\n       cargo xtask map [FOLDER]...\n       cargo xtask mutants [OPTION]...\n       cargo xtask parity [--write]\n       cargo xtask playground [--serve | --open]\n       cargo xtask snippets c|js|python\n       cargo xtask peers PEER DIR\n       \
         cargo xtask machines [ENGINE]...\n       cargo xtask release VERSION [--dry-run] [--try] [OPTION]...\n       cargo xtask long [NAME [--times F] | all]\n\n\
         `check` is the fast loop: formatting and prose, and lints and unit tests of the packages that differ from the last\n\
         commit, or of those that are named.\n\n\
         `test` is a contributor's loop: the steps without the mark * below, on a branch only what its changes may break. It installs\n\
         nothing; what is missing is a skip, counted and listed at the end. `--all` is the gate: all steps, tests marked + with more\n\
         cases and all instruction sets. It installs what it misses, and fails if something is left out that `--without` does not\n\
         declare: {}.\n\
         With HITSCAN_EFFORT=full, the loop's steps do the same as in the gate, and `--rest` runs the gate's other steps. `--budgets`\n\
         fails where a step takes more than 1.6 times its processor time in xtask/budgets.txt. Steps that are named run alone:\n{}\n\n\
         `bench` measures beside Embree, which it brings by pip if it can, and the other libraries; its `--help` lists the\n\
         options.\n\n\
         `counts` counts the instructions of fixed rays with Valgrind, and fails if they are more than recorded, or were recorded with\n\
         another rustc, unless `--other-rustc` is given; `--update` records them.\n\n\
         `bindings` compares the generated files of the languages with their description, as the step of this name does; `--write`\n\
         writes them.\n\n\
         `capi` builds the C library and installs it, with its headers, below DIR, or else in the target folder; `--header` writes\n\
         hitscan.h anew, which the step `capi` compares.\n\n\
         `digest` compares the answers to very many rays, bit by bit, between instruction sets, trees, threads and\n\
         WebAssembly (which needs node; `xtask/wasm-toolchain` brings the target where rustup has not).\n\n\
         `fuzz` runs fuzz targets ({}) for ten minutes each, or N. It needs cargo-fuzz, the nightly compiler and a\n\
         C++ compiler.\n\n\
         `python` builds the Python package, installs it into an environment in the target folder, and runs its tests, or pytest with these arguments.\n\n\
         `lines` counts the lines of the library and its faces, or those below each FOLDER, generated ones apart.\n\n\
         `map` prints every source file with the first sentence of its comment, or those below each FOLDER.\n\n\
         `mutants` changes the kernels by one operator at a time, and looks whether the tests notice; a later run goes on where one was\n\
         ended, and its `--help` lists the options.\n\n\
         `npm` makes the package for JavaScript in `npm/`; the step of this name tests it too. It needs node and npm.\n\n\
         `snippets` runs the code that the pages show in a language; the steps `capi`, `npm` and `python` do so too.\n\n\
         `parity` compares docs/parity.toml with the library and its other languages, as the step `questions` does; `--write` writes its\n\
         table into docs/api.md.\n\n\
         `playground` builds the page in `playground/`, with the package; the step of this name tests it in Debian's Chromium.\n\n\
         `peers` runs the own tests of a PEER ({}, three-mesh-bvh), of a checkout of its repository in DIR, with hitscan in its place.\n\n\
         `release` makes all packages of a version from what is committed, and with `--try` installs and uses each in a fresh folder.\n\n\
         `machines` casts a million rays by Dask, Ray and Spark on loopback, or by each ENGINE, while workers are killed and stopped, and\n\
         compares every bit with one process. It installs them from PyPI, some 800 MB.\n\n\
         `long` runs a test that is short in the suite at its long size, or F times that; without a name it lists them:\n{}\n\n\
         Exit codes: 0 all passed, 1 a step failed, 2 wrong usage.",
        gate::kinds(),
        steps.join("\n"),
        fuzz::names(),
        python::peers(),
        long
    )
}
