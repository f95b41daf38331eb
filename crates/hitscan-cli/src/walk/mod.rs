//! `hitscan walk`: how does a character get through a model?

mod rows;
mod script;
mod start;
mod trail;
mod walker;

use crate::args::{CastArgs, ModelArg, PictureArgs, ThreadArgs, finite, place};
use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::{Console, joined};
use crate::picture::Picture;
use crate::render::{self, View};
use crate::volume::{CAPSULE, capsule};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hitscan::query::Penetration;
use hitscan::{Capsule, Character};
use hitscan_io::{Detail, EntityId};
use rows::Rows;
use script::Row;
use std::path::PathBuf;
use trail::Trail;
use walker::Walker;

const AFTER_HELP: &str = "\
Examples:
  hitscan walk demo --script walk.csv --start 6,0.2,2         CSV to standard output
  hitscan walk demo --script walk.csv --start 6,0.2,2 -o path.csv --render path.png
  hitscan walk level.glb --script walk.csv -o path.csv --check
  hitscan walk level.glb --script walk.csv -o path.csv --capsule 0.25,1.2 --step 0.2 --max-slope 35

FILE: CSV with the header steps,dt,vx,vy,vz,jump, from a file or, for -, standard input. A row is so many steps of dt \
seconds with this wanted velocity, to which gravity is added while the character is in the air. On the ground vy counts \
only if it leads upwards. jump is the upward speed that the row's first step begins with if the character is on the \
ground then; 0 is none. Where ground ends, falling begins at speed 0.

The capsule is upright, and y is up. It slides along walls, climbs steps and slopes, follows them down, and keeps the skin as a gap to everything. \
Holes of cut-outs are solid for it, and a mesh has no inside. Before the first step it leaves what it is in or too near to, and stands \
if there is ground right below its feet.

OUT: one row after each step:
  step        its number, from 1
  time        in seconds
  x, y, z     the feet: the lowest point of the capsule
  vx, vy, vz  the wanted velocity, with gravity, without what contacts took off
  grounded    1 on ground that can be walked on, 0 in the air and on steeper slopes
  entity      the name of what carries it; empty if nothing does
CSV is that of RFC 4180 (lines end in CR LF), and floats are the shortest that read back as the same float64.

PNG: what `hitscan render` draws, with the path of the feet in red, thinner and dark where something hides it, from a white \
point to the capsule at its end. The options of cameras, --size, --no-cutout and --threads are for the picture alone.

Exit codes: 0 success, 1 --check found an overlap (OUT and PNG are complete), 2 an error, such as a row that is no row of a script \
(its line and column are named).";

#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_args = |arg| if PICTURE.contains(&arg.get_id().as_str()) { arg.requires("render") } else { arg },
)]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The moves that the character wants to make: a CSV file with the header steps,dt,vx,vy,vz,jump, or - for standard input
    #[arg(long, value_name = "FILE")]
    script: PathBuf,
    /// The .csv file to write; otherwise CSV on standard output
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// The place of the feet at the start [default: the ground below the middle of the box that a camera frames (see --camera)
    /// if there is room, otherwise the highest surface there]
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    start: Option<[f64; 3]>,
    /// Radius and whole height of the character, in the model's units
    #[arg(long, value_name = CAPSULE, default_value = "0.3,1.8", value_parser = capsule, allow_hyphen_values = true)]
    capsule: Capsule,
    /// The highest step that is climbed, and followed down; 0 for none [default: a fifth of the height]
    #[arg(long, value_name = "S", value_parser = length, allow_hyphen_values = true)]
    step: Option<f64>,
    /// The steepest ground that is walked on, in degrees from level
    #[arg(long, value_name = "DEG", default_value = "50", value_parser = slope, allow_hyphen_values = true)]
    max_slope: f64,
    /// Gravity, downwards, in the model's units and seconds
    #[arg(long, value_name = "G", default_value = "9.81", value_parser = length, allow_hyphen_values = true)]
    gravity: f64,
    /// The gap that is kept to everything [default: a hundredth of the radius]
    #[arg(long, value_name = "S", value_parser = skin, allow_hyphen_values = true)]
    skin: Option<f64>,
    /// Test after each step whether the capsule, without its skin, is in something, and exit with 1 if it ever was
    #[arg(long)]
    check: bool,
    /// Draw the model with the path of the feet
    #[arg(long, value_name = "PNG")]
    render: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// The options that are only for a picture.
const PICTURE: [&str; 9] = ["size", "camera", "eye", "target", "up", "fov_y", "ortho", "no_cutout", "threads"];

pub(crate) fn run(args: &WalkArgs, console: &Console) -> Result<Outcome> {
    let character = args.character()?;
    let script = script::read(&args.script)?;
    let inputs = [args.model.path(), &args.script];
    let mut rows = Rows::create(args.out.as_deref(), &inputs)?;
    let size = args.picture.size;
    let picture = args.render.as_deref().map(|path| Picture::create("--render", path, &inputs, size)).transpose()?;
    let detail = if picture.is_some() { Detail::Colors } else { Detail::Hits };
    let mut loaded = args.model.load(detail, console)?;
    rows.keep_apart(&loaded.model.files)?;
    picture.iter().try_for_each(|picture| picture.keep_apart(&loaded.model.files))?;
    args.cast.choice.hide(&mut loaded)?;

    let filter = args.cast.choice.filter();
    let scene = loaded.scene.with(&filter);
    let start = match args.start {
        Some(start) => start.into(),
        None => start::default(&loaded, scene, &character, args.capsule)?,
    };
    let mut walker = Walker::new(character, scene, start, args.capsule, args.gravity);
    let view = args.view(&loaded, console)?;
    let mut trail = view.as_ref().map(|view| Trail::new(view, &walker));
    let walk = Walk { loaded: &loaded, script: &script, checks: args.check };
    let overlap = walk.follow(&mut walker, &mut rows, trail.as_mut(), console)?;
    rows.finish()?;
    if let (Some(picture), Some(view), Some(trail)) = (picture, &view, trail) {
        let mut canvas = render::draw(view, &args.threads, console)?;
        trail.draw(&mut canvas, &walker);
        picture.write(&canvas)?;
    }
    match overlap {
        Some(overlap) => {
            console.failed(overlap.told(&loaded));
            Ok(Outcome::NoHit)
        }
        None => Ok(Outcome::Success),
    }
}

impl WalkArgs {
    fn character(&self) -> Result<Character> {
        let [radius, height] = [self.capsule.radius(), self.capsule.height()];
        let mut character =
            Character::new(self.capsule).with_context(|| format!("--capsule {}", joined([radius, height])))?;
        if let Some(step) = self.step {
            (character.step_up, character.step_down) = (step, step);
        }
        if let Some(skin) = self.skin {
            ensure!(
                skin <= f64::from(radius),
                "--skin {skin} is wider than the radius {radius} of --capsule: give a smaller one"
            );
            character.skin = skin;
        }
        character.max_slope = self.max_slope.to_radians();
        Ok(character)
    }

    /// Returns the view of the picture, if `--render` asks for a picture.
    fn view<'a>(&'a self, loaded: &'a Loaded, console: &Console) -> Result<Option<View<'a>>> {
        if self.render.is_none() {
            return Ok(None);
        }
        let view = self.picture.view(loaded, console)?;
        Ok(Some(View::new(loaded, &self.cast, view.camera()?, view.lens, self.picture.size)))
    }
}

/// A walk through a model.
struct Walk<'a> {
    loaded: &'a Loaded,
    script: &'a [Row],
    checks: bool,
}

impl Walk<'_> {
    /// Makes all steps, and returns the first overlap.
    fn follow(
        &self,
        walker: &mut Walker<'_>,
        rows: &mut Rows,
        mut trail: Option<&mut Trail<'_>>,
        console: &Console,
    ) -> Result<Option<Overlap>> {
        let bar = console.progress(Some(self.script.iter().map(|row| u64::from(row.steps)).sum()));
        let (mut step, mut start, mut found) = (0, 0.0, None);
        for row in self.script {
            for number in 1..=row.steps {
                if !rows.are_read() && trail.is_none() && !self.checks {
                    return Ok(None);
                }
                let moved = walker.step(row, number == 1);
                step += 1;
                rows.add(step, start + f64::from(number) * row.dt, walker, &moved, &self.loaded.model)?;
                if let Some(trail) = &mut trail {
                    trail.add(walker);
                }
                if self.checks && found.is_none() {
                    found = walker.overlap().map(|overlap| Overlap { step, feet: walker.feet().to_array(), overlap });
                }
                bar.inc(1);
            }
            start += f64::from(row.steps) * row.dt;
            bar.set_message(format!("{step} steps"));
        }
        bar.finish_and_clear();
        Ok(found)
    }
}

/// An overlap of the capsule with the model.
struct Overlap {
    step: u64,
    feet: [f64; 3],
    overlap: Penetration<EntityId>,
}

impl Overlap {
    fn told(&self, loaded: &Loaded) -> String {
        let name = loaded.model.entity(self.overlap.id).map_or("", |entity| &entity.name);
        let Self { step, feet, overlap } = self;
        format!("step {step}: the capsule with its feet at {} is {} deep in {name}", joined(feet), overlap.depth)
    }
}

/// Parses a length or an acceleration.
fn length(text: &str) -> Result<f64, String> {
    let length = finite(text)?;
    (0.0..1e70).contains(&length).then_some(length).ok_or_else(|| "expected a number from 0 and below 1e70".into())
}

fn skin(text: &str) -> Result<f64, String> {
    let skin = finite(text)?;
    (skin > 0.0).then_some(skin).ok_or_else(|| "expected a distance above 0".into())
}

fn slope(text: &str) -> Result<f64, String> {
    let degrees = finite(text)?;
    (0.0..90.0).contains(&degrees).then_some(degrees).ok_or_else(|| "expected degrees from 0 and below 90".into())
}
