//! The node hierarchy: that it is one, which nodes the scene shows, and where they are.

use super::document::{Document, Node, Scene, Whole, get};
use crate::error::{Item, Problem};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};

/// A node of the scene and its place in the world.
pub(super) struct Placed<'a> {
    pub(super) index: usize,
    pub(super) node: &'a Node,
    pub(super) to_world: DAffine3,
}

impl Placed<'_> {
    pub(super) fn item(&self) -> Item {
        Item::named("node", self.index, self.node.name.as_deref())
    }
}

/// All nodes, where they are, and those that the scene shows.
pub(super) struct Placement<'a> {
    /// From each node's space to the world's, in the file's order; those that the scene does not show may be joints.
    pub(super) to_world: Vec<DAffine3>,
    /// Those of the default scene, else of the first, else all, parents before children.
    pub(super) shown: Vec<Placed<'a>>,
}

/// Places the nodes, whose transforms are those before any animation.
pub(super) fn place(document: &Document) -> Result<Placement<'_>, Problem> {
    let nodes = &document.nodes;
    let parents = parents(nodes)?;
    check_loops(nodes, &parents)?;
    let all = || (0..nodes.len()).filter(|&node| parents[node].is_none());
    let roots = match scene(document)? {
        Some((index, scene)) => scene_roots(index, scene, &parents)?,
        None => all().collect(),
    };
    let mut to_world = vec![DAffine3::IDENTITY; nodes.len()];
    walk(nodes, all().map(|root| (root, DAffine3::IDENTITY)), |index, parent| {
        to_world[index] = parent * local(&nodes[index]);
        to_world[index]
    });
    let mut shown = Vec::new();
    walk(nodes, roots.into_iter().map(|root| (root, ())), |index, ()| {
        shown.push(Placed { index, node: &nodes[index], to_world: to_world[index] });
    });
    Ok(Placement { to_world, shown })
}

fn scene(document: &Document) -> Result<Option<(usize, &Scene)>, Problem> {
    match document.scene {
        Some(index) => Ok(Some((index.0, get(&document.scenes, "scene", index)?))),
        None => Ok(document.scenes.first().map(|scene| (0, scene))),
    }
}

/// Every node's parent: at most one (glTF 2.0, 3.5.2).
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

/// With one parent each, the nodes that no root leads to are those in loops and below.
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

fn scene_roots(index: usize, scene: &Scene, parents: &[Option<usize>]) -> Result<Vec<usize>, Problem> {
    let mut listed = vec![false; parents.len()];
    let mut root = |&Whole(node): &Whole| {
        let item = Item::new("scene", index);
        match parents.get(node) {
            None => Err(item.invalid(format!("shows node {node}, but there are {} of them", parents.len()))),
            Some(Some(parent)) => {
                Err(item.invalid(format!("shows node {node} as a root, which is a child of node {parent}")))
            }
            Some(None) if std::mem::replace(&mut listed[node], true) => {
                Err(item.invalid(format!("shows node {node} twice")))
            }
            Some(None) => Ok(node),
        }
    };
    scene.nodes.iter().map(&mut root).collect()
}

/// Depth first, without recursion: `visit` gets a node and what it returned for the parent (a root: what it came with).
fn walk<T: Copy>(nodes: &[Node], roots: impl Iterator<Item = (usize, T)>, mut visit: impl FnMut(usize, T) -> T) {
    let mut waiting: Vec<(usize, T)> = roots.collect();
    waiting.reverse();
    while let Some((index, inherited)) = waiting.pop() {
        let own = visit(index, inherited);
        waiting.extend(nodes[index].children.iter().rev().map(|child| (child.0, own)));
    }
}

/// A node's own transform. The quaternion is taken to be of unit length, as the format demands.
fn local(node: &Node) -> DAffine3 {
    match &node.matrix {
        Some(m) => DAffine3 {
            matrix3: DMat3::from_cols(
                DVec3::new(m[0], m[1], m[2]),
                DVec3::new(m[4], m[5], m[6]),
                DVec3::new(m[8], m[9], m[10]),
            ),
            translation: DVec3::new(m[12], m[13], m[14]),
        },
        None => DAffine3::from_scale_rotation_translation(
            DVec3::from_array(node.scale),
            DQuat::from_array(node.rotation),
            DVec3::from_array(node.translation),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(json: &str) -> Document {
        serde_json::from_str(json).unwrap()
    }

    fn fault(json: &str) -> String {
        place(&document(json)).err().unwrap().to_string()
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
        let placed = place(&document).unwrap().shown;
        assert_eq!(placed.len(), count);
        assert_eq!(placed[count - 1].to_world.translation, DVec3::new(count as f64 - 1.0, 0.0, 0.0));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert!(fault(r#"{"nodes":[{"children":[1]},{"children":[0]}]}"#).contains("its own ancestor"));
        assert!(fault(r#"{"nodes":[{"children":[0]}]}"#).contains("its own ancestor"));
        assert!(fault(r#"{"nodes":[{"children":[2]},{"children":[2]},{}]}"#).contains("one parent"));
        assert!(fault(r#"{"nodes":[{"children":[7]}]}"#).contains("there are 1"));
        assert!(fault(r#"{"nodes":[{}],"scenes":[{"nodes":[0,0]}]}"#).contains("twice"));
        assert!(fault(r#"{"nodes":[{"children":[1]},{}],"scenes":[{"nodes":[1]}]}"#).contains("child of node 0"));
    }

    #[test]
    fn the_order_is_depth_first_and_the_default_scene_decides() {
        let json = r#"{"scene":1,"scenes":[{"nodes":[4]},{"nodes":[3,0]}],
            "nodes":[{"children":[2,1]},{},{},{},{}]}"#;
        let document = document(json);
        let order: Vec<usize> = place(&document).unwrap().shown.iter().map(|placed| placed.index).collect();
        assert_eq!(order, [3, 0, 2, 1]);
    }
}
