//! Random numbers. Some are ordinary, and others are extreme numbers that no caller should pass.

use crate::common::Random;
use hitscan::glam::{DQuat, DVec3, Quat, Vec2, Vec3};

/// The frequency of extreme numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Every number is a small integer, a simple fraction, or of ordinary size.
    Tame,
    /// One number in thirty is wild.
    Mixed,
    /// One number in four is wild.
    Wild,
}

/// A source of random numbers, points and rotations.
pub(crate) struct Numbers {
    random: Random,
    pub(crate) mood: Mood,
    generation: Generation,
}

/// A generation of seeds, which decides what calls a seed makes. Each later generation has larger seeds, and makes more
/// kinds of calls. The calls of lower seeds do not change, because some of these seeds are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Generation {
    First,
    /// Volumes may also be cylinders or cones, or have a margin, and the helpers of games are called.
    Games,
    /// Entities may also be clouds or polylines, and the functions for windows are called: regions, snaps, pointers,
    /// drags and handles.
    Windows,
}

/// The first seed of the generation with the helpers of games.
pub(crate) const GAMES: u64 = 400_000_000_000;
/// The first seed of the generation with the questions of windows.
pub(crate) const WINDOWS: u64 = 500_000_000_000;

impl Generation {
    fn of(seed: u64) -> Self {
        match seed {
            0..GAMES => Self::First,
            GAMES..WINDOWS => Self::Games,
            WINDOWS.. => Self::Windows,
        }
    }
}

const SIMPLE: [f32; 16] =
    [0.0, 1.0, -1.0, 0.5, -0.5, 0.25, -0.25, 2.0, -2.0, 3.0, 0.1, -0.2, 1.0 / 3.0, 1.5, -0.75, -0.0];
const WILD: [f32; 20] = [
    0.0,
    -0.0,
    1e-45,
    1e-40,
    f32::MIN_POSITIVE,
    1e-30,
    1e-20,
    1e-10,
    1e-7,
    f32::EPSILON,
    1e5,
    1e10,
    1e20,
    1e30,
    1e38,
    3e38,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
    16_777_217.0,
];
const WILD_F64: [f64; 14] =
    [5e-324, 1e-300, 1e-150, 1e-100, 1e-60, 1e-39, 1e39, 1e60, 1e69, 1e71, 1e150, 1e300, f64::MAX, f64::INFINITY];

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mood = [Mood::Tame, Mood::Mixed, Mood::Mixed, Mood::Wild][random.below(4)];
        Self { random, mood, generation: Generation::of(seed) }
    }

    /// Returns whether the seed makes the calls of a generation.
    pub(crate) fn has(&self, generation: Generation) -> bool {
        self.generation >= generation
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.random.bits()
    }

    /// Returns true once in `count` calls on average.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.below(items.len())]
    }

    pub(crate) fn is_wild(&mut self) -> bool {
        match self.mood {
            Mood::Tame => false,
            Mood::Mixed => self.one_in(30),
            Mood::Wild => self.one_in(4),
        }
    }

    pub(crate) fn f32(&mut self) -> f32 {
        if self.is_wild() { self.wild_f32() } else { self.tame() }
    }

    fn wild_f32(&mut self) -> f32 {
        let number = match self.below(8) {
            0 => f32::from_bits(self.bits() as u32),
            _ => self.pick(&WILD),
        };
        if self.one_in(2) { -number } else { number }
    }

    fn tame(&mut self) -> f32 {
        match self.below(8) {
            0..4 => self.pick(&SIMPLE),
            4 => (self.below(65) as f32 - 32.0) / 8.0,
            5 => (self.below(21) as f32 - 10.0) / 10.0,
            6 => self.pick(&SIMPLE) + f32::EPSILON * (self.below(5) as f32 - 2.0),
            _ => 4.0 * self.random.unit() as f32,
        }
    }

    pub(crate) fn f64(&mut self) -> f64 {
        if self.is_wild() && self.one_in(2) {
            let number = self.pick(&WILD_F64);
            return if self.one_in(2) { -number } else { number };
        }
        self.f32().into()
    }

    /// Returns a radius or a height, mostly positive.
    pub(crate) fn size(&mut self) -> f32 {
        let size = self.f32();
        if self.mood == Mood::Wild && self.one_in(8) { size } else { size.abs() }
    }

    pub(crate) fn vec2(&mut self) -> Vec2 {
        Vec2::new(self.f32(), self.f32())
    }

    pub(crate) fn vec3(&mut self) -> Vec3 {
        match self.below(6) {
            0 => Vec3::splat(self.f32()),
            1 => Vec3::AXES[self.below(3)] * self.f32(),
            _ => Vec3::new(self.f32(), self.f32(), self.f32()),
        }
    }

    pub(crate) fn dvec3(&mut self) -> DVec3 {
        match self.below(3) {
            0 => DVec3::new(self.f64(), self.f64(), self.f64()),
            _ => self.vec3().as_dvec3(),
        }
    }

    /// Returns an index of a row, a face or the like, mostly below a limit.
    pub(crate) fn index(&mut self, limit: usize) -> usize {
        let wild =
            [usize::MAX, usize::MAX - 1, usize::MAX / 2, limit, limit.wrapping_add(1), u32::MAX as usize, 1 << 31];
        if limit == 0 || self.one_in(6) { self.pick(&wild) } else { self.below(limit) }
    }

    pub(crate) fn index_u32(&mut self, limit: usize) -> u32 {
        self.index(limit) as u32
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        match self.below(6) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_axis_angle(DVec3::AXES[self.below(3)], std::f64::consts::FRAC_PI_2),
            2 => DQuat::from_axis_angle(DVec3::AXES[self.below(3)], std::f64::consts::FRAC_PI_4),
            3 => DQuat::from_xyzw(self.f64(), self.f64(), self.f64(), self.f64()),
            _ => self.random.rotation(),
        }
    }

    pub(crate) fn quat(&mut self) -> Quat {
        self.rotation().as_quat()
    }
}
