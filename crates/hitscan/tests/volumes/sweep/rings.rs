//! Volumes that slide along a ring from where they touch it. The ring bends towards a volume on its inner side. Volumes in the hole of a ring, which move away
//! from one part of the ring and press into another part.

use crate::character::volumes::{VOLUMES, volume};
use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};
use hitscan::prelude::*;
use hitscan::{Compound, Pose, SweepHit, Torus};
use hitscan_random::effort;

/// Returns the depth of a volume in everything.
fn depth(scene: &Scene<()>, volume: &Volume, at: Pose) -> f64 {
    scene.penetration(volume, at).map_or(0.0, |way| f64::from(way.depth))
}

#[test]
fn what_slides_along_a_ring_does_not_go_into_it() {
    let (seed, cases) = (effort::seed(2), effort::size(500, 6_000, 200_000));
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
            // The motion is along the surface, or into it by about the rounding error of a normal.
            let normal = hit.normal.as_dvec3();
            motion = hit.slide(random.cube() * 0.4 - normal * 0.1, 0.0);
            motion -= normal * motion.length() * 10f64.powf(-9.0 - 4.0 * random.fraction());
        }
    }
    println!("{slides} contacts, {stops} of them on a slide");
    assert!(slides > cases / 2 && stops > cases / 20, "{slides} contacts, {stops} on a slide");
}

/// A capsule touches a ring all around in its hole, or has sunk into it. Each motion leaves one half of the ring and presses into the other.
#[test]
fn a_capsule_that_leaves_half_of_a_ring_presses_into_the_other_half() {
    let size = 0.419_659_05_f32;
    let mut scene = Scene::new();
    scene.insert((), Torus::new(size, 0.4 * size), DVec3::ZERO).unwrap();
    let touching = 0.813_535_488_051_865_2;
    let walk = DVec3::new(-0.027_236_959_368_494_653, -0.013_625, 0.045_765_922_815_530_644);
    let motions = [walk, DVec3::X * 0.05, DVec3::X * -0.05, DVec3::Z * 0.05, DVec3::Z * -0.05];
    for volume in [
        Volume::from(Capsule::new(0.25, 1.7)).with_margin(0.053),
        Volume::from(Capsule::new(0.3, 1.8)).with_margin(0.003),
    ] {
        for (sunk, motion) in [1e-3, 1e-5, 0.0, -1e-7].into_iter().flat_map(|s| motions.map(|motion| (s, motion))) {
            let at = DVec3::Y * (touching - sunk);
            let ahead = scene.contact_filter(ContactFilter::Ahead);
            let hit = ahead.sweep(&volume, at, motion).unwrap_or_else(|| panic!("{motion} from {sunk}"));
            let pressed = -hit.normal.as_dvec3().dot(motion) / motion.length();
            assert!(hit.t < 1e-5 && pressed > 0.0, "{motion} from {sunk}: {} at {}", pressed, hit.t);
            let mut hits = Vec::new();
            ahead.sweep_all(&volume, at, motion, &mut hits);
            assert_eq!(hits.first().map(|hit| hit.t), Some(hit.t));
        }
    }
}

/// A ring, perhaps stretched, and an approximation of it by many capsules, all of which are inside the ring.
struct Hole {
    ring: Scene<()>,
    capsules: Scene<()>,
    to_world: DAffine3,
}

impl Hole {
    fn new(random: &mut Random, is_stretched: bool, parts: u32) -> Self {
        let major = 0.4 + 0.6 * random.fraction();
        let minor = major * (0.2 + 0.3 * random.fraction());
        let tilt = DQuat::from_scaled_axis(random.cube() * [0.0, 0.2, 3.0][random.below(3)]);
        let stretch = if is_stretched { DVec3::ONE + random.cube() * 0.4 } else { DVec3::ONE };
        let to_world = DAffine3::from_mat3(DMat3::from_quat(tilt) * DMat3::from_diagonal(stretch));
        let step = core::f64::consts::TAU / f64::from(parts);
        let at = |part: u32| {
            let (sin, cos) = (f64::from(part) * step).sin_cos();
            (DVec3::new(cos, 0.0, sin) * major).as_vec3()
        };
        let thickness = minor - major * (1.0 - (0.5 * step).cos()) - 1e-6;
        let part = |part: u32| {
            let capsule = Capsule::between(at(part), at(part + 1), thickness as f32);
            (capsule.into(), DVec3::ZERO.into())
        };
        let (mut ring, mut capsules) = (Scene::new(), Scene::new());
        ring.insert((), Torus::new(major as f32, minor as f32), to_world).unwrap();
        capsules.insert((), Compound::new((0..parts).map(part)).unwrap(), to_world).unwrap();
        Self { ring, capsules, to_world }
    }

    /// Returns a pose of a volume that touches the ring as it moves into the hole, or has sunk into it or is just apart.
    fn pose_in(&self, random: &mut Random, volume: &Volume) -> Option<Pose> {
        let linear = self.to_world.matrix3;
        let axis = linear.y_axis.normalize();
        let lean = random.cube() * [0.0, 0.0, 1e-9, 1e-4, 0.1][random.below(5)];
        let rotation = DQuat::from_scaled_axis(lean)
            * DQuat::from_rotation_arc(DVec3::Y, axis)
            * DQuat::from_rotation_y(3.0 * random.unit() * f64::from(random.below(2) as u32));
        let off =
            linear * (random.cube() * DVec3::new(1.0, 0.0, 1.0) * [0.0, 0.0, 1e-9, 1e-5, 1e-3, 0.1][random.below(6)]);
        let above = Pose { position: off + axis * 4.0, rotation };
        let hit = self.ring.sweep(volume, above, axis * -4.0)?;
        let sunk = [0.0, 0.0, -1e-7, 1e-9, 1e-6, 1e-4, 1e-3][random.below(7)];
        Some(Pose { position: above.position - axis * (4.0 * hit.t_f64() + sunk), rotation })
    }

    /// Returns a motion from a pose of [`pose_in`](Self::pose_in), mostly across the hole.
    fn motion(&self, random: &mut Random) -> DVec3 {
        let along = [0.0, 1e-9, 1e-3, 0.1, 1.0][random.below(5)];
        self.to_world.matrix3 * (random.cube() * DVec3::new(1.0, along, 1.0) * [0.02, 0.2, 1.0][random.below(3)])
    }
}

/// A contact that the motion presses into by less than this part of its speed may be a contact by rounding only.
const HARDLY: f64 = 1e-3;

#[test]
fn what_leaves_a_part_of_a_ring_does_not_go_into_another() {
    let (seed, cases) = (effort::seed(3), effort::size(125, 1_500, 100_000));
    let (mut starts, mut later, mut early) = (0, 0, 0.0_f64);
    for case in 0..cases {
        let mut random = Random(seed * 23_000_009 + case as u64);
        let hole = Hole::new(&mut random, case / VOLUMES % 2 == 1, 512);
        let volume = volume(case % VOLUMES);
        let Some(from) = hole.pose_in(&mut random, &volume) else { continue };
        let motion = hole.motion(&mut random);
        let name = format!("seed {seed}, case {case}: {motion} from {from:?}");
        let [first, oracle] = [&hole.ring, &hole.capsules]
            .map(|scene| scene.contact_filter(ContactFilter::Ahead).sweep(&volume, from, motion));
        let pressed = |hit: &SweepHit<()>| -hit.normal.as_dvec3().dot(motion) / motion.length();
        if let Some(oracle) = oracle.filter(|hit| pressed(hit) > HARDLY) {
            let end = first.as_ref().map_or(1.0, |first| first.t_f64());
            let is_late = first.is_none() || end > oracle.t_f64() + 1e-9;
            // A ball that has sunk into a ring may move on as long as it goes no deeper than at the start.
            let is_ball = matches!(volume, Volume::Sphere(_)) && depth(&hole.ring, &volume, from) > 0.0;
            assert!(!is_late || is_ball, "{name}: {first:?} after {} into {}", oracle.t_f64(), pressed(&oracle));
            for part in (0..if is_late { 16 } else { 0 }).map(|part| f64::from(part) / 16.0 * end) {
                let there = Pose { position: from.position + motion * part, ..from };
                let [before, after] = [from, there].map(|pose| depth(&hole.ring, &volume, pose));
                assert!(after < before + 1e-6, "{name}: {after} deep at {part} after {before}");
            }
            if oracle.start == SweepStart::Apart { later += 1 } else { starts += 1 }
        }
        let Some(first) = first else { continue };
        assert!(pressed(&first) > -1e-6, "{name}: {}", pressed(&first));
        let there = Pose { position: from.position + motion * first.t_f64(), ..from };
        let gap = [0.0, 1e-5, 1e-4, 1e-3, 5e-3];
        let gap = gap.into_iter().find(|gap| hole.ring.overlaps(volume.clone().with_margin(*gap as f32), there));
        early = early.max(gap.unwrap_or_else(|| panic!("{name}: early at {}", first.t)));
    }
    println!("{starts} contacts at the start, {later} later ones, early by {early} at most");
    assert!(starts > cases / 20 && later > cases / 5, "{starts} contacts at the start, {later} later ones");
}

#[test]
fn what_turns_and_leaves_a_part_of_a_ring_does_not_go_into_another() {
    let (seed, cases) = (effort::seed(4), effort::size(50, 500, 5_000));
    let mut found = 0;
    for case in 0..cases {
        let mut random = Random(seed * 29_000_017 + case as u64);
        let hole = Hole::new(&mut random, case / VOLUMES % 2 == 1, 96);
        let volume = volume(case % VOLUMES);
        let Some(from) = hole.pose_in(&mut random, &volume) else { continue };
        let turn = DQuat::from_scaled_axis(random.cube() * [1e-6, 1e-3, 0.1][random.below(3)]);
        let to = Pose { position: from.position + hole.motion(&mut random), rotation: turn * from.rotation };
        let [first, oracle] = [&hole.ring, &hole.capsules]
            .map(|scene| scene.contact_filter(ContactFilter::Ahead).sweep_rotating(&volume, from, to));
        let Some(oracle) = oracle else { continue };
        found += 1;
        let first = first.unwrap_or_else(|| panic!("seed {seed}, case {case}: none before {}", oracle.t));
        assert!(first.t_f64() <= oracle.t_f64() + 1e-6, "seed {seed}, case {case}: {} after {}", first.t, oracle.t);
    }
    assert!(found > cases / 5, "{found} contacts");
}

/// A capsule above the hole of a ring, on its axis, is equally near to the whole ring. The hulls of more arcs than are divided are then in contact at the
/// start, because the hull of an arc also contains its chord. The contact must not be the one with the hull of a long arc.
#[test]
fn a_capsule_that_rests_in_a_ring_touches_the_ring_itself() {
    let (mut random, mut starts) = (Random(effort::seed(62)), 0);
    for case in 0..effort::size(250, 2_000, 100_000) {
        let (major, radius) = (0.2 + random.fraction(), 0.3 + 0.1 * random.unit());
        let minor = f64::from(([0.4, 0.4, 0.1, 0.001][case % 4] * major) as f32);
        let major = f64::from(major as f32);
        let radius = f64::from(radius as f32);
        if radius + minor < 1.05 * major {
            continue;
        }
        let turn = if case % 3 == 0 { DQuat::IDENTITY } else { random.rotation() };
        let place = random.cube() * 5.0;
        let mut scene = Scene::new();
        scene.insert((), Torus::new(major as f32, minor as f32), (place, turn)).unwrap();
        let gap = major * 2f64.powf(-24.0 + 14.0 * random.fraction());
        let height = (radius + minor + gap).powi(2) - major * major;
        let height = height.sqrt();
        let capsule = Capsule::between([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], radius as f32);
        let at = Pose { position: place + turn * DVec3::Y * height, rotation: turn };
        let motion =
            turn * (DVec3::new(0.2 * random.unit(), -1.0, 0.2 * random.unit()) * [1e-6, 1e-3, 0.1, 2.0][case / 4 % 4]);
        for filter in [ContactFilter::All, ContactFilter::Ahead] {
            let Some(hit) = scene.contact_filter(filter).sweep(capsule, at, motion) else { continue };
            starts += usize::from(hit.t == 0.0);
            let (up, normal) = (turn * DVec3::Y, hit.normal.as_dvec3());
            let context = format!("{case}, ring of {major}, gap of {gap:e}: {hit:?}");
            assert!((normal.dot(up) - height / (radius + minor + gap)).abs() < 2e-3, "{context}");
            let end = at.position + motion * hit.t_f64();
            let off = (hit.point_f64() - end).length() - radius;
            assert!(off < gap + 1e-4 * major, "{context}: {off} from the capsule");
        }
    }
    assert!(starts > 20, "{starts}");
}
