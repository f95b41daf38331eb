//! A random scene, and the input of random questions about it.

use crate::log::Log;
use crate::numbers::Numbers;
use crate::windows::PressBook;
use hitscan::glam::{DVec3, Vec3};
use hitscan::pairs::PairTracker;
use hitscan::query::{RayView, SweepView};
use hitscan::{ContactFilter, Cull, CutOuts, Filter, Hit, Inside, Ray, RayQueries, Scene, SweepQueries, View};

/// There are few keys, so that they are used again.
pub(crate) type Key = u32;
pub(crate) const KEYS: usize = 50;

pub(crate) struct World<'a> {
    pub(crate) scene: Scene<Key>,
    pub(crate) numbers: Numbers,
    pub(crate) log: &'a mut Log,
    /// A hit of an earlier ray, perhaps of a scene that has changed since.
    pub(crate) hit: Option<Hit<Key>>,
    pub(crate) tracker: PairTracker<Key>,
    pub(crate) presses: PressBook,
}

/// All options of a filter and a view.
#[derive(Default)]
pub(crate) struct Choice {
    pub(crate) filter: Filter<'static, Key>,
    origin: DVec3,
    inside: Inside,
    cut_outs: CutOuts,
    contacts: ContactFilter,
    after: Option<Hit<Key>>,
}

impl Choice {
    /// Returns the view for questions about a place.
    pub(crate) fn view<'a>(&'a self, scene: &'a Scene<Key>) -> View<'a, Key> {
        scene.with(&self.filter).relative_to(self.origin)
    }

    /// Returns the view for questions about rays.
    pub(crate) fn rays<'a>(&'a self, scene: &'a Scene<Key>) -> RayView<'a, Key> {
        self.view(scene).when_inside(self.inside).cut_outs(self.cut_outs).after(self.after.as_ref())
    }

    /// Returns the view for questions about sweeps.
    pub(crate) fn sweeps<'a>(&'a self, scene: &'a Scene<Key>) -> SweepView<'a, Key> {
        self.view(scene).contact_filter(self.contacts)
    }
}

impl<'a> World<'a> {
    pub(crate) fn new(seed: u64, log: &'a mut Log) -> Self {
        Self {
            scene: Scene::new(),
            numbers: Numbers::new(seed),
            log,
            hit: None,
            tracker: PairTracker::new(),
            presses: PressBook::default(),
        }
    }

    pub(crate) fn key(&mut self) -> Key {
        self.numbers.below(KEYS) as Key
    }

    /// Returns the key of an entity in the scene, if there is any.
    pub(crate) fn present_key(&mut self) -> Key {
        let keys: Vec<Key> = self.scene.iter().map(|(key, _)| key).collect();
        if keys.is_empty() || self.numbers.one_in(10) { self.key() } else { self.numbers.pick(&keys) }
    }

    /// Returns a point that is often a feature of an entity. It is a corner of its bounds, or the middle of an
    /// edge, of a face or of the whole bounds.
    pub(crate) fn point(&mut self) -> DVec3 {
        match self.numbers.below(5) {
            0 => self.numbers.dvec3(),
            1 => self.hit.as_ref().map_or(DVec3::ZERO, Hit::point_f64),
            _ => self.point_of_entity().unwrap_or_else(|| self.numbers.dvec3()),
        }
    }

    fn point_of_entity(&mut self) -> Option<DVec3> {
        let key = self.present_key();
        let bounds = self.scene.bounds_of(&key)?;
        let weights = DVec3::from_array([(); 3].map(|()| self.numbers.pick(&[0.0, 0.5, 1.0, 0.25, 1.5, -0.5])));
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        Some(min + (max - min) * weights).filter(|point| point.is_finite())
    }

    pub(crate) fn ray(&mut self) -> Ray {
        let (a, b) = (self.point().as_vec3(), self.point().as_vec3());
        let ray = match self.numbers.below(6) {
            0 => Ray::new(a, b - a),
            1 => Ray::between(a, b),
            2 => Ray::new(a, Vec3::AXES[self.numbers.below(3)] * self.numbers.pick(&[1.0, -1.0])),
            3 => Ray::with_direction(a, self.numbers.vec3()),
            4 => Ray::new(a, self.numbers.vec3()),
            _ => Ray::with_direction(a, b - a),
        };
        match self.numbers.below(6) {
            0 => ray.with_range(self.numbers.f32(), self.numbers.f32()),
            1 => ray.with_range(f32::NEG_INFINITY, f32::INFINITY),
            2 => ray.with_range(0.0, self.numbers.size()),
            _ => ray,
        }
    }

    /// Returns a choice of options, and a description of it.
    pub(crate) fn choice(&mut self) -> (Choice, String) {
        let numbers = &mut self.numbers;
        if numbers.one_in(3) {
            return (Choice::default(), String::from("any"));
        }
        let cull = numbers.pick(&[Cull::None, Cull::None, Cull::Back, Cull::Front]);
        let inside = numbers.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]);
        let cut_outs = numbers.pick(&[CutOuts::Open, CutOuts::Solid]);
        let contacts = numbers.pick(&[ContactFilter::All, ContactFilter::Ahead]);
        let layers = numbers.pick(&[u32::MAX, u32::MAX, 1, 2, 0]);
        let origin = if numbers.one_in(4) { numbers.dvec3() } else { DVec3::ZERO };
        let mut filter = Filter::new().cull(cull).layers(layers);
        let excluded = self.numbers.one_in(4).then(|| self.present_key());
        if let Some(key) = excluded {
            filter = filter.exclude(key);
        }
        let after = self.hit.filter(|_| self.numbers.one_in(3));
        let words = format!(
            "{cull:?} {inside:?} {cut_outs:?} {contacts:?} layers {layers} origin {origin:?} without {excluded:?} after {after:?}"
        );
        (Choice { filter, origin, inside, cut_outs, contacts, after }, words)
    }
}
