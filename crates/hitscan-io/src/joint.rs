//! Which joint of a skinned mesh was hit.

use crate::model::{EntityId, Model};
use hitscan::Hit;
use hitscan::glam::Vec2;

/// The joint that a place on a skinned mesh follows more than any other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Joint<'a> {
    /// The joint's node, by its index in the file.
    pub node: u32,
    /// The node's name, else `node<N>`.
    pub name: &'a str,
    /// The joint's share of the place: 1 where it follows no other.
    pub weight: f64,
}

impl Model {
    /// The joint that was hit: of those that the place of the hit follows the one of the largest weight; `None` for what
    /// has no skin.
    ///
    /// See [`joint_at`](Self::joint_at), which takes a scene's own keys apart.
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

    /// The joint of the largest weight at a place of a triangle of an entity, with P = (1-u-v) A + u B + v C; `None` for
    /// what has no skin, and beyond the last entity or triangle.
    ///
    /// The corners' weights, each corner's divided by their sum, are interpolated there; of equal ones the joint that comes
    /// first in the skin counts. It is the same in every pose.
    pub fn joint_at(&self, entity: EntityId, triangle: u32, barycentrics: Vec2) -> Option<Joint<'_>> {
        let stand = self.rig.stands.get(entity.0 as usize)?;
        let body = self.rig.bodies.get(stand.body?)?;
        let skin = body.skin.as_ref()?;
        let corners = stand.mesh.indices(triangle)?;
        let [u, v] = barycentrics.as_dvec2().to_array();
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for (corner, part) in corners.into_iter().zip([1.0 - u - v, u, v]) {
            for (joint, share) in body.flesh.shares(corner) {
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
