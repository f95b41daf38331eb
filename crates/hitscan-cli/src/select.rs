//! `hitscan select`: what is in a region of the picture?

use crate::args::{CastArgs, ModelArg, PictureArgs};
use crate::model::Loaded;
use crate::model_extent::parts;
use crate::outcome::Outcome;
use crate::output::{Console, one_line, print, print_json, write_table};
use crate::region::RegionArgs;
use crate::report::{numbered_through, or_dash};
use anyhow::Result;
use clap::{Args, ValueEnum};
use hitscan::Geometry;
use hitscan::query::RayView;
use hitscan::select::Selector;
use hitscan_io::{Detail, Entity, EntityId};
use serde::Serialize;
use std::io::{self, Write};

const AFTER_HELP: &str = "\
Examples:
  hitscan select demo --rect 400,200,900,500
  hitscan select demo --circle 640,360,80 --visible --kind triangle --json
  hitscan select level.glb --lasso corners.csv --inside --size 800x600
  hitscan select level.glb --rect 0,0,1280,720 --eye 0,50,0 --target 0,0,0 --ortho 30
  hitscan render demo -o selected.png --circle 640,360,80 --visible

Only what is within the picture counts. --visible counts a thing that a ray through the middle of a pixel of the region hits first, \
through the holes of cut-out materials; without it, what is hidden counts too, and holes do not matter.

JSON: {\"entities\": [{\"entity\", \"node\", \"triangles\", \"vertices\"}]}, in the order of the model; triangles only with --kind \
triangle, vertices only with --kind vertex. triangles count through the entity's primitives in file order, as those of `hitscan pick` do, and \
vertices through the vertices that they share.

Exit codes: 0 something is selected, 1 nothing is, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("a_region").args(["rect", "lasso", "circle"]).required(true))]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    model: ModelArg,
    #[command(flatten)]
    region: RegionArgs,
    /// The kind of things to select
    #[arg(long, value_name = "KIND", default_value = "entity")]
    kind: Kind,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    /// Write JSON: {"entities": [...]}
    #[arg(long)]
    json: bool,
}

/// A kind of things to select.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Entity,
    Triangle,
    Vertex,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    entities: Vec<Selected<'a>>,
}

/// A selected entity, or the selected elements of it.
#[derive(Serialize)]
struct Selected<'a> {
    entity: &'a str,
    node: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<Vec<u64>>,
}

pub(crate) fn run(args: &SelectArgs, console: &Console) -> Result<Outcome> {
    let region = args.region.region()?;
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.cast.choice.hide(&mut loaded)?;
    let camera = args.picture.view(&loaded, console)?.camera()?;
    let (eye, filter) = (camera.position(), args.cast.choice.filter());
    let view = args.cast.view(&loaded.scene, &filter, eye);
    let entities = match region {
        Some(drawn) => {
            let selector = args.region.selector(&drawn.region, &camera.relative_to(eye), &args.picture)?;
            selected(&loaded, &selector, view, args.kind)
        }
        None => Vec::new(),
    };
    let outcome = if entities.is_empty() { Outcome::NoHit } else { Outcome::Success };
    let answer = Answer { entities };
    if args.json {
        print_json(&answer)?
    } else {
        print(|out| answer.write(args.kind, out))?
    }
    Ok(outcome)
}

fn selected<'a>(loaded: &'a Loaded, selector: &Selector, view: RayView<'_, EntityId>, kind: Kind) -> Vec<Selected<'a>> {
    let found: Vec<(EntityId, u32, u32)> = match kind {
        Kind::Entity => {
            let mut ids = Vec::new();
            selector.entities(view, &mut ids);
            ids.into_iter().map(|id| (id, 0, 0)).collect()
        }
        Kind::Triangle => {
            let mut triangles = Vec::new();
            selector.triangles(view, &mut triangles);
            triangles.into_iter().map(|found| (found.id, found.part, found.triangle)).collect()
        }
        Kind::Vertex => {
            let mut vertices = Vec::new();
            selector.vertices(view, &mut vertices);
            vertices.into_iter().map(|found| (found.id, found.part, found.vertex)).collect()
        }
    };
    let of_entity = |found: &[(EntityId, u32, u32)]| {
        let entity = loaded.model.entity(found[0].0)?;
        let numbers =
            |first: &dyn Fn(u32, u32) -> u64| found.iter().map(|&(_, part, item)| first(part, item)).collect();
        Some(Selected {
            entity: &entity.name,
            node: entity.node,
            triangles: (kind == Kind::Triangle).then(|| numbers(&|part, item| numbered_through(entity, part, item))),
            vertices: (kind == Kind::Vertex).then(|| {
                let before = vertices_before(entity);
                numbers(&|part, item| before.get(part as usize).unwrap_or(&0) + u64::from(item))
            }),
        })
    };
    found.chunk_by(|a, b| a.0 == b.0).filter_map(of_entity).collect()
}

/// Returns, for each part of an entity, the number of vertices in the parts before it.
fn vertices_before(entity: &Entity) -> Vec<u64> {
    let mut before = vec![0];
    for (geometry, _) in parts(&entity.geometry) {
        let own = if let Geometry::Mesh(mesh) = &geometry { mesh.positions().len() } else { 0 };
        before.push(before[before.len() - 1] + own as u64);
    }
    before
}

impl Answer<'_> {
    fn write(&self, kind: Kind, out: &mut dyn Write) -> io::Result<()> {
        if self.entities.is_empty() {
            return writeln!(out, "nothing is selected");
        }
        let count = |list: &Option<Vec<u64>>| or_dash(list.as_ref().map(Vec::len));
        let named = |of: &Selected<'_>| [one_line(of.entity), or_dash(of.node)];
        let with_count = |counts: for<'s> fn(&'s Selected<'_>) -> &'s Option<Vec<u64>>| {
            let row = |of: &Selected<'_>| {
                let [entity, node] = named(of);
                [entity, node, count(counts(of))]
            };
            self.entities.iter().map(row).collect::<Vec<_>>()
        };
        match kind {
            Kind::Entity => write_table(out, ["ENTITY", "NODE"], &self.entities.iter().map(named).collect::<Vec<_>>()),
            Kind::Triangle => write_table(out, ["ENTITY", "NODE", "TRIANGLES"], &with_count(|of| &of.triangles)),
            Kind::Vertex => write_table(out, ["ENTITY", "NODE", "VERTICES"], &with_count(|of| &of.vertices)),
        }
    }
}
