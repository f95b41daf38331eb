//! The distance between two entities of a scene.

use crate::convex::Feature;
use crate::math::float::{larger, reported_direction, round_vec3};
use crate::proximity::{NearestPair, nearest};
use crate::query::overlap::proximity_parts::{form_of, origin_between, parts_touch};
use crate::query::pairs::Pair;
use crate::scene::Part;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// The two nearest points of two entities, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairDistance {
    /// Distance in world units; 0 where they touch or overlap.
    pub distance: f32,
    /// The point on the first and the point on the second entity. If they overlap, both are the same point, which is in both entities.
    pub points: [Vec3; 2],
    /// The direction from the first to the second, of unit length; zero if they overlap and no direction leads out of one into the other.
    pub normal: Vec3,
    /// Indices of the parts in compounds; 0 for other entities.
    pub parts: [u32; 2],
    /// The triangles of meshes and height fields; `None` on other geometry.
    pub triangles: [Option<u32>; 2],
    /// The part of a triangle that each point is on; on other shapes always the face.
    pub features: [Feature; 2],
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_points: [DVec3; 2],
}

impl PairDistance {
    /// Returns the points before they were rounded to f32.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact_points
    }
}

impl<K: Clone + Eq + Hash> Pair<'_, K> {
    /// Returns the distance between two entities, in world units, and the nearest points. The distance is 0 where they touch or overlap, as far as f64 can
    /// tell. Returns `None` for an absent key, and for an entity that nothing can touch: a mesh without triangles, geometry that reaches beyond 1e70, or a
    /// custom shape that does not [say how far it reaches](crate::custom::CustomShape::farthest).
    ///
    /// An entity has distance 0 from itself: both points are one of its own, and the normal is zero.
    ///
    /// Solids count with their inside, as in [`overlaps`](crate::ProximityQueries::overlaps). A mesh is only its
    /// surface, so an entity that is wholly inside it has a distance from it. Layers do not matter. Among equal
    /// distances, the lower part of the first entity wins, then the lower part of the second, then the lower triangles.
    /// Triangles, balls and capsules are computed in closed form. Other convex shapes are iterated until bounds from
    /// both sides differ by 2^-40 of their sizes, or f64 resolves no more. The inner side of a ring (torus) is found to
    /// within 2^-20 of its radius. If more than 128 places around a ring are equally near, one of them is returned, and
    /// another may be nearer by at most 3e-4 of the radius. For a ring that is not round in the world the limits are 64
    /// places and 1.2e-3 of the longest radius.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("crate", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// scene.insert("ball", Sphere::new(0.5), DVec3::new(4.0, 1.0, 0.0))?;
    /// let between = scene.pair(&"crate", &"ball").distance().unwrap();
    /// assert_eq!((between.distance, between.normal), (2.5, Vec3::X));
    /// assert_eq!(between.points, [Vec3::new(1.0, 1.0, 0.0), Vec3::new(3.5, 1.0, 0.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("separation", "gap"))]
    pub fn distance(&self) -> Option<PairDistance> {
        if self.is_one() {
            return self.itself();
        }
        let mut best: Option<PairDistance> = None;
        let mut least = f64::INFINITY;
        for ours in self.first_parts() {
            for theirs in self.second_parts() {
                if let Some((found, distance)) = between(ours, theirs, least)
                    && (best.is_none() || distance < least)
                {
                    (best, least) = (Some(found), distance);
                }
            }
        }
        best
    }

    /// Returns the distance of an entity from itself, at its first part that anything can touch.
    fn itself(&self) -> Option<PairDistance> {
        self.first_parts().filter_map(of_itself).next()
    }

    /// Returns whether two entities touch or overlap, as far as f64 can tell: that is, whether their [`distance`](Self::distance) is 0, but faster. Returns
    /// `false` for an absent key. Layers do not matter. An entity overlaps itself, unless nothing can touch it.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("trigger", Aabb::new([-1.0; 3], [1.0; 3]), DVec3::ZERO)?;
    /// scene.insert("player", Sphere::new(0.5), DVec3::new(1.5, 0.0, 0.0))?;
    /// assert!(scene.pair(&"trigger", &"player").overlaps());
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("intersection_test", "collides"))]
    pub fn overlaps(&self) -> bool {
        if self.is_one() {
            return self.itself().is_some();
        }
        self.first_parts().any(|ours| self.second_parts().any(|theirs| parts_touch(ours, theirs)))
    }
}

/// Returns the distance of a part from itself; `None` if nothing can touch it.
fn of_itself(part: &Part) -> Option<PairDistance> {
    let origin = origin_between(part, part);
    let (place, triangle) = form_of(part, origin.into())?.some_place()?;
    let exact_points = [origin + place; 2];
    Some(PairDistance {
        distance: 0.0,
        points: exact_points.map(round_vec3),
        normal: Vec3::ZERO,
        parts: [part.index; 2],
        triangles: [triangle; 2],
        features: [Feature::Face; 2],
        exact_points,
    })
}

/// Returns the distance of two parts, if they are no farther apart than `limit`.
fn between(a: &Part, b: &Part, limit: f64) -> Option<(PairDistance, f64)> {
    let origin = origin_between(a, b);
    let NearestPair { gap, triangles } = nearest(&form_of(a, origin.into())?, &form_of(b, origin.into())?, limit)?;
    let distance = larger(gap.nearness(), 0.0);
    let exact_points = gap.points.map(|point| origin + point);
    let found = PairDistance {
        distance: distance as f32,
        points: exact_points.map(round_vec3),
        normal: reported_direction(gap.normal),
        parts: [a.index, b.index],
        triangles,
        features: gap.features,
        exact_points,
    };
    Some((found, distance))
}
