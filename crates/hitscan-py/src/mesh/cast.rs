//! First hits of rays, all hits of rays, and whether rays hit anything.

use super::hit_list::Found;
use super::surface::Surface;
use crate::answers::Ragged;
use crate::each::{each_of_many, in_chunks};
use crate::rays::{FirstFault, Rays, Unusable};
use hitscan::{Cull, MeshHit, Ray};

/// Returns the first hit of each ray, or the index of the first ray that is invalid.
pub(super) fn closest(surface: &Surface, rays: &Rays<'_>, cull: Cull, unusable: Unusable) -> Result<Vec<Found>, usize> {
    let fault = FirstFault::new();
    let mut found = vec![Found::MISS; rays.count];
    in_chunks(&mut found, |start, found: &mut [Found]| {
        let some = rays.gather(start, found.len(), unusable, &fault);
        let mut hits = vec![None; some.len()];
        // This cannot fail: there are as many answers as rays.
        let _ = surface.mesh.culled(cull).cast_batch(&some, &mut hits);
        for (place, (found, hit)) in found.iter_mut().zip(&hits).enumerate() {
            if let Some(hit) = hit {
                *found = Found::new(rays, start + place, hit);
            }
        }
    });
    fault.take().map_or(Ok(found), Err)
}

/// Returns whether each ray hits anything, or the index of the first ray that is invalid.
pub(super) fn any(surface: &Surface, rays: &Rays<'_>, cull: Cull, unusable: Unusable) -> Result<Vec<bool>, usize> {
    let fault = FirstFault::new();
    let mut blocked = vec![false; rays.count];
    in_chunks(&mut blocked, |start, blocked: &mut [bool]| {
        let some = rays.gather(start, blocked.len(), unusable, &fault);
        let _ = surface.mesh.culled(cull).is_blocked_batch(&some, blocked);
    });
    fault.take().map_or(Ok(blocked), Err)
}

/// Returns any number of hits of each ray, or the index of the first ray that is invalid.
pub(super) fn many(
    rays: &Rays<'_>,
    unusable: Unusable,
    cast: impl Fn(&Ray, &mut Vec<MeshHit>) + Sync,
) -> Result<Ragged<Found>, usize> {
    let fault = FirstFault::new();
    let found = each_of_many(rays.count, |place, piece, hits: &mut Vec<MeshHit>| {
        cast(&rays.checked(place, unusable, &fault), hits);
        piece.add(hits.iter().map(|hit| Found::new(rays, place, hit)));
    });
    fault.take().map_or(Ok(found), Err)
}
