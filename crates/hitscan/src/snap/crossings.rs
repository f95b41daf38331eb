//! The points at which edges cross on the screen.

use super::candidate::{CrossedEdge, SnapCandidate, SnapFeature};
use super::feature::{NearEdge, PartOrder};
use super::kind::SnapKind;
use super::reach::{Reach, Spot};
use crate::collections::sort::SharedSort;
use crate::math::float::sqrt;
use alloc::vec::Vec;
use glam::{DVec2, DVec3};

/// Returns the crossings of all pairs of edges, within reach.
pub(super) fn crossings_in_reach<'a>(edges: &[NearEdge<'a>], reach: &Reach) -> Vec<SnapCandidate<'a>> {
    let mut found = Vec::new();
    let mut boxes: Vec<PixelBox<'_, '_>> = edges.iter().map(|edge| PixelBox::around_edge(edge, reach)).collect();
    boxes.sort_shared_by(|a, b| a.min.x.total_cmp(&b.min.x).then_with(|| place(a.edge).cmp(&place(b.edge))));
    for (number, a) in boxes.iter().enumerate() {
        let beside = boxes[number + 1..].iter().take_while(|b| b.min.x <= a.max.x);
        let meeting = beside.filter(|b| b.min.y <= a.max.y && a.min.y <= b.max.y);
        found.extend(meeting.filter_map(|b| crossing(a.edge, b.edge, reach)));
    }
    found
}

/// A rectangle around the part of an edge within reach, in pixels relative to the cursor. Two edges whose boxes do not
/// overlap do not cross.
struct PixelBox<'e, 'a> {
    edge: &'e NearEdge<'a>,
    min: DVec2,
    max: DVec2,
}

/// The amount by which boxes are widened, relative to the radius. A crossing is computed from the same projected ends as the boxes of its edges. So it is in
/// both boxes, except for the rounding of a quotient, which is the unit roundoff 2^-53 times a coordinate within the radius. The margin is 2^37 times as much,
/// and a wider box only costs work.
const MARGIN: f64 = 1.0 / (1 << 16) as f64;

impl<'e, 'a> PixelBox<'e, 'a> {
    fn around_edge(edge: &'e NearEdge<'a>, reach: &Reach) -> Self {
        let radius = DVec2::splat(reach.radius() * (1.0 + MARGIN));
        let [a, b] = edge.ends.map(|end| reach.map.project(end)).map(|end| (end.pixel / end.weight, end.weight));
        // The visible part of an edge with an end behind the eye extends to infinity, on either side.
        let is_in_front = a.1 > 0.0 && b.1 > 0.0 && a.0.is_finite() && b.0.is_finite();
        let [min, max] = if is_in_front { [a.0.min(b.0), a.0.max(b.0)] } else { [-radius, radius] };
        let pad = MARGIN * reach.radius();
        Self { edge, min: (min - pad).max(-radius), max: (max + pad).min(radius) }
    }
}

/// Returns the crossing of two edges, on the edge that is nearer to the eye. If the edges cross in space, the crossing
/// is on the edge that comes first in the scene.
fn crossing<'a>(a: &NearEdge<'a>, b: &NearEdge<'a>, reach: &Reach) -> Option<SnapCandidate<'a>> {
    if share_an_end(a, b) {
        return None;
    }
    let (on_a, on_b) = (spot_on(a, b, reach)?, spot_on(b, a, reach)?);
    let is_a_first = place(a) < place(b);
    // Depths that are equal up to rounding belong to edges that cross in space.
    let doubt = reach.depth_rounding(on_a.0.point) + reach.depth_rounding(on_b.0.point);
    let behind = on_a.0.depth - on_b.0.depth;
    let is_a_nearer = if behind.abs() <= doubt { is_a_first } else { behind < 0.0 };
    let (near, (spot, _), far, (_, place)) = if is_a_nearer { (a, on_a, b, on_b) } else { (b, on_b, a, on_a) };
    let crossed = CrossedEdge { feature: SnapFeature::of_edge(far), beside: beside(far, place, reach) };
    Some(SnapCandidate { crossed: Some(crossed), ..SnapCandidate::on_edge(SnapKind::Crossing, near, spot) })
}

fn place(edge: &NearEdge<'_>) -> (PartOrder, Option<u32>, [u32; 2]) {
    (PartOrder::of_part(edge.part), edge.triangle, edge.vertices)
}

fn share_an_end(a: &NearEdge<'_>, b: &NearEdge<'_>) -> bool {
    a.ends.iter().any(|end| b.ends.contains(end))
}

/// Returns the point of an edge at which another edge crosses it on the screen. Also returns the fraction of the edge from its first end to that point.
///
/// The line of the other edge, in homogeneous coordinates, is the cross product of its ends. The point divides the edge in the ratio of the distances of the
/// edge's ends from that line.
fn spot_on(edge: &NearEdge<'_>, other: &NearEdge<'_>, reach: &Reach) -> Option<(Spot, f64)> {
    let [from, to] = edge.ends.map(|end| reach.map.project(end));
    let [c, d] = other.ends.map(|end| reach.map.project(end));
    let line = c.pixel.extend(c.weight).cross(d.pixel.extend(d.weight));
    let [start, end] = [from, to].map(|end| end.pixel.extend(end.weight).dot(line));
    let place = start / (start - end);
    if !(0.0..=1.0).contains(&place) {
        return None;
    }
    Some((reach.point(at(edge, place))?, place))
}

fn at(edge: &NearEdge<'_>, place: f64) -> DVec3 {
    edge.ends[0] + (edge.ends[1] - edge.ends[0]) * place
}

/// Returns the points of an edge that are about a pixel before and after a point. That point is given as a fraction of the edge. If an end of the edge is
/// nearer, the end is returned instead.
fn beside(edge: &NearEdge<'_>, place: f64, reach: &Reach) -> [DVec3; 2] {
    let [from, to] = edge.ends.map(|end| reach.map.project(end));
    let (step, growth) = (to.pixel - from.pixel, to.weight - from.weight);
    let (pixel, weight) = (from.pixel + step * place, from.weight + growth * place);
    // This is the speed on the screen, in pixels for the whole edge.
    let speed = (step * weight - pixel * growth) / (weight * weight);
    let pixel = 1.0 / sqrt(speed.length_squared());
    [place - pixel, place + pixel].map(|place| at(edge, place.clamp(0.0, 1.0)))
}
