//! Code that the triangle and the convex polygon share: areas with straight sides.
//!
//! Corners are finite, counter-clockwise and convex with an area; corners on a straight side are allowed. Edge i
//! leads from corner i to the next.

use super::line_predicates::{ExactLine, orientation, side_of_ray};
use super::ray::LocalRay2;
use crate::shape::{Crossing, Span};
use core::cmp::Ordering;
use glam::Vec2;

/// Returns edge i.
pub(super) fn edge(corners: &[Vec2], i: usize) -> ExactLine {
    ExactLine::through(corners[i], corners[(i + 1) % corners.len()])
}

/// Returns the span of the ray's line in the area.
///
/// The answer depends only on the side of the line on which each corner is. So neighbours that share a corner agree
/// about it. The line enters where the outline changes from its left to its right, and leaves where it changes back. A
/// corner on the line is treated as between left and right. If the line goes through a corner, two edges qualify and
/// give the same t. The first edge is taken.
pub(super) fn span(corners: &[Vec2], ray: &LocalRay2) -> Option<Span> {
    let (mut enter, mut exit) = (None, None);
    let mut next = side_of_ray(ray, *corners.first()?);
    for i in 0..corners.len() {
        let side = next;
        next = side_of_ray(ray, corners[(i + 1) % corners.len()]);
        match side.cmp(&next) {
            Ordering::Greater => enter = enter.or(Some(i)),
            Ordering::Less => exit = exit.or(Some(i)),
            Ordering::Equal => {}
        }
    }
    let crossing = |i| Some(Crossing { t: edge(corners, i).crossing(ray)?.0, feature: i });
    Some(Span { enter: crossing(enter?)?, exit: crossing(exit?)? })
}

/// Returns whether a finite point is in the area or on its outline.
pub(super) fn contains(corners: &[Vec2], point: Vec2) -> bool {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).all(|(&a, &b)| orientation(a, b, point) != Ordering::Less)
}
