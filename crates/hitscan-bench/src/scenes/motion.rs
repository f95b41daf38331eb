//! Instances that move along smooth paths.

use super::instances::{EXTENT, Instances, Move, Pose};
use crate::random::Random;
use hitscan::glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// One in this many instances moves far, to a random place in the field.
const FAR: usize = 10;
/// The maximum distance that each other instance moves away from its place.
const NEAR: f64 = 4.0;

/// The instances that move in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    All,
    /// Every tenth instance moves, another tenth in each frame.
    Tenth,
    /// Every hundredth instance moves, others in each frame.
    Hundredth,
    /// Every hundredth instance moves, the same instances in each frame.
    SameHundredth,
}

impl Moving {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::All => "all moving",
            Self::Tenth => "a tenth moving",
            Self::Hundredth => "1 % moving, others each frame",
            Self::SameHundredth => "1 % moving, the same, ten frames in a row",
        }
    }

    fn step(self) -> usize {
        match self {
            Self::All => 1,
            Self::Tenth => 10,
            Self::Hundredth | Self::SameHundredth => 100,
        }
    }

    /// Returns the index of the first instance that moves in a frame.
    fn first(self, frame: usize) -> usize {
        match self {
            Self::All | Self::Tenth | Self::Hundredth => frame % self.step(),
            // None of these moves far.
            Self::SameHundredth => 7,
        }
    }
}

/// The paths of all instances: each oscillates between two places, and rotates around an axis.
pub(crate) struct Paths<'a> {
    instances: &'a Instances,
    paths: Vec<Path>,
}

struct Path {
    other_end: DVec3,
    /// The angular frequency of the oscillation, in radians per frame.
    pace: f64,
    axis: DVec3,
    /// The angular velocity of the rotation, in radians per frame.
    spin: f64,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(instances: &'a Instances) -> Self {
        let mut random = Random::new(44);
        let path = |(instance, placement): (usize, &super::Placement)| {
            let aside = placement.pose.position + random.direction() * random.between(0.0, NEAR);
            let anywhere = random.point(DVec3::ZERO, EXTENT);
            Path {
                other_end: if instance % FAR == 0 { anywhere } else { aside.clamp(DVec3::ZERO, EXTENT) },
                // The period is from 250 to 2,000 frames.
                pace: TAU / random.between(250.0, 2_000.0),
                axis: random.direction(),
                spin: random.between(-0.02, 0.02),
            }
        };
        let paths = instances.placements.iter().enumerate().map(path).collect();
        Self { instances, paths }
    }

    /// Returns the positions of the instances that move in a frame.
    pub(crate) fn frame(&self, moving: Moving, frame: usize) -> Vec<Move> {
        let instances = (moving.first(frame)..self.paths.len()).step_by(moving.step());
        instances.map(|instance| self.at(instance, frame)).collect()
    }

    /// Returns all instances after this number of frames. Each is at its position of the last frame in which it moved.
    pub(crate) fn end(&self, moving: Moving, frames: usize) -> Instances {
        let last = frames.saturating_sub(moving.step())..frames;
        self.instances.after(last.flat_map(|frame| self.frame(moving, frame)))
    }

    fn at(&self, instance: usize, frame: usize) -> Move {
        let (placement, path, time) = (&self.instances.placements[instance], &self.paths[instance], frame as f64);
        let Pose { turn, position } = placement.pose;
        let way = (1.0 - libm::cos(path.pace * time)) / 2.0;
        let pose = Pose {
            turn: DQuat::from_axis_angle(path.axis, path.spin * time) * turn,
            position: position.lerp(path.other_end, way),
        };
        placement.at(instance, pose)
    }
}

#[cfg(test)]
mod tests {
    use super::super::instances::scattered;
    use super::*;

    #[test]
    fn ends_are_where_the_frames_lead() {
        let instances = scattered();
        let paths = Paths::new(&instances);
        for moving in [Moving::All, Moving::Tenth, Moving::Hundredth, Moving::SameHundredth] {
            let mut places: Vec<_> = instances.placements.iter().map(super::super::Placement::transform).collect();
            for frame in 0..123 {
                let moves = paths.frame(moving, frame);
                assert_eq!(moves.len(), 10_000 / moving.step());
                moves.iter().for_each(|moved| places[moved.instance] = moved.transform);
            }
            let ends = paths.end(moving, 123);
            assert!(ends.placements.iter().map(super::super::Placement::transform).eq(places), "{}", moving.name());
        }
    }

    #[test]
    fn some_go_far_and_all_stay_in_the_field() {
        let instances = scattered();
        let (min, max) = instances.bounds();
        let ends = Paths::new(&instances).end(Moving::All, 1_000);
        let ways = instances.placements.iter().zip(&ends.placements);
        let ways: Vec<f64> = ways.map(|(from, to)| from.pose.position.distance(to.pose.position)).collect();
        let far = ways.iter().filter(|&&way| way > NEAR).count();
        assert!((500..=1_000).contains(&far), "{far}");
        assert!(
            ends.placements.iter().all(|to| to.pose.position.cmpge(min).all() && to.pose.position.cmple(max).all())
        );
    }
}
