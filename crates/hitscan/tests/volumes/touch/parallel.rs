//! Cores that are coaxial or parallel: their cross products are rounding alone, and no answer hangs on that.

use crate::common::Random;
use crate::touch::{count, each};
use hitscan::glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Geometry, OrientedBox, Pose, ProximityQueries, Scene, Sphere,
    SweepQueries, Volume,
};

/// The volumes, each of the size 1 along y.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Sphere,
    Capsule,
    Cylinder,
    Cone,
    Aabb,
    OrientedBox,
    Hull,
}

const KINDS: [Kind; 7] =
    [Kind::Sphere, Kind::Capsule, Kind::Cylinder, Kind::Cone, Kind::Aabb, Kind::OrientedBox, Kind::Hull];

impl Kind {
    fn volume(self) -> Volume {
        let half = Vec3::new(0.25, 1.0, 0.25);
        match self {
            Self::Sphere => Sphere::new(0.25).into(),
            Self::Capsule => Capsule::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.25).into(),
            Self::Cylinder => Cylinder::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.25).into(),
            Self::Cone => Cone::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.25).into(),
            Self::Aabb => Aabb::new(-half, half).into(),
            Self::OrientedBox => OrientedBox::from_rotation(Vec3::ZERO, half, Quat::IDENTITY).unwrap().into(),
            Self::Hull => {
                let corner =
                    |i: usize| half * Vec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2]);
                let corners: Vec<Vec3> = (0..8).map(corner).collect();
                ConvexHull::new(&corners).unwrap().into()
            }
        }
    }

    fn geometry(self) -> Geometry {
        match self.volume() {
            Volume::Sphere(shape) => shape.into(),
            Volume::Capsule(shape) => shape.into(),
            Volume::Cylinder(shape) => shape.into(),
            Volume::Cone(shape) => shape.into(),
            Volume::Aabb(shape) => shape.into(),
            Volume::OrientedBox(shape) => shape.into(),
            Volume::ConvexHull(hull) => hull.into(),
            other => panic!("{other:?}"),
        }
    }
}

/// A depth is the same however both things are turned. Searched ways out may be longer by 2e-5 of the sizes.
#[test]
fn turned_together_are_as_deep() {
    let pairs: Vec<_> = KINDS.into_iter().flat_map(|a| KINDS.map(|b| [a, b])).collect();
    each("parallel cores", &pairs, |&[a, b]| {
        let mut random = Random(1700 + 10 * a as u64 + b as u64);
        let (volume, turns) = (b.volume(), count(20).min(10_000));
        for beside in [[0.0, 0.25, 0.0], [0.0, 0.0, 0.0], [0.0, -0.7, 0.0], [0.1, 0.3, 0.0], [0.0, 0.5, -0.05]] {
            for scale in [DVec3::ONE, DVec3::new(1.0, 1.5, 1.0)] {
                let depths: Vec<(f64, DQuat)> = (0..turns)
                    .filter_map(|case| {
                        let turn = if case == 0 { DQuat::IDENTITY } else { random.rotation() };
                        let mut scene = Scene::new();
                        let to_world = DAffine3::from_quat(turn) * DAffine3::from_scale(scale);
                        scene.insert(0, a.geometry(), to_world).unwrap();
                        let found = scene.penetration(&volume, (turn * DVec3::from(beside), turn));
                        found.map(|found| (found.separation().length(), turn))
                    })
                    .collect();
                assert!(depths.is_empty() || depths.len() == turns, "{a:?}, {b:?} {beside:?}: {}", depths.len());
                let least = depths.iter().map(|of| of.0).fold(f64::INFINITY, f64::min);
                for (depth, turn) in depths {
                    let said = || format!("{a:?} {scale}, {b:?} {beside:?}, {turn}: {depth}, least {least}");
                    assert!(depth <= least + 1e-4, "{}", said());
                }
            }
        }
    });
}

#[test]
fn coaxial_capsules_part_across() {
    let turn = DQuat::from_rotation_z(3.2) * DQuat::from_rotation_x(0.1);
    let capsule = Capsule::between([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.25);
    let mut scene = Scene::new();
    scene.insert(0, capsule, (DVec3::ZERO, turn)).unwrap();
    let found = scene.penetration(capsule, (turn * DVec3::new(0.0, 0.25, 0.0), turn)).unwrap();
    assert!((found.separation().length() - 0.5).abs() < 1e-12, "{found:?}");
    assert!(found.normal.as_dvec3().dot(turn * DVec3::Y).abs() < 1e-7, "{found:?}");
}

/// Only a rotation of length 0 has no direction.
#[test]
fn a_tiny_rotation_is_one() {
    let chest = Aabb::new([-1.0; 3], [1.0; 3]);
    let mut scene = Scene::new();
    for (id, size) in [5e-324, 1e-310, 1e-200, 1.0, 1e200].into_iter().enumerate() {
        let turn = DQuat::from_xyzw(size, 0.0, 0.0, 0.0);
        let pose = Pose::from((DVec3::new(0.0, 1.5, 0.0), turn));
        scene.clear();
        scene.insert(id, chest, (DVec3::ZERO, turn)).unwrap();
        assert_eq!(scene.penetration(chest, pose).map(|found| found.depth), Some(0.5), "{size}");
        assert_eq!(scene.sweep(chest, [0.0, 3.0, 0.0], DVec3::NEG_Y).map(|hit| hit.t), Some(1.0), "{size}");
    }
    let none = Pose::from((DVec3::new(0.0, 1.5, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)));
    assert!(scene.penetration(chest, none).is_none());
}
