//! Selection against brute force: every triangle is clipped, and every pixel is cast.
//!
//! `HITSCAN_SELECT` sets the number of regions of each kind in each scene.

#[path = "../common/mod.rs"]
mod common;
mod oracle;
mod scenes;
mod views;

use hitscan::select::{Rule, Selector};
use hitscan::{Ray, RayQueries};
use hitscan_io::EntityId;
use hitscan_random::Random;
use oracle::How;
use scenes::{Subject, Triangles};
use views::{Kind, RandomView, random_region, random_view};

/// A triangle, a vertex or an edge that was found.
type Found = (EntityId, u32, [u32; 2]);

fn regions() -> usize {
    std::env::var("HITSCAN_SELECT").map_or(12, |count| count.parse().expect("a number"))
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
                let selects = |corners: &[hitscan::glam::DVec3]| view.picture.selects(corners, &shape, how);
                tally.triangles(subject, &selector, &what, &selects);
                tally.parts_of_triangles(subject, &selector, &what, &selects);
                if rule != Rule::Center {
                    tally.entities(subject, &selector, &what, how, &selects);
                }
            }
            if round % 3 == 0 {
                tally.visible(
                    subject,
                    &view,
                    &selector,
                    &format!("{} {kind:?} {round} visible", subject.name),
                    &|pixel| shape.contains(pixel),
                );
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

/// A count of what was selected, and every difference.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    selected: usize,
    seen: usize,
    faults: Vec<String>,
}

/// Says whether a triangle, an edge or a vertex is selected.
type Selects<'a> = dyn Fn(&[hitscan::glam::DVec3]) -> bool + 'a;

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
        for Triangles { id, of_parts } in &subject.entities {
            let chosen = of_parts.iter().filter(|(.., corners)| selects(corners));
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
        for Triangles { id, of_parts } in &subject.entities {
            let (mut own_vertices, mut own_edges) = (Vec::new(), Vec::new());
            for &(part, _, numbers, corners) in of_parts {
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
                let own: std::collections::BTreeSet<Found> = own.into_iter().collect();
                all.extend(own);
            }
        }
        self.check(what, "vertices", &vertices, &expected_vertices);
        self.check(what, "edges", &edges, &expected_edges);
    }

    fn entities(&mut self, subject: &Subject, selector: &Selector, what: &str, how: How, selects: &Selects<'_>) {
        let mut found = Vec::new();
        selector.entities(&subject.scene, &mut found);
        let is_selected = |triangles: &&Triangles| {
            let mut all = triangles.of_parts.iter().map(|(.., corners)| selects(corners));
            if how == How::Touching { all.any(|is| is) } else { !triangles.of_parts.is_empty() && all.all(|is| is) }
        };
        let expected: Vec<EntityId> = subject.entities.iter().filter(is_selected).map(|of| of.id).collect();
        self.check(what, "entities", &found, &expected);
    }

    fn visible(
        &mut self,
        subject: &Subject,
        view: &RandomView,
        selector: &Selector,
        what: &str,
        contains: &dyn Fn(hitscan::glam::DVec2) -> bool,
    ) {
        let spacing = 2.0;
        let selector = selector.clone().visible(spacing).expect("few samples");
        let mut found = Vec::new();
        selector.triangles(&subject.scene, &mut found);
        let found: Vec<Found> = found.iter().map(|found| (found.id, found.part, [found.triangle, 0])).collect();
        let mut expected = std::collections::BTreeSet::new();
        let (mut y, end) = (spacing / 2.0, view.viewport.size);
        while y < end.y {
            let mut x = spacing / 2.0;
            while x < end.x {
                let pixel = view.viewport.origin + hitscan::glam::Vec2::new(x, y);
                if contains(pixel.as_dvec2()) {
                    let ray: Ray = view.camera.ray(pixel, view.viewport);
                    let hit = subject.scene.cast(&ray);
                    expected.extend(hit.and_then(|hit| Some((hit.id, hit.part, [hit.triangle?, 0]))));
                }
                x += spacing;
            }
            y += spacing;
        }
        let expected: Vec<Found> = expected.into_iter().collect();
        self.seen += expected.len();
        self.check(what, "seen", &found, &expected);
        let mut ids = Vec::new();
        selector.entities(&subject.scene, &mut ids);
        let mut expected: Vec<EntityId> = expected.into_iter().map(|(id, ..)| id).collect();
        expected.dedup();
        self.check(what, "seen entities", &ids, &expected);
    }
}
