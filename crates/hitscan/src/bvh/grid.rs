//! Trees over boxes in rows and columns, side by side. The topology follows from the size of the grid, and a part of the boxes can be refitted without
//! reading the others.

use super::builder::{Child, Link, MOST_PENDING, WIDTH};
use super::bvh8::Bvh8;
use super::node::Node;
use crate::geom::aabb::Aabb;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A block of a grid, as ranges of rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GridBlock {
    pub(crate) rows: Range<u32>,
    pub(crate) columns: Range<u32>,
}

impl GridBlock {
    /// Returns the groups that this block touches, as a block, if the grid is divided into groups of this size.
    fn groups(&self, [rows, columns]: [u32; 2]) -> Self {
        let groups = |range: &Range<u32>, size: u32| range.start / size..range.end.div_ceil(size);
        Self { rows: groups(&self.rows, rows), columns: groups(&self.columns, columns) }
    }
}

/// The place of each node in a tree over a grid.
#[derive(Clone, Debug)]
pub(crate) struct GridLevels {
    /// The levels from the one above the leaves to the root.
    levels: Vec<Level>,
    /// Rows and columns of leaves.
    size: [u32; 2],
}

/// A level of nodes, stored row by row. The levels below come after it.
#[derive(Clone, Copy, Debug)]
struct Level {
    first: u32,
    /// Rows and columns of nodes.
    size: [u32; 2],
    /// Rows and columns of children in a node.
    group: [u32; 2],
}

impl GridLevels {
    /// Makes the levels over this many rows and columns of leaves.
    pub(crate) fn new(size: [u32; 2]) -> Self {
        let (mut levels, mut below, mut group) = (Vec::new(), size, [2, 4]);
        loop {
            group = fitting(below, group);
            below = [0, 1].map(|axis| below[axis].div_ceil(group[axis]));
            levels.push(Level { first: 0, size: below, group });
            if below == [1, 1] {
                break;
            }
        }
        // This ensures that a ray through the tree has room for pending subtrees.
        debug_assert!(levels.len() * (WIDTH - 1) <= MOST_PENDING);
        let mut first = 0;
        for level in levels.iter_mut().rev() {
            level.first = first;
            first += level.size[0] * level.size[1];
        }
        Self { levels, size }
    }

    /// Returns the number of nodes of all levels.
    fn node_count(&self) -> usize {
        self.levels.iter().map(|level| level.size[0] as usize * level.size[1] as usize).sum()
    }

    /// Returns all leaves.
    pub(crate) fn everything(&self) -> GridBlock {
        GridBlock { rows: 0..self.size[0], columns: 0..self.size[1] }
    }
}

/// Returns the rows and columns of a group, given the size of a level and the group of the level below. Unless the
/// level is too narrow, groups of 2 by 4 and of 4 by 2 alternate. So two levels make squares of 8 by 8.
fn fitting([rows, columns]: [u32; 2], [below, _]: [u32; 2]) -> [u32; 2] {
    let width = WIDTH as u32;
    match (rows, columns) {
        (1, _) => [1, width],
        (_, 1) => [width, 1],
        _ if below == 2 => [4, 2],
        _ => [2, 4],
    }
}

impl Bvh8 {
    /// Makes the tree over the leaves of a grid, none of which has a box yet.
    pub(crate) fn over_grid(levels: &GridLevels) -> Self {
        Self { nodes: vec![Node::default(); levels.node_count()] }
    }

    /// Sets the boxes of some leaves of its grid, and refits the boxes above them. `leaf` returns a leaf's number and box, given its row and column; no ray
    /// enters an empty box.
    pub(crate) fn fit_grid(&mut self, grid: &GridLevels, region: &GridBlock, leaf: impl Fn(u32, u32) -> (u32, Aabb)) {
        let mut region = region.clone();
        let (mut below, mut size) = (None, grid.size);
        for level in &grid.levels {
            region = region.groups(level.group);
            for (row, column) in region.rows.clone().flat_map(|row| region.columns.clone().map(move |c| (row, c))) {
                let mut node = Node::default();
                for (place, [row, column]) in level.children(row, column, size) {
                    let child = match below {
                        None => {
                            let (number, bounds) = leaf(row, column);
                            Child { bounds, link: Link::Leaf(number) }
                        }
                        Some(below) => self.child_at(&below, row, column),
                    };
                    node.set_child(place, &child);
                }
                self.nodes[level.node(row, column)] = node;
            }
            (below, size) = (Some(*level), level.size);
        }
    }

    fn child_at(&self, level: &Level, row: u32, column: u32) -> Child {
        let number = level.node(row, column);
        Child { bounds: self.nodes[number].bounds(), link: Link::Node(number as u32) }
    }

    /// Returns the box around everything, in the tree's coordinates.
    pub(crate) fn root_bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, Node::bounds)
    }
}

impl Level {
    fn node(&self, row: u32, column: u32) -> usize {
        (self.first + row * self.size[1] + column) as usize
    }

    /// Returns each existing child of a node. A child has its place in the node, and its row and column.
    fn children(&self, row: u32, column: u32, size: [u32; 2]) -> impl Iterator<Item = (usize, [u32; 2])> {
        let [rows, columns] = self.group;
        let places = (0..rows).flat_map(move |down| (0..columns).map(move |right| [down, right]));
        let children = places.map(move |[down, right]| [row * rows + down, column * columns + right]);
        children.enumerate().filter(move |(_, child)| child[0] < size[0] && child[1] < size[1])
    }
}
