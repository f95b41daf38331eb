//! The flat face of a surface around one of its triangles.

use super::crease::is_inside_of_flat;
use crate::bvh::{HalfSpaces, RegionPlane};
use crate::hull::ConvexHull;
use crate::math::float::{length, unit};
use crate::scene::PartGeometry;
use crate::shape::triangle_normal;
use crate::tri::{TriangleSet, has_area};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// If a face has more triangles than this, its centre is not computed, which bounds the time of a question.
const MOST_TRIANGLES: usize = 4096;

/// Returns the centre of area of the flat face that a hit is on, in the part's space, and the lowest triangle of the face. The face has all triangles that can
/// be reached from the hit triangle without crossing an edge. `None` if there are more than [`MOST_TRIANGLES`].
pub(super) fn center(geometry: &PartGeometry, triangle: Option<u32>, hit: DVec3) -> Option<(DVec3, u32)> {
    match geometry {
        PartGeometry::Mesh(mesh) => center_in(mesh, triangle?, mesh.triangle(triangle?)?),
        PartGeometry::HeightField(field) => center_in(field, triangle?, field.triangle(triangle?)?),
        PartGeometry::ConvexHull(hull) => {
            let triangle = triangle_at(hull, hit)?;
            center_in(hull.mesh(), triangle, hull.mesh().triangle(triangle)?)
        }
        PartGeometry::Shape(_) | PartGeometry::Custom(_) => None,
        PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => None,
    }
}

/// Returns a triangle of the face of a hull whose plane is nearest to a point of the surface.
fn triangle_at(hull: &ConvexHull, point: DVec3) -> Option<u32> {
    let distance = |triangle: &u32| {
        let corners = hull.mesh().triangle(*triangle).map(|corners| corners.map(|corner| corner.as_dvec3()));
        let normal = corners.and_then(|corners| unit(triangle_normal(corners)));
        corners.zip(normal).map_or(f64::INFINITY, |([a, ..], normal)| (point - a).dot(normal).abs())
    };
    let firsts = (0..hull.face_count()).filter_map(|face| hull.triangles_of(face).next());
    firsts.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn center_in(surface: &impl TriangleSet, triangle: u32, corners: [Vec3; 3]) -> Option<(DVec3, u32)> {
    // The map is sorted by triangle number, whichever triangle the search began with.
    let face = flat_face(surface, triangle, corners)?;
    let (&lowest, &[origin, ..]) = face.first_key_value()?;
    // The same origin for all triangles of the face makes the sum independent of the triangle that was hit.
    let origin = origin.as_dvec3();
    let (mut area, mut moment) = (0.0, DVec3::ZERO);
    for corners in face.values() {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - origin);
        let twice_the_area = length((b - a).cross(c - a));
        area += twice_the_area;
        moment += (a + b + c) * twice_the_area;
    }
    let center = origin + moment / (3.0 * area);
    center.is_finite().then_some((center, lowest))
}

/// Returns the triangles of the face, by their numbers; `None` if there are too many.
fn flat_face(surface: &impl TriangleSet, triangle: u32, corners: [Vec3; 3]) -> Option<BTreeMap<u32, [Vec3; 3]>> {
    let mut face = BTreeMap::from([(triangle, corners)]);
    let mut open = Vec::from([corners]);
    while let Some([a, b, c]) = open.pop() {
        if face.len() > MOST_TRIANGLES {
            return None;
        }
        for side in [[a, b], [b, c], [c, a]] {
            let along = triangles_along(surface, side);
            if is_inside_of_flat(side, along.values().map(|(_, opposite)| *opposite)) {
                let others = along.into_iter().map(|(number, (corners, _))| (number, corners));
                open.extend(
                    others.filter_map(|(number, corners)| face.insert(number, corners).is_none().then_some(corners)),
                );
            }
        }
    }
    Some(face)
}

/// Returns the triangles that have this side, by their numbers, each with the corner opposite to the side.
fn triangles_along(surface: &impl TriangleSet, [a, b]: [Vec3; 2]) -> BTreeMap<u32, ([Vec3; 3], Vec3)> {
    let (tree, frame) = surface.tree();
    let middle = (a.as_dvec3() + b.as_dvec3()) * (0.5 * frame.scale);
    let mut along = BTreeMap::new();
    tree.inside(&around(middle), &mut |leaf| {
        surface.leaf(leaf, &mut |number, corners| {
            let opposite = corners.iter().find(|&&corner| corner != a && corner != b);
            let is_along = corners.contains(&a) && corners.contains(&b) && has_area(corners);
            if let Some(&opposite) = opposite.filter(|_| is_along) {
                along.insert(number, (corners, opposite));
            }
        });
    });
    along
}

/// Returns half-spaces whose intersection is a point, up to rounding. The bound on the error is absolute, because no coordinate in a tree is above 1.
fn around(point: DVec3) -> HalfSpaces {
    let wall = |normal: DVec3| RegionPlane { normal, constant: -normal.dot(point), error: 4.0 * f64::EPSILON };
    HalfSpaces([DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z].map(wall))
}
