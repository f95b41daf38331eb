//! Ten thousand entities that move, appear and disappear.

use crate::common::Random;
use crate::pairs::list::{Solid, changes, said};
use hitscan::glam::{DVec3, Vec3};
use hitscan::pairs::{PairChange, PairTracker};
use hitscan::{Aabb, Geometry, Scene, Sphere};
use hitscan_random::effort;

const COUNT: usize = 10_000;
const SIZE: f64 = 22.0;
const SEED: u64 = 51;

fn frames() -> usize {
    effort::size(5, 12, 1000)
}

struct Mover {
    key: u32,
    solid: Solid,
    place: DVec3,
    velocity: DVec3,
}

impl Mover {
    fn new(key: u32, random: &mut Random) -> Self {
        let radius = 0.5 + 0.4 * random.unit();
        let solid = if random.below(2) == 0 {
            Solid::Ball { center: DVec3::ZERO, radius: f64::from(radius as f32) }
        } else {
            let half = Vec3::splat(radius as f32).as_dvec3();
            Solid::Box { low: -half, high: half }
        };
        Self { key, solid, place: random.cube() * SIZE, velocity: random.cube() }
    }

    fn geometry(&self) -> Geometry {
        match self.solid {
            Solid::Ball { radius, .. } => Sphere::new(radius as f32).into(),
            Solid::Box { low, high } => Aabb::new(low.as_vec3(), high.as_vec3()).into(),
            Solid::Plane { .. } => unreachable!("nothing here is unbounded"),
        }
    }

    fn placed(&self) -> Solid {
        match self.solid {
            Solid::Ball { radius, .. } => Solid::Ball { center: self.place, radius },
            Solid::Box { low, high } => Solid::Box { low: self.place + low, high: self.place + high },
            Solid::Plane { .. } => unreachable!("nothing here is unbounded"),
        }
    }
}

/// Returns the pairs in the order of the movers, which is the order of their insertion.
fn naive(movers: &[Mover]) -> Vec<(u32, u32)> {
    let placed: Vec<Solid> = movers.iter().map(Mover::placed).collect();
    let mut pairs = Vec::new();
    for (index, (one, mover)) in placed.iter().zip(movers).enumerate() {
        for (other, second) in placed[index + 1..].iter().zip(&movers[index + 1..]) {
            if one.touches(other) {
                pairs.push((mover.key, second.key));
            }
        }
    }
    pairs
}

#[test]
fn ten_thousand_are_told_as_the_naive_list_has_them() {
    let mut random = Random(SEED);
    let mut movers: Vec<Mover> = (0..COUNT as u32).map(|key| Mover::new(key, &mut random)).collect();
    let mut scene = Scene::new();
    for mover in &movers {
        scene.insert(mover.key, mover.geometry(), mover.place).unwrap();
    }
    let mut tracker = PairTracker::new();
    let mut before = Vec::new();
    let mut counts = [0; 3];
    for frame in 0..frames() {
        let now = naive(&movers);
        let expected = changes(&before, &now);
        let found = said(tracker.update(&scene));
        assert!(found == expected, "seed {SEED}, frame {frame}: {} events, expected {}", found.len(), expected.len());
        assert!(tracker.pairs().eq(now.iter().copied()), "seed {SEED}, frame {frame}");
        for (.., change) in &found {
            counts[match change {
                PairChange::Enter => 0,
                PairChange::Stay => 1,
                PairChange::Leave => 2,
            }] += 1;
        }
        before = now;
        // Some entities appear and disappear, and some reuse an earlier key.
        for turn in 0..40 {
            let gone = movers.remove(random.below(movers.len()));
            scene.remove(&gone.key).unwrap();
            let key = if turn % 2 == 0 { gone.key } else { (COUNT + frame * 40 + turn) as u32 };
            let mover = if turn % 4 == 0 { gone } else { Mover::new(key, &mut random) };
            scene.insert(mover.key, mover.geometry(), mover.place).unwrap();
            movers.push(mover);
        }
        for mover in &mut movers {
            mover.place += mover.velocity * 0.1;
            if !Aabb::from_center_size(Vec3::ZERO, Vec3::splat(2.0 * SIZE as f32)).contains(mover.place.as_vec3()) {
                mover.velocity = -mover.velocity;
            }
        }
        assert_eq!(scene.set_transforms(movers.iter().map(|mover| (mover.key, mover.place))).unwrap(), movers.len());
    }
    let [enter, stay, leave] = counts;
    assert!(enter > 5_000 && stay > 1_500 * frames() && leave > 1_000, "{counts:?}");
}
