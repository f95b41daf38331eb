//! Points of clouds, and vertices and segments of polylines, in a region.

use super::seen::WireSight;
use super::surface::Element;
use super::volume::{Buffers, Complement, RegionFrame, RegionVolume};
use super::{Found, Rule};
use crate::bvh::{BoxPlace, BoxRegion};
use crate::geom::aabb::Aabb;
use crate::scene::{Part, PartGeometry};
use crate::wire::{PointCloud, Polyline};
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The test of a part that is made of points or segments against a region.
pub(super) struct WireTest<'q> {
    volume: &'q RegionVolume<'q>,
    part: &'q Part,
    wire: Wire<'q>,
    /// The region in the units of the tree.
    frame: RegionFrame<'q>,
}

#[derive(Clone, Copy)]
enum Wire<'q> {
    Cloud(&'q PointCloud),
    Line(&'q Polyline),
}

/// A point or a segment. It has its number, its local ends, and the position of a box around it.
type WireSimplex<'s> = (u32, &'s [Vec3], BoxPlace);

/// The visitor of elements. It gets their numbers, their local ends, and the position of a box around each.
type ElementVisitor<'a> = dyn FnMut(u64, &[Vec3], BoxPlace) -> ControlFlow<()> + 'a;

impl<'q> Wire<'q> {
    fn of_part(part: &'q Part) -> Option<Self> {
        match &part.geometry {
            PartGeometry::PointCloud(cloud) => Some(Self::Cloud(cloud)),
            PartGeometry::Polyline(line) => Some(Self::Line(line)),
            PartGeometry::Shape(_)
            | PartGeometry::Mesh(_)
            | PartGeometry::HeightField(_)
            | PartGeometry::ConvexHull(_)
            | PartGeometry::Custom(_) => None,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Cloud(cloud) => cloud.positions().is_empty(),
            Self::Line(line) => line.segment_count() == 0,
        }
    }

    fn bounds(&self) -> Aabb {
        match self {
            Self::Cloud(cloud) => cloud.bounds(),
            Self::Line(line) => line.bounds(),
        }
    }

    /// Returns the number of the tree's units in one local unit.
    fn scale(&self) -> f64 {
        match self {
            Self::Cloud(cloud) => cloud.tree().scale(),
            Self::Line(line) => line.tree().scale(),
        }
    }
}

/// Returns whether a part that is made of points or segments has any; `None` for any other part.
pub(super) fn has_wire(part: &Part) -> Option<bool> {
    Wire::of_part(part).map(|wire| !wire.is_empty())
}

impl<'q> WireTest<'q> {
    /// Makes the test of a part, given the eye in the world. Returns `None` for a part that is made of neither points nor segments.
    pub(super) fn new(volume: &'q RegionVolume<'q>, eye: DVec3, part: &'q Part) -> Option<Self> {
        let wire = Wire::of_part(part)?;
        let frame = volume.framed_for(part, eye, wire.scale(), &wire.bounds());
        Some(Self { volume, part, wire, frame })
    }

    /// Returns whether some point of the part is in the region, given the position of the part's box; `None` if the part has no point.
    pub(super) fn touches(&self, place: BoxPlace, buffers: &mut Buffers) -> Option<bool> {
        let mut is_found = false;
        self.each_within(&self.frame, place, &mut |(_, corners, place)| {
            is_found = place == BoxPlace::Inside || self.selects(corners, Rule::Touching, buffers);
            if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (!self.wire.is_empty()).then_some(is_found)
    }

    /// Returns whether all points of the part are in the region, given the position of the part's box; `None` if the part has no point.
    pub(super) fn is_inside(&self, place: BoxPlace, buffers: &mut Buffers) -> Option<bool> {
        let mut is_inside = true;
        self.each_within(&Complement(&self.frame), place.complement(), &mut |(_, corners, _)| {
            is_inside = self.selects(corners, Rule::Inside, buffers);
            if is_inside { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        (!self.wire.is_empty()).then_some(is_inside)
    }

    /// Adds the selected elements of the part, given the position of its box. Some may be added more than once.
    pub(super) fn add(&self, place: BoxPlace, element: Element, rule: Rule, buffers: &mut Buffers, found: &mut Found) {
        self.each_element(place, element, &mut |number, corners, place| {
            if place == BoxPlace::Inside || self.selects(corners, rule, buffers) {
                found.push(number);
            }
            ControlFlow::Continue(())
        });
    }

    /// Adds the visible elements of the part for which a rule holds.
    pub(super) fn add_seen<K: Clone + Eq + Hash>(
        &self,
        sight: &WireSight<'_, K>,
        (element, rule): (Element, Rule),
        buffers: &mut Buffers,
        found: &mut Found,
    ) {
        self.each_element(BoxPlace::Crossing, element, &mut |number, corners, place| {
            let is_selected = place == BoxPlace::Inside || self.selects(corners, rule, buffers);
            if is_selected && self.is_seen(sight, corners) {
                found.push(number);
            }
            ControlFlow::Continue(())
        });
    }

    /// Returns whether a point or a segment of the part is seen.
    pub(super) fn has_seen<K: Clone + Eq + Hash>(&self, sight: &WireSight<'_, K>) -> bool {
        let mut is_found = false;
        self.each_within(&self.frame, BoxPlace::Crossing, &mut |(_, corners, _)| {
            is_found = self.is_seen(sight, corners);
            if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        is_found
    }

    fn is_seen<K: Clone + Eq + Hash>(&self, sight: &WireSight<'_, K>, corners: &[Vec3]) -> bool {
        match *corners {
            [point] => sight.sees_point(self.part, self.placed(point)),
            [from, to] => sight.sees_segment(self.part, [self.placed(from), self.placed(to)]),
            _ => false,
        }
    }

    /// Returns a point in pixel space and in the world.
    fn placed(&self, point: Vec3) -> [DVec3; 2] {
        [self.to_pixels(point), self.part.to_world.transform_point3(point.as_dvec3())]
    }

    fn to_pixels(&self, point: Vec3) -> DVec3 {
        self.frame.to_pixels(point.as_dvec3() * self.wire.scale())
    }

    /// Returns whether a point or a segment is selected.
    fn selects(&self, corners: &[Vec3], rule: Rule, buffers: &mut Buffers) -> bool {
        let mut ends = [DVec3::ZERO; 2];
        ends.iter_mut().zip(corners).for_each(|(end, &corner)| *end = self.to_pixels(corner));
        self.volume.selects(&ends[..corners.len()], rule, buffers)
    }

    /// Calls `show` with every point or segment whose box is not outside.
    fn each_within(
        &self,
        region: &impl BoxRegion,
        place: BoxPlace,
        show: &mut dyn FnMut(WireSimplex<'_>) -> ControlFlow<()>,
    ) {
        let _ = match self.wire {
            Wire::Cloud(cloud) => {
                cloud.tree().within(region, place, |number, corners, place| show((number, &corners, place)))
            }
            Wire::Line(line) => {
                line.tree().within(region, place, |number, corners, place| show((number, &corners, place)))
            }
        };
    }

    /// Calls `show` with every element of a kind whose box is not outside. The arguments are its number, its local ends, and the position of a box around it. A
    /// vertex that two segments share comes twice.
    fn each_element(&self, place: BoxPlace, element: Element, show: &mut ElementVisitor<'_>) {
        let wire = self.wire;
        self.each_within(&self.frame, place, &mut |(number, corners, place)| match (wire, element) {
            (Wire::Cloud(_), Element::Vertex) => show(number.into(), corners, place),
            (Wire::Line(line), Element::Vertex) => {
                let vertices = line.segment(number).into_iter().flatten().map(u64::from);
                vertices.zip(corners.chunks(1)).try_for_each(|(vertex, end)| show(vertex, end, place))
            }
            (Wire::Line(line), Element::Edge) => match line.segment(number).map(|ends| ends.map(u64::from)) {
                Some([first, last]) => show(first << 32 | last, corners, place),
                None => ControlFlow::Continue(()),
            },
            (Wire::Cloud(_), Element::Edge) | (_, Element::Triangle) => ControlFlow::Break(()),
        });
    }
}
