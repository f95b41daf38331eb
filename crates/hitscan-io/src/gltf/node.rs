//! The node hierarchy: the check that it is a forest, the nodes that the scene shows, and their transforms.

use super::document::{Document, Node, Scene, Whole, get};
use crate::error::{Item, Problem, Warning};
use crate::rig::{self, Local, Tree, Trs};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};

/// A node of the scene and its place in the world.
pub(super) struct Placed<'a> {
    pub(super) index: usize,
    pub(super) node: &'a Node,
    pub(super) to_world: DAffine3,
    /// True if animations move it.
    pub(super) moves: bool,
    /// True if it, or a node above it, is hidden (KHR_node_visibility): its mesh is not shown.
    pub(super) is_hidden: bool,
}

impl Placed<'_> {
    pub(super) fn item(&self) -> Item {
        Item::named("node", self.index, self.node.name.as_deref())
    }
}

/// All nodes, their transforms, and the nodes that the scene shows.
pub(super) struct Placement<'a> {
    /// All nodes. A node that the scene does not show may still be a joint.
    pub(super) tree: Tree,
    /// The transforms from each node's space to the world.
    pub(super) to_world: Vec<DAffine3>,
    /// The nodes of the default scene, or else of the first scene, or else all nodes. Parents come before children.
    pub(super) shown: Vec<Placed<'a>>,
}

/// Places the nodes by their transforms before any animation. `is_moved` returns whether animations move a node.
pub(super) fn place<'a>(
    document: &'a Document,
    is_moved: impl Fn(usize) -> bool,
    warnings: &mut Vec<Warning>,
) -> Result<Placement<'a>, Problem> {
    let nodes = &document.nodes;
    let parents = parents(nodes)?;
    check_loops(nodes, &parents)?;
    let all = || (0..nodes.len()).filter(|&node| parents[node].is_none());
    let roots = match scene(document)? {
        Some((index, scene)) => scene_roots(&Listed { index, scene, nodes }, &parents, warnings)?,
        None => all().collect(),
    };
    let odd = nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node, odd_length(node)?)));
    warnings.extend(odd.map(|(index, node, length)| Warning::Rotation {
        node: Item::named("node", index, node.name.as_deref()),
        length,
    }));
    let tree = tree(nodes, &parents, is_moved);
    let to_world = tree.at_rest();
    let mut shown = Vec::new();
    let hidden = hidden(nodes, &parents);
    walk(nodes, roots.into_iter().map(|root| (root, ())), |index, ()| {
        let (to_world, moves) = (to_world[index], tree.nodes[index].moves);
        shown.push(Placed { index, node: &nodes[index], to_world, moves, is_hidden: hidden[index] });
    });
    Ok(Placement { tree, to_world, shown })
}

fn tree(nodes: &[Node], parents: &[Option<usize>], is_moved: impl Fn(usize) -> bool) -> Tree {
    let node = |(index, node): (usize, &Node)| {
        let name = node.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("node{index}"));
        rig::Node { name, parent: parents[index], local: local(node), moves: false }
    };
    let mut tree = Tree { nodes: nodes.iter().enumerate().map(node).collect(), order: Vec::new() };
    let roots = (0..nodes.len()).filter(|&node| parents[node].is_none()).map(|root| (root, false));
    walk(nodes, roots, |index, parent_moves| {
        tree.order.push(index);
        tree.nodes[index].moves = parent_moves || is_moved(index);
        tree.nodes[index].moves
    });
    tree
}

fn scene(document: &Document) -> Result<Option<(usize, &Scene)>, Problem> {
    match document.scene {
        Some(index) => Ok(Some((index.0, get(&document.scenes, "scene", index)?))),
        None => Ok(document.scenes.first().map(|scene| (0, scene))),
    }
}

/// Returns every node's parent: at most one (glTF 2.0, 3.5.2).
fn parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, Problem> {
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            get(nodes, "node", child)?;
            if let Some(other) = parents[child.0].replace(index) {
                let fault = format!("is a child of node {other} and again of node {index}: a node has one parent");
                return Err(Item::named("node", child.0, nodes[child.0].name.as_deref()).invalid(fault));
            }
        }
    }
    Ok(parents)
}

/// Refuses loops. Since a node has at most one parent, a node that no root leads to is in a loop or below one.
fn check_loops(nodes: &[Node], parents: &[Option<usize>]) -> Result<(), Problem> {
    let mut reached = vec![false; nodes.len()];
    let roots = (0..nodes.len()).filter(|&node| parents[node].is_none()).map(|root| (root, ()));
    walk(nodes, roots, |index, ()| reached[index] = true);
    match reached.iter().position(|&reached| !reached) {
        Some(index) => {
            let item = Item::named("node", index, nodes[index].name.as_deref());
            Err(item.invalid("is its own ancestor, or below a node that is: nodes must form a tree"))
        }
        None => Ok(()),
    }
}

/// Returns for each node whether it, or a node above it, is hidden.
fn hidden(nodes: &[Node], parents: &[Option<usize>]) -> Vec<bool> {
    inherited(nodes, parents, |node| nodes[node].extensions.visibility.as_ref().is_some_and(|v| !v.visible))
}

/// Returns for each node whether `holds` is true for it or for a node above it.
fn inherited(nodes: &[Node], parents: &[Option<usize>], holds: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; nodes.len()];
    let roots = (0..nodes.len()).filter(|&node| parents[node].is_none()).map(|root| (root, false));
    walk(nodes, roots, |index, above| {
        found[index] = above || holds(index);
        found[index]
    });
    found
}

/// A scene, and the nodes that it may list.
struct Listed<'a> {
    index: usize,
    scene: &'a Scene,
    nodes: &'a [Node],
}

/// Returns the nodes that the scene lists, each once, except nodes below other listed nodes. A listed node that is a
/// child keeps the placement by its parent.
fn scene_roots(
    listed: &Listed<'_>,
    parents: &[Option<usize>],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<usize>, Problem> {
    let &Listed { index, scene, nodes } = listed;
    let mut is_listed = vec![false; nodes.len()];
    let mut roots = Vec::new();
    for &Whole(node) in &scene.nodes {
        let Some(&parent) = parents.get(node) else {
            let fault = format!("shows node {node}, but there are {} of them", nodes.len());
            return Err(Item::new("scene", index).invalid(fault));
        };
        let item = || Item::named("node", node, nodes[node].name.as_deref());
        if std::mem::replace(&mut is_listed[node], true) {
            warnings.push(Warning::ListedTwice { node: item(), scene: index });
            continue;
        }
        if let Some(parent) = parent {
            warnings.push(Warning::ChildAsRoot { node: item(), scene: index, parent });
        }
        roots.push(node);
    }
    let covered = inherited(nodes, parents, |node| is_listed[node]);
    roots.retain(|&root| parents[root].is_none_or(|parent| !covered[parent]));
    Ok(roots)
}

/// Walks depth first, without recursion: `visit` gets a node and the value that it returned for the parent (for a root, the
/// initial value).
fn walk<T: Copy>(nodes: &[Node], roots: impl Iterator<Item = (usize, T)>, mut visit: impl FnMut(usize, T) -> T) {
    let mut waiting: Vec<(usize, T)> = roots.collect();
    waiting.reverse();
    while let Some((index, inherited)) = waiting.pop() {
        let own = visit(index, inherited);
        waiting.extend(nodes[index].children.iter().rev().map(|child| (child.0, own)));
    }
}

/// A rotation whose length differs from 1 by more than this is no unit quaternion. The rounding of a unit quaternion to
/// f32 changes its length by less than this.
const LENGTH: f64 = 1e-3;

/// Returns the length of a node's rotation, if that is no unit quaternion.
fn odd_length(node: &Node) -> Option<f64> {
    let length = DQuat::from_array(node.rotation).length();
    (node.matrix.is_none() && (length - 1.0).abs() > LENGTH).then_some(length)
}

/// Returns a node's rotation. A rotation that the format allows stays as it is, to the bit.
fn rotation(node: &Node) -> DQuat {
    let given = DQuat::from_array(node.rotation);
    match odd_length(node) {
        None => given,
        Some(_) => normalized(given),
    }
}

/// Returns the rotation around the same axis by a quaternion of unit length; a quaternion of zeros gives no rotation.
pub(super) fn normalized(given: DQuat) -> DQuat {
    // The largest number is scaled to 1 first: squares must neither vanish nor be infinite, and 1 over a subnormal number is not
    // finite.
    let largest = given.to_array().into_iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    if largest == 0.0 { DQuat::IDENTITY } else { DQuat::from_array(given.to_array().map(|x| x / largest)).normalize() }
}

/// Returns a node's own transform.
fn local(node: &Node) -> Local {
    match &node.matrix {
        Some(m) => Local::Matrix(DAffine3 {
            matrix3: DMat3::from_cols(
                DVec3::new(m[0], m[1], m[2]),
                DVec3::new(m[4], m[5], m[6]),
                DVec3::new(m[8], m[9], m[10]),
            ),
            translation: DVec3::new(m[12], m[13], m[14]),
        }),
        None => Local::Parts(Trs {
            translation: DVec3::from_array(node.translation),
            rotation: rotation(node),
            scale: DVec3::from_array(node.scale),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(json: &str) -> Document {
        serde_json::from_str(json).unwrap()
    }

    fn fault(json: &str) -> String {
        place(&document(json), |_| false, &mut Vec::new()).err().unwrap().to_string()
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 200_000;
        let nodes: Vec<String> = (1..=count)
            .map(|child| {
                if child < count { format!("{{\"children\":[{child}],\"translation\":[1,0,0]}}") } else { "{}".into() }
            })
            .collect();
        let document = document(&format!("{{\"nodes\":[{}]}}", nodes.join(",")));
        let placed = place(&document, |_| false, &mut Vec::new()).unwrap().shown;
        assert_eq!(placed.len(), count);
        assert_eq!(placed[count - 1].to_world.translation, DVec3::new(count as f64 - 1.0, 0.0, 0.0));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert!(fault(r#"{"nodes":[{"children":[1]},{"children":[0]}]}"#).contains("its own ancestor"));
        assert!(fault(r#"{"nodes":[{"children":[0]}]}"#).contains("its own ancestor"));
        assert!(fault(r#"{"nodes":[{"children":[2]},{"children":[2]},{}]}"#).contains("one parent"));
        assert!(fault(r#"{"nodes":[{"children":[7]}]}"#).contains("there are 1"));
        assert!(fault(r#"{"nodes":[{}],"scenes":[{"nodes":[7]}]}"#).contains("there are 1"));
    }

    #[test]
    fn the_order_is_depth_first_and_the_default_scene_decides() {
        let json = r#"{"scene":1,"scenes":[{"nodes":[4]},{"nodes":[3,0]}],
            "nodes":[{"children":[2,1]},{},{},{},{}]}"#;
        let document = document(json);
        let order: Vec<usize> =
            place(&document, |_| false, &mut Vec::new()).unwrap().shown.iter().map(|placed| placed.index).collect();
        assert_eq!(order, [3, 0, 2, 1]);
    }
}
