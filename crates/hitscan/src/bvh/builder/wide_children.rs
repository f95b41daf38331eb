//! The binary nodes, or members of a group, that become the children of a wide node, and the order of these children.

use super::WIDTH;
use super::binary::{NodeKind, Tree};
use super::bounds::Bounds;
use super::collapse::Plan;
use super::lbvh_clusters::{self, Group};
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;

/// Leaves of one wide node are joined if they fit into one leaf. The area may grow by at most this fraction of the
/// node's area. This costs that fraction of a visit in every visit to the node, and saves a leaf's memory. If
/// triangles come in pairs, as in buildings, this saves a quarter of all leaves.
const MOST_GROWTH: f32 = 0.02;

/// The data that members are made of.
pub(super) struct ChildrenSource<'a> {
    pub(super) tree: &'a Tree,
    /// The number of primitives, some of which the tree may have more than once.
    pub(super) primitives: usize,
    /// The largest number of items of a leaf.
    pub(super) leaf_size: usize,
    /// The expected number of leaves for each leaf of the binary tree.
    pub(super) leaves_by_binary: f32,
}

impl ChildrenSource<'_> {
    /// Returns the number of leaves that a binary subtree is likely to become.
    pub(super) fn leaves(&self, subtree: BinarySubtree) -> f32 {
        (subtree.len() / 2 + 1) as f32 * self.leaves_by_binary
    }

    /// Returns the items of a small subtree.
    fn items_of(&self, subtree: BinarySubtree, lists: &mut Vec<u32>) -> LeafItems {
        let leaves = self.tree.nodes[subtree.range()].iter().filter_map(|node| match node.kind() {
            NodeKind::Leaf { first, count } => Some(LeafItems::new(ItemRow::Tree, first..first + count)),
            _ => None,
        });
        self.joined(leaves, lists)
    }

    /// Returns the items of all parts, in their order. A list is added if they are not contiguous in the tree, or if an
    /// item may occur more than once.
    fn joined(&self, parts: impl Iterator<Item = LeafItems> + Clone, lists: &mut Vec<u32>) -> LeafItems {
        let are_once = self.tree.items.len() <= self.primitives;
        match LeafItems::side_by_side(parts.clone()) {
            Some(all) if are_once => all,
            _ => LeafItems::listed(self.tree, parts, lists),
        }
    }
}

/// A child of a wide node.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) bounds: Bounds,
    pub(super) content: ChildContent,
    /// The number of leaves that it is likely to become, or to have below it.
    leaves: f32,
}

#[derive(Clone, Copy)]
pub(super) enum ChildContent {
    Leaf(LeafItems),
    Inner(WideNodeSource),
}

/// The part of the tree that becomes a wide node.
#[derive(Clone, Copy)]
pub(super) enum WideNodeSource {
    Binary(BinarySubtree),
    /// One of the tree's groups.
    Group(u32),
}

/// The range of all nodes of a binary subtree, its root first.
#[derive(Clone, Copy, Default)]
pub(super) struct BinarySubtree {
    start: u32,
    end: u32,
}

impl BinarySubtree {
    /// Returns the whole tree.
    pub(super) fn of(tree: &Tree) -> Self {
        Self { start: 0, end: tree.nodes.len() as u32 }
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the subtrees of the root's children; `second` is the offset of the second child from the root.
    fn halves(self, second: usize) -> [Self; 2] {
        let middle = self.start + second as u32;
        [Self { start: self.start + 1, end: middle }, Self { start: middle, end: self.end }]
    }
}

/// The items of a leaf, each once.
#[derive(Clone, Copy)]
pub(super) struct LeafItems {
    first: u32,
    len: u16,
    row: ItemRow,
}

/// The list in which the items of a leaf are contiguous.
#[derive(Clone, Copy, PartialEq)]
enum ItemRow {
    /// They are among all items of the tree.
    Tree,
    /// They are in a list, because they are not contiguous in the tree. An item may also occur there more than once, because spatial splits put parts of an
    /// item into neighbours that may become one leaf.
    Lists,
}

/// The rows of all leaves' items.
pub(super) struct ItemRows<'a> {
    pub(super) tree: &'a [u32],
    pub(super) lists: &'a [u32],
}

impl LeafItems {
    fn new(row: ItemRow, range: Range<usize>) -> Self {
        Self { first: range.start as u32, len: range.len() as u16, row }
    }

    fn range(self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }

    pub(super) fn of<'a>(self, rows: &ItemRows<'a>) -> &'a [u32] {
        match self.row {
            ItemRow::Tree => &rows.tree[self.range()],
            ItemRow::Lists => &rows.lists[self.range()],
        }
    }

    /// Returns the same items for lists that begin later by this amount.
    pub(super) fn moved(self, lists: usize) -> Self {
        match self.row {
            ItemRow::Tree => self,
            ItemRow::Lists => Self { first: self.first + lists as u32, ..self },
        }
    }

    /// Returns the union of these parts, if each begins where the previous one ends.
    fn side_by_side(mut parts: impl Iterator<Item = Self>) -> Option<Self> {
        let mut all = parts.next()?;
        for part in parts {
            if part.row != all.row || part.first != all.first + u32::from(all.len) {
                return None;
            }
            all.len += part.len;
        }
        Some(all)
    }

    /// Does the same as [`ChildrenSource::joined`] for parts that need not be contiguous, and that may share items.
    fn listed(tree: &Tree, parts: impl Iterator<Item = Self>, lists: &mut Vec<u32>) -> Self {
        let start = lists.len();
        let mut first = None;
        for part in parts {
            first = first.or((part.row == ItemRow::Tree).then_some(part.first as usize));
            for place in part.range() {
                let item = if part.row == ItemRow::Tree { tree.items[place] } else { lists[place] };
                if !lists[start..].contains(&item) {
                    lists.push(item);
                }
            }
        }
        let list = start..lists.len();
        let in_tree = first.map(|first| first..first + list.len());
        match in_tree.filter(|range| tree.items.get(range.clone()) == Some(&lists[list.clone()])) {
            Some(range) => {
                lists.truncate(start);
                Self::new(ItemRow::Tree, range)
            }
            None => Self::new(ItemRow::Lists, list),
        }
    }
}

/// A list of up to [`WIDTH`] members.
pub(super) struct Members {
    members: [Member; WIDTH],
    len: usize,
    /// The order of the members.
    order: [u8; WIDTH],
}

impl Members {
    const EMPTY: Self = Self {
        members: [Member { bounds: Bounds::EMPTY, content: ChildContent::Inner(WideNodeSource::Group(0)), leaves: 1.0 };
            WIDTH],
        len: 0,
        order: [0; WIDTH],
    };

    /// Makes the members of a wide node, in the order in which rays that ask for any hit visit them. They are ranked by
    /// area divided by the number of leaves below, which is estimated from the leaves of the binary tree. The larger
    /// this rank is, the sooner such a ray finds a hit there. There are fewer members than usual if the stack has no
    /// room for more pending subtrees. Adds the lists of leaves that need one.
    pub(super) fn of(source: &ChildrenSource<'_>, below: WideNodeSource, pending: usize, lists: &mut Vec<u32>) -> Self {
        let mut members = Self::EMPTY;
        let tree = source.tree;
        let half_area = match below {
            WideNodeSource::Binary(subtree) => {
                let root = &tree.nodes[subtree.start as usize];
                match (root.kind(), Plan::of_inner(root)) {
                    (NodeKind::Inner { second }, Some(plan)) => {
                        // If splitting into fewer children than the maximum is no cheaper than a single child, there is
                        // no plan for it.
                        let shares = plan.shares(plan.most_children(pending)).unwrap_or((1, 1));
                        members.add_halves(source, subtree.halves(second), shares, lists);
                    }
                    // A root that is a leaf is its node's only child.
                    _ => members.add(source, subtree, 1, lists),
                }
                root.half_area()
            }
            WideNodeSource::Group(number) => {
                for (number, child) in tree.groups.children(number) {
                    members.push(Member::of_group(number, child));
                }
                tree.groups.get(number).bounds().half_area()
            }
        };
        // Only a root may have a single child.
        let fewest = if matches!(below, WideNodeSource::Binary(BinarySubtree { start: 0, .. })) { 1 } else { 2 };
        members.join_leaves(source, fewest, MOST_GROWTH * half_area, lists);
        members.sort();
        members
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Iterates in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Member> {
        self.order[..self.len].iter().map(|&place| &self.members[place as usize % WIDTH])
    }

    fn add(&mut self, source: &ChildrenSource<'_>, subtree: BinarySubtree, children: usize, lists: &mut Vec<u32>) {
        let tree = source.tree;
        let root = &tree.nodes[subtree.start as usize];
        let plan = Plan::of_inner(root);
        let shares = if children > 1 { plan.and_then(|plan| plan.shares(children)) } else { None };
        if let (NodeKind::Inner { second }, Some(shares)) = (root.kind(), shares) {
            return self.add_halves(source, subtree.halves(second), shares, lists);
        }
        let bounds = root.bounds();
        self.push(match root.kind() {
            NodeKind::Group(number) => Member::of_group(number, tree.groups.get(number)),
            _ if plan.is_none_or(Plan::is_leaf) => Member::leaf(bounds, source.items_of(subtree, lists)),
            _ => Member {
                bounds,
                content: ChildContent::Inner(WideNodeSource::Binary(subtree)),
                leaves: source.leaves(subtree),
            },
        });
    }

    fn add_halves(
        &mut self,
        source: &ChildrenSource<'_>,
        [first, second]: [BinarySubtree; 2],
        shares: (usize, usize),
        lists: &mut Vec<u32>,
    ) {
        self.add(source, first, shares.0, lists);
        self.add(source, second, shares.1, lists);
    }

    fn push(&mut self, member: Member) {
        self.members[self.len] = member;
        self.len += 1;
    }

    /// Joins leaves in the order in which their areas grow least. It stops when the growth exceeds the limit, or when
    /// only `fewest` members are left.
    fn join_leaves(&mut self, source: &ChildrenSource<'_>, fewest: usize, most_growth: f32, lists: &mut Vec<u32>) {
        while self.len > fewest
            && let Some((i, j, parts)) = self.closest_leaves(most_growth, source.leaf_size)
        {
            let bounds = self.members[i].bounds.union(&self.members[j].bounds);
            self.members[i] = Member::leaf(bounds, source.joined(parts.into_iter(), lists));
            self.members.copy_within(j + 1..self.len, j);
            self.len -= 1;
        }
    }

    /// Returns the places of two leaves that fit into one, and their items.
    fn closest_leaves(&self, most_growth: f32, leaf_size: usize) -> Option<(usize, usize, [LeafItems; 2])> {
        let room = |member: &Member| match member.content {
            ChildContent::Leaf(items) => leaf_size - usize::from(items.len),
            ChildContent::Inner(_) => 0,
        };
        let (mut least, mut closest) = (most_growth, None);
        for (j, other) in self.members[..self.len].iter().enumerate().skip(1) {
            let other_room = room(other);
            if other_room == 0 {
                continue;
            }
            for (i, own) in self.members[..j].iter().enumerate() {
                if room(own) + other_room >= leaf_size && room(own) > 0 {
                    let all = own.bounds.union(&other.bounds).half_area();
                    let growth = all - own.bounds.half_area() - other.bounds.half_area();
                    if growth < least || growth <= least && closest.is_none() {
                        (least, closest) = (growth, Some((i, j)));
                    }
                }
            }
        }
        let (i, j) = closest?;
        match (self.members[i].content, self.members[j].content) {
            (ChildContent::Leaf(items), ChildContent::Leaf(others)) => Some((i, j, [items, others])),
            _ => None,
        }
    }

    /// Sorts by rank, the largest first; members with nearly equal ranks keep their order.
    fn sort(&mut self) {
        // Ranks are not negative. So their bits have the same order. No two keys are equal.
        const PLACES: u32 = WIDTH as u32 - 1;
        let keys: [i32; WIDTH] = from_fn(|i| {
            let rank = if i < self.len { self.members[i].rank() } else { 0.0 };
            (rank.to_bits() & !PLACES | (PLACES - i as u32)) as i32
        });
        // Each member goes to the place after all members with larger keys, without a branch that could be
        // mispredicted.
        for (place, own) in (0..).zip(keys) {
            let before: usize = keys.iter().map(|&other| usize::from(other > own)).sum();
            self.order[before % WIDTH] = place;
        }
    }
}

impl Member {
    fn of_group(number: u32, group: &Group) -> Self {
        let bounds = group.bounds();
        match group.content() {
            lbvh_clusters::GroupContent::Items => Self::leaf(bounds, LeafItems::new(ItemRow::Tree, group.items())),
            lbvh_clusters::GroupContent::Groups => Self {
                bounds,
                content: ChildContent::Inner(WideNodeSource::Group(number)),
                leaves: group.leaves() as f32,
            },
        }
    }

    fn leaf(bounds: Bounds, items: LeafItems) -> Self {
        Self { bounds, content: ChildContent::Leaf(items), leaves: 1.0 }
    }

    fn rank(&self) -> f32 {
        self.bounds.half_area() / self.leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::builder::binary::BinaryNode;
    use crate::bvh::builder::collapse;
    use crate::geom::aabb::Aabb;
    use alloc::vec;

    #[test]
    fn parts_of_the_same_items_stay_two_children_below_the_root() {
        let bounds = Bounds::new(&Aabb::new([0.0; 3], [0.5; 3]));
        let leaf = |first, count| BinaryNode::leaf(&bounds, first, count);
        let inner = |second| BinaryNode::inner(&bounds, second);
        let nodes =
            vec![inner(8), inner(4), inner(2), leaf(0, 2), leaf(2, 1), inner(2), leaf(3, 2), leaf(5, 1), leaf(6, 1)];
        let mut tree = Tree { nodes, items: vec![0, 1, 0, 0, 1, 1, 2], groups: lbvh_clusters::Groups::default() };
        collapse::plan(&mut tree, 4, 1.0);
        let source = ChildrenSource { tree: &tree, primitives: 3, leaf_size: 4, leaves_by_binary: 1.0 };
        let below =
            Members::of(&source, WideNodeSource::Binary(BinarySubtree { start: 1, end: 8 }), 0, &mut Vec::new());
        assert_eq!(below.len(), 2);
    }

    #[test]
    fn each_item_is_told_once() {
        let bounds = Bounds::new(&Aabb::new([0.0; 3], [0.5; 3]));
        let nodes =
            vec![BinaryNode::inner(&bounds, 2), BinaryNode::leaf(&bounds, 0, 2), BinaryNode::leaf(&bounds, 2, 2)];
        for (items, primitives, told) in [([3, 1, 1, 2], 3, &[3, 1, 2][..]), ([3, 1, 0, 2], 4, &[3, 1, 0, 2])] {
            let tree = Tree { nodes: nodes.clone(), items: items.to_vec(), groups: lbvh_clusters::Groups::default() };
            let source = ChildrenSource { tree: &tree, primitives, leaf_size: 8, leaves_by_binary: 1.0 };
            let mut lists = Vec::new();
            let found = source.items_of(BinarySubtree::of(&tree), &mut lists);
            assert_eq!(found.of(&ItemRows { tree: &tree.items, lists: &lists }), told);
            assert_eq!(lists.is_empty(), told == items);
        }
    }
}
