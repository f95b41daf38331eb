//! A scene and the list of its expected content, which are changed together.

use crate::walk::change::Change;
use crate::walk::form::{Body, Form, Pool};
use crate::walk::list::{Entry, List};
use crate::walk::question::{Pair, Question};
use hitscan::error::BulkError;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Entity, EntityRef, Scene, Sphere, Transform};
use std::fmt::Debug;

/// The world that changes, and clones of its scene that were kept at earlier steps.
pub(crate) struct World {
    pub(crate) scene: Scene<u32>,
    pub(crate) list: List,
    pub(crate) kept: Vec<(Scene<u32>, List)>,
    pool: Pool,
    stamp: u64,
}

/// The maximum number of clones.
pub(crate) const MOST_KEPT: usize = 4;

impl World {
    pub(crate) fn new() -> Self {
        Self { scene: Scene::new(), list: List::default(), kept: Vec::new(), pool: Pool::new(), stamp: 0 }
    }

    /// Returns a kept clone by its number from 1. For 0, and for numbers above the number of clones, returns the scene
    /// that changes.
    fn pair(&self, number: usize) -> Pair<'_> {
        let kept = number.checked_sub(1).and_then(|number| self.kept.get(number));
        kept.map_or((&self.scene, &self.list), |(scene, list)| (scene, list))
    }

    pub(crate) fn ask(&self, question: &Question) -> Result<usize, String> {
        question.ask(self.pair(question.of), self.pair(question.leaving))
    }

    /// Makes a change. Returns an error if the scene's result differs from the list's.
    pub(crate) fn apply(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Insert(key, form, place) => self.insert(*key, *form, *place)?,
            Change::InsertAll(entities) => self.insert_all(entities)?,
            Change::Move(key, place) => {
                let known = self.list.find(*key);
                let before = known.map(|known| self.list.0[known].transform);
                let is_sound = known.is_none_or(|known| fits(&self.list.0[known].bodies, *place));
                let result = self.scene.set_transform(key, *place);
                same("set_transform", result.as_ref().ok(), is_sound.then_some(before).as_ref())?;
                self.moved(*key, *place);
            }
            Change::MoveAll(moves) => self.move_all(moves)?,
            Change::Remove(key) => {
                let entity = self.scene.remove(key);
                self.check_removed(*key, entity.as_ref())?;
            }
            Change::RemoveAll(keys) => {
                let mut removed = self.scene.remove_all(keys.iter().copied()).into_iter();
                for key in keys {
                    if self.list.find(*key).is_some() {
                        let (_, entity) = removed.next().filter(|(id, _)| id == key).unzip();
                        self.check_removed(*key, entity.as_ref())?;
                    }
                }
                same("remove_all", removed.next().is_none(), true)?;
            }
            Change::Layers(key, layers) => {
                let known = self.list.find(*key);
                let before = known.map(|known| std::mem::replace(&mut self.list.0[known].layers, *layers));
                same("set_layers", self.scene.set_layers(key, *layers), before)?;
            }
            Change::Refit { key, part, seed } => self.refit(*key, *part, *seed)?,
            Change::Heights { key, part, seed } => self.set_heights(*key, *part, *seed)?,
            Change::Refused(key) => self.refuse(*key)?,
            Change::Clear => {
                self.scene.clear();
                self.list.0.clear();
            }
            Change::Save => self.save_and_load()?,
            Change::Keep => {
                self.kept.truncate(MOST_KEPT - 1);
                self.kept.insert(0, (self.scene.clone(), self.list.clone()));
            }
            Change::GoOnWith(number) => {
                if let Some((scene, list)) = self.kept.get_mut(*number) {
                    std::mem::swap(&mut self.scene, scene);
                    std::mem::swap(&mut self.list, list);
                }
            }
            Change::Drop(number) => {
                if *number < self.kept.len() {
                    self.kept.remove(*number);
                }
            }
        }
        same("len", self.scene.len(), self.list.0.len())
    }

    /// Checks everything that a scene can report about its entities without a ray.
    pub(crate) fn check_contents(&self) -> Result<(), String> {
        let mut keys: Vec<u32> = self.scene.iter().map(|(key, _)| key).collect();
        let mut known: Vec<u32> = self.list.0.iter().map(|entry| entry.key).collect();
        keys.sort_unstable();
        known.sort_unstable();
        same("keys", keys, known)?;
        self.list.0.iter().try_for_each(|entry| check_entity(self.scene.get(&entry.key), entry))
    }

    fn next_stamp(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }

    fn insert(&mut self, key: u32, form: Form, place: DAffine3) -> Result<(), String> {
        let made = form.make(&self.pool);
        let fits = fits(&made.bodies, place);
        let old = self.scene.insert(key, made.geometry, place).ok();
        let known = self.list.find(key).map(|known| &self.list.0[known]);
        match &old {
            None => same("insert", fits, false)?,
            Some(old) => {
                same("insert replaces", old.is_some(), known.is_some())?;
                known.map_or(Ok(()), |known| check_entity(old.as_ref().map(EntityRef::from), known))?;
            }
        }
        self.put(key, form, place);
        Ok(())
    }

    /// Inserts an entity, which gets the order and layers of the entity that it replaces. It is removed if it cannot be placed.
    fn put(&mut self, key: u32, form: Form, place: DAffine3) {
        let stamp = self.next_stamp();
        let Some(entry) = Entry::new(key, form.make(&self.pool), place, stamp) else { return };
        match self.list.find(key) {
            Some(known) => {
                let layers = self.list.0[known].layers;
                self.list.0[known] = entry.on(layers);
            }
            None => self.list.0.push(entry),
        }
    }

    fn insert_all(&mut self, entities: &[(u32, Form, DAffine3)]) -> Result<(), String> {
        let made = entities.iter().map(|(key, form, place)| (*key, form.make(&self.pool).geometry, *place));
        let result = self.scene.insert_all(made);
        let bad = entities.iter().position(|(_, form, place)| !fits(&form.make(&self.pool).bodies, *place));
        same("insert_all", result.err().map(|error| error.index), bad)?;
        if bad.is_none() {
            entities.iter().for_each(|(key, form, place)| self.put(*key, *form, *place));
        }
        Ok(())
    }

    fn moved(&mut self, key: u32, place: DAffine3) {
        let stamp = self.next_stamp();
        if let Some(known) = self.list.find(key)
            && let Some(entry) = self.list.0[known].placed(place, stamp)
        {
            self.list.0[known] = entry;
        }
    }

    fn move_all(&mut self, moves: &[(u32, DAffine3)]) -> Result<(), String> {
        let known = |key: u32| self.list.find(key).map(|known| &self.list.0[known]);
        let fits = |(key, place): &(u32, DAffine3)| known(*key).is_none_or(|known| fits(&known.bodies, *place));
        let bad = moves.iter().position(|moved| !fits(moved));
        let count = moves.iter().filter(|(key, _)| known(*key).is_some()).count();
        let result = self.scene.set_transforms(moves.iter().copied());
        same("set_transforms", result.map_err(|BulkError { index, .. }| index), bad.map_or(Ok(count), Err))?;
        if bad.is_none() {
            moves.iter().for_each(|(key, place)| self.moved(*key, *place));
        }
        Ok(())
    }

    fn check_removed(&mut self, key: u32, entity: Option<&Entity>) -> Result<(), String> {
        match self.list.find(key) {
            Some(known) => check_entity(entity.map(EntityRef::from), &self.list.0.remove(known)),
            None => same("removed", entity.is_none(), true),
        }
    }

    /// Returns the body of a part, if it exists.
    fn body(&self, key: u32, part: u32) -> Option<Body> {
        let entry = &self.list.0[self.list.find(key)?];
        Some(entry.bodies.get(part as usize)?.0.clone())
    }

    fn deform(&mut self, key: u32, part: u32, body: Body) {
        let stamp = self.next_stamp();
        if let Some(known) = self.list.find(key)
            && let Some(entry) = self.list.0[known].deformed(part as usize, body, stamp)
        {
            self.list.0[known] = entry;
        }
    }

    fn refit(&mut self, key: u32, part: u32, seed: u64) -> Result<(), String> {
        let Some(Body::Mesh(sheet) | Body::Fence(sheet, _)) = self.body(key, part) else {
            let result = self.scene.refit(&key, part, &[Vec3::ZERO; 3]).map(|mesh| mesh.is_some());
            return same("refit of no mesh", result, Ok(false));
        };
        let mut bent = sheet.bent(seed);
        let middle = bent.len() / 2;
        let right = std::mem::replace(&mut bent[middle], Vec3::NAN);
        same("refit to nowhere", self.scene.refit(&key, part, &bent).is_err(), true)?;
        same("refit of too few", self.scene.refit(&key, part, &bent[1..]).is_err(), true)?;
        bent[middle] = right;
        let fitted = self.scene.refit(&key, part, &bent).map_err(|error| error.to_string())?;
        same("refit", fitted.map(|mesh| mesh.positions()), Some(&bent[..]))?;
        let body = self.body(key, part).map(|body| body.with_positions(bent.into()));
        body.into_iter().for_each(|body| self.deform(key, part, body));
        Ok(())
    }

    fn set_heights(&mut self, key: u32, part: u32, seed: u64) -> Result<(), String> {
        let Some(Body::Field(mut ground)) = self.body(key, part) else {
            let result = self.scene.set_heights(&key, part, 0..1, 0..1, &[0.0]).map(|field| field.is_some());
            return same("set_heights of no field", result, Ok(false));
        };
        let (rows, columns, heights) = ground.dug(seed);
        let result = self.scene.set_heights(&key, part, rows.clone(), columns.clone(), &heights[1..]);
        same("set_heights of too few", result.is_err(), true)?;
        let field = self.scene.set_heights(&key, part, rows, columns, &heights).map_err(|error| error.to_string())?;
        same("set_heights", field.map(|field| field.heights()), Some(&ground.heights[..]))?;
        self.deform(key, part, Body::Field(ground));
        Ok(())
    }

    /// Checks that refused changes change nothing.
    fn refuse(&mut self, key: u32) -> Result<(), String> {
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        same("a flat place", self.scene.insert(key, Sphere::new(1.0), flat).is_err(), true)?;
        same("no radius", self.scene.insert(key, Sphere::new(-1.0), DVec3::ZERO).is_err(), true)?;
        let known = self.list.find(key).is_some();
        same("nowhere", self.scene.set_transform(&key, DVec3::NAN).is_err(), known)
    }

    fn save_and_load(&mut self) -> Result<(), String> {
        let save = |scene: &Scene<u32>| scene.to_bytes(|key| key.to_le_bytes()).map_err(|error| error.to_string());
        let bytes = save(&self.scene)?;
        let read = |key: &[u8]| Some(u32::from_le_bytes(key.try_into().ok()?));
        self.scene = Scene::from_bytes(&bytes, read).map_err(|error| error.to_string())?;
        same("saved again", save(&self.scene)? == bytes, true)?;
        // Hits of the scene that was saved belong to another scene.
        for known in 0..self.list.0.len() {
            self.list.0[known].stamp = self.next_stamp();
        }
        Ok(())
    }
}

/// Returns whether an entity with these parts can be placed. That includes each part, because a nearly singular
/// transform may make the transform of a part singular.
fn fits(parts: &[(Body, DAffine3)], place: DAffine3) -> bool {
    let is_sound = |place: DAffine3| Transform::from(place).validate().is_ok();
    is_sound(place) && parts.iter().all(|(_, inner)| is_sound(place * *inner))
}

fn check_entity(entity: Option<EntityRef<'_>>, entry: &Entry) -> Result<(), String> {
    let said = entity.map(|entity| (entity.transform(), entity.layers()));
    same("an entity", said, Some((entry.transform, entry.layers)))
}

fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}
