//! Triangles, vertices and edges of a mesh or a height field in a region.

use super::volume::{Buffers, RegionFrame, RegionVolume};
use super::{Found, Rule};
use crate::bvh::{BoxPlace, BoxRegion};
use crate::geom::hit::Side;
use crate::math::float::inverse_power_of_two;
use crate::query::View;
use crate::scene::{Part, PartGeometry};
use crate::shape::triangle_normal;
use crate::tri::TriangleSet;
use crate::tri::degenerate::has_area;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// What of a triangle is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Triangle,
    Vertex,
    Edge,
}

/// A part that is made of triangles, as a region sees it.
pub(super) struct SurfaceTest<'q, K> {
    view: &'q View<'q, K>,
    volume: &'q RegionVolume<'q>,
    part: &'q Part,
    surface: &'q dyn TriangleSet,
    /// The transform from the part's space to offsets from the eye.
    to_offset: DAffine3,
    local: RegionFrame<'q>,
    /// The viewpoint in the part's space: a point and 1, or a direction and 0.
    viewpoint: (DVec3, f64),
}

/// The region that everything is in.
struct Everywhere;

impl BoxRegion for Everywhere {
    fn place(&self, _: DVec3, _: DVec3) -> BoxPlace {
        BoxPlace::Inside
    }
}

/// Handles a triangle that counts, given its number, its local corners, and where the box around it is.
type TriangleVisitor<'a> = dyn FnMut(u32, [Vec3; 3], BoxPlace) -> ControlFlow<()> + 'a;

/// Returns what a part is made of, if that is triangles.
pub(super) fn triangles_of(part: &Part) -> Option<&dyn TriangleSet> {
    match &part.geometry {
        PartGeometry::Mesh(mesh) => Some(mesh),
        PartGeometry::HeightField(field) => Some(field),
        PartGeometry::Shape(_) | PartGeometry::ConvexHull(_) | PartGeometry::Custom(_) => None,
    }
}

impl<'q, K: Clone + Eq + Hash> SurfaceTest<'q, K> {
    /// Returns `None` for a part that is not made of triangles. The eye is in the world.
    pub(super) fn new(view: &'q View<'q, K>, volume: &'q RegionVolume<'q>, eye: DVec3, part: &'q Part) -> Option<Self> {
        let surface = triangles_of(part)?;
        let to_offset = DAffine3 { translation: part.to_world.translation - eye, ..part.to_world };
        let (place, weight) = volume.space.viewpoint();
        let to_local = part.to_local.affine();
        let viewpoint = match weight {
            0.0 => to_local.transform_vector3(place),
            _ => to_local.transform_point3(eye + place),
        };
        let local = volume.framed(&to_offset, reach(surface));
        Some(Self { view, volume, part, surface, to_offset, local, viewpoint: (viewpoint, weight) })
    }

    /// Adds what is selected of the part, given where the box around it is. Some may be added more than once.
    pub(super) fn add(&self, place: BoxPlace, element: Element, rule: Rule, buffers: &mut Buffers, found: &mut Found) {
        let _ = self.each(place, &mut |triangle, corners, place| {
            self.add_of(triangle, &corners, place, element, rule, buffers, found);
            ControlFlow::Continue(())
        });
    }

    /// Adds what is selected of a triangle that was seen, if it counts.
    pub(super) fn add_seen(
        &self,
        triangle: u32,
        element: Element,
        rule: Rule,
        buffers: &mut Buffers,
        found: &mut Found,
    ) {
        if let Some(corners) = self.part.geometry.triangle(triangle) {
            // What was seen has a point in the region.
            let is_known = element == Element::Triangle && rule == Rule::Touching;
            let place = if is_known { BoxPlace::Inside } else { BoxPlace::Crossing };
            self.add_of(triangle, &corners, place, element, rule, buffers, found);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn add_of(
        &self,
        triangle: u32,
        corners: &[Vec3; 3],
        place: BoxPlace,
        element: Element,
        rule: Rule,
        buffers: &mut Buffers,
        found: &mut Found,
    ) {
        let corners = corners.map(|corner| self.local.to_pixels(corner.as_dvec3()));
        let mut is_selected =
            |corners: &[DVec3]| place == BoxPlace::Inside || self.volume.selects(corners, rule, buffers);
        match element {
            Element::Triangle => {
                if is_selected(&corners) {
                    found.push(triangle.into());
                }
            }
            Element::Vertex => {
                let Some(vertices) = self.part.geometry.indices(triangle) else { return };
                for (vertex, corner) in vertices.into_iter().zip(corners) {
                    if is_selected(&[corner]) {
                        found.push(vertex.into());
                    }
                }
            }
            Element::Edge => {
                let Some(vertices) = self.part.geometry.indices(triangle) else { return };
                for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                    if is_selected(&[corners[from], corners[to]]) {
                        let (a, b) = (vertices[from].min(vertices[to]), vertices[from].max(vertices[to]));
                        found.push(u64::from(a) << 32 | u64::from(b));
                    }
                }
            }
        }
    }

    /// Returns whether the part is selected as a whole, given where the box around it is; `None` if no triangle counts, so that it neither is nor hinders.
    pub(super) fn selects(&self, place: BoxPlace, rule: Rule, buffers: &mut Buffers) -> Option<bool> {
        let mut selected = None;
        let is_all_inside = place == BoxPlace::Inside;
        let mut show = |_: u32, corners: [Vec3; 3], place: BoxPlace| {
            let corners = || corners.map(|corner| self.local.to_pixels(corner.as_dvec3()));
            let is_selected = place == BoxPlace::Inside || self.volume.selects(&corners(), rule, buffers);
            selected = Some(is_selected);
            // One triangle that touches the region is enough, and so is one that is not inside.
            if is_all_inside || is_selected == (rule == Rule::Touching) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        match rule {
            Rule::Inside => {
                // Here, what is outside matters too.
                let _ = self.each_below(&OutsideToo(&self.in_tree()), place, &mut show);
            }
            Rule::Touching | Rule::Center => {
                let _ = self.each(place, &mut show);
            }
        }
        selected
    }

    /// Shows every triangle that counts and may be in the region, some perhaps more than once.
    fn each(&self, place: BoxPlace, show: &mut TriangleVisitor<'_>) -> ControlFlow<()> {
        self.each_below(&self.in_tree(), place, show)
    }

    fn each_below(&self, region: &impl BoxRegion, place: BoxPlace, show: &mut TriangleVisitor<'_>) -> ControlFlow<()> {
        let (tree, _) = self.surface.tree();
        let mut visit = |leaf: u32, place: BoxPlace| {
            let mut flow = ControlFlow::Continue(());
            self.surface.leaf(leaf, &mut |triangle, corners| {
                if flow.is_continue() && self.counts(triangle, corners) {
                    flow = show(triangle, corners, place);
                }
            });
            flow
        };
        match place {
            BoxPlace::Inside => tree.within(&Everywhere, &mut visit),
            BoxPlace::Crossing | BoxPlace::Outside => tree.within(region, &mut visit),
        }
    }

    /// Returns the region in the coordinates of the part's tree.
    fn in_tree(&self) -> RegionFrame<'_> {
        let unit = inverse_power_of_two(self.surface.tree().1.scale);
        let to_offset = DAffine3 { matrix3: self.to_offset.matrix3 * unit, ..self.to_offset };
        self.volume.framed(&to_offset, reach(self.surface) / unit)
    }

    /// Returns whether a triangle has an area, and the filter lets it count.
    fn counts(&self, triangle: u32, corners: [Vec3; 3]) -> bool {
        has_area(corners)
            && (self.view.takes_all_sides()
                || self.view.takes_side(self.part, Some(triangle), self.side_of(corners.map(Vec3::as_dvec3))))
    }

    fn side_of(&self, corners: [DVec3; 3]) -> Side {
        let (place, weight) = self.viewpoint;
        let normal = triangle_normal(corners);
        if normal.dot(place - corners[0] * weight) >= 0.0 { Side::Front } else { Side::Back }
    }
}

/// A region that also shows what is outside of it.
struct OutsideToo<'a>(&'a RegionFrame<'a>);

impl BoxRegion for OutsideToo<'_> {
    fn place(&self, low: DVec3, high: DVec3) -> BoxPlace {
        match self.0.place(low, high) {
            BoxPlace::Outside => BoxPlace::Crossing,
            place => place,
        }
    }
}

/// Returns an upper bound of the coordinates of a surface, by axis.
fn reach(surface: &dyn TriangleSet) -> DVec3 {
    let bounds = surface.bounds();
    bounds.min.abs().max(bounds.max.abs()).as_dvec3()
}

/// Sorts what was found, and leaves each once.
pub(super) fn in_order(found: &mut Vec<u64>) {
    found.sort_unstable();
    found.dedup();
}
