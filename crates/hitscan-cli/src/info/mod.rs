//! `hitscan info`: what is in a model?

mod contents;
mod description;
mod text;
mod trees;

use crate::args::{ModelArg, Size};
use crate::camera::View;
use crate::extent::Extent;
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use anyhow::Result;
use clap::Args;
use contents::{AnimationInfo, CameraInfo, ViewInfo};
use description::Info;
use hitscan_io::Detail;
use std::time::Instant;
use trees::Trees;

const AFTER_HELP: &str = "\
Examples:
  hitscan info demo
  hitscan info level.glb --json
  hitscan info fox.glb --animation Run --time 0.4     the boxes of the running fox

JSON: lists `entities`, `cameras`, `animations`, `materials` and `cut_outs` (materials with alpha MASK); the numbers `triangles` and \
`degenerate_triangles` (without area, which no ray hits), shared meshes counted for each entity; `bounds`, in float64; \
`default_camera` (of a 1280x720 picture; one that is not the file's says what box it has `framed`, and which \
entities reach `beyond` that: more than eight times as far as most of the model); `load_seconds` (the file read and all trees built), `build_seconds` (the \
trees alone), and the figures of the `trees`. null: there is none (a zfar: infinitely far).

Exit codes: 0 success, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &InfoArgs, console: &Console) -> Result<Outcome> {
    let start = Instant::now();
    let loaded = args.model.load(Detail::Hits, console)?;
    let load_seconds = start.elapsed().as_secs_f64();

    let entities = contents::entities(&loaded);
    let info = Info {
        model: &args.model.model,
        triangles: entities.iter().map(|entity| entity.triangles).sum(),
        degenerate_triangles: entities.iter().map(|entity| entity.degenerate_triangles).sum(),
        cameras: loaded.model.cameras.iter().map(CameraInfo::new).collect(),
        animations: loaded.model.animations.iter().enumerate().map(AnimationInfo::new).collect(),
        materials: contents::materials(&loaded.model),
        cut_outs: contents::cut_outs(&loaded.model),
        bounds: entities.iter().filter_map(|entity| entity.bounds).reduce(Extent::union),
        default_camera: ViewInfo::new(&View::default_of(&loaded, Size::default()), &loaded.model),
        load_seconds,
        build_seconds: trees::build_seconds(&loaded)?,
        trees: Trees::of(&loaded),
        entities,
    };
    if args.json {
        print_json(&info)?
    } else {
        print(|out| text::write(out, &info))?
    }
    Ok(Outcome::Success)
}
