//! Instances: 8 meshes placed 10,000 times. They are rotated and scaled unevenly, and every eighth instance is
//! mirrored.

use super::soup::Soup;
use crate::random::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};
use std::f64::consts::TAU;

const COUNT: usize = 10_000;
pub(super) const EXTENT: DVec3 = DVec3::new(200.0, 24.0, 200.0);

pub(crate) struct Instances {
    pub(crate) meshes: Vec<Soup>,
    pub(crate) placements: Vec<Placement>,
}

/// One instance.
#[derive(Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) mesh: usize,
    /// The scale along the mesh's own axes, before the rotation; some are mirrored.
    pub(crate) scale: DVec3,
    pub(crate) pose: Pose,
}

/// A rotation and a position.
#[derive(Clone, Copy)]
pub(crate) struct Pose {
    pub(crate) turn: DQuat,
    pub(crate) position: DVec3,
}

/// A moved instance, in both forms that libraries use.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    pub(crate) instance: usize,
    #[cfg_attr(not(feature = "peers"), allow(dead_code, reason = "only rapier wants it"))]
    pub(crate) pose: Pose,
    /// The transform including the scale.
    pub(crate) transform: DAffine3,
}

impl Placement {
    /// Returns the transform. Its numbers are rounded to f32, so that the instances of all contenders have the same
    /// places.
    pub(crate) fn transform(&self) -> DAffine3 {
        let Pose { turn, position } = self.pose;
        let placed = DMat3::from_quat(turn) * DMat3::from_diagonal(self.scale);
        let numbers = DAffine3::from_mat3_translation(placed, position).to_cols_array();
        DAffine3::from_cols_array(&numbers.map(|number| f64::from(number as f32)))
    }

    pub(super) fn at(&self, instance: usize, pose: Pose) -> Move {
        Move { instance, pose, transform: Self { pose, ..*self }.transform() }
    }
}

impl Instances {
    /// Returns small moves of every instance, as in another frame of an animation.
    pub(crate) fn moved(&self, frame: u32) -> Vec<Move> {
        let mut random = Random::new(42 + u64::from(frame));
        let moved = |(instance, placement): (usize, &Placement)| {
            let Pose { turn, position } = placement.pose;
            placement.at(instance, Pose { turn, position: position + random.direction() * 0.5 })
        };
        self.placements.iter().enumerate().map(moved).collect()
    }

    /// Returns the instances after these moves.
    pub(crate) fn after(&self, moves: impl IntoIterator<Item = Move>) -> Self {
        let mut placements = self.placements.clone();
        moves.into_iter().for_each(|moved| placements[moved.instance].pose = moved.pose);
        Self { meshes: self.meshes.clone(), placements }
    }

    /// Returns the smallest and largest coordinates.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let reach = DVec3::splat(2.0);
        (-reach, EXTENT + reach)
    }
}

/// Places the meshes in a box.
pub(super) fn scattered() -> Instances {
    let mut random = Random::new(41);
    let placements = (0..COUNT).map(|index| place(index, &mut random)).collect();
    Instances { meshes: meshes(), placements }
}

fn place(index: usize, random: &mut Random) -> Placement {
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, TAU));
    let size = random.between(0.4, 1.6);
    let mirror = if index % 64 < 8 { -1.0 } else { 1.0 };
    let scale = DVec3::new(mirror * size, size * random.between(0.5, 1.5), size * random.between(0.5, 1.5));
    Placement { mesh: index % 8, scale, pose: Pose { turn, position: random.point(DVec3::ZERO, EXTENT) } }
}

fn meshes() -> Vec<Soup> {
    let ball = |rings: u32, relief: fn(DVec3) -> f64| {
        let mut soup = Soup::default();
        soup.sphere(DVec3::ZERO, 1.0, rings, relief);
        soup
    };
    let rough = |at: DVec3| 0.1 * (libm::sin(9.0 * at.x) + libm::sin(11.0 * at.y) + libm::sin(7.0 * at.z));
    let spiked = |at: DVec3| 0.5 * libm::pow(libm::fabs(libm::sin(6.0 * at.x) * libm::sin(6.0 * at.z)), 4.0);
    vec![
        ball(8, |_| 0.0),
        ball(32, |_| 0.0),
        ball(24, rough),
        ball(48, rough),
        ball(40, spiked),
        crate_of_beams(6),
        crate_of_beams(16),
        blocks(64),
    ]
}

/// Returns the bars of a cage: long thin triangles around nothing.
fn crate_of_beams(bars: u32) -> Soup {
    let mut soup = Soup::default();
    for bar in 0..=bars {
        let f = f64::from(bar) / f64::from(bars) * 2.0 - 1.0;
        for [a, b] in [[-1.0, f], [1.0, f], [f, -1.0], [f, 1.0]] {
            soup.beam(DVec3::new(a, -1.0, b), DVec3::new(a, 1.0, b), 0.05);
            soup.beam(DVec3::new(a, b, -1.0), DVec3::new(a, b, 1.0), 0.05);
        }
    }
    soup
}

/// Returns a heap of boxes.
fn blocks(count: u32) -> Soup {
    let mut random = Random::new(43);
    let mut soup = Soup::default();
    for _ in 0..count {
        let center = random.point(DVec3::splat(-0.8), DVec3::splat(0.8));
        let half = random.point(DVec3::splat(0.05), DVec3::splat(0.2));
        soup.cuboid(center - half, center + half);
    }
    soup
}
