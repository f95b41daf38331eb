//! Code that all solids share. It finds the spans of t inside them, and decides which ends of the spans are hits.

use crate::geom::culling::Inside;
use crate::geom::hit::{RawHit, Side};
use crate::geom::ray::LocalRay;
use crate::math::float::reported_t;

/// The position of a ray's start with respect to the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RayStart {
    /// The start may be anywhere.
    Anywhere,
    /// The ray starts at an earlier hit on this very shape, up to the rounding of its origin. In exact arithmetic it
    /// hits that surface at t = 0, which is ignored. It hits a flat shape nowhere else.
    OnSurface(Heading),
}

/// The direction, outwards or inwards, in which a ray leaves the surface that it starts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    /// The ray goes where the outward normal points.
    Outwards,
    /// The ray goes into the solid.
    Inwards,
}

/// A crossing of the ray's line with a solid's surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) t: f64,
    /// The part of the surface, in the shape's own numbering.
    pub(crate) feature: usize,
}

/// An interval of the ray's line inside a solid; `enter.t <= exit.t`, equal for a line that only touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) enter: Crossing,
    pub(crate) exit: Crossing,
}

impl Span {
    /// The whole line.
    pub(crate) const LINE: Self =
        Self { enter: Crossing { t: f64::NEG_INFINITY, feature: 0 }, exit: Crossing { t: f64::INFINITY, feature: 0 } };

    /// Makes a span between two crossings of the same part of the surface.
    pub(crate) fn of_feature((enter, exit): (f64, f64), feature: usize) -> Self {
        Self { enter: Crossing { t: enter, feature }, exit: Crossing { t: exit, feature } }
    }

    /// Returns the intersection. If both end at the same t, the feature of `self` is kept.
    pub(crate) fn intersect(self, other: Self) -> Option<Self> {
        let enter = if other.enter.t > self.enter.t { other.enter } else { self.enter };
        let exit = if other.exit.t < self.exit.t { other.exit } else { self.exit };
        (enter.t <= exit.t).then_some(Self { enter, exit })
    }

    /// Returns the interval around both.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self {
            enter: if other.enter.t < self.enter.t { other.enter } else { self.enter },
            exit: if other.exit.t > self.exit.t { other.exit } else { self.exit },
        }
    }

    /// Converts the interval to other units of t by an increasing function.
    pub(crate) fn map(self, t: impl Fn(f64) -> f64) -> Self {
        let map = |crossing: Crossing| Crossing { t: t(crossing.t), ..crossing };
        Self { enter: map(self.enter), exit: map(self.exit) }
    }
}

/// All intervals of the line inside a solid, ascending and disjoint: one for a convex solid, two for a torus.
pub(crate) type Spans = InlineList<Span, 2>;

/// Hits of one shape, ascending in t: up to four crossings, and the start inside.
pub(crate) type RawHits = InlineList<RawHit, 5>;

/// A list of at most N items, without allocation. An item beyond them would be dropped, which the shapes' geometry rules out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InlineList<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> InlineList<T, N> {
    pub(crate) fn new() -> Self {
        Self([None; N])
    }

    pub(crate) fn from_option(item: Option<T>) -> Self {
        let mut list = Self::new();
        list.0[0] = item;
        list
    }

    pub(crate) fn push(&mut self, item: T) {
        if let Some(slot) = self.0.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(item);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.0.iter().map_while(|item| *item)
    }

    pub(crate) fn first(&self) -> Option<T> {
        self.0[0]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }
}

/// Returns the hits at the ends of the spans within the ray's range.
pub(crate) fn resolve<V>(spans: Spans, ray: &LocalRay<V>, inside: Inside, start: RayStart) -> RawHits {
    let left = span_at_start(&spans, start);
    let mut hits = RawHits::new();
    for (span, number) in spans.iter().zip(0u8..) {
        let (entering, exiting) = (2 * number, 2 * number + 1);
        let heading = left.filter(|(leaving, _)| *leaving == number).map(|(_, heading)| heading);
        if heading == Some(Heading::Outwards) {
            continue;
        }
        let touching = span.enter.t == span.exit.t;
        // The values of t are compared as reported, in f32. A t beyond the range of f32 is infinite.
        let starts_inside = heading.is_none() && (span.enter.t as f32) < ray.t_min && ray.t_min <= span.exit.t as f32;
        if starts_inside && inside == Inside::Solid && ray.t_min.is_finite() {
            let t = ray.t_min + 0.0;
            let feature = span.enter.feature;
            hits.push(RawHit { t, exact_t: t.into(), side: Side::Inside, feature, crossing: entering, uv: None });
        }
        let ends = [
            (span.enter, Side::Front, entering, heading.is_some()),
            (span.exit, Side::Back, exiting, touching || (starts_inside && inside == Inside::Ignore)),
        ];
        for (end, side, crossing, skipped) in ends {
            let in_range = reported_t(end.t).filter(|&t| !skipped && ray.contains(t));
            if let Some(t) = in_range {
                hits.push(RawHit { t, exact_t: end.t, side, feature: end.feature, crossing, uv: None });
            }
        }
    }
    hits
}

/// Returns the span that ends (if heading outwards) or begins (if heading inwards) at the ray's start. In exact
/// arithmetic that end is at t = 0, so it is the one nearest to 0.
fn span_at_start(spans: &Spans, start: RayStart) -> Option<(u8, Heading)> {
    let RayStart::OnSurface(heading) = start else { return None };
    let distance = |span: &Span| match heading {
        Heading::Outwards => span.exit.t.abs(),
        Heading::Inwards => span.enter.t.abs(),
    };
    let nearest = spans.iter().zip(0u8..).min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b)));
    nearest.map(|(_, number)| (number, heading))
}
