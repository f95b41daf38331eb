//! Volumes that slide along a ring from where they touch it: it bends towards what slides along its inner side.

use crate::character::volumes::{VOLUMES, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;
use hitscan::{ContactFilter, Pose, Torus};
use hitscan_random::effort;

/// Returns the depth of a volume in everything.
fn depth(scene: &Scene<()>, volume: &Volume, at: Pose) -> f64 {
    scene.penetration(volume, at).map_or(0.0, |way| f64::from(way.depth))
}

#[test]
fn what_slides_along_a_ring_does_not_go_into_it() {
    let (seed, cases) = (effort::seed(2), effort::size(2_000, 10_000, 200_000));
    let (mut slides, mut stops) = (0, 0);
    for case in 0..cases {
        let mut random = Random(seed * 19_000_013 + case as u64);
        let size = 0.7 + 0.3 * random.unit();
        let tilt = DQuat::from_scaled_axis(random.cube() * [0.2, 3.0][random.below(2)]);
        let mut scene = Scene::new();
        scene.insert((), Torus::new(size as f32, 0.4 * size as f32), (DVec3::ZERO, tilt)).unwrap();
        let volume = volume(case % VOLUMES);
        let skinned = volume.clone().with_margin(0.004);
        let mut at = Pose {
            position: DVec3::Y * 3.0 + random.cube() * DVec3::new(1.0, 0.0, 1.0),
            rotation: DQuat::from_rotation_y(3.0 * random.unit()),
        };
        let mut motion = DVec3::new(random.unit(), -5.0, random.unit());
        let ahead = scene.contact_filter(ContactFilter::Ahead);
        for slide in 0..4 {
            let hit = ahead.sweep(&skinned, at, motion);
            at.position += motion * hit.as_ref().map_or(1.0, |hit| hit.t_f64());
            let deep = depth(&scene, &volume, at);
            assert!(deep < 1e-6, "seed {seed}, case {case}, slide {slide}: {deep} at {at:?} after {motion}");
            let Some(hit) = hit else { break };
            (slides, stops) = (slides + 1, stops + usize::from(slide > 0));
            // The motion is along the surface but for rounding, of which normals have more than numbers.
            let normal = hit.normal.as_dvec3();
            motion = hit.slide(random.cube() * 0.4 - normal * 0.1, 0.0);
            motion -= normal * motion.length() * 10f64.powf(-9.0 - 4.0 * random.fraction());
        }
    }
    println!("{slides} contacts, {stops} of them on a slide");
    assert!(slides > cases / 2 && stops > cases / 20, "{slides} contacts, {stops} on a slide");
}
