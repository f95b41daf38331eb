//! Sweeps of boxes and hulls on terrain, a closed scan, a flat floor, a thin wall and box corners.
//!
//! The true t is between the first contacts of the volume scaled up and down by 1e-9. Each contact is also verified by
//! itself. Its normal separates the volume and the triangle until the contact, and its point is on both.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use crate::sweep::solid::Solid;
use crate::sweep::truth::{corners, plane, scan, terrain};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, ConvexHull, OrientedBox, Scene, SweepHit, SweepQueries, SweepStart, Volume};
use hitscan_random::effort;

/// Returns the number of cases of each kind.
fn count() -> usize {
    effort::size(10, 40, 50_000)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Box,
    /// A box without thickness along one axis.
    Plate,
    Sheared,
    Hull,
}

const KINDS: [Kind; 4] = [Kind::Box, Kind::Plate, Kind::Sheared, Kind::Hull];

/// A volume, and its solid in its own space.
pub(crate) struct Body {
    pub(crate) volume: Volume,
    pub(crate) solid: Solid,
    /// The solid scaled up by 1e-9.
    around: Solid,
    pub(crate) middle: DVec3,
}

impl Body {
    fn of_box(volume: Volume, middle: DVec3, edges: DMat3, half: DVec3) -> Self {
        let around = Solid::of_box(middle, edges, half + 1e-9 * half.max_element());
        Self { volume, solid: Solid::of_box(middle, edges, half), around, middle }
    }
}

/// Returns a body about as large as `size`.
pub(crate) fn body(random: &mut Random, kind: Kind, size: f64) -> Body {
    let half = (DVec3::splat(1.1) + random.cube()) * 0.5 * size;
    let center = random.cube() * size;
    match kind {
        Kind::Box | Kind::Plate => {
            let mut half = half;
            if kind == Kind::Plate {
                half[random.below(3)] = 0.0;
            }
            let aabb = Aabb::new((center - half).as_vec3(), (center + half).as_vec3());
            let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
            Body::of_box(aabb.into(), (low + high) * 0.5, DMat3::IDENTITY, (high - low) * 0.5)
        }
        Kind::Sheared => {
            let linear = DMat3::from_quat(random.rotation())
                * DMat3::from_cols(DVec3::X, DVec3::new(0.5 * random.unit(), 1.0, 0.0), DVec3::new(0.0, 0.3, 1.0));
            let half = half.as_vec3();
            let turned = OrientedBox::new(Aabb::new(-half, half), DAffine3::from_mat3_translation(linear, center));
            Body::of_box(turned.unwrap().into(), center, linear, half.as_dvec3())
        }
        Kind::Hull => {
            let points: Vec<Vec3> =
                (0..5 + random.below(20)).map(|_| (center + random.direction() * half).as_vec3()).collect();
            let Ok(hull) = ConvexHull::new(&points) else { return body(random, kind, size) };
            let triangles = (0..hull.mesh().triangle_count() as u32).filter_map(|i| hull.mesh().triangle(i));
            let solid = Solid::new(triangles.map(|corners| corners.map(|p| p.as_dvec3())));
            let middle = hull.vertices().iter().map(|p| p.as_dvec3()).sum::<DVec3>() / hull.vertices().len() as f64;
            Body { volume: hull.into(), around: solid.scaled(middle, 1.0 + 1e-9), solid, middle }
        }
    }
}

/// A sweep of a volume.
struct Case {
    volume: Volume,
    pose: (DVec3, DQuat),
    /// The solid in world space, at the start.
    solid: Solid,
    around: Solid,
    center: DVec3,
    motion: DVec3,
}

/// Returns a case whose body has its centre at a given place.
fn case(random: &mut Random, kind: Kind, size: f64, rotation: DQuat, center: DVec3, motion: DVec3) -> Case {
    let Body { volume, solid, around, middle } = body(random, kind, size);
    let position = center - rotation * middle;
    let placed = |solid: &Solid| solid.map(|p| position + rotation * p);
    Case { volume, pose: (position, rotation), solid: placed(&solid), around: placed(&around), center, motion }
}

#[derive(Default)]
struct Tally {
    hits: usize,
    starts: usize,
    misses: usize,
}

fn check(scene: &Scene<u32>, triangles: &[[DVec3; 3]], case: &Case, tally: &mut Tally, what: &str) {
    let Case { volume, pose, solid, around, center, motion } = case;
    let what = format!("{what}: {volume:?} from {pose:?} by {motion}");
    let hit = scene.sweep(volume, *pose, *motion);
    let early = around.first_of(*motion, triangles);
    let late = solid.scaled(*center, 1.0 - 1e-9).first_of(*motion, triangles);
    let Some(hit) = hit else {
        assert!(late.is_none(), "{what}: nothing, but {late:?}");
        tally.misses += 1;
        return;
    };
    let t = f64::from(hit.t);
    let ulps = 4.0 * f64::from(hit.t.next_up() - hit.t);
    assert!(early.is_some_and(|early| t >= early - ulps), "{what}: {hit:?}, but {early:?}");
    assert!(late.is_none_or(|late| t <= late + ulps), "{what}: {hit:?}, but {late:?}");
    if late == Some(0.0) {
        assert_eq!((hit.start, hit.t), (SweepStart::Penetrating, 0.0), "{what}");
        tally.starts += 1;
    } else if early > Some(0.0) {
        assert_eq!(hit.start, SweepStart::Apart, "{what}");
        tally.hits += 1;
    }
    prove(&hit, triangles, case, &what);
}

/// Asserts that the hit is a contact, and that there is no contact before it.
fn prove(hit: &SweepHit<u32>, triangles: &[[DVec3; 3]], case: &Case, what: &str) {
    let (t, size) = (f64::from(hit.t), 1.0 + case.center.length());
    let slack = case.motion.length() * f64::from(hit.t.next_up() - hit.t) + 1e-10 * size;
    let corners = triangles[hit.triangle.unwrap() as usize];
    let (point, normal) = (hit.point_f64(), hit.normal.as_dvec3());
    let beside = crate::sweep::oracle::to_triangle(point, corners);
    assert!(beside <= 1e-12 * size, "{what}: {hit:?} is {beside:e} beside the triangle");
    let away = case.solid.to_point(point - case.motion * t);
    assert!(away <= slack, "{what}: {hit:?} is {away:e} from the volume");
    assert!((normal.length() - 1.0).abs() < 1e-6, "{what}: {hit:?}");
    if hit.start == SweepStart::Apart {
        let highest = corners.iter().map(|p| p.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
        let lowest = -case.solid.reach(-normal) + case.motion.dot(normal) * t;
        // The bound includes the rounding of the normal to f32.
        let slack = slack + 1e-6 * size;
        assert!(lowest - highest >= -slack, "{what}: {hit:?} does not part them by {:e}", lowest - highest);
        assert!(normal.dot(case.motion) <= 1e-6 * case.motion.length(), "{what}: {hit:?} leaves");
    }
}

fn run(what: &str, surface: &Surface, to_world: DAffine3, seed: u64, make: impl Fn(&mut Random, Kind) -> Case) {
    let mut scene = Scene::new();
    scene.insert(7u32, surface.mesh(), to_world).unwrap();
    let triangles = corners(surface, &to_world);
    for kind in KINDS {
        let mut random = Random(seed);
        let mut tally = Tally::default();
        for number in 0..count() {
            let case = make(&mut random, kind);
            check(&scene, &triangles, &case, &mut tally, &format!("{what} {kind:?} {number}, seed {seed}"));
        }
        let Tally { hits, starts, misses } = tally;
        println!("{what} {kind:?}: {hits} hits, {starts} from the start, {misses} misses");
        assert!(hits * 10 > count(), "{what} {kind:?}: {hits} hits of {} show little", count());
    }
}

fn size(random: &mut Random, from: f64, to: f64) -> f64 {
    from * (to / from).powf(0.5 + 0.5 * random.unit())
}

/// Returns an arbitrary rotation, or one that permutes the axes.
fn rotation(random: &mut Random) -> DQuat {
    if random.below(3) == 0 { DQuat::IDENTITY } else { random.rotation() }
}

#[test]
fn shapes_are_met_where_they_are() {
    for (what, geometry, distance) in crate::sweep::shapes::subjects() {
        let mut scene = Scene::new();
        scene.insert(7u32, geometry, DVec3::ZERO).unwrap();
        let mut random = Random(70);
        let mut hits = 0;
        for number in 0..count().div_ceil(2) {
            let (size, rotation) = (size(&mut random, 0.05, 0.8), rotation(&mut random));
            let center = random.direction() * 4.0;
            let motion = (random.cube() * 0.5 - center) * 1.7;
            let case = case(&mut random, KINDS[number % 4], size, rotation, center, motion);
            let what = format!("{what} {number}: {:?} from {:?} by {motion}", case.volume, case.pose);
            let hit = scene.sweep(&case.volume, case.pose, motion);
            // The volume is separate until the contact: no sample of its surface is inside the shape.
            let last = hit.map_or(1.0, |hit| f64::from(hit.t) * (1.0 - 1e-6));
            let is_in = |t: f64| case.solid.samples(6).any(|p| distance(p + motion * t) <= 0.0);
            assert!((0..=40).all(|i| !is_in(last * f64::from(i) / 40.0)) || last == 0.0, "{what}: {hit:?}");
            let Some(hit) = hit else { continue };
            assert_eq!(hit.start, SweepStart::Apart, "{what}: {hit:?}");
            let (t, point) = (f64::from(hit.t), hit.point_f64());
            let slack = motion.length() * f64::from(hit.t.next_up() - hit.t) + 1e-9;
            assert!(distance(point) <= slack, "{what}: {hit:?} is {:e} from the shape", distance(point));
            let away = case.solid.to_point(point - motion * t);
            assert!(away <= slack, "{what}: {hit:?} is {away:e} from the volume");
            let normal = hit.normal.as_dvec3();
            let below = -case.solid.reach(-normal) + motion.dot(normal) * t - point.dot(normal);
            assert!(below >= -slack - 1e-6, "{what}: {hit:?} is not below it, by {below:e}");
            hits += 1;
        }
        assert!(hits * 10 > count(), "{what}: {hits} hits of {} show little", count() / 2);
    }
}

#[test]
fn on_terrain() {
    run("terrain", &terrain(), DAffine3::IDENTITY, 71, |random, kind| {
        let (size, rotation) = (size(random, 1e-3, 0.5), rotation(random));
        let center = random.cube() * DVec3::new(5.0, 0.5, 5.0) + DVec3::new(0.0, 2.0, 0.0);
        let motion = random.cube() * DVec3::new(3.0, 1.0, 3.0) - DVec3::new(0.0, 2.5, 0.0);
        case(random, kind, size, rotation, center, motion)
    });
}

#[test]
fn on_a_closed_scan() {
    run("scan", &scan(), DAffine3::IDENTITY, 72, |random, kind| {
        let (size, rotation) = (size(random, 1e-3, 0.4), rotation(random));
        let center = random.direction() * 3.5;
        let motion = random.cube() * 2.0 - center;
        case(random, kind, size, rotation, center, motion)
    });
}

#[test]
fn along_a_flat_floor() {
    run("floor", &plane(12, |_, _| 0.0), DAffine3::IDENTITY, 73, |random, kind| {
        let (size, rotation) = (size(random, 1e-2, 0.5), rotation(random));
        let center = random.cube() * DVec3::new(3.0, 0.0, 3.0);
        let case = case(random, kind, size, rotation, center, DVec3::ZERO);
        let gap = 10f64.powf(-1.5 + 1.5 * random.unit());
        let up = DVec3::Y * (case.solid.reach(DVec3::NEG_Y) + gap);
        let drop = -gap * (1.0 + 0.6 * random.unit());
        let motion = random.cube() * DVec3::new(4.0, 0.0, 4.0) + DVec3::new(0.0, drop, 0.0);
        let pose = (case.pose.0 + up, case.pose.1);
        let (solid, around) = (case.solid.map(|p| p + up), case.around.map(|p| p + up));
        Case { pose, solid, around, center: case.center + up, motion, ..case }
    });
}

#[test]
fn fast_through_a_thin_wall() {
    let wall = plane(12, |_, _| 0.0).map(|p| Vec3::new(p.x, p.z, p.y));
    run("wall", &wall, DAffine3::IDENTITY, 74, |random, kind| {
        let (size, rotation) = (size(random, 1e-3, 0.2), rotation(random));
        let target = random.cube() * DVec3::new(5.5, 5.5, 0.0);
        let from = random.direction() * DVec3::new(1.0, 1.0, 3.0) * 300.0;
        let motion = -from * (1.5 + random.unit());
        case(random, kind, size, rotation, target + from, motion)
    });
}

#[test]
fn at_the_corners_of_a_box() {
    run("box", &grid_cube(1), DAffine3::IDENTITY, 75, |random, kind| {
        let (size, rotation) = (size(random, 1e-2, 1.0), rotation(random));
        let corner = random.cube().signum() + random.cube() * 0.5;
        let center = corner + random.direction() * 4.0;
        case(random, kind, size, rotation, center, (corner - center) * 2.0)
    });
}

#[test]
fn of_instances_of_any_transform() {
    let mut random = Random(76);
    for i in 0..3 {
        let to_world = instance_transform(&mut random, i, 50.0);
        let middle = to_world.translation;
        run("instance", &icosphere(2), to_world, 77 + i as u64, move |random, kind| {
            let (size, rotation) = (size(random, 1e-2, 0.5), rotation(random));
            let center = middle + random.direction() * 8.0;
            let motion = middle + random.cube() - center;
            case(random, kind, size, rotation, center, motion)
        });
    }
}
