//! The questions of the library to a hard scene.

use super::scenes::Stressed;
use crate::random::Random;
use anyhow::Result;
use hitscan::glam::{DVec3, Vec2};
use hitscan::prelude::*;
use hitscan::select::{Region, Selector};
use hitscan::snap::{Cursor, SnapKind};

/// The number of places in each scene at which a query is run.
pub(in crate::counts) const PLACES: usize = 8;

/// A place at which queries are run. Half of the places are near the middle of the scene.
struct Place {
    at: DVec3,
    /// A direction of unit length, which leads to the place.
    along: DVec3,
}

impl Place {
    fn ray(&self, radius: f64) -> Ray {
        Ray::new((self.at - self.along * (3.0 * radius)).as_vec3(), self.along.as_vec3())
    }

    fn motion(&self, radius: f64) -> DVec3 {
        self.along * (2.0 * radius)
    }
}

/// A scene with everything that the questions need.
pub(super) struct Asked {
    stressed: Stressed,
    places: Vec<Place>,
    /// Hits at which rays begin.
    hits: Vec<(Hit<u32>, Ray)>,
    /// The same scene for each place, with an additional entity at the place.
    pairs: Vec<Scene<u32>>,
    hero: Character,
    camera: Camera,
    selector: Selector,
    visible: Selector,
}

const PROBE: u32 = u32::MAX;
const VIEWPORT: [f32; 2] = [1280.0, 720.0];

impl Asked {
    pub(super) fn new(stressed: Stressed) -> Result<Self> {
        let Stressed { middle, radius, .. } = stressed;
        let mut random = Random::new(29);
        let places: Vec<Place> = (0..PLACES)
            .map(|number| {
                let reach = if number % 2 == 0 { 0.02 } else { 1.0 } * radius;
                let offset = random.point(DVec3::splat(-reach), DVec3::splat(reach));
                Place { at: middle + offset, along: random.direction() }
            })
            .collect();
        let along_surface = |hit: &Hit<u32>, random: &mut Random| {
            let (aside, normal) = (random.direction().as_vec3(), hit.normal);
            Ray::new(hit.point, aside - normal * normal.dot(aside))
        };
        let hits = places.iter().filter_map(|place| stressed.scene.cast(&place.ray(radius)));
        let hits = hits.map(|hit| (hit, along_surface(&hit, &mut random))).collect();
        let with_probe = |place: &Place| -> Result<Scene<u32>> {
            let mut scene = stressed.scene.clone();
            scene.insert(PROBE, stressed.long(), place.at)?;
            Ok(scene)
        };
        let pairs = places.iter().map(with_probe).collect::<Result<_>>()?;
        let eye = middle + DVec3::new(0.5, 1.0, 2.5) * radius;
        let camera = Camera::perspective(Camera::look_at(eye, middle, DVec3::Y)?, 1.0)?;
        let selector = Selector::new(&camera, VIEWPORT, &Region::rect([600.0, 320.0], [680.0, 400.0])?);
        let visible = selector.clone().visible(4.0)?;
        let hero = Character::new(Capsule::new(0.3, 1.8))?;
        Ok(Self { stressed, places, hits, pairs, hero, camera, selector, visible })
    }

    fn rays(&self) -> impl Iterator<Item = Ray> {
        self.places.iter().map(|place| place.ray(self.stressed.radius))
    }

    fn cursor(&self, place: &Place) -> Cursor {
        let projected = self.camera.project(place.at, VIEWPORT).map_or(Vec2::ZERO, |projected| projected.pixel);
        Cursor::new(&self.camera, VIEWPORT, projected, 8.0)
    }
}

/// A query that is run at all places.
pub(super) struct Question {
    pub(super) name: &'static str,
    /// Runs the query, and returns the number of answers.
    pub(super) ask: fn(&Asked) -> usize,
}

/// The questions that compare every contact with all triangles around it.
pub(super) const CONTACTS: [Question; 3] = [
    Question {
        name: "penetration",
        ask: |asked| {
            let penetration =
                |place: &&Place| asked.stressed.scene.penetration(asked.stressed.small(), place.at).is_some();
            asked.places.iter().filter(penetration).count()
        },
    },
    Question { name: "contact_points", ask: contact_points },
    Question { name: "move_and_slide", ask: walk },
];

pub(super) const QUESTIONS: [Question; 12] = [
    Question { name: "cast", ask: |asked| asked.rays().filter_map(|ray| asked.stressed.scene.cast(&ray)).count() },
    Question {
        name: "is_blocked",
        ask: |asked| asked.rays().filter(|ray| asked.stressed.scene.is_blocked(ray)).count(),
    },
    Question { name: "cast_all", ask: cast_all },
    Question { name: "cast_first_n", ask: cast_first_n },
    Question {
        name: "cast, after a hit",
        ask: |asked| asked.hits.iter().filter_map(|(hit, ray)| asked.stressed.scene.after(hit).cast(ray)).count(),
    },
    Question {
        name: "overlaps",
        ask: |asked| {
            asked.places.iter().filter(|place| asked.stressed.scene.overlaps(asked.stressed.small(), place.at)).count()
        },
    },
    Question {
        name: "closest_point",
        ask: |asked| asked.places.iter().filter_map(|place| asked.stressed.scene.closest_point(place.at)).count(),
    },
    Question {
        name: "pair.distance",
        ask: |asked| asked.pairs.iter().filter_map(|scene| scene.pair(&0, &PROBE).distance()).count(),
    },
    Question { name: "sweep", ask: sweep },
    Question {
        name: "snap.nearest",
        ask: |asked| {
            let nearest = |place| asked.cursor(place).nearest(&asked.stressed.scene, &SnapKind::ALL);
            asked.places.iter().filter_map(nearest).count()
        },
    },
    Question { name: "select.entities", ask: |asked| selected(asked, asked.selector.clone()) },
    Question { name: "select.entities, visible", ask: |asked| selected(asked, asked.visible.clone()) },
];

fn cast_all(asked: &Asked) -> usize {
    let mut hits = Vec::new();
    asked
        .rays()
        .map(|ray| {
            asked.stressed.scene.cast_all(&ray, &mut hits);
            hits.len()
        })
        .sum()
}

fn cast_first_n(asked: &Asked) -> usize {
    let mut hits = Vec::new();
    asked
        .rays()
        .map(|ray| {
            asked.stressed.scene.cast_first_n(&ray, 8, &mut hits);
            hits.len()
        })
        .sum()
}

fn sweep(asked: &Asked) -> usize {
    let hit = |place: &Place| {
        let motion = place.motion(asked.stressed.radius);
        asked.stressed.scene.sweep(asked.stressed.long(), place.at - motion, motion)
    };
    asked.places.iter().filter_map(hit).count()
}

fn contact_points(asked: &Asked) -> usize {
    let mut points = Vec::new();
    asked
        .places
        .iter()
        .map(|place| {
            asked.stressed.scene.contact_points(asked.stressed.small(), place.at, &mut points);
            points.len()
        })
        .sum()
}

/// Moves a character three times from each place, and returns the number of moves with contacts.
fn walk(asked: &Asked) -> usize {
    let moved = |place: &Place| {
        let mut state = CharacterState::new(place.at);
        let walk = |_| asked.hero.move_and_slide(&asked.stressed.scene, &mut state, place.along * 5.0, 1.0 / 60.0);
        (0..3).map(walk).filter(|moved| !moved.contacts.is_empty()).count()
    };
    asked.places.iter().map(moved).sum()
}

/// Returns the number of entities in a rectangle of 80 by 80 pixels in the middle of the picture.
fn selected(asked: &Asked, selector: Selector) -> usize {
    let mut found = Vec::new();
    selector.entities(&asked.stressed.scene, &mut found);
    found.len()
}
