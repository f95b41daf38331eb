//! The joint of a skinned mesh that was hit.

use crate::model::{EntityId, Model};
use hitscan::Hit;
use hitscan::glam::Vec2;

/// The joint that a place on a skinned mesh follows more than any other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint<'a> {
    /// The joint's node, by its index in the file.
    pub node: u32,
    /// The node's name, or `node<N>` if it has none.
    pub name: &'a str,
    /// The joint's share in moving the place: 1 if the place follows no other joint.
    pub weight: f64,
}

impl Model {
    /// Returns the joint that was hit: the one with the largest weight at the place of the hit. Returns `None` for an entity without a skin.
    ///
    /// See [`joint_at`](Self::joint_at) for scenes with other keys.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries};
    /// use hitscan_io::Model;
    ///
    /// let model = Model::demo();
    /// let hit = model.scene()?.cast(&Ray::new([0.0, 50.0, 0.0], [0.0, -1.0, 0.0])).unwrap();
    /// assert_eq!(model.joint(&hit), None, "houses have no joints");
    /// # Ok::<(), hitscan_io::Problem>(())
    /// ```
    pub fn joint(&self, hit: &Hit<EntityId>) -> Option<Joint<'_>> {
        self.joint_at(hit.id, hit.triangle?, hit.uv?)
    }

    /// Returns the joint with the largest weight at a point of a triangle of an entity, with P = (1-u-v) A + u B + v C.
    /// Returns `None` for an entity without a skin, and beyond the last entity or triangle.
    ///
    /// The weights of the corners, each divided by the sum at its corner, are interpolated at the point. Among equal weights, the joint that comes first in
    /// the skin is returned. The result is the same in every pose.
    pub fn joint_at(&self, entity: EntityId, triangle: u32, barycentrics: Vec2) -> Option<Joint<'_>> {
        let binding = self.rig.bindings.get(entity.0 as usize)?;
        let body = self.rig.bodies.get(binding.body?)?;
        let skin = body.skin.as_ref()?;
        let corners = binding.mesh.indices(triangle)?;
        let [u, v] = barycentrics.as_dvec2().to_array();
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for (corner, part) in corners.into_iter().zip([1.0 - u - v, u, v]) {
            for (joint, share) in body.deformer.shares(corner) {
                match shares.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, sum)) => *sum += part * share,
                    None => shares.push((joint, part * share)),
                }
            }
        }
        shares.sort_by_key(|&(joint, _)| joint);
        let (joint, weight) = shares.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let node = *skin.joints.get(joint as usize)?;
        Some(Joint { node: node as u32, name: &self.rig.tree.nodes.get(node)?.name, weight })
    }
}
