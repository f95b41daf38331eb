//! The kernel compared with exact arithmetic. Integers decide which triangles a ray hits, rationals that are
//! rounded once decide at which t, and a separate tree finds the triangles. No code is shared with the kernel.
//!
//! Each instruction set but the best one casts a tenth of the rays.

mod oracle;
mod rays;
mod subjects;
mod tally;

use crate::common::Random;
use crate::line::{Line, Meeting};
use hitscan::simd::SimdLevel;
use hitscan::{Hit, MeshHit, Ray, RayQueries, Side};
use hitscan_random::levels;

use hitscan_random::effort;
use rays::{Aim, Way};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use subjects::{Instance, Subject};
use tally::{Answer, Report, Verdict};

/// The number of rays in a work item, which has its own seed.
const PIECE: usize = 5_000;

#[test]
fn hits_are_those_of_exact_arithmetic() {
    let rays = effort::size(50_000, 200_000, 10_000_000);
    let subjects: Vec<(Subject, Vec<Instance>)> = subjects::all()
        .into_iter()
        .map(|subject| {
            let instances = if subject.inside.is_some() { subjects::instances(&subject) } else { Vec::new() };
            (subject, instances)
        })
        .collect();
    let mut wrong = 0;
    for level in levels::each() {
        let report = sweep(&subjects, if level == SimdLevel::best() { rays } else { rays / 10 });
        println!("\n{level}\n{report}");
        wrong += report.wrong();
    }
    assert_eq!(wrong, 0, "wrong answers; the first ones are above");
}

/// Casts this many rays in work items on all processors.
fn sweep(subjects: &[(Subject, Vec<Instance>)], rays: usize) -> Report {
    let pieces = rays.div_ceil(PIECE).max(subjects.len());
    let (next, report) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let work = || {
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return;
            }
            let (subject, instances) = &subjects[piece % subjects.len()];
            let part = cast(subject, instances, piece as u64, PIECE.min(rays.div_ceil(pieces)));
            report.lock().expect("no thread has panicked").add(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    report.into_inner().expect("no thread has panicked")
}

fn cast(subject: &Subject, instances: &[Instance], seed: u64, rays: usize) -> Report {
    let mut random = Random(seed);
    let mut report = Report::default();
    let (mut truth, mut hits, mut scene_hits) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..rays {
        let way = Way::new(subject, Aim::ALL[random.below(Aim::ALL.len())], &mut random);
        let place = random.below(4 * instances.len().max(1));
        let (verdict, ray, name) = if let Some(instance) = instances.get(place) {
            let Some((verdict, ray)) =
                through_instance(subject, instance, &way, &mut random, &mut truth, &mut scene_hits)
            else {
                continue;
            };
            (verdict, ray, "instance of ")
        } else {
            let Some(ray) = way.ray(&mut random) else { continue };
            let line = Line { origin: ray.origin.as_dvec3(), direction: ray.direction.as_dvec3() };
            find(subject, &line, &ray, &mut truth);
            if way.is_inside && ray.t_min == 0.0 && ray.t_max == f32::INFINITY {
                // An f32 can represent the t of the surface.
                let reaches = (way.to - way.from).length() * 2.0 < 1e38 * f64::from(ray.direction.length());
                assert!(!(truth.is_empty() && reaches), "the truth leaks: {} {ray:?}", subject.name);
            }
            let mesh = &subject.meshes[number % subject.meshes.len()];
            mesh.cast_all(&ray, &mut hits);
            let closest = mesh.cast(&ray);
            let answer = Answer {
                hits: hits.iter().map(of_mesh).collect(),
                closest: closest.as_ref().map(of_mesh),
                is_blocked: mesh.is_blocked(&ray),
            };
            let verdict = answer.compare(&truth).and_inside(closest.as_ref(), &line, subject);
            (verdict, ray, "")
        };
        report.count(&subject.name, &way, &truth, verdict, || {
            format!("{name}{}, piece {seed}, ray {number}: {ray:?} {verdict:?} {truth:?}", subject.name)
        });
    }
    report
}

/// The triangle, t and side of a hit.
type Found = (u32, f32, Side);

fn of_mesh(hit: &MeshHit) -> Found {
    (hit.triangle, hit.t, hit.side)
}

fn of_scene(hit: &Hit<()>) -> Found {
    (hit.triangle.expect("a mesh has triangles"), hit.t, hit.side)
}

/// Returns the triangles that the ray hits in its range, ordered by t and triangle.
fn find(subject: &Subject, line: &Line, ray: &Ray, truth: &mut Vec<(u32, Meeting)>) {
    subject.oracle.meetings(line, truth);
    truth.retain(|(_, meeting)| meeting.t.is_some_and(|t| ray.t_min <= t && t <= ray.t_max));
    truth.sort_by(|(x, a), (y, b)| a.t.partial_cmp(&b.t).expect("not NaN").then(x.cmp(y)));
}

/// Casts the same ray at an instance. If the local ray is known exactly, its hits must be the same as in exact arithmetic.
/// Otherwise there must be a hit, on the side on which the ray starts.
fn through_instance(
    subject: &Subject,
    instance: &Instance,
    way: &Way,
    random: &mut Random,
    truth: &mut Vec<(u32, Meeting)>,
    hits: &mut Vec<Hit<()>>,
) -> Option<(Verdict, Ray)> {
    let [from, to] = [way.from, way.to].map(|p| instance.transform.transform_point3(p));
    let ray = Way { from, to, ..*way }.ray(random)?;
    let scene = &instance.scene;
    scene.cast_all(&ray, hits);
    let answer = Answer {
        hits: hits.iter().map(of_scene).collect(),
        closest: scene.cast(&ray).as_ref().map(of_scene),
        is_blocked: scene.is_blocked(&ray),
    };
    truth.clear();
    if let Some(inverse) = &instance.exact_inverse {
        let origin = inverse.transform_point3(ray.origin.as_dvec3());
        let line = Line { origin, direction: inverse.transform_vector3(ray.direction.as_dvec3()) };
        find(subject, &line, &ray, truth);
        return Some((answer.compare(truth), ray));
    }
    let is_whole = ray.t_min == 0.0 && ray.t_max == f32::INFINITY;
    let reaches = (to - from).length() * 2.0 < 1e38 * f64::from(ray.direction.length());
    let must_hit = way.is_inside && is_whole && reaches;
    Some((answer.check(must_hit.then_some(Side::Back)), ray))
}
