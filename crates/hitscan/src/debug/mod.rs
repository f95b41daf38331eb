//! Lines to draw for queries: rays up to their hits, normals, boxes, trees, arcs, lines of sight, and volumes.
//!
//! Every function returns the line segments of a query and its answer. They are in the space of the query's ray: the world, or relative to the view's origin
//! ([`Scene::relative_to`](crate::Scene::relative_to)). Draw them with any renderer. Each line has a [`Role`], which has a default colour. If there is nothing
//! to draw, or a number is not finite, there are no lines.
//!
//! | query | lines |
//! | --- | --- |
//! | any cast of a ray | [`ray`](fn@ray) with each hit, [`hit`](fn@hit), [`triangle`] |
//! | boxes of an entity and of the tree | [`bounds`], [`entity`], [`scene_tree`], [`mesh_tree`]; [`mesh_visits`] has the boxes that a ray visits |
//! | [`RayQueries::cast_path`](crate::RayQueries::cast_path), [`RayQueries::cast_trajectory`](crate::RayQueries::cast_trajectory) | [`path`], [`trajectory`] |
//! | [`RayQueries::visibility`](crate::RayQueries::visibility), [`RayQueries::line_of_sight`](crate::RayQueries::line_of_sight) | [`sight`] |
//! | [`RayQueries::move_point`](crate::RayQueries::move_point), [`RayQueries::ground_below`](crate::RayQueries::ground_below) | [`motion`], [`ground`] |
//! | [`SweepQueries::sweep`](crate::SweepQueries::sweep) | [`sweep`], [`contact`] |
//! | [`ProximityQueries::overlaps`](crate::ProximityQueries::overlaps), [`ProximityQueries::penetration`](crate::ProximityQueries::penetration) | [`volume`], [`penetration`] |
//! | [`ProximityQueries::closest_point`](crate::ProximityQueries::closest_point), [`Pair::distance`](crate::pairs::Pair::distance) | [`closest`], [`distance`] |
//!
//! ```
//! use hitscan::debug::{self, Role};
//! use hitscan::{Ray, RayQueries, Scene, Sphere, glam::{DVec3, Vec3}};
//!
//! let mut scene = Scene::new();
//! scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
//! let ray = Ray::new([0.0, 0.0, 0.0], Vec3::NEG_Z);
//! let hit = scene.cast(&ray);
//! let mut lines = debug::ray(&ray, hit.as_ref(), 100.0);
//! assert_eq!((lines[0].from, lines[0].to, lines[0].role), (Vec3::ZERO, Vec3::new(0.0, 0.0, -4.0), Role::Way));
//! lines.extend(hit.iter().flat_map(|hit| debug::hit(hit, 0.5)));
//! lines.extend(debug::entity(&scene, &"ball", DVec3::ZERO));
//! for line in lines {
//!     println!("{} to {} in {:?}", line.from, line.to, line.role.color());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boxes;
mod paths;
mod visits;
mod volumes;

pub use boxes::{bounds, entity, mesh_tree, scene_tree, triangle};
pub use paths::{ground, hit, motion, path, ray, sight, trajectory};
pub use visits::{TreeVisit, mesh_visits};
pub use volumes::{closest, contact, distance, penetration, sweep, volume};

#[cfg(doc)]
use crate::Scene;
use glam::Vec3;

/// A line segment to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DebugLine {
    /// The start of the line.
    pub from: Vec3,
    /// The end of the line.
    pub to: Vec3,
    /// The role of the line.
    pub role: Role,
}

/// The role of a line: the feature that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A ray, path, arc, motion or sweep up to its hit, and the swept volume at its start.
    Way,
    /// The rest of the path, which was not reached because of a hit.
    Beyond,
    /// The normal at a hit, towards the surface's front, or at a contact, towards the volume; also the separation of a
    /// penetration.
    Normal,
    /// The triangle that was hit.
    Triangle,
    /// A box around an entity or a part of it.
    Bounds,
    /// A box of a tree.
    Tree {
        /// Depth in the tree, 0 for the root.
        depth: usize,
    },
    /// The edges of a volume.
    Volume,
    /// A line between two nearest points.
    Gap,
    /// The line of sight to a point that is seen.
    Seen,
    /// The line of sight to a point that is not seen.
    Hidden,
}

impl Role {
    /// Returns the default colour of the role, in sRGB.
    pub fn color(self) -> [u8; 3] {
        match self {
            Self::Way => [230, 40, 40],
            Self::Beyond => [110, 110, 110],
            Self::Normal => [40, 110, 240],
            Self::Triangle => [250, 170, 20],
            Self::Bounds => [150, 220, 60],
            Self::Tree { depth } => {
                // The colours go from violet at the root to yellow.
                let step = depth.min(8) as u8;
                [90 + 20 * step, 30 + 27 * step, 170 - 18 * step]
            }
            Self::Volume => [220, 90, 220],
            Self::Gap => [60, 200, 220],
            Self::Seen => [60, 200, 90],
            Self::Hidden => [120, 60, 60],
        }
    }
}

impl DebugLine {
    /// Makes a line; `None` if an end is not finite.
    fn new(from: Vec3, to: Vec3, role: Role) -> Option<Self> {
        (from.is_finite() && to.is_finite()).then_some(Self { from, to, role })
    }
}
