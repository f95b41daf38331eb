//! Sweeps of spheres and capsules on terrain, a closed scan, a flat floor, a thin wall and box corners.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use crate::ply;
use crate::sweep::oracle::Moving;
use crate::sweep::triangles::Triangles;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Capsule, Mesh, Scene, Sphere, SweepHit, SweepQueries, SweepStart, Volume};
use hitscan_random::effort;

/// Returns the number of cases of each kind.
fn count() -> usize {
    effort::size(30, 120, 50_000)
}

pub(crate) fn terrain() -> Surface {
    let height = |x: f32, z: f32| (0.9 * x).sin() * (1.3 * z).cos() + 0.2 * (5.0 * x + 3.0 * z).sin();
    plane(40, height)
}

/// Returns a height surface from -5 to 5 along x and z, in squares.
pub(crate) fn plane(n: u32, height: impl Fn(f32, f32) -> f32) -> Surface {
    let place = |i: u32| 10.0 * i as f32 / n as f32 - 5.0;
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j)));
    let positions = vertices.map(|(i, j)| Vec3::new(place(i), height(place(i), place(j)), place(j))).collect();
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| j * (n + 1) + i));
    let triangles = cells.flat_map(|a| [[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]).collect();
    Surface { positions, triangles }
}

/// A ball with bumps.
pub(crate) fn scan() -> Surface {
    icosphere(4).map(|p| p * (2.0 + 0.3 * (7.0 * p.x).sin() * (5.0 * p.y + 3.0 * p.z).cos()))
}

pub(crate) fn corners(surface: &Surface, to_world: &DAffine3) -> Vec<[DVec3; 3]> {
    let corner = |i: u32| to_world.transform_point3(surface.positions[i as usize].as_dvec3());
    surface.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// A sphere, or a rotated capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Sphere,
    Capsule,
}

struct Case {
    volume: Volume,
    rotation: DQuat,
    moving: Moving,
}

fn case(random: &mut Random, kind: Kind, radius: f32, center: DVec3, motion: DVec3) -> Case {
    let rotation = random.rotation();
    let (volume, half) = match kind {
        Kind::Sphere => (Sphere::new(radius).into(), DVec3::ZERO),
        Kind::Capsule => {
            let capsule = Capsule::new(radius, radius * 4.5);
            (capsule.into(), rotation * capsule.ends()[1].as_dvec3())
        }
    };
    Case { volume, rotation, moving: Moving { center, half, radius: radius.into(), motion } }
}

/// The statistics of a run.
#[derive(Default)]
struct Tally {
    hits: usize,
    starts: usize,
    misses: usize,
    undecided: usize,
}

/// Checks one sweep. It must agree with the truth within 1e-3 of the radius and 4 ulps of t, and the volume must
/// penetrate nothing at its end.
fn check(scene: &Scene<u32>, triangles: &Triangles, case: &Case, tally: &mut Tally, what: &str) {
    let Case { volume, rotation, moving } = case;
    let hit = scene.sweep(volume, (moving.center, *rotation), moving.motion);
    let truth = triangles.first(moving);
    // The f64 numbers of the oracle may be too inaccurate to decide whether a graze is a contact.
    if hit.is_some() != truth.is_some() {
        let margin = triangles.margin(moving);
        assert!(margin < 1e-9, "{what}: {moving:?}: {hit:?}, but {truth:?} by {margin:e}");
        tally.undecided += 1;
        return;
    }
    let (Some(hit), Some(truth)) = (hit, truth) else {
        tally.misses += 1;
        return;
    };
    let t = f64::from(hit.t);
    let ulps = 4.0 * f64::from(hit.t.next_up() - hit.t);
    let slack = (1e-3 * moving.radius / moving.motion.length()).min(1e-6) + ulps;
    assert!((t - truth).abs() <= slack, "{what}: {moving:?}: t {t}, but {truth}");
    if truth == 0.0 {
        assert_ne!(hit.start, SweepStart::Apart, "{what}: {moving:?}");
        tally.starts += 1;
        return;
    }
    assert_eq!(hit.start, SweepStart::Apart, "{what}: {moving:?}");
    let rounding = moving.motion.length() * ulps + 1e-9;
    let nearest = triangles.nearest(moving, t);
    assert!((nearest - moving.radius).abs() <= rounding, "{what}: {moving:?}: {nearest} from it at t {t}");
    check_contact(&hit, moving, t, rounding, what);
    tally.hits += 1;
}

/// Checks that the point is at the distance of the radius from the segment, in the direction opposite to the normal.
fn check_contact(hit: &SweepHit<u32>, moving: &Moving, t: f64, rounding: f64, what: &str) {
    let center = moving.center + moving.motion * t;
    let core = hit.point_f64() + hit.normal.as_dvec3() * moving.radius;
    let beside = crate::sweep::oracle::to_segment(core, center - moving.half, center + moving.half);
    assert!(beside <= rounding + 2e-7 * moving.radius, "{what}: {moving:?}: {hit:?} is {beside:e} beside it");
    assert!((hit.normal.length() - 1.0).abs() < 1e-6, "{what}: {hit:?}");
}

fn run(what: &str, surface: &Surface, to_world: DAffine3, seed: u64, make: impl Fn(&mut Random, Kind) -> Case) {
    let mesh: Mesh = surface.mesh();
    let mut scene = Scene::new();
    scene.insert(7u32, mesh, to_world).unwrap();
    let triangles = Triangles::new(corners(surface, &to_world));
    for kind in [Kind::Sphere, Kind::Capsule] {
        let mut random = Random(seed);
        let (mut tally, count) = (Tally::default(), count());
        for number in 0..count {
            let case = make(&mut random, kind);
            check(&scene, &triangles, &case, &mut tally, &format!("{what} {kind:?} {number}, seed {seed}"));
        }
        let Tally { hits, starts, misses, undecided } = tally;
        println!("{what} {kind:?}: {hits} hits, {starts} from the start, {misses} misses, {undecided} touch");
        assert!(hits * 10 > count, "{what} {kind:?}: {hits} hits of {count} show little");
        assert!(undecided * 100 <= count, "{what} {kind:?}: {undecided} undecided");
    }
}

fn size(random: &mut Random, from: f64, to: f64) -> f32 {
    (from * (to / from).powf(0.5 + 0.5 * random.unit())) as f32
}

#[test]
fn on_terrain() {
    run("terrain", &terrain(), DAffine3::IDENTITY, 11, |random, kind| {
        let radius = size(random, 1e-3, 0.5);
        let center = random.cube() * DVec3::new(5.0, 0.5, 5.0) + DVec3::new(0.0, 2.0, 0.0);
        let motion = random.cube() * DVec3::new(3.0, 1.0, 3.0) - DVec3::new(0.0, 2.5, 0.0);
        case(random, kind, radius, center, motion)
    });
}

#[test]
fn on_a_closed_scan() {
    on_scan("bumps", &scan());
    if let Some(igea) = ply::model("scans/igea.ply") {
        on_scan("igea", &in_cube(igea, 2.0));
    }
}

/// Moves and scales a surface to the cube from `-half` to `half`.
fn in_cube(surface: Surface, half: f32) -> Surface {
    let low = surface.positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = surface.positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let (middle, size) = ((low + high) * 0.5, (high - low) * 0.5);
    surface.map(|p| (p - middle) * (half / size.max_element()))
}

fn on_scan(what: &str, surface: &Surface) {
    run(what, surface, DAffine3::IDENTITY, 12, |random, kind| {
        let radius = size(random, 1e-3, 0.4);
        let center = random.direction() * 3.5;
        let motion = random.cube() * 2.0 - center;
        case(random, kind, radius, center, motion)
    });
}

#[test]
fn along_a_flat_floor() {
    run("floor", &plane(12, |_, _| 0.0), DAffine3::IDENTITY, 13, |random, kind| {
        let radius = size(random, 1e-2, 0.5);
        let Case { volume, rotation, mut moving } = case(random, kind, radius, DVec3::ZERO, DVec3::ZERO);
        let above = moving.radius + moving.half.y.abs();
        let gap = 10f64.powf(-1.5 + 1.5 * random.unit());
        moving.center = random.cube() * DVec3::new(3.0, 0.0, 3.0) + DVec3::new(0.0, above + gap, 0.0);
        let drop = -gap * (1.0 + 0.6 * random.unit());
        moving.motion = random.cube() * DVec3::new(4.0, 0.0, 4.0) + DVec3::new(0.0, drop, 0.0);
        Case { volume, rotation, moving }
    });
}

#[test]
fn fast_through_a_thin_wall() {
    let wall = plane(12, |_, _| 0.0).map(|p| Vec3::new(p.x, p.z, p.y));
    run("wall", &wall, DAffine3::IDENTITY, 14, |random, kind| {
        let radius = size(random, 1e-3, 0.2);
        let target = random.cube() * DVec3::new(5.5, 5.5, 0.0);
        let from = random.direction() * DVec3::new(1.0, 1.0, 3.0) * 300.0;
        let motion = -from * (1.5 + random.unit());
        case(random, kind, radius, target + from, motion)
    });
}

#[test]
fn at_the_corners_of_a_box() {
    run("box", &grid_cube(1), DAffine3::IDENTITY, 15, |random, kind| {
        let radius = size(random, 1e-2, 1.0);
        let corner = random.cube().signum() + random.cube() * 0.5;
        let center = corner + random.direction() * 4.0;
        case(random, kind, radius, center, (corner - center) * 2.0)
    });
}

#[test]
fn of_instances_of_any_transform() {
    let mut random = Random(16);
    for i in 0..6 {
        let to_world = instance_transform(&mut random, i, 50.0);
        let middle = to_world.translation;
        run("instance", &icosphere(2), to_world, 17 + i as u64, move |random, kind| {
            let radius = size(random, 1e-2, 0.5);
            let center = middle + random.direction() * 8.0;
            let motion = middle + random.cube() * 2.0 - center;
            case(random, kind, radius, center, motion)
        });
    }
}
