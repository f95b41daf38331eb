//! Cores that are coaxial or parallel. Their cross products are rounding alone, and no answer depends on them.

use crate::common::Random;
use crate::touch::each;
use crate::touch::oracle::Form;
use hitscan::glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Geometry, OrientedBox, Pose, ProximityQueries, Scene, Sphere,
    SweepQueries, Torus, Volume,
};
use hitscan_random::effort;

/// Returns the number of rotations of each pair.
fn turns() -> usize {
    effort::size(2, 12, 10_000)
}

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

impl Kind {
    fn form(self) -> Form {
        let ends = [DVec3::NEG_Y, DVec3::Y];
        match self {
            Self::Sphere => Form::Sphere(DVec3::ZERO, 0.25),
            Self::Capsule => Form::Capsule(ends, 0.25),
            Self::Cylinder => Form::Cylinder(ends, 0.25),
            Self::Cone => Form::Cone(ends, 0.25),
            Self::Aabb | Self::OrientedBox | Self::Hull => {
                Form::Box(DVec3::ZERO, [DVec3::X * 0.25, DVec3::Y, DVec3::Z * 0.25])
            }
        }
    }
}

const BESIDE: [[f64; 3]; 5] = [[0.0, 0.25, 0.0], [0.0, 0.0, 0.0], [0.0, -0.7, 0.0], [0.1, 0.3, 0.0], [0.0, 0.5, -0.05]];

/// A depth is the same however both things are turned. Separations that are searched for may be longer by 2e-5 of the
/// sizes.
#[test]
fn turned_together_are_as_deep() {
    let pairs: Vec<_> = KINDS.into_iter().flat_map(|a| KINDS.map(|b| [a, b])).collect();
    each("parallel cores", &pairs, |&[a, b]| {
        let mut random = Random(1700 + 10 * a as u64 + b as u64);
        let volume = b.volume();
        for beside in BESIDE {
            for scale in [DVec3::ONE, DVec3::new(1.0, 1.5, 1.0)] {
                let depths: Vec<(f64, DQuat)> = (0..turns())
                    .filter_map(|case| {
                        let turn = if case == 0 { DQuat::IDENTITY } else { random.rotation() };
                        let mut scene = Scene::new();
                        let to_world = DAffine3::from_quat(turn) * DAffine3::from_scale(scale);
                        scene.insert(0, a.geometry(), to_world).unwrap();
                        let found = scene.penetration(&volume, (turn * DVec3::from(beside), turn));
                        found.map(|found| (found.separation().length(), turn))
                    })
                    .collect();
                assert!(depths.is_empty() || depths.len() == turns(), "{a:?}, {b:?} {beside:?}: {}", depths.len());
                let least = depths.iter().map(|of| of.0).fold(f64::INFINITY, f64::min);
                for (depth, turn) in depths {
                    let said = || format!("{a:?} {scale}, {b:?} {beside:?}, {turn}: {depth}, least {least}");
                    assert!(depth <= least + 1e-4, "{}", said());
                }
            }
        }
    });
}

/// The answers about a thing and a volume beside it, which are turned by the same rotation. Points are given in the
/// space before the rotation.
struct Turned {
    turn: DQuat,
    /// The depth of the two as a pair, and the largest depth of the volume in the thing.
    pair: f64,
    deepest: f64,
    /// The points of the pair and of all contacts, and the times of sweeps.
    points: Vec<[DVec3; 2]>,
    times: Vec<Option<f64>>,
}

/// The motions of sweeps that end beside the thing, parallel to its sides, along its axis, and across both.
const WAYS: [DVec3; 4] =
    [DVec3::new(3.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0), DVec3::new(0.0, 0.0, -3.0), DVec3::new(2.0, 2.0, 0.0)];

impl Turned {
    fn ask(thing: Geometry, to_turned: DAffine3, of: Kind, beside: DVec3, turn: DQuat) -> Self {
        let (mut scene, volume) = (Scene::new(), of.volume());
        let place = turn * beside;
        scene.insert(0, thing, DAffine3::from_quat(turn) * to_turned).unwrap();
        let to_local = |points: [DVec3; 2]| points.map(|point| turn.inverse() * point);
        let deepest = scene.penetration(&volume, (place, turn)).map_or(0.0, |found| found.separation().length());
        let mut contacts = Vec::new();
        scene.contact_points(&volume, (place, turn), &mut contacts);
        let time = |way: DVec3| scene.sweep(&volume, (place + turn * way, turn), turn * -way).map(|hit| hit.t_f64());
        let times = WAYS.into_iter().map(time).collect();
        scene.insert(1, of.geometry(), (place, turn)).unwrap();
        let pair = scene.pair(&0, &1).penetration();
        let points = contacts.iter().map(|of| of.points_f64()).chain(pair.iter().map(|of| of.points_f64()));
        let points = points.map(to_local).collect();
        Self { turn, pair: pair.map_or(0.0, |of| of.separation().length()), deepest, points, times }
    }

    /// Returns the answers for all rotations, of which the first is the identity.
    fn all(thing: &Geometry, to_turned: DAffine3, of: Kind, beside: DVec3, random: &mut Random) -> Vec<Self> {
        let rotations = (0..turns()).map(|case| if case == 0 { DQuat::IDENTITY } else { random.rotation() });
        rotations.map(|turn| Self::ask(thing.clone(), to_turned, of, beside, turn)).collect()
    }
}

/// Returns the difference between answers, if it is more than searches may cause.
fn difference(all: &[Turned], off: &dyn Fn(&[DVec3; 2]) -> f64, slack: f64) -> Option<String> {
    let least = |depth: fn(&Turned) -> f64| all.iter().map(depth).fold(f64::INFINITY, f64::min);
    let (pair, deepest) = (least(|of| of.pair), least(|of| of.deepest));
    all.iter().find_map(|of| {
        let times = of.times.iter().zip(&all[0].times);
        let late = times.map(|(of, first)| match (of, first) {
            (Some(of), Some(first)) => (of - first).abs(),
            (None, None) => 0.0,
            _ => f64::INFINITY,
        });
        let late = late.fold(0.0, f64::max);
        let beside = of.points.iter().map(off).fold(0.0, f64::max);
        let is_right = of.pair <= pair + slack && of.deepest <= deepest + slack && late <= 1e-6 && beside <= 2e-5;
        let said = || {
            format!(
                "{}: pair {} above {pair}, depth {} above {deepest}, {beside:e} off, {late:e} late {:?} {:?}",
                of.turn, of.pair, of.deepest, of.times, all[0].times
            )
        };
        (!is_right).then(said)
    })
}

#[test]
fn turned_together_answer_alike() {
    let pairs: Vec<_> = KINDS.into_iter().flat_map(|a| KINDS.map(|b| [a, b])).collect();
    each("answers of parallel cores", &pairs, |&[a, b]| {
        let mut random = Random(2700 + 10 * a as u64 + b as u64);
        for beside in BESIDE.map(DVec3::from) {
            let all = Turned::all(&a.geometry(), DAffine3::IDENTITY, b, beside, &mut random);
            let off = |[p, q]: &[DVec3; 2]| a.form().signed(*p).abs().max(b.form().signed(*q - beside).abs());
            let wrong = difference(&all, &off, 1e-4);
            assert!(wrong.is_none(), "{a:?}, {b:?} {beside}: {}", wrong.unwrap_or_default());
        }
    });
}

/// A ring and the volume are coaxial, or parallel. Several separations from the hull of a thick ring may be equally long. The depths that follow from them may
/// differ.
#[test]
fn turned_with_rings_answer_alike() {
    each("answers of parallel rings", &KINDS, |&kind| {
        let mut random = Random(3700 + kind as u64);
        for (major, minor) in [(0.75, 0.25), (0.375, 0.25), (1.0, 0.875)] {
            for beside in BESIDE.into_iter().chain([[0.75, 0.0, 0.0], [0.5, 0.5, 0.0]]).map(DVec3::from) {
                let ring = Torus::new(major as f32, minor as f32);
                let all = Turned::all(&ring.into(), DAffine3::IDENTITY, kind, beside, &mut random);
                let off = |[p, q]: &[DVec3; 2]| {
                    let off = (p.x.hypot(p.z) - major).hypot(p.y) - minor;
                    off.abs().max(kind.form().signed(*q - beside).abs())
                };
                let wrong = difference(&all, &off, 1e-4);
                assert!(wrong.is_none(), "{major} {minor}, {kind:?} {beside}: {}", wrong.unwrap_or_default());
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
