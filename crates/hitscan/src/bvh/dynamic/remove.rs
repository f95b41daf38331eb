//! Removal of items.

use super::{Child, ChildSlot, DynamicBvh, Link, ROOT, WIDTH};
use crate::geom::aabb::Aabb;
use alloc::vec::Vec;

impl DynamicBvh {
    /// Removes an item; returns whether it was in the tree.
    pub(crate) fn remove(&mut self, item: u32) -> bool {
        let Some(at) = self.places.get_mut(item as usize).and_then(Option::take) else { return false };
        self.len -= 1;
        self.take(at);
        self.choose(at.node());
        self.dissolve(at.node());
        self.shorten();
        true
    }

    /// Removes a child from its node; the node's last child takes its place.
    fn take(&mut self, at: ChildSlot) {
        let last = ChildSlot::new(at.node(), self.count(at.node()) - 1);
        let moved = self.child(last);
        if last != at {
            self.put(at, &moved);
        }
        self.set_bounds(last, &Aabb::EMPTY);
        self.node_mut(at.node()).links.count -= 1;
    }

    /// Moves a node's children into its parent if there is room, so that no node has a single child. Then updates everything above.
    fn dissolve(&mut self, node: u32) {
        let Some(at) = self.parent(node) else { return self.refit_upwards(node) };
        if self.count(at.node()) - 1 + self.count(node) > WIDTH {
            return self.refit_upwards(node);
        }
        let children: Vec<Child> = self.children(node).collect();
        self.take(at);
        children.iter().for_each(|child| self.push(at.node(), child));
        self.free.push(node);
        self.refit_upwards(at.node());
    }

    /// If the only child of the root is a node, the root is replaced by that node.
    fn shorten(&mut self) {
        while let (1, Link::Node(only)) = (self.count(ROOT), self.child(ChildSlot::new(ROOT, 0)).link) {
            let children: Vec<Child> = self.children(only).collect();
            self.fill(ROOT, &children);
            self.free.push(only);
        }
    }
}
