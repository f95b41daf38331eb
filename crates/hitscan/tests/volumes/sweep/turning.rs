//! Sweeps of rotating volumes, against their positions at very many times.

use crate::common::{Random, Surface, icosphere};
use crate::sweep::bodies::{Body, Kind, body};
use crate::sweep::solid::Solid;
use crate::sweep::truth::{corners, plane, terrain};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, ContactFilter, ConvexHull, Mesh, Plane, ProximityQueries, Scene, Sphere, SweepHit, SweepQueries,
    SweepStart, Torus, Volume,
};
use hitscan_random::effort;

/// A volume that moves from one pose to another.
struct Case {
    body: Body,
    center: DVec3,
    motion: DVec3,
    rotation: DQuat,
    axis: DVec3,
    angle: f64,
}

impl Case {
    fn new(random: &mut Random, size: f64, center: DVec3, motion: DVec3) -> Self {
        let kind = [Kind::Box, Kind::Plate, Kind::Sheared, Kind::Hull][random.below(4)];
        let body = body(random, kind, size);
        Self { body, center, motion, rotation: random.rotation(), axis: random.direction(), angle: random.unit() * 3.0 }
    }

    fn rotation(&self, t: f64) -> DQuat {
        DQuat::from_axis_angle(self.axis, self.angle * t) * self.rotation
    }

    fn pose(&self, t: f64) -> (DVec3, DQuat) {
        let rotation = self.rotation(t);
        (self.center + self.motion * t - rotation * self.body.middle, rotation)
    }

    fn solid(&self, t: f64) -> Solid {
        let (position, rotation) = self.pose(t);
        self.body.solid.map(|p| position + rotation * p)
    }

    fn sweep(&self, scene: &Scene<u32>) -> Option<SweepHit<u32>> {
        scene.sweep_rotating(&self.body.volume, self.pose(0.0), self.pose(1.0))
    }

    /// Returns an upper bound of the path length of any of its points.
    fn way(&self, size: f64) -> f64 {
        self.motion.length() + self.angle.abs() * 2.0 * size
    }
}

fn distance(solid: &Solid, triangles: &[[DVec3; 3]]) -> f64 {
    let (low, high) = solid.bounds();
    let room = DVec3::splat(1e-2);
    let is_near = |[a, b, c]: &[DVec3; 3]| {
        a.max(*b).max(*c).cmpge(low - room).all() && a.min(*b).min(*c).cmple(high + room).all()
    };
    let near = triangles.iter().filter(|corners| is_near(corners));
    near.map(|corners| solid.to_triangle(*corners)).fold(f64::INFINITY, f64::min)
}

fn count() -> usize {
    effort::size(12, 24, 50_000)
}

fn run(what: &str, surface: &Surface, seed: u64, make: impl Fn(&mut Random) -> (f64, Case)) {
    let mut scene = Scene::new();
    scene.insert(7, surface.mesh(), DVec3::ZERO).unwrap();
    let triangles = corners(surface, &DAffine3::IDENTITY);
    let mut random = Random(seed);
    let (mut hits, mut misses) = (0, 0);
    for number in 0..count() {
        let (size, case) = make(&mut random);
        let hit = case.sweep(&scene);
        let what = format!("{what} {number}, seed {seed}: {hit:?} of {:?}", case.body.volume);
        if hit.is_some_and(|hit| hit.start != SweepStart::Apart) {
            assert!(distance(&case.solid(0.0), &triangles) < 1e-9, "{what}");
            continue;
        }
        let last = hit.map_or(1.0, |hit| f64::from(hit.t)) * (1.0 - 1e-6);
        for i in 0..=100 {
            let t = last * f64::from(i) / 100.0;
            assert!(distance(&case.solid(t), &triangles) > 0.0, "{what} is in it at {t}");
        }
        let Some(hit) = hit else {
            misses += 1;
            continue;
        };
        hits += 1;
        // The contact is early by at most the documented bound, or the volume only grazes the obstacle there.
        let t = f64::from(hit.t);
        let (solid, scale) = (case.solid(t), case.center.length() + 10.0);
        let early = scale / f64::from(1 << 20) + 1e-6 * case.way(size);
        let graze = case.way(size) / 4096.0;
        let away = distance(&solid, &triangles);
        assert!(away <= graze.max(early), "{what} is {away:e} away");
        let corners = triangles[hit.triangle.unwrap() as usize];
        assert!(crate::sweep::oracle::to_triangle(hit.point_f64(), corners) < 1e-9 * scale, "{what}");
        assert!(solid.to_point(hit.point_f64()) <= graze.max(early), "{what}");
    }
    println!("{what}: {hits} hits, {misses} misses");
    assert!(hits * 5 > count() && misses > 0, "{what}: {hits} hits and {misses} misses show little");
}

#[test]
fn over_terrain() {
    run("terrain", &terrain(), 91, |random| {
        let size = 0.05 + 0.4 * random.unit().abs();
        let center = random.cube() * DVec3::new(4.0, 0.5, 4.0) + DVec3::new(0.0, 2.0, 0.0);
        let motion = random.cube() * DVec3::new(3.0, 1.0, 3.0) - DVec3::new(0.0, 1.5, 0.0);
        (size, Case::new(random, size, center, motion))
    });
}

#[test]
fn past_a_ball() {
    run("ball", &icosphere(2), 92, |random| {
        let size = 0.1 + 0.5 * random.unit().abs();
        let center = random.direction() * 3.0;
        let motion = random.cube() * 1.4 - center;
        (size, Case::new(random, size, center, motion * 1.5))
    });
}

#[test]
fn over_a_floor() {
    run("floor", &plane(12, |_, _| 0.0), 93, |random| {
        let size = 0.1 + 0.4 * random.unit().abs();
        let center = random.cube() * DVec3::new(3.0, 0.2, 3.0) + DVec3::Y * 1.2;
        let motion = random.cube() * DVec3::new(2.0, 0.7, 2.0) - DVec3::Y * 0.9;
        (size, Case::new(random, size, center, motion))
    });
}

/// A volume much larger than a mesh is apart from the whole mesh for most of its motion.
#[test]
fn far_beyond_a_ball_and_back() {
    run("large beside a ball", &icosphere(2), 95, |random| {
        let size = 20.0 + 60.0 * random.unit().abs();
        let center = random.direction() * (size * (0.7 + 0.7 * random.unit().abs()));
        let motion = random.cube() * (0.7 * size) - center;
        (size, Case::new(random, size, center, motion))
    });
}

#[test]
fn a_bar_turns_until_its_end_is_down() {
    let quarter = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
    let bar = Aabb::new([-3.0, -0.5, -1.0], [3.0, 0.5, 1.0]);
    // The corner (3, -0.5) is at distance hypot(3, 0.5), and at height -1.5 when its direction from the middle is
    // asin(1.5 / hypot(3, 0.5)) below the horizontal.
    let angle = (1.5 / 3f64.hypot(0.5)).asin() - 0.5f64.atan2(3.0);
    let expected = angle / core::f64::consts::FRAC_PI_2;
    let mut scene = Scene::new();
    let floor = Mesh::from_soup(&[[-90.0, 0.0, 90.0], [90.0, 0.0, 90.0], [0.0, 0.0, -90.0]]).unwrap();
    let slab = Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]);
    let planes = Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    let grounds: [hitscan::Geometry; 3] = [floor.into(), slab.into(), planes.into()];
    for geometry in grounds {
        scene.insert(0, geometry.clone(), DVec3::ZERO).unwrap();
        for turn in [quarter, quarter.conjugate()] {
            let start = DVec3::new(0.5, 1.5, 0.0);
            let hit = scene.sweep_rotating(bar, start, (start, turn)).unwrap();
            assert!((f64::from(hit.t) - expected).abs() < 1e-4, "{geometry:?}: {hit:?}, but {expected}");
            assert!(hit.normal.y > 0.999999 && hit.point.y.abs() < 1e-4, "{geometry:?}: {hit:?}");
            assert!((f64::from(hit.point.x) - 0.5).abs() > 2.5, "{geometry:?}: {hit:?}");
            // The volume is high enough to have room.
            let start = DVec3::new(0.5, 3.1, 0.0);
            assert!(scene.sweep_rotating(bar, start, (start, turn)).is_none(), "{geometry:?}");
        }
        // The rotation is around the upright axis, on the ground.
        let lying = DVec3::new(0.0, 0.5, 0.0);
        let around = (lying, DQuat::from_rotation_y(1.5));
        let ahead = scene.contact_filter(ContactFilter::Ahead);
        assert_eq!(ahead.sweep_rotating(bar, lying, around), None, "{geometry:?}");
        let touching = scene.sweep_rotating(bar, lying, around).unwrap();
        assert_eq!((touching.t, touching.start), (0.0, SweepStart::Touching), "{geometry:?}");
        let pressed = ahead.sweep_rotating(bar, lying, (lying, quarter)).unwrap();
        assert_eq!((pressed.t, pressed.start), (0.0, SweepStart::Touching), "{geometry:?}");
    }
}

#[test]
fn without_a_turn_it_is_a_sweep() {
    let mut scene = Scene::new();
    scene.insert(7, terrain().mesh(), DVec3::ZERO).unwrap();
    scene.insert(8, Sphere::new(1.0), DVec3::new(0.0, 2.0, 0.0)).unwrap();
    let mut random = Random(94);
    for number in 0..60 {
        let from = (random.cube() * 4.0 + DVec3::Y * 4.0).round() / 4.0;
        let motion = (random.cube() * 4.0 - DVec3::Y * 3.0).round() / 4.0;
        let rotation = random.rotation();
        for volume in [Volume::from(Aabb::new([-0.5; 3], [0.5; 3])), Capsule::new(0.25, 1.0).into()] {
            let turning = scene.sweep_rotating(&volume, (from, rotation), (from + motion, rotation));
            assert_eq!(turning, scene.sweep(&volume, (from, rotation), motion), "{number}");
        }
        // The rotation of a ball has no effect.
        let turning = scene.sweep_rotating(Sphere::new(0.5), from, (from + motion, rotation));
        assert_eq!(turning, scene.sweep(Sphere::new(0.5), from, motion), "{number}");
    }
}

/// A hull with a long spike starts inside a torus, and hits another arc of the torus within rounding of the start. The
/// hit is at the start.
#[test]
fn what_starts_in_a_ring_is_met_there() {
    let corners = [
        [-1856.1455, 1212.1926, -2021.6904],
        [-0.68670225, -0.3660305, 0.57987624],
        [-0.34579974, 0.017855782, 0.9489807],
        [-0.3078566, 0.050670844, -0.8168263],
        [0.82688683, 0.73419756, 0.84963083],
    ];
    let hull = Volume::from(ConvexHull::new(&corners.map(Vec3::from)).unwrap());
    let columns = [
        DVec3::new(0.48394749174263085, 0.6402626788378937, -0.5965387894540812),
        DVec3::new(-0.21586508657119893, 0.7479603838693858, 0.6276603608334446),
        DVec3::new(0.8480548859806334, -0.1749827598630367, 0.5001839102920942),
    ];
    let place = DVec3::new(0.3441107951706901, -0.5436515789487255, -0.21022638696799678);
    let [x, y, z] = columns;
    let to_world = DAffine3::from_mat3_translation(DMat3::from_cols(x, y, z), place);
    let mut scene = Scene::new();
    scene.insert((), Torus::new(1.0, 0.2), to_world).unwrap();
    let from = (
        DVec3::new(-0.8544858466628655, -0.3441688978396318, 0.4180335760385656),
        DQuat::from_xyzw(-0.43616099665353075, -0.5515884161146264, 0.5721303518445118, 0.4221145161027178),
    );
    let to = (
        DVec3::new(-2.828314321476923, -2.0583014169945484, 3.9000774909020413),
        DQuat::from_xyzw(-0.43598513219980517, -0.5504038862449753, 0.5735835512433273, 0.42187016515776504),
    );
    assert!(scene.overlaps(&hull, from));
    let hit = scene.sweep_rotating(&hull, from, to).unwrap();
    assert_eq!((hit.t, hit.start), (0.0, SweepStart::Penetrating));
}

/// If a volume starts inside something and no direction is the nearest, the normal is opposite to the motion. This origin
/// is so far away that the whole motion is below the rounding error of its coordinates.
#[test]
fn against_the_motion_at_a_far_origin() {
    let origin = DVec3::new(0.0, 1e20, 0.0);
    let mut scene = Scene::new();
    scene.insert(7, Sphere::new(1.0), origin).unwrap();
    let to = (DVec3::new(0.0, 0.25, 0.0), DQuat::from_rotation_z(1.0));
    let hit = scene.relative_to(origin).sweep_rotating(Capsule::new(0.125, 1.0), DVec3::ZERO, to).unwrap();
    assert_eq!((hit.t, hit.start, hit.normal), (0.0, SweepStart::Penetrating, hitscan::glam::Vec3::NEG_Y));
}

#[test]
fn nothing_panics() {
    let mut scene = Scene::new();
    scene.insert(7, terrain().mesh(), DVec3::ZERO).unwrap();
    scene.insert(8, Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(9, hitscan::Torus::new(1.0, 0.25), DVec3::Y).unwrap();
    let numbers = [0.0, 1e-300, 1e-8, 0.5, 1e8, 1e69, f64::INFINITY, f64::NAN];
    for x in numbers {
        for y in numbers {
            for size in [0.0, 1e-45, 0.5, 1e8, f32::NAN] {
                let volume = Aabb::new([-size; 3], [size; 3]);
                let rotation = DQuat::from_xyzw(x, y, 0.5, -1.0);
                let hit = scene.sweep_rotating(volume, [x, 2.0, y], ([y, x, 0.0], rotation));
                assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.t)), "{hit:?}");
            }
        }
    }
}
