//! A tree over triangles in which a distant group counts as one item.

use super::moments::Moments;
use super::solid_angle::winding_of;
use crate::parallel;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// A group of at most this many triangles is not divided further.
const LEAF: usize = 8;
/// The number of groups that are worth another thread while the tree is built.
const GROUPS: usize = 512;

/// Triangles in groups that are halved repeatedly.
#[derive(Clone, Debug)]
pub(super) struct GroupTree {
    /// The corners of all triangles, in the order of the smallest groups.
    triangles: Vec<[Vec3; 3]>,
    /// The groups in depth-first order: a group is followed by its first half with all parts of this half, and then by its second half.
    groups: Vec<TriangleGroup>,
    /// The moments of each group.
    moments: Vec<Moments>,
}

/// A range of consecutive triangles.
#[derive(Clone, Debug)]
struct TriangleGroup {
    first: u32,
    end: u32,
    /// The index after this group and all groups that are parts of it.
    next: u32,
}

impl TriangleGroup {
    fn own_triangles<'a>(&self, triangles: &'a [[Vec3; 3]]) -> &'a [[Vec3; 3]] {
        &triangles[self.first as usize..self.end as usize]
    }
}

impl GroupTree {
    pub(super) fn new(mut triangles: Vec<[Vec3; 3]>) -> Self {
        let mut groups = Vec::new();
        divide(&mut triangles, 0, &mut groups);
        let moments =
            parallel::collect(groups.len(), GROUPS, |place| Moments::new(groups[place].own_triangles(&triangles)));
        Self { triangles, groups, moments }
    }

    /// Returns the winding number of a point, with an error of at most a bound.
    pub(super) fn winding_number(&self, point: DVec3, error_bound: f64) -> f64 {
        Walk::new(self, point, error_bound).sum_of(0)
    }
}

/// Sorts triangles into groups, and adds these groups. `first` is the number of the first triangle.
fn divide(triangles: &mut [[Vec3; 3]], first: usize, groups: &mut Vec<TriangleGroup>) {
    let place = groups.len();
    groups.push(TriangleGroup { first: first as u32, end: (first + triangles.len()) as u32, next: 0 });
    if triangles.len() > LEAF {
        // All leaves but one are full.
        let middle = (triangles.len() / 2).next_multiple_of(LEAF);
        let axis = longest_axis(triangles);
        triangles.select_nth_unstable_by(middle, |a, b| sum_along(a, axis).total_cmp(&sum_along(b, axis)));
        let (left, right) = triangles.split_at_mut(middle);
        divide(left, first, groups);
        divide(right, first + middle, groups);
    }
    groups[place].next = groups.len() as u32;
}

fn sum_along([a, b, c]: &[Vec3; 3], axis: usize) -> f64 {
    f64::from(a[axis]) + f64::from(b[axis]) + f64::from(c[axis])
}

/// Returns the axis along which the middles of triangles are farthest apart.
fn longest_axis(triangles: &[[Vec3; 3]]) -> usize {
    let middles = || triangles.iter().map(|corners| DVec3::from_array([0, 1, 2].map(|axis| sum_along(corners, axis))));
    let low = middles().fold(DVec3::INFINITY, DVec3::min);
    let size = middles().fold(DVec3::NEG_INFINITY, DVec3::max) - low;
    size.max_position()
}

/// A sum over a tree, with the remaining part of the allowed error.
struct Walk<'a> {
    tree: &'a GroupTree,
    point: DVec3,
    error_left: f64,
    /// The area of all triangles that have not been added yet, to which the remaining error belongs.
    area_left: f64,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a GroupTree, point: DVec3, error_bound: f64) -> Self {
        Self { tree, point, error_left: error_bound, area_left: tree.moments[0].area }
    }

    /// Returns the winding number of a group. Its error is at most the group's share, by area, of the remaining error.
    /// Triangles that are added one by one leave their share to later groups, so the nearer half comes first.
    fn sum_of(&mut self, place: usize) -> f64 {
        let (group, moments) = (&self.tree.groups[place], &self.tree.moments[place]);
        let error = moments.error(self.squared_distance(place));
        let is_within = error <= self.error_left && error * self.area_left <= self.error_left * moments.area;
        if is_within && error < f64::INFINITY {
            self.error_left -= error;
            self.area_left -= moments.area;
            return moments.far_winding(self.point);
        }
        if group.end - group.first <= LEAF as u32 {
            self.area_left -= moments.area;
            return winding_of(group.own_triangles(&self.tree.triangles), self.point);
        }
        let left = place + 1;
        let right = self.tree.groups[left].next as usize;
        let is_left_nearer = self.squared_distance(left) <= self.squared_distance(right);
        let [near, far] = if is_left_nearer { [left, right] } else { [right, left] };
        self.sum_of(near) + self.sum_of(far)
    }

    fn squared_distance(&self, place: usize) -> f64 {
        self.tree.moments[place].squared_distance(self.point)
    }
}
