//! Boxes of entities and trees, and triangles.

use super::{DebugLine, Role};
use crate::geom::aabb::Aabb;
use crate::math::float::round_vec3;
use crate::mesh::Mesh;
use crate::query::Hit;
use crate::scene::{PartGeometry, Scene};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DAffine3, DVec3, Vec3};

/// Returns the twelve edges of a box.
pub fn bounds(bounds: &Aabb) -> Vec<DebugLine> {
    edges(bounds, &DAffine3::IDENTITY, Role::Bounds).collect()
}

/// Returns the box of each part of an entity. A box has the bounds in the part's own space, placed in the world relative to `origin`. There is none for an
/// absent key and for planes.
pub fn entity<K: Clone + Eq + Hash>(scene: &Scene<K>, key: &K, origin: DVec3) -> Vec<DebugLine> {
    let parts = scene.parts_of(key).iter().filter_map(|&part| scene.part(part));
    let boxes = parts.flat_map(|part| edges(&part.geometry.bounds(), &relative(&part.to_world, origin), Role::Bounds));
    boxes.collect()
}

/// Returns the sides of the triangle of a mesh that was hit, in the space of the hit's point. There are none on other geometry, or if the entity is no longer
/// in the scene.
pub fn triangle<K: Clone + Eq + Hash>(scene: &Scene<K>, hit: &Hit<K>) -> Vec<DebugLine> {
    let Some(part) = scene.part_of(&hit.id, hit.part) else { return Vec::new() };
    let PartGeometry::Mesh(mesh) = &part.geometry else { return Vec::new() };
    let Some(corners) = hit.triangle.and_then(|triangle| mesh.triangle(triangle)) else { return Vec::new() };
    let to_world = relative(&part.to_world, hit.relative_to);
    let [a, b, c] = corners.map(|corner| place(&to_world, corner));
    [(a, b), (b, c), (c, a)].into_iter().filter_map(|(from, to)| DebugLine::new(from, to, Role::Triangle)).collect()
}

/// Returns the boxes of a scene's tree down to a depth, in the world, relative to `origin`. Depth 0 is the box around everything. Entities without finite
/// bounds are not in the tree.
pub fn scene_tree<K: Clone + Eq + Hash>(scene: &Scene<K>, deepest: usize, origin: DVec3) -> Vec<DebugLine> {
    let (tree_origin, boxes) = scene.tree().boxes(deepest);
    let to_world = DAffine3::from_translation(tree_origin - origin);
    tree(&boxes, &to_world)
}

/// Returns the boxes of a mesh's tree down to a depth, in its own space. Depth 0 is the box around everything.
pub fn mesh_tree(mesh: &Mesh, deepest: usize) -> Vec<DebugLine> {
    let (unit, boxes) = mesh.tree_boxes(deepest);
    tree(&boxes, &DAffine3::from_scale(DVec3::splat(unit)))
}

fn tree(boxes: &[(usize, Aabb)], to_world: &DAffine3) -> Vec<DebugLine> {
    boxes.iter().flat_map(|(depth, bounds)| edges(bounds, to_world, Role::Tree { depth: *depth })).collect()
}

fn relative(to_world: &DAffine3, origin: DVec3) -> DAffine3 {
    DAffine3 { translation: to_world.translation - origin, ..*to_world }
}

fn place(to_world: &DAffine3, point: Vec3) -> Vec3 {
    round_vec3(to_world.transform_point3(point.as_dvec3()))
}

/// Returns the edges of a box whose ends are finite.
pub(super) fn edges(bounds: &Aabb, to_world: &DAffine3, role: Role) -> impl Iterator<Item = DebugLine> + use<> {
    let ends = [bounds.min, bounds.max];
    // Bit k of a corner's number says at which end of axis k it is.
    let corner = |number: usize| Vec3::from_array(core::array::from_fn(|axis| ends[number >> axis & 1][axis]));
    let corners: [Vec3; 8] = core::array::from_fn(|number| place(to_world, corner(number)));
    let has_corners = !bounds.is_empty();
    let pairs = (0..8usize).flat_map(|from| [1, 2, 4].map(|axis| (from, from | axis))).filter(|(from, to)| from != to);
    pairs.filter(move |_| has_corners).filter_map(move |(from, to)| DebugLine::new(corners[from], corners[to], role))
}
