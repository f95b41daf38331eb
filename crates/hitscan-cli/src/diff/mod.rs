//! `hitscan diff`: how far do two models differ?

mod distances;
mod heat;
mod report;
mod surface;

use crate::args::{CastArgs, ModelArg, PictureArgs, ThreadArgs, distance};
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use crate::picture::Picture;
use crate::precision::Precision;
use crate::render::View;
use anyhow::{Result, ensure};
use clap::Args;
use distances::Distances;
use hitscan::glam::DVec3;
use hitscan_io::Detail;
use report::Answer;
use std::path::PathBuf;
use surface::Surface;

const AFTER_HELP: &str = "\
Examples:
  hitscan diff level.glb demo
  hitscan diff level.glb demo --max 0.001 --json
  hitscan diff level.glb demo --render differences.png --scale 0.01

For each vertex of a model and for --samples places that are spread evenly over its surface, the distance to the surface of the other model is found, in \
world space and in both directions. The largest is that of vertices and samples: between them the surface may be farther. Means are those of the samples. \
Shapes of the demo are no meshes, and not compared.

JSON: {\"model\", \"other\", \"largest\", \"from_model\", \"from_other\"}. largest is the largest distance of both directions. from_model is \
{\"vertices\", \"samples\", \"largest\", \"mean\", \"root_mean_square\", \"entity\", \"node\", \"triangle\", \"point\", \"nearest\"}: entity, node, \
triangle and point are where the distance is largest, and nearest is the nearest point of the other model. triangle counts through the entity's primitives \
in file order. Of equally far places the first counts, vertices before samples.

PNG: MODEL, in the color of the distance from each visible place to OTHER: from blue, which is 0, over green and yellow to red, which is --scale or more.

Exit codes: 0 success, 1 the largest distance is above --max, 2 an error.";

/// The default number of samples.
const SAMPLES: u32 = 100_000;

/// The options that are only for a picture.
const PICTURE: [&str; 9] = ["size", "camera", "eye", "target", "up", "fov_y", "ortho", "threads", "scale"];

#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_args = |arg| if PICTURE.contains(&arg.get_id().as_str()) { arg.requires("render") } else { arg },
)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The model to compare with
    #[arg(value_name = "OTHER")]
    other: String,
    /// The number of places on the surface of each model
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    samples: u32,
    /// Exit with 1 if the largest distance is above this
    #[arg(long, value_name = "D", value_parser = distance, allow_hyphen_values = true)]
    max: Option<f64>,
    /// Draw the model in the colors of the distances
    #[arg(long, value_name = "PNG")]
    render: Option<PathBuf>,
    /// The distance that is drawn in red [default: the largest distance from the model]
    #[arg(long, value_name = "D", value_parser = distance, allow_hyphen_values = true)]
    scale: Option<f64>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write JSON: {"largest", "from_model", "from_other", ...}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &DiffArgs, console: &Console) -> Result<Outcome> {
    let other = args.model.another(&args.other);
    let (size, inputs) = (args.picture.size, [args.model.path(), other.path()]);
    let picture = args.render.as_deref().map(|path| Picture::create("--render", path, &inputs, size)).transpose()?;
    let loaded = args.model.load(Detail::Hits, console)?;
    let beside = other.load(Detail::Hits, console)?;
    for files in [&loaded.model.files, &beside.model.files] {
        picture.iter().try_for_each(|picture| picture.keep_apart(files))?;
    }
    let is_far = [&loaded, &beside].iter().any(|loaded| loaded.precision == Precision::Double);
    let ours = Surface::new(&loaded, &args.model.model)?;
    let theirs = Surface::new(&beside, &args.other)?;
    // Near the origin, corners are usually exact in f32 as they are.
    let origin = if is_far { ours.list.center() } else { DVec3::ZERO };
    let meshes = console.during("building", || [&ours, &theirs].map(|surface| surface.list.mesh(origin)));
    let [own, others] = meshes;
    let (own, others) = (own?, others?);
    let bar = console.progress(Some(ours.places(args.samples) + theirs.places(args.samples)));
    bar.set_message("measuring distances");
    let from_model = Distances::new(&own, &others, args.samples, &bar)?;
    let from_other = Distances::new(&others, &own, args.samples, &bar)?;
    bar.finish_and_clear();
    let answer = Answer::new((&ours, &from_model), (&theirs, &from_other), origin);
    if args.json {
        print_json(&answer)?;
    } else {
        print(|out| answer.write(out))?;
    }
    if let Some(picture) = picture {
        let view = args.picture.view(&loaded, console)?;
        // Distances are measured to the holes of cut-outs, too.
        let solid = CastArgs::solid();
        let view = View::new(&loaded, &solid, view.camera()?, view.lens, size);
        let scale = args.scale.unwrap_or(from_model.largest.distance);
        ensure!(scale.is_finite(), "--scale {scale} is not finite");
        picture.write(&heat::draw(&view, (&others, origin), scale, (&args.threads, console))?)?;
    }
    let is_beyond = args.max.is_some_and(|max| answer.largest > max);
    Ok(if is_beyond { Outcome::Faults } else { Outcome::Success })
}
