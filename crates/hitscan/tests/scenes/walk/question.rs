//! Questions to a scene, and the comparison of the answers with the list.

use crate::common::Random;
use crate::walk::list::{Asked, Entry, Expected, List};
use crate::walk::number::coarse_vector;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::RayView;
use hitscan::{Cull, CutOuts, Filter, Hit, Inside, Ray, RayQueries, Scene, Side};

/// All options of a filter and a view.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) layers: u32,
    pub(crate) cull: Cull,
    pub(crate) inside: Inside,
    pub(crate) cut_outs: CutOuts,
    pub(crate) excluded: Vec<u32>,
    pub(crate) origin: DVec3,
    /// A divisor for the filter of hits, if it is set. The filter accepts a hit if the sum of its key and its triangle
    /// is a multiple of it.
    sieve: Option<u32>,
    /// If set, the filter of entities accepts keys that are multiples of this.
    coarse_sieve: Option<u32>,
}

/// Rays that share their options.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The index of the scene to query; 0 is the scene that changes.
    pub(crate) of: usize,
    /// The index of the scene whose hits the rays leave, which may be another scene.
    pub(crate) leaving: usize,
    rays: Vec<Ray>,
    options: Options,
    first: usize,
}

/// A scene and its expected content.
pub(crate) type Pair<'a> = (&'a Scene<u32>, &'a List);
/// A view of a scene, and the scene's expected content.
type Asking<'a> = (RayView<'a, u32>, &'a List);

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

    fn filter(&self) -> Filter<'static, u32> {
        let filter = Filter::new().layers(self.layers).cull(self.cull);
        let filter = self.excluded.iter().fold(filter, |filter, &key| filter.exclude(key));
        let filter = match self.sieve {
            Some(sieve) => filter.hits(move |of| passes(sieve, of.id + of.triangle.unwrap_or(0))),
            None => filter,
        };
        match self.coarse_sieve {
            Some(sieve) => filter.entities(move |id| passes(sieve, id)),
            None => filter,
        }
    }

    /// Returns the view with these options and a filter.
    fn view<'a>(&self, scene: &'a Scene<u32>, filter: &'a Filter<'a, u32>) -> RayView<'a, u32> {
        scene.with(filter).relative_to(self.origin).when_inside(self.inside).cut_outs(self.cut_outs)
    }
}

impl Question {
    /// Returns a question about one of several scenes. The rays are aimed at the content of the first scene.
    pub(crate) fn random(random: &mut Random, list: &List, scenes: usize, keys: u32) -> Self {
        let options = Options::random(random, keys);
        let of = if random.below(4) == 0 { random.below(scenes) } else { 0 };
        let leaving = if random.below(2) == 0 { of } else { random.below(scenes) };
        let rays = (0..1 + random.below(3)).map(|_| ray(random, list, options.origin)).collect();
        Self { of, leaving, rays, options, first: random.below(6) }
    }

    /// Returns the number of hits, or a description of the error.
    pub(crate) fn ask(&self, pair: Pair<'_>, other: Pair<'_>) -> Result<usize, String> {
        let filter = self.options.filter();
        let (view, other_view) = (self.options.view(pair.0, &filter), self.options.view(other.0, &filter));
        let (mut firsts, mut count) = (Vec::new(), 0);
        for ray in &self.rays {
            let all = self.check_ray((view, pair.1), ray).map_err(|what| format!("{what}; {ray:?}"))?;
            if self.first == 0
                && let Some(hit) = all.last()
            {
                // The range begins or ends at a hit.
                for ray in [ray.with_range(ray.t_min, hit.t), ray.with_range(hit.t, ray.t_max)] {
                    self.check_ray((view, pair.1), &ray).map_err(|what| format!("{what}; {ray:?}"))?;
                }
            }
            self.check_sight((view, pair.1), ray)?;
            count += all.len();
            firsts.push(all.first().copied());
        }
        let mut batch = vec![None; self.rays.len()];
        view.cast_batch(&self.rays, &mut batch).map_err(|error| error.to_string())?;
        same("a batch", &batch, &firsts)?;
        for ray in &self.rays {
            if let Some(hit) = other_view.cast(ray) {
                // If the point of a hit is the ray's origin, the onward ray is the same ray. It continues, and does not
                // start anew at the hit.
                let is_other = |next: &Ray| (next.origin, next.direction) != (ray.origin, ray.direction);
                for ray in [hit.onward(), hit.bounce()].into_iter().filter(is_other) {
                    let told = |what| format!("{what}; {ray:?} after {hit:?}");
                    self.check_leaving((view, pair.1), other.1, (&ray, &hit)).map_err(told)?;
                }
            }
        }
        Ok(count)
    }

    /// Queries whether the point of a ray at t = 1 is visible from its origin. The list computes this from the hits between the two points.
    fn check_sight(&self, (view, list): Asking<'_>, ray: &Ray) -> Result<(), String> {
        let (eye, point) = (ray.origin, ray.origin + ray.direction);
        let sight = Ray::between(eye, point);
        let asked = Asked { ray: &sight, from: self.options.origin + eye.as_dvec3(), left: None };
        let is_clear = eye == point || list.hits(asked, &self.options).is_empty();
        same("sees", &view.sees(eye, point), &is_clear).map_err(|what| format!("{what}; {sight:?}"))
    }

    /// Calls every query for one ray.
    fn check_ray(&self, (view, list): Asking<'_>, ray: &Ray) -> Result<Vec<Hit<u32>>, String> {
        let asked = Asked { ray, from: self.options.origin + ray.origin.as_dvec3(), left: None };
        let expected = list.hits(asked, &self.options);
        let mut all = Vec::new();
        view.cast_all(ray, &mut all);
        self.compare("all", (&expected.iter().collect::<Vec<_>>(), list), &all, asked)?;
        same("closest", &view.cast(ray), &all.first().copied())?;
        same("any", &view.is_blocked(ray), &!all.is_empty())?;

        let mut some = Vec::new();
        view.cast_first_n(ray, self.first, &mut some);
        same("the first few", &some, &all[..self.first.min(all.len())].to_vec())?;
        view.cast_entities(ray, &mut some);
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
            && let Some(hit) = view.after(walked.last()).cast(ray)
        {
            walked.push(hit);
        }
        same("one after the other", &walked, &all)?;
        Ok(all)
    }

    /// Checks a ray that leaves a hit, perhaps of another scene. It may hit other entities, and the same entity if
    /// that has been replaced. Whether the ray passes through the point itself depends on its previous path, which the
    /// list does not know. The tests in `tests/ricochet` cover that.
    fn check_leaving(
        &self,
        (view, list): Asking<'_>,
        other: &List,
        (ray, hit): (&Ray, &Hit<u32>),
    ) -> Result<(), String> {
        let stamp = |list: &List| list.find(hit.id).map(|place| list.0[place].stamp);
        let is_left = |id: u32| id == hit.id && stamp(list) == stamp(other);
        let asked = Asked { ray, from: hit.point_f64(), left: Some(hit) };
        let mut all = Vec::new();
        view.after(hit).cast_all(ray, &mut all);
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

/// A surface that is within this distance from the point that a ray leaves may pass through that point. The distance is
/// a thousand times the rounding error of these coordinates, at a grazing angle.
const AT_THE_POINT: f32 = 1e-5;

fn passes(sieve: u32, number: u32) -> bool {
    number.is_multiple_of(sieve)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

/// Returns a ray aimed at an entity, from any point, sometimes along an axis or past all entities.
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
