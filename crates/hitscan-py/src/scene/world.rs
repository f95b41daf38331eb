//! Entities under integer keys, with the transforms that were given for them.

use super::extent::Extent;
use crate::form::Form;
use crate::threads::{FEW, SMALL};
use hitscan::error::{BulkError, SceneError, TransformError};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Aabb, Geometry};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The transform of an entity whose geometry has an origin: in the scene, the translation to the origin is applied before it.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) origin: DVec3,
    pub(super) given: DAffine3,
}

/// A version of a scene. A clone shares its memory, so that questions go on with the version that they began with.
#[derive(Clone, Default)]
pub(crate) struct World {
    pub(crate) scene: hitscan::Scene<i64>,
    pub(super) placed: HashMap<i64, Placed>,
    /// The origins of the parts of each compound that has a part with an origin. In the scene, they are in the transforms of the parts.
    pub(super) part_origins: HashMap<i64, Arc<[DVec3]>>,
    /// The box around the contents, once a question has needed it. Every change forgets it or follows it.
    extent: OnceLock<Extent>,
}

impl World {
    /// Puts a form into the scene, and returns whether the key was there before.
    pub(crate) fn insert(&mut self, key: i64, form: Form, given: DAffine3) -> Result<bool, SceneError> {
        let placed = Placed { origin: form.origin, given };
        let old = self.scene.insert(key, form.geometry, placed.transform())?;
        self.note(key, placed);
        self.note_parts(key, form.part_origins);
        Ok(old.is_some())
    }

    pub(super) fn insert_all(&mut self, entities: Vec<(i64, Form, DAffine3)>) -> Result<(), BulkError> {
        let place = |(key, form, given): &(i64, Form, DAffine3)| {
            (*key, Placed { origin: form.origin, given: *given }, form.part_origins.clone())
        };
        let places: Vec<_> = entities.iter().map(place).collect();
        let placed = entities.into_iter().zip(&places);
        self.scene
            .insert_all(placed.map(|((key, form, _), (_, placed, _))| (key, form.geometry, placed.transform())))?;
        for (key, placed, part_origins) in places {
            self.note(key, placed);
            self.note_parts(key, part_origins);
        }
        Ok(())
    }

    /// Moves entities, and returns the number of keys that were there.
    pub(super) fn set_transforms(&mut self, moves: &[(i64, DAffine3)]) -> Result<usize, BulkError> {
        let moved = |&(key, given): &(i64, DAffine3)| {
            let origin = self.placed.get(&key).map_or(DVec3::ZERO, |placed| placed.origin);
            (key, Placed { origin, given })
        };
        let places: Vec<(i64, Placed)> = moves.iter().map(moved).collect();
        let count = self.scene.set_transforms(places.iter().map(|(key, placed)| (*key, placed.transform())))?;
        for (key, placed) in places {
            if self.placed.contains_key(&key) {
                self.note(key, placed);
            }
        }
        Ok(count)
    }

    pub(super) fn set_transform(&mut self, key: i64, given: DAffine3) -> Result<bool, TransformError> {
        let origin = self.placed.get(&key).map_or(DVec3::ZERO, |placed| placed.origin);
        let placed = Placed { origin, given };
        let is_there = self.scene.set_transform(&key, placed.transform())?.is_some();
        if is_there {
            self.note(key, placed);
        }
        Ok(is_there)
    }

    pub(super) fn remove(&mut self, key: i64) -> bool {
        self.placed.remove(&key);
        self.part_origins.remove(&key);
        self.scene.remove(&key).is_some()
    }

    /// Returns the number of triangles of these entities. A shape counts as one triangle, because it is as much work.
    pub(super) fn triangles_of(&self, keys: &[i64]) -> usize {
        keys.iter().filter_map(|key| self.scene.get(key)).map(|entity| triangles_in(entity.geometry())).sum()
    }

    /// Returns the work of a question about the whole scene, as a number of triangles. Beyond `SMALL`, the count may be too small or too large.
    pub(crate) fn work(&self) -> usize {
        if self.scene.len() >= FEW {
            return usize::MAX;
        }
        let mut count = 0;
        for (_, entity) in self.scene.iter() {
            count += triangles_in(entity.geometry());
            if count >= SMALL {
                break;
            }
        }
        count
    }

    /// Returns the transform that was given for an entity.
    pub(super) fn transform(&self, key: i64) -> Option<DAffine3> {
        let entity = self.scene.get(&key)?;
        Some(self.placed.get(&key).map_or_else(|| entity.transform(), |placed| placed.given))
    }

    /// Returns the point that the coordinates of a part are relative to, in the space in which its vertices were given.
    pub(super) fn origin_of(&self, key: i64, part: u32) -> DVec3 {
        let of_part = self.part_origins.get(&key).and_then(|origins| origins.get(part as usize));
        of_part.copied().or_else(|| Some(self.placed.get(&key)?.origin)).unwrap_or(DVec3::ZERO)
    }

    /// Forgets the transforms of entities that now have geometries without an origin.
    pub(crate) fn forget_origins(&mut self, keys: Range<i64>) {
        self.placed.retain(|key, _| !keys.contains(key));
        self.part_origins.retain(|key, _| !keys.contains(key));
    }

    fn note(&mut self, key: i64, placed: Placed) {
        if placed.origin == DVec3::ZERO {
            self.placed.remove(&key);
        } else {
            self.placed.insert(key, placed);
        }
    }

    fn note_parts(&mut self, key: i64, origins: Option<Arc<[DVec3]>>) {
        match origins {
            Some(origins) => self.part_origins.insert(key, origins),
            None => self.part_origins.remove(&key),
        };
    }

    /// Returns the point that rays are relative to: zero, unless everything is far from it. It depends on the entities alone, so that a ray's answer depends
    /// neither on the rays that are asked with it nor on earlier changes of the scene.
    pub(crate) fn ray_origin(&self) -> DVec3 {
        let all = || self.scene.iter().map(|(_, entity)| Extent::of(entity.geometry(), &entity.transform()));
        self.extent.get_or_init(|| all().fold(Extent::EMPTY, |all, one| all.union(&one))).ray_origin()
    }

    /// Returns a box around all bounded entities: the union of their own boxes, which earlier changes do not affect.
    pub(super) fn bounds(&self) -> Aabb {
        let boxes = self.scene.keys().filter_map(|key| self.scene.bounds_of(&key));
        boxes.filter(|one| one.min.is_finite() && one.max.is_finite()).fold(Aabb::EMPTY, |all, one| all.union(&one))
    }

    /// Makes any change.
    pub(super) fn change<A>(&mut self, change: impl FnOnce(&mut Self) -> A) -> A {
        self.extent = OnceLock::new();
        change(self)
    }

    /// Makes a change of the entity under a key alone, without another look at all others unless the box around everything ends at this entity.
    pub(super) fn change_entity<A>(&mut self, key: i64, change: impl FnOnce(&mut Self) -> A) -> A {
        let (known, before) = (self.extent.take(), self.extent_of(key));
        let answer = change(self);
        if let Some(all) = known.and_then(|known| known.after_change(&before, &self.extent_of(key))) {
            self.extent = OnceLock::from(all);
        }
        answer
    }

    fn extent_of(&self, key: i64) -> Extent {
        self.scene.get(&key).map_or(Extent::EMPTY, |entity| Extent::of(entity.geometry(), &entity.transform()))
    }
}

fn triangles_in(geometry: &Geometry) -> usize {
    match geometry {
        Geometry::Mesh(mesh) => mesh.triangle_count(),
        Geometry::HeightField(field) => field.triangle_count(),
        Geometry::Compound(compound) => compound.iter().map(|(part, _)| triangles_in(&part)).sum(),
        _ => 1,
    }
}

impl Placed {
    pub(super) fn transform(&self) -> DAffine3 {
        if self.origin == DVec3::ZERO { self.given } else { self.given * DAffine3::from_translation(self.origin) }
    }
}
