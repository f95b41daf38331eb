//! The truth about a soup of triangles, found edge by edge and pair by pair without the program's code.

use crate::solids::Soup;
use crate::triangle_pairs::all_pairs;
use hitscan::glam::{DVec3, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// A place, which is the same for 0 and -0.
type Place = [u32; 3];

fn place(corner: Vec3) -> Place {
    corner.to_array().map(|x| if x == 0.0 { 0 } else { x.to_bits() })
}

/// The counts that the program should find.
#[derive(Debug, PartialEq)]
pub(super) struct Truth {
    pub(super) vertices: usize,
    pub(super) shells: usize,
    pub(super) boundary_edges: usize,
    pub(super) crowded_edges: usize,
    pub(super) pinched_vertices: usize,
    /// `None` for a surface with one side, on which no triangle is flipped more than others.
    pub(super) flipped_triangles: Option<usize>,
    pub(super) degenerate_triangles: usize,
    pub(super) duplicate_triangles: usize,
    pub(super) self_intersections: usize,
    pub(super) is_watertight: bool,
    pub(super) is_oriented: bool,
}

/// The triangles at an edge. Each has a flag for the direction in which it uses the edge, from the lower place to the
/// higher one or the reverse.
type Edges = BTreeMap<[Place; 2], Vec<(usize, bool)>>;

fn edges_of(triangle: &[Place; 3]) -> [[Place; 2]; 3] {
    let [a, b, c] = *triangle;
    [[a, b], [b, c], [c, a]]
}

fn is_proper([a, b, c]: &[Place; 3]) -> bool {
    a != b && b != c && c != a
}

/// Returns the groups of some triangles that hang together, given the neighbours of each.
fn groups(members: &BTreeSet<usize>, neighbours: impl Fn(usize) -> Vec<usize>) -> Vec<BTreeSet<usize>> {
    let (mut left, mut found) = (members.clone(), Vec::new());
    while let Some(first) = left.pop_first() {
        let (mut group, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(at) = open.pop() {
            for next in neighbours(at) {
                if left.remove(&next) {
                    group.insert(next);
                    open.push(next);
                }
            }
        }
        found.push(group);
    }
    found
}

fn pinched(triangles: &[[Place; 3]], edges: &Edges) -> usize {
    let mut around: BTreeMap<Place, BTreeSet<usize>> = BTreeMap::new();
    for (number, triangle) in triangles.iter().enumerate().filter(|(_, triangle)| is_proper(triangle)) {
        for &corner in triangle {
            around.entry(corner).or_default().insert(number);
        }
    }
    let fans = |(corner, members): (&Place, &BTreeSet<usize>)| {
        let neighbours = |at: usize| {
            let own = edges_of(&triangles[at]).into_iter().filter(|edge| edge.contains(corner));
            own.flat_map(|edge| edges[&sorted(edge)].iter().map(|&(other, _)| other)).collect()
        };
        groups(members, neighbours).len()
    };
    around.iter().filter(|&at| fans(at) > 1).count()
}

fn sorted([a, b]: [Place; 2]) -> [Place; 2] {
    [a.min(b), a.max(b)]
}

/// Counts the triangles that face against most of their neighbours' neighbours. Only edges with two triangles are
/// considered.
fn flipped(triangles: &[[Place; 3]], edges: &Edges) -> Option<usize> {
    let mut facing: BTreeMap<usize, bool> = BTreeMap::new();
    let mut count = 0;
    for first in 0..triangles.len() {
        if facing.contains_key(&first) {
            continue;
        }
        let (mut group, mut open) = (vec![(first, true)], vec![first]);
        facing.insert(first, true);
        while let Some(at) = open.pop() {
            if !is_proper(&triangles[at]) {
                continue;
            }
            for edge in edges_of(&triangles[at]) {
                let users = &edges[&sorted(edge)];
                let [one, other] = users[..] else { continue };
                let next = if one.0 == at { other.0 } else { one.0 };
                let expected = (one.1 != other.1) == facing[&at];
                match facing.insert(next, expected) {
                    None => {
                        group.push((next, expected));
                        open.push(next);
                    }
                    Some(known) if known != expected => return None,
                    Some(_) => {}
                }
            }
        }
        let others = group.iter().filter(|(_, facing)| !facing).count();
        count += others.min(group.len() - others);
    }
    Some(count)
}

pub(super) fn truth(soup: &Soup) -> Truth {
    let triangles: Vec<[Place; 3]> = soup.iter().map(|corners| corners.map(place)).collect();
    let mut edges: Edges = BTreeMap::new();
    for (number, triangle) in triangles.iter().enumerate().filter(|(_, triangle)| is_proper(triangle)) {
        for edge in edges_of(triangle) {
            edges.entry(sorted(edge)).or_default().push((number, edge == sorted(edge)));
        }
    }
    let all: BTreeSet<usize> = (0..soup.len()).filter(|&number| is_proper(&triangles[number])).collect();
    let neighbours = |at: usize| -> Vec<usize> {
        let own = edges_of(&triangles[at]).map(sorted);
        own.iter().filter_map(|edge| edges.get(edge)).flatten().map(|&(other, _)| other).collect()
    };
    let has_no_area = |[a, b, c]: &[Vec3; 3]| {
        // The coordinates of the tests are small multiples of powers of two, so the products are exact.
        let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
        (b - a).cross(c - a) == DVec3::ZERO
    };
    let proper = triangles.iter().filter(|triangle| is_proper(triangle));
    let corner_sets = proper.clone().map(|triangle| triangle.iter().copied().collect::<BTreeSet<Place>>());
    let forward = |users: &Vec<(usize, bool)>| users.iter().filter(|user| user.1).count();
    Truth {
        vertices: triangles.as_flattened().iter().collect::<BTreeSet<_>>().len(),
        shells: groups(&all, neighbours).len(),
        boundary_edges: edges.values().filter(|users| users.len() == 1).count(),
        crowded_edges: edges.values().filter(|users| users.len() > 2).count(),
        pinched_vertices: pinched(&triangles, &edges),
        flipped_triangles: flipped(&triangles, &edges),
        degenerate_triangles: soup.iter().filter(|corners| has_no_area(corners)).count(),
        duplicate_triangles: proper.count() - corner_sets.collect::<BTreeSet<_>>().len(),
        self_intersections: all_pairs(soup).len(),
        is_watertight: !edges.is_empty() && edges.values().all(|users| users.len().is_multiple_of(2)),
        is_oriented: edges.values().all(|users| users.len() % 2 == 1 || 2 * forward(users) == users.len()),
    }
}
