//! The questions: rays, points, and motions and places of volumes, in coherent or random order.

use crate::random::Random;
use crate::rays::{Choice, RaySet, Rays};
use crate::scenes::Scene;
use hitscan::Ray;
use hitscan::glam::{DVec3, Vec3};

/// The order of questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Each question is near the previous question.
    Coherent,
    /// The questions are at random places.
    Random,
}

impl Order {
    pub(super) const ALL: [Self; 2] = [Self::Coherent, Self::Random];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Coherent => "coherent",
            Self::Random => "random",
        }
    }
}

/// A question, with its name in the library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    ClosestHit,
    LineOfSight,
    AllHits,
    ClosestPoint,
    SignedDistance,
    Contains,
    Sweep,
    Overlaps,
    Visibility,
}

impl Question {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ClosestHit => "closest hit",
            Self::LineOfSight => "line of sight",
            Self::AllHits => "all hits",
            Self::ClosestPoint => "closest point",
            Self::SignedDistance => "signed distance",
            Self::Contains => "contains",
            Self::Sweep => "sweep",
            Self::Overlaps => "overlaps",
            Self::Visibility => "visibility",
        }
    }
}

/// A volume's place and its motion.
pub(super) struct Motion {
    pub(super) from: DVec3,
    pub(super) motion: DVec3,
}

/// An eye, and points that it may see.
pub(super) struct Look {
    pub(super) eye: Vec3,
    pub(super) points: [Vec3; 8],
}

/// The questions of one order.
pub(super) struct Asked {
    pub(super) closest: Vec<Ray>,
    pub(super) any: Vec<Ray>,
    pub(super) points: Vec<DVec3>,
    pub(super) motions: Vec<Motion>,
    pub(super) looks: Vec<Look>,
    /// The radius of volumes.
    pub(super) radius: f32,
}

/// The radius of volumes and the length of motions, relative to the scene.
const RADIUS: f64 = 0.005;
const MOTION: f64 = 0.1;

impl Asked {
    pub(super) fn new(order: Order, scene: &Scene, most: usize) -> Self {
        let (min, max) = scene.bounds();
        let (size, mut random) = ((max - min).max_element(), Random::new(44));
        let side = (most as f64).sqrt().ceil() as u32;
        let rays = Rays::new(scene.view, (min, max), Choice { side, seed: Choice::SEED }, |_| None);
        let rays = |set| rays.of(set).into_iter().take(most).collect();
        let (closest, any) = match order {
            Order::Coherent => (rays(RaySet::Primary), between_neighbours(scene, side)),
            Order::Random => (rays(RaySet::Random), rays(RaySet::LineOfSight)),
        };
        let points: Vec<DVec3> = match order {
            Order::Coherent => serpentine(most).map(|place| min + (max - min) * place).collect(),
            Order::Random => (0..most).map(|_| random.point(min, max)).collect(),
        };
        let along = random.direction();
        let mut way = || if order == Order::Coherent { along } else { random.direction() };
        let motions = points.iter().map(|&from| Motion { from, motion: way() * (size * MOTION) }).collect();
        let looks = points.iter().zip(points.iter().cycle().skip(1)).map(|(eye, target)| Look {
            eye: eye.as_vec3(),
            points: std::array::from_fn(|corner| {
                let bit = |axis: usize| if corner >> axis & 1 == 1 { RADIUS } else { -RADIUS };
                (*target + DVec3::new(bit(0), bit(1), bit(2)) * size).as_vec3()
            }),
        });
        Self {
            closest,
            any: any.into_iter().take(most).collect(),
            looks: looks.collect(),
            radius: (size * RADIUS) as f32,
            points,
            motions,
        }
    }
}

/// Rays from the eye through a picture's pixels, up to half the diagonal of the scene: from a single point to
/// neighbouring points.
fn between_neighbours(scene: &Scene, side: u32) -> Vec<Ray> {
    let (min, max) = scene.bounds();
    let reach = (max - min).length() as f32 * 0.5;
    let rays = Rays::new(scene.view, (min, max), Choice { side, seed: Choice::SEED }, |_| None);
    rays.of(RaySet::Primary).into_iter().map(|ray| ray.with_range(0.0, reach)).collect()
}

/// Places in a unit cube along lines that go back and forth. Each place is near the previous place.
fn serpentine(count: usize) -> impl Iterator<Item = DVec3> {
    let side = (count as f64).cbrt().ceil() as usize;
    let turned = move |row: usize, place: usize| if row.is_multiple_of(2) { place } else { side - 1 - place };
    (0..count).map(move |number| {
        let (row, layer) = (number / side, number / (side * side));
        let cell = [turned(row, number % side), turned(layer, row % side), layer];
        DVec3::from_array(cell.map(|place| (place as f64 + 0.5) / side as f64))
    })
}
