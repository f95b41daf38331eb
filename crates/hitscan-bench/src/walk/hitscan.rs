//! hitscan's characters.

use super::course::Course;
use super::walkers::{DT, GRAVITY, HEIGHT, MAX_SLOPE_DEGREES, RADIUS, STEP, Walkers};
use ::hitscan::glam::DVec3;
use ::hitscan::{Capsule, Character, CharacterState, Mesh, Scene};

/// Characters, and the scene in which they walk.
pub(super) struct Crowd {
    scene: Scene<u32>,
    hero: Character,
    /// Each character's state, and the speed at which it falls.
    walkers: Vec<(CharacterState<u32>, f64)>,
}

impl Crowd {
    pub(super) fn new(course: &Course, starts: &[DVec3]) -> Self {
        let mut scene = Scene::new();
        let mesh = Mesh::new(&course.positions, course.triangles.as_flattened()).expect("a course is a mesh");
        scene.insert(0, mesh, DVec3::ZERO).expect("a mesh can be inserted");
        let mut hero = Character::new(Capsule::new(RADIUS as f32, HEIGHT as f32)).expect("a capsule can walk");
        (hero.step_up, hero.step_down) = (STEP, STEP);
        hero.max_slope = MAX_SLOPE_DEGREES.to_radians();
        let walkers = starts.iter().map(|start| (CharacterState::new(*start), 0.0)).collect();
        Self { scene, hero, walkers }
    }
}

impl Walkers for Crowd {
    fn name(&self) -> &'static str {
        "hitscan"
    }

    fn count(&self) -> usize {
        self.walkers.len()
    }

    fn step(&mut self, number: usize, wanted: DVec3) {
        let (state, fall) = &mut self.walkers[number];
        *fall = if state.is_grounded() { 0.0 } else { *fall - GRAVITY * DT };
        self.hero.move_and_slide(&self.scene, state, wanted + DVec3::Y * *fall, DT);
    }

    fn place(&self, number: usize) -> (DVec3, bool) {
        let (state, _) = &self.walkers[number];
        (state.position, state.is_grounded())
    }
}
