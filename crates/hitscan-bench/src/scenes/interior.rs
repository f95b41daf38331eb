//! Rooms with doors, tables, chairs, bookshelves and lamps.

use super::scene::Scene;
use super::soup::Soup;
use crate::random::Random;
use hitscan::glam::{DAffine3, DVec3};

const WIDTH: f64 = 6.0;
const DEPTH: f64 = 5.0;
const HEIGHT: f64 = 2.8;
const WALL: f64 = 0.15;
const DOOR: [f64; 2] = [1.0, 2.1];

/// Returns one room of the interior.
pub(super) fn room() -> Scene {
    let mut soup = Soup::default();
    furnished(&mut soup, DVec3::ZERO, 8, &mut Random::new(11));
    Scene::mesh(soup, [0.1, 0.6, 0.12], [0.6, 0.3, 0.6], [0.5, 0.85, 0.5])
}

/// Returns four by three rooms, connected by doors.
pub(super) fn interior() -> Scene {
    let mut soup = Soup::default();
    let mut random = Random::new(12);
    for (x, z) in (0..4).flat_map(|x| (0..3).map(move |z| (x, z))) {
        furnished(&mut soup, DVec3::new(f64::from(x) * WIDTH, 0.0, f64::from(z) * DEPTH), 12, &mut random);
    }
    Scene::mesh(soup, [0.03, 0.6, 0.05], [0.5, 0.4, 0.6], [0.37, 0.85, 0.5])
}

/// Adds a room whose corner is at `at`, with spheres of `rings` rings.
fn furnished(soup: &mut Soup, at: DVec3, rings: u32, random: &mut Random) {
    let mut block = |min: [f64; 3], max: [f64; 3]| soup.cuboid(at + DVec3::from(min), at + DVec3::from(max));
    block([0.0, -WALL, 0.0], [WIDTH, 0.0, DEPTH]);
    block([0.0, HEIGHT, 0.0], [WIDTH, HEIGHT + WALL, DEPTH]);
    // The room adds two walls, each with a door in its middle, and its neighbours add the other two.
    let [left, right] = [(DEPTH - DOOR[0]) / 2.0, (DEPTH + DOOR[0]) / 2.0];
    block([0.0, 0.0, 0.0], [WALL, HEIGHT, left]);
    block([0.0, 0.0, right], [WALL, HEIGHT, DEPTH]);
    block([0.0, DOOR[1], left], [WALL, HEIGHT, right]);
    let [left, right] = [(WIDTH - DOOR[0]) / 2.0, (WIDTH + DOOR[0]) / 2.0];
    block([WALL, 0.0, 0.0], [left, HEIGHT, WALL]);
    block([right, 0.0, 0.0], [WIDTH, HEIGHT, WALL]);
    block([left, DOOR[1], 0.0], [right, HEIGHT, WALL]);
    shelf(soup, at + DVec3::new(0.4, 0.0, DEPTH - 0.4), random);
    let table = at + DVec3::new(random.between(2.0, 4.0), 0.0, random.between(1.5, 3.0));
    desk(soup, table, DVec3::new(1.6, 0.75, 0.9));
    for [x, z] in [[-0.5, -0.7], [0.5, -0.7], [-0.5, 0.7], [0.5, 0.7]] {
        let turned = DAffine3::from_rotation_y(random.between(-0.4, 0.4));
        let place = DAffine3::from_translation(table + DVec3::new(x, 0.0, z)) * turned;
        let mut chair = Soup::default();
        desk(&mut chair, DVec3::ZERO, DVec3::new(0.45, 0.45, 0.45));
        chair.cuboid(DVec3::new(-0.22, 0.45, 0.18), DVec3::new(0.22, 0.95, 0.22));
        soup.append(&chair, place);
    }
    for _ in 0..3 {
        let radius = random.between(0.08, 0.2);
        let aside = DVec3::new(random.between(-0.6, 0.6), 0.75 + radius, random.between(-0.3, 0.3));
        soup.sphere(table + aside, radius, rings, |_| 0.0);
    }
    let lamp = at + DVec3::new(WIDTH / 2.0, HEIGHT - 0.6, DEPTH / 2.0);
    soup.sphere(lamp, 0.2, rings, |_| 0.0);
    soup.beam(lamp + DVec3::Y * 0.2, lamp + DVec3::Y * 0.6, 0.01);
}

/// Adds a board on four legs.
fn desk(soup: &mut Soup, at: DVec3, size: DVec3) {
    let half = size / 2.0;
    soup.cuboid(at + DVec3::new(-half.x, size.y - 0.04, -half.z), at + DVec3::new(half.x, size.y, half.z));
    for [x, z] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
        let foot = at + DVec3::new(x * (half.x - 0.05), 0.0, z * (half.z - 0.05));
        soup.cuboid(foot - DVec3::new(0.02, 0.0, 0.02), foot + DVec3::new(0.02, size.y - 0.04, 0.02));
    }
}

/// Adds boards full of books.
fn shelf(soup: &mut Soup, at: DVec3, random: &mut Random) {
    for board in 0..5 {
        let floor = at + DVec3::Y * (0.1 + 0.4 * f64::from(board));
        soup.cuboid(floor - DVec3::Y * 0.03, floor + DVec3::new(2.0, 0.0, 0.25));
        let mut x = 0.0;
        while x < 1.95 {
            let book = DVec3::new(random.between(0.03, 0.08), random.between(0.2, 0.34), random.between(0.15, 0.22));
            soup.cuboid(floor + DVec3::X * x, floor + DVec3::X * x + book);
            x += book.x + 0.002;
        }
    }
}
