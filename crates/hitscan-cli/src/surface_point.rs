//! Places on entities, as `sweep` and `closest` report them.

use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::{joined, one_line, print, print_json, write_table};
use crate::precision::Point;
use crate::report::{feature, numbered_through, or_dash};
use anyhow::Result;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::Feature;
use hitscan_io::EntityId;
use serde::Serialize;
use std::io::{self, Write};

/// A place with the types of the library.
pub(crate) struct Place {
    pub(crate) id: EntityId,
    pub(crate) part: u32,
    pub(crate) triangle: Option<u32>,
    pub(crate) point: DVec3,
    pub(crate) normal: Vec3,
    pub(crate) feature: Feature,
}

/// The distance or time of a place, which is also reported.
pub(crate) trait Measure: Serialize {
    /// The title of the measure's column.
    const TITLE: &'static str;
    /// The message if there is no place.
    const NONE: &'static str;

    /// Returns the text for people.
    fn text(&self) -> String;
}

/// A place in the form for output. A field is `None` if the thing at the place does not have it.
#[derive(Serialize)]
pub(crate) struct SurfacePoint<'a, M> {
    entity: &'a str,
    node: Option<u32>,
    /// The index of the triangle among the triangles of all of the entity's primitives.
    triangle: Option<u64>,
    #[serde(flatten)]
    measure: M,
    point: Point,
    normal: [f32; 3],
    feature: &'static str,
}

impl<'a, M: Measure> SurfacePoint<'a, M> {
    /// Makes the report of a place. Returns `None` if the entity is not in this model.
    pub(crate) fn new(loaded: &'a Loaded, place: &Place, measure: M) -> Option<Self> {
        let entity = loaded.model.entity(place.id)?;
        Some(Self {
            entity: &entity.name,
            node: entity.node,
            triangle: place.triangle.map(|triangle| numbered_through(entity, place.part, triangle)),
            measure,
            point: Point::new(place.point, loaded.precision),
            normal: place.normal.to_array(),
            feature: feature(place.feature),
        })
    }

    fn row(&self) -> [String; 7] {
        [
            one_line(self.entity),
            or_dash(self.node),
            or_dash(self.triangle),
            self.measure.text(),
            self.point.joined(),
            joined(self.normal),
            self.feature.to_owned(),
        ]
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct Answer<'a, M> {
    hits: Vec<SurfacePoint<'a, M>>,
}

/// Writes all places, as JSON or as a table for people.
pub(crate) fn report<M: Measure>(hits: Vec<SurfacePoint<'_, M>>, json: bool) -> Result<Outcome> {
    let outcome = if hits.is_empty() { Outcome::NoHit } else { Outcome::Success };
    if json {
        print_json(&Answer { hits })?;
    } else {
        print(|out| write(&hits, out))?;
    }
    Ok(outcome)
}

fn write<M: Measure>(hits: &[SurfacePoint<'_, M>], out: &mut dyn Write) -> io::Result<()> {
    if hits.is_empty() {
        return writeln!(out, "{}", M::NONE);
    }
    let titles = ["ENTITY", "NODE", "TRIANGLE", M::TITLE, "POINT", "NORMAL", "FEATURE"];
    write_table(out, titles, &hits.iter().map(SurfacePoint::row).collect::<Vec<_>>())
}
