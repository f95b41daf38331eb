//! The answers about volumes are the same, however the trees of meshes and of the scene were built.

use crate::common::{Random, Surface, grid_cube};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Character, CharacterState, ContactFilter, Mesh, ProximityQueries, Quality, Scene, Sphere,
    SweepQueries, Volume,
};

const CASES: usize = 2_000;
const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// Returns a fan whose triangles all have its middle: more triangles than are tested around a contact.
fn fan(count: u32, height: f32) -> Surface {
    let rim = (0..count).map(|k| {
        let angle = std::f32::consts::TAU * k as f32 / count as f32;
        Vec3::new(2.0 * angle.cos(), if k % 2 == 0 { 0.0 } else { height }, 2.0 * angle.sin())
    });
    let positions = std::iter::once(Vec3::ZERO).chain(rim).collect();
    Surface { positions, triangles: (0..count).map(|k| [0, 1 + (k + 1) % count, 1 + k]).collect() }
}

/// Returns the same scene with trees of each kind. The trees of the scenes differ too, as their entities were moved
/// there from other places.
fn scenes(random: &mut Random) -> [Scene<u32>; 3] {
    let forms = [grid_cube(1), grid_cube(3), fan(150, 0.0), fan(90, 0.25)];
    let places: Vec<DVec3> = (0..8).map(|_| (random.cube() * 4.0).round() * DVec3::new(1.0, 0.5, 1.0)).collect();
    QUALITIES.map(|quality| {
        let meshes = forms
            .each_ref()
            .map(|form| Mesh::with_quality(&form.positions, form.triangles.as_flattened(), quality).unwrap());
        let mut scene = Scene::new();
        for id in 0..places.len() as u32 {
            scene.insert(id, meshes[id as usize % meshes.len()].clone(), random.cube() * 50.0).unwrap();
        }
        for number in 0..3 * places.len() {
            let id = if number < 2 * places.len() { random.below(places.len()) } else { number % places.len() };
            scene.set_transform(&(id as u32), DAffine3::from_translation(places[id])).unwrap();
        }
        scene
    })
}

fn volume(random: &mut Random) -> Volume {
    match random.below(3) {
        0 => Sphere::new(0.25).into(),
        1 => Capsule::new(0.25, 1.0).into(),
        _ => Aabb::new([-0.25, -0.5, -0.25], [0.25, 0.5, 0.25]).into(),
    }
}

/// Returns the texts of all answers about a volume that starts at a place and moves.
fn answers(scene: &Scene<u32>, volume: &Volume, from: DVec3, motion: DVec3) -> Vec<String> {
    let mut texts = Vec::new();
    for filter in [ContactFilter::Ahead, ContactFilter::All] {
        let (view, mut all) = (scene.contact_filter(filter), Vec::new());
        let first = view.sweep(volume, from, motion);
        view.sweep_all(volume, from, motion, &mut all);
        if let Some(hit) = &first {
            let landed = from + motion * f64::from(hit.t);
            texts.push(format!("{:?}", view.sweep(volume, landed, motion.cross(DVec3::Y))));
        }
        texts.push(format!("{first:?} {all:?}"));
    }
    let (mut ways, mut points) = (Vec::new(), Vec::new());
    scene.penetration_all(volume, from, &mut ways);
    scene.contact_points(volume, from, &mut points);
    texts.push(format!("{:?} {ways:?} {points:?}", scene.penetration(volume, from)));
    texts
}

#[test]
fn answers_about_volumes_do_not_depend_on_trees() {
    let mut random = Random(1_097);
    let mut found = 0;
    for number in 0..CASES / 20 {
        let scenes = scenes(&mut random);
        for _ in 0..20 {
            let (volume, motion) = (volume(&mut random), (random.cube() * 4.0).round());
            let from = (random.cube() * 12.0).round() * 0.25;
            let [expected, others @ ..] = scenes.each_ref().map(|scene| answers(scene, &volume, from, motion));
            for other in others {
                assert_eq!(expected, other, "{number}: {volume:?} from {from} by {motion}");
            }
            found += usize::from(expected.len() > 3);
        }
    }
    assert!(found > CASES / 4, "only {found} found anything");
}

#[test]
fn walks_do_not_depend_on_trees() {
    let mut random = Random(1_103);
    let hero = Character::new(Capsule::new(0.25, 1.0)).unwrap();
    let mut contacts = 0;
    for number in 0..40 {
        let scenes = scenes(&mut random);
        let starts = scenes.each_ref().map(|_| CharacterState::new(DVec3::Y * 4.0));
        let mut states = starts;
        for step in 0..60 {
            let velocity = (random.cube() * 8.0).round() - DVec3::Y * 4.0;
            let moves = [0, 1, 2].map(|k| {
                let moved = hero.move_and_slide(&scenes[k], &mut states[k], velocity, 1.0 / 16.0);
                contacts += moved.contacts.len();
                format!("{:?} {moved:?}", states[k])
            });
            assert_eq!(moves[0], moves[1], "{number}, step {step}");
            assert_eq!(moves[0], moves[2], "{number}, step {step}");
        }
    }
    assert!(contacts > 1_000, "only {contacts} contacts");
}
