//! One character's random walk.

use crate::stroll::referee::Referee;
use crate::stroll::world::{World, on_grid};
use hitscan::glam::DVec3;
use hitscan::{Capsule, Character, CharacterState, Scene};
use hitscan_random::Random;

/// The steps of a walk.
pub(crate) const STEPS: usize = 250;
const SPEED: f64 = 5.0;
const GRAVITY: f64 = 9.81;
/// The largest speed of a fall. A step at this speed is shorter than the capsule is wide. So the segment between two
/// positions shows whether the capsule crossed a surface.
const FASTEST_FALL: f64 = 12.0;

/// The wish of a character for one step.
#[derive(Clone, Copy)]
struct Wish {
    velocity: DVec3,
    jump: Option<f64>,
}

/// The start of a character, and its wishes.
pub(crate) struct Walk {
    start: DVec3,
    dt: f64,
    wishes: Vec<Wish>,
}

/// The state after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) position: DVec3,
    ground: Option<u32>,
    contacts: usize,
    velocity: DVec3,
}

pub(crate) fn capsule() -> Capsule {
    Capsule::new(0.3, 1.8)
}

pub(crate) fn hero() -> Character {
    Character::new(capsule()).expect("a capsule can walk")
}

impl Walk {
    /// Makes the walk of this number, which starts in free space near a triangle. A character that started in a closed mesh would be pushed out of it.
    pub(crate) fn new(world: &World, number: u64) -> Self {
        let random = &mut Random(number);
        let mut referee = Referee::new(world, capsule());
        let start = loop {
            let [a, b, c] = world.triangles[random.below(world.triangles.len())];
            let (u, v) = (random.fraction(), random.fraction());
            let at = a + (b - a) * u + (c - a) * (v * (1.0 - u));
            let start = on_grid(at + random.cube() * 0.5 + DVec3::Y * (1.2 * random.fraction()));
            if referee.gap(start) > 2.0 * hero().skin && !referee.is_inside(start) {
                break start;
            }
        };
        let dt = random.pick(&[1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0]);
        let mut velocity = DVec3::ZERO;
        let wishes = (0..STEPS).map(|step| {
            if step % 20 == 0 || random.below(30) == 0 {
                let (sin, cos) = (random.unit() * 3.2).sin_cos();
                velocity = DVec3::new(cos, 0.0, sin) * random.pick(&[0.0, 0.3 * SPEED, SPEED, SPEED, SPEED]);
            }
            Wish { velocity, jump: (random.below(40) == 0).then(|| 5.0 * random.fraction()) }
        });
        let wishes = wishes.collect();
        Self { start, dt, wishes }
    }

    /// Walks in a scene that is moved by some distance, and starts again after a fall out of the world. Calls a function with the number of
    /// each step, the wanted velocity, and the positions before and after it.
    pub(crate) fn run(
        &self,
        scene: &Scene<u32>,
        by: DVec3,
        lowest: f64,
        mut tell: impl FnMut(usize, DVec3, DVec3, &Place),
    ) -> Vec<Place> {
        let (hero, mut state, mut fall) = (hero(), CharacterState::new(self.start + by), 0.0);
        let mut path = Vec::new();
        for (number, wish) in self.wishes.iter().enumerate() {
            fall = match (state.is_grounded(), wish.jump) {
                (true, Some(speed)) => speed,
                (true, None) => 0.0,
                (false, _) => f64::max(fall - GRAVITY * self.dt, -FASTEST_FALL),
            };
            let before = state.position;
            let velocity = wish.velocity + DVec3::Y * fall;
            let moved = hero.move_and_slide(scene, &mut state, velocity, self.dt);
            fall = moved.velocity.y;
            let place = Place {
                position: state.position - by,
                ground: state.ground().copied(),
                contacts: moved.contacts.len(),
                velocity: moved.velocity,
            };
            tell(number, velocity, before - by, &place);
            path.push(place);
            if place.position.y < lowest {
                (state, fall) = (CharacterState::new(self.start + by), 0.0);
            }
        }
        path
    }
}

/// The faults of some walks, and counts that show whether the test covered enough.
#[derive(Clone, Default)]
pub(crate) struct Faults {
    pub(crate) steps: usize,
    pub(crate) grounded: usize,
    /// Steps at the end of which something is nearer than one and a half skins.
    pub(crate) touching: usize,
    pub(crate) inside: usize,
    pub(crate) through: usize,
    /// Steps after which the character has moved less than a hundredth of the wanted motion three times in
    /// succession, although some direction is free.
    pub(crate) stuck: usize,
    pub(crate) nan: usize,
    /// The least gap, as a fraction of the skin.
    pub(crate) least_gap: Option<f64>,
    /// Descriptions of the first faults.
    pub(crate) told: Vec<String>,
}

impl Faults {
    pub(crate) fn add(mut self, other: Self) -> Self {
        self.steps += other.steps;
        self.grounded += other.grounded;
        self.touching += other.touching;
        self.inside += other.inside;
        self.through += other.through;
        self.stuck += other.stuck;
        self.nan += other.nan;
        self.least_gap = self.least_gap.into_iter().chain(other.least_gap).reduce(f64::min);
        self.told.extend(other.told);
        self
    }

    pub(crate) fn count(&self) -> usize {
        self.inside + self.through + self.stuck + self.nan
    }
}

impl Walk {
    /// Walks, and checks after each step whether it is right.
    pub(crate) fn judge(&self, number: u64, world: &World, scene: &Scene<u32>, lowest: f64) -> (Vec<Place>, Faults) {
        let (mut faults, mut referee) = (Faults::default(), Referee::new(world, capsule()));
        let skin = hero().skin;
        let (mut was_grounded, mut resting) = (false, 0);
        let path = self.run(scene, DVec3::ZERO, lowest, |step, velocity, before, after| {
            let what = |fault: &str| {
                format!("walk {number}, step {step}: {fault}, {before:?} + {velocity:?} * {} to {after:?}", self.dt)
            };
            faults.steps += 1;
            let is_grounded = after.ground.is_some();
            faults.grounded += usize::from(is_grounded);
            if !(after.position.is_finite() && after.velocity.is_finite()) {
                faults.nan += 1;
                faults.told.push(what("no number"));
                return;
            }
            let gap = referee.gap(after.position);
            faults.touching += usize::from(gap < 1.5 * skin);
            faults.least_gap = faults.least_gap.into_iter().chain([gap / skin]).reduce(f64::min);
            if !(gap > 0.0) {
                faults.inside += 1;
                faults.told.push(what(&format!("inside by {:.3} of the skin", -gap / skin)));
            }
            if referee.is_crossed(before, after.position) {
                faults.through += 1;
                faults.told.push(what("through a triangle"));
            }
            let wanted = DVec3::new(velocity.x, 0.0, velocity.z) * self.dt;
            let rests = after.position.distance(before) < 0.01 * wanted.length() && was_grounded == is_grounded;
            resting = if rests { resting + 1 } else { 0 };
            let is_free = |referee: &mut Referee<'_>| match is_grounded {
                true => referee.is_free(after.position, wanted, skin),
                false => referee.is_free_in_air(after.position, velocity * self.dt, skin),
            };
            if resting >= 3 && is_free(&mut referee) {
                faults.stuck += 1;
                faults.told.push(what("stuck"));
            }
            was_grounded = is_grounded;
        });
        (path, faults)
    }
}
