//! Casts along ballistic arcs, against the roots of each triangle's own quadratic equation.

use super::common::Random;
use super::world::scattered;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::TrajectoryError;
use hitscan::{Plane, RayQueries, Scene, Sphere, Trajectory};
use hitscan_random::effort;

fn exact(arc: &Trajectory, time: f64) -> DVec3 {
    let [o, v, a] = [arc.origin, arc.velocity, arc.acceleration].map(|v| v.as_dvec3());
    o + v * time + a * (0.5 * time * time)
}

fn random_arc(random: &mut Random) -> Trajectory {
    let arc = Trajectory::new(
        (random.cube() * 6.0).as_vec3(),
        (random.cube() * 6.0).as_vec3(),
        (random.cube() * 8.0).as_vec3(),
    );
    arc.with_range(random.unit().min(0.0) as f32, 1.5 + random.unit() as f32)
}

/// Returns three numbers for each crossing of the arc with the triangle's plane. They are the time, how far inside the
/// edges the crossing is in world units, and the speed along the normal.
fn crossings(arc: &Trajectory, [a, b, c]: [DVec3; 3]) -> Vec<(f64, f64, f64)> {
    let normal = (b - a).cross(c - a).normalize();
    let (q0, q1, q2) = (
        (arc.origin.as_dvec3() - a).dot(normal),
        arc.velocity.as_dvec3().dot(normal),
        0.5 * arc.acceleration.as_dvec3().dot(normal),
    );
    let root = (q1 * q1 - 4.0 * q2 * q0).sqrt();
    let times = [(-q1 - root) / (2.0 * q2), (-q1 + root) / (2.0 * q2)];
    let crossing = |time: f64| {
        let point = exact(arc, time);
        let inside = [(a, b), (b, c), (c, a)].map(|(p, q)| (q - p).cross(point - p).dot(normal) / (q - p).length());
        let speed = (arc.velocity.as_dvec3() + arc.acceleration.as_dvec3() * time).dot(normal);
        (time, inside.into_iter().fold(f64::INFINITY, f64::min), speed.abs())
    };
    times.into_iter().filter(|time| time.is_finite()).map(crossing).collect()
}

#[test]
fn an_arc_meets_what_its_equation_says() {
    let (mut met, mut missed, mut unsure) = (0, 0, 0);
    let tolerance = 1e-5;
    let cases = effort::size(1_500, 4_000, 400_000);
    for seed in 0..cases as u64 {
        let mut random = Random(seed);
        let (scene, things) = scattered(&mut random, 20);
        let arc = random_arc(&mut random);
        let mut first: Option<(f64, u32)> = None;
        let mut is_sure = true;
        let range = f64::from(arc.t_min)..f64::from(arc.t_max);
        for thing in &things {
            for (time, inside, speed) in thing.triangles.iter().flat_map(|t| crossings(&arc, *t)) {
                // Grazing hits depend on the chords.
                let near = 10.0 * f64::from(tolerance) * (1.0 + 10.0 / speed);
                let is_near_range = range.start - 1e-3 < time && time < range.end + 1e-3;
                is_sure &= !is_near_range || inside < -near || (inside > near && range.contains(&time) && speed > 0.05);
                if inside >= 0.0 && range.contains(&time) && first.is_none_or(|(best, _)| time < best) {
                    first = Some((time, thing.key));
                }
            }
        }
        if !is_sure {
            unsure += 1;
            continue;
        }
        let found = scene.cast_trajectory(&arc, tolerance);
        assert_eq!(found.map(|found| found.hit.id), first.map(|(_, key)| key), "seed {seed}: {first:?} {found:?}");
        let (Some(found), Some((time, _))) = (found, first) else {
            missed += 1;
            continue;
        };
        met += 1;
        assert!((f64::from(found.time) - time).abs() < 1e-5 * (1.0 + time.abs()), "seed {seed}: {found:?} {time}");
        let velocity = arc.velocity.as_dvec3() + arc.acceleration.as_dvec3() * time;
        assert!((found.velocity.as_dvec3() - velocity).length() < 1e-3, "seed {seed}: {found:?}");
        assert!((found.hit.point.as_dvec3() - exact(&arc, time)).length() < 1e-3, "seed {seed}: {found:?}");
    }
    println!("{met} met, {missed} missed, {unsure} left out");
    assert!(met > 200 && missed > 200, "{met} {missed} {unsure}");
}

/// The path is within the tolerance of the arc, and not much finer than necessary.
#[test]
fn chords_stay_within_the_tolerance() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let arc = random_arc(&mut random);
        let tolerance = 10f32.powf(-3.0 * random.unit().abs() as f32);
        let points: Vec<DVec3> = arc.points(tolerance).map(|point| point.as_dvec3()).collect();
        let chords = points.len() - 1;
        let (start, span) = (f64::from(arc.t_min), f64::from(arc.t_max) - f64::from(arc.t_min));
        let mut furthest = 0f64;
        for (chord, ends) in points.windows(2).enumerate() {
            for step in 0..=8 {
                let share = f64::from(step) / 8.0;
                let on_arc = exact(&arc, start + span * (chord as f64 + share) / chords as f64);
                furthest = furthest.max((on_arc - ends[0].lerp(ends[1], share)).length());
            }
        }
        // The ends are rounded to f32.
        assert!(furthest <= f64::from(tolerance) + 1e-5, "seed {seed}: {furthest} {tolerance}");
        assert!(chords <= 2 || furthest > 0.2 * f64::from(tolerance), "seed {seed}: {furthest} {tolerance} {chords}");
        assert_eq!((points[0], points[chords]), (arc.at(arc.t_min).as_dvec3(), arc.at(arc.t_max).as_dvec3()));
    }
}

#[test]
fn it_goes_on_after_what_it_met() {
    let mut scene = Scene::new();
    scene.insert("ground", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert("ball", Sphere::new(0.5), DVec3::new(3.0, 4.0, 0.0)).unwrap();
    let arc = Trajectory::new([0.0, -1.0, 0.0], [3.0, 10.0, 0.0], [0.0, -10.0, 0.0]).with_range(0.0, 3.0);
    let (mut met, mut last) = (Vec::new(), None);
    while let Some(found) = scene.after(last.as_ref()).cast_trajectory(&arc, 0.001) {
        met.push((found.hit.id, (found.time * 100.0).round() / 100.0));
        last = Some(found.hit);
        assert!(met.len() < 9, "{met:?}");
    }
    assert_eq!(met, [("ground", 0.11), ("ball", 0.84), ("ball", 1.16), ("ground", 1.89)]);
    // A ricochet leaves the surface that it starts on.
    let landed = scene.cast_trajectory(&arc.with_range(1.5, 3.0), 0.001).unwrap();
    let bounced = Trajectory::new(landed.hit.point, [1.0, 5.0, 0.0], [0.0, -10.0, 0.0]).with_range(0.0, 1.5);
    let again = scene.after(&landed.hit).cast_trajectory(&bounced, 0.001).unwrap();
    assert_eq!((again.hit.id, again.time), ("ground", 1.0));
}

#[test]
fn bad_arcs_hit_nothing_and_say_why() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(100.0), DVec3::ZERO).unwrap();
    let arc = Trajectory::new([0.0; 3], [100.0, 0.0, 0.0], [0.0, -10.0, 0.0]);
    assert!(scene.cast_trajectory(&arc, 0.1).is_some());
    let odd = |arc: Trajectory, tolerance: f32| {
        assert_eq!(scene.cast_trajectory(&arc, tolerance), None, "{arc:?}");
        assert_eq!(arc.points(tolerance).count(), 0);
        let error = arc.validate(tolerance).unwrap_err();
        assert!(!error.to_string().is_empty());
        error
    };
    assert!(matches!(
        odd(Trajectory { velocity: Vec3::NAN, ..arc }, 0.1),
        TrajectoryError::NotFinite { what: "velocity", .. }
    ));
    assert!(matches!(
        odd(Trajectory { velocity: Vec3::ZERO, acceleration: Vec3::ZERO, ..arc }, 0.1),
        TrajectoryError::Still
    ));
    assert!(matches!(odd(arc.with_range(0.0, f32::INFINITY), 0.1), TrajectoryError::Range { .. }));
    assert!(matches!(odd(arc.with_range(1.0, 1.0), 0.1), TrajectoryError::Range { .. }));
    assert!(matches!(odd(arc, 0.0), TrajectoryError::Tolerance(_)));
    assert!(matches!(odd(arc, f32::NAN), TrajectoryError::Tolerance(_)));
    assert!(matches!(odd(arc, 1e-30), TrajectoryError::TooFine { .. }));
    // The arcs are a fall from rest, and a straight line.
    let fall = Trajectory::new([0.0; 3], Vec3::ZERO, [0.0, -2.0, 0.0]).with_range(0.0, 20.0);
    assert_eq!(scene.cast_trajectory(&fall, 0.1).map(|found| found.time), Some(10.0));
    let straight = Trajectory::new([0.0; 3], [0.0, 0.0, 50.0], Vec3::ZERO);
    assert_eq!(scene.cast_trajectory(&straight, 0.1).map(|found| (found.chord, found.time)), Some((0, 2.0)));
    assert!(
        scene
            .cast_trajectory(
                &Trajectory { velocity: Vec3::splat(f32::MAX), acceleration: Vec3::splat(f32::MAX), ..arc },
                f32::MAX
            )
            .is_none_or(|met| met.time.is_finite())
    );
}
