//! Changes the library's kernels one operator at a time, and checks that the tests notice.
//!
//! All mutants are compiled together, in a copy of the repository: each changed expression compares its number with an environment variable. So one build of
//! some minutes serves any number of mutants. A build for each mutant would take hours. A mutant is killed if a test of its kernel's short list ([`kernels`])
//! fails or takes too long. The verdicts are kept in the target folder, and a later run continues from there.
#![forbid(unsafe_code)]

mod build;
mod choice;
mod kernels;
mod run;
mod sites;
mod state;

use anyhow::{Context, Result, bail, ensure};
use choice::Mutant;
use clap::Parser;
use kernels::KERNELS;
use run::{Programs, Verdict};
use state::State;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Changes the library's kernels one operator at a time, and checks whether the tests notice
#[derive(Parser)]
struct Args {
    /// The number of mutants
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// Stop after this time, to continue in the next run [default: when all are run]
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Only mutants with this in their file, expression or line, as the report shows them
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Forget earlier verdicts
    #[arg(long)]
    restart: bool,
}

/// The fraction of the mutants that the tests must kill.
const LEAST_KILLED: f64 = 0.9;

/// The explanations of survivors.
const SURVIVORS: &str = "xtask/mutants/survivors.txt";

/// The first word of the explanation of a mutant with the same answers as the library. No test can notice such a
/// mutant, so it is left out.
const EQUIVALENT: &str = "Equivalent:";

fn main() -> ExitCode {
    match check(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn check(args: &Args) -> Result<()> {
    let start = Instant::now();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("the crate is in a workspace")?;
    let src = root.join("crates/hitscan/src");
    let folder = folder()?;
    let file = folder.join("verdicts.tsv");
    if args.restart {
        let _ = std::fs::remove_file(&file);
    }
    let mut state = State::read(file, &src)?;
    let workspace = folder.join("workspace");
    build::copy(root, &workspace)?;
    let mutants = compiling(&src, &workspace, &folder.join("target"), args.count, &mut state)?;
    let built = build::build(&workspace, &folder.join("target"))?;
    let programs = Programs { built, folder: workspace.join("crates/hitscan") };
    programs.check(&KERNELS)?;
    let limit = args.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    for (number, mutant) in mutants.iter().enumerate() {
        let is_over = limit.is_some_and(|limit| start.elapsed() > limit);
        if is_over || state.verdict(mutant).is_some() || !mutant.key().contains(&args.only) {
            continue;
        }
        let begin = Instant::now();
        let verdict = programs.verdict(mutant.kernel().tests, Some(number))?;
        let seconds = begin.elapsed().as_secs_f64();
        println!("{:8} {seconds:5.1} s  {} (line {})", verdict.name(), mutant.key(), mutant.site.line);
        state.note(mutant, Some(verdict))?;
    }
    report(&mutants, &state, &std::fs::read_to_string(root.join(SURVIVORS)).unwrap_or_default())
}

/// Returns the folder of copies, builds and verdicts, below the target folder of this program.
fn folder() -> Result<PathBuf> {
    let this = std::env::current_exe().context("cannot find out where cargo builds")?;
    let target = this.ancestors().nth(2).context("this program is in no target folder")?;
    let folder = target.join("mutants");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Writes mutants that all compile into the copy, and returns them. In a few rounds, the compiler finds the mutants
/// that do not compile, and others replace them.
fn compiling(src: &Path, workspace: &Path, target: &Path, count: usize, state: &mut State) -> Result<Vec<Mutant>> {
    for _ in 0..12 {
        let mutants = choice::choose(src, count, &state.broken())?;
        ensure!(!mutants.is_empty(), "there is nothing to change in {}", src.display());
        build::write_mutants(src, &workspace.join("crates/hitscan/src"), &mutants)?;
        let broken = build::broken(workspace, target, &mutants)?;
        if broken.is_empty() {
            return Ok(mutants);
        }
        println!("{} of {} mutants do not compile, and others take their places", broken.len(), mutants.len());
        broken.into_iter().try_for_each(|number| state.note(&mutants[number], None))?;
    }
    bail!("there are always mutants that do not compile: see {}", workspace.display())
}

/// Prints a table. Fails if all mutants have been run, and too few were killed or a survivor has no explanation.
fn report(mutants: &[Mutant], state: &State, explanations: &str) -> Result<()> {
    let explanations = state::explanations(explanations);
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let (mut unexplained, mut equivalent) = (0, 0);
    for mutant in mutants {
        let place = state.verdict(mutant).map_or(3, |verdict| verdict as usize);
        counts.entry(mutant.kernel().file).or_default()[place] += 1;
    }
    println!("\n{:32}{:>8}{:>9}{:>10}{:>9}", "kernel", "killed", "too long", "survived", "not run");
    let mut total = [0; 4];
    for (file, counts) in counts {
        let [killed, too_long, survived, not_run] = counts;
        println!("{file:32}{killed:>8}{too_long:>9}{survived:>10}{not_run:>9}");
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    let [killed, too_long, survived, not_run] = total;
    println!("{:32}{killed:>8}{too_long:>9}{survived:>10}{not_run:>9}", "all");
    for mutant in mutants.iter().filter(|mutant| state.verdict(mutant) == Some(Verdict::Survived)) {
        let reason = explanations.get(&*mutant.key());
        unexplained += usize::from(reason.is_none());
        equivalent += usize::from(reason.is_some_and(|reason| reason.starts_with(EQUIVALENT)));
        println!(
            "survived: {} (line {})\n  {}",
            mutant.key(),
            mutant.site.line,
            reason.map_or("not explained", |reason| reason.trim())
        );
    }
    let run = killed + too_long + survived;
    let part = (killed + too_long) as f64 / (run - equivalent).max(1) as f64;
    println!("{run} of {} mutants are run, and {equivalent} of these are equivalent", mutants.len());
    println!("{:.1} % of the others are killed", 100.0 * part);
    ensure!(not_run > 0 || part >= LEAST_KILLED, "fewer than {} % are killed", 100.0 * LEAST_KILLED);
    ensure!(not_run > 0 || unexplained == 0, "{unexplained} survivors have no explanation in {SURVIVORS}");
    Ok(())
}
