//! `hitscan pick`: which entity is under the cursor?

use crate::args::{CastArgs, ModelArg, PictureArgs, numbers};
use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use crate::report::{HitReport, write_hits};
use crate::why::{self, Extent, Passed};
use anyhow::Result;
use clap::Args;
use hitscan::glam::DVec3;
use hitscan::{Hit, Ray, RayQueries};
use hitscan_io::{Detail, EntityId};
use serde::Serialize;
use std::io::{self, Write};

const AFTER_HELP: &str = "\
Examples:
  hitscan pick demo --at 640,360
  hitscan pick demo --at 640,360 --camera Walker --all
  hitscan pick demo --at 640,360 --hide Bakery --why
  hitscan pick level.glb --at 100.5,20 --size 800x600 --json
  hitscan pick level.glb --at 640,360 --eye -4,2,10 --target 0,1,0 --fov-y 60
  hitscan pick level.glb --at 640,360 --eye 0,50,0 --target 0,0,0 --ortho 30
  hitscan pick fox.glb --at 640,360 --animation Run --time 0.4

JSON: {\"hits\": [{\"entity\", \"node\", \"primitive\", \"material\", \"t\", \"point\", \"normal\", \"side\", \"triangle\", \
\"barycentrics\", \"texcoord\", \"joint\", \"joint_node\"}]}, the nearest first; null for what the thing that was hit does not have. t is the \
distance from the eye (orthographic: from its plane); a file's camera also clips at its znear and zfar. point and \
normal are in world space; side is front, back or inside. triangle counts through the entity's primitives in file \
order, and barycentrics are [u, v] of P = (1-u-v) A + u B + v C. material is its name, else material<N>. joint is the name of the joint of a skinned mesh that has the largest \
weight at the point, else node<N>, and joint_node its node. With --why also \"passed\": what the ray \
passed through before the first hit (with --all: anywhere), the nearest first, as such hits with a \"reason\": layer, \
range, cull or hole.

Exit codes: 0 a hit, 1 no hit, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PickArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The cursor in pixels: 0,0 is the picture's top-left corner, the middle of its first pixel 0.5,0.5
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true)]
    at: [f64; 2],
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    /// Every hit under the cursor, the nearest first
    #[arg(long)]
    all: bool,
    /// Report the surfaces that the ray passed through before a hit (or without one), and why each is no hit: `layer`
    /// (--hide), `range` (a camera's znear and zfar), `cull` (--cull) or `hole` (a cut-out)
    #[arg(long)]
    why: bool,
    /// Write JSON: {"hits": [...]}
    #[arg(long)]
    json: bool,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    hits: Vec<HitReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passed: Option<Vec<Passed<'a>>>,
}

pub(crate) fn run(args: &PickArgs, console: &Console) -> Result<Outcome> {
    args.picture.check_cursor("--at", args.at)?;
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.cast.choice.hide(&mut loaded)?;
    let camera = args.picture.view(&loaded, console)?.camera()?;
    let (ray, eye) = (args.picture.ray(&camera, args.at)?, camera.position());
    let hits: Vec<HitReport<'_>> =
        args.hits(&loaded, &ray, eye).iter().filter_map(|hit| HitReport::new(&loaded, hit)).collect();
    let outcome = if hits.is_empty() { Outcome::NoHit } else { Outcome::Success };
    let extent = if args.all { Extent::Everything } else { Extent::FirstHit };
    let passed = args.why.then(|| why::passed(&loaded, (&ray, eye), &args.cast, extent));
    let answer = Answer { hits, passed };
    if args.json {
        print_json(&answer)?
    } else {
        print(|out| answer.write(out))?
    }
    Ok(outcome)
}

impl PickArgs {
    fn hits(&self, loaded: &Loaded, ray: &Ray, eye: DVec3) -> Vec<Hit<EntityId>> {
        let filter = self.cast.choice.filter();
        let view = self.cast.view(&loaded.scene, &filter, eye);
        if !self.all {
            return view.cast(ray).into_iter().collect();
        }
        let mut hits = Vec::new();
        view.cast_all(ray, &mut hits);
        hits
    }
}

impl Answer<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.hits.is_empty() {
            writeln!(out, "no hit")?;
        } else {
            write_hits(out, &self.hits)?;
        }
        self.passed.as_ref().map_or(Ok(()), |passed| {
            writeln!(out)?;
            why::write(out, passed)
        })
    }
}
