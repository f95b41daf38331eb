//! Random scenes of entities of every kind.

use crate::common::{Random, grid_cube, icosphere, instance_transform};
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::wire::PointCloud;
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, Quad,
    RoundedBox, Scene, Sphere, Torus, Transform, Triangle,
};
use std::ops::{ControlFlow, Range};

/// The arrangement of a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// Entities are in each other, or touch.
    Dense,
    /// Entities are some sizes apart.
    Loose,
    /// Entities are far apart compared with their sizes.
    Wide,
    /// Places and sizes are round, so that many distances are equal, and some entities are twice there.
    Grid,
    /// The scene is far from the origin.
    Far,
    /// One entity is far away from the others.
    Stray,
}

impl Layout {
    pub(crate) const ALL: [Self; 6] = [Self::Dense, Self::Loose, Self::Wide, Self::Grid, Self::Far, Self::Stray];

    fn transform(self, random: &mut Random, index: usize) -> DAffine3 {
        let placed = |random: &mut Random, distance: f64| instance_transform(random, index, distance);
        match self {
            Self::Dense => placed(random, 2.0),
            Self::Loose => placed(random, 8.0),
            Self::Wide => placed(random, 60.0),
            Self::Grid => {
                let place = DVec3::from_array([(); 3].map(|()| random.below(4) as f64 * 2.5));
                let turn = if random.below(4) == 0 { random.rotation() } else { DQuat::IDENTITY };
                DAffine3::from_rotation_translation(turn, place)
            }
            Self::Far => DAffine3::from_translation(DVec3::new(3e7, -2e7, 4e6)) * placed(random, 8.0),
            Self::Stray => placed(random, if index == 1 { 1e12 } else { 8.0 }),
        }
    }
}

/// Makes a scene with these keys, which are inserted in another order. Returns the keys in the order of insertion. An entity is on the layer of its key
/// modulo three.
pub(crate) fn mixed(random: &mut Random, layout: Layout, keys: Range<u32>) -> (Scene<u32>, Vec<u32>) {
    let mut keys: Vec<u32> = keys.collect();
    for index in (1..keys.len()).rev() {
        keys.swap(index, random.below(index + 1));
    }
    let mut scene = Scene::new();
    let kinds = [random.below(KINDS), random.below(KINDS), random.below(KINDS)];
    // Half of the scenes have few kinds, so that each kind often decides.
    let has_few_kinds = random.below(2) == 0;
    for (index, &key) in keys.iter().enumerate() {
        let kind = if has_few_kinds { random.pick(&kinds) } else { random.below(KINDS) };
        let geometry = geometry(random, kind);
        scene.insert(key, geometry, layout.transform(random, index)).unwrap();
        scene.set_layers(&key, 1 << (key % 3));
    }
    (scene, keys)
}

/// The number of kinds of entities.
const KINDS: usize = 22;

fn geometry(random: &mut Random, kind: usize) -> Geometry {
    match kind {
        0 => Sphere::new(0.5 + random.below(3) as f32 * 0.25).into(),
        1 => Capsule::new(0.5, 2.0).into(),
        2 => Aabb::new([-1.0, -0.5, -1.0], [1.0, 0.5, 0.5]).into(),
        3 => Cylinder::new(0.5, 1.5).into(),
        4 => Cone::new(0.75, 1.5).into(),
        5 => RoundedBox::new(Aabb::new([-0.5; 3], [0.5, 0.25, 0.75]), 0.25).into(),
        6 => {
            let turn = DAffine3::from_quat(random.rotation());
            OrientedBox::new(Aabb::new([-1.0, -0.25, -0.5], [1.0, 0.25, 0.5]), turn).unwrap().into()
        }
        // Tori are measured without a limit.
        7 if random.below(2) == 0 => Torus::new(1.0, 0.25).into(),
        8 => Triangle::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.25], [0.0, 1.0, 0.5]).into(),
        9 => Quad::new([-1.0, 0.0, -1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]).into(),
        10 => Disc::new([0.0, 0.5, 0.0], [0.0, 1.0, 0.5], 1.0).into(),
        11 if random.below(3) == 0 => Plane::new([0.0, -0.5, 0.0], [0.25, 1.0, 0.0]).unwrap().into(),
        12 => icosphere(random.below(4) as u32).mesh().into(),
        13 => grid_cube(1 + random.below(5) as u32).mesh().into(),
        14 => Mesh::from_soup(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::X, Vec3::X * 2.0]).unwrap().into(),
        15 => field(random).into(),
        16 => ConvexHull::new(&icosphere(1).positions).unwrap().into(),
        17 => compound(random).into(),
        18 => Custom::new(Egg).into(),
        // Nothing touches these.
        19 if random.below(2) == 0 => Mesh::new::<[f32; 3]>(&[], &[]).unwrap().into(),
        20 if random.below(2) == 0 => PointCloud::new(&[[0.0f32; 3], [1.0; 3]]).unwrap().into(),
        _ => Aabb::new([-0.5; 3], [0.5; 3]).into(),
    }
}

fn field(random: &mut Random) -> HeightField {
    let heights: Vec<f32> = (0..30).map(|_| random.fraction() as f32).collect();
    HeightField::new(5, 6, [0.5, 0.5], &heights).unwrap()
}

fn compound(random: &mut Random) -> Compound {
    let parts: Vec<(Geometry, Transform)> = (0..1 + random.below(4))
        .map(|_| {
            let kind = random.pick(&[0, 1, 2, 2, 7, 8, 12, 13, 15, 16, 18, 19]);
            let place = DVec3::from_array([(); 3].map(|()| random.below(5) as f64 - 2.0));
            (geometry(random, kind), place.into())
        })
        .collect();
    Compound::new(parts).unwrap()
}

/// A custom shape that is as long as it is wide, and twice as high.
struct Egg;

impl CustomShape for Egg {
    fn bounds(&self) -> Aabb {
        Aabb::new([-0.5, -1.0, -0.5], [0.5, 1.0, 0.5])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}

    fn farthest(&self, direction: DVec3) -> Option<DVec3> {
        let scale = DVec3::new(0.5, 1.0, 0.5);
        Some((direction * scale).normalize_or_zero() * scale)
    }
}
