//! `hitscan bake`: a model as a file that loads quickly.

use crate::args::ModelArg;
use crate::file::NewFile;
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use hitscan::{Mesh, Quality};
use hitscan_io::Detail;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Examples:
  hitscan bake level.glb -o level.bake
  hitscan pick level.bake --at 640,360         as with the model itself, and at once
  hitscan bake level.glb -o level.bake --quality best

OUT has the triangles with the trees that rays go through, entities, names, cameras, animations, materials and the alpha of cut-outs; with \
--colors also textures and vertex colors. Every command takes it as MODEL, whatever it is called, and answers as it does for the model. A file that was damaged, or is of another version of the format, is an error.

JSON: `model`, `out`, `quality`, the numbers of `entities`, `meshes` (shared ones count once) and `triangles` of these, `bytes`, \
`load_seconds` (reading MODEL, with the trees of its meshes) and `bake_seconds` (building them in another quality, and writing).

Exit codes: 0 success, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The file to write
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// The quality of the trees: the time to build them, for the speed of rays
    #[arg(long, value_name = "QUALITY", default_value = "balanced")]
    quality: QualityArg,
    /// Keep textures and vertex colors too, for `hitscan render`: the file may become many times as large
    #[arg(long)]
    colors: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum QualityArg {
    Fast,
    Balanced,
    Best,
}

impl QualityArg {
    fn quality(self) -> Quality {
        match self {
            Self::Fast => Quality::Fast,
            Self::Balanced => Quality::Balanced,
            Self::Best => Quality::Best,
        }
    }
}

/// The output of `--json`.
#[derive(Debug, Serialize)]
struct Baked<'a> {
    model: &'a str,
    out: String,
    quality: QualityArg,
    entities: usize,
    meshes: usize,
    triangles: usize,
    bytes: usize,
    load_seconds: f64,
    bake_seconds: f64,
}

pub(crate) fn run(args: &BakeArgs, console: &Console) -> Result<Outcome> {
    let file = NewFile::create(&args.out, &[args.model.path()])?;
    let detail = if args.colors { Detail::Colors } else { Detail::Hits };
    let start = Instant::now();
    let loaded = args.model.load(detail, console)?;
    file.keep_apart(&loaded.model.files)?;
    let load_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (entities, meshes) = (loaded.model.entities.len(), loaded.meshes());
    let bar = console.progress(None).with_message("baking");
    bar.enable_steady_tick(Duration::from_millis(100));
    let model = loaded.model.rebuilt(args.quality.quality());
    let bytes = model.bake(detail).with_context(|| args.model.model.clone())?;
    bar.finish_and_clear();
    file.file().write_all(&bytes).with_context(|| file.cannot_write())?;
    file.keep()?;
    let baked = Baked {
        model: &args.model.model,
        out: args.out.display().to_string(),
        quality: args.quality,
        entities,
        meshes: meshes.len(),
        triangles: meshes.iter().map(Mesh::triangle_count).sum(),
        bytes: bytes.len(),
        load_seconds,
        bake_seconds: start.elapsed().as_secs_f64(),
    };
    if args.json {
        print_json(&baked)?
    } else {
        print(|out| write(out, &baked))?
    }
    Ok(Outcome::Success)
}

fn write(out: &mut dyn Write, baked: &Baked<'_>) -> std::io::Result<()> {
    let Baked { out: path, entities, meshes, triangles, bytes, load_seconds, bake_seconds, .. } = baked;
    writeln!(
        out,
        "{}: {entities} entities, {meshes} meshes, {triangles} triangles, {bytes} bytes; loaded in {load_seconds:.3} s, \
         baked in {bake_seconds:.3} s",
        crate::output::one_line(path)
    )
}
