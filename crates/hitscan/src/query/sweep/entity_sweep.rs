//! The sweep of an entity: all of its convex parts move against everything else.

use super::search::SweepSearch;
use crate::convex::{Body, ConvexFaces, is_usable};
use crate::math::float::larger;
use crate::query::overlap::proximity_parts::is_within_reach;
use crate::query::{SweepHit, SweepQueries, SweepView};
use crate::scene::{Part, PartGeometry};
use crate::sweep::{ContactFilter, Sweep};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// Returns the first contact of an entity that moves by `motion` from its present place, without rotating. The entity
/// never hits itself.
///
/// All convex parts of the entity move, with the scale and shear of its transform: hulls, and shapes other than
/// planes and tori. Its meshes, height fields, tori, planes and custom shapes are ignored; for a mesh, sweep a
/// [`ConvexHull`](crate::ConvexHull) of its vertices as a volume. The rules of [`sweep`](SweepQueries::sweep) hold, for the contacts of all moving parts
/// together. The scene is not changed: move the entity with [`set_transform`](crate::Scene::set_transform).
///
/// Returns `None` if nothing is hit, for a key that is not in the scene, and for an entity without convex parts. The
/// filter of a view chooses the obstacles; it has no effect on the parts that move.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::{Compound, Shape, Transform};
///
/// let mut scene = Scene::new();
/// scene.insert("wall", Aabb::new([5.0, -9.0, -9.0], [6.0, 9.0, 9.0]), DVec3::ZERO)?;
/// scene.insert("table", Compound::new([
///     (Shape::from(Aabb::new([-1.0, 0.9, -1.0], [1.0, 1.0, 1.0])).into(), Transform::IDENTITY),
///     (Shape::from(Capsule::new(0.1, 0.9)).into(), [0.0, 0.45, 0.0].into()),
/// ])?, DVec3::ZERO)?;
/// let hit = hitscan::query::sweep_entity(&scene, &"table", [8.0, 0.0, 0.0]).unwrap();
/// assert_eq!((hit.id, hit.t), ("wall", 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc = include_str!("../edges/sweep.md")]
#[doc(alias("linear_cast", "cast_collider", "sweep_test"))]
pub fn sweep_entity<'a, S: SweepQueries<'a>>(
    view: S,
    id: &S::Key,
    motion: impl Into<DVec3>,
) -> Option<SweepHit<S::Key>> {
    view.sweep_view().first_of_entity(id, motion.into())
}

impl<K: Clone + Eq + Hash> SweepView<'_, K> {
    fn first_of_entity(&self, id: &K, motion: DVec3) -> Option<SweepHit<K>> {
        if !(is_usable(motion) && is_usable(self.view.origin)) {
            return None;
        }
        let others = self.view.filter_without(core::iter::once(id.clone()));
        let view = self.view.with(&others);
        let scene = self.view.scene;
        let parts = scene.parts_of(id).iter().filter_map(|&number| scene.part(number));
        let mut sweeps: Vec<Sweep> = parts.filter_map(|part| sweep_of(part, motion, self.contacts)).collect();
        // The times of all parts are counted in the same steps, because they are compared with each other.
        let step = sweeps.iter().map(Sweep::step).fold(0.0, larger);
        sweeps.iter_mut().for_each(|sweep| sweep.least_step = step);
        let hits = sweeps.iter().filter_map(|sweep| SweepSearch { view: &view, sweep }.find_first());
        hits.reduce(|a, b| if b.is_before(&a) { b } else { a })
    }
}

/// Makes the sweep of a part of the scene. Returns `None` for a part that is not convex, and for a part that is so large
/// that nothing can touch it.
fn sweep_of(part: &Part, motion: DVec3, contacts: ContactFilter) -> Option<Sweep> {
    is_within_reach(part).then_some(())?;
    let (placed, hull) = match &part.geometry {
        PartGeometry::Shape(shape) => (Body::of_shape(shape, &part.to_world)?, None),
        PartGeometry::ConvexHull(hull) => (Body::of_hull(hull, &part.to_world)?, Some(hull)),
        PartGeometry::Mesh(_) | PartGeometry::HeightField(_) | PartGeometry::Custom(_) => return None,
        PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => return None,
    };
    let outline = ConvexFaces::of_body(&placed, hull);
    Some(Sweep::of_body(placed, outline, motion, contacts))
}
