//! From validated triangles to tree and packets.

use super::packet::Packet;
use super::{Shared, clip};
use crate::aabb::Aabb;
use crate::bvh::{Frame, Primitives, Quality, WideBvh};
use crate::float::{round_down, round_up};
use crate::shape::triangle_normal;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

impl Shared {
    pub(super) fn build(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, quality: Quality) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|index| positions[index as usize]);
        let has_area = |t: &[u32; 3]| triangle_normal(corners(t).map(|v| v.as_dvec3())) != DVec3::ZERO;
        let bounds = Aabb::from_points(triangles.iter().flat_map(corners));
        let frame = Frame::new(bounds);
        let solid: Vec<u32> = (0..).zip(&triangles).filter(|(_, t)| has_area(t)).map(|(number, _)| number).collect();
        let degenerate = triangles.len() - solid.len();
        let items = Items { positions: &positions, triangles: &triangles, solid: &solid, scale: frame.scale };
        let (tree, packets) = WideBvh::build(&items, quality, |leaf| items.packet(leaf));
        let is_exact = |x: f32| f64::from((f64::from(x) * frame.scale) as f32) == f64::from(x) * frame.scale;
        let packets_are_exact = positions.iter().all(|v| v.to_array().into_iter().all(is_exact));
        Self { positions, triangles, degenerate, bounds, frame, tree, packets, packets_are_exact }
    }
}

/// The triangles with an area, in a frame's coordinates.
struct Items<'a> {
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// Which triangle each item is.
    solid: &'a [u32],
    scale: f64,
}

impl Items<'_> {
    fn corners(&self, item: u32) -> [DVec3; 3] {
        let triangle = self.triangles[self.solid[item as usize] as usize];
        triangle.map(|index| self.positions[index as usize].as_dvec3() * self.scale)
    }

    fn packet(&self, items: &[u32]) -> Packet {
        Packet::new(items.iter().map(|&item| (self.solid[item as usize], self.corners(item))))
    }
}

impl Primitives for Items<'_> {
    fn len(&self) -> usize {
        self.solid.len()
    }

    fn bounds(&self, item: u32) -> Aabb {
        let [a, b, c] = self.corners(item);
        rounded_outwards(a.min(b).min(c), a.max(b).max(c))
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        let (low, high) = clip::bounds(self.corners(item), cell);
        let (part, own) = (rounded_outwards(low, high), self.bounds(item));
        Aabb { min: part.min.max(cell.min).max(own.min), max: part.max.min(cell.max).min(own.max) }
    }
}

fn rounded_outwards(low: DVec3, high: DVec3) -> Aabb {
    Aabb { min: Vec3::from_array(low.to_array().map(round_down)), max: Vec3::from_array(high.to_array().map(round_up)) }
}
