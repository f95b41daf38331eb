//! The penetration depth of two entities of a scene.

use crate::collections::sort::SharedSort;
use crate::convex::SearchBudget;
use crate::math::float::{reported_direction, round_vec3};
use crate::proximity::{self, ANY, Depth, PartPenetration, between, each_penetration};
use crate::query::answer::by_public_fields;
use crate::query::overlap::proximity_parts::{form_of, origin_between};
use crate::query::pairs::Pair;
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// The deepest penetration of two entities, in world space.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairPenetration {
    /// The distance that one of them has to be moved to separate them, in world units. It is 0 where they touch.
    pub depth: f32,
    /// The direction from the first to the second, of unit length. Move the second along it, or the first against it.
    pub normal: Vec3,
    /// The deepest points. One is on the surface of the first entity, and one on the surface of the second.
    pub points: [Vec3; 2],
    /// Indices of the parts in compounds; 0 for other entities.
    pub parts: [u32; 2],
    /// The triangles of meshes and height fields; `None` on other geometry.
    pub triangles: [Option<u32>; 2],
    /// The values before they were rounded to f32.
    #[cfg_attr(feature = "serde", serde(skip))]
    exact: Depth,
}

impl PairPenetration {
    /// Returns the motion that takes the second entity out of the penetration. After it, the two just touch. The opposite motion takes the first one out.
    pub fn separation(&self) -> DVec3 {
        self.exact.separation()
    }

    /// Returns whether this penetration comes before another one. It does if it is deeper, or equally deep between
    /// lower parts.
    fn is_before(&self, other: &Self) -> bool {
        let (depth, other_depth) = (self.exact.depth, other.exact.depth);
        depth > other_depth || depth == other_depth && self.parts < other.parts
    }

    /// Takes the penetration of two parts that are relative to an origin.
    fn of_parts([a, b]: [&Part; 2], PartPenetration { of, triangles }: PartPenetration, origin: DVec3) -> Self {
        let exact = of.in_world(origin);
        Self {
            depth: exact.depth as f32,
            normal: reported_direction(exact.normal),
            points: exact.points().map(round_vec3),
            parts: [a.index, b.index],
            triangles,
            exact,
        }
    }

    /// Returns the points before they were rounded to f32.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact.points()
    }
}

by_public_fields!(PairPenetration { depth, normal, points, parts, triangles });

impl<K: Clone + Eq + Hash> Pair<'_, K> {
    /// Returns how deep two entities are in each other, and the shortest way to take the second out of the first. The answer is for one pair of their convex
    /// pieces: the deepest. Returns `None` if they do not [overlap](Self::overlaps) or touch, for an absent key, and for two planes, which cannot be separated.
    ///
    /// - A solid is convex, and has one way out. A mesh or height field consists of its triangles, and a compound of
    ///   its parts. The separation from one of them may lead into the next. Move, ask again, and so on, as with
    ///   [`penetration`](crate::ProximityQueries::penetration), until the depth is small enough for you. A mesh that is
    ///   wholly inside another one touches nothing.
    /// - A triangle and a plane have no inside. If both sides are equally near, the way out is to the side of the other
    ///   entity's middle. The way out of a ring (torus) is as for `penetration`; two rings are separated by their
    ///   convex hulls.
    /// - An entity is never in itself. It would move along, so no motion separates it from itself.
    /// - Among equally deep pairs, the lower part of the first entity wins, then the lower part of the second, then the
    ///   lower triangles. Layers do not matter. For two meshes, every pair of triangles that intersect is checked.
    /// - The way out is the shortest to 2^-40 of the sizes, except for shapes that are round without a radius, as for
    ///   `penetration`.
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
    #[doc = include_str!("../edges/pair.md")]
    pub fn penetration(&self) -> Option<PairPenetration> {
        if self.is_one() {
            return None;
        }
        let with_each = |ours| self.second_parts().iter().map(move |theirs| (at_most(ours, theirs), ours, theirs));
        let mut pairs: Vec<(f64, &Part, &Part)> = self.first_parts().iter().flat_map(with_each).collect();
        // The sort is stable, so the first of several equally deep pairs wins.
        pairs.sort_shared_stable_by(|(a, ..), (b, ..)| b.total_cmp(a));
        let mut deepest: Option<PairPenetration> = None;
        let looks = SearchBudget::of_question();
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

    /// Collects the penetration of every two convex pieces of two entities that overlap or touch, the deepest first, into a buffer that is cleared first. A
    /// piece is a solid or a triangle of a mesh, so two meshes have one for every two triangles that intersect. The buffer is empty exactly if
    /// [`penetration`](Self::penetration) returns `None`, and its first item is as deep as that answer.
    ///
    /// Equally deep ones are ordered by the parts of the first entity, the parts of the second, and the triangles. Everything else is as for `penetration`.
    ///
    /// ```
    /// use hitscan::{Aabb, Mesh, Scene, glam::DVec3};
    ///
    /// let roof = Mesh::new(&[[0.0, 0.0, 0.0], [4.0, 2.0, 0.0], [8.0, 0.0, 0.0], [4.0, 0.0, 9.0]], &[0, 3, 1, 1, 3, 2])?;
    /// let mut scene = Scene::new();
    /// scene.insert("roof", roof, DVec3::ZERO)?;
    /// scene.insert("crate", Aabb::new([3.0, 1.0, 0.0], [6.0, 2.0, 1.0]), DVec3::ZERO)?;
    /// let mut all = Vec::new();
    /// scene.pair(&"roof", &"crate").penetration_all(&mut all);
    /// let mut triangles: Vec<_> = all.iter().map(|found| found.triangles).collect();
    /// triangles.sort();
    /// assert_eq!(triangles, [[Some(0), None], [Some(1), None]]);
    /// assert_eq!(scene.pair(&"roof", &"crate").penetration().map(|deepest| deepest.depth), Some(all[0].depth));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("contacts", "collide", "contact_manifold"))]
    pub fn penetration_all(&self, penetrations: &mut Vec<PairPenetration>) {
        penetrations.clear();
        if self.is_one() {
            return;
        }
        let looks = SearchBudget::of_question();
        for ours in self.first_parts().iter() {
            for theirs in self.second_parts().iter() {
                let origin = origin_between(ours, theirs);
                let Some((a, b)) = form_of(ours, origin.into()).zip(form_of(theirs, origin.into())) else { continue };
                each_penetration(&a, &b, &looks, &mut |found| {
                    penetrations.push(PairPenetration::of_parts([ours, theirs], found, origin));
                });
            }
        }
        penetrations.sort_shared_stable_by(|a, b| {
            let places = (a.parts, a.triangles).cmp(&(b.parts, b.triangles));
            b.exact.depth.total_cmp(&a.exact.depth).then(places)
        });
        // A triangle may be in several leaves of its tree.
        penetrations.dedup_by_key(|found| (found.parts, found.triangles));
    }
}

/// Returns an upper bound of the depth of two parts in each other.
fn at_most(a: &Part, b: &Part) -> f64 {
    let origin = origin_between(a, b);
    form_of(a, origin.into()).zip(form_of(b, origin.into())).map_or(ANY, |(a, b)| proximity::at_most(&a, &b))
}

/// Finds the depth of two parts. If it is below `least`, any depth below `least` may be returned.
fn of_parts(a: &Part, b: &Part, least: f64, looks: &SearchBudget) -> Option<PairPenetration> {
    let origin = origin_between(a, b);
    let found = between(&form_of(a, origin.into())?, &form_of(b, origin.into())?, least, looks)?;
    Some(PairPenetration::of_parts([a, b], found, origin))
}
