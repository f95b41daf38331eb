//! How deep two entities of a scene are in each other.

use super::Pair;
use super::form::{form_of, origin_between};
use crate::float::{reported_direction, round_vec3};
use crate::proximity::{self, ANY, Between, Depth, Looks, between};
use crate::scene::Part;
use alloc::vec::Vec;
use core::fmt;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// How deep the second of two entities is in the first, where they are deepest in each other, in world space.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairPenetration {
    /// How far one of them has to be moved, in world units; 0 where they touch.
    pub depth: f32,
    /// From the first to the second, of unit length: the direction to move the second in, or against which to move the first.
    pub normal: Vec3,
    /// Where each is deepest in the other: on the surface of the first, and on that of the second.
    pub points: [Vec3; 2],
    /// Which parts of compounds; else 0.
    pub parts: [u32; 2],
    /// On meshes and height fields their triangles; else `None`.
    pub triangles: [Option<u32>; 2],
    /// Before it was rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl PairPenetration {
    /// The motion that takes the second out of what it is deepest in, so that they touch and no more. The opposite takes the first out.
    pub fn separation(&self) -> DVec3 {
        self.exact.separation()
    }

    /// Whether it counts before another one: it is deeper, or as deep between lower parts.
    fn is_before(&self, other: &Self) -> bool {
        let (depth, other_depth) = (self.exact.depth, other.exact.depth);
        depth > other_depth || depth == other_depth && self.parts < other.parts
    }

    /// The points before they were rounded to f32.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact.points()
    }
}

/// By the public fields.
impl PartialEq for PairPenetration {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.depth, of.normal, of.points, of.parts, of.triangles);
        said(self) == said(other)
    }
}

impl fmt::Debug for PairPenetration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairPenetration")
            .field("depth", &self.depth)
            .field("normal", &self.normal)
            .field("points", &self.points)
            .field("parts", &self.parts)
            .field("triangles", &self.triangles)
            .finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash> Pair<'_, K> {
    /// How deep two entities are in each other, and the shortest way to take the second out of the first: of the convex things that they are made of, the pair
    /// that is deepest. `None` where they do not [overlap](Self::overlaps) or touch, for an absent key, and for two planes, out of each other of which there is no way.
    ///
    /// - Solids are convex and have one way out. A mesh or height field is its triangles, a compound its parts: out of one of them may be into the next. Move, ask
    ///   again, and so on, as of [`penetration`](crate::ProximityQueries::penetration), until nothing is deeper than you care for. A mesh that is wholly inside of another one touches nothing.
    /// - A triangle and a plane have no inside: from as near on both sides, it is to the side that the other one's middle is on. Out of a ring (torus) it is as for
    ///   `penetration`; two rings are taken out of each other's hulls.
    /// - An entity is not in itself: no way leads out, as it moves along.
    /// - Of pairs as deep the lower part of the first counts, then that of the second, then the lower triangles. Layers do not matter. Of two meshes every two triangles that
    ///   cross are looked at.
    /// - The shortest to 2^-40 of the sizes, but for what is round without a radius, as for `penetration`.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::{DVec3, Vec3}};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
    /// scene.insert("ball", Sphere::new(0.5), DVec3::new(0.0, 0.25, 0.0))?;
    /// let deep = scene.pair(&"floor", &"ball").penetration().unwrap();
    /// assert_eq!((deep.depth, deep.normal), (0.25, Vec3::Y));
    /// assert_eq!(deep.points, [Vec3::ZERO, Vec3::new(0.0, -0.25, 0.0)]);
    /// scene.set_transform(&"ball", DVec3::new(0.0, 0.25, 0.0) + deep.separation())?;
    /// assert!(scene.pair(&"floor", &"ball").penetration().is_none_or(|touch| touch.depth < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration(self) -> Option<PairPenetration> {
        if self.is_one() {
            return None;
        }
        let with_each = |ours| self.second_parts().map(move |theirs| (at_most(ours, theirs), ours, theirs));
        let mut pairs: Vec<(f64, &Part, &Part)> = self.first_parts().flat_map(with_each).collect();
        // The sort is stable, and of pairs as deep the first one counts.
        pairs.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
        let mut deepest: Option<PairPenetration> = None;
        let looks = Looks::of_question();
        for (most, ours, theirs) in pairs {
            let least = deepest.map_or(ANY, |deepest| deepest.exact.depth);
            if most < least {
                break;
            }
            if let Some(found) = of_parts(ours, theirs, least, &looks)
                && deepest.is_none_or(|deepest| found.is_before(&deepest))
            {
                deepest = Some(found);
            }
        }
        deepest
    }
}

/// Bounds from above how deep two parts are in each other.
fn at_most(a: &Part, b: &Part) -> f64 {
    let origin = origin_between(a, b);
    form_of(a, origin).zip(form_of(b, origin)).map_or(ANY, |(a, b)| proximity::at_most(&a, &b))
}

/// Finds the depth of two parts, or any depth below `least` if theirs is.
fn of_parts(a: &Part, b: &Part, least: f64, looks: &Looks) -> Option<PairPenetration> {
    let origin = origin_between(a, b);
    let Between { of, triangles } = between(&form_of(a, origin)?, &form_of(b, origin)?, least, looks)?;
    let exact = of.in_world(origin);
    Some(PairPenetration {
        depth: exact.depth as f32,
        normal: reported_direction(exact.normal),
        points: exact.points().map(round_vec3),
        parts: [a.index, b.index],
        triangles,
        exact,
    })
}
