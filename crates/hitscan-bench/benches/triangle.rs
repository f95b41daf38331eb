//! Several algorithms for one triangle: the collision matrix, the certified `Triangle`, and plain Möller-Trumbore in
//! f32 and f64.
//!
//! The contenders alternate within each measured iteration, so that the load of the machine affects all of them
//! equally. Their answers are compared before that. The benchmark ends with a table of ratios: time relative to
//! `Triangle`, as medians over all iterations.

use criterion::Criterion;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{CollisionMatrix, Ray, Side, Triangle};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Each triangle is tested with many lines in sequence, because a precomputed matrix is meant for that. There are more
/// lines than a branch predictor can remember.
const TRIANGLES: usize = 64;
const LINES_PER_TRIANGLE: usize = 128;

struct Target {
    triangle: Triangle,
    matrix: CollisionMatrix,
    matrix_f32: MatrixF32,
}

/// A line in two forms: a segment that crosses the triangle's plane, and a ray without a range.
struct Line {
    j: Vec3,
    k: Vec3,
    ray: Ray,
}

/// The answer of every contender: t, u, v, unit normal, front.
type Answer = (f32, f32, f32, Vec3, bool);

/// An xorshift generator, so that the cases are the same in every run.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }
}

type Cases = Vec<(Target, Vec<Line>)>;

/// Returns triangles of about unit size around the origin, without slivers, and lines aimed at points in their planes,
/// `hit_percent` of them inside. No point is so close to an edge that a computation in f32 could give another verdict.
fn cases(hit_percent: u32) -> Cases {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut cases = Vec::with_capacity(TRIANGLES);
    while cases.len() < TRIANGLES {
        let [a, b, c] = [random.vector(), random.vector(), random.vector()];
        if (b - a).cross(c - a).length() < 0.2 {
            continue;
        }
        let target = Target {
            triangle: Triangle::new(a, b, c),
            matrix: CollisionMatrix::new(a, b, c).expect("an area"),
            matrix_f32: MatrixF32::new(a, b, c),
        };
        let lines = (0..LINES_PER_TRIANGLE).map(|_| line(&mut random, [a, b, c], hit_percent)).collect();
        cases.push((target, lines));
    }
    cases
}

fn line(random: &mut Random, [a, b, c]: [Vec3; 3], hit_percent: u32) -> Line {
    let wanted = random.unit() * 100.0 < hit_percent as f32;
    loop {
        let (u, v) = (random.unit() * 3.0 - 1.0, random.unit() * 3.0 - 1.0);
        let margin = u.min(v).min(1.0 - u - v);
        let target = a + (b - a) * u + (c - a) * v;
        let (j, beyond) = (random.vector() * 5.0, 0.5 + random.unit());
        let cos = (target - j).normalize().dot((b - a).cross(c - a).normalize());
        if (margin > 0.0) == wanted && margin.abs() > 1e-3 && cos.abs() > 0.1 {
            return Line { j, k: j + (target - j) * (1.0 + beyond), ray: Ray::new(j, target - j) };
        }
    }
}

/// The collision matrix in f32: half the memory, and half of the digits.
struct MatrixF32 {
    corner: Vec3,
    u: Vec3,
    v: Vec3,
    z: Vec3,
}

impl MatrixF32 {
    fn new(a: Vec3, b: Vec3, c: Vec3) -> Self {
        let [e, f] = [b - a, c - a].map(|v| v.as_dvec3());
        let n = e.cross(f);
        let [u, v] = [f.cross(n), n.cross(e)].map(|v| (v / n.length_squared()).as_vec3());
        Self { corner: a, u, v, z: n.normalize().as_vec3() }
    }

    fn segment(&self, j: Vec3, k: Vec3) -> Option<Answer> {
        let (j, k) = (j - self.corner, k - self.corner);
        let (j_z, k_z) = (self.z.dot(j), self.z.dot(k));
        if !(j_z.min(k_z) <= 0.0 && j_z.max(k_z) >= 0.0) {
            return None;
        }
        let t = j_z / (j_z - k_z);
        let (j_u, k_u, j_v, k_v) = (self.u.dot(j), self.u.dot(k), self.v.dot(j), self.v.dot(k));
        self.answer(t, j_u + t * (k_u - j_u), j_v + t * (k_v - j_v), j_z > 0.0)
    }

    fn ray(&self, ray: &Ray) -> Option<Answer> {
        let (o, d) = (ray.origin - self.corner, ray.direction);
        let (o_z, d_z) = (self.z.dot(o), self.z.dot(d));
        let t = -o_z / d_z;
        if !(ray.t_min <= t && t <= ray.t_max) {
            return None;
        }
        self.answer(t, self.u.dot(o) + t * self.u.dot(d), self.v.dot(o) + t * self.v.dot(d), d_z < 0.0)
    }

    fn answer(&self, t: f32, u: f32, v: f32, front: bool) -> Option<Answer> {
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some((t, u, v, self.z, front))
    }
}

/// The textbook form of Möller-Trumbore.
macro_rules! moller_trumbore {
    ($name:ident, $float:ty, $vector:ty, $from:expr) => {
        fn $name(triangle: &Triangle, origin: Vec3, direction: Vec3, t_min: f32, t_max: f32) -> Option<Answer> {
            let from: fn(Vec3) -> $vector = $from;
            let [a, b, c, o, d] = [triangle.a, triangle.b, triangle.c, origin, direction].map(from);
            let (e, f, s) = (b - a, c - a, o - a);
            let p = d.cross(f);
            let determinant = e.dot(p);
            if determinant == 0.0 {
                return None;
            }
            let inverse = 1.0 / determinant;
            let u = s.dot(p) * inverse;
            if !(0.0..=1.0).contains(&u) {
                return None;
            }
            let q = s.cross(e);
            let v = d.dot(q) * inverse;
            if !(v >= 0.0 && u + v <= 1.0) {
                return None;
            }
            let t = f.dot(q) * inverse;
            if !(<$float>::from(t_min) <= t && t <= <$float>::from(t_max)) {
                return None;
            }
            let normal = e.cross(f).normalize();
            let normal = Vec3::new(normal.x as f32, normal.y as f32, normal.z as f32);
            Some((t as f32, u as f32, v as f32, normal, determinant > 0.0))
        }
    };
}

moller_trumbore!(plain_f32, f32, Vec3, |v| v);
moller_trumbore!(plain_f64, f64, DVec3, |v| v.as_dvec3());

fn answer(hit: hitscan::query::ShapeHit) -> Answer {
    let uv = hit.uv.expect("a triangle's");
    (hit.t, uv.x, uv.y, hit.normal, hit.side == Side::Front)
}

type Contender<T> = (&'static str, fn(&Target, &Line) -> T);

/// The segment query and its contenders, the first of which is the reference.
const SEGMENT: [Contender<Option<Answer>>; 5] = [
    ("Triangle", |at, l| at.triangle.cast(&Ray::between(l.j, l.k)).map(answer)),
    ("CollisionMatrix", |at, l| {
        let hit = at.matrix.collide_segment(l.j, l.k)?;
        Some((hit.fraction, hit.u, hit.v, at.matrix.normal(), hit.side == Side::Front))
    }),
    ("collision matrix, f32", |at, l| at.matrix_f32.segment(l.j, l.k)),
    ("plain f64", |at, l| plain_f64(&at.triangle, l.j, l.k - l.j, 0.0, 1.0)),
    ("plain f32", |at, l| plain_f32(&at.triangle, l.j, l.k - l.j, 0.0, 1.0)),
];

const RAY: [Contender<Option<Answer>>; 5] = [
    ("Triangle", |at, l| at.triangle.cast(&l.ray).map(answer)),
    ("CollisionMatrix", |at, l| at.matrix.cast(&l.ray).map(answer)),
    ("collision matrix, f32", |at, l| at.matrix_f32.ray(&l.ray)),
    ("plain f64", |at, l| plain_f64(&at.triangle, l.ray.origin, l.ray.direction, l.ray.t_min, l.ray.t_max)),
    ("plain f32", |at, l| plain_f32(&at.triangle, l.ray.origin, l.ray.direction, l.ray.t_min, l.ray.t_max)),
];

/// The query for a boolean answer. The rest of the answer is dropped, so the compiler does not compute it.
const BLOCKED: [Contender<bool>; 5] = [
    ("Triangle", |at, l| at.triangle.is_blocked(&l.ray)),
    ("CollisionMatrix", |at, l| at.matrix.is_blocked(&l.ray)),
    ("collision matrix, f32", |at, l| RAY[2].1(at, l).is_some()),
    ("plain f64", |at, l| plain_f64(&at.triangle, l.ray.origin, l.ray.direction, l.ray.t_min, l.ray.t_max).is_some()),
    ("plain f32", |at, l| plain_f32(&at.triangle, l.ray.origin, l.ray.direction, l.ray.t_min, l.ray.t_max).is_some()),
];

/// Panics if the verdicts of the contenders differ, or if their numbers are not nearly equal.
fn check(cases: &Cases) {
    for (at, line) in cases.iter().flat_map(|(at, lines)| lines.iter().map(move |line| (at, line))) {
        for contenders in [SEGMENT, RAY] {
            let expected = contenders[0].1(at, line);
            for (name, ask) in contenders {
                let given = ask(at, line);
                assert!(agree(expected, given), "{name} says {given:?}, not {expected:?}");
            }
        }
        let blocked = RAY[0].1(at, line).is_some();
        assert!(BLOCKED.iter().all(|(_, ask)| ask(at, line) == blocked));
        assert_eq!(at.matrix.segment_is_blocked(line.j, line.k), SEGMENT[0].1(at, line).is_some());
    }
}

fn agree(expected: Option<Answer>, given: Option<Answer>) -> bool {
    match (expected, given) {
        (None, None) => true,
        (Some(e), Some(g)) => {
            let off = (e.0 - g.0).abs().max((e.1 - g.1).abs()).max((e.2 - g.2).abs());
            off < 1e-3 && e.3.distance(g.3) < 1e-4 && e.4 == g.4
        }
        _ => false,
    }
}

/// Times the contenders in turn, each over all cases. Returns a row of the table: the time of each contender divided by
/// the time of the first.
fn race<T>(criterion: &mut Criterion, name: &str, cases: &Cases, contenders: &[Contender<T>]) -> String {
    let mut rounds: Vec<Vec<Duration>> = Vec::new();
    let mut group = criterion.benchmark_group(name);
    for (mine, (contender, _)) in contenders.iter().enumerate() {
        group.bench_function(*contender, |bencher| {
            bencher.iter_custom(|iterations| {
                let mut total = Duration::ZERO;
                for _ in 0..iterations {
                    let round: Vec<Duration> = contenders.iter().map(|(_, ask)| time(cases, *ask)).collect();
                    total += round[mine];
                    rounds.push(round);
                }
                total
            });
        });
    }
    group.finish();
    let ratios = (0..contenders.len()).map(|i| {
        let mut ratios: Vec<f64> = rounds.iter().map(|r| r[i].as_secs_f64() / r[0].as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        format!(" {:.2} |", ratios[ratios.len() / 2])
    });
    format!("| {name} |{}", ratios.collect::<String>())
}

fn time<T>(cases: &Cases, ask: fn(&Target, &Line) -> T) -> Duration {
    let start = Instant::now();
    for (target, lines) in cases {
        for line in lines {
            black_box(ask(black_box(target), black_box(line)));
        }
    }
    start.elapsed()
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    let mut table = Vec::new();
    for hit_percent in [10, 50, 90] {
        let cases = cases(hit_percent);
        check(&cases);
        table.push(race(&mut criterion, &format!("segment, {hit_percent} % hit"), &cases, &SEGMENT));
        table.push(race(&mut criterion, &format!("ray, {hit_percent} % hit"), &cases, &RAY));
        table.push(race(&mut criterion, &format!("ray, bool, {hit_percent} % hit"), &cases, &BLOCKED));
    }
    criterion.final_summary();
    println!("time relative to Triangle (below 1 is faster)\n");
    println!("| |{}", SEGMENT.map(|(name, _)| format!(" {name} |")).concat());
    println!("|---|{}", "---|".repeat(SEGMENT.len()));
    table.sort();
    table.iter().for_each(|row| println!("{row}"));
}
