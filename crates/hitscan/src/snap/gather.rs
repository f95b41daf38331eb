//! The vertices and edges of a scene that are in reach of a cursor.

use super::crease::is_inside_of_flat;
use super::reach::{Reach, Spot, scaled};
use crate::bvh::HalfSpaces;
use crate::camera::HomogeneousPixel;
use crate::geom::aabb::Aabb;
use crate::query::View;
use crate::scene::{Part, PartGeometry};
use crate::tri::{TriangleSet, has_area};
use crate::wire::{PointCloud, Polyline};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DAffine3, DVec3, Vec3};

/// The place of a part in the order of a scene, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartOrder {
    pub(super) order: u64,
    pub(super) index: u32,
}

impl PartOrder {
    pub(super) fn of(part: &Part) -> Self {
        Self { order: part.order, index: part.index }
    }
}

/// A vertex in reach.
pub(super) struct NearVertex<'a> {
    pub(super) part: &'a Part,
    pub(super) vertex: u32,
    pub(super) triangle: Option<u32>,
    pub(super) spot: Spot,
}

/// An edge with a point in reach, from the end that comes first to the other one.
#[derive(Clone, Copy)]
pub(super) struct NearEdge<'a> {
    pub(super) part: &'a Part,
    pub(super) vertices: [u32; 2],
    pub(super) triangle: Option<u32>,
    /// The ends in the world.
    pub(super) ends: [DVec3; 2],
    /// The point that is nearest to the cursor.
    pub(super) spot: Spot,
}

/// Everything that is in reach.
#[derive(Default)]
pub(super) struct InReach<'a> {
    pub(super) vertices: Vec<NearVertex<'a>>,
    pub(super) edges: Vec<NearEdge<'a>>,
}

/// The features that are looked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) vertices: bool,
    pub(super) edges: bool,
}

impl<'a> InReach<'a> {
    /// Finds the features in reach that belong to the parts of a view.
    pub(super) fn of<K: Clone + Eq + Hash>(view: &View<'a, K>, reach: &Reach, wanted: Wanted) -> Self {
        let mut found = Self::default();
        if !(wanted.vertices || wanted.edges) {
            return found;
        }
        let scene = view.scene;
        let mut visit = |number: u32| {
            if let Some(part) = scene.part(number).filter(|part| view.meets(part)) {
                found.add_part(part, reach, wanted);
            }
        };
        scene.unbounded().iter().for_each(|&number| visit(number));
        let (origin, bounds) = (scene.tree().frame().0, scene.bounds());
        if !bounds.is_empty() {
            let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3() + origin.abs();
            // The boxes surround what the placements lead to, up to their slack.
            let walls = reach.walls(&DAffine3::from_translation(origin), largest, 4.0 * scene.slack());
            scene.tree().inside(&walls, &mut visit);
        }
        found
    }

    fn add_part(&mut self, part: &'a Part, reach: &Reach, wanted: Wanted) {
        let near = PartInReach { part, reach, wanted };
        match &part.geometry {
            PartGeometry::Mesh(mesh) => near.add_surface(mesh, |triangle| mesh.indices(triangle), self),
            PartGeometry::ConvexHull(hull) => {
                near.add_surface(hull.mesh(), |triangle| hull.mesh().indices(triangle), self);
            }
            PartGeometry::HeightField(field) => near.add_surface(field, |triangle| field.indices(triangle), self),
            PartGeometry::PointCloud(cloud) => near.add_cloud(cloud, self),
            PartGeometry::Polyline(line) => near.add_polyline(line, self),
            // These have no vertices that a caller has given.
            PartGeometry::Shape(_) | PartGeometry::Custom(_) => {}
        }
    }
}

/// A part whose features are looked for.
#[derive(Clone, Copy)]
struct PartInReach<'r, 'a> {
    part: &'a Part,
    reach: &'r Reach,
    wanted: Wanted,
}

/// A corner of a triangle. Corners of triangles are the same vertex if they are in the same place.
#[derive(Clone, Copy)]
struct Corner {
    local: Vec3,
    vertex: u32,
    point: DVec3,
    projected: HomogeneousPixel,
}

/// The bits of a position, by which equal positions are found: adding +0 turns -0 into +0.
type PositionKey = [u32; 3];

impl Corner {
    fn key(&self) -> PositionKey {
        (self.local + Vec3::ZERO).to_array().map(f32::to_bits)
    }
}

/// A side of a triangle that is in reach.
struct TriangleSide {
    keys: [PositionKey; 2],
    triangle: u32,
    ends: [Corner; 2],
    opposite: Vec3,
    spot: Spot,
}

/// A corner of a triangle that is in reach.
struct TriangleCorner {
    key: PositionKey,
    vertex: u32,
    triangle: u32,
    spot: Spot,
}

impl<'a> PartInReach<'_, 'a> {
    fn add_surface(
        &self,
        surface: &impl TriangleSet,
        indices: impl Fn(u32) -> Option<[u32; 3]>,
        found: &mut InReach<'a>,
    ) {
        let (mut corners, mut sides) = (Vec::new(), Vec::new());
        self.near_triangles(surface, &mut |triangle, locals| {
            let Some(vertices) = indices(triangle).filter(|_| has_area(locals)) else { return };
            let own: [Corner; 3] = core::array::from_fn(|corner| self.corner(locals[corner], vertices[corner]));
            if self.wanted.vertices {
                corners.extend(own.iter().filter_map(|corner| self.triangle_corner(corner, triangle)));
            }
            if self.wanted.edges {
                let [a, b, c] = own;
                let pairs = [([a, b], c), ([b, c], a), ([c, a], b)];
                sides.extend(pairs.into_iter().filter_map(|(ends, other)| self.triangle_side(ends, &other, triangle)));
            }
        });
        self.add_vertices(corners, found);
        self.add_edges(sides, found);
    }

    /// Shows the triangles whose boxes may be in reach, some perhaps more than once.
    fn near_triangles(&self, surface: &impl TriangleSet, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let (tree, frame) = surface.tree();
        if let Some(walls) = self.walls(&surface.bounds(), frame.scale) {
            tree.inside(&walls, &mut |leaf| surface.leaf(leaf, show));
        }
    }

    /// Adds each point of a cloud, also of those in the same place.
    fn add_cloud(&self, cloud: &PointCloud, found: &mut InReach<'a>) {
        if !self.wanted.vertices {
            return;
        }
        let Some(walls) = self.walls(&cloud.bounds(), cloud.tree().scale()) else { return };
        cloud.tree().inside(&walls, &mut |vertex, [local]| {
            let Corner { point, projected, .. } = self.corner(local, vertex);
            let spot = self.reach.spot(point, &projected);
            found.vertices.extend(spot.map(|spot| NearVertex { part: self.part, vertex, triangle: None, spot }));
        });
    }

    /// Adds each point and each segment of a polyline.
    fn add_polyline(&self, line: &Polyline, found: &mut InReach<'a>) {
        let Some(walls) = self.walls(&line.bounds(), line.tree().scale()) else { return };
        let start = found.vertices.len();
        line.tree().inside(&walls, &mut |segment, locals| {
            let Some([first, last]) = line.segment(segment) else { return };
            let ends = [self.corner(locals[0], first), self.corner(locals[1], last)];
            let (points, projected) = (ends.map(|end| end.point), ends.map(|end| end.projected));
            if self.wanted.vertices {
                let vertices =
                    ends.iter().filter_map(|end| Some((end.vertex, self.reach.spot(end.point, &end.projected)?)));
                let near = vertices.map(|(vertex, spot)| NearVertex { part: self.part, vertex, triangle: None, spot });
                found.vertices.extend(near);
            }
            let spot = if self.wanted.edges { self.reach.segment(points, &projected) } else { None };
            let vertices = [first, last];
            let near = |spot| NearEdge { part: self.part, vertices, triangle: None, ends: points, spot };
            found.edges.extend(spot.map(near));
        });
        // Segments share their ends.
        let mut own = found.vertices.split_off(start);
        own.sort_unstable_by_key(|near| near.vertex);
        own.dedup_by_key(|near| near.vertex);
        found.vertices.append(&mut own);
    }

    /// Returns the planes around everything in reach, in the coordinates of a tree; `None` for a tree without contents.
    fn walls(&self, bounds: &Aabb, scale: f64) -> Option<HalfSpaces> {
        let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
        (!bounds.is_empty()).then(|| scaled(self.reach.walls(&self.part.to_world, largest, 0.0), scale))
    }

    fn corner(&self, local: Vec3, vertex: u32) -> Corner {
        let point = self.part.to_world.transform_point3(local.as_dvec3());
        Corner { local, vertex, point, projected: self.reach.map.project(point) }
    }

    fn triangle_corner(&self, corner: &Corner, triangle: u32) -> Option<TriangleCorner> {
        let spot = self.reach.spot(corner.point, &corner.projected)?;
        Some(TriangleCorner { key: corner.key(), vertex: corner.vertex, triangle, spot })
    }

    /// Returns a side in the direction in which all triangles have it.
    fn triangle_side(&self, [a, b]: [Corner; 2], other: &Corner, triangle: u32) -> Option<TriangleSide> {
        let ends = if a.key() <= b.key() { [a, b] } else { [b, a] };
        let spot = self.reach.segment(ends.map(|end| end.point), &ends.map(|end| end.projected))?;
        Some(TriangleSide { keys: ends.map(|end| end.key()), triangle, ends, opposite: other.local, spot })
    }

    /// Adds each vertex once, under the lowest number that it has.
    fn add_vertices(&self, mut corners: Vec<TriangleCorner>, found: &mut InReach<'a>) {
        corners.sort_unstable_by_key(|corner| (corner.key, corner.triangle));
        for same in corners.chunk_by(|a, b| a.key == b.key) {
            let vertex = same.iter().map(|corner| corner.vertex).min().unwrap_or(same[0].vertex);
            let TriangleCorner { triangle, spot, .. } = same[0];
            found.vertices.push(NearVertex { part: self.part, vertex, triangle: Some(triangle), spot });
        }
    }

    /// Adds each edge once, as the lowest of its triangles has it.
    fn add_edges(&self, mut sides: Vec<TriangleSide>, found: &mut InReach<'a>) {
        sides.sort_unstable_by_key(|side| (side.keys, side.triangle));
        sides.dedup_by_key(|side| (side.keys, side.triangle));
        for same in sides.chunk_by(|a, b| a.keys == b.keys) {
            let TriangleSide { triangle, ends, spot, .. } = same[0];
            if !is_inside_of_flat(ends.map(|end| end.local), same.iter().map(|side| side.opposite)) {
                found.edges.push(NearEdge {
                    part: self.part,
                    vertices: ends.map(|end| end.vertex),
                    triangle: Some(triangle),
                    ends: ends.map(|end| end.point),
                    spot,
                });
            }
        }
    }
}
