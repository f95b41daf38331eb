//! `hitscan closest`: what is nearest to a point?

use crate::args::{ChoiceArgs, ModelArg, distance, place};
use crate::outcome::Outcome;
use crate::output::Console;
use crate::surface_point::{self, Measure, Place, SurfacePoint};
use anyhow::Result;
use clap::Args;
use hitscan::{ClosestPoint, ProximityQueries};
use hitscan_io::Detail;
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  hitscan closest demo --to 0,2,0
  hitscan closest level.glb --to -4,1.5,12 --max-distance 5 --json

JSON: {\"hits\": [{\"entity\", \"node\", \"triangle\", \"distance\", \"signed_distance\", \"point\", \"normal\", \
\"feature\"}]}, one hit or none; null for what the thing that was found does not have. signed_distance is negative inside, \
and null of what is not closed. point is on the entity, and normal goes outwards there, in world space. triangle counts \
through the entity's primitives in file order, and feature is the part of it that the point is on: face, edge or vertex.

Exit codes: 0 found, 1 there is nothing, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The point to start from
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    to: [f64; 3],
    /// Ignore everything that is farther away than this
    #[arg(long, value_name = "D", value_parser = distance, allow_hyphen_values = true)]
    max_distance: Option<f64>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Write JSON: {"hits": [...]}
    #[arg(long)]
    json: bool,
}

/// The distance to the nearest place.
#[derive(Serialize)]
struct Gap {
    distance: f32,
    signed_distance: Option<f32>,
}

impl Measure for Gap {
    const TITLE: &'static str = "DISTANCE";
    const NONE: &'static str = "nothing";

    fn text(&self) -> String {
        self.signed_distance.unwrap_or(self.distance).to_string()
    }
}

pub(crate) fn run(args: &ClosestArgs, console: &Console) -> Result<Outcome> {
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.choice.hide(&mut loaded)?;
    let most = args.max_distance.unwrap_or(f64::INFINITY);
    let found = loaded.scene.with(&args.choice.filter()).closest_point_within(args.to, most);
    let hits = found.iter().filter_map(|found| {
        let &ClosestPoint { id, part, triangle, normal, feature, .. } = found;
        let place = Place { id, part, triangle, point: found.point_f64(), normal, feature };
        SurfacePoint::new(&loaded, &place, Gap { distance: found.distance, signed_distance: found.signed_distance() })
    });
    surface_point::report(hits.collect(), args.json)
}
