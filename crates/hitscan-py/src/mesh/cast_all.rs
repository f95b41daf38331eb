//! All hits of rays.

use super::cast::{gather, point_of, side_number};
use super::surface::Surface;
use crate::answers::AllHits;
use crate::column::Column;
use crate::rays::{FirstFault, Rays, Unusable};
use hitscan::Cull;
use rayon::prelude::*;

/// The number of rays that a thread takes at a time: enough that joining their hits costs little.
const CHUNK: usize = 512;

/// The columns of [`AllHits`] for some rays, which follow each other.
#[derive(Default)]
struct Rows {
    counts: Vec<usize>,
    ray: Vec<i64>,
    t: Vec<f32>,
    triangle: Vec<i64>,
    point: Vec<[f64; 3]>,
    normal: Vec<[f32; 3]>,
    uv: Vec<[f32; 2]>,
    side: Vec<i8>,
}

/// Returns all hits of each ray, or the place of the first ray that can hit nothing.
pub(super) fn all(surface: &Surface, rays: &Rays<'_>, cull: Cull, unusable: Unusable) -> Result<AllHits, usize> {
    let fault = FirstFault::new();
    let starts: Vec<usize> = (0..rays.count).step_by(CHUNK).collect();
    let find = |&start: &usize| of_some(surface, rays, start, cull, unusable, &fault);
    let pieces: Vec<Rows> = match starts[..] {
        [_, _, ..] => starts.par_iter().map(find).collect(),
        _ => starts.iter().map(find).collect(),
    };
    fault.take().map_or(Ok(()), Err)?;
    Ok(joined(pieces))
}

fn of_some(
    surface: &Surface,
    rays: &Rays<'_>,
    start: usize,
    cull: Cull,
    unusable: Unusable,
    fault: &FirstFault,
) -> Rows {
    let some = gather(rays, start, CHUNK.min(rays.count - start), unusable, fault);
    let (mut rows, mut hits) = (Rows::default(), Vec::new());
    for (place, ray) in some.iter().enumerate() {
        surface.mesh.culled(cull).cast_all(ray, &mut hits);
        rows.counts.push(hits.len());
        for hit in &hits {
            rows.ray.push((start + place) as i64);
            rows.t.push(hit.t);
            rows.triangle.push(i64::from(hit.triangle));
            rows.point.push(point_of(surface, rays.line(start + place), hit).to_array());
            rows.normal.push(hit.normal().to_array());
            rows.uv.push(hit.uv().to_array());
            rows.side.push(side_number(hit.side));
        }
    }
    rows
}

fn joined(pieces: Vec<Rows>) -> AllHits {
    fn column<T: Copy>(pieces: &[Rows], values: impl Fn(&Rows) -> &[T]) -> Vec<T> {
        pieces.iter().flat_map(|piece| values(piece).iter().copied()).collect()
    }
    let counts = pieces.iter().flat_map(|piece| &piece.counts);
    let ends = counts.scan(0, |end, &count| {
        *end += count as i64;
        Some(*end)
    });
    let splits: Vec<i64> = [0].into_iter().chain(ends).collect();
    let hits = [pieces.iter().map(|piece| piece.t.len()).sum()];
    let uv = column(&pieces, |piece| &piece.uv);
    AllHits {
        splits: {
            let count = splits.len();
            Column::new(splits, &[count])
        },
        ray: Column::new(column(&pieces, |piece| &piece.ray), &hits),
        t: Column::new(column(&pieces, |piece| &piece.t), &hits),
        triangle: Column::new(column(&pieces, |piece| &piece.triangle), &hits),
        point: Column::of_vectors(column(&pieces, |piece| &piece.point), &hits),
        normal: Column::of_vectors(column(&pieces, |piece| &piece.normal), &hits),
        u: Column::new(uv.iter().map(|uv| uv[0]).collect(), &hits),
        v: Column::new(uv.iter().map(|uv| uv[1]).collect(), &hits),
        side: Column::new(column(&pieces, |piece| &piece.side), &hits),
    }
}
