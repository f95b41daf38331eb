//! The border of the intersection of a region and the viewport.

use super::lasso::Lasso;
use super::outline::Outline;
use super::pixel_rect::PixelRect;
use super::volume::RegionVolume;
use crate::collections::sort::SharedSort;
use crate::math::float::sqrt;
use alloc::vec::Vec;
use glam::DVec2;

/// The border of a region within the viewport.
#[derive(Default)]
pub(super) struct RegionBorder {
    /// The line of a lasso.
    pub(super) line: Vec<[DVec2; 2]>,
    /// The other straight parts of the border. They are parts of the sides of the viewport or of a rectangle.
    pub(super) sides: Vec<[DVec2; 2]>,
    /// The centre and the radius of the circle, if the region is a circle.
    pub(super) circle: Option<(DVec2, f64)>,
    /// The arcs of the circle, given by the unit vectors from the centre to their ends. Each is at most an eighth of the circle.
    pub(super) arcs: Vec<[DVec2; 2]>,
}

impl RegionBorder {
    pub(super) fn new(volume: &RegionVolume<'_>) -> Self {
        let bounds = &volume.bounds;
        match volume.outline {
            Outline::Rect(_) => Self { sides: sides(bounds).into(), ..Self::default() },
            Outline::Circle { center, radius } => Self {
                sides: sides(bounds).into_iter().filter_map(|side| chord(side, *center, *radius)).collect(),
                circle: Some((*center, *radius)),
                arcs: arcs(*center, *radius, bounds),
                ..Self::default()
            },
            Outline::Lasso(lasso) => Self {
                line: lasso.edges().filter_map(|edge| bounds.part_of(edge)).collect(),
                sides: sides(bounds).into_iter().flat_map(|side| parts_inside(lasso, side)).collect(),
                ..Self::default()
            },
        }
    }

    /// Returns the straight pieces that may be in a rectangle, or all of them if there is no rectangle.
    pub(super) fn segments(&self, around: Option<PixelRect>) -> impl Iterator<Item = [DVec2; 2]> {
        let may_be_in = move |ends: &[DVec2; 2]| {
            around.is_none_or(|around| PixelRect::around(ends).intersection(&around).is_some())
        };
        self.line.iter().chain(&self.sides).copied().filter(may_be_in)
    }
}

fn sides(rect: &PixelRect) -> [[DVec2; 2]; 4] {
    let corners = rect.corners();
    [0, 1, 2, 3].map(|side| [corners[side], corners[(side + 1) % 4]])
}

/// Returns the part of a segment that is in a circle.
fn chord([from, to]: [DVec2; 2], center: DVec2, radius: f64) -> Option<[DVec2; 2]> {
    let (way, off) = (to - from, center - from);
    let square = way.length_squared();
    let along = if square > 0.0 { off.dot(way) / square } else { 0.0 };
    let across = (off - way * along).length_squared();
    let half = if square > 0.0 { sqrt(((radius * radius - across) / square).max(0.0)) } else { 0.0 };
    let (low, high) = ((along - half).max(0.0), (along + half).min(1.0));
    (across <= radius * radius && low <= high).then(|| [low, high].map(|place| from + way * place))
}

/// Returns the arcs of a circle that are in a rectangle.
fn arcs(center: DVec2, radius: f64, rect: &PixelRect) -> Vec<[DVec2; 2]> {
    const EIGHTHS: [DVec2; 8] = {
        let half = core::f64::consts::FRAC_1_SQRT_2;
        [
            DVec2::new(1.0, 0.0),
            DVec2::new(half, half),
            DVec2::new(0.0, 1.0),
            DVec2::new(-half, half),
            DVec2::new(-1.0, 0.0),
            DVec2::new(-half, -half),
            DVec2::new(0.0, -1.0),
            DVec2::new(half, -half),
        ]
    };
    let mut ends: Vec<DVec2> = EIGHTHS.into();
    for axis in 0..2 {
        for at in [rect.min[axis], rect.max[axis]] {
            let off = (at - center[axis]) / radius;
            let across = sqrt((1.0 - off * off).max(0.0));
            for other in [-across, across] {
                let mut end = DVec2::splat(off);
                end[1 - axis] = other;
                if off.abs() < 1.0 {
                    ends.push(end);
                }
            }
        }
    }
    ends.sort_shared_by(|a, b| libm::atan2(a.y, a.x).total_cmp(&libm::atan2(b.y, b.x)));
    let next = ends.iter().cycle().skip(1);
    let is_in_rect = |&[from, to]: &[DVec2; 2]| {
        let middle = from + to;
        from != to && rect.contains(center + middle * (radius / sqrt(middle.length_squared())))
    };
    ends.iter().zip(next).map(|(&from, &to)| [from, to]).filter(is_in_rect).collect()
}

/// Returns the parts of a segment that are within a lasso.
fn parts_inside(lasso: &Lasso, [from, to]: [DVec2; 2]) -> Vec<[DVec2; 2]> {
    let at = |place: f64| from + (to - from) * place;
    let mut places: Vec<f64> = lasso.edges().filter_map(|edge| place_of_crossing([from, to], edge)).collect();
    places.extend([0.0, 1.0]);
    places.sort_shared_by(f64::total_cmp);
    let parts = places.iter().zip(places.iter().skip(1)).map(|(&low, &high)| [low, high]);
    parts.filter(|[low, high]| lasso.contains(at((low + high) * 0.5))).map(|part| part.map(at)).collect()
}

/// Returns the fraction of the first segment, from 0 to 1, at which the second segment crosses it.
fn place_of_crossing([a, b]: [DVec2; 2], [p, q]: [DVec2; 2]) -> Option<f64> {
    let way = b - a;
    let [before, after] = [p, q].map(|end| way.perp_dot(end - a));
    if (before > 0.0) == (after > 0.0) {
        return None;
    }
    let crossing = p + (q - p) * (before / (before - after));
    let place = (crossing - a).dot(way) / way.length_squared();
    (0.0..=1.0).contains(&place).then_some(place)
}
