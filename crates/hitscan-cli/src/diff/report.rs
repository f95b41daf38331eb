//! The distances in the form for output.

use super::distances::Distances;
use super::surface::Surface;
use crate::output::{one_line, write_table};
use crate::precision::Point;
use crate::report::or_dash;
use hitscan::glam::DVec3;
use serde::Serialize;
use std::io::{self, Write};

/// The output of `--json`.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    model: &'a str,
    other: &'a str,
    pub(super) largest: f64,
    from_model: Report<'a>,
    from_other: Report<'a>,
}

/// The distances from one model to the other one.
#[derive(Serialize)]
struct Report<'a> {
    vertices: u64,
    samples: u64,
    largest: f64,
    mean: f64,
    root_mean_square: f64,
    entity: &'a str,
    node: Option<u32>,
    triangle: Option<u32>,
    point: Point,
    nearest: Point,
}

impl<'a> Answer<'a> {
    /// Makes the answer from the distances of both models, which are relative to an origin.
    pub(super) fn new(
        (ours, from_model): (&Surface<'a>, &Distances),
        (theirs, from_other): (&Surface<'a>, &Distances),
        origin: DVec3,
    ) -> Self {
        Self {
            model: ours.name,
            other: theirs.name,
            largest: from_model.largest.distance.max(from_other.largest.distance),
            from_model: Report::new(ours, from_model, origin),
            from_other: Report::new(theirs, from_other, origin),
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |from: &str, report: &Report<'_>| {
            let sizes = [report.largest, report.root_mean_square, report.mean].map(|size| (size as f32).to_string());
            let [largest, root_mean_square, mean] = sizes;
            let (entity, triangle) = (one_line(report.entity), or_dash(report.triangle));
            let [point, nearest] = [&report.point, &report.nearest].map(Point::joined);
            [one_line(from), largest, mean, root_mean_square, entity, triangle, point, nearest]
        };
        let rows = [row(self.model, &self.from_model), row(self.other, &self.from_other)];
        write_table(out, ["FROM", "LARGEST", "MEAN", "RMS", "ENTITY", "TRIANGLE", "POINT", "NEAREST"], &rows)
    }
}

impl<'a> Report<'a> {
    fn new(surface: &Surface<'a>, distances: &Distances, origin: DVec3) -> Self {
        let &Distances { vertices, samples, largest, mean, root_mean_square } = distances;
        let owner = surface.owner(largest.triangle);
        let place = |point: DVec3| Point::new(origin + point, surface.loaded.precision);
        Self {
            vertices,
            samples,
            largest: largest.distance,
            mean,
            root_mean_square,
            entity: owner.map_or("", |(entity, _)| &entity.name),
            node: owner.and_then(|(entity, _)| entity.node),
            triangle: owner.map(|(_, triangle)| triangle),
            point: place(largest.point),
            nearest: place(largest.nearest),
        }
    }
}
