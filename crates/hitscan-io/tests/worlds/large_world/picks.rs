//! Cameras near objects, cursors on and next to the objects, and the results of picking.

use crate::large_world::truth::{Eye, Met, Verdict};
use crate::large_world::world::World;
use crate::shared::Random;
use hitscan::glam::{DVec3, Vec2};
use hitscan::{Camera, CutOuts, Hit, Ray, RayQueries};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of picks in a work item, which has its own seed.
const PIECE: usize = 500;
const WINDOW: [f32; 2] = [1920.0, 1080.0];
/// The number of wrong picks that are printed.
const TOLD: usize = 5;
/// The largest distance by which rounding to f32 moves a point, divided by the largest coordinate of the point.
const ROUNDED: f64 = 1.732_050_9 / (1u64 << 24) as f64;

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) picks: usize,
    pub(crate) hits: usize,
    pub(crate) wrong: usize,
    /// The number of picked triangles that are as near as the first one, up to the last digits of f64.
    ties: usize,
    /// The number of points whose error is larger than the rounding to f32.
    beyond: usize,
    /// The largest excess of an error over that rounding, in units of the rounding of the world's coordinates to f64.
    roundings: f64,
}

impl Report {
    pub(crate) const HEAD: &str =
        "   picks     hits  wrong  near ties  points beyond f32, f64 roundings at most  world";

    fn add(&mut self, other: &Self) {
        self.picks += other.picks;
        self.hits += other.hits;
        self.wrong += other.wrong;
        self.ties += other.ties;
        self.beyond += other.beyond;
        self.roundings = self.roundings.max(other.roundings);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { picks, hits, wrong, ties, beyond, roundings } = self;
        write!(f, "{picks:>8} {hits:>8} {wrong:>6} {ties:>10} {beyond:>18} {roundings:>24.1}")
    }
}

/// Makes this many picks on all processors. Each thread takes pieces of the work until none is left.
pub(crate) fn sweep(world: &World, picks: usize) -> Report {
    let (next, report) = (AtomicUsize::new(0), Mutex::new(Report::default()));
    let work = || {
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= picks.div_ceil(PIECE) {
                return;
            }
            let part = pick(world, piece as u64, PIECE.min(picks - piece * PIECE));
            report.lock().expect("no thread has panicked").add(&part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    report.into_inner().expect("no thread has panicked")
}

fn pick(world: &World, seed: u64, picks: usize) -> Report {
    let (mut random, mut report, mut met) = (Random(seed), Report::default(), Vec::new());
    for number in 0..picks {
        let (ray, origin) = cursor(world, &mut random);
        // Holes in the files are ignored here.
        let hit = world.scene.relative_to(origin).cut_outs(CutOuts::Solid).cast(&ray);
        let eye = Eye::new(&ray, origin);
        met.clear();
        world.placed.iter().for_each(|placed| placed.meet(&eye, &mut met));
        report.picks += 1;
        report.hits += usize::from(hit.is_some());
        if let Err(what) = report.judge(hit.as_ref(), &eye, &met) {
            report.wrong += 1;
            if report.wrong <= TOLD {
                println!("{}, piece {seed}, pick {number}: {what}; {hit:?} {ray:?} relative to {origin}", world.name);
            }
        }
    }
    report
}

/// Returns a ray from the window of a camera near a triangle, and the query's origin, which is at the camera or near
/// it.
fn cursor(world: &World, random: &mut Random) -> (Ray, DVec3) {
    let placed = &world.placed[random.below(world.placed.len())];
    let corners = placed.corners[random.below(placed.corners.len())];
    let [a, b, c] = corners.map(|corner| placed.transform.transform_point3(corner));
    let (u, v) = (random.unit().abs(), random.unit().abs());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    let target = a + (b - a) * u + (c - a) * v;
    let size = a.distance(b).max(a.distance(c));
    let eye = target + random.direction() * size.max(1e-3) * [1.0, 5.0, 30.0][random.below(3)];
    let transform = Camera::look_at(eye, target + random.cube() * size, random.direction());
    let camera = transform.and_then(|transform| Camera::perspective(transform, 1.0)).expect("a sound camera");
    let origin = match random.below(3) {
        0 => camera.position() + random.cube() * size,
        _ => camera.position(),
    };
    let anywhere = Vec2::new(WINDOW[0] * random.unit().abs() as f32, WINDOW[1] * random.unit().abs() as f32);
    let on_target = camera.project(target, WINDOW).map_or(anywhere, |projected| projected.pixel);
    let cursor = if random.below(4) == 0 { anywhere } else { on_target };
    (camera.relative_to(origin).ray(cursor, WINDOW), origin)
}

impl Report {
    /// Records a pick, and returns its errors.
    fn judge(&mut self, hit: Option<&Hit<u32>>, eye: &Eye, met: &[Met]) -> Result<(), String> {
        let certain = met.iter().filter(|met| met.verdict == Verdict::Certain);
        let nearest = certain.min_by(|a, b| (a.t + a.doubt).total_cmp(&(b.t + b.doubt)));
        let of = |met: &Met| (met.id, met.part, met.triangle);
        let Some(hit) = hit else {
            return nearest.map_or(Ok(()), |met| Err(format!("{:?} is missed, at {}", of(met), met.t)));
        };
        let picked = (hit.id, hit.part, hit.triangle.unwrap_or(u32::MAX));
        let found = met.iter().find(|met| of(met) == picked);
        let found = found.ok_or("this triangle is not on the ray")?;
        // Hits are ordered by their reported values. If several t are the same f32, the entity inserted first is the
        // answer.
        let is_before = |before: &&Met| ((before.t + before.doubt) as f32) < (found.t - found.doubt) as f32;
        if let Some(before) = nearest.filter(is_before) {
            return Err(format!("{:?} is before it, at {}", of(before), before.t));
        }
        let first = met.iter().filter(|met| met.verdict != Verdict::Out).min_by(|a, b| a.t.total_cmp(&b.t));
        self.ties += usize::from(first.is_none_or(|first| of(first) != picked));

        let rounded = ROUNDED * f64::from(hit.point.abs().max_element());
        let off = hit.point.as_dvec3().distance(eye.at(found.t)) - rounded;
        self.beyond += usize::from(off > 0.0);
        self.roundings = self.roundings.max(off / found.grain);
        if off > found.doubt {
            return Err(format!("the point is off by {off:e} more than f32 rounds; {:e} are allowed", found.doubt));
        }
        let is_near = (f64::from(hit.t) - found.t).abs() <= found.doubt + f64::from(f32::EPSILON) / 2.0 * found.t;
        if is_near { Ok(()) } else { Err(format!("t should be {}", found.t)) }
    }
}
