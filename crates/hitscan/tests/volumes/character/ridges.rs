//! Ridges and valleys of many angles. A frame over a ridge or valley covers the same path length as a frame on a slope. So a walk ends at the same place at
//! every rate.

use super::volumes::{VOLUMES, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan_random::effort;

const RATES: [f64; 5] = [30.0, 60.0, 144.0, 360.0, 1000.0];

/// Two slopes that meet in a line along z, at the origin.
struct Bend {
    scene: Scene<u32>,
    /// The angles of the slopes from level, in radians, along +x.
    angles: [f64; 2],
}

impl Bend {
    /// Makes both slopes as one mesh.
    fn mesh(angles: [f64; 2]) -> Self {
        let rows = [(-30.0, -30.0 * angles[0].tan()), (0.0, 0.0), (30.0, 30.0 * angles[1].tan())];
        let corners: Vec<Vec3> = [-30.0, 30.0]
            .iter()
            .flat_map(|z| rows.map(|(x, y): (f64, f64)| Vec3::new(x as f32, y as f32, *z)))
            .collect();
        let mut scene = Scene::new();
        let mesh = Mesh::new(&corners, &[0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5]).unwrap();
        scene.insert(0, mesh, DVec3::ZERO).unwrap();
        Self { scene, angles }
    }

    /// Makes each slope as a box, like the ramps of levels that are built from boxes.
    fn boxes(angles: [f64; 2]) -> Self {
        let mut scene = Scene::new();
        let boxes =
            [Aabb::new([-30.0, -1.0, -30.0], [0.0, 0.0, 30.0]), Aabb::new([0.0, -1.0, -30.0], [30.0, 0.0, 30.0])];
        for ((id, slope), angle) in (0..).zip(boxes).zip(angles) {
            scene.insert(id, slope, (DVec3::ZERO, DQuat::from_rotation_z(angle))).unwrap();
        }
        Self { scene, angles }
    }

    /// Returns a state on the first slope, above or below a place on the plane of x and z.
    fn landed(&self, hero: &Character, x: f64, z: f64) -> CharacterState<u32> {
        let mut state = CharacterState::new([x, x * self.angles[0].tan() + 3.0, z]);
        while !state.is_grounded() {
            hero.move_and_slide(&self.scene, &mut state, [0.0, -5.0, 0.0], 1.0 / 60.0);
            assert!(state.position.y > x * self.angles[0].tan() - 1.0, "{state:?}");
        }
        state
    }

    /// Returns the angle by which the path bends in the vertical plane of a direction.
    fn turn(&self, heading: DVec3) -> f64 {
        let [before, after] = self.angles.map(|angle| (angle.tan() * heading.x).atan());
        (before - after).abs()
    }
}

/// Walks for a second. Every frame has its full path length: the chord over a ridge or valley is shorter than the path.
fn walk(
    bend: &Bend,
    hero: &Character,
    mut state: CharacterState<u32>,
    (velocity, rate): (DVec3, f64),
    what: &str,
) -> DVec3 {
    let length = velocity.length() / rate;
    let least = (0.5 * bend.turn(velocity.normalize())).cos();
    // At an edge, the error of a volume's normal is larger than the error of its position. It matters only on the arc around the edge, whose radius is the
    // skin, so the error is a fraction of the skin.
    let slight = 0.005 + 0.03 * hero.skin / length;
    for frame in 0..rate as usize {
        let before = state.position;
        hero.move_and_slide(&bend.scene, &mut state, velocity - DVec3::Y, 1.0 / rate);
        let made = (state.position - before).length() / length;
        assert!(state.is_grounded(), "{what}, {rate} Hz, frame {frame}: in the air at {}", state.position);
        assert!(
            made > least - slight && made < 1.0 + slight,
            "{what}, {rate} Hz, frame {frame}: {made} of {length} from {before}"
        );
    }
    state.position
}

#[test]
fn a_ridge_changes_no_speed() {
    let (seed, cases) = (effort::seed(1), effort::size(15, 120, 2_000));
    for case in 0..cases {
        let mut random = Random(seed * 5_000_011 + case as u64);
        let angles = [0; 2].map(|_| (45.0 * random.unit()).to_radians());
        let bend = if random.below(2) == 0 { Bend::mesh(angles) } else { Bend::boxes(angles) };
        let mut hero = Character::new(volume(case % VOLUMES)).unwrap();
        hero.step_up *= [0.0, 1.0][random.below(2)];
        let turn = [0.0, 60.0 * random.unit()][random.below(2)].to_radians();
        let speed = 3.0 + 2.0 * random.unit();
        let velocity = speed * DVec3::new(turn.cos(), 0.0, turn.sin());
        let state = bend.landed(&hero, -speed * (0.3 + 0.2 * random.fraction()), 0.0);
        let degrees = angles.map(f64::to_degrees);
        let what = format!(
            "seed {seed}, case {case}, volume {}, over {degrees:?} at {velocity} from {}",
            case % VOLUMES,
            state.position
        );
        let ends = RATES.map(|rate| walk(&bend, &hero, state, (velocity, rate), &what));
        let exact = ends[RATES.len() - 1];
        for (end, rate) in ends.iter().zip(RATES) {
            let apart = (*end - exact).length();
            assert!(apart < 0.02 * speed / rate + 2e-3, "{what}, {rate} Hz: {end} is {apart} from {exact}");
        }
    }
}

/// A ball goes along one slope, around the ridge and along the second slope.
#[test]
fn a_ball_goes_around_a_ridge_at_its_speed() {
    for (before, after) in [
        (20.0, 0.0),
        (45.0, 0.0),
        (0.0, -20.0),
        (0.0, -45.0),
        (30.0, -30.0),
        (45.0, -45.0),
        (40.0, 10.0),
        (-10.0, -40.0),
    ] {
        let angles = [before, after].map(f64::to_radians);
        for bend in [Bend::mesh(angles), Bend::boxes(angles)] {
            let hero = Character::new(Sphere::new(0.5)).unwrap();
            let state = bend.landed(&hero, -1.5, 0.0);
            let radius = 0.5 + hero.skin;
            let [first, last] = angles.map(DQuat::from_rotation_z);
            // The path to the start of the arc, and the arc.
            let to_arc = (first * DVec3::Y * radius - state.position).dot(first * DVec3::X);
            let arc = radius * (angles[0] - angles[1]);
            for rate in RATES {
                let end = walk(&bend, &hero, state, (DVec3::X * 4.0, rate), &format!("{before} {after}"));
                let expected = last * (DVec3::Y * radius + DVec3::X * (4.0 - to_arc - arc));
                let apart = (end - expected).length();
                assert!(
                    apart < 0.01 * 4.0 / rate + 1e-3,
                    "{before} {after}, {rate} Hz: {end} is {apart} from {expected}"
                );
            }
        }
    }
}

/// A step is no ridge. Over its edge the horizontal length is kept, up and down and at every rate.
#[test]
fn a_step_changes_no_speed_across() {
    for number in 0..VOLUMES {
        for (height, from, direction) in [(0.25f32, -1.0, 1.0), (0.25, 3.0, -1.0), (0.1, 3.0, -1.0)] {
            let mut scene = Scene::new();
            scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
            scene.insert(1, Aabb::new([1.0, 0.0, -50.0], [50.0, height, 50.0]), DVec3::ZERO).unwrap();
            let mut hero = Character::new(volume(number)).unwrap();
            (hero.step_up, hero.step_down) = (0.4, 0.4);
            for rate in RATES {
                let mut state = CharacterState::new([from, 2.0, 0.0]);
                while !state.is_grounded() {
                    hero.move_and_slide(&scene, &mut state, [0.0, -5.0, 0.0], 1.0 / 60.0);
                }
                for _ in 0..rate as usize {
                    hero.move_and_slide(&scene, &mut state, [4.0 * direction, -1.0, 0.0], 1.0 / rate);
                }
                let made = (state.position.x - from) * direction;
                assert!((made - 4.0).abs() < 0.1, "volume {number}, {height} from {from} at {rate} Hz: {made}");
            }
        }
    }
}
