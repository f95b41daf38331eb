//! Selection against brute force: every triangle is clipped, and every pixel is cast.

mod hidden;
mod oracle;
mod scenes;
mod views;

use hidden::Sight;
use hitscan::glam::DVec3;
use hitscan::select::{Rule, Selector};
use hitscan::{Ray, RayQueries};
use hitscan_io::EntityId;
use hitscan_random::Random;
use oracle::{How, Shape};
use scenes::{Contents, Subject};
use std::collections::BTreeSet;
use views::{Kind, RandomView, random_region, random_view};

/// A triangle, a vertex or an edge that was found.
type Found = (EntityId, u32, [u32; 2]);

/// A triangle by part, number, vertices and corners.
type Triangle = (u32, u32, [u32; 3], [DVec3; 3]);

fn regions() -> usize {
    hitscan_random::effort::size(6, 12, 1_000)
}

#[test]
fn a_generated_scene() {
    compare(&scenes::generated());
}

#[test]
fn a_town_of_instances() {
    scenes::model("car", "scenes/car.glb").iter().for_each(compare);
}

#[test]
fn a_posed_skin() {
    scenes::model("mannequiny", "skinned/mannequiny.glb").iter().for_each(compare);
}

#[test]
fn thousands_of_instances() {
    scenes::model("lights", "scenes/tps-level-lights.glb").iter().for_each(compare);
}

#[test]
fn trees_and_a_landscape() {
    scenes::model("terrain", "scenes/low-poly-terrain.glb").iter().for_each(compare);
}

fn compare(subject: &Subject) {
    let mut random = Random(1);
    let mut tally = Tally::default();
    for round in 0..regions() {
        for kind in [Kind::Rect, Kind::Circle, Kind::Lasso] {
            let view = random_view(&mut random, subject.scene.bounds());
            let (region, shape) = random_region(&mut random, view.viewport, kind);
            let selector = Selector::new(&view.camera, view.viewport, &region);
            for (rule, how) in
                [(Rule::Touching, How::Touching), (Rule::Inside, How::Inside), (Rule::Center, How::Center)]
            {
                let what = format!("{} {kind:?} {round} {how:?}", subject.name);
                let selector = selector.clone().rule(rule);
                let selects = |corners: &[DVec3]| view.picture.selects(corners, &shape, how);
                tally.triangles(subject, &selector, &what, &selects);
                tally.parts_of_triangles(subject, &selector, &what, &selects);
                if rule != Rule::Center {
                    tally.entities(subject, &selector, &what, how, &selects);
                }
            }
            if round % 3 == 0 {
                tally.visible(subject, &view, &selector, &format!("{} {kind:?} {round} visible", subject.name), &shape);
            }
        }
    }
    println!("{}: {tally:?}", subject.name);
    assert!(
        tally.faults.is_empty(),
        "{} differences: {:#?}",
        tally.faults.len(),
        &tally.faults[..tally.faults.len().min(20)]
    );
    assert!(tally.selected > 0 && tally.seen > 0, "nothing was selected");
}

/// The number of selected entities and parts, and every difference.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    selected: usize,
    seen: usize,
    /// The number of points and segments for which the oracle cannot decide whether they are hidden.
    unsure: usize,
    faults: Vec<String>,
}

/// Says whether a triangle, an edge or a vertex is selected.
type Selects<'a> = dyn Fn(&[DVec3]) -> bool + 'a;

impl Tally {
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, of: &str, found: &[T], expected: &[T]) {
        self.asked += 1;
        self.selected += expected.len();
        if found != expected {
            let missed: Vec<_> = expected.iter().filter(|item| !found.contains(item)).take(3).collect();
            let wrong: Vec<_> = found.iter().filter(|item| !expected.contains(item)).take(3).collect();
            let counts = (found.len(), expected.len());
            self.faults.push(format!("{what} {of}: {counts:?} missed {missed:?}, wrong {wrong:?}"));
        }
    }

    fn triangles(&mut self, subject: &Subject, selector: &Selector, what: &str, selects: &Selects<'_>) {
        let mut found = Vec::new();
        selector.triangles(&subject.scene, &mut found);
        let found: Vec<Found> = found.iter().map(|found| (found.id, found.part, [found.triangle, 0])).collect();
        let mut expected = Vec::new();
        for Contents { id, triangles, .. } in &subject.entities {
            let chosen = triangles.iter().filter(|(.., corners)| selects(corners));
            expected.extend(chosen.map(|&(part, number, ..)| (*id, part, [number, 0])));
        }
        self.check(what, "triangles", &found, &expected);
    }

    /// Checks vertices and edges.
    fn parts_of_triangles(&mut self, subject: &Subject, selector: &Selector, what: &str, selects: &Selects<'_>) {
        let (mut vertices, mut edges) = (Vec::new(), Vec::new());
        selector.vertices(&subject.scene, &mut vertices);
        selector.edges(&subject.scene, &mut edges);
        let vertices: Vec<Found> = vertices.iter().map(|found| (found.id, found.part, [found.vertex, 0])).collect();
        let edges: Vec<Found> = edges.iter().map(|found| (found.id, found.part, found.vertices)).collect();
        let (mut expected_vertices, mut expected_edges) = (Vec::new(), Vec::new());
        for Contents { id, triangles, points, segments } in &subject.entities {
            let (mut own_vertices, mut own_edges) = (Vec::new(), Vec::new());
            let points = points.iter().filter(|(.., at)| selects(&[*at]));
            own_vertices.extend(points.map(|&(part, number, _)| (*id, part, [number, 0])));
            let segments = segments.iter().filter(|(.., ends)| selects(ends));
            own_edges.extend(segments.map(|&(part, points, _)| (*id, part, points)));
            for &(part, _, numbers, corners) in triangles {
                for side in 0..3 {
                    let (a, b) = (numbers[side], numbers[(side + 1) % 3]);
                    if selects(&[corners[side]]) {
                        own_vertices.push((*id, part, [a, 0]));
                    }
                    if selects(&[corners[side], corners[(side + 1) % 3]]) {
                        own_edges.push((*id, part, [a.min(b), a.max(b)]));
                    }
                }
            }
            for (own, all) in [(own_vertices, &mut expected_vertices), (own_edges, &mut expected_edges)] {
                let own: BTreeSet<Found> = own.into_iter().collect();
                all.extend(own);
            }
        }
        self.check(what, "vertices", &vertices, &expected_vertices);
        self.check(what, "edges", &edges, &expected_edges);
    }

    fn entities(&mut self, subject: &Subject, selector: &Selector, what: &str, how: How, selects: &Selects<'_>) {
        let mut found = Vec::new();
        selector.entities(&subject.scene, &mut found);
        let is_selected = |of: &&Contents| {
            let mut all = of.simplices().map(selects);
            if how == How::Touching { all.any(|is| is) } else { of.simplices().next().is_some() && all.all(|is| is) }
        };
        let expected: Vec<EntityId> = subject.entities.iter().filter(is_selected).map(|of| of.id).collect();
        self.check(what, "entities", &found, &expected);
    }

    fn visible(&mut self, subject: &Subject, view: &RandomView, through: &Selector, what: &str, shape: &Shape) {
        let spacing = 2.0;
        let hits = seen(subject, view, spacing, shape);
        let sight = Sight::new(subject, &view.picture, shape, spacing.into());
        self.seen += hits.len();
        let mut found = Vec::new();
        for (rule, how) in [(Rule::Touching, How::Touching), (Rule::Inside, How::Inside), (Rule::Center, How::Center)] {
            let what = format!("{what} {how:?}");
            let through = through.clone().rule(rule);
            let selector = through.clone().visible(spacing).expect("few samples");
            let selects = |corners: &[DVec3]| view.picture.selects(corners, shape, how);
            let mut expected: Vec<Found> = hits.iter().copied().collect();
            if how != How::Touching {
                expected.clear();
                for of in &subject.entities {
                    let meet = hit_triangles(of, &hits).filter(|(.., corners)| selects(corners));
                    expected.extend(meet.map(|&(part, number, ..)| (of.id, part, [number, 0])));
                }
            }
            selector.triangles(&subject.scene, &mut found);
            let triangles: Vec<Found> = found.iter().map(|found| (found.id, found.part, [found.triangle, 0])).collect();
            self.check(&what, "seen", &triangles, &expected);
            self.parts_seen(subject, &selector, &what, &sight, &hits, &selects);
            self.entities_seen(subject, [&selector, &through], &what, &sight, &hits, (how, &selects));
        }
    }

    /// Checks visible vertices and edges.
    fn parts_seen(
        &mut self,
        subject: &Subject,
        selector: &Selector,
        what: &str,
        sight: &Sight<'_>,
        hits: &BTreeSet<Found>,
        selects: &Selects<'_>,
    ) {
        let (mut vertices, mut edges) = (Vec::new(), Vec::new());
        selector.vertices(&subject.scene, &mut vertices);
        selector.edges(&subject.scene, &mut edges);
        let vertices: BTreeSet<Found> =
            vertices.iter().map(|found| (found.id, found.part, [found.vertex, 0])).collect();
        let edges: BTreeSet<Found> = edges.iter().map(|found| (found.id, found.part, found.vertices)).collect();
        let [mut sure_vertices, mut sure_edges] = [BTreeSet::<Found>::new(), BTreeSet::new()];
        let [mut open_vertices, mut open_edges] = [BTreeSet::<Found>::new(), BTreeSet::new()];
        for of in &subject.entities {
            for &(part, _, numbers, corners) in hit_triangles(of, hits) {
                for side in 0..3 {
                    let (a, b) = (numbers[side], numbers[(side + 1) % 3]);
                    if selects(&[corners[side]]) {
                        sure_vertices.insert((of.id, part, [a, 0]));
                    }
                    if selects(&[corners[side], corners[(side + 1) % 3]]) {
                        sure_edges.insert((of.id, part, [a.min(b), a.max(b)]));
                    }
                }
            }
            for &(part, number, at) in of.points.iter().filter(|(.., at)| selects(&[*at])) {
                match sight.sees(at) {
                    Some(true) => _ = sure_vertices.insert((of.id, part, [number, 0])),
                    Some(false) => {}
                    None => _ = open_vertices.insert((of.id, part, [number, 0])),
                }
            }
            for &(part, points, ends) in of.segments.iter().filter(|(.., ends)| selects(ends)) {
                match sight.sees_segment(ends) {
                    Some(true) => _ = sure_edges.insert((of.id, part, points)),
                    Some(false) => {}
                    None => _ = open_edges.insert((of.id, part, points)),
                }
            }
        }
        self.unsure += open_vertices.len() + open_edges.len();
        self.check_sets(what, "seen vertices", &vertices, &sure_vertices, &open_vertices);
        self.check_sets(what, "seen edges", &edges, &sure_edges, &open_edges);
    }

    fn entities_seen(
        &mut self,
        subject: &Subject,
        [selector, through]: [&Selector; 2],
        what: &str,
        sight: &Sight<'_>,
        hits: &BTreeSet<Found>,
        (how, selects): (How, &Selects<'_>),
    ) {
        let (mut ids, mut centered) = (Vec::new(), Vec::new());
        selector.entities(&subject.scene, &mut ids);
        if how == How::Center {
            through.entities(&subject.scene, &mut centered);
        }
        let [mut sure, mut open] = [BTreeSet::new(), BTreeSet::new()];
        for of in &subject.entities {
            let meets = match how {
                How::Touching => true,
                How::Inside => of.simplices().all(selects),
                How::Center => centered.contains(&of.id),
            };
            let is_hit = hits.range((of.id, 0, [0, 0])..(EntityId(of.id.0 + 1), 0, [0, 0])).next().is_some();
            let is_seen = if is_hit { Some(true) } else { sight.sees_any(of.id) };
            match is_seen.filter(|_| meets) {
                Some(true) => _ = sure.insert(of.id),
                None if meets => _ = open.insert(of.id),
                _ => {}
            }
        }
        self.unsure += open.len();
        self.check_sets(what, "seen entities", &ids.into_iter().collect(), &sure, &open);
    }

    /// Checks a set of answers against the elements that it must contain and the elements that it may contain.
    fn check_sets<T: Ord + Copy + std::fmt::Debug>(
        &mut self,
        what: &str,
        of: &str,
        found: &BTreeSet<T>,
        sure: &BTreeSet<T>,
        open: &BTreeSet<T>,
    ) {
        let found: Vec<T> = found.iter().copied().filter(|item| !open.contains(item)).collect();
        let sure: Vec<T> = sure.iter().copied().filter(|item| !open.contains(item)).collect();
        self.check(what, of, &found, &sure);
    }
}

/// Iterates over the triangles of an entity that were hit.
fn hit_triangles<'a>(of: &'a Contents, hits: &'a BTreeSet<Found>) -> impl Iterator<Item = &'a Triangle> {
    of.triangles.iter().filter(|&&(part, number, ..)| hits.contains(&(of.id, part, [number, 0])))
}

/// Returns the triangles that rays through samples in a region hit first.
fn seen(subject: &Subject, view: &RandomView, spacing: f32, shape: &Shape) -> BTreeSet<Found> {
    let eye = view.camera.position();
    let (camera, scene) = (view.camera.relative_to(eye), subject.scene.relative_to(eye));
    let mut hits = BTreeSet::new();
    let (mut y, end) = (spacing / 2.0, view.viewport.size);
    while y < end.y {
        let mut x = spacing / 2.0;
        while x < end.x {
            let pixel = view.viewport.origin + hitscan::glam::Vec2::new(x, y);
            if shape.contains(pixel.as_dvec2()) {
                let ray: Ray = camera.ray(pixel, view.viewport);
                let hit = scene.cast(&ray);
                hits.extend(hit.and_then(|hit| Some((hit.id, hit.part, [hit.triangle?, 0]))));
            }
            x += spacing;
        }
        y += spacing;
    }
    hits
}
