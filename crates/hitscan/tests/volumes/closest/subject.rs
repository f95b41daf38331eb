//! The subjects of the sweep: transforms, places, and the relations that every answer must satisfy.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::query::{Containment, IntervalEnd, SolidInterval};
use hitscan::{Geometry, ProximityQueries, Ray, RayQueries, Scene, Sphere, Volume};

/// Unit roundoff.
pub(crate) const U: f64 = f64::EPSILON / 2.0;

/// Returns a transform: the identity, a rotation by simple or arbitrary angles, a uniform or non-uniform scale, a
/// reflection, a shear, or a distant placement.
pub(crate) fn transform(random: &mut Random) -> DAffine3 {
    const SCALES: [f64; 8] = [1.0, 0.5, 2.0, 3.0, 0.1, 0.25, 10.0, 1.5];
    let scale = |random: &mut Random| {
        let size = SCALES[random.below(SCALES.len())];
        if random.below(5) == 0 { -size } else { size }
    };
    let scales = DMat3::from_diagonal(DVec3::new(scale(random), scale(random), scale(random)));
    let simple = DMat3::from_quat(DQuat::from_rotation_z(core::f64::consts::FRAC_PI_4 * random.below(8) as f64));
    let linear = match random.below(8) {
        0 => DMat3::IDENTITY,
        1 => DMat3::from_quat(random.rotation()),
        2 => DMat3::IDENTITY * scale(random),
        3 => scales,
        4 => scales * simple,
        5 => DMat3::from_quat(random.rotation()) * scales * DMat3::from_quat(random.rotation()),
        6 => simple * scales,
        _ => {
            let mut sheared = scales;
            sheared.y_axis.x += 0.5 * (random.below(5) as f64 - 2.0);
            sheared.z_axis.y += 0.5 * (random.below(5) as f64 - 2.0);
            sheared
        }
    };
    let translation = match random.below(4) {
        0 => DVec3::new(1e6, -2e6, 0.5e6),
        1 => random.cube() * 10.0,
        _ => DVec3::ZERO,
    };
    DAffine3::from_mat3_translation(linear, translation)
}

/// Returns a place in the space of a solid of a given size. It is on a lattice, an axis or a plane, at the
/// centre, or anywhere.
pub(crate) fn local_place(random: &mut Random, size: DVec3) -> DVec3 {
    let step = |random: &mut Random| (random.below(33) as f64 - 16.0) / 8.0;
    let lattice = DVec3::new(step(random), step(random), step(random));
    match random.below(7) {
        0 => lattice,
        1 => DVec3::new(lattice.x, 0.0, 0.0),
        2 => DVec3::new(0.0, lattice.y, 0.0),
        3 => DVec3::new(lattice.x, lattice.y, 0.0),
        4 => DVec3::ZERO,
        5 => lattice * size * 0.5,
        _ => random.cube() * size * 1.5,
    }
}

/// One entity in a scene.
pub(crate) struct Subject {
    pub(crate) scene: Scene<()>,
    pub(crate) to_world: DAffine3,
    pub(crate) has_inside: bool,
    /// The distance of its farthest point from its origin, in world space.
    pub(crate) size: f64,
}

/// The answer to a closest point query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The offset from the query point.
    pub(crate) offset: DVec3,
    pub(crate) distance: f64,
    pub(crate) normal: DVec3,
    pub(crate) is_inside: bool,
}

impl Answer {
    pub(crate) fn signed(&self) -> f64 {
        if self.is_inside { -self.distance } else { self.distance }
    }
}

impl Subject {
    pub(crate) fn new(geometry: impl Into<Geometry>, to_world: DAffine3, has_inside: bool, size: f64) -> Self {
        let mut scene = Scene::new();
        scene.insert((), geometry, to_world).unwrap();
        Self { scene, to_world, has_inside, size }
    }

    /// Returns an upper bound of all lengths in the computation of an answer.
    pub(crate) fn reach(&self, place: DVec3) -> f64 {
        self.size + place.length() + self.to_world.translation.length()
    }

    pub(crate) fn ask(&self, place: DVec3) -> Answer {
        let found = self.scene.closest_point(place).unwrap();
        let expected =
            if self.has_inside { [Containment::Inside, Containment::Outside] } else { [Containment::Open; 2] };
        assert!(expected.contains(&found.containment), "{found:?}");
        let (offset, distance) = (found.point_f64() - place, found.distance_f64());
        assert!((offset.length() - distance).abs() <= 8.0 * U * self.reach(place), "{found:?} {place}");
        let is_inside = found.containment == Containment::Inside;
        Answer { offset, distance, normal: found.normal.as_dvec3(), is_inside }
    }

    /// Checks that a step changes the distance by no more than its length.
    pub(crate) fn prove_lipschitz(&self, random: &mut Random, place: DVec3, slack: f64) {
        let step = random.direction() * (self.size * [1.0, 1e-2, 1e-4, 1e-9][random.below(4)]);
        let [from, to] = [place, place + step].map(|place| self.ask(place));
        let change = (from.signed() - to.signed()).abs();
        let moved = (place + step - place).length();
        assert!(change <= moved + 2.0 * slack, "{place} {step}: {from:?} {to:?}, {change} {moved}");
    }

    /// Checks that overlaps, solid intervals and hits agree with the answer, up to `slack`.
    pub(crate) fn prove_agreement(&self, random: &mut Random, place: DVec3, slack: f64) {
        let answer = self.ask(place);
        let distance = answer.distance;
        if distance <= slack {
            return;
        }
        let said = || format!("{place}: {answer:?}, {:?}", self.to_world);
        assert_eq!(self.scene.overlaps(Volume::Point, place), answer.is_inside, "{}", said());
        let [smaller, larger] = [distance - slack, distance + slack].map(|radius| Sphere::new(radius as f32));
        if f64::from(smaller.radius) < distance && f64::from(larger.radius) > distance {
            assert_eq!(self.scene.overlaps(smaller, place), answer.is_inside, "{}", said());
            assert!(self.scene.overlaps(larger, place), "{}", said());
        }
        let ray = Ray::new([0.0; 3], random.direction().as_vec3());
        let view = self.scene.relative_to(place);
        let hit = view.cast(&ray);
        assert!(hit.is_none_or(|hit| f64::from(hit.t) * (1.0 + 1e-6) + slack >= distance), "{hit:?} {}", said());
        if self.has_inside {
            let mut intervals = Vec::new();
            view.solid_intervals(&ray, &mut intervals);
            let is_from_0 =
                |interval: &SolidInterval<()>| interval.enter == IntervalEnd::Range && interval.t_enter == 0.0;
            assert_eq!(intervals.iter().any(is_from_0), answer.is_inside, "{intervals:?} {}", said());
        }
    }
}

/// Returns the corners of the cube -1..1.
pub(crate) fn cube_corners() -> Vec<Vec3> {
    let bit = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| Vec3::new(bit(i, 0), bit(i, 1), bit(i, 2))).collect()
}
