//! The answers about volumes are the same, however the trees of meshes and of the scene were built.

use crate::common::{Random, Surface, grid_cube};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{
    Aabb, Capsule, Character, CharacterState, ContactFilter, Mesh, ProximityQueries, Quality, Scene, Sphere,
    SweepQueries, Volume,
};
use hitscan_random::effort;

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

/// Contacts of a rotating volume may be early by a fraction of the sizes. A triangle may be far larger than the volume and than the triangles beside it. The
/// triangle is not hit if the ball around the volume does not reach it, nor before the ball does. This holds in whatever tree it is.
#[test]
fn contacts_of_rotating_volumes_do_not_depend_on_trees() {
    let mut random = Random(1_109);
    let mut hits = 0;
    for number in 0..effort::size(100, 500, 20_000) {
        let half = Vec3::new(0.4, 0.2, 0.1);
        let reach = f64::from(half.length());
        // A wall of small triangles across the path, and large ones beside it, beyond the reach of the volume.
        let side = 1 + random.below(6) as u32;
        let grid = grid_cube(side).map(|v| Vec3::new(v.x * 0.01 + 5.0, v.y * 0.4, v.z * 0.4));
        let mut triangles: Vec<[Vec3; 3]> =
            grid.triangles.iter().map(|corners| corners.map(|k| grid.positions[k as usize])).collect();
        let small = triangles.len();
        for large in 0..1 + random.below(3) {
            let (size, beyond) = (10f32.powf(2.0 + 3.0 * random.fraction() as f32), 0.1 * random.fraction() + 1e-4);
            let height = [1.0, -1.0][large % 2] * (reach + beyond) as f32;
            let turn = DQuat::from_rotation_x(random.unit() * 3.0);
            let corners = [[-size, height, -size], [size, height, -size], [0.0, height, 2.0 * size]].map(Vec3::from);
            triangles.push(corners.map(|corner| (turn * corner.as_dvec3()).as_vec3()));
        }
        // The order of triangles decides which are in one leaf.
        for last in (1..triangles.len()).rev() {
            triangles.swap(last, random.below(last + 1));
        }
        let is_small =
            |triangle: u32| triangles[triangle as usize].iter().all(|corner| corner.abs().max_element() < 9.0);
        assert_eq!((0..triangles.len() as u32).filter(|&triangle| is_small(triangle)).count(), small);
        let volume = Aabb::new(-half, half);
        let poses = [(DVec3::ZERO, random.rotation()), (DVec3::X * 10.0, random.rotation())];
        let mesh = Mesh::from_soup(triangles.as_flattened()).unwrap();
        let mut refitted = Mesh::from_soup(triangles.as_flattened()).unwrap();
        let moved: Vec<Vec3> = mesh.positions().iter().map(|corner| *corner * 0.5).collect();
        refitted.refit(&moved).unwrap();
        refitted.refit(mesh.positions()).unwrap();
        let built = QUALITIES.map(|quality| mesh.rebuilt(quality));
        let meshes: Vec<Mesh> = built.into_iter().chain([mesh.clone(), refitted]).collect();
        let found: Vec<_> = meshes
            .iter()
            .map(|mesh| {
                let mut scene = Scene::new();
                scene.insert(0, mesh.clone(), DVec3::ZERO).unwrap();
                let hit = scene.sweep_rotating(volume, poses[0], poses[1]);
                hit.map(|hit| (hit.triangle, hit.t, hit.t_f64(), hit.point, hit.normal))
            })
            .collect();
        assert!(found.iter().all(|hit| *hit == found[0]), "{number}: {found:?}");
        let hit = found[0].unwrap();
        assert!(is_small(hit.0.unwrap()), "{number}: {hit:?}");
        // Entities of one triangle each are in the tree of the scene.
        let mut scene = Scene::new();
        for (id, corners) in triangles.iter().enumerate() {
            scene.insert(id, Mesh::from_soup(corners).unwrap(), DVec3::ZERO).unwrap();
        }
        let alone = scene.sweep_rotating(volume, poses[0], poses[1]).unwrap();
        assert!(is_small(alone.id as u32) && (alone.t_f64() - hit.2).abs() < 1e-4, "{number}: {alone:?} {hit:?}");
        hits += 1;
    }
    assert!(hits >= 100);
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
