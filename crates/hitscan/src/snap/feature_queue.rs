//! The vertices or edges of a scene that are in reach of a cursor, in an order for which trees provide bounds.
//!
//! One queue holds nodes of the scene's tree, nodes of the trees of its parts, and features. Nodes are ordered by a
//! lower bound of the keys of the features in them. So a node is opened only if no feature comes before all of its
//! contents (G. Hjaltason, H. Samet, "Distance browsing in spatial databases", 1999). When a feature is first in the
//! queue, all triangles of the feature have been added too. The reason is that each of these triangles contains
//! the point by which the feature is ordered. So it is in a leaf whose box contains that point. A triangle may be
//! in other leaves as well, whose boxes contain only another part of it. Such a leaf adds features again that have
//! already been taken.

use super::feature::{Corner, EdgePoint, NearEdge, NearVertex, RawEdge, RawVertex, merge_edges, merge_vertices};
use super::reach::{Reach, Spot};
use super::segment::ScreenSegment;
use crate::bvh::{Bvh8, PixelBound, PixelForms, PixelLimits, TreeChild};
use crate::collections::ordered::ordered_by_cmp;
use crate::geom::aabb::Aabb;
use crate::height_field::HeightField;
use crate::mesh::Mesh;
use crate::query::View;
use crate::scene::{Part, PartGeometry};
use crate::tri::{TriangleSet, has_area};
use crate::wire::{PointCloud, Polyline};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use glam::{DAffine3, DVec3, Vec3};

/// The features that are looked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Vertices,
    Edges(EdgePoint),
}

/// The order in which features come.
#[derive(Clone, Copy)]
pub(super) enum QueueOrder {
    /// The nearest to the cursor comes first, by the square of the distance in pixels.
    Pixels,
    /// The least depth comes first. For an edge, it is the least depth of its part within reach.
    Depth,
}

/// The queue.
pub(super) struct FeatureQueue<'q, 'a, K> {
    view: &'q View<'a, K>,
    reach: &'q Reach,
    limits: PixelLimits,
    found: FoundFeatures<'a>,
    spaces: Vec<TreeSpace<'a>>,
}

/// A tree, and the projection in its coordinates.
struct TreeSpace<'a> {
    tree: SnapTree<'a>,
    forms: PixelForms,
}

#[derive(Clone, Copy)]
enum SnapTree<'a> {
    Scene,
    Mesh(&'a Part, &'a Mesh),
    Field(&'a Part, &'a HeightField),
    Cloud(&'a Part, &'a PointCloud),
    Line(&'a Part, &'a Polyline),
}

/// The queue itself, and the features that are in it.
struct FoundFeatures<'a> {
    wanted: Wanted,
    order: QueueOrder,
    queue: BinaryHeap<FeatureEntry>,
    vertices: Vec<RawVertex<'a>>,
    edges: Vec<RawEdge<'a>>,
    /// The key of the leaf that is visited. Features with a smaller key have been taken.
    opened: f64,
    /// The corners of the leaf that is visited: most of its triangles share corners.
    corners: Vec<Corner>,
}

/// The number of entries for which memory is reserved at the start.
const USUAL_ENTRIES: usize = 64;

/// An entry of the queue. The greatest entry has the least key, and nodes come before features.
struct FeatureEntry {
    key: f64,
    item: FeatureItem,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FeatureItem {
    Child { space: u32, child: TreeChild },
    Feature(u32),
}

impl Ord for FeatureEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.total_cmp(&self.key).then_with(|| other.item.cmp(&self.item))
    }
}

ordered_by_cmp!(FeatureEntry);

impl<'q, 'a, K: Clone + Eq + Hash> FeatureQueue<'q, 'a, K> {
    pub(super) fn new(view: &'q View<'a, K>, reach: &'q Reach, wanted: Wanted, order: QueueOrder) -> Self {
        let found = FoundFeatures::new(wanted, order);
        let mut queue = Self { view, reach, limits: reach.limits(), found, spaces: Vec::new() };
        let scene = view.scene;
        let least = queue.least_key();
        scene.unbounded().iter().for_each(|&part| queue.open_part(part, least));
        let (origin, bounds) = (scene.tree().frame().0, scene.bounds());
        let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3() + origin.abs();
        // Up to the slack, the boxes of the scene's tree contain the transformed parts.
        queue.open(
            SnapTree::Scene,
            &bounds,
            &DAffine3::from_translation(origin),
            largest,
            [1.0, 4.0 * scene.slack()],
            least,
        );
        queue
    }

    /// Returns a lower bound of all keys. The near depth of a camera with parallel rays may be negative.
    fn least_key(&self) -> f64 {
        match self.found.order {
            QueueOrder::Pixels => 0.0,
            QueueOrder::Depth => self.limits.near,
        }
    }

    /// Returns the key of the first features, if it is not above a limit.
    pub(super) fn first_key(&mut self, limit: f64) -> Option<f64> {
        while let Some(&FeatureEntry { key, item }) = self.found.queue.peek() {
            match item {
                _ if key > limit => return None,
                FeatureItem::Feature(_) => return Some(key),
                FeatureItem::Child { space, child } => {
                    self.found.queue.pop();
                    self.visit(space, child, key);
                }
            }
        }
        None
    }

    /// Takes the first vertex and all vertices with the same key.
    pub(super) fn take_vertices(&mut self) -> Vec<NearVertex<'a>> {
        let numbers = self.take_numbers();
        merge_vertices(
            numbers.into_iter().filter_map(|number| self.found.vertices.get(number as usize)).copied().collect(),
        )
    }

    /// Takes the first edge and all edges with the same key. The list may be empty, if all of them are inside of flat surfaces.
    pub(super) fn take_edges(&mut self) -> Vec<NearEdge<'a>> {
        let numbers = self.take_numbers();
        merge_edges(numbers.into_iter().filter_map(|number| self.found.edges.get(number as usize)).copied().collect())
    }

    fn take_numbers(&mut self) -> Vec<u32> {
        let mut numbers = Vec::new();
        let Some(first) = self.first_key(f64::INFINITY) else { return numbers };
        while let Some(&FeatureEntry { key, item: FeatureItem::Feature(number) }) = self.found.queue.peek()
            && key == first
        {
            self.found.queue.pop();
            numbers.push(number);
        }
        numbers
    }

    fn visit(&mut self, number: u32, child: TreeChild, key: f64) {
        let TreeSpace { tree, forms } = &self.spaces[number as usize];
        let Some(leaf) = child.leaf() else {
            let FoundFeatures { order, queue, .. } = &mut self.found;
            let mut push = |child: TreeChild, bound: PixelBound| {
                let key = match order {
                    QueueOrder::Pixels => bound.square,
                    QueueOrder::Depth => bound.depth,
                };
                queue.push(FeatureEntry { key, item: FeatureItem::Child { space: number, child } });
            };
            match tree.bvh() {
                Some(bvh) => bvh.children_near(child, forms, &self.limits, &mut push),
                None => self.view.scene.tree().children_near(child, forms, &self.limits, &mut push),
            }
            return;
        };
        let (reach, found) = (self.reach, &mut self.found);
        found.corners.clear();
        found.opened = key;
        match *tree {
            SnapTree::Scene => self.open_part(leaf, key),
            SnapTree::Mesh(part, mesh) => {
                mesh.leaf(leaf, &mut |triangle, locals| {
                    found.add_triangle(part, reach, triangle, locals, mesh.indices(triangle));
                });
            }
            SnapTree::Field(part, field) => {
                field.leaf(leaf, &mut |triangle, locals| {
                    found.add_triangle(part, reach, triangle, locals, field.indices(triangle));
                });
            }
            SnapTree::Cloud(part, cloud) => cloud.tree().leaf(leaf, &mut |vertex, [local]| {
                found.add_vertex(part, reach, &Corner::of_wire(part, reach, local, vertex), None);
            }),
            SnapTree::Line(part, line) => line.tree().leaf(leaf, &mut |segment, locals| {
                found.add_segment(part, reach, locals, line.segment(segment));
            }),
        }
    }

    /// Adds the tree of an accepted part, given a lower bound of the keys of its features.
    fn open_part(&mut self, number: u32, key: f64) {
        let Some(part) = self.view.scene.part(number).filter(|part| self.view.meets(part)) else { return };
        let (tree, bounds, scale) = match &part.geometry {
            PartGeometry::Mesh(mesh) => (SnapTree::Mesh(part, mesh), mesh.bounds(), TriangleSet::tree(mesh).1.scale),
            PartGeometry::ConvexHull(hull) => {
                (SnapTree::Mesh(part, hull.mesh()), hull.mesh().bounds(), TriangleSet::tree(hull.mesh()).1.scale)
            }
            PartGeometry::HeightField(field) => {
                (SnapTree::Field(part, field), field.bounds(), TriangleSet::tree(field).1.scale)
            }
            PartGeometry::PointCloud(cloud) if matches!(self.found.wanted, Wanted::Vertices) => {
                (SnapTree::Cloud(part, cloud), cloud.bounds(), cloud.tree().scale())
            }
            PartGeometry::Polyline(line) => (SnapTree::Line(part, line), line.bounds(), line.tree().scale()),
            // A cloud has no edges. The other two have neither vertices nor edges that a caller gave.
            PartGeometry::PointCloud(_) | PartGeometry::Shape(_) | PartGeometry::Custom(_) => return,
        };
        let largest = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
        self.open(tree, &bounds, &part.to_world, largest, [scale, 0.0], key);
    }

    fn open(
        &mut self,
        tree: SnapTree<'a>,
        bounds: &Aabb,
        to_world: &DAffine3,
        largest: DVec3,
        [scale, error]: [f64; 2],
        key: f64,
    ) {
        if !bounds.is_empty() {
            let item = FeatureItem::Child { space: self.spaces.len() as u32, child: TreeChild::ROOT };
            self.found.queue.push(FeatureEntry { key, item });
            self.spaces.push(TreeSpace { tree, forms: self.reach.forms(to_world, largest, scale, error) });
        }
    }
}

impl<'a> SnapTree<'a> {
    /// Returns the tree of a part; `None` for the tree of the scene.
    fn bvh(&self) -> Option<&'a Bvh8> {
        match self {
            Self::Scene => None,
            Self::Mesh(_, mesh) => Some(TriangleSet::tree(*mesh).0),
            Self::Field(_, field) => Some(TriangleSet::tree(*field).0),
            Self::Cloud(_, cloud) => Some(cloud.tree().tree()),
            Self::Line(_, line) => Some(line.tree().tree()),
        }
    }
}

impl<'a> FoundFeatures<'a> {
    fn new(wanted: Wanted, order: QueueOrder) -> Self {
        let queue = BinaryHeap::with_capacity(USUAL_ENTRIES);
        let [of_vertices, of_edges] = match wanted {
            Wanted::Vertices => [USUAL_ENTRIES, 0],
            Wanted::Edges(_) => [0, USUAL_ENTRIES],
        };
        let (vertices, edges) = (Vec::with_capacity(of_vertices), Vec::with_capacity(of_edges));
        Self { wanted, order, queue, vertices, edges, opened: f64::NEG_INFINITY, corners: Vec::new() }
    }

    fn add_triangle(
        &mut self,
        part: &'a Part,
        reach: &Reach,
        triangle: u32,
        locals: [Vec3; 3],
        vertices: Option<[u32; 3]>,
    ) {
        let Some(vertices) = vertices.filter(|_| has_area(locals)) else { return };
        let mut corner = |number: usize| self.corner(part, reach, locals[number], vertices[number]);
        let corners @ [a, b, c] = [corner(0), corner(1), corner(2)];
        match self.wanted {
            Wanted::Vertices => {
                corners.iter().for_each(|corner| self.add_vertex(part, reach, corner, Some(triangle)));
            }
            Wanted::Edges(point) => {
                for ([a, b], opposite) in [([a, b], c), ([b, c], a), ([c, a], b)] {
                    let ends = if a.key <= b.key { [a, b] } else { [b, a] };
                    self.add_edge(part, reach, point, ends, Some((triangle, opposite.local)));
                }
            }
        }
    }

    /// Returns a corner of a triangle of the leaf that is visited.
    fn corner(&mut self, part: &Part, reach: &Reach, local: Vec3, vertex: u32) -> Corner {
        let known = self.corners.iter().find(|corner| corner.vertex == vertex);
        known.copied().unwrap_or_else(|| {
            let corner = Corner::of_triangle(part, reach, local, vertex);
            self.corners.push(corner);
            corner
        })
    }

    fn add_segment(&mut self, part: &'a Part, reach: &Reach, locals: [Vec3; 2], vertices: Option<[u32; 2]>) {
        let Some(vertices) = vertices else { return };
        let ends = [0, 1].map(|end| Corner::of_wire(part, reach, locals[end], vertices[end]));
        match self.wanted {
            Wanted::Vertices => ends.iter().for_each(|end| self.add_vertex(part, reach, end, None)),
            Wanted::Edges(point) => self.add_edge(part, reach, point, ends, None),
        }
    }

    fn add_vertex(&mut self, part: &'a Part, reach: &Reach, corner: &Corner, triangle: Option<u32>) {
        let Some(spot) = reach.spot(corner.point, &corner.projected) else { return };
        let key = self.key(&spot);
        if key < self.opened {
            return;
        }
        self.push(key, self.vertices.len());
        self.vertices.push(RawVertex { part, key: corner.key, vertex: corner.vertex, triangle, spot });
    }

    fn add_edge(
        &mut self,
        part: &'a Part,
        reach: &Reach,
        point: EdgePoint,
        ends: [Corner; 2],
        triangle: Option<(u32, Vec3)>,
    ) {
        let (points, projected) = (ends.map(|end| end.point), ends.map(|end| end.projected));
        let Some(spot) = point.spot(reach, points, &projected) else { return };
        let key = match (self.order, point) {
            (QueueOrder::Depth, EdgePoint::Nearest) => {
                let stretch =
                    ScreenSegment::between(reach, points, &projected).and_then(|segment| segment.stretch(reach, &spot));
                stretch.map_or(spot.depth, |stretch| stretch.least_depth(reach).min(spot.depth))
            }
            _ => self.key(&spot),
        };
        if key < self.opened {
            return;
        }
        self.push(key, self.edges.len());
        self.edges.push(RawEdge { part, ends, triangle, spot });
    }

    fn key(&self, spot: &Spot) -> f64 {
        match self.order {
            QueueOrder::Pixels => spot.square,
            QueueOrder::Depth => spot.depth,
        }
    }

    fn push(&mut self, key: f64, number: usize) {
        self.queue.push(FeatureEntry { key, item: FeatureItem::Feature(number as u32) });
    }
}
