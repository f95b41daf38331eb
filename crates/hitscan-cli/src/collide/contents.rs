//! Entities that are wholly inside a closed mesh of another one.

use super::models::{Both, Keys};
use super::report::{Inner, InsideReport};
use crate::model::Loaded;
use crate::model_extent::parts;
use hitscan::Geometry;
use hitscan::glam::{DAffine3, DVec3};
use hitscan_io::EntityId;
use rayon::prelude::*;
use std::collections::HashSet;

/// Returns the pairs, among those whose boxes overlap, of which one entity is inside the other. Pairs whose surfaces overlap are left out.
pub(super) fn inside<'a>(both: Both<'a>, boxed: &[Keys], overlapping: &[Keys]) -> Vec<InsideReport<'a>> {
    let overlapping: HashSet<Keys> = overlapping.iter().copied().collect();
    let apart = boxed.par_iter().filter(|keys| !overlapping.contains(*keys));
    let (first, second) = (both.first, both.second());
    let found = apart.filter_map(|&(one, other)| {
        let report = |inner: Inner| move |place: DVec3| InsideReport::new(both, (one, other), inner, place);
        let first_is_inner = contained((second, other), (first, one)).map(report(Inner::First));
        first_is_inner.or_else(|| contained((first, one), (second, other)).map(report(Inner::Second)))
    });
    found.collect()
}

/// Returns a corner of an entity, if all of its meshes are inside closed meshes of another one. Their surfaces do not meet, so one corner of each decides.
fn contained((outer, outer_id): (&Loaded, EntityId), (inner, inner_id): (&Loaded, EntityId)) -> Option<DVec3> {
    let corners = corners(inner, inner_id);
    corners.first().copied().filter(|_| corners.iter().all(|&corner| is_inside(outer, outer_id, corner)))
}

/// Returns a corner of each mesh of an entity, in the world.
fn corners(loaded: &Loaded, id: EntityId) -> Vec<DVec3> {
    let Some(entity) = loaded.model.entity(id) else { return Vec::new() };
    let corner = |(geometry, inner): (Geometry, DAffine3)| match geometry {
        Geometry::Mesh(mesh) => {
            let [corner, ..] = mesh.triangle(0)?;
            Some((entity.transform * inner).transform_point3(corner.as_dvec3()))
        }
        _ => None,
    };
    parts(&entity.geometry).into_iter().filter_map(corner).collect()
}

/// Returns whether a place in the world is inside a closed mesh of an entity.
fn is_inside(loaded: &Loaded, id: EntityId, place: DVec3) -> bool {
    let Some(entity) = loaded.model.entity(id) else { return false };
    parts(&entity.geometry).into_iter().any(|(geometry, inner)| match geometry {
        Geometry::Mesh(mesh) => {
            let local = (entity.transform * inner).inverse().transform_point3(place);
            mesh.is_closed() && mesh.contains(local)
        }
        _ => false,
    })
}
