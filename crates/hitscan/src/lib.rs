//! Ray casting, picking and collision queries for games and 3D tools, without an engine.
//!
//! The goals, the first being the most important:
//!
//! 1. **Exact.** Whether a ray hits a triangle is decided exactly on the input, so meshes are watertight. Queries have no
//!    epsilon: a tolerance is derived from rounding, or it is an argument.
//! 2. **The same everywhere.** The same input gives the same bits on every platform, instruction set and number of threads.
//! 3. **Never stale.** A scene has no update call; each query sees every change made before it.
//! 4. **Complete.** A pick leads from a cursor to entity, triangle, barycentrics, texture coordinates and normal.
//! 5. **Small.** The library is `no_std` with `alloc`. It has little unsafe code. This consists of a prefetch, advice
//!    to the operating system about memory, and loads that must not be joined or moved. The rest is for indices that
//!    need no check, an uninitialized stack, vectors that several threads fill, and the use of an instruction set that
//!    was detected before. Without default features, fearless_simd, glam, hashbrown, libm and twox-hash are the only
//!    dependencies.
//!
//! # One example for each question
//!
//! A [`Scene`] holds entities under keys of your own type. This example asks one scene the most common questions:
//!
//! ```
//! use hitscan::prelude::*;
//! use hitscan::Plane;
//!
//! let corners = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [-1.0, 2.0, 0.0]];
//! let door = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?;
//! let mut scene = Scene::new();
//! scene.insert("floor", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
//! scene.insert("door", door, DVec3::new(0.0, 0.0, -4.0))?;
//! scene.insert("player", Sphere::new(0.5), DVec3::new(0.0, 1.0, 0.0))?;
//! scene.insert("guard", Sphere::new(0.5), DVec3::new(0.0, 1.0, -8.0))?;
//! let (eye, head) = (Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 1.0, -8.0));
//!
//! // What is hit first? A ray that starts inside a solid hits its exit.
//! let ray = Ray::new(eye, Vec3::NEG_Z);
//! let hit = scene.cast(&ray).unwrap();
//! assert_eq!((hit.id, hit.t, hit.side), ("player", 0.5, Side::Back));
//!
//! // The first hit among some of the entities. On a mesh, the hit also names the triangle.
//! let hit = scene.with(&Filter::new().exclude("player")).cast(&ray).unwrap();
//! assert_eq!((hit.id, hit.t, hit.triangle, hit.normal), ("door", 4.0, Some(0), Vec3::Z));
//!
//! // Is anything in the way?
//! assert!(scene.is_blocked(&Ray::between([3.0, 1.0, 0.0], [3.0, -1.0, 0.0])));
//!
//! // All hits along the ray, in order, written into a reusable buffer.
//! let mut hits = Vec::new();
//! scene.cast_all(&Ray::new([0.5, 1.0, 3.0], Vec3::NEG_Z), &mut hits);
//! assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), ["player", "door", "guard"]);
//!
//! // Do two entities see each other? Neither of them counts as an obstacle.
//! assert!(!scene.line_of_sight(("player", eye), ("guard", head)));
//! scene.remove(&"door");
//! assert!(scene.line_of_sight(("player", eye), ("guard", head)));
//!
//! // How far does a point move, and which motion slides it along the surface?
//! let moved = scene.move_point([5.0, 1.0, 0.0], [0.0, -2.0, 2.0], 0.0);
//! assert_eq!((moved.position, moved.slide), (Vec3::new(5.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 1.0)));
//!
//! // What is below?
//! let ground = scene.ground_below([5.0, 1.5, 0.0], Vec3::Y, 10.0).unwrap();
//! assert_eq!((ground.hit.id, ground.hit.t, ground.slope_cos), ("floor", 1.5, 1.0));
//!
//! // What does a moving ball hit, and after which fraction of its motion?
//! let stop = scene.sweep(Sphere::new(0.25), [0.0, 1.0, -4.0], Vec3::new(0.0, 0.0, -6.5)).unwrap();
//! assert_eq!((stop.id, stop.t, stop.normal), ("guard", 0.5, Vec3::Z));
//!
//! // Which surface is nearest? Does a volume overlap anything, and which motion separates the two?
//! let nearest = scene.closest_point([0.0, 1.0, -6.0]).unwrap();
//! assert_eq!((nearest.id, nearest.distance, nearest.point), ("floor", 1.0, Vec3::new(0.0, 0.0, -6.0)));
//! assert!(scene.overlaps(Sphere::new(0.25), [0.0, 1.0, -7.5]));
//! let deepest = scene.penetration(Sphere::new(0.5), [0.0, 0.25, -4.0]).unwrap();
//! assert_eq!((deepest.id, deepest.separation()), ("floor", DVec3::new(0.0, 0.25, 0.0)));
//! assert_eq!(scene.pair(&"player", &"guard").distance().map(|between| between.distance), Some(7.0));
//!
//! // On which intervals is the ray inside solids, and how thick are these?
//! let mut intervals = Vec::new();
//! scene.solid_intervals(&Ray::new([0.0, 1.0, 5.0], Vec3::NEG_Z), &mut intervals);
//! assert_eq!(intervals.iter().map(|interval| (interval.id, interval.thickness())).collect::<Vec<_>>(), [("player", 1.0), ("guard", 1.0)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Less common questions, about a scene of three balls:
//!
//! ```
//! use hitscan::prelude::*;
//! use hitscan::{Shape, Trajectory};
//!
//! let mut scene = Scene::new();
//! for (id, z) in [(1, -5.0), (2, -10.0), (3, -15.0)] {
//!     scene.insert(id, Sphere::new(1.0), DVec3::new(0.0, 0.0, z))?;
//! }
//! let ray = Ray::new(Vec3::ZERO, Vec3::NEG_Z);
//!
//! // The first three hits, then the first hit on each entity, then the first hit among some entities.
//! let mut hits = Vec::new();
//! scene.cast_first_n(&ray, 3, &mut hits);
//! assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [(1, 4.0), (1, 6.0), (2, 9.0)]);
//! scene.cast_entities(&ray, &mut hits);
//! assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [(1, 4.0), (2, 9.0), (3, 14.0)]);
//! let even = Filter::new().entities(|id| id % 2 == 0);
//! assert_eq!(scene.with(&even).cast(&ray).map(|hit| hit.id), Some(2));
//!
//! // Why is entity 3 not hit?
//! assert_eq!(scene.explain(&ray, &3).to_string(), "it would be hit at t 14, but 1 is before it, at t 4");
//!
//! // What is the first hit along a path, and along the arc of a thrown object?
//! let around = scene.cast_path(&[[0.0, 0.0, 0.0], [5.0, 0.0, -5.0], [5.0, 0.0, -10.0], [0.0, 0.0, -10.0]]).unwrap();
//! assert_eq!((around.hit.id, around.segment, around.hit.point), (2, 2, Vec3::new(1.0, 0.0, -10.0)));
//! let thrown = Trajectory::new([0.0, 2.0, 0.0], [0.0, 5.5, -10.0], [0.0, -10.0, 0.0]);
//! assert_eq!(scene.cast_trajectory(&thrown, 0.01).map(|met| met.hit.id), Some(3));
//!
//! // How much of entity 2 is visible beside entity 1?
//! let body = Shape::from(Sphere::new(1.0)).sample_points(100, 7);
//! let points: Vec<Vec3> = body.into_iter().map(|point| point + Vec3::new(0.0, 0.0, -10.0)).collect();
//! let from_the_side = scene.with(&Filter::new().exclude(2)).visibility([3.0, 0.0, 0.0], &points);
//! assert!(from_the_side.fraction() > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is under the cursor? A [`Camera`] makes the ray, from window pixels:
//!
//! ```
//! use hitscan::prelude::*;
//!
//! let mut scene = Scene::new();
//! scene.insert(17, Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), DVec3::ZERO)?;
//! let transform = Camera::look_at([0.0, 0.0, 6.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
//! let camera = Camera::perspective(transform, 60f64.to_radians())?;
//! let picked = scene.cast(&camera.ray([640.0, 360.0], [1280.0, 720.0]));
//! assert_eq!(picked.map(|hit| (hit.id, hit.t)), Some((17, 5.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A mesh or a shape alone answers too, in its own space: [`Mesh`], [`HeightField`], [`ConvexHull`] and each kind of [`Shape`]. A [`CollisionMatrix`] tests one
//! triangle against very many segments. [`CustomShape`](custom::CustomShape) is for shapes of your own. [`d2`] has the same queries in two dimensions.
//!
//! ```
//! use hitscan::{Aabb, Mesh, Ray};
//!
//! let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
//! let ray = Ray::with_direction([0.25, 0.25, 8.0], [0.0, 0.0, -4.0]);
//! assert_eq!(mesh.cast(&ray).unwrap().t, 2.0);
//! assert_eq!(Aabb::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]).interval(&ray), Some((1.75, 2.0)));
//! # Ok::<(), hitscan::error::MeshError>(())
//! ```
//!
//! [`Mesh::to_bytes`] and [`Scene::to_bytes`] save a mesh, with its tree, or a scene as bytes. Loading is much faster
//! than building.
//!
//! # Conventions
//!
//! - Space is right-handed, and y is up; a camera looks along -z. Counter-clockwise triangles face front. Angles are in radians.
//! - `t` is in multiples of the ray's direction. It is a distance for [`Ray::new`], and the fraction of the segment for
//!   [`Ray::between`]. The range of t is closed, and the reported t is compared with it.
//! - The hit with the smallest t is the answer. Among hits with equal t, the entity that was inserted first wins, then
//!   the lowest part, then the lowest triangle.
//! - Normals point outwards (to the front), have unit length and are never flipped; [`Hit::facing_normal`] is flipped
//!   to face the ray. [`Side`] says which side was hit, in the entity's own space: a mirrored entity keeps its outside.
//! - A ray that starts inside a solid hits its exit, unless [`Inside`] says otherwise. Both sides of a surface are
//!   hit, unless [`Cull`] says otherwise. A ray in a surface's plane does not hit it.
//! - Shapes and meshes are in f32, transforms in f64; everything is computed in f64 and rounded once.
//! - An unusable ray or shape hits nothing, and its `validate` says why ([`Ray::validate`]). An input from which
//!   nothing can be built is an error that names the invalid item. Nothing panics.
//! - Cursors are in window pixels; the origin is top-left, and y points down.
//!
//! The reasons are in `docs/conventions.md` of the repository, the error bounds in `docs/robustness.md`.
#![no_std]
// docs.rs says at each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod batch;
mod bvh;
mod camera;
pub mod character;
mod collections;
mod convex;
pub mod d2;
pub mod debug;
pub mod drag;
pub mod error;
pub mod gameplay;
mod geom;
pub mod gizmo;
pub mod height_field;
mod hull;
mod math;
pub mod mesh;
mod parallel;
pub mod pointer;
pub mod prelude;
mod proximity;
pub mod query;
mod save;
mod scene;
pub mod select;
mod shape;
pub mod simd;
pub mod snap;
mod sweep;
mod tri;
pub mod wire;

pub use bvh::Quality;
pub use camera::{Camera, Projected, Viewport};
#[doc(inline)]
pub use character::{Character, CharacterState, Moved};
pub use convex::{Pose, Volume};
pub use geom::aabb::Aabb;
pub use geom::culling::{Cull, CutOuts, Inside};
pub use geom::hit::Side;
pub use geom::ray::Ray;
pub use geom::transform::Transform;
pub use glam;
#[doc(inline)]
pub use height_field::HeightField;
pub use hull::ConvexHull;
#[doc(inline)]
pub use mesh::Mesh;
pub use proximity::WindingTree;
#[doc(inline)]
pub use query::{
    ClosestPoint, Filter, Hit, ProximityQueries, RayQueries, SweepHit, SweepQueries, Trajectory, View, pairs,
};
pub use scene::{Compound, Entity, EntityRef, Geometry, Scene};
pub use shape::{
    Capsule, CollisionMatrix, Cone, Cylinder, Disc, OrientedBox, Plane, Quad, RoundedBox, Shape, Sphere, Torus,
    Triangle, custom,
};
pub use sweep::{ContactFilter, SweepStart};
pub use tri::MeshHit;

/// Items that hitscan's other crates use. They are not part of the public interface, and may change at any time.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "parallel")]
    pub use crate::parallel::PerProcess;
    pub use crate::parallel::{is_available, join};
}

/// The example of this crate's README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
