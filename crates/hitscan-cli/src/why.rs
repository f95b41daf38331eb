//! `--why`: the surfaces under the cursor that were passed through, and the rule for each.

use crate::args::{CastArgs, CullArg};
use crate::model::Loaded;
use crate::output::write_table;
use crate::report::HitReport;
use hitscan::glam::DVec3;
use hitscan::{CutOuts, Entity, EntityRef, Hit, Ray, RayQueries, Side};
use hitscan_io::EntityId;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// The reason why a surface on a ray is not a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    /// The entity is on no layer of the query.
    Layer,
    /// The surface is outside of the ray's range.
    Range,
    /// The ray reaches the surface from the side that `--cull` ignores.
    Cull,
    /// The surface is a hole of a cut-out.
    Hole,
}

/// A surface that the ray passed through.
#[derive(Debug, Serialize)]
pub(crate) struct Passed<'a> {
    pub(crate) reason: Reason,
    #[serde(flatten)]
    pub(crate) surface: HitReport<'a>,
    #[serde(skip)]
    range: [f32; 2],
}

/// Returns all surfaces on the ray that are not hits, the nearest first. They are the surfaces before the first hit, or
/// with `Extent::Everything` also the surfaces behind it. The ray is relative to the eye.
pub(crate) fn passed<'a>(
    loaded: &'a Loaded,
    (ray, eye): (&Ray, DVec3),
    cast: &CastArgs,
    extent: Extent,
) -> Vec<Passed<'a>> {
    let mut surfaces = Vec::new();
    let from_start = ray.with_range(0.0, f32::INFINITY);
    loaded.scene.relative_to(eye).cut_outs(CutOuts::Solid).cast_all(&from_start, &mut surfaces);
    let judged = surfaces.iter().map(|surface| (surface, reason(loaded, ray, cast, surface)));
    judged
        .take_while(|(_, reason)| reason.is_some() || extent == Extent::Everything)
        .filter_map(|(surface, reason)| {
            Some(Passed { reason: reason?, surface: HitReport::new(loaded, surface)?, range: [ray.t_min, ray.t_max] })
        })
        .collect()
}

/// The range of the ray to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    FirstHit,
    Everything,
}

/// Returns the rule that excludes the surface, in the order in which the library checks the rules. Returns `None` for a
/// hit.
fn reason(loaded: &Loaded, ray: &Ray, cast: &CastArgs, hit: &Hit<EntityId>) -> Option<Reason> {
    let layers = loaded.scene.get(&hit.id).map_or(0, EntityRef::layers);
    if layers & Entity::DEFAULT_LAYERS == 0 {
        Some(Reason::Layer)
    } else if !(ray.t_min..=ray.t_max).contains(&hit.t) {
        Some(Reason::Range)
    } else if matches!((cast.choice.cull, hit.side), (CullArg::Back, Side::Back) | (CullArg::Front, Side::Front)) {
        Some(Reason::Cull)
    } else if !cast.no_cutout && loaded.scene.surface(hit).is_hole() {
        Some(Reason::Hole)
    } else {
        None
    }
}

impl fmt::Display for Passed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [t_min, t_max] = self.range;
        match self.reason {
            Reason::Layer => write!(f, "layer: hidden by --hide"),
            Reason::Range if self.surface.t < t_min => write!(f, "range: before t {t_min}, where the picture begins"),
            Reason::Range => write!(f, "range: behind t {t_max}, where the picture ends"),
            Reason::Cull => write!(f, "cull: its {} is passed through by --cull", self.surface.side),
            Reason::Hole => write!(f, "hole: the cut-out's alpha is below its cutoff"),
        }
    }
}

/// Writes the surfaces for people.
pub(crate) fn write(out: &mut dyn Write, passed: &[Passed<'_>]) -> io::Result<()> {
    if passed.is_empty() {
        return writeln!(out, "nothing was passed over");
    }
    writeln!(out, "passed over:")?;
    let rows: Vec<_> = passed
        .iter()
        .map(|passed| {
            let [entity, node, triangle, t, ..] = passed.surface.row();
            [entity, node, triangle, t, passed.to_string()]
        })
        .collect();
    write_table(out, ["ENTITY", "NODE", "TRIANGLE", "T", "WHY"], &rows)
}
