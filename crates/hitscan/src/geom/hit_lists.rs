//! All hits of many rays in columns. A column has the hits of one ray after the other, and offsets say where the hits
//! of each ray begin.

use super::hit::Side;
use super::ray_columns::ColumnHit;
use crate::parallel::{self, Threads};
use alloc::vec::Vec;
use core::ops::Range;

/// Columns that receive all hits of a batch, one hit after the other. The hits of ray `i` are at
/// `offsets[i]..offsets[i + 1]` of each column that is given.
///
/// A query clears every column that it is given, and fills it. A program that keeps the columns reuses their memory. A
/// column that is not given costs nothing. Without `uv`, `point` and `normal`, these are not computed. The values are
/// the same as in [`Hit`](crate::Hit), or in [`MeshHit`](crate::MeshHit), whose `id` is `()` and whose part is 0.
#[derive(Debug)]
pub struct AllHitColumns<'a, K> {
    /// The places at which the hits of each ray begin, and at the end the number of all hits. This is the one column that must be given.
    pub offsets: &'a mut Vec<usize>,
    /// The entity.
    pub id: Option<&'a mut Vec<K>>,
    /// Distance along the ray, in units of its direction.
    pub t: Option<&'a mut Vec<f32>>,
    /// Index of the part in a compound.
    pub part: Option<&'a mut Vec<u32>>,
    /// Index of the triangle of a mesh; `u32::MAX` where the hit is on none.
    pub triangle: Option<&'a mut Vec<u32>>,
    /// The side that the ray hit.
    pub side: Option<&'a mut Vec<Side>>,
    /// u and v, on a triangle or a quad; NaN elsewhere.
    pub uv: Option<[&'a mut Vec<f32>; 2]>,
    /// x, y and z of the point.
    pub point: Option<[&'a mut Vec<f32>; 3]>,
    /// x, y and z of the normal.
    pub normal: Option<[&'a mut Vec<f32>; 3]>,
}

impl<'a, K> AllHitColumns<'a, K> {
    /// Makes a value with only the offsets; `AllHitColumns { t: Some(&mut t), ..AllHitColumns::new(&mut offsets) }` adds others.
    pub fn new(offsets: &'a mut Vec<usize>) -> Self {
        Self { offsets, id: None, t: None, part: None, triangle: None, side: None, uv: None, point: None, normal: None }
    }

    /// Returns whether a column needs more of a hit than its t and its triangle.
    pub(crate) fn want_place(&self) -> bool {
        self.uv.is_some() || self.point.is_some() || self.normal.is_some()
    }

    fn clear(&mut self) {
        fn clear<'c, T: 'c>(columns: impl IntoIterator<Item = &'c mut Vec<T>>) {
            columns.into_iter().for_each(Vec::clear);
        }
        self.offsets.clear();
        self.offsets.push(0);
        clear(self.id.as_deref_mut());
        clear(self.t.as_deref_mut());
        clear(self.part.as_deref_mut());
        clear(self.triangle.as_deref_mut());
        clear(self.side.as_deref_mut());
        clear(self.uv.iter_mut().flatten().map(|column| &mut **column));
        clear(self.point.iter_mut().flatten().map(|column| &mut **column));
        clear(self.normal.iter_mut().flatten().map(|column| &mut **column));
    }
}

impl<K> AllHitColumns<'_, K> {
    /// Adds the hits of the next ray.
    pub(crate) fn add<H: ColumnHit<K>>(&mut self, hits: &[H]) {
        let end = self.offsets.last().map_or(0, |start| start + hits.len());
        self.offsets.push(end);
        extend(&mut self.id, hits, H::id);
        extend(&mut self.t, hits, H::t);
        extend(&mut self.part, hits, H::part);
        extend(&mut self.triangle, hits, |hit| hit.triangle().unwrap_or(u32::MAX));
        extend(&mut self.side, hits, H::side);
        extend_all(&mut self.uv, hits, |hit| hit.uv().map_or([f32::NAN; 2], |uv| uv.to_array()));
        extend_all(&mut self.point, hits, |hit| hit.point().to_array());
        extend_all(&mut self.normal, hits, |hit| hit.normal().to_array());
    }

    /// Adds the hits of the following rays.
    fn append(&mut self, mut piece: OwnColumns<K>) {
        fn append<T>(column: &mut Option<&mut Vec<T>>, more: &mut Vec<T>) {
            if let Some(column) = column {
                column.append(more);
            }
        }
        fn append_all<const N: usize>(columns: &mut Option<[&mut Vec<f32>; N]>, more: &mut [Vec<f32>; N]) {
            for (column, more) in columns.iter_mut().flatten().zip(more) {
                column.append(more);
            }
        }
        let start = self.offsets.last().copied().unwrap_or_default();
        self.offsets.extend(piece.offsets[1..].iter().map(|end| start + end));
        append(&mut self.id, &mut piece.id);
        append(&mut self.t, &mut piece.t);
        append(&mut self.part, &mut piece.part);
        append(&mut self.triangle, &mut piece.triangle);
        append(&mut self.side, &mut piece.side);
        append_all(&mut self.uv, &mut piece.uv);
        append_all(&mut self.point, &mut piece.point);
        append_all(&mut self.normal, &mut piece.normal);
    }
}

impl<K: Send + Sync> AllHitColumns<'_, K> {
    /// Fills the columns with the hits of this many rays. `add_hits` adds the hits of a range of rays, and is called
    /// for consecutive ranges on at most `threads` threads.
    pub(crate) fn fill(
        mut self,
        rays: usize,
        threads: Threads,
        add_hits: &(impl Fn(Range<usize>, &mut AllHitColumns<'_, K>) + Sync),
    ) {
        self.clear();
        let length = parallel::piece_of(rays, threads);
        if rays <= length {
            return add_hits(0..rays, &mut self);
        }
        let mut pieces: Vec<OwnColumns<K>> = (0..rays.div_ceil(length)).map(|_| OwnColumns::default()).collect();
        parallel::fill(&mut pieces, 1, &|first, pieces| {
            for (piece, start) in pieces.iter_mut().zip((first * length..).step_by(length)) {
                let mut columns = piece.as_wanted(&self);
                columns.clear();
                add_hits(start..rays.min(start + length), &mut columns);
            }
        });
        for piece in pieces {
            self.append(piece);
        }
    }
}

fn extend<H, T>(column: &mut Option<&mut Vec<T>>, hits: &[H], value: impl Fn(&H) -> T) {
    if let Some(column) = column {
        column.extend(hits.iter().map(value));
    }
}

fn extend_all<H, const N: usize>(
    columns: &mut Option<[&mut Vec<f32>; N]>,
    hits: &[H],
    values: impl Fn(&H) -> [f32; N],
) {
    let Some(columns) = columns else { return };
    for hit in hits {
        for (column, value) in columns.iter_mut().zip(values(hit)) {
            column.push(value);
        }
    }
}

/// The columns of a piece of a batch. A column that is not wanted stays empty.
struct OwnColumns<K> {
    offsets: Vec<usize>,
    id: Vec<K>,
    t: Vec<f32>,
    part: Vec<u32>,
    triangle: Vec<u32>,
    side: Vec<Side>,
    uv: [Vec<f32>; 2],
    point: [Vec<f32>; 3],
    normal: [Vec<f32>; 3],
}

impl<K> Default for OwnColumns<K> {
    fn default() -> Self {
        Self {
            offsets: Vec::new(),
            id: Vec::new(),
            t: Vec::new(),
            part: Vec::new(),
            triangle: Vec::new(),
            side: Vec::new(),
            uv: Default::default(),
            point: Default::default(),
            normal: Default::default(),
        }
    }
}

impl<K> OwnColumns<K> {
    /// Returns the columns that are wanted.
    fn as_wanted(&mut self, wanted: &AllHitColumns<'_, K>) -> AllHitColumns<'_, K> {
        AllHitColumns {
            offsets: &mut self.offsets,
            id: wanted.id.is_some().then_some(&mut self.id),
            t: wanted.t.is_some().then_some(&mut self.t),
            part: wanted.part.is_some().then_some(&mut self.part),
            triangle: wanted.triangle.is_some().then_some(&mut self.triangle),
            side: wanted.side.is_some().then_some(&mut self.side),
            uv: wanted.uv.is_some().then_some(self.uv.each_mut()),
            point: wanted.point.is_some().then_some(self.point.each_mut()),
            normal: wanted.normal.is_some().then_some(self.normal.each_mut()),
        }
    }
}
