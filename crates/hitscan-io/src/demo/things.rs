//! The forms of the village, each around its own origin on the ground, with the front towards +z.

use super::modeller::{Modeller, Part};
use super::random::Random;
use super::stuff::Stuff;
use hitscan::glam::DVec3;

/// The height of the bottom of walls. It is below the ground, so that there is no gap on a slope.
const FOUNDATION: f64 = -1.5;

/// Makes a cottage, 6 wide, 5 deep, ridge at 5, with a door, windows and a chimney.
pub(super) fn cottage(wall: Stuff, roof: Stuff) -> Part {
    let mut m = Modeller::default();
    gabled(&mut m, wall, roof, Gabled { half_width: 3.0, half_depth: 2.5, eaves: 2.8, ridge: 5.0 });
    m.cuboid(Stuff::Wood, [-0.55, FOUNDATION, 2.45], [0.55, 2.1, 2.6]);
    for x in [-2.0, 2.0] {
        m.cuboid(Stuff::Window, [x - 0.5, 1.1, 2.45], [x + 0.5, 2.0, 2.55]);
        m.cuboid(Stuff::Window, [x - 0.5, 1.1, -2.55], [x + 0.5, 2.0, -2.45]);
    }
    m.cuboid(Stuff::Window, [2.95, 1.1, -0.6], [3.05, 2.0, 0.6]);
    m.cuboid(Stuff::Window, [-3.05, 2.9, -0.35], [-2.95, 3.6, 0.35]);
    m.cuboid(Stuff::Stone, [-2.2, 3.2, -1.4], [-1.5, 5.9, -0.7]);
    m.finish()
}

/// Makes a barn, 7 wide, 10 deep, with a gate that is as high as the eaves.
pub(super) fn barn() -> Part {
    let mut m = Modeller::default();
    gabled(&mut m, Stuff::Ochre, Stuff::Thatch, Gabled { half_width: 5.0, half_depth: 3.5, eaves: 3.4, ridge: 6.4 });
    m.cuboid(Stuff::Wood, [-1.6, FOUNDATION, 3.45], [-0.03, 3.0, 3.62]);
    m.cuboid(Stuff::Wood, [0.03, FOUNDATION, 3.45], [1.6, 3.0, 3.62]);
    for x in [-3.4, 3.4] {
        m.cuboid(Stuff::Window, [x - 0.4, 1.7, 3.45], [x + 0.4, 2.3, 3.55]);
    }
    m.finish()
}

/// The measures of a house whose ridge runs along x.
struct Gabled {
    half_width: f64,
    half_depth: f64,
    eaves: f64,
    ridge: f64,
}

/// Adds walls with gables, and a roof of two slabs that overhang.
fn gabled(m: &mut Modeller, wall: Stuff, roof: Stuff, house: Gabled) {
    let Gabled { half_width: w, half_depth: d, eaves, ridge } = house;
    m.cuboid(wall, [-w, FOUNDATION, -d], [w, eaves, d]);
    m.triangle(wall, [DVec3::new(w, eaves, d), DVec3::new(w, eaves, -d), DVec3::new(w, ridge, 0.0)]);
    m.triangle(wall, [DVec3::new(-w, eaves, -d), DVec3::new(-w, eaves, d), DVec3::new(-w, ridge, 0.0)]);
    let (over, thick) = (0.45, DVec3::new(0.0, 0.22, 0.0));
    let drop = (ridge - eaves) * over / d;
    for side in [1.0, -1.0] {
        let low = |x: f64| DVec3::new(x, eaves - drop, side * (d + over));
        let high = |x: f64| DVec3::new(x, ridge, 0.0);
        let x = side * (w + over);
        let bottom = [low(-x), low(x), high(x), high(-x)];
        m.hexahedron(roof, bottom, bottom.map(|corner| corner + thick));
    }
}

/// Makes a round tower with a pointed roof, a door and battlements.
pub(super) fn tower() -> Part {
    let mut m = Modeller::default();
    m.revolve(
        Stuff::Stone,
        20,
        &[[0.0, FOUNDATION], [2.1, FOUNDATION], [1.8, 8.0], [2.15, 8.4], [2.15, 9.4], [0.0, 9.4]],
    );
    m.revolve(Stuff::Tiles, 20, &[[0.0, 9.35], [2.5, 9.35], [0.0, 13.5]]);
    m.cuboid(Stuff::Wood, [-0.6, FOUNDATION, 1.5], [0.6, 2.2, 2.12]);
    for y in [4.0, 6.3] {
        m.cuboid(Stuff::Window, [-0.25, y, 1.6], [0.25, y + 1.0, 1.98]);
    }
    m.finish()
}

/// Makes a well: a ring of stone with water in it, and a little roof on two posts.
pub(super) fn well() -> Part {
    let mut m = Modeller::default();
    m.revolve(Stuff::Stone, 16, &[[1.1, FOUNDATION], [1.1, 0.9], [0.8, 0.9], [0.8, FOUNDATION], [1.1, FOUNDATION]]);
    m.revolve(Stuff::Window, 16, &[[0.8, 0.2], [0.0, 0.2]]);
    for x in [-0.95, 0.95] {
        m.cuboid(Stuff::Wood, [x - 0.09, 0.5, -0.09], [x + 0.09, 2.3, 0.09]);
    }
    m.revolve(Stuff::Thatch, 8, &[[0.0, 2.25], [1.5, 2.25], [0.0, 3.2]]);
    m.finish()
}

/// Makes a tree: a trunk and cut-out cards of leaves around it.
pub(super) fn tree() -> Part {
    let mut m = Modeller::default();
    m.revolve(Stuff::Bark, 8, &[[0.0, FOUNDATION], [0.32, FOUNDATION], [0.2, 2.0], [0.05, 4.2], [0.0, 4.2]]);
    let mut random = Random::new(0x7EE);
    for card in 0..14 {
        let (sin, cos) = libm::sincos(f64::from(card) * 2.4); // the golden angle in radians spreads them evenly
        let height = 2.1 + 0.17 * f64::from(card);
        let reach = 0.75 * (1.0 - 0.6 * f64::from(card) / 14.0);
        let out = DVec3::new(sin, 0.0, cos);
        let across = DVec3::new(cos, 0.0, -sin);
        let size = random.between(1.0, 1.4) * (1.0 - 0.35 * f64::from(card) / 14.0);
        let tilt = random.between(0.15, 0.75);
        let up = (DVec3::Y - out * tilt) * size;
        m.card(Stuff::Leaves, out * reach + DVec3::Y * height, across * size, up);
    }
    m.finish()
}

/// Makes a fence post, 1.2 high.
pub(super) fn post() -> Part {
    let mut m = Modeller::default();
    m.cuboid(Stuff::Wood, [-0.08, -0.4, -0.08], [0.08, 1.2, 0.08]);
    m.finish()
}

/// Makes a fence rail along x from 0 to 1, to be stretched from post to post.
pub(super) fn rail() -> Part {
    let mut m = Modeller::default();
    m.cuboid(Stuff::Wood, [0.0, -0.07, -0.03], [1.0, 0.07, 0.03]);
    m.finish()
}

/// The height of the middle of a lamp's glass.
pub(super) const LAMP_HEIGHT: f64 = 3.1;
/// The radius of a lamp's glass.
pub(super) const LAMP_RADIUS: f32 = 0.28;

/// Makes the pole of a lamp.
pub(super) fn pole() -> Part {
    let mut m = Modeller::default();
    m.revolve(Stuff::Iron, 10, &[[0.0, -0.4], [0.2, -0.4], [0.16, 0.25], [0.07, 0.35], [0.05, 2.85], [0.0, 2.85]]);
    m.finish()
}
