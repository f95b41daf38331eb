//! `hitscan collide`: which parts of a model, or of two models, overlap or are too near to each other?

mod contents;
mod models;
mod picture;
mod report;
mod text;

use crate::args::{CastArgs, ModelArg, PictureArgs, ThreadArgs, distance};
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use crate::picture::Picture;
use crate::render::View;
use anyhow::Result;
use clap::Args;
use hitscan::Entity;
use hitscan::pairs::{PairFilter, PairTest};
use hitscan_io::Detail;
use models::Both;
use rayon::prelude::*;
use report::{Answer, NearReport, OverlapReport};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  hitscan collide demo
  hitscan collide level.glb --clearance 0.01 --json
  hitscan collide level.glb --min-depth 0.001 --render collisions.png
  hitscan collide level.glb demo --clearance 0.5     an entity of each

Parts are the entities of the model, in world space; with MODEL2, every pair has an entity of each model. Touching counts as overlapping. A mesh is its \
surface, so the depth of two meshes is that of their two deepest triangles in each other, and the shortest way out of these. A mesh that is wholly inside \
a closed mesh is listed too; one corner of each of its meshes is tested. Holes of cut-outs are solid.

JSON: {\"overlaps\": [{\"first\", \"second\", \"depth\", \"normal\", \"points\"}], \"inside\": [{\"first\", \"second\", \"point\"}], \"near\": \
[{\"first\", \"second\", \"distance\", \"normal\", \"points\"}], \"nearest\"}. first and second are {\"entity\", \"node\", \"triangle\"}; node and \
triangle are null for what has none, and of `inside` the first is inside the second, and point is a corner of it. near has the pairs that are nearer than \
--clearance and do not overlap. nearest is the nearest pair of entities that do not overlap, or null if there is none or something overlaps. points are in \
world space, one on each, and normal goes from the first to the second. depth is 0 of what only touches, and null if nothing separates the two. triangle \
counts through the entity's primitives in file order.

PNG: what `hitscan render` draws of MODEL, with the places of overlaps and of what is inside in red and those of near pairs in yellow, in front of what \
hides them. The deepest and nearest have labels. The options of cameras, --size, --no-cutout and --threads are for the picture alone.

Exit codes: 0 nothing overlaps or is too near, 1 something does, 2 an error.";

/// The options that are only for a picture.
const PICTURE: [&str; 9] = ["size", "camera", "eye", "target", "up", "fov_y", "ortho", "no_cutout", "threads"];

#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_args = |arg| if PICTURE.contains(&arg.get_id().as_str()) { arg.requires("render") } else { arg },
)]
pub(crate) struct CollideArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Another model: every pair has an entity of each model
    #[arg(value_name = "MODEL2")]
    other: Option<String>,
    /// Report pairs that are nearer to each other than this, too
    #[arg(long, value_name = "D", value_parser = distance, allow_hyphen_values = true)]
    clearance: Option<f64>,
    /// Ignore overlaps that are less deep than this; parts that touch have the depth 0
    #[arg(long, value_name = "D", default_value = "0", value_parser = distance, allow_hyphen_values = true)]
    min_depth: f64,
    /// Draw the model with the places
    #[arg(long, value_name = "PNG")]
    render: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write JSON: {"overlaps", "inside", "near", "nearest"}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CollideArgs, console: &Console) -> Result<Outcome> {
    let other = args.other.as_ref().map(|model| args.model.another(model));
    let inputs: Vec<&Path> = [Some(&args.model), other.as_ref()].into_iter().flatten().map(ModelArg::path).collect();
    let size = args.picture.size;
    let picture = args.render.as_deref().map(|path| Picture::create("--render", path, &inputs, size)).transpose()?;
    let detail = if picture.is_some() { Detail::Colors } else { Detail::Hits };
    let mut loaded = args.model.load(detail, console)?;
    let other = other.map(|other| other.load(Detail::Hits, console)).transpose()?;
    for read in [Some(&loaded), other.as_ref()].into_iter().flatten() {
        picture.iter().try_for_each(|picture| picture.keep_apart(&read.model.files))?;
    }
    args.cast.choice.hide(&mut loaded)?;
    let both = Both { first: &loaded, other: other.as_ref() };
    let answer = args.answer(both, console);
    if args.json {
        print_json(&answer)?;
    } else {
        print(|out| text::write(out, &answer))?;
    }
    if let Some(picture) = picture {
        let view = args.picture.view(&loaded, console)?;
        let view = View::new(&loaded, &args.cast, view.camera()?, view.lens, size);
        picture.write(&picture::draw(&view, &answer, &args.threads, console)?)?;
    }
    Ok(if answer.is_clear() { Outcome::Success } else { Outcome::Faults })
}

impl CollideArgs {
    fn answer<'a>(&self, both: Both<'a>, console: &Console) -> Answer<'a> {
        let filter = PairFilter::new().layers(Entity::DEFAULT_LAYERS, Entity::DEFAULT_LAYERS);
        let touching = console.during("finding overlaps", || both.overlaps(&filter));
        let bar = console.progress(Some(touching.len() as u64));
        bar.set_message("measuring depths");
        let depths: Vec<_> = touching
            .par_iter()
            .map(|&keys| {
                let depth = both.pair(keys).penetration();
                bar.inc(1);
                depth
            })
            .collect();
        bar.finish_and_clear();
        let deep = touching.iter().zip(&depths);
        let overlaps: Vec<_> = deep
            .filter(|(_, depth)| depth.is_none_or(|depth| f64::from(depth.depth) >= self.min_depth))
            .map(|(&keys, depth)| OverlapReport::new(both, keys, depth.as_ref()))
            .collect();
        let boxed = console.during("finding what is inside", || {
            contents::inside(both, &both.overlaps(&filter.clone().test(PairTest::Boxes)), &touching)
        });
        let near = self.clearance.map_or_else(Vec::new, |clearance| {
            let found = console.during("finding near pairs", || both.near(&filter, clearance));
            let apart = found.into_iter().filter(|pair| pair.between.distance_f64() > 0.0);
            apart
                .filter(|pair| pair.between.distance_f64() < clearance)
                .map(|pair| NearReport::new(both, &pair))
                .collect()
        });
        let nearest = if touching.is_empty() { both.nearest(&filter) } else { None };
        let nearest = nearest.map(|pair| NearReport::new(both, &pair));
        Answer { overlaps, inside: boxed, near, nearest }
    }
}
