//! Pairs of moving balls that overlap, or whose boxes overlap.

use ::hitscan::glam::DVec3;
use ::hitscan::{
    Scene, Sphere,
    pairs::{PairFilter, PairTest, PairTracker},
};
use anyhow::Result;

/// A structure that finds pairs in a crowd.
pub(crate) trait Overlaps {
    /// Moves all balls.
    fn set(&mut self, places: &[DVec3]);

    /// Finds the pairs, and returns their number.
    fn find(&mut self) -> usize;

    /// Returns the pairs that were found, each with the lower number first.
    fn sorted(&self) -> Vec<(u32, u32)>;
}

/// A scene for queries of all overlapping pairs.
pub(crate) struct Pairs {
    scene: Scene<u32>,
    query: PairFilter<'static, u32>,
    pairs: Vec<(u32, u32)>,
}

/// A scene whose overlapping pairs are tracked from frame to frame.
pub(crate) struct Tracked {
    scene: Scene<u32>,
    tracker: PairTracker<u32>,
}

fn scene(balls: &[(DVec3, f64)]) -> Result<Scene<u32>> {
    let mut scene = Scene::new();
    for (key, (center, radius)) in (0..).zip(balls) {
        scene.insert(key, Sphere::new(*radius as f32), *center)?;
    }
    Ok(scene)
}

impl Pairs {
    pub(crate) fn new(balls: &[(DVec3, f64)], test: PairTest) -> Result<Self> {
        Ok(Self { scene: scene(balls)?, query: PairFilter::new().test(test), pairs: Vec::new() })
    }
}

impl Tracked {
    pub(crate) fn new(balls: &[(DVec3, f64)], test: PairTest) -> Result<Self> {
        Ok(Self { scene: scene(balls)?, tracker: PairTracker::with(PairFilter::new().test(test)) })
    }
}

fn set(scene: &mut Scene<u32>, places: &[DVec3]) {
    let moved = scene.set_transforms((0..).zip(places.iter().copied()));
    debug_assert!(moved.is_ok());
}

impl Overlaps for Pairs {
    fn set(&mut self, places: &[DVec3]) {
        set(&mut self.scene, places);
    }

    fn find(&mut self) -> usize {
        self.scene.overlap_pairs(&self.query, &mut self.pairs);
        self.pairs.len()
    }

    fn sorted(&self) -> Vec<(u32, u32)> {
        self.pairs.clone()
    }
}

impl Overlaps for Tracked {
    fn set(&mut self, places: &[DVec3]) {
        set(&mut self.scene, places);
    }

    fn find(&mut self) -> usize {
        self.tracker.update(&self.scene);
        self.tracker.pairs().len()
    }

    fn sorted(&self) -> Vec<(u32, u32)> {
        self.tracker.pairs().collect()
    }
}
