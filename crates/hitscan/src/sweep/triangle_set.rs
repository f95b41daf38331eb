//! Sweeps of a volume against numbered triangles.

use super::contact::{Contact, SweepStart};
use super::mover::{EARLY, Mover, Sweep};
use super::shape_dispatch::unmirrored;
use super::swept_extents::SweptExtents;
use crate::collections::ordered::ordered_by_cmp;
use crate::convex::{Feature, RESOLUTION, triangle_plane};
use crate::geom::aabb::Aabb;
use crate::geom::culling::Cull;
use crate::geom::ray::LocalRay;
use crate::geom::transform::Placement;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest};
use crate::tri::TriangleSet;
use core::cell::OnceCell;
use core::cmp::Ordering;
use glam::{DAffine3, DMat3, DVec3, Vec3};

impl Sweep {
    /// Returns the path of the volume's centre up to a t.
    pub(crate) fn path(&self, t_max: f32) -> LocalRay {
        let ray = LocalRay { origin: self.center.world(), direction: self.mover.motion, t_min: 0.0, t_max };
        // For a volume that does not move, the direction of the path does not matter. The path ends at t = 0.
        if ray.direction == DVec3::ZERO { LocalRay { direction: DVec3::X, t_max: 0.0, ..ray } } else { ray }
    }

    /// Returns a transform to the world, relative to the start of the volume's centre.
    pub(crate) fn relative(&self, to_world: &DAffine3) -> DAffine3 {
        DAffine3 { translation: self.center.vector_to(to_world.translation), ..*to_world }
    }
}

/// Returns the reported t, if it is not beyond the end of the motion or the limit.
pub(crate) fn reported(t: f64, limit: f32) -> Option<f32> {
    // Adding +0 turns -0 into +0.
    Some(t as f32 + 0.0).filter(|&t| 0.0 <= t && t <= limit)
}

/// A visitor of contacts with triangles.
pub(crate) trait TakeTriangles {
    /// Returns whether a contact with this triangle at t = 0 may matter. This is called once a contact at t = 0 is known. Later contacts then do not matter,
    /// and most contacts at the start do not either.
    fn wants_at_start(&self, triangle: u32) -> bool;

    /// Takes a contact, and returns the largest t that matters from now on.
    fn take(&mut self, triangle: u32, t: f32, rank: Rank, met: &Contact) -> f32;
}

/// The order of contacts with the same reported t. The first is the one with the least t before rounding. If f64
/// cannot tell, faces come before edges, and edges before corners. So on a flat floor of many triangles, the normal is
/// the normal of the floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank(f64);

impl Rank {
    /// The rank that is before all others.
    pub(crate) const FIRST: Self = Self(0.0);

    /// Makes a rank. Times are counted in [steps](Sweep::step) within which f64 cannot distinguish them. The rank of an edge is increased by two steps. So a
    /// face comes before it unless the face is hit more than one step later.
    pub(crate) fn new(sweep: &Sweep, met: &Contact) -> Self {
        let behind = match met.feature {
            _ if met.start == SweepStart::Penetrating => 0.0,
            Feature::Face => 0.0,
            Feature::Edge(_) => 2.0,
            Feature::Vertex(_) => 4.0,
        };
        Self(libm::round(larger(met.t, 0.0) / sweep.step()) + behind)
    }
}

impl Ord for Rank {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

ordered_by_cmp!(Rank);

/// Passes to the visitor the contact with each triangle that is hit up to a reported t and may matter, some perhaps more than once.
// There are three calls of this function, and inlining specialises each for its space.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn sweep_surface(
    surface: &impl TriangleSet,
    sweep: &Sweep,
    space: &Space<'_>,
    (mut limit, cull): (f32, Cull),
    take: &mut impl TakeTriangles,
) {
    let seen = RelativeSpace::new(sweep, space);
    let thickness = SweptExtents::new(sweep, space);
    let timed = OnceCell::new();
    let searched = sweep.search_end(seen.reach(&surface.bounds()));
    surface.near(&seen.to_local_path(sweep.path(searched.after(limit))), &thickness, &mut |triangle, corners| {
        if limit == 0.0 && !take.wants_at_start(triangle) {
            return searched.after(limit);
        }
        let relative = corners.map(|corner| seen.to_volume(corner));
        let mover = match sweep.mover.turning {
            Some(_) => timed.get_or_init(|| seen.with_away_times(&sweep.mover, &surface.bounds())),
            None => &sweep.mover,
        };
        // This is slightly above every t that is rounded to the limit.
        let end = limit.next_up().into();
        let met = match triangle_plane(relative) {
            Some(normal) => mover.meet_near_triangle(relative, normal, end),
            None if surface.has_area(corners) => mover.meet_needle(relative, end),
            None => None,
        };
        let met =
            met.and_then(|met| if mover.is_turning() { mover.after_ball_at(met, relative, end) } else { Some(met) });
        let met = met.map(|met| seen.unmirrored(met)).filter(|met| cull.keeps(met.side));
        let met = met.and_then(|met| Some((reported(met.t, limit)?, met)));
        if let Some((t, met)) = met.filter(|_| surface.has_area(corners)) {
            limit = limit.min(take.take(triangle, t, Rank::new(sweep, &met), &met));
        }
        searched.after(limit)
    });
}

impl Sweep {
    /// Returns the step in which times are counted. Only ranks of the same step can be compared.
    pub(crate) fn step(&self) -> f64 {
        larger(self.mover.indistinct(), self.least_step)
    }

    /// Returns the end of the search through a tree. Rounding may make a contact earlier than the entry into the box around the obstacle. So if the search
    /// ended at the known contact, the order of traversal would affect which contact is first. `reach` is the largest coordinate of anything in the tree,
    /// relative to the start of the volume's centre. It is needed because distances to an object are rounded by a fraction of its size.
    pub(crate) fn search_end(&self, reach: f64) -> SearchEnd {
        let way = largest(self.mover.motion);
        let of_others = if way > 0.0 { larger(64.0 * UNIT_ROUNDOFF, EARLY * RESOLUTION) * (reach / way) } else { 0.0 };
        let own = larger(self.mover.indistinct(), self.mover.unresolved());
        SearchEnd { early: (own + of_others) as f32, last: 1.0 + own as f32 }
    }
}

/// The end of a search for the contacts of a sweep.
#[derive(Clone, Copy)]
pub(crate) struct SearchEnd {
    /// A bound on the time by which an obstacle may be hit earlier than its box.
    early: f32,
    /// The end if every contact matters, however large and far the contents are.
    last: f32,
}

impl SearchEnd {
    /// Returns the t up to which a tree is searched if contacts after a limit do not matter.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn after(self, limit: f32) -> f32 {
        (limit + self.early).min(self.last)
    }
}

impl Mover {
    /// Bounds the error of t on a path that is not at a small angle to the obstacle. The distance of a hit obstacle
    /// from the start is at most the sum of the motion and the volume's size. 64 roundoffs of that sum are twice the
    /// error of distances there.
    fn indistinct(&self) -> f64 {
        let (way, size) = (largest(self.motion), self.body.size() + self.body.radius);
        if way > 0.0 { 64.0 * UNIT_ROUNDOFF * (way + size) / way } else { UNIT_ROUNDOFF }
    }

    /// Returns a bound on how early a contact by support functions may be, on a path that is not at a small angle to the obstacle. The error of distances is a
    /// fraction of the size of the volume and of the coordinates of the obstacle.
    fn unresolved(&self) -> f64 {
        let (way, size) = (largest(self.motion), self.body.size() + self.body.radius);
        if way > 0.0 { EARLY * RESOLUTION * (way + size) / way } else { 0.0 }
    }
}

/// The space of a triangle set: the parts of its [`Placement`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space<'a> {
    pub(crate) to_world: &'a DAffine3,
    pub(crate) to_local: &'a DAffine3,
    pub(super) linear: Linear<'a>,
    pub(super) slack: f64,
}

/// The linear part of the transform to the space of the obstacle. Most transforms are translations or the identity, for which less is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Linear<'a> {
    /// The obstacle is in world space.
    World,
    /// The obstacle is only translated.
    Identity,
    Any(&'a DMat3),
}

impl Space<'static> {
    /// The world space.
    pub(crate) const WORLD: Self = Self {
        to_world: &Placement::IDENTITY.to_world,
        to_local: &Placement::IDENTITY.to_local,
        linear: Linear::World,
        slack: Placement::IDENTITY.slack,
    };
}

impl<'a> Space<'a> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(to_world: &'a DAffine3, to_local: &'a DAffine3, slack: f64) -> Self {
        // If the matrix is the identity, so is its inverse.
        let is_moved_alone = to_world.matrix3 == DMat3::IDENTITY;
        let linear = match is_moved_alone {
            true if to_world.translation == DVec3::ZERO => Linear::World,
            true => Linear::Identity,
            false => Linear::Any(&to_local.matrix3),
        };
        Self { to_world, to_local, linear, slack }
    }
}

/// A space of triangles, relative to the volume.
struct RelativeSpace<'a> {
    space: &'a Space<'a>,
    /// The position of the space's origin, relative to the start of the volume's centre.
    origin: DVec3,
}

impl<'a> RelativeSpace<'a> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(sweep: &Sweep, space: &'a Space<'a>) -> Self {
        Self { space, origin: sweep.center.vector_to(space.to_world.translation) }
    }

    /// Converts a path from the world to this space.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn to_local_path(&self, way: LocalRay) -> LocalRay {
        let to_local = self.space.to_local;
        match self.space.linear {
            Linear::World => way,
            Linear::Identity => LocalRay { origin: way.origin + to_local.translation, ..way },
            Linear::Any(_) => way.transformed(to_local),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn to_volume(&self, local: Vec3) -> DVec3 {
        match self.space.linear {
            Linear::World | Linear::Identity => local.as_dvec3() + self.origin,
            Linear::Any(_) => self.space.to_world.matrix3 * local.as_dvec3() + self.origin,
        }
    }

    /// Returns an upper bound of the coordinates of a box in this space, up to rounding.
    fn reach(&self, bounds: &Aabb) -> f64 {
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        match self.space.linear {
            Linear::World | Linear::Identity => largest((low + self.origin).abs().max(high + self.origin)),
            Linear::Any(_) => {
                let DMat3 { x_axis, y_axis, z_axis } = self.space.to_world.matrix3;
                let half = (high - low) * 0.5;
                let beside = x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z;
                largest((self.space.to_world.matrix3 * ((low + high) * 0.5) + self.origin).abs() + beside)
            }
        }
    }

    /// Returns a rotating volume with the intervals in which it is far from a box in this space.
    #[cold]
    #[inline(never)]
    fn with_away_times(&self, mover: &Mover, bounds: &Aabb) -> Mover {
        let corner = |number: usize| {
            let pick = |axis: usize| if number >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] };
            self.to_volume(Vec3::new(pick(0), pick(1), pick(2)))
        };
        mover.with_away_times(&core::array::from_fn(corner))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn unmirrored(&self, met: Contact) -> Contact {
        match self.space.linear {
            Linear::World | Linear::Identity => met,
            Linear::Any(_) => unmirrored(met, self.space.to_world),
        }
    }
}
