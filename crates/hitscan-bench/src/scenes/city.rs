//! Towers with ledges around every floor, bars from the ground to the roof, and cables across the streets. Most
//! triangles are long and thin, and their boxes overlap.

use super::scene::Scene;
use super::soup::Soup;
use crate::random::Random;
use hitscan::glam::DVec3;

const BLOCKS: u32 = 50;
const PITCH: f64 = 30.0;
const BARS: u32 = 10;

pub(super) fn city() -> Scene {
    let mut random = Random::new(21);
    let mut soup = Soup::default();
    let side = f64::from(BLOCKS) * PITCH;
    soup.cuboid(DVec3::new(0.0, -1.0, 0.0), DVec3::new(side, 0.0, side));
    for (x, z) in (0..BLOCKS).flat_map(|x| (0..BLOCKS).map(move |z| (x, z))) {
        let corner = DVec3::new(f64::from(x) * PITCH, 0.0, f64::from(z) * PITCH);
        tower(&mut soup, corner + DVec3::new(5.0, 0.0, 5.0), &mut random);
        cables(&mut soup, corner, &mut random);
    }
    Scene::mesh(soup, [0.02, 0.35, 0.03], [0.5, 0.05, 0.55], [0.4, 3.0, 0.3])
}

fn tower(soup: &mut Soup, at: DVec3, random: &mut Random) {
    let size = DVec3::new(random.between(10.0, 20.0), 0.0, random.between(10.0, 20.0));
    let floors = 8 + (24.0 * random.unit()) as usize;
    let height = floors as f64 * 3.2;
    soup.cuboid(at, at + size + DVec3::Y * height);
    for floor in 1..=floors {
        let level = DVec3::Y * (floor as f64 * 3.2);
        let out = DVec3::new(0.4, 0.0, 0.4);
        soup.cuboid(at + level - out, at + level + size + out + DVec3::Y * 0.2);
    }
    for bar in 0..=BARS {
        let f = f64::from(bar) / f64::from(BARS);
        let (x, z) = (size.x * f, size.z * f);
        let feet = [[x, -0.1], [x, size.z + 0.1], [-0.1, z], [size.x + 0.1, z]];
        for foot in feet.map(|[x, z]| at + DVec3::new(x, 0.0, z)) {
            soup.beam(foot, foot + DVec3::Y * height, 0.12);
        }
    }
}

fn cables(soup: &mut Soup, corner: DVec3, random: &mut Random) {
    for _ in 0..4 {
        let level = random.between(5.0, 12.0);
        let along = DVec3::new(random.between(0.0, PITCH), level, 1.0);
        let across = DVec3::new(random.between(0.0, PITCH), level + random.between(-1.0, 1.0), PITCH - 1.0);
        soup.beam(corner + along, corner + across, 0.04);
    }
}
