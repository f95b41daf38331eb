//! The placement of all entities and cameras of the village.

use super::modeller::Part;
use super::random::Random;
use super::stuff::Stuff;
use super::terrain::{ground, height, on_ground};
use super::things;
use crate::material::{Paint, Primitive};
use crate::model::{Entity, NamedCamera, Projection};
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::{Compound, Geometry, Sphere};
use std::sync::Arc;

/// Houses that share one mesh, with the materials of its walls and roof.
type Row = (Stuff, Stuff, &'static [House]);
/// Name, x, z, rotation in degrees, and scale, where a negative factor mirrors.
type House = (&'static str, f64, f64, f64, [f64; 3]);

const COTTAGES: [Row; 3] = [
    (
        Stuff::Plaster,
        Stuff::Tiles,
        &[
            ("Bakery", 0.0, 0.0, 25.0, [1.0, 1.0, 1.0]),
            ("Smithy", -10.5, 2.5, 70.0, [1.1, 0.9, 1.0]),
            ("Ferry house", 12.5, 4.5, -70.0, [-1.0, 1.0, 1.0]),
        ],
    ),
    (
        Stuff::Ochre,
        Stuff::Tiles,
        &[("Inn", 9.5, -6.5, -20.0, [1.5, 1.35, 1.3]), ("School", -4.5, -10.5, 5.0, [-1.7, 1.1, 1.2])],
    ),
    (
        Stuff::Plaster,
        Stuff::Thatch,
        &[("Cottage", -15.0, -6.0, 40.0, [0.8, 0.8, 0.8]), ("Weaver's house", -7.0, 11.0, 120.0, [0.9, 1.2, -0.9])],
    ),
];

const FENCE: [[f64; 2]; 5] = [[4.0, 8.5], [9.5, 10.5], [11.0, 15.0], [5.5, 17.0], [2.0, 13.5]];
const POSTS_PER_SIDE: usize = 5;

const LAMPS: [[f64; 2]; 3] = [[3.2, 5.6], [-6.4, -3.6], [4.0, -3.9]];

/// Rings of trees: the number of trees, and the smallest and largest distance from the centre.
const TREES: [(usize, f64, f64); 2] = [(13, 17.0, 21.0), (24, 24.0, 36.0)];

/// The position of the first view.
const OVERVIEW: DVec3 = DVec3::new(17.0, 14.0, 27.0);

/// Collects entities. The node of each entity is its index.
#[derive(Default)]
struct Village {
    entities: Vec<Entity>,
}

impl Village {
    fn add(&mut self, name: impl Into<String>, geometry: Geometry, primitives: &Arc<[Primitive]>, transform: DAffine3) {
        self.entities.push(Entity {
            name: name.into(),
            node: Some(self.entities.len() as u32),
            geometry,
            transform,
            primitives: primitives.clone(),
        });
    }

    fn place(&mut self, name: impl Into<String>, part: &Part, transform: DAffine3) {
        self.add(name, part.mesh.clone().into(), &part.primitives, transform);
    }
}

/// Returns all entities, the ground first.
pub(super) fn entities() -> Vec<Entity> {
    let mut village = Village::default();
    village.place("Ground", &ground(), DAffine3::IDENTITY);
    for (wall, roof, houses) in COTTAGES {
        let cottage = things::cottage(wall, roof);
        for &(name, x, z, degrees, scale) in houses {
            village.place(name, &cottage, standing(x, z, degrees, scale));
        }
    }
    village.place("Barn", &things::barn(), standing(2.5, -17.5, -8.0, [1.0, 1.0, 1.0]));
    village.place("Tower", &things::tower(), standing(-15.0, -17.0, 50.0, [1.0, 1.0, 1.0]));
    village.place("Well", &things::well(), standing(-3.6, 5.4, 30.0, [1.0, 1.0, 1.0]));
    add_lamps(&mut village);
    add_fence(&mut village);
    add_trees(&mut village);
    village.entities
}

/// Adds lamps. Each is one entity of two parts: a pole of triangles and a sphere.
fn add_lamps(village: &mut Village) {
    let pole = things::pole();
    let glass = Sphere::at(DVec3::new(0.0, things::LAMP_HEIGHT, 0.0).as_vec3(), things::LAMP_RADIUS);
    let parts = [pole.mesh.into(), glass.into()].map(|part| (part, DAffine3::IDENTITY.into()));
    let lamp = Compound::new(parts).unwrap_or_else(|error| unreachable!("the identity can be inverted: {error}"));
    let glow = Primitive {
        index: pole.primitives.len() as u32,
        part: 1,
        first_triangle: 0,
        triangles: 0,
        material: Some(Stuff::Glow as usize),
        has_texcoords: false,
        paint: Paint::default(),
    };
    let primitives: Arc<[Primitive]> = pole.primitives.iter().cloned().chain([glow]).collect();
    for (number, [x, z]) in LAMPS.into_iter().enumerate() {
        let transform = DAffine3::from_translation(on_ground(x, z));
        village.add(format!("Lamp {}", number + 1), lamp.clone().into(), &primitives, transform);
    }
}

/// Adds posts at equal distances around a garden, and between each two posts two rails that follow the ground.
fn add_fence(village: &mut Village) {
    let (post, rail) = (things::post(), things::rail());
    let sides = FENCE.iter().zip(FENCE.iter().cycle().skip(1));
    let places: Vec<DVec3> = sides
        .flat_map(|(&[x, z], &[to_x, to_z])| {
            (0..POSTS_PER_SIDE).map(move |step| {
                let way = step as f64 / POSTS_PER_SIDE as f64;
                on_ground(x + (to_x - x) * way, z + (to_z - z) * way)
            })
        })
        .collect();
    for (number, &place) in places.iter().enumerate() {
        village.place(format!("Fence post {}", number + 1), &post, DAffine3::from_translation(place));
    }
    // The last gap stays open as the gate.
    for (number, pair) in places.windows(2).enumerate() {
        for (at, height) in [("lower", 0.45), ("upper", 0.95)] {
            let along = pair[1] - pair[0];
            let across = along.cross(DVec3::Y).normalize();
            let transform = DAffine3 {
                matrix3: DMat3::from_cols(along, DVec3::Y, across),
                translation: pair[0] + DVec3::Y * height,
            };
            village.place(format!("Fence rail {} {at}", number + 1), &rail, transform);
        }
    }
}

/// Adds trees in rings around the village, except close to a building or in front of the houses in the first view.
fn add_trees(village: &mut Village) {
    let tree = things::tree();
    let buildings: Vec<DVec3> = village.entities[1..].iter().map(|entity| entity.transform.translation).collect();
    let mut random = Random::new(0x0F02E57);
    let mut number = 0;
    for (count, near, far) in TREES {
        for place in 0..count {
            let way = (place as f64 + random.between(0.2, 0.8)) / count as f64;
            let (sin, cos) = libm::sincos(way * std::f64::consts::TAU);
            let distance = random.between(near, far);
            let size = random.between(1.0, 1.7);
            let tall = size * random.between(0.9, 1.25);
            let turn = random.between(0.0, 360.0);
            let [x, z] = [distance * sin, distance * cos];
            let is_clear = buildings.iter().all(|at| (at.x - x) * (at.x - x) + (at.z - z) * (at.z - z) > 36.0);
            if !is_clear || is_in_view(x, z) {
                continue;
            }
            number += 1;
            village.place(format!("Tree {number}"), &tree, standing(x, z, turn, [size, tall, size]));
        }
    }
}

/// Returns whether an object at this place would be in front of the houses in the first view.
fn is_in_view(x: f64, z: f64) -> bool {
    let toward = OVERVIEW.x * x + OVERVIEW.z * z;
    let aside = OVERVIEW.z * x - OVERVIEW.x * z;
    toward > 0.0 && aside.abs() < 0.35 * toward
}

/// Returns the transform of an object that stands on the ground, rotated about the vertical, and scaled.
fn standing(x: f64, z: f64, degrees: f64, scale: [f64; 3]) -> DAffine3 {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let matrix3 = DMat3::from_cols(
        DVec3::new(cos, 0.0, -sin) * scale[0],
        DVec3::Y * scale[1],
        DVec3::new(sin, 0.0, cos) * scale[2],
    );
    DAffine3 { matrix3, translation: on_ground(x, z) }
}

/// Returns the views; the first is the default.
pub(super) fn cameras() -> Vec<NamedCamera> {
    let perspective =
        |degrees: f64| Projection::Perspective { yfov: degrees.to_radians(), aspect: None, znear: 0.1, zfar: None };
    let map = Projection::Orthographic { xmag: 40.0, ymag: 22.5, znear: 1.0, zfar: 100.0 };
    let eye_level = height(6.0, 24.0) + 1.7;
    let views = [
        ("Overview", OVERVIEW, DVec3::new(0.0, 1.6, 0.0), DVec3::Y, perspective(45.0)),
        ("Walker", DVec3::new(6.0, eye_level, 24.0), DVec3::new(-1.0, 2.2, 0.0), DVec3::Y, perspective(60.0)),
        ("Map", DVec3::new(0.0, 60.0, 0.0), DVec3::ZERO, DVec3::NEG_Z, map),
    ];
    let named = |(camera, (name, eye, target, up, projection)): (usize, (&str, _, _, _, _))| NamedCamera {
        name: name.into(),
        camera,
        node: None,
        transform: looking(eye, target, up),
        projection,
    };
    views.into_iter().enumerate().map(named).collect()
}

/// Returns the transform from the space of a camera at `eye` that looks at `target` to the world.
fn looking(eye: DVec3, target: DVec3, up: DVec3) -> DAffine3 {
    let back = (eye - target).normalize();
    let right = up.cross(back).normalize();
    DAffine3 { matrix3: DMat3::from_cols(right, back.cross(right), back), translation: eye }
}
