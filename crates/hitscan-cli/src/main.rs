//! The `hitscan` program, which asks model files what a ray hits.
//!
//! Each subcommand is a file or a folder with its options and a `run`. [`args`] has the options that several subcommands share, [`model`] loads the model,
//! [`animation`] finds its pose, [`csv_reader`] reads tables, [`camera`] makes a camera, [`framing`] finds the part of the model that it shows by default,
//! [`report`] describes hits, and [`picture`] draws. [`simd`] reads the environment, [`interrupt`] listens for signals. All output goes through [`output`] and,
//! for files, through [`file`].
#![forbid(unsafe_code)]

mod animation;
mod args;
mod bake;
mod bench;
mod camera;
mod cast;
mod closest;
mod collide;
mod completions;
mod csv_reader;
mod demo_rays;
mod diff;
mod extent;
mod file;
mod framing;
mod info;
mod interrupt;
mod mesh_extent;
mod model;
mod model_extent;
mod outcome;
mod output;
mod pick;
mod picture;
mod precision;
mod progress;
mod region;
mod render;
mod report;
mod select;
mod simd;
mod snap;
mod surface_point;
mod sweep;
mod triangle_list;
mod validate;
mod view;
mod volume;
mod walk;
mod why;

use clap::{CommandFactory, Parser, Subcommand};
use outcome::Outcome;
use output::Console;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  hitscan pick demo --at 640,360          what is in the middle of the picture of the demo village
  hitscan pick level.glb --at 640,360 --eye 0,2,10 --target 0,1,0 --json
  hitscan pick fox.glb --at 640,360 --animation Run --time 0.4    the running fox, and which joint
  hitscan select demo --rect 400,200,900,500    what is in a rectangle of the picture
  hitscan snap demo --at 640,360          the vertex, edge or other point near it
  hitscan info level.glb                  what a model holds, its cameras and its animations
  hitscan sweep demo --shape sphere:0.5 --from 0,20,0 --motion 0,-30,0    where a falling ball comes to rest
  hitscan walk demo --script walk.csv -o path.csv     where a character walks, step by step
  hitscan closest demo --to 0,2,0         what is nearest to a point
  hitscan validate level.glb              which faults its meshes have
  hitscan collide level.glb --clearance 0.01    which of its parts overlap or are too near
  hitscan diff level.glb demo             how far two models differ
  hitscan cast level.glb rays.npy -o hits.npz    what each of many rays hits
  hitscan render demo -o demo.png         a picture of it
  hitscan view level.glb                  a window to look around in, pick and select
  hitscan bake level.glb -o level.bake    the same model, which loads in a moment
  hitscan bench level.glb                 how fast it is: builds, and rays of several kinds

MODEL is a .gltf, .glb, .obj, .stl or .ply file, one that `hitscan bake` wrote, or `demo`: a small village that the
program makes itself.

Environment:
  HITSCAN_SIMD    the instruction set that rays are cast with: auto (the best one here, the default), sse2, avx2, neon or
                  simd128, and scalar and avx512 in a program that is built with the library's feature all-simd;
                  one that is not available is an error. The answers are the same

Exit codes: 0 success (where something is looked for: found), 1 nothing found (of validate, collide and diff: the
model is not as it should be), 2 an error, 130 interrupted (Ctrl-C), 143 asked to end (SIGTERM). A file that is written is whole, or not there.
Results go to standard output, errors and warnings to standard error.";

#[derive(Debug, Parser)]
#[command(name = "hitscan", version, about, after_help = AFTER_HELP)]
struct Cli {
    /// No warnings and no progress; errors are still written
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Which entity is under the cursor?
    Pick(pick::PickArgs),
    /// Selects what a region of the picture shows
    Select(select::SelectArgs),
    /// Snaps to the vertex, edge or other point near the cursor
    Snap(snap::SnapArgs),
    /// What is in a model?
    Info(info::InfoArgs),
    /// What does a moving ball, capsule or box touch?
    Sweep(sweep::SweepArgs),
    /// How does a character get through a model?
    Walk(walk::WalkArgs),
    /// What is nearest to a point?
    Closest(closest::ClosestArgs),
    /// Is a model sound: closed, manifold, facing outwards, without intersections?
    Validate(validate::ValidateArgs),
    /// Which parts of a model overlap, or are nearer to each other than they should be?
    Collide(collide::CollideArgs),
    /// How far do two models differ?
    Diff(diff::DiffArgs),
    /// What do these rays hit?
    Cast(cast::BulkArgs),
    /// A picture of a model
    Render(render::RenderArgs),
    /// A window to look at a model, and to pick and select its parts, or with --web a page for a browser
    View(view::ViewArgs),
    /// Saves a model with its trees, as a file that loads in a moment
    Bake(bake::BakeArgs),
    /// How fast is this model?
    Bench(bench::BenchArgs),
    /// The worked example as a picture: a box, rays that hit it in red, the others in blue
    DemoRays(demo_rays::DemoRaysArgs),
    /// Writes a script that lets a shell complete the program's options
    Completions(completions::CompletionsArgs),
}

fn main() -> ExitCode {
    // The program ends here with the code 2 after wrong usage, and with 0 after `--help`.
    let cli = Cli::parse();
    let console = Console::new(cli.quiet);
    interrupt::listen();
    match simd::select().and_then(|()| run(&cli.command, &console)) {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::NoHit | Outcome::Faults) => ExitCode::from(1),
        Err(error) => {
            console.error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command, console: &Console) -> anyhow::Result<Outcome> {
    match command {
        Command::Pick(args) => pick::run(args, console),
        Command::Select(args) => select::run(args, console),
        Command::Snap(args) => snap::run(args, console),
        Command::Info(args) => info::run(args, console),
        Command::Sweep(args) => sweep::run(args, console),
        Command::Walk(args) => walk::run(args, console),
        Command::Closest(args) => closest::run(args, console),
        Command::Validate(args) => validate::run(args, console),
        Command::Collide(args) => collide::run(args, console),
        Command::Diff(args) => diff::run(args, console),
        Command::Cast(args) => cast::run(args, console),
        Command::Render(args) => render::run(args, console),
        Command::View(args) => view::run(args, console),
        Command::Bake(args) => bake::run(args, console),
        Command::Bench(args) => bench::run(args, console),
        Command::DemoRays(args) => demo_rays::run(args),
        Command::Completions(args) => completions::run(args, &mut Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
