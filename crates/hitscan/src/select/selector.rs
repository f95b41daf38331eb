//! The selector, which finds the contents of a region of the window.

use super::answer::{SelectedEdge, SelectedTriangle, SelectedVertex};
use super::seen::{SampleGrid, WireSight};
use super::solid::SolidTest;
use super::surface::{Element, SurfaceTest, in_order, surely_has_area};
use super::volume::{Buffers, RegionVolume};
use super::wire::{WireTest, has_wire};
use super::{Found, Region, Rule};
use crate::bvh::BoxPlace;
use crate::camera::{Camera, Viewport};
use crate::collections::sort::SharedSort;
use crate::error::RegionError;
use crate::geom::aabb::Extent;
use crate::geom::culling::Cull;
use crate::geom::hit::Side;
use crate::query::{FirstPart, RayView, SightView, flat_plane};
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DAffine3, DVec3};

/// Selects the contents of a [`Region`] of the window: entities, triangles, vertices or edges. Points of clouds and
/// polylines are vertices, and segments are edges.
///
/// It is a value. Make it once for a drag, and ask any view of any scene. See the [module](super) for the rules.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::select::{Region, Rule, Selector};
///
/// let mut scene = Scene::new();
/// for (id, z) in [("near", -5.0), ("hidden", -9.0)] {
///     scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, z))?;
/// }
/// let camera = Camera::perspective(DAffine3::IDENTITY, 60f64.to_radians())?;
/// let marquee = Region::rect([300.0, 200.0], [500.0, 400.0])?;
/// let selector = Selector::new(&camera, [800.0, 600.0], &marquee);
/// let mut ids = Vec::new(); // to be used again
/// selector.entities(&scene, &mut ids);
/// assert_eq!(ids, ["near", "hidden"]);
/// selector.clone().visible(1.0)?.entities(&scene, &mut ids);
/// assert_eq!(ids, ["near"]);
/// selector.rule(Rule::Inside).entities(&scene, &mut ids);
/// assert_eq!(ids, ["hidden"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    camera: Camera,
    viewport: Viewport,
    region: Region,
    rule: Rule,
    spacing: Option<f32>,
}

/// The largest number of samples of a visible selection. It is enough for each pixel of a picture of 32,768 by 32,768
/// pixels.
const MOST_SAMPLES: f64 = (1u64 << 30) as f64;

impl Selector {
    /// Makes a selector of everything that [touches](Rule::Touching) a region, including hidden objects. Only the part
    /// of the region within the viewport is used. Nothing is selected through a viewport whose size is not positive
    /// and finite.
    pub fn new(camera: &Camera, viewport: impl Into<Viewport>, region: &Region) -> Self {
        let (camera, region) = (*camera, region.clone());
        Self { camera, viewport: viewport.into(), region, rule: Rule::Touching, spacing: None }
    }

    /// Chooses how much of an object must be in the region.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Selects only visible objects: the first hits of rays through samples in the region. The samples are the middles
    /// of squares of `spacing` pixels that begin at the viewport's top-left corner. With 1 these are the pixels; with
    /// logical pixels on a screen of scale 2, 0.5 samples the physical pixels.
    ///
    /// The [rule](Rule) must hold for the triangle or entity too. A vertex or an edge of triangles is selected if it
    /// belongs to a visible triangle, and the rule holds for the vertex or edge itself.
    ///
    /// Points and lines have no area that a ray could hit. A point of a [cloud](crate::wire::PointCloud) or a [polyline](crate::wire::Polyline) is visible if
    /// it is in the region and no surface is in front of it. The line of sight starts at the eye, or at the camera's near depth. A segment is visible if one of
    /// its ends is visible. It is also visible if a point where it crosses the middle of a column or a row of samples is. Surfaces through the point do not
    /// hide it, as for [cursors](crate::snap::Cursor::hidden), and points and lines hide nothing. This takes a ray for each point. A segment takes at most two
    /// for its ends, and one for each column and row that it crosses.
    ///
    /// An entity that the view's filter leaves out hides nothing, unless [`hidden_by`](crate::View::hidden_by) says
    /// otherwise. For example, `scene.with(&units).hidden_by(&all)` selects the units that nothing hides. In that
    /// case all hits of each ray are considered, up to the first occluder.
    ///
    /// # Errors
    /// Returns an error if the spacing is not positive and finite, or if there are more than 2^30 samples.
    #[doc(alias("occlusion", "x_ray", "select_through"))]
    pub fn visible(self, spacing: f32) -> Result<Self, RegionError> {
        if !(spacing > 0.0 && spacing.is_finite()) {
            return Err(RegionError::Spacing { spacing });
        }
        let volume = RegionVolume::new(&self.region, &self.camera, &self.viewport);
        let count = volume.map_or(0.0, |volume| SampleGrid::new(&volume, &self.viewport, spacing).count());
        if !(count <= MOST_SAMPLES) {
            return Err(RegionError::Samples { count });
        }
        Ok(Self { spacing: Some(spacing), ..self })
    }

    /// Writes the selected entities, in the order of insertion, into a buffer, which is cleared first.
    ///
    /// The elements of an entity are its triangles, solids, points and segments. [`Rule::Touching`] selects an entity if one of its elements touches the
    /// region. [`Rule::Inside`] selects it if all of them are inside. [`Rule::Center`] selects it if the centre of its [box](crate::Scene::bounds_of) is
    /// inside. At least one of its elements must be selectable.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::select::{Region, Rule, Selector};
    ///
    /// let mut scene = Scene::new();
    /// for (id, x) in [("left", -1.0), ("right", 1.0)] {
    ///     scene.insert(id, Sphere::new(0.5), DVec3::new(x, 0.0, -5.0))?;
    /// }
    /// let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0)?;
    /// let marquee = Region::rect([100.0, 0.0], [400.0, 400.0])?;
    /// let selector = Selector::new(&camera, [400.0, 400.0], &marquee);
    /// let mut ids = Vec::new();
    /// selector.entities(&scene, &mut ids);
    /// assert_eq!(ids, ["left", "right"]);
    /// selector.rule(Rule::Inside).entities(&scene, &mut ids);
    /// assert_eq!(ids, ["right"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/window.md")]
    pub fn entities<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K, RayView<'a, K>>>,
        ids: &mut Vec<K>,
    ) {
        ids.clear();
        let sight = view.into();
        let Some(volume) = self.volume() else { return };
        let mut found: Vec<(u64, u32)> = Vec::new();
        let Some(mut query) = Query::new(self, &sight, &volume) else { return };
        match self.spacing {
            Some(spacing) => query.seen_entities(spacing, &mut |part| found.push(part.place_in_order())),
            None => query.entities(&mut |part| found.push(part.place_in_order())),
        }
        let scene = sight.wanted.view.scene;
        in_order_of_insertion(found, |entity| ids.extend(scene.key(entity).cloned()));
    }

    /// Writes the selected triangles of meshes and height fields, in the order of entity, part and triangle, into a buffer, which is cleared first.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::select::{Region, Selector};
    ///
    /// let corners = [[-1.0, -1.0, -5.0], [1.0, -1.0, -5.0], [1.0, 1.0, -5.0], [-1.0, 1.0, -5.0]];
    /// let mut scene = Scene::new();
    /// scene.insert("sheet", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?, DVec3::ZERO)?;
    /// let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0)?;
    /// // The corner at the bottom right, which only the first triangle has.
    /// let brush = Region::circle([300.0, 300.0], 10.0)?;
    /// let mut triangles = Vec::new();
    /// Selector::new(&camera, [400.0, 400.0], &brush).triangles(&scene, &mut triangles);
    /// assert_eq!(triangles.iter().map(|found| found.triangle).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/window.md")]
    pub fn triangles<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K, RayView<'a, K>>>,
        triangles: &mut Vec<SelectedTriangle<K>>,
    ) {
        triangles.clear();
        self.elements(view.into(), Element::Triangle, |id, part, triangle| {
            triangles.push(SelectedTriangle { id, part, triangle: triangle as u32 });
        });
    }

    /// Writes the selected vertices of meshes, height fields, clouds and polylines, in the order of entity, part and vertex, into a buffer, which is cleared
    /// first. A vertex of a mesh that belongs to no triangle with an area is not selected.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::wire::PointCloud;
    /// use hitscan::select::{Region, Selector};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("scan", PointCloud::new(&[[-1.0, 0.0, -5.0], [0.5, 0.0, -5.0], [1.0, 0.0, -5.0]])?, DVec3::ZERO)?;
    /// let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0)?;
    /// let right = Region::rect([200.0, 0.0], [400.0, 400.0])?;
    /// let mut points = Vec::new();
    /// Selector::new(&camera, [400.0, 400.0], &right).vertices(&scene, &mut points);
    /// assert_eq!(points.iter().map(|found| found.vertex).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/window.md")]
    #[doc(alias("points", "point_cloud"))]
    pub fn vertices<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K, RayView<'a, K>>>,
        vertices: &mut Vec<SelectedVertex<K>>,
    ) {
        vertices.clear();
        self.elements(view.into(), Element::Vertex, |id, part, vertex| {
            vertices.push(SelectedVertex { id, part, vertex: vertex as u32 });
        });
    }

    /// Writes the selected edges, in the order of entity, part and vertices, into a buffer, which is cleared first. They are edges of triangles of meshes and
    /// height fields, and segments of polylines.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::wire::Polyline;
    /// use hitscan::select::{Region, Selector};
    ///
    /// let mut scene = Scene::new();
    /// let path = Polyline::new(&[[-1.5, 0.0, -5.0], [-0.5, 0.0, -5.0], [0.5, 0.0, -5.0], [1.5, 0.0, -5.0]])?;
    /// scene.insert("path", path, DVec3::ZERO)?;
    /// let camera = Camera::orthographic(DAffine3::IDENTITY, 4.0)?;
    /// let right = Region::rect([200.0, 0.0], [400.0, 400.0])?;
    /// let mut edges = Vec::new();
    /// Selector::new(&camera, [400.0, 400.0], &right).edges(&scene, &mut edges);
    /// assert_eq!(edges.iter().map(|edge| edge.vertices).collect::<Vec<_>>(), [[1, 2], [2, 3]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../query/edges/window.md")]
    #[doc(alias("segments", "lines"))]
    pub fn edges<'a, K: Clone + Eq + Hash + 'a>(
        &self,
        view: impl Into<SightView<'a, K, RayView<'a, K>>>,
        edges: &mut Vec<SelectedEdge<K>>,
    ) {
        edges.clear();
        self.elements(view.into(), Element::Edge, |id, part, edge| {
            edges.push(SelectedEdge { id, part, vertices: [(edge >> 32) as u32, edge as u32] });
        });
    }

    fn volume(&self) -> Option<RegionVolume<'_>> {
        RegionVolume::new(&self.region, &self.camera, &self.viewport)
    }

    fn elements<K: Clone + Eq + Hash>(
        &self,
        sight: SightView<'_, K, RayView<'_, K>>,
        element: Element,
        mut show: impl FnMut(K, u32, u64),
    ) {
        let Some(volume) = self.volume() else { return };
        let mut found: Vec<(&Part, Found)> = Vec::new();
        let Some(mut query) = Query::new(self, &sight, &volume) else { return };
        match self.spacing {
            Some(spacing) => query.seen_elements(spacing, element, &mut found),
            None => query.elements(element, &mut found),
        }
        found.sort_shared_by_key(|(part, _)| (part.order, part.index));
        for (part, mut found) in found {
            in_order(&mut found);
            if let Some(owner) = sight.wanted.view.scene.owner(part) {
                found.into_iter().for_each(|element| show(owner.key.clone(), part.index, element));
            }
        }
    }
}

/// Calls `show` with each entity once, in the order of insertion. `found` has the order and the number of each entity.
fn in_order_of_insertion(mut found: Vec<(u64, u32)>, mut show: impl FnMut(u32)) {
    const NONE: u32 = u32::MAX;
    let first = found.iter().map(|&(order, _)| order).min().unwrap_or(0);
    let end = found.iter().map(|&(order, _)| order - first + 1).max().unwrap_or(0);
    // If the orders are dense, a table indexed by the order takes no more memory than the entities do.
    if end <= 4 * found.len() as u64 {
        let mut places = alloc::vec![NONE; end as usize];
        found.into_iter().for_each(|(order, entity)| places[(order - first) as usize] = entity);
        return places.into_iter().filter(|&entity| entity != NONE).for_each(show);
    }
    found.sort_shared();
    found.dedup();
    found.into_iter().for_each(|(_, entity)| show(entity));
}

/// A selection from one view.
struct Query<'q, K> {
    selector: &'q Selector,
    sight: &'q SightView<'q, K, RayView<'q, K>>,
    view: &'q RayView<'q, K>,
    volume: &'q RegionVolume<'q>,
    solids: SolidTest<'q>,
    /// The eye in the world.
    eye: DVec3,
    buffers: Buffers,
}

impl<'q, K: Clone + Eq + Hash> Query<'q, K> {
    /// Returns `None` if the eye has no finite position, so that nothing is seen.
    fn new(
        selector: &'q Selector,
        sight: &'q SightView<'q, K, RayView<'q, K>>,
        volume: &'q RegionVolume<'q>,
    ) -> Option<Self> {
        let view = &sight.wanted;
        let eye = view.view.origin + volume.space.eye;
        let solids = SolidTest::new(volume, eye);
        eye.is_finite().then(|| Self { selector, sight, view, volume, solids, eye, buffers: Buffers::default() })
    }

    /// Calls `show` with one or more parts of each selected entity.
    fn entities(&mut self, show: &mut dyn FnMut(&'q Part)) {
        match self.selector.rule {
            Rule::Touching => self.each_part(|query, part, place| {
                if query.selects_part(part, place) == Some(true) {
                    show(part);
                }
            }),
            Rule::Inside => self.wholly_inside(show),
            Rule::Center => self.centered(show),
        }
    }

    /// Calls `show` with the first part in the region of each entity that is inside.
    fn wholly_inside(&mut self, show: &mut dyn FnMut(&'q Part)) {
        let mut near: Vec<(&Part, BoxPlace)> = Vec::new();
        self.each_part(|_, part, place| near.push((part, place)));
        near.sort_shared_by_key(|(part, _)| (part.place_in_order(), part.index));
        for parts in near.chunk_by(|(a, _), (b, _)| a.place_in_order() == b.place_in_order()) {
            if self.is_inside(parts[0].0, parts) {
                show(parts[0].0);
            }
        }
    }

    /// Calls `show` with the first part of each entity whose box has its centre in the region. Some part of the entity must be selectable. The centre of a
    /// compound's box may be in none of its parts.
    fn centered(&mut self, show: &mut dyn FnMut(&'q Part)) {
        let (_, parts) = self.view.view.scene.parts();
        for (_, part) in parts.filter(|(_, part)| part.index == 0) {
            if self.center_is_in_region(part) && self.has_part_that_counts(part) {
                show(part);
            }
        }
    }

    /// Calls `show` with a part of each selected entity that is visible.
    fn seen_entities(&mut self, spacing: f32, show: &mut dyn FnMut(&'q Part)) {
        let seen = self.seen(spacing);
        let mut parts: Vec<&Part> =
            seen.into_iter().filter_map(|(place, _)| self.view.view.scene.part_at(place)).collect();
        let sight = self.sight(spacing);
        self.each_wire(|_, part, wire| {
            if wire.has_seen(&sight) {
                parts.push(part);
            }
        });
        parts.sort_shared_by_key(|part| part.place_in_order());
        parts.dedup_by_key(|part| part.place_in_order());
        for part in parts {
            let is_selected = match self.selector.rule {
                Rule::Touching => true,
                Rule::Inside => self.is_inside(part, &[]),
                Rule::Center => self.center_is_in_region(part),
            };
            if is_selected {
                show(part);
            }
        }
    }

    fn elements(&mut self, element: Element, found: &mut Vec<(&'q Part, Found)>) {
        let rule = self.selector.rule;
        self.each_part(|query, part, place| {
            let mut of_part = Found::new();
            if let Some(test) = SurfaceTest::new(&query.view.view, query.volume, query.eye, part) {
                test.add(place, element, rule, &mut query.buffers, &mut of_part);
            } else if let Some(test) = WireTest::new(query.volume, query.eye, part) {
                test.add(place, element, rule, &mut query.buffers, &mut of_part);
            }
            if !of_part.is_empty() {
                found.push((part, of_part));
            }
        });
    }

    fn seen_elements(&mut self, spacing: f32, element: Element, found: &mut Vec<(&'q Part, Found)>) {
        let rule = self.selector.rule;
        let seen = self.seen(spacing);
        for of_part in seen.chunk_by(|a, b| a.0 == b.0) {
            let Some(part) = self.view.view.scene.part_at(of_part[0].0) else { continue };
            let Some(test) = SurfaceTest::new(&self.view.view, self.volume, self.eye, part) else { continue };
            let mut selected = Found::new();
            for triangle in of_part.iter().filter_map(|&(_, triangle)| triangle) {
                test.add_seen(triangle, element, rule, &mut self.buffers, &mut selected);
            }
            found.push((part, selected));
        }
        let sight = self.sight(spacing);
        self.each_wire(|query, part, wire| {
            let mut selected = Found::new();
            wire.add_seen(&sight, (element, rule), &mut query.buffers, &mut selected);
            found.push((part, selected));
        });
    }

    /// Calls `show` with every part that consists of points or segments, and whose box is not outside.
    fn each_wire(&mut self, mut show: impl FnMut(&mut Self, &'q Part, WireTest<'q>)) {
        self.each_part(|query, part, _| {
            if let Some(wire) = WireTest::new(query.volume, query.eye, part) {
                show(query, part, wire);
            }
        });
    }

    /// Returns the test whether points and segments are hidden.
    fn sight(&self, spacing: f32) -> WireSight<'q, K> {
        let grid = SampleGrid::new(self.volume, &self.selector.viewport, spacing);
        WireSight::new(self.sight.hiding(), self.volume, grid, self.eye)
    }

    fn seen(&self, spacing: f32) -> Vec<FirstPart> {
        let Selector { camera, viewport, .. } = self.selector;
        SampleGrid::new(self.volume, viewport, spacing).seen(self.volume, (camera, viewport), self.sight)
    }

    /// Calls `show` with every part whose box in the world is not outside.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn each_part(&mut self, mut show: impl FnMut(&mut Self, &'q Part, BoxPlace)) {
        let view = &self.view.view;
        let (origin, reach) = view.scene.tree().frame();
        let region = self.volume.framed(&DAffine3::from_translation(origin - self.eye), DVec3::splat(reach));
        view.parts_within(&region, |part, place| show(self, part, place));
    }

    /// Returns whether a part is selected, given the position of its box. Returns `None` if nothing in it is
    /// selectable.
    fn selects_part(&mut self, part: &Part, place: BoxPlace) -> Option<bool> {
        let rule = self.selector.rule;
        let view = &self.view.view;
        if place == BoxPlace::Inside && view.takes_all_sides() && surely_has_area(part) {
            return Some(true);
        }
        if let Some(test) = SurfaceTest::new(view, self.volume, self.eye, part) {
            return match rule {
                Rule::Inside => test.is_inside(place, &mut self.buffers),
                Rule::Touching | Rule::Center => test.touches(place, &mut self.buffers),
            };
        }
        if let Some(test) = WireTest::new(self.volume, self.eye, part) {
            return match rule {
                Rule::Inside => test.is_inside(place, &mut self.buffers),
                Rule::Touching | Rule::Center => test.touches(place, &mut self.buffers),
            };
        }
        let is_taken = view.takes_all_sides() || view.takes_side(part, None, self.side_of(part));
        is_taken.then(|| self.solids.selects(part, place, rule))
    }

    /// Returns whether an entity is inside, given one of its parts, and the positions of the boxes of some of its
    /// parts, in order. The other parts are tested first, because they are outside more often.
    fn is_inside(&mut self, part: &'q Part, places: &[(&Part, BoxPlace)]) -> bool {
        let view = &self.view.view;
        let place_of =
            |part: &Part| places.binary_search_by_key(&part.index, |(part, _)| part.index).ok().map(|at| places[at].1);
        let [others, known] = [false, true]
            .map(|is_known| view.scene.siblings(part).filter(move |part| place_of(part).is_some() == is_known));
        let mut is_any_inside = false;
        for part in others.chain(known) {
            let place = place_of(part).unwrap_or(BoxPlace::Crossing);
            match view.can_select(part).then(|| self.selects_part(part, place)) {
                None | Some(Some(false)) => return false,
                Some(Some(true)) => is_any_inside = true,
                Some(None) => {}
            }
        }
        is_any_inside
    }

    /// Returns whether an entity has a selectable triangle or solid, given one of its parts.
    fn has_part_that_counts(&self, part: &'q Part) -> bool {
        let view = &self.view.view;
        view.scene.siblings(part).filter(|part| view.can_select(part)).any(|part| {
            match SurfaceTest::new(view, self.volume, self.eye, part) {
                Some(test) => test.has_triangle_that_counts(),
                None => has_wire(part)
                    .unwrap_or_else(|| view.takes_all_sides() || view.takes_side(part, None, self.side_of(part))),
            }
        })
    }

    /// Returns the side of a part that is seen. For a solid, it is a side that rays can hit.
    fn side_of(&self, part: &Part) -> Side {
        let Some((on_it, normal)) = flat_plane(part) else {
            return if self.view.view.cull == Cull::Front { Side::Back } else { Side::Front };
        };
        let to_local = part.to_local.affine();
        let toward = match self.volume.space.viewpoint() {
            (direction, 0.0) => to_local.transform_vector3(direction),
            (place, _) => to_local.transform_point3(self.eye + place) - on_it,
        };
        if normal.dot(toward) >= 0.0 { Side::Front } else { Side::Back }
    }

    fn center_is_in_region(&self, part: &Part) -> bool {
        let is_empty = |part: &&Part| part.geometry.bounds().is_empty();
        let parts = self.view.view.scene.siblings(part).filter(|part| !is_empty(part));
        let Some(Extent { low, high }) = parts.map(Part::extent).reduce(|a, b| a.union(&b)) else { return false };
        let center = low + (high - low) * 0.5 - self.eye;
        let center = self.volume.space.of_offset.transform_point3(center);
        self.volume.shows(center)
    }
}
