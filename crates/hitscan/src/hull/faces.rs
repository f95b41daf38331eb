//! The faces of a hull: triangles in one plane become one polygon, without corners in the middle of an edge, and the polygon is
//! divided into triangles again.

use crate::collections::sort::SharedSort;
use crate::shape::{side_of_plane, triangle_normal};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use hashbrown::HashMap;

/// A hull in a form that does not depend on how it was found.
pub(super) struct HullFaces {
    /// The vertices in the order of x, y and z, each once.
    pub(super) vertices: Vec<Vec3>,
    /// The triangles: a fan for each face, one after the other.
    pub(super) triangles: Vec<[u32; 3]>,
    /// The first triangle of each face, and at the end the number of triangles.
    pub(super) first: Vec<u32>,
}

/// Makes the faces of triangles that face outwards, around a convex solid.
pub(super) fn faces_of_hull(points: &[Vec3], triangles: &[[u32; 3]]) -> HullFaces {
    let mut polygons: Vec<Vec<u32>> =
        outlines(points, triangles).iter().map(|outline| cornered(points, outline)).collect();
    let mut numbers: Vec<u32> = polygons.iter().flatten().copied().collect();
    let key = |&i: &u32| points[i as usize].to_array();
    let order = |a: &u32, b: &u32| {
        let axes = key(a).into_iter().zip(key(b));
        axes.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
    };
    numbers.sort_shared_by(order);
    numbers.dedup();
    let places: HashMap<u32, u32> = numbers.iter().copied().zip(0..).collect();
    for polygon in &mut polygons {
        polygon.iter_mut().for_each(|corner| *corner = places.get(corner).copied().unwrap_or_default());
        // The fan starts at the least corner.
        let least = polygon.iter().enumerate().min_by_key(|(_, corner)| **corner).map_or(0, |(place, _)| place);
        polygon.rotate_left(least);
    }
    polygons.sort_shared();
    let mut first = vec![0];
    let mut fans = Vec::new();
    for polygon in &polygons {
        fans.extend(polygon.windows(2).skip(1).map(|pair| [polygon[0], pair[0], pair[1]]));
        first.push(fans.len() as u32);
    }
    HullFaces { vertices: numbers.iter().map(|&i| points[i as usize]).collect(), triangles: fans, first }
}

/// Returns the corners around each set of triangles in one plane, counter-clockwise.
fn outlines(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let edges = || (0..).zip(triangles).flat_map(|(i, &[a, b, c])| [(a, b, i), (b, c, i), (c, a, i)]);
    let owners: HashMap<(u32, u32), u32> = edges().map(|(from, to, triangle)| ((from, to), triangle)).collect();
    let groups = groups(points, triangles, &owners);
    let mut outlines: Vec<HashMap<u32, u32>> = vec![HashMap::new(); triangles.len()];
    for (from, to, triangle) in edges() {
        let group = groups[triangle as usize];
        let is_inner = owners.get(&(to, from)).is_some_and(|&other| groups[other as usize] == group);
        if let Some(group) = group.filter(|_| !is_inner) {
            outlines[group as usize].insert(from, to);
        }
    }
    outlines.iter().filter(|outline| !outline.is_empty()).map(walk).collect()
}

/// Returns, for each triangle, the first triangle in the same plane that is connected to it. Every entry is set, because a triangle that is in no group yet
/// begins one.
fn groups(points: &[Vec3], triangles: &[[u32; 3]], owners: &HashMap<(u32, u32), u32>) -> Vec<Option<u32>> {
    let mut groups = vec![None; triangles.len()];
    for first in 0..triangles.len() as u32 {
        let mut stack = vec![first];
        let plane = triangles[first as usize].map(|i| points[i as usize]);
        while let Some(triangle) = stack.pop() {
            let [a, b, c] = triangles[triangle as usize];
            let is_here = |i: u32| side_of_plane(plane, points[i as usize].as_dvec3()) == Ordering::Equal;
            if groups[triangle as usize].is_some() || ![a, b, c].into_iter().all(is_here) {
                continue;
            }
            groups[triangle as usize] = Some(first);
            stack.extend([(b, a), (c, b), (a, c)].into_iter().filter_map(|edge| owners.get(&edge)));
        }
    }
    groups
}

/// Returns the corners in order, once around, beginning with the least.
fn walk(next: &HashMap<u32, u32>) -> Vec<u32> {
    let mut corners = Vec::with_capacity(next.len());
    let mut corner = next.keys().copied().min();
    while let Some(here) = corner
        && corners.len() < next.len()
    {
        corners.push(here);
        corner = next.get(&here).copied();
    }
    corners
}

/// Returns the outline without corners in the middle of an edge.
fn cornered(points: &[Vec3], outline: &[u32]) -> Vec<u32> {
    let at = |place: usize| points[outline[place % outline.len()] as usize].as_dvec3();
    let is_corner = |place: usize| {
        let around = [at(place + outline.len() - 1), at(place), at(place + 1)];
        triangle_normal(around) != DVec3::ZERO
    };
    (0..outline.len()).filter(|&place| is_corner(place)).map(|place| outline[place]).collect()
}
