//! Cursors compared with brute force, on a cloud, a sheet and lines. Their features are partly on a lattice, and many of them tie.
//!
//! A point that may win by rounding is accepted. Answers that are exact in f64, as on a lattice that is seen along an axis, are compared exactly.

use crate::common::Random;
use crate::snap::oracle::{Feature, Lens, Picture, Sight, large, mixed};
use hitscan::glam::{DVec3, Vec2};
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};
use hitscan_random::effort::{self, Effort};

/// The numbers of cursors by their results.
#[derive(Default, Debug)]
struct Tally {
    cursors: usize,
    found: usize,
    /// Another feature was exactly as near, and could be the answer too.
    ties: usize,
    /// Several features may be the first, within rounding.
    doubtful: usize,
    /// An edge was found at another point than its nearest point, which is hidden.
    beside: usize,
}

/// Returns the number of cursors, given the number in the gate.
fn cursors(full: usize) -> usize {
    effort::size(full, full, 100_000)
}

fn is_long() -> bool {
    Effort::get().is_long()
}

fn lens_of(random: &mut Random, number: usize) -> Lens {
    let size = random.pick(&[[1280.0, 720.0], [640.0, 480.0]]);
    match number % 4 {
        0 => Lens::exact(random.pick(&[DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_Y])),
        1 => Lens::parallel(random.direction() * 24.0, random.cube() * 2.0, 12.0, size),
        2 => Lens::perspective(random.direction() * 20.0, random.cube() * 3.0, 0.8, size),
        // The eye is within the world.
        _ => Lens::perspective(random.cube() * 6.0, random.cube() * 6.0, 1.2, size),
    }
}

#[test]
fn cursors_find_what_brute_force_finds_in_everything() {
    let mut random = Random(71);
    let mut tally = Tally::default();
    for number in 0..cursors(1200) / 100 {
        let world = mixed(&mut random);
        for lens in 0..4 {
            let picture = Picture::new(&world, lens_of(&mut random, number + lens));
            (0..25).for_each(|_| check_cursor(&picture, &mut random, &mut tally));
        }
    }
    println!("everything: {tally:?}");
    assert!(tally.found > tally.cursors / 4 && tally.ties > 0 && tally.doubtful < tally.cursors / 8, "{tally:?}");
}

/// The long run has a million points and 100,000 edges.
#[test]
fn cursors_find_what_brute_force_finds() {
    let total = cursors(4_000);
    let mut random = Random(43);
    let (points, side) = if is_long() { (1_000_000, 182) } else { (20_000, 24) };
    let world = large(&mut random, points, side);
    let (mut tally, mut next_report) = (Tally::default(), 0);
    let views = if is_long() { (total / 1000).max(8) } else { 8 };
    for number in 0..views {
        let picture = Picture::new(&world, lens_of(&mut random, number));
        for _ in 0..total / views {
            check_cursor(&picture, &mut random, &mut tally);
        }
        if is_long() && tally.cursors >= next_report {
            next_report += 5000;
            eprintln!("{tally:?}");
        }
    }
    println!("{} vertices, {} edges: {tally:?}", world.vertices.len(), world.edges.len());
    assert!(tally.found > total / 4 && tally.ties > total / 100 && tally.beside > 0, "{tally:?}");
    assert!(tally.doubtful < total / 20, "{tally:?}");
}

fn check_cursor(picture: &Picture<'_>, random: &mut Random, tally: &mut Tally) {
    let lens = &picture.lens;
    let [width, height] = lens.size;
    let pixel = Vec2::new(random.fraction() as f32 * width, random.fraction() as f32 * height);
    // At these pixels, many points of a lattice are equally near.
    let pixel = if random.below(3) == 0 { (pixel / 8.0).round() * 8.0 } else { pixel };
    let radius = random.pick(&[2.0, 8.0, 12.0]);
    let hidden = random.pick(&[Hidden::Skip, Hidden::Keep]);
    let kinds = random.pick(&[
        &[SnapKind::Vertex][..],
        &[SnapKind::Edge],
        &[SnapKind::Midpoint],
        &[SnapKind::Vertex, SnapKind::Midpoint, SnapKind::Edge],
    ]);
    let cursor = Cursor::new(&lens.camera(), lens.viewport(), pixel, radius).hidden(hidden);
    let near = picture.near(pixel, radius.into(), kinds);
    let snap = cursor.nearest(&picture.world.scene, kinds);
    let case = Case { picture, pixel, radius: radius.into(), hidden, near: &near };
    case.check_first(snap.as_ref(), tally);
    // All features are queried if this takes few rays.
    if hidden == Hidden::Keep || random.below(8) == 0 {
        let mut snaps = Vec::new();
        cursor.all(&picture.world.scene, kinds, &mut snaps);
        assert_eq!(snap.as_ref(), snaps.first(), "{case:?}");
        case.check_all(&snaps, tally);
    }
}

/// A cursor, and the features near it.
struct Case<'p, 'w> {
    picture: &'p Picture<'w>,
    pixel: Vec2,
    radius: f64,
    hidden: Hidden,
    near: &'p [Feature],
}

impl std::fmt::Debug for Case<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {} within {}, {:?}", self.picture.lens, self.pixel, self.radius, self.hidden)
    }
}

impl Case<'_, '_> {
    /// Returns the feature that an answer names.
    fn feature(&self, snap: &Snap<u32>) -> &Feature {
        let target = snap.target.unwrap();
        let numbers = target.edge.map_or_else(|| [target.vertex.unwrap(); 2], |[a, b]| [a.min(b), a.max(b)]);
        let is_it = |feature: &&Feature| {
            let part = self.picture.world.parts[feature.part];
            let of_entity = (part.id, part.index, feature.triangle) == (target.id, target.part, target.triangle);
            of_entity && (feature.kind, feature.numbers) == (snap.kind, numbers)
        };
        self.near.iter().find(is_it).unwrap_or_else(|| panic!("{snap:?} is not in reach: {self:?}"))
    }

    fn sight(&self, feature: &Feature) -> Sight {
        if self.hidden == Hidden::Keep { Sight::Seen } else { self.picture.sight(feature) }
    }

    fn check_first(&self, snap: Option<&Snap<u32>>, tally: &mut Tally) {
        tally.cursors += 1;
        let Some(snap) = snap else {
            let missed = self.near.iter().find(|feature| self.surely_counts(feature));
            assert!(missed.is_none(), "{missed:?} is not found: {self:?}");
            return;
        };
        tally.found += 1;
        let found = self.found(snap);
        let (mut is_tie, mut is_doubtful) = (false, false);
        for other in self.near.iter().filter(|other| other.kind <= found.kind) {
            if (other.kind, other.place()) == (found.kind, found.place()) {
                continue;
            }
            match self.is_before(other, &found) {
                Some(true) => assert!(!self.surely_counts(other), "{other:?} before {found:?}: {self:?}"),
                Some(false) => is_tie |= other.square == found.square && self.surely_counts(other),
                None => is_doubtful |= self.surely_counts(other),
            }
        }
        tally.ties += usize::from(is_tie);
        tally.doubtful += usize::from(is_doubtful);
    }

    /// Returns the feature of an answer at the point that was found. The point must be on the feature and visible.
    fn found(&self, snap: &Snap<u32>) -> Feature {
        let feature = *self.feature(snap);
        let is_nearest = snap.point.distance(feature.point) <= 1e-6 * (1.0 + feature.depth);
        let found = if is_nearest {
            feature
        } else {
            assert!(snap.kind == SnapKind::Edge && self.hidden == Hidden::Skip, "{snap:?}, {feature:?}: {self:?}");
            assert!(self.sight(&feature) != Sight::Seen, "{feature:?} is seen: {self:?}");
            assert!(self.picture.distance_from_edge(&feature, snap.point) <= 1e-9 * (1.0 + feature.depth), "{self:?}");
            let view = self.picture.lens.view(snap.point);
            let (pixel, depth) = (self.picture.lens.pixel_of_view(view), view.z);
            Feature {
                point: snap.point,
                pixel,
                depth,
                square: pixel.distance_squared(self.pixel.as_dvec2()),
                ..feature
            }
        };
        assert!(self.sight(&found) != Sight::Hidden, "{found:?} is hidden: {self:?}");
        let distance = found.square.sqrt();
        assert!((distance - f64::from(snap.distance)).abs() <= 1e-4 && distance <= self.radius + 1e-6, "{snap:?}");
        assert!((snap.depth - found.depth).abs() <= 1e-6 * (1.0 + found.depth), "{snap:?} {found:?}");
        found
    }

    /// Returns whether a feature comes before another one in the documented order; `None` if rounding decides.
    fn is_before(&self, a: &Feature, b: &Feature) -> Option<bool> {
        if a.kind != b.kind {
            return Some(a.kind < b.kind);
        }
        // Edges that share an end may have their nearest point at this end, or just before it.
        let is_same = |a: &Feature, b: &Feature| a.ends == b.ends || a.ends == [b.ends[1], b.ends[0]];
        if self.is_exact(a) && self.is_exact(b) || a.point == b.point && (a.kind != SnapKind::Edge || is_same(a, b)) {
            let key = |feature: &Feature| (feature.square, feature.depth, feature.place());
            return Some(key(a) < key(b));
        }
        let (near, far) = (a.square.sqrt(), b.square.sqrt());
        if (near - far).abs() > 1e-6 { Some(near < far) } else { None }
    }

    /// Returns whether everything about a point is computed without rounding.
    fn is_exact(&self, feature: &Feature) -> bool {
        let is_given = feature.point.as_vec3().as_dvec3() == feature.point;
        self.picture.lens.is_exact && feature.kind != SnapKind::Edge && is_given
    }

    /// Returns whether a feature is surely within the radius and seen. This is false for an edge whose nearest point is
    /// hidden.
    fn surely_counts(&self, feature: &Feature) -> bool {
        let margin = if self.is_exact(feature) { 0.0 } else { 1e-6 };
        feature.square.sqrt() <= self.radius - margin
            && self.is_well_inside(feature)
            && self.sight(feature) == Sight::Seen
    }

    /// Returns whether a pixel is in the window by more than rounding.
    fn is_well_inside(&self, feature: &Feature) -> bool {
        let size = self.picture.lens.size.map(f64::from);
        let is_inside = |at: f64, size: f64| (1e-6..size - 1e-6).contains(&at);
        feature.kind == SnapKind::Edge || is_inside(feature.pixel.x, size[0]) && is_inside(feature.pixel.y, size[1])
    }

    fn check_all(&self, snaps: &[Snap<u32>], tally: &mut Tally) {
        let mut named: Vec<_> = snaps.iter().map(|snap| self.found(snap)).collect();
        let is_beside = |(snap, found): &(&Snap<u32>, &Feature)| {
            snap.kind == SnapKind::Edge && found.square.sqrt() > self.feature(snap).square.sqrt() + 0.01
        };
        tally.beside += snaps.iter().zip(&named).filter(is_beside).count();
        for pair in named.windows(2) {
            assert!(self.is_before(&pair[1], &pair[0]) != Some(true), "{pair:?}: {self:?}");
        }
        let key = |feature: &Feature| (feature.kind, feature.place());
        named.sort_by_key(key);
        assert!(named.windows(2).all(|pair| key(&pair[0]) != key(&pair[1])), "{self:?}");
        for feature in self.near {
            let is_named = named.binary_search_by_key(&key(feature), key);
            assert!(is_named.is_ok() || !self.surely_counts(feature), "{feature:?} is missing: {self:?}");
            if self.hidden == Hidden::Skip && feature.kind == SnapKind::Edge && self.sight(feature) == Sight::Hidden {
                self.check_beside(feature, is_named.ok().map(|place| &named[place]));
            }
        }
    }

    /// Checks an edge whose nearest point is hidden. The found point is no farther away than the nearest part of the
    /// edge that is visible over a pixel and a quarter.
    fn check_beside(&self, feature: &Feature, found: Option<&Feature>) {
        let Some(seen) = self.picture.seen_stretch(self.pixel, self.radius, feature, 1.25) else { return };
        let distance = found.map_or(f64::INFINITY, |found| found.square.sqrt());
        assert!(distance <= seen + 0.0625 + 0.2, "{feature:?} is seen from {seen} on, not {found:?}: {self:?}");
    }
}
