//! `hitscan closest`: what is nearest to a point?

use crate::Outcome;
use crate::args::{ChoiceArgs, ModelArg, distance, place};
use crate::model::Loaded;
use crate::output::{Console, joined, one_line, print, print_json, write_table};
use crate::report::{feature, numbered_through, or_dash};
use anyhow::Result;
use clap::Args;
use hitscan::ClosestPoint;
use hitscan_io::{Detail, EntityId};
use serde::Serialize;
use std::io::{self, Write};

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
    /// The point that something is near
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    to: [f64; 3],
    /// Nothing that is farther away than this counts
    #[arg(long, value_name = "D", value_parser = distance, allow_hyphen_values = true)]
    max_distance: Option<f64>,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Write JSON: {"hits": [...]}
    #[arg(long)]
    json: bool,
}

/// What `--json` writes.
#[derive(Serialize)]
struct Answer<'a> {
    hits: Vec<Nearest<'a>>,
}

/// A point in the program's own terms; `None` for what the thing that it is on does not have.
#[derive(Serialize)]
struct Nearest<'a> {
    entity: &'a str,
    node: Option<u32>,
    /// Counted through all of the entity's primitives.
    triangle: Option<u64>,
    distance: f32,
    signed_distance: Option<f32>,
    point: [f32; 3],
    normal: [f32; 3],
    feature: &'static str,
}

pub(crate) fn run(args: &ClosestArgs, console: &Console) -> Result<Outcome> {
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.choice.hide(&mut loaded)?;
    let most = args.max_distance.unwrap_or(f64::INFINITY);
    let found = loaded.scene.closest_point_with(args.to, most, &args.choice.query());
    let answer = Answer { hits: found.iter().filter_map(|found| Nearest::new(&loaded, found)).collect() };
    if args.json {
        print_json(&answer)?
    } else {
        print(|out| answer.write(out))?
    }
    Ok(if answer.hits.is_empty() { Outcome::NoHit } else { Outcome::Success })
}

impl<'a> Nearest<'a> {
    /// `None` for an entity that is not of this model.
    fn new(loaded: &'a Loaded, found: &ClosestPoint<EntityId>) -> Option<Self> {
        let entity = loaded.model.entity(found.id)?;
        Some(Self {
            entity: &entity.name,
            node: entity.node,
            triangle: found.triangle.map(|triangle| numbered_through(entity, found.part, triangle)),
            distance: found.distance,
            signed_distance: found.signed_distance(),
            point: found.point.to_array(),
            normal: found.normal.to_array(),
            feature: feature(found.feature),
        })
    }

    /// For people.
    fn row(&self) -> [String; 7] {
        [
            one_line(self.entity),
            or_dash(self.node),
            or_dash(self.triangle),
            self.signed_distance.unwrap_or(self.distance).to_string(),
            joined(self.point),
            joined(self.normal),
            self.feature.to_owned(),
        ]
    }
}

impl Answer<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.hits.is_empty() {
            return writeln!(out, "nothing");
        }
        let titles = ["ENTITY", "NODE", "TRIANGLE", "DISTANCE", "POINT", "NORMAL", "FEATURE"];
        write_table(out, titles, &self.hits.iter().map(Nearest::row).collect::<Vec<_>>())
    }
}
