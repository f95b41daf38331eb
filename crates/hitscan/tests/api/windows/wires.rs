//! Clouds of points and polylines.

use crate::numbers::Numbers;
use crate::world::World;
use hitscan::error::WireError;
use hitscan::glam::Vec3;
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{Geometry, Sphere};

impl Numbers {
    /// Returns a cloud or a polyline, or a ball if its constructor refuses it.
    pub(crate) fn wire(&mut self) -> Geometry {
        let wire = match self.below(2) {
            0 => PointCloud::new(&self.points(40)).map(Geometry::from),
            _ => Polyline::from_strips(self.strips()).map(Geometry::from),
        };
        wire.unwrap_or_else(|_| Sphere::new(1.0).into())
    }

    fn strips(&mut self) -> Vec<Vec<Vec3>> {
        (0..self.below(4)).map(|_| self.points(8)).collect()
    }
}

/// Checks that an error names the first invalid point, and that valid points are all kept.
pub(super) fn build(world: &mut World<'_>) {
    let points = world.numbers.points(40);
    let cloud = world.log.call("PointCloud::new", &points, || PointCloud::new(&points));
    let wrong = points.iter().position(|point| !point.is_finite());
    let is_right = match (&cloud, wrong) {
        (Ok(cloud), None) => cloud.positions() == points,
        (Err(WireError::Point { index, .. }), Some(wrong)) => *index == wrong,
        _ => false,
    };
    world.log.check(is_right, "the first offender", || format!("{wrong:?} {:?}", cloud.as_ref().err()));
    if let Ok(cloud) = &cloud {
        let holds = points.iter().all(|&point| cloud.bounds().contains(point));
        world.log.check(holds, "bounds", || format!("{:?} of {points:?}", cloud.bounds()));
    }
    line(world);
}

fn line(world: &mut World<'_>) {
    let strips = world.numbers.strips();
    let line = world.log.call("Polyline::from_strips", &strips, || Polyline::from_strips(&strips));
    let short = strips.iter().position(|strip| strip.len() < 2);
    let wrong = strips.iter().flatten().position(|point| !point.is_finite());
    let is_right = match (&line, short, wrong) {
        (Ok(line), None, None) => line.strips().eq(strips.iter().map(Vec::as_slice)),
        (Err(WireError::Strip { strip, .. }), Some(short), _) => *strip == short,
        (Err(WireError::Point { index, .. }), None, Some(wrong)) => *index == wrong,
        _ => false,
    };
    world.log.check(is_right, "the first offender", || format!("{short:?} {wrong:?} {:?}", line.as_ref().err()));
    let Ok(line) = line else { return };
    let number = world.numbers.index_u32(line.segment_count());
    let segment = world.log.call("Polyline::segment", &number, || line.segment(number));
    let is_there = (number as usize) < line.segment_count();
    let is_right = segment.is_some() == is_there
        && segment.is_none_or(|ends| ends.iter().all(|&end| (end as usize) < line.positions().len()));
    world.log.check(is_right, "segment", || format!("{number}: {segment:?}"));
}
