//! The traits that give a [`Scene`] and its views their queries, and the types that nearly every program names.
//!
//! ```
//! use hitscan::prelude::*;
//!
//! let mut scene = Scene::new();
//! scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
//! assert!(scene.is_blocked(&Ray::new(Vec3::ZERO, Vec3::NEG_Z)));
//! assert!(scene.overlaps(Sphere::new(0.5), DVec3::new(0.0, 0.0, -4.0)));
//! # Ok::<(), SceneError>(())
//! ```

pub use crate::error::SceneError;
pub use crate::query::{RayView, SweepView};
pub use crate::{
    Aabb, Camera, Capsule, Character, CharacterState, ContactFilter, Cull, Filter, Hit, Inside, Mesh, ProximityQueries,
    Ray, RayQueries, Scene, Side, Sphere, SweepQueries, SweepStart, View, Volume,
};
pub use glam::{DAffine3, DQuat, DVec3, Vec3};
