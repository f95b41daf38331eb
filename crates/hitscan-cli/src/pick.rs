//! `hitscan pick`: which entity is under the cursor?

use crate::Outcome;
use crate::args::{CastArgs, ModelArg, PictureArgs, Size, numbers};
use crate::model::Loaded;
use crate::output::{Console, joined, print, print_json, write_table};
use crate::report::HitReport;
use anyhow::{Context, Result, ensure};
use clap::Args;
use hitscan::{Camera, Hit, Ray};
use hitscan_io::EntityId;
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  hitscan pick demo --at 640,360
  hitscan pick demo --at 640,360 --camera Walker --all
  hitscan pick level.glb --at 100.5,20 --size 800x600 --json
  hitscan pick level.glb --at 640,360 --eye -4,2,10 --target 0,1,0 --fov-y 60
  hitscan pick level.glb --at 640,360 --eye 0,50,0 --target 0,0,0 --ortho 30

JSON: {\"hits\": [{\"entity\", \"node\", \"primitive\", \"material\", \"t\", \"point\", \"normal\", \"side\", \"triangle\", \
\"barycentrics\", \"texcoord\"}]}, the nearest first; null for what the thing that was hit does not have. t is the \
distance from the eye (orthographic: from its plane); a file's camera also clips at its znear and zfar. point and \
normal are in world space; side is front, back or inside. triangle counts through the entity's primitives in file \
order, and barycentrics are [u, v] of P = (1-u-v) A + u B + v C. material is its name, else material<N>.

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
    /// Write JSON: {"hits": [...]}
    #[arg(long)]
    json: bool,
}

/// What `--json` writes.
#[derive(Serialize)]
struct Answer<'a> {
    hits: Vec<HitReport<'a>>,
}

pub(crate) fn run(args: &PickArgs, console: &Console) -> Result<Outcome> {
    args.check_cursor()?;
    let loaded = args.model.load(console)?;
    let camera = args.picture.view(&loaded, console)?.camera()?;
    let mut loaded = loaded.relative_to(camera.position())?;
    args.cast.hide(&mut loaded)?;
    let ray = args.ray(&camera)?;
    let hits: Vec<HitReport<'_>> =
        args.hits(&loaded, &ray).iter().filter_map(|hit| HitReport::new(&loaded, hit)).collect();
    let outcome = if hits.is_empty() { Outcome::NoHit } else { Outcome::Success };
    if args.json {
        print_json(&Answer { hits })?
    } else {
        print_text(&hits)?
    }
    Ok(outcome)
}

impl PickArgs {
    /// All edges belong to the picture.
    fn check_cursor(&self) -> Result<()> {
        let ([x, y], size) = (self.at, self.picture.size);
        let is_inside = (0.0..=size.width.into()).contains(&x) && (0.0..=size.height.into()).contains(&y);
        ensure!(
            is_inside,
            "--at {} is outside the picture of {size}: X is from 0 to {}, Y from 0 to {} (--size sets another size)",
            joined(self.at),
            size.width,
            size.height
        );
        Ok(())
    }

    /// Relative to the camera's position.
    fn ray(&self, camera: &Camera) -> Result<Ray> {
        let Size { width, height } = self.picture.size;
        let ray = |camera: &Camera| camera.ray(self.at.map(|pixel| pixel as f32), [width, height]);
        let in_world = ray(camera).validate();
        in_world.context("no ray can be cast under the cursor (move the camera closer to the origin)")?;
        Ok(ray(&camera.relative_to(camera.position())))
    }

    fn hits(&self, loaded: &Loaded, ray: &Ray) -> Vec<Hit<EntityId>> {
        let Loaded { model, scene, .. } = loaded;
        let query = self.cast.query(model);
        if !self.all {
            return scene.cast_with(ray, &query).into_iter().collect();
        }
        let mut hits = Vec::new();
        scene.cast_all_with(ray, &query, &mut hits);
        hits
    }
}

fn print_text(hits: &[HitReport<'_>]) -> Result<()> {
    if hits.is_empty() {
        return print(|out| writeln!(out, "no hit"));
    }
    let rows: Vec<_> = hits.iter().map(HitReport::row).collect();
    print(|out| write_table(out, HitReport::TITLES, &rows))
}
