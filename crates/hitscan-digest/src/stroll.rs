//! The paths of characters.

use crate::content::{STEPS, World};
use crate::hash::{Digest, Words};
use hitscan::glam::DVec3;
use hitscan::{Capsule, Character, CharacterState, Moved, Ray, RayQueries, Scene};

/// The size of a course in units of the character, which is 1.8 units high.
const UNITS: f64 = 60.0;
const SPEED: f64 = 6.0;
const GRAVITY: f64 = 9.81;
const DT: f64 = 1.0 / 32.0;

/// A scene, and a character of a size that suits it.
#[derive(Clone, Debug)]
pub struct Course {
    scene: Scene<u32>,
    hero: Character,
    unit: f64,
}

impl Course {
    pub(crate) fn new(scene: Scene<u32>, world: &World) -> Result<Self, String> {
        let (low, high) = world.bounds();
        let unit = (high - low).max_element() / UNITS;
        let capsule = Capsule::new((0.3 * unit) as f32, (1.8 * unit) as f32);
        let hero = Character::new(capsule).map_err(|error| error.to_string())?;
        Ok(Self { scene, hero, unit })
    }

    /// Walks from above the point that a ray hits, or from the origin of the ray after a miss, and calls a function after
    /// each step.
    fn walk(&self, ray: &Ray, mut each: impl FnMut(&CharacterState<u32>, &Moved<u32>)) {
        let hit = self.scene.cast(ray);
        let start = hit.map_or(ray.origin.as_dvec3(), |hit| hit.point_f64() + DVec3::Y * (1.2 * self.unit));
        let way = ray.direction.as_dvec3();
        // The bits of a NaN are not the same everywhere.
        if !(start.is_finite() && way.is_finite()) {
            return;
        }
        let mut way = DVec3::new(way.x, 0.0, way.z).normalize_or_zero() * (SPEED * self.unit);
        let (mut state, mut fall) = (CharacterState::new(start), 0.0);
        for step in 0..STEPS {
            if step % 8 == 7 {
                way = DVec3::new(-way.z, 0.0, way.x);
            }
            fall = match state.is_grounded() {
                true if step % 8 == 5 => 4.0 * self.unit,
                true => 0.0,
                false => fall - GRAVITY * DT * self.unit,
            };
            let moved = self.hero.move_and_slide(&self.scene, &mut state, way + DVec3::Y * fall, DT);
            fall = moved.velocity.y;
            each(&state, &moved);
        }
    }

    /// Returns the digest of the walk of a ray.
    pub(crate) fn digest(&self, index: u64, ray: &Ray) -> Digest {
        let mut words = Words::new(index);
        self.walk(ray, |state, moved| {
            vector(&mut words, state.position);
            vector(&mut words, moved.velocity);
            vector(&mut words, moved.ground_velocity);
            words.word(moved.stepped.to_bits());
            words.pair(moved.ground.is_some().into(), moved.contacts.len() as u32);
            if let Some(ground) = &moved.ground {
                words.pair(ground.id, 0);
                [ground.point, ground.normal, ground.surface_normal].into_iter().for_each(|v| vector(&mut words, v));
            }
            for contact in &moved.contacts {
                words.pair(contact.id, contact.part);
                words.pair(contact.triangle.is_some().into(), contact.triangle.unwrap_or_default());
                let vectors = [contact.point, contact.normal, contact.surface_normal];
                vectors.into_iter().for_each(|v| vector(&mut words, v));
                words.word(contact.depth.to_bits());
            }
        });
        words.digest()
    }

    /// Returns whether the character of a ray has touched anything.
    pub(crate) fn is_met(&self, ray: &Ray) -> bool {
        let mut is_met = false;
        self.walk(ray, |state, moved| is_met |= state.is_grounded() || !moved.contacts.is_empty());
        is_met
    }

    /// Describes the walk of a ray as text.
    pub(crate) fn describe(&self, ray: &Ray) -> String {
        let mut steps = Vec::new();
        self.walk(ray, |state, moved| {
            steps.push(format!("{:?}, ground {:?}, contacts {:?}", state.position, moved.ground, moved.contacts));
        });
        steps.join("\n    ")
    }
}

fn vector(words: &mut Words, v: DVec3) {
    v.to_array().into_iter().for_each(|x| words.word(x.to_bits()));
}
