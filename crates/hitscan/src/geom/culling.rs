//! The choices of a caller between hits.

/// The answer of a ray that starts inside a solid. Inside means `t_enter < t_min <= t_exit`.
///
/// Solids are sphere, box, oriented box, capsule, cylinder, cone, torus, convex hull and shapes of the caller's own, and the areas in 2D. Plane, quad, disc,
/// triangle, height field and mesh have no inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Inside {
    /// The exit point, with [`Side::Back`](crate::Side::Back).
    #[default]
    Exit,
    /// A hit at `t_min`, with [`Side::Inside`](crate::Side::Inside) and the normal against the ray.
    Solid,
    /// The ray ignores the exit, as if the solid did not exist. Later entries (into a torus) are hit.
    Ignore,
}

/// The hits that are ignored because of the side that the ray hits. There is one rule for every surface, including
/// the exit from a solid; [`Side::Inside`](crate::Side::Inside) is never ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cull {
    /// Both sides are hit.
    #[default]
    None,
    /// Hits on back sides are ignored.
    Back,
    /// Hits on front sides are ignored.
    Front,
}

/// The choice whether rays go through the holes of meshes' [`CutOut`](crate::mesh::CutOut)s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CutOuts {
    /// Rays go through holes.
    #[default]
    Open,
    /// Holes are filled: every triangle is solid.
    Solid,
}

/// A surface of which rays hit only one side: the result of `culled`, such as [`Mesh::culled`](crate::Mesh::culled). It
/// answers the same queries as the surface.
#[derive(Clone, Copy, Debug)]
pub struct Culled<'a, S> {
    pub(crate) surface: &'a S,
    pub(crate) cull: Cull,
}

/// A solid with a choice for rays that start inside: the result of `when_inside`, such as
/// [`Sphere::when_inside`](crate::Sphere::when_inside).
#[derive(Clone, Copy, Debug)]
pub struct FromInside<'a, S> {
    pub(crate) solid: &'a S,
    pub(crate) inside: Inside,
}

impl Cull {
    /// Returns whether a hit on this side is accepted.
    pub(crate) fn keeps(self, side: super::hit::Side) -> bool {
        !matches!((self, side), (Self::Back, super::hit::Side::Back) | (Self::Front, super::hit::Side::Front))
    }
}

/// The sides that can be hit. They are a [`Cull`], or a constant that is known at compile time.
pub(crate) trait CulledSides: Copy {
    fn cull(self) -> Cull;
}

impl CulledSides for Cull {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cull(self) -> Cull {
        self
    }
}

/// Both sides are hit. Queries without a [`Cull`] use this, so that they are compiled without a test of the side.
#[derive(Clone, Copy)]
pub(crate) struct BothSides;

impl CulledSides for BothSides {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cull(self) -> Cull {
        Cull::None
    }
}
