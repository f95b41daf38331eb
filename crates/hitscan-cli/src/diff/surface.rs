//! The surface of a model: all of its triangles in world space, and whose they are.

use crate::model::Loaded;
use crate::triangle_list::TriangleList;
use anyhow::{Result, ensure};
use hitscan_io::Entity;

/// The triangles of a model.
pub(super) struct Surface<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) name: &'a str,
    pub(super) list: TriangleList,
    /// The first triangle of each entity.
    firsts: Vec<u32>,
}

impl<'a> Surface<'a> {
    /// Fails for a model without triangles, which has no distance from anything.
    pub(super) fn new(loaded: &'a Loaded, name: &'a str) -> Result<Self> {
        let (mut list, mut firsts) = (TriangleList::default(), Vec::with_capacity(loaded.model.entities.len()));
        for entity in &loaded.model.entities {
            firsts.push(list.triangles.len() as u32);
            list.add(&entity.geometry, &entity.transform)?;
        }
        ensure!(!list.triangles.is_empty(), "{name} has no triangles, so nothing can be compared with it");
        Ok(Self { loaded, name, list, firsts })
    }

    /// Returns an upper bound of the number of places that are measured.
    pub(super) fn places(&self, samples: u32) -> u64 {
        self.list.positions.len() as u64 + u64::from(samples)
    }

    /// Returns the entity that a triangle belongs to, and the triangle's number in it.
    pub(super) fn owner(&self, triangle: u32) -> Option<(&'a Entity, u32)> {
        let after = self.firsts.partition_point(|&first| first <= triangle);
        let place = after.checked_sub(1)?;
        Some((self.loaded.model.entities.get(place)?, triangle - self.firsts[place]))
    }
}
