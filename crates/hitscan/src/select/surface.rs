//! Triangles, vertices and edges of a mesh or a height field in a region.

use super::volume::{Buffers, Complement, RegionFrame, RegionVolume};
use super::{Found, Rule};
use crate::bvh::{BoxPlace, RegionVisitor};
use crate::collections::sort::SharedSort;
use crate::geom::hit::Side;
use crate::query::View;
use crate::scene::{Part, PartGeometry};
use crate::shape::triangle_normal;
use crate::tri::TriangleSet;
use core::cell::OnceCell;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The kind of elements that are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Triangle,
    Vertex,
    Edge,
}

/// The test of a part that is made of triangles against a region.
pub(super) struct SurfaceTest<'q, K> {
    view: &'q View<'q, K>,
    volume: &'q RegionVolume<'q>,
    part: &'q Part,
    surface: &'q dyn TriangleSet,
    /// The eye in the world.
    eye: DVec3,
    /// The region in the coordinates of the surface's tree.
    frame: OnceCell<RegionFrame<'q>>,
    /// The viewpoint in the part's space, if sides matter: a point and 1, or a direction and 0.
    viewpoint: Option<(DVec3, f64)>,
}

/// A selectable triangle. It has its number, its local corners, and the position of a box around it.
type CountedTriangle = (u32, [Vec3; 3], BoxPlace);

/// Returns the triangle set of a part, if it is made of triangles.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn triangles_of(part: &Part) -> Option<&dyn TriangleSet> {
    match &part.geometry {
        PartGeometry::Mesh(mesh) => Some(mesh),
        PartGeometry::HeightField(field) => Some(field),
        PartGeometry::Shape(_)
        | PartGeometry::ConvexHull(_)
        | PartGeometry::Custom(_)
        | PartGeometry::PointCloud(_)
        | PartGeometry::Polyline(_) => None,
    }
}

/// Returns whether all triangles of a part certainly have an area.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn surely_has_area(part: &Part) -> bool {
    triangles_of(part).is_some_and(|surface| surface.all_have_area() && !surface.tree().0.is_empty())
}

impl<'q, K: Clone + Eq + Hash> SurfaceTest<'q, K> {
    /// Makes the test of a part, given the eye in the world; `None` for a part that is not made of triangles.
    pub(super) fn new(view: &'q View<'q, K>, volume: &'q RegionVolume<'q>, eye: DVec3, part: &'q Part) -> Option<Self> {
        let surface = triangles_of(part)?;
        let viewpoint = (!view.takes_all_sides()).then(|| {
            let to_local = part.to_local.affine();
            match volume.space.viewpoint() {
                (direction, 0.0) => (to_local.transform_vector3(direction), 0.0),
                (place, weight) => (to_local.transform_point3(eye + place), weight),
            }
        });
        Some(Self { view, volume, part, surface, eye, frame: OnceCell::new(), viewpoint })
    }

    /// Adds the selected elements of the part, given the position of its box. Some may be added more than once.
    pub(super) fn add(&self, place: BoxPlace, element: Element, rule: Rule, buffers: &mut Buffers, found: &mut Found) {
        let is_all_inside = place == BoxPlace::Inside;
        // The box of a leaf may contain only a piece of a triangle, which is then in other leaves too.
        let is_enough = element == Element::Triangle && rule == Rule::Touching;
        let mut visitor = RegionLeaves(|leaf, place| {
            let is_inside = place == BoxPlace::Inside && (is_all_inside || is_enough);
            if is_inside && self.all_count() {
                self.surface.leaf_numbers(leaf, &mut |triangle| self.add_all(triangle, element, found));
                return ControlFlow::Continue(());
            }
            self.each_of_leaf(leaf, place, &mut |(triangle, corners, _)| {
                if is_inside {
                    self.add_all(triangle, element, found);
                } else {
                    self.add_some(triangle, corners, element, rule, buffers, found);
                }
                ControlFlow::Continue(())
            })
        });
        let _ = self.surface.tree().0.within(self.frame(), place, &mut visitor);
    }

    /// Adds the selected elements of a triangle that was seen.
    pub(super) fn add_seen(
        &self,
        triangle: u32,
        element: Element,
        rule: Rule,
        buffers: &mut Buffers,
        found: &mut Found,
    ) {
        // A triangle that was seen has a point in the region.
        if element == Element::Triangle && rule == Rule::Touching {
            self.add_all(triangle, element, found);
        } else if let Some(corners) = self.part.geometry.triangle(triangle) {
            self.add_some(triangle, corners, element, rule, buffers, found);
        }
    }

    /// Adds all elements of a triangle.
    fn add_all(&self, triangle: u32, element: Element, found: &mut Found) {
        match element {
            Element::Triangle => found.push(triangle.into()),
            Element::Vertex => found.extend(self.vertices(triangle).into_iter().flatten().map(u64::from)),
            Element::Edge => found.extend(self.edges(triangle).map(|(_, edge)| edge)),
        }
    }

    /// Adds the elements of a triangle for which a rule holds.
    fn add_some(
        &self,
        triangle: u32,
        corners: [Vec3; 3],
        element: Element,
        rule: Rule,
        buffers: &mut Buffers,
        found: &mut Found,
    ) {
        let pixels = self.to_pixels(corners);
        let mut selects = |corners: &[DVec3]| self.volume.selects(corners, rule, buffers);
        match element {
            Element::Triangle => found.extend(selects(&pixels).then_some(u64::from(triangle))),
            Element::Vertex => {
                let vertices = self.vertices(triangle).into_iter().flatten().zip(pixels);
                found.extend(vertices.filter(|&(_, pixel)| selects(&[pixel])).map(|(vertex, _)| u64::from(vertex)));
            }
            Element::Edge => {
                let is_selected = |[from, to]: [usize; 2]| selects(&[pixels[from], pixels[to]]);
                let mut is_selected = is_selected;
                found.extend(self.edges(triangle).filter(|&(ends, _)| is_selected(ends)).map(|(_, edge)| edge));
            }
        }
    }

    fn vertices(&self, triangle: u32) -> Option<[u32; 3]> {
        self.part.geometry.indices(triangle)
    }

    /// Returns the edges of a triangle. An edge has the two corners that it joins, and a number that both its
    /// vertices make. The high half is the smaller vertex, and the low half is the larger one.
    fn edges(&self, triangle: u32) -> impl Iterator<Item = ([usize; 2], u64)> {
        let vertices = self.vertices(triangle);
        vertices.into_iter().flat_map(|vertices| {
            [[0, 1], [1, 2], [2, 0]].map(|ends| {
                let [a, b] = ends.map(|end| u64::from(vertices[end]));
                (ends, a.min(b) << 32 | a.max(b))
            })
        })
    }

    /// Returns whether some selectable triangle touches the region, given the position of the box around the part. Returns `None` if no triangle is known to be
    /// selectable.
    pub(super) fn touches(&self, place: BoxPlace, buffers: &mut Buffers) -> Option<bool> {
        let mut touches = None;
        let mut visitor = RegionLeaves(|leaf, place| {
            if place == BoxPlace::Inside && self.all_count() {
                touches = Some(true);
                return ControlFlow::Break(());
            }
            self.each_of_leaf(leaf, place, &mut |(_, corners, place)| {
                let is_selected =
                    place == BoxPlace::Inside || self.volume.selects(&self.to_pixels(corners), Rule::Touching, buffers);
                touches = Some(is_selected);
                if is_selected { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        let _ = self.surface.tree().0.within(self.frame(), place, &mut visitor);
        touches
    }

    /// Returns whether all selectable triangles are inside, given the position of the box around the part. Returns `None` if no triangle is selectable.
    ///
    /// The first triangle that is not inside ends the search, which begins with boxes that are wholly outside.
    pub(super) fn is_inside(&self, place: BoxPlace, buffers: &mut Buffers) -> Option<bool> {
        let mut is_inside = None;
        let mut visitor = RegionLeaves(|leaf, place| {
            self.each_of_leaf(leaf, place, &mut |(_, corners, _)| {
                let is_selected = self.volume.selects(&self.to_pixels(corners), Rule::Inside, buffers);
                is_inside = Some(is_selected);
                if is_selected { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        let _ = self.surface.tree().0.within(&Complement(self.frame()), place.complement(), &mut visitor);
        // Triangles in boxes that are inside were not tested.
        is_inside.or_else(|| self.has_triangle_that_counts().then_some(true))
    }

    /// Returns whether some triangle is selectable, wherever it is.
    pub(super) fn has_triangle_that_counts(&self) -> bool {
        if surely_has_area(self.part) && self.viewpoint.is_none() {
            return true;
        }
        let mut is_found = false;
        let mut visitor = RegionLeaves(|leaf, place| {
            self.each_of_leaf(leaf, place, &mut |_| {
                is_found = true;
                ControlFlow::Break(())
            })
        });
        // If the whole tree is treated as inside, every leaf is visited.
        let _ = self.surface.tree().0.within(self.frame(), BoxPlace::Inside, &mut visitor);
        is_found
    }

    /// Calls `show` with each selectable triangle of a leaf, until it breaks.
    fn each_of_leaf(
        &self,
        leaf: u32,
        place: BoxPlace,
        show: &mut dyn FnMut(CountedTriangle) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.surface.leaf(leaf, &mut |triangle, corners| {
            if flow.is_continue() && self.counts(triangle, corners) {
                flow = show((triangle, corners, place));
            }
        });
        flow
    }

    /// Returns the region in the coordinates of the part's tree.
    fn frame(&self) -> &RegionFrame<'q> {
        self.frame.get_or_init(|| {
            self.volume.framed_for(self.part, self.eye, self.surface.tree().1.scale, &self.surface.bounds())
        })
    }

    /// Returns the corners of a triangle in pixel space.
    fn to_pixels(&self, corners: [Vec3; 3]) -> [DVec3; 3] {
        let (frame, scale) = (self.frame(), self.surface.tree().1.scale);
        corners.map(|corner| frame.to_pixels(corner.as_dvec3() * scale))
    }

    /// Returns whether all triangles of the tree are certainly selectable.
    fn all_count(&self) -> bool {
        self.viewpoint.is_none() && self.surface.all_have_area()
    }

    /// Returns whether a triangle has an area, and the filter accepts it.
    fn counts(&self, triangle: u32, corners: [Vec3; 3]) -> bool {
        let is_taken = |viewpoint| {
            let side = side_of(corners.map(Vec3::as_dvec3), viewpoint);
            self.view.takes_side(self.part, Some(triangle), side)
        };
        self.surface.has_area(corners) && self.viewpoint.is_none_or(is_taken)
    }
}

/// A visitor of the leaves of a part's tree.
struct RegionLeaves<F>(F);

impl<F: FnMut(u32, BoxPlace) -> ControlFlow<()>> RegionVisitor for RegionLeaves<F> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, place: BoxPlace) -> ControlFlow<()> {
        self.0(leaf, place)
    }
}

/// Returns the side of a triangle that is seen from a point with weight 1, or from a direction with weight 0.
fn side_of(corners: [DVec3; 3], (place, weight): (DVec3, f64)) -> Side {
    let normal = triangle_normal(corners);
    if normal.dot(place - corners[0] * weight) >= 0.0 { Side::Front } else { Side::Back }
}

/// Sorts the found elements, and removes duplicates.
pub(super) fn in_order(found: &mut Found) {
    let end = found.iter().max().map_or(0, |most| most.saturating_add(1));
    // If the numbers are dense, a bit for each takes no more memory than the numbers do.
    if end > 64 * found.len() as u64 {
        found.sort_shared();
        found.dedup();
        return;
    }
    let mut bits = alloc::vec![0u64; (end as usize).div_ceil(64)];
    found.drain(..).for_each(|number| bits[number as usize / 64] |= 1 << (number % 64));
    for (place, &word) in (0..).zip(&bits) {
        let mut word = word;
        while word != 0 {
            found.push(64 * place + u64::from(word.trailing_zeros()));
            word &= word - 1;
        }
    }
}
