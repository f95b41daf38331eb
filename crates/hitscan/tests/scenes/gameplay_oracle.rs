//! Blasts, camera arms and ledges in random scenes, compared with oracles of independent arithmetic in f64. The oracles are brute force over triangles, convex
//! searches along an arm, and dense samples of a profile.

use crate::common::Random;
use hitscan::gameplay::{CameraArm, Ledge, LedgeProbe, blast};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan_random::effort;

/// A convex piece of a thing.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Triangle([DVec3; 3]),
    /// A full box. It has its centre, its half sizes and its rotation.
    Cuboid(DVec3, DVec3, DQuat),
}

impl Piece {
    /// Returns the nearest point of the piece. For a point inside of a box, that is the point itself.
    fn nearest(&self, p: DVec3) -> DVec3 {
        match *self {
            Self::Triangle(corners) => nearest_of_triangle(p, corners),
            Self::Cuboid(center, half, turn) => center + turn * (turn.inverse() * (p - center)).clamp(-half, half),
        }
    }

    fn distance(&self, p: DVec3) -> f64 {
        self.nearest(p).distance(p)
    }
}

fn nearest_of_triangle(p: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let foot = p - normal * ((p - a).dot(normal) / normal.length_squared());
    let edges = [(a, b), (b, c), (c, a)];
    if edges.iter().all(|&(from, to)| (to - from).cross(foot - from).dot(normal) >= 0.0) {
        return foot;
    }
    let feet = edges.map(|(from, to)| {
        let along = to - from;
        from + along * ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0)
    });
    feet.into_iter().min_by(|x, y| x.distance_squared(p).total_cmp(&y.distance_squared(p))).unwrap()
}

/// An entity as the oracles know it.
#[derive(Debug)]
struct Thing {
    /// The surface.
    triangles: Vec<[DVec3; 3]>,
    /// The pieces that stop a camera: the triangles of a mesh, and a box as one piece.
    pieces: Vec<Piece>,
    /// Says whether it has an inside. All such things are convex, and their triangles face outwards.
    is_closed: bool,
}

impl Thing {
    fn of_mesh(triangles: Vec<[DVec3; 3]>, is_closed: bool) -> Self {
        let pieces = triangles.iter().copied().map(Piece::Triangle).collect();
        Self { triangles, pieces, is_closed }
    }

    fn of_box(center: DVec3, half: DVec3, turn: DQuat) -> Self {
        let corner = |number: usize| {
            let sign = |axis: usize| if number >> axis & 1 == 1 { 1.0 } else { -1.0 };
            center + turn * (half * DVec3::new(sign(0), sign(1), sign(2)))
        };
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        let triangles = triangles.map(|triangle| triangle.map(corner)).collect();
        Self { triangles, pieces: vec![Piece::Cuboid(center, half, turn)], is_closed: true }
    }

    fn has_inside(&self, p: DVec3) -> bool {
        self.is_closed && self.triangles.iter().all(|[a, b, c]| (*b - *a).cross(*c - *a).dot(p - *a) < 0.0)
    }

    /// Returns the point of each triangle that is nearest to a given point, with its distance, the nearest first.
    fn feet(&self, p: DVec3) -> Vec<(f64, DVec3)> {
        let feet = self.triangles.iter().map(|corners| nearest_of_triangle(p, *corners));
        let mut feet: Vec<(f64, DVec3)> = feet.map(|foot| (foot.distance(p), foot)).collect();
        feet.sort_by(|a, b| a.0.total_cmp(&b.0));
        feet
    }

    fn distance(&self, p: DVec3) -> f64 {
        self.pieces.iter().map(|piece| piece.distance(p)).fold(f64::INFINITY, f64::min)
    }
}

/// Makes a scene of triangle soups, tetrahedra and turned boxes, and the things. The key of an entity is the index of
/// its thing.
fn random_things(random: &mut Random) -> (Scene<usize>, Vec<Thing>) {
    let (mut scene, mut things) = (Scene::new(), Vec::new());
    for id in 0..3 + random.below(8) {
        let center = random.cube() * 2.5;
        let mut near = || (center + random.cube() * 1.5).as_vec3();
        let thing = match id % 3 {
            0 => {
                let soup: Vec<[Vec3; 3]> = (0..4).map(|_| [near(), near(), near()]).collect();
                scene.insert(id, Mesh::from_soup(soup.as_flattened()).unwrap(), DVec3::ZERO).unwrap();
                Thing::of_mesh(soup.iter().map(|corners| corners.map(|corner| corner.as_dvec3())).collect(), false)
            }
            1 => {
                let [a, mut b, mut c, d] = [near(), near(), near(), near()];
                if (b - a).cross(c - a).dot(d - a) > 0.0 {
                    (b, c) = (c, b);
                }
                let corners = [a, b, c, d].map(|corner| corner.as_dvec3());
                let faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
                scene.insert(id, Mesh::new(&[a, b, c, d], faces.as_flattened()).unwrap(), DVec3::ZERO).unwrap();
                Thing::of_mesh(faces.iter().map(|face| face.map(|corner| corners[corner as usize])).collect(), true)
            }
            _ => {
                let half = (random.cube().abs() * 1.2 + 0.1).as_vec3();
                let turn = random.rotation();
                scene.insert(id, Aabb::new(-half, half), (center, turn)).unwrap();
                Thing::of_box(center, half.as_dvec3(), turn)
            }
        };
        things.push(thing);
    }
    (scene, things)
}

/// Surfaces in this fraction of a line of sight, at either end, do not cover. It is one ten thousandth, as documented.
const ENDS: f64 = 1e-4;

/// Returns whether a triangle crosses the line of sight between its ends; `None` if the case is too close to decide.
fn crosses(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> Option<bool> {
    let (along, e1, e2, start) = (to - from, b - a, c - a, from - a);
    let normal = e1.cross(e2);
    let det = -along.dot(normal);
    let (t, u, v) = (start.dot(normal) / det, start.cross(along).dot(e2) / det, start.cross(along).dot(e1) / -det);
    let inner = u.min(v).min(1.0 - u - v);
    let middle = from + along * 0.5;
    if nearest_of_triangle(middle, [a, b, c]).distance(middle) > 0.51 * along.length() {
        return Some(false);
    }
    if det.abs() < 1e-2 * along.length() * normal.length() {
        return None;
    }
    let from_end = (t - ENDS).min(1.0 - ENDS - t);
    if inner < -1e-3 || from_end < -2e-5 {
        return Some(false);
    }
    (inner > 1e-3 && from_end > 2e-5).then_some(true)
}

/// The answer of the oracle about an entity near an explosion.
struct Reached {
    distance: f64,
    point: DVec3,
    /// `None` if rounding may decide.
    is_covered: Option<bool>,
}

/// Returns the distance of an entity's surface, and the answer about the entity for any radius that reaches it.
fn reached(things: &[Thing], id: usize, center: DVec3) -> (f64, Reached) {
    let thing = &things[id];
    let feet = thing.feet(center);
    let (surface, point) = feet[0];
    if thing.has_inside(center) {
        return (surface, Reached { distance: 0.0, point, is_covered: Some(false) });
    }
    let is_one_place = feet.iter().all(|(distance, foot)| *distance > surface + 1e-3 || foot.distance(point) < 1e-6);
    let others = things.iter().enumerate().filter(|(other, _)| *other != id).flat_map(|(_, thing)| &thing.triangles);
    let crossed: Vec<Option<bool>> = others.map(|corners| crosses(center, point, *corners)).collect();
    let is_covered = match (crossed.contains(&Some(true)), crossed.contains(&None)) {
        (true, _) => Some(true),
        (false, unsure) => (!unsure).then_some(false),
    };
    (surface, Reached { distance: surface, point, is_covered: is_covered.filter(|_| is_one_place) })
}

#[test]
fn blasts_reach_what_brute_force_reaches() {
    let seed = effort::seed(31);
    let mut random = Random(seed);
    let (mut covered, mut open, mut unsure, mut inside) = (0, 0, 0, 0);
    for case in 0..effort::size(300, 3000, 300_000) {
        let (scene, things) = random_things(&mut random);
        let (center, radius) = (random.cube() * 3.0, 0.5 + random.fraction() * 5.0);
        let hits = blast(&scene, center, radius as f32);
        assert!(
            hits.windows(2).all(|pair| pair[0].distance <= pair[1].distance),
            "seed {seed}, case {case}: the order"
        );
        for id in 0..things.len() {
            let told = format!("seed {seed}, case {case}, entity {id}");
            let (surface, expected) = reached(&things, id, center);
            let hit = hits.iter().find(|hit| hit.id == id);
            // A box is reached as a solid, and a mesh as its surface.
            let nearest = if id % 3 == 2 { expected.distance } else { surface };
            if (nearest - radius).abs() > 1e-5 {
                assert_eq!(hit.is_some(), nearest < radius, "{told}: {nearest} of {radius}");
            }
            let Some(hit) = hit else { continue };
            assert!(
                (f64::from(hit.distance) - expected.distance).abs() < 1e-5,
                "{told}: {hit:?}, {}",
                expected.distance
            );
            inside += usize::from(expected.distance == 0.0);
            match expected.is_covered {
                Some(is_covered) => {
                    assert_eq!(hit.is_covered, is_covered, "{told}: {hit:?}");
                    assert!(
                        hit.point.as_dvec3().distance(expected.point) < 1e-4 || expected.distance == 0.0,
                        "{told}: {hit:?}"
                    );
                    *(if is_covered { &mut covered } else { &mut open }) += 1;
                }
                None => unsure += 1,
            }
        }
    }
    println!("{covered} covered, {open} open, {unsure} unsure, {inside} around the center");
    assert!(covered > 100 && open > 100 && inside > 2 && unsure * 4 < covered + open);
}

/// A distance decides about an arm only if it differs from the radius by at least this length.
const CLOSE: f64 = 1e-6;

/// The effect of a piece on an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Obstacle {
    /// The camera starts beside the piece.
    Ahead,
    /// The camera starts in the piece, and moves deeper into it.
    AtStart,
    /// The camera starts in the piece, and moves away from it.
    Left,
    Unsure,
}

impl Obstacle {
    fn new(piece: &Piece, target: DVec3, along: DVec3, radius: f64) -> Self {
        let distance = piece.distance(target);
        if distance > radius + CLOSE {
            return Self::Ahead;
        }
        let speed = (piece.distance(target + along * 1e-5) - distance) / 1e-5;
        match distance {
            _ if distance > radius - CLOSE => Self::Unsure,
            0.0 if matches!(piece, Piece::Cuboid(..)) => Self::AtStart,
            _ if distance < 1e-3 || speed.abs() < 0.05 => Self::Unsure,
            _ if speed < 0.0 => Self::AtStart,
            _ => Self::Left,
        }
    }
}

/// Returns the least distance between a convex piece and a segment from a target. The distance is a convex function of
/// the parameter of the segment.
fn least_distance(piece: &Piece, target: DVec3, along: DVec3, length: f64) -> f64 {
    let (mut low, mut high) = (0.0, length);
    for _ in 0..100 {
        let [first, second] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if piece.distance(target + along * first) < piece.distance(target + along * second) {
            high = second;
        } else {
            low = first;
        }
    }
    [0.0, low, length].into_iter().map(|s| piece.distance(target + along * s)).fold(f64::INFINITY, f64::min)
}

#[test]
fn arms_end_where_the_camera_first_touches() {
    let seed = effort::seed(32);
    let mut random = Random(seed);
    let (mut blocked, mut free, mut at_start, mut left, mut unsure) = (0, 0, 0, 0, 0);
    for case in 0..effort::size(1000, 10_000, 1_000_000) {
        let (scene, things) = random_things(&mut random);
        let (target, along) = (random.cube() * 3.0, random.direction());
        let arm = CameraArm { length: 0.5 + random.fraction() * 6.0, radius: 0.05 + 0.4 * random.fraction() as f32 };
        let radius = f64::from(arm.radius);
        let end = arm.end(&scene, target, along * 3.0);
        let told = format!("seed {seed}, case {case}: {arm:?}, {end:?}");
        let obstacles: Vec<(usize, &Piece, Obstacle)> = (things.iter().enumerate())
            .flat_map(|(id, thing)| thing.pieces.iter().map(move |piece| (id, piece)))
            .map(|(id, piece)| (id, piece, Obstacle::new(piece, target, along, radius)))
            .collect();
        let is = |kind: Obstacle| obstacles.iter().any(|(_, _, obstacle)| *obstacle == kind);
        if is(Obstacle::Unsure) {
            unsure += 1;
            continue;
        }
        assert!((end.position - target - along * end.length).length() < 1e-12, "{told}");
        if is(Obstacle::AtStart) {
            let by = |id: usize| obstacles.iter().any(|&(other, _, kind)| other == id && kind == Obstacle::AtStart);
            assert!(end.length == 0.0 && end.blocked_by.is_some_and(by), "{told}");
            at_start += 1;
            continue;
        }
        left += usize::from(is(Obstacle::Left));
        let ahead = || obstacles.iter().filter(|(_, _, kind)| *kind == Obstacle::Ahead);
        for (id, piece, _) in ahead() {
            let least = least_distance(piece, target, along, end.length);
            assert!(least > radius - CLOSE, "{told}: {id} is {least} away from the way");
        }
        if let Some(id) = end.blocked_by {
            let distance = things[id].distance(end.position);
            assert!(distance < radius + CLOSE && end.length <= arm.length, "{told}: {distance} away");
            blocked += 1;
        } else {
            assert!((end.length - arm.length).abs() < 1e-12, "{told}");
            free += 1;
        }
        // Other queries of the library check the motion as a whole, and points along it.
        if !is(Obstacle::Left) {
            let swept = scene.sweep(Sphere::new(arm.radius), target, along * arm.length);
            assert!((swept.map_or(arm.length, |hit| hit.t_f64() * arm.length) - end.length).abs() < 1e-9, "{told}");
            let ball = Sphere::new(arm.radius - 1e-5);
            for step in 0..=32 {
                let place = target + along * (end.length * f64::from(step) / 32.0);
                assert!(!scene.overlaps(ball, place), "{told}: at {place}");
            }
        }
    }
    println!("{blocked} blocked, {free} free, {at_start} at the start, {left} left something, {unsure} unsure");
    assert!(blocked > 120 && free > 150 && at_start > 20 && left > 20 && unsure * 2 < blocked);
}

/// A block in front of a character: x is across, y up and z ahead. All numbers are multiples of a 64th, and so exact in f32.
#[derive(Clone, Copy, Debug)]
struct Block {
    low: Vec3,
    high: Vec3,
}

/// The probe of the tests; its radius is also the step of its samples.
const PROBE: LedgeProbe = LedgeProbe { reach: 2.5, lowest: 1.25, highest: 2.25, radius: 1.0 / 16.0, max_slope: 0.6 };
const HAND: f64 = 1.0 / 16.0;

impl Block {
    fn random(random: &mut Random) -> Self {
        let lattice = |from: f32, to: f32, random: &mut Random| {
            from + (random.below(((to - from) * 16.0) as usize) as f32) / 16.0
        };
        let (y, z) = if random.below(5) == 0 {
            // The block is a ceiling, perhaps above the feet.
            let bottom = random.pick(&[2.25f32, 2.5, 3.0]);
            ([bottom, bottom + 0.5], lattice(-1.0, 2.5, random))
        } else {
            let top = random.pick(&[0.5f32, 0.75, 1.0, 1.5, 1.75, 2.0, 2.0, 2.75, 3.5]);
            let bottom = if random.below(3) == 0 { top - 0.5 } else { -1.0 };
            ([bottom, top], lattice(0.375, 3.0, random))
        };
        let x = if random.below(6) == 0 { [0.5, 2.0] } else { [-lattice(0.5, 2.0, random), lattice(0.5, 2.0, random)] };
        let depth = lattice(0.25, 1.5, random);
        Self { low: Vec3::new(x[0], y[0], z), high: Vec3::new(x[1], y[1], z + depth) }
    }

    fn is_ahead(&self) -> bool {
        self.low.x < 0.0 && self.high.x > 0.0
    }

    /// Returns the distance of the block from a place of the profile.
    fn distance(&self, z: f64, y: f64) -> f64 {
        let outside = |at: f64, low: f32, high: f32| (f64::from(low) - at).max(at - f64::from(high)).max(0.0);
        outside(z, self.low.z, self.high.z).hypot(outside(y, self.low.y, self.high.y))
    }

    /// Returns the height of the block's top at a place, if the block is there and its top is within the reach of the
    /// hand.
    fn top(&self, z: f64) -> Option<f64> {
        let is_there = (f64::from(self.low.z)..=f64::from(self.high.z)).contains(&z);
        (is_there && f64::from(self.high.y) <= PROBE.highest).then_some(f64::from(self.high.y))
    }
}

/// Returns the first edge ahead, by samples of the profile. The answer has its place, its height and its block. The outer `None` means that the case is too
/// close to decide.
fn first_edge(blocks: &[Block]) -> Option<Option<(f64, f64, usize)>> {
    let ahead = || blocks.iter().enumerate().filter(|(_, block)| block.is_ahead());
    let room = |z: f64, y: f64| ahead().map(|(_, block)| block.distance(z, y + HAND)).fold(f64::INFINITY, f64::min);
    let samples = |length: f64| (0..=4096).map(move |number| length * f64::from(number) / 4096.0);
    let up = samples(PROBE.highest - PROBE.lowest).map(|more| room(0.0, PROBE.lowest + more));
    let least = up.fold(f64::INFINITY, f64::min);
    if (least - HAND).abs() < 0.1 * HAND {
        return None;
    }
    if least < HAND {
        return Some(None);
    }
    let free = samples(PROBE.reach).find(|z| room(*z, PROBE.highest) < HAND).unwrap_or(PROBE.reach);
    let highest = |z: f64| {
        let tops = ahead().filter_map(|(id, block)| Some((block.top(z)?, id)));
        tops.filter(|(top, _)| *top >= PROBE.lowest).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let edge = samples(PROBE.reach).find_map(|z| highest(z).map(|(top, id)| (z, top, id)));
    let Some((z, top, id)) = edge.filter(|(z, ..)| z - 2.0 * HAND < free) else { return Some(None) };
    let is_reached = z + 3.0 * HAND < free;
    let is_beside = |(other, block): (usize, &Block)| {
        other != id && f64::from(block.high.y) >= PROBE.lowest && (f64::from(block.low.z) - z).abs() < 5.0 * HAND
    };
    (is_reached && !ahead().any(is_beside)).then_some(Some((z, top, id)))
}

#[test]
fn ledges_are_where_samples_of_the_profile_have_an_edge() {
    let seed = effort::seed(33);
    let mut random = Random(seed);
    let (mut found, mut none, mut unsure) = (0, 0, 0);
    for case in 0..effort::size(1000, 10_000, 1_000_000) {
        let blocks: Vec<Block> = (0..1 + random.below(4)).map(|_| Block::random(&mut random)).collect();
        let (place, turn) = (random.cube() * 100.0, random.rotation());
        let mut scene = Scene::new();
        for (id, block) in blocks.iter().enumerate() {
            scene.insert(id, Aabb::new(block.low, block.high), (place, turn)).unwrap();
        }
        let answer: Option<Ledge<usize>> = PROBE.find(&scene, place, turn * DVec3::new(0.0, 0.3, 2.0), turn * DVec3::Y);
        let told = format!("seed {seed}, case {case}: {answer:?} in {blocks:?}");
        match first_edge(&blocks) {
            None => unsure += 1,
            Some(None) => {
                assert_eq!(answer, None, "{told}");
                none += 1;
            }
            Some(Some((z, top, id))) => {
                let ledge = answer.unwrap_or_else(|| panic!("{told}: expected {id} at {z}, {top}"));
                let at = turn.inverse() * (ledge.point - place);
                assert_eq!(ledge.id, id, "{told}");
                assert!((at - DVec3::new(0.0, top, z)).abs().max_element() < PROBE.reach / 4000.0, "{told}: {at}");
                let turned = [turn.inverse() * ledge.top_normal, turn.inverse() * ledge.wall_normal];
                assert!((turned[0] - DVec3::Y).length() + (turned[1] - DVec3::NEG_Z).length() < 1e-5, "{told}");
                found += 1;
            }
        }
    }
    println!("{found} found, {none} without one, {unsure} unsure");
    assert!(found > 150 && none > 200 && unsure < found + none);
}
