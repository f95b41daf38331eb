//! Changes of the scene.

use crate::world::{Key, World};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Geometry, Hit, Ray, RayQueries, Scene, Transform};

pub(crate) fn insert(world: &mut World<'_>) {
    let (key, geometry, transform) = (world.key(), world.numbers.geometry(), world.numbers.transform());
    let before = world.scene.len();
    let had = world.scene.get(&key).is_some();
    let input = (key, &geometry, transform);
    let result =
        world.log.change("insert", &input, &mut world.scene, |scene| scene.insert(key, geometry.clone(), transform));
    let after = world.scene.len();
    match result {
        Ok(old) => {
            let is_right = old.is_some() == had && after == before + usize::from(!had);
            world.log.check(is_right, "count", || format!("{before} {after} {had}"));
            check_placed(world, key);
        }
        Err(error) => world.log.check(after == before && !error.to_string().is_empty(), "count", || error.to_string()),
    }
}

/// Checks that an accepted entity is in the scene, with an invertible transform and bounds without NaN.
fn check_placed(world: &mut World<'_>, key: Key) {
    let bounds = world.scene.bounds_of(&key);
    world.log.sound(&bounds);
    let transform = world.scene.get(&key).map(|entity| entity.transform());
    world.log.check(transform.is_some_and(|transform| transform.is_finite()), "transform", || format!("{transform:?}"));
}

pub(crate) fn insert_all(world: &mut World<'_>) {
    let count = world.numbers.below(12);
    let entities: Vec<(Key, Geometry, Transform)> =
        (0..count).map(|_| (world.key(), world.numbers.geometry(), world.numbers.transform())).collect();
    let before = world.scene.len();
    let result =
        world.log.change("insert_all", &entities, &mut world.scene, |scene| scene.insert_all(entities.clone()));
    let after = world.scene.len();
    if let Err(error) = result {
        let is_right = after == before && error.index < count;
        world.log.check(is_right, "all or nothing", || format!("{error}, {before} {after}"));
    }
}

pub(crate) fn set_transform(world: &mut World<'_>) {
    let (key, transform) = (world.present_key(), world.numbers.transform());
    let input = (key, transform);
    let before = world.scene.get(&key).map(|entity| entity.transform());
    let result =
        world.log.change("set_transform", &input, &mut world.scene, |scene| scene.set_transform(&key, transform));
    match result {
        Ok(old) => world.log.check(old == before, "former transform", || format!("{old:?} {before:?}")),
        Err(error) => {
            let now = world.scene.get(&key).map(|entity| entity.transform());
            world.log.check(now == before, "unchanged", || error.to_string());
        }
    }
}

pub(crate) fn set_transforms(world: &mut World<'_>) {
    let count = world.numbers.below(12);
    let moves: Vec<(Key, Transform)> = (0..count).map(|_| (world.present_key(), world.numbers.transform())).collect();
    let placed =
        |scene: &Scene<Key>| -> Vec<_> { scene.iter().map(|(key, entity)| (key, entity.transform())).collect() };
    let before = placed(&world.scene);
    let result =
        world.log.change("set_transforms", &moves, &mut world.scene, |scene| scene.set_transforms(moves.clone()));
    match result {
        Ok(moved) => world.log.check(moved <= count, "count", || format!("{moved} of {count}")),
        Err(error) => {
            let is_right = placed(&world.scene) == before && error.index < count;
            world.log.check(is_right, "all or nothing", || error.to_string());
        }
    }
}

pub(crate) fn set_layers(world: &mut World<'_>) {
    let (key, layers) = (world.present_key(), world.numbers.pick(&[0, 1, 2, 3, u32::MAX]));
    world.log.change("set_layers", &(key, layers), &mut world.scene, |scene| scene.set_layers(&key, layers));
}

pub(crate) fn remove(world: &mut World<'_>) {
    let key = world.present_key();
    world.log.change("remove", &key, &mut world.scene, |scene| scene.remove(&key).is_some());
    let is_there = world.scene.get(&key).is_some();
    world.log.check(!is_there, "gone", || format!("{key}"));
}

pub(crate) fn remove_all(world: &mut World<'_>) {
    let keys: Vec<Key> = (0..world.numbers.below(4)).map(|_| world.present_key()).collect();
    world.log.change("remove_all", &keys, &mut world.scene, |scene| scene.remove_all(keys.clone()).len());
}

pub(crate) fn clear(world: &mut World<'_>) {
    if world.numbers.one_in(10) {
        world.log.change("clear", &(), &mut world.scene, Scene::clear);
    }
}

pub(crate) fn refit(world: &mut World<'_>) {
    let key = world.present_key();
    let part = if world.numbers.one_in(2) { 0 } else { world.numbers.index_u32(4) };
    let count = match world.scene.get(&key).map(|entity| entity.geometry().clone()) {
        Some(Geometry::Mesh(mesh)) => mesh.positions().len(),
        _ => world.numbers.below(10),
    };
    let positions: Vec<Vec3> = (0..count).map(|_| world.numbers.vec3()).collect();
    world.log.change("refit", &(key, part, &positions), &mut world.scene, |scene| {
        scene.refit(&key, part, &positions).is_ok()
    });
    world.log.change("set_normals", &(key, part, &positions), &mut world.scene, |scene| {
        scene.set_normals(&key, part, &positions).is_ok()
    });
}

pub(crate) fn set_heights(world: &mut World<'_>) {
    let key = world.present_key();
    let part = if world.numbers.one_in(2) { 0 } else { world.numbers.index_u32(4) };
    let numbers = &mut world.numbers;
    let [rows, columns] = [(); 2].map(|()| {
        let (a, b) = (numbers.index(5), numbers.index(5));
        if numbers.one_in(8) { a..b } else { a.min(b)..a.max(b) }
    });
    let count = if numbers.one_in(3) { numbers.below(9) } else { rows.len().min(5) * columns.len().min(5) };
    let heights: Vec<f32> = (0..count).map(|_| numbers.f32()).collect();
    world.log.change("set_heights", &(key, part, &rows, &columns, &heights), &mut world.scene, |scene| {
        scene.set_heights(&key, part, rows.clone(), columns.clone(), &heights).is_ok()
    });
}

/// Checks that a saved scene can be read and gives the same answers.
pub(crate) fn save_and_read(world: &mut World<'_>) {
    let keep: Vec<Key> =
        world.scene.iter().filter(|(_, entity)| has_custom(entity.geometry())).map(|(key, _)| key).collect();
    let mut scene = world.scene.clone();
    scene.remove_all(keep);
    let saved = world.log.call("to_bytes", &scene.len(), || scene.to_bytes(|key| key.to_le_bytes()));
    let Ok(bytes) = saved else { return world.log.fault("saved", &format!("{:?}", saved.err())) };
    let key = |bytes: &[u8]| Some(Key::from_le_bytes(bytes.try_into().ok()?));
    let read = world.log.call("from_bytes", &bytes.len(), || Scene::from_bytes(&bytes, key));
    match read {
        Ok(read) => {
            let same = same_bounds(&scene, &read) && same_hits(world, &scene, &read);
            world.log.check(same, "the same", || String::from("bounds or hits are others"));
            let again = read.to_bytes(|key| key.to_le_bytes());
            world.log.check(again.as_ref() == Ok(&bytes), "the same bytes", || format!("{} bytes", bytes.len()));
        }
        Err(error) => world.log.fault("read", &format!("{error}: {:?}", scene.iter().collect::<Vec<_>>())),
    }
}

fn same_bounds(a: &Scene<Key>, b: &Scene<Key>) -> bool {
    a.iter().all(|(key, _)| a.bounds_of(&key) == b.bounds_of(&key))
}

fn same_hits(world: &mut World<'_>, a: &Scene<Key>, b: &Scene<Key>) -> bool {
    (0..4).all(|_| {
        let ray: Ray = world.ray();
        let (hit, other) = (a.cast(&ray), b.cast(&ray));
        let is_beyond = |hit: &Option<Hit<Key>>| hit.as_ref().is_some_and(|hit| is_beyond_f64(a, hit.id));
        hit == other || is_beyond(&hit) || is_beyond(&other)
    })
}

/// Returns whether an entity's scale is so large or small that ray hits are not guaranteed and may depend on the tree.
fn is_beyond_f64(scene: &Scene<Key>, key: Key) -> bool {
    let linear = scene.get(&key).map(|entity| entity.transform().matrix3).unwrap_or_default();
    linear.to_cols_array().iter().any(|number| *number != 0.0 && !(1e-100..=1e100).contains(&number.abs()))
}

fn has_custom(geometry: &Geometry) -> bool {
    match geometry {
        Geometry::Custom(_) => true,
        Geometry::Compound(compound) => compound.iter().any(|(part, _)| has_custom(&part)),
        _ => false,
    }
}

/// Checks that altered bytes are either refused or make a valid scene.
pub(crate) fn read_damaged(world: &mut World<'_>) {
    let Ok(mut bytes) = world.scene.to_bytes(|key| key.to_le_bytes()) else { return };
    for _ in 0..world.numbers.below(3) {
        let place = world.numbers.below(bytes.len().max(1));
        let value = world.numbers.bits() as u8;
        if let Some(byte) = bytes.get_mut(place) {
            *byte = value;
        }
    }
    bytes.truncate(if world.numbers.one_in(3) { world.numbers.below(bytes.len().max(1)) } else { bytes.len() });
    let key = |bytes: &[u8]| Some(Key::from_le_bytes(bytes.try_into().ok()?));
    let read = world.log.call("from_bytes", &bytes.len(), || Scene::from_bytes(&bytes, key));
    if let Ok(scene) = read {
        world.scene = scene;
    }
}

/// Checks that a clone gives the answers of the scene at the time of cloning.
pub(crate) fn clone(world: &mut World<'_>) {
    let copy = world.log.call("clone", &world.scene.len(), || world.scene.clone());
    let key = world.present_key();
    let bounds = copy.bounds_of(&key);
    let before = world.scene.len();
    let _ = world.scene.set_transform(&key, DVec3::new(1.0, 2.0, 3.0));
    let is_right = copy.bounds_of(&key) == bounds && copy.len() == before;
    world.log.check(is_right, "unchanged", || format!("{bounds:?}"));
    if world.numbers.one_in(2) {
        world.scene = copy;
    }
}
