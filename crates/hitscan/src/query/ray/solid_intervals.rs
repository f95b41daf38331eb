//! Intervals in which a ray is inside solids and closed meshes.

use super::cast::RaySearch;
use super::part_hit::{PartHit, key};
use super::query_ray::QueryRay;
use crate::collections::sort::SharedSort;
use crate::geom::culling::Inside;
use crate::geom::hit::Side;
use crate::geom::ray::{LocalRay, Ray};
use crate::mesh::Passage;
use crate::query::{Hit, RayView};
use crate::scene::{Part, PartGeometry};
use crate::shape::{RayStart, RayTest};
use crate::tri::FoundTriangle;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;

/// An interval of a ray inside an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolidInterval<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound, in the order of [`Compound::iter`](crate::Compound::iter); 0 for other entities. Parts that
    /// overlap have separate intervals.
    pub part: u32,
    /// The t at which the ray enters, or at which its range begins inside, in multiples of the ray's direction.
    pub t_enter: f32,
    /// The t at which the ray leaves, or at which its range ends inside.
    pub t_exit: f32,
    /// The start of the interval.
    pub enter: IntervalEnd<K>,
    /// The end of the interval.
    pub exit: IntervalEnd<K>,
    /// The entity's insertion order.
    order: u64,
}

/// The start or the end of a [`SolidInterval`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a hit is answered by value, without an allocation")]
pub enum IntervalEnd<K> {
    /// A surface, which the ray hits on the front at the start of the interval, and on the back at the end.
    Surface(Hit<K>),
    /// No surface: the ray's range begins or ends inside.
    Range,
    /// The end is not known, because the mesh is not closed. The surface at the other end has no counterpart. Such an interval has length 0.
    Open,
}

impl<K> IntervalEnd<K> {
    /// Returns the hit on the surface, if there is one.
    pub fn hit(&self) -> Option<&Hit<K>> {
        if let Self::Surface(hit) = self { Some(hit) } else { None }
    }
}

impl<K> SolidInterval<K> {
    /// Returns the length from entry to exit, in multiples of the ray's direction. With [`Ray::new`] it is the distance through the entity.
    pub fn thickness(&self) -> f32 {
        self.t_exit - self.t_enter
    }
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Collects the intervals in which a ray is inside things, into a buffer that is cleared first.
    pub(in crate::query) fn intervals(&self, ray: &Ray, intervals: &mut Vec<SolidInterval<K>>) {
        intervals.clear();
        let Some(query_ray) = QueryRay::new(self, ray) else { return };
        let search = RaySearch::new(self, &query_ray);
        let (mut crossings, mut triangles) = (Vec::new(), Vec::new());
        search.each_part(|_, _, part| {
            add_stretches(search.ray, part, (&mut crossings, &mut triangles), &mut |stretch| {
                intervals.extend(stretch.in_range(search.ray).and_then(|stretch| {
                    let (first, last) = (stretch.enter.part_hit(), stretch.exit.part_hit());
                    let counts = |part_hit: PartHit<'_>| search.passes(part, part_hit);
                    if !first.or(last).is_none_or(counts) {
                        return None;
                    }
                    let report = |part_hit| search.report(ray, &key(part, &part_hit), &(part, part_hit));
                    Some(SolidInterval {
                        id: self.view.scene.owner(part)?.key.clone(),
                        part: part.index,
                        t_enter: stretch.enter.t(),
                        t_exit: stretch.exit.t(),
                        enter: stretch.enter.reported(report)?,
                        exit: stretch.exit.reported(report)?,
                        order: part.order,
                    })
                }));
            });
        });
        intervals.sort_shared_stable_by(|a, b| {
            let place = |interval: &SolidInterval<K>| (interval.order, interval.part);
            a.t_enter.total_cmp(&b.t_enter).then_with(|| place(a).cmp(&place(b))).then(a.t_exit.total_cmp(&b.t_exit))
        });
    }
}

/// An interval before it is known whether it is accepted.
#[derive(Clone, Copy)]
struct CandidateInterval<'a> {
    enter: End<'a>,
    exit: End<'a>,
}

#[derive(Clone, Copy)]
enum End<'a> {
    Surface(PartHit<'a>),
    /// There is no surface: the interval extends to this t.
    None(f32),
    /// The end is not known; the surface at the other end is at this t.
    Open(f32),
}

impl<'a> End<'a> {
    fn t(&self) -> f32 {
        match self {
            Self::Surface(part_hit) => part_hit.t(),
            Self::None(t) | Self::Open(t) => *t,
        }
    }

    fn part_hit(&self) -> Option<PartHit<'a>> {
        if let Self::Surface(part_hit) = self { Some(*part_hit) } else { None }
    }

    fn reported<K>(&self, report: impl Fn(PartHit<'a>) -> Option<Hit<K>>) -> Option<IntervalEnd<K>> {
        match self {
            Self::Surface(part_hit) => report(*part_hit).map(IntervalEnd::Surface),
            Self::None(_) => Some(IntervalEnd::Range),
            Self::Open(_) => Some(IntervalEnd::Open),
        }
    }
}

const BEFORE_ALL: End<'static> = End::None(f32::NEG_INFINITY);
const AFTER_ALL: End<'static> = End::None(f32::INFINITY);

impl<'a> CandidateInterval<'a> {
    /// Makes an interval that is entered and never left.
    fn without_exit(enter: PartHit<'a>) -> Self {
        Self { enter: End::Surface(enter), exit: End::Open(enter.t()) }
    }

    /// Makes an interval that is left and was never entered.
    fn without_enter(exit: PartHit<'a>) -> Self {
        Self { enter: End::Open(exit.t()), exit: End::Surface(exit) }
    }

    /// Returns the part of the interval in the ray's range, if it has a length.
    fn in_range(self, ray: &LocalRay) -> Option<Self> {
        if let Self { enter: End::Open(t), .. } | Self { exit: End::Open(t), .. } = self {
            return ray.contains(t).then_some(self);
        }
        let enter = if self.enter.t() < ray.t_min { End::None(ray.t_min) } else { self.enter };
        let exit = if self.exit.t() > ray.t_max { End::None(ray.t_max) } else { self.exit };
        (enter.t() < exit.t()).then_some(Self { enter, exit })
    }
}

/// Adds every interval of a ray's line inside a part, with the help of two buffers.
fn add_stretches<'a>(
    world: &LocalRay,
    part: &'a Part,
    (crossings, triangles): (&mut Vec<PartHit<'a>>, &mut Vec<FoundTriangle>),
    add: &mut impl FnMut(CandidateInterval<'a>),
) {
    let ray = world.transformed(&part.to_local.affine());
    let line = LocalRay { t_min: f32::NEG_INFINITY, t_max: f32::INFINITY, ..ray };
    crossings.clear();
    match &part.geometry {
        PartGeometry::Shape(shape) if !shape.is_solid() => {}
        PartGeometry::Shape(shape) => of_solid(shape.test(), &line, add),
        PartGeometry::ConvexHull(hull) => of_solid(hull, &line, add),
        PartGeometry::Custom(custom) => {
            // If all of the range is inside, only the exit beyond the range shows that.
            let onwards = LocalRay { t_max: f32::INFINITY, ..ray };
            let _ = custom.each(&onwards, Inside::Exit, RayStart::Anywhere, &mut |found| {
                crossings.push(PartHit::Custom(found));
                ControlFlow::Continue(())
            });
            of_custom(crossings, add);
        }
        PartGeometry::Mesh(mesh) => {
            let end = |found| PartHit::Triangle(mesh, found);
            mesh.each_passage(&line, triangles, &mut |passage| {
                add(match passage {
                    Passage::Between(enter, exit) => {
                        CandidateInterval { enter: End::Surface(end(enter)), exit: End::Surface(end(exit)) }
                    }
                    Passage::WithoutExit(enter) => CandidateInterval::without_exit(end(enter)),
                    Passage::WithoutEntry(exit) => CandidateInterval::without_enter(end(exit)),
                });
            });
        }
        PartGeometry::HeightField(_) | PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => {}
    }
}

/// Adds the intervals of a solid that numbers all crossings of the line: an interval is from an even number to the next number.
fn of_solid<'a>(solid: &dyn RayTest, line: &LocalRay, add: &mut impl FnMut(CandidateInterval<'a>)) {
    let hits = solid.hits(line, Inside::Exit, RayStart::Anywhere);
    for exit in hits.iter().filter(|hit| hit.crossing % 2 == 1) {
        let enter = hits.iter().find(|enter| enter.crossing + 1 == exit.crossing);
        // The t of a missing entry is beyond f32.
        let enter = enter.map_or(BEFORE_ALL, |enter| End::Surface(PartHit::Shape(enter)));
        add(CandidateInterval { enter, exit: End::Surface(PartHit::Shape(exit)) });
    }
}

/// Adds the intervals between the crossings after the start of the ray's range. The sides of the crossings decide: if the first crossing is on a back, the ray
/// starts inside.
fn of_custom<'a>(crossings: &[PartHit<'a>], add: &mut impl FnMut(CandidateInterval<'a>)) {
    let mut enter = crossings.first().filter(|first| first.side() == Side::Back).map(|_| BEFORE_ALL);
    for &crossing in crossings {
        match (enter, crossing.side()) {
            (None, Side::Front) => enter = Some(End::Surface(crossing)),
            (Some(begin), Side::Back) => {
                add(CandidateInterval { enter: begin, exit: End::Surface(crossing) });
                enter = None;
            }
            _ => {}
        }
    }
    if let Some(enter) = enter {
        add(CandidateInterval { enter, exit: AFTER_ALL });
    }
}
