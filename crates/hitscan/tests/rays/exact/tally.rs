//! Comparison of the answers, and counts of the errors.

use crate::exact::Found;
use crate::exact::rays::{Aim, Way};
use crate::exact::subjects::Subject;
use crate::line::{Line, Meeting};
use hitscan::{MeshHit, Side};
use std::collections::BTreeMap;
use std::fmt;

/// The answers to the three questions about a ray: all hits, the closest hit, and whether it is blocked.
pub(crate) struct Answer {
    pub(crate) hits: Vec<Found>,
    pub(crate) closest: Option<Found>,
    pub(crate) is_blocked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Right,
    /// The ray went through the surface.
    Leak,
    /// The ray only touches the surface and the verdict is wrong, or there is a hit where there is no surface.
    Silhouette,
    /// The first hit is there, but its t, the order, or another hit is wrong, or the answers contradict each other.
    Other,
}

impl Answer {
    pub(crate) fn compare(&self, truth: &[(u32, Meeting)]) -> Verdict {
        let found = |(triangle, meeting): &(u32, Meeting)| (*triangle, meeting.t.unwrap_or(f32::NAN), meeting.side);
        let same = |(x, y): (&Found, Found)| (x.0, x.1.to_bits(), x.2) == (y.0, y.1.to_bits(), y.2);
        let is_same = self.hits.len() == truth.len() && self.hits.iter().zip(truth.iter().map(found)).all(same);
        if is_same && self.agrees() {
            return Verdict::Right;
        }
        let first = truth.first().map(found);
        let nearest = |t: f32| truth.iter().map(found).take_while(move |other| other.1 == t);
        match (first, self.closest) {
            (Some((_, t, side)), closest) if closest.is_none_or(|closest| closest.1 > t) => {
                if nearest(t).all(|other| other.2 == side) { Verdict::Leak } else { Verdict::Silhouette }
            }
            (first, Some((_, t, _))) if first.is_none_or(|first| t < first.1) => Verdict::Silhouette,
            _ => Verdict::Other,
        }
    }

    /// Checks an answer for which the exact hits are unknown. If `first` is given, there must be a hit, and the first
    /// hit must be on this side.
    pub(crate) fn check(&self, first: Option<Side>) -> Verdict {
        match (first, self.hits.first()) {
            (Some(_), None) => Verdict::Leak,
            // Both sides may be hit at the same t if that t is subnormal.
            (Some(side), Some(hit)) if hit.2 != side && hit.1 >= f32::MIN_POSITIVE => Verdict::Leak,
            _ if self.agrees() => Verdict::Right,
            _ => Verdict::Other,
        }
    }

    fn agrees(&self) -> bool {
        self.closest == self.hits.first().copied() && self.is_blocked == self.closest.is_some()
    }
}

impl Verdict {
    /// Checks that the hit's barycentrics, before they were rounded to f32, differ from the true barycentrics by at
    /// most 2^-29.
    pub(crate) fn and_inside(self, closest: Option<&MeshHit>, line: &Line, subject: &Subject) -> Self {
        let Some(hit) = closest.filter(|hit| self == Self::Right && hit.triangle.is_multiple_of(8)) else {
            return self;
        };
        let [u, v] = line.barycentrics(&subject.oracle.corners()[hit.triangle as usize]);
        let uv = hit.uv();
        let off = (f64::from(uv.x) - u).abs().max((f64::from(uv.y) - v).abs());
        if off <= 2f64.powi(-25) + 2f64.powi(-29) + 2f64.powi(-50) { self } else { Self::Other }
    }
}

#[derive(Clone, Copy, Default)]
struct Counts {
    rays: usize,
    hit: usize,
    /// The number of rays whose closest hit is exactly on an edge or a corner.
    at_edge: usize,
    leaks: usize,
    silhouettes: usize,
    others: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.rays += other.rays;
        self.hit += other.hit;
        self.at_edge += other.at_edge;
        self.leaks += other.leaks;
        self.silhouettes += other.silhouettes;
        self.others += other.others;
    }
}

/// Counts by surface and by kind of ray.
#[derive(Default)]
pub(crate) struct Report {
    surfaces: BTreeMap<String, Counts>,
    aims: BTreeMap<usize, Counts>,
    examples: BTreeMap<Verdict, Vec<String>>,
}

impl Report {
    /// The number of examples for each kind of error.
    const MOST_EXAMPLES: usize = 5;

    pub(crate) fn count(
        &mut self,
        surface: &str,
        way: &Way,
        truth: &[(u32, Meeting)],
        verdict: Verdict,
        example: impl FnOnce() -> String,
    ) {
        let is = |what: Verdict| usize::from(verdict == what);
        let counts = Counts {
            rays: 1,
            hit: usize::from(!truth.is_empty()),
            at_edge: usize::from(truth.first().is_some_and(|(_, meeting)| meeting.at_edge)),
            leaks: is(Verdict::Leak),
            silhouettes: is(Verdict::Silhouette),
            others: is(Verdict::Other),
        };
        self.surfaces.entry(surface.to_owned()).or_default().add(&counts);
        self.aims.entry(way.aim as usize).or_default().add(&counts);
        let examples = self.examples.entry(verdict).or_default();
        if verdict != Verdict::Right && examples.len() < Self::MOST_EXAMPLES {
            examples.push(example());
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        other.surfaces.into_iter().for_each(|(name, counts)| self.surfaces.entry(name).or_default().add(&counts));
        other.aims.into_iter().for_each(|(aim, counts)| self.aims.entry(aim).or_default().add(&counts));
        for (verdict, examples) in other.examples {
            let own = self.examples.entry(verdict).or_default();
            own.extend(examples);
            own.truncate(Self::MOST_EXAMPLES);
        }
    }

    fn total(&self) -> Counts {
        self.surfaces.values().fold(Counts::default(), |mut total, counts| {
            total.add(counts);
            total
        })
    }

    pub(crate) fn wrong(&self) -> usize {
        let total = self.total();
        total.leaks + total.silhouettes + total.others
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:18}{:>11}{:>11}{:>11}{:>8}{:>12}{:>8}",
            "", "rays", "hit", "at an edge", "leaks", "silhouette", "other"
        )?;
        let mut row = |name: &str, c: &Counts| {
            let Counts { rays, hit, at_edge, leaks, silhouettes, others } = *c;
            writeln!(f, "{name:18}{rays:>11}{hit:>11}{at_edge:>11}{leaks:>8}{silhouettes:>12}{others:>8}")
        };
        for (name, counts) in &self.surfaces {
            row(name, counts)?;
        }
        for (aim, counts) in &self.aims {
            row(&format!("{:?}", Aim::ALL[*aim]), counts)?;
        }
        row("all", &self.total())?;
        self.examples.values().flatten().try_for_each(|example| writeln!(f, "wrong: {example}"))
    }
}
