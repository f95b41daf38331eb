//! Compares hitscan with other libraries in one process, with the same rays and triangles. The contenders take turns,
//! and their answers are compared.
//!
//! `cargo xtask bench` builds this program with all peers, installs Embree, and runs the program.
#![deny(unsafe_code)]

mod batches;
mod contenders;
mod counts;
mod measure;
mod memory;
mod part;
mod plot;
mod report;
mod run;
mod scenes;
#[path = "../../hitscan-cli/src/bench/shared/mod.rs"]
mod shared;
mod walk;

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use part::Part;
use report::Report;
use run::Plan;
use scenes::SCENES;
use shared::{random, rays};
use std::path::{Path, PathBuf};

/// The scene for height fields.
const GROUND: &str = "hills";
/// The additional scene for sweeps.
const FLOOR: &str = "flat";
/// The scene for pairs.
const CROWD: &str = "crowd";

/// Measures hitscan beside other libraries
#[derive(Parser)]
#[command(after_help = after_help(), args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    measure: MeasureArgs,
}

/// The selection of measurements.
#[derive(Args)]
struct MeasureArgs {
    /// Fewer rays, and single builds
    #[arg(long)]
    quick: bool,
    /// Only these scenes
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    scenes: Vec<String>,
    /// Only these ray sets
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    sets: Vec<String>,
    /// Only contenders whose names begin so; the first that is left is the reference
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    contenders: Vec<String>,
    /// Numbers of threads
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Only these measurements
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_enum)]
    parts: Vec<Part>,
    /// Frames of motion [default: 1000, 100 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    #[command(flatten)]
    files: Files,
    /// Embree's library [default: the file of EMBREE_LIB, else the one that `cargo xtask bench` brought]
    #[arg(long, value_name = "FILE")]
    embree: Option<PathBuf>,
}

/// The other commands.
#[derive(Subcommand)]
enum Command {
    Counts(counts::CountsArgs),
    Walk(walk::WalkArgs),
    Batches(batches::BatchesArgs),
    /// Shows earlier results again, several runs together
    Show {
        /// Results that --json wrote, each of other scenes
        #[arg(value_name = "RESULT", required = true)]
        results: Vec<PathBuf>,
        #[command(flatten)]
        files: Files,
    },
}

/// The output besides the tables.
#[derive(Args)]
struct Files {
    /// Write all measurements to this file, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the speeds of rays to this .svg file too
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Files {
    fn write(&self, report: &Report) -> Result<()> {
        let write = |path: &Path, text: String| {
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        if let Some(path) = &self.json {
            write(path, serde_json::to_string_pretty(report)?)?;
        }
        if let Some(path) = &self.plot {
            write(path, plot::svg(report)?)?;
        }
        Ok(())
    }
}

fn after_help() -> String {
    let ground = (GROUND, "generated: smooth and rough hills, for height fields only");
    let floor = (FLOOR, "generated: a flat floor of 131,072 triangles, for sweeps only");
    let crowd = (CROWD, "generated: 10,000 moving balls, for pairs only");
    let scenes = SCENES.iter().map(|scene| (scene.name, scene.what)).chain([ground, floor, crowd]);
    let lines = scenes.map(|(name, what)| format!("  {name:12}{what}\n"));
    let sets: Vec<&str> = rays::RaySet::ALL.iter().map(|set| set.name()).collect();
    format!("Scenes:\n{}\nRay sets: {}", lines.collect::<String>(), sets.join(", "))
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    match &cli.command {
        Some(Command::Walk(args)) => walk::run(args),
        Some(Command::Batches(args)) => batches::run(args),
        Some(Command::Counts(args)) => counts::run(args),
        Some(Command::Show { results, files }) => {
            let report = Report::read_all(results)?;
            print!("{}", report.text());
            files.write(&report)
        }
        None => measure(&cli.measure),
    }
}

fn measure(args: &MeasureArgs) -> Result<()> {
    let mut report = Report { machine: report::machine(), ..Report::default() };
    let library = contenders::find_library(args.embree.as_deref());
    if library.is_none() {
        report.skip("all of Embree: no library (--embree FILE, EMBREE_LIB, or `cargo xtask bench`)".into());
    }
    if cfg!(not(feature = "peers")) {
        report.skip("obvhs, parry3d, rapier3d, bvh, tinybvh-rs: built without --features peers".into());
    }
    let plan = plan(args, contenders::all(library.as_deref())?)?;
    report.reference = plan.contenders[0].name().into();
    for scene in SCENES.iter().filter(|scene| wanted(&args.scenes, scene.name)) {
        plan.scene(scene, &mut report)?;
    }
    if wanted(&args.scenes, GROUND) {
        plan.ground(&mut report)?;
    }
    if wanted(&args.scenes, FLOOR) {
        plan.floor(&mut report)?;
    }
    if wanted(&args.scenes, CROWD) {
        plan.crowd(&mut report)?;
    }
    print!("{}", report.text());
    args.files.write(&report)
}

fn plan(args: &MeasureArgs, mut contenders: Vec<Box<dyn contenders::Contender>>) -> Result<Plan> {
    let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).chain([GROUND, FLOOR, CROWD]).collect();
    known_only("scene", &args.scenes, &known)?;
    let sets = rays::RaySet::ALL;
    known_only("ray set", &args.sets, &sets.map(rays::RaySet::name))?;
    let names: Vec<&str> = contenders.iter().map(|contender| contender.name()).collect();
    let unknown = args.contenders.iter().find(|start| !names.iter().any(|name| name.starts_with(start.as_str())));
    ensure!(unknown.is_none(), "no contender begins with {:?}; there are {}", unknown, names.join(", "));
    let is_chosen =
        |name: &str| args.contenders.is_empty() || args.contenders.iter().any(|start| name.starts_with(start));
    contenders.retain(|contender| is_chosen(contender.name()));
    let counts = args.threads.iter().all(|&threads| threads > 0);
    ensure!(counts && !args.threads.is_empty(), "--threads needs numbers above 0");
    let mut effort = if args.quick { run::QUICK } else { run::FULL };
    effort.frames = args.frames.map_or(effort.frames, |frames| frames as usize);
    Ok(Plan {
        contenders,
        sets: sets.into_iter().filter(|set| wanted(&args.sets, set.name())).collect(),
        parts: if args.parts.is_empty() { Part::ALL.to_vec() } else { args.parts.clone() },
        threads: args.threads.clone(),
        effort,
    })
}

fn wanted(chosen: &[String], name: &str) -> bool {
    chosen.is_empty() || chosen.iter().any(|chosen| chosen == name)
}

fn known_only(what: &str, chosen: &[String], known: &[&str]) -> Result<()> {
    let unknown = chosen.iter().find(|name| !known.contains(&name.as_str()));
    ensure!(unknown.is_none(), "there is no {what} {:?}; there are {}", unknown, known.join(", "));
    Ok(())
}
