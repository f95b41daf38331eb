//! `hitscan snap`: which vertex, edge or other point is near the cursor?

use crate::args::{CastArgs, ModelArg, PictureArgs, distance, numbers};
use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::{Console, joined, one_line, print, print_json, write_table};
use crate::precision::Point;
use crate::report::{numbered_through, or_dash};
use anyhow::Result;
use clap::{Args, ValueEnum};
use hitscan::Camera;
use hitscan::snap::{Cursor, Snap, SnapKind};
use hitscan_io::{Detail, EntityId};
use serde::Serialize;

const AFTER_HELP: &str = "\
Examples:
  hitscan snap demo --at 640,360
  hitscan snap demo --at 640,360 --radius 20 --to vertex,midpoint
  hitscan snap level.glb --at 100.5,20 --size 800x600 --json
  hitscan snap level.glb --at 640,360 --eye 0,50,0 --target 0,0,0 --ortho 30 --to edge

Of several points within the radius, the first kind of this list wins, and then the nearest to the cursor: vertex,
midpoint, center (of a flat face), crossing (of two edges in the picture), edge, face. Edges are where a surface ends or
bends. Points behind a surface are skipped.

JSON: {\"kind\", \"point\", \"pixel\", \"entity\", \"node\", \"triangle\"}, or null if nothing is within the radius; node and \
triangle are null for what has none. point is in world space, and pixel is where the picture shows it. triangle counts \
through the entity's primitives in file order; of several along an edge or around a vertex it is the first.

Exit codes: 0 found, 1 nothing is within the radius, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SnapArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The cursor in pixels: 0,0 is the picture's top-left corner, the middle of its first pixel 0.5,0.5
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true)]
    at: [f64; 2],
    /// The largest distance of a point from the cursor, in pixels
    #[arg(long, value_name = "PX", default_value_t = 8.0, value_parser = pixel_radius, allow_hyphen_values = true)]
    radius: f64,
    /// The kinds of points, with commas between
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "vertex,edge,midpoint,face")]
    to: Vec<KindArg>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    cast: CastArgs,
    /// Write JSON: {"kind": ...}, or null
    #[arg(long)]
    json: bool,
}

/// The kinds of points that are searched for unless `--to` names others.
pub(crate) const DEFAULT_KINDS: [SnapKind; 4] = [SnapKind::Vertex, SnapKind::Edge, SnapKind::Midpoint, SnapKind::Face];

/// A kind of point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    Vertex,
    Edge,
    Midpoint,
    Face,
    Center,
    Crossing,
}

impl From<KindArg> for SnapKind {
    fn from(kind: KindArg) -> Self {
        match kind {
            KindArg::Vertex => Self::Vertex,
            KindArg::Edge => Self::Edge,
            KindArg::Midpoint => Self::Midpoint,
            KindArg::Face => Self::Face,
            KindArg::Center => Self::Center,
            KindArg::Crossing => Self::Crossing,
        }
    }
}

/// A snap in the form for output.
#[derive(Debug, Serialize)]
pub(crate) struct SnapReport<'a> {
    pub(crate) kind: &'static str,
    pub(crate) point: Point,
    pub(crate) pixel: [f32; 2],
    pub(crate) entity: &'a str,
    pub(crate) node: Option<u32>,
    /// The index of the triangle among the triangles of all of the entity's primitives.
    pub(crate) triangle: Option<u64>,
}

impl<'a> SnapReport<'a> {
    /// Makes the report of a snap. Returns `None` if the target is not in this model.
    pub(crate) fn new(loaded: &'a Loaded, snap: &Snap<EntityId>) -> Option<Self> {
        let target = snap.target?;
        let entity = loaded.model.entity(target.id)?;
        Some(Self {
            kind: snap.kind.name(),
            point: Point::new(snap.point, loaded.precision),
            pixel: snap.pixel.to_array(),
            entity: &entity.name,
            node: entity.node,
            triangle: target.triangle.map(|triangle| numbered_through(entity, target.part, triangle)),
        })
    }
}

pub(crate) fn run(args: &SnapArgs, console: &Console) -> Result<Outcome> {
    args.picture.check_cursor("--at", args.at)?;
    let mut loaded = args.model.load(Detail::Hits, console)?;
    args.cast.choice.hide(&mut loaded)?;
    let camera = args.picture.view(&loaded, console)?.camera()?;
    let kinds: Vec<SnapKind> = args.to.iter().map(|&kind| kind.into()).collect();
    let snap = nearest(&loaded, &camera, &args.picture, &args.cast, (args.at, args.radius), &kinds);
    let report = snap.and_then(|snap| SnapReport::new(&loaded, &snap));
    if args.json {
        print_json(&report)?;
    } else {
        print(|out| match &report {
            Some(report) => write_table(out, TITLES, &[report.row()]),
            None => writeln!(out, "nothing"),
        })?;
    }
    Ok(if report.is_some() { Outcome::Success } else { Outcome::NoHit })
}

/// Parses a radius in pixels, which must fit into f32.
fn pixel_radius(text: &str) -> Result<f64, String> {
    let radius = distance(text)?;
    is_radius(radius).then_some(radius).ok_or_else(|| format!("expected a distance from 0 to {:e}", f32::MAX))
}

/// Returns whether a cursor may have this radius.
pub(crate) fn is_radius(radius: f64) -> bool {
    radius >= 0.0 && (radius as f32).is_finite()
}

/// Returns the point that a cursor snaps to, given its pixel and radius.
pub(crate) fn nearest(
    loaded: &Loaded,
    camera: &Camera,
    picture: &PictureArgs,
    cast: &CastArgs,
    (at, radius): ([f64; 2], f64),
    kinds: &[SnapKind],
) -> Option<Snap<EntityId>> {
    let (size, filter) = ([picture.size.width, picture.size.height], cast.choice.filter());
    let cursor = Cursor::new(camera, size, at.map(|pixel| pixel as f32), radius as f32).cut_outs(cast.cut_outs());
    cursor.nearest(loaded.scene.with(&filter), kinds)
}

/// The titles of the columns of [`SnapReport::row`].
const TITLES: [&str; 6] = ["KIND", "ENTITY", "NODE", "TRIANGLE", "POINT", "PIXEL"];

impl SnapReport<'_> {
    /// Returns the row of a table for people.
    fn row(&self) -> [String; 6] {
        [
            self.kind.to_owned(),
            one_line(self.entity),
            or_dash(self.node),
            or_dash(self.triangle),
            self.point.joined(),
            joined(self.pixel),
        ]
    }
}
