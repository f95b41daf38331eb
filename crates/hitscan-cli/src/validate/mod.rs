//! `hitscan validate`: is a model sound?

mod answer;
mod crossings;
mod linked_sets;
mod listed;
mod part;
mod solids;
mod text;
mod topology;
mod verdict;

use crate::args::ModelArg;
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use crate::precision::Precision;
use answer::{Answer, PartVerdict};
use anyhow::{Context, Result};
use clap::Args;
use hitscan_io::{Detail, Warning};
use part::Part;
use verdict::{Borders, Choices, Verdict};

const AFTER_HELP: &str = "\
Examples:
  hitscan validate level.glb
  hitscan validate level.glb --open --json
  hitscan validate demo --list 3

A model is sound if each part of it encloses a volume as it should: every edge has two triangles, which face the same side, the triangles around a vertex \
are one fan, they face outwards, each of them has an area and is there once, and none intersects or touches another one but at the corners and edges that \
they share. Vertices at one place count as one vertex. All decisions but the one for outwards are exact. A part is an entity, and entities that show the \
same meshes are one part. The whole is all parts together in world space, where parts may close each other's holes; `hitscan collide` finds intersections \
between parts. Shapes of the demo are no meshes, and not examined.

JSON: {\"model\", \"is_sound\", \"parts\": [..], \"whole\", \"left_out\": [\"..\"]}. A part has \"entity\", \"node\", \"instances\" and, as the whole \
does, \"is_sound\", \"triangles\", \"vertices\", \"shells\" (pieces that hang together by edges), \"area\", \"volume\" (null if none is enclosed), \
\"is_watertight\" (there are edges, and each has an even number of triangles), \"is_manifold\" (no edge has more than two, and each vertex one fan), \"is_oriented\" \
(neighbours face the same side). Each fault is {\"count\", \"first\": [..]}, with at most --list places: \"boundary_edges\" (one triangle), \
\"crowded_edges\" (more than two), \"pinched_vertices\" (several fans), \"flipped_triangles\", \"inside_out_shells\" (the lowest triangle of each), \
\"degenerate_triangles\", \"duplicate_triangles\" (the lowest and its copy), \"self_intersections\" (of a part). An edge is {\"triangle\", \"triangles\", \
\"from\", \"to\"}. Triangles count through the entity's primitives in file order, in the whole through all entities. Places are in the part's own space, \
of the whole in world space. left_out is what --lenient left out, and makes the model unsound.

Exit codes: 0 the model is sound, 1 it has faults or no triangles, 2 an error, such as a file with a vertex that is not finite.";

/// The default number of places of each fault that are listed.
const LISTED: usize = 10;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    model: ModelArg,
    /// Open surfaces such as terrain are sound too: edges with one triangle are no fault
    #[arg(long)]
    open: bool,
    /// List at most this many places of each fault; all are counted
    #[arg(long, value_name = "N", default_value_t = LISTED)]
    list: usize,
    /// Write JSON: {"is_sound", "parts", "whole", ...}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ValidateArgs, console: &Console) -> Result<Outcome> {
    let loaded = args.model.load(Detail::Hits, console)?;
    let borders = if args.open { Borders::Allowed } else { Borders::Faults };
    let choices = Choices { most: args.list, borders, precision: Precision::Single };
    let parts = part::distinct(&loaded.model);
    let bar = console.progress(Some(parts.iter().map(Part::triangle_count).sum()));
    bar.set_message("comparing triangles");
    let mut verdicts = Vec::with_capacity(parts.len());
    for part in &parts {
        let (list, mesh) = part.triangles()?;
        let verdict = Verdict::of_part(&list, &mesh, choices, &bar)
            .with_context(|| format!("{}: {}", args.model.model, part.entity.name))?;
        let instances = part.instances;
        verdicts.push(PartVerdict { entity: &part.entity.name, node: part.entity.node, instances, verdict });
    }
    bar.finish_and_clear();
    let (list, degenerate) = console.during("joining the parts", || part::whole(&loaded.model, args.list))?;
    let of_whole = Choices { precision: loaded.precision, ..choices };
    let whole = console.during("examining the whole", || Verdict::of_whole(&list, degenerate, of_whole))?;
    let left_out: Vec<String> = loaded.model.warnings.iter().filter_map(left_out).collect();
    // The whole has the faults of its parts, except holes that other parts close.
    let is_sound = left_out.is_empty() && whole.is_sound && verdicts.iter().all(|part| part.verdict.is_sound);
    let answer = Answer { model: &args.model.model, is_sound, parts: verdicts, whole, left_out };
    if args.json {
        print_json(&answer)?;
    } else {
        print(|out| text::write(out, &answer, borders))?;
    }
    Ok(if is_sound { Outcome::Success } else { Outcome::Faults })
}

/// Returns the message about a mesh that was left out because of a fault.
fn left_out(warning: &Warning) -> Option<String> {
    matches!(warning, Warning::Faulty { .. }).then(|| warning.to_string())
}
