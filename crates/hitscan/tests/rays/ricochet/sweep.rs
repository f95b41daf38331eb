//! Bounces in closed rooms, towards walls, edges and corners. No ray gets out, and none stays at one point.

use crate::common::Random;
use crate::ricochet::rooms::{ALL, PLACES, Place, Room, Walls};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Hit, Ray, RayQueries};
use hitscan_random::effort;
use rayon::prelude::*;

const SEED: u64 = 39;
/// The number of bounces of one shot.
const BOUNCES_OF_A_SHOT: usize = 24;
const SHOTS_IN_A_ROOM: usize = 40;
/// The number of bounces at one point: at most three in a corner of three walls at right angles.
const MOST_TURNS: usize = 4;

/// The gap between two placements, relative to the largest number of the ray and the room.
const GAP: f64 = 4.0 * f64::EPSILON;

/// The outcome of the bounces in rooms of one kind.
#[derive(Default)]
struct Tally {
    bounces: usize,
    out: usize,
    stuck: usize,
    /// The distance of the farthest hit point outside of the room.
    outside: f64,
    /// The largest relative gap between two walls through which a ray got out.
    gap: f64,
}

/// Returns the target of a shot in a room.
fn aim(random: &mut Random, half: DVec3) -> DVec3 {
    let eighths = |random: &mut Random| DVec3::from_array([0; 3].map(|_| random.below(17) as f64 / 8.0 - 1.0));
    let mut to = if random.below(3) == 0 { random.cube() } else { eighths(random) };
    // The target is a wall, an edge or a corner.
    let first = random.below(3);
    for axis in 0..1 + random.below(3) {
        to[(first + axis) % 3] = if random.below(2) == 0 { 1.0 } else { -1.0 };
    }
    to * half
}

fn shot(room: &Room, random: &mut Random) -> Ray {
    let inside = DVec3::from_array([0; 3].map(|_| (random.below(13) as f64 - 6.0) / 8.0)) * room.half;
    let [from, to] = [inside, aim(random, room.half)].map(|p| room.to_world.transform_point3(p).as_vec3());
    Ray::with_direction(from, to - from)
}

fn follow(room: &Room, random: &mut Random, tally: &mut Tally) {
    let mut ray = shot(room, random);
    if ray.direction == Vec3::ZERO {
        return;
    }
    let (mut last, mut turns): (Option<Hit<u32>>, usize) = (None, 0);
    for _ in 0..BOUNCES_OF_A_SHOT {
        tally.bounces += 1;
        let Some(hit) = room.scene.after(last.as_ref()).cast(&ray) else {
            println!("out: {ray:?}\n  after {last:?}\n  of {:?} {:?}", room.half, room.to_world);
            tally.out += 1;
            tally.gap = tally.gap.max(room.gap(&ray, last.as_ref()));
            return;
        };
        turns = if hit.t == 0.0 { turns + 1 } else { 0 };
        if turns > MOST_TURNS {
            tally.stuck += 1;
            return;
        }
        tally.outside = tally.outside.max(room.outside(hit.point_f64()));
        ray = hit.bounce();
        last = Some(hit);
    }
}

#[test]
fn rooms_keep_their_rays() {
    let bounces = effort::size(20_000, 60_000, 10_000_000);
    let seed = effort::seed(SEED);
    let share = bounces / (ALL.len() * PLACES.len());
    let kinds: Vec<_> = ALL.into_iter().flat_map(|walls| PLACES.map(|place| (walls, place))).collect();
    // Progress is printed as each kind ends.
    kinds.into_par_iter().for_each(|(walls, place)| bounce(walls, place, seed, share));
}

/// Bounces rays in rooms of one kind, and checks the number of rays that escaped.
fn bounce(walls: Walls, place: Place, seed: u64, share: usize) {
    let mut random = Random(seed ^ (walls as u64) << 8 ^ (place as u64) << 16);
    let mut tally = Tally::default();
    while tally.bounces < share {
        let room = Room::new(walls, place, &mut random);
        (0..SHOTS_IN_A_ROOM).for_each(|_| follow(&room, &mut random, &mut tally));
    }
    let Tally { bounces, out, stuck, outside, gap } = tally;
    println!(
        "{walls:?}, {place:?}: {bounces} bounces, {out} out by gaps of {gap:.1e}, {stuck} stuck, {outside:.1e} outside"
    );
    assert_eq!(stuck, 0, "{walls:?}, {place:?}");
    // If two walls have the same t in f32, the first in order is hit. The point may then be behind the other wall.
    let most = if walls.is_one() { 1e-11 } else { 1e-5 };
    assert!(outside < most, "{walls:?}, {place:?}: {outside:e} outside");
    // Walls with the same placement have no gap. The reason is that all of them are tested with the same ray.
    assert!(walls == Walls::PlacedField || out == 0, "{walls:?}, {place:?}: {out} out");
    // The ray's origin is rounded once in each step of the transform into each space.
    assert!(gap < GAP, "{walls:?}, {place:?}: a gap of {gap:e}");
    assert!(out * 1_000 <= bounces, "{walls:?}, {place:?}: {out} out");
}
