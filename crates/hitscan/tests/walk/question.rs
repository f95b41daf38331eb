//! What is asked of a scene, and whether the answers are those of the list.

use crate::common::Random;
use crate::list::{Asked, Entry, Expected, List};
use crate::number::coarse_vector;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Candidate, Cull, CutOuts, Filter, Hit, Inside, Query, Ray, Scene, Side};

/// Everything that a query can choose.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) layers: u32,
    pub(crate) cull: Cull,
    pub(crate) inside: Inside,
    pub(crate) cut_outs: CutOuts,
    pub(crate) excluded: Vec<u32>,
    pub(crate) origin: DVec3,
    /// The filter, if there is one, lets through what this divides.
    sieve: Option<u32>,
    /// The filter of entities, likewise.
    coarse_sieve: Option<u32>,
}

/// Rays, all with the same choice.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Which of the scenes that are there; 0 is the one that changes.
    pub(crate) of: usize,
    /// Whose hits are left, in a scene that may be another one.
    pub(crate) leaving: usize,
    rays: Vec<Ray>,
    options: Options,
    first: usize,
}

/// A scene and what it should hold.
pub(crate) type Pair<'a> = (&'a Scene<u32>, &'a List);

impl Options {
    fn random(random: &mut Random, keys: u32) -> Self {
        let plain = Self {
            layers: u32::MAX,
            cull: Cull::None,
            inside: Inside::Exit,
            cut_outs: CutOuts::Open,
            excluded: Vec::new(),
            origin: DVec3::ZERO,
            sieve: None,
            coarse_sieve: None,
        };
        if random.below(3) == 0 {
            return plain;
        }
        Self {
            layers: [u32::MAX, 1, 2, 3][random.below(4)],
            cull: [Cull::None, Cull::None, Cull::Back, Cull::Front][random.below(4)],
            inside: [Inside::Exit, Inside::Solid, Inside::Ignore][random.below(3)],
            cut_outs: [CutOuts::Open, CutOuts::Open, CutOuts::Solid][random.below(3)],
            excluded: (0..[0, 0, 1, 6][random.below(4)]).map(|_| random.below(keys as usize) as u32).collect(),
            origin: [DVec3::ZERO, DVec3::ZERO, random.cube() * 9.0][random.below(3)],
            sieve: [None, None, Some(2)][random.below(3)],
            coarse_sieve: [None, None, Some(2), Some(3)][random.below(4)],
        }
    }

    pub(crate) fn asks_for(&self, entry: &Entry) -> bool {
        entry.layers & self.layers != 0
            && !self.excluded.contains(&entry.key)
            && self.coarse_sieve.is_none_or(|sieve| entry.key.is_multiple_of(sieve))
    }

    pub(crate) fn keeps(&self, key: u32, triangle: u32, side: Side) -> bool {
        let is_culled = match self.cull {
            Cull::None => false,
            Cull::Back => side == Side::Back,
            Cull::Front => side == Side::Front,
        };
        !is_culled && self.sieve.is_none_or(|sieve| (key + triangle).is_multiple_of(sieve))
    }

    fn query(&self) -> Query<u32> {
        let query = Query::new().layers(self.layers).cull(self.cull).inside(self.inside).cut_outs(self.cut_outs);
        self.excluded.iter().fold(query.relative_to(self.origin), |query, &key| query.exclude(key))
    }
}

impl Question {
    /// About one of so many scenes; rays are aimed at what the first one holds.
    pub(crate) fn random(random: &mut Random, list: &List, scenes: usize, keys: u32) -> Self {
        let options = Options::random(random, keys);
        let of = if random.below(4) == 0 { random.below(scenes) } else { 0 };
        let leaving = if random.below(2) == 0 { of } else { random.below(scenes) };
        let rays = (0..1 + random.below(3)).map(|_| ray(random, list, options.origin)).collect();
        Self { of, leaving, rays, options, first: random.below(6) }
    }

    /// How many hits there were; else what is wrong.
    pub(crate) fn ask(&self, pair: Pair<'_>, other: Pair<'_>) -> Result<usize, String> {
        let sieved = |sieve: u32, c: &Candidate<'_, u32>| passes(sieve, c.id + c.triangle.unwrap_or(0));
        let plain = || self.options.query();
        match (self.options.sieve, self.options.coarse_sieve) {
            (None, None) => self.ask_by(pair, other, &plain),
            (Some(sieve), None) => self.ask_by(pair, other, &|| plain().filter(move |c| sieved(sieve, c))),
            (None, Some(coarse)) => self.ask_by(pair, other, &|| plain().filter_entities(move |id| passes(coarse, id))),
            (Some(sieve), Some(coarse)) => self.ask_by(pair, other, &|| {
                plain().filter(move |c| sieved(sieve, c)).filter_entities(move |id| passes(coarse, id))
            }),
        }
    }

    /// Of queries that are made as often as they are needed.
    fn ask_by<F: Filter<u32> + Sync>(
        &self,
        pair: Pair<'_>,
        other: Pair<'_>,
        query: &impl Fn() -> Query<u32, F>,
    ) -> Result<usize, String> {
        let (mut firsts, mut count) = (Vec::new(), 0);
        for ray in &self.rays {
            let all = self.check_ray(pair, ray, query).map_err(|what| format!("{what}; {ray:?}"))?;
            if self.first == 0
                && let Some(hit) = all.last()
            {
                // A range that ends, or begins, at a hit.
                for ray in [ray.with_range(ray.t_min, hit.t), ray.with_range(hit.t, ray.t_max)] {
                    self.check_ray(pair, &ray, query).map_err(|what| format!("{what}; {ray:?}"))?;
                }
            }
            count += all.len();
            firsts.push(all.first().copied());
        }
        let mut batch = vec![None; self.rays.len()];
        pair.0.cast_batch_with(&self.rays, &query(), &mut batch).map_err(|error| error.to_string())?;
        same("a batch", &batch, &firsts)?;
        for ray in &self.rays {
            if let Some(hit) = other.0.cast_with(ray, &query()) {
                // The onward ray of a hit that is so near that its point is the origin is the same ray, which goes on.
                let is_other = |next: &Ray| (next.origin, next.direction) != (ray.origin, ray.direction);
                for ray in [hit.onward(), hit.bounce()].into_iter().filter(is_other) {
                    let told = |what| format!("{what}; {ray:?} after {hit:?}");
                    self.check_leaving(pair, other.1, (&ray, &hit), query).map_err(told)?;
                }
            }
        }
        Ok(count)
    }

    /// Every question that there is about one ray.
    fn check_ray<F: Filter<u32>>(
        &self,
        (scene, list): Pair<'_>,
        ray: &Ray,
        make: &impl Fn() -> Query<u32, F>,
    ) -> Result<Vec<Hit<u32>>, String> {
        let asked = Asked { ray, from: self.options.origin + ray.origin.as_dvec3(), left: None };
        let expected = list.hits(asked, &self.options);
        let (mut all, query) = (Vec::new(), &make());
        scene.cast_all_with(ray, query, &mut all);
        self.compare("all", (&expected.iter().collect::<Vec<_>>(), list), &all, asked)?;
        same("closest", &scene.cast_with(ray, query), &all.first().copied())?;
        same("any", &scene.is_blocked_with(ray, query), &!all.is_empty())?;

        let mut some = Vec::new();
        scene.cast_first_n_with(ray, self.first, query, &mut some);
        same("the first few", &some, &all[..self.first.min(all.len())].to_vec())?;
        scene.cast_entities_with(ray, query, &mut some);
        let mut seen = Vec::new();
        let mut nearest: Vec<&Expected> = expected.iter().collect();
        nearest.retain(|hit| {
            !seen.contains(&hit.place) && {
                seen.push(hit.place);
                true
            }
        });
        self.compare("each entity once", (&nearest, list), &some, asked)?;

        let mut walked = Vec::new();
        while walked.len() <= all.len()
            && let Some(hit) = scene.cast_with(ray, &make().after(walked.last()))
        {
            walked.push(hit);
        }
        same("one after the other", &walked, &all)?;
        Ok(all)
    }

    /// A ray that leaves a hit of perhaps another scene: what it meets of other entities, and of that entity too if it is another one by now. What passes
    /// through the point itself is decided by where the ray came from, which the list does not know; `tests/ricochet` is about that.
    fn check_leaving<F: Filter<u32>>(
        &self,
        (scene, list): Pair<'_>,
        other: &List,
        (ray, hit): (&Ray, &Hit<u32>),
        make: &impl Fn() -> Query<u32, F>,
    ) -> Result<(), String> {
        let stamp = |list: &List| list.find(hit.id).map(|place| list.0[place].stamp);
        let is_left = |id: u32| id == hit.id && stamp(list) == stamp(other);
        let asked = Asked { ray, from: hit.point_f64(), left: Some(hit) };
        let mut all = Vec::new();
        scene.cast_all_with(ray, &make().after(hit), &mut all);
        let is_ahead = |t: f32| (t * ray.direction.length()).abs() > AT_THE_POINT;
        all.retain(|hit| !is_left(hit.id) && is_ahead(hit.t));
        let expected = list.hits(asked, &self.options);
        let counts = |hit: &&Expected| !is_left(list.0[hit.place].key) && is_ahead(hit.t);
        let expected: Vec<&Expected> = expected.iter().filter(counts).collect();
        self.compare("leaving", (&expected, list), &all, asked)
    }

    fn compare(
        &self,
        what: &str,
        (expected, list): (&[&Expected], &List),
        hits: &[Hit<u32>],
        asked: Asked<'_>,
    ) -> Result<(), String> {
        let origin = self.options.origin;
        let is_equal = |(expected, hit): (&&Expected, &Hit<u32>)| expected.is(hit, list, asked, origin);
        if expected.len() == hits.len() && expected.iter().zip(hits).all(is_equal) {
            return Ok(());
        }
        let place = expected.iter().zip(hits).position(|pair| !is_equal(pair));
        let place = place.unwrap_or(expected.len().min(hits.len()));
        let wanted = expected.get(place).map(|hit| (list.0[hit.place].key, hit.part, hit.t, hit.side));
        let entry = wanted.and_then(|(key, ..)| list.find(key)).map(|place| list.0[place].transform);
        Err(format!(
            "{what}: {} hits, expected {}; number {place} is {:?}, expected {wanted:?} (of an entity at {entry:?})",
            hits.len(),
            expected.len(),
            hits.get(place),
        ))
    }
}

/// A surface that is met no farther than this from the point that a ray leaves may pass through it: a thousand times what rounding makes of these coordinates, at a
/// grazing angle.
const AT_THE_POINT: f32 = 1e-5;

fn passes(sieve: u32, number: u32) -> bool {
    number.is_multiple_of(sieve)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

/// At entities, from anywhere, at times along an axis or past all of them.
fn ray(random: &mut Random, list: &List, origin: DVec3) -> Ray {
    let target = match list.0.len() {
        0 => random.cube(),
        count => {
            let near = coarse_vector(random);
            list.0[random.below(count)].transform.transform_point3(near)
        }
    };
    let from = match random.below(4) {
        0 => target + DVec3::AXES[random.below(3)] * [4.0, -7.0][random.below(2)],
        1 => target + coarse_vector(random),
        _ => coarse_vector(random) * 16.0,
    };
    let round = |point: DVec3| (point - origin).as_vec3();
    let (from, way) = (round(from), round(target) - round(from));
    let ray = match random.below(3) {
        0 => Ray::new(from, way),
        1 => Ray::with_direction(from, way),
        _ => Ray::with_direction(from, Vec3::AXES[random.below(3)] * [1.0, -0.5][random.below(2)]),
    };
    match random.below(6) {
        0 => ray.with_range(0.0, 4.0),
        1 => ray.with_range(-3.0, 5.0),
        2 => ray.with_range(f32::NEG_INFINITY, f32::INFINITY),
        _ => ray,
    }
}
