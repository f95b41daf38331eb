//! `hitscan sweep`: what does a moving volume touch?

use crate::args::{ChoiceArgs, ModelArg, place};
use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::Console;
use crate::surface_point::{self, Measure, Place, SurfacePoint};
use crate::volume::{FORMS, margin, volume};
use anyhow::Result;
use clap::Args;
use hitscan::{SweepHit, SweepQueries, Volume};
use hitscan_io::{Detail, EntityId};
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  hitscan sweep demo --shape sphere:0.5 --from 0,20,0 --motion 0,-30,0
  hitscan sweep demo --shape capsule:0.4,1.8 --from -8,2,12 --motion 20,0,-4 --all
  hitscan sweep demo --shape box:2,1,4 --from -20,1.5,8 --motion 40,0,0
  hitscan sweep demo --shape cylinder:0.4,1.8 --margin 0.02 --from 0,20,0 --motion 0,-30,0
  hitscan sweep level.glb --shape capsule:0.4,1.8 --from 0,3,0 --motion 0,-9,0 --json
  hitscan sweep fox.glb --animation Run --time 0.4 --shape sphere:5 --from 0,200,0 --motion 0,-200,0

A capsule, cylinder or cone is upright, the apex of a cone above, and H the whole height, with the round ends of a capsule; X,Y,Z of a box are its whole \
edges, along the axes. The start is of the middle of the height. A margin makes any volume larger by that much on all sides, with round edges: what touches \
first is as far away then. \
What touches is a contact, also at the start, where t is 0. Holes of cut-outs are solid for volumes, and a mesh has no inside.

JSON: {\"hits\": [{\"entity\", \"node\", \"triangle\", \"t\", \"point\", \"normal\", \"feature\"}]}, the first contact \
first; null for what the thing that was touched does not have. t is the fraction of the motion, from 0 to 1. point is \
on the entity, normal goes from there to the volume, both in world space. triangle counts through the entity's \
primitives in file order, and feature is the part of it that is touched: face, edge or vertex.

Exit codes: 0 a contact, 1 none, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The moving volume, with its sizes in the model's units
    #[arg(long, value_name = FORMS, value_parser = volume)]
    shape: Volume,
    /// The distance from the volume within which things are touched
    #[arg(long, value_name = "M", value_parser = margin, allow_hyphen_values = true)]
    margin: Option<f32>,
    /// The start of the volume's centre
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    from: [f64; 3],
    /// The motion of the volume. 0,0,0 finds the things that it touches at its start
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    motion: [f64; 3],
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Everything that is touched on the way, each triangle once, the first contact first
    #[arg(long)]
    all: bool,
    /// Write JSON: {"hits": [...]}
    #[arg(long)]
    json: bool,
}

/// The time of the contact.
#[derive(Serialize)]
struct Time {
    t: f32,
}

impl Measure for Time {
    const TITLE: &'static str = "T";
    const NONE: &'static str = "no contact";

    fn text(&self) -> String {
        self.t.to_string()
    }
}

pub(crate) fn run(args: &SweepArgs, console: &Console) -> Result<Outcome> {
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.choice.hide(&mut loaded)?;
    let hits = args.hits(&loaded);
    let hits = hits.iter().filter_map(|hit| {
        let &SweepHit { id, part, triangle, normal, feature, .. } = hit;
        let place = Place { id, part, triangle, point: hit.point_f64(), normal, feature };
        SurfacePoint::new(&loaded, &place, Time { t: hit.t })
    });
    surface_point::report(hits.collect(), args.json)
}

impl SweepArgs {
    fn hits(&self, loaded: &Loaded) -> Vec<SweepHit<EntityId>> {
        let filter = self.choice.filter();
        let view = loaded.scene.with(&filter);
        let volume = self.margin.map_or_else(|| self.shape.clone(), |margin| self.shape.clone().with_margin(margin));
        if !self.all {
            return view.sweep(&volume, self.from, self.motion).into_iter().collect();
        }
        let mut hits = Vec::new();
        view.sweep_all(&volume, self.from, self.motion, &mut hits);
        hits
    }
}
